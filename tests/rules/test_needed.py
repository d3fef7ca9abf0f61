"""What a question says a roll needs is what the rules then hold it to."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.support.tables import for_each
from tracker.core.engine import offers
from tracker.core.fight.events import Checked
from tracker.core.fight.state import FIGHT, State
from tracker.core.game.ruleset import Ruleset
from tracker.core.run import Answers, Done, Pending, Step, run
from tracker.core.terms.actions import Action
from tracker.core.terms.dice import Dice
from tracker.core.terms.requests import Answer, DiceAnswer, Request, Roll
from tracker.core.terms.words import felling, needs, up_to
from tracker.library.content.encounters import load_encounter
from tracker.library.guard import unwrapped
from tracker.session.rulesets import registry

D6 = Dice.of(1, 6)
ENCOUNTERS = Path(__file__).parents[2] / "encounters"


def middling(request: Request) -> Answer | None:
    """Answer whatever is asked, dice with middling ones."""
    if isinstance(request, Roll):
        faces = tuple((sides + 1) // 2 for sides in request.dice.sides)
        return DiceAnswer(sum(faces), faces)
    return request.default_answer or request.sample(lambda least, most: least)


def until_told(request: Request) -> Answer | None:
    """Answer everything but a roll that says what it needs."""
    return None if isinstance(request, Roll) and request.needed else middling(request)


def questions(ruleset: Ruleset, state: State, keys: set[str]) -> dict[str, tuple[State, Action, Pending]]:
    """Return for each of these actions a question that says what its roll needs."""
    found: dict[str, tuple[State, Action, Pending]] = {}
    for _ in range(12):
        if len(found) == len(keys):
            break
        for who in state.combatants:
            for spec in offers(ruleset, state, who.id):
                if spec.refusal is None and spec.key in keys and spec.key not in found:
                    outcome = run(ruleset, state, Step("do", (Action(spec.key, who.id),)), (), until_told)
                    if isinstance(outcome, Pending):
                        found[spec.key] = (state, Action(spec.key, who.id), outcome)
        steps = [Step("do", (Action("start_turn", who.id),)) for who in state.combatants]
        tried = [run(ruleset, state, step, (), middling) for step in (*steps, Step("advance"))]
        state = next((done.state for done in tried if isinstance(done, Done)), state)
    return found


@pytest.mark.parametrize(
    ("game", "keys"),
    [
        ("worlds_without_number/first_fight", {"melee_attack", "ranged_attack"}),
        ("sovereign/first_fight", {"attack_ranged"}),
        ("sword_world/forest_ambush", {"attack"}),
    ],
)
def test_the_number_in_the_question_is_the_one_that_counts(game: str, keys: set[str]) -> None:
    """One less does not do, and the number itself does."""
    loaded = load_encounter(ENCOUNTERS / f"{game}.yaml", registry.find)
    assert loaded.encounter is not None
    ruleset = unwrapped(registry.find(loaded.encounter.ruleset))
    opened = run(ruleset, State(), Step("start", encounter=loaded.encounter), (), middling)
    assert isinstance(opened, Done)

    found = questions(ruleset, opened.state, keys)

    assert keys == set(found)
    for state, act, pending in found.values():
        assert isinstance(pending.request, Roll)
        number = re.search(r"· (\d+)", pending.request.needed)
        if number is not None:
            results = [_result(ruleset, state, act, pending, total) for total in (int(number[1]) - 1, int(number[1]))]
            assert results[0] != results[1], pending.request.needed


def _result(ruleset: Ruleset, state: State, act: Action, pending: Pending, total: int) -> list[str]:
    """Return how the checks of an action come out with this total."""
    given: Answers = (*pending.answers, (pending.request.key, DiceAnswer(total)))
    outcome = run(ruleset, state, Step("do", (act,)), given, middling)
    assert isinstance(outcome, Done), outcome
    return [entry.event.result for entry in outcome.entries if isinstance(entry.event, Checked)]


@for_each(
    ("told", "words"),
    [
        (needs(6, 12, "AC", 2, 20, "hits"), "+6 vs AC 12 · 6 or more hits"),
        (needs(-2, 12, "AC", made="hits"), "−2 vs AC 12 · 14 or more hits"),
        (needs(0, 15, "save"), "vs save 15 · 15 or more"),
        (needs(6, 4, "AC", 2, 20), "+6 vs AC 4 · 2 or more"),
        (needs(6, 4, "AC"), "+6 vs AC 4 · any roll"),
        (needs(1, 30, "AC", 2, 20), "+1 vs AC 30 · 20"),
        (needs(1, 30, "AC", sure=False), "+1 vs AC 30 · no roll"),
        (needs(0, 2, "target", 2, 12, sure=False), "vs target 2 · any roll"),
        (needs(7, 14, most=12), "+7 vs 14 · 7 or more"),
    ],
)
def test_a_need_in_words(told: str, words: str) -> None:
    """What is added, against what, and which dice do it."""
    assert told == words


@for_each(
    ("told", "words"),
    [
        (felling(D6, lambda roll: roll + 1, 5, "kills"), "4 or more kills"),
        (felling(D6, lambda roll: roll + 1, 7), "6 drops"),
        (felling(D6, lambda roll: roll + 1, 8), ""),
        (felling(D6, lambda roll: roll + 1, 2, "kills"), "any roll kills: Enter"),
        (felling(D6, lambda roll: roll + 1, 2, below=True), "any roll drops"),
        (felling(D6, lambda roll: max(3, roll - 5), 9), "any roll takes 3: Enter"),
        (felling(D6, lambda roll: max(0, roll - 6), 9), "any roll does no harm: Enter"),
        (up_to(95, 100, "hits"), "95 or less hits"),
        (up_to(100, 100, "hits"), "any roll hits"),
        (up_to(0, 100), "no roll"),
        (up_to(1, 100, "aims at a friend"), "1 or less aims at a friend"),
    ],
)
def test_damage_and_low_rolls_in_words(told: str, words: str) -> None:
    """Which rolls fell a target, that all do the same, and what is not to be exceeded."""
    assert told == words


@pytest.mark.parametrize(("total", "leads"), [(9, "foes"), (10, "pcs")])
def test_initiative_says_which_roll_leads(total: int, leads: str) -> None:
    """SW-012: a character leads who reaches the highest fixed value of the monsters, 13 of the Grave Shade."""
    loaded = load_encounter(ENCOUNTERS / "sword_world/two_brawls.yaml", registry.find)
    assert loaded.encounter is not None
    ruleset = unwrapped(registry.find(loaded.encounter.ruleset))
    opened = run(ruleset, State(), Step("start", encounter=loaded.encounter), (), middling)
    while isinstance(opened, Done) and opened.state.clock.phase != "initiative":
        opened = run(ruleset, opened.state, Step("advance"), (), middling)
    roll = Step("do", (Action("roll_initiative"),))

    def answer(request: Request) -> Answer | None:
        return DiceAnswer(total if request.who == "wolf" else 2) if isinstance(request, Roll) else middling(request)

    assert isinstance(opened, Done)
    asked = run(ruleset, opened.state, roll, (), until_told)
    outcome = run(ruleset, opened.state, roll, (), answer)

    assert isinstance(asked, Pending)
    assert isinstance(asked.request, Roll)
    assert (asked.request.who, asked.request.needed) == ("wolf", "+3 vs Initiative 13 · 10 or more leads")
    assert isinstance(outcome, Done)
    assert outcome.state.fact(FIGHT, "leading") == leads
