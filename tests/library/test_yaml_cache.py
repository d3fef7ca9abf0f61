"""Typed copies of large files."""

import os
from pathlib import Path

import msgspec
import pytest
from msgspec import Struct

from tracker.library import cache as module
from tracker.library.cache import Cache


class Dice:
    def __init__(self, text: str) -> None:
        self.text = text

    def __str__(self) -> str:
        return self.text


class Monster(Struct, frozen=True):
    name: str
    hp: int = 1


class Armed(Struct, frozen=True):
    damage: Dice


MONSTERS = (Monster("Goblin", 4), Monster("[b]Worg\x1b", 9))
KIND = tuple[Monster, ...]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder that holds nothing yet."""
    place = tmp_path / "cache"
    place.mkdir()
    return place


def kept(folder: Path) -> list[Path]:
    return list(folder.iterdir())


def test_what_was_stored_comes_back_typed(folder: Path) -> None:
    """The copy equals what was stored; the folder is made when needed."""
    cache = Cache(folder / "new" / "folder", "1")
    key = cache.key(b"content", KIND)

    assert cache.store(key, MONSTERS)
    assert cache.load(key, KIND) == MONSTERS


def test_custom_types_are_kept_as_text(folder: Path) -> None:
    """Written by str, read by their parser."""
    cache = Cache(folder, "1", {Dice: Dice})
    cache.store("k", Armed(Dice("1d6")))
    loaded = cache.load("k", Armed)

    assert loaded is not None
    assert ("1d6", Dice) == (loaded.damage.text, type(loaded.damage))


def test_other_content_version_or_type_is_another_copy(folder: Path) -> None:
    """Nothing stale is ever found."""
    one, two = Cache(folder, "1"), Cache(folder, "2")

    assert len({one.key(b"a", KIND), one.key(b"b", KIND), two.key(b"a", KIND), one.key(b"a", Monster)}) == 4


def test_a_missing_copy_is_none(folder: Path) -> None:
    """No folder, no file: nothing happens."""
    assert Cache(folder / "nowhere", "1").load("k", Monster) is None


@pytest.mark.parametrize("place", [0, 3, 4, 10, -1])
def test_a_damaged_copy_is_ignored(folder: Path, place: int) -> None:
    """One turned bit anywhere is noticed."""
    cache = Cache(folder, "1")
    cache.store("k", MONSTERS)
    (file,) = kept(folder)
    data = bytearray(file.read_bytes())
    data[place] ^= 1
    file.write_bytes(data)

    assert cache.load("k", KIND) is None


@pytest.mark.parametrize("length", [0, 2, 4, 12])
def test_a_cut_off_copy_is_ignored(folder: Path, length: int) -> None:
    """So is one that was not written to its end by something else."""
    cache = Cache(folder, "1")
    cache.store("k", MONSTERS)
    (file,) = kept(folder)
    file.write_bytes(file.read_bytes()[:length])

    assert cache.load("k", KIND) is None


def test_a_copy_of_another_shape_is_ignored(folder: Path) -> None:
    """A type that changed under the same version reads nothing wrong."""
    cache = Cache(folder, "1")
    cache.store("k", ("just", "words"))

    assert cache.load("k", KIND) is None


def test_a_folder_in_the_copys_place_is_ignored(folder: Path) -> None:
    """What cannot be read is not there; what cannot be written is not kept."""
    (folder / "k.msgpack").mkdir()

    assert Cache(folder, "1").load("k", Monster) is None
    assert not Cache(folder, "1").store("k", Monster("x"))


def test_a_folder_that_cannot_be_made_keeps_nothing(folder: Path) -> None:
    """A file stands where the folder should be."""
    (folder / "file").write_text("")

    assert not Cache(folder / "file" / "cache", "1").store("k", Monster("x"))


def test_a_value_without_a_form_is_not_kept(folder: Path) -> None:
    """Numbers beyond 64 bits have none; nothing is left behind."""
    assert not Cache(folder, "1").store("k", Monster("x", 1 << 70))
    assert kept(folder) == []


def test_a_copy_is_whole_or_not_there(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Written beside and put in place in one go; a failure leaves the former copy and nothing else."""
    cache = Cache(folder, "1")
    cache.store("k", Monster("old"))

    def fail(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "replace", fail)

    assert not cache.store("k", Monster("new"))
    assert Monster("old") == cache.load("k", Monster)
    assert len(kept(folder)) == 1


def test_the_oldest_copies_are_forgotten(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The folder does not grow for ever."""
    monkeypatch.setattr(module, "MOST_KEPT", 3)
    cache = Cache(folder, "1")
    for age in range(5):
        cache.store(f"k{age}", Monster(str(age)))
        os.utime(folder / f"k{age}.msgpack", (age, age))

    assert sorted(file.name for file in kept(folder)) == ["k2.msgpack", "k3.msgpack", "k4.msgpack"]


def test_the_content_is_messagepack_behind_a_check_sum(folder: Path) -> None:
    """A plain format: four bytes, then the value."""
    Cache(folder, "1").store("k", Monster("Goblin", 4))

    assert msgspec.msgpack.decode((folder / "k.msgpack").read_bytes()[4:]) == {"name": "Goblin", "hp": 4}
