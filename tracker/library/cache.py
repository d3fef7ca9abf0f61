"""Typed copies of large files, so that an unchanged bestiary opens at once.

Kept as MessagePack under the digest of the file's content, in a folder that is passed in. A copy can only ever save time:
one that is missing, damaged, made for another version or not writable is as good as none.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable, Mapping
from hashlib import sha256
from pathlib import Path
from typing import Any, TypeVar
from zlib import crc32

import msgspec

__all__ = ["Cache", "Key"]

T = TypeVar("T")

Key = str

MOST_KEPT = 256
_SUFFIX = ".msgpack"
_CHECK = 4  # bytes of the check sum in front of the content


class Cache:
    """The copies in one folder. `version` is everything but the content that decides what comes of it: program, ruleset, parsers.

    Custom types are written as text, by `str`, and read by their parsers.
    """

    def __init__(self, folder: Path, version: str, parsers: Mapping[type, Callable[[Any], object]] | None = None) -> None:
        self.folder = folder
        self.version = version
        self.parsers = dict(parsers or {})

    def key(self, content: bytes, kind: object) -> Key:
        """Return where the copy of `content`, read as `kind`, is kept."""
        digest = sha256(content)
        digest.update(f"\0{self.version}\0{kind!r}".encode())
        return digest.hexdigest()

    def load(self, key: Key, kind: type[T]) -> T | None:
        """Return the copy, or none."""
        try:
            data = self._file(key).read_bytes()
        except OSError:
            return None
        payload = memoryview(data)[_CHECK:]
        if int.from_bytes(data[:_CHECK], "big") != crc32(payload):
            return None
        try:
            return msgspec.msgpack.decode(payload, type=kind, dec_hook=self._read)
        except (msgspec.DecodeError, ValueError):  # made when the type was another
            return None

    def store(self, key: Key, value: object) -> bool:
        """Keep a copy, whole or not at all; tell whether it is kept."""
        try:
            payload = msgspec.msgpack.encode(value, enc_hook=str)
        except (OverflowError, TypeError, ValueError):  # what MessagePack has no form for
            return False
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            beside = self.folder / f"{key}.{os.getpid()}.tmp"
            try:
                beside.write_bytes(crc32(payload).to_bytes(_CHECK, "big") + payload)
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

    def _file(self, key: Key) -> Path:
        return self.folder / f"{key}{_SUFFIX}"

    def _read(self, kind: type, value: object) -> object:
        return self.parsers[kind](value)

    def _forget_oldest(self) -> None:
        kept = sorted(self.folder.glob(f"*{_SUFFIX}"), key=lambda file: file.stat().st_mtime, reverse=True)
        for file in kept[MOST_KEPT:]:
            file.unlink(missing_ok=True)
