"""Takes the verified state of a deal over a complete step: one function a phase, as in the table of
`ledger.py`.

Everything here has been judged already. Each function returns the changes of the next state and what has
happened.
"""

from collections.abc import Callable, Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import Any, TypeAlias

import engine
from crypto import DecodingError, Element, decode_deck, index_from, joint_draw, joint_key, permutation_from
from engine import Event, Seat
from p2p.protocol.deal_cards import CardTable
from p2p.protocol.effects import Dealt, DeckShuffled, HandRead, ProtocolEvent, Sealed, Seated
from p2p.protocol.entry import (
    AnswerBody,
    AnswerCommitBody,
    CallBody,
    CoinBody,
    CoinCommitBody,
    CommitBody,
    DrawBody,
    Entry,
    LayBody,
    OpenBody,
    OutBody,
    PickUpBody,
    RevealBody,
    SetsBody,
    SharesBody,
    ShuffleBody,
)
from p2p.protocol.errors import Breach
from p2p.protocol.hashing import next_head
from p2p.protocol.judge import (
    answer_move,
    apply_move,
    as_slots,
    decode_shares,
    move_of,
    opening_move,
)
from p2p.protocol.ledger import DealState, Phase, SeatTrust

SEATING_LABEL = b"seating"
DEALER_LABEL = b"dealer"
CHECKED_LABEL = b"checked card"

Happenings: TypeAlias = tuple[Event | ProtocolEvent, ...]
Changes: TypeAlias = tuple[dict[str, Any], Happenings]


def advance(state: DealState, entries: Mapping[Seat, Entry]) -> tuple[DealState, Happenings]:
    """The state after a complete step, and what has happened. `entries`: the step's, all judged, by seat.

    Raises:
        Breach: key.joint, which no single entry shows.
    """
    ordered = {seat: entries[seat] for seat in sorted(entries)}
    changes, happened = _STEPS[state.phase](state, ordered)
    head = next_head(state.head, [entry.encode() for entry in ordered.values()])
    return replace(state, step=state.step + 1, head=head, **changes), happened


def _commit(state: DealState, entries: Mapping[Seat, Entry]) -> Changes:
    """Of keys and coins, of coins for a checked card, or of answers."""
    after = {
        Phase.COMMIT: Phase.OPEN,
        Phase.COIN_COMMIT: Phase.COIN_OPEN,
        Phase.ANSWER_COMMIT: Phase.ANSWER_OPEN,
    }
    commitments = {
        seat: entry.body.commitment
        for seat, entry in entries.items()
        if isinstance(entry.body, CommitBody | CoinCommitBody | AnswerCommitBody)
    }
    changes = {
        "phase": after[state.phase],
        "commitments": MappingProxyType(commitments),
        "committed_at": (state.step, state.head),
    }
    return changes, ()


def _open(state: DealState, entries: Mapping[Seat, Entry]) -> Changes:
    group = state.frame.group
    publics: dict[Seat, Element] = {}
    coins: list[bytes] = []
    for seat, entry in entries.items():
        assert isinstance(entry.body, OpenBody)
        publics[seat] = group.decode_element(entry.body.public)
        coins.append(entry.body.coin)
    order, dealer = state.order, state.dealer
    if not order:
        seed = joint_draw(coins)
        order = tuple(Seat(seat) for seat in permutation_from(seed, len(coins), SEATING_LABEL))
        if state.frame.ruleset.first_dealer == "chosen":
            terms = state.frame.terms
            dealer = Seat(terms.table.table_rules.first_dealer(terms.players))
        else:
            dealer = order[index_from(seed, len(coins), DEALER_LABEL)]
    assert dealer is not None
    try:
        key = joint_key(tuple(publics.values()))
    except DecodingError as error:
        # One honest seat, whose key was fixed before it was shown, makes this impossible. So all seats are in
        # it, and whichever is named is named rightly; it has to be the same one everywhere.
        raise Breach(max(publics), "key.joint") from error
    changes = {
        "phase": Phase.SHUFFLE,
        "publics": MappingProxyType(publics),
        "joint_key": key,
        "order": order,
        "dealer": dealer,
        "trust": tuple(replace(trust, key_proven=True) for trust in state.trust),
    }
    return changes, (Seated(order, dealer),)


def _shuffle(state: DealState, entries: Mapping[Seat, Entry]) -> Changes:
    ((seat, entry),) = entries.items()
    assert isinstance(entry.body, ShuffleBody)
    deck = decode_deck(state.frame.group, entry.body.deck, len(state.deck))
    changes: dict[str, Any] = {
        "deck": deck,
        "shuffled": state.shuffled + 1,
        "trust": _trust(state, seat, lambda trust: replace(trust, shuffles=trust.shuffles + 1)),
    }
    if state.shuffled + 1 == len(state.order):
        assert state.dealer is not None
        game = engine.new_deal(state.frame.ruleset, state.order, state.dealer)
        # The engine deals slots 0 to N-1 in the order of the deck.
        slots = as_slots(tuple(range(len(deck))))
        changes |= {
            "phase": Phase.SEAL_DECK,
            "game": game,
            "cards": CardTable().place(slots, deck, state.step),
            "deck": (),
            "entitled_at": state.step,
        }
    return changes, (DeckShuffled(seat),)


def _seal(state: DealState, entries: Mapping[Seat, Entry]) -> Changes:
    after = {Phase.SEAL_DECK: Phase.DEAL, Phase.SEAL_CALL: Phase.PLAY, Phase.SEAL_PICK_UP: Phase.READ}
    changes = {
        "phase": after[state.phase],
        "last_seal": state.step,
        "seals_complete": state.seals_complete + 1,
        "trust": tuple(replace(trust, seals=trust.seals + 1) for trust in state.trust),
    }
    return changes, (Sealed(),)


def _shares(state: DealState, entries: Mapping[Seat, Entry]) -> Changes:
    cards, trust = state.cards, state.trust
    for seat, entry in entries.items():
        assert isinstance(entry.body, SharesBody)
        cards, trust = _with_shares(state, cards, trust, seat, entry.body)
    assert state.game is not None
    changes = {"phase": _phase_of(state.game), "cards": cards, "trust": trust, "taker": None}
    if state.phase is Phase.DEAL:
        return changes, (Dealt(), *engine.deal_events(state.game))
    assert state.taker is not None
    return changes, (HandRead(state.taker),)


def _play(state: DealState, entries: Mapping[Seat, Entry]) -> Changes:
    ((seat, entry),) = entries.items()
    game, body, group = state.game, entry.body, state.frame.group
    assert game is not None
    changes: dict[str, Any] = {}
    move: engine.Move
    match body:
        case LayBody() | CallBody() | OutBody():
            move = move_of(seat, body)
        case PickUpBody():
            move = engine.PickUp(seat)
        case DrawBody():
            move = engine.Draw(seat)
        case RevealBody() | SetsBody():
            move = opening_move(state, seat, body)
            cards, trust = _with_shares(state, state.cards, state.trust, seat, body)
            cards = cards.with_faces(dict(zip(move.slots, move.faces, strict=True)))
            changes |= {"cards": cards, "trust": trust}
            if isinstance(body, RevealBody):
                changes["packets_opened"] = state.packets_opened + 1
        case _:
            raise AssertionError("judged entries fit their phase")
    after = apply_move(state, move)
    changes["phase"] = _phase_of(after)
    if isinstance(body, CallBody):
        changes |= _called(state, after)
    if isinstance(body, PickUpBody | DrawBody) and not after.over:
        hand = after.hand_of(seat)
        deck = decode_deck(group, body.deck, len(hand))
        changes |= {
            "phase": Phase.SEAL_PICK_UP,
            "cards": state.cards.place(hand, deck, state.step),
            "entitled_at": state.step,
            "taker": seat,
            "trust": _trust(state, seat, lambda trust: replace(trust, repacks=trust.repacks + 1)),
        }
    changes["game"] = after
    return changes, engine.events(game, move, after)


def _phase_of(game: engine.State) -> Phase:
    """The phase in which the engine's next entries are owed."""
    if game.over:
        return Phase.OVER
    return Phase.ANSWER_COMMIT if game.phase is engine.Phase.ANSWER else Phase.PLAY


def _called(state: DealState, game: engine.State) -> dict[str, Any]:
    """What a call changes that was made at this step; `game` comes after it."""
    random = game.phase is engine.Phase.INDEX
    return {"phase": Phase.COIN_COMMIT if random else Phase.SEAL_CALL, "entitled_at": state.step}


def _answers(state: DealState, entries: Mapping[Seat, Entry]) -> Changes:
    """All answers of the window, in order of seats; the engine says which call prevails."""
    game = state.game
    assert game is not None
    happened: list[Event] = []
    for seat, entry in entries.items():
        assert isinstance(entry.body, AnswerBody)
        move = answer_move(seat, entry.body)
        after = engine.apply(game, move)
        happened.extend(engine.events(game, move, after))
        game = after
    changes = {"phase": _phase_of(game), "game": game}
    if game.called is not None:
        changes |= _called(state, game)
    return changes, tuple(happened)


def _coins(state: DealState, entries: Mapping[Seat, Entry]) -> Changes:
    """All coins together draw the card of the called packet that is checked."""
    game = state.game
    assert game is not None
    assert game.called is not None
    coins = [entry.body.coin for entry in entries.values() if isinstance(entry.body, CoinBody)]
    index = index_from(joint_draw(coins), game.index_range, CHECKED_LABEL)
    move = engine.DrawIndex(game.called.seat, index)
    after = apply_move(state, move)
    changes = {"phase": Phase.SEAL_CALL, "game": after, "entitled_at": state.step}
    return changes, engine.events(game, move, after)


def _with_shares(
    state: DealState,
    cards: CardTable,
    trust: tuple[SeatTrust, ...],
    seat: Seat,
    body: SharesBody | RevealBody | SetsBody,
) -> tuple[CardTable, tuple[SeatTrust, ...]]:
    slots = as_slots(body.slots)
    shares = decode_shares(state.frame.group, body.shares, len(slots))
    cards = cards.with_shares(seat, slots, shares, frozenset(state.seats), state.step)
    return cards, tuple(
        replace(one, shares=one.shares + len(slots)) if one.seat == seat else one for one in trust
    )


def _trust(state: DealState, seat: Seat, change: Callable[[SeatTrust], SeatTrust]) -> tuple[SeatTrust, ...]:
    return tuple(change(trust) if trust.seat == seat else trust for trust in state.trust)


_STEPS: Mapping[Phase, Callable[[DealState, Mapping[Seat, Entry]], Changes]] = {
    Phase.COMMIT: _commit,
    Phase.OPEN: _open,
    Phase.SHUFFLE: _shuffle,
    Phase.SEAL_DECK: _seal,
    Phase.DEAL: _shares,
    Phase.PLAY: _play,
    Phase.ANSWER_COMMIT: _commit,
    Phase.ANSWER_OPEN: _answers,
    Phase.COIN_COMMIT: _commit,
    Phase.COIN_OPEN: _coins,
    Phase.SEAL_CALL: _seal,
    Phase.SEAL_PICK_UP: _seal,
    Phase.READ: _shares,
}
