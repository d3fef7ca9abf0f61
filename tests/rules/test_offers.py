"""Offers from positions where a form cannot stand as it would begin."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.rules.test_vectors import BOOKS, GAMES
from tracker.core.game.ruleset import Ruleset
from tracker.core.run import Done, Step, run
from tracker.core.terms.actions import Action, Field, action
from tracker.core.terms.errors import Refusal

FOLDER = Path(__file__).parent
CASES = yaml.safe_load((FOLDER / "offers.yaml").read_text(encoding="utf-8"))


def tuples(value: Any) -> Any:
    """Return a value with tuples for lists, as forms have it."""
    return tuple(map(tuples, value)) if isinstance(value, list) else value


@pytest.mark.parametrize(
    ("game", "case"),
    [pytest.param(GAMES[key], case, id=f"{key}: {case['title']}") for key, cases in CASES.items() for case in cases],
)
def test_offer(game: Ruleset, case: Mapping[str, Any]) -> None:
    """What is listed as possible is accepted as its form opens; what is not says why."""
    state = BOOKS[game.key].play({"given": case["given"], "do": case.get("do")}).state
    by, key = case["by"], case["offer"]

    listed = {spec.key: spec for spec in game.actions(state, by)}
    spec = game.form(state, Action(key, by))
    assert spec is not None

    if "refused" in case:
        assert spec.refusal is not None, spec
        assert case["refused"] in spec.refusal.text
        assert key not in listed or listed[key].refusal == spec.refusal
        return
    assert spec.refusal is None, spec.refusal
    assert listed[key].refusal is None
    fields = {name: getattr(spec.field(name), "default", None) for name in case["opens"]}
    assert fields == {name: tuples(value) for name, value in case["opens"].items()}
    if not case.get("missing"):
        assert not isinstance(run(game, state, Step("do", (Action(key, by),))), Refusal)


@pytest.mark.parametrize(
    ("game", "given", "key", "by"),
    [
        ("worlds_without_number", "ambushed", "free_attack", "ansa"),  # WN-080
        ("worlds_without_number", "ambushed", "interrupted", None),  # WN-037
        ("sovereign", {"sides": {"party": ["k"], "foes": ["guard"]}, "start": [6, 2]}, "aoo", "k"),  # SV-049
        ("sovereign", {"sides": {"party": ["k"], "foes": ["guard"]}, "start": [6, 2]}, "veterans_luck", "k"),  # SV-P14
    ],
)
def test_an_answer_is_not_on_the_list(game: str, given: object, key: str, by: str | None) -> None:
    """What comes with another action only has a form, and no place in the list of actions."""
    state = BOOKS[game].play({"given": given}).state

    listed = [spec.key for spec in GAMES[game].actions(state, by)]

    assert listed
    assert key not in listed
    assert GAMES[game].form(state, Action(key, by)) is not None


@pytest.mark.parametrize("game", GAMES.values(), ids=list(GAMES))
def test_nothing_is_offered_that_has_nobody_to_choose(game: Ruleset) -> None:
    """Given a scene whose other sides have left the fight, each form on offer has an option for each combatant."""
    for scene in BOOKS[game.key].scenes:
        state = BOOKS[game.key].play({"given": scene}).state
        foes = tuple(one.id for one in state.combatants if one.side != state.sides[0].id)
        outcome = run(
            game, state, Step("do", (action("remove", targets=foes),)), (), lambda asked: asked.default_answer
        )
        assert isinstance(outcome, Done)
        for one in outcome.state.combatants:
            forms = (game.form(outcome.state, Action(spec.key, one.id)) for spec in game.actions(outcome.state, one.id))
            for form in forms:
                open_fields = () if form is None or form.refusal else form.fields
                lacking = [field.name for field in open_fields if nobody_to_choose(field)]
                assert not lacking, f"{scene}: {one.id} {form}"


def nobody_to_choose(field: Field) -> bool:
    """Tell whether a required field lists no combatant that can be chosen."""
    people = field.kind in ("combatant", "combatants") and field.required and not field.anybody
    return people and all(option.refusal for option in field.options)


@pytest.mark.parametrize(
    ("game", "scene", "npc", "pc", "attack", "own"),
    [
        pytest.param(
            "worlds_without_number",
            "duel",
            "veteran",
            "ansa",
            "melee_attack",
            {"attribute", "skill"},
            id="Worlds Without Number",
        ),
        pytest.param(
            "worlds_without_number",
            "duel",
            "veteran",
            "ansa",
            "shove",
            {"attribute", "skill", "my_skill"},
            id="a shove",
        ),
        ("sovereign", "open", "guard", "k", "attack_melee", {"attribute", "skill"}),
    ],
)
def test_a_form_asks_for_skills_of_those_who_have_them(
    game: str, scene: str, npc: str, pc: str, attack: str, own: set[str]
) -> None:
    """An NPC without attributes and skills has no fields for them, a PC has."""
    state = BOOKS[game].play({"given": scene}).state
    fields = {}
    for who in (npc, pc):
        spec = GAMES[game].form(state, Action(attack, who))
        assert spec is not None
        fields[who] = {field.name for field in spec.fields}

    assert not own & fields[npc]
    assert own <= fields[pc]
