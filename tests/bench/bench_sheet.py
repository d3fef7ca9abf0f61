"""The sheet of forty monsters in each game: how soon it opens.

The budget is 15 ms; all its lines and the longest wait for a part of them are told too. Run with
`python -m tests.bench.bench_sheet`. Processor time of the thread, the median of several sheets; it never
fails.
"""

from __future__ import annotations

import statistics
import tempfile
import time
from itertools import pairwise
from pathlib import Path

from msgspec.structs import replace

from tests.ui.drive import SETTINGS, fight
from tests.ui.games import FIGHTS, GH, SJ, SV, SW, WN, Ready, phase, played, prepared, side
from tracker.core.fight.state import State
from tracker.core.terms.dice import Dice
from tracker.session.rulesets.registry import find
from tracker.session.session import Session
from tracker.ui.modes.acting.batch import TurnBatch
from tracker.ui.typing.mode import ModeContext

KINDS, OF_EACH, ROUNDS = 4, 10, 7
SLICE = 0.004
MOMENTS: dict[str, Ready] = {
    WN: side("toll-takers"),
    SV: side("outlaws"),
    GH: phase("monsters"),
    SJ: phase("declare"),
    SW: lambda state: state.clock.phase in ("leading", "following"),
}
NAMES = {SW: "forest_ambush"}


def crowded(folder: Path, game: str, count: int = OF_EACH) -> Session:
    """Return a fight with so many of each of four kinds, when these act."""
    name = NAMES.get(game, FIGHTS[game][0])
    encounter = prepared(game, name)
    ours = next(one for one in encounter.sides if one.control == "gm")
    many = Dice.parse(str(count))
    kinds = [member for other in encounter.sides if other.control == "gm" for member in other.members]
    members = tuple(replace(kinds[at % len(kinds)], count=many, data=None) for at in range(KINDS))
    sides = tuple(
        one if one.control == "players" else replace(ours, members=members)
        for one in encounter.sides
        if one.control == "players" or one is ours
    )
    session = fight(folder, replace(encounter, sides=sides, waves=()), find(game), replace(SETTINGS, by_side=True))
    played(session, lambda state: MOMENTS[game](state) and foes_act(state))
    return session


def foes_act(state: State) -> bool:
    """Tell whether the slot is the GM's, or everybody's."""
    slot = state.clock.current
    if slot is None or slot.turns == "none":
        return slot is not None
    acting = slot.members or tuple(one.id for one in state.combatants if one.side == slot.side)
    return any(state.side_of(who).control == "gm" for who in acting if who in state)


def measured(session: Session) -> tuple[float, float, float, int]:
    """Return the times of opening, of the whole, of the longest part, and the lines."""
    scene = ModeContext(session.ruleset, session.model, session)
    times = [time.thread_time()]
    sheet = TurnBatch.open(scene)
    sheet.rows(scene, 44, 20)
    times.append(time.thread_time())
    while sheet.to_come:
        sheet = sheet.filled(scene, SLICE)
        sheet.rows(scene, 44, 20)
        times.append(time.thread_time())
    parts = [after - before for before, after in pairwise(times)]
    return parts[0], times[-1] - times[0], max(parts), len(sheet.lines)


def main() -> None:
    """Measure each game."""
    for game in (WN, GH, SV, SJ, SW):
        found = []
        with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
            for number in range(ROUNDS):
                where = Path(folder) / str(number)
                where.mkdir()
                session = crowded(where, game)
                found.append(measured(session))
                session.close()
        opened, whole, longest = (statistics.median(one[place] for one in found) * 1000 for place in range(3))
        print(
            f"{game:24} {found[0][3]} lines: opens in {opened:5.1f} ms ({opened / 15:4.0%} of 15), "
            f"all of them {whole:6.1f} ms, the longest wait {longest:5.1f} ms"
        )


if __name__ == "__main__":
    main()
