"""What the YAML parser refuses, in words a game master understands.

The two parsers (libyaml's and the pure one) word the same mistake differently; both are matched by what they have in
common.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from tracker.library.yaml.problems import Problem, described, visible

if TYPE_CHECKING:
    from yaml.error import Mark

__all__ = ["syntax_problem"]

_LINE_END = re.compile(r"\r\n|\r|\n")
_INDENTATION = "check the indentation of this line and the one above"
_QUOTE = "put the text in quotes"

# Part of the parser's message -> message, hint. "{open}" is where the thing that is wrong began.
_MESSAGES: tuple[tuple[str, str, str], ...] = (
    ("undefined alias", "there is no such anchor before this", 'put a text that begins with "*" in quotes'),
    ("duplicate anchor", "this anchor was given at {open} already", "give it another name"),
    ("single document", "a second document begins here", "one file holds one document; delete the line with ---"),
    ("another document", "a second document begins here", "one file holds one document; delete the line with ---"),
    ("expected ',' or ']'", 'the list that "[" opened at {open} is not closed: "," or "]" expected here', ""),
    ("expected ',' or '}'", 'the block that "{{" opened at {open} is not closed: "," or "}}" expected here', ""),
    ("unexpected end of stream", "the quoted text that began at {open} has no closing quote", ""),
    ("unexpected document", "the quoted text that began at {open} has no closing quote", ""),
    ("unknown escape", "a backslash in double quotes that stands for nothing", "use single quotes, or write \\\\"),
    ("invalid Unicode character escape", "an escape that is no character", "use single quotes, or write \\\\"),
    ("hexdecimal number", "an escape that is no character", "use single quotes, or write \\\\"),
    ("hexadecimal numbers", "an escape that is no character", "use single quotes, or write \\\\"),
    ("expected ':'", 'a ":" is missing after the key that began at {open}', ""),
    ("expected alphabetic or numeric", 'a text may not begin with "&" or "*"', _QUOTE),
    ("expected key", "this does not belong to the block that began at {open}", _INDENTATION),
    ("expected <block end>", "this does not belong to the block that began at {open}", _INDENTATION),
    ("expected '-' indicator", 'an entry of the list that began at {open} must begin with "- "', _INDENTATION),
    (
        "entries are not allowed",
        'a list may not begin with "- " behind something else on the line',
        "begin the list on a line of its own",
    ),
    ("document start>", "there is something behind the end of the document", "delete it, or check the indentation"),
    ("undefined tag", 'a text may not begin with "!"', _QUOTE),
    ("tag", 'a text may not begin with "!"', _QUOTE),
    ("directive", 'a line may not begin with "%"', _QUOTE),
    ("incompatible YAML document", "this version of YAML is not read", "delete the %YAML line"),
    ("chomping or indentation", 'behind "|" and ">" the line must end', "begin the text on the next line"),
    ("comment or line break", 'behind "|" and ">" the line must end', "begin the text on the next line"),
)

_OUT_OF_PLACE = ("expected key", "expected <block end>", "expected '-' indicator")


def syntax_problem(error: Exception, text: str, file: str) -> Problem:
    """Turn what a parser raised into a problem."""
    if isinstance(error, (ValueError, OverflowError)):
        return Problem(
            file, message="an escape in double quotes is no character", hint="use single quotes, or write \\\\"
        )
    mark: Mark | None = getattr(error, "problem_mark", None) or getattr(error, "context_mark", None)
    said = str(getattr(error, "problem", None) or error)
    if mark is None:
        return Problem(
            file, 1, 1, message=f"this is not YAML: {visible(said.splitlines()[0] if said else 'unreadable')}"
        )
    line = _line(text, mark.line)
    tab = line.find("\t", 0, len(line) - len(line.lstrip()))
    if tab >= 0:
        return Problem(file, mark.line + 1, tab + 1, message="a tab in the indentation", hint="use spaces")
    message, hint = _explained(said, line, mark, getattr(error, "context_mark", None) or mark)
    return Problem(file, mark.line + 1, mark.column + 1, message=message, hint=hint)


def _explained(said: str, line: str, mark: Mark, opened: Mark) -> tuple[str, str]:
    if "mapping values are not allowed" in said:
        if ": " in line[: mark.column]:
            return 'a second ": " in one line', _QUOTE
        return 'a key and its ":" cannot stand here', _INDENTATION
    if "cannot start any token" in said:
        return f"a text may not begin with {described(line[mark.column : mark.column + 1])}", _QUOTE
    if "node content" in said:
        sign = line[mark.column : mark.column + 1]
        if not sign:
            return "the file ends where a value or a closing bracket should stand", ""
        if sign == ":":
            return 'a key is missing before ":"', ""
        return f"{described(sign)} is out of place here", "delete it, or put the text in quotes"
    if any(part in said for part in _OUT_OF_PLACE) and line[: mark.column].strip():
        return (
            "something stands behind the end of the value",
            "put the whole text in quotes; a quote inside single quotes is typed twice",
        )
    for part, message, hint in _MESSAGES:
        if part in said:
            return message.format(open=f"{opened.line + 1}:{opened.column + 1}"), hint
    return f"this is not YAML: {visible(said)}", ""


def _line(text: str, number: int) -> str:
    start = 0
    for count, end in enumerate(_LINE_END.finditer(text)):
        if count == number:
            return text[start : end.start()]
        start = end.end()
    return text[start:]
