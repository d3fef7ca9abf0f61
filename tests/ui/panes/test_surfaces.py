"""The looks of whole surfaces at three sizes, in our themes and in sixteen colours."""

from __future__ import annotations

import re
from collections.abc import Callable
from html import escape
from itertools import product
from pathlib import Path

import pytest
from rich.cells import cell_len
from rich.color import Color
from rich.segment import Segment
from rich.style import Style
from syrupy.assertion import SnapshotAssertion

from tests.support.pictures import AsPicture
from tests.support.quick import settled
from tests.ui.drive import Table, fight, opened
from tests.ui.games import SJ, SV, WN, begun, played
from tests.ui.panes.test_look import WANTED, contrast
from tests.ui.skirmish import encounter
from tracker.core.fight.state import State
from tracker.core.terms.actions import action
from tracker.session.intents import Advance, Do, RollRest
from tracker.session.session import Session

USUAL = (120, 40)
SIZES = ((80, 24), USUAL, (200, 60))
THEMES = ("tracker-dark", "tracker-light", "tracker-contrast", "ansi-dark")
FAINT = 3.0
"""How much signs of the ground, and words below a dialog, stand out."""
NO_TEXT = re.compile(r"[\s\u2500-\u259f]*")
"""Frames and bars."""


def done(session: Session, *actions: tuple[str, dict[str, object]]) -> Session:
    for key, fields in actions:
        assert session.dispatch(Do((action(key, **fields),))).refusal is None  # type: ignore[arg-type]  # plain values
    return session


def crowd(folder: Path) -> Session:
    """Equals in a row, one fled, a wound, an effect."""
    return done(
        fight(folder, encounter(40)),
        ("status", {"status": "fled", "targets": ("goblin-2",)}),
        ("damage", {"amount": 3, "targets": ("goblin-5",)}),
        ("add_effect", {"name": "prone", "targets": ("goblin-7",), "until": "3"}),
        ("damage", {"amount": 11, "targets": ("wolf", "goblin-9")}),
    )


def ended(folder: Path) -> Session:
    """A fight of two rounds in which some fell."""
    session = begun(folder, WN, "first_fight")
    played(session, lambda state: state.clock.round > 0)
    return done(
        session,
        ("damage", {"amount": 30, "targets": ("ordwen",)}),
        ("damage", {"amount": 30, "targets": tuple(one.id for one in session.model.state.members("toll-takers"))[:2]}),
    )


def board(folder: Path) -> Session:
    """A map of three sides, with wounds."""
    session = begun(folder, SV, "gate_brawl")
    while session.model.pending is not None or session.model.state.clock.round < 1:
        session.dispatch(RollRest() if session.model.pending is not None else Advance())
    return done(session, ("damage", {"amount": 2, "targets": ("goblin-3", "ysolde")}))


def declared(folder: Path) -> Session:
    """A round that is declared, in its segments."""

    def placed(state: State) -> bool:
        return state.clock.current is not None and state.clock.current.segment is not None

    session = begun(folder, SJ, "spell_duel")
    played(session, placed)
    return session


SURFACES: dict[str, tuple[Callable[[Path], Session], str]] = {
    "crowd": (crowd, "-8b⏎"),
    "fold": (crowd, "2«end»«right»"),
    "edges": (crowd, "1«ctrl+right»«ctrl+right»«ctrl+right»«ctrl+down»«ctrl+down»"),
    "end": (ended, "«ctrl+p»end f⏎⏎"),
    "story": (ended, "«ctrl+p»end f⏎⏎s"),
    "map": (board, "«escape»5"),
    "declares": (declared, ""),
}
ALWAYS = {("crowd", (120, 40)), ("declares", (80, 24))}
"""What every run draws; the others are long."""


async def pressed(table: Table, keys: str) -> None:
    for named, plain in re.findall(r"«([^»]+)»|([^«]+)", keys):
        await (table.press(named) if named else table.type(plain))


def lines(table: Table) -> list[list[Segment]]:
    return [list(strip) for strip in table.app.screen._compositor.render_strips()]


def poor(table: Table, least: float) -> dict[str, float]:
    """Return the texts on the screen that stand out less than wanted.

    Signs of the ground and what a dialog covers may be fainter than words.
    """
    shown = [part for line in lines(table) for part in line if not NO_TEXT.fullmatch(part.text)]
    veil, wanted, found = table.app.look.veil.color, dict[str, float](), dict[str, float]()
    for part in shown:
        if part.style is not None:
            text = part.text.strip()
            faint = part.style.color == veil or not any(letter.isalnum() for letter in text)
            wanted[text], found[text] = FAINT if faint else least, contrast(part.style)
    assert len(found) > 20
    return {text: round(share, 2) for text, share in found.items() if share < wanted[text]}


def picture(table: Table) -> str:
    """Return the screen as a picture, a tenth of the size of the library's."""
    classes: dict[str, str] = {}

    def look(**said: str) -> str:
        return classes.setdefault(";".join(f"{key}:{value}" for key, value in said.items()), f"c{len(classes)}")

    drawn: list[str] = []
    shown, plain = lines(table), named(table.app.look.plain.bgcolor, "#000")
    for row, line in enumerate(shown):
        column, pieces = 0, list[str]()
        for part in line:
            style, size = part.style or Style(), cell_len(part.text)
            ink, ground = named(style.color, "#ccc"), named(style.bgcolor, plain)
            ink, ground = (ground, ink) if style.reverse else (ink, ground)
            if ground != plain:
                box = f'x="{column * 8}" y="{row * 16}" width="{size * 8}" height="16"'
                drawn.append(f'<rect class="{look(fill=ground)}" {box}/>')
            if part.text.strip():
                weight = {"font-weight": "bold"} if style.bold else {}
                faint = {"opacity": ".6"} if style.dim else {}
                slant = {"font-style": "italic"} if style.italic else {}
                name = look(fill=ink, **weight, **faint, **slant)
                pieces.append(f'<tspan class="{name}" x="{column * 8}">{escape(part.text.rstrip())}</tspan>')
            column += size
        drawn.append(f'<text y="{row * 16 + 12}">{"".join(pieces)}</text>')
    width, height = table.app.size
    rules = "".join(f".{name}{{{said}}}\n" for said, name in classes.items())
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width * 8} {height * 16}">\n'
        f"<style>\ntext{{font:13.3px monospace;white-space:pre}}\n{rules}</style>\n"
        f'<rect width="100%" height="100%" fill="{plain}"/>\n' + "\n".join(drawn) + "\n</svg>\n"
    )


def named(color: Color | None, usual: str) -> str:
    """Return a colour as pictures name it."""
    return usual if color is None or color.is_default else color.get_truecolor().hex


@pytest.mark.parametrize(
    ("name", "size"),
    [
        pytest.param(
            name, size, id=f"{name}-{size[0]}x{size[1]}", marks=() if (name, size) in ALWAYS else pytest.mark.long
        )
        for name, size in product(SURFACES, SIZES)
    ],
)
async def test_a_surface_looks_as_it_looked(
    tmp_path: Path, snapshot: SnapshotAssertion, name: str, size: tuple[int, int]
) -> None:
    """Every text on it can be read, at the usual size in all themes."""
    make, keys = SURFACES[name]
    async with opened(make(tmp_path), size) as table:
        await pressed(table, keys)
        for theme in THEMES if size == USUAL else THEMES[:1]:
            table.app.theme = theme
            await settled(table.app)
            if theme in WANTED:
                assert poor(table, WANTED[theme]) == {}, theme
            assert picture(table) == snapshot(name=theme, extension_class=AsPicture)
