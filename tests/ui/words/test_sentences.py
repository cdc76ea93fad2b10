"""Every row of the specification's wording tables that concerns `pagat`, in both languages."""

from collections.abc import Callable

import pytest

from engine import Rank, Refusal
from p2p.protocol.snapshot import RefusedCommand, RefusedJoin
from ui import i18n
from ui.words import Number, banner, enter, refusals, result, rows, table
from ui.words.enter import EnterLine
from ui.words.log import do_believe, dont_believe
from ui.words.people import Who

YOU = Who("Oleg", own=True)
ANNA, BORIS, VERA = Who("Anna"), Who("Boris"), Who("Vera")
Q = Rank.QUEEN


def _enter(line: EnterLine) -> str:
    return f"{line.text} · {line.aside}" if line.aside else line.text


Row = tuple[Callable[[], str], str, str]

BANNERS: list[Row] = [
    (
        lambda: banner.lead(1, 3).line,
        "YOUR TURN  You lead: 1 to 3 cards, any rank.",
        "ВАШ ХОД  Вы заходите: от 1 до 3 карт, любое достоинство.",
    ),
    (
        lambda: banner.lead_due(Q).line,
        "YOUR TURN  You lead: queens are due.",
        "ВАШ ХОД  Вы заходите: черёд дам.",
    ),
    (
        lambda: banner.lay_or_call(Q, BORIS).line,
        "YOUR TURN  Lay queens, or call Boris.",
        "ВАШ ХОД  Добавьте дам или скажите: «не верю».",
    ),
    (
        lambda: banner.lay_or_call(Q, BORIS, veryu=True).line,
        "YOUR TURN  Lay queens, believe Boris or not.",
        "ВАШ ХОД  Добавьте дам, «верю» или «не верю».",
    ),
    (
        lambda: banner.lay_only(Rank.ACE).line,
        "YOUR TURN  Nothing to call: lay aces.",
        "ВАШ ХОД  Проверять нечего: положите тузов.",
    ),
    (
        lambda: banner.lay_or_call(Q, BORIS, last_cards=True).line,
        "YOUR TURN  Boris's last cards. Uncalled, Boris is out.",
        "ВАШ ХОД  Boris: карт нет. Не проверите — Boris выходит.",
    ),
    (
        lambda: banner.must_call(BORIS).line,
        "YOUR TURN  Boris's last cards: you must call.",
        "ВАШ ХОД  Boris: карт нет. Надо проверить.",
    ),
    (
        lambda: banner.fours().line,
        "YOUR PICK-UP  You hold four of a kind. Remove?",
        "ВЫ ЗАБИРАЕТЕ  У вас каре. Сбросить?",
    ),
    (
        lambda: banner.waiting_to_act(ANNA, Q, VERA).line,
        "Anna to move: lay queens, or call Vera.",
        "Ходит Anna: дамы или «не верю».",
    ),
    (lambda: banner.waiting_to_act(VERA, None, None).line, "Vera leads.", "Заходит Vera."),
    (lambda: banner.waiting_to_open(BORIS).line, "Boris opens the cards.", "Boris открывает карты."),
    (
        lambda: banner.waiting_for_fours(VERA).line,
        "Vera may remove four of a kind.",
        "Vera решает, сбросить ли каре.",
    ),
    (lambda: banner.called(YOU, BORIS, believe=False).line, "You do not believe Boris.", "Вы не верите."),
    (lambda: banner.called(ANNA, VERA, believe=True).line, "Anna believes Vera.", "Anna верит."),
    (
        lambda: banner.away(ANNA, 72, 120).line,
        "Anna has been away for 1:12. The table waits until 2:00.",
        "Anna: нет связи 1:12. Ждём до 2:00.",
    ),
    (
        lambda: banner.you_are_out(1).line,
        "You are out, place 1. The others play on.",
        "Вы вышли, место 1. Остальные играют дальше.",
    ),
]

ENTER_LINES: list[Row] = [
    (
        lambda: _enter(enter.lay(2, Q, 2, truth=True)),
        "Lay 2 and say “two queens” · the truth",
        "Положить 2 и сказать «две дамы» · это правда",
    ),
    (
        lambda: _enter(enter.lay(2, Q, 2, truth=False)),
        "Lay 2 and say “two queens” · a bluff",
        "Положить 2 и сказать «две дамы» · это обман",
    ),
    (
        lambda: _enter(enter.lay(0, Q, 2, truth=None)),
        "Lay nothing and say “two queens”",
        "Не положить ничего и сказать «две дамы»",
    ),
    (
        lambda: _enter(enter.call(BORIS, 3, 7)),
        "Say “I don't believe”: Boris opens 3 cards · if it is true, you take 7",
        "Сказать «не верю»: Boris открывает 3 карты · если правда, забираете 7",
    ),
    (
        lambda: _enter(enter.call(BORIS, 1, 7)),
        "Say “I don't believe”: Boris opens 1 card · if it is true, you take 7",
        "Сказать «не верю»: Boris открывает 1 карту · если правда, забираете 7",
    ),
    (
        lambda: _enter(enter.believe(BORIS, 3, 7)),
        "Say “I believe”: Boris opens 3 cards · if it is a bluff, you take 7",
        "Сказать «верю»: Boris открывает 3 карты · если обман, забираете 7",
    ),
    (
        lambda: _enter(enter.name_a_rank(["6♠", "7♦"])),
        "Name a rank · 2 cards chosen: 6♠ 7♦",
        "Назвать достоинство · Выбрано: 6♠ 7♦",
    ),
    (
        lambda: _enter(enter.naming(["6♠", "7♦"])),
        "2 cards chosen: 6♠ 7♦. Name a rank: · its key, or ↑↓; Tab picks cards again",
        "Выбрано: 6♠ 7♦. Назовите достоинство: · его клавиша или ↑↓; Tab — снова карты",
    ),
    (
        lambda: _enter(enter.remove_fours([Rank.SIX])),
        "Show and remove the four sixes · all will see them",
        "Показать и сбросить каре шестёрок · их увидят все",
    ),
    (
        lambda: _enter(enter.waiting(["Anna", "Boris"])),
        "You may already pick cards. Before you: Anna, Boris.",
        "Можно заранее выбрать карты. Перед вами: Anna, Boris.",
    ),
    (lambda: _enter(enter.reveal()), "Any key goes on.", "Любая клавиша — дальше."),
]

RESULTS: list[Row] = [
    (lambda: result.verdict(Q, 3, ["7♥"], 3).line, "BLUFF  7♥ is not a queen.", "ОБМАН  7♥ — не дама."),
    (
        lambda: result.verdict(Q, 3, ["7♥", "8♥"], 3).line,
        "BLUFF  2 of 3 are not queens.",
        "ОБМАН  2 из 3 — не дамы.",
    ),
    (lambda: result.verdict(Q, 3, [], 3).line, "TRUTH  All three are queens.", "ПРАВДА  Все три — дамы."),
    (lambda: result.verdict(Q, 1, [], 1).line, "TRUTH  It is a queen.", "ПРАВДА  Это дама."),
    (
        lambda: result.verdict(Q, 2, [], 3).line,
        "BLUFF  There are 2 cards, not three.",
        "ОБМАН  Карт 2, а не три.",
    ),
    (
        lambda: result.verdict(Q, 0, [], 1).line,
        "BLUFF  The packet is empty.",
        "ОБМАН  Пустой ход, ни одной карты.",
    ),
    (
        lambda: result.pick_up(BORIS, 7, YOU),
        "Boris takes 7 cards. You lead.",
        "7 карт забирает Boris. Заходите вы.",
    ),
    (
        lambda: result.pick_up(YOU, 7, VERA),
        "You take 7 cards. Vera leads.",
        "7 карт забираете вы. Заходит Vera.",
    ),
    (lambda: result.pick_up(YOU, 1, None), "You take 1 card.", "1 карту забираете вы."),
    (
        lambda: result.fours_removed(VERA, Rank.SIX),
        "Vera removes the four sixes.",
        "Vera сбрасывает каре шестёрок.",
    ),
    (lambda: result.leaves(BORIS, 1), "Boris is out, place 1.", "Boris выходит, место 1."),
    (dont_believe, "I don't believe!", "Не верю!"),
    (do_believe, "I believe!", "Верю!"),
]

PLAYER_ROWS: list[Row] = [
    (lambda: rows.laid(3), "laid 3", "три карты"),
    (lambda: rows.laid(1), "laid 1", "одна карта"),
    (lambda: rows.takes(BORIS, 7), "takes 7", "берёт 7"),
    (lambda: rows.called(BORIS, believe=False), "called", "не верит"),
    (rows.last_cards, "last cards", "карт нет"),
    (lambda: rows.out(1), "out, place 1", "место 1"),
    (lambda: rows.away(23), "away 0:23", "нет 0:23"),
]

REFUSALS: list[Row] = [
    (lambda: refusals.not_your_turn(ANNA), "It is Anna's turn.", "Сейчас ходит Anna."),
    (
        refusals.table_changed,
        "The table has just changed. Look, then press again.",
        "Стол только что изменился. Посмотрите и нажмите снова.",
    ),
    (
        lambda: refusals.move_refused(Refusal.NOTHING_TO_CALL, {}),
        "There is no packet to call.",
        "Проверять нечего.",
    ),
    (
        lambda: refusals.move_refused(Refusal.NO_VERYU, {}),
        "This table plays without “I believe”.",
        "За этим столом не говорят «верю».",
    ),
    (
        lambda: refusals.move_refused(Refusal.LEAD_EXEMPT, {}),
        "A first packet of one card may not be called.",
        "Заход одной картой не проверяют.",
    ),
    (
        lambda: refusals.move_refused(Refusal.NO_CARDS, {}),
        "Choose cards first, by rank or with the arrows.",
        "Сначала выберите карты.",
    ),
    (
        lambda: refusals.none_of_rank(Q),
        "You hold no queens. Any cards may be said to be queens.",
        "У вас нет дам. Назвать дамами можно любые карты.",
    ),
    (
        lambda: refusals.move_refused(Refusal.TOO_MANY, {"most": 3}),
        "At most 3 cards a turn here.",
        "Здесь не больше 3 карт за ход.",
    ),
    (
        lambda: refusals.move_refused(Refusal.TOO_FEW, {"least": 2}),
        "At least 2 cards to lead.",
        "Заход не меньше чем с 2 карт.",
    ),
    (
        lambda: refusals.move_refused(Refusal.WRONG_RANK, {"rank": Q}),
        "Queens are in force until somebody calls.",
        "До проверки в силе дамы.",
    ),
    (
        lambda: refusals.move_refused(Refusal.RANK_BARRED, {"rank": Rank.SIX}),
        "All sixes are out of play.",
        "Шестёрки все в отбое.",
    ),
    (
        lambda: refusals.move_refused(Refusal.NO_ACES, {}),
        "Aces may not be named.",
        "Тузов называть нельзя.",
    ),
    (
        lambda: refusals.move_refused(Refusal.REPEATED_CLAIM, {}),
        "You may not open with the same words again.",
        "Нельзя зайти с теми же словами.",
    ),
    (
        lambda: refusals.move_refused(Refusal.FALSE_NUMBER, {}),
        "The number must be true.",
        "Число должно быть честным.",
    ),
    (
        lambda: refusals.move_refused(Refusal.MUST_CALL, {}),
        "You must call: these are the last cards.",
        "Надо проверить: это последние карты.",
    ),
    (
        lambda: refusals.no_link(ANNA),
        "No connection to Anna. Your move is kept and sent when it is back.",
        "Нет связи: Anna. Ход сохранён и уйдёт, когда связь вернётся.",
    ),
    (lambda: refusals.join_refused(RefusedJoin.FULL), "The table is full.", "За столом нет мест."),
    (
        lambda: refusals.join_refused(RefusedJoin.VERSIONS, "1.2", "1.1"),
        "You have version 1.2, this table 1.1. The older one must be updated.",
        "У вас версия 1.2, у стола 1.1. Обновите более старую.",
    ),
]


@pytest.mark.parametrize(
    ("sentence", "english", "russian_text"),
    [*BANNERS, *ENTER_LINES, *RESULTS, *PLAYER_ROWS, *REFUSALS],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_sentence_is_worded_as_specified(
    sentence: Callable[[], str], english: str, russian_text: str
) -> None:
    assert sentence() == english
    i18n.use_language("ru")
    assert sentence() == russian_text


def test_the_invitation_to_call_shows_both_letters_of_the_key() -> None:
    assert enter.nothing_chosen("x").text == "Pick cards by rank, or press x."
    i18n.use_language("ru")
    assert enter.nothing_chosen("x ч").text == "Выберите карты по достоинству или нажмите x ч."


@pytest.mark.parametrize("language", i18n.LANGUAGES)
def test_every_refusal_of_the_engine_has_a_sentence(language: str) -> None:
    i18n.use_language(language)
    data = {"rank": Rank.SIX, "most": 3, "least": 2}
    for refusal in Refusal:
        for facts in (data, {}):
            text = refusals.move_refused(refusal, facts, ANNA)
            assert text.endswith(".")
            assert refusal.value not in text


@pytest.mark.parametrize("language", i18n.LANGUAGES)
def test_every_refused_join_and_command_has_a_sentence(language: str) -> None:
    i18n.use_language(language)
    assert all(refusals.join_refused(reason).endswith(".") for reason in RefusedJoin)
    assert all(refusals.command_refused(reason, 3.0).endswith(".") for reason in RefusedCommand)


def test_an_unknown_refusal_of_a_move_is_worded_as_not_now() -> None:
    assert refusals.move_refused("something-new", {}) == "That cannot be done now."


def test_names_with_braces_are_put_in_as_they_are() -> None:
    assert refusals.not_your_turn(Who("{name}{0}%s")) == "It is {name}{0}%s's turn."


def test_what_does_not_fit_behind_the_enter_line_is_said_shorter_or_left_out() -> None:
    line = enter.call(BORIS, 2, 6)
    assert line.fitted(76) == (line.text, "if it is true, you take 6")
    assert line.fitted(50) == ("Say “I don't believe”", "if it is true, you take 6")
    assert EnterLine("Join Kitchen", "you see the rules before you agree").fitted(30) == ("Join Kitchen", "")
    why = EnterLine("Lay 2", "At most one card a turn here.", live=False)
    assert why.fitted(10) == ("Lay 2", "At most one card a turn here.")
    assert enter.waiting(("Anna", "Boris")).fitted(30) == ("You may already pick cards.", "")


def test_last_cards_come_before_anything_else_under_a_packet() -> None:
    assert table.packet_note(1, YOU, last_cards=True) == "last cards! · only you may call it"


@pytest.mark.usefixtures("russian")
def test_people_are_counted_as_people_in_russian() -> None:
    assert format(Number(3), "p") == "трое"
