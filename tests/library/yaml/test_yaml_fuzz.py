"""Whatever stands in a file, reading it returns problems and never raises."""

import math
import unicodedata

from hypothesis import example, given
from hypothesis import strategies as st
from msgspec import Struct

from tracker.library.validation.convert import convert, located
from tracker.library.yaml.problems import Node
from tracker.library.yaml.tree import Tree, parse

SIGNS = st.text(
    alphabet=st.sampled_from(list("ab01:-?,[]{}#&*!|>'\"%@`\\ \t\n\r~<=.x\x00\x1b\x85é\u2028\u202e\ufeff")), max_size=60
)
STARTS = (
    *("- ", "a: ", "b:", "- a: ", "? ", "<<: ", "&x ", "*x", "!t ", "|", ">-", "[", "]", "{a: ", "}", '"', "'"),
    *("12", "---", "...", ""),
)
LINES = st.lists(
    st.tuples(
        st.integers(0, 6),
        st.sampled_from(STARTS),
    ),
    max_size=14,
).map(lambda lines: "\n".join(" " * indent + text for indent, text in lines))
VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(10**17), 10**17)
    | st.text(max_size=8)
    | st.sampled_from(["1d6", "small", "", "Ünfug"]),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from(["name", "hp", "part", "parts", "other", "x"]), inner, max_size=4)
    ),
    max_leaves=12,
)


class Part(Struct, frozen=True):
    name: str
    hp: int = 0
    part: "Part | int | None" = None
    parts: tuple["Part | str", ...] = ()
    other: dict[str, float] = {}


def harmless(line: str) -> bool:
    """Tell whether a terminal shows the line as one line and obeys nothing in it."""
    return not any(unicodedata.category(sign) in ("Cc", "Cs", "Zl", "Zp") or sign in "\u202d\u202e" for sign in line)


def sound(tree: Tree) -> None:
    """Check what holds for every tree.

    Places inside the file, one line per problem, values of the seven kinds with a position each.
    """
    for problem in tree.problems:
        assert problem.line >= 0
        assert harmless(str(problem))
    walk(tree, tree.value, ())


def walk(tree: Tree, value: Node, path: tuple[str | int, ...]) -> None:
    line, column = tree.position(path)
    assert line >= 1
    assert column >= 1
    if isinstance(value, dict):
        for key, inner in value.items():
            assert isinstance(key, str)
            walk(tree, inner, (*path, key))
    elif isinstance(value, list):
        for place, inner in enumerate(value):
            walk(tree, inner, (*path, place))
    else:
        assert value is None or type(value) in (str, int, bool) or (isinstance(value, float) and math.isfinite(value))


@given(st.binary(max_size=80) | st.text(max_size=80).map(lambda text: text.encode("utf-8", "surrogatepass")))
def test_random_bytes_never_raise(data: bytes) -> None:
    """Any bytes are a tree or a list of problems."""
    sound(parse(data, "f"))


@given(SIGNS | LINES)
@example('"\\UFFFFFFFF"')
@example('"\\ud800"')
@example("a: \t\n\t: b")
@example("%TAG ! tag:x,2000:\n--- !a b")
@example("&x : *x")
@example("? *x\n: - &x [*x]")
def test_text_that_is_nearly_yaml_never_raises(text: str) -> None:
    """Neither parser lets anything through that is not a problem."""
    tree, pure = parse(text.encode(), "f"), parse(text.encode(), "f", pure=True)

    sound(tree)
    sound(pure)
    if not (tree.problems or pure.problems):
        assert tree.value == pure.value


@given(VALUES)
def test_random_values_never_raise(value: Node) -> None:
    """A value becomes the Struct, or there are issues, one line each. Never both, never neither."""
    built, found = convert(value, Part)

    assert (built is None) == bool(found)
    assert all(harmless(str(problem)) for problem in located(found, parse(b"a: 1", "f")))
