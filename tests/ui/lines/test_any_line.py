"""Whatever is typed into the command line or the palette, in every game."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as some

from tests.faults.harness.games import GAMES
from tests.support.shares import tries
from tests.ui.fight.test_out_of_turn import at_the_table
from tracker.session.session import Session
from tracker.ui.modes.acting.command_line import CommandLine
from tracker.ui.modes.search.palette import Palette
from tracker.ui.typing.entry import Entry
from tracker.ui.typing.mode import ModeContext

WORDS = (
    *"abcdefghijklmnopqrstuvwxyzABC0123456789 -+*=:,.!?'\"[]{}#%",
    *(
        "att",
        "attack",
        "cast",
        "damage",
        "effect",
        "prone",
        "insert",
        "2 gob",
        "note",
        "move",
        "hold",
        "set",
        "status",
        "roll",
        "2d6+3",
        "4+2",
        "14",
        "99999999999",
    ),
    *(
        "name=",
        "target=",
        "weapon=x",
        "who=g",
        "undo",
        "next",
        "end",
        "theme",
        "é",
        "漢字",
        "🐉",
        "\u202e",
        "\uff10\uff11",
        "²",
        "-1",
        "+2",
    ),
)
LINES = some.lists(some.sampled_from(WORDS), max_size=8).flatmap(
    lambda words: some.sampled_from([" ", ""]).map(lambda blank: blank.join(words))
)


@pytest.fixture(scope="module", params=GAMES)
def session(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Session]:
    """A fight of each game at its first turn."""
    opened = at_the_table(tmp_path_factory.mktemp("fight"), request.param)
    yield opened
    opened.close()
    opened.journal.close()


def scene_of(session: Session) -> ModeContext:
    return ModeContext(session.ruleset, session.model, session)


@tries(60)
@given(
    line=LINES,
    keys=some.lists(some.sampled_from(["up", "down", "tab", "enter", "backspace", "left", "home"]), max_size=4),
    marked=some.integers(-1, 50),
)
def test_any_line_can_be_typed(session: Session, line: str, keys: list[str], marked: int) -> None:
    """Every line is drawn at any size, completed and entered without a failure."""
    scene = scene_of(session)
    mode = CommandLine(entry=Entry().typed(line), chosen=marked)
    for key in keys:
        assert all(character.isprintable() for row in mode.rows(scene, 40, 12) for character in row.text)
        assert len(mode.rows(scene, 10, 3)) <= 3
        result = mode.press(scene, key, None)
        assert result is not None
        if not isinstance(result.mode, CommandLine):
            assert result.mode is not None or result.intents or result.call or not mode.entry.text.strip()
            break
        mode = result.mode


@tries(30)
@given(text=LINES, steps=some.lists(some.sampled_from(["up", "down", "pagedown", "pageup"]), max_size=3))
def test_anything_can_be_searched(session: Session, text: str, steps: list[str]) -> None:
    """Every search is drawn at any size, and Enter does what is marked, if anything."""
    scene = scene_of(session)
    mode = Palette(entry=Entry().typed(text))
    for key in steps:
        assert all(character.isprintable() for row in mode.rows(scene, 40, 12) for character in row.text)
        pressed = mode.press(scene, key, None)
        assert pressed is not None
        assert isinstance(pressed.mode, Palette)
        mode = pressed.mode
    result = mode.press(scene, "enter", None)
    assert result is not None
    assert (result.mode == mode) == (not mode.found(scene))
