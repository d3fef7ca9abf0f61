"""An evening: a bundled fight in the app, with the same dice each time."""

from __future__ import annotations

import re
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

__all__ = [
    "EVENINGS",
    "SIZES",
    "USUAL",
    "Line",
    "Played",
    "kept",
    "kept_at",
    "played",
    "shown_on",
    "table_of",
    "text_of",
]

EVENINGS = {WN: "first_fight", GH: "jelly_cistern", SV: "first_fight", SJ: "archers_into_melee", SW: "forest_ambush"}
SEEDS = {WN: 15, GH: 5, SV: 12, SJ: 22, SW: 5}
USUAL = "120x40"
SIZES = {USUAL: (120, 40), "80x24": (80, 24)}
MOST, SHOWN = 600, 40
FOLDER = Path(__file__).parent
BEGINNING, CURSOR = re.compile(r" · | ?[▸>]"), re.compile(r" ▸ \S+")
KEYS = {"⏎": "enter", "⎋": "escape", " ": "space"}


class Line(NamedTuple):
    """Keys, and how the Action pane began before."""

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


def played(folder: Path, game: str, size: str, judge: bool = False) -> Played:
    """Have the game master play an evening in a terminal of this size, and return how it went.

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
        for _ in range(MOST):
            last = table.text()
            screen = last.splitlines()
            title, rows = seen(screen)
            if session.model.state.clock.over and session.model.pending is None:
                return
            keys, shown = gm.keys(screen), shown_on(screen)
            if title == "Question" and any(row.startswith("> ") for row in rows):  # more of what is being typed
                begun = told.pop()
                told.append(Line(begun.keys + keys, begun.shown))
            else:
                told.append(Line(keys, shown))
                prompts += title == "Question"
                if judge and title == "Question" and not ROLL.search(" ".join(rows)) and not could_matter(session):
                    idle.append(" ".join(rows))
            for key in keys:
                await table.press(KEYS.get(key, key))
        raise AssertionError("the fight does not end")

    with patch.object(keyboard, "SOON", 0.0):  # each key waits for what it answers, as a person does
        drive(session, journey, SIZES[size])
    return Played(tuple(told), max(1, session.model.state.clock.round), prompts, tuple(idle), last)


def shown_on(screen: list[str]) -> str:
    """Return how the Action pane of a screen begins and where its cursor is, in the same words at every width."""
    title, rows = seen(screen)
    words = " ".join(" ".join(rows).split())
    return f"{title}: {BEGINNING.split(words)[0][:SHOWN]}{''.join(CURSOR.findall(words)[:1])}"


def text_of(game: str, evening: Played) -> str:
    """Return an evening as it is kept."""
    rounds = f"{evening.rounds} round{'' if evening.rounds == 1 else 's'}"
    head = f"# {EVENINGS[game]}: {evening.pressed} keys and {evening.prompts} prompts in {rounds}\n"
    return head + "".join(f"{line.keys}\t{line.shown}\n" for line in evening.lines)


def kept_at(game: str) -> Path:
    """Return the file that keeps the keys of an evening."""
    return FOLDER / f"{game}.keys"


def kept(game: str) -> tuple[Line, ...]:
    """Return the kept lines of an evening."""
    lines = kept_at(game).read_text(encoding="utf-8").splitlines()[1:]
    return tuple([Line(*line.split("\t")) for line in lines])
