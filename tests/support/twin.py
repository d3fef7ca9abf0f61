"""The same fight once more, with a hidden combatant in it from the start.

Both are played with the same intents and the same dice. Players must read the same after every step.
"""

from __future__ import annotations

from collections.abc import Container, Mapping

from msgspec import UNSET
from msgspec.structs import replace

from tests.support.lurking import LURKER, SECRET
from tracker.core.engine import offers
from tracker.core.fight.events import ActionTaken
from tracker.core.fight.state import State
from tracker.core.game.ruleset import Ruleset
from tracker.core.run import Answers, Done, Outcome, Step, run
from tracker.core.terms.actions import Action
from tracker.core.terms.dice import Dice
from tracker.core.terms.effects import Effect
from tracker.core.terms.encounter import Encounter, SideSetup
from tracker.core.terms.errors import Refusal
from tracker.core.terms.moments import At
from tracker.core.terms.requests import Answer, Choice, Pick, PickAnswer, Request, Responded, Roll
from tracker.core.visibility.knowledge import is_hidden
from tracker.testing.table import plain
from tracker.views.public.build import ask_of, public_view
from tracker.views.public.event_words import event_words
from tracker.views.public.schema import Public, PublicSlot

__all__ = ["Twin", "with_lurker"]

MOST_PASSED = 6
"""How many steps the lurker's turns may take until the others go on."""
SIDE = "watchers-in-the-dark"
GROUND = ("to", "path")
"""Fields that hold squares: one that the lurker fills is not on offer."""
LUCKS = 12
"""How many dice of the lurker's are tried where it ties with another combatant."""
SALT = "twin"


def with_lurker(encounter: Encounter, own_side: bool = False) -> Encounter:
    """Return an encounter with one more of the GM's combatants, who is hidden."""
    for place, side in enumerate(encounter.sides):
        if side.control == "gm" and side.members:
            lurker = replace(
                side.members[-1], name=SECRET, id=LURKER, count=Dice(plus=1), hidden=True, public=UNSET, data=None
            )
            if own_side:
                return replace(encounter, sides=(*encounter.sides, SideSetup(SIDE, SIDE, "gm", (lurker,))))
            joined = replace(side, members=(*side.members, lurker))
            return replace(encounter, sides=(*encounter.sides[:place], joined, *encounter.sides[place + 1 :]))
    return encounter


class Twin:
    """A fight with a hidden combatant, beside the same without.

    `parted`: the fight without it is over, and this one goes on, since the lurker still stands.
    """

    def __init__(self, ruleset: Ruleset, own_side: bool = False) -> None:
        self.ruleset, self.own_side, self.state, self.parted = ruleset, own_side, State(), ""
        self.tied = self.early = False
        self.heard: set[str] = set()

    def follow(self, before: State, step: Step, done: Done) -> list[str]:
        """Take a step of the other fight, and return what players would notice."""
        if not done.state.combatants:
            self.parted = "only it is left"
            return []
        self.between: list[Public] = []
        self.retold: list[str] = []
        asked, wanted, lines = list[str](), list[str](), list[str]()
        self._run(before, step, done.answers, wanted)
        self.heard = set()
        own, answers = self._same(step, done)
        for _ in range(MOST_PASSED):
            outcome = self._untied(own, answers, asked)
            if outcome is None:
                self.parted = "tied"
                return []
            if self.early:
                self.parted = "asked at an edge of its own"
                return []
            if isinstance(outcome, Refusal) and _in_its_way(outcome):
                self.parted = "in the way"
                return []
            leads = isinstance(outcome, Done) and self._leads(done.state, outcome.state)
            if leads or any("morale:" in key and key not in self.heard for key, _ in done.answers):
                self.parted = "its initiative makes its side lead" if leads else "it counts among its group"
                return []
            if isinstance(outcome, Done) and own.interrupts and set(outcome.unused) - set(done.unused):
                self.parted = "asked otherwise"
                return []
            if not isinstance(outcome, Done):
                return [f"not done: {outcome}"]
            self.state, self.last = outcome.state, outcome
            lines += self._told(outcome)
            self.retold += self._retold(outcome)
            idle = _idle(self.ruleset, self.state)
            if idle is None and _where(self.state) == _where(done.state):
                break
            if done.state.clock.over and not self.state.clock.over:
                self.parted = "goes on"
                return []
            self.between.append(public_view(self.ruleset, self.state, SALT))
            own = idle or (own if step.kind == "advance" else Step("advance"))
        if self.between and done.state.clock.round > before.clock.round + 1:
            self.parted = "nobody else can act"
            return []
        if _other_plans(done.state, self.state):
            self.parted = "plans"
            return []
        if _counted(done.state, self.state) or _beside(before, done.state, self.state):
            self.parted = "its side's turn, or its square"
            return []
        told = self._told(done)
        found = [] if asked == wanted else [f"asked: {wanted} {asked}"]
        found += self.retold
        found += [] if tuple(dict.fromkeys(lines)) == tuple(dict.fromkeys(told)) else [f"told: {told} {lines}"]
        was, wanted_view, seen = (public_view(self.ruleset, one, SALT) for one in (before, done.state, self.state))
        moments = [_moment(was), _moment(wanted_view)]
        found += [f"between: {_moment(view)} {moments}" for view in self.between if _moment(view) not in moments]
        found += [f"named: {word}" for word in (SECRET, LURKER, SIDE) if word in str((*self.between, seen))]
        return found + differences(wanted_view, seen)

    def _leads(self, state: State, twin: State) -> bool:
        """Tell whether initiative has been rolled for whole sides, and another one leads by the lurker's."""
        led, leads = ([slot.members[:1] for slot in one.clock.slots if slot.turns == "opened"] for one in (state, twin))
        return led != leads and any(key.startswith("initiative:") for key in self.heard)

    def _same(self, step: Step, done: Done) -> tuple[Step, Answers]:
        """Return a step and its answers as meant, no default of theirs the lurker."""
        taken = [entry.event.action for entry in done.entries if isinstance(entry.event, ActionTaken)]

        def meant(action: Action) -> Action:
            filled = next((one for one in taken if _holds(one, action)), None)
            if filled is None:
                return action
            taken.remove(filled)
            return action.put(**{key: value for key, value in filled.fields if value is not None})

        encounter = None if step.encounter is None else with_lurker(step.encounter, self.own_side)
        own = replace(
            step,
            encounter=encounter,
            actions=tuple(map(meant, step.actions)),
            interrupts=tuple([replace(one, action=meant(one.action)) for one in step.interrupts]),
        )
        answers = [
            (key, replace(one, actions=tuple(map(meant, one.actions))) if isinstance(one, Responded) else one)
            for key, one in done.answers
        ]
        return own, tuple(answers)

    def _told(self, done: Done) -> tuple[str, ...]:
        return event_words(self.ruleset, done.state, done.entries)

    def _retold(self, done: Done) -> list[str]:
        """Return what players would read of a step anew, or no longer, if the lurker were revealed behind it."""
        if not is_hidden(done.state, LURKER) or LURKER not in done.state:
            return []
        shown = run(self.ruleset, done.state, Step("do", (Action("reveal").put(targets=(LURKER,)),)), (), plain)
        if not isinstance(shown, Done):
            return [f"not revealed: {shown}"]
        told, later = (event_words(self.ruleset, done.state, done.entries, now) for now in (None, shown.state))
        return [] if told == later else [f"retold: {told} {later}"]

    def _untied(self, step: Step, answers: Answers, asked: list[str]) -> Outcome | None:
        """Perform a step with dice of the lurker that leave the others' order alone.

        None: with each of them it ties with another one.
        """
        for luck in range(LUCKS):
            heard, self.tied, self.early = list[str](), False, False
            outcome = self._run(self.state, step, answers, heard, luck)
            if not self.tied:
                asked += heard
                return outcome
        return None

    def _run(self, state: State, step: Step, answers: Answers, asked: list[str], luck: int = 0) -> Outcome:
        """Perform a step with these answers, and note which dice players are asked for."""
        known = dict(answers)
        sides = state.sides if step.encounter is None else step.encounter.sides
        model = next((side.id for side in sides if side.control == "gm"), "")

        def answer(request: Request) -> Answer | None:
            ask = ask_of(self.ruleset, state, request, "", SALT)
            self.heard.add(request.key)
            if ask is not None:
                asked.append(f"{ask.who} {ask.dice} {ask.what}")
            # What the others owe is asked at the first edge that comes, be it the end of the lurker's own phase.
            self.early |= f"/{SIDE}/" in request.key.partition("@")[2]
            if isinstance(request, Roll) and (request.who == LURKER or SIDE in request.key):
                return request.sample(lambda least, most: max(least, most - luck))
            if isinstance(request, Choice) and any(LURKER in one.key or SIDE in one.key for one in request.options):
                self.tied = True
            given = _picked(request, known, model) or known.get(request.key)
            return given or _alike(request, known, model) or plain(request)

        return run(self.ruleset, state, step, (), answer)


def differences(wanted: Public, seen: Public) -> list[str]:
    """Return the fields in which two views differ."""
    return [
        f"{name}: {getattr(wanted, name)!r} {getattr(seen, name)!r}"
        for name in Public.__struct_fields__
        if getattr(wanted, name) != getattr(seen, name)
    ]


def _moment(view: Public) -> tuple[int, PublicSlot | None]:
    """Return the round and whose turn it is, as players read it.

    Who delays gets another slot, which looks like the one before.
    """
    return view.round, None if view.now is None else replace(view.order[view.now], id="")


def _alike(request: Request, known: Mapping[str, Answer], model: str) -> Answer | None:
    """Return the answer to the same question about the lurker's model, or under another number."""
    key = request.key.replace(SIDE, model)
    found = known.get(key) or next((known[one] for one in known if _bare(one) == _bare(key)), None)
    return found if found is not None and request.problem(found) is None else None


def _picked(request: Request, known: Mapping[str, Answer], model: str) -> Answer | None:
    """Return picked sides with the lurker's own, where that of its model is picked: both are surprised, or neither."""
    given = known.get(request.key)
    if not isinstance(given, PickAnswer) or model not in given.options or not isinstance(request, Pick):
        return None
    return PickAnswer((*given.options, SIDE)) if any(option.key == SIDE for option in request.options) else None


def _bare(key: str) -> str:
    head, _, number = key.rpartition(":")
    return head if number.isdigit() else key


def _idle(ruleset: Ruleset, state: State) -> Step | None:
    """Return what the lurker declares where it has to: nothing at all."""
    if LURKER not in state:
        return None
    for spec in offers(ruleset, state, LURKER):
        if spec.key == "declare" and spec.refusal is None:
            main = next((field for field in spec.fields if field.name == "main"), None)
            if main is not None and any(option.key == "nothing" for option in main.options):
                names = {field.name for field in spec.fields}
                said = {"main": "nothing", "movement": "none"}
                action = Action("declare", LURKER, tuple([(key, said[key]) for key in sorted(said) if key in names]))
                return Step("do", (action,))
    return None


def _other_plans(state: State, twin: State) -> bool:
    """Tell whether one who is in both has declared differently. Newcomers aim by how many there are."""
    both = [(one, other) for one in state.combatants if (other := twin.get(one.id)) is not None]
    return any(one.fact("declaration") != other.fact("declaration") for one, other in both)


def _counted(state: State, twin: State) -> bool:
    """Tell whether a side's turn has counted for an effect in one only.

    It comes with the first of the side to act, who may be the lurker.
    """
    sides = {side.id for side in state.sides}
    return any(
        (held is None or held.until != effect.until) and _of_a_side(effect, sides)
        for one in state.combatants
        for effect in one.effects
        for held in (twin.effect(one.id, effect.id),)
    )


def _in_its_way(refusal: Refusal) -> bool:
    """Tell whether a step is refused for the lurker: for its square, or since its nearness asks for other dice."""
    return SECRET in refusal.text or refusal.field in GROUND or refusal.reason == "bad_answer"


def _beside(before: State, state: State, twin: State) -> bool:
    """Tell whether a newcomer stands elsewhere, since the lurker fills its square."""
    return any(
        one.id not in before and (other := twin.get(one.id)) is not None and other.position != one.position
        for one in state.combatants
    )


def _of_a_side(effect: Effect, sides: Container[str]) -> bool:
    """Tell whether an effect waits for turns of a side."""
    return any(
        isinstance(end, At)
        and end.edge in ("turn_start", "turn_end")
        and (end.anchor.startswith("side:") or (end.anchor == "source" and effect.source in sides))
        for end in effect.until
    )


def _holds(filled: Action, action: Action) -> bool:
    """Tell whether an action is this one with its form filled in."""
    said = all(filled.get(key) == value for key, value in action.fields if value is not None)
    return said and (filled.key, filled.by) == (action.key, action.by)


def _where(state: State) -> tuple[object, ...]:
    clock = state.clock
    return clock.round, clock.in_round, clock.at, clock.acting, clock.over
