"""Compendiums of Foundry as it keeps them: databases whose entries make up actors."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping

import msgspec

from tracker.library.foreign import leveldb

__all__ = ["actors", "is_pack", "is_part"]

ACTOR, ITEM, ADVENTURE = b"!actors!", b"!actors.items!", b"!adventures!"
EFFECT, ITEM_EFFECT = b"!actors.effects!", b"!actors.items.effects!"


def is_part(name: str) -> bool:
    """Tell whether a file of this name may be part of a database."""
    return leveldb.PART.fullmatch(name) is not None


def is_pack(names: Collection[str]) -> bool:
    """Tell whether files that lie beside each other are a database."""
    return "CURRENT" in names or any(name.endswith(".ldb") for name in names)


def actors(files: Mapping[str, bytes]) -> Iterator[tuple[str, bytes]]:
    """Yield the actors of a compendium as JSON, by their ids.

    Each has the items it carries and the effects on them. An adventure has its actors in it and comes as it is.

    Raises:
        ValueError: with a few words, where the database cannot be read.
    """
    held = leveldb.read(files)
    for key, data in held.items():
        if key.startswith(ACTOR):
            own = key.removeprefix(ACTOR)
            yield own.decode("utf-8", "replace"), _whole(own, data, held)
        elif key.startswith(ADVENTURE):
            yield key.removeprefix(ADVENTURE).decode("utf-8", "replace"), data


def _whole(own: bytes, data: bytes, held: Mapping[bytes, bytes]) -> bytes:
    """Return an actor with its items and effects in place of their ids.

    An id of which the compendium has nothing is left, so that it is said.
    """
    try:
        actor = msgspec.json.decode(data)
        if not isinstance(actor, dict):
            return data
        found = _filled(actor, ITEM, own, held, "items")
        items = found.get("items")
        for item in items if isinstance(items, list) else ():
            if isinstance(item, dict) and isinstance(item.get("_id"), str):
                item |= _filled(item, ITEM_EFFECT, b"%b.%b" % (own, item["_id"].encode()), held, "effects")
        return msgspec.json.encode(_filled(found, EFFECT, own, held, "effects"))
    except (msgspec.DecodeError, RecursionError, ValueError):
        return data  # what reads JSON says what is wrong with it


def _filled(
    block: dict[str, object], mark: bytes, own: bytes, held: Mapping[bytes, bytes], key: str
) -> dict[str, object]:
    """Return a block with the entries of a list in place of their ids."""
    listed = block.get(key)
    if not isinstance(listed, list):
        return block
    keys = [b"%b%b.%b" % (mark, own, part.encode()) if isinstance(part, str) else b"" for part in listed]
    parts = zip(keys, listed, strict=True)
    return block | {key: [msgspec.json.decode(held[name]) if name in held else part for name, part in parts]}
