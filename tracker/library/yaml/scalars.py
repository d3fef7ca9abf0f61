"""What an unquoted word in a file stands for.

YAML 1.2 narrowed to what people expect: `true`, `false`, `null`, `~`, nothing, decimal numbers. Everything else is the
    text that was typed:
`No`, `on`, `1:30`, `012`, `0x1F`, `1_000`, `2024-01-31`, `.inf`.
"""

from __future__ import annotations

import re
from typing import TypeAlias

__all__ = ["Scalar", "plain_value"]

Scalar: TypeAlias = str | int | float | bool | None

_WORDS: dict[str, Scalar] = {"": None, "~": None, "null": None, "true": True, "false": False}
# No leading zeros, and no number that 64 bits could not hold: those are text, and a field that wants a number says so.
_INT = re.compile(r"[-+]?(?:0|[1-9][0-9]{0,17})")
_FLOAT = re.compile(r"[-+]?(?:\.[0-9]+|(?:0|[1-9][0-9]{0,17})(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]{1,2})?")


def plain_value(text: str) -> Scalar:
    """Return the value of an unquoted scalar."""
    if text in _WORDS:
        return _WORDS[text]
    if _INT.fullmatch(text):
        return int(text)
    if _FLOAT.fullmatch(text):
        return float(text)
    return text
