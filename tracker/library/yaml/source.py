"""Files as text: size, encoding and characters are checked before anything is parsed.

Only the given file is read, and never more than `LARGEST_FILE` bytes of it.
"""

from __future__ import annotations

import re
import stat
from itertools import islice
from pathlib import Path as FilePath

from tracker.library.yaml.problems import Problem, visible

LARGEST_FILE = 20 * 1024 * 1024
MOST_REPORTED = 20
MOST_FORBIDDEN = 1_000  # characters; a file with more of them is no text
MOST_DIRECTIVES = 20

_UTF32 = (b"\xff\xfe\x00\x00", b"\x00\x00\xfe\xff")
_UTF16 = (b"\xff\xfe", b"\xfe\xff")
_UTF8_MARK = b"\xef\xbb\xbf"
_SAVE_AS = "save it as UTF-8"

_CONTROL_BYTES = bytes(code for code in (*range(0x20), 0x7F) if code not in b"\t\n\r")
# Controls, line ends of YAML 1.1 alone (editors do not count them), a byte order mark inside the text, non-characters.
_FORBIDDEN = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff]")
_DIRECTIVE = re.compile(r"^%", re.MULTILINE)
_LINE_END = re.compile(r"\r\n|\r|\n")


def read_bytes(path: FilePath, file: str) -> bytes | Problem:
    """Read a file unless it is too large, or return why it cannot be read."""
    try:
        status = path.stat()
        if stat.S_ISDIR(status.st_mode):
            return Problem(file, message="this is a folder, not a file")
        if not stat.S_ISREG(status.st_mode):
            return Problem(file, message="this is not an ordinary file")
        if status.st_size > LARGEST_FILE:
            return _too_large(file)
        with path.open("rb") as stream:
            data = stream.read(LARGEST_FILE + 1)  # it may have grown since
    except FileNotFoundError:
        return Problem(file, message="there is no such file")
    except PermissionError:
        return Problem(file, message="the file may not be read", hint="check its permissions")
    except (OSError, ValueError) as error:  # ValueError: a NUL in the name
        return Problem(file, message=f"the file cannot be read: {getattr(error, 'strerror', None) or error}")
    return data if len(data) <= LARGEST_FILE else _too_large(file)


def _too_large(file: str) -> Problem:
    message = f"too large: at most {LARGEST_FILE // 1024 // 1024} MB are read"
    return Problem(file, message=message, hint="split it into several files")


def decode(data: bytes, file: str) -> tuple[str, list[Problem]] | Problem:
    """Return the text, with a sign for each wrong character, and its problems; or the problem that ends the reading."""
    if len(data) > LARGEST_FILE:
        return _too_large(file)
    for marks, name in ((_UTF32, "UTF-32"), (_UTF16, "UTF-16")):
        if data.startswith(marks):
            return Problem(file, 1, 1, message=f"the text is {name}, not UTF-8", hint=_SAVE_AS)
    data = data.removeprefix(_UTF8_MARK)
    if b"\0" in data:
        return _with_nul(data, file)
    problems: list[Problem] = []
    try:
        text = data.decode()
    except UnicodeDecodeError as error:
        place = _position(data[: error.start].decode(), error.start)
        message = f"the byte 0x{data[error.start]:02x} is not UTF-8"
        problems.append(Problem(file, *place, message=message, hint=_SAVE_AS))
        text = data.decode(errors="replace")
    # The parser compares each line that begins with % with all others.
    many = next(islice(_DIRECTIVE.finditer(text), MOST_DIRECTIVES, None), None) if "%" in text else None
    if many is not None:
        message = f"more than {MOST_DIRECTIVES} lines begin with %"
        return Problem(file, *_position(text, many.start()), message=message, hint="delete them, or indent the text")
    # For plain ASCII this is ten times as fast as the expression.
    if text.isascii() and len(data.translate(None, _CONTROL_BYTES)) == len(data):
        return text, problems
    matches = list(islice(_FORBIDDEN.finditer(text), MOST_FORBIDDEN + 1))
    if len(matches) > MOST_FORBIDDEN:
        message = f"more than {MOST_FORBIDDEN} characters that have no place in a text file"
        return Problem(file, *_position(text, matches[0].start()), message=message, hint=_SAVE_AS)
    problems += _forbidden(text, file, matches)
    return _FORBIDDEN.sub("\ufffd", text) if matches else text, problems


def _with_nul(data: bytes, file: str) -> Problem:
    start = data[:200]
    if max(start[0::2].count(0), start[1::2].count(0)) * 3 > len(start):
        return Problem(file, 1, 1, message="the text is UTF-16, not UTF-8", hint=_SAVE_AS)
    before = data.index(b"\0")
    place = _position(data[:before].decode(errors="replace"), before)
    return Problem(file, *place, message="a NUL byte: this is not a text file")


def _forbidden(text: str, file: str, matches: list[re.Match[str]]) -> list[Problem]:
    problems: list[Problem] = []
    for match in matches[:MOST_REPORTED]:
        message = f"the character {visible(match[0])} has no place in a text file"
        if len(matches) > MOST_REPORTED and match is matches[MOST_REPORTED - 1]:
            message += f", nor have the {len(matches) - MOST_REPORTED} others that follow"
        problems.append(Problem(file, *_position(text, match.start()), message=message, hint="delete it"))
    return problems


def _position(text: str, offset: int) -> tuple[int, int]:
    line, start = 1, 0
    for end in _LINE_END.finditer(text, 0, offset):
        line, start = line + 1, end.end()
    return line, min(offset, len(text)) - start + 1


WIDEST = 300


def excerpts(problems: tuple[Problem, ...]) -> tuple[tuple[str, str], ...]:
    """Return the line of each problem in its file and a line with a caret, or two empty ones."""
    files = {file: _lines(file) for file in {problem.file for problem in problems}}
    return tuple(_excerpt(files[problem.file], problem) for problem in problems)


def _excerpt(lines: list[str], problem: Problem) -> tuple[str, str]:
    if not 0 < problem.line <= len(lines):
        return "", ""
    line, column = lines[problem.line - 1].rstrip("\r\n").replace("\t", " "), max(0, problem.column - 1)
    before = visible(line[:column])
    start = max(0, len(before) - WIDEST // 2)
    return (before + visible(line[column:]))[start : start + WIDEST], " " * (len(before) - start) + "^"


def _lines(file: str) -> list[str]:
    data = read_bytes(FilePath(file), file)
    decoded = data if isinstance(data, Problem) else decode(data, file)
    # Lines end as in an editor, not at every sign that may end one.
    return [] if isinstance(decoded, Problem) else decoded[0].replace("\r\n", "\n").replace("\r", "\n").split("\n")
