"""The fight every recipe is tried in: Ada and Bo against two wolves."""

from __future__ import annotations

from collections.abc import Mapping

from tracker.core.terms.dice import Dice
from tracker.core.terms.encounter import Encounter, Member, SideSetup
from tracker.core.terms.requests import Answer
from tracker.kit import Data, Ruleset
from tracker.testing.table import Table

__all__ = ["encounter", "open_table"]


def encounter(ruleset: Ruleset, **stats: object) -> Encounter:
    """Prepare the fight, with `stats` as fields of every stat block."""
    kinds = dict(ruleset.schema.blocks)

    def member(name: str, kind: str, count: int = 1) -> Member:
        struct: type[Data] = kinds[kind]
        return Member(struct(**stats), name, kind, Dice(plus=count))  # type: ignore[call-arg]  # the recipe's own fields

    party, wolves = (member("Ada", "pc"), member("Bo", "pc")), (member("Wolf", "monster", 2),)
    sides = (SideSetup("party", "Party", "players", party), SideSetup("wolves", "Wolves", "gm", wolves))
    return Encounter(ruleset.key, "The ford", sides)


def open_table(ruleset: Ruleset, answers: Mapping[str, Answer | int] | None = None, **stats: object) -> Table:
    """Open the fight."""
    return Table(ruleset, encounter(ruleset, **stats), answers)
