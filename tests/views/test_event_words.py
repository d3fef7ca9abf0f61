"""What players read of the last steps."""

from __future__ import annotations

from msgspec.structs import replace

from tests.views.toy import CHARGING, PRONE, RULESET, fight
from tracker.core.fight import events as ev
from tracker.core.fight.state import State
from tracker.core.terms.actions import Action
from tracker.core.terms.dice import Dice
from tracker.core.terms.moments import Boundary
from tracker.core.visibility.knowledge import PLAYERS
from tracker.views.public.event_words import event_words


def told(*events: ev.Event, state: State | None = None) -> tuple[str, ...]:
    return event_words(RULESET, state or fight(), [ev.Entry(event) for event in events])


def hiding_one(who: str) -> State:
    return replace(fight(), facts=((PLAYERS, f"hidden:{who}", "x"),))


def test_losses_are_numbers_for_players_and_words_for_the_others() -> None:
    """Ava loses points, a goblin looks worse or the same."""
    assert told(ev.PoolChanged("ava", "hp", 14, 9)) == ("Ava loses 5 HP",)
    assert told(ev.PoolChanged("ava", "hp", 9, 12)) == ("Ava regains 3 HP",)
    assert told(ev.PoolChanged("goblin-1", "hp", 7, 3)) == ("Goblin 1 is badly hurt",)
    assert told(ev.PoolChanged("goblin-1", "hp", 3, 2)) == ()


def test_falls_effects_and_rounds() -> None:
    """Visible events are told."""
    events = (
        ev.BoundaryCrossed(Boundary("round_start", 3)),
        ev.StatusChanged("goblin-3", "up", "down"),
        ev.EffectAdded(PRONE),
        ev.EffectEnded(CHARGING, "its time is up"),
    )

    assert told(*events) == ("Round 3", "Goblin 3 is down", "Goblin 1: prone", "Wolf: charging ends")


def test_a_player_s_dice_and_their_result_are_told() -> None:
    """With roller and target; the number to reach and secret modifiers are not told."""
    events = (
        ev.Rolled("attack", Dice.of(1, 20), 14, (14,), "ava"),
        ev.Checked("attack", "ava", 19, "hit", "goblin-1", against=13, success=True),
        ev.Rolled("damage", Dice.of(1, 6), 4, (4,), "ava", plus=2),
        ev.PoolChanged("goblin-1", "hp", 7, 3, source="ava"),
    )

    assert told(*events) == (
        "Ava → Goblin 1: attack 14, hit",
        "Ava rolls 6 damage",
        "Goblin 1 is badly hurt",
    )
    assert told(*events, state=hiding_one("goblin-1")) == ()


def test_of_the_gm_s_combatants_hits_and_misses_are_told_without_dice() -> None:
    """A hit on a player character is told, the dice of a monster are not; nor are its attacks on its own side."""
    events = (
        ev.Rolled("attack", Dice.of(1, 20), 14, (14,), "goblin-1"),
        ev.Checked("attack", "goblin-1", 19, "hit", "ava", against=13, success=True),
        ev.Rolled("damage", Dice.of(1, 6), 4, (4,), "goblin-1"),
        ev.PoolChanged("ava", "hp", 14, 9, source="goblin-1"),
        ev.Checked("attack", "goblin-1", 19, "hit", "goblin-3", success=True),
        ev.Checked("save", "goblin-1", 19, "succeeds", success=True),
    )

    assert told(*events) == ("Goblin 1 → Ava: hit", "Ava loses 5 HP (Goblin 1)")
    assert told(*events, state=hiding_one("goblin-1")) == ("Ava loses 5 HP",)


def test_secret_dice_numbers_notes_and_plans_are_not_told() -> None:
    """Secret rolls, plans, and checks without a result for players are not told."""
    events = (
        ev.ActionTaken(Action("bite", "goblin-1"), "Bite"),
        ev.Rolled("attack", Dice.of(1, 20), 14, (14,), "goblin-1"),
        ev.Checked("attack", "goblin-1", 15, "hit", "ava", against=13),
        ev.Rolled("damage", Dice.of(1, 6), 4, (4,), "ava", secret=True),
        ev.Checked("Search", "ava", 15, "12", success=True),
        ev.Noted("they want the mule"),
        ev.FactSet("fight", "SECRET", None, True),
        ev.EffectAdded(replace(PRONE, secret=True)),
    )

    assert told(*events) == ()


def test_the_hidden_do_nothing() -> None:
    """Not even the fall of a hidden combatant is told."""
    state = hiding_one("goblin-1")
    events = (ev.PoolChanged("goblin-1", "hp", 7, 3), ev.StatusChanged("goblin-1", "up", "down"), ev.EffectAdded(PRONE))

    assert told(*events, state=state) == ()


def test_who_is_revealed_appears() -> None:
    """And an attack out of hiding has no name."""
    assert told(ev.FactSet(PLAYERS, "hidden:goblin-1", "x", None)) == ("Goblin 1 appears",)
    assert told(ev.FactSet(PLAYERS, "unseen_at", None, "r2/goblins")) == ("An unseen foe attacks",)


def test_points_that_are_kept_back_are_words() -> None:
    """If players do not read their points, they read their health in words."""
    state = replace(fight(), facts=((PLAYERS, "points", False),))

    assert told(ev.PoolChanged("ava", "hp", 20, 9), state=state) == ("Ava is badly hurt",)
