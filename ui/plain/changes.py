"""What has changed between two pictures of the lobby or of the own table, in lines; nothing is asked here."""

from engine import Seat
from p2p.protocol.snapshot import (
    LobbySnapshot,
    MemberView,
    OfferStatus,
    OfferView,
    OwedKind,
    PersonView,
    Phase,
    ShuffleState,
    TableSnapshot,
    TrustAnswer,
)
from ui.after_deal import keeps_books_closed
from ui.plain.events import line
from ui.table.situation import Situation
from ui.words import banner, books, company, ends, plain, plain_news, shuffling
from ui.words.people import Who, full_name, listed, name_warning
from ui.words.rules import form_with_differences
from ui.words.session import session_line
from ui.words.situation import gone_banner, returning_banner


def lobby_changes(before: LobbySnapshot | None, after: LobbySnapshot) -> tuple[str, ...]:
    """Who and which tables have come and gone; before: None at first."""
    old, new = _people(before), _people(after)
    old_offers, new_offers = _offers(before), _offers(after)
    return (
        *(person_line(one) for key, one in new.items() if key not in old),
        *(plain_news.vanishes(one.name) for key, one in old.items() if key not in new),
        *(offer_line(one) for key, one in new_offers.items() if key not in old_offers),
        *(plain_news.table_closes(one.title) for key, one in old_offers.items() if key not in new_offers),
    )


def person_line(person: PersonView) -> str:
    """Who is here."""
    note = "" if person.warning is None else name_warning(person.warning, person.name).removeprefix("! ")
    return plain_news.arrives(full_name(person.name, person.fingerprint), note)


def offer_line(offer: OfferView) -> str:
    """A table that can be joined."""
    title = f"{offer.title} {offer.short_id}" if offer.same_title else offer.title
    rules = form_with_differences(offer.ruleset, offer.seats, offer.table_rules)
    return plain_news.table_opens(title, rules, plain_news.seats_taken(offer.taken, offer.seats))


def _people(lobby: LobbySnapshot | None) -> dict[bytes, PersonView]:
    return {} if lobby is None else {one.key: one for one in lobby.people if one.reachable}


def _offers(lobby: LobbySnapshot | None) -> dict[tuple[bytes, bytes], OfferView]:
    if lobby is None:
        return {}
    return {one.place: one for one in lobby.offers if one.status is OfferStatus.OPEN and not one.own}


def gathering_changes(before: TableSnapshot, after: TableSnapshot) -> tuple[str, ...]:
    """Who has taken a seat, given it up, agreed to the rules or taken that back."""
    old = {one.key: one for one in before.members}
    new = {one.key: one for one in after.members}
    count = sum(one.ready and key in old and old[key].ready for key, one in new.items())
    found = []
    for key, member in new.items():
        was = old.get(key)
        if was is None and not member.own:
            found.append(plain_news.sits_down(full_name(member.name, member.fingerprint)))
        ready = was is not None and was.ready
        if member.ready and not ready:
            count += 1
            found.append(plain_news.ready(_who(member), count, after.seats))
        elif ready and not member.ready:
            found.append(plain_news.not_ready(_who(member)))
    return (*found, *(plain_news.gets_up(one.name) for key, one in old.items() if key not in new))


def deal_changes(before: TableSnapshot | None, after: TableSnapshot) -> tuple[str, ...]:
    """What programs do in a deal, and who has gone; before: the same deal, None at its beginning."""
    situation = Situation(after)
    found = []
    begins = before is None and after.phase is not Phase.PLAYING
    first = (shuffling.explanation(watching=after.own_seat is None),) if begins else ()
    old = {} if before is None else {one.seat: one.state for one in before.shuffles}
    for number, one in enumerate(after.shuffles if begins or before is not None else (), 1):
        if (
            one.state is not ShuffleState.WAITING
            and old.get(one.seat, ShuffleState.WAITING) is ShuffleState.WAITING
        ):
            found.append(plain_news.shuffles(situation.who(one.seat), number, len(after.shuffles)))
    if after.phase is Phase.DEALING and (before is None or before.phase is not Phase.DEALING):
        found.append(shuffling.banner_text(Phase.DEALING))
    for words in (gone_banner, returning_banner):
        now, was = words(after), None if before is None else words(before)
        if now is not None and now != was:
            found.append(now.text)
    return (*first, *(line(after.step, text) for text in found))


def pending_line(before: TableSnapshot | None, after: TableSnapshot) -> str:
    """Somebody has just laid the last cards of a hand."""
    now = None if after.view is None else after.view.state.pending
    was = None if before is None or before.view is None else before.view.state.pending
    if now is None or now == was:
        return ""
    return line(after.step, plain.last_cards(Situation(after).who(now)))


def waiting_lines(before: TableSnapshot | None, after: TableSnapshot) -> tuple[str, ...]:
    """A poll that was opened or has gone on, and others who decide about fours: what follows on the events of
    the deal.
    """
    situation, found = Situation(after), []
    if after.poll is not None and (before is None or before.poll != after.poll):
        names = listed([situation.who(seat).name for seat in after.poll.seats])
        found.append(banner.polled(names, len(after.poll.answered), len(after.poll.voters)).text)
    deciding, decided = _deciders(after), () if before is None else _deciders(before)
    found += [
        banner.waiting_for_fours(situation.who(seat)).text
        for seat in deciding
        if seat not in decided and seat != after.own_seat
    ]
    return tuple(line(after.step, text) for text in found)


def _deciders(table: TableSnapshot) -> tuple[Seat, ...]:
    return tuple(one.seat for one in table.owed if one.kind is OwedKind.SETS and one.is_choice)


def end_lines(table: TableSnapshot) -> tuple[str, ...]:
    """How a deal has ended."""
    result = table.result
    if result is None:
        return ()
    found = [line(result.step, ends.over_banner(table, result).spoken)]
    rules = table.ruleset
    for one in result.standings:
        who = ends.who_at(table, one.seat)
        text = plain_news.standing(who, one.exposed, one.guessed)
        if rules.session != "none":
            wins = rules.end == "first_out"
            text += " " + plain_news.counted(one.wins if wins else one.losses, wins=wins)
        found.append(text)
    return (*found, session_line(table), ends.secret_lies())


def over_changes(before: TableSnapshot | None, after: TableSnapshot) -> tuple[str, ...]:
    """What happens after a deal; before: the same deal when it was over already, else None."""
    found = [] if before is not None else list(end_lines(after))
    result, was = after.result, None if before is None else before.result
    if result is not None and result.audit is not None and (was is None or was.audit is None):
        found.append(ends.audit_sentence(after, result.audit)[1])
    asked = frozenset() if before is None else before.next_ready
    for member in after.everybody:
        if member.key in after.next_ready and member.key not in asked:
            found.append(plain_news.wants_next(_who(member), len(after.next_ready), len(after.next_players)))
    return (*found, *_books(before, after), *_company(before, after))


def _books(before: TableSnapshot | None, after: TableSnapshot) -> list[str]:
    """Who agrees to open the books, and that they are open."""
    if before is not None and after.trust.answer is not before.trust.answer is not TrustAnswer.OPENED:
        return [books.opened()] if after.trust.answer is TrustAnswer.OPENED else []
    view, old = after.books, None if before is None else before.books
    if view is None:
        return []
    fresh = view.wished - (frozenset() if old is None else old.wished)
    count, seats = len(view.wished), len(after.members)
    found = [plain_news.wants_books(ends.who_at(after, seat), count, seats) for seat in sorted(fresh)]
    return [*found, books.key_erased()] if fresh and keeps_books_closed(after) else found


def _company(before: TableSnapshot | None, after: TableSnapshot) -> list[str]:
    """Somebody has opened the table again; a poll about who keeps the next deal waiting."""
    found = []
    view = after.reopened
    if view is not None and (before is None or before.reopened != view):
        found.append(company.reopened_briefly(view).replace(" · ", ", ") + ".")
    if after.poll is not None and (before is None or before.poll != after.poll):
        found.append(ends.poll_sentence(after, after.poll))
    return found


def _who(member: MemberView) -> Who:
    return Who(member.name, member.own)
