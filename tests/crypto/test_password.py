"""Two sides find out whether they know one password, and neither finds out more."""

import hashlib
import hmac

import pytest

from crypto import (
    ELEMENT_BYTES,
    Confirmations,
    DecodingError,
    answer_password,
    ask_password,
    finish_password,
    tagged_hash,
)

SEED, OTHER_SEED = b"s" * 32, b"t" * 32
NAMES = (b"who asks", b"who answers")


def exchange(
    asked: bytes, answered: bytes, names: tuple[bytes, bytes] = NAMES, theirs: tuple[bytes, bytes] = NAMES
) -> tuple[Confirmations, Confirmations]:
    """What the asking side and the answering side come to."""
    element = ask_password(asked, *names, SEED)
    answer, answering = answer_password(answered, *theirs, OTHER_SEED, element)
    return finish_password(asked, *names, SEED, answer), answering


def test_both_come_to_the_same_confirmations_if_they_know_one_password() -> None:
    asking, answering = exchange(b"cat", b"cat")
    assert asking == answering
    assert asking.asking != asking.answering


def test_with_different_passwords_neither_confirmation_fits() -> None:
    asking, answering = exchange(b"cat", b"dog")
    assert {asking.asking, asking.answering}.isdisjoint({answering.asking, answering.answering})


@pytest.mark.parametrize("place", [0, 1])
def test_the_names_of_both_are_part_of_it(place: int) -> None:
    theirs = tuple(b"another" if at == place else name for at, name in enumerate(NAMES))
    asking, answering = exchange(b"cat", b"cat", theirs=theirs)  # type: ignore[arg-type]
    assert asking.asking != answering.asking
    assert asking.answering != answering.answering


def test_roles_cannot_be_exchanged() -> None:
    asking, answering = exchange(b"cat", b"cat", theirs=(NAMES[1], NAMES[0]))
    assert asking.asking != answering.asking


def test_each_exchange_has_elements_and_confirmations_of_its_own() -> None:
    one = ask_password(b"cat", *NAMES, SEED)
    assert one == ask_password(b"cat", *NAMES, SEED)
    assert one != ask_password(b"cat", *NAMES, OTHER_SEED)
    assert one != ask_password(b"cat", NAMES[0], b"somebody else", SEED), "a seed used twice is two nonces"
    first = answer_password(b"cat", *NAMES, b"1" * 32, one)[1]
    second = answer_password(b"cat", *NAMES, b"2" * 32, one)[1]
    assert first.asking != second.asking


@pytest.mark.parametrize(
    "element",
    [
        b"",
        bytes(31),
        bytes(33),
        bytes(32),
        (1).to_bytes(32, "little"),
        (2).to_bytes(32, "little"),
        (2**255 - 20).to_bytes(32, "little"),
        (2**255 - 19).to_bytes(32, "little"),
        (2**255 - 18).to_bytes(32, "little"),
        b"\xff" * 32,
    ],
)
def test_what_is_no_element_of_the_group_is_refused_by_both_sides(element: bytes) -> None:
    with pytest.raises(DecodingError):
        answer_password(b"cat", *NAMES, SEED, element)
    with pytest.raises(DecodingError):
        finish_password(b"cat", *NAMES, SEED, element)


def test_an_element_sent_back_to_its_maker_is_refused() -> None:
    own = ask_password(b"cat", *NAMES, SEED)
    with pytest.raises(DecodingError):
        finish_password(b"cat", *NAMES, SEED, own)


def test_no_secret_shows_itself() -> None:
    asking, _ = exchange(b"cat", b"cat")
    assert repr(asking) == "Confirmations()"
    assert len(ask_password(b"cat", *NAMES, SEED)) == ELEMENT_BYTES


# The same, worked out from the protocol page alone

P = 2**255 - 19
ORDER = 2**252 + 27742317777372353535851937790883648493
D = -121665 * pow(121666, -1, P) % P
M = bytes.fromhex("15cfd18e385952982b6a8f8c7854963b58e34388c8e6dae891db756481a02312")
N = bytes.fromhex("f04f2e7eb734b2a8f8b472eaf9c3c632576ac64aea650b496a8a20ff00e583c3")
BASE = (4 * pow(5, -1, P) % P).to_bytes(32, "little")
Point = tuple[int, int]


def add(one: Point, other: Point) -> Point:
    """The sum of two points of the curve of Ed25519."""
    (x1, y1), (x2, y2) = one, other
    both = D * x1 * x2 * y1 * y2 % P
    return (
        (x1 * y2 + x2 * y1) * pow(1 + both, -1, P) % P,
        (y1 * y2 + x1 * x2) * pow(1 - both, -1, P) % P,
    )


def times(number: int, point: Point) -> Point:
    """A multiple of a point."""
    result = (0, 1)
    for bit in f"{number % ORDER:b}":
        result = add(result, result)
        if bit == "1":
            result = add(result, point)
    return result


def point_of(data: bytes) -> Point:
    """RFC 8032, 5.1.3."""
    number = int.from_bytes(data, "little")
    y, sign = number % 2**255, number >> 255
    square = (y * y - 1) * pow(D * y * y + 1, -1, P) % P
    x = pow(square, (P + 3) // 8, P)
    if x * x % P != square:
        x = x * pow(2, (P - 1) // 4, P) % P
    return (P - x if x % 2 != sign else x, y)


def bytes_of(point: Point) -> bytes:
    """RFC 8032, 5.1.2."""
    return (point[1] + (point[0] % 2 << 255)).to_bytes(32, "little")


def scalar_of(password: bytes) -> int:
    """w of the protocol page: HKDF (RFC 5869) written out."""
    key = hmac.digest(bytes(32), password, "sha256")
    first = hmac.digest(key, b"SPAKE2 pw\x01", "sha256")
    second = hmac.digest(key, first + b"SPAKE2 pw\x02", "sha256")
    return int.from_bytes((first + second)[:48], "big") % ORDER


def confirmations_of(
    password: bytes, names: tuple[bytes, bytes], x: bytes, y: bytes, k: bytes
) -> list[bytes]:
    """conf A and conf B of the protocol page."""
    parts = b"".join(hashlib.sha256(part).digest() for part in (password, *names))
    key = hashlib.sha256(parts + x + y + k).digest()
    return [tagged_hash(label, (key,)) for label in (b"password asking", b"password answering")]


def test_a_side_written_from_the_protocol_page_agrees_with_ours_in_either_role() -> None:
    password, secret = b"cat", 0x1234567890ABCDEF << 180
    w = scalar_of(password)
    base, m, n = point_of(BASE), point_of(M), point_of(N)
    own = bytes_of(add(times(secret, base), times(w, m)))
    theirs, confirmations = answer_password(password, *NAMES, SEED, own)
    k = times(secret, add(point_of(theirs), times(-w, n)))
    expected = confirmations_of(password, NAMES, own, theirs, bytes_of(k))
    assert [confirmations.asking, confirmations.answering] == expected
    element = ask_password(password, *NAMES, SEED)
    own = bytes_of(add(times(secret, base), times(w, n)))
    k = times(secret, add(point_of(element), times(-w, m)))
    expected = confirmations_of(password, NAMES, element, own, bytes_of(k))
    confirmations = finish_password(password, *NAMES, SEED, own)
    assert [confirmations.asking, confirmations.answering] == expected


def test_what_travels_fits_every_password() -> None:
    """For any other password there is a secret that would have sent the same element: X - w'·M lies
    in the group, and every element of it is a multiple of the generator. So a listener can rule none out.
    """
    sent = point_of(ask_password(b"cat", *NAMES, SEED))
    for other in (b"dog", b"cow", b"482190"):
        blinded = add(sent, times(-scalar_of(other), point_of(M)))
        assert times(ORDER - 1, blinded) == ((P - blinded[0]) % P, blinded[1]), "of the group's order"


def test_the_worked_example_of_the_protocol_page() -> None:
    password = bytes.fromhex("444d922d63aa03ebfe1e3121742cf5a7f9bd5f8909cff20e99f63b5e621a6e26")
    names = (
        bytes.fromhex("d68e896af870b0802a1a017ac11e921c83e7dfe37af4c6e4e4ea4596de8ca704"),
        bytes.fromhex("80f912e12de6e925c42ef6c995672c7d7cc7d5c5e9cb8f58014e4e50cd776294"),
    )
    element = ask_password(password, *names, b"\1" * 32)
    answer, confirmations = answer_password(password, *names, b"\2" * 32, element)
    assert [one.hex() for one in (element, answer, confirmations.asking, confirmations.answering)] == [
        "a8051377576a6bf8708cf8a0f40d4273eebce6949c67e0ee800b71caca4b874e",
        "1c811b46dff6d8ca8a236d3e497e71f51f2f13e0a2e36d645f915bd16da1ca8a",
        "51f40471b9b47c51fdd5bf48659cec4eef26faf923c4fcf75be14efb883243f4",
        "4c557e89e4b36b30a9fb9fc9807a6dc2c5e841f27cb84bb458a515536dbd82c4",
    ]
