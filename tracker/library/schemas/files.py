"""JSON Schemas of whole files: encounter, bestiary and party."""

from __future__ import annotations

from collections.abc import Iterable

from tracker.core.game.durations import MOMENTS
from tracker.core.game.file_syntax import FileSyntax
from tracker.core.game.ruleset import Ruleset
from tracker.library.content.effect_presets import EffectPreset
from tracker.library.content.files import (
    CampaignKeys,
    EncounterKeys,
    MemberKeys,
    ReminderKeys,
    SideKeys,
    SquaresEncounterKeys,
    WaveKeys,
)
from tracker.library.schemas.structs import DICE, Json, Shapes, block, described, unlinked
from tracker.library.validation.semantics import keys_of

DRAFT = "http://json-schema.org/draft-07/schema#"
TEXT: Json = {"type": ["string", "number"]}


_NUMBER = r"\d{1,4}(-\d{1,4})?"
_SQUARES: Json = {"type": "string", "pattern": rf"^\s*{_NUMBER}\s*,\s*{_NUMBER}\s*$"}
_PAIR: Json = {"type": "array", "items": {"type": "integer", "minimum": 0}, "minItems": 2, "maxItems": 2}
FOG: Json = {
    "examples": ["party", ["0-5,0-3", "9,2"]],
    "anyOf": [{"enum": ["all", "party"]}, _SQUARES, {"type": "array", "items": {"anyOf": [_SQUARES, _PAIR]}}],
}


def titled(title: str, body: Json, shapes: Shapes | None = None) -> Json:
    definitions = {} if shapes is None else {"definitions": dict(sorted(shapes.definitions.items()))}
    return {"$schema": DRAFT, "title": title, **body, **definitions}


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
            "then": {"if": {"anyOf": campaigns}, "then": shapes.of(CampaignKeys), "else": encounter},
            "else": {"if": {"required": ["name"]}, "then": member, "else": _headed(ruleset, kinds)},
        },
    }
    return titled(f"{ruleset.title}: encounters and stat blocks", whole, shapes)


def encounter_schema(ruleset: Ruleset) -> Json:
    shapes = Shapes(ruleset.schema)
    _stat_blocks(shapes)
    return titled(f"{ruleset.title}: encounter", _encounter(ruleset, shapes), shapes)


def _encounter(ruleset: Ruleset, shapes: Shapes) -> Json:
    _define(ruleset, shapes)
    schema = shapes.of(SquaresEncounterKeys if ruleset.schema.board == "square" else EncounterKeys)
    return {**schema, "anyOf": [{"required": [name]} for name in ("sides", "party", "monsters")]}


def _define(ruleset: Ruleset, shapes: Shapes) -> None:
    schema, definitions = ruleset.schema, shapes.definitions
    definitions["ruleset"] = {"const": ruleset.key}
    definitions["switches"] = block({}) if schema.house_rules is None else shapes.of(schema.house_rules)
    definitions["set-up"] = block({}) if schema.setup is None else shapes.of(schema.setup)
    definitions["member"] = _member(shapes)
    definitions["members"] = _members()
    definitions["fog"] = FOG
    side = shapes.of(SideKeys)
    own = {} if schema.side is None else shapes.keys(schema.side)[0]
    definitions["side"] = {**side, "properties": {**side["properties"], **own}}
    definitions["wave"] = shapes.of(WaveKeys)
    definitions["reminder"] = shapes.of(ReminderKeys)


def campaign_schema(ruleset: Ruleset) -> Json:
    shapes = Shapes(ruleset.schema)
    _stat_blocks(shapes)
    _define(ruleset, shapes)
    return titled(f"{ruleset.title}: campaign", shapes.of(CampaignKeys), shapes)


def bestiary_schema(ruleset: Ruleset) -> Json:
    """Return the schema of a bestiary, in which a bare list has monsters."""
    return _blocks(ruleset, "bestiary", ruleset.schema.blocks[-1][0])


def party_schema(ruleset: Ruleset) -> Json:
    """Return the schema of a party, in which a bare list has characters."""
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
    listed = {
        "characters": described(_listed(kinds, kinds[0]), "stat blocks of player characters"),
        "monsters": described(_listed(kinds, kinds[-1]), "stat blocks of all others"),
    }
    game = {"const": ruleset.key, "description": f"the game: {ruleset.title}"}
    schema = block({"ruleset": game, **listed, "notes": {**TEXT, "description": "for the GM"}}, ["ruleset"])
    return {**schema, "anyOf": [{"required": [name]} for name in listed]}


def _listed(kinds: list[str], usual: str) -> Json:
    """Return the schema of a list of blocks, each of which may have its kind in it."""
    item: Json = {"$ref": f"#/definitions/{usual}_block"}
    for kind in kinds:
        if kind != usual:
            condition = {"properties": {"kind": {"const": kind}}, "required": ["kind"]}
            item = {"if": condition, "then": {"$ref": f"#/definitions/{kind}_block"}, "else": item}
    return {"type": "array", "items": item}


def _block(shapes: Shapes, kind: str) -> Json:
    schema = shapes.of(dict(shapes.schema.blocks)[kind], kind)
    own: Json = schema["properties"]
    if shapes.schema.member is not None:
        own = {**shapes.keys(shapes.schema.member)[0], **own}
    common = shapes.keys(MemberKeys)[0]
    del common["ref"]
    if "kind" not in own:
        kinds = [kind for kind, _ in shapes.schema.blocks]
        common["kind"] = {"enum": kinds, "description": "whether it is read as one of these, whatever its heading"}
    wider = {name: {**own[name], **TEXT} for name in ("id", "name") if name in own}
    return {**schema, "properties": {**common, **own, **wider}}


def _member(shapes: Shapes) -> Json:
    """Return the schema of a member: a reference with changed keys, or a stat block in place."""
    properties: Json = {"ref": shapes.keys(MemberKeys)[0]["ref"]}
    patterns: Json = {}
    needed: list[set[str]] = []
    for kind, _ in shapes.schema.blocks:
        schema = _block(shapes, kind)
        for name, key in schema["properties"].items():
            properties[name] = key if properties.get(name) in (None, key) else _both(properties[name], key)
        patterns |= schema.get("patternProperties", {})
        needed.append(set(schema.get("required", ())))
    for _, name in shapes.schema.named:
        properties[name] = _both(properties.get(name, {}), {"type": "string"})
    member = {**block(properties), **({"patternProperties": patterns} if patterns else {})}
    least = sorted(set.intersection(*needed) | {"name"})
    return {**member, "if": {"not": {"required": ["ref"]}}, "then": {"required": least}}


def _both(first: Json, second: Json) -> Json:
    if not first:
        return dict(second)
    parts: list[object] = []
    for schema in (first, second):
        plain = {key: part for key, part in schema.items() if key not in ("description", "examples", "default")}
        parts += [part for part in plain.get("anyOf", [plain]) if part not in parts]
    text, other = first.get("description", ""), second.get("description", "")
    words = text if other in ("", text) else f"{text} | {other}"
    return {"description": words, "anyOf": parts} if len(parts) > 1 else {**first, "description": words}


def member_schema(shapes: Shapes) -> Json:
    """Return the schema of a member of a side, and define those of the stat blocks it may be."""
    _stat_blocks(shapes)
    return _member(shapes)


def _members() -> Json:
    file = {"type": "string", "description": "a file of stat blocks, or the id of one"}
    return {"anyOf": [file, {"type": "array", "items": {"anyOf": [file, {"$ref": "#/definitions/member"}]}}]}


LASTING = ("3 rounds", "10 minutes", "round 5", *(moment.words for moment in MOMENTS if "{" not in moment.words))


def effects_schema(games: Iterable[Ruleset]) -> Json:
    known = list(games)
    text: Json = {"type": "string"}
    shapes: dict[str, Json] = {
        "name": {**text, "pattern": r"\S"},
        "game": {"enum": ["", *(game.key for game in known)]},
        "modifiers": {"type": "object", "additionalProperties": {**DICE, "description": "a number, or a die: +1d4"}},
        "duration": {**text, "examples": list(LASTING)},
    }
    rows = keys_of(FileSyntax(), EffectPreset, "effect")
    properties: Json = {row.name: {**shapes.get(row.name, text), "description": unlinked(row.means)} for _, row in rows}
    numbers = [_numbers(game) for game in known if game.schema.derived]
    effect = block(properties, ["name"])
    listed: Json = {"type": ["array", "null"], "items": {**effect, **({"allOf": numbers} if numbers else {})}}
    return titled("Effects of your own", listed)


def _numbers(game: Ruleset) -> Json:
    stats = list(game.schema.derived)
    words = [*stats, *(f"{kind} {stat}" for kind in game.schema.modifier_kinds for stat in stats)]
    condition: Json = {"properties": {"game": {"const": game.key}}, "required": ["game"]}
    changed: Json = {"propertyNames": {"enum": words}, "description": f"the numbers of {game.title}"}
    return {"if": condition, "then": {"properties": {"modifiers": changed}}}
