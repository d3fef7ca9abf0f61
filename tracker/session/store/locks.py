"""Locks: one program at a time writes a fight.

A lock is the operating system's, on a small file beside the journal: it ends with the program that holds it, also
after a crash. The file is never deleted: two programs could then hold locks on two files of one name.
"""

from __future__ import annotations

import contextlib
import errno
import os
import re
import stat
import sys
from pathlib import Path

from tracker.library.private_files import make_folder, private

if sys.platform == "win32":
    import msvcrt

    _FAR = 1 << 30  # no other program can read locked bytes, so the lock is far behind the holder's number

    def _take(handle: int) -> None:
        os.lseek(handle, _FAR, os.SEEK_SET)
        msvcrt.locking(handle, msvcrt.LK_NBLCK, 1)
        os.lseek(handle, 0, os.SEEK_SET)

else:
    import fcntl

    def _take(handle: int) -> None:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)


_HELD = (errno.EWOULDBLOCK, errno.EACCES, errno.EDEADLK, 0)
"""Error numbers for a lock that another program has; wine gives 0."""


class LockHeld(Exception):
    """Another program holds the lock; the message names it, if it is known."""


class LockUnavailable(Exception):
    """Locks do not work with this file system."""


class Lock:
    """The right to write one fight, until it is released or the program ends."""

    def __init__(self, path: Path) -> None:
        """Take the lock, or raise LockHeld if another program has it, LockUnavailable if locks do not work."""
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
        with contextlib.suppress(OSError):  # the number is only shown; a full disk must not cost the lock
            os.ftruncate(handle, 0)
            os.write(handle, str(os.getpid()).encode())

    def release(self) -> None:
        """Give the lock back, if it is held."""
        if self._handle is not None:
            os.close(self._handle)
            self._handle = None


def place_of(journal: Path, fight: str) -> Path:
    """Return the file whose lock is the right to write a fight."""
    return journal.parent / "locks" / f"{journal.stem}-{fight}.lock"


def _holder(handle: int) -> str:
    os.lseek(handle, 0, os.SEEK_SET)
    text = os.read(handle, 20).decode("ascii", "replace")
    return f"process {text}" if text.isdigit() else "another program"


_NETWORK_KINDS = re.compile(r"nfs4?|cifs|smb3|smbfs|afpfs|ncpfs|afs|webdav|davfs2?|sshfs|rclone|ceph|glusterfs|lustre")
"""File systems of other computers."""
_MOUNTS = Path("/proc/self/mountinfo")
_REMOTE = 4
"""Windows' number for a drive of another computer."""
_LONG = "\\\\?\\"
"""Windows' prefix of long paths."""


def network(path: Path) -> str:
    """Return the kind of network drive a file is on, "" for this computer or if that is unknown."""
    with contextlib.suppress(OSError, ValueError, RuntimeError):  # up to Python 3.12 a link to itself is a RuntimeError
        if sys.platform == "win32":
            return _on_windows(path)
        elif sys.platform == "darwin":
            return _on_mac(path.resolve())
        else:
            return mounted(path.resolve(), _listed(_MOUNTS.read_text("utf-8", "replace")))
    return ""


def mounted(place: Path, mounts: dict[str, str]) -> str:
    """Return the kind of network drive a place is on, "" for none; `mounts` has the kind of each mount."""
    around = (Path(mount) for mount in mounts if place.is_relative_to(mount))
    nearest = max(around, key=lambda mount: len(mount.parts), default=None)
    kind = "" if nearest is None else mounts[str(nearest)].rpartition(".")[2]
    return kind if _NETWORK_KINDS.fullmatch(kind) else ""


def _listed(text: str) -> dict[str, str]:
    """Return the kind of each mount that the system lists."""
    mounts: dict[str, str] = {}
    for line in text.splitlines():
        about, _, rest = line.partition(" - ")
        fields, kind = about.split(" "), rest.split(" ")[0]
        if len(fields) > 4:
            mounts[re.sub(r"\\([0-7]{3})", lambda code: chr(int(code[1], 8)), fields[4])] = kind
    return mounts


def _on_mac(place: Path) -> str:
    if not place.is_relative_to("/Volumes"):  # macOS mounts network drives there
        return ""
    import subprocess  # slow, and needed only for such a place

    try:
        output = subprocess.run(["/sbin/mount"], capture_output=True, text=True, check=False, timeout=2).stdout
    except subprocess.TimeoutExpired:
        return ""
    return mounted(place, dict(re.findall(r"^.+? on (/.*) \((\w+)", output, re.MULTILINE)))


if sys.platform == "win32":

    def _on_windows(path: Path) -> str:
        import ctypes  # slow, and only for Windows

        drive = path.absolute().drive
        here = drive[len(_LONG) :] if drive.startswith(_LONG) and drive.endswith(":") else drive
        far = here.startswith("\\\\") or ctypes.windll.kernel32.GetDriveTypeW(f"{here}\\") == _REMOTE
        return drive if far else ""
