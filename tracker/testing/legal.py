"""Legal values drawn by Hypothesis: whatever a form or a request takes."""

from __future__ import annotations

from collections.abc import Sequence

from hypothesis import strategies as st
from msgspec.structs import replace

from tracker.core import engine
from tracker.core.fight.state import State
from tracker.core.game import durations
from tracker.core.game.ruleset import Ruleset
from tracker.core.terms.actions import Action, ActionSpec, Field
from tracker.core.terms.encounter import Encounter, Member
from tracker.core.terms.errors import RulesBug
from tracker.core.terms.requests import Answer, Request, Responded, Thrown, Window
from tracker.core.terms.values import Value
from tracker.testing.forms import open_options, whole

__all__ = ["Hand", "concerned"]

MOST_FIELDS, MOST_PEOPLE = 20, 14
# What a GM may do in the middle of a step; what changes who is where more often than what only tells.
MEDDLING = (
    *("remove", "status", "place", "side", "damage", "add_effect") * 2,
    *("insert", "heal", "end_effect", "set", "note", "roll"),
)
SQUARES = st.tuples(st.integers(0, 9), st.integers(0, 9))


class Hand:
    """A player who fills in forms and answers requests with drawn values."""

    def __init__(self, ruleset: Ruleset, encounter: Encounter, data: st.DataObject) -> None:
        self.ruleset, self.encounter, self.data = ruleset, encounter, data

    def fill(self, spec: ActionSpec, state: State) -> tuple[Action, bool]:
        """Fill in a form, and return the action and whether the form now accepts it."""
        filled, decided = Action(spec.key, spec.by), set[str]()
        for _ in range(MOST_FIELDS):
            spec = engine.spec_of(self.ruleset, state, filled)
            field = next((field for field in spec.fields if field.name not in decided), None)
            if field is None:
                break
            decided.add(field.name)
            if field.default is not None and self.data.draw(st.integers(0, 2), f"{field.name} as it is"):
                continue
            value = self.value(field, state)
            if value is not None:
                filled = filled.put(**{field.name: value})
        spec = engine.spec_of(self.ruleset, state, filled)
        return filled, whole(spec, dict(filled.fields), state)

    def meddling(self, request: Request, under_way: Sequence[Action], state: State) -> Action:
        """Return what the GM or a combatant who can answer does before a request.

        Mostly to those whom the request or the step is about.
        """
        offered = request.offers if isinstance(request, Window) else ()
        if offered and self.data.draw(st.integers(0, 3), "an answer") == 0:
            return self.fill(self.data.draw(st.sampled_from(list(offered)), "answer"), state)[0]
        keys = [key for key in MEDDLING if key != "insert" or len(state.combatants) < MOST_PEOPLE]
        spec = engine.spec_of(self.ruleset, state, Action(self.data.draw(st.sampled_from(keys), "meddling")))
        filled, people = self.fill(spec, state)[0], concerned(request, under_way, state)
        who = next((field for field in spec.fields if field.kind in ("combatant", "combatants")), None)
        if who is None or not people or not self.data.draw(st.integers(0, 3), "whom it is about"):
            return filled
        chosen = self.data.draw(st.sampled_from(people), "concerned")
        return filled.put(**{who.name: chosen if who.kind == "combatant" else (chosen,)})

    def value(self, field: Field, state: State) -> Value:
        """Return any value a field takes, or None where there is none."""
        match field.kind:
            case "combatant" | "choice":
                pool = self._pool(field, state)
                return self.data.draw(st.sampled_from(pool), field.name) if pool else None
            case "combatants" | "choices":
                return self._several(field, state)
            case "number":
                low = field.minimum if field.minimum is not None else -3
                high = field.maximum if field.maximum is not None else low + 12
                return self.data.draw(st.integers(low, max(low, high)), field.name)
            case "dice":
                return self.data.draw(st.sampled_from(("1d6", "2d4+1", "d20")), field.name)
            case "text":
                return self.data.draw(st.sampled_from(self._words(field)), field.name)
            case "flag":
                return self.data.draw(st.booleans(), field.name)
            case "square":
                return self._square(field)
            case "path" | "area":
                return tuple(self.data.draw(st.lists(SQUARES, max_size=3), field.name))
            case "members":
                return self._newcomers()
            case "rows":
                return self._rows(field, state)

    def answer(self, request: Request, state: State) -> Answer:
        """Return any answer a request takes."""
        if isinstance(request, Window) and request.offers and not self.data.draw(st.booleans(), "passed"):
            offers = self.data.draw(st.lists(st.sampled_from(list(request.offers)), min_size=1, max_size=2), "response")
            actions = tuple(self.fill(spec, state)[0] for spec in offers)
            return Responded(actions, self.data.draw(st.booleans(), "together"))
        answer = request.sample(lambda least, most: self.data.draw(st.integers(least, most), request.key))
        if answer is None:
            raise RulesBug(f"the request {request.key} {request.flaw}")
        if isinstance(answer, Thrown) and request.problem(Thrown(answer.total)) is None:
            return Thrown(answer.total, answer.faces if self.data.draw(st.booleans(), "faces") else ())
        return answer

    def _pool(self, field: Field, state: State) -> list[str]:
        """Return what a field of people or options may hold."""
        return [one.id for one in state.combatants] if field.takes_all else open_options(field.options)

    def _several(self, field: Field, state: State) -> Value:
        pool = self._pool(field, state)
        least = max(field.minimum or 0, int(field.required))
        if len(pool) < least or not pool:
            return None
        return self._some(pool, least, field.maximum if field.maximum is not None else 4, field.name)

    def _some(self, pool: list[str], least: int, most: int, name: str) -> tuple[str, ...]:
        most = min(len(pool), most)
        lists = st.lists(st.sampled_from(pool), min_size=min(least, most), max_size=most, unique=True)
        return tuple(self.data.draw(lists if pool else st.just([]), name))

    def _square(self, field: Field) -> Value:
        legal = open_options(field.options)
        if not legal:
            return self.data.draw(SQUARES, field.name)
        return tuple(int(part) for part in self.data.draw(st.sampled_from(legal), field.name).split(","))

    def _rows(self, field: Field, state: State) -> Value:
        least = max(field.minimum or 0, int(field.required))
        most = min(field.maximum if field.maximum is not None else 2, 3)
        rows = range(self.data.draw(st.integers(least, max(least, most)), field.name))
        cells = [[(column.name, self.value(column, state)) for column in field.columns] for _ in rows]
        return tuple(tuple((name, cell) for name, cell in row if cell is not None) for row in cells)

    def _words(self, field: Field) -> list[str]:
        if field.name == "until":
            return ["", *(moment.words.replace("{n}", "2") for moment in self.ruleset.moments or durations.MOMENTS)]
        return ["goblins", "x"] if field.name == "name" else ["goblins", "x", "2"]

    def _newcomers(self) -> tuple[Member, ...]:
        members = [member for side in self.encounter.sides for member in side.members]
        return (replace(self.data.draw(st.sampled_from(members), "newcomer"), id=""),)


def concerned(request: Request, under_way: Sequence[Action], state: State) -> list[str]:
    """Return the combatants that a request and the actions under way are about."""
    named = [request.who]
    if isinstance(request, Window):
        named += [request.actor, request.target]
    named += [option.key for option in request.options]
    named += request.key.replace("/", ":").split(":")
    for action in under_way:
        named.append(action.by)
        for _, value in action.fields:
            named += [str(part) for part in (value if isinstance(value, tuple) else (value,))]
    return [who for who in dict.fromkeys(named) if who is not None and who in state]
