"""What a reveal says: the verdict, its reason, and what follows."""

from collections.abc import Sequence
from dataclasses import dataclass

from engine import Rank
from ui.i18n import gettext as _
from ui.i18n import ngettext, pgettext
from ui.words.banner import leads
from ui.words.people import Who
from ui.words.ranks import Number, RankWord


@dataclass(frozen=True, slots=True)
class Verdict:
    """What an opened packet was: a word in capitals and the reason."""

    truthful: bool
    word: str
    reason: str

    @property
    def line(self) -> str:
        """Word and reason, two spaces apart."""
        return f"{self.word}  {self.reason}"


def verdict(rank: Rank, total: int, false_labels: Sequence[str], number: int | None = None) -> Verdict:
    """Word the opening of `total` cards claimed as `rank`.

    false_labels: how the cards of other ranks are printed. number: what was claimed, None if nothing.
    """
    ranks = RankWord(rank)
    if total == 0:
        return _bluff(_("The packet is empty."))
    if len(false_labels) == 1:
        return _bluff(_("{card} is not {ranks:a}.").format(card=false_labels[0], ranks=ranks))
    if len(false_labels) == total:
        return _bluff(_("None of them is {ranks:a}.").format(ranks=ranks))
    if false_labels:
        return _bluff(
            ngettext(
                "{count} of {total} is not {ranks}.", "{count} of {total} are not {ranks}.", len(false_labels)
            ).format(count=len(false_labels), total=total, ranks=ranks)
        )
    if number is not None and number != total:
        return _bluff(
            ngettext(
                "There is {count} card, not {number:word}.",
                "There are {count} cards, not {number:word}.",
                total,
            ).format(count=total, number=Number(number))
        )
    if total == 1:
        reason = _("It is {ranks:a}.")
    elif total == 2:
        reason = _("Both are {ranks}.")
    else:
        reason = ngettext("All {count:word} are {ranks}.", "All {count:word} are {ranks}.", total)
    return Verdict(True, pgettext("verdict", "TRUTH"), reason.format(count=Number(total), ranks=ranks))


def takes(who: Who, count: int) -> str:
    """Who picks up how many cards."""
    if who.own:
        return ngettext("You take {count} card.", "You take {count} cards.", count).format(count=count)
    return ngettext("{name} takes {count} card.", "{name} takes {count} cards.", count).format(
        name=who.name, count=count
    )


def pick_up(taker: Who, count: int, leader: Who | None) -> str:
    """Who picks up, and who leads then (None if the deal is over)."""
    return f"{takes(taker, count)} {leads(leader)}" if leader else takes(taker, count)


def packet_out_of_play(count: int) -> str:
    """A right "I believe" of a packet."""
    return ngettext("It goes out of play.", "They go out of play.", count)


def packet_gone(count: int, leader: Who, rank: Rank) -> str:
    """A right "I believe" of a packet: its cards go, and the rank stays in force for `leader`."""
    gone = packet_out_of_play(count)
    if leader.own:
        return f"{gone} " + _("You lay {ranks:of}.").format(ranks=RankWord(rank))
    return f"{gone} " + _("{name} lays {ranks:of}.").format(name=leader.name, ranks=RankWord(rank))


def fours_removed(who: Who, rank: Rank, cards: int = 4) -> str:
    """Complete sets of a rank went out of play, so many cards together."""
    if cards != 4:
        text = _("You remove {count} {ranks:of}.") if who.own else _("{name} removes {count} {ranks:of}.")
        return text.format(name=who.name, count=cards, ranks=RankWord(rank))
    if who.own:
        return _("You remove the four {ranks:of}.").format(ranks=RankWord(rank))
    return _("{name} removes the four {ranks:of}.").format(name=who.name, ranks=RankWord(rank))


def leaves(who: Who, place: int) -> str:
    """Somebody is out."""
    if who.own:
        return _("You are out, place {place}.").format(place=place)
    return _("{name} is out, place {place}.").format(name=who.name, place=place)


def _bluff(reason: str) -> Verdict:
    """A packet that was not what it was said to be."""
    return Verdict(False, pgettext("verdict", "BLUFF"), reason)
