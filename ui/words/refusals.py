"""Why something is not done now, in one sentence."""

from collections.abc import Mapping

from engine import Rank, Refusal
from p2p.protocol.snapshot import RefusedCommand, RefusedJoin
from p2p.protocol.table_rules import TableRulesError
from ui.i18n import gettext as _
from ui.i18n import ngettext
from ui.words import books, talk
from ui.words.people import Who, clock
from ui.words.ranks import RankWord
from ui.words.table_rules import table_rule_refused


def not_your_turn(actor: Who | None) -> str:
    """Another player is to act; None where no player is."""
    if actor is None:
        return _("It is nobody's turn now.")
    if actor.own:
        return _("Your program does this by itself.")
    return _("It is {name}'s turn.").format(name=actor.name)


def cannot_go_on() -> str:
    """Somebody has left in the middle of the deal."""
    return _("Somebody has left: the others end this deal.")


def asked_already() -> str:
    """A poll runs."""
    return _("All are asked already whether to end the wait.")


def table_changed() -> str:
    """What Enter would do changed a moment ago."""
    return _("The table has just changed. Look, then press again.")


def no_cards_chosen() -> str:
    """Enter without a card."""
    return _("Choose cards first, by rank or with the arrows.")


def none_of_rank(rank: Rank) -> str:
    """The key of a rank that the hand lacks."""
    return _("You hold no {ranks:of}. Any cards may be said to be {ranks:as}.").format(ranks=RankWord(rank))


def answered_already() -> str:
    """The own answer in the window of open calls is given, or another's packet is not to be answered."""
    return _("Others have yet to answer: there is nothing to do now.")


def rank_is_due(rank: Rank) -> str:
    """Ranks go up by themselves."""
    return _("{ranks:Of} are due.").format(ranks=RankWord(rank))


def no_link(who: Who) -> str:
    """The own move cannot be sent to somebody yet."""
    return _("No connection to {name}. Your move is kept and sent when it is back.").format(name=who.name)


def move_refused(reason: str, data: Mapping[str, object], actor: Who | None = None) -> str:
    """Word the engine's refusal.

    reason: the value of an `engine.Refusal`; unknown ones get the sentence for an act that is not due.
    data: the refusal's numbers and ranks. actor: whose turn it is, if known.
    """
    try:
        refusal = Refusal(reason)
    except ValueError:
        refusal = Refusal.NOT_NOW
    if refusal is Refusal.NOT_YOUR_TURN:
        return not_your_turn(actor)
    if refusal is Refusal.TOO_MANY:
        most = _number(data, "most")
        return ngettext("At most {most} card a turn here.", "At most {most} cards a turn here.", most).format(
            most=most
        )
    if refusal is Refusal.TOO_FEW:
        least = _number(data, "least")
        return ngettext("At least {least} card to lead.", "At least {least} cards to lead.", least).format(
            least=least
        )
    if refusal in (Refusal.WRONG_RANK, Refusal.RANK_BARRED) and isinstance(rank := data.get("rank"), Rank):
        text = (
            _("{ranks:Many} are in force until somebody calls.")
            if refusal is Refusal.WRONG_RANK
            else _("All {ranks} are out of play.")
        )
        return text.format(ranks=RankWord(rank))
    return _plain(refusal)


def join_refused(
    reason: RefusedJoin,
    own_version: object = None,
    their_version: object = None,
    tries_left: int | None = None,
) -> str:
    """Why a table gave no seat. tries_left: how many more codes can be tried in this minute, if known."""
    if reason is RefusedJoin.WRONG_CODE and tries_left is not None:
        text = ngettext(
            "This is not the table's code. {count} more try in this minute.",
            "This is not the table's code. {count} more tries in this minute.",
            tries_left,
        )
        return text.format(count=tries_left)
    if reason is RefusedJoin.VERSIONS and own_version is not None and their_version is not None:
        return _("You have version {own}, this table {theirs}. The older one must be updated.").format(
            own=own_version, theirs=their_version
        )
    return {
        RefusedJoin.FULL: _("The table is full."),
        RefusedJoin.CLOSED: _("This table is no longer there."),
        RefusedJoin.PLAYING: _("This table is playing already."),
        RefusedJoin.VERSIONS: _("Your version and that of the table differ. The older one must be updated."),
        RefusedJoin.TITLE: _("A name at this table cannot be shown as it is, so the table is not joined."),
        RefusedJoin.RULES: _("This version cannot play these rules with so many players."),
        RefusedJoin.BUSY: _("You already sit at a table there."),
        RefusedJoin.BEFORE: _(
            "That table states other rules or counts than your program has: no seat is taken."
        ),
        RefusedJoin.NO_LINK: _("No connection to the one who opened this table."),
        RefusedJoin.CODE: _("This table has a code. Ask the one who opened it."),
        RefusedJoin.WRONG_CODE: _("This is not the table's code."),
        RefusedJoin.GUESSES: _("Too many codes were tried. Wait a minute, then try again."),
        RefusedJoin.NOT_WATCHED: _("This table lets nobody watch."),
        RefusedJoin.MANY_WATCHERS: _("As many watch this table as it lets. Try again later."),
        RefusedJoin.NOT_PLAYED: _("Nobody plays at this table yet: there is nothing to watch."),
        RefusedJoin.NO_CODE: _("This table has no code, so it is another one than you were told of."),
    }[reason]


def command_refused(reason: RefusedCommand, wait_s: float = 0.0) -> str:
    """Why a wish was not done."""
    if reason is RefusedCommand.TOO_SOON:
        wait = max(1, round(wait_s))
        return ngettext(
            "Readiness can be taken back once in 5 s. Wait {count} second.",
            "Readiness can be taken back once in 5 s. Wait {count} seconds.",
            wait,
        ).format(count=wait)
    if reason is RefusedCommand.NOT_OVERDUE:
        return _("The table waits for {time} more.").format(time=clock(wait_s))
    return {
        RefusedCommand.NO_TABLE: _("You sit at no table."),
        RefusedCommand.ALREADY_AT_TABLE: _("You already sit at a table. Leave it first."),
        RefusedCommand.NOT_NOW: _("That cannot be done now."),
        RefusedCommand.TITLE: _("The table needs a name."),
        RefusedCommand.SEATS: _("These rules do not allow so many players."),
        RefusedCommand.DEALER: table_rule_refused(TableRulesError("dealer", 0)),
        RefusedCommand.NO_CODE: _(
            "Your program was started again and has forgotten the code. Another player can open the table."
        ),
        RefusedCommand.KEY_ERASED: books.key_erased(),
        RefusedCommand.NOBODY_MISSED: _("The table waits for nobody but you."),
        RefusedCommand.TOO_MUCH_TALK: talk.too_much(),
        RefusedCommand.NOTHING_SAID: talk.nothing_said(),
        RefusedCommand.RULES: _("These rules cannot be played over the network yet."),
    }[reason]


def _plain(refusal: Refusal) -> str:
    """Return the sentence of a refusal that needs no data."""
    sentences = {
        Refusal.DEAL_OVER: _("The deal is over."),
        Refusal.NO_CARDS: no_cards_chosen(),
        Refusal.NUMBER_MISSING: _("At this table the number is said too."),
        Refusal.NUMBER_UNSTATED: _("At this table no number is said."),
        Refusal.FALSE_NUMBER: _("The number must be true."),
        Refusal.RANK_NOT_IN_PACK: _("This pack has no cards of that rank."),
        Refusal.NO_ACES: _("Aces may not be named."),
        Refusal.REPEATED_CLAIM: _("You may not open with the same words again."),
        Refusal.MUST_CALL: _("You must call: these are the last cards."),
        Refusal.MUST_ANSWER: _("You must call: these are the last cards."),
        Refusal.EMPTY_HAND: _("You hold no cards."),
        Refusal.NO_SUCH_CARD: _("The packet has no such card."),
        Refusal.CARDS_LEFT: _("There are still cards to lay."),
        Refusal.NO_ANNOUNCING: _("At this table nobody has to say that the cards are gone."),
        Refusal.NOTHING_TO_CALL: _("There is no packet to call."),
        Refusal.NO_VERYU: _("This table plays without “I believe”."),
        Refusal.LEAD_EXEMPT: _("A first packet of one card may not be called."),
        Refusal.NOT_A_SET: _("Only four cards of one rank can be removed."),
        Refusal.NOT_IN_HAND: _("You no longer hold this card."),
        Refusal.WRONG_RANK: _("Another rank is in force until somebody calls."),
        Refusal.RANK_BARRED: _("All cards of this rank are out of play."),
    }
    return sentences.get(refusal, _("That cannot be done now."))


def _number(data: Mapping[str, object], name: str) -> int:
    """Return a number of a refusal's data; 0 if it is missing."""
    value = data.get(name)
    return value if isinstance(value, int) else 0
