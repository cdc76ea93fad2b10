import pytest
from tiny_group import hand_group

from crypto import (
    Ciphertext,
    DecodingError,
    Ristretto255,
    Scalar,
    card_element,
    combine,
    decode_deck,
    encode_deck,
    first_deck,
    joint_key,
    mask,
    new_key,
    open_ciphertext,
    random_scalar,
    remask,
    share,
)


def test_a_card_is_hidden_and_opened_by_hand():
    # Modulo 23: secrets 3 and 5 give the keys 2^3 = 8 and 2^5 = 9; the joint key is 8 * 9 = 3.
    group = hand_group()
    keys = [group.base_multiply(Scalar(3)), group.base_multiply(Scalar(5))]
    assert [key.value for key in keys] == [8, 9]
    joint = joint_key(keys)
    assert joint.value == 3
    # The card 13 under r = 2: 2^2 = 4 and 13 * 3^2 = 117 = 2.
    hidden = mask(group, joint, group.element(13), Scalar(2))
    assert (hidden.first.value, hidden.second.value) == (4, 2)
    # Hidden anew with r = 1: 4 * 2 = 8 and 2 * 3 = 6.
    hidden = remask(group, joint, hidden, Scalar(1))
    assert (hidden.first.value, hidden.second.value) == (8, 6)
    # The shares are 8^3 = 6 and 8^5 = 16, together 96 = 4; and 6 / 4 = 6 * 6 = 13.
    shares = [share(group, Scalar(3), hidden), share(group, Scalar(5), hidden)]
    assert [part.value for part in shares] == [6, 16]
    assert combine(shares).value == 4
    assert open_ciphertext(hidden, shares).value == 13


def test_all_shares_open_a_card_and_fewer_do_not(group, draw):
    keys = [new_key(group, draw) for _ in range(4)]
    joint = joint_key([key.public for key in keys])
    card = card_element(group, b"QS")
    hidden = remask(
        group, joint, mask(group, joint, card, random_scalar(group, draw)), random_scalar(group, draw)
    )
    shares = [share(group, key.secret, hidden) for key in keys]
    assert open_ciphertext(hidden, shares) == card
    assert open_ciphertext(hidden, shares[::-1]) == card
    for missing in range(4):
        assert open_ciphertext(hidden, shares[:missing] + shares[missing + 1 :]) != card


def test_card_elements_differ_and_repeat(group):
    values = [b"%d" % number for number in range(104)]
    elements = [card_element(group, value) for value in values]
    assert len(set(elements)) == 104
    assert elements == [card_element(group, value) for value in values]


def test_the_element_of_a_card_never_changes():
    # Worked out once; another value would be another protocol version.
    encoding = card_element(Ristretto255(), b"QS").encode()
    assert encoding.hex() == "0a4214ff623c8e7194e589c9e0087553166cac9b0fb24e381b7c4be4a3e7a34a"


def test_the_first_deck_shows_its_cards(group):
    deck = first_deck(group, [b"6S", b"6H"])
    assert all(card.first.is_identity() for card in deck)
    assert [card.second for card in deck] == [card_element(group, b"6S"), card_element(group, b"6H")]


def test_keys_that_cancel_out_have_no_joint_key(group, draw):
    key = new_key(group, draw).public
    with pytest.raises(DecodingError):
        joint_key([key, group.identity - key])


def test_nothing_cannot_be_combined():
    with pytest.raises(ValueError):
        combine([])


def hidden_cards(group, draw, count=3):
    joint = new_key(group, draw).public
    return tuple(
        mask(group, joint, card_element(group, b"%d" % n), random_scalar(group, draw)) for n in range(count)
    )


def test_decks_decode_to_what_was_encoded(group, draw):
    deck = hidden_cards(group, draw)
    data = encode_deck(deck)
    assert len(data) == 3 * 2 * group.element_size
    assert decode_deck(group, data, 3) == deck
    assert Ciphertext.decode(group, deck[0].encode()) == deck[0]


def test_decks_of_another_length_are_refused(group, draw):
    data = encode_deck(hidden_cards(group, draw))
    for wrong in (b"", data[:-1], data + b"\0", data[: 2 * group.element_size]):
        with pytest.raises(DecodingError):
            decode_deck(group, wrong, 3)
    with pytest.raises(DecodingError):
        Ciphertext.decode(group, data[:-1])


@pytest.mark.parametrize("half", range(6))
def test_an_identity_half_is_refused(group, draw, half):
    data = bytearray(encode_deck(hidden_cards(group, draw)))
    size = group.element_size
    data[half * size : (half + 1) * size] = group.identity.encode()
    with pytest.raises(DecodingError):
        decode_deck(group, bytes(data), 3)
