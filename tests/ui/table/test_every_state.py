"""Every state of the table that can be looked at as a picture, at each size of the specification."""

import pytest
from rich.cells import cell_len

from p2p.protocol.snapshot import Phase, TableSnapshot
from tests.screens import SCREENS, Pictured
from ui.glyphs import TURN, GlyphSet
from ui.i18n import use_language
from ui.keys import Place
from ui.lobby.navigation import key_actions
from ui.table.coach import Coach
from ui.table.flow import Flow
from ui.table.scene import draw_scene
from ui.table.size import Size
from ui.words.banner import BannerKind

SIZES = ((60, 20), (80, 24), (120, 36), (144, 46))
_MEANINGS = key_actions(Place.TABLE)


def table_of(pictured: Pictured) -> TableSnapshot | None:
    """Return the table that the table's screen shows; None where another screen is shown."""
    table = pictured.node.table
    leaves = {_MEANINGS.get(key) for key in pictured.keys[:1]} & {"help", "back", "trust", "log", "quit"}
    if pictured.replay is not None or table is None or leaves:
        return None
    return table if table.phase in {Phase.PLAYING, Phase.SHUFFLING} else None


def flow_of(pictured: Pictured) -> Flow:
    """Return the mind of the table's screen after the keys."""
    table = table_of(pictured)
    assert table is not None
    flow = Flow(table, pictured.now, animate=False, coach=Coach() if pictured.coached else None)
    for key in pictured.keys:
        if flow.talking.open:
            flow.type_character(key)
        else:
            flow.press(_MEANINGS[key])
    return flow


@pytest.mark.parametrize("language", ["en", "ru"])
@pytest.mark.parametrize("name", [name for name, make in SCREENS.items() if table_of(make())])
def test_what_is_asked_can_be_read_whole_at_every_size(name: str, language: str) -> None:
    use_language(language)
    scene = flow_of(SCREENS[name]()).scene()
    for width, height in SIZES:
        lines = draw_scene(scene, Size(width, height)).lines()
        text = "\n".join(lines)
        assert all(cell_len(line) <= width for line in lines)
        assert scene.banner.line in text or "names" in name, f"the banner is cut at {width}x{height}:\n{text}"
        if scene.typed is None and scene.situation.state is not None:
            wanted = (scene.note[:20],) if scene.note else (scene.intent.line.text, scene.intent.line.brief)
            assert any(one in text for one in wanted if one or not any(wanted)), (
                f"what Enter does is cut at {width}x{height}:\n{text}"
            )
        if scene.banner.kind is BannerKind.TURN:
            assert text.count(f" {TURN} {scene.banner.head}") == 1
            assert text.count(TURN) >= 2, "the own row is marked, too, without any colour"
        if language == "en" and all(one.name.isascii() for one in scene.situation.table.members):
            text.translate(GlyphSet.ASCII.table("en")).encode("ascii")
