"""Files made to be too much. What they would build is counted first, and refused in one line with its place."""

from __future__ import annotations

import shutil
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.faults.harness.games import ENCOUNTERS, GAMES
from tests.faults.test_bad_yaml import check_problem
from tracker.cli.loading import find_ruleset
from tracker.library.content import encounters
from tracker.library.content.encounters import MOST_COMBATANTS, Loaded, load_encounter
from tracker.library.content.files import MOST_LISTED
from tracker.library.content.library import Library
from tracker.library.content.lint import lint_file
from tracker.library.yaml import builder, source
from tracker.library.yaml.problems import MOST_PROBLEMS
from tracker.library.yaml.tree import parse
from tracker.session.rulesets import registry
from tracker.session.session import Session
from tracker.session.settings import Settings, dice_roller
from tracker.session.store.journal import Journal


def lines(first: str, template: str, many: int, last: str = "") -> bytes:
    return (first + "".join(template.format(number) for number in range(many)) + last).encode()


def nested_chain(levels: int, width: int) -> bytes:
    """Return anchors of which each holds the one before, so many brackets deep."""
    text = "k0: &a0 x\n"
    for number in range(1, levels):
        text += f"k{number}: &a{number} {'[' * width}*a{number - 1}{']' * width}\n"
    return text.encode()


TOO_MUCH: dict[str, tuple[bytes, str]] = {
    "a chain of aliases": (nested_chain(60, 18), f"2:18: nested deeper than {builder.DEEPEST} levels"),
    "a deep chain of aliases": (nested_chain(18, 60), f"2:12: nested deeper than {builder.DEEPEST} levels"),
    "keys": (lines("a:\n", "  k{}: 1\n", 30_000), f"1002:3: a: more than {builder.MOST_KEYS} keys in one block"),
    "keys in one line": (
        lines("{{", "k{}: 1,", 30_000).replace(b"{{", b"{") + b"}",
        f"1:7892: more than {builder.MOST_KEYS} keys in one block",
    ),
    "entries": (lines("a:\n", "- {}\n", 30_000), f"20002:3: a: more than {builder.MOST_ENTRIES} entries in one list"),
    "entries of one word": (
        b"[" + b"x," * 30_000 + b"]",
        f"1:40002: more than {builder.MOST_ENTRIES} entries in one list",
    ),
    "empty lists": (b"[" + b"[]," * 30_000 + b"]", f"1:60002: more than {builder.MOST_ENTRIES} entries in one list"),
    "a text": (b"title: " + b"x" * 300_000, f"1:8: title: the text is longer than {builder.LONGEST_TEXT} characters"),
    "a text in quotes": (
        b"title: '" + b"x" * 300_000 + b"'",
        f"1:8: title: the text is longer than {builder.LONGEST_TEXT} characters",
    ),
    "a text in a list": (
        b"- " + b"x" * 300_000,
        f"1:3: [0]: the text is longer than {builder.LONGEST_TEXT} characters",
    ),
    "a key": (b"'" + b"x" * 300_000 + b"': 1", "1:300003: a key and its"),
    "directives": (
        lines("", "%TAG !a{}! tag:x,2000:\n", 20_000, "--- a\n"),
        f"21:1: more than {source.MOST_DIRECTIVES} lines begin with %",
    ),
    "control characters": (
        b"a: " + b"\x01" * 300_000,
        f"1:4: more than {source.MOST_FORBIDDEN} characters that have no place in a text file",
    ),
}


@pytest.mark.parametrize("name", TOO_MUCH)
def test_a_file_of_too_much_is_refused_in_one_line(name: str) -> None:
    """The bound is named at once, with its place and the way on."""
    data, expected = TOO_MUCH[name]
    began = time.process_time()

    tree = parse(data, "f")

    assert time.process_time() - began < 1
    assert tree.value is None
    (problem,) = tree.problems
    assert problem.render().startswith(f"f:{expected}"), problem.render()


def test_values_of_a_whole_file_are_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    """Lists and blocks that each are small enough make up no file of any size."""
    monkeypatch.setattr(builder, "MOST_VALUES", 5_000)

    (problem,) = parse((b"- [" + b"1," * 500 + b"]\n") * 15, "f").problems

    assert problem.render().startswith("f:10:982: [9][489]: more than 5000 values in one file"), problem.render()


def test_what_is_large_but_bearable_is_read() -> None:
    """Bounds leave room for many stat blocks, a long text, aliases in aliases."""
    block = "- {name: goblin, " + ", ".join(f"k{number}: {number}" for number in range(20)) + "}\n"
    chain = nested_chain(10, 5)

    assert parse((block * 1_000).encode(), "f").problems == ()
    assert parse(b"notes: " + b"long " * 2_000, "f").problems == ()
    assert parse(chain, "f").problems == ()


def test_an_anchor_inside_an_anchor_is_counted_once() -> None:
    """Counting what is anchored costs no more than building it."""
    inner = "[" + "x, " * 2_000 + "]"
    nest = "".join(f"&b{level} [" for level in range(50)) + inner + "]" * 50
    began = time.process_time()

    assert parse(f"a: {nest}\n".encode(), "f").problems == ()
    assert time.process_time() - began < 1


# -- encounters --------------------------------------------------------------------------------------------------------


@pytest.fixture
def crowd(tmp_path: Path) -> Callable[..., Loaded]:
    """Loads an encounter of these foes beside the stat blocks of a game."""

    def loaded(key: str, foes: str, more: str = "") -> Loaded:
        for sibling in (ENCOUNTERS / key).glob("*.yaml"):
            shutil.copy(sibling, tmp_path / sibling.name)
        text = f"ruleset: {key}\ntitle: Crowd\n{more}sides:\n- name: Foes\n  control: gm\n  members:\n{foes}"
        path = tmp_path / "crowd.yaml"
        path.write_text(text, encoding="utf-8")
        return load_encounter(path, find_ruleset, (), registry.rulesets())

    return loaded


def foe(key: str) -> str:
    """Return the first monster of a game."""
    return next(iter(Library(ENCOUNTERS / key).blocks(ENCOUNTERS / key / "bestiary.yaml"))).ref


def one_bound(loaded: Loaded, line: int, words: str) -> None:
    (problem,) = loaded.problems
    check_problem(problem)
    assert problem.line == line
    assert words in problem.message
    assert problem.hint


@pytest.mark.parametrize(
    ("entries", "count", "line"), [(5_000, "1", 57), (20, "25", 9), (1_000, "0", 57), (1, "501", 7)]
)
def test_more_combatants_than_a_fight_holds(
    crowd: Callable[..., Loaded], monkeypatch: pytest.MonkeyPatch, entries: int, count: str, line: int
) -> None:
    """The entry that is too many is named. Those before it are there, and nothing behind it is built."""
    key = GAMES[0]
    monkeypatch.setattr(encounters, "MOST_COMBATANTS", 50)

    loaded = crowd(key, f"  - {{ref: {foe(key)}, count: {count}}}\n" * entries)

    assert loaded.encounter is not None
    if entries > 1:
        one_bound(loaded, line, "a fight holds at most 50 combatants")
        assert len(loaded.encounter.sides[0].members) == line - 7
    else:
        one_bound(loaded, line, "501 is more than a fight can hold")


def test_waves_count_with_the_sides(crowd: Callable[..., Loaded]) -> None:
    """Who comes later needs room, too."""
    key = GAMES[0]
    later = f"waves:\n- when: round 2\n  side: Foes\n  members: [{{ref: {foe(key)}, count: 500}}]\n"

    one_bound(crowd(key, f"  - {{ref: {foe(key)}, count: 300}}\n" * 2, later), 6, "at most 1000 combatants")


@pytest.mark.parametrize("name", MOST_LISTED)
def test_more_sides_waves_or_reminders_than_a_fight_holds(tmp_path: Path, name: str) -> None:
    """The first that is too many is named, whatever the entries are."""
    sides = "sides:\n- {name: A}\n" if name != "sides" else ""
    entry = {"sides": "{name: A}", "waves": "{side: A, when: round 2}", "reminders": "{when: round 2, text: x}"}[name]
    path = tmp_path / "many.yaml"
    path.write_text(f"ruleset: {GAMES[0]}\n{sides}{name}:\n" + f"- {entry}\n" * 2_000, encoding="utf-8")
    began = time.process_time()

    found = [problem.render() for problem in lint_file(path, find_ruleset, (), registry.rulesets())]

    assert time.process_time() - began < 2
    bound = f"a fight holds at most {MOST_LISTED[name]} {name}, these are 2000"
    assert len([line for line in found if bound in line]) == 1, found[:3]


MISTAKES = {
    "sides": "sides:\n" + "- 1\n" * 5_000,
    "members": "sides:\n- name: A\n  members:\n" + "  - 1\n" * 5_000,
    "refs": "sides:\n- name: A\n  members:\n" + "  - {ref: nobody}\n" * 5_000,
    "keys of members": lines("sides:\n- name: A\n  members:\n", "  - {{name: x, hq{}: 1}}\n", 900).decode(),
    "keys of monsters": lines("monsters:\n", "- {{name: x, hq{}: 1}}\n", 900).decode(),
    "keys": lines("", "unknown{}: 1\n", 900, "sides: []\n").decode(),
}


@pytest.mark.parametrize("name", MISTAKES)
def test_more_mistakes_than_are_worth_listing(tmp_path: Path, name: str) -> None:
    """Only so many are looked for and told, and the last line says so."""
    path = tmp_path / "wrong.yaml"
    path.write_text(f"ruleset: {GAMES[0]}\n{MISTAKES[name]}", encoding="utf-8")
    began = time.process_time()

    found = lint_file(path, find_ruleset, (), registry.rulesets())

    assert time.process_time() - began < 3
    assert 0 < len(found) <= MOST_PROBLEMS + 1
    assert len(found) < MOST_PROBLEMS or "more mistakes" in found[-1].message


def test_what_is_only_to_be_looked_over_hides_no_mistake(tmp_path: Path) -> None:
    """However many doubts there are, each mistake behind them is told."""
    path = tmp_path / "doubts.yaml"
    doubtful = "- {name: Rat, hd: x, ac: 5}\n" * (MOST_PROBLEMS + 50)
    path.write_text(f"ruleset: githack\nmonsters:\n{doubtful}- {{name: Rat, hq: 1}}\n", encoding="utf-8")

    found = lint_file(path, find_ruleset, (), registry.rulesets())

    assert sum(problem.is_warning for problem in found) > MOST_PROBLEMS
    assert [problem.line for problem in found if not problem.is_warning] == [MOST_PROBLEMS + 53]


def starts(loaded: Loaded, path: Path) -> float:
    """Start the fight and return the computing time of that."""
    assert loaded.encounter is not None
    assert loaded.ruleset is not None
    began = time.process_time()
    settings = Settings(roller=dice_roller(1), step_seconds=60.0)
    with Journal.open(path) as journal, Session.start(journal, loaded.ruleset, loaded.encounter, settings) as session:
        spent = time.process_time() - began
        assert session.model.problem == ""
        assert len(session.model.state.combatants) == MOST_COMBATANTS
    return spent


def test_a_thousand_combatants_are_loaded_and_begin(crowd: Callable[..., Loaded], tmp_path: Path) -> None:
    """As many as a fight holds are there within two seconds."""
    key = GAMES[0]
    began = time.process_time()
    loaded = crowd(key, f"  - {{ref: {foe(key)}, count: 500}}\n" * 2)
    spent = time.process_time() - began

    assert loaded.problems == ()
    assert spent + starts(loaded, tmp_path / "fights.db") < 2


@pytest.mark.long
@pytest.mark.parametrize("key", GAMES)
def test_a_thousand_combatants_of_every_game(crowd: Callable[..., Loaded], tmp_path: Path, key: str) -> None:
    """The same in each game, each combatant an entry of its own."""
    began = time.process_time()
    loaded = crowd(key, f"  - {{ref: {foe(key)}}}\n" * MOST_COMBATANTS)
    spent = time.process_time() - began

    assert loaded.problems == ()
    assert spent + starts(loaded, tmp_path / "fights.db") < 2
