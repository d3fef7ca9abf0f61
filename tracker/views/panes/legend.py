"""The signs on the screen and their meanings, grouped by task."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TypeAlias

from msgspec import Struct

from tracker.core.fight.board import Board
from tracker.core.fight.state import State
from tracker.core.game.ruleset import Ruleset
from tracker.views.log.lines import ICONS as EVENT_ICONS
from tracker.views.maps.legend import SIGNS as ON_SQUARES
from tracker.views.maps.line import SIGNS as ON_A_LINE
from tracker.views.maps.terrain import FLOOR
from tracker.views.panes.roster import CHANGED, EMPTY, FELL, FULL, OTHER, ROSE, UNHURT
from tracker.views.panes.side_points import LEVELS
from tracker.views.time.turn_marks import ACTING, DONE, WAITING
from tracker.views.words.ruleset_answers import badges_of, tolerate
from tracker.views.words.sides import CAMPS
from tracker.views.words.text import clean

Signs: TypeAlias = Sequence[tuple[str, str]]

_EVENTS: Mapping[str, str] = {
    "miss": "a miss",
    "hit": "a hit",
    "left": "left the fight",
    "down": "went down",
    "wave": "joined the fight, a wave",
    "broken": "a check of Morale failed, a side broke",
    "dead": "died",
}
TURN: Signs = (
    (ACTING, "has its turn now"),
    (DONE, "has acted, or has nothing left of its turn"),
    (WAITING, "has something left of its turn"),
    ("⚡", "can do something before the next answer: its label opens it"),
    ("⚄", "whose dice the program rolls without asking; −a: but not this one's, +a: this one's as well"),
)
PEOPLE: Signs = (
    (UNHURT, "all points are there"),
    (FULL, "points left, green, then yellow, then red"),
    (CHANGED, "points lost or healed in the last step"),
    (EMPTY, "points lost before"),
    (FELL, "this value fell in the last step; before `3 dead`: the fold is open"),
    (ROSE, "this value rose in the last step"),
    (OTHER, "before a value: it differs since the last step; before a label: a foe"),
    (CAMPS["ally"], "before a label: a friend of the players; before effects: how many more there are"),
    ("→", "an effect: the moment at which it ends"),
    ("×", "Goblin ×4: equals in one row, right unfolds them"),
    ("▸", "folded: right opens it"),
)
LOG: Signs = (
    *((sign, _EVENTS[event]) for event, sign in EVENT_ICONS.items()),
    ("→", "from what to what: 7→3"),
    ("←", "the dice behind a number: hp 5 ← d8 5"),
    ("✎", "this die was typed, not rolled by the program"),
    ("☎", "a player's phone has sent this die"),
)
TYPING: Signs = (
    ("▸", "chosen in a list, a form or a sheet: enter takes it"),
    ("✓", "picked, of a list that takes several"),
    ("✗", "not possible now, with the reason and its rule"),
    ("≤", "≤16, 9+: this number or less, this or more succeeds"),
    ("→", "Goblin → Wolf: who does it to whom; → round end: what comes of it or follows"),
)
PAST: Signs = (
    ("┆", "a frame of dashes: a look back, nothing can be done there"),
    ("║", "a double frame: a what-if, nothing of it has happened"),
    ("●", "the branch the fight stands on"),
    ("┃", "in the frame at the right: where in a long list this is"),
    ("↓", "3 more: lines out of sight below; ↑ above"),
    (LEVELS, "at the top: a side's points as the last rounds began, and now"),
)
FIRST: Mapping[str, str] = {"order": "whose turn", "roster": "combatants", "log": "log, story and row", "map": "map"}
"""The group that comes first in a pane."""
FORECAST: Signs = (
    (FULL, "the chance is surely this high"),
    (CHANGED, "the chance as it was counted"),
    (EMPTY, "the chance may be this high"),
    ("±", "how far a number may be off"),
)


class Sign(Struct, frozen=True):
    """A sign on the screen, its meaning, and the task it belongs to."""

    sign: str
    means: str
    group: str = ""


def legend(ruleset: Ruleset, state: State, pane: str = "") -> tuple[Sign, ...]:
    """Return the signs of every fight, the game and its map, those of a pane first."""
    board = ruleset.map.board(state) if ruleset.schema.board != "none" else None
    grouped: tuple[tuple[str, Signs], ...] = (
        ("whose turn", TURN),
        ("combatants", (*PEOPLE, *_of_game(ruleset, state))),
        ("log, story and row", LOG),
        ("choosing and typing", TYPING),
        ("map", _of_map(board) if board is not None else ()),
        ("past and what-if", PAST),
        ("forecast", FORECAST),
    )
    first = FIRST.get(pane, "")
    ordered = sorted(grouped, key=lambda group: group[0] != first)
    return tuple([Sign(sign, means, f"Signs: {group}") for group, signs in ordered for sign, means in signs])


def _of_game(ruleset: Ruleset, state: State) -> Iterable[tuple[str, str]]:
    """Yield the marks of statuses, the game's columns and its badges."""
    words: dict[str, list[str]] = {}
    for status in ruleset.statuses:
        if status.mark.strip():
            words.setdefault(clean(status.mark), []).append(clean(status.word))
    yield from ((mark, " or ".join(dict.fromkeys(meant))) for mark, meant in words.items())
    yield from ((clean(column.title), clean(column.about)) for column in ruleset.columns if column.about)
    yield from dict.fromkeys(
        (clean(badge.text), clean(badge.note))
        for person in state.combatants
        for badge in badges_of(ruleset, state, person.id, tolerate)
        if badge.note
    )


def _of_map(board: Board) -> Signs:
    ground = {clean(cell.glyph): clean(cell.word) for cell in board.cells if cell.glyph != FLOOR}
    return (*(ON_SQUARES if board.kind == "square" else ON_A_LINE), *ground.items())
