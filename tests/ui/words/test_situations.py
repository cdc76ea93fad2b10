"""Banner, log, trust and help of whole tables: deals on the engine, worded from their snapshots."""

from dataclasses import replace

import pytest
from model_table import ModelTable, cards
from page_samples import gathering, member, over

from engine import Phase as EnginePhase
from engine import Rank, Ruleset, Seat
from p2p.protocol.snapshot import (
    AuditView,
    Phase,
    ResultKind,
    ShuffleState,
    ShuffleView,
    TableSnapshot,
    TrustAnswer,
)
from ui import i18n
from ui.words import Who, trust
from ui.words.banner import BannerKind
from ui.words.ends import audit_sentence
from ui.words.log import LogKind, log_lines
from ui.words.situation import asked_now, table_banner

NAMES = ("Vera", "Anna", "Boris", "Oleg")
ME = Seat(3)


def answering(*, lie: bool = True, **options: int | str) -> ModelTable:
    """Four players; Oleg is to lay or call Boris, who said three queens."""
    rules = Ruleset.preset("pagat").with_(**options)
    model = ModelTable(NAMES, own=ME, dealer=ME, ruleset=rules)
    model.give(ME, cards("6S 6H 7D 9C 10S 10D JH QS KD KC AS AD"))
    model.give(Seat(2), cards("QH QD QC 6C 7C 8C"))
    model.lay(Seat(0), 1, Rank.QUEEN)
    model.lay(Seat(1), 3)
    model.lay(Seat(2), 3, lie=lie)
    return model


def log_of(model: ModelTable) -> list[str]:
    """Every line of the log, with its speaker."""
    found = []
    for one in model.happened:
        for line in log_lines(one.event, lambda seat: Who(NAMES[seat], own=seat == model.own)):
            found.append(f"{line.speaker.label}: {line.text}" if line.speaker else line.text)
    return found


def test_my_lead_says_how_many_cards() -> None:
    model = ModelTable(NAMES, own=ME, dealer=Seat(2))
    assert table_banner(model.snapshot()).line == "YOUR TURN  You lead: 1 to 3 cards, any rank."


def test_who_has_come_back_is_told_what_he_waits_for_and_why_he_may_only_watch() -> None:
    table = answering().snapshot()
    back = table_banner(replace(table, taking_up=True, own_wait=True))
    assert back.line == "Taking up the deal again: the others tell what happened."
    watching = table_banner(replace(table, silent=True, own_wait=True))
    assert watching.kind is BannerKind.TROUBLE
    assert watching.line == "You only watch: moves that you signed are lost here."
    i18n.use_language("ru")
    assert table_banner(replace(table, silent=True)).line.startswith("Вы только смотрите")


def test_who_comes_back_where_others_have_left_is_told_that_first() -> None:
    table = answering().snapshot()
    members = (replace(table.members[0], left=True), *table.members[1:])
    for state in ({"taking_up": True}, {"silent": True}):
        back = table_banner(replace(table, members=members, **state))
        assert "left: the others end this deal" in back.line


def test_my_turn_names_the_rank_and_whom_i_may_call() -> None:
    found = table_banner(answering().snapshot())
    assert (found.kind, found.line) == (BannerKind.TURN, "YOUR TURN  Lay queens, or call Boris.")


def test_others_turns_are_quiet_and_name_the_one_to_move() -> None:
    model = answering()
    model.own = Seat(0)
    found = table_banner(model.snapshot())
    assert (found.kind, found.line) == (BannerKind.QUIET, "Oleg to move: lay queens, or call Boris.")


def test_to_be_called_is_said_to_the_owner_of_the_packet() -> None:
    model = answering()
    model.own = Seat(2)
    assert table_banner(model.snapshot()).line == "Oleg to move: lay queens, or call you."


def test_a_called_packet_is_waited_for() -> None:
    model = answering()
    model.call(ME)
    assert table_banner(model.snapshot()).line == "Boris opens the cards."


def test_late_seals_name_those_who_owe_them() -> None:
    model = answering()
    model.call(ME)
    model.seal_owed = (Seat(0), Seat(1))
    assert table_banner(model.snapshot()).line == "Waiting for Vera, Anna."


def test_last_cards_that_must_be_called_ask_for_the_call() -> None:
    model = answering(must_call_pending="yes")
    hands = list(model.state.hands)
    hands[model.state.order.index(Seat(2))] = ()
    model.state = replace(model.state, hands=tuple(hands))
    assert table_banner(model.snapshot()).line == "YOUR TURN  Boris's last cards: you must call."


def test_the_log_tells_a_caught_bluff_in_order() -> None:
    model = answering(sets="none")
    model.call(ME)
    model.settle()
    lines = log_of(model)
    assert lines[:6] == [
        "You deal.",
        "New round. Vera leads.",
        "Vera: “one queen”",
        "Anna: “three queens”",
        "Boris: “three queens”",
        "You: I don't believe!",
    ]
    assert lines[6].startswith("BLUFF. ")
    assert "Boris takes 7 cards." in lines
    assert lines[-1] == "New round. You lead."


def test_the_log_is_told_in_russian_too(russian: None) -> None:
    model = answering(sets="none")
    model.call(ME)
    model.settle()
    lines = log_of(model)
    assert lines[4:6] == ["Boris: «три дамы»", "Вы: Не верю!"]
    assert lines[-2:] == ["7 карт забирает Boris.", "Новый круг. Заходите вы."]


@pytest.mark.parametrize(("lie", "kind"), [(True, LogKind.BLUFF), (False, LogKind.TRUTH)])
def test_bluff_and_truth_are_lines_of_their_own_kind(lie: bool, kind: LogKind) -> None:
    model = answering(lie=lie)
    model.call(ME)
    model.settle()
    found = {line.kind for one in model.happened for line in log_lines(one.event, lambda s: Who(NAMES[s]))}
    assert found & {LogKind.BLUFF, LogKind.TRUTH} == {kind}


def test_a_whole_deal_is_told_without_a_gap() -> None:
    model = ModelTable(NAMES, own=ME, seed=7)
    for _ in range(400):
        if model.state.over:
            break
        model.settle()
        if model.state.owed:
            seat = model.state.owed[0].seat
            if model.state.live and model.step % 3 == 0:
                model.call(seat)
            elif model.state.owed[0].duty.value.startswith("lay"):
                model.lay(seat, 1, model.state.rank or Rank.SIX, lie=model.step % 4 == 0)
            else:
                break
        for language in i18n.LANGUAGES:
            i18n.use_language(language)
            assert table_banner(model.snapshot()).line
            assert all(asked_now(model.snapshot()))
            if model.step % 8 == 0:
                assert all(log_of(model))


def test_help_names_the_numbers_of_this_moment() -> None:
    assert asked_now(answering().snapshot()) == (
        "You follow: queens are in force.",
        "Lay 1 to 3 cards.",
        "They may be anything: what counts is whether you are called.",
        "Or call Boris. If a card of the last packet is not a queen, Boris takes all 7.",
        "If all are, you take them.",
        "Older cards are never looked at.",
    )


@pytest.mark.parametrize(
    ("veryu", "believe"),
    [
        ("none", ()),
        ("packet", ("Or believe Boris: rightly, the card goes out of play; wrongly, you take it.",)),
        (
            "pile",
            ("Or believe Boris: rightly, the card goes out of play, you lead; wrongly, you take it.",),
        ),
    ],
)
def test_a_single_card_on_the_table_is_not_called_all_of_them(veryu: str, believe: tuple[str, ...]) -> None:
    rules = Ruleset.preset("pagat").with_(veryu=veryu)
    model = ModelTable(NAMES, own=ME, dealer=Seat(1), ruleset=rules)
    model.lay(Seat(2), 1, Rank.QUEEN)
    said = asked_now(model.snapshot())
    call = "Or call Boris. If the card on the table is not a queen, Boris takes it."
    at = said.index(call)
    assert said[at:] == (call, "If it is, you take it.", *believe)


@pytest.mark.parametrize(
    ("sets", "banner"),
    [
        ("optional", "You hold no four of a kind; the others do not see that."),
        ("forced", "Your program does this by itself."),
    ],
)
def test_who_takes_cards_and_holds_no_four_of_a_kind_is_not_told_that_he_does(sets: str, banner: str) -> None:
    model = answering(sets=sets, lie=False)
    model.give(ME, cards("6S 6H 7D 9C 10S 10D JH 8S KD KC AS AD"))
    model.call(ME)
    while model.state.phase is not EnginePhase.SETS:
        model.forced()
    table = model.snapshot()
    assert table.view is not None
    assert table.view.sets == ()
    assert table_banner(table).line == banner
    assert asked_now(table)[0] == banner
    assert asked_now(table)[-1] == "Your program does this by itself."


@pytest.mark.parametrize(
    ("sets", "banner"),
    [
        ("optional", "YOUR PICK-UP  You hold four of a kind. Remove?"),
        ("forced", "You remove four of a kind, as the rules want it."),
    ],
)
def test_who_takes_cards_and_holds_four_of_a_kind_may_show_them_or_has_to(sets: str, banner: str) -> None:
    model = answering(sets=sets, lie=False)
    model.give(ME, cards("6S 6H 6D 6C 10S 10D JH KS KD KC AS AD"))
    model.call(ME)
    while model.state.phase is not EnginePhase.SETS:
        model.forced()
    assert table_banner(model.snapshot()).line == banner
    may = "You took the pile and may show four cards of one rank: they go out of play."
    assert (asked_now(model.snapshot())[0] == may) is (sets == "optional")


def test_gathering_asks_for_the_rules_to_be_read_then_waits() -> None:
    assert table_banner(gathering()).line == "READ THE RULES  2 differ from pagat (≠). Do you agree?"
    ready = gathering(members=(member(0, "Oleg"), member(1, "Boris"), member(2, "Anna", ready=False)))
    assert table_banner(ready).line == "Waiting for 1 more player."
    assert table_banner(replace(ready, seats=3)).line == "Waiting for Anna."


def test_the_shuffle_says_whose_turn_it_is() -> None:
    model = ModelTable(NAMES, own=ME)
    model.phase = Phase.SHUFFLING
    model.shuffles = (
        ShuffleView(Seat(0), ShuffleState.DONE, 4),
        ShuffleView(Seat(1), ShuffleState.WORKING, 0),
        ShuffleView(Seat(2), ShuffleState.WAITING, 0),
        ShuffleView(ME, ShuffleState.WAITING, 0),
    )
    assert table_banner(model.snapshot()).line == "Anna is shuffling · 2 of 4"


@pytest.mark.parametrize(
    ("table", "english", "russian_text"),
    [
        (
            over(),
            "DEAL OVER  Boris is left with cards and loses.",
            "СДАЧА ОКОНЧЕНА  С картами остаётся Boris.",
        ),
        (
            over(own_seat=Seat(1), members=tuple(
                member(seat, name, seat=Seat(seat), own=seat == 1) for seat, name in enumerate("OBVA")
            )),
            "DEAL OVER  You are left with cards and lose.",
            "СДАЧА ОКОНЧЕНА  С картами остались вы.",
        ),
        (
            over(ResultKind.VOID),
            "DEAL VOID  Boris told two stories and loses.",
            "СДАЧА ПРЕРВАНА  Две версии хода, поражение: Boris.",
        ),
        (
            over(ResultKind.STOPPED),
            "DEAL STOPPED  Programs differ at step 45. Nobody loses.",
            "СДАЧА ОСТАНОВЛЕНА  Шаг 45: расхождение, все при своих.",
        ),
    ],
)  # fmt: skip
def test_the_end_says_who_lost_and_why(table: TableSnapshot, english: str, russian_text: str) -> None:
    assert table_banner(table).line == english
    i18n.use_language("ru")
    assert table_banner(table).line == russian_text


def test_the_audit_is_at_work_then_passes_or_names_the_breach() -> None:
    table = over()
    assert audit_sentence(table, None)[0] is None
    assert audit_sentence(table, AuditView(ok=True))[0] is True
    passed, text = audit_sentence(table, AuditView(ok=False, check="shuffle", step=3, seat=Seat(1)))
    assert (passed, text) == (False, "The audit found a breach: shuffle. Step 3. By Boris.")


def test_trust_answers_with_live_numbers() -> None:
    table = answering().snapshot()
    assert trust.answer(table) == (True, "No.")
    assert trust.top_word(table) == (True, "nobody can peek")
    texts = [line.text for line in trust.lines(table)]
    assert texts == [
        "All four of you shuffled the pack, and your computer checked each shuffle.",
        "Your 12 cards can be read by you and by nobody else, not even by the three others together.",
        "The 7 cards on the table are closed. They open only by a call.",
        "The burned card: read by nobody.",
        "Not covered: talk, a glance at a screen, a camera. Sit apart.",
    ]


def test_trust_counts_opened_packets_and_stays_honest_in_every_phase() -> None:
    model = answering()
    model.call(ME)
    model.settle()
    texts = [line.text for line in trust.lines(model.snapshot())]
    assert "Opened so far: 1 packet, by a call, exactly as it was laid." in texts
    model.phase, model.trust = Phase.SHUFFLING, TrustAnswer.NOT_YET
    assert trust.answer(model.snapshot()) == (True, "No: no card can be read yet.")
    caught = over(ResultKind.VOID, trust=replace(over().trust, answer=TrustAnswer.CAUGHT))
    assert trust.answer(caught) == (
        False,
        "No. Boris broke the rules and was caught; the deal is void.",
    )


def test_trust_reports_who_signed_the_receipt() -> None:
    table = over()
    assert "The receipt of the deal is signed by 4 of 4." in [line.text for line in trust.lines(table)]


def test_a_deal_that_somebody_left_is_ended_by_the_others_and_says_so() -> None:
    table = answering().snapshot()
    members = tuple(replace(one, left=one.seat == Seat(1)) for one in table.members)
    found = table_banner(replace(table, members=members))
    assert found.kind is BannerKind.TROUBLE
    assert found.text == "Anna has left: the others end this deal."


@pytest.mark.parametrize(
    ("changes", "text"),
    [
        ({}, "Boris was voted absent and loses."),
        ({"losers": ()}, "Boris was voted absent. Nobody loses."),
        ({"left": (Seat(1),)}, "Boris has left and loses."),
        ({"left": (Seat(1),), "losers": ()}, "Boris has left. Nobody loses."),
        (
            {"absent": (Seat(1), Seat(2)), "losers": (Seat(1), Seat(2))},
            "Boris, Vera were voted absent and lose.",
        ),
        ({"absent": (Seat(0),), "losers": (Seat(0),)}, "You were voted absent and lose."),
        ({"absent": (Seat(0),), "losers": ()}, "You were voted absent."),
        ({"absent": (Seat(0), Seat(1)), "losers": (Seat(1),)}, "You were voted absent."),
        (
            {"absent": (Seat(1), Seat(2)), "losers": (Seat(1), Seat(2)), "left": (Seat(2),)},
            "Vera has left and loses. Boris was voted absent and loses.",
        ),
    ],
)
def test_the_end_by_absence_says_who_and_whether_he_loses(changes: dict[str, object], text: str) -> None:
    table = over(ResultKind.ABSENT)
    assert table.result is not None
    found = table_banner(replace(table, result=replace(table.result, **changes)))
    assert found.line == f"DEAL OVER  {text}"


@pytest.mark.parametrize(("count", "times"), [(1, "1 раз:"), (3, "3 раза:"), (5, "5 раз:"), (21, "21 раз:")])
@pytest.mark.usefixtures("russian")
def test_piles_that_were_picked_up_are_counted_as_times_in_russian(count: int, times: str) -> None:
    table = answering().snapshot()
    shown = trust.lines(replace(table, trust=replace(table.trust, repacks_checked=count)))
    assert any(f"вслепую {times}" in line.text for line in shown)
