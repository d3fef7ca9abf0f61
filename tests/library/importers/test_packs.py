"""Compendiums of Foundry are read as it keeps them, as databases in LevelDB's format."""

from __future__ import annotations

import contextlib
import json
import struct
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.library.importers.reading import SAMPLES, items_in
from tests.support.shares import tries
from tracker.cli.main import main
from tracker.core.game.foreign import Creature
from tracker.library.importers import leveldb, sources
from tracker.library.importers.results import Unreadable

PACK = SAMPLES / "foundry_pack"
PARTS = {path.name: path.read_bytes() for path in PACK.iterdir()}
WOLVES = [("Ash Wolf", "2", 13, "Bite"), ("Fen Wolf", "4", 14, "Bite")]


def wolves(path: Path) -> list[object]:
    """Return the creatures of a path as numbers, and what is said of the rest."""
    return [
        (each.name, each.hd, each.ac, each.blows[0].name) if isinstance(each, Creature) else each
        for each in items_in(path)
    ]


def test_a_compendium_is_read_as_a_folder_and_in_an_archive(tmp_path: Path) -> None:
    """The newest state of each actor counts, with the items it carries."""
    with zipfile.ZipFile(tmp_path / "world.zip", "w") as packed:
        for name, data in PARTS.items():
            packed.writestr(f"packs/wolves/{name}", data)
        packed.writestr("logs/12.log", "no database")

    assert wolves(PACK) == WOLVES
    assert wolves(tmp_path / "world.zip") == WOLVES


def test_a_compendium_that_cannot_be_read_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """One line with its folder says so, and to export it."""

    def said(changed: dict[str, bytes]) -> str:
        for name, data in (PARTS | changed).items():
            (tmp_path / name).write_bytes(data)
            if not data:
                (tmp_path / name).unlink()
        (nothing,) = wolves(tmp_path)
        assert isinstance(nothing, Unreadable)
        assert nothing.what.startswith(str(tmp_path))
        return nothing.why

    table = PARTS["000005.ldb"]
    assert "a file of the database is missing: 000005.ldb; export" in said({"000005.ldb": b""})
    assert "a table of the database is damaged" in said({"000005.ldb": table[:-1]})
    assert "the database is damaged" in said({"000005.ldb": table[200:]})
    assert "a compendium without actors" in said({"MANIFEST-000002": b"", "000004.log": b"", "000005.ldb": b""})
    monkeypatch.setattr(leveldb, "MOST", 500)
    assert "the database is too large" in said({})
    monkeypatch.setattr(sources, "LARGEST_ALL", 500)
    assert "compendiums of more than" in said({})


@tries(30)
@given(st.sampled_from(sorted(PARTS)), st.integers(0, 2000), st.binary(min_size=1, max_size=4))
def test_a_damaged_compendium_costs_only_itself(name: str, place: int, other: bytes) -> None:
    """Whatever its bytes are, they are read or refused."""
    data = PARTS[name]
    at = place % len(data)

    with contextlib.suppress(ValueError):
        held = leveldb.read({**PARTS, name: data[:at] + other + data[at + len(other) :]})
        assert all(isinstance(value, bytes) for value in held.values())


# -- a writer, for the way back --------------------------------------------------------------------------------------


def number(value: int) -> bytes:
    """Return a number as LevelDB writes it."""
    return bytes([value]) if value < 0x80 else bytes([value & 0x7F | 0x80]) + number(value >> 7)


def text(data: bytes) -> bytes:
    return number(len(data)) + data


def log(records: list[bytes]) -> bytes:
    """Return records as a log keeps them, in pages."""
    made = b""
    for record in records:
        first = True
        while first or record:
            left = leveldb.PAGE - len(made) % leveldb.PAGE
            if left < leveldb.HEAD:
                made += bytes(left)
                continue
            part, record = record[: left - leveldb.HEAD], record[left - leveldb.HEAD :]
            kind = (1 if first else 4) if not record else (2 if first else 3)
            made += struct.pack("<IHB", 0, len(part), kind) + part
            first = False
    return made


def batch(change: int, key: bytes, value: bytes | None) -> bytes:
    """Return one change as a record of the log."""
    return struct.pack("<QI", change, 1) + (b"\0" + text(key) if value is None else b"\1" + text(key) + text(value))


def packed(data: bytes) -> Iterator[bytes]:
    """Yield what Snappy might make of bytes.

    Short and long texts, and copies of every width.
    """
    yield number(len(data))
    at = 0
    while at < len(data):
        long = min(4 + at % 8, len(data) - at)
        back = data.rfind(data[at : at + long], max(0, at - 2000), at + long - 1) if long >= 4 else -1
        if back < 0:
            long = min(1 + at % 90, len(data) - at)
            yield bytes([long - 1 << 2]) if long <= 60 else bytes([60 << 2, long - 1])
            yield data[at : at + long]
        elif at % 3 == 0:
            yield bytes([1 | long - 4 << 2 | at - back >> 8 << 5, at - back & 0xFF])
        else:
            form, kind = ("<BH", 2) if at % 3 == 1 else ("<BI", 3)
            yield struct.pack(form, kind | long - 1 << 2, at - back)
        at += long


def table(entries: list[tuple[bytes, int, bytes | None]], per_block: int) -> bytes:
    """Return sorted entries as a table."""
    made, handles = b"", []
    for start in range(0, len(entries), per_block):
        keys = [
            (key + struct.pack("<Q", change << 8 | (value is not None)), value or b"")
            for key, change, value in entries[start : start + per_block]
        ]
        data = b"".join(packed(block(keys)))
        handles.append((keys[-1][0], number(len(made)) + number(len(data))))
        made += data + bytes([leveldb.SNAPPY]) + bytes(4)
    index = block(handles)
    footer = number(0) + number(0) + number(len(made)) + number(len(index))
    return made + index + bytes(5) + footer.ljust(40, b"\0") + struct.pack("<Q", leveldb.MAGIC)


def block(pairs: list[tuple[bytes, bytes]]) -> bytes:
    """Return pairs as a block; a key is written without what it shares with the one before."""
    made, before = b"", b""
    for key, value in pairs:
        shared = next((at for at, (one, other) in enumerate(zip(key, before, strict=False)) if one != other), 0)
        made += number(shared) + number(len(key) - shared) + number(len(value)) + key[shared:] + value
        before = key
    return made + struct.pack("<II", 0, 1)


KEYS = st.sampled_from([b"a", b"ab", b"abc", b"b", b"!actors!x", b"!actors!xy"])
CHANGES = st.lists(st.tuples(KEYS, st.none() | st.binary(max_size=300) | st.just(b"wolf " * 9000)), max_size=12)


@tries(30)
@given(CHANGES, st.integers(0, 12), st.integers(1, 4))
def test_what_was_written_is_read(changes: list[tuple[bytes, bytes | None]], tidied: int, per_block: int) -> None:
    """The newest value of every key, in a table or in the log."""
    numbered = [(key, change, value) for change, (key, value) in enumerate(changes, 1)]
    files = {"000007.log": log([batch(change, key, value) for key, change, value in numbered[tidied:]])}
    files["000005.ldb"] = table(sorted(numbered[:tidied], key=lambda each: (each[0], -each[1])), per_block)
    edit = number(2) + number(7) + number(7) + number(0) + number(5) + number(9) + text(b"a") + text(b"z")
    files |= {"CURRENT": b"MANIFEST-000009\n", "MANIFEST-000009": log([number(1) + text(b"bytes") + edit])}
    stale = {"000004.ldb": b"of no account", "000003.log": log([batch(999, b"a", b"stale")])}

    held = leveldb.read({**files, **stale})

    assert held == {key: value for key, value in sorted(dict(changes).items()) if value is not None}


def test_an_adventure_holds_actors(tmp_path: Path) -> None:
    """All it is made of lies in one entry."""
    wolf = {"name": "Ash Wolf", "type": "npc", "system": {"baseAc": 13, "hitDice": "2", "ab": 2}, "items": []}
    adventure = json.dumps({"name": "Ashes", "scenes": [], "actors": [wolf]}).encode()
    (tmp_path / "000001.log").write_bytes(log([batch(1, b"!adventures!a", adventure)]))
    (tmp_path / "CURRENT").write_bytes(b"MANIFEST-000002")

    found = items_in(tmp_path)

    assert [each.name for each in found if isinstance(each, Creature)] == ["Ash Wolf"]


def test_what_a_compendium_has_not_is_said(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """In the result, in `tracker check` and by the exit status."""
    bite = {"_id": "b", "name": "Bite", "type": "weapon", "system": {"damage": "1d6"}, "effects": ["e", "lost"]}
    wolf = {"name": "Ash Wolf", "type": "npc", "system": {"baseAc": 13, "hitDice": "2", "ab": 2}, "effects": ["f"]}
    held = {
        b"!actors!w": {**wolf, "items": ["b", "gone"]},
        b"!actors.items!w.b": bite,
        b"!actors.items.effects!w.b.e": {"name": "Venom"},
        b"!actors.effects!w.f": {"label": "Fury"},
    }
    records = [batch(change, key, json.dumps(block).encode()) for change, (key, block) in enumerate(held.items(), 1)]
    (tmp_path / "000001.log").write_bytes(log(records))
    (tmp_path / "CURRENT").write_bytes(b"MANIFEST-000002")
    made = tmp_path / "wolves.yaml"

    status = main(["import-statblock", str(tmp_path), "-o", str(made)])

    lost = ['items "gone"', "effect Fury", 'Bite: effects "lost"', "Bite: effect Venom"]
    said = capsys.readouterr().err
    assert status == 1
    assert all(f"Ash Wolf: not read: {part}" in said for part in lost)
    assert main(["check", str(made)]) == 0
    told = capsys.readouterr().out
    assert all(part in told for part in ["look it over", *lost])
    assert "dmg: 1d6" in made.read_text("utf-8")


def test_a_change_that_was_never_ended_does_not_count() -> None:
    """The program was killed while it wrote, and has written on later."""
    begun = struct.pack("<IHB", 0, 4, 2) + b"half"

    assert leveldb.read({"000001.log": begun + log([batch(2, b"a", b"b")])}) == {b"a": b"b"}
    assert leveldb.read({"000001.log": log([batch(2, b"a", b"b")]) + begun[:-1]}) == {b"a": b"b"}
