"""The whole screen as a picture: exact at the sizes of the specification, sound at all sizes in whole
deals.
"""

import random

import pytest
from model_table import ModelTable, cards
from rich.cells import cell_len
from table_pictures import Clock, drawn, flow_of

from engine import DiscardSets, Duty, Rank, Ruleset, Seat
from ui.i18n import use_language
from ui.table.frame import table_place
from ui.table.scene import draw_scene, with_clock
from ui.table.size import Size

ME = Seat(2)
SIZES = ((60, 20), (75, 22), (76, 20), (80, 24), (109, 31), (110, 32), (120, 36), (144, 46))


def kitchen() -> ModelTable:
    """The first picture of the specification: Boris says three queens over four older cards."""
    model = ModelTable(("Anna", "Boris", "You", "Vera"), own=ME, dealer=ME)
    model.give(ME, cards("6S 6H 7D 9C 10S 10D JH QS KD KC AS AD"))
    model.lay(Seat(3), 1, Rank.QUEEN)
    model.lay(Seat(0), 3)
    model.lay(Seat(1), 3, lie=True)
    return model


def test_lay_or_call_at_80x24_is_the_picture_of_the_specification() -> None:
    flow = flow_of(kitchen())
    flow.press("rank_7")
    flow.press("rank_12")
    assert drawn(flow) == [
        " ♤ Verish  Kitchen · pagat · deal 3                     ✓ nobody can peek  1:40",
        "╭─ Players, clockwise ──────────╮╭─ On the table ──────────────────────────────╮",
        "│  Anna       10  ▮▮▮▮▮▮▮▮▮+    ││                                             │",
        "│  Boris      10  laid 3        ││  Boris says   “three queens”                │",
        "│► You        12  ▮▮▮▮▮▮▮▮▮+    ││  ╭──╭──╭───╮          ╭╭╭───╮               │",
        "│  Vera       12  ▮▮▮▮▮▮▮▮▮+    ││  │░░│░░│░░░│          │││░░░│  + 4 cards    │",
        "│                               ││  ╰──╰──╰───╯          ╰╰╰───╯  under it     │",
        "│                               ││  3 cards · only you may call it             │",
        "│                               ││                                             │",
        "│                               ││  You deal.                                  │",
        "│                               ││  New round. Vera leads.                     │",
        "│                               ││  Vera   “one queen”                         │",
        "│                               ││  Anna   “three queens”                      │",
        "│                               ││  Boris  “three queens”                      │",
        "│                               ││                                             │",
        "╰───────────────────────────────╯╰─────────────────────────────────────────────╯",
        " ► YOUR TURN  Lay queens, or call Boris.",
        "          ╭───╮                        ╭───╮",
        " ╭──╭───╮ │7♦ │ ╭───╮ ╭───╭────╮ ╭───╮ │Q♠ │ ╭──╭───╮ ╭──╭───╮",
        " │6♠│6♥ │ ╰───╯ │9♣ │ │10♠│10♦ │ │J♥ │ ╰───╯ │K♦│K♣ │ │A♠│A♦ │",
        " ╰──╰───╯       ╰───╯ ╰───╰────╯ ╰───╯       ╰──╰───╯ ╰──╰───╯",
        "  Enter  Lay 2 and say “two queens”  a bluff",
        "  x  I don't believe   2–A  pick by rank   Bksp  put back",
        " F1 help  h log  t trust  m talk  Esc menu  c cover my cards  u mute talk",
    ]


def test_lay_or_call_at_60x20_in_russian_has_no_frames_and_both_letters_on_its_caps() -> None:
    use_language("ru")
    flow = flow_of(kitchen())
    flow.press("rank_7")
    flow.press("rank_12")
    lines = drawn(flow, 60, 20)
    assert lines[1] == "  Anna       10  ▮▮▮▮▮▮▮▮▮+   ► Вы         12  ▮▮▮▮▮▮▮▮▮+"
    assert lines[2] == "  Boris      10  три карты      Vera       12  ▮▮▮▮▮▮▮▮▮+"
    assert lines[12] == " ► ВАШ ХОД  Добавьте дам или скажите: «не верю»."
    assert lines[17] == "  Enter  Положить 2 и сказать «две дамы»  это обман"
    assert lines[18] == "  x ч  не верю   2–Т  взять по достоинству   Bksp  вернуть"
    assert lines[19].startswith(" F1 помощь  h р журнал  t е честность")


def test_the_reveal_stands_where_the_packet_lay() -> None:
    model = kitchen()
    model.call(ME)
    model.forced()
    lines = drawn(flow_of(model, animate=False))
    places = [number for number, line in enumerate(lines) if "┏" in line or "╭───╮ ╭" in line]
    assert places[0] == 3
    assert "Boris said  “three queens”" in lines[2]
    assert lines[6].count("✗") + lines[6].count("✓") == 3
    assert "✗ BLUFF" in lines[7]
    assert "Boris takes 7 cards. You lead." in lines[8]
    assert "takes 7" in lines[3]
    assert "called" in lines[4]


def test_a_reveal_has_its_verdict_even_where_a_large_hand_leaves_five_rows() -> None:
    model = ModelTable(("Anna", "Boris", "You", "Vera"), own=ME, dealer=ME)
    dice = random.Random(3)
    while len(model.state.hand_of(ME)) < 26 or model.state.revealed is None:
        assert play_one(model, dice), "the deal ended before the hand was large"
    flow = flow_of(model, animate=False)
    for width, height in ((60, 20), (76, 20)):
        text = "\n".join(drawn(flow, width, height))
        assert "TRUTH" in text or "BLUFF" in text
        assert "cards." in text


def test_the_empty_table_shows_an_empty_place() -> None:
    model = ModelTable(("Anna", "Boris", "You", "Vera"), own=ME, dealer=Seat(1))
    lines = drawn(flow_of(model))
    assert "╭╌" in "\n".join(lines)
    assert "The table is empty." in lines[5]
    assert "You lead: 1 to 3 cards, any rank." in lines[16]


def test_more_players_than_rows_keep_every_player_in_a_narrow_window() -> None:
    names = tuple(f"Player{number}" for number in range(12))
    model = ModelTable(names, own=Seat(0), dealer=Seat(0), ruleset=Ruleset.preset("dictionary"))
    model.lay(Seat(0), 1, Rank.ACE)
    for size in SIZES:
        text = "\n".join(drawn(flow_of(model), *size))
        assert all(name[:10] in text or (name == "Player0" and "You" in text) for name in names), size


def play_one(model: ModelTable, dice: random.Random) -> bool:
    """Make the next move of a deal, whosever it is."""
    if model.forced():
        return True
    if not model.state.owed:
        return False
    owed = model.state.owed[0]
    if owed.duty is Duty.DISCARD_SETS:
        slots = model.view(owed.seat).sets[0] if dice.random() < 0.5 else ()
        model.play(DiscardSets(owed.seat, slots, tuple(model.faces[slot] for slot in slots)))
        return True
    if owed.duty is Duty.LAY_OR_CALL and dice.random() < 0.3:
        believe = model.state.ruleset.veryu != "none" and dice.random() < 0.5
        if not model.state.exempt or believe:
            model.call(owed.seat, believe=believe)
            return True
    held = len(model.state.hand_of(owed.seat))
    rank = None if model.state.rank is not None else dice.choice(model.state.ruleset.ranks)
    model.lay(owed.seat, min(held, dice.randint(1, 3)), rank, lie=dice.random() < 0.4)
    return True


@pytest.mark.parametrize("form", ["pagat", "encyclopedia", "dictionary"])
@pytest.mark.parametrize("seed", range(4))
def test_whole_deals_are_drawn_soundly_at_every_size_and_in_both_languages(form: str, seed: int) -> None:
    dice = random.Random(f"{form} {seed}")
    names = ("田中さん", "Константин Великий", "[b]x", "Li", "Anna", "Vera")[: 2 + seed]
    model = ModelTable(names, own=Seat(seed % len(names)), seed=seed, ruleset=Ruleset.preset(form))
    clock = Clock()
    flow = flow_of(model, clock)
    for turn in range(120):
        use_language(("en", "ru")[turn % 2])
        width, height = SIZES[turn % len(SIZES)]
        for line in draw_scene(flow.scene(), Size(width, height)).lines():
            assert cell_len(line) <= width
        flow.press(
            dice.choice(["rank_6", "rank_9", "rank_12", "left", "toggle", "call", "name_rank", "back"])
        )
        clock.pass_s(dice.choice([0.05, 0.4, 2.0, 5.0]))
        if not play_one(model, dice):
            break
        flow.update(model.snapshot())


def test_the_clock_alone_gives_the_same_picture_as_all_of_it() -> None:
    model = ModelTable(("Vera", "Anna", "Boris", "Oleg"), own=Seat(3), dealer=Seat(3))
    clock = Clock(100.0)
    flow = flow_of(model, clock)
    for size in (Size(60, 20), Size(80, 24), Size(120, 36)):
        before = flow.scene()
        drawn_before = draw_scene(before, size)
        clock.pass_s(61)
        after = flow.scene()
        assert after.only_later_than(before)
        later = with_clock(drawn_before, after, size)
        whole = draw_scene(after, size)
        assert list(later.changed_spans(whole)) == []
        assert [row for row, _, _ in later.changed_spans(drawn_before)] == [0]
    flow.press("rank_6")
    assert not flow.scene().only_later_than(after)
    model.away[Seat(0)] = 90.0
    flow.update(model.snapshot())
    scene = flow.scene()
    clock.pass_s(1)
    assert not flow.scene().only_later_than(scene), "somebody's absence is counted too"


def test_the_top_line_gives_up_deal_and_form_before_its_table_cannot_be_known() -> None:
    assert table_place("Kitchen", "pagat", 3, 40) == "Kitchen · pagat · deal 3"
    assert table_place("Kitchen", "pagat", 3, 19) == "Kitchen · pagat · 3"
    assert table_place("Kitchen", "pagat", 3, 16) == "Kitchen · pagat"
    assert table_place("Kitchen", "encyclopedia", 3, 13) == "Kitchen"
    assert table_place("The kitchen of Wolfsburg", "pagat", 3, 25) == "The kit… · pagat · deal 3"


def test_long_names_leave_room_for_what_is_said_about_them() -> None:
    names = ("Anna", "Maximilian Maximilianowitsch III", "You", "Vera")
    model = ModelTable(names, own=ME, dealer=ME)
    model.lay(Seat(3), 1, Rank.QUEEN)
    model.lay(Seat(0), 3)
    model.lay(Seat(1), 3, lie=True)
    model.call(ME)
    model.forced()
    for size in SIZES:
        assert "Maximilian Maxi… takes 7 cards." in "\n".join(drawn(flow_of(model, animate=False), *size))
