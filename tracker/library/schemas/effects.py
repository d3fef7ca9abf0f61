"""JSON Schema of `effects.yaml`, the game master's own effects."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec import inspect

from tracker.core.game.durations import MOMENTS
from tracker.core.game.ruleset import Ruleset
from tracker.library.schemas.files import titled
from tracker.library.schemas.structs import Json, block
from tracker.library.shelves.effects import Kept

__all__ = ["effects_schema"]

MEANINGS = {
    "name": "what it is called; of two with one name the later counts",
    "game": "the key of its game; without it, every game that knows its numbers",
    "modifiers": "what it adds to derived numbers, by name: {attack: 1}",
    "duration": "how long it usually lasts, as typed behind an effect; without it until removed",
    "note": "a reminder of what it does, shown where it is chosen",
}
LASTING = ("3 rounds", "10 minutes", "round 5", *(moment.words for moment in MOMENTS if "{" not in moment.words))


def effects_schema(games: Iterable[Ruleset]) -> Json:
    """Return the schema of a list of effects, for the games there are."""
    info = inspect.type_info(Kept)
    assert isinstance(info, inspect.StructType)
    known = list(games)
    text: Json = {"type": "string"}
    shapes: dict[str, Json] = {
        "name": {**text, "pattern": r"\S"},
        "game": {"enum": ["", *(game.key for game in known)]},
        "modifiers": {"type": "object", "additionalProperties": {"type": "integer"}},
        "duration": {**text, "examples": list(LASTING)},
    }
    properties: Json = {
        field.encode_name: {**shapes.get(field.encode_name, text), "description": MEANINGS[field.encode_name]}
        for field in info.fields
    }
    numbers = [_numbers(game) for game in known if game.schema.derived]
    effect = block(properties, [field.encode_name for field in info.fields if field.required])
    listed: Json = {"type": ["array", "null"], "items": {**effect, **({"allOf": numbers} if numbers else {})}}
    return titled("Effects of your own", listed)


def _numbers(game: Ruleset) -> Json:
    """Return the numbers an effect of a game may change.

    Each may be of a kind.
    """
    stats = list(game.schema.derived)
    words = [*stats, *(f"{kind} {stat}" for kind in game.schema.modifier_kinds for stat in stats)]
    said: Json = {"properties": {"game": {"const": game.key}}, "required": ["game"]}
    changed: Json = {"propertyNames": {"enum": words}, "description": MEANINGS["modifiers"]}
    return {"if": said, "then": {"properties": {"modifiers": changed}}}
