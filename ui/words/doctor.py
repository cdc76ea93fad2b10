"""What `verish doctor` has found, and what to do about it."""

from p2p.net.doctor import Findings
from ui.i18n import gettext as _
from ui.i18n import ngettext
from ui.words.news import discovery_problem


def interface_rows(findings: Findings) -> list[tuple[str, str, str, str, str]]:
    """A row for each interface: name, addresses, datagrams sent, come back, heard of others."""
    return [
        (
            one.name,
            " ".join(one.addresses),
            one.fault or str(one.sent),
            "" if one.fault else str(one.echoed),
            "" if one.fault else _heard(one.heard, one.others),
        )
        for one in findings.interfaces
    ]


def _heard(heard: int, others: int) -> str:
    if not others:
        return str(heard)
    machines = ngettext("{count} machine", "{count} machines", others).format(count=others)
    return f"{heard} ({machines})"


def sentences(findings: Findings) -> tuple[str, ...]:
    """What works."""
    found = []
    if findings.linked_s is not None:
        found.append(_("Two programs on this machine can talk to each other."))
    if findings.found_s is not None:
        found.append(
            _("They find each other by themselves: after {seconds:.2f} s.").format(seconds=findings.found_s)
        )
    quiet = [one.name for one in findings.interfaces if not (one.loopback or one.fault or one.heard)]
    if quiet and len(quiet) == len([one for one in findings.interfaces if not one.loopback]):
        found.append(
            _(
                "Nothing was heard from other machines. That is no fault if none runs Verish just now; if "
                "one does: guest networks and access points with “client isolation” keep computers apart. "
                "Then join by address."
            )
        )
    return tuple(found)


def advice(findings: Findings) -> tuple[str, ...]:
    """What does not work, and what to do; nothing if all that can be tried on one machine works."""
    found = []
    if findings.linked_s is None:
        found.append(
            _("No link between two programs of this machine: a firewall blocks UDP. Allow it for Python.")
        )
    if findings.problem is not None:
        found.append(discovery_problem(findings.problem))
    elif findings.found_s is None:
        found.append(
            _("Two programs on this machine do not find each other: allow UDP port 5353 in the firewall.")
        )
    for one in findings.interfaces:
        if one.fault:
            text = _("{name}: multicast cannot be used there ({fault}).")
            found.append(text.format(name=one.name, fault=one.fault))
        elif one.sent and not one.echoed:
            found.append(
                _(
                    "{name}: what was sent did not come back. A firewall may block UDP port 5353 there; "
                    "joining by address still works."
                ).format(name=one.name)
            )
        if one.tunnel:
            found.append(
                _("{name} looks like a VPN. Others may not be reached while it is on.").format(name=one.name)
            )
    return tuple(dict.fromkeys(found))
