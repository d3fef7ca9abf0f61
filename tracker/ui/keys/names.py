"""What keys are called on the screen."""

from __future__ import annotations

from functools import lru_cache

NAMES = {
    "exclamation_mark": "!",
    "quotation_mark": '"',
    "number_sign": "#",
    "dollar_sign": "$",
    "percent_sign": "%",
    "ampersand": "&",
    "apostrophe": "'",
    "left_parenthesis": "(",
    "right_parenthesis": ")",
    "asterisk": "*",
    "plus": "+",
    "comma": ",",
    "minus": "-",
    "full_stop": ".",
    "slash": "/",
    "colon": ":",
    "semicolon": ";",
    "less_than_sign": "<",
    "equals_sign": "=",
    "greater_than_sign": ">",
    "question_mark": "?",
    "at": "@",
    "left_square_bracket": "[",
    "backslash": "\\",
    "right_square_bracket": "]",
    "circumflex_accent": "^",
    "underscore": "_",
    "grave_accent": "`",
    "left_curly_bracket": "{",
    "vertical_line": "|",
    "right_curly_bracket": "}",
    "tilde": "~",
    "pageup": "page up",
    "pagedown": "page down",
    "escape": "esc",
}
"""How keys are called on the screen, where not by the name the terminal library has for them."""


@lru_cache(maxsize=1000)
def called(key: str) -> str:
    """Return one key as people call it."""
    before, plus, last = key.rpartition("+")
    return NAMES.get(key) or before + plus + NAMES.get(last, last)


def face(key: str) -> str:
    """Return the first of some keys as people call it."""
    return called(key.partition(",")[0])
