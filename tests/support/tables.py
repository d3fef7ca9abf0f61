"""Tables of cases that stand beside their tests, as data."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable
from functools import cache, wraps
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


Test = Callable[..., None]


def for_each(names: str | tuple[str, ...], cases: Iterable[Any]) -> Callable[[Test], Test]:
    """Let one test try every case, as `parametrize` would in tests of their own; a failure names those that fail.

    For tables of cases that cost less than pytest's care for a test.
    """
    single, every = isinstance(names, str), list(cases)

    def decorated(test: Test) -> Test:
        @wraps(test)
        def tried(**given: Any) -> None:
            failed = dict[str, AssertionError]()
            for case in every:
                try:
                    test(**given, **({names: case} if single else dict(zip(names, case, strict=True))))
                except AssertionError as error:
                    failed[f"{case!r:.200}"] = error
                except BaseException as error:
                    error.add_note(f"{names}: {case!r:.200}")
                    raise
            if failed:
                first = next(iter(failed.values()))
                first.add_note(f"{len(failed)} of {len(every)} cases of {names} fail: {', '.join(failed)}")
                raise first

        mine = inspect.signature(test)
        own = {names} if single else set(names)
        left = [one for name, one in mine.parameters.items() if name not in own]
        tried.__signature__ = mine.replace(parameters=left)  # type: ignore[attr-defined]  # what pytest reads
        return tried

    return decorated
