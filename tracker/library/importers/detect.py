"""Detects the program and the kind of a file, and reads its items."""

from __future__ import annotations

import re
from collections.abc import Iterator

import msgspec

from tracker.library.importers import foundry, improved, obsidian
from tracker.library.importers.results import ImportedItem, PrintedText, Unreadable, plain_text
from tracker.library.importers.sources import Content
from tracker.library.yaml.problems import Problem
from tracker.library.yaml.source import decode
from tracker.library.yaml.tree import parse

MOST = 20_000
READ = "read are Foundry actors, Improved Initiative, Fantasy Statblocks and Initiative Tracker"
OWN_FILE = "it is a file of this program already"
LIST_KEYS = ("items", "actors", "documents", "entries", "monsters", "creatures", "bestiary")
"""Keys of the list in an export."""


def found_in(content: Content) -> Iterator[ImportedItem]:
    """Yield the items of a file, of an unknown program's its text."""
    decoded = decode(content.data, content.name)
    if isinstance(decoded, Problem):
        yield Unreadable(content.name, decoded.message)
        return
    items = list(_of(decoded[0], content.name))
    yield from items[:MOST]
    if len(items) > MOST:
        yield Unreadable(content.name, f"only the first {MOST} of what it holds are read")


def _of(text: str, name: str) -> Iterator[ImportedItem]:
    ending = name.casefold().rpartition(".")[2]
    start = text.lstrip("\ufeff \t\r\n")[:1]
    if ending == "db" or start in ("{", "["):
        yield from _json(text, name, lines=ending == "db", named=ending in ("db", "json"))
    elif ending in ("md", "markdown") or text.startswith("---\n") or re.search(r"^(```|~~~)", text, re.M):
        notes = list(obsidian.found_in(text, name))
        yield from notes
        if not notes:
            yield from _yaml_or(text, name, ending, "a Markdown file without a stat block or an encounter in it")
    elif ending in ("yaml", "yml", "json"):
        yield from _yaml(text, name)
    else:
        yield from _yaml_or(text, name, ending, "")


def _json(text: str, name: str, *, lines: bool, named: bool) -> Iterator[ImportedItem]:
    if lines or "}\n{" in text[:100_000]:
        for number, line in enumerate(text.splitlines(), 1):
            if line.strip():
                yield from _decoded(line, f"{name}:{number}", named=True)
        return
    yield from _decoded(text, name, named=named)


def _decoded(text: str, name: str, *, named: bool) -> Iterator[ImportedItem]:
    try:
        value = msgspec.json.decode(text)
    except (msgspec.DecodeError, RecursionError, ValueError) as error:
        # A text in brackets may be words: `[Goblin] AC 3 ...`.
        if named or re.match(r"\s*[\[{]\s*[\"\[{\]}\d-]", text):
            yield Unreadable(name, f"it begins like JSON and is none: {error}")
        else:
            yield PrintedText(text)
        return
    yield from _values(value, name)


def _yaml(text: str, name: str) -> Iterator[ImportedItem]:
    tree = parse(text.encode(), name)
    if tree.problems:
        yield Unreadable(name, f"it cannot be read as YAML: {tree.problems[0].render()}")
    else:
        yield from _values(tree.value, name)


def _yaml_or(text: str, name: str, ending: str, otherwise: str) -> Iterator[ImportedItem]:
    """Yield the items of YAML in a file with another suffix; a text without creatures is a print, or `otherwise`."""
    if re.match(r"\s*(?:- )?\w+\s*:", text) and re.search(r"^(?:name|monster|ruleset)\s*:", text, re.M | re.I):
        tree = parse(text.encode(), name)
        if not tree.problems and isinstance(tree.value, dict):
            items = list(_values(tree.value, name))
            if any(not isinstance(item, Unreadable) for item in items) or "ruleset" in tree.value:
                yield from items
                return
    yield Unreadable(name, otherwise) if otherwise else PrintedText(text)


def _values(value: object, name: str) -> Iterator[ImportedItem]:
    if isinstance(value, list):
        if not value:
            yield Unreadable(name, "an empty list")
        for place, part in enumerate(value[:MOST], 1):
            yield from _value(part, f"{name}, entry {place}")
    else:
        yield from _value(value, name)


def _value(value: object, name: str) -> Iterator[ImportedItem]:
    if not isinstance(value, dict):
        yield Unreadable(name, f"nothing of a creature in it; {READ}")
    elif "ruleset" in value:
        yield Unreadable(name, OWN_FILE)
    elif value.get("type") == "Actor" and "sorting" in value:
        return  # a folder of a compendium
    elif foundry.is_actor(value):
        yield foundry.actor(value)
    elif improved.is_improved(value):
        yield from improved.found_in(value)
    elif obsidian.is_creature(value):
        yield obsidian.creature(value)
    elif (listed := next((value[key] for key in LIST_KEYS if isinstance(value.get(key), list)), None)) is not None:
        yield from _values(listed, name)
    else:
        called = plain_text(value.get("name") or value.get("Name"))[:60]
        yield Unreadable(f"{name}{f' ({called})' if called else ''}", f"none of the files that are read; {READ}")
