"""The page for authors shows the files as they are, and what it says works."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tomllib
from importlib import import_module
from pathlib import Path

import pytest

from tests.recipes.table import encounter
from tests.support.tables import for_each
from tracker.testing import inspect

HERE = Path(__file__).parent
PAGE = (HERE.parents[1] / "docs" / "writing-a-ruleset.md").read_text(encoding="utf-8")
RECIPES = sorted(path for path in HERE.glob("*/*.py") if path.name != "__init__.py")
MOST_LINES = 80


def blocks(language: str) -> list[str]:
    """Return the blocks of code of one language, in order."""
    return re.findall(rf"^```{language}\n(.*?)^```$", PAGE, re.DOTALL | re.MULTILINE)


@for_each("path", RECIPES)
def test_the_page_shows_the_recipe(path: Path) -> None:
    """Exactly once, as the file stands, and short."""
    text = path.read_text(encoding="utf-8")

    assert blocks("python").count(text) == 1
    assert len(text.splitlines()) <= MOST_LINES


def test_every_recipe_on_the_page_is_a_file() -> None:
    """No code below the recipes that no test has tried."""
    part = PAGE[PAGE.index("\n## Recipes\n") :]
    shown = re.findall(r"^```python\n(.*?)^```$", part, re.DOTALL | re.MULTILINE)

    assert sorted(shown) == sorted(path.read_text(encoding="utf-8") for path in RECIPES)


@pytest.fixture
def installed(tmp_path: Path) -> Path:
    """The three files of the first chapter in a folder, the game installed from it."""
    project = tomllib.loads(blocks("toml")[0])
    (tmp_path / "fists.py").write_text(blocks("python")[0], encoding="utf-8")
    (tmp_path / "ford.yaml").write_text(blocks("yaml")[0], encoding="utf-8")
    info = tmp_path / "tracker_fists-1.0.dist-info"
    info.mkdir()
    points = project["project"]["entry-points"]["tracker.rulesets"]
    lines = [f"{name} = {target}" for name, target in points.items()]
    (info / "entry_points.txt").write_text("\n".join(["[tracker.rulesets]", *lines, ""]), encoding="utf-8")
    return tmp_path


def run(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    """Run the program in the folder, with the game on the path."""
    path = os.pathsep.join((str(folder), str(HERE.parents[1])))
    return subprocess.run(
        [sys.executable, "-m", "tracker", *words],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": path},
        capture_output=True,
        text=True,
        check=False,
    )


def test_the_first_fight_is_played_as_the_page_says(installed: Path) -> None:
    """Nothing is wrong with its file, and the fight goes on to a blow."""
    assert blocks("python")[0] == (HERE / "first_game.py").read_text(encoding="utf-8")
    assert blocks("yaml")[0] == (HERE / "first_encounter.yaml").read_text(encoding="utf-8")
    checked = run(installed, "check", "ford.yaml")
    assert (checked.returncode, checked.stdout, checked.stderr) == (0, "", "no problems in 1 file\n")

    (installed / "ford.script.yaml").write_text(
        "- {do: hit, by: Ada, target: Wolf 1, answers: [5]}\n- expect: {combatants: {Wolf 1: {hp: 4}}}\n",
        encoding="utf-8",
    )
    played = run(installed, "run", "ford.yaml", "--script", "ford.script.yaml", "--quiet")
    assert (played.returncode, played.stderr) == (0, "")


def test_the_first_game_is_checked_as_the_page_says(installed: Path) -> None:
    """It has no slip, and one that is put in is named with its line."""
    sound = run(installed, "check", "--ruleset", "fists")
    assert (sound.returncode, sound.stdout) == (0, "")
    assert sound.stderr.startswith("no problems in Fists, played ")

    game = installed / "fists.py"
    game.write_text(game.read_text(encoding="utf-8").replace('"up" if one.hp', '"well" if one.hp'), encoding="utf-8")
    broken = run(installed, "check", "--ruleset", "fists")
    assert broken.returncode == 2
    assert re.search(r'^fists\.py:\d+ in settle: "well" is none of the statuses', broken.stdout, re.MULTILINE)


def test_a_slip_is_told_as_the_page_says(installed: Path) -> None:
    """File, line and function, and a problem file that is there."""
    game = installed / "fists.py"
    game.write_text(game.read_text(encoding="utf-8").replace(">= 3", ">= 3 / 0"), encoding="utf-8")
    (installed / "ford.script.yaml").write_text(
        "- {do: hit, by: Ada, target: Wolf 1, answers: [5]}\n", encoding="utf-8"
    )
    played = run(installed, "run", "ford.yaml", "--script", "ford.script.yaml", "--quiet")

    found = re.search(
        r"Fists: ZeroDivisionError: .* \(fists\.py:\d+ in hit\); nothing has changed; problem file: (\S+)",
        played.stderr,
    )
    assert played.returncode == 1
    assert found is not None, played.stderr
    assert "Traceback" in Path(found[1]).read_text(encoding="utf-8")


@for_each("path", RECIPES)
def test_no_recipe_shows_a_slip(path: Path) -> None:
    """Each is played at random: what it offers is accepted, and nothing raises."""
    recipe = import_module(f"tests.recipes.{path.parent.name}.{path.stem}")
    stats = {"name": "Ada"} if path.stem == "blocks" else {}

    assert [str(slip) for slip in inspect(recipe.RULESET, {"ford": encounter(recipe.RULESET, **stats)}).problems] == []
