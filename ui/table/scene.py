"""The whole table screen as one picture: a scene in, a canvas out."""

from dataclasses import dataclass, replace

from rich.cells import cell_len

from p2p.protocol.snapshot import TalkLine
from ui.lobby.talking import Typed
from ui.table import acts
from ui.table.canvas import Canvas, Ink, clip
from ui.table.cards import draw_box
from ui.table.centre import block_rows, draw_centre
from ui.table.choice import Choice, picks_card, raised
from ui.table.coach import Explained
from ui.table.frame import draw_acts, draw_banner, draw_enter, draw_foot, draw_ranks, draw_top, table_place
from ui.table.hand import HandLayout, HandLook, closed_rows, draw_closed, draw_hand, lay_out
from ui.table.intent import Intent
from ui.table.logbook import broken, draw_log, talk_lines, worded
from ui.table.players import PlayerRow, draw_rows, player_rows
from ui.table.preparing import draw_shuffles
from ui.table.reveal import Frame, Picture
from ui.table.situation import Situation, Stage
from ui.table.size import Rect, Rows, Size, Width, rows_of
from ui.words import enter, shuffling, table, trust
from ui.words.banner import Banner, BannerKind
from ui.words.log import LogKind, LogLine
from ui.words.people import clock
from ui.words.situation import when_time_is_over
from ui.words.table_rules import time_left

_LINE = Ink("line")
_PLAYERS_MID, _PLAYERS_WIDE, _LOG_WIDE = 33, 38, 34
SHORT_S = 10.0
"""So little own time is marked, and rung for once."""
_LINES_AN_EVENT = 3
"""Some events have nothing to say; so many for each line of the log are enough to fill it."""
_LOG_ROWS = 4
"""A log this short gives up no row."""
_MANY_PLAYERS = 8
"""More than this leave no room for the log in a narrow window."""


@dataclass(frozen=True, slots=True)
class Scene:
    """All that the picture depends on.

    picture: the reveal that stands on the table. frame: how far a running show has come, None when none runs.
    before: what stood before the reveal, while a show runs.
    note: an answer on the Enter line. hollow: sending keys are dead for the moment. covered: own cards are
    turned away. enter_cap, language: for caps. now: the peer's clock. talk: what is shown of the talk. typed:
    what the own person is about to say. coach: what was explained of a first deal.
    """

    situation: Situation
    choice: Choice
    intent: Intent
    banner: Banner
    picture: Picture | None = None
    frame: Frame | None = None
    note: str = ""
    hollow: bool = False
    covered: bool = False
    language: str = "en"
    now: float = 0.0
    before: Situation | None = None
    talk: tuple[TalkLine, ...] = ()
    typed: Typed | None = None
    coach: tuple[Explained, ...] = ()
    muted: bool = False

    @property
    def known(self) -> Situation:
        """What all but the middle of the table show: what a reveal leads to waits for its last sentence."""
        if self.before is None or self.frame is None or self.frame.consequence:
            return self.situation
        return self.before

    def only_later_than(self, other: "Scene") -> bool:
        """Whether nothing but the clock in the top line tells this scene from another."""
        away = any(member.away_since is not None for member in self.situation.table.members)
        window = bool(self.situation.unanswered)
        overdue = self.situation.may_end_wait(self.now) != self.situation.may_end_wait(other.now)
        return not (away or window or overdue) and replace(self, now=other.now) == other


def draw_scene(scene: Scene, size: Size) -> Canvas:
    """Paint the table at a size that is not too small."""
    canvas = Canvas(size.width, size.height)
    _draw_top(canvas, scene, size)
    if scene.situation.stage is Stage.PREPARING or scene.situation.state is None:
        _draw_preparing(canvas, scene, size)
        return canvas
    players = player_rows(scene.known, _picture_for_rows(scene), scene.now)
    situation, free = scene.known, size.hand_rows(len(players))
    layout = lay_out(situation.hand, size.hand_width, free, size.card_height)
    height = layout.rows
    if situation.unread:
        height = closed_rows(situation.held, size.hand_width, free, size.card_height)
    rows = rows_of(size, max(height, size.card_height + 1))
    _draw_body(canvas, scene, size, rows.body, players)
    draw_banner(canvas, rows.banner, scene.banner)
    if rows.hand_frame is not None and situation.seat is not None:
        _draw_hand_frame(canvas, scene, rows)
    _draw_own_cards(canvas, scene, size, rows, layout, free)
    _draw_below(canvas, scene, rows)
    return canvas


def with_clock(canvas: Canvas, scene: Scene, size: Size) -> Canvas:
    """Return a picture of the same scene at a later time; a whole one each second costs ten times as much."""
    later = canvas.copy()
    _draw_top(later, scene, size)
    return later


def _draw_own_cards(
    canvas: Canvas, scene: Scene, size: Size, rows: Rows, layout: HandLayout, free: int
) -> None:
    situation = scene.known
    left = 1 if rows.hand_frame is None else 2
    if situation.seat is None:
        return
    if not situation.held:
        canvas.put(rows.hand, left, clip(table.no_cards(), size.width - 2), Ink("mute"))
    elif scene.covered or situation.unread:
        height = size.card_height
        draw_closed(canvas, rows.hand, left, situation.held, size.hand_width, free, height)
        if scene.covered:
            canvas.put(rows.hand, left, clip(table.covered(), size.width - 2), Ink("mute"))
    else:
        look = HandLook(raised(scene.choice, situation), scene.choice.new, scene.choice.cursor)
        draw_hand(canvas, rows.hand, left, layout, look)


def _picture_for_rows(scene: Scene) -> Picture | None:
    # Who takes would give away the verdict before it stands on the table.
    return scene.picture if scene.frame is None or scene.frame.consequence else None


def _draw_top(canvas: Canvas, scene: Scene, size: Size) -> None:
    snapshot = scene.known.table
    good, word = trust.top_word(snapshot)
    time, short = clock_words(scene)
    room = size.width - cell_len(word) - cell_len(time) - 18
    place = table_place(snapshot.title, snapshot.ruleset.form, snapshot.deal, room)
    draw_top(canvas, place, good=good, trust=word, clock=time, warn_clock=short)


def clock_words(scene: Scene) -> tuple[str, bool]:
    """The time that is left for whoever has to choose, else how long the table has been waiting; and whether
    the own time is running short.
    """
    situation = scene.known
    if situation.stage is Stage.ENDED:
        return "", False
    timed, since = situation.timed, situation.waiting_since
    if timed is None or timed.until is None:
        return "" if since is None else clock(scene.now - since), False
    left = timed.until - scene.now
    mine = timed.seat == situation.seat
    words = time_left(clock(left), own=mine)
    short = mine and left < SHORT_S
    return (f"! {words}" if short else words), short


def _draw_body(canvas: Canvas, scene: Scene, size: Size, body: Rect, players: tuple[PlayerRow, ...]) -> None:
    watchers = len(scene.known.table.watchers)
    # A frame that cannot hold all players is worse than none.
    crowded = len(players) > body.height - 2
    match Width.NARROW if crowded else size.wide:
        case Width.NARROW:
            _draw_narrow(canvas, scene, size, body, players)
        case Width.MID:
            _draw_players(canvas, Rect(body.row, 0, _PLAYERS_MID, body.height), players, watchers)
            right = Rect(body.row, _PLAYERS_MID, size.width - _PLAYERS_MID, body.height)
            _draw_table_and_log(canvas, scene, size, right)
        case Width.WIDE:
            _draw_players(canvas, Rect(body.row, 0, _PLAYERS_WIDE, body.height), players, watchers)
            middle = Rect(body.row, _PLAYERS_WIDE, size.width - _PLAYERS_WIDE - _LOG_WIDE, body.height)
            _draw_table_alone(canvas, scene, size, middle)
            right = Rect(body.row, size.width - _LOG_WIDE, _LOG_WIDE, body.height)
            draw_box(canvas, *right, _LINE, table.log_title())
            inside = right.inside()
            _draw_log(canvas, scene, Rect(inside.row, inside.column + 1, inside.width - 2, inside.height))


def _draw_players(canvas: Canvas, rect: Rect, players: tuple[PlayerRow, ...], watchers: int) -> None:
    draw_box(canvas, *rect, _LINE, table.players_title(watchers))
    inside = rect.inside()
    pitch = 2 if rect.width > _PLAYERS_MID and len(players) * 2 - 1 <= inside.height else 1
    draw_rows(canvas, inside.row, inside.column, inside.width, players, back="background", pitch=pitch)


def _draw_narrow(
    canvas: Canvas, scene: Scene, size: Size, body: Rect, players: tuple[PlayerRow, ...]
) -> None:
    two = len(players) > 3
    lines = -(-len(players) // 2) if two else len(players)
    canvas.fill(body.row, 0, size.width, lines, Ink("foreground", "surface"))
    half = size.width // 2
    if two:
        draw_rows(canvas, body.row, 0, half, players[:lines], back="surface")
        draw_rows(canvas, body.row, half, half, players[lines:], back="surface")
    else:
        draw_rows(canvas, body.row, 0, size.width, players, back="surface")
    left = Rect(body.row + lines, 2, size.width - 3, body.height - lines)
    height, tight = _block(left.height, size.card_height)
    block = Rect(left.row, left.column, left.width, height)
    _draw_centre(canvas, scene, block, size, tight=tight)
    if len(players) <= _MANY_PLAYERS:
        _draw_log(canvas, scene, Rect(left.row + height, left.column, left.width, left.height - height))


def _draw_table_and_log(canvas: Canvas, scene: Scene, size: Size, rect: Rect) -> None:
    draw_box(canvas, *rect, _LINE, table.table_title())
    inside = rect.inside()
    height, tight = _block(inside.height, size.card_height)
    block = Rect(inside.row, inside.column + 2, inside.width - 3, height)
    _draw_centre(canvas, scene, block, size, tight=tight)
    left = inside.height - height
    # A reveal fills its block to the last row; its sentence should not run into the log.
    apart = 1 if scene.picture is not None and left > _LOG_ROWS else 0
    _draw_log(canvas, scene, Rect(block.row + height + apart, block.column, block.width, left - apart))


def _draw_table_alone(canvas: Canvas, scene: Scene, size: Size, rect: Rect) -> None:
    draw_box(canvas, *rect, _LINE, table.table_title())
    inside = rect.inside()
    height, tight = _block(inside.height, size.card_height)
    above = (inside.height - height) // 2
    block = Rect(inside.row + above, inside.column + 2, inside.width - 3, height)
    _draw_centre(canvas, scene, block, size, tight=tight)


def _block(rows: int, card_height: int) -> tuple[int, bool]:
    full = block_rows(card_height, tight=False)
    if rows >= full:
        return full, False
    return min(rows, block_rows(card_height, tight=True)), True


def _draw_centre(canvas: Canvas, scene: Scene, rect: Rect, size: Size, *, tight: bool) -> None:
    picks = picks_card(scene.choice, scene.situation) and scene.frame is None
    draw_centre(
        canvas,
        rect,
        scene.situation,
        scene.picture,
        scene.frame,
        card_height=size.card_height,
        tight=tight,
        picked=scene.choice.index if picks else None,
    )


def _draw_log(canvas: Canvas, scene: Scene, rect: Rect) -> None:
    happened = scene.situation.table.happened
    if scene.picture is not None and scene.frame is not None and not scene.frame.consequence:
        # The verdict belongs to the table first.
        shown = scene.picture.shown
        happened = tuple(one for one in happened[: _index_of(happened, shown)])
    # A long deal has hundreds of events; only the last ones can be seen here.
    recent = happened[-(_LINES_AN_EVENT * max(rect.height, 1)) :]
    first = len(happened) - len(recent)
    lines = worded(scene.situation, recent, talk=scene.talk, coach=scene.coach, first=first)
    default = "" if scene.covered or scene.frame is not None else when_time_is_over(scene.situation.table)
    if default:
        # It may name a rank, so covered cards keep it to themselves.
        lines.append(LogLine(LogKind.QUIET, default))
    draw_log(canvas, rect, broken(lines, rect.width))


def _index_of(happened: tuple[object, ...], shown: object) -> int:
    for number in range(len(happened) - 1, -1, -1):
        if getattr(happened[number], "event", None) is shown:
            return number
    return len(happened)


def _draw_hand_frame(canvas: Canvas, scene: Scene, rows: Rows) -> None:
    assert rows.hand_frame is not None
    mine = scene.banner.kind is BannerKind.TURN
    rect = Rect(rows.hand_frame, 0, canvas.width, rows.enter - rows.hand_frame)
    ink = Ink("text-accent" if mine else "line", bold=mine)
    draw_box(canvas, *rect, ink, table.hand_title(scene.known.held), heavy=mine)


def _draw_below(canvas: Canvas, scene: Scene, rows: Rows) -> None:
    if scene.typed is not None:
        scene.typed.draw(canvas, rows.enter, rows.acts, rows.foot)
        return
    situation, choice, language = scene.situation, scene.choice, scene.language
    enter_cap = acts.cap("enter", language).cap
    showing = scene.frame is not None
    line = enter.reveal() if showing else scene.intent.line
    rows_painted = draw_enter(canvas, rows.enter, line, enter_cap, hollow=scene.hollow, note=scene.note)
    if not showing and rows_painted == 1:
        if choice.naming:
            draw_ranks(canvas, rows.acts, acts.naming(situation, choice))
        else:
            draw_acts(canvas, rows.acts, acts.acts(situation, choice, scene.intent, language, scene.now))
    draw_foot(
        canvas, rows.foot, acts.foot(situation, language, own_cards=bool(situation.held), muted=scene.muted)
    )


def _draw_preparing(canvas: Canvas, scene: Scene, size: Size) -> None:
    foot = size.height - 1
    banner = foot - 1 if scene.typed is None else foot - 3
    body = Rect(1, 0, size.width, banner - 1)
    inside = body
    if size.wide is not Width.NARROW:
        draw_box(canvas, *body, _LINE, shuffling.title())
        inside = body.inside()
    inside = Rect(inside.row + 1, inside.column + 1, inside.width - 2, inside.height - 2)
    used = draw_shuffles(canvas, inside, scene.situation)
    said = broken(talk_lines(scene.situation.table, scene.talk), inside.width)
    below = Rect(inside.row + used + 1, inside.column, inside.width, inside.height - used - 1)
    draw_log(canvas, below, said)
    draw_banner(canvas, banner, scene.banner)
    if scene.typed is not None:
        scene.typed.draw(canvas, foot - 2, foot - 1, foot)
        return
    draw_foot(canvas, foot, acts.foot(scene.situation, scene.language, own_cards=False, muted=scene.muted))
