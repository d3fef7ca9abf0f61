"""The codec: what comes back from JSON equals what went in."""

from __future__ import annotations

import subprocess
import sys

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import Struct

from tests.support.common import Fighter
from tracker.core.fight.events import Entry, FactSet
from tracker.core.game.schema import Schema, codec_of
from tracker.core.terms.actions import Action, action
from tracker.core.terms.dice import Dice
from tracker.core.terms.encounter import Member
from tracker.core.terms.errors import RulesBug
from tracker.core.terms.values import Codec, Data


class Ward(Struct, Data, frozen=True, tag=True):
    against: str
    dice: Dice | None = None
    inner: Data | None = None


CODEC = codec_of(Schema((("pc", Fighter),), data=(Ward,)))
SCALARS = (
    st.none()
    | st.booleans()
    | st.integers(-(2**60), 2**60)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(max_size=8)
)
DATA = st.builds(
    Ward,
    st.text(max_size=4),
    st.sampled_from((None, Dice.parse("2d6+1"))),
    st.none() | st.builds(Fighter, st.text(max_size=4)),
)
VALUES = st.recursive(SCALARS | DATA, lambda inner: st.lists(inner, max_size=3).map(tuple), max_leaves=8)


@given(VALUES)
def test_values_come_back(value: object) -> None:
    """Scalars, tuples and a ruleset's Structs survive as they were, tuples as tuples."""
    entry = Entry(FactSet("fight", "mark", None, value))  # type: ignore[arg-type]  # drawn from what a value may be

    assert CODEC.decode(CODEC.encode(entry), Entry) == entry


@given(VALUES)
def test_actions_come_back(value: object) -> None:
    """An action keeps its fields."""
    done = action("cast", "ada", target=value, rows=((("a", 1), ("b", (2, 3))),))  # type: ignore[arg-type]  # as above

    assert CODEC.decode(CODEC.encode(done), Action) == done


def test_equals_are_one_object() -> None:
    """Equal stat blocks are decoded to one object, different ones to others."""
    wards = [Ward(str(number), inner=Fighter(name)) for number, name in enumerate(("rat", "rat", "wolf"))]

    one, two, three = (CODEC.decode(CODEC.encode(ward), Ward) for ward in wards)

    assert [one, two, three] == wards
    assert one.inner is two.inner
    assert one.inner is not three.inner


def test_plain_values_are_converted() -> None:
    """Plain dictionaries, as a file holds them, become Structs, and dice are read."""
    member = CODEC.convert(
        {
            "type": "Member",
            "block": {"type": "Fighter", "name": "Gog"},
            "name": "Gog",
            "kind": "monster",
            "count": "1d4+1",
        },
        Member,
    )

    assert member == Member(Fighter("Gog"), "Gog", "monster", Dice.parse("1d4+1"))
    assert CODEC.convert(CODEC.builtins(member), Member) == member


@pytest.mark.parametrize("text", ['{"type":"Nobody"}', '{"name":"x"}', "[1]"])
def test_unknown_structs_are_refused(text: str) -> None:
    """Only types of the ruleset's schema are decoded."""
    with pytest.raises(msgspec.ValidationError):
        CODEC.decode(text, Data)


def test_two_types_of_one_name_are_refused() -> None:
    """Type names are the tags, so they must differ."""
    twin = type("Ward", (), {})

    with pytest.raises(RulesBug, match="called Ward"):
        Codec([Ward, twin])  # type: ignore[list-item]  # any class will do for the clash


def test_what_is_no_value_is_not_stored() -> None:
    """A type the codec does not know is an error at once."""
    with pytest.raises(NotImplementedError):
        CODEC.encode(object())


CRASH = """
import sys
from concurrent.futures import ThreadPoolExecutor
from msgspec import Struct, defstruct
from tracker.core.terms.values import Codec
import tracker.session.store.loading

sys.setswitchinterval(1e-6)
with ThreadPoolExecutor(4) as threads:
    for number in range(300):
        inner = defstruct(f"Inner{number}", [(f"f{field}", int | None, None) for field in range(30)])
        outer = defstruct(f"Outer{number}", [("one", inner), ("two", inner | None, None)])
        assert len(set(map(str, threads.map(lambda text: Codec(()).decode(text, outer), ['{"one": {}}'] * 4)))) == 1
"""


def test_threads_may_read_a_type_for_the_first_time_together() -> None:
    """In a process of its own, as a fault ends it."""
    found = subprocess.run([sys.executable, "-c", CRASH], capture_output=True, text=True, check=False, timeout=120)

    assert (found.returncode, found.stderr) == (0, "")
