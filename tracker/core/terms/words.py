"""Words put together: enumerations and possessives."""

from __future__ import annotations

from collections.abc import Sequence

__all__ = ["last_part", "listed", "needs", "possessive"]


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


def needs(added: int, against: int, word: str = "", least: int = 1, most: int = 20, made: str = "") -> str:
    """Return what a roll has to show: `+6 vs AC 12 · 6 or more hits`.

    `least`, `most`: the dice that may make it, where others fail or succeed by themselves; `made`: what they then do.
    """
    start = f"{added:+d} vs {word} {against}" if added else f"vs {word} {against}"
    wanted = against - added
    if wanted <= least:
        shown = f"{least} or more" if least > 1 else "any roll"
    else:
        shown = str(most) if wanted >= most else f"{wanted} or more"
    return f"{' '.join(start.split())} · {shown} {made}".rstrip()


def last_part(key: str) -> str:
    """Return the end of a request's path as words."""
    return key.rpartition("/")[2].replace("_", " ").replace(":", " ")
