"""`tracker schema`, `new`, `examples`, `keys`: files to begin with, and schemas for editors."""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

from tracker.cli.helpers import print_error, print_text
from tracker.core.game.ruleset import Ruleset
from tracker.core.terms.errors import BadData, TrackerError
from tracker.library.content import samples
from tracker.library.content.library import Library
from tracker.library.schemas import files, new_ruleset, templates
from tracker.library.schemas.files import effects_schema, game_schema
from tracker.library.schemas.structs import Json
from tracker.library.yaml.problems import Problem
from tracker.script.schema import script_schema, vectors_schema
from tracker.session.rulesets import registry
from tracker.ui.keys.keymap import keymap_path, keymap_schema, read_keymap, template

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
    commands = {"schema": _print_schema, "new": _new, "examples": _examples, "keys": _keys}
    return commands[asked.command](asked)


def _print_schema(asked: argparse.Namespace) -> int:
    """Print a schema, or write it to a file, or write all into a folder."""
    if asked.all is not None:
        schemas = dict(_each([asked.game] if asked.game else list(registry.rulesets())))
        for path, schema in schemas.items():
            _write(Path(asked.all) / path, text_of(schema))
        print_error(f"{len(schemas)} schemas written to {asked.all}")
        return 0
    other = OTHER_FILES.get(asked.kind)
    if asked.game is None and other is None:
        print_error("tracker schema: name a game, or a folder with --all (try tracker schema --help)")
        return 2
    text = text_of(GAME_FILES[asked.kind](registry.find(asked.game)) if other is None else other())
    if asked.output is None:
        sys.stdout.write(text)
    else:
        _write(Path(asked.output), text)
        print_error(f"written to {asked.output}; a file begins with: # yaml-language-server: $schema={asked.output}")
    return 0


def text_of(schema: Json) -> str:
    return json.dumps(schema, indent=1, ensure_ascii=False) + "\n"


def _each(games: list[str]) -> Iterator[tuple[Path, Json]]:
    for key in games:
        ruleset = registry.find(key)
        for kind, schema_of in GAME_FILES.items():
            yield Path(key) / f"{'schema' if kind == 'any' else kind}.json", schema_of(ruleset)
    for kind, schema in OTHER_FILES.items():
        yield Path(f"{kind}.json"), schema()


def _playable() -> Iterator[Ruleset]:
    for key in registry.rulesets():
        with contextlib.suppress(TrackerError):
            yield registry.find(key)


def _write(path: Path, text: str) -> None:
    """Write a schema; it may overwrite an older one, but no other file."""
    if path.exists() and not (path.is_file() and '"$schema"' in path.read_text("utf-8", "replace")[:400]):
        raise BadData([Problem(str(path), message="is there already, and holds no schema", hint="name another file")])
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8", newline="\n")
    except OSError as error:
        raise BadData([Problem(str(path), message=error.strerror or str(error))]) from error


SCHEMA = "schema.json"


def _new(asked: argparse.Namespace) -> int:
    """Write files that do not exist yet, and print their paths; an existing schema stays as it is."""
    folder = Path(asked.folder)
    if asked.kind == "ruleset":
        return _new_ruleset(asked.game, folder)
    ruleset = registry.find(asked.game)
    files = [(folder / name, text) for name, text in _templates(asked.kind, ruleset, folder)]
    _refuse_existing(files)
    if not (folder / SCHEMA).exists():
        files.append((folder / SCHEMA, text_of(game_schema(ruleset))))
    return _write_new(folder, files)


def _new_ruleset(key: str, folder: Path) -> int:
    """Write the package of a new game, and print how to install, play and check it."""
    if why := new_ruleset.refused(key, registry.rulesets()):
        raise TrackerError(why, "bad_key")
    files = [(folder / name, text) for name, text in new_ruleset.files(key)]
    _refuse_existing(files)
    status = _write_new(folder, files)
    print_error(f"install it into the program's environment: {sys.executable} -m pip install --editable {folder}")
    print_error(
        f"play it: tracker play {folder / 'fights' / 'first_fight.yaml'}; check it: tracker check --ruleset {key}"
    )
    return status


def _refuse_existing(files: list[tuple[Path, str]]) -> None:
    if there := [Problem(str(path), message="is there already") for path, _ in files if path.exists()]:
        raise BadData(there)


def _write_new(folder: Path, files: list[tuple[Path, str]]) -> int:
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for path, text in files:
            path.parent.mkdir(exist_ok=True)
            with path.open("x", encoding="utf-8", newline="\n") as file:
                file.write(text)
            print_error(f"written: {path}")
    except OSError as error:
        raise BadData([Problem(str(error.filename or folder), message=error.strerror or str(error))]) from error
    return 0


def _templates(kind: str, ruleset: Ruleset, folder: Path) -> Iterator[tuple[str, str]]:
    if kind == "campaign":
        yield "campaign.yaml", templates.campaign(ruleset)
    if kind in ("campaign", "party"):
        yield "party.yaml", templates.party(ruleset)
    if kind in ("campaign", "bestiary"):
        yield "bestiary.yaml", templates.bestiary(ruleset)
    if kind == "campaign":
        yield "first_fight.yaml", templates.encounter(ruleset, party="campaign", foe=templates.foe_of(ruleset))
    if kind == "encounter":
        library, foe = Library(folder), templates.foe_of(ruleset)
        keys = {} if library.campaign is None else library.campaign.plain
        inherits = "party" in keys and keys.get("ruleset") == ruleset.key
        party = "campaign" if inherits else "party.yaml" if (folder / "party.yaml").is_file() else ""
        yield "encounter.yaml", templates.encounter(ruleset, party=party, foe=foe if library.find(foe) else "")


def _examples(asked: argparse.Namespace) -> int:
    """Copy the samples and name each file; existing files stay as they are."""
    games = samples.games()
    if not games:
        raise TrackerError("this installation has no sample encounters; install it anew", "no_examples")
    if asked.game not in (None, *games):
        raise TrackerError(f'there are no samples for "{asked.game}"; there are: {", ".join(games)}', "no_examples")
    target = Path(asked.folder)
    if target.exists() and not target.is_dir():
        raise TrackerError(f"{target} is not a folder", "no_folder")
    result = samples.copy_samples(target, asked.game or "")
    for path in result.written:
        print_text(str(path))
    if result.kept:
        print_error(f"{len(result.kept)} files were there already and are left as they are")
    print_error(f'{len(result.written)} files copied; play one with "tracker --library {target}"')
    return 0


def _keys(asked: argparse.Namespace) -> int:
    """Print the present keys as a keymap file; exit status 2 if the user's own has a mistake."""
    path = keymap_path()
    keymap = read_keymap(path)
    for line in template(keymap.table).splitlines():
        print_text(line)
    for problem in keymap.problems:
        print_error(f"{path.parent}{os.sep}{problem}")
    if not path.exists():
        print_error(f"there is no keymap file yet; keep what is printed, or a part of it, as {path}")
    return 2 if keymap.problems else 0
