"""Effects end exactly, in whichever phase."""

from __future__ import annotations

from itertools import product

import pytest

from rulesets.sword_world import RULESET
from rulesets.sword_world.stat_blocks.models import HouseRules
from tests.rules.sword_world.fights import Fight, member
from tests.support.tables import for_each
from tests.support.wording import log_of
from tracker.core.terms.actions import action

SPELL = {"name": "Ward", "area": "target", "effect": {"defense": 1}}
CASTERS = {"leading": ("ada", "bo"), "following": ("cid", "dee")}
STOPS = [(number, phase) for number in range(1, 12) for phase in ("leading", "following")]


def fight_of(rounds: int, house: HouseRules | None = None) -> Fight:
    """Return a fight of two against two, led by the party."""
    spell = [{**SPELL, "duration": rounds}]
    pcs = [member(name, "character", spells=spell) for name in ("Ada", "Bo")]
    foes = [member(name, "monster", spells=spell) for name in ("Cid", "Dee")]
    return Fight(pcs, foes, house=house)


def cast(fight: Fight, number: int, phase: str, target: str) -> None:
    """Let the first member of a side cast in its phase of a round."""
    caster = CASTERS[phase][0]
    fight.to_round(number, phase).do("start_turn", caster).do("cast", caster, spell="Ward", targets=(target,)).do(
        "end_turn", caster
    )


def end_of(fight: Fight, target: str) -> tuple[int, str]:
    """Go on until the effect ends, and return the round and phase of its end."""
    for _ in range(40):
        fight.next()
        if not fight.state[target].has("Ward"):
            return fight.state.clock.round, fight.state.clock.phase
    raise AssertionError("the effect never ends")


def expected_end(number: int, caster: str, counted: str, rounds: int) -> tuple[int, str]:
    """Return the n-th phase of a side after the casting, counted by the clock's stops."""
    after = STOPS[STOPS.index((number, caster)) + 1 :]
    return [stop for stop in after if stop[1] == counted][rounds - 1]


CASES = list(product((1, 2, 3), ("leading", "following"), ("leading", "following"), (1, 2, 3), (False, True)))


@for_each(("number", "caster", "bearer", "rounds", "unable"), CASES)
def test_end_by_the_affected_side(number: int, caster: str, bearer: str, rounds: int, unable: bool) -> None:
    """SW-024, SW-R05, SW-R09: the bearer's side's n-th phase ends it at its beginning."""
    fight, target = fight_of(rounds), CASTERS[bearer][1]
    cast(fight, number, caster, target)
    if unable:
        fight.do("status", targets=(target,), status="unconscious")

    assert end_of(fight, target) == expected_end(number, caster, bearer, rounds)


@for_each(("number", "caster", "bearer", "rounds", "unable"), CASES)
def test_end_by_the_casting_phase(number: int, caster: str, bearer: str, rounds: int, unable: bool) -> None:
    """SW-R05: with the switch the phases of the caster's side count."""
    fight, target = fight_of(rounds, HouseRules(duration_anchor="casting_phase")), CASTERS[bearer][1]
    cast(fight, number, caster, target)
    if unable:
        fight.do("status", targets=(target,), status="unconscious")

    assert end_of(fight, target) == expected_end(number, caster, caster, rounds)


@pytest.mark.parametrize(("caster", "bearer"), list(product(("leading", "following"), repeat=2)))
def test_a_whole_side_unable(caster: str, bearer: str) -> None:
    """SW-R09: what ends at the beginning of a phase ends although nobody acts."""
    fight, target = fight_of(1), CASTERS[bearer][1]
    cast(fight, 1, caster, target)
    number, phase = expected_end(1, caster, bearer, 1)
    fight.do("status", targets=CASTERS[bearer], status="unconscious")

    while fight.state[target].has("Ward"):
        fight.next()

    # A beaten side ends the fight with the round, and that ends whatever its next phase would have ended.
    ended = fight.state.clock
    assert ended.over or (ended.round, ended.phase) == (number, phase)


@pytest.mark.parametrize(
    ("caster", "bearer", "rounds", "words"),
    [
        ("leading", "leading", 1, "until start of Party's phase"),
        ("leading", "following", 1, "until start of Foes' phase"),
        ("following", "leading", 1, "until start of Party's phase"),
        ("following", "following", 3, "until start of Foes' phase in round 4"),
    ],
)
def test_end_in_words(caster: str, bearer: str, rounds: int, words: str) -> None:
    """SW-023: the log names the end of a new effect."""
    fight, target, who = fight_of(rounds), CASTERS[bearer][1], CASTERS[caster][0]
    fight.to_round(1, caster).do("start_turn", who)
    before = fight.state

    fight.do("cast", who, spell="Ward", targets=(target,))

    assert any(words in line for line in log_of(RULESET, fight.state, fight.entries, before))


@pytest.mark.parametrize("unable", [False, True])
def test_full_movement_ends_with_the_own_turn(unable: bool) -> None:
    """SW-042, SW-R07, SW-R09: it ends at the start of the mover's turn."""
    fight = fight_of(1).to_round()
    fight.do("start_turn", "ada").do("move", "ada", kind="full", metres=20).do("end_turn", "ada")
    if unable:
        fight.do("status", targets=("ada",), status="unconscious")
    fight.to_round(2)
    before = fight.state["ada"].has("full_move")

    if unable:
        fight.next()
    else:
        fight.do("start_turn", "ada")

    assert before
    assert not fight.state["ada"].has("full_move")


@pytest.mark.parametrize(("surprising", "end"), [("party", (1, "following")), ("foes", (1, "following"))])
def test_surprise_ends_with_the_first_phase(surprising: str, end: tuple[int, str]) -> None:
    """SW-173, SW-R08: the first phase of the surprised side ends it; that side follows."""
    pcs = [member("Ada", "character", hide=9), member("Bo", "character", hide=9)]
    fight = Fight(pcs, [member("Cid", "monster", level=1 if surprising == "party" else 20)])
    fight.do("surprise_attempt", None, side=surprising)
    bearer = "cid" if surprising == "party" else "ada"
    held = fight.state[bearer].has("surprised")

    fight.to_round(1, "leading")
    still = fight.state[bearer].has("surprised")
    fight.to_round(*end)

    assert held
    assert still
    assert not fight.state[bearer].has("surprised")


def test_changing_sides_moves_no_end() -> None:
    """SW-R06: the anchor is fixed when the effect is made."""
    fight = fight_of(1)
    cast(fight, 1, "leading", "bo")
    fight.do("side", who="bo", side="foes")

    fight.to_round(1, "following")
    held = fight.state["bo"].has("Ward")
    fight.to_round(2, "leading")

    assert held
    assert not fight.state["bo"].has("Ward")


def test_the_end_in_the_form() -> None:
    """SW-R05: the form says the end in words, and follows what is typed."""
    fight = fight_of(1).to_round().do("start_turn", "ada")
    spec = RULESET.form(fight.state, action("cast", "ada", spell="Ward", targets=("cid",), rounds=2))
    field = spec.field("rounds") if spec else None

    assert field is not None
    assert field.note == "until the beginning of the following phase, round 2"


@pytest.mark.parametrize("phase", ["leading", "following"])
def test_rounds_on_the_fight_as_a_whole(phase: str) -> None:
    """SW-015: what holds for the whole fight is counted in rounds, not in phases."""
    fight = fight_of(1).to_round(1, phase).do("add_effect", name="fog", until="2 rounds")

    fight.to_round(2, "following")
    held = fight.state.all_effects
    fight.to_round(3)

    assert [effect.name for effect in held] == ["fog"]
    assert fight.state.all_effects == ()


@for_each(("phase", "bearer"), list(product(("leading", "following"), repeat=2)))
@for_each("anchor", ["affected_party", "casting_phase"])
def test_rounds_of_an_effect_by_hand(phase: str, bearer: str, anchor: str) -> None:
    """SW-R05: the switch holds for the game master's effects, too."""
    fight, target = fight_of(1, HouseRules(duration_anchor=anchor)), CASTERS[bearer][1]  # type: ignore[arg-type]
    fight.to_round(1, phase).do("add_effect", name="Ward", until="2 rounds", targets=(target,))

    counted = phase if anchor == "casting_phase" else bearer
    assert end_of(fight, target) == expected_end(1, phase, counted, 2)
