import itertools
import pickle
import random
from collections import Counter

import pytest
from crypto_scene import context_of, scene_of
from tiny_group import hand_group

from crypto import (
    Identity,
    RandomSourceError,
    Stream,
    fresh_stream,
    index_from,
    joint_draw,
    new_key,
    permutation_from,
    prove_key,
    prove_shares,
    random_permutation,
    random_scalar,
    shuffle,
    tagged_hash,
    uniform_below,
)


def chi_square(counts, cells):
    """Return the chi-square statistic of counts against a uniform distribution over `cells` cells."""
    expected = sum(counts.values()) / cells
    missing = cells - len(counts)
    return sum((count - expected) ** 2 for count in counts.values()) / expected + missing * expected


def stuck_sources():
    cycle = itertools.cycle([b"\x17\x81" * 64, b"\x99\x18" * 64])
    honest = random.Random(1)
    block = random.Random(2).randbytes(64)
    two = itertools.cycle([random.Random(3).randbytes(64), random.Random(4).randbytes(64)])
    return {
        "zeros": bytes,
        "one byte": lambda count: b"\xa5" * count,
        "one value": lambda count: block[:count],
        "a period within": lambda count: (b"\x01\x02\x03\x04" * count)[:count],
        "two values in turn": lambda count: next(two)[:count],
        "two patterns in turn": lambda count: next(cycle)[:count],
        "too short": lambda count: honest.randbytes(count - 1),
        "too long": lambda count: honest.randbytes(count + 1),
        "nothing": lambda count: b"",
    }


USES = {
    "new_key": lambda scene, draw: new_key(scene.group, draw),
    "prove_key": lambda scene, draw: prove_key(scene.group, scene.keys[0].secret, scene.context, draw),
    "prove_shares": lambda scene, draw: prove_shares(
        scene.group, scene.keys[0].secret, scene.keys[0].public, scene.deck, scene.context, draw
    ),
    "shuffle": lambda scene, draw: shuffle(scene.group, scene.joint_key, scene.deck, scene.context, draw),
    "identity": lambda scene, draw: Identity.generate(draw),
    "stream": lambda scene, draw: fresh_stream(draw),
}


@pytest.mark.parametrize("use", USES)
@pytest.mark.parametrize("source", stuck_sources())
def test_a_stuck_source_is_refused_before_a_secret_depends_on_it(group, source, use):
    scene = scene_of(group, 2)
    with pytest.raises(RandomSourceError):
        USES[use](scene, stuck_sources()[source])


@pytest.mark.parametrize("use", USES)
def test_a_sound_source_is_accepted(group, use, draw):
    USES[use](scene_of(group, 2), draw)


def test_every_ciphertext_of_a_pass_has_its_own_randomness(group, draw):
    scene = scene_of(group, 20)
    new_deck, _, permutation = shuffle(group, scene.joint_key, scene.deck, scene.context, draw)
    masks = [card.first - scene.deck[place].first for card, place in zip(new_deck, permutation, strict=True)]
    assert len(set(masks)) == 20
    assert not any(part.is_identity() for part in masks)


def test_two_passes_with_a_source_that_repeats_itself_share_nothing(group):
    scene = scene_of(group, 6)
    passes = []
    for step in range(2):
        draw = random.Random(3).randbytes
        deck, _, permutation = shuffle(group, scene.joint_key, scene.deck, context_of(group, step=step), draw)
        passes.append(
            {card.first - scene.deck[place].first for card, place in zip(deck, permutation, strict=True)}
        )
    assert not passes[0] & passes[1]


def test_a_stream_gives_the_same_bytes_however_they_are_asked_for():
    whole = Stream(b"label", b"seed")(1000)
    stream = Stream(b"label", b"seed")
    assert b"".join(stream(count) for count in (0, 1, 63, 64, 65, 300, 507)) == whole
    assert Stream(b"label", b"seed!")(64) != whole[:64]
    assert Stream(b"labels", b"eed")(64) != whole[:64]
    assert len({whole[at : at + 20] for at in range(0, 1000, 20)}) == 50


def test_a_stream_goes_on_after_pickling_and_shows_no_seed():
    stream = Stream(b"label", b"a secret seed")
    stream(10)
    copy = pickle.loads(pickle.dumps(stream))
    assert copy(100) == stream(100)
    assert "secret seed" not in repr(stream)
    assert repr(stream) == "Stream(label=b'label')"


def test_random_scalars_of_the_hand_group_are_uniform_and_never_zero():
    group, draw = hand_group(), Stream(b"test", b"scalars")
    counts = Counter(random_scalar(group, draw) for _ in range(20_000))
    assert set(counts) == set(range(1, 11))
    assert chi_square(counts, 10) < 27.9  # 9 degrees of freedom, p = 0.001


@pytest.mark.parametrize("bound", [1, 2, 3, 7, 52])
def test_integers_below_a_bound_are_uniform(bound):
    draw = Stream(b"test", b"integers")
    counts = Counter(uniform_below(draw, bound) for _ in range(20_000))
    assert set(counts) == set(range(bound))
    assert chi_square(counts, bound) < bound + 4 * (2 * bound) ** 0.5 + 4


def test_a_value_beyond_the_last_whole_multiple_is_drawn_again():
    limit = 2**128 // 7 * 7
    answers = iter(
        [(2**128 - 1).to_bytes(16, "big"), limit.to_bytes(16, "big"), (limit - 1).to_bytes(16, "big")]
    )
    assert uniform_below(lambda count: next(answers), 7) == 6
    assert next(answers, None) is None


@pytest.mark.parametrize("bound", [0, -1, 2**64 + 1])
def test_a_bound_out_of_range_is_refused(bound):
    with pytest.raises(ValueError):
        uniform_below(Stream(b"test", b""), bound)


def test_hundred_thousand_permutations_of_four_show_no_bias():
    draw = Stream(b"test", b"permutations")
    counts = Counter(random_permutation(draw, 4) for _ in range(100_000))
    assert len(counts) == 24
    assert chi_square(counts, 24) < 49.7  # 23 degrees of freedom, p = 0.001


def test_the_test_for_bias_notices_the_usual_mistake():
    # Exchanging every place with any place, instead of with one not yet fixed, is the classical bias.
    draw = Stream(b"test", b"naive")
    counts = Counter()
    for _ in range(20_000):
        places = [0, 1, 2, 3]
        for place in range(4):
            other = uniform_below(draw, 4)
            places[place], places[other] = places[other], places[place]
        counts[tuple(places)] += 1
    assert chi_square(counts, 24) > 49.7


def test_the_permutations_of_whole_passes_show_no_bias():
    scene = scene_of(hand_group(), 3)
    counts = Counter()
    for number in range(3000):
        draw = random.Random(number).randbytes
        counts[shuffle(scene.group, scene.joint_key, scene.deck, scene.context, draw)[2]] += 1
    assert len(counts) == 6
    assert chi_square(counts, 6) < 20.5  # 5 degrees of freedom, p = 0.001


def test_every_place_of_a_pack_is_equally_likely_for_a_card():
    draw = Stream(b"test", b"pack")
    counts = Counter(random_permutation(draw, 52).index(0) for _ in range(4000))
    assert chi_square(counts, 52) < 87  # 51 degrees of freedom, p = 0.001


@pytest.mark.parametrize("count", [0, 1, 2, 52])
def test_a_permutation_has_every_place_once(count):
    assert sorted(random_permutation(Stream(b"test", b""), count)) == list(range(count))


def test_a_joint_draw_depends_on_every_coin_and_on_their_order():
    coins = [bytes([number]) * 32 for number in range(1, 4)]
    draws = {joint_draw(order) for order in itertools.permutations(coins)}
    draws |= {joint_draw(coins[:2]), joint_draw(coins[:1]), joint_draw([*coins, coins[0]])}
    assert len(draws) == 9
    assert joint_draw(coins) == tagged_hash(b"joint draw", coins)


@pytest.mark.parametrize("coins", [[], [b"\x01" * 31], [b"\x01" * 32, b""]])
def test_coins_of_a_wrong_length_are_refused(coins):
    with pytest.raises(ValueError):
        joint_draw(coins)


def test_what_follows_from_a_joint_draw_is_the_same_everywhere():
    # Worked out once; another result would be another protocol version.
    seed = joint_draw([b"\x01" * 32, b"\x02" * 32])
    assert seed.hex() == "546e3bdb2e1a687fb0dac58398ead5b0c9d5a438fd214e3fb02b34543372a10b"
    assert permutation_from(seed, 6) == (1, 5, 3, 4, 2, 0)
    assert index_from(seed, 6) == 1


def test_what_follows_from_joint_draws_is_uniform():
    seeds = [number.to_bytes(32, "big") for number in range(12_000)]
    assert chi_square(Counter(permutation_from(seed, 3) for seed in seeds), 6) < 20.5
    assert chi_square(Counter(index_from(seed, 6) for seed in seeds), 6) < 20.5
    together = Counter((permutation_from(seed, 2), index_from(seed, 3)) for seed in seeds)
    assert chi_square(together, 6) < 20.5
