"""Helpers of the commands: printing, and finding the journal and the fight of a command line."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TextIO

import msgspec

from tracker.core.terms.errors import TrackerError
from tracker.library.yaml.problems import visible
from tracker.session.rows import FightSummary
from tracker.session.store.journal import Journal

_ENCODER = msgspec.json.Encoder()


def print_json(document: object) -> None:
    """Print a document as one line of JSON, in ASCII unless the stream is UTF-8."""
    sys.stdout.write(_json(document) + "\n")


def print_json_list(documents: Sequence[object]) -> None:
    """Print a list as JSON, each document on a line of its own."""
    inner = ",\n".join(f"  {_json(document)}" for document in documents)
    sys.stdout.write(f"[\n{inner}\n]\n" if documents else "[]\n")


def _json(document: object) -> str:
    data = _ENCODER.encode(document)
    text = data.decode()
    if not text.isascii() and (sys.stdout.encoding or "utf-8").lower().replace("-", "") != "utf8":
        import json  # msgspec writes UTF-8 only

        return json.dumps(msgspec.json.decode(data), separators=(",", ":"))
    return text


def print_text(text: str, stream: TextIO | None = None) -> None:
    """Print a line, by default on standard output; characters that a terminal would obey are spelled out."""
    stream = stream or sys.stdout
    encoding = stream.encoding or "utf-8"
    stream.write(visible(text).encode(encoding, "replace").decode(encoding) + "\n")


def print_error(text: str) -> None:
    print_text(text, sys.stderr)


def journal_path(given: str | None) -> Path:
    return Journal.default_path() if given is None else Path(given)


def all_fights(journal: Journal) -> tuple[FightSummary, ...]:
    """Return every fight, discarded ones last."""
    return (*journal.fights(), *journal.fights(discarded=True))


def fight_named(name: str, fights: Sequence[FightSummary], commands: Sequence[str] = ()) -> str:
    """Return the id of the fight with this id or title, exactly or in another case.

    Raises:
        TrackerError: if there is none, with the nearest name, or several have that title, with their ids.
    """
    if any(fight.id == name for fight in fights):
        return name
    plain = name.casefold()
    exact = [fight.id for fight in fights if fight.title == name]
    ids = exact or [fight.id for fight in fights if plain in (fight.id.casefold(), fight.title.casefold())]
    if len(ids) == 1:
        return ids[0]
    if ids:
        raise TrackerError(f'more than one fight is called "{name}": {", ".join(ids)}', "ambiguous_fight")
    from difflib import get_close_matches  # only for the message

    words = {word.casefold(): word for fight in fights for word in (fight.title, fight.id)}
    words |= {command: command for command in commands}
    near = get_close_matches(plain, words, 1)
    what = "fight or command" if commands else "fight"
    hint = f" (did you mean {words[near[0]]}?)" if near else "" if fights else " (no fight has been played yet)"
    raise TrackerError(f'there is no {what} "{name}"{hint}', "no_such_fight")
