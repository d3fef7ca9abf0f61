"""JSON Schema of a keymap file, for editors."""

from __future__ import annotations

from tracker.ui.keys.table import KEYS


def keymap_schema() -> dict[str, object]:
    """Return the schema of `keys.yaml`: a line for each command that can be remapped."""
    key = {"type": ["string", "integer"]}
    keys = {"anyOf": [key, {"type": "array", "items": key}]}
    properties: dict[str, object] = {
        command.id: {**keys, "description": command.description or command.word, "default": command.key}
        for command in KEYS
        if command.action
    }
    return {
        "$schema": "http://json-schema.org/draft-07/schema#",
        "title": "Keys of the encounter tracker",
        "type": ["object", "null"],
        "properties": properties,
        "additionalProperties": False,
    }
