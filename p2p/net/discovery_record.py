"""What a peer says of itself on the network: TXT hints, packed and read with bounds. None of it is proven."""

import ipaddress
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from p2p.net.interfaces import Address, canonical_host

SERVICE_TYPE: Final = "_verish._udp.local."

LABEL_LIMIT: Final = 15
"""Characters of a service label without its underscore (RFC 6335); the library notices only at
registration.
"""

TXT_LIMIT: Final = 400
"""Bytes of all hints together: several peers' answers fit into one packet."""

TEXT_LIMIT: Final = 60
"""Bytes of one hint's text in UTF-8: a cut name or title is enough to recognise it; the link brings it
whole.
"""

RECORD_ADDRESS_LIMIT: Final = 32
"""Addresses taken from one peer's record."""

_FINGERPRINT = re.compile(r"[0-9A-HJKMNP-TV-Z]{4}(-[0-9A-HJKMNP-TV-Z]{4}){3}")
_NUMBER = re.compile(r"[0-9]{1,5}")


@dataclass(frozen=True, slots=True)
class Hints:
    """What the lobby may show until the link tells the truth. version: of the protocol. name: the player's.
    table: the title of the table that he opened, or "". state: a short word about that table, such as
    "2/4".
    """

    version: int
    name: str = ""
    table: str = ""
    state: str = ""


@dataclass(frozen=True, slots=True)
class PeerRecord:
    """A peer that somebody announced. fingerprint: of its key. addresses: where it may be, none of them
    proven; the text in `hints` is as received and to be cleaned before it is shown.
    """

    fingerprint: str
    addresses: tuple[Address, ...]
    port: int
    hints: Hints


def instance_name(fingerprint: str) -> str:
    """The full service name of a key: unique because the key is, so nobody needs to be asked for it."""
    return f"{fingerprint}.{SERVICE_TYPE}"


def fingerprint_of(name: str) -> str | None:
    """The fingerprint in a service name, or None for a name that is none of ours."""
    label = name.removesuffix(SERVICE_TYPE).removesuffix(".").upper()
    return label if _FINGERPRINT.fullmatch(label) else None


def cut(text: str, limit: int = TEXT_LIMIT) -> str:
    """The longest beginning of a text that takes at most `limit` bytes in UTF-8."""
    return text.encode("utf-8", "replace")[:limit].decode("utf-8", "ignore")


def pack_hints(hints: Hints) -> dict[str, str]:
    """The TXT properties, texts cut to fit."""
    properties = {
        "v": str(hints.version),
        "n": cut(hints.name),
        "t": cut(hints.table),
        "s": cut(hints.state, 16),
    }
    assert txt_size(properties) < TXT_LIMIT
    return properties


def txt_size(properties: Mapping[str, str]) -> int:
    """Bytes of the TXT record's data: each property has a length byte."""
    return sum(len(f"{key}={value}".encode()) + 1 for key, value in properties.items())


def read_hints(properties: Mapping[bytes, bytes | None]) -> Hints:
    """The hints in TXT properties; what is missing, not UTF-8 or out of bounds counts as empty."""

    def text(key: bytes, limit: int = TEXT_LIMIT) -> str:
        value = properties.get(key) or b""
        return cut(value.decode("utf-8", "ignore"), limit) if len(value) <= limit else ""

    version = text(b"v")
    return Hints(int(version) if _NUMBER.fullmatch(version) else 0, text(b"n"), text(b"t"), text(b"s", 16))


def read_addresses(texts: list[str], port: int) -> tuple[Address, ...]:
    """Addresses out of a record, each `1.2.3.4`, `2001:db8::1` or `fe80::1%2`; nonsense is left out.

    Loopback goes last: it is announced by peers that have nothing else, and means this machine to everybody.
    """
    found: dict[Address, None] = {}
    for text in texts[:RECORD_ADDRESS_LIMIT]:
        host, _, scope = text.partition("%")
        try:
            parsed = ipaddress.ip_address(host)
        except ValueError:
            continue
        if parsed.is_multicast or parsed.is_unspecified:
            continue
        number = int(scope) if parsed.is_link_local and _NUMBER.fullmatch(scope) else 0
        found[Address(canonical_host(host), port, number)] = None
    return tuple(sorted(found, key=lambda address: ipaddress.ip_address(address.host).is_loopback))
