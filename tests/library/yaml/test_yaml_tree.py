"""Values and positions of files that are fine."""

from pathlib import Path

import pytest

from tests.support.tables import for_each, rows
from tracker.core.terms.errors import BadData
from tracker.library.yaml.tree import Tree, load, parse

FILE = b"""\
ruleset: worlds_without_number
monsters:
  - name: Goblin
    hp: 4
    attacks:
      - {name: spear, damage: 1d6}
      - name: "bite"
        damage: 1d4
  - name: Worg
    tags: [beast, fast]
"""


def both(data: bytes) -> Tree:
    """Read with both parsers, which must agree."""
    tree, pure = parse(data, "goblins.yaml"), parse(data, "goblins.yaml", pure=True)
    assert (tree.value, tree.marks, tree.problems) == (pure.value, pure.marks, pure.problems)
    return tree


def test_a_file_is_plain_values() -> None:
    """Blocks, lists and scalars become dict, list, str and numbers."""
    assert both(FILE).value == {
        "ruleset": "worlds_without_number",
        "monsters": [
            {
                "name": "Goblin",
                "hp": 4,
                "attacks": [{"name": "spear", "damage": "1d6"}, {"name": "bite", "damage": "1d4"}],
            },
            {"name": "Worg", "tags": ["beast", "fast"]},
        ],
    }


@for_each(("path", "value_at", "key_at"), rows(__file__, "positions", tuples=True))
def test_every_value_and_key_knows_its_position(
    path: tuple[str | int, ...], value_at: tuple[int, int], key_at: tuple[int, int]
) -> None:
    """Line and column count from 1."""
    tree = both(FILE)

    assert (value_at, key_at) == (tree.position(path), tree.key_position(path))


@pytest.mark.parametrize(("path", "expected"), rows(__file__, "missing", tuples=True))
def test_what_is_missing_is_placed_where_it_should_stand(
    path: tuple[str | int, ...], expected: tuple[int, int]
) -> None:
    """A missing key has the position of the block it is missing from."""
    tree = both(FILE)

    assert (expected, expected) == (tree.position(path), tree.key_position(path))


def test_find_returns_the_value_at_a_path() -> None:
    """Values are found by the same paths as positions."""
    assert both(FILE).find(("monsters", 0, "attacks", 0, "damage")) == "1d6"


@pytest.mark.parametrize("path", [("nobody",), ("monsters", 9), ("monsters", -1), ("monsters", "name"), ("ruleset", 0)])
def test_find_names_the_path_where_nothing_is(path: tuple[str | int, ...]) -> None:
    """A path that leads nowhere is a KeyError."""
    with pytest.raises(KeyError):
        both(FILE).find(path)


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("mark", [b"", b"\xef\xbb\xbf"])
def test_every_line_end_and_a_byte_order_mark_are_accepted(end: str, mark: bytes) -> None:
    """Files from any editor read alike, positions too."""
    tree = both(mark + FILE.replace(b"\n", end.encode()))

    assert (both(FILE).value, (6, 31)) == (tree.value, tree.position(("monsters", 0, "attacks", 0, "damage")))


@for_each("name", rows(__file__, "names_are_text_as_they_stand"))
def test_names_are_text_as_they_stand(name: str) -> None:
    """Markup, right-to-left letters, backslashes: nothing is interpreted."""
    quoted = name.replace("'", "''")

    assert {"name": name} == both(f"name: '{quoted}'\n".encode()).value


def test_columns_count_characters() -> None:
    """A letter of several bytes is one column."""
    tree = both("{ä: 'é👩', ß: 1}\n".encode())

    assert tree.key_position(("ß",)) == (1, 11)


def test_an_alias_stands_where_its_anchor_was_typed() -> None:
    """A few aliases are fine; what they hold points to where it was typed."""
    tree = both(b"a: &claw {dmg: 1d6}\nb: *claw\nc: &n 5\nd: *n\n")

    assert tree.value == {"a": {"dmg": "1d6"}, "b": {"dmg": "1d6"}, "c": 5, "d": 5}
    assert [tree.position(("b",)), tree.position(("b", "dmg")), tree.position(("d",))] == [(1, 4), (1, 16), (3, 4)]


def test_tags_of_plain_yaml_are_obeyed() -> None:
    """`!!str` makes text of a number; the other standard tags change nothing."""
    assert both(b"a: !!str 5\nb: !!int 5\nc: !!map {x: 1}\nd: !!seq [1]\ne: !!float 2\n").value == {
        "a": "5",
        "b": 5,
        "c": {"x": 1},
        "d": [1],
        "e": 2,
    }


def test_sixty_four_levels_are_read() -> None:
    """The limit itself is allowed."""
    tree = both(b"[" * 64 + b"1" + b"]" * 64)

    assert tree.problems == ()
    assert tree.find((0,) * 64) == 1


def test_load_reads_a_file_under_the_name_it_is_shown_by(tmp_path: Path) -> None:
    """Problems name the file as the caller does."""
    (tmp_path / "a.yaml").write_bytes(b"a: 1\na: 2\n")

    assert ("short", str(tmp_path / "a.yaml")) == (
        load(tmp_path / "a.yaml", "short").problems[0].file,
        load(tmp_path / "a.yaml").problems[0].file,
    )


def test_checked_raises_every_problem_of_a_wrong_file() -> None:
    """BadData carries all problems, each as one line."""
    with pytest.raises(BadData, match=r"a\.yaml:2:1: a: .*\na\.yaml:3:1: a: ") as caught:
        parse(b"a: 1\na: 2\na: 3\n", "a.yaml").checked()

    assert len(caught.value.problems) == 2


def test_checked_returns_a_tree_without_problems() -> None:
    """Nothing to raise, nothing raised."""
    tree = both(FILE)

    assert tree is tree.checked()
