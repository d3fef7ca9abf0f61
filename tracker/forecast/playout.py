"""A playout: a fight played to its end by the program, with the steps of a real fight.

1. A given step comes first: the one that waits for an answer, or an action to try.
2. The combatants of a slot act by the game's `policy` until they have no action left; then the clock goes on.
3. Dice are drawn from a seed; the opening and each combatant have dice of their own, so that fights that differ in one
   combatant have the same dice for the others. The game's `reply` answers a question, else its default.
4. When the clock has gone on, reminders that an action of the GM settles are settled.
5. The fight ends when the game says so and no wave of a side that lost is still to come. A fight without an end within
   the limits is undecided.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Mapping

from msgspec import Struct

from tracker.core.engine import accept
from tracker.core.fight.slots import Id
from tracker.core.fight.state import State
from tracker.core.game.ruleset import Ruleset, status_of
from tracker.core.run import Answers, Done, Step, run
from tracker.core.terms.actions import Action
from tracker.core.terms.encounter import Encounter
from tracker.core.terms.errors import Refused
from tracker.core.terms.requests import Answer, DiceAnswer, Passed, Request, Roll, Window
from tracker.core.terms.tactics import Tactics


class Limits(Struct, frozen=True):
    """The limits of a playout: rounds, steps, and choices of one combatant in a slot."""

    rounds: int = 60
    steps: int = 4_000
    choices: int = 12


class Played(Struct, frozen=True):
    """The result of a playout.

    Attributes:
        state: the state at the end.
        left: the sides that can still fight.
        steps: the number of steps.
        undecided: why it has no end, or "".
        refused_choices: choices of the policy that the game refused or could not perform, each in one line.
    """

    state: State
    left: tuple[Id, ...]
    steps: int
    undecided: str = ""
    refused_choices: tuple[str, ...] = ()


def opened(ruleset: Ruleset, encounter: Encounter, seed: int | str, answers: Answers = ()) -> State:
    """Open the fight of an encounter; dice that are not in `answers` are rolled from a seed.

    Raises:
        ValueError: the fight cannot be opened.
    """
    player = _Player(ruleset, State(), f"open {seed}", {}, Limits())
    if not player.take(Step("start", encounter=encounter), answers):
        raise ValueError(player.problems[-1])
    return player.state


def play(
    ruleset: Ruleset,
    state: State,
    seed: int | str,
    tactics: Mapping[Id, Tactics] | None = None,
    limits: Limits = Limits(),  # noqa: B008 - a frozen Struct
    first: tuple[Step, Answers] | None = None,
) -> Played:
    """Play the rest of a fight by each side's tactics (`focused` by default).

    `first`: the first step, with the answers given to it.

    Raises:
        ValueError: the first step is refused.
    """
    player = _Player(ruleset, state, f"play {seed}", dict(tactics or {}), limits)
    if first is not None and not player.take(*first):
        raise ValueError(player.problems[-1])
    undecided = player.play()
    left = sides_left(ruleset, player.state)
    return Played(player.state, left, player.steps, undecided, tuple(player.problems))


def sides_left(ruleset: Ruleset, state: State) -> tuple[Id, ...]:
    left = ruleset.sides_left(state)
    if left is not None:
        return left
    able = {combatant.side for combatant in state.combatants if status_of(ruleset, combatant.status).acts}
    return tuple(side.id for side in state.sides if side.id in able)


class _Player:
    """The player of one fight."""

    def __init__(
        self, ruleset: Ruleset, state: State, seed: str, tactics: Mapping[Id, Tactics], limits: Limits
    ) -> None:
        self.ruleset, self.state, self.limits = ruleset, state, limits
        self.seed = seed
        self.dice: dict[str, Callable[[], float]] = {}
        self.draw = random.Random(seed).random
        self.tactics = tactics
        self.steps = 0
        self.problems: list[str] = []
        self.settled: set[str] = set()
        self.last_over: tuple[State, bool] | None = None
        self.idle: dict[Id, State] = {}
        self.acts = {status.key for status in ruleset.statuses if status.acts}

    def play(self) -> str:
        """Play to the end, and return why the fight has no end, or ""."""
        while not self.over():
            if self.steps >= self.limits.steps or self.state.clock.round > self.limits.rounds:
                return f"no end after {self.state.clock.round} rounds and {self.steps} steps"
            at = self.state.clock.at
            self.play_slot()
            if self.over():
                break
            if self.state.clock.at != at:
                continue  # an action has moved the clock itself
            if not self.take(Step("advance")):
                problem = self.problems.pop()
                over = self.state.clock.over or self.ruleset.finished(self.state) is not None
                return "" if over else f"the clock does not go on: {problem}"
            self.settle_reminders()
        return ""

    def over(self) -> bool:
        """Tell whether the fight has ended; cached for the last state."""
        if self.last_over is None or self.last_over[0] is not self.state:
            self.last_over = (self.state, self._over())
        return self.last_over[1]

    def _over(self) -> bool:
        if self.state.clock.over:
            return True
        if self.state.clock.current is None and self.state.clock.round == 0:
            return False
        if self.ruleset.finished(self.state) is None:
            return False
        left = sides_left(self.ruleset, self.state)
        names = {name for side in self.state.sides if side.id in left for name in (side.id, side.name.casefold())}
        return not left or all(not wave.when or wave.side.casefold() in names for wave in self.state.waves)

    def play_slot(self) -> None:
        """Let all combatants of the slot act until none has an action left."""
        times: dict[Id, int] = {}
        at, acted = self.state.clock.at, True
        while acted and self.steps < self.limits.steps:
            acted = False
            for who in self.members():
                while times.get(who, 0) <= self.limits.choices and who in self.state and self.choose(who, times):
                    acted = True
                    if self.state.clock.at != at or self.over():
                        return

    def members(self) -> Iterator[Id]:
        """Yield the combatants that may act: the one with an open turn, or those of the slot."""
        clock = self.state.clock
        slot = clock.current
        if slot is None:
            return
        if slot.turns == "opened" and clock.acting is not None:
            yield clock.acting
            return
        others = self.state.places if self.ruleset.out_of_turn else ()
        for who in dict.fromkeys((*slot.members, *others)):
            combatant = self.state.get(who)
            if combatant is not None and combatant.status in self.acts and self.idle.get(who) is not self.state:
                yield who
                if slot.turns == "opened" and self.state.clock.acting is not None:
                    return

    def choose(self, who: Id, times: dict[Id, int]) -> bool:
        """Let a combatant act by its policy, and tell whether it acted."""
        combatant = self.state[who]
        if combatant.status not in self.acts or self.idle.get(who) is self.state:
            return False  # the policy would choose the same again
        action = self.ruleset.policy(self.state, who, self.tactics_of(combatant.side))
        if action is None:
            self.idle[who] = self.state
            return False
        times[who] = times.get(who, 0) + 1
        if action.by != who:
            self.problems.append(f"{who}: {action.key} is not its own")
        elif times[who] > self.limits.choices:
            self.problems.append(f"{who}: {action.key} has no end")
        elif self.take(Step("do", (action,))):
            return True
        times[who] = self.limits.choices + 1
        return False

    def settle_reminders(self) -> None:
        """Perform the actions that settle the game's reminders, each once."""
        for reminder in self.ruleset.pending(self.state):
            if reminder.settle is None or reminder.settle.by is not None or reminder.key in self.settled:
                continue
            self.settled.add(reminder.key)
            if not self.over() and self.possible(reminder.settle):
                self.take(Step("do", (reminder.settle,)))

    def possible(self, action: Action) -> bool:
        """Tell whether a filled-in action can be performed."""
        try:
            accept(self.ruleset, self.state, action)
        except Refused:
            return False
        return True

    def tactics_of(self, side: Id) -> Tactics:
        return self.tactics.get(side, "focused")

    def take(self, step: Step, answers: Answers = ()) -> bool:
        """Perform a step, and tell whether it was possible."""
        self.steps += 1
        outcome = run(self.ruleset, self.state, step, answers, self, unread=True)
        if isinstance(outcome, Done):
            self.state = outcome.state
            return True
        message = getattr(outcome, "text", "") or f"{getattr(outcome, 'request', None)!r:.80} has no answer"
        self.problems.append(f"{_words(step)}: {message}")
        return False

    def __call__(self, request: Request) -> Answer | None:
        """Answer a request: dice at random, other requests by the game's `reply`, else by the default."""
        if isinstance(request, Roll):
            draw = self.dice_of(request.who or request.key)
            faces = tuple([int(draw() * sides) + 1 for sides in request.dice.sides])
            return DiceAnswer(sum(faces), faces)
        reply = self.ruleset.reply(self.state, request, self.tactics_of(self.side_of(request)))
        if reply is not None and request.problem(reply) is None:
            return reply
        return request.default_answer or request.sample(self.random_number) or Passed()

    def dice_of(self, roller: str) -> Callable[[], float]:
        """Return the random numbers of a combatant, or of a roll without a combatant."""
        if roller not in self.dice:
            self.dice[roller] = random.Random(f"{self.seed} {roller}").random
        return self.dice[roller]

    def side_of(self, request: Request) -> Id:
        """Return the side that a request concerns, or ""."""
        named = (request.who, *(spec.by for spec in request.offers)) if isinstance(request, Window) else (request.who,)
        return next((self.state[who].side for who in named if who is not None and who in self.state), "")

    def random_number(self, least: int, most: int) -> int:
        return least + int(self.draw() * (most - least + 1))


def _words(step: Step) -> str:
    actions: tuple[Action, ...] = step.actions
    return ", ".join(f"{action.by or 'GM'} {action.key} {dict(action.fields)}" for action in actions) or step.kind
