"""What the declaration form offers by itself, and who has to fill it in."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulesets.spelljammer import RULESET
from rulesets.spelljammer.order.declare import default, undeclared
from rulesets.spelljammer.screen import declares
from rulesets.spelljammer.stat_blocks.facts import Declaration
from rulesets.spelljammer.stats import stats
from tracker.core import engine
from tracker.core.fight.events import Skipped
from tracker.core.fight.state import State
from tracker.core.run import Done, Pending, Step, run
from tracker.core.terms.actions import action
from tracker.core.terms.requests import Answer, Choice, ChoiceAnswer, DiceAnswer, Request, Roll
from tracker.library.content.encounters import load_encounter
from tracker.session.rulesets import registry
from tracker.testing.vectors import Table, VectorFile

ENCOUNTERS = Path(__file__).parents[3] / "encounters" / "spelljammer"


def fifty(request: Request) -> Answer | None:
    """Roll the middle of every roll, take every default."""
    if isinstance(request, Roll):
        return DiceAnswer((request.dice.minimum + request.dice.maximum) // 2)
    return request.default_answer


def step(state: State, *steps: Step) -> State:
    for one in steps:
        outcome = run(RULESET, state, one, (), fifty)
        assert isinstance(outcome, Done), outcome
        state = outcome.state
    return state


def opened(name: str) -> State:
    loaded = load_encounter(ENCOUNTERS / f"{name}.yaml", registry.find)
    assert loaded.encounter is not None, loaded.problems
    return step(State(), Step("start", encounter=loaded.encounter))


@pytest.fixture
def state() -> State:
    """The archers' fight at its first declarations."""
    return opened("archers_into_melee")


def said(state: State, who: str) -> Declaration:
    found = state[who].fact("declaration")
    assert isinstance(found, Declaration)
    return found


def declared(state: State, who: str, **fields: object) -> State:
    return step(state, Step("do", (action("declare", who, **fields),)))  # type: ignore[arg-type]  # plain values


def test_default_is_an_attack_on_the_foe_in_melee(state: State) -> None:
    """Brannoc, in melee with the ogre, is offered both attacks on it."""
    state = declared(state, "brannoc")

    assert [(blow.weapon, blow.target) for blow in said(state, "brannoc").blows] == [("longsword", "ogre-mauler")] * 2


def test_a_target_goes_for_every_attack(state: State) -> None:
    """One field aims all attacks, and a weapon typed beside it is used for them."""
    state = declared(state, "isaude", target="rock-angler", weapon="short sword")

    assert [(blow.weapon, blow.target) for blow in said(state, "isaude").blows] == [("short sword", "rock-angler")] * 3


def test_the_form_offers_as_many_attacks_as_are_left(state: State) -> None:
    """SJ-072: half a move takes one of three attacks out of the form."""
    spec = engine.spec_of(RULESET, state, action("declare", "isaude", movement="half_then_act"))
    blows = spec.field("blows")

    assert blows is not None
    assert isinstance(blows.default, tuple)
    assert len(blows.default) == 2
    assert spec.refusal is None


def test_casting_has_a_short_form(state: State) -> None:
    """`cast` declares the first spell, and is offered to casters alone."""
    state = step(state, Step("do", (action("cast", "telmarre", target="rock-angler"),)))

    cast = said(state, "telmarre")
    assert (cast.main, cast.spell, cast.target, cast.blows) == ("cast", "Lance of Light", "rock-angler", ())
    assert "cast" not in [spec.key for spec in RULESET.actions(state, "brannoc")]


def test_a_monsters_routine_is_its_default(state: State) -> None:
    """A monster uses its weapons in order, and repeats the last one."""
    state = step(state, Step("do", (action("declare_defaults", side="hill-folk"),)))

    assert [blow.weapon for blow in said(state, "cave-lurker").blows] == ["claw", "other claw", "bite"]
    assert {blow.weapon for blow in said(state, "rock-angler").blows} == {"tentacle"}
    assert len(said(state, "rock-angler").blows) == 6


def test_the_round_after_offers_the_same_again(state: State) -> None:
    """Defending and the targets are kept, moving and drawing are not."""
    state = declared(state, "brannoc", defend=10, draw=True, target="ogre-mauler")
    while state.clock.round == 1:
        state = step(state, Step("advance"))

    state = declared(state, "brannoc")

    again = said(state, "brannoc")
    assert (again.main, again.defend, again.draw, {blow.target for blow in again.blows}) == (
        "attack",
        10,
        False,
        {"ogre-mauler"},
    )


def test_going_on_takes_the_foes_defaults_then_each_heros_then_rolls(state: State) -> None:
    """Six steps lead from the first declaration to initiative when every default is accepted."""
    actions = []
    for _ in range(6):
        due = RULESET.advance(state)
        assert due is not None
        actions.append((due.key, due.by))
        state = step(state, Step("advance"))

    heroes = [("declare", who) for who in ("brannoc", "isaude", "telmarre", "orsolya")]
    assert actions == [("declare_defaults", None), *heroes, ("close_declarations", None)]
    assert state.clock.phase != "declare"


def test_newcomers_in_mid_round_wait_for_the_next(state: State) -> None:
    """A newcomer after initiative acts and declares from the next round on."""
    while state.clock.phase in ("declare", ""):
        state = step(state, Step("advance"))
    state = step(state, Step("do", (action("wave"),)))
    round_of_arrival = state.clock.round

    assert all("hill-titan" not in slot.members for slot in state.clock.slots)
    while state.clock.round == round_of_arrival:
        state = step(state, Step("advance"))

    assert "hill-titan" in [combatant.id for combatant in undeclared(state)]


def test_newcomers_among_the_declarations_declare_with_the_others(state: State) -> None:
    """Who joins before initiative is rolled has to declare like everybody."""
    state = step(state, Step("do", (action("wave"),)))

    assert "hill-titan" in [combatant.id for combatant in undeclared(state)]
    state = declared(state, "hill-titan")
    assert said(state, "hill-titan").main == "attack"


def test_wholly_surprised_need_not_declare() -> None:
    """SJ-059: victims of 3× and worse do not declare in the ambush round; the roll is 50 against PER 13 to 17."""
    state = opened("deck_ambush")

    levels = {who: state[who].fact("ambush_level") for who in ("brannoc", "isaude", "telmarre", "orsolya")}
    waiting = {combatant.id for combatant in undeclared(state)}

    assert levels == {"brannoc": 4, "isaude": 3, "telmarre": 4, "orsolya": 4}
    assert waiting == {combatant.id for combatant in state.members("corsairs")}
    assert {declares(state, who) for who in levels} == {"caught in ambush"}


def test_the_ambush_round_is_numbered_zero() -> None:
    """4.2: the ambushers act in round 0, and the levels are forgotten with it."""
    state = opened("deck_ambush")
    assert state.clock.round == 0
    while state.clock.round == 0:
        state = step(state, Step("advance"))

    assert all(combatant.fact("ambush_level") is None for combatant in state.combatants)
    assert all(default(state, combatant.id).main == "attack" for combatant in stats.standing(state))


def test_lost_acts_say_why(state: State) -> None:
    """SJ-039: the clock passes over the acts of a stunned combatant and tells it."""
    while state.clock.phase in ("declare", ""):
        state = step(state, Step("advance"))
    slot = next(slot for slot in state.clock.upcoming if slot.members)
    stunned = slot.members[0]
    state = step(state, Step("do", (action("add_effect", name="stunned", targets=(stunned,)),)))
    outcome = run(RULESET, state, Step("advance"), (), fifty)

    assert isinstance(outcome, Done)
    assert ("stunned", "SJ-039") in [
        (entry.event.why, entry.rules[0])
        for entry in outcome.entries
        if isinstance(entry.event, Skipped) and entry.rules
    ]


def test_columns_badges_and_panel_hold_for_everybody(state: State) -> None:
    """Every cell and number can be shown at any moment."""
    state = step(state, Step("do", (action("damage", targets=("brannoc",), amount=30),)))

    for combatant in state.combatants:
        cells = [column.cell(state, combatant.id) for column in RULESET.columns]
        numbers = [RULESET.derived(state, combatant.id, name) for name in RULESET.schema.derived]
        empty = {column.key for column, cell in zip(RULESET.columns, cells, strict=True) if not cell}
        assert empty <= ({"declares"} if combatant.id == "brannoc" else {"declares", "wounds"})  # the unhurt are quiet
        assert all(number.parts or number.text for number in numbers)
    assert "wounds −10" in [badge.text for badge in RULESET.badges(state, "brannoc")]
    assert RULESET.columns[1].cell(state, "brannoc") == "30/5"


def test_two_stuck_arrows_can_be_told_apart() -> None:
    """SJ-163: each arrow and each wound has a name of its own, and its archer."""
    book = VectorFile(RULESET, *sorted((Path(__file__).parent / "vectors").glob("*.yaml")))
    table = Table(RULESET, book.encounter(book.scenes["shot"]))
    table.start([])
    table.play({"do": "declare", "by": "archer"})
    table.play({"do": "declare", "by": "post", "main": "nothing"})
    table.play({"next": 1, "dice": [9, 7, 5]})
    for dice in ([1, 1, 20], [1, 1, 20]):
        table.play({"next": 1, "dice": dice})
    titles = [
        (effect.shown, effect.source) for effect in table.state["post"].effects if effect.name != "damaged_armour"
    ]

    assert titles == [
        ("grievous wound", "archer"),
        ("stuck arrow", "archer"),
        ("grievous wound 2", "archer"),
        ("stuck arrow 2", "archer"),
    ]


def test_newcomers_spring_an_ambush_by_default(state: State) -> None:
    """SJ-055: those who have fought in an earlier round do not lie in ambush."""
    while state.clock.round == 1:
        state = step(state, Step("advance"))
    state = step(state, Step("do", (action("wave"),)))
    spec = engine.spec_of(RULESET, state, action("ambush", victims=("brannoc",)))
    ambushers = spec.field("ambushers")

    assert ambushers is not None
    assert ambushers.default == ("hill-titan",)


def asked_target(state: State) -> Choice:
    """Return the question at whom the act that is due goes instead."""
    outcome = run(
        RULESET, state, Step("advance"), (), lambda asked: None if isinstance(asked, Choice) else fifty(asked)
    )
    assert isinstance(outcome, Pending)
    assert isinstance(outcome.request, Choice)
    return outcome.request


def due(state: State, who: str) -> State:
    """Return the state in which the next act of a combatant is due."""
    while state.clock.current is None or state.clock.current.members != (who,):
        state = step(state, Step("advance"))
    return state


def test_one_answer_tells_at_whom_all_attacks_of_a_round_go_instead(state: State) -> None:
    """SJ-005: it is not asked again, nor where one foe is left."""
    state = declared(state, "brannoc", main="attack", target="ogre-mauler", movement="free")
    while state.clock.phase == "declare":
        state = step(state, Step("advance"))
    state = step(state, Step("do", (action("damage", amount=90, targets=("ogre-mauler",)),)))
    state = due(state, "brannoc")
    others = [foe.id for foe in stats.foes(state, "brannoc")][:-1]
    alone = step(state, *(Step("do", (action("damage", amount=99, targets=(foe,)),)) for foe in others))

    first = asked_target(state)
    answered = run(RULESET, state, Step("advance"), ((first.key, ChoiceAnswer("rock-angler")),), fifty)
    assert isinstance(answered, Done)
    second = asked_target(due(answered.state, "brannoc"))

    assert (first.default, first.told) == ("cave-lurker", False)
    assert (second.default, second.told) == ("rock-angler", True)
    assert asked_target(alone).told
