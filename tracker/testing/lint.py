"""The mistakes that an inspection finds in a ruleset's records, words, offers, events, requests and ends of effects."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import cast

from msgspec.structs import replace

from tracker.core.fight.events import BudgetsChanged, EffectAdded, EffectEnded, Entry, Event, OrderSet, StatusChanged
from tracker.core.fight.state import Combatant, State
from tracker.core.game.ruleset import Ruleset, status_of
from tracker.core.game.telling import BLANK
from tracker.core.terms.actions import Action, ActionSpec, Field
from tracker.core.terms.effects import Effect
from tracker.core.terms.moments import At
from tracker.core.terms.requests import Request
from tracker.core.terms.requests.kind import open_keys
from tracker.core.terms.values import Value
from tracker.library.guard import unwrapped
from tracker.testing.vectors import cited_by

VERB = re.compile(r"[a-z]+(?<![^s]s)(?: |$)")
"""A verb in the infinitive at the beginning of a phrase."""
FREE = frozenset(("whom", "means"))


def as_offered(spec: ActionSpec) -> Action:
    """Return the action with the defaults of its form."""
    given = ((field.name, field.default) for field in spec.fields if field.default is not None)
    return Action(spec.key, spec.by, tuple(sorted(given)))


def whole(spec: ActionSpec, given: dict[str, Value], state: State) -> bool:
    """Tell whether an action is not refused and its form accepts these values."""
    return spec.refusal is None and all(fits(field, given.get(field.name), state) for field in spec.fields)


def fits(field: Field, given: Value, state: State) -> bool:
    """Tell whether a field accepts this value, or its default."""
    value = field.default if given is None else given
    if value is None or value in ((), ""):
        return not field.required
    legal = open_keys(field.options)
    match field.kind:
        case "combatant" | "choice":
            return value in legal or (field.takes_all and value in state)
        case "combatants" | "choices":
            values = value if isinstance(value, tuple) else ()
            each = replace(field, kind="combatant" if field.kind == "combatants" else "choice")
            return _counts(field, values) and all(fits(each, one, state) for one in values)
        case "number":
            number = value if isinstance(value, int | float) else 0
            least, most = field.minimum, field.maximum
            return (least is None or number >= least) and (most is None or number <= most)
        case "rows":
            rows = value if isinstance(value, tuple) else ()
            cells = [dict(cast("tuple[tuple[str, Value], ...]", row)) for row in rows]
            return _counts(field, rows) and all(
                fits(column, row.get(column.name), state) for row in cells for column in field.columns
            )
        case _:
            return True


def _counts(field: Field, values: tuple[Value, ...]) -> bool:
    return (field.minimum or 0) <= len(values) <= (len(values) if field.maximum is None else field.maximum)


def problems_of_ruleset(ruleset: Ruleset) -> Iterator[tuple[str, str]]:
    """Yield the problems of a ruleset's records, with their places."""
    rules = Counter(rule.id for rule in ruleset.rulebook.rules)
    for name, times in rules.items():
        if times > 1:
            yield f'the rulebook has "{name}" {times} times', ""
    for effect in ruleset.effects:
        if effect.rule and effect.rule not in rules:
            yield f'the effect "{effect.name}" cites "{effect.rule}", which is not in the rulebook', ""
    statuses = Counter(status.key for status in ruleset.statuses)
    for name, times in statuses.items():
        if times > 1:
            yield f'the status "{name}" is there {times} times', ""
    if not any(status.acts for status in ruleset.statuses):
        yield "no status lets a combatant act", ""


def problems_of_spec(ruleset: Ruleset, spec: ActionSpec) -> Iterator[str]:
    """Yield the problems of an offer."""
    cited = [spec.rule, spec.refusal.rule if spec.refusal else ""]
    for field in spec.fields:
        cited += [option.refusal.rule for option in field.options if option.refusal]
        if spec.refusal is None:
            yield from (f'"{spec.key}": {text}' for text in _of_field(field))
    for rule in dict.fromkeys(cited):
        if rule and ruleset.rulebook.find(rule) is None:
            yield f'"{spec.key}" cites "{rule}", which is not in the rulebook'


def _of_field(field: Field) -> Iterator[str]:
    if field.minimum is not None and field.maximum is not None and field.minimum > field.maximum:
        yield f'the field "{field.name}" takes at least {field.minimum} and at most {field.maximum}'
    default = field.default
    if default is None or field.kind not in ("choice", "combatant") or not field.options:
        return
    if default not in [option.key for option in field.options]:
        yield f'the default "{default}" of the field "{field.name}" is none of its options'
    elif default not in (free := open_keys(field.options)) and free:
        yield f'the default "{default}" of the field "{field.name}" is refused'


def problems_of_event(ruleset: Ruleset, entry: Entry) -> Iterator[str]:
    """Yield the problems of an event."""
    kind = type(entry.event).__name__
    for rule in dict.fromkeys(cited_by(entry)):
        if rule and ruleset.rulebook.find(rule) is None:
            own = isinstance(entry.event, EffectEnded) and entry.event.was.rule == rule  # reported when it is added
            yield f'{"EffectAdded" if own else kind} cites "{rule}", which is not in the rulebook'
    match entry.event:
        case StatusChanged(now=now) if now not in {status.key for status in ruleset.statuses}:
            yield f'"{now}" is none of the statuses of the ruleset'
        case BudgetsChanged(changes=changes):
            yield from (f'the budget "{change.short}" is overspent' for change in changes if change.short)
        case _:
            pass


def problems_of_offers(specs: Sequence[ActionSpec]) -> Iterator[str]:
    """Yield the keys of several offers of one combatant or the GM: only one of them can be performed."""
    for key, times in Counter(spec.key for spec in specs).items():
        if times > 1:
            yield f'{times} actions have the key "{key}": each needs one of its own'


def problem_of_request(request: Request) -> str:
    """Return why a request has no possible answer, or ""."""
    return f'the request "{request.key.rpartition("/")[2]}" {request.defect}' if request.defect else ""


Question = tuple[str, Callable[[], str]]
"""The name of a function of the ruleset, and its call, which returns a problem or ""."""


def questions(ruleset: Ruleset, state: State) -> Iterator[Question]:
    """Yield the calls of the screen and the forecast for a state, without a step."""
    yield "pending", partial(_asked, ruleset.pending, state)
    yield "finished", partial(_asked, ruleset.finished, state)
    yield from drawings(ruleset, state)
    for one in state.combatants:
        yield "settle", partial(_unsettled, ruleset, one)
        if status_of(ruleset, one.status).acts and (ruleset.out_of_turn or one.id in _members(state)):
            yield "policy", partial(_choice, ruleset, state, one.id)


def drawings(ruleset: Ruleset, state: State) -> Iterator[Question]:
    """Yield the calls of the screen for each combatant, which it also makes while a step is pending."""
    for one in state.combatants:
        yield "badges", partial(_asked, ruleset.badges, state, one.id)
        yield "printed", partial(_asked, ruleset.printed, state, one.id)
        for column in ruleset.columns:
            yield f'the column "{column.key}"', partial(_asked, column.cell, state, one.id)
        for name in ruleset.schema.derived:
            yield f'the number "{name}"', partial(_asked, ruleset.derived, state, one.id, name)


def _asked(function: Callable[..., object], *arguments: object) -> str:
    """Call a function whose only problem can be an exception."""
    function(*arguments)
    return ""


def _members(state: State) -> tuple[str, ...]:
    return state.clock.current.members if state.clock.current is not None else ()


def _unsettled(ruleset: Ruleset, one: Combatant) -> str:
    """Return the problem that a ruleset has no `settle`, so that no combatant goes down."""
    settles = unwrapped(ruleset).settle.__module__ != Ruleset.__module__
    first = one.pools[0] if one.pools else None
    if settles or first is None or first.now > 0 or not status_of(ruleset, one.status).acts:
        return ""
    return f"with {first.now} {first.key} a combatant acts on: the ruleset has no settle, which decides who is down"


def _choice(ruleset: Ruleset, state: State, who: str) -> str:
    """Return the problem of the action that `policy` chooses."""
    action = ruleset.policy(state, who, "focused")
    if action is None:
        return ""
    spec = ruleset.form(state, action)
    if spec is None:
        return f'policy chooses "{action.key}", which is no action of the game'
    return f'policy chooses "{action.key}", which is refused: {spec.refusal.text}' if spec.refusal is not None else ""


class EffectLeaks:
    """The effects that have begun and ended, and the phases and segments of all orders."""

    def __init__(self) -> None:
        self.added: dict[str, tuple[Effect, str]] = {}
        self.ended: set[str] = set()
        self.phases: set[str | None] = {None}
        self.segments: set[int | None] = {None}

    def see(self, event: Event, place: Callable[[], str]) -> None:
        """Store the effect, phases and segments of an event."""
        match event:
            case EffectEnded(was=gone, reason=reason) if reason != "replaced":
                self.ended.add(gone.name)
            case EffectAdded(effect=effect):
                self.added[effect.name] = (effect, place())
            case OrderSet(now=slots):
                self.phases |= {slot.phase for slot in slots}
                self.segments |= {slot.segment for slot in slots}
            case _:
                pass

    def endless(self) -> Iterator[tuple[str, str]]:
        """Yield the effects that wait for a phase or segment that no order has."""
        for name, (effect, place) in sorted(self.added.items()):
            ends = [end for end in effect.until if isinstance(end, At)]
            missing = [end.phase for end in ends if end.phase not in self.phases]
            missing += [f"segment {end.segment}" for end in ends if end.segment not in self.segments]
            if missing and name not in self.ended:
                yield f'nothing ends the effect "{name}": no order has {missing[0]}', place

    def left_to_the_gm(self, ruleset: Ruleset) -> Iterator[tuple[str, str]]:
        """Yield the effects without an edge as their end that nothing has ended and the ruleset does not offer."""
        offered = {effect.name for effect in ruleset.effects}
        for name, (effect, place) in sorted(self.added.items()):
            moments = any(isinstance(end, At) for end in effect.until)
            if not moments and name not in self.ended | offered and effect.parent is None:
                yield f'nothing ended the effect "{name}": it lasts until the GM removes it', place


def problems_of_telling(ruleset: Ruleset) -> Iterator[str]:
    """Yield the problems of a game's words."""
    for owner, phrase in ruleset.telling.phrases():
        for way in phrase.split("|") if phrase else ():
            if VERB.match(way) is None:
                yield f'telling: "{way}" of the {owner} does not begin with a verb in the infinitive'
    statuses = {status.key for status in ruleset.statuses}
    for words in ruleset.telling.status_words:
        if words.key not in statuses:
            yield f'telling: there is no status "{words.key}"'


def problems_of_actions(ruleset: Ruleset, offered: Mapping[str, frozenset[str]]) -> Iterator[str]:
    """Yield the blanks in the words of offered actions that no field fills in."""
    for words in ruleset.telling.action_words:
        fields = offered.get(words.key.partition(":")[0])
        if fields is None:
            continue
        for phrase in (words.does, words.tries, words.over, words.turned, words.vain):
            for blank in BLANK.findall(phrase):
                if blank not in fields | FREE:
                    yield f'telling: the action "{words.key}" has no field "{blank}"'


def remarks_on_actions(ruleset: Ruleset, offered: Mapping[str, frozenset[str]]) -> Iterator[str]:
    """Yield the actions with words that were never offered."""
    for words in ruleset.telling.action_words:
        if words.key.partition(":")[0] not in offered:
            yield f'telling: the action "{words.key}" was never offered'
