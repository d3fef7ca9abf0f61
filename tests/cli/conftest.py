"""Runs of the program in this process, with the made-up game installed."""

import json
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from tests.cli import driver
from tracker.cli.main import main
from tracker.session.rulesets import registry

ENCOUNTER = """\
ruleset: skirmish
title: A brawl
sides:
  - name: Party
    control: players
    members:
      - {name: Ada, hp: 10, ac: 14}
      - {name: Bo, hp: 8}
      - {name: Cara, hp: 8}
  - name: Thugs
    control: gm
    members:
      - {name: Thug, hp: 6, count: 2}
      - {name: Boss, hp: 2d6+2}
"""
START = "- start: {answers: [7]}\n"
ADA_HITS = "- {do: blow, by: Ada, target: Thug 1, answers: [14, 5]}\n"
THUGS = "- advance\n"
THUG_HITS = "- {do: blow, by: Thug 1, target: Ada, answers: [15, 3]}\n"


class Ran(NamedTuple):
    """What a run printed."""

    status: int
    lines: list[dict[str, Any]]
    err: str
    out: str

    @property
    def last(self) -> dict[str, Any]:
        """What came of the last entry."""
        return self.lines[-2]

    @property
    def state(self) -> dict[str, Any]:
        """The state printed last."""
        found: dict[str, Any] = self.lines[-1]["state"]
        return found

    def hp(self, who: str) -> int:
        """Hit points at the end."""
        return int(self.state["combatants"][who]["hp"])


class Program:
    """The program and a folder with an encounter."""

    def __init__(self, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
        self.folder, self._capsys = folder, capsys
        self.encounter = self.file("brawl.yaml", ENCOUNTER)

    def file(self, name: str, text: str) -> Path:
        path = self.folder / name
        path.write_text(text, encoding="utf-8")
        return path

    def __call__(self, *words: str | Path) -> Ran:
        status = main([str(word) for word in words])
        out, err = self._capsys.readouterr()
        whole = [out] if out.startswith("[") else out.splitlines()
        lines = [json.loads(text) for text in whole if text.startswith(("{", "["))]
        return Ran(status, lines, err, out)

    def run(self, script: str, *more: str | Path) -> Ran:
        """Play a script whose start gives the boss his hit points."""
        return self("run", self.encounter, "--script", self.file("script.yaml", START + script), *more)


@pytest.fixture
def program(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Program:
    """The program, with the made-up game."""
    monkeypatch.setattr(registry, "find", driver.find)
    monkeypatch.setattr(registry, "rulesets", driver.rulesets)
    folder = tmp_path / "files"
    folder.mkdir()
    return Program(folder, capsys)
