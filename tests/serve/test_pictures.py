"""A picture that the GM shows: what may be one, where it is, and how pages get it."""

from __future__ import annotations

import struct
import zlib
from contextlib import closing
from pathlib import Path

import pytest

from tests.serve.site import Site
from tests.windows.systems import NEEDS_LINKS
from tracker.core.terms.errors import TrackerError
from tracker.session.session import Session
from tracker.session.store.dice_box import LARGEST_PICTURE, DiceBox, Picture, box_of, read_picture

JPEG = b"\xff\xd8\xff\xe0" + b"x" * 40


def png(width: int = 8, height: int = 6) -> bytes:
    """Return a picture of one colour."""

    def chunk(name: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))

    head = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    rows = (b"\0" + b"\x80\x40\x20" * width) * height
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b"")


@pytest.mark.parametrize(("name", "data", "kind"), [("a.png", png(), "image/png"), ("b.jpg", JPEG, "image/jpeg")])
def test_a_picture_is_what_its_first_bytes_say(tmp_path: Path, name: str, data: bytes, kind: str) -> None:
    """The name says nothing."""
    (tmp_path / name).write_bytes(data)
    assert read_picture(tmp_path, name).kind == kind
    (tmp_path / "plain.txt").write_bytes(data)
    assert read_picture(tmp_path, "plain.txt").kind == kind


REFUSED = {
    "page.png": (b"<html><script>alert(1)</script>", "neither a PNG nor a JPEG"),
    "drawing.png": (b'<svg xmlns="http://www.w3.org/2000/svg"/>', "neither a PNG nor a JPEG"),
    "moving.png": (b"GIF89a", "neither a PNG nor a JPEG"),
    "empty.png": (b"", "neither a PNG nor a JPEG"),
    "large.png": (png() + b"x" * LARGEST_PICTURE, "larger than 4 MB"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_is_no_picture_is_refused(tmp_path: Path, name: str) -> None:
    """One line says why."""
    data, why = REFUSED[name]
    (tmp_path / name).write_bytes(data)
    with pytest.raises(TrackerError, match=why):
        read_picture(tmp_path, name)


@NEEDS_LINKS
def test_no_picture_from_elsewhere_is_read(tmp_path: Path) -> None:
    """Neither by a way up or down, nor by a link, nor a folder."""
    home = tmp_path / "home"
    (home / "below").mkdir(parents=True)
    for path in (tmp_path / "out.png", home / "below" / "in.png"):
        path.write_bytes(png())
    (home / "link.png").symlink_to(tmp_path / "out.png")
    (home / "folder.png").mkdir()
    for name in ("../out.png", str(tmp_path / "out.png"), "below/in.png", "link.png", "folder.png", "none.png", "a\0b"):
        with pytest.raises(TrackerError):
            read_picture(home, name)


def test_pages_get_the_picture_of_their_fight(session: Session, site: Site) -> None:
    """With its kind and nothing else; none before, none after, and nothing that only says it is one."""
    fight = session.model.fight
    assert site.ask("picture").status == 404
    with closing(DiceBox(box_of(session.journal.path))) as box:
        box.show_picture(fight, Picture("a.png", "image/png", "1", png()))
        answer = site.ask("picture?1")
        assert (answer.status, answer.headers["content-type"], answer.body) == (200, "image/png", png())
        assert answer.headers["x-content-type-options"] == "nosniff"
        for false in (Picture("a.png", "text/html", "2", png()), Picture("a.png", "image/png", "3", b"<html>")):
            box.show_picture(fight, false)
            assert site.ask("picture").status == 404
        box.show_picture("another", Picture("a.png", "image/png", "1", png()))
        box.show_picture(fight, None)
        assert site.ask("picture").status == 404
        assert box.picture_shown(fight) == ("", "")
