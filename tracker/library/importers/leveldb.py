"""Databases in LevelDB's format, read and never written.

Tables have sorted entries, the log has later ones; the manifest names the files that count. Of all entries of a key the
newest counts. Checksums are not tested: a damaged value is no JSON, which its parser reports.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from struct import error as StructError
from struct import unpack_from

import msgspec

PART = re.compile(r"CURRENT|MANIFEST-\d+|\d+\.(?:ldb|sst|log)")
"""The names of a database's files."""
MAGIC = 0xDB4775248B80FB57
FOOTER, TRAILER = 48, 5
PAGE, HEAD = 32_768, 7
PLAIN, SNAPPY = 0, 1
MOST = 400 * 1024 * 1024
"""Bytes of an unpacked database, so that a small file cannot fill the memory."""
_Entry = tuple[bytes, int, bytes | None]
"""A key, the number of its change, and its value; None: deleted."""


def read(files: Mapping[str, bytes]) -> dict[bytes, bytes]:
    """Return the values of a database by key, in their order; raises ValueError with a few words."""
    newest: dict[bytes, tuple[int, bytes | None]] = {}
    try:
        for key, number, value in _entries(files):
            if key not in newest or newest[key][0] <= number:
                newest[key] = number, value
    except (IndexError, StructError) as error:
        raise ValueError("the database is damaged") from error
    return {key: value for key, (_, value) in sorted(newest.items()) if value is not None}


def _entries(files: Mapping[str, bytes]) -> Iterator[_Entry]:
    room = MOST
    for name in _living(files):
        blocks, entries = (_batches, _changes) if name.endswith(".log") else (_blocks, _sorted)
        for block in blocks(files[name]):
            room -= len(block)
            if room < 0:
                raise ValueError("the database is too large")
            yield from entries(block)


def _living(files: Mapping[str, bytes]) -> list[str]:
    """Return the tables and logs that count, without a manifest all."""
    numbers = {name: int(name.partition(".")[0]) for name in files if name[0].isdigit()}
    manifest = files.get(files.get("CURRENT", b"").decode("ascii", "replace").strip())
    if manifest is None:
        return sorted(numbers)
    tables, oldest = set[int](), 0
    for edit in _batches(manifest):
        added, removed, oldest = _edit(edit, oldest)
        tables = tables - removed | added
    missing = tables - set(numbers.values())
    if missing:
        raise ValueError(f"a file of the database is missing: {min(missing):06}.ldb")
    return sorted(
        name for name, number in numbers.items() if number in tables or (name.endswith(".log") and number >= oldest)
    )


def _edit(data: bytes, oldest: int) -> tuple[set[int], set[int], int]:
    """Return the files a record of the manifest adds and removes, and the oldest log."""
    added, removed, at = set[int](), set[int](), 0
    while at < len(data):
        tag, at = _number(data, at)
        if tag == 1:  # the order of keys
            _, at = _text(data, at)
        elif tag in (2, 3, 4, 9):  # the log, the next file, the last change, the log before
            value, at = _number(data, at)
            oldest = value if tag == 2 else oldest
        elif tag == 5:  # how far a level is compacted
            _, at = _number(data, at)
            _, at = _text(data, at)
        elif tag in (6, 7):
            _, at = _number(data, at)
            file, at = _number(data, at)
            (removed if tag == 6 else added).add(file)
            if tag == 7:  # its size, its first key and its last
                _, at = _number(data, at)
                _, at = _text(data, at)
                _, at = _text(data, at)
        else:
            raise ValueError("the database is of a kind that is not known")
    return added, removed, oldest


def _batches(data: bytes) -> Iterator[bytes]:
    """Yield the records of a log, without a last one that was cut off."""
    at, whole = 0, bytearray()
    while at + HEAD <= len(data):
        left = PAGE - at % PAGE
        size, kind = unpack_from("<HB", data, at + 4) if left >= HEAD else (0, 0)
        if kind == 0:  # the rest of a page is empty
            at += left
            continue
        if at + HEAD + size > len(data):
            return
        if kind in (1, 2):  # whole, or its first part: an unfinished record before it does not count
            whole.clear()
        whole += data[at + HEAD : at + HEAD + size]
        at += HEAD + size
        if kind in (1, 4):  # whole, or its last part
            yield bytes(whole)


def _changes(batch: bytes) -> Iterator[_Entry]:
    first, many = unpack_from("<QI", batch)
    at = 12
    for number in range(first, first + many):
        kind = batch[at]
        key, at = _text(batch, at + 1)
        value = None
        if kind == 1:
            value, at = _text(batch, at)
        yield key, number, value


def _blocks(table: bytes) -> Iterator[bytes]:
    if len(table) < FOOTER or unpack_from("<Q", table, len(table) - 8)[0] != MAGIC:
        raise ValueError("a table of the database is damaged")
    place, size, at = _handle(table, len(table) - FOOTER)
    place, size, at = _handle(table, at)
    for _, handle in _pairs(_block(table, place, size)):
        place, size, _ = _handle(handle, 0)
        yield _block(table, place, size)


def _handle(data: bytes, at: int) -> tuple[int, int, int]:
    place, at = _number(data, at)
    size, at = _number(data, at)
    return place, size, at


def _block(table: bytes, place: int, size: int) -> bytes:
    kind = table[place + size]
    if kind not in (PLAIN, SNAPPY):
        raise ValueError("the database is packed in a way that is not known")
    data = table[place : place + size]
    return data if kind == PLAIN else _unpacked(data)


def _pairs(block: bytes) -> Iterator[tuple[bytes, bytes]]:
    """Yield the keys and values of a block; a key is stored without the bytes it shares with the key before."""
    (restarts,) = unpack_from("<I", block, len(block) - 4)
    at, end, key = 0, len(block) - 4 - 4 * restarts, b""
    while at < end:
        shared, at = _number(block, at)
        own, at = _number(block, at)
        size, at = _number(block, at)
        key = key[:shared] + block[at : at + own]
        at += own + size
        yield key, block[at - size : at]


def _sorted(block: bytes) -> Iterator[_Entry]:
    """Yield the entries of a block of a table; a key ends with the number of its change and its kind."""
    for key, value in _pairs(block):
        (mark,) = unpack_from("<Q", key, len(key) - 8)
        yield key[:-8], mark >> 8, value if mark & 0xFF else None


def _unpacked(data: bytes) -> bytes:
    """Unpack Snappy's format: literal bytes, and copies of earlier ones."""
    size, at = _number(data, 0)
    if size > MOST:
        raise ValueError("the database is too large")
    unpacked = bytearray()
    while at < len(data) and len(unpacked) <= size:
        mark, at = data[at], at + 1
        kind, rest = mark & 3, mark >> 2
        if kind == 0:
            more = max(0, rest - 59)
            long = (int.from_bytes(data[at : at + more], "little") if more else rest) + 1
            unpacked += data[at + more : at + more + long]
            at += more + long
            continue
        wide = (0, 1, 2, 4)[kind]
        back = int.from_bytes(data[at : at + wide], "little") + ((mark >> 5) << 8 if kind == 1 else 0)
        long = (rest & 7) + 4 if kind == 1 else rest + 1
        at += wide
        if not 0 < back <= len(unpacked):
            raise ValueError("the database is damaged")
        part = bytes(unpacked[-back:][:long])
        unpacked += (part * (long // len(part) + 1))[:long]
    if len(unpacked) != size:
        raise ValueError("the database is damaged")
    return bytes(unpacked)


def _number(data: bytes, at: int) -> tuple[int, int]:
    """Return a number of any length, and the place behind it."""
    number = shift = 0
    while True:
        part = data[at]
        at += 1
        number |= (part & 0x7F) << shift
        shift += 7
        if part < 0x80:
            return number, at
        if shift > 63:
            raise ValueError("the database is damaged")


def _text(data: bytes, at: int) -> tuple[bytes, int]:
    size, at = _number(data, at)
    if at + size > len(data):
        raise ValueError("the database is damaged")
    return data[at : at + size], at + size


ACTOR, ITEM, ADVENTURE = b"!actors!", b"!actors.items!", b"!adventures!"
EFFECT, ITEM_EFFECT = b"!actors.effects!", b"!actors.items.effects!"


def is_part(name: str) -> bool:
    return PART.fullmatch(name) is not None


def actors(files: Mapping[str, bytes]) -> Iterator[tuple[str, bytes]]:
    """Yield the actors of a compendium as JSON, by id, with items and effects; adventures as they are."""
    values = read(files)
    for key, data in values.items():
        if key.startswith(ACTOR):
            own = key.removeprefix(ACTOR)
            yield own.decode("utf-8", "replace"), _whole(own, data, values)
        elif key.startswith(ADVENTURE):
            yield key.removeprefix(ADVENTURE).decode("utf-8", "replace"), data


def _whole(own: bytes, data: bytes, values: Mapping[bytes, bytes]) -> bytes:
    """Return an actor with its items and effects in place of their ids; an unknown id stays."""
    try:
        actor = msgspec.json.decode(data)
        if not isinstance(actor, dict):
            return data
        filled = _filled(actor, ITEM, own, values, "items")
        items = filled.get("items")
        for item in items if isinstance(items, list) else ():
            if isinstance(item, dict) and isinstance(item.get("_id"), str):
                item |= _filled(item, ITEM_EFFECT, b"%b.%b" % (own, item["_id"].encode()), values, "effects")
        return msgspec.json.encode(_filled(filled, EFFECT, own, values, "effects"))
    except (msgspec.DecodeError, RecursionError, ValueError):
        return data  # the parser of JSON reports what is wrong


def _filled(
    block: dict[str, object], mark: bytes, own: bytes, values: Mapping[bytes, bytes], key: str
) -> dict[str, object]:
    """Return a block with the entries of a list in place of their ids."""
    listed = block.get(key)
    if not isinstance(listed, list):
        return block
    keys = [b"%b%b.%b" % (mark, own, part.encode()) if isinstance(part, str) else b"" for part in listed]
    parts = zip(keys, listed, strict=True)
    return block | {key: [msgspec.json.decode(values[name]) if name in values else part for name, part in parts]}
