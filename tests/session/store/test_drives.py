"""A journal on another computer's drive is said to lie there."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tracker.cli.main import main
from tracker.session.store import locks as drives
from tracker.session.store.journal import Journal

MOUNTS = r"""22 28 0:21 / / rw,noatime shared:1 - ext4 /dev/sda1 rw
31 22 0:30 / {home}/far\040away rw - nfs4 server:/export rw
32 22 0:31 / {home}/far\040away/back rw master:2 - tmpfs tmpfs rw
33 22 0:32 / {home}/phone rw - fuse.sshfs gm@phone: rw
broken line
"""


@pytest.mark.skipif(sys.platform != "linux", reason="other systems list their drives in other ways")
def test_the_innermost_mount_tells(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A folder of this computer inside a network drive is none."""
    listed = tmp_path / "mountinfo"
    listed.write_text(MOUNTS.format(home=tmp_path), encoding="utf-8")
    monkeypatch.setattr(drives, "_MOUNTS", listed)

    found = [drives.network(tmp_path / place / "fights.db") for place in ("far away", "far away/back", "phone", "near")]

    assert found == ["nfs4", "", "sshfs", ""]


@pytest.mark.skipif(sys.platform != "win32", reason="only Windows has such paths")
def test_a_share_of_windows_is_a_network_drive() -> None:
    assert drives.network(Path(r"\\server\share\fights.db")) == r"\\server\share"
    assert drives.network(Path(r"\\?\UNC\server\share\fights.db")) == r"\\?\UNC\server\share"
    assert drives.network(Path("fights.db")) == ""
    assert drives.network(Path(rf"\\?\{Path('fights.db').absolute()}")) == ""


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such places")
def test_a_volume_of_a_mac_is_looked_up(monkeypatch: pytest.MonkeyPatch) -> None:
    """A list of mounts that does not come in time tells nothing, and stops nothing."""
    listed = subprocess.CompletedProcess((), 0, "//gm@nas/files on /Volumes/Home Files (smbfs, nodev, mounted by gm)\n")
    monkeypatch.setattr(sys, "platform", "darwin")

    monkeypatch.setattr(subprocess, "run", lambda *words, **more: listed)
    found = [drives.network(Path(place)) for place in ("/Volumes/Home Files/fights.db", "/Volumes/Stick/fights.db")]
    monkeypatch.setattr(subprocess, "run", _too_slow)
    slow = drives.network(Path("/Volumes/Home Files/fights.db"))

    assert found == ["smbfs", ""]
    assert slow == ""


def _too_slow(*words: object, **more: object) -> None:
    raise subprocess.TimeoutExpired("mount", 2)


def test_the_journal_and_the_doctor_say_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """It is a warning: the journal can be written."""
    monkeypatch.setattr("tracker.session.store.journal.network", lambda path: "nfs")
    monkeypatch.setattr("tracker.cli.commands.doctor.network", lambda path: "nfs")

    with Journal.open(tmp_path / "fights.db") as journal:
        said, writable = journal.notice, not journal.read_only

    assert said.endswith(
        "lies on a network drive (nfs), where a broken connection can damage it: keep it on this computer (--db FILE)"
    )
    assert writable
    assert main(["doctor", "--db", str(tmp_path / "fights.db")]) == 0
    assert "it lies on a network drive (nfs)" in capsys.readouterr().out
