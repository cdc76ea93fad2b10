from collections.abc import Callable

import msgspec
import pytest
from link_peers import identity

from p2p.net.hello import Hello, HelloError, Opening, Proof, RemotePeer, Role, Stage, signed_text
from p2p.net.link_errors import CloseCode

CERTIFICATE = bytes(range(32))
CLIENT, SERVER = identity(1), identity(2)


def client(**options: object) -> Hello:
    return Hello(Role.CLIENT, CLIENT, b"c" * 16, b"n" * 32, **options)


def server(**options: object) -> Hello:
    return Hello(Role.SERVER, SERVER, b"s" * 16, b"m" * 32, **options)


def code_of(call: Callable[[], object]) -> CloseCode:
    with pytest.raises(HelloError) as caught:
        call()
    return caught.value.code


def run(one: Hello, two: Hello, seen_by_client: bytes = CERTIFICATE) -> None:
    """The whole hello; raises what either side raises."""
    [opening] = one.start()
    for reply in two.receive(opening, CERTIFICATE):
        assert one.receive(reply, seen_by_client) == []
    assert two.receive(one.prove(seen_by_client), CERTIFICATE) == []
    assert one.receive(two.welcome(), seen_by_client) == []


def test_both_sides_learn_the_proven_key_and_run_of_the_other() -> None:
    one, two = client(), server()
    run(one, two)
    assert one.stage is two.stage is Stage.DONE
    assert one.remote == RemotePeer(SERVER.public, b"s" * 16)
    assert two.remote == RemotePeer(CLIENT.public, b"c" * 16)


def test_both_sides_have_one_binding_and_every_link_another() -> None:
    one, two = client(), server()
    run(one, two)
    assert one.binding(CERTIFICATE) == two.binding(CERTIFICATE)
    other = Hello(Role.CLIENT, CLIENT, b"c" * 16, b"N" * 32)
    run(other, again := server())
    assert other.binding(CERTIFICATE) == again.binding(CERTIFICATE) != one.binding(CERTIFICATE)
    assert one.binding(bytes(32)) != one.binding(CERTIFICATE), "a certificate in between"


def test_the_bytes_are_the_documented_ones() -> None:
    [opening] = client().start()
    assert opening == (
        b"\x95\xacverish hello\x01\xc4\x20"
        + CLIENT.public
        + b"\xc4\x20"
        + b"n" * 32
        + b"\xc4\x10"
        + b"c" * 16
    )
    assert signed_text(Role.SERVER, b"C", b"S", CERTIFICATE) == (
        b"\x94\xa6server\xc4\x01C\xc4\x01S\xc4\x20" + CERTIFICATE
    )


def test_another_certificate_than_the_servers_own_breaks_the_proof() -> None:
    assert code_of(lambda: run(client(), server(), seen_by_client=bytes(32))) is CloseCode.BAD_HELLO


def test_the_server_refuses_a_client_that_saw_another_certificate() -> None:
    one, two = client(), server()
    opening_and_proof = two.receive(one.start()[0], CERTIFICATE)
    for reply in opening_and_proof:
        one.receive(reply, CERTIFICATE)
    assert code_of(lambda: two.receive(one.prove(bytes(32)), CERTIFICATE)) is CloseCode.BAD_HELLO


def test_a_proof_for_one_nonce_does_not_hold_for_another() -> None:
    old = server().receive(client().start()[0], CERTIFICATE)
    fresh = Hello(Role.CLIENT, CLIENT, b"c" * 16, b"N" * 32)
    fresh.receive(old[0], CERTIFICATE)
    assert code_of(lambda: fresh.receive(old[1], CERTIFICATE)) is CloseCode.BAD_HELLO


def test_a_signature_is_not_accepted_back_by_its_maker() -> None:
    """One who echoes everything has no key of his own: his opening carries ours."""
    one = client()
    assert code_of(lambda: one.receive(one.start()[0], CERTIFICATE)) is CloseCode.OWN_KEY


def test_a_proof_made_by_another_key_is_refused() -> None:
    one, two = client(), server()
    two.receive(one.start()[0], CERTIFICATE)
    forged = msgspec.msgpack.encode(Proof(identity(3).sign(b"verish hello", b"anything")))
    assert code_of(lambda: two.receive(forged, CERTIFICATE)) is CloseCode.BAD_HELLO


def test_a_key_that_was_not_expected_is_refused_only_once_it_is_proven() -> None:
    one = client(expected=lambda key: key != SERVER.public)
    opening, proof = server().receive(one.start()[0], CERTIFICATE)
    one.receive(opening, CERTIFICATE)
    assert code_of(lambda: one.receive(proof, CERTIFICATE)) is CloseCode.WRONG_KEY


def test_different_versions_are_told_to_both_sides() -> None:
    old, new = client(version=1), server(version=2)
    with pytest.raises(HelloError) as at_server:
        new.receive(old.start()[0], CERTIFICATE)
    with pytest.raises(HelloError) as at_client:
        old.receive(new.replies_on_error[0], CERTIFICATE)
    assert (at_server.value.code, at_server.value.theirs) == (CloseCode.OTHER_VERSION, 1)
    assert (at_client.value.code, at_client.value.theirs) == (CloseCode.OTHER_VERSION, 2)


def test_a_later_version_may_change_everything_after_the_version() -> None:
    later = msgspec.msgpack.encode(("verish hello", 7, {"anything": 1}))
    with pytest.raises(HelloError) as caught:
        server().receive(later, CERTIFICATE)
    assert caught.value.theirs == 7


@pytest.mark.parametrize(
    "opening",
    [
        b"",
        b"\xc1",
        msgspec.msgpack.encode(("verish hello",)),
        msgspec.msgpack.encode(("something else", 1, bytes(32), bytes(32), bytes(16))),
        msgspec.msgpack.encode(("verish hello", True, bytes(32), bytes(32), bytes(16))),
        msgspec.msgpack.encode(("verish hello", -1, bytes(32), bytes(32), bytes(16))),
        msgspec.msgpack.encode(("verish hello", 1 << 40, bytes(32), bytes(32), bytes(16))),
        msgspec.msgpack.encode(("verish hello", 1, bytes(31), bytes(32), bytes(16))),
        msgspec.msgpack.encode(("verish hello", 1, bytes(32), bytes(33), bytes(16))),
        msgspec.msgpack.encode(("verish hello", 1, bytes(32), bytes(32), bytes(15))),
        msgspec.msgpack.encode(("verish hello", 1, bytes(32), bytes(32), bytes(16), 0)),
        msgspec.msgpack.encode(Opening("verish hello", 1, b"k" * 32, bytes(32), bytes(16))) + b"\x00",
        b"\xdc\x00\x05"
        + msgspec.msgpack.encode(Opening("verish hello", 1, b"k" * 32, bytes(32), bytes(16)))[1:],
    ],
)
def test_openings_that_are_not_exactly_right_are_refused(opening: bytes) -> None:
    assert code_of(lambda: server().receive(opening, CERTIFICATE)) is CloseCode.BAD_HELLO


@pytest.mark.parametrize("key", [b"\x01" + bytes(31), bytes(32), b"\xff" * 32])
def test_keys_that_sign_anything_are_refused(key: bytes) -> None:
    two = server()
    two.receive(msgspec.msgpack.encode(Opening("verish hello", 1, key, bytes(32), bytes(16))), CERTIFICATE)
    proof = msgspec.msgpack.encode(Proof(b"\x01" + bytes(63)))
    assert code_of(lambda: two.receive(proof, CERTIFICATE)) is CloseCode.BAD_HELLO


def test_messages_out_of_turn_are_refused() -> None:
    one, two = client(), server()
    run(one, two)
    for side in (one, two):
        assert code_of(lambda side=side: side.receive(b"\x90", CERTIFICATE)) is CloseCode.BAD_HELLO
    assert code_of(lambda: client().prove(CERTIFICATE)) is CloseCode.BAD_HELLO
    assert code_of(server().welcome) is CloseCode.BAD_HELLO


def test_an_opening_that_is_nested_too_deep_for_the_stack_is_refused_like_any_other_nonsense() -> None:
    deep = b"\x93\xacverish hello\x01" + b"\x91" * 1000 + b"\xc0"
    assert code_of(lambda: server().receive(deep, CERTIFICATE)) is CloseCode.BAD_HELLO
