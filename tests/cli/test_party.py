"""`--party-from FIGHT` and campaigns: a fight begun as an earlier one left the party."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.conftest import Program
from tracker.ui import app

ENCOUNTERS = Path(__file__).parents[2] / "encounters" / "worlds_without_number"
PARTY = (
    "ruleset: skirmish\ncharacters:\n  - {name: Ada, hp: 10, ac: 14}\n  - {name: Bo, hp: 8}\n  - {name: Cara, hp: 8}\n"
)
ENCOUNTER = """\
ruleset: skirmish
title: {title}
sides:
  - {{name: Party, control: players, members: party.yaml}}
  - {{name: Thugs, members: [{{name: Thug, hp: 6}}]}}
"""
HURT = """\
- do: damage
  amount: 3
  targets: [Ada]
- do: status
  targets: [Cara]
  status: gone
"""


def evening(program: Program, script: str = HURT) -> tuple[Path, Path, Path]:
    """Play the first fight, and return the journal, the first encounter and the second."""
    program.file("party.yaml", PARTY)
    first = program.file("first.yaml", ENCOUNTER.format(title="At the ford"))
    second = program.file("second.yaml", ENCOUNTER.format(title="In the mill"))
    journal = program.folder / "fights.db"
    ran = program("run", first, "--script", program.file("hurt.yaml", script), "--seed", "1", "--db", journal)
    assert ran.status == 0, ran.err
    return journal, first, second


def test_party_comes_as_it_was_left(program: Program) -> None:
    """Hit points are carried over, and one line says what came along."""
    journal, _, second = evening(program)

    ran = program("run", second, "--seed", "1", "--db", journal, "--party-from", "At the ford")

    assert (ran.status, ran.hp("ada"), ran.hp("bo")) == (0, 7, 8)
    assert ran.err == "from At the ford: Ada 7/10, Bo 8/8, Cara 8/8\n"


def test_fight_that_is_not_there_is_one_line(program: Program) -> None:
    journal, _, second = evening(program)

    ran = program("run", second, "--seed", "1", "--db", journal, "--party-from", "At the fort")

    assert (ran.status, ran.out) == (1, "")
    assert ran.err == 'tracker: there is no fight "At the fort" (did you mean At the ford?)\n'


def test_fight_of_strangers_is_refused(program: Program) -> None:
    """Where nobody of the party took part there is nothing to carry over."""
    journal, _, _ = evening(program)
    other = program.file(
        "other.yaml", ENCOUNTER.format(title="Elsewhere").replace("party.yaml", "[{name: Zed, hp: 5}]")
    )

    ran = program("run", other, "--seed", "1", "--db", journal, "--party-from", "at-the-ford")

    assert (ran.status, ran.err) == (1, 'tracker: nobody of the party took part in "At the ford"\n')


def test_the_dead_come_with_a_word(program: Program) -> None:
    """Characters who take no part any more stay out. `--with-dead` lets them in as their file has them."""
    first, second = (ENCOUNTERS / f"{name}.yaml" for name in ("first_fight", "night_raid"))
    script = program.file("deadly.yaml", "- do: status\n  targets: [Nele]\n  status: dead\n")
    journal = program.folder / "fights.db"
    assert program("run", first, "--script", script, "--seed", "1", "--db", journal).status == 0
    begin = ("run", second, "--seed", "1", "--db", journal, "--party-from", "toll-at-the-broken-bridge")

    without, with_dead = program(*map(str, begin)), program(*map(str, begin), "--with-dead")

    assert "nele" not in without.state["combatants"]
    assert with_dead.state["combatants"]["nele"]["status"] == "up"
    assert "Nele stays out: dead" in without.err
    assert "Nele comes as in the file: dead" in with_dead.err


def test_dead_without_a_fight_are_refused(program: Program) -> None:
    ran = program("run", program.encounter, "--seed", "1", "--with-dead")

    assert (ran.status, ran.out) == (1, "")
    assert ran.err == "tracker: --with-dead says who comes along with --party-from FIGHT, which is missing\n"


def test_app_begins_with_the_party_too(program: Program, monkeypatch: pytest.MonkeyPatch) -> None:
    """`tracker play` takes the same words, and says on standard error what came along."""
    journal, _, second = evening(program)
    points: list[int] = []
    monkeypatch.setattr("tracker.cli.app.need_terminal", lambda name: None)
    monkeypatch.setattr(
        app, "run", lambda repertoire: points.extend(one.hp for one in repertoire.session.model.state.combatants)
    )

    ran = program("play", second, "--db", journal, "--party-from", "at-the-ford")

    assert (ran.status, points[:3]) == (0, [7, 8, 8])
    assert ran.err == "from At the ford: Ada 7/10, Bo 8/8, Cara 8/8\n"


def test_the_party_goes_on_by_itself(program: Program) -> None:
    """Where the campaign says so, as the last fight left it. `--rested` begins as the file has it."""
    journal, _, second = evening(program)
    program.file("campaign.yaml", "ruleset: skirmish\ncarry: true\n")

    ran = program("run", second, "--seed", "1", "--db", journal)
    rested = program("run", second, "--seed", "1", "--db", journal, "--rested")

    assert (ran.status, ran.hp("ada")) == (0, 7)
    assert ran.err == "from At the ford: Ada 7/10, Bo 8/8, Cara 8/8\n"
    assert (rested.status, rested.hp("ada"), rested.err) == (0, 10, "")


def test_nothing_goes_on_where_it_is_not_wanted(program: Program) -> None:
    journal, _, second = evening(program)
    program.file("campaign.yaml", "ruleset: skirmish\n")

    assert program("run", second, "--seed", "1", "--db", journal).hp("ada") == 10
