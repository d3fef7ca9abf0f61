"""Every question of the game, interrupted by one who leaves, falls or changes sides."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import product
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple, TypeAlias

import pytest

from rulesets.spelljammer import RULESET
from rulesets.spelljammer.stats import stats
from tests.support.shares import every
from tracker.core.fight.events import Checked, Decided, Entry, Rolled, Skipped
from tracker.core.fight.state import State
from tracker.core.run import Done, Interruption, Step, run
from tracker.core.terms.actions import Action, action
from tracker.core.terms.requests import Answer, DiceAnswer, Request, Roll
from tracker.testing.vectors import Table, VectorFile

BOOK = VectorFile(RULESET, *sorted((Path(__file__).parent / "vectors").glob("*.yaml")))
EARLY = {
    "initiative:ogre": 9,
    "initiative:guard": 9,
    "initiative:mage": 10,
    "initiative:trio": 8,
    "initiative:brannoc": 7,
    "attack": 96,
}
TIES = {"simultaneous_ties": True}
IDLE = {"main": "nothing"}
Given: TypeAlias = Mapping[str, Any]
NONE: Given = MappingProxyType({})


class Dice:
    """Dice by the end of their keys, else the middle, and usual answers."""

    def __init__(self, given: Given) -> None:
        self.given, self.asked = given, list[str]()

    def __call__(self, request: Request) -> Answer | None:
        self.asked.append(request.key)
        said = next((value for key, value in self.given.items() if request.key.endswith(key)), None)
        if isinstance(request, Roll):
            low, high = request.dice.minimum, request.dice.maximum
            return DiceAnswer((low + high) // 2 if not isinstance(said, int) else max(low, min(high, said)))
        return request.default_answer if said is None else request.read(said, _NoActions())


class _NoActions:
    def whose(self, said: object) -> None:
        return None

    def action(self, said: object) -> None:
        return None


class Scene(NamedTuple):
    """What leads to a question: the sides, what goes before, the step that asks."""

    asked: str
    sides: Given
    before: list[Any]
    step: Action | None
    dice: Given = NONE
    setup: Given = NONE
    house_rules: Given = NONE


def declare(who: str, **fields: Any) -> Action:
    return action("declare", who, **fields)


DUEL: Given = {"Party": ["brannoc"], "Foes": ["ogre", "guard"]}
STRIKES = [declare("brannoc", target="ogre"), declare("ogre", **IDLE), declare("guard", **IDLE), "next"]
TIED = [
    declare("brannoc", target="ogre"),
    declare("ogre", target="brannoc"),
    declare("guard", target="brannoc"),
    "next",
]
SHOOTS = [declare("archer"), declare("guard", **IDLE), declare("ann", **IDLE), declare("post", **IDLE), "next"]
MELEE: Given = {"Party": ["archer", "guard", {"ref": "guard", "name": "Ann", "id": "ann"}], "Foes": ["post"]}
MIXED = {"engaged": [["guard", "post"], ["ann", "post"]]}
CASTS = [declare("mage", main="cast", spell="Ward"), declare("trio"), "next"]
LEAVES = [
    declare("brannoc", main="nothing", movement="full", withdraw=True),
    declare("ogre", **IDLE),
    declare("guard", **IDLE),
]
BOTH = {"engaged": [["brannoc", "ogre"], ["brannoc", "guard"]]}

SCENES = {
    scene.asked: scene
    for scene in (
        Scene("ambush:guard", DUEL, [], action("ambush", victims=("ogre", "guard"), ambushers=("brannoc",))),
        Scene(
            "shout:guard",
            DUEL,
            [],
            action("ambush", victims=("ogre", "guard"), ambushers=("brannoc",)),
            {"ambush:guard": 1},
        ),
        Scene("retrieve:brannoc", DUEL, [declare("brannoc", main="retrieve_weapon"), *STRIKES[1:3]], None),
        Scene("initiative:brannoc", DUEL, STRIKES[:3], None),
        Scene("initiative:brannoc#2", DUEL, STRIKES[:3], None),
        Scene("initiative:mage", {"Party": ["mage"], "Foes": ["trio"]}, [CASTS[0], declare("trio", **IDLE)], None),
        Scene("target", DUEL, [*STRIKES, action("status", targets=("ogre",), status="down")], None),
        Scene("into_melee", MELEE, SHOOTS, None, {}, MIXED),
        Scene("friend", MELEE, SHOOTS, None, {"into_melee": 4}, MIXED),
        Scene("per:brannoc", DUEL, STRIKES, action("attack", "brannoc", unseen="both")),
        Scene("per:ogre", DUEL, STRIKES, action("attack", "brannoc", unseen="both")),
        Scene("attack", DUEL, STRIKES, None),
        Scene("damage", DUEL, STRIKES, None),
        Scene("attack:brannoc/attack", DUEL, TIED, None, {}, NONE, TIES),
        Scene("attack:ogre/attack", DUEL, TIED, None, {}, NONE, TIES),
        Scene("attack:ogre/damage", DUEL, TIED, None, {"ogre/attack": 20}, NONE, TIES),
        Scene("grievous", DUEL, STRIKES, None, {"attack": 1}),
        Scene(
            "move:brannoc",
            DUEL,
            [declare("brannoc", target="ogre", movement="act_then_half"), *STRIKES[1:], "next"],
            None,
        ),
        Scene("interrupt", {"Party": ["mage"], "Foes": ["trio"]}, [*CASTS, "next"], None, {"attack": 60, "damage": 1}),
        Scene("free:ogre:brannoc", DUEL, LEAVES, None, {}, BOTH),
        Scene("free:guard:brannoc", DUEL, LEAVES, None, {}, BOTH),
        Scene("free:ogre:brannoc/attack", DUEL, LEAVES, None, {}, BOTH),
        Scene("free:ogre:brannoc/damage", DUEL, LEAVES, None, {"attack": 20}, BOTH),
        Scene(
            "stay_up:brannoc",
            DUEL,
            [declare("brannoc", movement="none"), *STRIKES[1:]],
            action("forced_move", who="brannoc"),
        ),
        Scene("cast:mage", {"Party": ["mage"], "Foes": ["post"]}, [CASTS[0], declare("post", **IDLE), "next"], None),
        Scene(
            "end_combat",
            {"Party": ["brannoc"], "Foes": ["ogre"]},
            [*STRIKES[:2], "next", action("damage", targets=("ogre",), amount=100)],
            None,
        ),
        Scene(
            "interrupt:mage",
            {"Party": ["mage"], "Foes": ["trio"]},
            [*CASTS, "next"],
            action("damage", targets=("mage", "trio"), amount=3, spell=True),
        ),
    )
}
WAYS = ("remove", "down", "gone", "side", "stunned", "end", "place")


def at_the_question(scene: Scene) -> tuple[State, Step]:
    """Return the fight before the step that asks, and the step."""
    table = Table(
        RULESET, BOOK.encounter({"sides": scene.sides, "setup": scene.setup, "house_rules": scene.house_rules})
    )
    table.start([])
    state = table.state
    for entry in scene.before:
        step = Step("advance") if entry == "next" else Step("do", (entry,))
        done = run(RULESET, state, step, (), Dice(EARLY))
        assert isinstance(done, Done), done
        state = done.state
    return state, Step("advance") if scene.step is None else Step("do", (scene.step,))


def meddling(state: State, way: str, who: str) -> Action:
    """Return what the GM does to a combatant while the question stands."""
    match way:
        case "remove":
            return action("remove", targets=(who,))
        case "side":
            other = next(side.id for side in state.sides if side.id != state[who].side)
            return action("side", who=who, side=other)
        case "stunned":
            return action("add_effect", name="stunned", targets=(who,))
        case "end":
            return action("end_fight", reason="enough")
        case "place":
            return action("place", who=who, x=300)
        case _:
            return action("status", targets=(who,), status=way)


def interrupted(scene: Scene, way: str, who: str) -> Done:
    """Play the step with the GM's meddling just before its question."""
    state, step = at_the_question(scene)
    dice = Dice(scene.dice)
    plain = run(RULESET, state, step, (), dice)
    assert isinstance(plain, Done), plain
    key = next((key for key in dice.asked if key.endswith(scene.asked)), None)
    assert key is not None, f"{scene.asked} is not asked: {dice.asked}"
    meddled = Step(step.kind, step.actions, interrupts=(Interruption(key, meddling(state, way, who)),))
    outcome = run(RULESET, state, meddled, (), Dice(scene.dice))
    assert isinstance(outcome, Done), outcome
    return outcome


def sound(state: State) -> None:
    """Assert that nothing is left of those who are gone, and no melee among friends."""
    for owner in stats.pairs(state):
        one, other = stats.paired(owner)
        assert one in state
        assert other in state
        assert state[one].side != state[other].side
        assert not stats.down(state[one])
        assert not stats.down(state[other])
    gone = {key for key, _ in state.gone}
    assert not any(owner in gone for owner, _, _ in state.facts)
    assert not any(member in gone for slot in state.clock.slots for member in slot.members)
    for combatant in state.combatants:
        if stats.unable(combatant) in ("stunned", "down"):
            assert stats.casting(combatant) is None


@pytest.mark.parametrize(("asked", "way"), every(5, product(SCENES, WAYS)))
def test_fight_goes_on_whoever_leaves_at_a_question(asked: str, way: str) -> None:
    """Each combatant in turn is meddled with before the question; two rounds later nothing has gone wrong."""
    scene = SCENES[asked]
    for who in [combatant.id for combatant in at_the_question(scene)[0].combatants]:
        state = interrupted(scene, way, who).state
        sound(state)
        for _ in range(12):
            due = RULESET.advance(state)
            if due is None:
                break
            outcome = run(RULESET, state, Step("advance"), (), Dice({}))
            assert isinstance(outcome, Done), (who, outcome)
            state = outcome.state
            sound(state)


def told(done: Done, kind: type) -> list[Entry]:
    return [entry for entry in done.entries if isinstance(entry.event, kind)]


def checks(done: Done) -> list[tuple[str, str | None, int | None]]:
    return [
        (entry.event.what, entry.event.target, entry.event.against)
        for entry in done.entries
        if isinstance(entry.event, Checked)
    ]


def test_chance_is_the_one_after_the_interruption() -> None:
    """SJ-105: a target stunned while the d100 is asked for is easier to hit."""
    done = interrupted(SCENES["attack"], "stunned", "ogre")

    assert checks(done)[0] == ("attack", "ogre", 102)


@pytest.mark.parametrize("way", ["remove", "down", "gone", "side"])
def test_blow_turns_where_its_target_goes_at_the_roll(way: str) -> None:
    """SJ-005: the die rolled counts for the foe that is named instead."""
    done = interrupted(SCENES["attack"], way, "ogre")

    assert checks(done)[0] == ("attack", "guard", 102)
    assert [entry.event.answer for entry in told(done, Decided)] == ["guard"]  # type: ignore[attr-defined]  # Decided


@pytest.mark.parametrize("way", ["remove", "down", "gone", "stunned"])
def test_blow_is_lost_where_its_attacker_goes_at_the_roll(way: str) -> None:
    """SJ-006, SJ-039: the attack is told as lost, and nothing is hit."""
    done = interrupted(SCENES["attack"], way, "brannoc")

    assert not checks(done)
    assert not told(done, Rolled)
    assert any(entry.event.what == "the attack" for entry in told(done, Skipped))  # type: ignore[attr-defined]  # Skipped


@pytest.mark.parametrize("way", ["remove", "down", "gone", "stunned", "side"])
def test_no_free_attack_of_one_who_has_gone(way: str) -> None:
    """SJ-128: an opponent who falls while the GM is asked has no free attack."""
    done = interrupted(SCENES["free:ogre:brannoc"], way, "ogre")

    assert not [entry for entry in told(done, Checked) if entry.event.who == "ogre"]  # type: ignore[attr-defined]  # Checked


def test_initiative_of_one_who_leaves_meanwhile_is_no_act() -> None:
    """SJ-001: one who leaves at the own initiative roll has no slot."""
    done = interrupted(SCENES["initiative:brannoc#2"], "remove", "brannoc")

    assert not [slot for slot in done.state.clock.slots if slot.data is not None]
    assert not told(done, Skipped), "nothing is said to come too late"


def test_ground_is_not_credited_to_the_fallen() -> None:
    """SJ-026: a withdrawer who falls at the free attack stays there."""
    done = interrupted(SCENES["free:ogre:brannoc"], "down", "brannoc")

    assert done.state["brannoc"].fact("covered") is None
