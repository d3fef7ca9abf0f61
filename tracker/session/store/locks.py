"""Locks: one program at a time writes a fight.

A lock is the operating system's, on a small file beside the journal: it ends with the program that holds it, however
that ends. The file stays, for removing it would let two programs hold locks on two files of one name.
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

    _FAR = 1 << 30  # no other program reads the bytes that are locked, so the lock is beyond those that say who has it

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
    """Another program holds the lock; the message says which, if it is known."""


class LockUnavailable(Exception):
    """Locks do not work here (a file system or a system without them)."""


class Lock:
    """The right to write one fight, until it is released or the program ends."""

    def __init__(self, path: Path) -> None:
        """Take the lock, or raise LockHeld for another program's, or LockUnavailable if there are none here."""
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
"""Kinds of file systems that lie elsewhere."""
_MOUNTS = Path("/proc/self/mountinfo")
_REMOTE = 4
"""What Windows calls a drive of another computer."""
_LONG = "\\\\?\\"
"""What precedes paths of any length there."""


def network(path: Path) -> str:
    """Return the kind of network drive a file is on, "" for this computer or if nothing tells."""
    with contextlib.suppress(OSError, ValueError, RuntimeError):  # up to Python 3.12 a link to itself is a RuntimeError
        if sys.platform == "win32":
            return _on_windows(path)
        elif sys.platform == "darwin":
            return _on_mac(path.resolve())
        else:
            return mounted(path.resolve(), _listed(_MOUNTS.read_text("utf-8", "replace")))
    return ""


def mounted(place: Path, mounts: dict[str, str]) -> str:
    """Return the kind of network drive a place is on, "" for none, from the kind of each mount."""
    around = (Path(mount) for mount in mounts if place.is_relative_to(mount))
    found = max(around, key=lambda mount: len(mount.parts), default=None)
    kind = "" if found is None else mounts[str(found)].rpartition(".")[2]
    return kind if _NETWORK_KINDS.fullmatch(kind) else ""


def _listed(text: str) -> dict[str, str]:
    """Return the kind of each mount that the system lists."""
    found: dict[str, str] = {}
    for line in text.splitlines():
        about, _, rest = line.partition(" - ")
        fields, kind = about.split(" "), rest.split(" ")[0]
        if len(fields) > 4:
            found[re.sub(r"\\([0-7]{3})", lambda code: chr(int(code[1], 8)), fields[4])] = kind
    return found


def _on_mac(place: Path) -> str:
    if not place.is_relative_to("/Volumes"):  # other computers' drives are put there
        return ""
    import subprocess  # slow, and needed only for such a place

    try:
        output = subprocess.run(["/sbin/mount"], capture_output=True, text=True, check=False, timeout=2).stdout
    except subprocess.TimeoutExpired:
        return ""
    return mounted(place, dict(re.findall(r"^.+? on (/.*) \((\w+)", output, re.MULTILINE)))


if sys.platform == "win32":

    def _on_windows(path: Path) -> str:
        import ctypes  # only Windows is asked so

        drive = path.absolute().drive
        here = drive[len(_LONG) :] if drive.startswith(_LONG) and drive.endswith(":") else drive
        far = here.startswith("\\\\") or ctypes.windll.kernel32.GetDriveTypeW(f"{here}\\") == _REMOTE
        return drive if far else ""
