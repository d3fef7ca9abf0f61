"""Errors of rulesets: the line about one, and the problem file with its traceback."""

from __future__ import annotations

import sys
import traceback
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from types import CodeType

from tracker.core.terms.errors import RulesBug
from tracker.library.private_files import make_folder, private

PROGRAM = ("tracker", "textual", "rich")
"""Packages whose frames are not the author's."""


class RulesetError(RulesBug):
    """A call of a ruleset that failed, in one line with the place."""


_written: dict[tuple[Path, str], Path] = {}


def crash_report_folder() -> Path:
    """Return the folder of problem files for use without a journal of the user's own."""
    import platformdirs  # only needed after an error

    return platformdirs.user_data_path("encounter-tracker", appauthor=False) / "problems"


def place_of(error: BaseException) -> str:
    """Return `file.py:LINE in function` of the author's innermost function in an error or its cause, or ""."""
    if isinstance(error, SyntaxError) and error.filename:
        return f"{_short(error.filename)}:{error.lineno or 1}"
    frames = list(_frames(error))
    causes = [] if error.__cause__ is None else list(_frames(error.__cause__))
    for each in (frames, causes):
        if own := [place for package, place in each if package not in PROGRAM]:
            return own[-1]
    return frames[-1][1] if len(frames) > 1 else ""


def error_line(error: BaseException) -> str:
    if isinstance(error, RulesetError):
        return error.message
    lines = _message(error).splitlines()
    place = place_of(error)
    return f"{type(error).__name__}: {lines[0] if lines else 'no message'}{f' ({place})' if place else ''}"


def place_of_function(function: object) -> str:
    """Return the place where a function is defined, or "" if that is unknown."""
    code = getattr(getattr(function, "__func__", function), "__code__", None)
    return f"{_short(code.co_filename)}:{code.co_firstlineno} in {code.co_name}" if isinstance(code, CodeType) else ""


def describe(error: BaseException, folder: Path | None = None, consequence: str = "") -> str:
    """Return the line about an error: what, where, the consequence, and the problem file with the traceback."""
    line = error_line(error)
    text = "".join(traceback.format_exception(error))
    return f"{line}{f'; {consequence}' if consequence else ''}; problem file: {write_crash_report(line, text, folder)}"


def write_crash_report(line: str, text: str, folder: Path | None = None) -> str:
    """Write a problem file, once for each error; return its path, or in brackets why there is none."""
    try:
        folder = folder or crash_report_folder()
        path = _written.get((folder, line))
        if path is None or not path.exists():
            make_folder(folder)
            path = folder / f"slip-{datetime.now(UTC).strftime('%Y%m%d-%H%M%S-%f')}.txt"
            with open(path, "x", encoding="utf-8", errors="replace", opener=private) as file:
                file.write(f"{line}\n\n{text}")
            _written[folder, line] = path
    except OSError as error:
        return f"(no problem file: {error})"
    return str(path)


def _message(error: BaseException) -> str:
    try:
        return str(error)
    except BaseException as worse:  # noqa: BLE001 - the message of an error is the ruleset's own code
        return f"its message cannot be read: {type(worse).__name__}"


def _frames(error: BaseException) -> Iterator[tuple[str, str]]:
    for frame, line in traceback.walk_tb(error.__traceback__):
        package = str(frame.f_globals.get("__name__", "")).partition(".")[0]
        if package not in sys.stdlib_module_names:
            code = frame.f_code
            yield package, f"{_short(code.co_filename)}:{line} in {code.co_name}"


def _short(name: str) -> str:
    path = Path(name)
    return str(Path(path.parent.name, path.name)) if path.name == "__init__.py" else path.name
