"""What the importers find in files and values."""

from __future__ import annotations

import json
from pathlib import Path

from tracker.library.importers.detect import found_in
from tracker.library.importers.results import ImportedItem, Unreadable
from tracker.library.importers.sources import Content, contents

__all__ = ["SAMPLES", "items_in", "items_of"]

SAMPLES = Path(__file__).parent / "samples"


def items_in(path: Path) -> list[ImportedItem]:
    """Return what a file, a folder or an archive holds. What cannot be read is among it."""
    found: list[ImportedItem] = []
    for content in contents(path):
        found += [content] if isinstance(content, Unreadable) else found_in(content)
    return found


def items_of(value: object) -> list[ImportedItem]:
    """Return what a value holds, written as JSON."""
    return list(found_in(Content("x.json", json.dumps(value).encode())))
