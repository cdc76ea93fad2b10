"""What can be read at a table without doing anything: cards, players, log, honesty, rules."""

from collections.abc import Sequence
from itertools import groupby
from typing import Final

from engine import Card
from p2p.protocol.snapshot import Remark, TableSnapshot
from p2p.protocol.text import clean_talk
from ui.plain.events import told
from ui.plain.means import Means
from ui.plain.question import Option, Question
from ui.table.players import player_rows
from ui.table.proof import who_reads
from ui.table.reveal import picture_of
from ui.table.situation import Situation
from ui.words import asks, ends, plain, proof, talk, trust
from ui.words import table as table_words
from ui.words.actions import action_word
from ui.words.explained import how_it_goes
from ui.words.people import Who, listed
from ui.words.ranks import card_name, cards, quoted, rank_label
from ui.words.rules import RuleLine, form_with_differences, rule_lines
from ui.words.situation import asked_now, table_banner

LAST_LINES: Final = 15
"""So much of the log is read at first; more is read on request."""


def hand_by_rank(hand: Sequence[Card]) -> str:
    """Return cards sorted by rank as they are read aloud: `6 6, 7, 10 10`."""
    groups = groupby(hand, key=lambda card: card.rank)
    return ", ".join(" ".join(rank_label(card.rank) for card in group) for _rank, group in groups)


def hand_line(situation: Situation) -> str:
    """The own hand, by rank."""
    if not situation.held:
        return table_words.no_cards()
    if situation.unread:
        return plain.unread_hand(situation.held)
    return plain.hand(situation.held, hand_by_rank([card for _slot, card in situation.hand]))


def suits_line(situation: Situation) -> str:
    """The own hand, card by card."""
    if not situation.hand:
        return hand_line(situation)
    return plain.hand(situation.held, listed(card_name(card) for _slot, card in situation.hand))


def players_lines(situation: Situation, now: float) -> tuple[str, ...]:
    """Who sits at the table, clockwise, with what all know."""
    lines = []
    for row in player_rows(situation, picture_of(situation), now):
        parts = [
            row.label,
            *([] if row.count is None else [cards(row.count)]),
            *([row.word] if row.word else []),
        ]
        if row.turn:
            parts.append(plain.to_move())
        lines.append(", ".join(parts) + ".")
    return tuple(lines)


def rules_lines(table: TableSnapshot) -> tuple[str, ...]:
    """The rules of a table in sentences, what differs from the form first."""
    rules, seats = table.ruleset, table.seats
    lines = rule_lines(rules, seats, table.table_rules)
    return (f"{form_with_differences(rules, seats, table.table_rules)}.", *single_rules(lines))


def single_rules(lines: Sequence[RuleLine]) -> tuple[str, ...]:
    """Rules in sentences, with what is usual where they differ from it."""
    return tuple(asks.differs(one.text, one.usual) if one.differs else f"{one.text}." for one in lines)


def now_lines(table: TableSnapshot, now: float) -> tuple[str, ...]:
    """What is asked of the reader, and what of others."""
    asked = asked_now(table, by_keys=False)
    banner = table_banner(table, now).spoken
    return asked if banner in asked else (banner, *asked)


async def look(means: Means, name: str) -> bool:
    """Read what the option `name` is about; return whether it is one of these. Raises as `Dialogue.ask`."""
    dialogue, table = means.dialogue, means.table
    situation = Situation(table)
    match name:
        case "suits":
            dialogue.say(suits_line(situation))
        case "players":
            dialogue.say(*players_lines(situation, means.now()))
        case "log":
            await _log(means)
        case "trust":
            await _trust(means)
        case "talk":
            await say_something(means)
        case "mute" | "unmute":
            mute(means)
        case "rules":
            dialogue.say(*rules_lines(table), *how_it_goes(table.ruleset))
        case "help":
            dialogue.say(*now_lines(table, means.now()))
        case _:
            return False
    return True


def talk_options(means: Means) -> tuple[Option, ...]:
    """What can be done about talk: whoever has muted it hears it again first; no watcher is heard."""
    if means.table.watching:
        return ()
    if means.news.muted:
        return (Option("unmute", action_word("unmute")),)
    return (Option("talk", asks.talk()), Option("mute", action_word("mute")))


def mute(means: Means) -> None:
    """Tell nobody's words any more, or tell them again."""
    means.news.muted = not means.news.muted
    again = quoted(action_word("unmute"))
    means.dialogue.say(talk.muted(again) if means.news.muted else talk.shown_again())


async def say_something(means: Means) -> None:
    """Say a line or a ready remark to the table. Raises as `Dialogue.ask`."""
    remarks = tuple(Option(str(one.value), talk.remark(one)) for one in Remark)
    typed = await means.dialogue.type_in(*Question((asks.which_words(),), remarks).text())
    said = next((one for one in Remark if typed.strip() == str(one.value)), None) or clean_talk(typed)
    if said:
        means.node.say(said)
    elif typed.strip():
        means.dialogue.say(talk.nothing_said())


async def _log(means: Means) -> None:
    table = means.table
    lines = told(table.happened, Situation(table).who)
    means.dialogue.say(plain.nothing_happened() if not lines else "", *lines[-LAST_LINES:])
    if len(lines) > LAST_LINES and await means.dialogue.confirm(asks.whole_log(len(lines))):
        means.dialogue.say(*lines)


async def _trust(means: Means) -> None:
    """The answer and its reasons, then what lies behind them."""
    dialogue = means.dialogue

    def options() -> Question:
        return Question(
            (),
            (
                Option("proof", asks.the_proof()),
                Option("fingerprints", asks.fingerprints()),
                Option("save", asks.save()),
                Option("back", asks.back()),
            ),
        )

    table = means.table
    dialogue.say(f"{trust.question()} {trust.answer(table)[1]}", *(one.text for one in trust.lines(table)))
    while True:
        match await dialogue.pick(options):
            case "proof":
                dialogue.say(*proof_lines(means))
            case "fingerprints":
                dialogue.say(*fingerprint_lines(means.table))
            case "save":
                dialogue.say(await means.evening.save())
            case _:
                return


def proof_lines(means: Means) -> tuple[str, ...]:
    """What each has proven, and who can read which cards since when."""
    table = means.table
    proven = (
        plain.proven(ends.who_at(table, one.seat), one.shuffles, one.shares, one.seals)
        for one in table.trust.seats
    )
    readable = (
        plain.readable(one.cards, one.readers, one.since)
        for one in who_reads(Situation(table), means.node.readings)
    )
    return (trust.seals_line(table), *proven, *readable)


def fingerprint_lines(table: TableSnapshot) -> tuple[str, ...]:
    """What to compare aloud."""
    return (
        f"{proof.fingerprint_title()}:",
        *(f"{Who(one.name, one.own).label}: {one.fingerprint}" for one in table.everybody),
    )
