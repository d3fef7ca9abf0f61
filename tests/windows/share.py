"""One process's share of the test files, where several run them side by side.

`TESTS_SHARE=0/2` leaves every other file to the other of two processes.
"""

from __future__ import annotations

import os
from pathlib import Path
from zlib import crc32

__all__ = ["SHARE", "pytest_ignore_collect"]

SHARE = "TESTS_SHARE"


def pytest_ignore_collect(collection_path: Path) -> bool | None:
    """Leave the files of other shares out."""
    which, _, shares = os.environ.get(SHARE, "0/1").partition("/")
    if not collection_path.name.startswith("test_") or not collection_path.is_file():
        return None
    return crc32(collection_path.name.encode()) % int(shares) != int(which) or None
