"""Rows of the panes.

One combatant (budget 30 us), an order of 300 slots (3 ms), the log of one step (150 us).

Run with `python -m tests.bench.bench_views`. It prints the best of several rounds and the share of the budget; it never
fails.
"""

from __future__ import annotations

import time
from collections.abc import Callable

from msgspec.structs import replace

from tests.views.log.logging_support import attack
from tests.views.toy import CHARGING, PARTY, RULESET, combatant, fight
from tracker.core.fight.slots import Clock, Slot
from tracker.core.fight.state import State
from tracker.core.terms.moments import At
from tracker.views.log.rendering import log_rows
from tracker.views.panes.blocks import block_rows
from tracker.views.panes.header import header_line
from tracker.views.panes.order import OrderRows
from tracker.views.panes.roster import combatant_row
from tracker.views.public.build import public_view
from tracker.views.time.calendar import calendar

ROUNDS = 7
MOST = 300


def crowd(effects: int) -> State:
    """Return 300 combatants, each with a slot and so many effects; the effects end at edges of their turns."""
    people = []
    for number in range(1, MOST + 1):
        who = f"m{number}"
        held = tuple(
            replace(
                CHARGING,
                bearer=who,
                id=number * 100 + place,
                name=f"e{place}",
                until=(At("turn_start", f"who:{who}", 2),),
            )
            for place in range(effects)
        )
        people.append(
            combatant(who, f"Monster {number}", "aa", "goblins" if number % 2 else "party", 5, 9, 1, 1, "up", *held)
        )
    slots = tuple(Slot(f"r2/{one.id}", one.name, "acts", members=(one.id,)) for one in people)
    return fight(combatants=tuple(people), clock=Clock(2, 12, slots, slots[0].id, (slots[0].id,), True))


def best(job: Callable[[], object], times: int) -> float:
    """Return the microseconds one call takes in the best round."""
    rounds = []
    for _ in range(ROUNDS):
        begun = time.perf_counter()
        for _ in range(times):
            job()
        rounds.append((time.perf_counter() - begun) / times * 1e6)
    return min(rounds)


def main() -> None:
    small, plain, busy, loaded = fight(), crowd(0), crowd(1), crowd(20)
    side = replace(PARTY, members=tuple(one.id for one in plain.combatants))
    shared = replace(plain, clock=replace(plain.clock, slots=(side,), at=side.id, begun=(side.id,)))
    step = attack()
    jobs: tuple[tuple[str, float | None, int, Callable[[], object]], ...] = (
        ("combatant_row", 30, 2000, lambda: combatant_row(RULESET, small, "wolf", 96)),
        ("combatant_row of 300", 30, 2000, lambda: combatant_row(RULESET, busy, "m7", 96)),
        ("combatant_row, 20 effects", 30, 2000, lambda: combatant_row(RULESET, loaded, "m7", 96)),
        ("order_rows, 300 slots", 3000, 20, lambda: OrderRows(RULESET, plain, 26)),
        ("order_rows, one slot of 300", 3000, 20, lambda: OrderRows(RULESET, shared, 26)),
        ("order_rows, 300 effects", None, 20, lambda: OrderRows(RULESET, busy, 26)),
        ("calendar, 6,000 effects", None, 5, lambda: calendar(RULESET, loaded, 5)),
        ("log_rows of one attack", 150, 1000, lambda: log_rows(RULESET, small, step, 1, 80)),
        ("block_rows", None, 300, lambda: block_rows(RULESET, small, "wolf", 40)),
        ("header_line", None, 2000, lambda: header_line(RULESET, small, 120)),
        ("public_view of 300", None, 20, lambda: public_view(RULESET, busy)),
    )
    for title, budget, times, job in jobs:
        took = best(job, times)
        print(f"{title:30} {took:9.1f} us" + (f"  {took / budget:5.2f} of the budget" if budget else ""))


if __name__ == "__main__":
    main()
