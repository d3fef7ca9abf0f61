"""Stat blocks as a GM types them, in every game: what they mean, and what is said of what they cannot mean."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest
from msgspec import ValidationError

from tests.rules.test_vectors import GAMES
from tests.support.tables import table
from tracker.core.game.ruleset import Ruleset
from tracker.core.game.schema import codec_of
from tracker.core.terms.values import Data

# By game: what a block is about, its kind, the keys beside those every block of the kind needs, and one of
# `gives` (fields of the block, `has` for what a list holds), `only` (its fields without defaults), `same` (other keys
# that give the same block) or `says` (how the lines of the refusal begin).
CASES: dict[str, list[dict[str, Any]]] = table(__file__, "cases")
LEAST: dict[str, dict[str, dict[str, Any]]] = table(__file__, "least")
EVERY = [
    pytest.param(GAMES[game], case, id=f"{game}: {case['about']} {place}")
    for game, cases in CASES.items()
    for place, case in enumerate(cases)
]


def typed(game: Ruleset, kind: str, keys: Mapping[str, Any]) -> dict[str, Any]:
    """Return keys over those that every block of the kind needs; a key that is null there is left out."""
    whole = {**LEAST[game.key][kind], **keys}
    return {key: value for key, value in whole.items() if value is not None or key in ("shock", "duration")}


def read(game: Ruleset, kind: str, keys: Mapping[str, Any]) -> Data:
    """Return the stat block of typed keys."""
    assert game.schema.shorthand is not None
    canonical = game.schema.shorthand(kind, typed(game, kind, keys))
    found: Data = codec_of(game.schema).convert(canonical, dict(game.schema.blocks)[kind])
    return found


def holds(value: Any, wanted: Any) -> bool:
    """Tell whether a value is as written: a Struct by its fields, dice and the like as text."""
    if isinstance(wanted, dict) and "has" in wanted:
        return wanted["has"] in value
    if isinstance(wanted, dict) and not isinstance(value, dict):
        return all(holds(getattr(value, key), part) for key, part in wanted.items())
    if isinstance(wanted, list):
        return len(value) == len(wanted) and all(map(holds, value, wanted))
    if wanted is None or isinstance(value, bool | int | float | str):
        return bool(value == wanted and isinstance(value, bool) == isinstance(wanted, bool))
    return str(value) == str(wanted)


@pytest.mark.parametrize(("game", "case"), EVERY)
def test_a_block_is_read_as_typed(game: Ruleset, case: Mapping[str, Any]) -> None:
    """Its fields, or each line of the refusal with the field that is wrong."""
    kind, keys = case["kind"], case.get("typed", {})
    if "says" in case:
        with pytest.raises((ValueError, ValidationError)) as refused:
            read(game, kind, keys)
        lines = str(refused.value).splitlines()
        assert len(lines) == len(case["says"]), lines
        assert all(line.startswith(said) for line, said in zip(lines, case["says"], strict=True)), lines
        return
    block = read(game, kind, keys)
    wrong = {
        key: getattr(block, key) for key, part in case.get("gives", {}).items() if not holds(getattr(block, key), part)
    }
    assert wrong == {}
    if "only" in case:
        assert block == codec_of(game.schema).convert(case["only"], type(block))
    if "same" in case:
        assert block == read(game, kind, case["same"])


@pytest.mark.parametrize(("game", "case"), [each for each in EVERY if "says" not in each.values[1]])  # type: ignore[operator]
def test_what_has_been_read_can_be_read_again_and_travels_in_the_journal(
    game: Ruleset, case: Mapping[str, Any]
) -> None:
    """The canonical form of a block is a block as well, and JSON keeps it, by its type or by its mark."""
    codec, kind = codec_of(game.schema), case["kind"]
    block = read(game, kind, case.get("typed", {}))
    plain = {key: value for key, value in codec.builtins(block).items() if key != "type"}
    assert game.schema.shorthand is not None

    assert codec.convert(game.schema.shorthand(kind, plain), type(block)) == block
    assert codec.decode(codec.encode(block), type(block)) == codec.decode(codec.encode(block), Data) == block
