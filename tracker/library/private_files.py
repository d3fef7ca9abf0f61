"""Files for the user alone: 0600 in folders 0700, never made through a link."""

from __future__ import annotations

import errno
import os
import stat
import sys
from collections.abc import Iterable
from pathlib import Path

_NO_LINK = getattr(os, "O_NOFOLLOW", 0)


def private(path: str, flags: int) -> int:
    return os.open(path, flags | _NO_LINK, 0o600)


def make_folder(path: Path) -> None:
    """Make a folder and its parents, if it does not exist; raises OSError."""
    missing = [folder for folder in (path, *path.parents) if not folder.exists()]
    for folder in reversed(missing):
        folder.mkdir(mode=0o700, exist_ok=True)
    if not path.is_dir():
        raise NotADirectoryError(f"{path} is not a folder")


def create_file(path: Path) -> None:
    os.close(private(str(path), os.O_RDWR | os.O_CREAT))


def write_page(path: Path, page: bytes, mark: bytes) -> None:
    """Write a page of this program's, over an earlier one if need be; every such page has the `mark` in it.

    Raises OSError if it cannot be written, or another file has that name.
    """
    if path.is_file():
        with path.open("rb") as stream:
            if mark not in stream.read(4096):
                raise FileExistsError(errno.EEXIST, "another file has this name", str(path))
    write_whole(path, (page,))


def write_whole(path: Path, parts: Iterable[bytes]) -> None:
    """Write a file whole or not at all; a pipe or a terminal is written directly.

    Raises OSError if it cannot be written.
    """
    if path.exists() and not path.is_file():
        with path.open("wb") as stream:
            stream.writelines(parts)
        return
    temporary = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        with open(temporary, "wb", opener=private) as stream:
            stream.writelines(parts)
        temporary.replace(path)
    finally:
        temporary.unlink(missing_ok=True)


def make_private(path: Path) -> bool:
    """Take a file from all other users, and tell whether that was needed.

    A link, a file with several names or of another user, and a file that others could replace stay as they are. The
    file is not opened: closing it would give back this program's locks on it.
    """
    if sys.platform == "win32":  # the user's folders are the user's alone there
        return False
    else:
        try:
            folder, status = path.parent.stat(), path.lstat()
            own = status.st_uid == os.geteuid() and folder.st_uid in (0, os.geteuid()) and not folder.st_mode & 0o022
            if not (own and status.st_mode & 0o077 and stat.S_ISREG(status.st_mode) and status.st_nlink == 1):
                return False
            path.chmod(0o600)
        except OSError:
            return False
        return True
