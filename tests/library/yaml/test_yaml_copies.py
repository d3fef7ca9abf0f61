"""Copies of what large files say, so that an unchanged bestiary opens at once."""

from __future__ import annotations

import os
from pathlib import Path

import platformdirs
import pytest

from tracker.library.yaml import tree as module
from tracker.library.yaml.tree import load


@pytest.fixture
def copies(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of copies, which is not there yet."""
    monkeypatch.setattr(platformdirs, "user_cache_path", lambda *_, **__: tmp_path / "cache")
    return tmp_path / "cache" / "files"


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """A bestiary large enough to be worth a copy."""
    path = tmp_path / "bestiary.yaml"
    path.write_text("monsters:\n" + "".join(f"  - {{name: Goblin {number}, hp: {number}}}\n" for number in range(5000)))
    return path


def test_an_unchanged_file_is_read_from_its_copy(file: Path, copies: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It gives the same tree, positions and all, without the parser; only the user can read it."""
    first = load(file)
    (copy,) = copies.iterdir()
    monkeypatch.setattr(module, "parse", lambda *_: pytest.fail("parsed again"))

    assert load(file) == first
    assert first.position(("monsters", 4999, "hp")) == (5001, 29)
    if os.name == "posix":  # elsewhere a user's folders are private as they are
        assert (copy.stat().st_mode & 0o777, copies.stat().st_mode & 0o777) == (0o600, 0o700)


def test_a_changed_file_is_parsed(file: Path, copies: Path) -> None:
    load(file)
    file.write_text(file.read_text().replace("Goblin 4999", "Worg"))

    assert load(file).find(("monsters", 4999, "name")) == "Worg"
    assert len(list(copies.iterdir())) == 2


def test_another_version_of_the_readers_has_copies_of_its_own(
    file: Path, copies: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    load(file)
    monkeypatch.setattr(module, "_readers_digest", lambda: b"another")
    load(file)

    assert len(list(copies.iterdir())) == 2


@pytest.mark.parametrize("change", ["cut", "flip", "words", "folder"])
def test_a_copy_that_cannot_be_used_is_as_good_as_none(file: Path, copies: Path, change: str) -> None:
    """One cut off, with a turned bit, of another shape, or no file at all."""
    first = load(file)
    (copy,) = copies.iterdir()
    data = copy.read_bytes()
    if change == "folder":
        copy.unlink()
        copy.mkdir()
    else:
        flipped = data[:10] + bytes([data[10] ^ 1]) + data[11:]
        copy.write_bytes({"cut": data[: len(data) // 2], "flip": flipped, "words": b"words"}[change])

    assert load(file) == first


def test_nothing_is_kept_of_a_file_with_problems(file: Path, copies: Path) -> None:
    file.write_text("monsters:\n" + "  - {name: Goblin, name: Worg}\n" * 5000)

    assert load(file).problems == load(file).problems != ()
    assert not copies.exists()


def test_a_folder_that_cannot_be_made_keeps_nothing(file: Path, copies: Path) -> None:
    copies.parent.write_text("")

    assert load(file).problems == ()


def test_the_oldest_copies_are_forgotten(file: Path, copies: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MOST_COPIES", 2)
    for age in range(4):
        file.write_text(file.read_text() + f"  - {{name: Worg {age}}}\n")
        before = set(copies.iterdir()) if copies.exists() else set()
        load(file)
        for copy in set(copies.iterdir()) - before:
            os.utime(copy, (age, age))

    assert len(list(copies.iterdir())) == 2
