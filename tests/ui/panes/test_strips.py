"""Lines reach the terminal as the library's would, with fewer codes."""

from __future__ import annotations

import re

from hypothesis import given
from hypothesis import strategies as st
from rich.color import ColorSystem
from rich.console import Console
from rich.segment import Segment
from rich.style import Style
from textual.strip import Strip

from tracker.ui.drawing.look import Look
from tracker.ui.drawing.strips import Line
from tracker.ui.drawing.themes import THEMES
from tracker.views.words.spans import Row, Span

FLAGS = {1: "bold", 2: "dim", 3: "italic", 4: "underline", 7: "reverse", 9: "strike"}
OFF = {
    22: ("bold", "dim"),
    23: ("italic",),
    24: ("underline",),
    27: ("reverse",),
    29: ("strike",),
    39: ("color",),
    49: ("bgcolor",),
}
COLOURS = st.sampled_from((None, "#102030", "#a0b0c0", "red", "bright_blue", "color(200)", "default"))
STYLES = st.one_of(
    st.none(),
    st.builds(
        Style, color=COLOURS, bgcolor=COLOURS, **{name: st.sampled_from((None, True, False)) for name in FLAGS.values()}
    ),
)
SYSTEMS = st.sampled_from((ColorSystem.TRUECOLOR, ColorSystem.EIGHT_BIT, ColorSystem.STANDARD))


def seen(text: str) -> list[tuple[str, frozenset[str]]]:
    """What a terminal shows of a text.

    Each character with what the codes before it have left switched on.
    """
    shown, state = [], dict[str, str]()
    for codes, character in re.findall(r"\x1b\[([\d;]*)m|(.)", text, re.DOTALL):
        if character:
            shown.append((character, frozenset(f"{kind}={value}" for kind, value in state.items())))
            continue
        numbers = [int(number or 0) for number in codes.split(";")]
        while numbers:
            number = numbers.pop(0)
            if number == 0:
                state.clear()
            elif number in FLAGS:
                state[FLAGS[number]] = "on"
            elif number in (38, 48):
                size = 4 if numbers[0] == 2 else 2
                state["color" if number == 38 else "bgcolor"] = f"{numbers[:size]}"
                del numbers[:size]
            elif number in OFF:
                for kind in OFF[number]:
                    state.pop(kind, None)
            else:
                state["color" if number // 10 in (3, 9) else "bgcolor"] = f"{number}"
    assert state == {}
    return shown


def consoles(system: ColorSystem) -> Console:
    console = Console(force_terminal=True)
    console._color_system = system
    return console


@given(st.lists(st.tuples(st.text("ab ", min_size=1, max_size=3), STYLES), max_size=6), SYSTEMS)
def test_a_terminal_shows_the_same(pieces: list[tuple[str, Style | None]], system: ColorSystem) -> None:
    """Whatever styles follow each other, in however many colours."""
    segments, console = [Segment(text, style) for text, style in pieces], consoles(system)

    assert seen(Line(segments).render(console)) == seen(Strip(segments).render(console))


def test_fewer_bytes_reach_the_terminal() -> None:
    """A row of the combatants takes a quarter less than what the library would send."""
    theme = THEMES[0]
    look = Look(
        theme.variables
        | {"foreground": str(theme.foreground), "background": str(theme.background), "success": str(theme.success)}
    )
    spans = (
        Span("▶ ", "strong"),
        Span("a ", "strong"),
        Span("Ava", "players"),
        Span("  "),
        Span("████ ", "good"),
        Span("9/12"),
        Span("  charging"),
    )
    ours, console = look.strip(Row("ava", spans), 60), consoles(ColorSystem.TRUECOLOR)
    library = Strip(ours._segments).render(console)

    assert seen(ours.render(console)) == seen(library)
    assert len(ours.render(console)) < 0.75 * len(library)
