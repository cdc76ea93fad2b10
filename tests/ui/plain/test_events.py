"""Events in lines, as the design has them in both languages."""

import pytest
from model_table import ModelTable, cards

from engine import Call, DiscardSets, Lay, Rank, Ruleset, Seat
from p2p.protocol.snapshot import Happened
from ui.i18n import use_language
from ui.plain.events import Teller, told
from ui.plain.look import hand_line, suits_line
from ui.table.situation import Situation

ME, VERA, BORIS = Seat(0), Seat(1), Seat(3)


def table(language: str = "en") -> ModelTable:
    """Boris has said three queens over four older cards; I am next, then Vera."""
    names = ("Олег", "Вера", "Анна", "Борис") if language == "ru" else ("Oleg", "Vera", "Anna", "Boris")
    model = ModelTable(names, own=ME, dealer=ME, ruleset=Ruleset.preset("pagat").with_(burn=0))
    model.step = 24
    model.give(ME, cards("6S 6H 7D 9C 10S 10D JH QS KD KC AS AD AC"))
    model.lay(VERA, 1, Rank.QUEEN)
    model.lay(Seat(2), 3)
    model.lay(BORIS, 3, lie=True)
    return model


def lay_q_and_7(model: ModelTable) -> None:
    view = model.view(ME)
    slots = tuple(sorted(slot for slot, card in view.hand if str(card) in {"QS", "7D"}))
    model.play(Lay(ME, slots, Rank.QUEEN, 2))


def lines(model: ModelTable, since: int) -> tuple[str, ...]:
    situation = Situation(model.snapshot())
    return tuple(one for one in told(model.happened, situation.who) if int(one[1:].split("]")[0]) >= since)


ENGLISH = (
    "[27] Boris says “three queens”. 3 cards, 4 older ones under them.",
    "[28] You say “two queens”. 2 cards.",
    "[29] Vera does not believe. You open: {first}, {second}.",
    "[29] BLUFF. 7 of diamonds is not a queen. You take 9 cards. Vera leads.",
)
RUSSIAN = (
    "[27] Борис говорит «три дамы». 3 карты, под ними 4.",
    "[28] Вы говорите «две дамы». 2 карты.",
    "[29] Вера не верит. Вы открываете: {first}, {second}.",
    "[29] ОБМАН. 7 бубен — не дама. 9 карт забираете вы. Заходит Вера.",
)


@pytest.mark.parametrize(
    ("language", "wanted", "opened"),
    [
        ("en", ENGLISH, {"Q of spades", "7 of diamonds"}),
        ("ru", RUSSIAN, {"Д пик", "7 бубен"}),
    ],
)
def test_a_turn_a_call_and_what_comes_of_it_read_as_the_design_has_them(
    language: str, wanted: tuple[str, ...], opened: set[str]
) -> None:
    use_language(language)
    model = table(language)
    assert lines(model, 27) == wanted[:1]
    lay_q_and_7(model)
    model.call(VERA)
    model.settle()
    while model.state.owed and model.state.owed[0].duty.name == "DISCARD_SETS":
        model.play(DiscardSets(model.state.owed[0].seat, (), ()))
        model.settle()
    first, second = lines(model, 29)[0].split(": ")[1].strip(".").split(", ")
    assert {first, second} == opened
    assert lines(model, 27) == tuple(one.format(first=first, second=second) for one in wanted)


@pytest.mark.parametrize(
    ("language", "by_rank", "by_suit"),
    [
        ("en", "13 cards: 6 6, 7, 9, 10 10, J, Q, K K, A A A.", "13 cards: 6 of spades, 6 of hearts, 7 of"),
        ("ru", "13 карт: 6 6, 7, 9, 10 10, В, Д, К К, Т Т Т.", "13 карт: 6 пик, 6 червей, 7 бубен"),
    ],
)
def test_the_hand_is_read_by_rank_and_with_suits_on_request(
    language: str, by_rank: str, by_suit: str
) -> None:
    use_language(language)
    situation = Situation(table(language).snapshot())
    assert hand_line(situation) == by_rank
    assert suits_line(situation).startswith(by_suit)


def test_a_line_is_held_until_it_is_whole_and_given_out_as_far_as_it_goes() -> None:
    model = table()
    teller = Teller(Situation(model.snapshot()).who)
    for one in model.happened:
        teller.tell(one)
    count = len(model.happened)
    model.play(Call(ME, believe=False))
    assert [teller.tell(one) for one in model.happened[count:]] == [()]
    assert teller.flush() == ("[28] You do not believe.",)
    assert teller.flush() == ()
    count = len(model.happened)
    model.forced()
    (opened,) = (one for event in model.happened[count:] for one in teller.tell(event))
    assert opened.startswith("[29] Boris opens: ")


def test_what_the_program_did_for_a_late_player_is_said_before_it() -> None:
    model = table()
    event = model.happened[-1]
    late = Happened(event.deal, event.step, event.event, lapsed=True)
    first, second = told([late], Situation(model.snapshot()).who)
    assert first == "[27] Your time ran out: the program plays for you."
    assert second.startswith("[27] Boris says")


def test_one_card_that_is_checked_leaves_the_rest_unseen() -> None:
    model = ModelTable(
        ("Oleg", "Vera"), own=ME, dealer=ME, ruleset=Ruleset.preset("pagat").with_(check="one_random")
    )
    model.lay(VERA, 2, Rank.ACE)
    model.call(ME)
    model.settle()
    text = "\n".join(lines(model, 0))
    assert "You do not believe. The draw opens card" in text
    assert "The rest stays unseen." in text
