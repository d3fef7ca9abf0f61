"""Text from files and people, made safe to show.

Control characters are made visible, and text is never markup.
"""

from __future__ import annotations

import unicodedata
from functools import lru_cache

MOST_MARKS = 3
MOST_CACHED = 200

# They only tell a renderer how to join or colour the characters beside them; terminals disagree on the width of the
# result.
_JOINERS = frozenset("\u00ad\u200b\u200c\u200d\u2060\ufeff" + "".join(map(chr, range(0xFE00, 0xFE10))))


def clean(text: str) -> str:
    """Return a text as one line without control characters.

    Control characters become their pictures (`␛`), other invisible ones their code (`<U+202E>`), odd blanks plain;
    more than a few marks piled on one character are dropped.
    """
    if text.isascii() and text.isprintable():
        return text
    return _cleaned(text) if len(text) <= MOST_CACHED else _clean(text)


def _clean(text: str) -> str:
    parts: list[str] = []
    marks = 0
    for character in text:
        if character in _JOINERS:
            continue
        if character.isprintable():
            marks = marks + 1 if unicodedata.category(character) in {"Mn", "Me", "Mc"} else 0
            if marks <= MOST_MARKS:
                parts.append(character)
            continue
        marks = 0
        parts.append(_visible(character))
    return "".join(parts)


def _visible(character: str) -> str:
    code = ord(character)
    if character == "\t" or unicodedata.category(character) == "Zs":
        return " "
    if code < 0x20:
        return chr(0x2400 + code)
    if code == 0x7F:
        return "␡"
    return f"<U+{code:04X}>"


_cleaned = lru_cache(maxsize=2048)(_clean)


def clean_lines(text: str) -> tuple[str, ...]:
    return tuple(clean(line) for line in text.replace("\r\n", "\n").split("\n"))


def key_words(key: str) -> str:
    return key.replace("_", " ")


def signed(number: int) -> str:
    """Return a number with its sign, the minus as wide as the plus: `+3`, `−2`."""
    return f"+{number}" if number >= 0 else f"−{-number}"
