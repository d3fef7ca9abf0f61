"""The registry: rulesets by key, imported when they are wanted."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from importlib import metadata
from pathlib import Path

import pytest

from tests.support.sides import RULESET as DUEL
from tracker.core.terms.errors import TrackerError
from tracker.library.guard import unwrapped
from tracker.session.rulesets import registry
from tracker.session.rulesets.registry import entry_points

POINTS = {
    "sides": "tests.support.sides:RULESET",
    "s": "tests.support.sides:RULESET",
    "single_combat": "tests.support.sides:RULESET",
    "broken_game": "tests.support.no_such_module:RULESET",
    "no_game": "tests.support.sides:duel",
}


@pytest.fixture(autouse=True)
def points(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(registry, "entry_points", lambda group: POINTS)
    registry._points.cache_clear()
    registry.find.cache_clear()
    yield
    registry._points.cache_clear()
    registry.find.cache_clear()


def test_each_ruleset_is_listed_once() -> None:
    """Several names of one ruleset are aliases of the name of its module. Listing imports nothing."""
    assert registry.rulesets() == ("broken_game", "no_game", "sides")
    assert "tests.support.no_such_module" not in sys.modules


@pytest.mark.parametrize("key", ["sides", "s", "single combat", "Sides", " SIDES "])
def test_a_ruleset_is_found(key: str) -> None:
    """By key or alias, in any case."""
    assert unwrapped(registry.find(key)) is DUEL


@pytest.mark.parametrize(
    ("key", "reason", "words"),
    [
        ("sidess", "no_such_ruleset", "did you mean sides"),
        ("chess", "no_such_ruleset", "broken_game, no_game, sides"),
        ("broken-game", "ruleset_broken", "no_such_module"),
        ("no game", "ruleset_broken", "is no ruleset but a function"),
    ],
)
def test_a_ruleset_that_cannot_be_had(key: str, reason: str, words: str) -> None:
    """An error names the ruleset, and what is wrong or near."""
    with pytest.raises(TrackerError, match=words) as raised:
        registry.find(key)

    assert raised.value.reason == reason


def test_a_ruleset_whose_import_fails(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever a module raises while it is imported is said in one clear error."""
    monkeypatch.setattr(registry, "entry_points", lambda group: {"odd": "tests.support.sides:RULESET.missing"})

    with pytest.raises(TrackerError, match="AttributeError"):
        registry.find("odd")


def test_the_folders_say_what_python_says() -> None:
    """Entry points and version read from the folders are those of the standard library."""
    registry._distributions.cache_clear()

    assert entry_points(registry.GROUP) == {
        point.name: point.value for point in metadata.entry_points(group=registry.GROUP)
    }
    assert registry.app_version() == metadata.version("encounter-tracker")


def test_a_home_made_ruleset_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Any distribution on the path may bring rulesets."""
    for folder, target in (("one", "mine.rules:GAME"), ("two", "theirs:GAME")):
        info = tmp_path / folder / "Home.Made-1.0.dist-info"
        info.mkdir(parents=True)
        (info / "entry_points.txt").write_text(
            f"[console_scripts]\nx = y:z\n[{registry.GROUP}]\n# note\nhome_made = {target} [extra]\n"
        )
    broken = tmp_path / "one" / "broken-2.dist-info"
    broken.mkdir()
    (broken / "entry_points.txt").write_bytes(b"\xff")
    monkeypatch.setattr("sys.path", [str(tmp_path / "one"), str(tmp_path / "none"), str(tmp_path / "two")])
    registry._distributions.cache_clear()
    try:
        found = entry_points(registry.GROUP)
    finally:
        registry._distributions.cache_clear()

    assert found == {"home_made": "mine.rules:GAME"}


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("def half(:\n    pass\n", r"slip_half\.py:1\)"),
        ("def half():\n    raise KeyError('whole')\n\n\nhalf()\n", r"slip_half\.py:2 in half\)"),
    ],
)
def test_a_module_with_a_slip(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: str, place: str) -> None:
    """The author's own line is named, and a problem file with the traceback."""
    (tmp_path / "slip_half.py").write_text(text, encoding="utf-8")
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.setattr(registry, "entry_points", lambda group: {"half": "slip_half:RULESET"})

    with pytest.raises(TrackerError, match=place) as raised:
        registry.find("half")

    assert "slip_half.py" in Path(raised.value.message.rpartition(": ")[2]).read_text(encoding="utf-8")
