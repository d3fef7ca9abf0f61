"""A fight for the GM's own actions."""

from __future__ import annotations

from typing import Any

from tests.support import declared, individual, sides
from tests.support.common import encounter
from tracker.core.run import Step
from tracker.core.terms.actions import Action
from tracker.core.terms.errors import Refusal
from tracker.testing.table import Table


def table(ruleset: str = "sides") -> Table:
    """Return a fight of Ada and Bo against three goblins, in the party's slot."""
    game: Any = {"sides": sides, "individual": individual, "declared": declared}[ruleset]
    first = {"initiative:party": 8, "initiative:goblins": 2} if ruleset == "sides" else {}
    return Table(game.RULESET, encounter(ruleset), first)


def refusal(fight: Table, wanted: Action) -> Refusal:
    outcome = fight.run(Step("do", (wanted,)))
    assert isinstance(outcome, Refusal), outcome
    return outcome
