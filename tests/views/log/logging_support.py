"""Steps for the tests of the log, and how they are told."""

from __future__ import annotations

from collections.abc import Sequence

from tests.views.toy import CHARGING, RULESET, fight
from tracker.core.fight import events as ev
from tracker.core.fight.events import Entry, Event
from tracker.core.fight.state import State
from tracker.core.game.ruleset import Ruleset
from tracker.core.terms.actions import action
from tracker.core.terms.derived import Part
from tracker.core.terms.dice import Dice
from tracker.views.log.steps import tell

D8, D20 = Dice.of(1, 8), Dice.of(1, 20)


def log_lines(
    ruleset: Ruleset, state: State, entries: Sequence[Entry], full: bool = False, before: State | None = None
) -> tuple[str, ...]:
    """The lines of one step, unwrapped, with the rules' ids in brackets."""
    return tuple(
        "  " * line.depth + line.text + (f"  [{', '.join(line.rules)}]" if line.rules else "")
        for line in tell(ruleset, state, entries, full=full, before=before)
    )


def attack(typed: bool = True) -> tuple[Entry, ...]:
    """Wolf charges Goblin 1, hits and wounds it."""
    return (
        Entry(ev.TurnOpened(None, "wolf")),
        Entry(ev.ActionTaken(action("charge", "wolf", target="goblin-1"), "Charges"), ("WN-060",)),
        Entry(ev.EffectAdded(CHARGING), ("WN-060",)),
        Entry(ev.BudgetsChanged((ev.BudgetChange("wolf", (("main", 1),), (("main", 0),)),))),
        Entry(ev.Rolled("attack", D20, 14, (14,), "wolf", "attack", typed), ("WN-101",)),
        Entry(
            ev.Checked(
                "attack",
                "wolf",
                19,
                "hit",
                "goblin-1",
                (Part("1d20", 14), Part("", 3), Part("charge", 2, "WN-062")),
                12,
                "AC",
            ),
            ("WN-103",),
        ),
        Entry(ev.Rolled("damage", D8, 3, (3,), "wolf", "damage"), ("WN-119",)),
        Entry(ev.PoolChanged("goblin-1", "hp", 7, 3, (Part("1d8", 3), Part("", 1)), "", "wolf"), ("WN-119",)),
    )


def told(*events: Event, state: State | None = None, full: bool = False) -> list[str]:
    """Tell of events without rules."""
    return list(log_lines(RULESET, fight() if state is None else state, tuple(Entry(event) for event in events), full))
