"""JSON Schemas of scripts and of test vectors, whose entries are the same."""

from __future__ import annotations

from tracker.core.fight.events import Checked
from tracker.core.game.ruleset import Ruleset
from tracker.library.schemas.files import DRAFT, member_schema, titled
from tracker.library.schemas.structs import MOMENT, Json, Shapes, block
from tracker.script.expectations import SEEN
from tracker.script.reader import ANSWERED, ANSWERS, BARE, EXPECTED, UNTIL

_TEXT: Json = {"type": "string"}
_WORD: Json = {"type": ["string", "integer"]}
_STEP: Json = {"type": "integer", "description": "the number of a step; the start is 1"}
_BY: Json = {**_WORD, "description": "who acts: an id, a name or a label; without it the GM"}
_ACT: Json = {"$ref": "#/definitions/action"}
_ANSWERS: Json = {"$ref": "#/definitions/answers"}
_FORCED: Json = {"type": "boolean", "description": "a rule that forbids it is overruled"}
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
    "effects": {"description": "effects of the fight itself that are among those there are; `[]`: there is none"},
    "order": {"description": "the order, as the last line of a run prints it"},
    "calendar": {"description": "what is to end or to come"},
    "facts": {"type": "object", "description": "what the game keeps, by combatant"},
    "pending": {"type": ["object", "null"], "description": "the request that waits; null: none does"},
    "log": {"type": ["string", "array"], "description": "parts of lines the entry before has written"},
    "no_log": {"type": ["string", "array"], "description": "parts of no line the entry before has written"},
}

_COMPARED: dict[str, str] = {
    "what": "what is compared",
    "who": "who rolls",
    "total": "the number with all its parts",
    "result": "what comes of it",
    "target": "against whom",
    "parts": "the parts of the number",
    "against": "the number it has to reach",
    "against_what": "what that number is",
    "against_parts": "the parts of that number",
    "success": "whether it is a success for who rolls",
}


def script_schema() -> Json:
    """Return the schema of a script, which is the same for every game."""
    entry: Json = {"if": {"type": "string"}, "then": {"enum": list(BARE)}, "else": {"$ref": "#/definitions/entry"}}
    return {
        "$schema": DRAFT,
        "title": "Script of a fight",
        "type": "array",
        "items": entry,
        "definitions": _definitions(),
    }


def vectors_schema(ruleset: Ruleset) -> Json:
    """Return the schema of a file of vectors: a cast, scenes to begin from, and what results from given dice."""
    shapes = Shapes(ruleset.schema)
    own = {**_definitions(), "expected": _expected(*SEEN)}
    shapes.definitions |= {"member": _member(shapes), "sides": _sides(shapes), **own}
    scene = _scene(ruleset, shapes)
    cast = {"$ref": "#/definitions/member"}
    whole = block(
        {
            "cast": _named(cast, "stat blocks by id, as a GM types them"),
            "scenes": _named(block(scene), "sides and start answers to begin from, by name"),
            "vectors": {
                "type": ["array", "null"],
                "items": _vector(ruleset, scene),
                "description": "what comes of given dice",
            },
        }
    )
    return titled(f"{ruleset.title}: test vectors", whole, shapes)


def _definitions() -> Json:
    """Return what the entries of both kinds of files are made of."""
    kinds = _kinds()
    others = {key: held for key, held in kinds.items() if key != "do"}
    answers: Json = dict.fromkeys(ANSWERS, _ANSWERS)
    one: Json = {"anyOf": [{"required": [key]} for key in others]}
    more = {
        "forced": _FORCED,
        "rule": {**_TEXT, "description": "by which rule it is refused"},
        "says": {**_TEXT, "description": "words of the refusal"},
    }
    answered: Json = {"anyOf": [{"required": [key]} for key in ANSWERED]}
    refused: Json = {"required": ["refused"]}
    dependencies = {
        **dict.fromkeys(ANSWERS, answered),
        "forced": {"required": ["group"]},
        "rule": refused,
        "says": refused,
    }
    entry: Json = {
        "if": {"required": ["do"]},
        "then": _action(_beside()),
        "else": {**block({**others, **_beside(), **answers, **more}), **one, "dependencies": dependencies},
    }
    return {"action": _action({}), "answers": _answers(), "answer": _answer(), "entry": entry, "expected": _expected()}


def _beside() -> Json:
    compared = block({key: {"description": _COMPARED[key]} for key in Checked.__struct_fields__})
    put: Json = {"anyOf": [_ACT, {"type": "array", "items": _ACT}]}
    before = "actions that are put before requests, by the keys of these"
    return {
        "pending": {"type": "boolean", "description": "the step stays at the first request without an answer"},
        "interrupts": {"type": "object", "additionalProperties": put, "description": before},
        "asks": {"type": "array", "items": _TEXT, "description": "the keys asked for, in order"},
        "checked": {"type": "array", "items": compared, "description": "the numbers compared, in order"},
        "expect": {"$ref": "#/definitions/expected"},
    }


def _expected(*missing: str) -> Json:
    text = "what is compared; a block under any other word is a combatant's"
    known = block({key: _EXPECT[key] for key in EXPECTED if key not in missing})
    return {**known, "additionalProperties": {"type": "object"}, "description": text}


def _kinds() -> dict[str, Json]:
    nothing: Json = {"type": "null"}
    answered: Json = dict.fromkeys(ANSWERS, _ANSWERS)
    answers = block(answered)
    named = block({"name": {**_WORD, "description": "the branch's name"}, "step": _STEP}, ["name"])
    amend = {
        "step": _STEP,
        "key": {**_WORD, "description": "the request's key"},
        "answer": {"allOf": [{"$ref": "#/definitions/answer"}], "description": "the new answer"},
        "refused": {"enum": ["keep", "drop"], "description": "what becomes of later steps the rules then forbid"},
        **answered,
    }
    override = {
        "key": {**_WORD, "description": "what is overruled"},
        "value": {"description": "its new value"},
        "step": _STEP,
        **answered,
    }
    times: Json = {"type": "integer", "minimum": 1}
    advance: Json = {
        "anyOf": [nothing, times, block({"until": _until(), **answered})],
        "description": "what `n` does in the app, so many times, or until the clock shows something",
    }
    return {
        "start": {"anyOf": [nothing, answers], "description": "opens the fight, with the dice of the set-up"},
        "do": {**_WORD, "description": "an action by its key, with its fields beside it"},
        "group": _GROUP,
        "advance": advance,
        "next": advance,
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
                block({"group": _GROUP, **answered}, ["group"]),
            ],
            "description": "does what a rule forbids",
        },
        "refused": {
            "anyOf": [{"enum": ["advance", "start"]}, {"type": "object"}],
            "description": "what must be refused, by the rule it names in `rule`",
        },
        "expect": {"$ref": "#/definitions/expected"},
    }


def _action(more: Json) -> Json:
    properties: Json = {
        "do": {**_WORD, "description": "the key of an action; `tracker actions` lists them with their fields"},
        "by": {"anyOf": [_BY, {"type": "null"}], "description": _BY["description"]},
        "fields": {"type": "object", "description": "fields that are called like a word of an entry"},
        "forced": _FORCED,
        **dict.fromkeys(ANSWERS, _ANSWERS),
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


def _member(shapes: Shapes) -> Json:
    """Return the schema of a block of the cast, or of changes to one; `null` takes a key away."""
    whole = member_schema(shapes)
    for keys in ("properties", "patternProperties"):
        for name, held in whole.get(keys, {}).items():
            text = {"description": held["description"]} if "description" in held else {}
            whole[keys][name] = {**text, "anyOf": [held, {"type": "null"}]}
    return {key: held for key, held in whole.items() if key not in ("if", "then")}


def _named(held: Json, text: str) -> Json:
    return {"type": ["object", "null"], "additionalProperties": held, "description": text}


def _scene(ruleset: Ruleset, shapes: Shapes) -> Json:
    found: Json = {
        "sides": {"$ref": "#/definitions/sides"},
        "start": {"allOf": [_ANSWERS], "description": "the answers of the start"},
    }
    for name, kind, text in (
        ("house_rules", ruleset.schema.house_rules, "the game's switches"),
        ("setup", ruleset.schema.setup, "the game's own start conditions"),
    ):
        if kind is not None:
            found[name] = {**shapes.of(kind), "type": ["object", "null"], "description": text}
    return found


def _sides(shapes: Shapes) -> Json:
    members: Json = {
        "type": "array",
        "items": {"anyOf": [_TEXT, {"$ref": "#/definitions/member"}]},
        "description": "ids of the cast, with what is changed, or whole blocks",
    }
    own = {} if shapes.schema.side is None else shapes.keys(shapes.schema.side)[0]
    control: Json = {"enum": ["players", "gm"], "description": "whose it is; the first is the players'"}
    side = block({"members": members, "control": control, **own}, ["members"])
    either: Json = {"anyOf": [members, side]}
    return {"type": "object", "additionalProperties": either, "description": "members, or a block of keys, by name"}


def _vector(ruleset: Ruleset, scene: Json) -> Json:
    """Return the schema of one vector, which may cite the rules of the game only."""
    entry: Json = {"if": {"type": "string"}, "then": {"enum": list(BARE)}, "else": {"$ref": "#/definitions/entry"}}
    rules = [rule.id for rule in ruleset.rulebook.rules]
    rule: Json = {"enum": rules} if rules else _TEXT
    given = block({"scene": {**_TEXT, "description": "the scene it goes on from"}, **scene})
    return block(
        {
            "id": {**_TEXT, "description": "what it is called when it fails"},
            "title": {**_TEXT, "description": "what the rules say, in one sentence"},
            "rules": {"type": "array", "items": rule, "description": "rules that an event or a refusal has to cite"},
            "given": {"anyOf": [_TEXT, given], "description": "a scene's name, or a scene of its own"},
            "do": {"anyOf": [{"type": "array", "items": entry}, entry], "description": "what is done"},
            "expect": {"$ref": "#/definitions/expected"},
        },
        ["id", "given"],
    )
