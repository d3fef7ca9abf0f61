"""JSON Schema of `effects.yaml`, the game master's own effects."""

from __future__ import annotations

from collections.abc import Iterable

from tracker.core.game.durations import MOMENTS
from tracker.core.game.file_syntax import FileSyntax
from tracker.core.game.ruleset import Ruleset
from tracker.library.checking.semantics import keys_of
from tracker.library.schemas.files import titled
from tracker.library.schemas.structs import Json, block, unlinked
from tracker.library.shelves.effects import Kept

__all__ = ["effects_schema"]

LASTING = ("3 rounds", "10 minutes", "round 5", *(moment.words for moment in MOMENTS if "{" not in moment.words))


def effects_schema(games: Iterable[Ruleset]) -> Json:
    """Return the schema of a list of effects, for the games there are."""
    known = list(games)
    text: Json = {"type": "string"}
    shapes: dict[str, Json] = {
        "name": {**text, "pattern": r"\S"},
        "game": {"enum": ["", *(game.key for game in known)]},
        "modifiers": {"type": "object", "additionalProperties": {"type": "integer"}},
        "duration": {**text, "examples": list(LASTING)},
    }
    rows = keys_of(FileSyntax(), Kept, "effect")
    properties: Json = {row.name: {**shapes.get(row.name, text), "description": unlinked(row.means)} for _, row in rows}
    numbers = [_numbers(game) for game in known if game.schema.derived]
    effect = block(properties, ["name"])
    listed: Json = {"type": ["array", "null"], "items": {**effect, **({"allOf": numbers} if numbers else {})}}
    return titled("Effects of your own", listed)


def _numbers(game: Ruleset) -> Json:
    """Return the numbers an effect of a game may change.

    Each may be of a kind.
    """
    stats = list(game.schema.derived)
    words = [*stats, *(f"{kind} {stat}" for kind in game.schema.modifier_kinds for stat in stats)]
    said: Json = {"properties": {"game": {"const": game.key}}, "required": ["game"]}
    changed: Json = {"propertyNames": {"enum": words}, "description": f"the numbers of {game.title}"}
    return {"if": said, "then": {"properties": {"modifiers": changed}}}
