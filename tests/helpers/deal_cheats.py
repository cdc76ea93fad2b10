"""One dishonest seat in a deal in memory, and what everybody else must find of it."""

from collections.abc import Callable

from deal_players import Cheat, Table, seeded_draw, table_of

from crypto import prove_shares
from engine import Ruleset
from p2p.protocol.audit import audit, verify_evidence
from p2p.protocol.effects import Void
from p2p.protocol.entry import Body, Kind
from p2p.protocol.evidence import decode_evidence
from p2p.protocol.judge import as_slots
from p2p.protocol.ledger import DealState
from p2p.protocol.transcript import write_transcript

LIAR = 1

Lie = Callable[[Table, DealState, Body], Body]


def caught(kind: Kind, lie: Lie, players: int = 3, seed: int = 1, rules: Ruleset | None = None) -> Void:
    """Let the liar lie the first time that it owes an entry of a kind, in the first deal from `seed` on in
    which it does; what all honest peers find.
    """
    cheats: list[Cheat] = []
    table = table_of(players, seed=seed, cheats=cheats, watchers=1, rules=rules)
    cheats.append(
        Cheat(LIAR, lambda _s, entry: entry.kind is kind, lambda s, entry: [lie(table, s, entry.body)])
    )
    table.start()
    table.play()
    if not cheats[0].done:
        return caught(kind, lie, players, seed + 1, rules)
    return found_by_all(table)


def found_by_all(table: Table, liar: int = LIAR) -> Void:
    """The outcome that everybody honest has, after checking that it convinces a stranger and stands in the
    transcript.
    """
    outcomes = [deal.outcome for index, deal in enumerate(table.deals) if index != liar]
    assert all(isinstance(outcome, Void) for outcome in outcomes), outcomes
    assert {(outcome.seat, outcome.check, outcome.step) for outcome in outcomes} == {
        (liar, outcomes[0].check, outcomes[0].step)
    }
    for deal in (deal for index, deal in enumerate(table.deals) if index != liar):
        verify_evidence(decode_evidence(deal.outcome.evidence.encode()), seeded_draw("stranger"), table.group)
        report = audit(write_transcript(deal), seeded_draw("audit"), table.group)
        assert (report.ok, report.check, report.seat, report.step) == (
            False,
            deal.outcome.check,
            liar,
            deal.outcome.step,
        )
    return outcomes[0]


def key_of(table: Table) -> object:
    secrets = table.deals[LIAR]._secrets
    assert secrets is not None
    return secrets.key


def shares_of(table: Table, state: DealState, slots: tuple[int, ...], body_type: type) -> Body:
    """True shares, truly proven, of whatever slots the liar wishes to open."""
    key = key_of(table)
    cards = state.cards.ciphertexts(as_slots(slots))
    args = (state.frame.group, key.secret, key.public, cards, state.context(LIAR), seeded_draw("lie"))
    shares, proof = prove_shares(*args)
    return body_type(slots, b"".join(one.encode() for one in shares), proof)


def other_byte(data: bytes, at: int = -1) -> bytes:
    """The same bytes with one bit flipped."""
    changed = bytearray(data)
    changed[at] ^= 1
    return bytes(changed)
