"""The screen in every game: starts and keys, few combatants and many, a big map.

`python -m tests.bench.bench_games FOLDER` prepares journals with the games' own monsters there and writes `plan.json`
and `map.json` for an outside tool that measures terminal programs; each has the least app there is as its first
program, labelled `floor`.
"""

from __future__ import annotations

import json
import shutil
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path

from tests.bench.bench_sheet import KINDS, crowded
from tests.bench.bench_ui import HOME
from tests.ui.drive import SETTINGS, fight
from tests.ui.games import ENCOUNTERS, GH, SJ, SV, SW, WN, played, side
from tracker.core.gm.settings import ROLL
from tracker.core.terms.actions import action
from tracker.library.content.encounters import load_encounter
from tracker.session.intents import Do
from tracker.session.rulesets.registry import find
from tracker.session.session import Session

SIZES = (1, 73)
KEYS = "n*20 u*6 down*4 a escape a escape a escape a escape"
EDGE = 60
MAP_KEYS = "5*2 right*6 down*4 pagedown*3 > < D D a tab*6 enter escape escape n*4 u*4"


def main() -> None:
    """Prepare every fight, and write the two plans."""
    folder = Path(sys.argv[1] if sys.argv[1:] else "build/bench")
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    floor = {
        "label": "floor",
        "command": [sys.executable, "-m", "tests.bench.ui_floor"],
        "cwd": str(HOME),
        "ready": "READY 0",
        "keys": "j*30",
        "quit": "ctrl+q",
    }
    games = [
        entry(folder, f"{game}-{count * KINDS}", partial(crowded, game=game, count=count), KEYS)
        for game in (WN, SV, SW, SJ, GH)
        for count in SIZES
    ]
    board = {**entry(folder, "map", spread, MAP_KEYS), "size": "200x60"}
    (folder / "plan.json").write_text(json.dumps([floor, *games], indent=1))
    (folder / "map.json").write_text(json.dumps([{**floor, "size": "200x60"}, board], indent=1))


def entry(folder: Path, label: str, begin: Callable[[Path], Session], keys: str) -> dict[str, object]:
    """Prepare a fight, and return its entry in the plan; each run has a fresh copy of its journal."""
    kept, used = folder / label, folder / f"{label}-run"
    kept.mkdir()
    session = begin(kept)
    session.dispatch(Do((action(ROLL, sides=("players",)),)))
    assert session.model.refusal is None
    fight = session.model.fight
    session.close()
    return {
        "label": label,
        "command": [str(Path(sys.executable).with_name("tracker")), fight, "--db", str(used / "fights.db")],
        "cwd": str(HOME),
        "ready": "Round 1",
        "keys": keys,
        "quit": "ctrl+q",
        "size": "120x40",
        "before": f"rm -rf '{used}' && cp -r '{kept}' '{used}'",
    }


def spread(folder: Path) -> Session:
    """Begin a fight of 60 on a map of 60 by 60 squares."""
    home = folder / "files"
    shutil.copytree(ENCOUNTERS / SV, home)
    rows = ("#" * EDGE, *("#" + ".~" * (EDGE // 2 - 1) + "#" for _ in range(EDGE - 2)), "#" * EDGE)
    sides = (("Party", "players", ("ysolde", "maud", "corvin", "piet", "hobb")), ("Outlaws", "gm", ("bruiser",) * 55))
    lines = [
        "ruleset: sovereign",
        "title: The great yard",
        "setup:",
        "  grid: |",
        *(f"    {row}" for row in rows),
        "sides:",
    ]
    places = iter((x, y) for y in range(4, EDGE, 6) for x in range(4, EDGE, 9))
    for name, control, members in sides:
        lines += [f"  - name: {name}", f"    control: {control}", "    members:"]
        lines += [f"      - {{ref: {ref}, at: [{x}, {y}]}}" for ref, (x, y) in zip(members, places, strict=False)]
    (home / "yard.yaml").write_text("\n".join(lines) + "\n", encoding="utf-8")
    loaded = load_encounter(home / "yard.yaml", find)
    assert loaded.encounter is not None, loaded
    session = fight(folder, loaded.encounter, find(SV), SETTINGS)
    played(session, side("outlaws"))
    return session


if __name__ == "__main__":
    main()
