"""A machine that plays any ruleset: whatever is offered is tried, answered, taken back, interrupted and reloaded, and the promises of core are checked.

Legal values are drawn from the forms themselves, so a new ruleset needs nothing here but a place in `games`.
"""

from __future__ import annotations

from collections import Counter
from typing import Any

from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule
from msgspec.structs import replace

from tests.properties.games import build
from tracker.core import engine
from tracker.core.fight.events import BoundaryCrossed, EffectAdded, EffectChanged, EffectEnded, Entry, SlotReached
from tracker.core.fight.fold import fold, fold_all
from tracker.core.fight.state import State
from tracker.core.game import durations
from tracker.core.game.ruleset import Ruleset
from tracker.core.run import Answers, Done, Interruption, Pending, Step, run
from tracker.core.terms.actions import Action, ActionSpec, Field, Option, Refusal
from tracker.core.terms.encounter import Encounter, Member
from tracker.core.terms.moments import At, OnUse
from tracker.core.terms.requests import (
    Answer,
    Choice,
    Chosen,
    Number,
    Passed,
    Pick,
    Picked,
    Request,
    Responded,
    Roll,
    Stated,
    Thrown,
)
from tracker.core.terms.values import Value

Deadlines = dict[int, int]
Moment = tuple[State, Deadlines]
MOST_PEOPLE = 14
NEVER = 10**9
RARE = ("end_fight", "remove", "insert", "wave", "next")
# Their words are read when they are performed, so a form cannot know whether they can be read.
FREE_TEXT = ("house_rule", "add_effect")


class Play(RuleBasedStateMachine):
    """A fight under one ruleset."""

    game = ""
    ruleset: Ruleset
    encounter: Encounter
    state: State

    @initialize(data=st.data())
    def start(self, data: st.DataObject) -> None:
        self.ruleset, self.encounter = build(self.game)
        self.state, self.past, self.future = State(), list[Moment](), list[Moment]()
        self.deadlines: Deadlines = {}
        self.attempt(Step("start", encounter=self.encounter), data)

    # -- rules ---------------------------------------------------------------------------------------------------------

    @rule(data=st.data())
    def advance(self, data: st.DataObject) -> None:
        """Go on to the next stop."""
        accepted = self.attempt(Step("advance"), data)
        assert accepted or self.state.clock.over, f"there is no going on: {self.refusal}"

    @rule(data=st.data())
    def act(self, data: st.DataObject) -> None:
        """Do anything that is offered to somebody."""
        people = [one.id for one in self.state.combatants]
        acting = self.state.clock.current.members if self.state.clock.current else ()
        who = data.draw(st.sampled_from([*people, *acting, *acting, *acting]), "who") if people else None
        self.do_one(engine.offers(self.ruleset, self.state, who), data)

    @rule(data=st.data())
    def rule_the_table(self, data: st.DataObject) -> None:
        """Do anything that is offered to the game master."""
        specs = engine.offers(self.ruleset, self.state, None)
        common = [spec for spec in specs if spec.key not in RARE]
        self.do_one(specs if data.draw(st.integers(0, 5), "rarely") == 0 else common, data)

    def do_one(self, specs: Any, data: st.DataObject) -> None:
        if not specs:
            return
        spec = data.draw(st.sampled_from(list(specs)), "action")
        if spec.key == "insert" and len(self.state.combatants) > MOST_PEOPLE:
            return
        filled, legal = self.fill(spec, data)
        forced = not legal and data.draw(st.booleans(), "forced")
        accepted = self.attempt(Step("do", (filled,), forced=forced), data)
        if legal and not accepted:
            assert (spec.key in FREE_TEXT, self.refusal.reason) == (True, "bad_field"), (
                f"offered, but refused: {filled} ({self.refusal})"
            )
        elif not legal and not forced:
            assert not accepted, f"refused in its form, but accepted: {filled}"

    @precondition(lambda self: len(self.past) > 1)
    @rule()
    def undo(self) -> None:
        """Take back the last step."""
        self.future.append((self.state, self.deadlines))
        self.state, self.deadlines = self.past.pop()

    @precondition(lambda self: self.future)
    @rule()
    def redo(self) -> None:
        """Do again what was taken back."""
        self.past.append((self.state, self.deadlines))
        self.state, self.deadlines = self.future.pop()

    @rule()
    def reload(self) -> None:
        """Store the state and read it back."""
        codec = self.ruleset.schema.codec
        self.state = codec.decode(codec.encode(self.state), State)

    # -- one step ------------------------------------------------------------------------------------------------------

    def attempt(self, step: Step, data: st.DataObject) -> bool:
        """Try a step until it is done or refused, answering whatever it asks; return whether it was done."""
        answers: Answers = ()
        while True:
            outcome = run(self.ruleset, self.state, step, answers)
            match outcome:
                case Done():
                    self.keep(step, outcome)
                    return True
                case Refusal(at=""):
                    self.refusal = outcome
                    return False
                case Refusal(at=at) if "!" in at:  # the game master's meddling is refused; the step goes on without
                    step, answers = (
                        replace(step, interrupts=()),
                        tuple(answer for answer in answers if "!" not in answer[0]),
                    )
                case Refusal(at=at):
                    place = [key for key, _ in answers].index(at)
                    kept = answers[:place]
                    answers = (*kept, (at, Passed())) if isinstance(answers[place][1], Responded) else kept
                case Pending():
                    assert fold_all(self.state, outcome.entries) == outcome.state, (
                        "the events so far do not make the state so far"
                    )
                    step, answers = self.go_on(step, outcome, data)

    def go_on(self, step: Step, outcome: Pending, data: st.DataObject) -> tuple[Step, Answers]:
        """Answer the question, take back the last answer, meddle before the question, or store everything and read it back."""
        request, answers = outcome.request, outcome.answers
        what = data.draw(st.integers(0, 11), "what now")
        if what == 11:
            return step, answers[:-1]
        if what == 10 and len(step.interrupts) < 2:
            return replace(
                step, interrupts=(*step.interrupts, Interruption(request.key, self.meddling(outcome.state, data)))
            ), answers
        if what == 9:
            codec = self.ruleset.schema.codec
            assert codec.decode(codec.encode(request), type(request)) == request
            return codec.decode(codec.encode(step), Step), codec.decode(codec.encode(answers), Answers)
        return step, (*answers, (request.key, self.answer(request, outcome.state, data)))

    def meddling(self, state: State, data: st.DataObject) -> Action:
        """Return something a game master may do in the middle of a step."""
        specs = [
            spec
            for spec in engine.offers(self.ruleset, state, None)
            if spec.key in ("damage", "heal", "status", "note", "roll", "add_effect")
        ]
        return self.fill(data.draw(st.sampled_from(specs), "meddling"), data, state)[0]

    def keep(self, step: Step, done: Done) -> None:
        """Check what came of a step, and make it history."""
        codec = self.ruleset.schema.codec
        assert fold_all(self.state, done.entries) == done.state, "the events do not make the state"
        assert run(self.ruleset, self.state, step, done.answers) == done, "done again, it comes out otherwise"
        assert codec.decode(codec.encode(done.entries), tuple[Entry, ...]) == done.entries
        assert codec.decode(codec.encode(done.answers), Answers) == done.answers
        assert codec.decode(codec.encode(step), Step) == step
        self.past.append((self.state, self.deadlines))
        self.future.clear()
        self.deadlines = self.check_edges(done.entries)
        self.state = done.state

    # -- promises ------------------------------------------------------------------------------------------------------

    def check_edges(self, entries: tuple[Entry, ...]) -> Deadlines:
        """Follow the clock event by event: no slot twice, no edge twice in a round, none left out at its end, no effect beyond its time.

        Return the last round each effect may see the end of.
        """
        state, deadlines = self.state, dict(self.deadlines)
        for entry in entries:
            event = entry.event
            if isinstance(event, BoundaryCrossed):
                edge = event.boundary
                if edge.edge == "turn_start":
                    assert not set(edge.actors) & set(state.clock.turned), "a turn starts twice"
                elif edge.edge == "turn_end":
                    assert not set(edge.actors) & set(state.clock.acted), "a turn ends twice"
                    assert set(edge.actors) <= set(state.clock.turned), "a turn ends that has not started"
                elif edge.edge == "round_end":
                    assert {one.id for one in state.combatants} <= set(state.clock.acted), "somebody had no turn"
                    left = [slot.id for slot in state.clock.upcoming if slot.stage == "round"]
                    assert not left, f"the round ends before {left}"
                    late = [effect for effect in state.all_effects if deadlines.get(effect.id, edge.round) < edge.round]
                    assert not late, "an effect does not end"
            elif isinstance(event, SlotReached):
                assert event.now is None or event.now not in state.clock.begun, "a slot begins twice"
            elif isinstance(event, EffectEnded):
                assert event.reason
            elif isinstance(event, EffectAdded | EffectChanged):
                effect = event.effect if isinstance(event, EffectAdded) else event.now
                deadlines[effect.id] = min(
                    (state.clock.round + end.count + 1 for end in effect.until if certain(end)), default=NEVER
                )
            state = fold(state, event)
        return deadlines

    @invariant()
    def holds(self) -> None:
        """What is true of every state between two steps."""
        if not hasattr(self, "state"):
            return
        state = self.state
        assert state.due == (), "something is still waiting to be ended"
        for effect in state.all_effects:
            assert not effect.due, f"{effect} has ended and still holds"
            assert all(not isinstance(end, At) or ":" in end.anchor or end.anchor == "any" for end in effect.until), (
                "an anchor is not resolved"
            )
        assert [label for label, times in Counter(state.labels).items() if times > 1] == []
        assert state.clock.acting is None or state.clock.acting in state
        assert state.clock.at is None or state.clock.current is not None
        assert all(member in state for slot in state.clock.slots for member in slot.members), (
            "a slot holds somebody who is gone"
        )
        plain_state = replace(state)
        assert (state.places, state.known) == (plain_state.places, plain_state.known)
        assert (state.waiting, state.children) == (plain_state.waiting, plain_state.children)

    # -- drawing -------------------------------------------------------------------------------------------------------

    def fill(self, spec: ActionSpec, data: st.DataObject, state: State | None = None) -> tuple[Action, bool]:
        """Fill in a form with its defaults or with any legal values; return the action and whether the form now accepts it."""
        state = self.state if state is None else state
        filled, decided = Action(spec.key, spec.by), set[str]()
        for _ in range(20):
            spec = engine.spec_of(self.ruleset, state, filled)
            field = next((field for field in spec.fields if field.name not in decided), None)
            if field is None:
                break
            decided.add(field.name)
            if field.default is not None and data.draw(st.integers(0, 2), f"{field.name} as it is"):
                continue
            value = self.value(field, state, data)
            if value is not None:
                filled = filled.put(**{field.name: value})
        spec = engine.spec_of(self.ruleset, state, filled)
        given = dict(filled.fields)
        return filled, spec.refusal is None and all(fits(field, given.get(field.name), state) for field in spec.fields)

    def value(self, field: Field, state: State, data: st.DataObject) -> Value:
        """Return any value a field takes, or None where there is none."""
        legal = [option.key for option in field.options if option.refusal is None]
        drawn: Value
        match field.kind:
            case "combatant" | "choice":
                pool = legal or (
                    [one.id for one in state.combatants] if field.kind == "combatant" and not field.options else []
                )
                return data.draw(st.sampled_from(pool), field.name) if pool else None
            case "combatants" | "choices":
                pool = legal or (
                    [one.id for one in state.combatants] if field.kind == "combatants" and not field.options else []
                )
                least = max(field.minimum or 0, int(field.required))
                if len(pool) < least or not pool:
                    return None
                most = min(len(pool), field.maximum if field.maximum is not None else 4)
                return tuple(
                    data.draw(
                        st.lists(st.sampled_from(pool), min_size=min(least, most), max_size=most, unique=True),
                        field.name,
                    )
                )
            case "number":
                low = field.minimum if field.minimum is not None else -3
                return data.draw(
                    st.integers(low, max(low, field.maximum if field.maximum is not None else low + 12)), field.name
                )
            case "dice":
                return data.draw(st.sampled_from(("1d6", "2d4+1", "d20")), field.name)
            case "text":
                return data.draw(st.sampled_from(self.words(field)), field.name)
            case "flag":
                return data.draw(st.booleans(), field.name)
            case "square":
                drawn = (
                    tuple(int(part) for part in data.draw(st.sampled_from(legal)).split(","))
                    if legal
                    else data.draw(SQUARES, field.name)
                )
                return drawn
            case "path" | "area":
                return tuple(data.draw(st.lists(SQUARES, max_size=3), field.name))
            case "members":
                return self.newcomers(data)
            case "rows":
                least = max(field.minimum or 0, int(field.required))
                count = data.draw(
                    st.integers(least, max(least, min(field.maximum if field.maximum is not None else 2, 3))),
                    field.name,
                )
                rows = [
                    [(column.name, self.value(column, state, data)) for column in field.columns] for _ in range(count)
                ]
                return tuple(tuple((name, cell) for name, cell in row if cell is not None) for row in rows)
            case _:
                return None

    def words(self, field: Field) -> list[str]:
        if field.name == "until":
            return ["", *(moment.words.replace("{n}", "2") for moment in self.ruleset.moments or durations.MOMENTS)]
        return ["goblins", "x", "2"]

    def newcomers(self, data: st.DataObject) -> tuple[Member, ...]:
        members = [member for side in self.encounter.sides for member in side.members]
        return (replace(data.draw(st.sampled_from(members), "newcomer"), id=""),)

    def answer(self, request: Request, state: State, data: st.DataObject) -> Answer:
        """Return any answer a request takes."""
        match request:
            case Roll(dice=dice, faces=needs_faces):
                faces = tuple(data.draw(st.integers(1, sides), "face") for sides in dice.sides)
                return Thrown(sum(faces), faces if needs_faces or data.draw(st.booleans(), "faces") else ())
            case Choice(options=options):
                return Chosen(data.draw(st.sampled_from(open_options(options)), request.key))
            case Pick(options=options, minimum=least, maximum=most):
                pool = open_options(options)
                size = (least, min(len(pool), len(pool) if most is None else most))
                return Picked(
                    tuple(
                        data.draw(
                            st.lists(st.sampled_from(pool), min_size=size[0], max_size=size[1], unique=True),
                            request.key,
                        )
                    )
                )
            case Number(minimum=least_value, maximum=most_value):
                low = least_value if least_value is not None else -3
                return Stated(data.draw(st.integers(low, low + 12 if most_value is None else most_value), request.key))
            case _:
                if data.draw(st.booleans(), "passed"):
                    return Passed()
                offers = data.draw(st.lists(st.sampled_from(list(request.offers)), min_size=1, max_size=2), "response")
                return Responded(
                    tuple(self.fill(spec, data, state)[0] for spec in offers), data.draw(st.booleans(), "together")
                )


SQUARES = st.tuples(st.integers(0, 9), st.integers(0, 9))


def certain(end: At | OnUse) -> bool:
    """Tell whether an end comes in every round, whatever its schedule."""
    return (
        isinstance(end, At)
        and end.phase is None
        and end.segment is None
        and end.edge.partition("_")[0] in ("turn", "phase", "round")
    )


def open_options(options: tuple[Option, ...]) -> list[str]:
    return [option.key for option in options if option.refusal is None]


def fits(field: Field, given: Value, state: State) -> bool:
    """Tell whether a field shows this value, or its default, as possible."""
    value = field.default if given is None else given
    if value is None or value in ((), ""):
        return not field.required
    legal = open_options(field.options)
    match field.kind:
        case "combatant" | "choice":
            return value in legal or (field.kind == "combatant" and not field.options and value in state)
        case "combatants" | "choices":
            values = value if isinstance(value, tuple) else ()
            each = replace(field, kind="combatant" if field.kind == "combatants" else "choice")
            return counts(field, values) and all(fits(each, one, state) for one in values)
        case "number":
            number = value if isinstance(value, int | float) else 0
            return (field.minimum is None or number >= field.minimum) and (
                field.maximum is None or number <= field.maximum
            )
        case "rows":
            rows = value if isinstance(value, tuple) else ()
            cells: list[dict[str, Value]] = [dict(row) for row in rows]  # type: ignore[arg-type]  # made of pairs by `value`
            return counts(field, rows) and all(
                fits(column, row.get(column.name), state) for row in cells for column in field.columns
            )
        case _:
            return True


def counts(field: Field, values: tuple[Value, ...]) -> bool:
    return (field.minimum or 0) <= len(values) <= (len(values) if field.maximum is None else field.maximum)
