"""What the commands print: JSON lines for programs, lines for people."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import TextIO

import msgspec

from tracker.library.yaml.problems import visible

__all__ = ["complain", "line", "lines", "say"]

_ENCODER = msgspec.json.Encoder()


def line(document: object) -> None:
    """Print a document as one line of JSON.

    In ASCII where the stream can hold nothing else.
    """
    sys.stdout.write(_json(document) + "\n")


def lines(documents: Sequence[object]) -> None:
    """Print a list as JSON, each of its documents in a line of its own."""
    inner = ",\n".join(f"  {_json(document)}" for document in documents)
    sys.stdout.write(f"[\n{inner}\n]\n" if documents else "[]\n")


def _json(document: object) -> str:
    data = _ENCODER.encode(document)
    text = data.decode()
    if not text.isascii() and (sys.stdout.encoding or "utf-8").lower().replace("-", "") != "utf8":
        import json  # msgspec writes UTF-8 only

        return json.dumps(msgspec.json.decode(data), separators=(",", ":"))
    return text


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
