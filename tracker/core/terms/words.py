"""Words put together: enumerations and possessives."""

from __future__ import annotations

from collections.abc import Sequence

__all__ = ["last_part", "listed", "possessive"]


def listed(words: Sequence[str], most: int = 8) -> str:
    """Return words as an enumeration: `a, b and c`.

    Of many only the first.
    """
    if len(words) > most:
        return ", ".join(words[:most]) + f" and {len(words) - most} more"
    return " and ".join((", ".join(words[:-1]), words[-1])) if len(words) > 1 else "".join(words)


def possessive(name: str) -> str:
    """Return whose something is: `Wolf's`, `Goblins'`."""
    return f"{name}'" if name.endswith("s") else f"{name}'s"


def last_part(key: str) -> str:
    """Return the end of a request's path as words."""
    return key.rpartition("/")[2].replace("_", " ").replace(":", " ")
