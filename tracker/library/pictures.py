"""Pictures that a GM shows players: PNG and JPEG files beside an encounter, without their metadata.

A picture is never decoded. Only the parts that a browser needs to draw it are kept: no place, time, name, comment or
thumbnail. A photo stays upright: its orientation is written anew.
"""

from __future__ import annotations

import hashlib
import re
import struct
import zlib
from collections.abc import Iterator
from pathlib import Path

from msgspec import Struct

from tracker.core.terms.errors import TrackerError

LARGEST_PICTURE = 4 * 1024 * 1024
"""Bytes of a picture for the players."""
MOST_POINTS = 50_000_000
"""Points of a picture: a phone holds four bytes for each."""
_PNG, _JPEG = b"\x89PNG\r\n\x1a\n", b"\xff\xd8\xff"
_SIGNATURES = {_PNG: "image/png", _JPEG: "image/jpeg"}


class Picture(Struct, frozen=True):
    """A picture that the GM shows; `tag` changes with its bytes, `kind` is its media type by its first bytes."""

    name: str
    kind: str
    tag: str
    data: bytes


def read_picture(folder: Path, name: str) -> Picture:
    """Return a picture from a folder itself, without its metadata.

    Raises:
        TrackerError: if it is elsewhere, cannot be read, is too large, is damaged, or is neither PNG nor JPEG.
    """
    path = folder / name
    try:
        real, home = path.resolve(strict=True), folder.resolve(strict=True)
        if real.parent != home or not real.is_file():
            raise TrackerError(f"{name} is not a file beside the encounter", "no_picture")
        with real.open("rb") as file:
            data = file.read(LARGEST_PICTURE + 1)
    except FileNotFoundError as error:
        raise TrackerError(f"there is no {name} beside the encounter", "no_picture") from error
    except (OSError, ValueError, RuntimeError) as error:
        why = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        raise TrackerError(f"{name} cannot be read: {why}", "no_picture") from error
    if len(data) > LARGEST_PICTURE:
        raise TrackerError(f"{name} is larger than 4 MB: save it smaller", "no_picture")
    kind = kind_of(data)
    if not kind:
        raise TrackerError(f"{name} is neither a PNG nor a JPEG picture", "no_picture")
    try:
        data, points = _png(data) if kind == "image/png" else _jpeg(data)
    except (ValueError, IndexError, struct.error) as error:
        raise TrackerError(f"{name} is damaged: save it anew", "no_picture") from error
    if points > MOST_POINTS:
        raise TrackerError(f"{name} has more than 50 million points: save it smaller", "no_picture")
    return Picture(name, kind, hashlib.sha256(data).hexdigest()[:12], data)


def kind_of(data: bytes) -> str:
    """Return the media type of a picture by its first bytes, "" if it is neither PNG nor JPEG."""
    return next((kind for signature, kind in _SIGNATURES.items() if data.startswith(signature)), "")


# -- PNG: header, palette, transparency and points are kept, in their order --------------------------------------------

_CHUNKS = (b"IHDR", b"PLTE", b"tRNS", b"IDAT", b"IEND")


def _png(data: bytes) -> tuple[bytes, int]:
    """Return a PNG picture of the kept chunks alone, and how many points it has."""
    chunks = list(_chunks(data))
    names = [name for name, _ in chunks]
    width, height = struct.unpack_from(">II", chunks[0][1], 8)
    if names[0] != b"IHDR" or names.count(b"IHDR") != 1 or b"IDAT" not in names or not width * height:
        raise ValueError("no picture")
    return _PNG + b"".join(whole for name, whole in chunks if name in _CHUNKS), width * height


def _chunks(data: bytes) -> Iterator[tuple[bytes, bytes]]:
    """Yield the chunks up to the last, each with its name."""
    place, name = len(_PNG), b""
    while name != b"IEND":
        length, name = struct.unpack_from(">I4s", data, place)
        whole = data[place : place + length + 12]
        if struct.unpack_from(">I", whole, length + 8)[0] != zlib.crc32(whole[4:-4]):
            raise ValueError("a chunk is damaged")
        yield name, whole
        place += len(whole)


# -- JPEG: tables, frames, scans and the segment about colours are kept ------------------------------------------------

_FRAMES, _TABLES = (0xC0, 0xC1, 0xC2), (0xC4, 0xDB, 0xDD)
_SCAN, _END, _EXIF, _ADOBE = 0xDA, 0xD9, 0xE1, 0xEE
_AFTER_SCAN = re.compile(rb"\xff+[^\x00\xff\xd0-\xd7]")
"""The marker that ends the points of a scan; zeros and restarts are among them."""
_ORIENTATION = 0x0112


def _jpeg(data: bytes) -> tuple[bytes, int]:
    """Return a JPEG picture of the kept segments alone, and how many points it has."""
    kept, orientation, points, scans = list[bytes](), 1, 0, 0
    for marker, whole in _segments(data):
        if marker == _EXIF:
            orientation = _orientation(whole) or orientation
        elif marker == _ADOBE and whole[4:9] == b"Adobe":
            kept.append(b"\xff\xee\x00\x0e" + whole[4:16])
        elif marker in _FRAMES:
            height, width = struct.unpack_from(">HH", whole, 5)
            points = max(points, width * height)
            kept.append(whole)
        elif marker in _TABLES or marker == _SCAN:
            kept.append(whole)
            scans += marker == _SCAN
    if not points or not scans:
        raise ValueError("no picture")
    return b"".join((b"\xff\xd8", _oriented(orientation), *kept, b"\xff\xd9")), points


def _segments(data: bytes) -> Iterator[tuple[int, bytes]]:
    """Yield the segments up to the end of the picture, each with its marker; a scan has its points."""
    place = 2
    while True:
        if data[place] != 0xFF:
            raise ValueError("no marker")
        while data[place + 1] == 0xFF:
            place += 1
        marker = data[place + 1]
        if marker == _END:
            return
        end = place + 2 + int(struct.unpack_from(">H", data, place + 2)[0])
        if marker == _SCAN:
            match = _AFTER_SCAN.search(data, end)
            end = len(data) if match is None else match.start()
        if end < place + 4 or end > len(data):
            raise ValueError("no segment")
        yield marker, data[place:end]
        place = end


def _orientation(whole: bytes) -> int:
    """Return the orientation of a photo, 1 to 8 as its camera says, 0 if it says none."""
    if whole[4:10] != b"Exif\0\0":
        return 0
    tiff = whole[10:]
    order = "<" if tiff[:2] == b"II" else ">"
    try:
        (first,) = struct.unpack_from(f"{order}I", tiff, 4)
        (count,) = struct.unpack_from(f"{order}H", tiff, first)
        entries = [struct.unpack_from(f"{order}HHIH", tiff, first + 2 + 12 * number) for number in range(count)]
    except struct.error:
        return 0
    return next((value for tag, *_, value in entries if tag == _ORIENTATION and 1 <= value <= 8), 0)


def _oriented(orientation: int) -> bytes:
    """Return the segment with the orientation of a photo alone, b"" for an upright one."""
    if orientation == 1:
        return b""
    tiff = b"MM\0*" + struct.pack(">IHHHIHHI", 8, 1, _ORIENTATION, 3, 1, orientation, 0, 0)
    return struct.pack(">BBH", 0xFF, _EXIF, 8 + len(tiff)) + b"Exif\0\0" + tiff
