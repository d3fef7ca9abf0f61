"""The parser of scripts: from a YAML file to entries, with every mistake and its position."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path as FilePath
from typing import Protocol

from tracker.core.fight.events import Checked
from tracker.core.terms.errors import BadData
from tracker.core.terms.moments import NamedRound, named_round
from tracker.library.yaml.problems import Node, Path, Problem, described, did_you_mean
from tracker.library.yaml.tree import Tree, load
from tracker.script.entries import (
    Advancing,
    Amending,
    Answering,
    Branching,
    Command,
    DoActions,
    Entry,
    Expecting,
    GivenAnswers,
    Interrupting,
    Listed,
    Named,
    Naming,
    Opening,
    Overriding,
    Plain,
    Redoing,
    Refusing,
    Trying,
    Undoing,
    WrittenAction,
    WrittenAnswer,
)

KINDS = (
    "start", "do", "group", "advance", "next", "answer", "interrupt", "override", "undo", "redo", "amend", "branch",
    "what_if", "force", "refused", "expect",
)  # fmt: skip # a plain list of names
ANSWERED = ("start", "group", "advance", "next", "interrupt", "override", "amend", "force", "refused")
BARE = ("start", "advance", "next", "undo", "redo")
ANSWERS = ("answers", "dice")
"""The keys of the answers, in scripts and in vectors."""
BESIDE = ("pending", "interrupts", "asks", "checked", "expect")
"""Keys that any command may have beside it."""
ACTION = ("do", "by", "fields", "forced", *ANSWERS)
"""Keys of an action that are no fields."""
ROUND_HINT = 'such as "round 3" or "end of round 2", or what the clock shows: {round: 3}'
UNTIL = ("round", "seconds", "slot", "phase", "side", "segment", "acting", "acted")
COMPARED = Checked.__struct_fields__
EXPECTED = (
    "ruleset", "clock", "sides", "combatants", "effects", "order", "calendar", "facts", "pending", "log", "no_log",
)  # fmt: skip # a plain list of names


class _Wrong(Exception):
    """An entry that cannot be parsed; its problem is stored already."""


class Source(Protocol):
    """The input of the parser: a file, or values without a file."""

    @property
    def value(self) -> Node:
        """The values."""

    def position(self, path: Path) -> tuple[int, int]:
        """Return line and column of a path."""

    def problem(self, path: Path, message: str, hint: str = "", *, key: bool = False) -> Problem:
        """Return a problem at a path."""


def read_script(path: FilePath, file: str | None = None) -> tuple[Entry, ...]:
    """Parse a script file; raises BadData with every problem."""
    return entries_of(load(path, file))


def entries_of(tree: Tree) -> tuple[Entry, ...]:
    """Parse the entries of a loaded script; raises BadData with every problem."""
    tree.checked()
    return Reader(tree).entries()


class Reader:
    """The parser of one list of entries."""

    def __init__(self, tree: Source) -> None:
        self._tree = tree
        self._problems: list[Problem] = []

    def entries(self) -> tuple[Entry, ...]:
        """Parse all entries; raises BadData with every problem."""
        value = self._tree.value
        if not isinstance(value, list):
            raise BadData((self._tree.problem((), "a script is a list of entries", 'each begins with "- "'),))
        entries = []
        for place, node in enumerate(value):
            try:
                entries.append(self._entry((place,), node, place + 1))
            except _Wrong:
                continue
        if self._problems:
            raise BadData(tuple(sorted(self._problems)))
        return tuple(entries)

    def entry(self) -> Entry:
        """Parse one entry; raises BadData."""
        try:
            return self._entry((), self._tree.value, 1)
        except _Wrong:
            raise BadData(tuple(sorted(self._problems))) from None

    # -- entries -------------------------------------------------------------------------------------------------------

    def _entry(self, at: Path, node: Node, number: int) -> Entry:
        line, column = self._tree.position(at)
        if isinstance(node, str):
            command, extras = self._bare(at, node), {}
        elif isinstance(node, dict):
            extras = {key: part for key, part in node.items() if key in BESIDE}
            rest = {key: part for key, part in node.items() if key not in BESIDE}
            if not rest.keys() - ANSWERS and "expect" in extras:  # the entry has no other command
                rest["expect"] = extras.pop("expect")
            command = self._command(at, rest)
        else:
            raise self._wrong(at, f"an entry is a block of keys or one of {', '.join(BARE)}, not {described(node)}")
        opened = command.command if isinstance(command, Refusing) else command
        if isinstance(opened, Opening) and number > 1:
            raise self._wrong(at, "start can only be the first entry")
        return Entry(
            command,
            number,
            line=line,
            column=column,
            pending=self._flag(at, extras, "pending"),
            interrupts=self._interrupts((*at, "interrupts"), extras.get("interrupts")),
            asks=self._asks((*at, "asks"), extras["asks"]) if "asks" in extras else None,
            checked=self._checked((*at, "checked"), extras["checked"]) if "checked" in extras else None,
            expect=self._expected((*at, "expect"), extras["expect"]) if "expect" in extras else None,
        )

    def _interrupts(self, at: Path, node: Node) -> tuple[tuple[str, tuple[WrittenAction, ...]], ...]:
        if node is None:
            return ()
        if not isinstance(node, dict):
            raise self._wrong(at, f"interrupts are actions by the keys of requests, not {described(node)}")
        return tuple(
            (key, self._acts((*at, key), part) if isinstance(part, list) else (self._sole((*at, key), part, None),))
            for key, part in node.items()
        )

    def _asks(self, at: Path, node: Node) -> tuple[str, ...]:
        if not isinstance(node, list):
            raise self._wrong(at, f"asks is a list of keys, not {described(node)}")
        return tuple(self._word((*at, place), part) for place, part in enumerate(node))

    def _checked(self, at: Path, node: Node) -> tuple[Mapping[str, Plain], ...]:
        if not isinstance(node, list):
            raise self._wrong(at, f"checked is a list of blocks, one for each number, not {described(node)}")
        return tuple(
            {name: _plain(value) for name, value in self._block((*at, place), part, COMPARED).items()}
            for place, part in enumerate(node)
        )

    def _expected(self, at: Path, node: Node) -> Mapping[str, Plain]:
        """Parse expectations; a block under any other key is a combatant's."""
        if not isinstance(node, dict):
            raise self._wrong(at, f"a block of keys is wanted ({', '.join(EXPECTED)}), not {described(node)}")
        people = {key: _plain(part) for key, part in node.items() if key not in EXPECTED and isinstance(part, dict)}
        known = {key: part for key, part in node.items() if key not in people}
        self._only(at, known, EXPECTED)
        parts = {key: _plain(part) for key, part in known.items()}
        named = parts.get("combatants")
        return parts | {"combatants": people | (dict(named) if isinstance(named, Mapping) else {})} if people else parts

    def _bare(self, at: Path, word: str) -> Command:
        match word:
            case "start":
                return Opening()
            case "advance" | "next":
                return Advancing()
            case "undo":
                return Undoing()
            case "redo":
                return Redoing()
            case _:
                hint = did_you_mean(word, KINDS) or f"entries of one word are {', '.join(BARE)}"
                raise self._wrong(at, f"{described(word)} is no entry", hint)

    def _command(self, at: Path, node: dict[str, Node]) -> Command:
        if "do" in node:
            return DoActions((self._act(at, node),), forced=self._flag(at, node, "forced"))
        kind = self._kind(at, node)
        body, below = node[kind], (*at, kind)
        more = (*ANSWERS, *(("rule", "says") if kind == "refused" else ("forced",) if kind == "group" else ()))
        self._only(at, node, (kind, *(more if kind in ANSWERED else ())))
        answers = self._answers_in(at, node)
        match kind:
            case "start":
                return Opening(self._given(below, self._block(below, body, ANSWERS, empty=True), answers))
            case "group":
                return DoActions(self._acts(below, body), answers or Listed(), forced=self._flag(at, node, "forced"))
            case "advance" | "next":
                return self._advancing(below, body, answers)
            case "answer":
                return Answering(self._written(below, body))
            case "interrupt":
                return Interrupting(self._sole(below, body, answers))
            case "override":
                return self._overriding(below, body, answers)
            case "amend":
                return self._amending(below, body, answers)
            case "branch":
                return self._branching(below, body)
            case "what_if":
                return self._trying(below, body)
            case "force":
                return self._forcing(below, body, answers)
            case "refused":
                return self._refusing(at, node, answers)
            case "expect":
                return Expecting(self._expected(below, body))
            case _:
                if body is not None:
                    raise self._wrong(below, f"{kind} takes nothing")
                return Undoing() if kind == "undo" else Redoing()

    def _kind(self, at: Path, node: dict[str, Node]) -> str:
        kinds = [key for key in node if key in KINDS]
        if len(kinds) == 1:
            return kinds[0]
        if kinds:
            text = f"one entry cannot be both {kinds[0]} and {kinds[1]}"
            raise self._wrong((*at, kinds[1]), text, "begin a new entry", key=True)
        first = next(iter(node), "")
        hint = did_you_mean(first, KINDS) or f"entries are {', '.join(KINDS)}"
        raise self._wrong((*at, first), f"{described(first)} is no entry", hint, key=True)

    def _advancing(self, at: Path, body: Node, answers: GivenAnswers | None) -> Advancing:
        if isinstance(body, int) and not isinstance(body, bool):
            if body < 1:
                raise self._wrong(at, f"a number of steps from 1 is wanted, not {body}")
            return Advancing(answers=answers or Listed(), times=body)
        block = self._block(at, body, ("until", *ANSWERS), empty=True)
        until = self._until((*at, "until"), block["until"]) if "until" in block else None
        return Advancing(until, self._given(at, block, answers))

    def _overriding(self, at: Path, body: Node, answers: GivenAnswers | None) -> Overriding:
        block = self._block(at, body, ("key", "value", "step", *ANSWERS), needs=("key", "value"))
        key, step = self._word((*at, "key"), block["key"]), self._step(at, block)
        return Overriding(key, _plain(block["value"]), step, self._given(at, block, answers))

    def _amending(self, at: Path, body: Node, answers: GivenAnswers | None) -> Amending:
        block = self._block(at, body, ("step", "key", "answer", "refused", *ANSWERS), needs=("step", "key", "answer"))
        match block.get("refused", "keep"):
            case ("keep" | "drop") as refused:
                pass
            case other:
                raise self._wrong((*at, "refused"), f"refused is keep or drop, not {described(other)}")
        step, key = self._number((*at, "step"), block["step"]), self._word((*at, "key"), block["key"])
        answer = self._written((*at, "answer"), block["answer"])
        return Amending(step, key, answer, refused=refused, answers=self._given(at, block, answers))

    def _branching(self, at: Path, body: Node) -> Branching | Naming:
        if isinstance(body, dict):
            block = self._block(at, body, ("name", "step"), needs=("name",))
            return Naming(self._word((*at, "name"), block["name"]), self._step(at, block))
        return Branching(body if isinstance(body, int) and not isinstance(body, bool) else self._word(at, body))

    def _trying(self, at: Path, body: Node) -> Trying:
        match body:
            case "begin" | "drop" | "keep":
                return Trying(body)
            case _:
                raise self._wrong(at, f"what_if is begin, drop or keep, not {described(body)}")

    def _forcing(self, at: Path, body: Node, answers: GivenAnswers | None) -> DoActions:
        if isinstance(body, dict) and "group" in body:
            self._only(at, body, ("group", *ANSWERS))
            return DoActions(self._acts((*at, "group"), body["group"]), self._given(at, body, answers), forced=True)
        return DoActions((self._sole(at, body, answers),), forced=True)

    def _refusing(self, around: Path, node: dict[str, Node], answers: GivenAnswers | None) -> Refusing:
        """Parse a command that must be refused; rule and words may be in it or beside it."""
        at, body = (*around, "refused"), node["refused"]
        if isinstance(body, str):
            if body not in ("advance", "start"):
                raise self._wrong(at, f"{described(body)} cannot be refused", "an action, an answer, advance or start")
            body = {body: None}
        if not isinstance(body, dict):
            raise self._wrong(at, f"what must be refused is a block of keys, not {described(body)}")
        rule, says = (self._word_of(name, (at, body), (around, node)) for name in ("rule", "says"))
        rest = {key: value for key, value in body.items() if key not in ("rule", "says")}
        if answers is not None and not rest.keys() & ANSWERS:
            rest |= {key: node[key] for key in ANSWERS if key in node}
        command = self._command(at, rest) if rest else Undoing()
        if not isinstance(command, Opening | DoActions | Answering | Interrupting | Advancing) or (
            isinstance(command, Advancing) and (command.until is not None or command.times > 1)
        ):
            raise self._wrong(at, "only start, do, group, force, answer, interrupt and advance can be refused")
        return Refusing(command, rule, says)

    def _word_of(self, name: str, *places: tuple[Path, dict[str, Node]]) -> str:
        """Return a word that may be in one of several blocks, or ""."""
        for at, block in places:
            if block.get(name) is not None:
                return self._word((*at, name), block[name])
        return ""

    # -- actions -------------------------------------------------------------------------------------------------------

    def _acts(self, at: Path, node: Node) -> tuple[WrittenAction, ...]:
        if not isinstance(node, list) or not node:
            raise self._wrong(at, f"a group is a list of actions, not {described(node)}")
        return tuple(self._sole((*at, place), part, None) for place, part in enumerate(node))

    def _sole(self, at: Path, node: Node, answers: GivenAnswers | None) -> WrittenAction:
        """Parse a single action, with answers in it or beside it."""
        if not isinstance(node, dict) or "do" not in node:
            raise self._wrong(at, f"an action is {{do: ..., by: ...}}, not {described(node)}")
        act = self._act(at, node)
        if answers is None:
            return act
        if act.answers is not None:
            raise self._wrong((*at, "answers"), "the answers are given twice: in the action and beside it", key=True)
        return WrittenAction(act.key, act.by, act.fields, answers)

    def _act(self, at: Path, node: dict[str, Node]) -> WrittenAction:
        key = self._word((*at, "do"), node["do"])
        by = self._word((*at, "by"), node["by"]) if node.get("by") is not None else None
        fields = {name: _plain(value) for name, value in node.items() if name not in ACTION}
        named = node.get("fields") or {}
        if not isinstance(named, dict):
            raise self._wrong((*at, "fields"), f"fields are a block of keys, not {described(named)}")
        fields |= {name: _plain(value) for name, value in named.items()}
        return WrittenAction(key, by, tuple(fields.items()), self._answers_in(at, node))

    # -- answers -------------------------------------------------------------------------------------------------------

    def _given(self, at: Path, block: Mapping[str, Node], answers: GivenAnswers | None) -> GivenAnswers:
        own = self._answers_in(at, block)
        if own is None or answers is None:
            return own or answers or Listed()
        name = next(name for name in ANSWERS if name in block)
        raise self._wrong((*at, name), "the answers are given twice", key=True)

    def _answers_in(self, at: Path, block: Mapping[str, Node]) -> GivenAnswers | None:
        names = [name for name in ANSWERS if name in block]
        if len(names) > 1:
            raise self._wrong((*at, names[1]), "the answers are given twice", key=True)
        return self._answers((*at, names[0]), block[names[0]]) if names else None

    def _answers(self, at: Path, node: Node) -> GivenAnswers:
        if isinstance(node, list):
            return Listed(tuple(self._written((*at, place), part) for place, part in enumerate(node)))
        if isinstance(node, dict):
            return Named(tuple((key, self._written((*at, key), part)) for key, part in node.items()))
        raise self._wrong(at, f"answers are a list, or a block with the key of each request, not {described(node)}")

    def _written(self, at: Path, node: Node) -> WrittenAnswer:
        if isinstance(node, list):
            return tuple(self._written((*at, place), part) for place, part in enumerate(node))
        if isinstance(node, dict):
            return self._sole(at, node, None)
        if node is None:
            raise self._wrong(at, "an answer is missing")
        return node

    def _until(self, at: Path, node: Node) -> dict[str, Plain] | NamedRound:
        if isinstance(node, str):
            named = named_round(node)
            if named is None:
                raise self._wrong(at, f"{described(node)} is no moment", ROUND_HINT)
            return named
        block = self._block(at, node, UNTIL)
        if not block:
            raise self._wrong(at, "until is empty")
        return {name: _plain(part) for name, part in block.items()}

    # -- values --------------------------------------------------------------------------------------------------------

    def _block(
        self, at: Path, node: Node, known: tuple[str, ...], *, needs: tuple[str, ...] = (), empty: bool = False
    ) -> dict[str, Node]:
        if node is None and empty:
            return {}
        if not isinstance(node, dict):
            raise self._wrong(at, f"a block of keys is wanted ({', '.join(known)}), not {described(node)}")
        self._only(at, node, known)
        for name in needs:
            if name not in node:
                raise self._wrong(at, f"{name} is missing")
        return node

    def _only(self, at: Path, node: dict[str, Node], known: tuple[str, ...]) -> None:
        unknown = [name for name in node if name not in known]
        if unknown:
            hint = did_you_mean(unknown[0], known) or f"known here: {', '.join(known)}"
            raise self._wrong((*at, unknown[0]), f"unknown key {described(unknown[0])}", hint, key=True)

    def _word(self, at: Path, node: Node) -> str:
        if isinstance(node, str | int) and not isinstance(node, bool) and node != "":
            return str(node)
        raise self._wrong(at, f"a word is wanted, not {described(node)}")

    def _number(self, at: Path, node: Node) -> int:
        if isinstance(node, int) and not isinstance(node, bool):
            return node
        raise self._wrong(at, f"a number is wanted, not {described(node)}")

    def _step(self, at: Path, block: Mapping[str, Node]) -> int | None:
        return self._number((*at, "step"), block["step"]) if block.get("step") is not None else None

    def _flag(self, at: Path, node: Mapping[str, Node], name: str) -> bool:
        value = node.get(name, False)
        if isinstance(value, bool):
            return value
        raise self._wrong((*at, name), f"{name} is true or false, not {described(value)}")

    def _wrong(self, at: Path, message: str, hint: str = "", *, key: bool = False) -> _Wrong:
        self._problems.append(self._tree.problem(at, message, hint, key=key))
        return _Wrong(message)


def _plain(node: Node) -> Plain:
    if isinstance(node, list):
        return tuple(_plain(part) for part in node)
    if isinstance(node, dict):
        return {key: _plain(part) for key, part in node.items()}
    return node
