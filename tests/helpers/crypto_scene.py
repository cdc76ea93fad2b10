"""Contexts, keys and decks that the tests of the cryptography start from."""

import random
from dataclasses import dataclass, replace

from crypto import (
    Context,
    Deck,
    Group,
    KeyPair,
    first_deck,
    joint_key,
    new_key,
    shuffle,
)


def context_of(group: Group, /, **changes) -> Context:
    """A context whose every field differs from every other."""
    return replace(Context(group.name, b"\x11" * 32, 2, 3, 1, b"\x22" * 32), **changes)


CONTEXT_CHANGES = [
    {"version": 2},
    {"group": "another"},
    {"table": b"\x12" + b"\x11" * 31},
    {"deal": 3},
    {"step": 2},
    {"seat": 0},
    {"previous": b"\x22" * 31 + b"\x23"},
]


@dataclass(frozen=True)
class Scene:
    """Three seats, their keys, and a deck that one of them has already shuffled."""

    group: Group
    keys: tuple[KeyPair, ...]
    context: Context
    public_deck: Deck
    deck: Deck

    @property
    def joint_key(self):
        return joint_key([key.public for key in self.keys])


def scene_of(group: Group, cards: int, seed: int = 1) -> Scene:
    draw = random.Random(seed).randbytes
    keys = tuple(new_key(group, draw) for _ in range(3))
    context = context_of(group)
    public_deck = first_deck(group, [b"card %d" % number for number in range(cards)])
    deck, _, _ = shuffle(group, joint_key([key.public for key in keys]), public_deck, context, draw)
    return Scene(group, keys, context, public_deck, deck)
