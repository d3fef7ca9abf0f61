"""Backups of the journal, the ten newest kept, and drives of other computers."""

from __future__ import annotations

import os
import sqlite3
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.session.conftest import do, find, strike
from tracker.cli.main import main
from tracker.session.intents import Undo
from tracker.session.session import Session
from tracker.session.store import backups as module
from tracker.session.store import locks as drives
from tracker.session.store.backups import KEPT
from tracker.session.store.journal import Journal


def test_ten_backups_are_kept(session: Session) -> None:
    """Each new copy drives out the oldest, never more."""
    for number in range(KEPT + 3):
        session.dispatch(do("wait", "ansa"))
        assert session.journal.backups.make() is not None, number

    copies = session.journal.backups.listed()
    assert len(copies) == KEPT
    connection = sqlite3.connect(copies[0])
    assert connection.execute("SELECT count(*) FROM step").fetchone()[0] == KEPT + 4
    connection.close()


def test_a_fight_is_backed_up_when_it_is_opened(session: Session) -> None:
    """Opening makes a copy, unless nothing was written since the last one."""
    session.journal.backups.wait()
    assert len(session.journal.backups.listed()) == 1
    session.dispatch(do("wait", "ansa"))
    session.close()
    fight = session.model.fight
    with Journal.open(session.journal.path) as journal, Session.resume(journal, fight, find) as second:
        journal.backups.wait()
        assert len(journal.backups.listed()) == 2
        journal.backups.soon()
        journal.backups.wait()
        assert len(journal.backups.listed()) == 2
        second.dispatch(strike())
        journal.backups.soon()
        journal.backups.wait()
        assert len(journal.backups.listed()) == 3


def test_a_copy_waits_until_the_program_stands(session: Session, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is copied while it starts. Then a copy is made without anybody waiting for it."""
    backups = session.journal.backups
    assert backups.listed() == ()
    backups.wait()
    session.dispatch(do("wait", "ansa"))
    monkeypatch.setattr(module, "CALM", 0.01)
    backups.soon()
    end = time.monotonic() + 30
    while len(backups.listed()) < 2:
        assert time.monotonic() < end
        time.sleep(0.01)


def test_backups_are_made_while_playing(session: Session) -> None:
    """Every hundred commits a copy is made."""
    session.journal.backups.wait()
    for _ in range(100):
        session.dispatch(do("wait", "ansa"))
    session.journal.backups.wait()

    assert len(session.journal.backups.listed()) == 2


def test_a_damaged_journal_drives_out_no_backup(session: Session) -> None:
    """A copy that fails its check does not count, and the screen says so."""
    session.journal.backups.wait()
    for _ in range(100):
        session.dispatch(do("wait", "ansa"))
    session.journal.backups.wait()
    before = session.journal.backups.listed()
    session.journal._connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    text = bytearray(session.journal.path.read_bytes())
    text[4096 * 8 : 4096 * 12] = os.urandom(4096 * 4)
    session.journal.path.write_bytes(bytes(text))

    assert session.journal.backups.make() is None
    assert session.journal.backups.listed() == before
    assert "damaged" in session.journal.backups.problem


def test_a_backup_that_cannot_be_made(session: Session) -> None:
    """A folder that is in the way costs the backup, not the fight. The screen says so."""
    session.journal.backups.wait()
    session.journal.backups.folder.rename(session.journal.path.parent / "moved")
    session.journal.backups.folder.write_text("in the way")

    assert session.journal.backups.make() is None
    model = session.dispatch(strike())
    assert "no backup" in model.notice
    assert session.dispatch(Undo()).problem == ""


def test_a_journal_that_is_gone(session: Session) -> None:
    """Where only backups are left, a line says where they lie."""
    session.close()
    session.journal.close()
    session.journal.path.unlink()
    with Journal.open(session.journal.path) as journal:
        assert journal.fights() == ()
        assert str(session.journal.backups.listed()[0]) in journal.notice


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
