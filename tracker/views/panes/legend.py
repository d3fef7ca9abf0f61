"""The signs on the screen and what they mean."""

from __future__ import annotations

from msgspec import Struct

from tracker.core.fight.state import State
from tracker.core.game.ruleset import Ruleset
from tracker.views.maps.below import SIGNS
from tracker.views.panes.failing import badges_of, no_matter
from tracker.views.time.marks import ACTING, DONE, WAITING
from tracker.views.words.text import clean

__all__ = ["Sign", "legend"]

COMMON = (
    (ACTING, "has its turn now"),
    (DONE, "has acted, or has nothing left of its turn"),
    (WAITING, "can still act in this turn"),
    ("✎", "this die was typed, not rolled by the program"),
    ("⚡", "can do something before the next answer: its label opens it"),
    ("✗", "not possible now, with the reason and its rule"),
    ("⚄", "whose dice the program rolls without asking"),
    ("→", "an effect: the moment at which it ends"),
)


class Sign(Struct, frozen=True):
    """A sign as it stands on the screen, and its meaning."""

    sign: str
    means: str


def legend(ruleset: Ruleset, state: State) -> tuple[Sign, ...]:
    """Return the signs of every fight, of the game, its map and the marks there."""
    columns = [Sign(clean(column.title), clean(column.about)) for column in ruleset.columns if column.about]
    words: dict[str, list[str]] = {}
    for status in ruleset.statuses:
        if status.mark.strip():
            words.setdefault(clean(status.mark), []).append(clean(status.word))
    statuses = [Sign(mark, " or ".join(dict.fromkeys(meant))) for mark, meant in words.items()]
    badges = dict.fromkeys(
        Sign(clean(badge.text), clean(badge.note))
        for person in state.combatants
        for badge in badges_of(ruleset, state, person.id, no_matter)
        if badge.note
    )
    board = ruleset.board(state) if ruleset.schema.board == "square" else None
    ground = {clean(cell.glyph): clean(cell.word) for cell in board.cells} if board is not None else {}
    on_map = [Sign(sign, f"map: {means}") for sign, means in (*SIGNS, *ground.items())] if board is not None else []
    return (*(Sign(sign, means) for sign, means in COMMON), *statuses, *columns, *badges, *on_map)
