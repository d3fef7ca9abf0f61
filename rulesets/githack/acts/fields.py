"""Fields that several forms of GitHack have: an ability, and Advantage or Disadvantage."""

from __future__ import annotations

from functools import lru_cache

from rulesets.githack.blocks.canonical import ABILITIES
from tracker.core.terms.actions import Field, Option

EDGES = tuple(Option(edge) for edge in ("none", "advantage", "disadvantage"))


@lru_cache(maxsize=32)
def ability(default: str, name: str = "ability", also: tuple[str, ...] = ()) -> Field:
    """Return the field for an ability, the default first.

    `also` are words that may stand for none.
    """
    listed = (default, *(ability for ability in ABILITIES if ability != default)) if default in ABILITIES else ABILITIES
    options = (*(Option(word) for word in also), *(Option(word, word.upper()) for word in listed))
    return Field(name, "choice", default=default, required=not also, options=options)


def edge(name: str = "edge", label: str = "", note: str = "") -> Field:
    """Return the field for Advantage and Disadvantage."""
    return Field(name, "choice", label, "none", EDGES, note=note)
