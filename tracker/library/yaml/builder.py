"""Build values and positions from PyYAML's nodes.

Most mistakes are recorded, and the rest of the file is read; `_Stop` ends the reading.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, NoReturn

import yaml

from tracker.library.yaml.problems import (
    MORE,
    MOST_PROBLEMS,
    Marks,
    Node,
    Path,
    Problem,
    Scalar,
    described,
    pack,
    path_text,
    visible,
)

if TYPE_CHECKING:
    from yaml.error import Mark


_LINE_END = re.compile(r"\r\n|\r|\n")
_INDENTATION = "check the indentation of this line and the one above, and that one's colon"
_QUOTE = "put the text in quotes"
_CLOSED = "look for a bracket or a comma that is missing before, a quote inside quotes, or a # in a text without them"
_HARD_BLANK = re.compile(r"(?:^[ \xa0]*|[:-])\xa0", re.MULTILINE)
"""A no-break space where YAML wants a blank."""
DEEPEST = 64

# Part of the parser's message -> message, hint. "{open}" is the place where the wrong part begins.
_MESSAGES: tuple[tuple[str, str, str], ...] = (
    ("maximum nesting depth", f"nested deeper than {DEEPEST} levels", ""),  # libyaml's own limit, met while it scans
    ("undefined alias", "there is no such anchor before this", 'put a text that begins with "*" in quotes'),
    ("duplicate anchor", "this anchor was given at {open} already", "give it another name"),
    ("single document", "a second document begins here", "one file holds one document; delete the line with ---"),
    ("another document", "a second document begins here", "one file holds one document; delete the line with ---"),
    ("expected ',' or ']'", 'the list that "[" opened at {open} is not closed: "," or "]" expected here', _CLOSED),
    ("expected ',' or '}'", 'the block that "{{" opened at {open} is not closed: "," or "}}" expected here', _CLOSED),
    ("unexpected end of stream", "the quoted text that began at {open} has no closing quote", ""),
    ("unexpected document", "the quoted text that began at {open} has no closing quote", ""),
    ("unknown escape", "a backslash in double quotes that stands for nothing", "use single quotes, or write \\\\"),
    ("invalid Unicode character escape", "an escape that is no character", "use single quotes, or write \\\\"),
    ("hexdecimal number", "an escape that is no character", "use single quotes, or write \\\\"),
    ("hexadecimal numbers", "an escape that is no character", "use single quotes, or write \\\\"),
    (
        "expected ':'",
        'a ":" is missing after the key that began at {open}',
        'a ":" has a blank behind it, as in "name: Foes"',
    ),
    ("expected alphabetic or numeric", 'a text may not begin with "&" or "*"', _QUOTE),
    ("expected key", "this does not belong to the block that began at {open}", _INDENTATION),
    ("expected <block end>", "this does not belong to the block that began at {open}", _INDENTATION),
    ("expected '-' indicator", 'an entry of the list that began at {open} must begin with "- "', _INDENTATION),
    (
        "entries are not allowed",
        'a list may not begin with "- " behind something else on the line',
        "begin the list on a line of its own",
    ),
    ("document start>", "there is something behind the end of the document", "delete it, or check the indentation"),
    ("undefined tag", 'a text may not begin with "!"', _QUOTE),
    ("tag", 'a text may not begin with "!"', _QUOTE),
    ("directive", 'a line may not begin with "%"', _QUOTE),
    ("incompatible YAML document", "this version of YAML is not read", "delete the %YAML line"),
    ("chomping or indentation", 'behind "|" and ">" the line must end', "begin the text on the next line"),
    ("comment or line break", 'behind "|" and ">" the line must end', "begin the text on the next line"),
)

_OUT_OF_PLACE = ("expected key", "expected <block end>", "expected '-' indicator")


def syntax_problem(error: Exception, text: str, file: str) -> Problem:
    if isinstance(error, (ValueError, OverflowError)):
        message = "an escape in double quotes is no character"
        return Problem(file, message=message, hint="use single quotes, or write \\\\")
    mark: Mark | None = getattr(error, "problem_mark", None) or getattr(error, "context_mark", None)
    words = str(getattr(error, "problem", None) or error)
    if mark is None:
        first = words.splitlines()[0] if words else "unreadable"
        return Problem(file, 1, 1, message=f"this is not YAML: {visible(first)}")
    lines = _LINE_END.split(text)
    line = lines[min(mark.line, len(lines) - 1)]
    tab = line.find("\t", 0, len(line) - len(line.lstrip()))
    if tab >= 0:
        return Problem(file, mark.line + 1, tab + 1, message="a tab in the indentation", hint="use spaces")
    near = "\n".join(lines[max(0, mark.line - 1) : mark.line + 1])
    if hard := _HARD_BLANK.search(near):
        above = near.count("\n", hard.end()) if mark.line else 0
        column = hard.end() - near.rfind("\n", 0, hard.end()) - 1
        message = "a no-break space, which is no blank to YAML"
        return Problem(file, mark.line + 1 - above, column, message=message, hint="type a blank instead")
    message, hint = _explained(words, line, mark, getattr(error, "context_mark", None) or mark)
    return Problem(file, mark.line + 1, mark.column + 1, message=message, hint=hint)


def _explained(problem: str, line: str, mark: Mark, opened: Mark) -> tuple[str, str]:
    if "mapping values are not allowed" in problem:
        if ": " in line[: mark.column]:
            return 'a second ": " in one line', _QUOTE
        return 'a key and its ":" cannot stand here', _INDENTATION
    if "cannot start any token" in problem:
        return f"a text may not begin with {described(line[mark.column : mark.column + 1])}", _QUOTE
    if "node content" in problem:
        sign = line[mark.column : mark.column + 1]
        if not sign:
            return "the file ends where a value or a closing bracket should stand", ""
        if sign == ":":
            return 'a key is missing before ":"', ""
        return f"{described(sign)} is out of place here", "delete it, or put the text in quotes"
    if any(part in problem for part in _OUT_OF_PLACE) and line[: mark.column].strip():
        return (
            "something stands behind the end of the value",
            "put the whole text in quotes; a quote inside single quotes is typed twice",
        )
    for part, message, hint in _MESSAGES:
        if part in problem:
            return message.format(open=f"{opened.line + 1}:{opened.column + 1}"), hint
    return f"this is not YAML: {visible(problem)}", ""


MOST_KEYS = 1_000  # in one block
MOST_ENTRIES = 20_000  # in one list
MOST_VALUES = 500_000  # in one file, those that aliases repeat counted each time
MOST_COPIED = 10_000  # values that all aliases of a file together may repeat
LONGEST_TEXT = 100_000  # signs of one text

_SPLIT = "split the file, or leave out what no fight needs"
_TAG = "tag:yaml.org,2002:"
_TEXT, _PLAIN = f"{_TAG}str", "plain"
"""The tags of a text and of a word without quotes."""
_SCALAR_TAGS: dict[str, tuple[type, ...]] = {
    "null": (type(None),),
    "bool": (bool,),
    "int": (int,),
    "float": (float, int),
}
_CONTROL = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff]")


# YAML 1.2, narrowed: `No`, `on`, `1:30`, `012`, `0x1F` and `.inf` are texts, as people expect.
_WORDS: dict[str, Scalar] = {"": None, "~": None, "null": None, "true": True, "false": False}
# A number with leading zeros or of more than 64 bits is text: a field that takes a number then reports it.
_INT = re.compile(r"[-+]?(?:0|[1-9][0-9]{0,17})")
_FLOAT = re.compile(r"[-+]?(?:\.[0-9]+|(?:0|[1-9][0-9]{0,17})(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]{1,2})?")


def plain_value(text: str) -> Scalar:
    if text in _WORDS:
        return _WORDS[text]
    if _INT.fullmatch(text):
        return int(text)
    if _FLOAT.fullmatch(text):
        return float(text)
    return text


class _Pure(yaml.SafeLoader):
    """PyYAML's own parser; plain words stay texts."""


class _Quick(getattr(yaml, "CSafeLoader", yaml.SafeLoader)):  # type: ignore[misc]  # chosen at run time
    """The parser of libyaml, if that is installed."""


for _loader in (_Pure, _Quick):
    _loader.yaml_implicit_resolvers = {None: [(_PLAIN, re.compile(""))]}


class _Stop(Exception):
    """Ends the reading of a file."""


def build(text: str, file: str, *, pure: bool = False) -> tuple[Node, Marks, list[Problem]]:
    """Return the value of the only document, its positions, and every problem."""
    builder = _Builder(file)
    loader = _Pure if pure else _Quick
    try:
        if (deep := _too_deep(text, loader)) is not None:  # the composer would exhaust the stack
            line, column = deep.line + 1, deep.column + 1
            return None, 0, [Problem(file, line, column, message=f"nested deeper than {DEEPEST} levels")]
        root = yaml.compose(text, Loader=loader)
    except (yaml.YAMLError, ValueError, OverflowError) as error:  # the pure parser lets impossible escapes through
        return None, 0, [syntax_problem(error, text, file)]
    try:
        value, marks = (None, 0) if root is None else builder.value(root, ())
    except _Stop:
        return None, 0, builder.problems
    if not builder.problems and value in (None, [], {}):
        builder.problems.append(Problem(file, 1, 1, message="there is nothing in it"))
    return value, marks, builder.problems


def _too_deep(text: str, loader: Any) -> Any:
    """Return the mark where a text is nested too deep, or None."""
    depth = 0
    for event in yaml.parse(text, Loader=loader):
        if isinstance(event, yaml.CollectionStartEvent):
            depth += 1
            if depth > DEEPEST:
                return event.start_mark
        elif isinstance(event, yaml.CollectionEndEvent):
            depth -= 1
    return None


class _Builder:
    def __init__(self, file: str) -> None:
        self.file = file
        self.problems: list[Problem] = []
        self._open: list[yaml.Node] = []
        self._seen: set[int] = set()
        self._built = self._copied = 0
        self._repeats = False  # an alias repeats the present node

    def value(self, node: Any, path: Path) -> tuple[Node, Marks]:
        repeats, self._repeats = self._repeats, self._repeats or id(node) in self._seen
        self._seen.add(id(node))
        self._count(node, path)
        result = self._built_value(node, path)
        self._repeats = repeats
        return result

    def _built_value(self, node: Any, path: Path) -> tuple[Node, Marks]:
        here = pack(node.start_mark.line, node.start_mark.column)
        if isinstance(node, yaml.ScalarNode):
            return self._scalar(node, path), here
        if node in self._open:
            self._report(node, path, "an alias stands inside what it repeats")
            return None, here
        if len(self._open) >= DEEPEST:  # by aliases
            self._stop(node, (), f"nested deeper than {DEEPEST} levels", "")
        if node.tag not in (f"{_TAG}{'map' if isinstance(node, yaml.MappingNode) else 'seq'}", "!"):
            self._foreign_tag(node, path)
        self._open.append(node)
        value, marks = self._mapping(node, path) if isinstance(node, yaml.MappingNode) else self._sequence(node, path)
        self._open.pop()
        return value, [here, *marks]

    def _count(self, node: yaml.Node, path: Path) -> None:
        self._built += 1
        self._copied += self._repeats
        if self._copied > MOST_COPIED:
            hint = "write the values out, or use fewer aliases"
            self._stop(node, path, f"aliases repeat more than {MOST_COPIED} values", hint)
        if self._built > MOST_VALUES:
            self._stop(node, path, f"more than {MOST_VALUES} values in one file")

    def _mapping(self, node: yaml.MappingNode, path: Path) -> tuple[dict[str, Node], list[Marks]]:
        value: dict[str, Node] = {}
        marks: list[Marks] = []
        first: dict[str, yaml.Node] = {}
        for name, entry in node.value:
            key = self._key(name, path)
            if key is None:
                continue
            if key in first:
                mark = first[key].start_mark
                where = f"it was first given at {mark.line + 1}:{mark.column + 1}"
                self._report(name, (*path, key), f"the key {described(key)} stands here again; {where}")
                continue
            first[key] = name
            if len(first) > MOST_KEYS:
                self._stop(name, path, f"more than {MOST_KEYS} keys in one block")
            value[key], below = self.value(entry, (*path, key))
            marks += [pack(name.start_mark.line, name.start_mark.column), below]
        return value, marks

    def _sequence(self, node: yaml.SequenceNode, path: Path) -> tuple[list[Node], list[Marks]]:
        value: list[Node] = []
        marks: list[Marks] = []
        for place, entry in enumerate(node.value):
            if place >= MOST_ENTRIES:
                self._stop(entry, path, f"more than {MOST_ENTRIES} entries in one list")
            part, below = self.value(entry, (*path, place))
            value.append(part)
            marks.append(below)
        return value, marks

    def _scalar(self, node: yaml.ScalarNode, path: Path) -> Scalar:
        if len(node.value) > LONGEST_TEXT:
            self._stop(node, path, f"the text is longer than {LONGEST_TEXT} characters", "shorten it")
        if node.tag == _PLAIN:
            return plain_value(node.value)
        if node.tag in (_TEXT, "!"):
            return self._harmless(node, path)
        value, short = plain_value(node.value), node.tag.removeprefix(_TAG)
        if node.tag == short or short not in _SCALAR_TAGS:
            self._foreign_tag(node, path)
            return self._harmless(node, path)
        if not isinstance(value, _SCALAR_TAGS[short]) or (isinstance(value, bool) and short != "bool"):
            self._report(node, path, f"{described(node.value)} is not what its tag !!{short} says", "delete the tag")
        return value

    def _key(self, node: yaml.Node, path: Path) -> str | None:
        """Return a key, None for a node that cannot be one."""
        if not isinstance(node, yaml.ScalarNode):
            hint = "put a text with brackets or braces in quotes"
            self._report(node, path, "a key must be text, not a list or a block of keys", hint)
            return None
        if node.tag not in (_TEXT, _PLAIN, "!"):
            self._foreign_tag(node, path)
        if node.tag == _PLAIN and node.value == "":
            self._report(node, path, 'a key is missing before ":"')
            return None
        if node.tag == _PLAIN and node.value == "<<":
            self._report(node, path, "merging with << is not read", "write the keys out")
            return None
        return self._harmless(node, path)

    def _harmless(self, node: yaml.ScalarNode, path: Path) -> str:
        """Return the text; control characters from escapes are reported and spelled out."""
        text: str = node.value
        bad = _CONTROL.search(text)
        if bad is None:
            return text
        self._report(node, path, f"the text has the control character {visible(bad[0])} in it", "delete the escape")
        return visible(text)

    def _foreign_tag(self, node: yaml.Node, path: Path) -> None:
        shown = str(node.tag).replace(_TAG, "!!", 1)
        hint = 'delete it, or put a text that begins with "!" in quotes'
        self._report(node, path, f"the tag {described(shown)} is not read", hint)

    def _report(self, node: yaml.Node, path: Path, message: str, hint: str = "") -> None:
        line, column = node.start_mark.line + 1, node.start_mark.column + 1
        if len(self.problems) >= MOST_PROBLEMS:
            self.problems.append(Problem(self.file, line, column, message=MORE))
            raise _Stop
        self.problems.append(Problem(self.file, line, column, path_text(path), message, hint))

    def _stop(self, node: yaml.Node, path: Path, message: str, hint: str = _SPLIT) -> NoReturn:
        """Report a problem and end the reading."""
        self._report(node, path, message, hint)
        raise _Stop
