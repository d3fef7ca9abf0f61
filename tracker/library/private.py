"""Files for the user alone: 0600 in folders 0700, never made through a link."""

from __future__ import annotations

import os
from pathlib import Path

__all__ = ["hold_file", "make_folder", "private"]

_NO_LINK = getattr(os, "O_NOFOLLOW", 0)


def private(path: str, flags: int) -> int:
    """Open a file, as the `opener` of `open`."""
    return os.open(path, flags | _NO_LINK, 0o600)


def make_folder(path: Path) -> None:
    """Make a folder with those it lies in, where it is not there yet.

    Raises:
        OSError: where that is not possible.
    """
    missing = [folder for folder in (path, *path.parents) if not folder.exists()]
    for folder in reversed(missing):
        folder.mkdir(mode=0o700, exist_ok=True)
    if not path.is_dir():
        raise NotADirectoryError(f"{path} is not a folder")


def hold_file(path: Path) -> None:
    """Make an empty file where there is none.

    Raises:
        OSError: where that is not possible, or a link lies there.
    """
    os.close(private(str(path), os.O_RDWR | os.O_CREAT | getattr(os, "O_CLOEXEC", 0)))
