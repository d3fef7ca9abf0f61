"""`tracker schema`: JSON Schemas of a game's files, for editors."""

from __future__ import annotations

import argparse
import contextlib
import json
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

from tracker.cli.output import complain
from tracker.core.game.ruleset import Ruleset
from tracker.core.terms.errors import BadData, TrackerError
from tracker.library.schemas import files
from tracker.library.schemas.files import effects_schema
from tracker.library.schemas.structs import Json
from tracker.library.schemas.vectors import vectors_schema
from tracker.library.yaml.problems import Problem
from tracker.script.schema import script_schema
from tracker.session.rulesets import registry
from tracker.ui.keys.schema import keymap_schema

__all__ = ["GAME_FILES", "OTHER_FILES", "run", "text_of"]

GAME_FILES: dict[str, Callable[[Ruleset], Json]] = {
    "any": files.game_schema,
    "encounter": files.encounter_schema,
    "bestiary": files.bestiary_schema,
    "party": files.party_schema,
    "campaign": files.campaign_schema,
    "vectors": vectors_schema,
}
OTHER_FILES: dict[str, Callable[[], Json]] = {
    "script": script_schema,
    "keys": keymap_schema,
    "effects": lambda: effects_schema(_playable()),
}


def run(asked: argparse.Namespace) -> int:
    """Print a schema, or write it to a file, or write all into a folder."""
    if asked.all is not None:
        return _all(Path(asked.all), asked.game)
    if asked.game is None and asked.kind not in OTHER_FILES:
        complain("tracker schema: name a game, or a folder with --all (try tracker schema --help)")
        return 2
    text = text_of(_schema(asked.game, asked.kind))
    if asked.output is None:
        sys.stdout.write(text)
    else:
        _write(Path(asked.output), text)
        complain(f"written to {asked.output}; a file begins with: # yaml-language-server: $schema={asked.output}")
    return 0


def text_of(schema: Json) -> str:
    """Return a schema as the text of a file."""
    return json.dumps(schema, indent=1, ensure_ascii=False) + "\n"


def _schema(game: str | None, kind: str) -> Json:
    if kind in OTHER_FILES:
        return OTHER_FILES[kind]()
    return GAME_FILES[kind](registry.find(game or ""))


def _all(folder: Path, game: str | None) -> int:
    """Write every schema into a folder: those of each game into one of its name."""
    many = 0
    for path, schema in _each([game] if game else list(registry.rulesets())):
        _write(folder / path, text_of(schema))
        many += 1
    complain(f"{many} schemas written to {folder}")
    return 0


def _each(games: list[str]) -> Iterator[tuple[Path, Json]]:
    for key in games:
        ruleset = registry.find(key)
        for kind, made in GAME_FILES.items():
            yield Path(key) / f"{'schema' if kind == 'any' else kind}.json", made(ruleset)
    for kind, make in OTHER_FILES.items():
        yield Path(f"{kind}.json"), make()


def _playable() -> Iterator[Ruleset]:
    """Yield the games that are installed and can be loaded."""
    for key in registry.rulesets():
        with contextlib.suppress(TrackerError):
            yield registry.find(key)


def _write(path: Path, text: str) -> None:
    """Write a schema, over an older one but over nothing else."""
    if path.exists() and not (path.is_file() and '"$schema"' in path.read_text("utf-8", "replace")[:400]):
        raise BadData([Problem(str(path), message="is there already, and holds no schema", hint="name another file")])
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8", newline="\n")
    except OSError as error:
        raise BadData([Problem(str(path), message=error.strerror or str(error))]) from error
