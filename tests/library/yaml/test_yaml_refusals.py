"""What is wrong with a file. Every refusal with its place, all at once, never an exception."""

import gc
import os
import time
from pathlib import Path

import pytest

from tests.support.tables import for_each, rows
from tracker.library.yaml import source
from tracker.library.yaml.builder import DEEPEST, MOST_COPIED
from tracker.library.yaml.problems import MOST_PROBLEMS
from tracker.library.yaml.tree import load, parse

TAG_HINT = '(delete it, or put a text that begins with "!" in quotes)'

SYNTAX = rows(__file__, "syntax")

CONTENT = rows(__file__, "content", tuples=True)

BYTES: tuple[tuple[bytes, str], ...] = (
    (b"", "f:1:1: there is nothing in it"),
    (b"# only a remark\n", "f:1:1: there is nothing in it"),
    (b"---\n", "f:1:1: there is nothing in it"),
    (b"{}", "f:1:1: there is nothing in it"),
    (b"\xef\xbb\xbf", "f:1:1: there is nothing in it"),
    ("a: é".encode("utf-16"), "f:1:1: the text is UTF-16, not UTF-8 (save it as UTF-8)"),
    ("a: é".encode("utf-16-be"), "f:1:1: the text is UTF-16, not UTF-8 (save it as UTF-8)"),
    ("a: é".encode("utf-16-le"), "f:1:1: the text is UTF-16, not UTF-8 (save it as UTF-8)"),
    ("a: é".encode("utf-32"), "f:1:1: the text is UTF-32, not UTF-8 (save it as UTF-8)"),
    ("a: 1\nb: é\n".encode("latin-1"), "f:2:4: the byte 0xe9 is not UTF-8 (save it as UTF-8)"),
    (b"a: 1\r\nbcd: x\0y\n", "f:2:7: a NUL byte: this is not a text file"),
    (b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR", "f:3:1: a NUL byte: this is not a text file"),
    (b"a: 1\nb: \x1b[31mred\n", "f:2:4: the character \\x1b has no place in a text file (delete it)"),
    (b"a: x\x07\n", "f:1:5: the character \\x07 has no place in a text file (delete it)"),
    (b"a: x\x7f\n", "f:1:5: the character \\x7f has no place in a text file (delete it)"),
    ("ä: \x9b31m\n".encode(), "f:1:4: the character \\x9b has no place in a text file (delete it)"),
    ("a: 1\u2028b\n".encode(), "f:1:5: the character \\u2028 has no place in a text file (delete it)"),
    ("a: 1\n\ufeffb: 2\n".encode(), "f:2:1: the character \\ufeff has no place in a text file (delete it)"),
)


@for_each(("text", "expected"), SYNTAX)
def test_a_syntax_error_is_one_clear_problem(text: str, expected: str) -> None:
    """Place, what is wrong, what to do; nothing of the file is used."""
    tree = parse(text.encode(), "f")

    assert ([expected], None) == ([str(problem) for problem in tree.problems], tree.value)


@for_each("text", [text for text, _ in SYNTAX])
def test_the_pure_parser_reports_one_problem_of_the_same_line(text: str) -> None:
    """Without libyaml the wording may differ, the line does not."""
    tree = parse(text.encode(), "f", pure=True)

    assert [parse(text.encode(), "f").problems[0].line] == [problem.line for problem in tree.problems]


@for_each(("text", "expected"), CONTENT)
@for_each("pure", [False, True])
def test_a_wrong_content_is_reported_with_its_place(text: str, expected: tuple[str, ...], pure: bool) -> None:
    """Reading goes on behind a mistake the parser can get over."""
    assert expected == tuple(str(problem) for problem in parse(text.encode(), "f", pure=pure).problems)


@for_each(("data", "expected"), BYTES)
def test_a_file_that_is_no_text_is_refused(data: bytes, expected: str) -> None:
    """Encoding, control characters, nothing at all."""
    assert [expected] == [str(problem) for problem in parse(data, "f").problems]


def test_reading_goes_on_behind_a_wrong_character() -> None:
    """One sign stands for the character, so that later columns stay right."""
    tree = parse(b"a: \x1bx\nb: 1\nb: 2\n", "f")

    assert tree.value == {"a": "�x", "b": 1}
    assert [(problem.line, problem.column) for problem in tree.problems] == [(1, 4), (3, 1)]


def test_many_wrong_characters_are_counted_not_listed() -> None:
    """Twenty lines are enough; the last says how many more there are."""
    problems = parse(b"a: " + b"\x07" * 500, "f").problems

    assert len(problems) == 20
    assert "nor have the 480 others" in str(problems[-1])


def test_the_first_of_two_equal_keys_stands() -> None:
    """What the second one holds is left out, wherever it leads."""
    assert parse(b"a: 1\na: {x: [1, {y: z}]}\nb: 2\n", "f").value == {"a": 1, "b": 2}


def test_an_escape_that_brings_a_control_character_is_spelled_out() -> None:
    """The value that is used cannot move a cursor."""
    assert parse(b'a: "\\x1b[2J"\n', "f").value == {"a": "\\x1b[2J"}


def test_tabs_and_line_ends_in_quotes_are_text() -> None:
    """Escapes that people need in notes stay."""
    tree = parse(b'a: "x\\ty\\nz"\n', "f")

    assert (tree.value, tree.problems) == ({"a": "x\ty\nz"}, ())


@for_each("opening", ["[", "{a: ", "- ", "a:\n"])
@for_each("times", [DEEPEST + 1, 100_000])
def test_deep_nesting_is_refused_at_once(opening: str, times: int) -> None:
    """No recursion to exhaust, no long wait."""
    text = opening * times if opening != "a:\n" else "".join(f"{' ' * depth}a:\n" for depth in range(min(times, 200)))
    started = time.process_time()

    tree = parse(text.encode(), "f")

    assert tree.value is None
    assert len(tree.problems) == 1
    assert time.process_time() - started < 2


@pytest.mark.parametrize("where", ["a: 1\na: ", "? ", "*x : ", "? " * 200])
def test_deep_nesting_is_refused_where_it_is_read_over(where: str) -> None:
    """What is skipped is bounded like the rest."""
    tree = parse((where + "[" * 1000 + "]" * 1000).encode(), "f")

    assert f"nested deeper than {DEEPEST} levels" == tree.problems[-1].message


def bomb(levels: int, width: int) -> bytes:
    lines = ["l0: &l0 [x, x]"]
    lines += [f"l{level}: &l{level} [{', '.join([f'*l{level - 1}'] * width)}]" for level in range(1, levels)]
    return "\n".join(lines).encode()


def test_an_alias_bomb_is_refused() -> None:
    """What all aliases repeat is bounded, so a small file stays small."""
    started = time.process_time()

    tree = parse(bomb(40, 10), "f")

    assert [f"aliases repeat more than {MOST_COPIED} values"] == [problem.message for problem in tree.problems]
    assert tree.value is None
    assert time.process_time() - started < 1


def test_many_aliases_of_one_word_are_refused_too() -> None:
    """A repeated scalar counts as well."""
    tree = parse(b"a: &a x\nb: [" + b"*a, " * (MOST_COPIED + 1) + b"]", "f")

    assert [f"aliases repeat more than {MOST_COPIED} values"] == [problem.message for problem in tree.problems]


def test_a_flood_of_mistakes_ends() -> None:
    """After so many problems the rest is not read, and the last one says so."""
    problems = parse(b"a: 1\n" * 5_000, "f").problems

    assert len(problems) == MOST_PROBLEMS + 1
    assert "the rest was not read" in problems[-1].message


def test_problems_are_sorted_by_place() -> None:
    """Character problems and content problems stand in one order."""
    problems = parse(b"a: 1\na: 2\nb: \x07\nb: 3\n", "f").problems

    assert [problem.line for problem in problems] == [2, 3, 4]


@pytest.mark.parametrize("kind", ["missing", "folder", "pipe", "forbidden name", "loop", "inside a file"])
def test_what_cannot_be_read_is_a_problem_without_a_line(kind: str, tmp_path: Path) -> None:
    """Missing files, folders, pipes: said, not raised, and never waited for."""
    path = tmp_path / "x.yaml"
    if kind == "folder":
        path.mkdir()
    elif kind == "pipe":
        os.mkfifo(path)
    elif kind == "forbidden name":
        path = tmp_path / "x\0.yaml"
    elif kind == "loop":
        path.symlink_to(path)
    elif kind == "inside a file":
        path.write_text("a: 1")
        path /= "y.yaml"

    problems = load(path, "x.yaml").problems

    assert [(problem.file, problem.line) for problem in problems] == [("x.yaml", 0)]
    assert str(problems[0]).startswith("x.yaml: ")


def test_a_file_without_permission_is_a_problem(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Permission is refused by the system; that is said with a hint."""
    (tmp_path / "x.yaml").write_text("a: 1")

    def refuse(*_: object, **__: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "open", refuse)

    assert (
        str(load(tmp_path / "x.yaml", "x.yaml").problems[0])
        == "x.yaml: the file may not be read (check its permissions)"
    )


def test_a_file_of_fifty_megabytes_is_refused_without_reading_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its size decides before a byte is read."""
    path = tmp_path / "huge.yaml"
    with path.open("wb") as stream:
        stream.truncate(50 * 1024 * 1024)
    monkeypatch.setattr(Path, "open", lambda *_: pytest.fail("the file was opened"))

    assert (
        str(load(path, "huge.yaml").problems[0])
        == "huge.yaml: too large: at most 20 MB are read (split it into several files)"
    )


def test_a_file_that_grows_while_it_is_read_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Never more than the limit is read, whatever the size said before."""
    path = tmp_path / "growing.yaml"
    path.write_bytes(b"a: 12345\n")
    monkeypatch.setattr(source, "LARGEST_FILE", 5)
    real = path.stat()
    monkeypatch.setattr(Path, "stat", lambda *_, **__: os.stat_result((*real[:6], 5, *real[7:10])))

    assert "too large" in str(load(path, "growing.yaml").problems[0])


def test_content_beyond_the_limit_is_refused() -> None:
    """The limit holds for content that comes from elsewhere, too."""
    assert "too large" in str(parse(b"a" * (source.LARGEST_FILE + 1), "f").problems[0])


def test_the_garbage_collector_is_as_it_was() -> None:
    """It rests while the tree grows, and runs again afterwards."""
    assert gc.isenabled()
    parse(b"a: [", "f")
    assert gc.isenabled()
    gc.disable()
    try:
        parse(b"a: 1", "f")
        assert not gc.isenabled()
    finally:
        gc.enable()
