"""`verish doctor`: what works on this network, and what to do about the rest."""

import asyncio
import shutil
from dataclasses import asdict

import click

from p2p.net.doctor import examine_network
from ui.cli.exits import Exit
from ui.cli.options import Seconds, interface_option, log_options
from ui.cli.output import print_json, print_table, say
from ui.columns import wrapped
from ui.i18n import gettext as _
from ui.words.doctor import advice, interface_rows, sentences


@click.command(
    "doctor",
    short_help=_("Find out what is wrong with the network."),
    help=_(
        "Find out what is wrong with the network: tries multicast on each interface, and whether two "
        "programs on this machine find each other. What it prints can be pasted into a report; it names "
        "this machine's addresses and no secret."
    ),
)
@click.option(
    "--wait",
    type=Seconds(1, 60),
    default=4.0,
    show_default=True,
    help=_("Seconds to listen."),
)
@interface_option
@click.option("--json", "as_json", is_flag=True, help=_("Print one JSON object."))
@log_options
def command(wait: float, interface: str | None, as_json: bool) -> int:
    """Try, then print what was found and what to do."""
    if not as_json:
        say(_("Listening for {seconds:.0f} s…").format(seconds=wait))
    findings = asyncio.run(examine_network(wait, interface))
    troubles = advice(findings)
    if as_json:
        record = asdict(findings)
        print_json({**record, "versions": dict(findings.versions), "ok": not troubles})
    else:
        head = (_("interface"), _("addresses"), _("sent"), _("came back"), _("heard from others"))
        print_table(head, interface_rows(findings), numbers_from=3)
        say("")
        versions = ", ".join(f"{name} {number}" for name, number in findings.versions)
        width = shutil.get_terminal_size((80, 24)).columns
        for line in (*sentences(findings), *troubles, "", versions):
            for piece in wrapped(line, width) or [""]:
                say(piece)
    return Exit.NETWORK if troubles else Exit.DONE
