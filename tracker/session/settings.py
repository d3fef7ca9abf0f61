"""Settings: which requests the program answers by itself, and its dice."""

from __future__ import annotations

from collections.abc import Callable, Mapping, MutableMapping
from datetime import UTC, datetime, timedelta
from pathlib import Path
from random import Random, SystemRandom
from typing import Literal

from msgspec import Struct

from tracker.core.fight.settings import program_rolls
from tracker.core.fight.state import State
from tracker.core.run import Source
from tracker.core.terms.requests import Answer, Choice, DiceAnswer, Request, Roll, Window


def now() -> str:
    """Return the time in ISO form, to the second."""
    return datetime.now(UTC).isoformat(timespec="seconds")


def just_after(at: str) -> str:
    """Return the time a second after another; a text that is no time is returned as it is."""
    try:
        return (datetime.fromisoformat(at) + timedelta(seconds=1)).isoformat(timespec="seconds")
    except (ValueError, OverflowError):
        return at


class Settings(Struct, frozen=True):
    """How a session treats requests; they may be replaced while it runs.

    Attributes:
        roller: rolls the program's dice; None: the program rolls only when asked.
        auto_sides: ids of sides whose dice the roller rolls unasked.
        by_side: the roller rolls unasked for the sides that the fight names, by default for the GM's.
        ask_setup: the dice of the set-up (counts, hit points) are asked for too.
        windows: who is asked whether to interrupt; the program passes all other windows.
        ask_all: ask also if no answer could change anything, or a reminder has told of it; scripts answer it.
        source: answers first: a script, a simulation.
        step_seconds: how long a ruleset may compute for one pass of a step.
        problems: the folder of problem files; None: `problems` beside the journal.
        clock: returns the time in ISO form.
    """

    roller: Callable[[Roll], DiceAnswer] | None = None
    auto_sides: tuple[str, ...] = ()
    by_side: bool = False
    ask_setup: bool = False
    windows: Literal["everyone", "players", "nobody"] = "everyone"
    ask_all: bool = False
    source: Source | None = None
    step_seconds: float = 1.0
    problems: Path | None = None
    clock: Callable[[], str] = now


def dice_roller(seed: int | None = None) -> Callable[[Roll], DiceAnswer]:
    """Return a roller: fair dice of the operating system, or repeatable ones from a seed."""
    chance = SystemRandom() if seed is None else Random(seed)

    def roll(request: Roll) -> DiceAnswer:
        faces = tuple(chance.randint(1, sides) for sides in request.dice.sides)
        return DiceAnswer(sum(faces), faces)

    return roll


_FAIR = dice_roller()


def program_answer(settings: Settings, request: Request, aside: Mapping[str, Answer]) -> Answer | None:
    """Return the program's answer, with the dice of `aside` if they fit, or None."""
    if not isinstance(request, Roll):
        return request.default_answer
    kept = aside.get(request.key)
    if isinstance(kept, DiceAnswer) and request.problem(kept) is None:
        return kept
    return (settings.roller or _FAIR)(request)


def source_of(
    settings: Settings,
    state: State,
    aside: Mapping[str, Answer],
    *,
    rest: bool = False,
    leave_player_choices: bool = False,
    program_rolls: MutableMapping[str, Answer] | None = None,
    offscreen: bool = False,
) -> Source:
    """Return the function that answers a step's requests in place of a person.

    The program answers what the settings leave to it, or with `rest` every request that has an answer; with
    `leave_player_choices` a player's decision is still asked for.

    `aside` holds answers that were taken back or set aside: the program uses their dice before it rolls. It notes its
    own answers in `program_rolls`. `offscreen`: no screen has shown the state of this step, nor its reminders.
    """
    policy = AutoAnswerPolicy(settings, state, offscreen)

    def source(request: Request) -> Answer | None:
        answer = None if settings.source is None else settings.source(request)
        wanted = rest and not (leave_player_choices and decided_by_player(state, request))
        if answer is None and (wanted or policy.answers(request)):
            answer = program_answer(settings, request, aside)
            if answer is not None and program_rolls is not None:
                program_rolls[request.key] = answer
        return answer

    return source


class AutoAnswerPolicy(Struct, frozen=True):
    """Which requests the settings leave to the program in a state; `offscreen` as in `source_of`."""

    settings: Settings
    state: State
    offscreen: bool = False

    def answers(self, request: Request) -> bool:
        """Tell whether the program answers a request without asking."""
        match request:
            case Roll():
                return self._rolls(request)
            case Window():
                return self._passes(request)
            case Choice():  # a reminder has told of it
                return request.told and request.default is not None and not (self.settings.ask_all or self.offscreen)
            case _:
                return False

    def _rolls(self, request: Roll) -> bool:
        if self.settings.roller is None:
            return False
        return (request.setup and not self.settings.ask_setup) or _is_auto(self.settings, self.state, request)

    def _passes(self, request: Window) -> bool:
        """Tell whether no combatant that is asked at this window could change the result."""
        return not any(self._asks(offer.by) for offer in request.offers if self.settings.ask_all or not offer.moot)

    def _asks(self, who: str | None) -> bool:
        """Tell whether a combatant, or for None the GM, is asked whether to interrupt."""
        asked, combatant = self.settings.windows, self.state.get(who)
        if combatant is None:
            return asked != "nobody"
        return asked == "everyone" or (asked == "players" and self.state.side(combatant.side).control == "players")


def _is_auto(settings: Settings, state: State, request: Roll) -> bool:
    """Tell whether the dice are those of a side for which the program rolls.

    Dice of no combatant belong to all sides of the players, or of the GM.
    """
    if settings.by_side and program_rolls(state, request.who, request.to):
        return True
    if not settings.auto_sides:
        return False
    combatant = state.get(request.who)
    if combatant is not None:
        return combatant.side in settings.auto_sides
    control = "players" if request.to == "player" else "gm"
    sides = [side.id for side in state.sides if side.control == control]
    return all(side in settings.auto_sides for side in sides) and bool(sides)


def decided_by_player(state: State, request: Request) -> bool:
    """Tell whether a request is a player's choice, or an offer to a player's character."""
    if isinstance(request, Roll):
        return False
    if not isinstance(request, Window):
        return request.to == "player"
    combatants = [state.get(offer.by) for offer in request.offers if not offer.moot]
    return any(who is not None and state.side(who.side).control == "players" for who in combatants)
