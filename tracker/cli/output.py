"""What the commands print: JSON lines for programs, lines for people."""

from __future__ import annotations

import sys
from typing import TextIO

import msgspec

from tracker.library.yaml.problems import visible

__all__ = ["complain", "line", "say"]

_ENCODER = msgspec.json.Encoder()


def line(document: object) -> None:
    """Print a document as one line of JSON.

    In ASCII where the stream can hold nothing else.
    """
    data = _ENCODER.encode(document)
    text = data.decode()
    if not text.isascii() and (sys.stdout.encoding or "utf-8").lower().replace("-", "") != "utf8":
        import json  # msgspec writes UTF-8 only

        text = json.dumps(msgspec.json.decode(data), separators=(",", ":"))
    sys.stdout.write(text + "\n")


def say(text: str) -> None:
    """Print a line for people on standard output.

    What a terminal would obey is spelled out.
    """
    _write(sys.stdout, text)


def complain(text: str) -> None:
    """Print a line on standard error.

    What a terminal would obey is spelled out.
    """
    _write(sys.stderr, text)


def _write(stream: TextIO, text: str) -> None:
    encoding = stream.encoding or "utf-8"
    stream.write(visible(text).encode(encoding, "replace").decode(encoding) + "\n")
