"""Tables of cases that stand beside their tests, as data."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import yaml

from tracker.core.game.ruleset import Ruleset
from tracker.core.game.schema import codec_of


@cache
def _document(path: Path) -> dict[str, Any]:
    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)  # ten times as fast, where PyYAML was built with it
    document: dict[str, Any] = yaml.load(path.read_bytes(), loader)
    return document


def _frozen(value: Any) -> Any:
    """Return a value whose lists are tuples."""
    if isinstance(value, list):
        return tuple(map(_frozen, value))
    return {key: _frozen(part) for key, part in value.items()} if isinstance(value, dict) else value


def table(module: str, name: str, *, tuples: bool = False) -> Any:
    """Return a table of the YAML file that is called like the module, with its lists as tuples if wanted."""
    found = _document(Path(module).with_suffix(".yaml"))[name]
    return _frozen(found) if tuples else found


def rows(module: str, name: str, *, tuples: bool = False) -> list[Any]:
    """Return the rows of such a table, each a tuple."""
    found = table(module, name, tuples=tuples)
    return [tuple(row) if isinstance(row, list) else row for row in found]


def read_block(ruleset: Ruleset, kind: str, typed: dict[str, object]) -> Any:
    """Return the stat block of typed keys, or raise ValueError as its game does."""
    schema = ruleset.schema
    keys = schema.shorthand(kind, dict(typed)) if schema.shorthand else typed
    return codec_of(schema).convert(keys, dict(schema.blocks)[kind])
