"""A state machine that plays any ruleset at random and checks the promises of core.

Offers are tried, answered, undone, interrupted and reloaded. Legal values are drawn from the forms themselves, so a new
ruleset needs no code here.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence

from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule
from msgspec.structs import replace

from tracker.core import engine
from tracker.core.fight.events import (
    BoundaryCrossed,
    Checked,
    EffectAdded,
    EffectChanged,
    EffectEnded,
    Entry,
    Noted,
    Rolled,
    Skipped,
    SlotReached,
)
from tracker.core.fight.fold import fold, fold_all
from tracker.core.fight.state import State
from tracker.core.game.ruleset import Ruleset
from tracker.core.game.schema import codec_of
from tracker.core.run import Answers, Done, Pending, Step, run
from tracker.core.step.ctx import Interruption
from tracker.core.terms.actions import Action, ActionSpec
from tracker.core.terms.encounter import Encounter
from tracker.core.terms.errors import Refusal
from tracker.core.terms.moments import At, OnUse
from tracker.core.terms.requests import Answer, DiceAnswer, Passed, Request, Responded, Window
from tracker.testing import random_play
from tracker.testing.lint import whole
from tracker.testing.random_play import MOST_PEOPLE, RARE
from tracker.testing.table import plain

Deadlines = dict[int, int]
Moment = tuple[State, Deadlines]
MOST_INTERRUPTIONS = 3
NEVER = 10**9
CHANCE = st.randoms(use_true_random=False)
# Their text is parsed when they are performed, so a form cannot check it.
FREE_TEXT = ("house_rule", "add_effect")


Game = tuple[Ruleset, Encounter]


def machine(game: Callable[[], Game], meddling: int = 2) -> type[FightMachine]:
    """Return the machine of one game; `meddling`: the number of interrupted requests out of twelve."""
    return type("Fight", (FightMachine,), {"game": staticmethod(game), "meddling": meddling, "meddled": Counter()})


class FightMachine(RuleBasedStateMachine):
    """A fight under one ruleset."""

    game: Callable[[], Game]
    meddling: int
    meddled: Counter[str]
    ruleset: Ruleset
    encounter: Encounter
    state: State

    @initialize(data=st.data())
    def start(self, data: st.DataObject) -> None:
        """Open the fight."""
        self.ruleset, self.encounter = self.game()
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
        """Do an offer of a combatant."""
        people = [one.id for one in self.state.combatants]
        acting = self.state.clock.current.members if self.state.clock.current else ()
        who = data.draw(st.sampled_from([*people, *acting, *acting, *acting]), "who") if people else None
        self.do_one(engine.offers(self.ruleset, self.state, who), data)

    @rule(data=st.data())
    def rule_the_table(self, data: st.DataObject) -> None:
        """Do an offer of the GM."""
        specs = engine.offers(self.ruleset, self.state, None)
        common = [spec for spec in specs if spec.key not in RARE]
        self.do_one(specs if data.draw(st.integers(0, 5), "rarely") == 0 else common, data)

    def do_one(self, specs: Sequence[ActionSpec], data: st.DataObject) -> None:
        """Do one of these offers, legal or not, forced or not."""
        if not specs:
            return
        legal = [spec for spec in specs if spec.refusal is None]
        mostly = data.draw(st.integers(0, 3), "legal or not")
        spec = data.draw(st.sampled_from(legal if legal and mostly else list(specs)), "action")
        if spec.key == "insert" and len(self.state.combatants) > MOST_PEOPLE:
            return
        filled, fits = self.fill(spec, self.state, data)
        self.name_twice(spec, filled)
        forced = not fits and data.draw(st.booleans(), "forced")
        accepted = self.attempt(Step("do", (filled,), forced=forced), data)
        if fits and not accepted:
            assert (spec.key in FREE_TEXT, self.refusal.reason) == (True, "bad_field"), (
                f"offered, but refused: {filled} ({self.refusal})"
            )
        elif not fits and not forced:
            assert not accepted, f"refused in its form, but accepted: {filled}"

    def name_twice(self, spec: ActionSpec, filled: Action) -> None:
        """Check that an action whose lists repeat every value is the same action."""
        lists = {
            field.name: value * 2
            for field in engine.spec_of(self.ruleset, self.state, filled).fields
            if field.kind in ("combatants", "choices", "area") and not field.repeats
            if isinstance(value := filled.get(field.name), tuple) and value
        }
        if not lists:
            return
        once, twice = (run(self.ruleset, self.state, Step("do", (one,))) for one in (filled, filled.put(**lists)))
        assert once == twice, f"{spec.key}: a name given twice is not as given once: {filled}"

    @precondition(lambda self: len(self.past) > 1)
    @rule()
    def undo(self) -> None:
        """Undo the last step."""
        self.future.append((self.state, self.deadlines))
        self.state, self.deadlines = self.past.pop()

    @precondition(lambda self: self.future)
    @rule()
    def redo(self) -> None:
        """Redo the last undone step."""
        self.past.append((self.state, self.deadlines))
        self.state, self.deadlines = self.future.pop()

    @rule()
    def reload(self) -> None:
        """Store the state and read it back."""
        codec = codec_of(self.ruleset.schema)
        self.state = codec.decode(codec.encode(self.state), State)

    # -- one step ------------------------------------------------------------------------------------------------------

    def attempt(self, step: Step, data: st.DataObject) -> bool:
        """Perform a step until it is done or refused, answer all requests, and return whether it was done."""
        answers: Answers = ()
        while True:
            outcome = run(self.ruleset, self.state, step, answers)
            match outcome:
                case Done():
                    self.keep(step, answers, outcome)
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

    def fill(self, spec: ActionSpec, state: State, data: st.DataObject) -> tuple[Action, bool]:
        """Fill in a form, and return the action and whether the form now accepts it."""
        filled = random_play.filled(data.draw(CHANCE), self.ruleset, state, self.encounter, spec)
        spec = engine.spec_of(self.ruleset, state, filled)
        return filled, whole(spec, dict(filled.fields), state)

    def answer(self, request: Request, state: State, data: st.DataObject) -> Answer:
        """Return a random answer to a request, for dice also only the total."""
        answer = random_play.answer(data.draw(CHANCE), self.ruleset, self.encounter, state, request, most=2)
        if isinstance(answer, DiceAnswer) and request.problem(DiceAnswer(answer.total)) is None:
            return DiceAnswer(answer.total, answer.faces if data.draw(st.booleans(), "faces") else ())
        return answer

    def go_on(self, step: Step, outcome: Pending, data: st.DataObject) -> tuple[Step, Answers]:
        """Answer the request, take back the last answer, interrupt, or store and read back everything."""
        request, answers = outcome.request, outcome.answers
        if isinstance(request, Window) and request.offers:
            self.answer_beforehand(step, outcome, data)
            self.change_late(step, outcome, data)
        what = data.draw(st.integers(0, 13), "what now")
        if what == 13:
            return step, answers[:-1]
        if what == 12:
            codec = codec_of(self.ruleset.schema)
            assert codec.decode(codec.encode(request), type(request)) == request
            return codec.decode(codec.encode(step), Step), codec.decode(codec.encode(answers), Answers)
        if 0 < what <= self.meddling and len(step.interrupts) < MOST_INTERRUPTIONS:
            action = random_play.meddling(
                data.draw(CHANCE), self.ruleset, self.encounter, outcome.state, request, step.actions
            )
            put = Interruption(request.key, action)
            self.meddled[f"{put.action.key} before {request.kind}"] += 1
            return replace(step, interrupts=(*step.interrupts, put)), answers
        return step, (*answers, (request.key, self.answer(request, outcome.state, data)))

    def answer_beforehand(self, step: Step, outcome: Pending, data: st.DataObject) -> None:
        """Check that an answer before its window has the same result as in the window."""
        request, answers = outcome.request, outcome.answers
        offers = request.offers if isinstance(request, Window) else ()
        filled, legal = self.fill(data.draw(st.sampled_from(list(offers)), "beforehand"), outcome.state, data)
        if not legal:
            return
        answered = (*answers, (request.key, Responded((filled,))))
        given = run(self.ruleset, self.state, step, answered, plain)
        put = replace(step, interrupts=(*step.interrupts, Interruption(request.key, filled)))
        inside = (f"{request.key}/", f"{request.key}!{len(put.interrupts)}/", f"{_first_of(request.key)}:")
        if any(item.key.startswith(inside) and item.key != request.key for item in step.interrupts):
            return  # an interruption inside or after an answer that was taken back is used in one of the two only
        before = run(self.ruleset, self.state, put, answers, plain)
        if isinstance(given, Done) and isinstance(before, Done):
            assert given.state == before.state, f"{filled} put before {request.key} is not as given in it"
        else:
            assert type(given) is type(before), f"{filled}: {given} in {request.key}, but {before} before it"

    def change_late(self, step: Step, outcome: Pending, data: st.DataObject) -> None:
        """Check that a number changed in an open window has the same effect as one changed before it."""
        window, rolled = outcome.request, _just_rolled(outcome)
        people = [
            who for who in (getattr(window, "actor", None), getattr(window, "target", None)) if who in outcome.state
        ]
        if not rolled or not people or not self.ruleset.schema.derived:
            return
        who, stat = data.draw(st.sampled_from(people), "late"), data.draw(st.sampled_from(self.ruleset.schema.derived))
        rows = ((("stat", stat), ("amount", data.draw(st.sampled_from((-20, 20))))),)
        changed = Action("add_effect", None, (("modifiers", rows), ("name", "by hand"), ("targets", (who,))))
        done = [
            run(
                self.ruleset,
                self.state,
                replace(step, interrupts=(*step.interrupts, Interruption(key, changed))),
                outcome.answers,
                plain,
            )
            for key in (rolled, window.key)
        ]
        early, late = (
            [(one.id, one.pools, one.status) for one in each.state.combatants] if isinstance(each, Done) else ()
            for each in done
        )
        assert not early or not late or early == late, f"{stat} of {who}, changed in {window.key}, does not count"

    def keep(self, step: Step, answers: Answers, done: Done) -> None:
        """Check the result of a step, and add it to the history."""
        codec = codec_of(self.ruleset.schema)
        assert fold_all(self.state, done.entries) == done.state, "the events do not make the state"
        assert run(self.ruleset, self.state, step, answers) == done, "done again, it gives another result"
        lapsed = {key for key, _ in answers} - {key for key, _ in done.answers}
        if lapsed:  # answers that the step did not use are not stored with it
            again = replace(done, unused=tuple(key for key in done.unused if key not in lapsed))
            assert run(self.ruleset, self.state, step, done.answers) == again, "as kept, it gives another result"
        assert codec.decode(codec.encode(done.entries), tuple[Entry, ...]) == done.entries
        assert codec.decode(codec.encode(done.answers), Answers) == done.answers
        assert codec.decode(codec.encode(step), Step) == step
        self.past.append((self.state, self.deadlines))
        self.future.clear()
        self.deadlines = self.check_edges(done.entries)
        self.state = done.state

    # -- promises ------------------------------------------------------------------------------------------------------

    def check_edges(self, entries: tuple[Entry, ...]) -> Deadlines:
        """Check the clock event by event, and return the last possible round of each effect.

        No slot begins twice, no edge is crossed twice in a round or left out, and no effect lasts too long.
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
                    assert {one.id for one in state.combatants} <= set(state.clock.acted), "a combatant had no turn"
                    left = [slot.id for slot in state.clock.upcoming if slot.stage == "round"]
                    assert not left, f"the round ends before {left}"
                    late = [effect for effect in state.all_effects if deadlines.get(effect.id, edge.round) < edge.round]
                    assert not late, "an effect does not end"
            elif isinstance(event, SlotReached):
                assert event.now is None or event.now not in state.clock.begun, "a slot begins twice"
            elif isinstance(event, EffectEnded):
                assert event.reason or entry.rules, "an effect ends without a reason or a rule"
            elif isinstance(event, EffectAdded | EffectChanged):
                effect = event.effect if isinstance(event, EffectAdded) else event.now
                deadlines[effect.id] = min(
                    (state.clock.round + end.count + 1 for end in effect.until if certain(end)), default=NEVER
                )
            state = fold(state, event)
        return deadlines

    @invariant()
    def holds(self) -> None:
        """Check what is true of every state between two steps."""
        if not hasattr(self, "state"):
            return
        state = self.state
        assert state.due == (), "something is still waiting to be ended"
        for effect in state.all_effects:
            assert not effect.due, f"{effect} has ended and still holds"
            assert all(not isinstance(end, At) or ":" in end.anchor or end.anchor == "any" for end in effect.until), (
                "an anchor is not resolved"
            )
        spent = [one.name for one in state.combatants if any(left < 0 for _, left in one.budget)]
        assert not spent, f"{spent} has less than nothing left"
        assert [label for label, times in Counter(state.labels).items() if times > 1] == []
        assert state.clock.acting is None or state.clock.acting in state
        assert state.clock.at is None or state.clock.current is not None
        assert all(member in state for slot in state.clock.slots for member in slot.members), (
            "a slot holds a combatant who is gone"
        )
        plain_state = replace(state)
        assert (state.places, state.known) == (plain_state.places, plain_state.known)
        assert (state.waiting, state.children) == (plain_state.waiting, plain_state.children)


def certain(end: At | OnUse) -> bool:
    """Tell whether an end is reached in every round, with any schedule."""
    return (
        isinstance(end, At)
        and end.phase is None
        and end.segment is None
        and end.edge.partition("_")[0] in ("turn", "phase", "round")
    )


def _first_of(key: str) -> str:
    head, _, number = key.rpartition(":")
    return head if number.isdigit() else key


def _just_rolled(outcome: Pending) -> str:
    """Return the key of the roll before a window, "" if the roll has taken effect already."""
    action = outcome.request.key.rpartition("/")[0]
    for entry in reversed(outcome.entries):
        if isinstance(entry.event, Rolled):
            return entry.event.key if entry.event.key.rpartition("/")[0] == action else ""
        if not isinstance(entry.event, Checked | Noted | Skipped):
            return ""
    return ""
