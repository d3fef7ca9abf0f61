"""JSON Schema of scripts, for editors."""

from __future__ import annotations

from tracker.library.schemas.files import DRAFT
from tracker.library.schemas.structs import MOMENT, Json, block
from tracker.script.reader import ANSWERED, BARE, EXPECTED, UNTIL

_WORD: Json = {"type": ["string", "integer"]}
_STEP: Json = {"type": "integer", "description": "the number of a step; the start is 1"}
_BY: Json = {**_WORD, "description": "who acts: an id, a name or a label; without it the GM"}
_ACT: Json = {"$ref": "#/definitions/action"}
_ANSWERS: Json = {"$ref": "#/definitions/answers"}
_GROUP: Json = {"type": "array", "items": _ACT, "minItems": 1, "description": "several actions as one step"}
_UNTIL = {
    "round": "the number of the round",
    "seconds": "seconds of game time since the start",
    "slot": "the slot that is open",
    "phase": "the phase",
    "side": "the side whose turn it is",
    "segment": "the segment",
    "acting": "those whose turn it is",
    "acted": "those who have had their turn",
}
_EXPECT: dict[str, Json] = {
    "ruleset": {"type": "string", "description": "the key of the game"},
    "clock": {"type": "object", "description": "the clock, as the last line of a run prints it"},
    "sides": {"description": "the sides, as the last line of a run prints them"},
    "combatants": {"type": "object", "description": "combatants by name, each with what is expected of it"},
    "effects": {"description": "effects that are among those there are; `[]`: there is none"},
    "order": {"description": "the order, as the last line of a run prints it"},
    "calendar": {"description": "what is to end or to come"},
    "facts": {"type": "object", "description": "what the game keeps, by combatant"},
    "pending": {"type": ["object", "null"], "description": "the request that waits; null: none does"},
    "log": {"type": ["string", "array"], "description": "parts of lines the entry before has written"},
    "no_log": {"type": ["string", "array"], "description": "parts of no line the entry before has written"},
}


def script_schema() -> Json:
    """Return the schema of a script, which is the same for every game."""
    kinds = _kinds()
    others = {key: held for key, held in kinds.items() if key != "do"}
    beside: Json = {
        "pending": {"type": "boolean", "description": "the step stays at the first request without an answer"},
        "answers": _ANSWERS,
    }
    one: Json = {"anyOf": [{"required": [key]} for key in others]}
    entry: Json = {
        "if": {"required": ["do"]},
        "then": _action({"pending": beside["pending"]}),
        "else": {
            **block({**others, **beside}),
            **one,
            "dependencies": {"answers": {"anyOf": [{"required": [key]} for key in ANSWERED]}},
        },
    }
    definitions: Json = {"action": _action({}), "answers": _answers(), "answer": _answer(), "entry": entry}
    return {
        "$schema": DRAFT,
        "title": "Script of a fight",
        "type": "array",
        "items": {"if": {"type": "string"}, "then": {"enum": list(BARE)}, "else": {"$ref": "#/definitions/entry"}},
        "definitions": definitions,
    }


def _kinds() -> dict[str, Json]:
    """Return the entries by their word, each with what stands behind it."""
    nothing: Json = {"type": "null"}
    answers = block({"answers": _ANSWERS})
    named = block({"name": {**_WORD, "description": "the branch's name"}, "step": _STEP}, ["name"])
    amend = {
        "step": _STEP,
        "key": {**_WORD, "description": "the request's key"},
        "answer": {"allOf": [{"$ref": "#/definitions/answer"}], "description": "the new answer"},
        "refused": {"enum": ["keep", "drop"], "description": "what becomes of later steps the rules then forbid"},
        "answers": _ANSWERS,
    }
    override = {
        "key": {**_WORD, "description": "what is overruled"},
        "value": {"description": "its new value"},
        "step": _STEP,
        "answers": _ANSWERS,
    }
    return {
        "start": {"anyOf": [nothing, answers], "description": "opens the fight, with the dice of the set-up"},
        "do": {**_WORD, "description": "an action by its key, with its fields beside it"},
        "group": _GROUP,
        "advance": {
            "anyOf": [nothing, block({"until": _until(), "answers": _ANSWERS})],
            "description": "what `n` does in the app, until the clock shows something if it says so",
        },
        "answer": {"allOf": [{"$ref": "#/definitions/answer"}], "description": "answers the request that is pending"},
        "interrupt": {"allOf": [_ACT], "description": "an action before the pending request"},
        "override": {**block(override, ["key", "value"]), "description": "overrules what a step computes"},
        "undo": {"type": "null", "description": "takes back the last step"},
        "redo": {"type": "null", "description": "does it again"},
        "amend": {**block(amend, ["step", "key", "answer"]), "description": "changes an answer of an earlier step"},
        "branch": {"anyOf": [_WORD, named], "description": "goes on from an earlier step, or names a branch"},
        "what_if": {"enum": ["begin", "drop", "keep"], "description": "tries what follows, drops or keeps it"},
        "force": {
            "anyOf": [
                {**_ACT},
                block({"group": _GROUP, "answers": _ANSWERS}, ["group"]),
            ],
            "description": "does what a rule forbids",
        },
        "refused": {
            "anyOf": [{"enum": ["advance", "start"]}, {"type": "object"}],
            "description": "what must be refused, by the rule it names in `rule`",
        },
        "expect": {**block({key: _EXPECT[key] for key in EXPECTED}), "description": "compares what is seen"},
    }


def _action(more: Json) -> Json:
    properties: Json = {
        "do": {**_WORD, "description": "the key of an action; `tracker actions` lists them with their fields"},
        "by": {"anyOf": [_BY, {"type": "null"}], "description": _BY["description"]},
        "answers": _ANSWERS,
        **more,
    }
    return {"type": "object", "properties": properties, "required": ["do"]}


def _until() -> Json:
    clock = {key: {"description": _UNTIL[key]} for key in UNTIL}
    return {
        "anyOf": [{**MOMENT, "description": "the start or end of a round"}, {**block(clock), "minProperties": 1}],
        "description": "again and again until the clock shows this",
    }


def _answers() -> Json:
    answer = {"$ref": "#/definitions/answer"}
    several: list[Json] = [{"type": "array", "items": answer}, {"type": "object", "additionalProperties": answer}]
    return {"anyOf": several, "description": "answers in the order of asking, or by the keys of the requests"}


def _answer() -> Json:
    several: Json = {"type": "array", "items": {"$ref": "#/definitions/answer"}}
    return {"anyOf": [{"type": ["string", "number", "boolean"]}, several, _ACT]}
