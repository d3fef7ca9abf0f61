"""What judges a game's files by their JSON Schema."""

from __future__ import annotations

from functools import cache
from typing import Any

import pytest

from tracker.cli.commands.files import GAME_FILES, OTHER_FILES
from tracker.library.yaml.tree import parse
from tracker.session.rulesets import registry

jsonschema_rs = pytest.importorskip(
    "jsonschema_rs", reason="wine lacks a library that the judge of schemas needs", exc_type=ImportError
)


def schema_of(kind: str, game: str) -> dict[str, Any]:
    """Return the schema of a kind of file, of a game where it is one of its files."""
    return OTHER_FILES[kind]() if kind in OTHER_FILES else GAME_FILES[kind](registry.find(game))


@cache
def judge(game: str, kind: str = "any") -> Any:
    """Return what judges files by a schema."""
    return jsonschema_rs.Draft7Validator(schema_of(kind, game))


def wrong(judged: Any, text: str) -> list[str]:
    """Return what a schema says of a text."""
    value = parse(text.encode(), "file.yaml").value
    return [f"{list(error.instance_path)}: {error.message[:200]}" for error in judged.iter_errors(value)]
