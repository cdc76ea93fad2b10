"""The lobby: open tables, the chosen one's card, and the people on this network."""

from collections.abc import Sequence
from typing import Final

from p2p.protocol.snapshot import LobbySnapshot, OfferStatus, OfferView, RefusedJoin
from ui.arrival import not_watched
from ui.i18n import gettext as _
from ui.i18n import ngettext
from ui.keys import Place
from ui.lobby.lists import (
    draw_card,
    draw_nobody,
    draw_offers,
    draw_people,
)
from ui.lobby.page import Layout, Page, below, panel, split, who_i_am
from ui.lobby.wishes import CopyAddress, EnterCode, Go, Join, PlayWithBots, Watch, Where, Wish
from ui.rulesets import USUAL_BOTS
from ui.table.canvas import Canvas
from ui.table.frame import Cap
from ui.table.size import Rect
from ui.words import coach
from ui.words.enter import EnterLine, watch_table
from ui.words.looking import LOOK_FOR_S, Surroundings
from ui.words.refusals import join_refused


class LobbyPage(Page):
    """The lobby; `show` brings new data, the chosen table stays chosen."""

    place = Place.LOBBY
    has_banner = False

    def __init__(self, snapshot: LobbySnapshot, surroundings: Surroundings | None = None) -> None:
        self.snapshot = snapshot
        self.surroundings = surroundings or Surroundings()
        self._chosen: tuple[bytes, bytes] | None = None
        self._card_open = False
        self._narrow = False

    def show(self, snapshot: LobbySnapshot, surroundings: Surroundings | None = None) -> None:
        """Take new data."""
        self.snapshot = snapshot
        self.surroundings = surroundings or self.surroundings

    @property
    def index(self) -> int:
        """Which table is chosen; 0 if the one chosen before is gone."""
        places = [offer.place for offer in self.snapshot.offers]
        return places.index(self._chosen) if self._chosen in places else 0

    @property
    def chosen(self) -> OfferView | None:
        """The chosen table, if there is any."""
        offers = self.snapshot.offers
        return offers[self.index] if offers else None

    @property
    def _offers_bots(self) -> bool:
        """Whether nobody was found for so long that Enter plays with bots."""
        return self.snapshot.alone and self.surroundings.looked_s >= LOOK_FOR_S

    @property
    def title(self) -> str:
        """The place."""
        return _("Lobby")

    def corner(self, width: int) -> str:
        """Who I am."""
        return who_i_am(self.snapshot.own_name, self.snapshot.own_fingerprint, width)

    def press(self, name: str) -> Wish | None:
        """Move among the tables, or ask for something."""
        if name in ("up", "down"):
            self._step(1 if name == "down" else -1)
        elif name == "space":
            # Where there is room, the card stands beside the list anyway.
            self._card_open = self._narrow and not self._card_open
        elif name == "enter":
            return self._enter()
        elif name == "watch":
            return self._watch()
        elif name == "copy":
            return self._copy()
        elif name == "back" and self._card_open:
            self._card_open = False
        else:
            return _WISHES.get(name)
        return None

    def pick(self, what: str, index: int) -> Wish | None:
        """A click on a table chooses it."""
        if what == "offer" and 0 <= index < len(self.snapshot.offers):
            self._chosen = self.snapshot.offers[index].place
        return None

    def enter_line(self) -> EnterLine:
        """Join the chosen table, or what else there is to do."""
        offer = self.chosen
        if offer is None:
            return self._enter_without_table()
        if self.snapshot.joining == offer.offer_id:
            watch = offer.status is OfferStatus.PLAYING
            text = _("Asking to watch {title}…") if watch else _("Asking for a seat at {title}…")
            return EnterLine(text.format(title=offer.title), live=False)
        if offer.own:
            return EnterLine(_("Back to your table"))
        if offer.status is OfferStatus.OPEN:
            code = offer.needs_code
            aside = _("asks for the code") if code else _("you see the rules before you agree")
            return EnterLine(_("Join {title}").format(title=offer.title), aside)
        if self._not_watched is None:
            return watch_table(offer.title)
        full = offer.status is OfferStatus.FULL
        return EnterLine(join_refused(RefusedJoin.FULL if full else RefusedJoin.PLAYING), live=False)

    @property
    def _not_watched(self) -> RefusedJoin | None:
        """Why the chosen table cannot be watched; None if it can be."""
        offer = self.chosen
        return RefusedJoin.NOT_PLAYED if offer is None else not_watched(offer)

    def _enter_without_table(self) -> EnterLine:
        """What Enter does where no table is open."""
        if not self.snapshot.alone:
            return EnterLine(_("Open a table"), _("nobody has opened one yet"))
        if not self._offers_bots:
            return EnterLine(_("Open a table"), _("others will see it at once"))
        if self.surroundings.novice:
            return EnterLine(coach.offer(), coach.offered())
        text = ngettext("Play with {count} bot meanwhile", "Play with {count} bots meanwhile", USUAL_BOTS)
        return EnterLine(text.format(count=USUAL_BOTS))

    def acts(self) -> Sequence[Cap]:
        """What else can be done."""
        first = [self.cap("first_deal")] if self.surroundings.novice and not self._offers_bots else []
        found = [self.cap("open"), *first, self.cap("bots"), self.cap("address")]
        if self._not_watched is None:
            found.append(self.cap("watch"))
        if self.surroundings.addresses:
            found.append(self.cap("copy"))
        return found

    def foot(self) -> Sequence[Cap]:
        """The other keys."""
        found = [self.cap("help")]
        if len(self.snapshot.offers) > 1:
            found.append(Cap("↑↓", _("choose"), "down"))
        if self.snapshot.offers and self._narrow:
            found.append(Cap("Space", _("its card"), "space"))
        more = (self.cap("settings"), self.cap("replay"), self.cap("statistics"))
        return (*found, self.cap("back", _("menu")), *more)

    def draw_body(self, canvas: Canvas, layout: Layout) -> None:
        """Tables above, the chosen one and the people below."""
        body, self._narrow = layout.body, layout.narrow
        lower = min(9, body.height // 2)
        upper = Rect(body.row, body.column, body.width, body.height - lower)
        under = below(body, upper.height)
        offers, people = self.snapshot.offers, self.snapshot.people
        if self._card_open and self.chosen is not None and self._narrow:
            draw_card(canvas, panel(canvas, body, self.chosen.title, framed=layout.framed), self.chosen)
            return
        if self.snapshot.alone:
            inner = panel(canvas, body, _("Open tables"), framed=layout.framed)
            draw_nobody(canvas, inner, self.surroundings)
            return
        inner = panel(
            canvas, upper, _("Open tables · {count}").format(count=len(offers)), framed=layout.framed
        )
        draw_offers(canvas, inner, offers, self.index)
        left, right = split(
            under, 0 if self._narrow else under.width * 43 // 80, gap=0 if self._narrow else 1
        )
        if not self._narrow:
            chosen = self.chosen
            inner = panel(canvas, left, chosen.title if chosen else _("No table"), framed=layout.framed)
            draw_card(canvas, inner, chosen)
        inner = panel(
            canvas, right, _("People here · {count}").format(count=len(people)), framed=layout.framed
        )
        draw_people(canvas, inner, people)

    def _step(self, by: int) -> None:
        """Choose the next or the previous table."""
        offers = self.snapshot.offers
        if offers:
            self._chosen = offers[max(0, min(len(offers) - 1, self.index + by))].place

    def _enter(self) -> Wish | None:
        """Do what the Enter line says."""
        offer = self.chosen
        if offer is None:
            bots = PlayWithBots(USUAL_BOTS, coached=self.surroundings.novice)
            return bots if self._offers_bots else Go(Where.OPEN_TABLE)
        if not self.enter_line().live:
            self.note = self.enter_line().text
            return None
        if offer.own:
            return Go(Where.BACK)
        if offer.status is OfferStatus.PLAYING:
            return self._watch()
        return EnterCode(*offer.place) if offer.needs_code else Join(offer.opener, offer.offer_id)

    def _watch(self) -> Wish | None:
        """Watch the chosen table, or say why it cannot be."""
        offer, reason = self.chosen, self._not_watched
        if offer is None:
            self.note = _("Nobody has opened a table yet.")
            return None
        if reason is not None or offer.own:
            self.note = join_refused(reason or RefusedJoin.BUSY)
            return None
        if offer.needs_code:
            return EnterCode(*offer.place, watch=True)
        return Watch(offer.opener, offer.offer_id)

    def _copy(self) -> Wish | None:
        """Copy the likeliest address."""
        if not self.surroundings.addresses:
            self.note = _("This computer has no address yet.")
            return None
        return CopyAddress(self.surroundings.addresses[0])


_WISHES: Final[dict[str, Wish]] = {
    "open": Go(Where.OPEN_TABLE),
    "address": Go(Where.ADDRESS),
    "bots": Go(Where.BOTS),
    "first_deal": PlayWithBots(USUAL_BOTS, coached=True),
    "statistics": Go(Where.STATISTICS),
    "replay": Go(Where.RECORDS),
    "settings": Go(Where.SETTINGS),
    "help": Go(Where.HELP),
    "back": Go(Where.MENU),
}
"""What a key asks for by itself."""
