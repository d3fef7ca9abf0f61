"""Replay files: the fight and the step at which a ruleset failed."""

from __future__ import annotations

import os
from datetime import UTC, datetime
from pathlib import Path

import msgspec
from msgspec import Raw

from tracker.core.clock.joining import slug
from tracker.core.terms.values import Codec
from tracker.library.private import make_folder, private
from tracker.session.rows import Stored
from tracker.session.step.runner import Failed
from tracker.session.store.exchange import lines_of

__all__ = ["write_replay"]

LONGEST = 80


def write_replay(folder: Path, name: str, failed: Failed, *, stored: Stored | None, codec: Codec) -> str:
    """Write a replay file and return its place, or in brackets why there is none.

    The file can be imported like an exported fight; its last line holds the step, the answers it had, and where it
    failed.
    """
    stamp = datetime.now(UTC).strftime("%Y%m%d-%H%M%S-%f")
    path = folder / f"{slug(name)[:LONGEST]}-{stamp}.jsonl"  # an id that a file brought may be any text
    try:
        problem = {
            "line": "problem",
            "text": failed.message,
            "step": Raw(codec.encode(failed.step)),
            "answers": Raw(codec.encode(failed.answers)),
            "details": failed.details,
        }
        make_folder(folder)
        with open(path, "xb", opener=private) as file:
            file.writelines(() if stored is None else lines_of(stored))
            file.write(msgspec.json.encode(problem) + b"\n")
            file.flush()
            os.fsync(file.fileno())
    except (
        OSError,
        NotImplementedError,
        TypeError,
    ) as error:  # the last two: a value the ruleset made that cannot be stored
        return f"(no problem file: {error})"
    return str(path)
