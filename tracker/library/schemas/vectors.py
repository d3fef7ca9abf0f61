"""JSON Schema of test vectors, for authors of games."""

from __future__ import annotations

from tracker.core.fight.events import Checked
from tracker.core.game.ruleset import Ruleset
from tracker.library.schemas.files import member_schema, titled
from tracker.library.schemas.structs import Json, Shapes, block

TEXT: Json = {"type": "string"}
DICE: Json = {"description": "answers in the order of the requests, or by their keys"}
LISTED: Json = {"type": "array", "items": TEXT}
COMPARED: dict[str, str] = {
    "what": "what is compared",
    "who": "who rolls",
    "total": "the number with all its parts",
    "result": "what comes of it",
    "target": "against whom",
    "parts": "the parts of the number",
    "against": "the number it has to reach",
    "against_what": "what that number is",
    "against_parts": "the parts of that number",
}
EXPECTED: Json = {
    "type": "object",
    "description": "by combatant: `hp`, `status`, `effects`, `has`, `lacks`, `left_main`, numbers; `clock`, `order`",
}


def vectors_schema(ruleset: Ruleset) -> Json:
    """Return the schema of a file of vectors.

    It has a cast, scenes to begin from, and what comes of given dice.
    """
    shapes = Shapes(ruleset.schema)
    shapes.definitions |= {
        "member": _member(shapes),
        "sides": _sides(shapes),
        "action": _action(),
        "entry": _entry(),
        "interrupts": _interrupts(),
    }
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


def _member(shapes: Shapes) -> Json:
    """Return the schema of a block of the cast, or of changes to one.

    `null` takes a key away.
    """
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
        "start": {**DICE, "description": "the answers of the start"},
    }
    for name, kind, text in (
        ("house_rules", ruleset.schema.house_rules, "the game's switches"),
        ("setup", ruleset.schema.setup, "the game's own start conditions"),
    ):
        if kind is not None:
            found[name] = {**shapes.of(kind), "type": ["object", "null"], "description": text}
    return found


def _sides(shapes: Shapes) -> Json:
    """Return the schema of sides by name."""
    members: Json = {
        "type": "array",
        "items": {"anyOf": [TEXT, {"$ref": "#/definitions/member"}]},
        "description": "ids of the cast, with what is changed, or whole blocks",
    }
    own = {} if shapes.schema.side is None else shapes.keys(shapes.schema.side)[0]
    control: Json = {"enum": ["players", "gm"], "description": "whose it is; the first is the players'"}
    side = block({"members": members, "control": control, **own}, ["members"])
    either: Json = {"anyOf": [members, side]}
    return {"type": "object", "additionalProperties": either, "description": "members, or a block of keys, by name"}


def _vector(ruleset: Ruleset, scene: Json) -> Json:
    """Return the schema of one vector, which may cite the rules of the game only."""
    entry = {"$ref": "#/definitions/entry"}
    rules = [rule.id for rule in ruleset.rulebook.rules]
    rule: Json = {"enum": rules} if rules else TEXT
    given = block({"scene": {**TEXT, "description": "the scene it goes on from"}, **scene})
    return block(
        {
            "id": {**TEXT, "description": "what it is called when it fails"},
            "title": {**TEXT, "description": "what the rules say, in one sentence"},
            "rules": {"type": "array", "items": rule, "description": "rules that an event or a refusal has to cite"},
            "given": {"anyOf": [TEXT, given], "description": "a scene's name, or a scene of its own"},
            "do": {"anyOf": [{"type": "array", "items": entry}, entry], "description": "what is done"},
            "expect": EXPECTED,
        },
        ["id", "given"],
    )


def _beside() -> Json:
    """Return what may stand beside anything that is done."""
    compared = block({key: {"description": COMPARED[key]} for key in Checked.__struct_fields__})
    return {
        "dice": DICE,
        "interrupts": {"$ref": "#/definitions/interrupts"},
        "asks": {**LISTED, "description": "the keys asked for, in order"},
        "checked": {"type": "array", "items": compared, "description": "the numbers compared, in order"},
        "expect": EXPECTED,
    }


def _action() -> Json:
    properties: Json = {
        "do": {**TEXT, "description": "the key of an action; its fields stand beside it"},
        "by": {"type": ["string", "null"], "description": "who acts, by id; without it the GM"},
        "fields": {"type": "object", "description": "fields that are called like a key of an entry"},
        "forced": {"type": "boolean", "description": "a rule that forbids it is overruled"},
        **_beside(),
    }
    return {"type": "object", "properties": properties, "required": ["do"]}


def _entry() -> Json:
    """Return the schema of one thing that is done."""
    action: Json = {"$ref": "#/definitions/action"}
    times: Json = {"type": "integer", "minimum": 1, "description": "goes on so many times"}
    others = block(
        {
            "next": times,
            "refused": {"allOf": [action], "description": "an action that has to be refused"},
            "rule": {**TEXT, "description": "by which rule it is refused"},
            "says": {**TEXT, "description": "words of the refusal"},
            "group": {"type": "array", "items": action, "description": "several actions as one step"},
            **_beside(),
        }
    )
    return {
        "if": {"type": "string"},
        "then": {"const": "next"},
        "else": {"if": {"required": ["do"]}, "then": action, "else": others},
    }


def _interrupts() -> Json:
    action: Json = {"$ref": "#/definitions/action"}
    put: Json = {"anyOf": [action, {"type": "array", "items": action}]}
    text = "what the GM puts before requests, by their keys"
    return {"type": "object", "additionalProperties": put, "description": text}
