"""Locks: one program at a time writes a fight.

A lock is the operating system's, on a small file beside the journal: it ends with the program that holds it, however
that ends. The file stays, for removing it would let two programs hold locks on two files of one name.
"""

from __future__ import annotations

import contextlib
import errno
import os
import stat
import sys
from pathlib import Path

from tracker.library.private import make_folder, private

__all__ = ["Lock", "LockHeld", "LockUnavailable"]

if sys.platform == "win32":
    import msvcrt

    _FAR = (
        1 << 30
    )  # no other program reads the bytes that are locked, so the lock lies beyond those that say who has it

    def _take(handle: int) -> None:
        os.lseek(handle, _FAR, os.SEEK_SET)
        msvcrt.locking(handle, msvcrt.LK_NBLCK, 1)
        os.lseek(handle, 0, os.SEEK_SET)

else:
    import fcntl

    def _take(handle: int) -> None:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)


_HELD = (errno.EWOULDBLOCK, errno.EACCES, errno.EDEADLK, 0)
"""What the systems say of a lock that another program has; wine has no number for it."""


class LockHeld(Exception):
    """Another program holds the lock.

    The message says which, as far as it is known.
    """


class LockUnavailable(Exception):
    """Locks do not work here (a file system or a system without them)."""


class Lock:
    """The right to write one fight, until it is released or the program ends."""

    def __init__(self, path: Path) -> None:
        """Take the lock.

        Raises:
            LockHeld: another program holds it.
            LockUnavailable: there are none here.
        """
        try:
            make_folder(path.parent)
            handle = private(str(path), os.O_RDWR | os.O_CREAT | getattr(os, "O_NONBLOCK", 0))
        except OSError as error:
            raise LockUnavailable(f"{path.parent}: {error.strerror}") from error
        if not stat.S_ISREG(os.fstat(handle).st_mode):
            os.close(handle)
            raise LockUnavailable(f"{path} is not a file")
        try:
            _take(handle)
        except OSError as error:
            holder = _holder(handle)
            os.close(handle)
            if error.errno in _HELD:
                raise LockHeld(holder) from error
            raise LockUnavailable(f"{path.parent}: {error.strerror}") from error
        self._handle: int | None = handle
        with contextlib.suppress(OSError):  # who holds it is only told to people; a full disk must not cost the lock
            os.ftruncate(handle, 0)
            os.write(handle, str(os.getpid()).encode())

    def release(self) -> None:
        """Give the lock back.

        Once is enough.
        """
        if self._handle is not None:
            os.close(self._handle)
            self._handle = None


def _holder(handle: int) -> str:
    os.lseek(handle, 0, os.SEEK_SET)
    text = os.read(handle, 20).decode("ascii", "replace")
    return f"process {text}" if text.isdigit() else "another program"
