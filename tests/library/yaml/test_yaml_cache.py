"""Kept copies of large files."""

import os
from pathlib import Path

import msgspec
import pytest

from tracker.library.yaml import cache as module
from tracker.library.yaml.cache import Cache
from tracker.library.yaml.tree import load

MONSTERS = [{"name": "Goblin", "hp": 4}, {"name": "[b]Worg\x1b", "hp": 9}]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder that holds nothing yet."""
    place = tmp_path / "cache"
    place.mkdir()
    return place


def kept(folder: Path) -> list[Path]:
    return list(folder.iterdir())


def test_what_was_stored_comes_back(folder: Path) -> None:
    """The copy equals what was stored.

    The folder is made when needed.
    """
    cache = Cache(folder / "new" / "folder", b"1")
    key = cache.key(b"content")

    assert cache.store(key, MONSTERS)
    assert cache.load(key) == MONSTERS


def test_other_content_or_version_is_another_copy(folder: Path) -> None:
    """Nothing stale is ever found."""
    one, two = Cache(folder, b"1"), Cache(folder, b"2")

    assert len({one.key(b"a"), one.key(b"b"), two.key(b"a")}) == 3


def test_a_missing_copy_is_none(folder: Path) -> None:
    """No folder, no file: nothing happens."""
    assert Cache(folder / "nowhere", b"1").load("k") is None


@pytest.mark.parametrize("place", [0, 3, 4, 10, -1])
def test_a_damaged_copy_is_ignored(folder: Path, place: int) -> None:
    """One turned bit anywhere is noticed."""
    cache = Cache(folder, b"1")
    cache.store("k", MONSTERS)
    (file,) = kept(folder)
    data = bytearray(file.read_bytes())
    data[place] ^= 1
    file.write_bytes(data)

    assert cache.load("k") is None


@pytest.mark.parametrize("length", [0, 2, 4, 12])
def test_a_cut_off_copy_is_ignored(folder: Path, length: int) -> None:
    """So is one that was not written to its end by something else."""
    cache = Cache(folder, b"1")
    cache.store("k", MONSTERS)
    (file,) = kept(folder)
    file.write_bytes(file.read_bytes()[:length])

    assert cache.load("k") is None


def test_a_folder_in_the_copys_place_is_ignored(folder: Path) -> None:
    """What cannot be read is not there.

    What cannot be written is not kept.
    """
    (folder / "k.msgpack").mkdir()

    assert Cache(folder, b"1").load("k") is None
    assert not Cache(folder, b"1").store("k", {"name": "x"})


def test_a_folder_that_cannot_be_made_keeps_nothing(folder: Path) -> None:
    """A file stands where the folder should be."""
    (folder / "file").write_text("")

    assert not Cache(folder / "file" / "cache", b"1").store("k", {"name": "x"})


def test_a_value_without_a_form_is_not_kept(folder: Path) -> None:
    """Numbers beyond 64 bits have none.

    Nothing is left behind.
    """
    assert not Cache(folder, b"1").store("k", {"hp": 1 << 70})
    assert kept(folder) == []


def test_a_copy_is_whole_or_not_there(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Written beside and put in place in one go.

    A failure leaves the former copy and nothing else.
    """
    cache = Cache(folder, b"1")
    cache.store("k", {"name": "old"})

    def fail(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "replace", fail)

    assert not cache.store("k", {"name": "new"})
    assert cache.load("k") == {"name": "old"}
    assert len(kept(folder)) == 1


def test_the_oldest_copies_are_forgotten(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The folder does not grow for ever."""
    monkeypatch.setattr(module, "MOST_KEPT", 3)
    cache = Cache(folder, b"1")
    for age in range(5):
        cache.store(f"k{age}", {"name": str(age)})
        os.utime(folder / f"k{age}.msgpack", (age, age))

    assert sorted(file.name for file in kept(folder)) == ["k2.msgpack", "k3.msgpack", "k4.msgpack"]


def test_the_content_is_messagepack_behind_a_check_sum(folder: Path) -> None:
    """A plain format: four bytes, then the value."""
    Cache(folder, b"1").store("k", {"name": "Goblin", "hp": 4})

    assert msgspec.msgpack.decode((folder / "k.msgpack").read_bytes()[4:]) == {"name": "Goblin", "hp": 4}


def test_a_large_file_is_read_from_its_copy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The second reading gives the same tree, positions and all, without the parser.

    A file that has changed is parsed.
    """
    monkeypatch.setattr("tracker.library.yaml.cache.kept_copies", lambda: Cache(tmp_path / "cache", b"1"))
    path = tmp_path / "bestiary.yaml"
    path.write_text("monsters:\n" + "".join(f"  - {{name: Goblin {number}, hp: {number}}}\n" for number in range(5000)))
    first = load(path)
    monkeypatch.setattr("tracker.library.yaml.tree.parse", lambda *_: pytest.fail("parsed again"))

    assert load(path) == first
    assert first.position(("monsters", 4999, "hp")) == (5001, 29)

    monkeypatch.undo()
    path.write_text(path.read_text().replace("Goblin 4999", "Worg"))
    assert load(path).find(("monsters", 4999, "name")) == "Worg"


def test_a_large_file_with_problems_is_read_anew(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Problems are told each time, so nothing is kept of a file that has any.

    A copy of another shape is none.
    """
    copies = Cache(tmp_path / "cache", b"1")
    monkeypatch.setattr("tracker.library.yaml.cache.kept_copies", lambda: copies)
    path = tmp_path / "bestiary.yaml"
    path.write_text("monsters:\n" + "  - {name: Goblin, name: Worg}\n" * 5000)

    assert load(path).problems == load(path).problems != ()
    assert not (tmp_path / "cache").exists()
    path.write_text("monsters:\n" + "  - {name: Goblin}\n" * 6000)
    copies.store(copies.key(path.read_bytes()), "words")
    assert load(path).find(("monsters", 5999, "name")) == "Goblin"
