"""Attacks on cards once they are dealt: shares, lays, reveals and fours that are not what they say."""

from collections.abc import Callable

import pytest
from deal_players import Cheat, Table, seeded_draw, table_of

from crypto import Element, card_element, prove_shares
from engine import Card, Rank, Slot, Suit
from p2p.protocol.entry import Body, Entry, Kind, LayBody, RevealBody, SetsBody, SharesBody
from p2p.protocol.ledger import DealState, card_value

LIAR = 1
LAST_SEED = 40
"""Where the search for a deal in which the lie can be told gives up."""

Verdict = Callable[[Table, int], str]
Lie = Callable[[Table, DealState], Body | None]


def lying(kind: Kind, lie: Lie, seed: int = 1) -> Table:
    """A played table at which the liar lies the first time that it owes an entry of `kind` and can lie: that
    of the first seed from `seed` on at which the moment comes.
    """
    cheats: list[Cheat] = []
    table = table_of(3, seed=seed, cheats=cheats, watchers=1)

    def can(state: DealState, entry: Entry) -> bool:
        return entry.kind is kind and lie(table, state) is not None

    def bodies(state: DealState, _entry: Entry) -> list[Body]:
        body = lie(table, state)
        assert body is not None
        return [body]

    cheats.append(Cheat(LIAR, can, bodies))
    table.start()
    table.play()
    if not cheats[0].done:
        assert seed < LAST_SEED, "the moment for the lie never came"
        return lying(kind, lie, seed + 1)
    return table


def proven_shares(table: Table, state: DealState, slots: tuple[Slot, ...]) -> tuple[list[Element], bytes]:
    """The liar's true shares of slots, with their proof."""
    secrets = table.deals[LIAR]._secrets
    assert secrets is not None
    key, cards = secrets.key, state.cards.ciphertexts(slots)
    args = (state.frame.group, key.secret, key.public, cards, state.context(LIAR), seeded_draw("lie"))
    shares, proof = prove_shares(*args)
    return list(shares), proof


def owed_slots(state: DealState) -> tuple[Slot, ...]:
    owed = state.owed_by(LIAR)
    assert owed is not None
    return owed.slots


def joined(shares: list[Element]) -> bytes:
    return b"".join(one.encode() for one in shares)


def test_a_share_made_for_one_slot_and_given_for_another_is_named(verdict: Verdict) -> None:
    """Two neighbours would read each other's card; the proof is true, but of the slots exchanged."""

    def lie(table: Table, state: DealState) -> Body:
        first, second, *rest = owed_slots(state)
        shares, proof = proven_shares(table, state, (second, first, *rest))
        return SharesBody((first, second, *rest), joined(shares), proof)

    assert verdict(lying(Kind.SHARES, lie), LIAR) == "shares.equation"


def test_a_share_that_shows_a_victim_another_card_is_named(verdict: Verdict) -> None:
    """Whoever knows a difference between two cards could add it to his share."""

    def lie(table: Table, state: DealState) -> Body:
        slots, group = owed_slots(state), state.frame.group
        shares, proof = proven_shares(table, state, slots)
        ace, king = (card_element(group, value) for value in (b"AS", b"KS"))
        shares[0] = shares[0] + ace - king
        return SharesBody(slots, joined(shares), proof)

    assert verdict(lying(Kind.SHARES, lie), LIAR) == "shares.equation"


def faked(table: Table, state: DealState, slots: tuple[Slot, ...], wanted: list[Card]) -> tuple[bytes, bytes]:
    """Shares that open slots as the cards that the liar wishes, with the proof of the true ones."""
    group = state.frame.group
    shares, proof = proven_shares(table, state, slots)
    for place, (slot, card) in enumerate(zip(slots, wanted, strict=True)):
        true = next(
            element
            for element in (card_element(group, card_value(one)) for one in state.frame.faces.values())
            if element.encode() == state.cards.opened(slot, (shares[place],))
        )
        shares[place] = shares[place] + true - card_element(group, card_value(card))
        assert state.frame.faces[state.cards.opened(slot, (shares[place],))] == card
    return joined(shares), proof


def test_a_bluff_cannot_be_opened_as_the_truth(verdict: Verdict) -> None:
    """The owner of the called packet makes up shares by which it opens as what he had claimed."""

    def lie(table: Table, state: DealState) -> Body | None:
        assert state.game is not None
        slots, rank = owed_slots(state), state.game.rank
        assert rank is not None
        if len(slots) > len(Suit):
            return None
        wanted = [Card(rank, suit) for suit in list(Suit)[: len(slots)]]
        return RevealBody(tuple(map(int, slots)), *faked(table, state, slots, wanted))

    assert verdict(lying(Kind.REVEAL, lie), LIAR) == "shares.equation"


def test_a_packet_that_nobody_called_cannot_be_opened(verdict: Verdict) -> None:
    """Not even by its owner, to prove himself honest: he owes nothing at that moment."""
    table = table_of(3, seed=1, watchers=1)
    table.start()

    def laid(table: Table) -> bool:
        game = table.deals[0].state
        return bool(game and game.live and game.table[-1].owner == LIAR and game.turn != LIAR)

    table.play(until=laid)
    state = table.deals[0].public_state
    assert state.game is not None
    slots = state.game.table[-1].slots
    table.silent.add(LIAR)
    shares, proof = proven_shares(table, state, slots)
    table.say(LIAR, RevealBody(tuple(map(int, slots)), joined(shares), proof))
    table.deliver()
    assert verdict(table, LIAR) == "turn"
    for deal in table.honest:
        assert deal.view is not None
        assert not set(slots) & set(deal.view.faces)


def test_four_cards_cannot_be_opened_as_the_fours_that_they_are_not(verdict: Verdict) -> None:
    def lie(table: Table, state: DealState) -> Body | None:
        assert state.game is not None
        slots = state.game.hand_of(LIAR)[:4]
        if len(slots) < 4:
            return None
        wanted = [Card(Rank.KING, suit) for suit in Suit]
        return SetsBody(tuple(map(int, slots)), *faked(table, state, slots, wanted))

    assert verdict(lying(Kind.SETS, lie), LIAR) == "shares.equation"


def test_three_of_a_rank_and_a_fourth_card_are_no_fours(verdict: Verdict) -> None:
    """Truly opened, but the rules know better."""

    def lie(table: Table, state: DealState) -> Body | None:
        assert state.game is not None
        view = table.deals[LIAR].view
        assert view is not None
        ranks: dict[Rank, list[Slot]] = {}
        for slot, card in view.hand:
            ranks.setdefault(card.rank, []).append(slot)
        three = next((slots[:3] for slots in ranks.values() if len(slots) == 3), None)
        if three is None:
            return None
        other = next(slot for slot, _ in view.hand if view.faces[slot].rank != view.faces[three[0]].rank)
        slots = tuple(sorted((*three, other)))
        shares, proof = proven_shares(table, state, slots)
        return SetsBody(tuple(map(int, slots)), joined(shares), proof)

    assert verdict(lying(Kind.SETS, lie, seed=5), LIAR).startswith("rules.")


def laid_before(state: DealState) -> tuple[int, ...]:
    """Slots that the liar has laid already."""
    assert state.game is not None
    return tuple(int(s) for packet in state.game.table if packet.owner == LIAR for s in packet.slots)[:1]


def handed_in(state: DealState) -> tuple[int, ...]:
    """Slots of a hand from before a pick-up: their cards have new handles now."""
    assert state.game is not None
    game = state.game
    here = {slot for seat in game.order for slot in game.hand_of(seat)} | set(game.burned)
    here |= {slot for packet in game.table for slot in packet.slots}
    return tuple(sorted(int(slot) for slot in set(state.cards.cards) - here))[:1]


def of_another(state: DealState) -> tuple[int, ...]:
    """A slot in another's hand."""
    assert state.game is not None
    return tuple(map(int, state.game.hand_of(0)[:1]))


def never_made(state: DealState) -> tuple[int, ...]:
    """A slot that does not exist yet."""
    return (max(map(int, state.cards.cards)) + 1,)


@pytest.mark.parametrize("which", [laid_before, handed_in, of_another, never_made])
def test_only_what_the_hand_holds_now_can_be_laid(
    verdict: Verdict, which: Callable[[DealState], tuple[int, ...]]
) -> None:
    def lie(_table: Table, state: DealState) -> Body | None:
        assert state.game is not None
        slots = which(state)
        return LayBody(slots, int(state.game.rank or Rank.ACE), 1) if slots else None

    assert verdict(lying(Kind.LAY, lie), LIAR) == "rules.not-in-hand"


def test_the_slots_of_an_entry_are_those_of_the_ledger() -> None:
    """A share, reveal or lay never brings a ciphertext of its own: it names slots, and nothing else."""
    for body_type in (SharesBody, RevealBody, SetsBody, LayBody):
        assert "slots" in body_type.__struct_fields__
        assert not {"deck", "cards", "faces"}.intersection(body_type.__struct_fields__)
