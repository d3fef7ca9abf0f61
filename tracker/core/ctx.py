"""What a step sees while it runs: the state, the questions it may ask, and the only ways to change anything.

Rules for authors: hold ids, not objects, across a request; validate first, ask afterwards; read the state after every request; call `settle` wherever damage or
status may have changed before going on; every event names the rules that made it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING

from msgspec.structs import replace

from tracker.core import clock, forms, manual
from tracker.core.actions import Action, ActionSpec, Option, Refusal
from tracker.core.derived import Part
from tracker.core.dice import Dice
from tracker.core.effects import Effect
from tracker.core.errors import CorruptJournal, Refused, RulesBug
from tracker.core.events import (
    ActionStopped,
    ActionTaken,
    BudgetChange,
    BudgetsChanged,
    CombatantLeft,
    Decided,
    EffectAdded,
    EffectEnded,
    EffectUsed,
    Entry,
    Event,
    FactSet,
    Forced,
    Noted,
    Overruled,
    PoolChanged,
    Rolled,
    Skipped,
    StatusChanged,
    TurnOpened,
)
from tracker.core.fold import fold, rebase
from tracker.core.moments import At, Boundary, Edge, OnUse, side_anchor, who_anchor
from tracker.core.requests import (
    Answer,
    Asked,
    Choice,
    Chosen,
    Number,
    Pick,
    Picked,
    Request,
    Responded,
    Roll,
    Stated,
    Thrown,
    Window,
    problem_with,
)
from tracker.core.ruleset import Ruleset
from tracker.core.state import Id, State
from tracker.core.values import Value

if TYPE_CHECKING:
    from tracker.core.step import Interruption

__all__ = ["Ctx", "NeedAnswer"]

MOST_EVENTS = 100_000
MOST_REQUESTS = 20_000
MOST_DEPTH = 24


class NeedAnswer(BaseException):
    """Nobody has answered this request yet; not an error, so that no handler of errors swallows it."""

    def __init__(self, request: Request) -> None:
        super().__init__(request.key)
        self.request = request


class _Over(BaseException):
    """The action at this depth cannot go on."""

    def __init__(self, depth: int, why: str) -> None:
        super().__init__(why)
        self.depth, self.why = depth, why


def _names(actions: Sequence[Action]) -> list[str]:
    """Return the scopes of actions declared together: `snap:bo`, and `snap:bo#2` for the second one."""
    names: list[str] = []
    for action in actions:
        name = f"{action.key}:{action.by}" if action.by else action.key
        times = sum(other == name or other.startswith(f"{name}#") for other in names)
        names.append(f"{name}#{times + 1}" if times else name)
    return names


def _alike(computed: Value, value: Value) -> bool:
    """Tell whether a value can stand in a computed one's place: of the same kind, or anything where there is none."""
    if computed is None or (isinstance(computed, int | float) and isinstance(value, int | float) and isinstance(computed, bool) == isinstance(value, bool)):
        return True
    return type(computed) is type(value)


class Ctx:
    """One pass of a step."""

    def __init__(
        self,
        ruleset: Ruleset,
        state: State,
        answers: Mapping[str, Answer],
        source: Callable[[Request], Answer | None] | None = None,
        interrupts: Sequence[Interruption] = (),
        overrides: Mapping[str, Value] | None = None,
        forced: bool = False,
    ) -> None:
        self.ruleset, self.state, self.entries = ruleset, state, list[Entry]()
        self.given: dict[str, Answer] = {}
        self._answers, self._source, self._interrupts, self._overrides, self._forced = answers, source, interrupts, overrides or {}, forced
        self._path = ""
        self._seen: set[str] = set()
        self._guards: list[list[tuple[Callable[[State], bool], str]]] = []
        self._performed: set[int] = set()
        self._ruled: set[str] = set()
        self._together = self._settling = self._closed = 0
        self.walking = False

    @property
    def depth(self) -> int:
        """How many actions are under way, one inside the other: 1 in an action that is a step of its own."""
        return len(self._guards)

    @property
    def unheeded(self) -> tuple[str, ...]:
        """Keys of interruptions and overrides whose place in the step has not come."""
        if not self._interrupts and not self._overrides:
            return ()
        missed = (f"{item.key}!{place}" for place, item in enumerate(self._interrupts, start=1) if place not in self._performed)
        return (*missed, *(key for key in self._overrides if key not in self._ruled))

    # -- asking -----------------------------------------------------------------------------------------------------------------------

    def roll(
        self,
        key: str,
        dice: Dice,
        *rules: str,
        who: Id | None = None,
        why: str = "",
        to: Asked | None = None,
        secret: bool = False,
        setup: bool = False,
        classes: tuple[int, ...] = (),
    ) -> int:  # fmt: skip - a signature
        """Return the natural total of dice (their fixed number is left to the rules); who is asked follows from `who`."""
        if not dice.terms:
            return 0
        return self._throw(Roll(key, dice.natural, who, to or self.player_of(who), why, False, secret, setup, classes), rules).total

    def faces(
        self, key: str, dice: Dice, *rules: str, who: Id | None = None, why: str = "", to: Asked | None = None, secret: bool = False, setup: bool = False
    ) -> tuple[int, ...]:
        """Return the natural faces of dice in written order, where each of them matters."""
        if not dice.terms:
            return ()
        thrown = self._throw(Roll(key, dice.natural, who, to or self.player_of(who), why, True, secret, setup), rules)
        return thrown.faces or (thrown.total,)

    def _throw(self, request: Roll, rules: tuple[str, ...]) -> Thrown:
        key, answer = self._ask(request)
        if not isinstance(answer, Thrown):
            raise RulesBug(f"{key} is not answered with dice")
        self.emit(Rolled(key, request.dice, answer.total, answer.faces, request.who, request.why, answer.typed, request.secret), *rules)
        return answer

    def choose(
        self,
        key: str,
        options: Sequence[Option | str],
        *rules: str,
        default: str | None = None,
        who: Id | None = None,
        why: str = "",
        to: Asked | None = None,
        secret: bool = False,
    ) -> str:  # fmt: skip - a signature
        """Return the key of the option chosen."""
        offered = tuple(Option(option) if isinstance(option, str) else option for option in options)
        if not offered:
            raise RulesBug(f"{key} has nothing to choose from")
        path, answer = self._ask(Choice(key, offered, default, who, to or self.player_of(who), why, secret))
        if not isinstance(answer, Chosen):
            raise RulesBug(f"{key} is not answered with an option")
        self.emit(Decided(path, answer.option, who, why, secret), *rules)
        return answer.option

    def confirm(self, key: str, *rules: str, default: bool | None = None, who: Id | None = None, why: str = "", to: Asked | None = None) -> bool:
        """Return the answer to a question of yes or no."""
        chosen = None if default is None else "yes" if default else "no"
        return self.choose(key, ("yes", "no"), *rules, default=chosen, who=who, why=why, to=to) == "yes"

    def pick(
        self,
        key: str,
        options: Sequence[Option | str],
        *rules: str,
        default: tuple[str, ...] | None = None,
        minimum: int = 0,
        maximum: int | None = None,
        who: Id | None = None,
        why: str = "",
        to: Asked | None = None,
    ) -> tuple[str, ...]:  # fmt: skip - a signature
        """Return the keys of the options picked."""
        offered = tuple(Option(option) if isinstance(option, str) else option for option in options)
        path, answer = self._ask(Pick(key, offered, default, minimum, maximum, who, to or self.player_of(who), why))
        if not isinstance(answer, Picked):
            raise RulesBug(f"{key} is not answered with options")
        self.emit(Decided(path, ", ".join(answer.options), who, why), *rules)
        return answer.options

    def number(
        self,
        key: str,
        *rules: str,
        default: int | None = None,
        minimum: int | None = None,
        maximum: int | None = None,
        who: Id | None = None,
        why: str = "",
        to: Asked | None = None,
    ) -> int:  # fmt: skip - a signature
        """Return the number stated."""
        path, answer = self._ask(Number(key, default, minimum, maximum, who, to or self.player_of(who), why))
        if not isinstance(answer, Stated):
            raise RulesBug(f"{key} is not answered with a number")
        self.emit(Decided(path, str(answer.value), who, why), *rules)
        return answer.value

    def window(self, name: str, actor: Id | None = None, target: Id | None = None, why: str = "", info: Sequence[str] = (), again: bool = True) -> int:
        """Let those interrupt who have something to interrupt with; return how many did. Asked again while somebody has, unless `again` is off."""
        responses = 0
        for times in range(1, MOST_REQUESTS):
            key = name if times == 1 else f"{name}:{times}"
            request = Window(key, name, (), actor, target, why=why, info=tuple(info))
            offers = tuple(spec for spec in self.ruleset.windows(self.state, request) if spec.refusal is None)
            if not offers:
                break
            _, answer = self._ask(replace(request, offers=offers))
            if not isinstance(answer, Responded):
                break
            self._respond(key, answer)
            responses += len(answer.actions)
            if not again:
                break
        return responses

    def _respond(self, key: str, answer: Responded) -> None:
        try:
            self._refuse_depth()
            with self.scope(key):
                if answer.together:
                    self.together(answer.actions)
                else:
                    for action, name in zip(answer.actions, _names(answer.actions), strict=True):
                        self.perform(action, name)
        except Refused as refused:
            if refused.refusal.at:
                raise
            raise Refused(replace(refused.refusal, at=self._path + key)) from refused

    def ruling(self, key: str, computed: Value) -> Value:
        """Return a computed value, unless the GM has put another in its place."""
        path = self._path + key
        if path not in self._overrides:
            return computed
        value = self._overrides[path]
        if not _alike(computed, value):
            raise Refused(Refusal("bad_override", f"{key} is {computed!r}; {value!r} cannot stand in its place", forcible=False, at=path))
        self._ruled.add(path)
        self.emit(Overruled(path, computed, value))
        return value

    def _ask(self, request: Request) -> tuple[str, Answer]:
        """Return the request's key as a path, and its answer."""
        key = self._unique(request.key)
        if key != request.key:
            request = replace(request, key=key)
        if len(self._seen) > MOST_REQUESTS:
            raise RulesBug(f"a step asks more than {MOST_REQUESTS} questions")
        if self._interrupts:
            for place, interruption in enumerate(self._interrupts, start=1):
                if interruption.key == key:
                    self._interrupt(f"{key}!{place}", interruption.action)
                    self._performed.add(place)
        answer = self._answers.get(key)
        if answer is None and self._source is not None:
            answer = self._source(request)
        if answer is None:
            raise NeedAnswer(request)
        if problem := problem_with(request, answer):
            raise Refused(Refusal("bad_answer", problem, forcible=False, at=key))
        self.given[key] = answer
        return key, answer

    def _interrupt(self, path: str, action: Action) -> None:
        if self._closed:
            raise Refused(Refusal("joining", "somebody is just joining the fight; answer that first", forcible=False, at=path))
        try:
            self._refuse_depth()
            with self._absolute(path):
                self.perform(action)
        except Refused as refused:
            if refused.refusal.at:
                raise
            raise Refused(replace(refused.refusal, at=path)) from refused

    def _refuse_depth(self) -> None:
        """Refuse to put one more action before those that wait for one another."""
        if len(self._guards) >= MOST_DEPTH:
            text = f"{MOST_DEPTH} actions wait for one another already: answer what is asked first"
            raise Refused(Refusal("too_deep", text, forcible=False))

    def _unique(self, key: str) -> str:
        path = self._path + key
        if self._settling:  # the same thing may follow more than once in a step
            times = 2
            while path in self._seen:
                path = f"{self._path}{key}~{times}"
                times += 1
        if path in self._seen:
            raise RulesBug(f"the request {path} is asked twice")
        self._seen.add(path)
        return path

    def player_of(self, who: Id | None) -> Asked:
        """Return who throws a combatant's dice."""
        combatant = self.state.get(who)
        return "player" if combatant is not None and self.state.side(combatant.side).control == "players" else "gm"

    # -- doing ------------------------------------------------------------------------------------------------------------------------

    def emit(self, event: Event, *rules: str) -> None:
        """Make something happen."""
        if len(self.entries) >= MOST_EVENTS:
            raise RulesBug(f"a step makes more than {MOST_EVENTS} events")
        try:
            self.state = fold(self.state, event)
        except CorruptJournal as stale:
            raise RulesBug(stale.message) from stale
        self.entries.append(Entry(event, rules))

    def perform(self, action: Action, scope: str = "") -> bool:
        """Do a whole action inside this step; return whether it came to its end. Its requests are keyed below `scope`.

        Raises:
            Refused: where its form does not accept it.
        """
        if len(self._guards) >= MOST_DEPTH:
            raise RulesBug("actions interrupt one another without end")
        nested = bool(self._guards)
        accepted, spec, overruled, own = forms.accept(self.ruleset, self.state, action, self._forced and not nested)
        path = self._path
        if scope:
            self._path = f"{path}{scope}/"
        try:
            finished = self._carry_out(accepted, spec, overruled, own)
            self.settle()
        finally:
            self._path = path
        if nested and not self._together:
            self._check_guards()
        return finished

    def _carry_out(self, action: Action, spec: ActionSpec, overruled: Sequence[Refusal], own: bool) -> bool:
        depth, asked = len(self._guards), len(self.given)
        self._guards.append([])
        try:
            self._begin(action, spec, overruled, nested=depth > 0)
            if own:
                self.ruleset.perform(self, action)
            else:
                manual.perform(self, action)
        except Refused as refused:
            if len(self.given) > asked and not refused.refusal.at:
                raise RulesBug(f"{spec.label} is refused after it asked something: {refused.message}") from refused
            raise
        except _Over as over:
            if over.depth != depth:
                raise
            self.emit(ActionStopped(action.by, spec.label, over.why))
            return False
        finally:
            self._guards.pop()
        return True

    def _begin(self, action: Action, spec: ActionSpec, overruled: Sequence[Refusal], nested: bool) -> None:
        slot, acting = self.state.clock.current, self.state.clock.acting
        mine = action.by is not None and slot is not None and slot.turns == "shared" and action.by in slot.members
        if mine and not nested and acting != action.by:  # whoever interrupts does not take over the turn
            self.emit(TurnOpened(acting, action.by))
        self.emit(ActionTaken(action, spec.label), *((spec.rule,) if spec.rule else ()))
        for refusal in overruled:
            self.emit(Forced(action.by, spec.label, refusal.text), *((refusal.rule,) if refusal.rule else ()))

    def refusal_of(self, action: Action) -> Refusal | None:
        """Return why an action would be refused now, or None if it can be performed."""
        try:
            forms.accept(self.ruleset, self.state, action, self._forced and not self._guards)
        except Refused as refused:
            return refused.refusal
        return None

    def together(self, actions: Sequence[Action]) -> None:
        """Do several actions at once: each is judged and rolled on the state before any of them, then all take effect and are settled once."""
        base, start = self.state, len(self.entries)
        batches: list[list[Entry]] = []
        self._together += 1
        try:
            for action, name in zip(actions, _names(actions), strict=True):
                self.state = base
                self.perform(action, name)
                batches.append(self.entries[start:])
                del self.entries[start:]
        finally:
            self._together -= 1
        self.state = base
        for batch in batches:
            numbers: dict[int, int] = {}
            for entry in batch:
                event = rebase(self.state, entry.event, numbers)
                if isinstance(event, EffectAdded) and isinstance(entry.event, EffectAdded):
                    held = self._held(event.effect)
                    if held is not None and event.effect.stacking == "keep":
                        numbers[entry.event.effect.id] = held.id
                        continue
                    if held is not None and event.effect.stacking == "replace":
                        self.end_effect(held, "replaced", *entry.rules)
                if event is not None:
                    self.emit(event, *entry.rules)
        self.expire()
        self.settle()
        if not self._together:
            self._check_guards()

    def guard(self, holds: Callable[[State], bool], why: str = "") -> None:
        """Let the action in hand go on only while this holds; it is looked at after everything that interrupts."""
        if not self._guards:
            raise RulesBug("a guard outside an action")
        self._guards[-1].append((holds, why))

    def _check_guards(self) -> None:
        for depth, guards in enumerate(self._guards):
            for holds, why in guards:
                if not holds(self.state):
                    raise _Over(depth, why)

    def stop(self, why: str) -> None:
        """End the action in hand here; what happened stays."""
        if not self._guards:
            raise RulesBug("a stop outside an action")
        raise _Over(len(self._guards) - 1, why)

    def settle(self) -> None:
        """Draw the ruleset's conclusions from the state."""
        if self._together:
            return
        self._settling += 1
        try:
            self.ruleset.settle(self)
        finally:
            self._settling -= 1

    @contextmanager
    def scope(self, name: str) -> Iterator[None]:
        """Key the requests made inside below `name`."""
        path = self._path
        if name:
            self._path = f"{path}{name}/"
        try:
            yield
        finally:
            self._path = path

    @contextmanager
    def uninterrupted(self) -> Iterator[None]:
        """Let nobody interrupt inside: somebody is not yet all that the ruleset makes of them."""
        self._closed += 1
        try:
            yield
        finally:
            self._closed -= 1

    @contextmanager
    def _absolute(self, path: str) -> Iterator[None]:
        before, self._path = self._path, f"{path}/"
        try:
            yield
        finally:
            self._path = before

    # -- the usual changes --------------------------------------------------------------------------------------------------------------

    def change(self, who: Id, pool: str, now: int, *rules: str, parts: Sequence[Part] = (), why: str = "", source: Id | None = None) -> int:
        """Set a pool to a value within its floor; return the difference."""
        held = self.state[who].pool(pool)
        if held.floor is not None:
            now = max(held.floor, now)
        self.emit(PoolChanged(who, pool, held.now, now, tuple(parts), why, source), *rules)
        return now - held.now

    def status(self, who: Id, now: str, *rules: str) -> None:
        """Give a combatant another status, if it has not that already."""
        was = self.state[who].status
        if was != now:
            self.emit(StatusChanged(who, was, now), *rules)

    def fact(self, owner: str, key: str, now: Value, *rules: str) -> None:
        """Set a fact, if it is not so already; None removes it."""
        was = self.state.fact(owner, key)
        if was != now or type(was) is not type(now):
            self.emit(FactSet(owner, key, was, now), *rules)

    def spend(self, who: Id, key: str, *rules: str, amount: int = 1) -> None:
        """Take from a combatant's budget."""
        budget = dict(self.state[who].budget)
        budget[key] = budget.get(key, 0) - amount
        self.refill({who: tuple(budget.items())}, *rules)

    def refill(self, budgets: Mapping[Id, tuple[tuple[str, int], ...]], *rules: str) -> None:
        """Set whole budgets; those that stay the same are left out."""
        changes = tuple(BudgetChange(who, self.state[who].budget, now) for who, now in budgets.items() if self.state[who].budget != now)
        if changes:
            self.emit(BudgetsChanged(changes), *rules)

    def note(self, text: str, *rules: str, about: str | None = None) -> None:
        """Write words into the log."""
        self.emit(Noted(text, about), *rules)

    def skip(self, what: str, why: str, *rules: str, who: Id | None = None) -> None:
        """Say that something due does not happen."""
        self.emit(Skipped(what, why, who), *rules)

    def add_effect(self, effect: Effect, *rules: str) -> int:
        """Let something hold, as its stacking says; anchors are resolved now. Return its number."""
        held = self._held(effect)
        if held is not None and effect.stacking == "keep":
            return held.id
        if held is not None and effect.stacking == "replace":
            self.end_effect(held, "replaced", *rules)
        number = self.state.serial + 1
        until = tuple(replace(end, anchor=self._anchor(end, effect)) if isinstance(end, At) else end for end in effect.until)
        clock = self.state.clock
        rule = effect.rule or (rules[0] if rules else "")
        added = replace(effect, id=number, until=until, rule=rule, born=(clock.round, clock.at or ""))
        self.emit(EffectAdded(added), *rules)
        if added.due:
            self.end_effect(added, "its time is up")
        return number

    def _held(self, effect: Effect) -> Effect | None:
        return next((other for other in self.state.borne(effect.bearer) if other.name == effect.name), None)

    def _anchor(self, end: At, effect: Effect) -> str:
        clock, anchor = self.state.clock, end.anchor
        if end.edge in ("round_start", "round_end", "combat_end"):
            return "any"  # these are nobody's in particular
        match anchor:
            case "bearer" | "source":
                who = effect.bearer if anchor == "bearer" else effect.source
                if who is None or (who not in self.state and not who.startswith("side:")):
                    return "any"
                return who_anchor(who) if who in self.state else who
            case "bearer_side" | "source_side":
                combatant = self.state.get(effect.bearer if anchor == "bearer_side" else effect.source)
                return effect.bearer if combatant is None and effect.bearer.startswith("side:") else side_anchor(combatant.side) if combatant else "any"
            case "acting_side":
                acting = self.state.get(clock.acting)
                side = clock.current.side if clock.current and clock.current.side else acting.side if acting else None
                return side_anchor(side) if side else "any"
            case _:
                return anchor

    def end_effect(self, effect: Effect, reason: str, *rules: str) -> None:
        """End an effect, with those it takes along."""
        self.emit(EffectEnded(effect, reason), *(rules or ((effect.rule,) if effect.rule else ())))
        for bearer, number in self.state.children.get(effect.id, ()):
            child = self.state.effect(bearer, number)
            if child is not None:
                self.end_effect(child, f"with {effect.shown}")

    def end_named(self, bearer: str, name: str, reason: str, *rules: str) -> bool:
        """End every effect of that name on a bearer; return whether there was one."""
        found = [effect for effect in self.state.borne(bearer) if effect.name == name]
        for effect in found:
            held = self.state.effect(bearer, effect.id)
            if held is not None:
                self.end_effect(held, reason, *rules)
        return bool(found)

    def use(self, bearer: str, key: str) -> None:
        """Count one use of whatever on this bearer ends on that use, and end what is used up."""
        for effect in self.state.borne(bearer):
            if any(isinstance(end, OnUse) and end.key == key and end.count > 0 for end in effect.until):
                if self.state.effect(bearer, effect.id) is None:
                    continue  # ended with another one
                self.emit(EffectUsed(bearer, effect.id, key))
                used = self.state.effect(bearer, effect.id)
                if used is not None and used.due:
                    self.end_effect(used, "used")

    def expire(self) -> None:
        """End what is due, in order of creation."""
        while self.state.due:
            bearer, number = self.state.due[0]
            effect = self.state.effect(bearer, number)
            if effect is None:
                raise RulesBug(f"effect {number} of {bearer} is due but does not hold")
            used = any(isinstance(end, OnUse) and end.count <= 0 for end in effect.until)
            self.end_effect(effect, "used" if used else "its time is up")

    def leave(self, who: Id, reason: str, *rules: str) -> None:
        """Take somebody out of the fight: what waits for their edges is tied to others, what holds on them ends."""
        clock.reanchor(self, who)
        for effect in self.state[who].effects:
            held = self.state.effect(who, effect.id)
            if held is not None:
                self.end_effect(held, f"{self.state.name(who)} leaves the fight")
        self.emit(CombatantLeft(self.state[who], reason), *rules)

    def cross(self, edge: Edge, actors: Sequence[Id] = (), sides: Sequence[Id] = ()) -> None:
        """Pass one edge of the clock in the current slot: a turn that a step opens or ends."""
        slot, number = self.state.clock.current, self.state.clock.round
        if edge in ("turn_start", "turn_end") and not sides:
            sides = clock.turn_sides(self.state, edge, actors)
        if slot is None:
            clock.cross(self, Boundary(edge, number, actors=tuple(actors), sides=tuple(sides)))
        else:
            clock.cross(self, Boundary(edge, number, slot.phase, slot.segment, slot.id, tuple(actors), tuple(sides)))
