"""Fights with the real games and the encounters that come with them, and the dice that begin them."""

from __future__ import annotations

from pathlib import Path

from tests.ui.drive import SETTINGS, Table, fight
from tracker.library.encounters import load_encounter
from tracker.session.registry import find
from tracker.session.session import Session
from tracker.session.settings import Settings

__all__ = ["ENCOUNTERS", "action_pane", "begun"]

ENCOUNTERS = Path(__file__).resolve().parents[2] / "encounters"


def begun(folder: Path, game: str, name: str, settings: Settings = SETTINGS) -> Session:
    """Open one of the encounters that come with the program."""
    prepared = load_encounter(ENCOUNTERS / game / f"{name}.yaml", find).encounter
    assert prepared is not None
    return fight(folder, prepared, find(game), settings)


def action_pane(table: Table) -> str:
    """Return what the action pane of the usual screen shows, as one line."""
    lines = table.text().splitlines()
    top = next(number for number, line in enumerate(lines) if line.startswith("╭─ 4 "))
    return " ".join(" ".join(line[1:45] for line in lines[top + 1 : -2]).split())
