"""Random play: actions, answers and intents that fit the state of any fight.

The same random numbers in the same fight give the same play. Forms are filled from their own options, so a new ruleset
needs no code here.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from msgspec.structs import replace

from tracker.core import engine
from tracker.core.fight.state import State
from tracker.core.game.ruleset import Ruleset
from tracker.core.terms.actions import Action, ActionSpec, Field
from tracker.core.terms.encounter import Encounter
from tracker.core.terms.errors import RulesBug
from tracker.core.terms.requests import Answer, DiceAnswer, Request, Responded, Window
from tracker.core.terms.requests.kind import open_keys
from tracker.core.terms.values import Value
from tracker.session.intents import Advance, Amend, Branch, Do, Intent, Interrupt, Redo, Reply, RollRest, Undo, WhatIf
from tracker.session.model import Model

MOST_PEOPLE = 14
RARE = ("end_fight", "remove", "insert", "wave", "next")
MEDDLING = ("damage", "heal", "status", "note", "roll", "add_effect")
# The GM's commands in the middle of a step. Commands that change the combatants' presence and places are more frequent.
INTERRUPTING = (
    *("remove", "status", "place", "side", "damage", "add_effect") * 2,
    *("insert", "heal", "end_effect", "set", "note", "roll"),
)


def intent_of(chance: Random, ruleset: Ruleset, encounter: Encounter, model: Model) -> Intent:
    """Return a random intent for a fight: mostly an answer or an action, sometimes undo, redo or a branch."""
    state, pending = model.state, model.pending
    if chance.random() < 0.12:
        return chance.choice((Undo(), Undo(), Redo(), Branch(chance.choice(model.steps).seq if model.steps else 1)))
    if chance.random() < 0.03:
        return chance.choice((WhatIf("begin"), WhatIf("begin"), WhatIf("drop"), WhatIf("keep")))
    if pending is not None:
        dice = chance.random()
        if dice < 0.08:
            return RollRest()
        if dice < 0.12:
            specs = [spec for spec in engine.offers(ruleset, state, None) if spec.key in MEDDLING]
            return Interrupt(filled(chance, ruleset, state, encounter, chance.choice(specs)))
        return Reply(answer(chance, ruleset, encounter, state, pending.request))
    amendable = [
        (record.seq, key, given)
        for record in model.steps[-6:]
        for key, given in record.answers
        if isinstance(given, DiceAnswer) and given.faces
    ]
    if amendable and chance.random() < 0.08:
        seq, key, given = chance.choice(amendable)
        faces = tuple(min(face, chance.randint(1, max(face, 4))) for face in given.faces)
        return Amend(
            seq,
            ((key, DiceAnswer(given.total - sum(given.faces) + sum(faces), faces)),),
            chance.choice(("keep", "drop")),
        )
    if chance.random() < 0.35:
        return Advance()
    who = None
    if chance.random() < 0.8 and state.combatants:
        clock = state.clock
        acting = clock.current.members if clock.current is not None else ()
        who = chance.choice([*acting, *acting, *acting, *(one.id for one in state.combatants)])
    specs = [spec for spec in engine.offers(ruleset, state, who) if spec.key not in RARE or chance.random() < 0.1]
    specs = [spec for spec in specs if spec.key != "insert" or len(state.combatants) < MOST_PEOPLE]
    if not specs:
        return Advance()
    return Do((filled(chance, ruleset, state, encounter, chance.choice(specs)),), forced=chance.random() < 0.2)


def filled(chance: Random, ruleset: Ruleset, state: State, encounter: Encounter, spec: ActionSpec) -> Action:
    """Return a form filled in with its defaults or its options."""
    action, decided = Action(spec.key, spec.by), set[str]()
    for _ in range(20):
        spec = engine.spec_of(ruleset, state, action)
        field = next((field for field in spec.fields if field.name not in decided), None)
        if field is None:
            break
        decided.add(field.name)
        if field.default is not None and chance.random() < 0.5:
            continue
        chosen = value(chance, field, state, encounter)
        if chosen is not None:
            action = action.put(**{field.name: chosen})
    return action


def value(chance: Random, field: Field, state: State, encounter: Encounter) -> Value:
    """Return a random value for a field, or None if there is none."""
    legal = open_keys(field.options)
    people = [one.id for one in state.combatants]
    match field.kind:
        case "combatant" | "choice":
            pool = people if field.takes_all else legal
            return chance.choice(pool) if pool else None
        case "combatants" | "choices":
            pool = people if field.takes_all else legal
            least = max(field.minimum or 0, int(field.required))
            if len(pool) < least or not pool:
                return None
            return tuple(chance.sample(pool, chance.randint(least, max(least, min(len(pool), field.maximum or 3)))))
        case "number":
            low = field.minimum if field.minimum is not None else -3
            return chance.randint(low, max(low, field.maximum if field.maximum is not None else low + 12))
        case "dice":
            return chance.choice(("1d6", "2d4+1"))
        case "text":
            # No second combatant may be called "end of round", which is also a moment.
            return chance.choice(("smoke", "2", "fog" if field.name == "name" else "end of round", ""))
        case "flag":
            return chance.random() < 0.5
        case "square":
            return tuple(int(part) for part in chance.choice(legal).split(",")) if legal else _square(chance)
        case "path" | "area":
            return tuple(_square(chance) for _ in range(chance.randint(0, 3)))
        case "members":
            return (replace(chance.choice([member for side in encounter.sides for member in side.members]), id=""),)
        case "rows":
            least = max(field.minimum or 0, int(field.required))
            rows = range(chance.randint(least, max(least, 2)))
            cells = [[(column.name, value(chance, column, state, encounter)) for column in field.columns] for _ in rows]
            return tuple(tuple((name, cell) for name, cell in row if cell is not None) for row in cells)


def _square(chance: Random) -> tuple[int, int]:
    return chance.randint(0, 9), chance.randint(0, 9)


def answer(
    chance: Random, ruleset: Ruleset, encounter: Encounter, state: State, request: Request, most: int = 1
) -> Answer:
    """Return a random answer to a request, with at most `most` actions in a window."""
    if isinstance(request, Window) and request.offers and chance.random() >= 0.5:
        specs = [chance.choice(request.offers) for _ in range(1 if most == 1 else chance.randint(1, most))]
        actions = tuple(filled(chance, ruleset, state, encounter, spec) for spec in specs)
        return Responded(actions, most > 1 and chance.random() < 0.5)
    answer = request.sample(chance.randint)
    if answer is None:
        raise RulesBug(f"the request {request.key} {request.defect}")
    return answer


def meddling(
    chance: Random,
    ruleset: Ruleset,
    encounter: Encounter,
    state: State,
    request: Request,
    under_way: Sequence[Action],
) -> Action:
    """Return a random action before a request: an answer, or a GM command, mostly on the combatants concerned."""
    offered = request.offers if isinstance(request, Window) else ()
    if offered and chance.randint(0, 3) == 0:
        return filled(chance, ruleset, state, encounter, chance.choice(offered))
    keys = [key for key in INTERRUPTING if key != "insert" or len(state.combatants) < MOST_PEOPLE]
    spec = engine.spec_of(ruleset, state, Action(chance.choice(keys)))
    action, people = filled(chance, ruleset, state, encounter, spec), concerned(request, under_way, state)
    who = next((field for field in spec.fields if field.of_people), None)
    if who is None or not people or not chance.randint(0, 3):
        return action
    chosen = chance.choice(people)
    return action.put(**{who.name: chosen if who.kind == "combatant" else (chosen,)})


def concerned(request: Request, under_way: Sequence[Action], state: State) -> list[str]:
    """Return the combatants that a request and the current actions concern."""
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
