"""What the doctor finds on loopback, with real sockets, and what it says of what it cannot find."""

import struct
from dataclasses import replace

import pytest
from zeroconf import DNSIncoming

from p2p.net import doctor
from p2p.net.discovery import DiscoveryProblem
from p2p.net.discovery_record import SERVICE_TYPE
from p2p.net.doctor import Findings, InterfaceReport, examine_network, question
from p2p.net.link_errors import BadAddress
from ui.words.doctor import advice, interface_rows, sentences

ETH = InterfaceReport("eth0", ("192.168.1.23",), 4, 8, 3, 2)
LO = InterfaceReport("lo", ("127.0.0.1",), 4, 8)
WELL = Findings((ETH, LO), 0.1, 0.1)


@pytest.mark.network
async def test_on_loopback_multicast_comes_back_and_two_programs_find_each_other_and_link() -> None:
    found = await examine_network(2.0, "127.0.0.1")
    (lo,) = found.interfaces
    assert lo.loopback
    assert (lo.fault, lo.tunnel) == ("", False)
    assert lo.sent >= 1
    assert lo.echoed >= lo.sent
    assert found.found_s is not None
    assert found.linked_s is not None
    assert found.problem is DiscoveryProblem.NO_NETWORK
    assert dict(found.versions).keys() >= {"verish", "python", "zeroconf"}


async def test_an_interface_that_is_not_there_is_refused() -> None:
    with pytest.raises(BadAddress):
        await examine_network(1.0, "no-such-interface")


@pytest.mark.network
async def test_an_interface_whose_socket_fails_is_told_and_keeps_nothing_else_from_being_tried(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def failing() -> bytes:
        raise OSError(1, "Operation not permitted")

    monkeypatch.setattr(doctor, "question", failing)
    found = await examine_network(1.0, "127.0.0.1")
    assert found.interfaces[0].fault == "Operation not permitted"
    assert found.linked_s is not None
    assert any("lo: multicast cannot be used there" in line for line in advice(found))


def test_the_question_is_one_for_our_service() -> None:
    parsed = DNSIncoming(question())
    assert [(one.name, one.type) for one in parsed.questions] == [(SERVICE_TYPE, 12)]
    assert struct.unpack("!6H", question()[:12]) == (0, 0, 1, 0, 0, 0)


def test_where_all_is_well_there_is_nothing_to_be_done() -> None:
    assert advice(WELL) == ()
    assert len(sentences(WELL)) == 2
    assert interface_rows(WELL)[0] == ("eth0", "192.168.1.23", "4", "8", "3 (2 machines)")


@pytest.mark.parametrize(
    ("findings", "word"),
    [
        (replace(WELL, linked_s=None), "a firewall blocks UDP"),
        (replace(WELL, found_s=None), "do not find each other"),
        (replace(WELL, problem=DiscoveryProblem.MULTICAST_PORT_TAKEN), "UDP port 5353"),
        (replace(WELL, interfaces=(replace(ETH, echoed=0), LO)), "eth0: what was sent did not come back"),
        (replace(WELL, interfaces=(replace(ETH, fault="No such device"), LO)), "(No such device)"),
        (replace(WELL, interfaces=(replace(ETH, name="wg0", tunnel=True), LO)), "wg0 looks like a VPN"),
    ],
)
def test_what_does_not_work_is_said_with_what_to_do(findings: Findings, word: str) -> None:
    (line,) = advice(findings)
    assert word in line


def test_silence_of_all_others_is_no_fault_and_is_explained() -> None:
    quiet = replace(WELL, interfaces=(replace(ETH, heard=0, others=0), LO))
    assert advice(quiet) == ()
    assert any("client isolation" in line for line in sentences(quiet))
