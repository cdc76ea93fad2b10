"""A deal that is watched again: every moment of it once, and no card that nobody has shown."""

from dataclasses import replace

import pytest
from deal_players import seeded_draw
from finished_table import SHORT, kept, over, transcript, watched

from engine import Called, Laid, PickedUp, Revealed, Seat
from p2p.protocol.peer_events import Happened
from p2p.protocol.replay import NothingToReplay, read_replay, replay_journal
from p2p.protocol.snapshot import Phase, TrustAnswer
from p2p.protocol.transcript import read_transcript, seal_of
from p2p.protocol.transcript_lines import spell


def test_the_moments_hold_all_that_happened_in_its_order_and_nothing_twice() -> None:
    network = over()
    seen = [one.event for one in network.players[0].of(Happened) if one.deal == 1]
    replay = watched(opened=False)
    assert [event for moment in replay.moments for event in moment.events] == seen
    assert replay.table(len(replay.moments) - 1).happened == tuple(network.players[0].of(Happened))


def test_every_lay_and_every_call_is_a_moment_of_its_own() -> None:
    replay = watched(opened=False)
    for kind in (Laid, Called):
        counts = [sum(isinstance(event, kind) for event in moment.events) for moment in replay.moments]
        assert max(counts) == 1
        assert all(isinstance(replay.moments[at].events[0], kind) for at, count in enumerate(counts) if count)
    assert replay.calls
    for at in replay.calls:
        kinds = {type(event) for event in replay.moments[at].events}
        assert kinds >= {Called, Revealed, PickedUp}


def test_the_table_before_a_lay_has_the_cards_in_the_hand_and_after_it_on_the_table() -> None:
    replay = watched(opened=True)
    for at, moment in enumerate(replay.moments):
        if moment.laid is not None:
            seat, slots = moment.laid.owner, moment.laid.slots
            assert moment.actor == seat
            before, after = replay.table_before(at).view, replay.table(at).view
            assert before is not None
            assert after is not None
            assert set(slots) <= set(before.state.hand_of(seat))
            assert after.state.table[-1].slots == slots


def test_closed_books_show_the_cards_that_calls_have_opened_and_no_other() -> None:
    replay = watched(opened=False)
    opened = [
        card
        for moment in replay.moments
        for event in moment.events
        for card in (
            getattr(event, "cards", ()) if type(event).__name__ in {"Revealed", "SetsRemoved"} else ()
        )
    ]
    assert sorted(map(str, replay.faces.values())) == sorted(map(str, opened))
    assert not replay.open
    assert replay.own is None
    assert replay.table(0).trust.answer is TrustAnswer.NOBODY


def test_open_books_show_the_whole_pack_at_every_moment() -> None:
    replay = watched(opened=True)
    pack = sorted(map(str, SHORT.resolve(3).deck))
    assert replay.open
    for moment in replay.moments:
        state = moment.before
        slots = [slot for hand in state.hands for slot in hand] + [*state.pile, *state.burned]
        gone = [removed.face for removed in state.removed]
        assert sorted([str(replay.faces[slot]) for slot in slots] + [str(card) for card in gone]) == pack


def test_a_player_sees_his_own_hand_as_he_did() -> None:
    replay = watched(opened=False, own=1)
    seat = replay.own
    assert seat is not None
    for at in range(len(replay.moments)):
        table = replay.table_before(at)
        assert table.view is not None
        assert len(table.view.hand) == len(table.view.state.hand_of(seat))
        assert [member.own for member in table.members] == [Seat(one) == seat for one in range(3)]


def test_a_transcript_that_is_not_in_order_is_not_shown() -> None:
    data, group = transcript(), over()._group
    lines = data.splitlines(keepends=True)
    for broken in (data.replace(b'"rank":"K"', b'"rank":"Q"', 1), b"".join(lines[:5] + lines[6:]), b"{}\n"):
        with pytest.raises(NothingToReplay) as refused:
            read_replay(broken, seeded_draw("replay"), group)
        assert refused.value.report.check == "transcript"


def test_an_unfinished_deal_is_shown_as_far_as_it_goes_if_any_card_was_dealt() -> None:
    lines, group = transcript().splitlines(keepends=True), over()._group
    with pytest.raises(NothingToReplay) as refused:
        read_replay(b"".join(lines[:6]), seeded_draw("replay"), group)
    assert refused.value.report.check == "unfinished"
    whole = watched(opened=False)
    half = read_replay(b"".join(lines[: len(lines) * 2 // 3]), seeded_draw("replay"), group)
    assert 1 < len(half.moments) < len(whole.moments)
    assert [moment.events for moment in half.moments[:-1]] == [
        moment.events for moment in whole.moments[: len(half.moments) - 1]
    ]
    assert half.table(0).phase is Phase.PLAYING


def test_a_step_of_the_ledger_leads_to_the_moment_it_belongs_to() -> None:
    replay = watched(opened=False)
    for at, moment in enumerate(replay.moments):
        assert replay.place_of(moment.step) == at
    assert replay.place_of(0) == 0
    assert replay.place_of(replay.last_step) == len(replay.moments) - 1
    assert replay.place_of(replay.last_step + 1) is None


def test_a_lay_is_judged_by_the_rule_that_judges_calls() -> None:
    replay = watched(opened=True)
    for at in replay.calls:
        judged = next(one for one in replay.moments[at].events if isinstance(one, Revealed))
        laid = max(one for one in range(at) if replay.moments[one].laid is not None)
        shown = replay.opened(laid)
        assert shown is not None
        assert (shown.truthful, shown.cards) == (judged.truthful, judged.cards)


def test_a_transcript_with_a_false_accusation_is_not_shown() -> None:
    group = over(opened=True)._group
    lines = transcript(opened=True).splitlines(keepends=True)
    fields = read_transcript(b"".join(lines)).end
    assert fields is not None
    first = next(at for at, line in enumerate(lines) if b'"wish":' in line)
    extra = lines[5].replace(b"}\n", b',"accused":true}\n')
    text = b"".join((*lines[:first], extra, *lines[first:-1]))
    told = {**fields, "loser": fields["winner"], "entries": len(lines) - 1}
    with pytest.raises(NothingToReplay) as refused:
        read_replay(text + spell({**told, "hash": seal_of(text, told)}), seeded_draw("replay"), group)
    assert refused.value.report.check == "accused"


def test_a_deal_of_the_own_journal_is_shown_as_its_transcript_is() -> None:
    group = over()._group
    shown = replay_journal(kept(), seeded_draw("replay"), group, own_key=over().players[1].peer.key)
    told = watched(opened=False)
    assert shown.moments == told.moments
    assert shown.faces == told.faces
    assert shown.finished
    assert not shown.open
    assert shown.own == 1
    assert shown.report.names == told.report.names
    assert shown.report.ok


def test_a_journal_that_lacks_entries_is_shown_as_far_as_they_lead() -> None:
    whole = watched(opened=False)
    cut = replace(kept(), entries=tuple(one for one in kept().entries if one.open().step <= 40))
    shown = replay_journal(cut, seeded_draw("replay"), over()._group)
    assert not shown.finished
    assert shown.report.check == "unfinished"
    assert 0 < len(shown.moments) < len(whole.moments)
    assert shown.moments[:-1] == whole.moments[: len(shown.moments) - 1]
