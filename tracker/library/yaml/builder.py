"""Build values and positions from the parser's events.

Events rather than nodes: PyYAML's loaders build a graph of nodes first, resolve them by YAML 1.1 and keep no positions.
A mistake the parser can get over is recorded and reading goes on; `_Stop` ends it where going on makes no sense.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import NoReturn

import yaml

from tracker.library.yaml.bounds import (
    DEEPEST,
    LONGEST_TEXT,
    MOST_COPIED,
    MOST_ENTRIES,
    MOST_KEYS,
    MOST_VALUES,
    Anchored,
    Sizes,
)
from tracker.library.yaml.collector import no_collection
from tracker.library.yaml.events import ALIAS, BLOCK, BLOCK_END, DOCUMENT, END, LIST, LIST_END, SCALAR, Event, parser_of
from tracker.library.yaml.problems import MORE, MOST_PROBLEMS, Path, Problem, described, path_text, visible
from tracker.library.yaml.scalars import Scalar, plain_value
from tracker.library.yaml.syntax import syntax_problem
from tracker.library.yaml.tree import Marks, Node, pack

__all__ = ["build"]

_KEY_MARKS = 1 + 2 * MOST_KEYS  # the block's own, and those of its keys and values
_LONG = f"the text is longer than {LONGEST_TEXT} characters"
_SPLIT = "split the file, or leave out what no fight needs"

_TAG = "tag:yaml.org,2002:"
_SCALAR_TAGS: dict[str, tuple[type, ...]] = {
    "null": (type(None),),
    "bool": (bool,),
    "int": (int,),
    "float": (float, int),
}
_CONTROL = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff]")


class _Stop(Exception):
    """Nothing behind this place is read."""


def build(text: str, file: str, *, pure: bool = False) -> tuple[Node, Marks, list[Problem]]:
    """Return the value of the only document, its positions, and every problem."""
    builder = _Builder(text, file, pure=pure)
    with no_collection():
        value, marks = builder.document()
    return value, marks, builder.problems


def _at(event: Event) -> int:
    return pack(event.start_mark.line, event.start_mark.column)


class _Builder:
    """One reading of one text."""

    def __init__(self, text: str, file: str, *, pure: bool) -> None:
        self.text = text
        self.file = file
        self.pure = pure
        self.problems: list[Problem] = []
        self._get: Callable[[], Event]
        self._plain: dict[str, Scalar] = {}  # values repeat; most are looked up, not worked out
        self._keys: dict[str, str] = {}  # keys without fault, each kept once
        self._anchors: dict[str, Anchored | None] = {}  # none: still open
        self._sizes = Sizes()
        self._copied = self._built = 0
        self._trail: list[
            list[Node] | dict[str, Node]
        ] = []  # what is open now; the last key of a block is the one being read

    def document(self) -> tuple[Node, Marks]:
        """Read the whole text."""
        try:
            parser = parser_of(self.text, pure=self.pure)
            self._get = parser.get_event
            try:
                return self._only_document()
            finally:
                parser.dispose()
        except _Stop:
            pass
        except (
            yaml.YAMLError,
            ValueError,
            OverflowError,
        ) as error:  # the pure parser lets impossible escapes through to chr()
            self.problems.append(syntax_problem(error, self.text, self.file))
        return None, 0

    def _only_document(self) -> tuple[Node, Marks]:
        value: Node = None
        marks: Marks = 0
        self._get()  # the stream's start
        event = self._get()
        if event.__class__ is DOCUMENT:
            value, marks = self._node(self._get(), ())
            self._get()  # the document's end
            event = self._get()
        if event.__class__ is not END:
            self._report(
                event, (), "a second document begins here", "one file holds one document; delete the line with ---"
            )
            raise _Stop
        if not self.problems and value in (None, [], {}):
            self.problems.append(Problem(self.file, 1, 1, message="there is nothing in it"))
        return value, marks

    # Blocks and lists: the two hot loops. Each handles the plain case itself and hands over what is unusual.

    def _mapping(self, start: Event) -> tuple[dict[str, Node], list[Marks]]:
        get, keys, plain, trail = self._get, self._keys, self._plain, self._trail
        value: dict[str, Node] = {}
        marks: list[Marks] = [_at(start)]
        add = marks.append
        self._open(start)
        trail.append(value)
        while True:
            event = get()
            kind = event.__class__
            if kind is BLOCK_END:
                break
            key = keys.get(event.value) if kind is SCALAR and event.tag is None and event.anchor is None else None
            if key is None:
                key = self._key(event)
            if key is None or key in value:
                if key is not None:
                    self._duplicate(event, key, value, marks)
                self._skip(get())
                continue
            mark = event.start_mark
            add(mark.line << 32 | mark.column)
            if len(marks) > _KEY_MARKS:
                self._stop(event, (), f"more than {MOST_KEYS} keys in one block")
            event = get()
            if event.__class__ is SCALAR and event.anchor is None and event.tag is None:
                word = event.value
                if event.implicit[0]:
                    if word in plain:
                        value[key] = plain[word]
                    else:
                        value[key] = None
                        value[key] = plain[word] = self._plain_value(event, (key,))
                elif len(word) > LONGEST_TEXT or (event.style == '"' and not word.isprintable()):
                    value[key] = None
                    value[key] = self._harmless(event, (key,))
                else:
                    value[key] = word
                mark = event.start_mark
                add(mark.line << 32 | mark.column)
            else:
                value[key] = None
                value[key], below = self._node(event, (key,))
                add(below)
        trail.pop()
        self._built += len(value)
        return value, marks

    def _sequence(self, start: Event) -> tuple[list[Node], list[Marks]]:
        get, plain, trail = self._get, self._plain, self._trail
        value: list[Node] = []
        marks: list[Marks] = [_at(start)]
        self._open(start)
        trail.append(value)
        while True:
            event = get()
            kind = event.__class__
            if kind is LIST_END:
                break
            if kind is SCALAR and event.implicit[0] and event.anchor is None:
                word = event.value
                if word in plain:
                    value.append(plain[word])
                else:
                    plain[word] = found = self._plain_value(event, (len(value),))
                    value.append(found)
                mark = event.start_mark
                marks.append(mark.line << 32 | mark.column)
                if len(value) > MOST_ENTRIES:
                    self._stop(event, (), f"more than {MOST_ENTRIES} entries in one list")
            else:
                if len(value) >= MOST_ENTRIES:
                    self._stop(event, (), f"more than {MOST_ENTRIES} entries in one list")
                entry, below = self._node(event, (len(value),))
                value.append(entry)
                marks.append(below)
        trail.pop()
        self._built += len(value)
        return value, marks

    def _open(self, start: Event) -> None:
        """Count a block or list that begins, before anything of it is built."""
        self._built += 1
        if len(self._trail) >= DEEPEST:
            self._too_deep(start)
        if self._built > MOST_VALUES:
            self._stop(start, (), f"more than {MOST_VALUES} values in one file")

    def _node(self, event: Event, step: Path) -> tuple[Node, Marks]:
        """Read any value.

        `step` is its key or place in what is open, for problems.
        """
        if event.__class__ is ALIAS:
            return self._alias(event, step)
        anchor: str | None = event.anchor
        if anchor is not None:
            self._anchors[anchor] = None
        value: Node
        marks: Marks
        if event.__class__ is BLOCK:
            self._container_tag(event, "map", step)
            value, marks = self._mapping(event)
        elif event.__class__ is LIST:
            self._container_tag(event, "seq", step)
            value, marks = self._sequence(event)
        else:
            value, marks = self._scalar(event, step), _at(event)
        if anchor is not None:
            self._anchors[anchor] = self._sizes.of(value, marks)
        return value, marks

    # Scalars and their tags

    def _scalar(self, event: Event, step: Path) -> Scalar:
        tag: str | None = event.tag
        if tag is None or tag == "!" or tag == f"{_TAG}str":
            return self._plain_value(event, step) if event.implicit[0] else self._harmless(event, step)
        value = self._plain_value(event, step)
        short = tag.removeprefix(_TAG)
        if tag == short or short not in _SCALAR_TAGS:
            self._foreign_tag(event, step)
            return self._harmless(event, step)
        if not isinstance(value, _SCALAR_TAGS[short]) or (isinstance(value, bool) and short != "bool"):
            self._report(event, step, f"{described(event.value)} is not what its tag !!{short} says", "delete the tag")
        return value

    def _plain_value(self, event: Event, step: Path) -> Scalar:
        """Return what an unquoted word stands for."""
        if len(event.value) > LONGEST_TEXT:
            self._stop(event, step, _LONG, "shorten it")
        return plain_value(event.value)

    def _container_tag(self, event: Event, expected: str, step: Path) -> None:
        if event.tag is not None and event.tag not in (f"{_TAG}{expected}", "!"):
            self._foreign_tag(event, step)

    def _foreign_tag(self, event: Event, step: Path) -> None:
        shown = str(event.tag).replace(_TAG, "!!", 1)
        self._report(
            event,
            step,
            f"the tag {described(shown)} is not read",
            'delete it, or put a text that begins with "!" in quotes',
        )

    def _harmless(self, event: Event, step: Path) -> str:
        """Return the text.

        Control characters, which only escapes in double quotes can bring, are reported and spelled out.
        """
        text: str = event.value
        if len(text) > LONGEST_TEXT:
            self._stop(event, step, _LONG, "shorten it")
        bad = _CONTROL.search(text)
        if bad is None:
            return text
        self._report(event, step, f"the text has the control character {visible(bad[0])} in it", "delete the escape")
        return visible(text)

    # Keys

    def _key(self, event: Event) -> str | None:
        """Return a new key, or read over it and return None.

        None: it cannot be a key.
        """
        if event.__class__ is ALIAS:
            self._report(event, (), "a key may not be an alias")
            return None
        if event.__class__ is not SCALAR:
            self._report(
                event,
                (),
                "a key must be text, not a list or a block of keys",
                "put a text with brackets or braces in quotes",
            )
            self._skip(event)
            return None
        if event.anchor is not None:
            self._anchors[event.anchor] = Anchored(event.value, _at(event))
        if event.tag not in (None, "!", f"{_TAG}str"):
            self._foreign_tag(event, ())
        if event.implicit[0] and event.value == "":
            self._report(event, (), 'a key is missing before ":"')
            return None
        if event.implicit[0] and event.value == "<<":
            self._report(event, (), "merging with << is not read", "write the keys out")
            return None
        key = self._harmless(event, ())
        if key == event.value and key not in ("", "<<") and event.anchor is None and event.tag is None:
            self._keys[key] = key
        return key

    def _duplicate(self, event: Event, key: str, value: dict[str, Node], marks: list[Marks]) -> None:
        first = marks[1 + 2 * list(value).index(key)]
        assert isinstance(first, int)
        self._report(
            event,
            (key,),
            f"the key {described(key)} stands here again; "
            f"it was first given at {(first >> 32) + 1}:{(first & 0xFFFFFFFF) + 1}",
        )

    def _skip(self, event: Event) -> None:
        """Read over a value that has no place.

        What it anchors is known, but empty.
        """
        depth = 0
        while True:
            if event.__class__ in (SCALAR, BLOCK, LIST) and event.anchor is not None:
                self._anchors[event.anchor] = Anchored(None, _at(event))
            if event.__class__ in (BLOCK, LIST):
                depth += 1
                if depth + len(self._trail) > DEEPEST:
                    self._too_deep(event)
            elif event.__class__ in (BLOCK_END, LIST_END):
                depth -= 1
            if not depth:
                return
            event = self._get()

    # Aliases

    def _alias(self, event: Event, step: Path) -> tuple[Node, Marks]:
        name = str(event.anchor)
        here = _at(event)
        if name not in self._anchors:
            self._report(
                event,
                step,
                f"there is no anchor &{visible(name)} before this",
                'put a text that begins with "*" in quotes',
            )
            return None, here
        anchored = self._anchors[name]
        if anchored is None:
            self._report(event, step, f"*{visible(name)} stands inside what it repeats")
            return None, here
        if len(self._trail) + anchored.depth > DEEPEST:
            self._too_deep(event)
        self._copied += anchored.size
        if self._copied > MOST_COPIED:
            hint = "write the values out, or use fewer aliases"
            self._stop(event, step, f"aliases repeat more than {MOST_COPIED} values", hint)
        if isinstance(anchored.marks, list):
            return anchored.value, [here, *anchored.marks[1:]]
        return anchored.value, here

    # Problems

    def _path(self, step: Path) -> Path:
        path: list[str | int] = []
        for outer in self._trail[:-1]:
            path.append(next(reversed(outer)) if isinstance(outer, dict) else len(outer))
        return (*path, *step)

    def _report(self, event: Event, step: Path, message: str, hint: str = "") -> None:
        line, column = event.start_mark.line + 1, event.start_mark.column + 1
        if len(self.problems) >= MOST_PROBLEMS:
            self.problems.append(Problem(self.file, line, column, message=MORE))
            raise _Stop
        self.problems.append(Problem(self.file, line, column, path_text(self._path(step)), message, hint))

    def _stop(self, event: Event, step: Path, message: str, hint: str = _SPLIT) -> NoReturn:
        """Report what nothing is read behind."""
        self._report(event, step, message, hint)
        raise _Stop

    def _too_deep(self, event: Event) -> NoReturn:
        line, column = event.start_mark.line + 1, event.start_mark.column + 1
        self.problems.append(Problem(self.file, line, column, message=f"nested deeper than {DEEPEST} levels"))
        raise _Stop
