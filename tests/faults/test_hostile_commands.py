"""Commands with a home-made ruleset that does all the harm code can do."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.cli.skirmish import SKIRMISH
from tests.faults.harness.hostile import HARMS, Switch, whole
from tracker.cli.main import main
from tracker.library.guard import guarded
from tracker.session.rulesets import registry

ENCOUNTER = """\
ruleset: skirmish
title: A brawl
sides:
  - {name: Party, control: players, members: [{name: Ada, hp: 10}, {name: Bo, hp: 8}]}
  - {name: Thugs, control: gm, members: [{name: Thug, hp: 6, count: 2}]}
"""
SCRIPT = """\
- start: {}
- advance
- advance
"""
PRINT = "Goblin: AC 6, HD 1-1, MV 60', AT 1 weapon 1d6, SV D14, ML 7, AL C, XP 5"
COMMANDS = (
    "run {file} --script {script} --seed 1",
    "actions {file} --seed 1",
    "forecast {file} --fights 3",
    "check {file}",
    "state brawl --db {db}",
    "log brawl --db {db}",
    "export brawl --db {db}",
    "import-statblock --ruleset skirmish {print}",
    "fights --db {db}",
    "doctor --db {db}",
    "schema skirmish",
    "check {folder}",
    "run {file} --script {script} --seed 1 --party-from brawl --db {db}",
)
SLOW = "check --ruleset skirmish {file}"
SECONDS = 5.0
TIRED = 60.0


class Place:
    """An encounter, a journal, and a game that can be made hostile."""

    def __init__(self, folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
        self._folder, self._capsys, self._monkeypatch = folder, capsys, monkeypatch
        for name, text in (("brawl.yaml", ENCOUNTER), ("script.yaml", SCRIPT)):
            (folder / name).write_text(text, encoding="utf-8")
        self.switch = Switch(whole(SKIRMISH))
        self._install()
        assert self.run("run {file} --script {script} --seed 1 --db {db}", SECONDS)[0] == 0, self.said

    def _install(self) -> None:
        ruleset = guarded(self.switch.ruleset)
        self._monkeypatch.setattr(registry, "find", lambda key: ruleset)
        self._monkeypatch.setattr(registry, "rulesets", lambda: ("skirmish",))

    def renew(self) -> None:
        """Forget what the game has failed at."""
        self.switch = Switch(whole(SKIRMISH))
        self._install()

    def run(self, command: str, seconds: float) -> tuple[int, str]:
        """Run a command and return its status and what it printed."""
        paths = {"{file}": "brawl.yaml", "{script}": "script.yaml", "{db}": "fights.db", "{folder}": "."}
        words = {word: str(self._folder / path) for word, path in paths.items()}
        words |= {"{print}": PRINT, "brawl": "A brawl"}
        arguments = [words.get(word, word) for word in command.split()]
        begun = time.thread_time()
        status = main(arguments)
        taken = time.thread_time() - begun
        assert taken < seconds, f"{command} took {taken:.1f} s"
        self.said = "".join(self._capsys.readouterr())
        return status, self.said

    def suffer(self, path: str, harm: str, command: str, seconds: float) -> None:
        self.switch.turn(path, harm)
        status, said = self.run(command, seconds)
        assert status in (0, 1, 2), (path, harm, command, status)
        assert "Traceback" not in said, (path, harm, command)


@pytest.fixture
def place(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Place:
    return Place(tmp_path, capsys, monkeypatch)


def test_commands_end_with_a_line_whatever_a_function_does(place: Place) -> None:
    for number, path in list(enumerate(place.switch.paths))[::11]:
        harm, command = tuple(HARMS)[number % len(HARMS)], COMMANDS[number % len(COMMANDS)]
        place.suffer(path, harm, command, SECONDS)


def test_actions_name_the_line_of_a_slip(place: Place) -> None:
    place.switch.turn("actions", "raises")
    status, said = place.run("actions {file} --seed 1", SECONDS)

    assert status == 1
    assert said.startswith("tracker: LookupError: a slip in a home-made game (hostile.py:")
    assert said.count("\n") == 1


@pytest.mark.long
@pytest.mark.parametrize("harm", HARMS)
def test_every_command_ends_whatever_a_function_does(
    place: Place, harm: str, record_property: Callable[[str, object], None]
) -> None:
    record_property("cases", len(place.switch.paths) * len(COMMANDS))
    for path in place.switch.paths:
        for command in COMMANDS:
            place.renew()
            place.suffer(path, harm, command, SECONDS)


@pytest.mark.long
@pytest.mark.parametrize("harm", HARMS)
def test_a_ruleset_is_checked_whatever_a_function_does(
    place: Place, harm: str, record_property: Callable[[str, object], None]
) -> None:
    record_property("cases", len(place.switch.paths))
    for path in place.switch.paths:
        place.renew()
        place.suffer(path, harm, SLOW, TIRED)
