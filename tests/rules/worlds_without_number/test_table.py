"""What the screen gets: columns, badges, reminders, durations, the end, the plain choice."""

from __future__ import annotations

from rulesets.worlds_without_number import RULESET
from tests.rules.worlds_without_number.fights import act, done, play, scene
from tracker.core.fight.state import State
from tracker.core.game import durations
from tracker.core.run import Pending, Step, run
from tracker.core.terms.actions import Action
from tracker.core.terms.requests import Choice


def cell(state: State, who: str, key: str) -> str:
    """Return what stands in a column."""
    return next(column for column in RULESET.columns if column.key == key).cell(state, who)


def test_columns_follow_the_state() -> None:
    """Given a Charge, hit points, AC and the turn are shown as they are now."""
    state = scene("duel").state
    assert [cell(state, "ansa", key) for key in ("hp", "ac", "turn")] == ["12/12", "15", "MV"]

    state = play(state, act("charge", "ansa", target="veteran", distance=30), [1])

    assert [cell(state, "ansa", key) for key in ("hp", "ac", "turn")] == ["12/12", "13", "··"]


def test_two_armour_classes_are_both_shown() -> None:
    """Given different ACs in melee and at range, the column shows both."""
    table = scene("duel", sides={"party": ["ansa"], "foes": [{"ref": "raider", "ac": {"melee": 12, "ranged": 15}}]})

    assert cell(table.state, "raider", "ac") == "12/15"


def test_badges_say_what_is_left_and_who_is_finished() -> None:
    """Given a spent Main and a finished turn, the badges say so; a combatant that acts again is not finished."""
    state = play(scene("duel").state, act("melee_attack", "ansa", target="veteran"), [2])
    assert [badge.text for badge in RULESET.badges(state, "ansa")] == ["·V"]

    state = play(state, act("end_turn", "ansa"))
    assert [badge.text for badge in RULESET.badges(state, "ansa")] == ["·V", "✓"]

    state = play(state, act("run", "ansa", leaving=()))
    assert [badge.text for badge in RULESET.badges(state, "ansa")] == ["··"]


def test_pending_names_unused_mains_until_they_are_used() -> None:
    """Given the party's phase, unused Mains are named, but not those finished; a held turn is named as such."""
    state = scene("band").state
    assert [item.about for item in RULESET.pending(state)] == ["ansa", "bero", "cadmon"]

    state = play(state, act("hold", "bero"))
    state = play(state, act("end_turn", "cadmon"))
    state = play(state, act("melee_attack", "ansa", target="veteran"), [2])

    assert [(item.text, item.unused) for item in RULESET.pending(state)] == [("Bero holds a turn", False)]


def test_pending_names_no_main_of_the_broken() -> None:
    """WN-C20: who flees or yields has nothing left to be reminded of."""
    state = play(scene("band").state, act("add_effect", name="broken", targets=("ansa", "bero")))

    assert [item.about for item in RULESET.pending(state)] == ["cadmon"]


def test_pending_names_the_dying_with_the_action_that_helps() -> None:
    """Given a dying combatant, the reminder carries first aid by a companion."""
    state = play(scene("band").state, act("damage", amount=12, targets=("ansa",)))
    reminder = next(item for item in RULESET.pending(state) if item.about == "ansa")
    assert reminder.settle == act("stabilise", "bero", target="ansa")

    tried = play(state, reminder.settle, [2])
    assert next(item for item in RULESET.pending(tried) if item.about == "ansa").settle is None

    dismissed = play(state, Action("dismiss", None, (("key", reminder.key),)))
    assert all(item.about != "ansa" for item in RULESET.pending(dismissed))


def test_pending_names_a_swarm_that_has_not_struck() -> None:
    """WN-053: an open swarm is not forgotten."""
    state = play(scene("foes_first").state, act("swarm_join", "raider-1", target="ansa"))

    assert any("swarm" in item.text for item in RULESET.pending(state))


def test_without_companion_rules_morale_is_a_reminder() -> None:
    """WN-007: without the companion rules a loss is only named."""
    table = scene(
        "duel", house_rules={"companion": False}, sides={"party": ["ansa"], "foes": [{"ref": "raider", "count": 3}]}
    )

    state = play(table.state, act("damage", amount=5, targets=("raider-1",)))

    assert any(item.rule == "WN-007" for item in RULESET.pending(state))
    assert all(item.rule != "WN-007" for item in RULESET.pending(table.state))


def test_a_check_of_morale_told_on_the_screen_is_not_asked_again() -> None:
    """WN-007: a loss is told with its check, and what was checked is done with."""
    sides = {"party": ["ansa"], "foes": [{"ref": "raider", "count": 4}, {"ref": "veteran", "leader": True}]}
    state = play(scene("duel", sides=sides).state, act("damage", amount=5, targets=("raider-1",)))
    told = next(item for item in RULESET.pending(state) if item.rule == "WN-007")
    assert told.text == "Morale of foes: the first of them has fallen"

    def at_end(now: State) -> list[bool]:
        outcome = run(RULESET, now, Step("advance"))
        return [outcome.request.told] if isinstance(outcome, Pending) and isinstance(outcome.request, Choice) else []

    assert told.settle is not None
    checked = play(state, told.settle, [3])
    assert at_end(state) == [True]
    assert all(item.rule != "WN-007" for item in RULESET.pending(checked))
    assert at_end(checked) == []


def test_the_fight_seems_over_when_one_side_fights_on() -> None:
    """Given the last enemy broken or down, the fight seems over, not before."""
    state = scene("duel").state
    assert RULESET.finished(state) is None

    broken = play(state, act("morale_check", who=("veteran",)), [10])
    down = play(state, act("damage", amount=9, targets=("veteran",)))

    assert RULESET.finished(broken) == "the fighters of foes are broken"
    assert RULESET.finished(down) == "no fighter of foes is left"


def test_the_end_of_the_fight_clears_what_is_temporary() -> None:
    """Section 4.4: effects end but for prone and frail, and powers are there again."""
    state = scene("band").state
    state = play(state, act("use", "cadmon"))
    state = play(state, act("go_prone", "cadmon"))
    state = play(state, act("total_defense", "ansa"))

    state = play(state, act("end_fight"))

    assert [effect.name for effect in state.all_effects] == ["prone"]
    assert state["cadmon"].facts == ()
    assert RULESET.advance(state) is None


def test_durations_are_read_in_the_words_of_the_game() -> None:
    """Given a typed duration, an effect ends at that moment."""
    state = scene("duel").state

    state = play(state, act("add_effect", name="blinded", targets=("ansa",), until="2 rounds"))

    effect = state["ansa"].effects[0]
    assert durations.until_words(state, effect) == "start of Ansa's turn in round 3"


def test_the_policy_plays_a_fight_to_its_end() -> None:
    """Given only plain choices, a fight comes to an end."""
    state = scene("duel").state
    for _ in range(200):
        if RULESET.finished(state):
            break
        slot = state.clock.current
        assert slot is not None
        action = next((choice for who in slot.members if (choice := RULESET.policy(state, who, "focused"))), None)
        step = Step("advance") if action is None else Step("do", (action,))
        state = done(state, step, [15, 4]).state

    assert RULESET.finished(state)


def test_the_policy_breaks_free_and_reloads() -> None:
    """Given a grapple or an empty crossbow, the plain choice is breaking free or reloading."""
    table = scene(
        "ambushed",
        sides={
            "party": [{"ref": "bero", "skills": {"shoot": 0}, "weapons": [{"name": "crossbow"}]}],
            "foes": ["hound"],
        },
    )
    held = play(table.state, act("grapple", "hound", target="bero", hands_free=True), [20, 12, 2])
    held = done(held, Step("advance")).state
    assert RULESET.policy(held, "bero", "focused").key == "escape_grapple"

    free = done(table.state, Step("advance")).state
    shot = play(free, act("ranged_attack", "bero", target="hound"), [2])
    again = done(done(shot, Step("advance")).state, Step("advance")).state
    assert RULESET.policy(again, "bero", "focused").key == "reload"
