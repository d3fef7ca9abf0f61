"""The context of a step while it runs: its state, requests and changes.

Rules for authors: keep ids, not objects, across a request; validate first, ask afterwards; read the state after every
request; call `settle` after changes of damage or status before going on; every event cites its rules.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import count
from typing import Literal, NoReturn, TypeAlias, TypeVar

from msgspec import Struct
from msgspec.structs import replace

from tracker.core.fight.cache import note_settled
from tracker.core.fight.events import ActionStopped, ActionTaken, EffectAdded, Entry, Forced, TurnOpened
from tracker.core.fight.rebase import rebase
from tracker.core.fight.settings import is_muted
from tracker.core.fight.slots import Id
from tracker.core.fight.state import State
from tracker.core.step.forms import Accepted
from tracker.core.step.prompts import Prompts
from tracker.core.terms.actions import Action, ActionSpec, Response
from tracker.core.terms.errors import Absent, Refusal, Refused, RulesBug, impossible
from tracker.core.terms.requests import Answer, Request, Responded, Window
from tracker.core.terms.values import Value

MOST_DEPTH = 24
MUTED = "it is not asked now"
W = TypeVar("W")
Responses: TypeAlias = Sequence[Response]
TurnEdge: TypeAlias = Literal["turn_start", "turn_end"]


class Interruption(Struct, frozen=True):
    """An action that the GM performs before a request."""

    key: str
    action: Action


class _Over(BaseException):
    """The action at this depth cannot go on."""

    def __init__(self, depth: int, why: str) -> None:
        super().__init__(why)
        self.depth, self.why = depth, why


def _nth(name: str, times: int) -> str:
    return name if times == 1 else f"{name}:{times}"


def _names(actions: Sequence[Action]) -> list[str]:
    """Return the scopes of actions declared together: `snap:bo`, and `snap:bo#2` for the second one."""
    names: list[str] = []
    for action in actions:
        name = f"{action.key}:{action.by}" if action.by else action.key
        times = sum(other == name or other.startswith(f"{name}#") for other in names)
        names.append(f"{name}#{times + 1}" if times else name)
    return names


class Ctx(Prompts):
    """One pass of a step, for rules; `tracker.core.engine.GameStep` adds the methods that need the game."""

    def __init__(
        self,
        state: State,
        answers: Mapping[str, Answer],
        source: Callable[[Request], Answer | None] | None = None,
        interrupts: Sequence[Interruption] = (),
        overrides: Mapping[str, Value] | None = None,
        forced: bool = False,
    ) -> None:
        super().__init__(state, answers, source, overrides)
        self._interrupts, self._forced = interrupts, forced
        self._guards: list[list[tuple[Callable[[State], bool], str]]] = []
        self._returned: list[Value] = []
        self._performed: set[int] = set()
        self._at_once = 0
        self._suspended: set[int] = set()
        self.walking = False

    def _perform_interrupts(self, path: str) -> Iterator[Response]:
        for place, interruption in enumerate(self._interrupts, start=1):
            if interruption.key == path and place not in self._performed:
                self._performed.add(place)  # also if it ends the action of the request
                yield self._interrupt(f"{path}!{place}", interruption.action)

    @property
    def depth(self) -> int:
        """The number of nested actions, the step's own included."""
        return len(self._guards)

    def _respond(self, key: str, answer: Responded) -> tuple[Response, ...]:
        try:
            self._refuse_depth()
            with self.scope(key):
                if answer.together:
                    return self.simultaneously(answer.actions)
                return tuple(
                    [
                        self.perform(action, name)
                        for action, name in zip(answer.actions, _names(answer.actions), strict=True)
                    ]
                )
        except Refused as refused:
            if refused.refusal.at:
                raise
            raise Refused(replace(refused.refusal, at=self._path + key)) from refused

    def _interrupt(self, path: str, action: Action) -> Response:
        if self._uninterruptible:
            text = "a combatant is just joining the fight: answer its questions first"
            raise impossible("joining", text, at=path)
        try:
            self._refuse_depth()
            with self._absolute(path):
                return self.perform(action)
        except Refused as refused:
            if refused.refusal.at:
                raise
            raise Refused(replace(refused.refusal, at=path)) from refused

    def _refuse_depth(self) -> None:
        if len(self._guards) >= MOST_DEPTH:
            text = f"{MOST_DEPTH} actions wait for one another already: answer what is asked first"
            raise impossible("too_deep", text)

    def perform(self, action: Action, scope: str = "") -> Response:
        """Perform an action inside this step, and return its response; its requests are keyed below `scope`.

        Raises:
            Refused: its form does not accept it.
        """
        if len(self._guards) >= MOST_DEPTH:
            raise RulesBug("actions interrupt one another without end")
        nested = bool(self._guards)
        accepted, own = self._accept(action, self._forced and not nested)
        path = self._path
        if scope:
            self._path = f"{path}{scope}/"
        try:
            response = self._carry_out(accepted.action, accepted.spec, accepted.overruled, own)
            self.settle()
        finally:
            self._path = path
        if nested and not self._at_once:
            self._check_guards()
        return response

    def _carry_out(self, action: Action, spec: ActionSpec, overruled: Sequence[Refusal], own: bool) -> Response:
        depth, asked, before = len(self._guards), len(self.given), self.state
        self._guards.append([])
        self._returned.append(None)
        try:
            self._begin(action, spec, overruled, nested=depth > 0)
            self._do(action, own)
        except Refused as refused:
            if len(self.given) > asked and not refused.refusal.at:
                raise RulesBug(f"{spec.label} is refused after it asked something: {refused.message}") from refused
            raise
        except _Over as over:
            if over.depth != depth:
                raise
            self.emit(ActionStopped(action.by, spec.label, over.why))
            return Response(action, finished=False, value=self._returned[-1])
        except Absent as absent:
            if absent.who not in before:
                raise
            gone = f"{self.state.name(absent.who)} is no longer in the fight"
            self.emit(ActionStopped(action.by, spec.label, gone))
            return Response(action, finished=False, value=self._returned[-1])
        finally:
            self._guards.pop()
            self._suspended.discard(depth)
            value = self._returned.pop()
        return Response(action, finished=True, value=value)

    def return_value(self, value: Value) -> None:
        """Set the value of this action's response, for the caller or the window that performs it."""
        if not self._returned:
            raise RulesBug("a value returned outside an action")
        self._returned[-1] = value

    def _begin(self, action: Action, spec: ActionSpec, overruled: Sequence[Refusal], nested: bool) -> None:
        slot, acting = self.state.clock.current, self.state.clock.acting
        mine = action.by is not None and slot is not None and slot.turns == "shared" and action.by in slot.members
        if mine and not nested and acting != action.by:  # an interruption does not take over the turn
            self.emit(TurnOpened(acting, action.by))
        self.emit(ActionTaken(action, spec.label), *((spec.rule,) if spec.rule else ()))
        for refusal in overruled:
            self.emit(Forced(action.by, spec.label, refusal.text), *((refusal.rule,) if refusal.rule else ()))

    def refusal_of(self, action: Action) -> Refusal | None:
        """Return why an action would be refused now, or None if it can be performed."""
        try:
            self._accept(action, self._forced and not self._guards)
        except Refused as refused:
            return refused.refusal
        return None

    def simultaneously(self, actions: Sequence[Action]) -> tuple[Response, ...]:
        """Perform several actions at the same moment.

        Each is checked and rolled on the state before all of them, or after the earlier ones of the same combatant,
        which pays for each. Then all take effect and are settled once.
        """
        base, start = self.state, len(self.entries)
        batches: list[list[Entry]] = []
        responses: list[Response] = []
        own: dict[Id, tuple[State, list[Entry]]] = {}
        self._at_once += 1
        try:
            for action, name in zip(actions, _names(actions), strict=True):
                self.state, earlier = own.get(action.by or "", (base, []))
                self.entries += earlier  # the entries must fit the state if a request ends the pass here
                responses.append(self.perform(action, name))
                if action.by is not None:
                    own[action.by] = (self.state, self.entries[start:])
                batches.append(self.entries[start + len(earlier) :])
                del self.entries[start:]
        finally:
            self._at_once -= 1
        self.state = base
        known: dict[Id, dict[int, int]] = {}
        for action, batch in zip(actions, batches, strict=True):
            numbers = known.setdefault(action.by, {}) if action.by is not None else {}
            for entry in batch:
                event = rebase(self.state, entry.event, numbers)
                if isinstance(event, EffectAdded) and isinstance(entry.event, EffectAdded):
                    present = self._present(event.effect)
                    if present is not None and event.effect.stacking == "keep":
                        numbers[entry.event.effect.id] = present.id
                        continue
                    if present is not None and event.effect.stacking != "add":
                        self.end_effect(present, "replaced", *entry.rules)
                if event is not None:
                    self.emit(event, *entry.rules)
        self.expire()
        self.settle()
        if not self._at_once:
            self._check_guards()
        return tuple(responses)

    def guard(self, holds: Callable[[State], bool], why: str = "") -> None:
        """End the action when `holds` is no longer true; it is checked after every nested action."""
        if not self._guards:
            raise RulesBug("a guard outside an action")
        self._guards[-1].append((holds, why))

    def _check_guards(self) -> None:
        for depth, guards in enumerate(self._guards):
            for holds, why in guards:
                if depth not in self._suspended and not holds(self.state):
                    raise _Over(depth, why)

    def suspend_guards(self) -> None:
        """Suspend the guards of the interrupted action until its window closes, for actions at the same moment."""
        self._suspended.add(len(self._guards) - 2)

    def stop(self, why: str) -> NoReturn:
        """End the current action, and keep its events."""
        if not self._guards:
            raise RulesBug("a stop outside an action")
        raise _Over(len(self._guards) - 1, why)

    def settle(self) -> None:
        """Call the ruleset's `settle`, again if a combatant that it needs has left."""
        if self._at_once:
            return
        self._settling += 1
        try:
            while not self._draw_conclusions():
                pass
        finally:
            self._settling -= 1

    def _draw_conclusions(self) -> bool:
        before = self.state
        try:
            self._conclude()
        except Absent as absent:
            if absent.who not in before:
                raise
            return False
        if len(self.state.combatants) == len(before.combatants):
            note_settled(self.state, before)
        return True

    def window(
        self,
        name: str,
        actor: Id | None = None,
        target: Id | None = None,
        why: str = "",
        info: Sequence[str] = (),
        again: bool = True,
    ) -> tuple[Response, ...]:
        """Open a window, and return the responses.

        It is asked again after each response, unless `again` is off. An interruption of the GM is a response too, if
        it is on offer. Do not compute a result before a window whose responses may change it: use `resolve_in_window`.
        """
        asked = Window(name, name, (), actor, target, why=why, info=tuple(info))
        responses: list[Response] = []
        for times in count(1):
            latest, answered = self._ask_window(_nth(name, times), lambda _: asked)
            responses += latest
            if not answered or not again:
                break
        return tuple(responses)

    def resolve_in_window(
        self,
        name: str,
        compute: Callable[[W | None, Responses], W],
        prompt: Callable[[W], tuple[str, Sequence[str]] | None],
        actor: Id | None = None,
        target: Id | None = None,
    ) -> W:
        """Open a window around a result, compute the result again after each response, and return the last one.

        `compute` computes the result from the state: first from None, then from the last result and the responses,
        after every response and every interruption. So no result is older than the state. `prompt` returns the words
        and the `info` of the window, or None if responses cannot change the result.
        """
        result = compute(None, ())

        def made(responses: Responses | None) -> Window | None:
            nonlocal result
            if responses is not None:
                result = compute(result, responses)
            asked = prompt(result)
            return None if asked is None else Window(name, name, (), actor, target, why=asked[0], info=tuple(asked[1]))

        for times in count(1):
            if not self._ask_window(_nth(name, times), made)[1]:
                break
        return result

    def _ask_window(self, key: str, made: Callable[[Responses | None], Window | None]) -> tuple[list[Response], bool]:
        """Ask a window once, and return its responses, and whether it may be asked again.

        `made` returns the window: first for None, then for each response, and for () after any other interruption.
        """
        if self.watched:
            return [], False
        collected: list[Response] = []
        path, answer = self._next_path(key), None
        request = self._with_offers(key, made(None))
        for response in self._perform_interrupts(path) if request is not None else ():
            answers = request is not None and request.offers_to(response.action)
            if answers:
                collected.append(response)
            request = self._with_offers(key, made((response,) if answers else ()))
        if request is not None:
            answer = self._answer(replace(request, key=path))
        if isinstance(answer, Responded):
            responses = self._respond(key, answer)
            collected += responses
            made(responses)
        self._suspended.discard(len(self._guards) - 1)  # the guards of the interrupted action are checked again
        return collected, isinstance(answer, Responded)

    def _with_offers(self, key: str, window: Window | None) -> Window | None:
        """Return a window with its current offers, or None if it has none."""
        if window is None or self._is_passed(window):
            return None
        window = replace(window, key=key)
        offers = tuple(self._mark_muted(spec) for spec in self._offers(window) if spec.refusal is None)
        return replace(window, offers=offers) if offers else None

    def _is_passed(self, window: Window) -> bool:
        """Tell whether nobody reads a window, nothing is given for it, and no answer can change what follows."""
        return self.unread and not (self._answers or self._interrupts) and not self._matters(window)

    def _mark_muted(self, spec: ActionSpec) -> ActionSpec:
        return replace(spec, moot=spec.moot or MUTED) if is_muted(self.state, spec.by) else spec

    @abstractmethod
    def _offers(self, window: Window) -> tuple[ActionSpec, ...]:
        """Return the actions that can be taken in a window now."""

    @abstractmethod
    def _matters(self, window: Window) -> bool:
        """Tell whether one of its offers may change what follows."""

    @abstractmethod
    def _accept(self, action: Action, forced: bool) -> tuple[Accepted, bool]:
        """Return an accepted action, and whether it is the ruleset's own; raises Refused."""

    @abstractmethod
    def _do(self, action: Action, own: bool) -> None:
        """Perform an accepted action."""

    @abstractmethod
    def _conclude(self) -> None:
        """Call the ruleset's `settle`."""

    @abstractmethod
    def turn(self, who: Id, edge: TurnEdge, *rules: str) -> bool:
        """Begin or end a combatant's turn in a slot with `opened` turns; return whether its edge is crossed now.

        The edge is crossed once in a round.
        """

    @abstractmethod
    def walk(self) -> None:
        """Leave the current slot and go on to the next stop."""

    @abstractmethod
    def end_fight(self, reason: str, *rules: str) -> None:
        """End the fight: cross its last edge and open the closing slots, if the game has any."""
