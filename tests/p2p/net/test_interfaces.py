import socket

import pytest

from p2p.errors import NetworkReason
from p2p.net import interfaces
from p2p.net.interfaces import Address, InterfaceAddress, dialled, has_network, local_addresses, parse_address
from p2p.net.link_errors import BadAddress


@pytest.mark.parametrize(
    ("text", "host", "port"),
    [
        ("192.168.1.20:4000", "192.168.1.20", 4000),
        (" laptop.local:1 ", "laptop.local", 1),
        ("laptop:65535", "laptop", 65535),
        ("[2001:DB8:0::1]:4000", "2001:db8::1", 4000),
        ("[::1]:4000", "::1", 4000),
        ("[fe80::1]:4000", "fe80::1", 4000),
    ],
)
def test_an_address_that_a_person_types_is_read(text: str, host: str, port: int) -> None:
    assert parse_address(text) == Address(host, port)


def test_a_scope_is_an_interface_by_name_or_number() -> None:
    index = socket.if_nametoindex("lo")
    assert parse_address("[fe80::1%lo]:4000") == Address("fe80::1", 4000, index)
    assert parse_address(f"[fe80::1%{index}]:4000") == Address("fe80::1", 4000, index)
    assert str(Address("fe80::1", 4000, index)) == "[fe80::1%lo]:4000"


@pytest.mark.parametrize(
    "text",
    [
        "",
        ":",
        "laptop",
        "laptop:",
        "laptop:0",
        "laptop:65536",
        "laptop:4000x",
        "laptop:-1",
        "laptop:٤٠٠٠",
        ":4000",
        "lap top:4000",
        "-:1:",
        "192.168.1:4000",
        "192.168.1.256:4000",
        "1:4000",
        "2001:db8::1:4000",
        "[2001:db8::1]",
        "[2001:db8::1]4000",
        "[2001:db8::1:4000",
        "[laptop]:4000",
        "[2001:db8::1%lo]:4000",
        "[fe80::1%nothing-like-it]:4000",
        "[fe80::1%]:4000",
        "192.168.1.20%lo:4000",
        "a" * 64 + ":4000",
        "a." * 140 + "a:4000",
        "laptop..local:4000",
        "стол:4000",
        "laptop\n:4000",
        "\x1b[2J:4000",
    ],
)
def test_nonsense_is_refused_as_a_bad_address(text: str) -> None:
    with pytest.raises(BadAddress) as caught:
        parse_address(text)
    assert caught.value.reason is NetworkReason.BAD_ADDRESS


def test_addresses_print_as_they_are_typed() -> None:
    for text in ("10.0.0.1:4000", "[2001:db8::1]:4000"):
        assert str(parse_address(text)) == text


def test_loopback_is_among_the_local_addresses() -> None:
    assert any(address.host == "127.0.0.1" and address.is_loopback for address in local_addresses())


def test_an_interface_is_chosen_by_name_or_address_and_loopback_stays(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    loopback = InterfaceAddress("lo", 1, "127.0.0.1")
    cable, radio = InterfaceAddress("eth0", 2, "10.0.0.1"), InterfaceAddress("wlan0", 3, "10.1.0.1")
    monkeypatch.setattr(interfaces, "_scan", lambda: (cable, loopback, radio))
    assert local_addresses("eth0") == local_addresses("10.0.0.1") == (cable, loopback)
    with pytest.raises(BadAddress):
        local_addresses("eth1")
    assert has_network((cable, loopback))
    assert not has_network((loopback,))


def test_a_link_local_address_without_scope_is_dialled_on_every_link(monkeypatch: pytest.MonkeyPatch) -> None:
    own = (
        InterfaceAddress("eth0", 2, "fe80::2"),
        InterfaceAddress("wlan0", 3, "fe80::3"),
        InterfaceAddress("wlan0", 3, "10.0.0.1"),
    )
    monkeypatch.setattr(interfaces, "_scan", lambda: own)
    assert dialled(Address("fe80::9", 5)) == (Address("fe80::9", 5, 2), Address("fe80::9", 5, 3))
    assert dialled(Address("fe80::9", 5, 7)) == (Address("fe80::9", 5, 7),)
    assert dialled(Address("10.0.0.9", 5)) == (Address("10.0.0.9", 5),)
