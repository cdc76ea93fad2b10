"""The Enter line: what Enter will do now, in words."""

from collections.abc import Sequence
from dataclasses import dataclass

from rich.cells import cell_len

from engine import Rank
from ui.i18n import gettext as _
from ui.i18n import ngettext
from ui.words.people import Who, listed
from ui.words.ranks import RankWord, claim


@dataclass(frozen=True, slots=True)
class EnterLine:
    """What Enter does: `text`, then a quiet `aside`; not `live` where Enter does nothing now.

    `brief` stands in place of the text where both together are too long for the window.
    """

    text: str
    aside: str = ""
    live: bool = True
    brief: str = ""

    def fitted(self, width: int) -> tuple[str, str]:
        """Return text and aside for so many cells.

        An aside that would be cut off is left out, unless it says why Enter does nothing.
        """
        for text in filter(None, (self.text, self.brief)):
            if cell_len(text) + (2 + cell_len(self.aside) if self.aside else 0) <= width:
                return text, self.aside
        if self.live:
            return self.text, ""
        return self.brief or self.text, self.aside


def lay(count: int, rank: Rank, number: int | None, truth: bool | None, *, out: bool = False) -> EnterLine:
    """Lay `count` cards and claim; `truth`: whether the claim is true (None: not to be said).

    out: it is said with it that these are the last.
    """
    words = claim(rank, number)
    if count == 0:
        text = _("Lay nothing and say “{claim}”").format(claim=words)
    else:
        text = ngettext("Lay {count} and say “{claim}”", "Lay {count} and say “{claim}”", count).format(
            count=count, claim=words
        )
    if out:
        text = _("{lay} and say that it is your last").format(lay=text)
    aside = "" if truth is None else _("the truth") if truth else _("a bluff")
    return EnterLine(text, aside)


def call(owner: Who, opened: int, pile: int, card: int | None = None) -> EnterLine:
    """Say "I don't believe": so many cards are opened, of a pile of `pile`; or only `card`, from 0."""
    brief = _("Say “I don't believe”")
    if card is not None:
        text = _("Say “I don't believe”: {name} opens card {number}").format(name=owner.name, number=card + 1)
        brief = _("I don't believe: card {number}").format(number=card + 1)
    else:
        text = ngettext(
            "Say “I don't believe”: {name} opens {count} card",
            "Say “I don't believe”: {name} opens {count} cards",
            opened,
        ).format(name=owner.name, count=opened)
    aside = _("if it is true, you take {count}").format(count=pile)
    return EnterLine(text, aside, brief=brief)


def believe(owner: Who, opened: int, pile: int, card: int | None = None) -> EnterLine:
    """Say "I believe" about a packet; the rest as in `call`."""
    brief = _("Say “I believe”")
    if card is not None:
        text = _("Say “I believe”: {name} opens card {number}").format(name=owner.name, number=card + 1)
        brief = _("I believe: card {number}").format(number=card + 1)
    else:
        text = ngettext(
            "Say “I believe”: {name} opens {count} card",
            "Say “I believe”: {name} opens {count} cards",
            opened,
        ).format(name=owner.name, count=opened)
    aside = _("if it is a bluff, you take {count}").format(count=pile)
    return EnterLine(text, aside, brief=brief)


def say_nothing() -> EnterLine:
    """Say nothing in the window after a lay."""
    return EnterLine(_("Say nothing"), _("you let the packet pass"))


def answer(call_keys: str, silent_key: str) -> EnterLine:
    """The window is open and no answer is chosen; the caps of the doubt and of silence."""
    text = _("Press {keys} to call, or {silent} to say nothing.")
    return EnterLine(text.format(keys=call_keys, silent=silent_key), live=False)


def must_answer(call_keys: str) -> EnterLine:
    """The window is open, and one may not say nothing."""
    return EnterLine(_("These are the last cards: you must call, {keys}.").format(keys=call_keys), live=False)


def go_out() -> EnterLine:
    """Say that the own hand is empty."""
    return EnterLine(_("Say that you have no cards"), _("you are out"))


def say_out(out_key: str, call_keys: str = "") -> EnterLine:
    """The own hand is empty, and that is not said yet; `call_keys`: the cap of the call, where one can be."""
    if call_keys:
        text = _("Press {key} to say that you have no cards, or {keys} to call.")
    else:
        text = _("Press {key} to say that you have no cards.")
    return EnterLine(text.format(key=out_key, keys=call_keys), live=False)


def lay_nothing(pile: int) -> EnterLine:
    """Lay no card for all to see, and take the pile of so many cards for it."""
    if not pile:
        return EnterLine(_("Lay no card"), _("you lose the lead"))
    aside = ngettext("you take {count} card for it", "you take {count} cards for it", pile)
    return EnterLine(_("Lay no card"), aside.format(count=pile))


def name_a_rank(labels: Sequence[str]) -> EnterLine:
    """Enter goes on to the rank of the chosen cards, which are of several; `labels`: how they are printed."""
    return EnterLine(_("Name a rank"), _chosen(labels))


def naming(labels: Sequence[str]) -> EnterLine:
    """Rank keys name the rank now; `labels`: the chosen cards."""
    brief = _("Name a rank:")
    text = f"{_chosen(labels)}. {brief}" if labels else brief
    return EnterLine(text, _("its key, or ↑↓; Tab picks cards again"), live=False, brief=brief)


def _chosen(labels: Sequence[str]) -> str:
    text = ngettext("{count} card chosen: {cards}", "{count} cards chosen: {cards}", len(labels))
    return text.format(count=len(labels), cards=" ".join(labels))


def remove_fours(ranks: Sequence[Rank], cards: int = 4) -> EnterLine:
    """Show and remove complete sets, `cards` cards together."""
    if len(ranks) == 1 and cards != 4:
        text = _("Show and remove {count} {ranks:of}").format(count=cards, ranks=RankWord(ranks[0]))
    elif len(ranks) == 1:
        text = _("Show and remove the four {ranks:of}").format(ranks=RankWord(ranks[0]))
    else:
        names = listed(format(RankWord(rank), "of") for rank in ranks)
        text = _("Show and remove four of a kind: {names}").format(names=names)
    return EnterLine(text, _("all will see them"))


def keep_fours() -> EnterLine:
    """Keep all fours."""
    return EnterLine(_("Keep all my cards"), _("nobody will see them"))


def fours_to_mark(ranks: Sequence[str], keep_key: str) -> EnterLine:
    """Fours are held and none is marked; ranks: their labels, keep_key: the cap that keeps all."""
    text = _("Press {ranks} to remove four of a kind, or {key} to keep all.")
    return EnterLine(text.format(ranks=", ".join(ranks), key=keep_key), live=False)


def nothing_chosen(call_keys: str = "", named: Rank | None = None) -> EnterLine:
    """Nothing is chosen; `call_keys`: the cap of the call, where one is possible; `named`: for a lead."""
    if not call_keys:
        aside = "" if named is None else _("you will say: {ranks}").format(ranks=RankWord(named))
        return EnterLine(_("Pick cards by rank."), aside, live=False)
    return EnterLine(_("Pick cards by rank, or press {keys}.").format(keys=call_keys), live=False)


def waiting(before: Sequence[str]) -> EnterLine:
    """Others act first; `before`: their names, the next to act first."""
    brief = text = _("You may already pick cards.")
    if before:
        text += " " + _("Before you: {names}.").format(names=listed(before))
    return EnterLine(text, live=False, brief=brief)


def reveal() -> EnterLine:
    """A reveal is being shown."""
    return EnterLine(_("Any key goes on."), live=False)


def deserted(menu_key: str) -> EnterLine:
    """Somebody has left, so all end the deal; `menu_key`: the cap that leads to leaving, too."""
    return EnterLine(
        _("All others end this deal now. Leave the table: {key}.").format(key=menu_key), live=False
    )


def watch_table(title: str) -> EnterLine:
    """Watch a table that is played."""
    return EnterLine(_("Watch {title}").format(title=title), _("you see no hand"))


def watching(*, own_seat: bool, at_table: bool = True) -> EnterLine:
    """I do not play this deal. own_seat: or no more, though I have a seat in it. at_table: I play others."""
    if not at_table:
        return EnterLine(_("You are watching: nothing is asked of you."), live=False)
    if own_seat:
        return EnterLine(_("Your seat moves no more in this deal."), live=False)
    return EnterLine(_("You watch this deal; others play it."), live=False)


def keep_open() -> EnterLine:
    """I am out, and the others still need my key."""
    return EnterLine(_("Keep the program open: the others still need your key."), live=False)
