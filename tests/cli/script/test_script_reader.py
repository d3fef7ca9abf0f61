"""Scripts as files. What each entry reads as, and where a mistake is said to be."""

import pytest

from tests.support.tables import for_each
from tracker.core.terms.errors import BadData
from tracker.library.yaml.tree import parse
from tracker.script.entries import (
    Advancing,
    Amending,
    Answering,
    Branching,
    Command,
    DoActions,
    Entry,
    Expecting,
    Interrupting,
    Listed,
    Named,
    Naming,
    Opening,
    Overriding,
    Redoing,
    Refusing,
    Trying,
    Undoing,
    WrittenAction,
)
from tracker.script.reader import entries_of


def read(text: str) -> tuple[Entry, ...]:
    return entries_of(parse(text.encode(), "s.yaml"))


BLOW = WrittenAction("blow", "Ada", (("target", "Bo"),))

READ_AS: tuple[tuple[str, Command], ...] = (
    ("start", Opening()),
    ("start: {answers: [5, [1, 2]]}", Opening(Listed((5, (1, 2))))),
    ("{do: blow, by: Ada, target: Bo}", DoActions((BLOW,))),
    ("{do: note, text: rain, answers: []}", DoActions((WrittenAction("note", None, (("text", "rain"),), Listed()),))),
    (
        "{do: blow, by: 7, answers: {attack: 14, 'hp:bo': [4, 2], after_roll: pass}}",
        DoActions(
            (WrittenAction("blow", "7", (), Named((("attack", 14), ("hp:bo", (4, 2)), ("after_roll", "pass")))),)
        ),
    ),
    ("{group: [{do: blow, by: Ada, target: Bo}], answers: [3]}", DoActions((BLOW,), Listed((3,)))),
    ("advance", Advancing()),
    ("advance: {until: {round: 2, side: Party}, answers: [1]}", Advancing({"round": 2, "side": "Party"}, Listed((1,)))),
    ("answer: 11", Answering(11)),
    ("answer: {do: blow, by: Ada, target: Bo}", Answering(BLOW)),
    ("answer: [{do: blow, by: Ada, target: Bo}]", Answering((BLOW,))),
    ("answer: true", Answering(True)),
    ("interrupt: {do: blow, by: Ada, target: Bo}", Interrupting(BLOW)),
    ("override: {key: hit, value: true}", Overriding("hit", True)),
    ("override: {key: hit, value: false, step: 3}", Overriding("hit", False, 3)),
    ("undo", Undoing()),
    ("undo: ", Undoing()),
    ("redo", Redoing()),
    ("amend: {step: 3, key: attack, answer: 17}", Amending(3, "attack", 17)),
    (
        "amend: {step: 3, key: attack, answer: 17, refused: drop, answers: [4]}",
        Amending(3, "attack", 17, "drop", Listed((4,))),
    ),
    ("branch: 5", Branching(5)),
    ("branch: the quick end", Branching("the quick end")),
    ("branch: {name: the quick end}", Naming("the quick end")),
    ("branch: {name: the quick end, step: 5}", Naming("the quick end", 5)),
    ("what_if: begin", Trying("begin")),
    ("force: {do: blow, by: Ada, target: Bo}", DoActions((BLOW,), forced=True)),
    ("refused: {do: blow, by: Ada, target: Bo, rule: SK-003}", Refusing(DoActions((BLOW,)), "SK-003")),
    ("refused: {answer: 21}", Refusing(Answering(21))),
    ("refused: advance", Refusing(Advancing())),
    ("expect: {clock: {round: 2}}", Expecting({"clock": {"round": 2}})),
)  # fmt: skip - a table


@for_each(("text", "command"), READ_AS)
def test_entry_reads_as(text: str, command: Command) -> None:
    """Each kind of entry is read as what it means."""
    entries = read(f"- {text}\n")

    assert entries == (Entry(command, 1, 1, 3),)


def test_pending_is_read_beside_the_action() -> None:
    """`pending: true` belongs to the entry, not to the action's fields."""
    (entry,) = read("- {do: blow, by: Ada, target: Bo, pending: true}\n")

    assert (entry.pending, entry.command) == (True, DoActions((BLOW,)))


WRONG = (
    ("- undoo\n", 's.yaml:1:3: [0]: "undoo" is no entry (did you mean undo?)'),
    ("- advanc: {}\n", 's.yaml:1:3: [0].advanc: "advanc" is no entry (did you mean advance?)'),
    ("- {answer: 1, undo: }\n", "s.yaml:1:15: [0].undo: one entry cannot be both answer and undo (begin a new entry)"),
    ("- advance\n- start\n", "s.yaml:2:3: [1]: start can only be the first entry"),
    ("- advance: {unti: {round: 2}}\n", 's.yaml:1:13: [0].advance.unti: unknown key "unti" (did you mean until?)'),
    (
        "- advance: {until: {side: Party, rund: 2}}\n",
        's.yaml:1:34: [0].advance.until.rund: unknown key "rund" (did you mean round?)',
    ),
    (
        "- {do: blow, answers: 14}\n",
        "s.yaml:1:23: [0].answers: answers are a list, or a block with the key of each request, not 14",
    ),
    ("- {do: blow, pending: yes}\n", 's.yaml:1:23: [0].pending: pending is true or false, not "yes"'),
    ("- what_if: maybe\n", 's.yaml:1:12: [0].what_if: what_if is begin, drop or keep, not "maybe"'),
    ("- branch: {step: 3}\n", "s.yaml:1:11: [0].branch: name is missing"),
    ("- amend: {step: 3, key: attack}\n", "s.yaml:1:10: [0].amend: answer is missing"),
    ("- amend: {step: x, key: attack, answer: 1}\n", 's.yaml:1:17: [0].amend.step: a number is wanted, not "x"'),
    (
        "- amend: {step: 1, key: attack, answer: 1, refused: maybe}\n",
        's.yaml:1:53: [0].amend.refused: refused is keep or drop, not "maybe"',
    ),
    (
        "- refused: {expect: {}}\n",
        "s.yaml:1:12: [0].refused: only start, do, group, force, answer, interrupt and advance can be refused",
    ),
    ("- group: []\n", "s.yaml:1:10: [0].group: a group is a list of actions, not a list"),
    ("- 5\n", "s.yaml:1:3: [0]: an entry is a block of keys or one of start, advance, next, undo, redo, not 5"),
    ("do: blow\n", 's.yaml:1:1: a script is a list of entries (each begins with "- ")'),
    ("- {do: blow, do: blow}\n", 's.yaml:1:14: [0].do: the key "do" stands here again; it was first given at 1:4'),
)


@for_each(("text", "problem"), WRONG)
def test_mistake_is_said_with_its_place(text: str, problem: str) -> None:
    """A mistake is one line with file, line and column."""
    with pytest.raises(BadData) as caught:
        read(text)

    assert [str(found) for found in caught.value.problems] == [problem]


def test_all_mistakes_are_said_at_once() -> None:
    """One bad entry does not hide the next."""
    with pytest.raises(BadData) as caught:
        read("- undoo\n- advance\n- 5\n")

    assert [str(found).split(": ")[0] for found in caught.value.problems] == ["s.yaml:1:3", "s.yaml:3:3"]
