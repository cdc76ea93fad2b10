"""Attacks on the deck before it is dealt: what seals are for."""

from collections.abc import Callable

from deal_players import Cheat, Table, run_job, seeded_draw, table_of

from crypto import encode_deck, shuffle
from p2p.protocol.effects import Job
from p2p.protocol.entry import Body, Entry, Kind, SealBody, ShuffleBody, SignedEntry, sign_entry
from p2p.protocol.evidence import FORK
from p2p.protocol.hashing import next_head
from p2p.protocol.ledger import DealState, Phase

PLAYERS = 4
SEED = 2

Verdict = Callable[[Table, int], str]


def clockwise() -> tuple[int, ...]:
    """The seats of the deal with this seed in the order in which they shuffle."""
    table = table_of(PLAYERS, seed=SEED)
    table.start()
    assert table.deals[0].state is not None
    return tuple(map(int, table.deals[0].state.order))


def seal_on(table: Table, seat: int, state: DealState, body: Body, author: int) -> SignedEntry:
    """A seal by `seat` of the deck that `author` shows as `body` at `state`, verified or not."""
    entry = Entry(state.frame.table_id, 1, state.step, author, state.head, body)
    head = next_head(state.head, [entry.encode()])
    return sign_entry(table.identities[seat], Entry(entry.table, 1, state.step + 1, seat, head, SealBody()))


def honest_shares(table: Table) -> list[SignedEntry]:
    """All decryption shares that honest seats have ever signed."""
    own = [store.own for seat in range(PLAYERS) if seat not in table.liars for store in table.stores[seat]]
    return [signed for signed in own if signed is not None and signed.open().kind is Kind.SHARES]


def test_two_decks_sealed_by_both_conspirators_get_no_share_even_while_the_victims_are_cut_off(
    verdict: Verdict,
) -> None:
    """The last shuffler shows each victim another deck, he and his accomplice seal both, and the victims
    cannot hear each other. Each waits for the other's seal of its own deck, which never comes.
    """
    *_, accomplice, last = clockwise()
    victims = [seat for seat in range(PLAYERS) if seat not in (accomplice, last)]
    cheats: list[Cheat] = []
    table = table_of(PLAYERS, seed=SEED, cheats=cheats)
    table.silent.add(accomplice)

    def two_decks(state: DealState, entry: Entry) -> list[Body]:
        args = (state.frame.group, state.joint_key, state.deck, state.context(last))
        deck, proof, _ = shuffle(*args, seeded_draw("another deck"))
        decks: dict[int, Body] = dict(
            zip(victims, (entry.body, ShuffleBody(encode_deck(deck), proof)), strict=True)
        )
        for victim, body in decks.items():
            for liar in (last, accomplice):
                table.wire.append((victim, seal_on(table, liar, state, body, last), liar))
        table.drop = cut_off
        others = [seat for seat in range(PLAYERS) if seat != last]
        return [decks.get(seat, entry.body) for seat in others]

    def cut_off(to: int, signed: SignedEntry) -> bool:
        entry = signed.open()
        # What the conspirators' own programs would say from here on stays at home.
        return entry.kind is not Kind.SHUFFLE and (to in victims or entry.seat in (last, accomplice))

    cheats.append(Cheat(last, lambda _state, entry: entry.kind is Kind.SHUFFLE, two_decks))
    table.start()
    one, other = (table.deals[victim] for victim in victims)
    assert one.head != other.head
    for victim, deal in zip(victims, (one, other), strict=True):
        assert deal.outcome is None
        assert deal.public_state.phase is Phase.SEAL_DECK
        assert [owed.seat for owed in deal.owed] == [seat for seat in victims if seat != victim]
    assert honest_shares(table) == []
    table.drop = lambda _to, _signed: False
    table.play()
    assert verdict(table, last) == FORK
    assert honest_shares(table) == []


def test_an_unverified_shuffle_is_not_waved_through_by_early_seals(verdict: Verdict) -> None:
    """The last shuffler puts a copy of one card in another's place; he and an accomplice seal at once. While
    the victims still verify, they sign nothing, and then they name the shuffler.
    """
    *_, accomplice, last = clockwise()
    cheats: list[Cheat] = []

    def slow(index: int, job: Job) -> bool:
        at_last = table.deals[index].public_state.shuffled == PLAYERS - 1
        return at_last and index not in table.liars and "verify" in job.function.__name__

    def programs_own(_to: int, signed: SignedEntry) -> bool:
        return signed.open().seat in table.liars and signed.open().kind is Kind.SEAL

    table = table_of(PLAYERS, seed=SEED, cheats=cheats, hold_job=slow, drop=programs_own)
    table.silent.add(accomplice)

    def copied_card(state: DealState, entry: Entry) -> list[Body]:
        assert isinstance(entry.body, ShuffleBody)
        size = 2 * state.frame.group.element_size
        deck = entry.body.deck
        body = ShuffleBody(deck[:size] * 2 + deck[2 * size :], entry.body.proof)
        for victim in range(PLAYERS):
            for liar in (last, accomplice):
                if victim not in (last, accomplice):
                    table.wire.append((victim, seal_on(table, liar, state, body, last), liar))
        return [body]

    cheats.append(Cheat(last, lambda _state, entry: entry.kind is Kind.SHUFFLE, copied_card))
    table.start()
    assert len(table.waiting) == PLAYERS - 2
    for deal in table.honest:
        assert deal.outcome is None
        assert deal.public_state.phase is Phase.SHUFFLE
    own = [store.own for index in range(PLAYERS) if index not in table.liars for store in table.stores[index]]
    assert not [signed for signed in own if signed is not None and signed.open().kind is Kind.SEAL]
    held, table.waiting = table.waiting, []
    table.hold_job = lambda _index, _job: False
    for index, job in held:
        table.take(index, table.deals[index].job_done(job.id, run_job(job)))
    table.play()
    assert verdict(table, last).startswith("shuffle.")
    assert honest_shares(table) == []


def test_a_shuffler_who_marks_a_card_cannot_prove_it(verdict: Verdict) -> None:
    """One card of the deck is changed by an element that the shuffler knows, to be recognised later."""
    *_, last = clockwise()
    cheats: list[Cheat] = []
    table = table_of(PLAYERS, seed=SEED, cheats=cheats)

    def marked(state: DealState, entry: Entry) -> list[Body]:
        assert isinstance(entry.body, ShuffleBody)
        group = state.frame.group
        size = group.element_size
        mark = group.base_multiply(7)
        second = group.decode_element(entry.body.deck[size : 2 * size]) + mark
        deck = entry.body.deck[:size] + second.encode() + entry.body.deck[2 * size :]
        return [ShuffleBody(deck, entry.body.proof)]

    cheats.append(Cheat(last, lambda _state, entry: entry.kind is Kind.SHUFFLE, marked))
    table.start()
    table.play()
    assert verdict(table, last).startswith("shuffle.")
