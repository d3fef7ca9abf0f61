"""JSON Schemas of whole files: encounter, bestiary and party."""

from __future__ import annotations

from tracker.core.game.ruleset import Ruleset
from tracker.library.schemas.structs import Json, Shapes, block

__all__ = [
    "DRAFT",
    "bestiary_schema",
    "campaign_schema",
    "encounter_schema",
    "game_schema",
    "member_schema",
    "moment",
    "party_schema",
    "titled",
]

DRAFT = "http://json-schema.org/draft-07/schema#"
TEXT: Json = {"type": ["string", "number"]}
COMMON: Json = {
    "id": {**TEXT, "description": "what references use; without one the name serves"},
    "name": {**TEXT, "description": "what it is called"},
    "notes": {"type": "string", "description": "free text, shown in the stat-block panel"},
    "hidden": {"type": "boolean", "description": "players see it once the GM reveals it"},
    "public": {"type": "string", "description": "what players read until the GM names it"},
    "count": {
        "allOf": [{"$ref": "#/definitions/Dice"}],
        "description": "how many; the names are numbered",
        "examples": ["3", "1d4+1"],
    },
}
REF: Json = {"type": "string", "description": "the id or name of a stat block beside the encounter or in your folders"}
WHEN = r"(until |at )?(the )?(([Ss]tart|[Bb]eginning|[Ee]nd) of )?(the )?[Rr]ound [1-9]\d{0,3}"
DICED: Json = {"enum": ["program", "asked"]}
HIDDEN: Json = {"type": "boolean", "description": "players see them once the GM reveals them"}


def titled(title: str, body: Json, shapes: Shapes | None = None) -> Json:
    """Return a whole schema, with its draft, its title and what it refers to."""
    definitions = {} if shapes is None else {"definitions": dict(sorted(shapes.definitions.items()))}
    return {"$schema": DRAFT, "title": title, **body, **definitions}


def moment(words: str) -> Json:
    """Return the schema of a moment: a round's opening or end."""
    return {
        "type": "string",
        "pattern": rf"^\s*{WHEN}\s*$",
        "description": words,
        "examples": ["round 3", "end of round 2"],
    }


def game_schema(ruleset: Ruleset) -> Json:
    """Return the schema of any file of a game: an encounter, or stat blocks."""
    shapes = Shapes(ruleset.schema)
    kinds = _stat_blocks(shapes)
    encounter = _encounter(ruleset, shapes)
    member = {"$ref": "#/definitions/member"}
    fights = [{"required": [name]} for name in ("sides", "party", "title", "waves")]
    campaigns = [{"required": [name]} for name in ("carry", "library")]
    whole: Json = {
        "if": {"type": "array"},
        "then": {"type": "array", "items": member},
        "else": {
            "if": {"anyOf": fights},
            "then": {"if": {"anyOf": campaigns}, "then": _campaign(ruleset, shapes), "else": encounter},
            "else": {"if": {"required": ["name"]}, "then": member, "else": _headed(ruleset, kinds)},
        },
    }
    return titled(f"{ruleset.title}: encounters and stat blocks", whole, shapes)


def encounter_schema(ruleset: Ruleset) -> Json:
    """Return the schema of an encounter."""
    shapes = Shapes(ruleset.schema)
    _stat_blocks(shapes)
    return titled(f"{ruleset.title}: encounter", _encounter(ruleset, shapes), shapes)


def _encounter(ruleset: Ruleset, shapes: Shapes) -> Json:
    schema = ruleset.schema
    shapes.definitions["member"] = _member(shapes)
    shapes.definitions["members"] = _members()
    shapes.definitions["side"] = _side(shapes)
    members = {"$ref": "#/definitions/members"}
    own = {
        name: _described(block({}) if kind is None else shapes.of(kind), text)
        for name, kind, text in (
            ("house_rules", schema.house_rules, "the game's switches; what is not named keeps its default"),
            ("setup", schema.setup, "the game's own start conditions"),
        )
    }
    properties: Json = {
        "ruleset": _ruleset(ruleset),
        "title": {**TEXT, "description": "shown at the top of the screen"},
        **own,
        "sides": {
            "type": "array",
            "items": {"$ref": "#/definitions/side"},
            "description": "everybody who fights, in groups; their order settles some ties",
        },
        "party": _described(members, "short for a side of the players"),
        "monsters": _described(members, "short for a side of the GM"),
        "waves": {"type": "array", "items": _wave(), "description": "combatants who come later"},
        "reminders": {"type": "array", "items": _reminder(), "description": "sentences that appear at their moment"},
        "notes": {**TEXT, "description": "for the GM"},
        "screen": _screen(),
        **({"map": _map()} if schema.board == "square" else {}),
        "dice": {**DICED, "description": "who rolls for every side: the program, or those who are asked"},
    }
    made = block(properties, ["ruleset"])
    sided = [{"required": [name]} for name in ("sides", "party", "monsters")]
    return {**made, "anyOf": sided}


def campaign_schema(ruleset: Ruleset) -> Json:
    """Return the schema of a campaign."""
    shapes = Shapes(ruleset.schema)
    _stat_blocks(shapes)
    _encounter(ruleset, shapes)
    return titled(f"{ruleset.title}: campaign", _campaign(ruleset, shapes), shapes)


def _campaign(ruleset: Ruleset, shapes: Shapes) -> Json:
    switches = ruleset.schema.house_rules
    folders = {"type": "array", "items": {"type": "string"}}
    properties: Json = {
        "ruleset": _ruleset(ruleset),
        "title": {**TEXT, "description": "what the campaign is called"},
        "party": _described({"$ref": "#/definitions/members"}, "comes into every encounter without players of its own"),
        "house_rules": _described(block({}) if switches is None else shapes.of(switches), "the game's switches"),
        "dice": {**DICED, "description": "who rolls, where an encounter does not say"},
        "screen": _screen(),
        "library": {"anyOf": [{"type": "string"}, folders], "description": "further folders with stat blocks"},
        "carry": {"type": "boolean", "description": "`true`: the party comes as its last fight left it"},
        "notes": {**TEXT, "description": "for the GM"},
    }
    return block(properties, ["ruleset"])


def bestiary_schema(ruleset: Ruleset) -> Json:
    """Return the schema of a bestiary: a list of blocks are monsters."""
    return _blocks(ruleset, "bestiary", ruleset.schema.blocks[-1][0])


def party_schema(ruleset: Ruleset) -> Json:
    """Return the schema of a party: a list of blocks are characters."""
    return _blocks(ruleset, "party", ruleset.schema.blocks[0][0])


def _blocks(ruleset: Ruleset, what: str, usual: str) -> Json:
    shapes = Shapes(ruleset.schema)
    kinds = _stat_blocks(shapes)
    several: Json = {"if": {"type": "array"}, "then": _listed(kinds, usual), "else": _headed(ruleset, kinds)}
    return titled(f"{ruleset.title}: {what}", several, shapes)


def _stat_blocks(shapes: Shapes) -> list[str]:
    """Define a stat block of each kind, and return the kinds."""
    kinds = [kind for kind, _ in shapes.schema.blocks]
    for kind in kinds:
        shapes.definitions[f"{kind}_block"] = _block(shapes, kind)
    return kinds


def _headed(ruleset: Ruleset, kinds: list[str]) -> Json:
    """Return the schema of stat blocks under their headings."""
    listed = {
        "characters": _described(_listed(kinds, kinds[0]), "stat blocks of player characters"),
        "monsters": _described(_listed(kinds, kinds[-1]), "stat blocks of all others"),
    }
    made = block({"ruleset": _ruleset(ruleset), **listed, "notes": {**TEXT, "description": "for the GM"}}, ["ruleset"])
    return {**made, "anyOf": [{"required": [name]} for name in listed]}


def _listed(kinds: list[str], usual: str) -> Json:
    """Return the schema of a list of blocks, each of which may say its kind."""
    item: Json = {"$ref": f"#/definitions/{usual}_block"}
    for kind in kinds:
        if kind != usual:
            said = {"properties": {"kind": {"const": kind}}, "required": ["kind"]}
            item = {"if": said, "then": {"$ref": f"#/definitions/{kind}_block"}, "else": item}
    return {"type": "array", "items": item}


def _block(shapes: Shapes, kind: str) -> Json:
    """Return the schema of a stat block."""
    struct = dict(shapes.schema.blocks)[kind]
    made = shapes.of(struct, kind)
    own: Json = made["properties"]
    if shapes.schema.member is not None:
        own = {**shapes.keys(shapes.schema.member)[0], **own}
    return {**made, "properties": {**COMMON, **_kind(shapes, own), **own, **_common(own)}}


def _common(own: Json) -> Json:
    """Return the keys every block has, where the game's own texts would be narrower."""
    return {name: {**held, **TEXT} for name, held in own.items() if name in ("id", "name") and isinstance(held, dict)}


def _kind(shapes: Shapes, own: Json) -> Json:
    kinds = [kind for kind, _ in shapes.schema.blocks]
    if "kind" in own:
        return {}
    return {"kind": {"enum": kinds, "description": "whether it is read as one of these, whatever its heading"}}


def _member(shapes: Shapes) -> Json:
    """Return the schema of a member.

    It is a reference with what is changed, or a stat block in place.
    """
    properties: Json = {"ref": REF}
    patterns: Json = {}
    needed: list[set[str]] = []
    for kind, _ in shapes.schema.blocks:
        made = _block(shapes, kind)
        for name, held in made["properties"].items():
            known = properties.get(name)
            properties[name] = held if known in (None, held) else _both(known, held)
        patterns |= made.get("patternProperties", {})
        needed.append(set(made.get("required", ())))
    if shapes.schema.named:
        for _, key in shapes.schema.named:
            properties[key] = _both(properties.get(key), {"type": "string"})
    made = block(properties)
    if patterns:
        made["patternProperties"] = patterns
    least = sorted(set.intersection(*needed) | {"name"})
    return {**made, "if": {"not": {"required": ["ref"]}}, "then": {"required": least}}


def _both(known: object, held: object) -> Json:
    """Return a schema that takes what either takes."""
    if not isinstance(known, dict) or not isinstance(held, dict):
        return dict(held) if isinstance(held, dict) else {}
    text = known.get("description", "")
    parts: list[object] = []
    for each in (known, held):
        plain = {key: part for key, part in each.items() if key not in ("description", "examples", "default")}
        parts += [part for part in plain.get("anyOf", [plain]) if part not in parts]
    other = held.get("description", "")
    said = text if other in ("", text) else f"{text} | {other}"
    return {"description": said, "anyOf": parts} if len(parts) > 1 else {**known, "description": said}


def member_schema(shapes: Shapes) -> Json:
    """Return the schema of a member of a side.

    Those of the stat blocks it may be are defined beside it.
    """
    _stat_blocks(shapes)
    return _member(shapes)


def _members() -> Json:
    file = {"type": "string", "description": "a file of stat blocks, or the id of one"}
    return {"anyOf": [file, {"type": "array", "items": {"anyOf": [file, {"$ref": "#/definitions/member"}]}}]}


def _side(shapes: Shapes) -> Json:
    own = {} if shapes.schema.side is None else shapes.keys(shapes.schema.side)[0]
    return block(
        {
            "name": {**TEXT, "description": "what the side is called"},
            "id": {**TEXT, "description": "what scripts call it; made of the name"},
            "control": {"enum": ["players", "gm"], "description": "whose side it is"},
            "pc": {"type": "boolean", "description": "short for `control: players`"},
            "members": _described({"$ref": "#/definitions/members"}, "a file of stat blocks, or a list"),
            "public": {"type": "string", "description": "what players read as its name"},
            "health": {"type": "boolean", "description": "`false`: players do not read how its combatants are"},
            "hidden": HIDDEN,
            "dice": {**DICED, "description": "who rolls for this side: the program, or those who are asked"},
            **own,
        }
    )


def _wave() -> Json:
    return block(
        {
            "when": moment("when they come; without it you bring them in by hand"),
            "side": {"type": "string", "description": "the side they join"},
            "members": _described({"$ref": "#/definitions/members"}, "a file of stat blocks, or a list"),
            "title": {**TEXT, "description": "what the wave is called"},
            "hidden": HIDDEN,
        },
        ["side", "members"],
    )


def _reminder() -> Json:
    when = moment("when it appears; without it anew in every round")
    return block({"when": when, "text": {**TEXT, "description": "the sentence"}}, ["text"])


def _screen() -> Json:
    return _described(
        block(
            {
                "title": {"type": "string", "description": "what players read as the title"},
                "points": {"type": "boolean", "description": "`false`: no hit points of their own characters"},
                "map": {"type": "boolean", "description": "`false`: no map"},
                "unseen": {
                    "enum": ["reveal", "name"],
                    "description": "a hidden combatant that attacks is revealed, or acts as an unseen foe",
                },
            }
        ),
        "what players see",
    )


def _map() -> Json:
    """Return the schema of what fog covers when a fight opens."""
    number = r"\d{1,4}(-\d{1,4})?"
    text: Json = {"type": "string", "pattern": rf"^\s*{number}\s*,\s*{number}\s*$"}
    pair: Json = {"type": "array", "items": {"type": "integer", "minimum": 0}, "minItems": 2, "maxItems": 2}
    fog: Json = {
        "description": "what players do not see of the map, and who stands there: all of it, all but what the party "
        "sees, or these squares",
        "examples": ["party", ["0-5,0-3", "9,2"]],
        "anyOf": [{"enum": ["all", "party"]}, text, {"type": "array", "items": {"anyOf": [text, pair]}}],
    }
    sees: Json = {
        "type": "integer",
        "minimum": 0,
        "maximum": 500,
        "description": "with `fog: party`: how far the party sees, in the game's unit",
    }
    return _described(block({"fog": fog, "sees": sees}), "what fog covers when the fight opens")


def _ruleset(ruleset: Ruleset) -> Json:
    return {"const": ruleset.key, "description": f"the game: {ruleset.title}"}


def _described(held: Json, text: str) -> Json:
    return {"description": text, **({"allOf": [held]} if "$ref" in held else held)}
