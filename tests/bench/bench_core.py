"""The core against its budgets.

Steps a second, a boundary over 6,000 effects, 600 dice of one step.

Run with `python -m tests.bench.bench_core`; `--profile` says where the time of an attack goes. Everything is measured
several times and the best told.
"""

from __future__ import annotations

import cProfile
import pstats
import sys
import time
from collections.abc import Callable

from msgspec.structs import replace

from tests.support import sides
from tests.support.common import Fighter, encounter, member
from tracker.core.engine import GameStep
from tracker.core.fight.events import BoundaryCrossed
from tracker.core.fight.fold import fold
from tracker.core.fight.slots import Clock, Slot
from tracker.core.fight.state import Combatant, Pool, Side, State
from tracker.core.game.ruleset import Ruleset
from tracker.core.game.schema import Schema
from tracker.core.run import Step, run
from tracker.core.step.ctx import Ctx
from tracker.core.terms.actions import Action, ActionSpec, action
from tracker.core.terms.dice import Dice
from tracker.core.terms.effects import Effect
from tracker.core.terms.moments import At, Boundary, who_anchor
from tracker.core.terms.requests import DiceAnswer, Request
from tracker.testing.table import Table, plain

HIT, HARM = DiceAnswer(15, (15,)), DiceAnswer(1, (1,))
D20, D6 = Dice.of(1, 20), Dice.of(1, 6)


def timed(work: Callable[[], object], times: int, repeats: int = 9) -> float:
    """Return the seconds of processor time of one call, the best of several runs.

    Other programs on the machine disturb it least.
    """
    found = []
    for _ in range(repeats):
        begun = time.process_time()
        for _ in range(times):
            work()
        found.append((time.process_time() - begun) / times)
    return min(found)


# -- the least attack a ruleset can have: four events, two dice --------------------------------------------------------

SPEC = ActionSpec("attack", "Attack", "ada")


def bare_perform(ctx: Ctx, act: Action) -> None:
    if ctx.roll("attack", D20, "B-01", who=act.by) >= 10:
        damage = ctx.roll("damage", D6, "B-02", who=act.by)
        ctx.change("gog", "hp", ctx.state["gog"].hp - damage, "B-02", source=act.by)


def bare(combatants: int) -> tuple[Ruleset, State]:
    """Return a game of one action, and a fight of so many."""
    ruleset = Ruleset(
        "bare",
        "Bare",
        1,
        Schema((("pc", Fighter),)),
        lambda ctx: None,
        lambda state, by: (),
        lambda state, act: SPEC if act.key == "attack" else None,
        bare_perform,
    )  # fmt: skip - one record
    names = ["ada", "gog", *(f"c{number}" for number in range(combatants - 2))]
    people = tuple(
        Combatant(
            name, name, name, "one" if place % 2 else "two", "pc", Fighter(name), pools=(Pool("hp", 10**9, 10**9),)
        )
        for place, name in enumerate(names)
    )
    return ruleset, State(
        "bare",
        sides=(Side("one", "One", "gm"), Side("two", "Two", "gm")),
        combatants=people,
        clock=Clock(1, acting="ada"),
    )


def source(request: Request) -> DiceAnswer:
    return HIT if request.key == "attack" else HARM


def attacks() -> None:
    step = Step("do", (action("attack", "ada"),))
    for combatants in (10, 300):
        ruleset, state = bare(combatants)
        seconds = timed(lambda ruleset=ruleset, state=state: run(ruleset, state, step, (), source), 2000)  # type: ignore[misc]  # a default binds the loop's value
        print(
            f"bare attack, four events, {combatants:3} combatants   {seconds * 1e6:7.1f} us   "
            f"{1 / seconds:9,.0f} a second   (budget 100,000)"
        )
    table = attackers()
    step = Step("do", (action("attack", "ada", target="goblin-1"),))
    seconds = timed(lambda: run(table.ruleset, table.state, step, (), plain), 500)
    entries = len(table.do(action("attack", "ada", target="goblin-1")))
    print(f"attack of a made-up game, {entries} events          {seconds * 1e6:7.1f} us   {1 / seconds:9,.0f} a second")


def attackers() -> Table:
    return Table(
        sides.RULESET,
        encounter("sides", foes=(member("Goblin", 3, hp=900),)),
        {"initiative:party": 8, "initiative:goblins": 1},
    )


# -- a boundary over 300 combatants with 20 effects each ---------------------------------------------------------------


def crowd(waiting: bool) -> State:
    """Return 300 combatants with 20 effects each; of those that wait, every fourth waits for the round's end."""
    people, number = [], 0
    for place in range(300):
        effects = []
        for kind in range(20):
            number += 1
            edge = "round_end" if waiting and kind % 4 == 0 else "turn_start"
            anchor = "any" if edge == "round_end" else who_anchor(f"c{place}")
            effects.append(Effect(f"e{kind}", f"c{place}", number, until=(At(edge, anchor, 99),)))  # type: ignore[arg-type]  # edges by name
        people.append(Combatant(f"c{place}", f"C{place}", "x", "one", "pc", Fighter("C"), effects=tuple(effects)))
    state = State(
        "bare",
        sides=(Side("one", "One", "gm"),),
        combatants=tuple(people),
        clock=Clock(1, in_round=True),
        serial=number,
    )
    _ = (state.waiting, state.places)
    return state


def boundaries() -> None:
    event = BoundaryCrossed(Boundary("round_end", 1, seconds=6))
    waiting, idle = crowd(True), crowd(False)
    print(
        "boundary, 1,500 of 6,000 effects counted down "
        f"{timed(lambda: fold(waiting, event), 10) * 1e3:7.2f} ms   (budget 2)"
    )
    print(f"boundary nobody waits for                     {timed(lambda: fold(idle, event), 500) * 1e6:7.2f} us")
    turn = BoundaryCrossed(Boundary("turn_start", 1, actors=("c7",), sides=("one",)))
    print(f"one turn's start, 15 effects counted down     {timed(lambda: fold(waiting, turn), 200) * 1e6:7.2f} us")
    ruleset, _ = bare(2)

    def end_many() -> None:
        ctx = GameStep(ruleset, replace(waiting, combatants=ending), {})
        ctx.emit(event)
        ctx.expire()

    ending = tuple(
        replace(
            one,
            effects=tuple(
                replace(effect, until=(At("round_end"),)) if place % 20 == 0 else effect
                for place, effect in enumerate(one.effects)
            ),
        )
        for one in waiting.combatants
    )
    print(f"the same, and 300 of them end                 {timed(end_many, 1, 5) * 1e3:7.2f} ms")
    slots = tuple(
        Slot(f"r1/c{place}", f"C{place}", f"c{place}", members=(f"c{place}",), side="one") for place in range(300)
    )
    schedule = replace(idle, clock=replace(idle.clock, slots=slots, begun=("r1/c0",), at="r1/c0"))
    walker = replace(ruleset, form=lambda state, act: None)
    print(
        "next of 300 slots                             "
        f"{timed(lambda: run(walker, schedule, Step('advance')), 20) * 1e3:7.2f} ms"
    )


# -- 600 dice of one step ----------------------------------------------------------------------------------------------


def dice() -> None:
    passes = []

    def throw(ctx: Ctx, act: Action) -> None:
        passes.append(1)
        for number in range(600):
            ctx.roll(f"die:{number}", D6, "B-03")

    ruleset, state = bare(10)
    ruleset = replace(ruleset, perform=throw)
    step = Step("do", (action("attack", "ada"),))
    seconds = timed(lambda: run(ruleset, state, step, (), lambda request: HARM), 1)
    print(f"600 dice of one step, from a source           {seconds * 1e3:7.2f} ms   in {len(passes) // 9} pass")


def profile() -> None:
    ruleset, state = bare(10)
    step = Step("do", (action("attack", "ada"),))
    profiler = cProfile.Profile()
    profiler.enable()
    for _ in range(20_000):
        run(ruleset, state, step, (), source)
    profiler.disable()
    pstats.Stats(profiler).sort_stats("tottime").print_stats(25)


def main() -> None:
    if "--profile" in sys.argv:
        profile()
        return
    attacks()
    boundaries()
    dice()


if __name__ == "__main__":
    main()
