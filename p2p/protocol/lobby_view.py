"""The picture of the lobby, drawn from its machine."""

from crypto import fingerprint
from engine import Ruleset
from p2p.protocol.lobby import Lobby
from p2p.protocol.lobby_snapshot import LobbySnapshot, OfferStatus, OfferView, PersonView
from p2p.protocol.messages import Offer, Presence
from p2p.protocol.names import distinct_names, name_warnings
from p2p.protocol.text import clean_title


def lobby_view(lobby: Lobby) -> LobbySnapshot:
    """The lobby as it is now."""
    core = lobby.core
    raw = {key: person.presence.name for key, person in lobby.people.items()}
    names = distinct_names({core.key: core.name} | raw)
    warnings = name_warnings(core.key, core.name, raw, core.known)
    people = tuple(
        PersonView(
            key=key,
            name=names[key],
            fingerprint=fingerprint(key),
            table_title=_place_title(person.presence),
            reachable=key in core.links,
            warning=warnings.get(key),
        )
        for key, person in lobby.people.items()
    )
    joining = None
    if lobby.seeking is not None and lobby.seeking.roster is None:
        joining = lobby.seeking.offer_id
    elif lobby.watchings.chosen is not None and lobby.watchings.chosen.start is None:
        joining = lobby.watchings.chosen.offer_id
    return LobbySnapshot(
        own_key=core.key,
        own_name=core.name,
        own_fingerprint=fingerprint(core.key),
        people=tuple(sorted(people, key=lambda person: (person.name.casefold(), person.key))),
        offers=_offers(lobby),
        joining=joining,
    )


def _offers(lobby: Lobby) -> tuple[OfferView, ...]:
    found: list[tuple[bytes, Offer, Ruleset]] = []
    for key, person in lobby.people.items():
        if person.offer is not None and person.ruleset is not None and key in lobby.core.links:
            found.append((key, person.offer, person.ruleset))
    if lobby.gathering is not None:
        found.append((lobby.core.key, lobby.gathering.offer, lobby.gathering.ruleset))
    titles = [clean_title(offer.title).casefold() for _, offer, _ in found]
    ids = [offer.offer_id for _, offer, _ in found]
    views = []
    for opener, offer, ruleset in found:
        title = clean_title(offer.title)
        names = distinct_names({person.key: person.name for person in offer.people})
        view = OfferView(
            offer_id=offer.offer_id,
            short_id=_short_id(opener if ids.count(offer.offer_id) > 1 else offer.offer_id),
            same_title=titles.count(title.casefold()) > 1,
            opener=opener,
            title=title,
            ruleset=ruleset,
            table_rules=offer.table_rules,
            seats=offer.seats,
            taken=len(offer.people),
            status=offer.status,
            people=tuple(names[person.key] for person in offer.people),
            own=opener == lobby.core.key,
            goes_on=offer.follows is not None,
            needs_code=offer.needs_code,
        )
        views.append(view)
    order = list(OfferStatus)
    return tuple(sorted(views, key=lambda v: (order.index(v.status), v.title.casefold(), v.place[::-1])))


def _place_title(presence: Presence) -> str | None:
    if presence.place is None:
        return None
    return clean_title(presence.place.title) or None


def _short_id(random: bytes) -> str:
    """Two characters that tell tables of one title apart."""
    alphabet = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
    return alphabet[random[0] % 32] + alphabet[random[1] % 32]
