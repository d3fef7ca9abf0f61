"""Every command line and every YAML block of the documents is run."""

from __future__ import annotations

import re
import shlex
import shutil
import zipfile
from pathlib import Path

import pytest

from rulesets.worlds_without_number import RULESET
from tests.docs.test_games import problems_of
from tests.ui.drive import SETTINGS
from tracker.cli.main import COMMANDS, main
from tracker.library.content.encounters import load_encounter
from tracker.session.session import Session
from tracker.session.store.journal import Journal
from tracker.ui.keys.keymap import read_keymap

ROOT = Path(__file__).resolve().parents[2]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md")), *sorted((ROOT / "docs" / "games").glob("*.md"))]
ELSEWHERE = ("writing-a-ruleset.md", "yaml.md", "keys.md")
"""Pages whose YAML tests of their own load, with what belongs around it; `keys.md` has a keymap."""
_BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_INDENTED = re.compile(r"^    (tracker\b.*)$", re.MULTILINE)
FIRST = "Toll at the broken bridge"
STANDS_FOR = {"ENCOUNTER.yaml": "ford.yaml", "FIGHT": FIRST, "FOLDER": "samples", "KEY": "githack", "Wolf": "Ordwen"}
STANDS_FOR |= {"GAME": "githack", "DIR": "mine", "FILE": "goblin.txt", "PAGE": "start"}
MAY_STOP = ("run", "import-statblock")
NEEDS_A_TERMINAL = ("play", "improvise", "screen", "open")


def command_lines(page: Path) -> list[str]:
    """Return what a page says to type, without what stands behind it in words."""
    text = page.read_text(encoding="utf-8")
    blocks = [body for kind, body in _BLOCK.findall(text) if kind in ("sh", "text")]
    lines = [line for body in blocks for line in body.splitlines()] + _INDENTED.findall(text)
    typed = [re.split(r"\s{2,}|\s+#", line.strip())[0] for line in lines]
    return [line for line in typed if line.split(" ")[0] == "tracker"]


TYPED = [(page.name, line) for page in PAGES for line in command_lines(page)]


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the files the documents speak of, and a journal with a fight."""
    folder = tmp_path_factory.mktemp("typed")
    own = ROOT / "encounters" / "worlds_without_number"
    for file in own.glob("*.yaml"):
        shutil.copy(file, folder)
    shutil.copy(folder / "first_fight.yaml", folder / "ford.yaml")
    shutil.copytree(ROOT / "encounters" / "githack", folder / "samples")
    (folder / "ford.script.yaml").write_text("- start: {}\n", encoding="utf-8")
    (folder / "goblin.txt").write_text("Goblin: AC 6 [13], HD 1-1, Att 1 × weapon (1d6)\n", encoding="utf-8")
    foreign = ROOT / "tests" / "library" / "importers" / "samples"
    (folder / "actors").mkdir()
    shutil.copy(foreign / "foundry_wwn.json", folder / "actors")
    with zipfile.ZipFile(folder / "vault.zip", "w") as vault:
        vault.write(foreign / "fantasy_statblock.md", "fantasy_statblock.md")
    found = load_encounter(folder / "ford.yaml", lambda key: RULESET).encounter
    assert found is not None
    with Journal.open(folder / "fights.db") as journal:
        Session.start(journal, RULESET, found, SETTINGS).close()
    return folder


def test_command_lines_run(place: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """Each is understood and does its work; what draws a screen goes on until it finds no terminal."""
    monkeypatch.chdir(place)
    monkeypatch.setattr(Journal, "default_path", staticmethod(lambda: place / "fights.db"))
    monkeypatch.setattr("tracker.serve.server.serve", lambda *arguments, **named: None)
    wrong: list[str] = []
    for page, line in TYPED:
        words = [STANDS_FOR.get(word, word) for word in shlex.split(line)[1:]]
        if words[:2] == ["check", "--ruleset"] or words[:1] == ["forecast"]:
            continue  # tests of their own play a game at random, and fights by the hundred
        status, said = main(words), capsys.readouterr()
        drawn = not words or words[0] in NEEDS_A_TERMINAL or (words[0] not in COMMANDS and words[0] != "--help")
        shutil.rmtree(place / "mine", ignore_errors=True)
        # A script without dice stops at the first roll, and what is not understood of a file is said.
        fine = "needs a terminal" in said.err if drawn else status == 0 or (status == 1 and words[0] in MAY_STOP)
        if not fine:
            wrong.append(f"{page}: {line}: {status} {said.err}")

    assert wrong == []
    assert len(TYPED) > 15


def test_yaml_blocks_load(tmp_path: Path) -> None:
    """Those of the games' pages and of some others have tests of their own."""
    blocks = [
        (page.name, body)
        for page in PAGES
        if page.parent.name != "games" and page.name not in ELSEWHERE
        for kind, body in _BLOCK.findall(page.read_text(encoding="utf-8"))
        if kind == "yaml"
    ]

    assert [(name, problems_of("worlds_without_number", body, tmp_path)) for name, body in blocks] == [
        (name, []) for name, _ in blocks
    ]
    assert blocks


def test_the_keymap_reads_without_a_problem(tmp_path: Path) -> None:
    ((_, body),) = _BLOCK.findall((ROOT / "docs" / "keys.md").read_text(encoding="utf-8"))
    file = tmp_path / "keys.yaml"
    file.write_text(body, encoding="utf-8")

    assert read_keymap(file).problems == ()
