"""The fight of a test: it performs steps, keeps the state and answers the requests."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import TypeVar

from tracker.core.engine import GameStep
from tracker.core.fight.events import BoundaryCrossed, EffectEnded, Entry
from tracker.core.fight.state import State
from tracker.core.game.ruleset import Ruleset
from tracker.core.run import Done, Outcome, Pending, Source, Step, run
from tracker.core.step.ctx import Ctx, Interruption
from tracker.core.terms.actions import Action
from tracker.core.terms.effects import Effect
from tracker.core.terms.encounter import Encounter
from tracker.core.terms.moments import Boundary
from tracker.core.terms.requests import Answer, DiceAnswer, Passed, Request, Roll
from tracker.core.terms.values import Value

E = TypeVar("E")


def plain(request: Request) -> Answer:
    """Answer with average dice, the default or the first option, and no interruption."""
    return request.default_answer or request.sample(_middle if isinstance(request, Roll) else _least) or Passed()


def _middle(least: int, most: int) -> int:
    return (least + most) // 2


def _least(least: int, most: int) -> int:
    return max(least, min(most, 0))


def fixed(answers: Mapping[str, Answer | int], otherwise: Source | None = plain) -> Source:
    """Return a source of answers by key, or by its last part, with totals for dice; else `otherwise`."""

    def answer(request: Request) -> Answer | None:
        known = answers.get(request.key, answers.get(request.key.rpartition("/")[2]))
        if isinstance(known, int):
            return DiceAnswer(known)
        return known if known is not None or otherwise is None else otherwise(request)

    return answer


class Table:
    """A fight under test."""

    def __init__(
        self, ruleset: Ruleset, encounter: Encounter, answers: Mapping[str, Answer | int] | None = None
    ) -> None:
        self.ruleset, self.state, self.last = ruleset, State(), ()  # type: Ruleset, State, tuple[Entry, ...]
        self.take(Step("start", encounter=encounter), answers or {})

    def run(
        self, step: Step, answers: Mapping[str, Answer | int] | None = None, otherwise: Source | None = plain
    ) -> Outcome:
        """Perform a step without keeping its result."""
        return run(self.ruleset, self.state, step, (), fixed(answers or {}, otherwise))

    def take(self, step: Step, answers: Mapping[str, Answer | int]) -> tuple[Entry, ...]:
        """Perform a step that must be done, and return its entries."""
        outcome = self.run(step, answers)
        assert isinstance(outcome, Done), outcome
        asked = {key for key, _ in outcome.answers}
        strays = answers.keys() - asked - {key.rpartition("/")[2] for key in asked}
        assert not strays, f"{strays} is not among {asked}"
        self.state, self.last = outcome.state, outcome.entries
        return self.last

    def do(
        self,
        *actions: Action,
        answers: Mapping[str, Answer | int] | None = None,
        forced: bool = False,
        interrupts: tuple[Interruption, ...] = (),
        overrides: tuple[tuple[str, Value], ...] = (),
    ) -> tuple[Entry, ...]:
        """Do one action, or several as one step."""
        return self.take(Step("do", actions, forced=forced, interrupts=interrupts, overrides=overrides), answers or {})

    def next(self, times: int = 1, **answers: Answer | int) -> tuple[Entry, ...]:
        """Go on to the next stop `times` times, and return the entries."""
        entries: tuple[Entry, ...] = ()
        for _ in range(times):
            entries += self.take(Step("advance"), answers)
        self.last = entries
        return entries

    def until(self, holds: Callable[[State], bool], most: int = 60) -> tuple[Entry, ...]:
        """Go on until `holds` is true."""
        entries: tuple[Entry, ...] = ()
        for _ in range(most):
            if holds(self.state):
                return entries
            entries += self.next()
        raise AssertionError("it never came to that")

    def asks(self, *actions: Action, answers: Mapping[str, Answer | int] | None = None) -> Request:
        """Return the first request without an answer."""
        outcome = self.run(Step("do", actions) if actions else Step("advance"), answers, None)
        assert isinstance(outcome, Pending), outcome
        return outcome.request

    def within(self, work: Callable[[Ctx], object]) -> tuple[Entry, ...]:
        """Do work in a step of its own, like a ruleset."""
        ctx = GameStep(self.ruleset, self.state, {}, plain)
        work(ctx)
        self.state, self.last = ctx.state, tuple(ctx.entries)
        return self.last

    def hold(self, effect: Effect) -> int:
        """Add an effect, and return its number."""
        self.within(lambda ctx: ctx.add_effect(effect))
        return self.state.serial

    def ending(self, number: int, most: int = 40) -> str:
        """Go on until that effect ends, and return the edge: `turn_start r2/ada`, `round_end r1`."""
        for _ in range(most):
            edge = ""
            for entry in self.next():
                match entry.event:
                    case BoundaryCrossed(boundary=boundary):
                        edge = f"{boundary.edge} {boundary.slot or f'r{boundary.round}'}"
                    case EffectEnded(was=gone) if gone.id == number:
                        return edge
                    case _:
                        pass
        raise AssertionError("it never ends")

    @property
    def at(self) -> str:
        """The id of the current slot, or ""."""
        return self.state.clock.at or ""


def of_kind(entries: Iterable[Entry], kind: type[E]) -> list[E]:
    """Return the events of one kind."""
    return [entry.event for entry in entries if isinstance(entry.event, kind)]


def edges(entries: Iterable[Entry], *, of: str = "", starting_with: str = "") -> list[str]:
    """Return the edges passed (`turn_end ada+bo`), of one side or combatant, or of one kind."""
    passed: list[Boundary] = [event.boundary for event in of_kind(entries, BoundaryCrossed)]
    return [
        f"{boundary.edge} {'+'.join(boundary.actors)}".strip()
        for boundary in passed
        if (not of or of in boundary.actors or of in boundary.sides) and boundary.edge.startswith(starting_with)
    ]
