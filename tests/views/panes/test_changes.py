"""Two states side by side: what the screen shows is told, a game's bookkeeping is not."""

from __future__ import annotations

from pathlib import Path

from msgspec.structs import replace

from tests.ui.games import GH, begun
from tests.views.toy import changed
from tracker.core.fight.state import Pool, State
from tracker.core.game.schema import Column
from tracker.core.terms.values import Value
from tracker.session.model import differences
from tracker.session.rulesets.registry import find
from tracker.views.panes.changes import change_rows


def told(was: State, now: State) -> str:
    stance = Column("stance", "Stance", 8, lambda state, who: str(state[who].fact("stance") or ""))
    rows = change_rows(replace(find(GH), columns=(stance,)), was, now, differences(was, now), 100)
    return "\n".join(" ".join(row.text.split()) for row in rows)


def with_fact(state: State, who: str, key: str, value: Value) -> State:
    return changed(state, who, facts=tuple(sorted((*state[who].facts, (key, value)))))


def with_points(state: State, who: str, points: int) -> State:
    return changed(state, who, pools=(Pool("hp", points, 5),))


def test_bookkeeping_is_not_told(tmp_path: Path) -> None:
    """A fact that no column shows makes no line, and neither does one of the fight."""
    session = begun(tmp_path, GH, "goblin_waves")
    state = session.model.state
    assert told(state, with_fact(state, "kerrow", "felled", True)) == "nothing in the fight would be different"
    fight = replace(state, facts=(*state.facts, ("zone:1", "participants", ("kerrow",))))
    assert told(state, fight) == "nothing in the fight would be different"
    session.close()


def test_a_column_that_reads_otherwise_is_told_by_its_title(tmp_path: Path) -> None:
    """A fact is listed if a column shows it; a negative number has a minus sign."""
    session = begun(tmp_path, GH, "goblin_waves")
    state = session.model.state
    assert told(state, with_fact(state, "kerrow", "stance", "pursuit")).endswith("Kerrow Stance – → pursuit")
    was, now = (with_points(state, "kerrow", points) for points in (3, -2))
    assert told(was, now).endswith("Kerrow HP 3 → −2")
    session.close()
