"""Kept copies of what large files say, so that an unchanged bestiary opens at once.

Kept as MessagePack under the digest of the file's content and of the code that read it. A copy can only ever save time:
one that is missing, damaged, or cannot be written is as good as none.
"""

from __future__ import annotations

import contextlib
import os
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any
from zlib import crc32

import msgspec

from tracker.library.private import make_folder, private
from tracker.library.yaml.collector import no_collection

__all__ = ["Cache", "kept_copies"]

MOST_KEPT = 256
_SUFFIX = ".msgpack"
_CHECK = 4  # bytes of the check sum in front of the content
_READERS = ("bounds.py", "builder.py", "scalars.py", "source.py", "tree.py")


class Cache:
    """The copies in one folder.

    `version` is everything but the content that decides what comes of it.
    """

    def __init__(self, folder: Path, version: bytes) -> None:
        self.folder, self.version = folder, version

    def key(self, content: bytes) -> str:
        """Return where the copy of a file of this content is kept."""
        return sha256(self.version + content).hexdigest()

    def load(self, key: str) -> Any:
        """Return the copy, whatever it holds, or None."""
        try:
            data = self._file(key).read_bytes()
        except OSError:
            return None
        payload = memoryview(data)[_CHECK:]
        if int.from_bytes(data[:_CHECK], "big") != crc32(payload):
            return None
        with no_collection():
            try:
                return msgspec.msgpack.decode(payload)
            except (msgspec.DecodeError, RecursionError):
                return None

    def store(self, key: str, value: object) -> bool:
        """Keep a copy, whole or not at all and tell whether it is kept."""
        try:
            payload = msgspec.msgpack.encode(value)
        except (OverflowError, TypeError, ValueError):  # what MessagePack has no form for
            return False
        try:
            make_folder(self.folder)
            beside = self.folder / f"{key}.{os.getpid()}.tmp"
            try:
                with open(beside, "wb", opener=private) as file:
                    file.write(crc32(payload).to_bytes(_CHECK, "big") + payload)
                os.replace(beside, self._file(key))
            except OSError:
                with contextlib.suppress(OSError):
                    beside.unlink()
                raise
        except OSError:
            return False
        with contextlib.suppress(OSError):  # another program tidies up at the same time
            self._forget_oldest()
        return True

    def _file(self, key: str) -> Path:
        return self.folder / f"{key}{_SUFFIX}"

    def _forget_oldest(self) -> None:
        kept = sorted(self.folder.glob(f"*{_SUFFIX}"), key=lambda file: file.stat().st_mtime, reverse=True)
        for file in kept[MOST_KEPT:]:
            file.unlink(missing_ok=True)


@cache
def kept_copies() -> Cache | None:
    """Return the user's own copies.

    None where the code that reads files cannot be told from another version of it.
    """
    import platformdirs  # only those who have large files pay for it

    try:
        readers = b"".join((Path(__file__).parent / name).read_bytes() for name in _READERS)
    except OSError:
        return None
    return Cache(platformdirs.user_cache_path("encounter-tracker", appauthor=False) / "files", sha256(readers).digest())
