"""A deed of Worlds Without Number is told whole, in few lines."""

from __future__ import annotations

from collections.abc import Mapping

from rulesets.worlds_without_number import RULESET
from tests.rules.worlds_without_number.fights import act, done, play, scene
from tracker.core.fight.state import State
from tracker.core.run import Done, Step, run
from tracker.core.terms.actions import Action
from tracker.core.terms.requests import Answer, ChoiceAnswer, DiceAnswer, NumberAnswer, Request, Roll
from tracker.views.log.steps import tell


def lines(state: State, action: Action | None, dice: object = ()) -> list[str]:
    """Return what the log says of an action, or of going on."""
    outcome = done(state, Step("advance") if action is None else Step("do", (action,)), dice)
    return [line.text for line in tell(RULESET, outcome.state, outcome.entries, before=state)]


def test_a_charge_leaves_every_melee_but_that_of_its_target() -> None:
    """A target that is met again is not told as left, another opponent is."""
    state = scene("band", start=[1, 7]).state
    for foe in ("raider-1", "veteran"):
        state = play(state, act("melee_attack", foe, target="ansa"), [2])

    told = lines(done(state, Step("advance")).state, act("charge", "ansa", target="veteran", distance=20), [2])

    assert told[1] == "Ansa: moves 20 feet, out of the melee with Raider 1"


def test_a_swarm_whose_damage_is_capped_says_the_cap() -> None:
    """Given damage at its usual maximum, the swarm adds nothing and the log says why; below it, it says the points."""
    state = scene("foes_first").state
    for raider in ("raider-1", "raider-2"):
        state = play(state, act("swarm_join", raider, target="ansa"))
    strike = act("swarm_strike", "raider-1", target="ansa")

    assert lines(state, strike, [19, 6])[-1].startswith("1d6 6 +0 swarm, 6 at most = 6")
    assert lines(state, strike, [19, 5])[-1].startswith("1d6 5 +1 swarm = 6")


def answered(state: State, action: Action, answers: Mapping[str, Answer]) -> list[str]:
    """Return what the log says of an action, with these answers, the least dice, and defaults for the rest."""

    def source(request: Request) -> Answer | None:
        given = answers.get(request.key, request.default_answer)
        return DiceAnswer(1) if given is None and isinstance(request, Roll) else given

    outcome = run(RULESET, state, Step("do", (action,)), (), source)
    assert isinstance(outcome, Done), outcome
    return [line.text for line in tell(RULESET, outcome.state, outcome.entries, before=state)]


def test_a_screen_that_is_left_out_is_told_as_such() -> None:
    """The question whether a screen counts names its ward, and the answer fits it."""
    state = done(play(scene("band").state, act("screen", "ansa", ward="bero")), Step("advance")).state
    attack = act("melee_attack", "veteran", target="bero", screens="ask")

    assert "the screen before Bero: off" in answered(state, attack, {"screen": ChoiceAnswer("off")})


def test_a_save_names_its_maker_once() -> None:
    """Where its number is asked for, the line begins with the combatant."""
    foe = {"name": "Thief", "hd": 1, "hp": 5, "ac": 13, "atk": 1, "dmg": "1d6"}
    rules = {"companion": False}
    state = scene("duel", sides={"party": ["ansa"], "foes": [foe]}, house_rules=rules).state
    execution = act("execution", "ansa", target="thief", confirmed=True)

    told = answered(state, execution, {"save_number": NumberAnswer(12), "save": DiceAnswer(20)})

    assert any(line.startswith("Thief: physical save: 12") for line in told), told


def test_a_fall_is_told_in_the_words_of_the_screen() -> None:
    """What ends because of a fall says that the combatant is dying."""
    grapple = act("grapple", "veteran", target="ansa", hands_free=True)
    state = play(scene("ambushed").state, grapple, [19, 12, 2])

    told = " ".join(lines(state, act("damage", amount=20, targets=("ansa",))))

    assert "12→0, dying; grappled by Veteran ends" in told
    assert "mortal" not in told


def test_the_rows_of_the_prone_are_told_in_words() -> None:
    """A shot from afar names its prone target, a blow at hand too."""
    state = play(scene("band").state, act("add_effect", name="prone", targets=("raider-1",)))

    assert "−2 distant prone target" in " ".join(lines(state, act("ranged_attack", "bero", target="raider-1"), [2]))
    assert "+2 prone target" in " ".join(lines(state, act("melee_attack", "ansa", target="raider-1"), [2]))
