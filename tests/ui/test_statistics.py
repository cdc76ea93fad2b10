"""What past deals add up to."""

from dataclasses import replace

from p2p.net.history import PastDeal
from p2p.protocol.deal_tally import PlayerRecord, Tally
from ui.statistics import broken_off, by_form, by_opponent, by_table, chosen, own_sum

ME = PlayerRecord(0, b"m" * 32, "Me", True, 2, False, False, Tally(8, 4, 1, 5, 3))
ANNA = PlayerRecord(1, b"a" * 32, "Anna", False, 1, True, False, Tally(7, 2, 2, 1, 0))
BORIS = PlayerRecord(2, b"b" * 32, "Boris", False, 3, False, True, Tally(9, 3, 0, 2, 2))


def deal(number: int, *players: PlayerRecord, table: bytes = b"t" * 32, **changed: object) -> PastDeal:
    plain = PastDeal(
        table, number, 100.0 * number, 100.0 * number + 50, "Kitchen", "pagat", {}, "finished", None, players
    )
    return replace(plain, **changed)  # type: ignore[arg-type]


def won(player: PlayerRecord) -> PlayerRecord:
    return replace(player, won=True, lost=False, place=1)


def lost(player: PlayerRecord) -> PlayerRecord:
    return replace(player, won=False, lost=True, place=3)


DEALS = [
    deal(1, ME, ANNA, BORIS),
    deal(2, lost(ME), ANNA, replace(BORIS, lost=False, place=2)),
    deal(3, won(ME), replace(BORIS, name="Boria"), table=b"u" * 32, form="club", changes={"packs": 2}),
    deal(4, ME, ANNA, BORIS, outcome="void", cause="fork"),
]


def test_own_deals_are_summed() -> None:
    total = own_sum(DEALS)
    assert (total.deals, total.won, total.lost, total.broken_off) == (4, 1, 1, 1)
    assert total.tally == Tally(32, 16, 4, 20, 12)


def test_forms_with_other_changes_are_apart_and_the_most_played_is_first() -> None:
    more = [*DEALS, deal(5, ME, BORIS, form="club", changes={}), deal(6, ANNA, BORIS)]
    assert [(row.form, row.changes, row.own.deals) for row in by_form(more)] == [
        ("pagat", {}, 3),
        ("club", {"packs": 2}, 1),
        ("club", {}, 1),
    ]


def test_an_opponent_is_known_by_his_key_and_has_the_name_of_the_last_time() -> None:
    boris, anna = by_opponent(DEALS[:3])
    assert (boris.name, boris.last, boris.own.deals) == ("Boria", 350.0, 3)
    assert (boris.own.won, boris.own.lost, boris.theirs.won, boris.theirs.lost) == (1, 1, 0, 2)
    assert boris.theirs.tally == Tally(27, 9, 0, 6, 6)
    assert (anna.name, anna.own.deals, anna.theirs.won) == ("Anna", 2, 2)


def test_deals_that_were_only_watched_make_no_opponents_and_no_sums() -> None:
    watched = [deal(1, ANNA, BORIS)]
    assert (own_sum(watched).deals, by_form(watched), by_opponent(watched)) == (0, [], [])
    assert [len(table.players) for table in by_table(watched)] == [2]


def test_the_standings_of_a_table_begin_with_the_fewest_losses() -> None:
    second, first = by_table(DEALS)
    assert (first.title, first.deals, first.broken_off, first.started, first.ended) == (
        "Kitchen",
        3,
        1,
        100.0,
        450.0,
    )
    standings = [(player.name, total.won, total.lost) for player, total in first.standings]
    assert standings == [("Anna", 3, 0), ("Me", 0, 1), ("Boris", 0, 2)]
    assert (second.form, second.deals) == ("club", 1)


def test_broken_deals_name_those_who_lost_them() -> None:
    stopped = deal(5, replace(BORIS, lost=False), outcome="stopped")
    found = broken_off([*DEALS, stopped])
    assert [(one.number, [player.name for player in losers]) for one, losers in found] == [
        (5, []),
        (4, ["Boris"]),
    ]


def test_deals_are_chosen_by_form_and_by_an_opponents_name() -> None:
    assert [one.number for one in chosen(DEALS, "club", None)] == [3]
    assert [one.number for one in chosen(DEALS, None, "ANNA")] == [1, 2, 4]
    assert [one.number for one in chosen(DEALS, "pagat", "boria")] == []
    assert chosen(DEALS, None, "Me") == []
    assert chosen(DEALS, None, None) == DEALS
