"""From snapshots, keys and clicks to scenes and moves: the table screen's mind, without a terminal.

Theory of operation. A snapshot comes in (`update`); what happened since the last one may begin a reveal,
which is then shown for its time over the situation that it began in, while the newest snapshot waits. A key
comes in (`press`); it ends a running reveal, or changes the choice, or sends, or answers why it does
nothing. Whatever others change about what Enter would do makes sending keys dead for a moment. Time comes
from an injected clock; `wake_in_s` says when the scene will differ by time alone.
"""

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, replace
from enum import Enum

from engine import Called, Drew, Laid, LaidNothing, Move, PickedUp, Rank, Refusal, Revealed, Slot
from engine import Phase as EnginePhase
from p2p.protocol.snapshot import MoveRefused, TableSnapshot
from p2p.protocol.talk import Said
from ui import keys
from ui.i18n import current_language
from ui.keys import Place
from ui.lobby.talking import Talking
from ui.lobby.wishes import Say
from ui.table import choice as choices
from ui.table.canvas import clip_name
from ui.table.centre import Checked
from ui.table.choice import Choice, NotNowError
from ui.table.coach import Coach
from ui.table.frame import Press
from ui.table.guard import Guard
from ui.table.intent import Intent, intend
from ui.table.reveal import Picture, Show, picture_of
from ui.table.scene import Scene
from ui.table.situation import Situation, Stage
from ui.words import banner as banners
from ui.words import refusals
from ui.words.banner import Banner, BannerKind
from ui.words.people import listed
from ui.words.situation import table_banner


class Leave(Enum):
    """Where a key leads away from the table."""

    HELP = "help"
    MENU = "menu"
    TRUST = "trust"
    LOG = "log"


@dataclass(frozen=True, slots=True)
class EndWait:
    """All others are to be asked to end the wait for who is missed."""


@dataclass(frozen=True, slots=True)
class Send:
    """A move to be made at `step` (deal and step of the ledger) and at no other."""

    move: Move
    step: tuple[int, int]


Command = Send | Leave | EndWait | Say

_SENDING = frozenset({"enter", "call", "believe", "keep", "announce", "fewer", "end_wait"})
_RANKS = {keys.rank_action(rank): rank for rank in Rank}
_PLACES = {"first_card": 0} | {keys.rank_action(rank): int(rank) - 1 for rank in Rank if rank <= Rank.TEN}
_STEPS = {"rank_up": 1, "rank_down": -1, "right": 1, "left": -1, "toggle": 1}
_LEAVES = {"help": Leave.HELP, "trust": Leave.TRUST, "log": Leave.LOG}


_NAME_CELLS = 16
"""Longer names would push the rest of a sentence out of a window; pages to read have them whole."""


def _briefly_named(table: TableSnapshot) -> TableSnapshot:
    """Return a table whose people have names that leave room for what is said about them."""
    members = tuple(replace(one, name=clip_name(one.name, _NAME_CELLS)) for one in table.members)
    return table if members == table.members else replace(table, members=members)


class Flow:
    """One table's screen. Feed it snapshots and presses, ask it for scenes.

    now: the clock that snapshots are stamped with, seconds. animate: whether reveals take their time.
    tell_truth: whether the Enter line says if a lay is true. Both may be changed at any time.
    talking: the own part in the talk. coach: explains a first deal.
    """

    def __init__(
        self,
        table: TableSnapshot,
        now: Callable[[], float],
        *,
        animate: bool = True,
        tell_truth: bool = True,
        talking: Talking | None = None,
        coach: Coach | None = None,
    ) -> None:
        self._now = now
        self.talking = talking or Talking()
        self.animate = animate
        self.tell_truth = tell_truth
        self._guard = Guard(now)
        self._situation = Situation(_briefly_named(table))
        self._coach = coach
        self._teach()
        self._choice = choices.follow(Choice(), self._situation)
        self._seen = (_deal_of(table), len(table.happened))
        self._show: Show | None = None
        self._frozen: Situation | None = None
        self._before: Situation | None = None
        self._called_at: float | None = None
        self._held_before: Counter[object] | None = None
        self._note = ""
        self._covered = False

    @property
    def situation(self) -> Situation:
        """The newest situation, whatever is still being shown."""
        return self._situation

    @property
    def choice(self) -> Choice:
        """What is chosen."""
        return self._choice

    @property
    def showing(self) -> bool:
        """Whether a reveal is still being shown."""
        return self._show is not None and not self._show.frame(self._now()).done

    def keeps(self, table: TableSnapshot) -> bool:
        """Whether a reveal of the snapshot's deal is being shown, or is yet to be shown."""
        deal, count = self._seen
        if _deal_of(table) != deal or self._situation.table.taking_up or table.taking_up:
            return False
        fresh = any(isinstance(one.event, Revealed) for one in table.happened[count:])
        return self.showing or (fresh and self.animate)

    def update(self, table: TableSnapshot) -> None:
        """Take in a new snapshot."""
        self._settle()
        before, own_move = self._meaning(), self._choice.sent
        old = self._situation
        self._situation = Situation(_briefly_named(table))
        self._teach()
        self._choice = choices.follow(self._choice, self._situation)
        self._take_events(old, table)
        self._mark_new()
        if self._meaning() != before:
            if not own_move:
                self._note = ""
            if not self._choice.sent:
                self._guard.changed_by_others()

    def _teach(self) -> None:
        if self._coach is not None:
            self._coach.follow(self._situation)

    def refused(self, event: MoveRefused) -> None:
        """The engine refused the own move."""
        self._choice = replace(self._choice, sent=False)
        actor = self._situation.actor
        who = None if actor is None else self._situation.who(actor)
        self._note = refusals.move_refused(event.reason, dict(event.data), who)

    def say(self, note: str) -> None:
        """Answer on the Enter line until the next key or change."""
        self._note = note

    def press(self, name: str) -> Command | None:
        """Do what the action `name` of `ui.keys` means now; return what the screen must do beyond it.

        While something is typed to be said, no key of the game works.
        """
        if self.talking.open:
            return self._talked(self.talking.press(name))
        if self.showing:
            self._skip(name)
            return None
        self._settle()
        self._note = ""
        if name in _SENDING and self._guard.dead:
            self._note = refusals.table_changed()
            return None
        try:
            return self._do(name)
        except NotNowError as error:
            self._note = error.sentence
            return None

    def type_character(self, character: str) -> Command | None:
        """A key with a character, while something is typed to be said."""
        return self._talked(self.talking.type_character(character))

    def paste(self, text: str) -> None:
        """Text was pasted."""
        self.talking.paste(text)

    def _talked(self, said: Said | None) -> Command | None:
        return None if said is None else Say(said)

    def click(self, target: object) -> Command | None:
        """A click on a target of the canvas: a cap, a rank, or a card by its slot."""
        if isinstance(target, Press):
            return self.press(target.name)
        if self.talking.open:
            return None
        if isinstance(target, Checked):
            target_name = next((name for name, place in _PLACES.items() if place == target.place), "any")
            return self.press(target_name)
        if self.showing:
            self._skip("click")
            return None
        if isinstance(target, int):
            self._note = ""
            if self._guard.dead:
                # The hand may have moved under the mouse.
                self._note = refusals.table_changed()
                return None
            try:
                self._choice = choices.toggle(self._choice, self._situation, Slot(target))
            except NotNowError as error:
                self._note = error.sentence
        return None

    def put_all_back(self) -> None:
        """The right mouse button."""
        if self.talking.open:
            self.talking.close()
        elif not self.showing:
            self._choice = replace(self._choice, chosen=(), fours=frozenset(), keep=False, armed=None)

    def scene(self) -> Scene:
        """Return what to draw now."""
        self._settle()
        now = self._now()
        shown = self._situation
        frame = None
        picture = picture_of(shown)
        if self._show is not None and self._frozen is not None:
            shown, picture, frame = self._frozen, self._show.picture, self._show.frame(now)
        return Scene(
            shown,
            self._choice,
            self._intent(),
            self._banner(shown, now),
            picture,
            frame,
            note=self._note,
            hollow=self._guard.dead,
            covered=self._covered,
            language=current_language(),
            now=now,
            before=self._before,
            talk=self.talking.heard(self._situation.table),
            typed=self.talking.typed,
            muted=self.talking.muted,
            coach=() if self._coach is None else self._coach.lines(self._situation.table),
        )

    def wake_in_s(self) -> float | None:
        """Return in how many seconds the scene differs by time alone; the clock's own second not counted."""
        waits = []
        if self._show is not None:
            change = self._show.next_change_s(self._now())
            if change is not None:
                waits.append(change)
        if self._guard.dead:
            waits.append(self._guard.dead_for_s)
        return min(waits) if waits else None

    def _settle(self) -> None:
        """Leave a reveal whose time is over: the newest situation takes its place."""
        if self._show is None or not self._show.frame(self._now()).done:
            return
        by_key = self._show.ends == self._show.whole_from
        self._show = self._frozen = self._before = None
        if not by_key:
            self._guard.changed_by_others()

    def _skip(self, name: str) -> None:
        assert self._show is not None
        if name == "enter":
            # The key that ends the show must not, when it bounces, also send.
            self._guard.enter_again()
        self._show = self._show.skip(self._now())
        self._settle()

    def _take_events(self, old: Situation, table: TableSnapshot) -> None:
        deal, count = self._seen
        fresh = table.happened if deal != _deal_of(table) else table.happened[count:]
        self._seen = (_deal_of(table), len(table.happened))
        if deal != _deal_of(table):
            self._show = self._frozen = None
            self._choice = choices.follow(Choice(), self._situation)
        if old.table.taking_up or table.taking_up:
            return  # what happened before or meanwhile is in the log; nobody sees it again
        for happened in fresh:
            match happened.event:
                case Called():
                    self._called_at = self._now()
                case Revealed():
                    self._before = old if deal == _deal_of(table) and old.state is not None else None
                    self._begin_show()
                case Laid() | LaidNothing() if self._show is not None:
                    self._show = self._show.hurry(self._now())
                case PickedUp(seat) | Drew(seat) if seat == self._situation.seat:
                    self._held_before = Counter(card for _, card in old.hand)
                case _:
                    pass

    def _begin_show(self) -> None:
        picture = self._picture_within()
        if picture is None:
            return
        animate = self.animate and not self.showing
        self._show = Show.begin(picture, self._situation.seat, self._now(), self._called_at, animate=animate)
        self._frozen = self._situation
        self._called_at = None

    def _picture_within(self) -> Picture | None:
        return picture_of(self._situation)

    def _mark_new(self) -> None:
        situation, before = self._situation, self._held_before
        if before is None or situation.state is None or situation.seat is None:
            return
        if len(situation.hand) < len(situation.state.hand_of(situation.seat)) or not situation.hand:
            return
        left = Counter(before)
        new = []
        for slot, card in situation.hand:
            if left[card]:
                left[card] -= 1
            else:
                new.append(slot)
        self._held_before = None
        self._choice = choices.mark_new(self._choice, new)

    def _meaning(self) -> tuple[object, ...]:
        """What the sending keys mean now; the guard watches it."""
        situation = self._situation
        return (situation.stage, situation.live, *self._intent().key)

    def _intent(self) -> Intent:
        cap = keys.cap_of(keys.action_named("call", Place.TABLE), current_language())
        return intend(self._situation, self._choice, cap, tell_truth=self.tell_truth)

    def _banner(self, shown: Situation, now: float) -> Banner:
        if self._show is not None:
            event = self._show.picture.shown
            caller, owner = shown.who(event.caller), shown.who(event.owner)
            words = banners.opened if self._show.frame(now).turned else banners.called
            return words(caller, owner, event.believe)
        situation, state = self._situation, self._situation.state
        gone = None if situation.table.taking_up else self._away(now)
        if gone is not None:
            return gone
        if state is not None and state.phase is EnginePhase.REVEAL and state.called is not None:
            owner = situation.who(state.table[-1].owner)
            return banners.called(situation.who(state.called.seat), owner, state.called.believe)
        if situation.has_no_set_to_show:
            return banners.no_fours()
        found = table_banner(situation.table, now)
        if self._choice.sent and found.kind is BannerKind.TURN:
            return banners.on_its_way()
        return found

    def _away(self, now: float) -> Banner | None:
        table = self._situation.table
        if self._situation.stage is Stage.ENDED:
            return None
        if table.poll is not None:
            names = listed([self._situation.who(seat).name for seat in table.poll.seats])
            return banners.polled(names, len(table.poll.answered), len(table.poll.voters))
        for owed in table.owed:
            member = self._situation.member(owed.seat)
            if member is not None and not member.own and member.away_since is not None:
                until = None if table.wait_until is None else table.wait_until - member.away_since
                return banners.away(self._situation.who(owed.seat), now - member.away_since, until)
        return None

    def _do(self, name: str) -> Command | None:
        if name in _LEAVES:
            return _LEAVES[name]
        if name == "enter":
            return self._enter()
        if name == "back":
            if choices.nothing_chosen(self._choice):
                return Leave.MENU
            self._choice = choices.take_all_back(self._choice)
        elif name == "end_wait":
            choices.check_may_end_wait(self._situation, self._now())
            return EndWait()
        elif name == "cover":
            self._covered = not self._covered
        elif name in ("talk", "mute"):
            if self._situation.table.watching:
                raise NotNowError(self._situation.watching.text)
            (self.talking.start if name == "talk" else self.talking.mute)()
            self._note = self.talking.note
        else:
            self._choice = self._changed(name)
        return None

    def _changed(self, name: str) -> Choice:  # noqa: PLR0912 - one branch for each key
        choice, situation = self._choice, self._situation
        steps = _STEPS.get(name, 0)
        if situation.stage is Stage.ENDED and name != "put_back":
            raise NotNowError(choices.not_my_turn(situation))
        if situation.stage is Stage.WATCHING and situation.seat is None:
            raise NotNowError(situation.watching.text)
        if choices.picks_card(choice, situation) and name in {*_PLACES, "left", "right"}:
            place = _PLACES.get(name, (choice.index + steps) % situation.choices.indices)
            return choices.pick_card(choice, situation, place)
        if name in _RANKS:
            return choices.take_rank(choice, situation, _RANKS[name])
        match name:
            case "call" | "believe":
                choice = choices.arm(choice, situation, believe=name == "believe")
            case "keep":
                choice = choices.say_nothing(choice, situation)
            case "announce":
                choice = choices.say_out(choice, situation)
            case "name_rank":
                choice = choices.start_naming(choice, situation)
            case "rank_up" | "rank_down":
                choice = choices.step_rank(choice, situation, steps)
            case "toggle" if choice.cursor is not None:
                choice = choices.toggle(choice, situation, choice.cursor)
            case "left" | "right" | "toggle":
                choice = choices.move_cursor(choice, situation, steps)
            case "put_back":
                choice = choices.put_back(choice)
            case "fewer" if choices.may_lay_nothing(situation):
                choice = choices.lay_nothing(choice, situation)
            case "fewer" | "more":
                raise NotNowError(refusals.move_refused(self._number_refusal(), {}))
            case _:
                raise NotNowError(refusals.move_refused(Refusal.NOT_NOW, {}))
        return choice

    def _number_refusal(self) -> Refusal:
        state = self._situation.state
        honest = state is not None and state.ruleset.claim_number == "honest"
        return Refusal.FALSE_NUMBER if honest else Refusal.NUMBER_UNSTATED

    def _enter(self) -> Command | None:
        if self._guard.enter_again():
            return None
        intent = self._intent()
        if intent.move is not None:
            self._choice = replace(self._choice, sent=True, new=frozenset())
            unreached = self._situation.unreached
            self._note = "" if unreached is None else refusals.no_link(unreached)
            return Send(intent.move, self._situation.step)
        if intent.names:
            self._choice = replace(self._choice, naming=True)
        else:
            self._note = intent.refusal
        return None


def _deal_of(table: TableSnapshot) -> tuple[bytes | None, int]:
    """Which deal it is: who watches goes from one table's first deal straight to another's."""
    return table.table_id, table.deal
