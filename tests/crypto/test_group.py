"""One conformance suite that every group passes, and the known answers of the real one."""

import json
import os
import pickle
import subprocess
import sys
from pathlib import Path

import pytest
from tiny_group import hand_group

from crypto import DecodingError, Ristretto255, Scalar, random_scalar
from crypto.group import expand_message_xmd

VECTORS = Path(__file__).parent.parent / "vectors"
RFC9496 = json.loads((VECTORS / "rfc9496_ristretto255.json").read_text())
RFC9497 = json.loads((VECTORS / "rfc9497_ristretto255_sha512.json").read_text())


def test_multiples_of_the_generator_are_those_of_rfc_9496():
    group = Ristretto255()
    by_adding = group.identity
    for number, encoding in enumerate(RFC9496["multiples_of_generator"]):
        expected = group.decode_element(bytes.fromhex(encoding), allow_identity=True)
        assert expected == by_adding
        assert expected == Scalar(number) * group.generator
        assert expected == group.base_multiply(Scalar(number))
        by_adding = by_adding + group.generator


@pytest.mark.parametrize("encoding", RFC9496["invalid_encodings"])
def test_every_invalid_encoding_of_rfc_9496_is_refused(encoding):
    with pytest.raises(DecodingError):
        Ristretto255().decode_element(bytes.fromhex(encoding), allow_identity=True)


def test_elements_from_uniform_bytes_are_those_of_rfc_9496():
    group = Ristretto255()
    cases = RFC9496["from_uniform_bytes"]
    assert cases
    for case in cases:
        assert group.map_to_element(bytes.fromhex(case["input"])).encode().hex() == case["element"]


def test_hash_to_element_is_hash_to_group_of_rfc_9497():
    group = Ristretto255()
    for suite in RFC9497:
        for vector in suite["vectors"]:
            pairs = zip(
                *(vector[name].split(",") for name in ("Input", "Blind", "BlindedElement")), strict=True
            )
            for message, blind, blinded in pairs:
                hashed = group.hash_to_element(bytes.fromhex(suite["groupDST"]), bytes.fromhex(message))
                scalar = group.decode_scalar(bytes.fromhex(blind))
                assert (scalar * hashed).encode().hex() == blinded


def test_expansion_gives_the_bytes_of_rfc_9380():
    # RFC 9380, appendix K.3: expand_message_xmd with SHA-512, 32 bytes of the message "abc".
    dst = b"QUUX-V01-CS02-with-expander-SHA512-256"
    expected = "0da749f12fbe5483eb066a5f595055679b976e93abe9be6f0f6318bce7aca8dc"
    assert expand_message_xmd(b"abc", dst, 32).hex() == expected


def test_expansion_beyond_one_block_gives_the_bytes_of_rfc_9380():
    dst = b"QUUX-V01-CS02-with-expander-SHA512-256"
    expected = (
        "41b037d1734a5f8df225dd8c7de38f851efdb45c372887be655212d07251b921b052b62eaed99b46f72f2ef4cc96bfaf"
        "254ebbbec091e1a3b9e4fb5e5b619d2e0c5414800a1d882b62bb5cd1778f098b8eb6cb399d5d9d18f5d5842cf5d13d7e"
        "b00a7cff859b605da678b318bd0e65ebff70bec88c753b159a805d2c89c55961"
    )
    assert expand_message_xmd(b"", dst, 128).hex() == expected


@pytest.mark.parametrize("dst", [b"", b"x" * 256])
def test_a_tag_that_does_not_fit_is_refused(dst):
    with pytest.raises(ValueError):
        expand_message_xmd(b"", dst, 64)


def test_arithmetic_is_that_of_a_group_of_the_given_order(group, draw):
    a, b = random_scalar(group, draw), random_scalar(group, draw)
    left, right = a * group.generator, b * group.generator
    assert left + right == group.scalar(a + b) * group.generator
    assert left - right == group.scalar(a - b) * group.generator
    assert (left - left).is_identity()
    assert left + group.identity == left
    assert (Scalar(0) * left).is_identity()
    assert (a * group.identity).is_identity()
    assert group.base_multiply(Scalar(0)).is_identity()
    assert group.scalar(group.order - 1) * left + left == group.identity


@pytest.mark.parametrize("count", [0, 1, 2, 30])
def test_sums_of_products_are_the_sums_of_the_products(group, draw, count):
    scalars = [random_scalar(group, draw) for _ in range(count)]
    if count > 2:
        scalars[1] = Scalar(0)
    elements = [group.base_multiply(random_scalar(group, draw)) for _ in range(count)]
    expected = group.identity
    for scalar, element in zip(scalars, elements, strict=True):
        expected = expected + scalar * element
    assert group.multiply_sum(scalars, elements) == expected
    assert group.vartime_multiply_sum(scalars, elements) == expected


def test_a_sum_over_two_threads_is_the_same_sum(draw):
    one, two = Ristretto255(), Ristretto255(threads=2)
    scalars = [random_scalar(one, draw) for _ in range(37)]
    elements = [one.base_multiply(random_scalar(one, draw)) for _ in range(37)]
    assert two.multiply_sum(scalars, elements) == one.multiply_sum(scalars, elements)
    assert one == two
    assert hash(one) == hash(two)


def test_a_sum_of_lists_of_different_length_is_refused(group):
    with pytest.raises(ValueError):
        group.multiply_sum([Scalar(1)], [group.generator, group.generator])


def test_elements_of_two_groups_do_not_mix():
    ours, theirs = Ristretto255(), hand_group()
    for mix in (
        lambda: ours.generator + theirs.generator,
        lambda: ours.generator - theirs.generator,
        lambda: ours.multiply_sum([Scalar(1)], [theirs.generator]),
    ):
        with pytest.raises(AssertionError):
            mix()


def test_elements_decode_to_what_was_encoded(group, draw):
    element = group.base_multiply(random_scalar(group, draw))
    assert group.decode_element(element.encode()) == element
    assert len(element.encode()) == group.element_size
    assert hash(group.decode_element(element.encode())) == hash(element)


def test_the_identity_is_refused_unless_it_is_allowed(group):
    encoding = group.identity.encode()
    with pytest.raises(DecodingError, match="identity"):
        group.decode_element(encoding)
    assert group.decode_element(encoding, allow_identity=True).is_identity()


def test_elements_of_another_length_are_refused(group):
    encoding = group.generator.encode()
    for data in (b"", encoding[:-1], encoding + b"\0"):
        with pytest.raises(DecodingError):
            group.decode_element(data)


def test_points_of_small_order_in_the_spelling_of_ed25519_are_refused():
    for y in (1, 2**255 - 20, 2**255):
        with pytest.raises(DecodingError):
            Ristretto255().decode_element(y.to_bytes(32, "little"), allow_identity=True)


def test_a_second_spelling_of_an_element_is_refused(group, draw):
    # libsodium's own check ignores the highest bit.
    for element in (group.identity, group.generator, group.base_multiply(random_scalar(group, draw))):
        encoding = element.encode()
        for bit in range(8 * len(encoding)):
            flipped = bytearray(encoding)
            flipped[bit // 8] ^= 1 << bit % 8
            try:
                other = group.decode_element(bytes(flipped))
            except DecodingError:
                continue
            assert other != element
            assert other.encode() == flipped
    for number in range(16):
        encoding = bytearray(Ristretto255().base_multiply(Scalar(number)).encode())
        encoding[31] ^= 0x80
        with pytest.raises(DecodingError):
            Ristretto255().decode_element(bytes(encoding), allow_identity=True)


def test_whatever_decodes_has_prime_order(draw):
    group, decoded = Ristretto255(), 0
    for _ in range(200):
        try:
            element = group.decode_element(draw(32))
        except DecodingError:
            continue
        decoded += 1
        assert group.scalar(-1) * element + element == group.identity
    assert decoded > 5


def test_scalars_decode_to_what_was_encoded(group):
    for value in (0, 1, group.order - 1):
        assert group.decode_scalar(group.encode_scalar(Scalar(value))) == value


def test_scalars_from_the_order_on_are_refused(group):
    for value in (group.order, group.order + 1, 2 ** (8 * group.scalar_size) - 1):
        with pytest.raises(DecodingError):
            group.decode_scalar(value.to_bytes(group.scalar_size, "little"))


def test_scalars_of_another_length_are_refused(group):
    for data in (b"", bytes(group.scalar_size - 1), bytes(group.scalar_size + 1)):
        with pytest.raises(DecodingError):
            group.decode_scalar(data)


def test_hashes_differ_by_label_and_by_message(group):
    hashed = [group.hash_to_element(label, message) for label in (b"a", b"b") for message in (b"", b"m")]
    assert len(set(hashed)) == 4
    assert not any(element.is_identity() for element in hashed)
    scalars = {group.hash_to_scalar(label, message) for label in (b"a", b"b") for message in (b"", b"m")}
    assert len(scalars) == 4


def test_groups_and_elements_survive_pickling(group):
    assert pickle.loads(pickle.dumps(group)) == group
    assert pickle.loads(pickle.dumps(group.generator)) == group.generator


def test_the_hand_group_has_eleven_elements():
    group = hand_group()
    powers = [(Scalar(exponent) * group.generator).value for exponent in range(group.order)]
    assert powers == [1, 2, 4, 8, 16, 9, 18, 13, 3, 6, 12]
    for value in set(range(23)) - set(powers):
        with pytest.raises(DecodingError):
            group.decode_element(bytes([value]))


def test_the_library_is_loaded_at_first_use_and_its_file_removed(tmp_path):
    program = (
        "import sys, crypto; assert 'rbcl' not in sys.modules; group = crypto.Ristretto255();"
        "assert 'rbcl' not in sys.modules; group.base_multiply(2); assert 'rbcl' in sys.modules"
    )
    environment = {**os.environ, "TMPDIR": str(tmp_path)}
    root = Path(__file__).parent.parent.parent
    subprocess.run([sys.executable, "-c", program], cwd=root, env=environment, check=True, timeout=60)
    assert list(tmp_path.iterdir()) == []
