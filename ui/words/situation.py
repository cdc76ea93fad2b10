"""What a table is about now, worded from its snapshot: the banner, and the help beside the keys."""

from engine import CHOICES, Duty, Lead, Rank, Seat, State, choices
from engine import Phase as EnginePhase
from engine.default_move import default_move
from p2p.protocol.snapshot import OwedKind, Phase, ShuffleState, TableSnapshot
from ui.i18n import gettext as _
from ui.i18n import ngettext
from ui.words import banner, resuming, shuffling
from ui.words.banner import Banner, BannerKind
from ui.words.ends import over_banner, who_at
from ui.words.people import listed
from ui.words.ranks import RankWord
from ui.words.rules import ready_question
from ui.words.table_rules import default_sentence

_ENDED = frozenset({Phase.OVER, Phase.VOID, Phase.STOPPED, Phase.ABSENT})


def gone_banner(table: TableSnapshot) -> Banner | None:
    """Somebody has left, so all others end the deal. None while all are there."""
    gone = [member.name for member in table.members if member.left and not member.own]
    if not gone:
        return None
    text = ngettext(
        "{names} has left: the others end this deal.",
        "{names} have left: the others end this deal.",
        len(gone),
    ).format(names=listed(gone))
    return Banner(BannerKind.TROUBLE, "", text)


def returning_banner(table: TableSnapshot) -> Banner | None:
    """The own person has come back: not everything is known here yet, or not all ever will be. Else None."""
    if table.taking_up:
        return Banner(BannerKind.QUIET, "", resuming.taking_up())
    return Banner(BannerKind.TROUBLE, "", resuming.only_watching()) if table.silent else None


def table_banner(table: TableSnapshot, now: float | None = None) -> Banner:
    """Return the banner of a table in any phase. now: the snapshot's clock, for what closes by itself."""
    if table.result is not None and table.phase in _ENDED:
        return over_banner(table, table.result)
    if table.phase is Phase.GATHERING:
        return gathering_banner(table)
    apart = gone_banner(table) or returning_banner(table)
    if apart is not None:
        return apart
    if table.phase is Phase.PLAYING and table.view is not None:
        shown = playing_banner(table, table.view.state, now)
    else:
        shown = preparing_banner(table)
    return banner.as_watcher(shown) if table.watching else shown


def gathering_banner(table: TableSnapshot) -> Banner:
    """While people take seats: asks me to read the rules, or says whom the table waits for."""
    own = next((member for member in table.members if member.own), None)
    if own is not None and not own.ready:
        return Banner(
            BannerKind.TURN,
            _("READ THE RULES"),
            ready_question(table.ruleset, table.seats, table.table_rules),
        )
    free = table.seats - len(table.members)
    if free:
        text = ngettext("Waiting for {count} more player.", "Waiting for {count} more players.", free)
        return Banner(BannerKind.QUIET, "", text.format(count=free))
    reading = [member.name for member in table.members if not member.ready and not member.own]
    if reading:
        return banner.waiting_for(listed(reading))
    return Banner(BannerKind.QUIET, "", _("Everybody is ready: the table is being signed."))


def preparing_banner(table: TableSnapshot) -> Banner:
    """Before the cards are in hand: which part of the shuffle goes on, and whose."""
    working = next((one for one in table.shuffles if one.state is ShuffleState.WORKING), None)
    who = who_at(table, working.seat) if working else None
    number = sum(one.state is not ShuffleState.WAITING for one in table.shuffles)
    text = shuffling.banner_text(table.phase, who, number, len(table.shuffles))
    return Banner(BannerKind.QUIET, "", text)


def playing_banner(  # noqa: PLR0911 - one for each thing that may be waited for
    table: TableSnapshot, state: State, now: float | None = None
) -> Banner:
    """During play: my turn and what is asked, or whose turn it is."""
    waits = _waiting_for_seals(table)
    if waits is None and state.phase is EnginePhase.ANSWER:
        return _window(table, now)
    owed = next(iter(state.owed), None)
    if waits is not None or owed is None:
        return waits or Banner(BannerKind.QUIET, "", "")
    if owed.seat == table.own_seat and owed.duty in CHOICES:
        if owed.duty is Duty.DISCARD_SETS:
            return _own_fours(table, state)
        if owed.duty is Duty.GO_OUT_OR_CALL:
            return banner.empty_hand(who_at(table, state.table[-1].owner))
        return _my_turn(table, state, owed.duty is Duty.LAY_OR_CALL)
    if table.own_seat is not None and table.own_seat in state.out:
        return banner.you_are_out(state.out.index(table.own_seat) + 1)
    return _others(table, state, owed.seat, owed.duty)


def _own_fours(table: TableSnapshot, state: State) -> Banner:
    """I may show four of a kind, or have to; whether I hold any, only I know."""
    forced, held = state.ruleset.sets == "forced", table.view is not None and bool(table.view.sets)
    if held:
        return banner.forced_fours() if forced else banner.fours(at_deal=_at_deal(state))
    return Banner(BannerKind.QUIET, "", _by_itself()) if forced else banner.no_fours()


def _at_deal(state: State) -> bool:
    """Whether nothing has been laid yet, so that sets come from the deal."""
    return state.first_lead and state.revealed is None and not state.table


def asked_now(table: TableSnapshot, *, by_keys: bool = True) -> tuple[str, ...]:
    """Return, in sentences, what is asked of the reader now, with the names and numbers of this moment; and
    what becomes of it when his time is over. by_keys: cards are picked by keys, and these are explained too.
    """
    default = when_time_is_over(table)
    asked = tuple(one for one in _asked_now(table) if by_keys or one not in {_early(), _rank_key()})
    return (*asked, default) if default else asked


def _early() -> str:
    """What keys do before the own turn."""
    return _("You may already pick cards; they stay raised until your turn.")


def _by_itself() -> str:
    """Nothing is decided, so the program acts."""
    return _("Your program does this by itself.")


def _rank_key() -> str:
    """How keys name the rank of a lead."""
    return _("Cards of one rank name it; else Enter asks for the rank, and its key names it.")


def when_time_is_over(table: TableSnapshot) -> str:
    """What the program will do for the reader if he does nothing; "" if he has all the time."""
    mine, view = table.owed_by_me, table.view
    if table.phase is not Phase.PLAYING or view is None or mine is None or mine.until is None:
        return ""
    if mine.kind is OwedKind.SETS and not view.sets:
        return ""
    return default_sentence(default_move(view))


def _asked_now(table: TableSnapshot) -> tuple[str, ...]:  # noqa: PLR0911 - one for each duty
    if table.phase is not Phase.PLAYING or table.view is None:
        return (table_banner(table).line,)
    if table.watching:
        return (
            table_banner(table).line,
            _("You have no seat here. You see what all see, and your program checks every step of it."),
        )
    if table.own_seat is None:
        return (
            table_banner(table).line,
            _("You do not play this deal. You see what all see, and your program checks every step of it."),
        )
    state = table.view.state
    mine = table.owed_by_me
    owed = next((one for one in state.owed if one.seat == table.own_seat), None)
    if owed is None or (owed.duty is Duty.ANSWER and (mine is None or not mine.is_choice)):
        return (table_banner(table).line, _early())
    if owed.duty is Duty.DISCARD_SETS:
        if state.ruleset.sets == "forced" or not table.view.sets:
            return tuple(dict.fromkeys((table_banner(table).line, _by_itself())))
        if _at_deal(state):
            shown = _("You may show four cards of one rank before the first lead: they go out of play.")
        else:
            shown = _("You took the pile and may show four cards of one rank: they go out of play.")
        return (
            shown,
            _("All will see them. You may also keep everything, and nobody will know what you hold."),
        )
    if owed.duty is Duty.ANSWER:
        return tuple(_asked_to_answer(table, state))
    if owed.duty is Duty.GO_OUT_OR_CALL:
        return (
            _("Your hand is empty. Say so, and you are out."),
            _("Or call the last packet; if you are wrong, you take all cards on the table."),
        )
    if owed.duty not in (Duty.LAY, Duty.LAY_OR_CALL):
        return (table_banner(table).line, _by_itself())
    return tuple(_asked_to_play(table, state, owed.duty is Duty.LAY_OR_CALL))


def _asked_to_play(table: TableSnapshot, state: State, can_call: bool) -> list[str]:
    """Sentences for a lay, and for a call where one is possible."""
    rank = state.due_rank
    found = []
    if rank is None:
        found.append(_("You lead: lay cards and name any rank."))
        found.append(_rank_key())
    elif state.ruleset.rank_rule == "ascending":
        found.append(_("Ranks go up by themselves: now {ranks:of} are due.").format(ranks=RankWord(rank)))
    else:
        found.append(_("You follow: {ranks} are in force.").format(ranks=RankWord(rank)))
    least, most = lay_limits(state)
    if most is None:
        text = ngettext("Lay {least} card or more.", "Lay {least} cards or more.", least).format(least=least)
    else:
        text = ngettext("Lay {least} to {most} card.", "Lay {least} to {most} cards.", most).format(
            least=least, most=most
        )
    found += [text, _("They may be anything: what counts is whether you are called.")]
    if state.ruleset.manual_out and not state.stock:
        found.append(_("Laying your last cards, say so; who forgets stays in until the next turn."))
    if can_call:
        found += _what_a_call_does(table, state)
    return found


def _asked_to_answer(table: TableSnapshot, state: State) -> list[str]:
    """Sentences for the window after a lay."""
    found = [
        _("Anyone may call this packet. Say nothing if you let it pass; nobody sees answers before all.")
    ]
    found.append(_("If several call, the nearest to its owner counts, clockwise."))
    return found + _what_a_call_does(table, state)


def _what_a_call_does(table: TableSnapshot, state: State) -> list[str]:
    """Sentences about calling the live packet."""
    packet = state.table[-1]
    owner, rank, pile = who_at(table, packet.owner), RankWord(packet.rank), len(state.pile)
    found = []
    if not state.exempt:
        if pile == 1:
            text = _("Or call {name}. If the card on the table is not {ranks:a}, {name} takes it.")
            then = _("If it is, you take it.")
        elif state.ruleset.check == "all":
            text = _(
                "Or call {name}. If a card of the last packet is not {ranks:a}, {name} takes all {count}."
            )
            then = _("If all are, you take them.")
        else:
            text = _("Or call {name}. If the one card opened is not {ranks:a}, {name} takes all {count}.")
            then = _("If it is, you take them.")
        found += [text.format(name=owner.name, ranks=rank, count=pile), then]
    believe = _what_belief_does(str(state.ruleset.veryu), alone=pile == 1)
    if believe:
        found.append(believe.format(name=owner.name, count=pile))
    return found if pile == 1 else [*found, _("Older cards are never looked at.")]


def _what_belief_does(veryu: str, *, alone: bool) -> str:
    """The sentence about “I believe”, still to be filled in; "" where nobody says so. alone: one card lies on
    the table.
    """
    if veryu == "none":
        return ""
    if alone and veryu == "packet":
        return _("Or believe {name}: rightly, the card goes out of play; wrongly, you take it.")
    if alone:
        return _("Or believe {name}: rightly, the card goes out of play, you lead; wrongly, you take it.")
    if veryu == "packet":
        return _("Or believe {name}: rightly, the packet goes out of play; wrongly, you take all {count}.")
    return _("Or believe {name}: rightly, all cards go out of play, you lead; wrongly, you take all {count}.")


def lay_limits(state: State) -> tuple[int, int | None]:
    """Return the least and the greatest number of cards of a lay now; None where the table sets no limit."""
    found = choices(state)
    leading = state.lead is Lead.DUE
    limit = state.ruleset.lead_max if leading else state.ruleset.follow_max
    return found.least, None if limit == "none" else found.most


def _my_turn(table: TableSnapshot, state: State, can_call: bool) -> Banner:
    """I am to lay, or to call."""
    rank = state.due_rank
    if rank is None:
        least, most = lay_limits(state)
        return banner.lead(least, most)
    if state.lead is Lead.DUE:
        return banner.lead_due(rank)
    if not can_call:
        return banner.lay_only(rank)
    owner = who_at(table, state.table[-1].owner)
    pending = state.pending is not None
    if not choices(state).most:
        return banner.must_call(owner)
    return banner.lay_or_call(rank, owner, last_cards=pending, veryu=state.ruleset.veryu != "none")


def window_left_s(table: TableSnapshot, now: float | None) -> float | None:
    """How long the own window for calls stays open; None if it does not close by itself."""
    mine = table.owed_by_me
    return None if mine is None or mine.until is None or now is None else mine.until - now


def _window(table: TableSnapshot, now: float | None) -> Banner:
    """Open calls: whether I am asked, or who has not answered yet."""
    mine = table.owed_by_me
    if mine is not None and mine.is_choice:
        return banner.anyone_may_call(window_left_s(table, now))
    late = [who_at(table, owed.seat).label for owed in table.owed if owed.is_choice]
    if not late:
        return Banner(BannerKind.QUIET, "", _("The answers are being opened."))
    return banner.waiting_for_answers(listed(late))


def _others(  # noqa: PLR0911 - one for each duty
    table: TableSnapshot, state: State, seat: Seat, duty: Duty
) -> Banner:
    """Somebody else, or my program, is to act."""
    who = who_at(table, seat)
    if duty is Duty.REVEAL:
        return banner.waiting_to_open(who)
    if duty is Duty.PICK_UP:
        return banner.waiting_for_pick_up(who)
    if duty is Duty.DISCARD_SETS:
        return banner.waiting_for_fours(who)
    if duty is Duty.DRAW:
        return banner.waiting_to_draw(who)
    if duty is Duty.DRAW_INDEX:
        return banner.waiting_for_lot()
    if duty is Duty.GO_OUT:
        return banner.waiting_to_go_out(who)
    rank: Rank | None = state.due_rank
    owner = who_at(table, state.table[-1].owner) if state.live else None
    return banner.waiting_to_act(who, rank, owner)


def _waiting_for_seals(table: TableSnapshot) -> Banner | None:
    """The ledger waits for programs, not for a decision: name those that are late."""
    routine = (OwedKind.SEAL, OwedKind.SHARES)
    late = [owed for owed in table.owed if owed.kind in routine]
    if not late or any(owed.is_choice for owed in table.owed):
        return None
    names = [who_at(table, owed.seat).label for owed in late if owed.seat != table.own_seat]
    return banner.waiting_for(listed(names)) if names else None
