"""A campaign that carries its party from fight to fight."""

from __future__ import annotations

from tests.cli.conftest import Program
from tests.cli.test_party import evening


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
