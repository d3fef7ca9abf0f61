"""`tracker new`: commented files to begin with."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from pathlib import Path

from tracker.cli.commands.schema import text_of
from tracker.cli.output import complain
from tracker.core.game.ruleset import Ruleset
from tracker.core.terms.errors import BadData
from tracker.library.schemas import templates
from tracker.library.schemas.files import game_schema
from tracker.library.shelves.shelf import Shelf
from tracker.library.yaml.problems import Problem
from tracker.session.rulesets import registry

__all__ = ["run"]

SCHEMA = "schema.json"


def run(asked: argparse.Namespace) -> int:
    """Write the files, and say where they are.

    None of them may be there yet; a schema that is there is left as it is.
    """
    ruleset, folder = registry.find(asked.game), Path(asked.folder)
    files = [(folder / name, text) for name, text in _files(asked.kind, ruleset, folder)]
    if there := [Problem(str(path), message="is there already") for path, _ in files if path.exists()]:
        raise BadData(there)
    if not (folder / SCHEMA).exists():
        files.append((folder / SCHEMA, text_of(game_schema(ruleset))))
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for path, text in files:
            with path.open("x", encoding="utf-8", newline="\n") as file:
                file.write(text)
            complain(f"written: {path}")
    except OSError as error:
        raise BadData([Problem(str(error.filename or folder), message=error.strerror or str(error))]) from error
    return 0


def _files(kind: str, ruleset: Ruleset, folder: Path) -> Iterator[tuple[str, str]]:
    if kind == "campaign":
        yield "campaign.yaml", templates.campaign(ruleset)
    if kind in ("campaign", "party"):
        yield "party.yaml", templates.party(ruleset)
    if kind in ("campaign", "bestiary"):
        yield "bestiary.yaml", templates.bestiary(ruleset)
    if kind == "campaign":
        yield "first_fight.yaml", templates.encounter(ruleset, party="campaign", foe=templates.foe_of(ruleset))
    if kind == "encounter":
        shelf, foe = Shelf(folder), templates.foe_of(ruleset)
        above = shelf.campaign
        inherits = above is not None and "party" in above.plain and above.plain.get("ruleset") == ruleset.key
        party = "campaign" if inherits else "party.yaml" if (folder / "party.yaml").is_file() else ""
        yield "encounter.yaml", templates.encounter(ruleset, party=party, foe=foe if shelf.find(foe) else "")
