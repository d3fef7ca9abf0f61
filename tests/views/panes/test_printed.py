"""The stat block as printed, in every game, with what effects change marked."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from tests.properties.games import build
from tests.support.tables import table
from tests.views.toy import RULESET, fight, shown
from tracker.core.fight.state import State
from tracker.core.fight.update import replace_combatant
from tracker.core.game.ruleset import Ruleset
from tracker.core.game.schema import Printed
from tracker.core.run import Done, Step, run
from tracker.core.terms.effects import Effect, Modifier
from tracker.core.terms.errors import RulesBug
from tracker.library.guard import unwrapped
from tracker.testing.table import plain
from tracker.views.panes.blocks import block_rows

WIDE = 90

PRINTED: dict[str, Any] = table(__file__, "printed", tuples=True)


def opened(name: str) -> tuple[Ruleset, State]:
    ruleset, encounter = build(name)
    done = run(ruleset, State(), Step("start", encounter=encounter), (), plain)
    assert isinstance(done, Done)
    return ruleset, done.state


@pytest.mark.parametrize("name", PRINTED)
def test_a_stat_block_is_set_as_printed(name: str) -> None:
    """Kind, defences, attacks, specials, skills: each game's own numbers."""
    ruleset, state = opened(name)
    who, wanted = PRINTED[name]
    who = who if who in state else next(one.id for one in state.combatants if one.ref == who)
    rows = shown(block_rows(ruleset, state, who, WIDE))

    assert [line for line in wanted if line not in rows] == []
    for one in state.combatants:  # no field has to be listed any more
        assert "stat block" not in shown(block_rows(ruleset, state, one.id, WIDE))


def test_what_effects_change_is_marked_with_what_is_printed() -> None:
    """The present number comes first."""
    ruleset, state = opened("worlds_without_number/first_fight")
    bless = Effect("bless", "ordwen", 99, modifiers=(Modifier("attack", 1), Modifier("ac_melee", -2)))
    state = replace_combatant(state, replace(state["ordwen"], effects=(bless,)))
    text = "\n".join(shown(block_rows(ruleset, state, "ordwen", 200)))

    assert "AC 15, 17 against missiles (printed: 17)" in text
    assert "+8, 1d8+3, Shock 5/AC 13 (printed: +7, 1d8+3, Shock 5/AC 13)" in text
    assert "Move 30 ft ·" in text


def test_what_only_effects_give_is_said_and_what_fails_is_named() -> None:
    """A line that nothing printed has, and a game whose card cannot be made."""
    wolf = replace(
        RULESET,
        printed=lambda state, who: (
            Printed("kind", "beast"),
            *([Printed("attacks", "second bite", "+2")] if state[who].effects else []),
        ),
    )
    assert "second bite    +2 (not printed)" in shown(block_rows(wolf, fight(), "wolf", 44))
    found: list[RulesBug] = []

    def fails(state: State, who: str) -> tuple[Printed, ...]:
        raise RulesBug("a slip")

    assert "Party · ✗" in shown(block_rows(replace(unwrapped(wolf), printed=fails), fight(), "wolf", 44, found.append))
    assert len(found) == 2
