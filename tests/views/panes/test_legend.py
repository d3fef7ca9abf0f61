"""The legend of signs: nothing is drawn that it does not explain."""

from __future__ import annotations

import ast
import re
from functools import cache
from pathlib import Path

import pytest
from msgspec.structs import replace

import tracker.views.maps
from rulesets.sovereign.stat_blocks.models import Setup
from tracker.core.fight.board import Board
from tracker.core.fight.state import State
from tracker.core.game.ruleset import MapRules
from tracker.session.rulesets.registry import find
from tracker.views.panes.legend import Sign, legend

ROOT = Path(tracker.views.maps.__file__).parents[3]
GAMES = ("worlds_without_number", "sovereign", "sword_world", "spelljammer", "githack")
DRAWN = ("tracker/views", "tracker/ui", "tracker/forecast", "rulesets")
"""Where words and signs of the screen are made."""
UNSEEN = "tracker/views/words/text.py"
"""What cleans the text of files."""
PUNCTUATION = frozenset("–—−…’½¼⅓")
TOLD = re.compile(r'"""[\s\S]*?"""|  # .*')
FRAMES = frozenset("─│╭╮╰╯╌═╔╗╚╝┌┐└┘╪╸")
"""Frames, and parts of lines and bars of which the legend has another part."""


@cache
def signs_of(game: str) -> tuple[Sign, ...]:
    """Return the legend of an empty fight on every kind of ground."""
    ruleset = find(game)
    if ruleset.schema.board == "line":
        ruleset = replace(ruleset, map=MapRules(board=lambda state: Board("line", 9)))
    return legend(
        ruleset, State(setup=Setup(grid=".~#o", elevation={"0,0": 10})) if ruleset.schema.board == "square" else State()
    )


def explained(*games: str) -> str:
    return "".join(sign.sign for game in games for sign in signs_of(game))


def signs_in(path: Path) -> set[str]:
    """Return the signs in a module's texts, without docstrings and comments."""
    text = path.read_text(encoding="utf-8")
    if text.isascii():
        return set()
    return {sign for sign in set(TOLD.sub("", text)) if not (sign.isascii() or sign.isalpha())}


def drawn() -> dict[str, str]:
    """Return every sign in the screen's texts, each with a module that has it."""
    found: dict[str, str] = {}
    for folder in DRAWN:
        for path in sorted((ROOT / folder).rglob("*.py")):
            name = path.relative_to(ROOT)
            if name == Path(UNSEEN) or "blocks" in name.parts:  # those read the print of stat blocks
                continue
            found.update(dict.fromkeys(signs_in(path), str(name)))
    return found


def test_every_sign_that_can_be_drawn_is_explained() -> None:
    """A new sign has its line in the help, or is a frame's."""
    known = explained(*GAMES)
    found = {sign: where for sign, where in drawn().items() if sign not in PUNCTUATION | FRAMES}

    assert {sign: where for sign, where in found.items() if sign not in known} == {}
    assert {"▶", "◆", "⚑", "▓", "⚄", "†"} <= set(found)


def test_every_sign_of_the_map_is_explained() -> None:
    """Signs of every keyboard are among them."""
    signs = {
        part
        for path in (ROOT / "tracker" / "views" / "maps").glob("*.py")
        for node in ast.parse(path.read_text(encoding="utf-8")).body
        if isinstance(node, ast.Assign)
        for value in ast.walk(node.value)
        if isinstance(value, ast.Constant) and isinstance(part := value.value, str) and len(part) == 1
    }

    assert {"*", ",", "?", "_", "×", "▾"} <= signs
    missing = {sign for sign in signs - FRAMES if sign not in explained("sovereign", "sword_world")}
    assert missing == set()


@pytest.mark.parametrize("game", GAMES)
def test_signs_are_grouped_by_task(game: str) -> None:
    """The map has a group if the game has a map."""
    signs = signs_of(game)
    headings = list(dict.fromkeys(sign.group for sign in signs))

    assert headings[:4] == [
        f"Signs: {task}" for task in ("whose turn", "combatants", "log, story and row", "choosing and typing")
    ]
    assert ("Signs: map" in headings) == (find(game).schema.board != "none")
    assert [sign.group for sign in signs] == [
        heading for heading in headings for sign in signs if sign.group == heading
    ]
    assert all(sign.means for sign in signs)
    assert [sign.means for sign in signs if sign.sign == "·" and sign.group == "Signs: map"] in ([], ["open ground"])


def test_the_signs_of_the_pane_come_first() -> None:
    signs = legend(find("sovereign"), State(), "log")

    assert [sign.group for sign in signs][:1] == ["Signs: log, story and row"]
    assert len(signs) == len(legend(find("sovereign"), State()))
