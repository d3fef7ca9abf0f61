"""The looks of the map, in each theme and size, drawn without an app."""

from __future__ import annotations

import re
from io import StringIO
from itertools import product

import pytest
from rich.console import Console
from syrupy.assertion import SnapshotAssertion
from textual.theme import BUILTIN_THEMES

from rulesets.sovereign import RULESET
from tests.support.pictures import AsPicture, AsText
from tests.ui.games import SV, begun
from tests.ui.panes.test_look import WANTED, contrast
from tracker.core.fight.state import State
from tracker.core.terms.actions import Action, action
from tracker.session.intents import Advance, Do, RollRest
from tracker.ui.keys.table import KEYS, help_page
from tracker.ui.modes.search.palette import grouped
from tracker.ui.panes.map_layers import MapLayers
from tracker.ui.widgets.theme_styles import Styles
from tracker.ui.widgets.themes import THEMES
from tracker.views.maps.legend import below_rows
from tracker.views.maps.squares import Canvas
from tracker.views.maps.tokens import tokens_of
from tracker.views.maps.viewport import frame_of
from tracker.views.panes.legend import legend
from tracker.views.words.spans import Row

SIZES = ((53, 10), (86, 20), (140, 44))
"""Of the pane on screens of 80 x 24 and 120 x 40, and on all of 160 x 50."""
NAMES = {**{theme.name: theme for theme in THEMES}, "ansi-dark": BUILTIN_THEMES["ansi-dark"]}
GROUNDS = ("reach", "threat", "area", "fog", "high1", "high2", "high3", "cursor")
WORDS = (
    *("", "dim", "strong", "good", "bad", "warn", "players", "ally", "gm", "key"),
    *(f"{fill}-{camp}" for fill in ("chip", "turn") for camp in ("players", "ally", "gm")),
)


@pytest.fixture(scope="module")
def state(tmp_path_factory: pytest.TempPathFactory) -> State:
    """A fight of three sides with wounds, a death, and fog in a corner."""
    session = begun(tmp_path_factory.mktemp("map"), SV, "gate_brawl")
    while session.model.pending is not None or session.model.state.clock.round < 1:
        session.dispatch(RollRest() if session.model.pending is not None else Advance())
    corner = tuple((x, y) for x in range(4) for y in range(5))
    for done in (
        action("damage", amount=9, targets=("ysolde",)),
        action("damage", amount=20, targets=("hill-giant",)),
        action("damage", amount=2, targets=("goblin-3",)),
        action("damage", amount=9, targets=("goblin-5",)),
        action("add_effect", name="prone", targets=("goblin-1",)),
        action("conceal", targets=("goblin-slinger-1",)),
        Action("fog").put(what="cover", squares=corner),
    ):
        session.dispatch(Do((done,)))
        assert session.model.refusal is None
        while session.model.pending is not None:
            session.dispatch(RollRest())
    found = session.model.state
    session.close()
    session.journal.close()
    return found


def rows(state: State, width: int, height: int) -> tuple[Row, ...]:
    """Return the map with all that can lie over it."""
    board, tokens, overlays = RULESET.map.board(state), tokens_of(RULESET, state), MapLayers(RULESET)
    assert board is not None
    overlays.threat, overlays.size, overlays.pinned = True, 5, (5, 9)
    look = overlays.look(state, (12, 5), "maud", "", active="maud")
    frame = frame_of(board, tokens.longest, look.cursor, width=width, height=height, size=None, was=None)
    squares = Canvas().rows(board, tokens, look, frame, width)
    below = below_rows(RULESET, state, board, tokens, look, frame, width=width, room=height - len(squares))
    return (*squares, *below)


def looks(name: str) -> Styles:
    theme = NAMES[name]
    return Styles({**theme.to_color_system().generate(), **theme.variables})


def picture(shown: tuple[Row, ...], look: Styles, width: int) -> str:
    console = Console(width=width, file=StringIO(), record=True, force_terminal=True, color_system="truecolor")
    for row in shown:
        for segment in look.segments(row, width):
            console.print(segment.text, style=segment.style, end="", markup=False, highlight=False, soft_wrap=True)
        console.print()
    svg = console.export_svg(title="Map", unique_id="map")
    return re.sub(r"@font-face \{.*?\}\n", "", svg, flags=re.DOTALL)


LOOKS = [
    pytest.param(theme, size, id=f"{theme}-{size[0]}x{size[1]}")
    for theme, size in product(NAMES, SIZES)
    if size == SIZES[1] or theme == "tracker-dark"
]


@pytest.mark.parametrize(("theme", "size"), LOOKS)
def test_the_map_looks_as_it_looked(
    state: State, snapshot: SnapshotAssertion, theme: str, size: tuple[int, int]
) -> None:
    """At each size of its squares, and at the usual one in our themes and in the terminal's sixteen colours."""
    shown = rows(state, *size)

    assert len(shown) <= size[1]
    assert picture(shown, looks(theme), size[0]) == snapshot(extension_class=AsPicture)


@pytest.mark.parametrize("theme", WANTED)
def test_tokens_can_be_read_on_every_ground(theme: str) -> None:
    """What lies over the ground leaves the contrast that guidelines for readable pages ask."""
    look = looks(theme)
    found = {
        f"{word} on {ground}": contrast(look.style(f"{word} on {ground}", "", False))
        for word in WORDS
        for ground in GROUNDS
    }

    assert {words: round(share, 2) for words, share in found.items() if share < min(WANTED[theme], 4.5)} == {}
    for camp in ("players", "ally", "gm"):  # whose turn it is keeps its fill
        fills = {look.style(f"turn-{camp} on {ground}", "", False).bgcolor for ground in GROUNDS[:-1]}
        assert fills == {look.style(f"turn-{camp}", "", False).bgcolor}


def test_a_map_without_colours_tells_everything_by_signs(state: State) -> None:
    """Whose turn it is, foes, friends, the hidden, the fallen, reach, threat, fog and area."""
    text = "\n".join(row.text for row in rows(state, 86, 20))

    assert all(sign in text for sign in ("▶m", "•n", "+g", "?v", "†", "◦", "×", ",", "░", "┌•ac──"))


@pytest.mark.parametrize("size", SIZES, ids=[f"{width}x{height}" for width, height in SIZES])
def test_the_way_of_what_is_offered_is_drawn(state: State, snapshot: SnapshotAssertion, size: tuple[int, int]) -> None:
    """To beside its target under the cursor, with a cone of a typed size."""
    board, tokens, overlays = RULESET.map.board(state), tokens_of(RULESET, state), MapLayers(RULESET)
    assert board is not None
    overlays.shape, overlays.size = "cone", 25
    trail = RULESET.map.course(state, action("run", "ysolde", to=(8, 4)))
    assert trail is not None
    look = overlays.look(state, (9, 3), "ysolde", "", ("ysolde", trail), "ysolde")
    frame = frame_of(board, tokens.longest, look.cursor, width=size[0], height=size[1], size=None, was=None)
    squares = Canvas().rows(board, tokens, look, frame, size[0])
    below = below_rows(RULESET, state, board, tokens, look, frame, width=size[0], room=size[1] - len(squares))
    text = "\n".join(row.text for row in (*squares, *below))

    assert text == snapshot(extension_class=AsText)


@pytest.mark.parametrize("width", [72, 112, 192])
def test_the_legend_of_a_map(state: State, snapshot: SnapshotAssertion, width: int) -> None:
    """As wide as the help is on each size of screen."""
    signs = legend(RULESET, state, "map")
    page = help_page(KEYS[:1], signs=grouped(signs))(width)

    assert "\n".join(row.text.rstrip() for row in page) == snapshot(extension_class=AsText)
