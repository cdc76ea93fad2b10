"""An audit in words: a row a hand, lines that fit the terminal, and nothing said that was not found."""

import pytest

from engine import Card, Seat, Slot
from p2p.protocol.audit import AuditReport
from p2p.protocol.ballot import Poll
from p2p.protocol.deal_cards import Reading
from p2p.protocol.deal_views import CardReading, Trust
from p2p.protocol.effects import Absent, Finished
from p2p.protocol.ledger import SeatTrust
from ui import i18n
from ui.cli.audit_words import LONGEST_NAME, MOST_HANDS, Hand, by_hand, ending, every_slot, hands, summary
from ui.columns import width_of

SECOND_READER = "second player"
LONG_NAMES = ("Константин Константинович", "国" * 24, "Anna", "W" * 24)


def card(slot: int, made_at: int, *readings: tuple[int | None, int], face: str | None = None) -> CardReading:
    """readings: pairs of seat and step."""
    return CardReading(
        Slot(slot),
        made_at,
        tuple(Reading(None if seat is None else Seat(seat), since) for seat, since in readings),
        None if face is None else Card.parse(face),
    )


def report(*cards: CardReading, names: tuple[str, ...] = ("Anna", "Boris"), **more: object) -> AuditReport:
    trust = tuple(SeatTrust(Seat(seat), True, 1, 123, 12345, 1234) for seat in range(len(names)))
    defaults: dict[str, object] = {
        "form": "pagat",
        "seats": len(names),
        "names": names,
        "deal": 1,
        "winner": Seat(0),
        "loser": Seat(1),
        "entries": 400,
        "receipts": frozenset(map(Seat, range(len(names)))),
        "trust": Trust(len(names), 246, 24690, 2468, 1234, 22, trust),
    }
    return AuditReport(True, cards=cards, **{**defaults, **more})  # type: ignore[arg-type]


DEAL = (
    card(0, 3),
    card(1, 3, (0, 5), (None, 9), face="QS"),
    card(2, 3, (1, 5)),
    card(3, 3, (0, 5), (None, 9), face="7H"),
    card(4, 3, (1, 5), (None, 20), face="AC"),
    card(5, 10, (1, 12)),
    card(6, 10, (1, 12), (None, 30), face="QS"),
    card(7, 10, (1, 12)),
)


FINISHED = Finished(40, bytes(32), Seat(1), Seat(0))


def many_hands(count: int) -> tuple[CardReading, ...]:
    return tuple(
        card(
            3 * number + place,
            10 * number + 3,
            (number % 4, 10 * number + 5),
            (None, 10 * number + 6 + place),
        )
        for number in range(count)
        for place in range(3)
    )


def test_cards_of_one_shuffle_and_one_reader_are_one_hand() -> None:
    assert hands(DEAL) == (
        Hand((3,), (), (), (Slot(0),), ()),
        Hand((3,), (Seat(0),), (5,), (Slot(1), Slot(3)), (9, 9)),
        Hand((3,), (Seat(1),), (5,), (Slot(2), Slot(4)), (20,)),
        Hand((10,), (Seat(1),), (12,), (Slot(5), Slot(6), Slot(7)), (30,)),
    )


def test_a_card_with_another_reader_is_in_no_hand_with_the_others() -> None:
    found = hands((*DEAL, card(8, 10, (1, 12), (0, 13)), card(9, 10, (1, 14))))
    assert [hand.slots for hand in found if hand.made_at == (10,)] == [(5, 6, 7), (8,), (9,)]
    lines = by_hand(report(*DEAL, card(8, 10, (1, 12), (0, 13))), 80)
    assert lines[-1].split() == ["10", "1:", "#8", "Boris,", "Anna", "12..13"]


def test_rows_say_who_could_read_which_cards_since_when_and_what_was_shown() -> None:
    assert [line.split() for line in by_hand(report(*DEAL), 80)[-5:]] == [
        ["shuffle", "cards", "reader", "since", "shown", "to", "all"],
        ["the", "deal", "1:", "#0", "nobody"],
        ["the", "deal", "2:", "#1..#3", "Anna", "5", "2:", "9"],
        ["the", "deal", "2:", "#2..#4", "Boris", "5", "1:", "20"],
        ["10", "3:", "#5-#7", "Boris", "12", "1:", "30"],
    ]


def test_every_card_has_a_row_where_that_is_wished() -> None:
    lines = every_slot(report(*DEAL))
    assert len(lines) == 1 + len(DEAL)
    assert lines[1].split() == ["#0", "nobody"]
    assert lines[2].split() == ["#1", "QS", "Anna", "from", "step", "5,", "everybody", "from", "step", "9"]


@pytest.mark.parametrize("language", i18n.LANGUAGES)
@pytest.mark.parametrize("width", [60, 80, 100])
@pytest.mark.parametrize("count", [4, MOST_HANDS, MOST_HANDS + 1, 900])
def test_no_line_is_wider_than_the_terminal_and_every_reader_is_named(
    language: str, width: int, count: int
) -> None:
    i18n.use_language(language)
    found = report(*many_hands(count), names=LONG_NAMES)
    for lines in (summary(found, width), by_hand(found, width), ending(found, width)):
        assert max(map(width_of, lines)) <= width
        assert not any("\n" in line for line in lines)
    rows = by_hand(found, width)[-min(count, 2 * MOST_HANDS) :]
    for name, seat in (("Конст", 0), ("国", 1), ("WWWW", 3)):
        row = next(row for row in rows if name in row)
        assert f"… {seat}" in row
        assert width_of(row[row.index(name) :].split("…")[0]) < LONGEST_NAME


def test_a_deal_with_very_many_pick_ups_has_one_row_a_seat_for_them() -> None:
    lines = by_hand(report(*many_hands(MOST_HANDS), names=LONG_NAMES), 80)
    assert len(lines) == 3 + MOST_HANDS
    lines = by_hand(report(*many_hands(MOST_HANDS + 1), names=("A", "B", "C", "D")), 80)
    assert [line.split() for line in lines[-5:]] == [
        ["the", "deal", "3:", "#0-#2", "A", "5", "3:", "6,", "7,", "8"],
        ["13..373", "30:", "#3..#113", "B", "15..375", "30:", "16..378"],
        ["23..383", "30:", "#6..#116", "C", "25..385", "30:", "26..388"],
        ["33..393", "30:", "#9..#119", "D", "35..395", "30:", "36..398"],
        ["43..403", "30:", "#12..#122", "A", "45..405", "30:", "46..408"],
    ]


def test_the_summary_counts_the_proofs_of_each_seat() -> None:
    lines = summary(report(*DEAL), 80)
    assert ["Boris", "1", "1", "123", "12345", "1234"] in [line.split() for line in lines]
    assert "400 entries checked." in lines
    assert "Opened: 22 packets, each by a call, each exactly as it was laid." in lines


def test_the_title_names_the_form_in_the_language() -> None:
    i18n.use_language("ru")
    assert summary(report(*DEAL), 80)[0] == "пагат, сдача 1: Anna, Boris"


def test_the_verdict_says_that_nobody_else_could_read_a_card_only_if_it_was_so() -> None:
    assert SECOND_READER in ending(report(*DEAL), 80)[0]
    assert SECOND_READER not in " ".join(ending(report(*DEAL, card(8, 10, (1, 12), (0, 13))), 80))


def test_wishes_to_open_the_books_and_keys_that_are_missing_are_named() -> None:
    both, none = frozenset({Seat(0), Seat(1)}), frozenset[Seat]()
    cases = (
        (none, none, None),
        (frozenset({Seat(1)}), none, "Wanted the books to be opened: Boris. Not all agreed."),
        (both, frozenset({Seat(0)}), "All agreed to open the books. Not here is the key of: Boris."),
        (both, both, "The books are open: everybody can read every card of this deal now."),
    )
    for wished, opened, sentence in cases:
        told = ending(report(*DEAL, wished=wished, opened=opened, outcome=FINISHED), 80)
        about = [line for line in told if "books" in line]
        assert about == ([] if sentence is None else [sentence])


def test_an_end_by_absence_names_who_was_missed_who_left_and_who_lost() -> None:
    names = ("Anna", "Boris", "Vera", "Oleg", "Gleb")
    poll = Poll(1, 0, (1,), (2,), ())
    outcome = Absent(40, (Seat(1), Seat(2)), (Seat(1),), (Seat(2),), poll, (), ())
    lines = ending(report(*DEAL, names=names, outcome=outcome, winner=None, loser=None), 80)
    assert lines[1:] == [
        "All others signed that they missed: Boris.",
        "Left, by an own signature: Vera.",
        "Lost: Boris.",
        "Audit: ok. Every signature, proof and rule holds.",
    ]


def test_a_file_that_is_no_transcript_has_nothing_but_a_verdict() -> None:
    assert summary(AuditReport(False, "transcript"), 80) == []
    (line,) = ending(AuditReport(False, "unfinished", step=7), 80)
    assert "unfinished" in line
