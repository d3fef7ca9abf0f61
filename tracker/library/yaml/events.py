"""The events of PyYAML's parsers, and which parser there is.

PyYAML's own types leave out what all events share, so they are declared here.
"""

from __future__ import annotations

from typing import Protocol, cast

import yaml
from yaml.error import Mark
from yaml.events import (
    AliasEvent,
    DocumentStartEvent,
    MappingEndEvent,
    MappingStartEvent,
    ScalarEvent,
    SequenceEndEvent,
    SequenceStartEvent,
    StreamEndEvent,
)

__all__ = [
    "ALIAS",
    "BLOCK",
    "BLOCK_END",
    "DOCUMENT",
    "END",
    "LIST",
    "LIST_END",
    "SCALAR",
    "Event",
    "Parser",
    "parser_of",
]

# Which event it is, by class: quicker than isinstance, and the loops below compare hundreds of thousands.
ALIAS: type[object] = AliasEvent
SCALAR: type[object] = ScalarEvent
BLOCK: type[object] = MappingStartEvent
BLOCK_END: type[object] = MappingEndEvent
LIST: type[object] = SequenceStartEvent
LIST_END: type[object] = SequenceEndEvent
DOCUMENT: type[object] = DocumentStartEvent
END: type[object] = StreamEndEvent


class Event(Protocol):
    """What PyYAML's events have in common here.

    Which of them it is, its class says.
    """

    anchor: str | None
    tag: str | None
    implicit: tuple[bool, bool]
    value: str
    style: str | None
    start_mark: Mark


class Parser(Protocol):
    """What both parsers offer."""

    def get_event(self) -> Event:
        """Return the next event."""

    def dispose(self) -> None:
        """Let go of what the parser holds."""


def parser_of(text: str, *, pure: bool) -> Parser:
    """Return libyaml's parser, or the pure one."""
    slow = pure or not yaml.__with_libyaml__
    return cast(Parser, yaml.SafeLoader(text) if slow else yaml.CSafeLoader(text))
