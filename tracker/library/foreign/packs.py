"""Compendiums of Foundry as it keeps them: databases whose entries make up actors."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping

import msgspec

from tracker.library.foreign import leveldb

__all__ = ["actors", "is_pack", "is_part"]

ACTOR, ITEM, ADVENTURE = b"!actors!", b"!actors.items!", b"!adventures!"


def is_part(name: str) -> bool:
    """Tell whether a file of this name may be part of a database."""
    return leveldb.PART.fullmatch(name) is not None


def is_pack(names: Collection[str]) -> bool:
    """Tell whether files that lie beside each other are a database."""
    return "CURRENT" in names or any(name.endswith(".ldb") for name in names)


def actors(files: Mapping[str, bytes]) -> Iterator[tuple[str, bytes]]:
    """Yield the actors of a compendium as JSON, by their ids.

    Each has the items it carries. An adventure has its actors in it and comes as it is.

    Raises:
        ValueError: with a few words, where the database cannot be read.
    """
    held = leveldb.read(files)
    for key, data in held.items():
        if key.startswith(ACTOR):
            own = key.removeprefix(ACTOR)
            yield own.decode("utf-8", "replace"), _with_items(own, data, held)
        elif key.startswith(ADVENTURE):
            yield key.removeprefix(ADVENTURE).decode("utf-8", "replace"), data


def _with_items(own: bytes, data: bytes, held: Mapping[bytes, bytes]) -> bytes:
    """Return an actor with its items in place of their ids."""
    try:
        actor = msgspec.json.decode(data)
        if not isinstance(actor, dict) or not isinstance(items := actor.get("items"), list):
            return data
        found = [_item(own, item, held) if isinstance(item, str) else item for item in items]
        return msgspec.json.encode(actor | {"items": [item for item in found if item is not None]})
    except (msgspec.DecodeError, RecursionError, ValueError):
        return data  # what reads JSON says what is wrong with it


def _item(own: bytes, item: str, held: Mapping[bytes, bytes]) -> msgspec.Raw | None:
    data = held.get(b"%b%b.%b" % (ITEM, own, item.encode()))
    return None if data is None else msgspec.Raw(data)
