"""Words of a deal that is watched again."""

from collections.abc import Callable, Sequence

from engine import Called, Card, Event, Laid, Seat
from p2p.protocol.audit import AuditReport
from ui.i18n import gettext as _
from ui.i18n import pgettext
from ui.words import banner
from ui.words.banner import Banner, BannerKind
from ui.words.enter import EnterLine
from ui.words.log import log_lines
from ui.words.people import Who, listed
from ui.words.ranks import card_name, cards


def title(table: str) -> str:
    """The place, for the top line."""
    return _("Replay · {table}").format(table=table)


def hands_title(*, all_open: bool) -> str:
    """Title of the hands."""
    return _("All hands before this step") if all_open else _("Hands before this step")


def step_title() -> str:
    """Title of what happens in the step."""
    return _("This step")


def burned() -> str:
    """In the place of a name: the card that nobody has."""
    return _("burned")


def banner_of(
    events: Sequence[Event],
    step: int,
    who: Callable[[Seat], Who],
    *,
    running: bool,
    truthful: bool | None,
    broken_off: bool,
) -> Banner:
    """What happens in a step.

    truthful: whether the packet laid in it is what was said; None if unknown. broken_off: it is the last one
    of a deal that was not played to its end.
    """
    head = pgettext("banner", "REPLAY") if running else pgettext("banner", "PAUSED")
    text = _("Step {step}: {what}").format(step=step, what=_what(events, who))
    if broken_off:
        text += " " + broke_off()
    elif truthful is not None:
        text += " " + _judged(truthful)
    return Banner(BannerKind.EVENT, head, text)


def broke_off() -> str:
    """The deal was not played to its end."""
    return _("Here the deal broke off.")


def _judged(truthful: bool) -> str:
    return _("That is true.") if truthful else _("That is a bluff.")


def _what(events: Sequence[Event], who: Callable[[Seat], Who]) -> str:
    first = events[0]
    if isinstance(first, Called):
        return banner.called(who(first.seat), who(first.owner), first.believe).text
    lines = [line for event in events for line in log_lines(event, who)]
    if isinstance(first, Laid):
        (said,) = log_lines(first, who)
        name = who(first.seat)
        words = _("You say {words}.") if name.own else _("{name} says {words}.")
        return words.format(name=name.name, words=said.text)
    told = [line.text if line.speaker is None else f"{line.speaker.label}: {line.text}" for line in lines]
    return " ".join(told)


def enter(*, running: bool, at_end: bool) -> EnterLine:
    """What Enter does."""
    if running:
        return EnterLine(_("Pause"))
    return EnterLine(_("Run again from the start")) if at_end else EnterLine(_("Run"))


def position(step: int, steps: int, call: int, calls: int, speed: int) -> str:
    """Below the time line. step, steps: of the ledger, as the auditor counts. call: how many calls have been
    seen.
    """
    return _("step {step} of {steps} · call {call} of {calls} · ◆ calls · speed {speed}").format(
        step=step, steps=steps, call=call, calls=calls, speed=speed
    )


def go_to(typed: str, steps: int) -> EnterLine:
    """The number of a step is typed."""
    text = _("Go to step {number}").format(number=typed or "…")
    return EnterLine(text, _("0 to {steps}").format(steps=steps), live=typed.isdecimal())


def no_such_step(steps: int) -> str:
    """A number beyond the steps was typed."""
    return _("There are steps 0 to {steps}.").format(steps=steps)


def no_deal() -> str:
    """Somebody wants to watch a deal, and none was played yet."""
    return _("There is no deal to watch yet.")


def reading() -> str:
    """The transcript is being checked."""
    return _("Reading the deal and checking every proof…")


def nothing(report: AuditReport) -> str:
    """A transcript cannot be watched."""
    if report.holds:
        return _("There is nothing to watch in this deal: no card was dealt.")
    return _("This is no transcript, or none that is in order. verish audit says what is wrong.")


def corner(*, all_open: bool) -> str:
    """At the right of the top line."""
    return _("the books are open") if all_open else _("books closed")


def close() -> str:
    """What Esc does."""
    return pgettext("key", "close")


# Plain mode: the deal is told


def how() -> str:
    """How one goes through a deal that is told."""
    return _("Enter alone tells the next event. Any other word repeats this list.")


def place(step: int, steps: int, call: int, calls: int) -> str:
    """Where one is in the deal."""
    return _("Step {step} of {steps}, call {call} of {calls}.").format(
        step=step, steps=steps, call=call, calls=calls
    )


def laid(opened: Sequence[Card], *, truthful: bool) -> str:
    """Which cards were laid, where that can be shown."""
    names = listed(card_name(card) for card in opened)
    return " ".join((_("Laid: {cards}.").format(cards=names), _judged(truthful)))


def hand(who: Who, count: int, ranks: str, *, known: int) -> str:
    """What somebody held. ranks: of the cards that can be shown, which are `known`."""
    if not known:
        return f"{who.label}: {cards(count)}."
    if known == count:
        return f"{who.label}, {cards(count)}: {ranks}."
    return _("{name}, {cards}, of these are known: {ranks}.").format(
        name=who.label, cards=cards(count), ranks=ranks
    )


def was_last() -> str:
    """There is no event after the one that was told."""
    return _("That was the last event.")


def is_first() -> str:
    """There is none before it."""
    return _("There is no earlier event.")


def no_call() -> str:
    """Nobody called, in the direction that was asked for."""
    return _("There is no further call.")


def which_step(steps: int) -> str:
    """Asks for the number of a step."""
    return _("Which step, 0 to {steps}?").format(steps=steps)
