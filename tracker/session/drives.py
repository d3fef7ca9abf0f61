"""Drives: whether a file lies on another computer.

There neither locks nor the journal's way of writing can be relied on, so people are told.
"""

from __future__ import annotations

import contextlib
import re
import sys
from pathlib import Path

__all__ = ["mounted", "network"]

_FAR = re.compile(r"nfs4?|cifs|smb3|smbfs|afpfs|ncpfs|afs|webdav|davfs2?|sshfs|rclone|ceph|glusterfs|lustre")
"""Kinds of file systems that lie elsewhere."""
_MOUNTS = Path("/proc/self/mountinfo")
_REMOTE = 4
"""What Windows calls a drive of another computer."""
_LONG = "\\\\?\\"
"""What precedes paths of any length there."""


def network(path: Path) -> str:
    """Return the kind of network drive a file lies on.

    "": it lies on this computer, or nothing tells.
    """
    with contextlib.suppress(OSError, ValueError):
        if sys.platform == "win32":
            return _on_windows(path)
        elif sys.platform == "darwin":
            return _on_mac(path.resolve())
        else:
            return mounted(path.resolve(), _listed(_MOUNTS.read_text("utf-8", "replace")))
    return ""


def mounted(place: Path, mounts: dict[str, str]) -> str:
    """Return the kind of network drive a place lies on.

    "": none. `mounts` has the kind of each mount.
    """
    found = max((Path(mount) for mount in mounts if place.is_relative_to(mount)), key=_depth, default=None)
    kind = "" if found is None else mounts[str(found)].rpartition(".")[2]
    return kind if _FAR.fullmatch(kind) else ""


def _depth(mount: Path) -> int:
    return len(mount.parts)


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
        said = subprocess.run(["/sbin/mount"], capture_output=True, text=True, check=False, timeout=2).stdout
    except subprocess.TimeoutExpired:
        return ""
    return mounted(place, dict(re.findall(r"^.+? on (/.*) \((\w+)", said, re.MULTILINE)))


if sys.platform == "win32":

    def _on_windows(path: Path) -> str:
        import ctypes  # only Windows is asked so

        drive = path.absolute().drive
        here = drive[len(_LONG) :] if drive.startswith(_LONG) and drive.endswith(":") else drive
        far = here.startswith("\\\\") or ctypes.windll.kernel32.GetDriveTypeW(f"{here}\\") == _REMOTE
        return drive if far else ""
