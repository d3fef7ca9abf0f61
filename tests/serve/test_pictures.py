"""A picture that the GM shows: what may be one, where it is, and how pages get it."""

from __future__ import annotations

import base64
import contextlib
import json
import struct
import zlib
from contextlib import closing
from pathlib import Path

import pytest

from tests.serve.site import Site, events
from tests.windows.systems import NEEDS_LINKS
from tracker.core.terms.errors import TrackerError
from tracker.library.pictures import LARGEST_PICTURE, Picture, read_picture
from tracker.session.session import Session
from tracker.session.store.dice_box import DiceBox, box_of

JPEG = base64.b64decode(
    "/9j/2wBDABsSFBcUERsXFhceHBsgKEIrKCUlKFE6PTBCYFVlZF9VXVtqeJmBanGQc1tdhbWGkJ6jq62rZ4C8ybqmx5moq6T/2wBD"
    "ARweHigjKE4rK06kbl1upKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKT/wAARCAAIABAD"
    "ASIAAhEBAxEB/8QAFgABAQEAAAAAAAAAAAAAAAAAAAQF/8QAFBABAAAAAAAAAAAAAAAAAAAAAP/EABQBAQAAAAAAAAAAAAAAAAAA"
    "AAP/xAAWEQADAAAAAAAAAAAAAAAAAAAAA0H/2gAMAwEAAhEDEQA/AI2KAl0d0P/Z"
)
"""A picture of 16 by 8 points, left brown and right black, with what it is drawn from alone."""
PLACE = b"51.4778 N, 0.0015 W"
"""What a camera or a program may write into a picture."""


def chunk(name: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))


def png(width: int = 8, height: int = 6, *, told: bytes = b"", behind: bytes = b"") -> bytes:
    """Return a picture of one colour, with chunks before its points and bytes behind its end."""
    head = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    rows = (b"\0" + b"\x80\x40\x20" * width) * min(height, 100)
    points = chunk(b"IDAT", zlib.compress(rows))
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + told + points + chunk(b"IEND", b"") + behind


def segment(marker: int, data: bytes) -> bytes:
    return struct.pack(">BBH", 0xFF, marker, len(data) + 2) + data


def exif(orientation: int, order: str = "<") -> bytes:
    """Return what a camera says of a photo: how it was held, and where."""
    pack, sign = struct.pack, {"<": b"II", ">": b"MM"}[order]
    entries = pack(f"{order}HHIHH", 0x0112, 3, 1, orientation, 0) + pack(f"{order}HHII", 0x8825, 2, len(PLACE), 38)
    tiff = sign + pack(f"{order}HIH", 42, 8, 2) + entries + pack(f"{order}I", 0) + PLACE
    return segment(0xE1, b"Exif\0\0" + tiff)


def photo(*segments: bytes, behind: bytes = b"") -> bytes:
    """Return a JPEG picture with further segments, and bytes behind its end."""
    return JPEG[:2] + b"".join(segments) + JPEG[2:] + behind


@pytest.mark.parametrize(("name", "data", "kind"), [("a.png", png(), "image/png"), ("b.jpg", JPEG, "image/jpeg")])
def test_a_picture_is_what_its_first_bytes_say(tmp_path: Path, name: str, data: bytes, kind: str) -> None:
    """The name says nothing."""
    (tmp_path / name).write_bytes(data)
    assert read_picture(tmp_path, name).kind == kind
    (tmp_path / "plain.txt").write_bytes(data)
    assert read_picture(tmp_path, "plain.txt").kind == kind


TOLD = {
    "the words of a program": png(
        told=b"".join(
            chunk(name, b"Comment\0" + PLACE) for name in (b"tEXt", b"iTXt", b"zTXt", b"eXIf", b"iCCP", b"prVW")
        )
    ),
    "a time": png(told=chunk(b"tIME", b"\x07\xe8\1\2\3\4\5") + chunk(b"tEXt", b"x\0" + PLACE)),
    "a second picture": png(told=chunk(b"acTL", b"\0\0\0\2\0\0\0\0") + chunk(b"fdAT", PLACE)),
    "bytes behind the end": png(behind=PLACE),
    "a camera's words": photo(exif(1)),
    "comments": photo(segment(0xFE, PLACE), segment(0xE0, b"JFIF\0" + PLACE), segment(0xED, PLACE)),
    "a thumbnail": photo(segment(0xE2, b"MPF\0" + PLACE), behind=b"\xff\xd8" + PLACE),
    "words beside the colours": photo(segment(0xEE, b"Adobe\0\x64\0\0\0\0\1" + PLACE)),
}


@pytest.mark.parametrize("what", TOLD)
def test_nothing_but_the_picture_is_kept(tmp_path: Path, what: str) -> None:
    """A place, a name, a time, a comment, another picture: no byte of them goes to the phones."""
    (tmp_path / "a.png").write_bytes(TOLD[what])
    kept = read_picture(tmp_path, "a.png").data
    assert PLACE not in kept
    if what == "words beside the colours":
        assert kept == photo(segment(0xEE, b"Adobe\0\x64\0\0\0\0\1"))
    else:
        assert kept == (JPEG if kept.startswith(b"\xff\xd8") else png())


@pytest.mark.parametrize("order", ["<", ">"])
@pytest.mark.parametrize("held", range(10))
def test_a_photo_stays_upright(tmp_path: Path, order: str, held: int) -> None:
    """How it was held is all that stays of what the camera says; what no camera says is left out."""
    (tmp_path / "a.jpg").write_bytes(photo(exif(held, order)))
    kept = read_picture(tmp_path, "a.jpg").data
    upright = b"MM\0*\0\0\0\x08\0\1\1\x12\0\3\0\0\0\1\0" + bytes([held]) + b"\0\0\0\0\0\0"
    assert kept == (photo(segment(0xE1, b"Exif\0\0" + upright)) if 2 <= held <= 8 else JPEG)


def test_every_cut_of_a_picture_is_refused_or_whole(tmp_path: Path) -> None:
    """Wherever a file is cut or a byte is another, there is an answer, and never more than what a browser draws."""
    path = tmp_path / "a.png"
    whole = (png(told=chunk(b"tEXt", PLACE)), photo(exif(6), segment(0xFE, PLACE)))
    for data in whole:
        for place in range(len(data)):
            for changed in (data[:place], data[:place] + b"\xff" + data[place + 1 :]):
                path.write_bytes(changed)
                with contextlib.suppress(TrackerError):
                    assert len(read_picture(tmp_path, "a.png").data) <= len(data)


def many_points(width: int, height: int) -> bytes:
    """Return a picture that says it is as large, in few bytes."""
    start = JPEG.index(b"\xff\xc0") + 5
    return JPEG[:start] + struct.pack(">HH", height, width) + JPEG[start + 4 :]


REFUSED = {
    "half.png": (png()[:-20], "is damaged"),
    "wrong.png": (png().replace(b"IDAT", b"IDAX"), "is damaged"),
    "no_points.png": (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", bytes(13)) + chunk(b"IEND", b""), "is damaged"),
    "headless.png": (b"\x89PNG\r\n\x1a\n" + chunk(b"IDAT", bytes(13)) + chunk(b"IEND", b""), "is damaged"),
    "half.jpg": (JPEG[:-9], "is damaged"),
    "no_frame.jpg": (JPEG[:2] + JPEG[JPEG.index(b"\xff\xda") :], "is damaged"),
    "words.jpg": (b"\xff\xd8\xff" + b"x" * 40, "is damaged"),
    "bomb.png": (png(8, 10_000_000), "more than 50 million points"),
    "other_size.png": (png().replace(struct.pack(">II", 8, 6), struct.pack(">II", 9, 6)), "is damaged"),
    "bomb.jpg": (many_points(60_000, 60_000), "more than 50 million points"),
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


def test_a_picture_is_seen_with_its_fight(session: Session, site: Site) -> None:
    """While the fight is covered pages neither get it nor learn that there is one."""
    fight = session.model.fight
    with closing(DiceBox(box_of(session.journal.path))) as box:
        box.show_picture(fight, Picture("a.png", "image/png", "9a", png()))
        with events(site) as told:
            claims = (json.loads(text)["picture"] for kind, text in told if kind == "claims")
            assert "9a" in claims
            assert site.ask("picture").status == 200
            session.cover_player_view()
            assert "" in claims
            assert site.ask("picture").status == 404
            assert site.ask("view").told["moment"] == "The GM is setting up"
            session.freeze_player_view(False)
            assert "9a" in claims
            assert site.ask("picture").status == 200
        box.show_picture(fight, None)
