"""An evening: a bundled fight in the app, with the same dice each time."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple
from unittest.mock import patch

from tests.evenings.gm import ROLL, GameMaster
from tests.evenings.matter import could_matter
from tests.evenings.screen import seen
from tests.ui.drive import Table, drive
from tests.ui.games import GH, SJ, SV, SW, WN, begun
from tracker.session.session import Session
from tracker.session.settings import Settings, dice_roller
from tracker.ui.fight import keyboard

__all__ = ["EVENINGS", "Line", "Played", "kept", "played", "shown_on", "table_of", "text_of"]

EVENINGS = {WN: "first_fight", GH: "jelly_cistern", SV: "first_fight", SJ: "archers_into_melee", SW: "forest_ambush"}
SEEDS = {WN: 15, GH: 5, SV: 12, SJ: 22, SW: 5}
MOST, SHOWN = 600, 60
FOLDER = Path(__file__).parent
KEYS = {"⏎": "enter", "⎋": "escape", " ": "space"}


class Line(NamedTuple):
    """Keys, and what the Action pane showed before."""

    keys: str
    shown: str


class Played(NamedTuple):
    """An evening as it went, the prompts that could not matter, and the last screen.

    Dice are a player's to roll whatever comes of them; what is decided must be able to change something.
    """

    lines: tuple[Line, ...]
    rounds: int
    prompts: int
    idle: tuple[str, ...]
    last: str

    @property
    def pressed(self) -> int:
        """How many keys it took."""
        return sum(len(line.keys) for line in self.lines)


def table_of(folder: Path, game: str) -> Session:
    """Return the fight of an evening, begun with its dice."""
    return begun(folder, game, EVENINGS[game], Settings(roller=dice_roller(SEEDS[game]), by_side=True))


def played(folder: Path, game: str, lines: tuple[Line, ...] | None = None, judge: bool = False) -> Played:
    """Play an evening, by its keys or anew, and return how it went.

    `judge`: each decision is tried with other answers.
    """
    session = table_of(folder, game)
    heroes = frozenset(
        member.name for side in session.encounter.sides if side.control == "players" for member in side.members
    )
    gm = GameMaster(heroes, SEEDS[game])
    told: list[Line] = []
    idle: list[str] = []
    prompts, last = 0, ""

    async def journey(table: Table) -> None:
        nonlocal prompts, last
        for number in range(MOST):
            last = table.text()
            screen = last.splitlines()
            title, rows = seen(screen)
            shown = shown_on(screen)
            if session.model.state.clock.over and session.model.pending is None:
                return
            if lines is not None:
                assert number < len(lines), f"the keys end before the fight:\n{table.text()}"
                assert shown == lines[number].shown, f"line {number + 2}\n{table.text()}"
            keys = gm.keys(screen) if lines is None else lines[number].keys
            if title == "Question" and not any(row.startswith("> ") for row in rows):
                prompts += 1
                if judge and not ROLL.search(" ".join(rows)) and not could_matter(session):
                    idle.append(" ".join(rows))
            told.append(Line(keys, shown))
            for key in keys:
                await table.press(KEYS.get(key, key))
        raise AssertionError("the fight does not end")

    with patch.object(keyboard, "SOON", 0.0):  # each key waits for what it answers, as a person does
        drive(session, journey)
    return Played(tuple(told), max(1, session.model.state.clock.round), prompts, tuple(idle), last)


def shown_on(screen: list[str]) -> str:
    """Return what stands in the Action pane of a screen: its title and first row."""
    title, rows = seen(screen)
    return f"{title}: {rows[0]}"[:SHOWN]


def text_of(game: str, evening: Played) -> str:
    """Return an evening as it is kept."""
    rounds = f"{evening.rounds} round{'' if evening.rounds == 1 else 's'}"
    head = f"# {EVENINGS[game]}: {evening.pressed} keys and {evening.prompts} prompts in {rounds}\n"
    return head + "".join(f"{line.keys}\t{line.shown}\n" for line in evening.lines)


def kept(game: str) -> tuple[str, tuple[Line, ...]]:
    """Return the kept text of an evening, and its lines."""
    text = (FOLDER / f"{game}.keys").read_text(encoding="utf-8")
    return text, tuple(_lines(text))


def _lines(text: str) -> Iterator[Line]:
    for line in text.splitlines()[1:]:
        keys, _, shown = line.partition("\t")
        yield Line(keys, shown)
