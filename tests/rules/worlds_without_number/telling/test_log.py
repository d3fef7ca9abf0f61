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


def test_an_attack_and_its_damage_are_two_lines() -> None:
    """The deed with its roll, and the damage, with every number's source."""
    told = lines(scene("duel").state, act("melee_attack", "ansa", target="veteran"), [13, 4])

    assert told == [
        "Ansa: Melee Attack → Veteran (long sword): d20 13 +1 AB +1 str +1 stab = 16 vs AC 15  hit",
        "1d8 4 +1 str = 5 → Veteran 9→4",
    ]


def test_a_charge_says_how_far_and_what_it_costs() -> None:
    """One line holds the distance, both ACs as one, and when that ends."""
    told = lines(scene("duel").state, act("charge", "ansa", target="veteran", distance=20), [2])

    assert told[0] == "Ansa: Charge → Veteran (long sword): charging −2 AC, until end of round 1; moves 20 feet"


def test_two_armour_classes_are_called_by_name() -> None:
    """Where they differ the log says which one is meant."""
    foe = {"ref": "raider", "ac": {"melee": 12, "ranged": 15}}
    state = scene("duel", sides={"party": ["bero"], "foes": [foe]}).state

    assert "vs Ranged AC 15" in lines(state, act("ranged_attack", "bero", target="raider"), [2])[0]


def test_a_bow_that_is_loaded_at_once_needs_no_words() -> None:
    """Only an empty weapon is told."""
    state = scene("band").state

    assert "loaded" not in " ".join(lines(state, act("ranged_attack", "bero", target="raider-1"), [2]))


def test_one_roll_of_morale_is_one_line() -> None:
    """Each is compared with its own number, the dice are told once."""
    told = lines(scene("band").state, act("morale_check", who=("raider-1", "veteran", "brute-1")), [9])

    assert told == [
        "GM: Morale check → Raider 1, Veteran and Brute 1",
        "Raider 1 Morale: 2d6 9 vs Morale 8  breaks; Veteran vs Morale 9  holds; Brute 1 vs Morale 9  holds",
    ]


def test_the_question_of_morale_says_whose_and_why() -> None:
    """It is a sentence about a side."""
    state = play(scene("band").state, act("damage", amount=5, targets=("raider-1",)))

    assert "Morale of foes, the first of them has fallen: check it? no" in lines(state, None)


def test_a_held_turn_is_told_with_what_it_is_spent_on() -> None:
    """One deed is one line."""
    state = play(scene("band").state, act("hold", "bero"))

    told = lines(state, act("trigger_held", "bero", action="run", distance=20))

    assert told == ["Bero: Use the held turn: Run: moves 20 feet"]


def test_leaving_a_melee_is_told() -> None:
    """A Run says whose melee it leaves."""
    state = play(scene("duel").state, act("melee_attack", "ansa", target="veteran"), [2])

    told = lines(state, act("run", "ansa", distance=10, leaving=()))

    assert told[-1].endswith("moves 10 feet, out of the melee with Veteran")


def test_a_charge_leaves_every_melee_but_that_of_its_target() -> None:
    """A target that is met again is not told as left, another opponent is."""
    state = scene("band", start=[1, 7]).state
    for foe in ("raider-1", "veteran"):
        state = play(state, act("melee_attack", foe, target="ansa"), [2])

    told = lines(done(state, Step("advance")).state, act("charge", "ansa", target="veteran", distance=20), [2])

    assert told[1] == "Ansa: moves 20 feet, out of the melee with Raider 1"


def test_what_keeps_shock_away_is_named() -> None:
    """Armour, a shield, a defence: not a key."""
    state = scene("foes_first").state

    assert "no Shock: the shield takes the first of the round" in " ".join(
        lines(state, act("melee_attack", "brute-1", target="cadmon"), [2])
    )


def test_a_screen_says_who_is_attacked_instead() -> None:
    """The check names the attacker once, the note the one who is spared."""
    state = play(scene("band").state, act("screen", "ansa", ward="bero", distance=10))
    state = done(state, Step("advance")).state

    told = lines(state, act("melee_attack", "raider-1", target="bero"), [3, 9, 2])

    assert told[1] == "Ansa screen: 2d6 9 +1 stab +1 str = 11 vs Raider 1's check 4 (2d6 3 +1 skill bonus)  blocks"
    assert told[2] == "Ansa: is attacked instead of Bero"


def test_the_surprised_are_ready_at_the_end_of_round_0() -> None:
    """The round fought before the first one is known when the effect is told."""
    sides = {"party": ["ansa"], "foes": {"members": ["raider"], "surprised": True}}
    table = scene("duel", sides=sides, start=[])

    told = [line.text for line in tell(RULESET, table.state, table.entries, before=State())]
    assert "Raider: surprised, until end of round 0" in told


def test_what_comes_on_several_at_once_is_one_line() -> None:
    """Those numbered in a row are told as one name."""
    foes = {"members": [{"ref": "raider", "count": 3}, "veteran"], "surprised": True}
    table = scene("duel", sides={"party": ["ansa"], "foes": foes}, start=[])
    told = [line.text for line in tell(RULESET, table.state, table.entries, before=State())]
    blessed = act("add_effect", name="blessed", targets=("raider-1", "raider-2", "veteran"))

    assert "Raider 1-3 and Veteran: surprised, until end of round 0" in told
    assert lines(table.state, blessed) == [
        "GM: Add an effect → Raider 1, Raider 2 and Veteran",
        "Raider 1, Raider 2 and Veteran: blessed",
    ]


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

    assert "hits by itself; Thief: physical save: 12" in " ".join(told)


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
