"""The players' projection."""

from __future__ import annotations

import msgspec
import pytest
from msgspec.structs import replace

from tests.views.toy import CLOCK, RULESET, combatant, fight
from tracker.core.fight.state import Clock, Slot, State
from tracker.core.terms.effects import Effect
from tracker.core.terms.moments import At
from tracker.views.public import PublicPool, PublicSlot, health_words, public_view

GOBLIN = "goblin-1"


def everything() -> State:
    """Return a fight that is full of what only the game master may know."""
    people = fight().combatants
    lich = replace(combatant("lich", "Xarrot", "x", "goblins", 40, 40, 1, 1, "hidden"), notes=("NOTED",))
    goblin = replace(
        people[3],
        notes=("NOTED",),
        facts=(("FACT", "NOTED"),),
        effects=(*people[3].effects, Effect("DOOMED", GOBLIN, 8, secret=True)),
    )
    ava = replace(people[0], effects=(Effect("cursed", "ava", 9, "lich", (At("turn_start", "who:lich"),)),))
    slots = (
        *CLOCK.slots,
        Slot("r2/lich", "Xarrot: DOOMED", "act", 3, ("lich",), turns="none", info="DOOMED"),
        Slot("r2/wolf", "DOOMED", members=("wolf",)),
    )
    return fight(
        combatants=(ava, *people[1:3], goblin, *people[4:], lich),
        clock=replace(CLOCK, slots=slots),
        effects=(Effect("DOOMED", "fight", 10),),
        notes="NOTED",
        journal_notes=("NOTED",),
        facts=(("fight", "FACT", "NOTED"),),
    )


def test_nothing_of_the_game_master_gets_out() -> None:
    """No secret of the GM's side is in it.

    That is hidden combatants, secret effects, notes, facts, waves, stat blocks and points.
    """
    text = msgspec.json.encode(public_view(RULESET, everything())).decode()

    assert [
        word
        for word in (
            "Xarrot",
            "lich",
            "DOOMED",
            "NOTED",
            "FACT",
            "worgs",
            "ford",
            "mule",
            "hit_dice",
            "bite",
            'goblin-1","now',
        )
        if word in text
    ] == []


def test_players_see_their_own_points_and_words_of_the_others() -> None:
    """Points are numbers on the players' side and words on the other."""
    people = {one.id: one for one in public_view(RULESET, everything()).combatants}

    assert (people["ava"].pools, people["ava"].effects, people["ava"].health) == (
        (PublicPool("hp", 9, 20),),
        ("cursed",),
        "badly hurt",
    )
    assert (people["wolf"].effects, people["wolf"].acting) == (("charging −2 AC → round end",), True)
    assert (people[GOBLIN].pools, people[GOBLIN].effects, people[GOBLIN].health) == ((), ("prone",), "badly hurt")
    assert (people["goblin-3"].status, people["goblin-3"].health) == ("down", "down")


def test_the_order_names_people_not_plans() -> None:
    """Slots are called after whose they are."""
    view = public_view(RULESET, everything())

    assert view.moment == "Round 2 · Party"
    assert view.order == (
        PublicSlot("Party", ("ava", "wolf", "brin"), "now"),
        PublicSlot("Goblins", (GOBLIN, "goblin-2", "goblin-3"), "later"),
        PublicSlot("Wolf", ("wolf",), "later"),
    )


def test_the_turn_of_somebody_hidden_is_nobody_s() -> None:
    """While a hidden combatant acts, the players see the round only."""
    state = everything()
    state = replace(state, clock=Clock(3, 18, state.clock.slots, "r2/lich", ("r2/lich",), True, "lich"))

    assert public_view(RULESET, state).moment == "Round 3"


@pytest.mark.parametrize(("now", "words"), [(7, "unhurt"), (6, "hurt"), (3, "badly hurt"), (0, "badly hurt")])
def test_health_words(now: int, words: str) -> None:
    """Points in words."""
    assert health_words(RULESET, combatant("a", "A", "a", "party", now, 7)) == words
