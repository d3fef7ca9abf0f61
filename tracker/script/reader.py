"""Reading a script: from a YAML file to entries, with every mistake and its place."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path as FilePath
from typing import Literal

from tracker.core.terms.errors import BadData
from tracker.core.terms.moments.rounds import NamedRound, named_round
from tracker.library.yaml.problems import Node, Path, Problem, described, did_you_mean
from tracker.library.yaml.tree import Tree, load
from tracker.script.entries import (
    Act,
    Advancing,
    Amending,
    Answering,
    Branching,
    Deed,
    Doing,
    Entry,
    Expecting,
    Given,
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
    Written,
)

KINDS = (
    "start",
    "do",
    "group",
    "advance",
    "answer",
    "interrupt",
    "override",
    "undo",
    "redo",
    "amend",
    "branch",
    "what_if",
    "force",
    "refused",
    "expect",
)
ANSWERED = ("start", "group", "advance", "interrupt", "override", "amend", "force")
BARE = ("start", "advance", "undo", "redo")
ROUND_HINT = 'such as "round 3" or "end of round 2", or what the clock shows: {round: 3}'
UNTIL = ("round", "seconds", "slot", "phase", "side", "segment", "acting", "acted")
EXPECTED = (
    "ruleset",
    "clock",
    "sides",
    "combatants",
    "effects",
    "order",
    "calendar",
    "facts",
    "pending",
    "log",
    "no_log",
)


class _Wrong(Exception):
    """An entry that cannot be read.

    Its problem is noted already.
    """


def read_script(path: FilePath, file: str | None = None) -> tuple[Entry, ...]:
    """Read a script file.

    Raises:
        BadData: with every problem found.
    """
    return entries_of(load(path, file))


def entries_of(tree: Tree) -> tuple[Entry, ...]:
    """Return the entries of a script that was read.

    Raises:
        BadData: with every problem found.
    """
    tree.checked()
    return _Reader(tree).entries()


class _Reader:
    """One reading of one script."""

    def __init__(self, tree: Tree) -> None:
        self._tree = tree
        self._problems: list[Problem] = []

    def entries(self) -> tuple[Entry, ...]:
        """Read all entries.

        Raises:
            BadData: where any cannot be read.
        """
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

    # -- entries -------------------------------------------------------------------------------------------------------

    def _entry(self, at: Path, node: Node, number: int) -> Entry:
        line, column = self._tree.position(at)
        pending = False
        if isinstance(node, str):
            deed = self._bare(at, node)
        elif isinstance(node, dict):
            pending = self._flag(at, node, "pending")
            deed = self._deed(at, node)
        else:
            raise self._wrong(at, f"an entry is a block of keys or one of {', '.join(BARE)}, not {described(node)}")
        opened = deed.deed if isinstance(deed, Refusing) else deed
        if isinstance(opened, Opening) and number > 1:
            raise self._wrong(at, "start can only be the first entry")
        return Entry(deed, number, line=line, column=column, pending=pending)

    def _bare(self, at: Path, word: str) -> Deed:
        match word:
            case "start":
                return Opening()
            case "advance":
                return Advancing()
            case "undo":
                return Undoing()
            case "redo":
                return Redoing()
            case _:
                raise self._wrong(
                    at,
                    f"{described(word)} is no entry",
                    did_you_mean(word, KINDS) or f"entries of one word are {', '.join(BARE)}",
                )

    def _deed(self, at: Path, node: dict[str, Node]) -> Deed:
        if "do" in node:
            return Doing((self._act(at, node, ("pending",)),))
        kind = self._kind(at, node)
        body, below = node[kind], (*at, kind)
        self._only(at, node, (kind, "pending", *(("answers",) if kind in ANSWERED else ())))
        beside = self._answers((*at, "answers"), node["answers"]) if "answers" in node else None
        match kind:
            case "start":
                return Opening(self._given(below, self._block(below, body, ("answers",), empty=True), beside))
            case "group":
                return Doing(self._acts(below, body), beside or Listed())
            case "advance":
                return self._advancing(below, body, beside)
            case "answer":
                return Answering(self._written(below, body))
            case "interrupt":
                return Interrupting(self._sole(below, body, beside))
            case "override":
                return self._overriding(below, body, beside)
            case "amend":
                return self._amending(below, body, beside)
            case "branch":
                return self._branching(below, body)
            case "what_if":
                return self._trying(below, body)
            case "force":
                return self._forcing(below, body, beside)
            case "refused":
                return self._refusing(below, body)
            case "expect":
                block = self._block(below, body, EXPECTED)
                return Expecting({name: _plain(part) for name, part in block.items()})
            case _:
                if body is not None:
                    raise self._wrong(below, f"{kind} takes nothing")
                return Undoing() if kind == "undo" else Redoing()

    def _kind(self, at: Path, node: dict[str, Node]) -> str:
        found = [key for key in node if key in KINDS]
        if len(found) == 1:
            return found[0]
        if found:
            raise self._wrong(
                (*at, found[1]), f"one entry cannot be both {found[0]} and {found[1]}", "begin a new entry", key=True
            )
        first = next(iter(node), "")
        hint = did_you_mean(first, KINDS) or f"entries are {', '.join(KINDS)}"
        raise self._wrong((*at, first), f"{described(first)} is no entry", hint, key=True)

    def _advancing(self, at: Path, body: Node, beside: Given | None) -> Advancing:
        block = self._block(at, body, ("until", "answers"), empty=True)
        until = self._until((*at, "until"), block["until"]) if "until" in block else None
        return Advancing(until, self._given(at, block, beside))

    def _overriding(self, at: Path, body: Node, beside: Given | None) -> Overriding:
        block = self._block(at, body, ("key", "value", "step", "answers"), needs=("key", "value"))
        key, step = self._word((*at, "key"), block["key"]), self._step(at, block)
        return Overriding(key, _plain(block["value"]), step, self._given(at, block, beside))

    def _amending(self, at: Path, body: Node, beside: Given | None) -> Amending:
        block = self._block(at, body, ("step", "key", "answer", "refused", "answers"), needs=("step", "key", "answer"))
        refused: Literal["keep", "drop"] = "keep"
        match block.get("refused", "keep"):
            case "keep":
                pass
            case "drop":
                refused = "drop"
            case other:
                raise self._wrong((*at, "refused"), f"refused is keep or drop, not {described(other)}")
        step, key = self._number((*at, "step"), block["step"]), self._word((*at, "key"), block["key"])
        answer = self._written((*at, "answer"), block["answer"])
        return Amending(step, key, answer, refused=refused, answers=self._given(at, block, beside))

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

    def _forcing(self, at: Path, body: Node, beside: Given | None) -> Doing:
        if isinstance(body, dict) and "group" in body:
            self._only(at, body, ("group", "answers"))
            return Doing(self._acts((*at, "group"), body["group"]), self._given(at, body, beside), forced=True)
        return Doing((self._sole(at, body, beside),), forced=True)

    def _refusing(self, at: Path, body: Node) -> Refusing:
        if isinstance(body, str):
            if body not in ("advance", "start"):
                raise self._wrong(at, f"{described(body)} cannot be refused", "an action, an answer, advance or start")
            return Refusing(Advancing() if body == "advance" else Opening())
        if not isinstance(body, dict):
            raise self._wrong(at, f"what must be refused is a block of keys, not {described(body)}")
        rule = self._word((*at, "rule"), body["rule"]) if body.get("rule") is not None else ""
        deed: Deed
        if "do" in body:
            deed = Doing((self._act(at, body, ("rule",)),))
        else:
            rest = {key: value for key, value in body.items() if key != "rule"}
            deed = self._deed(at, rest) if rest else Undoing()
        if not isinstance(deed, Opening | Doing | Answering | Interrupting | Advancing) or (
            isinstance(deed, Advancing) and deed.until is not None
        ):
            raise self._wrong(at, "only start, do, group, force, answer, interrupt and advance can be refused")
        return Refusing(deed, rule)

    # -- actions -------------------------------------------------------------------------------------------------------

    def _acts(self, at: Path, node: Node) -> tuple[Act, ...]:
        if not isinstance(node, list) or not node:
            raise self._wrong(at, f"a group is a list of actions, not {described(node)}")
        return tuple(self._sole((*at, place), part, None) for place, part in enumerate(node))

    def _sole(self, at: Path, node: Node, beside: Given | None) -> Act:
        """Read an action that stands alone.

        Answers may stand in it or beside it.
        """
        if not isinstance(node, dict) or "do" not in node:
            raise self._wrong(at, f"an action is {{do: ..., by: ...}}, not {described(node)}")
        act = self._act(at, node, ())
        if beside is None:
            return act
        if act.answers is not None:
            raise self._wrong((*at, "answers"), "the answers are given twice: in the action and beside it", key=True)
        return Act(act.key, act.by, act.fields, beside)

    def _act(self, at: Path, node: dict[str, Node], more: tuple[str, ...]) -> Act:
        reserved = {"do", "by", "answers", *more}
        key = self._word((*at, "do"), node["do"])
        by = self._word((*at, "by"), node["by"]) if node.get("by") is not None else None
        answers = self._answers((*at, "answers"), node["answers"]) if "answers" in node else None
        return Act(
            key, by, tuple((name, _plain(value)) for name, value in node.items() if name not in reserved), answers
        )

    # -- answers -------------------------------------------------------------------------------------------------------

    def _given(self, at: Path, block: Mapping[str, Node], beside: Given | None) -> Given:
        if "answers" not in block:
            return beside or Listed()
        if beside is not None:
            raise self._wrong((*at, "answers"), "the answers are given twice", key=True)
        return self._answers((*at, "answers"), block["answers"])

    def _answers(self, at: Path, node: Node) -> Given:
        if isinstance(node, list):
            return Listed(tuple(self._written((*at, place), part) for place, part in enumerate(node)))
        if isinstance(node, dict):
            return Named(tuple((key, self._written((*at, key), part)) for key, part in node.items()))
        raise self._wrong(at, f"answers are a list, or a block with the key of each request, not {described(node)}")

    def _written(self, at: Path, node: Node) -> Written:
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
        strange = [name for name in node if name not in known]
        if strange:
            hint = did_you_mean(strange[0], known) or f"known here: {', '.join(known)}"
            raise self._wrong((*at, strange[0]), f"unknown key {described(strange[0])}", hint, key=True)

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

    def _flag(self, at: Path, node: dict[str, Node], name: str) -> bool:
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
