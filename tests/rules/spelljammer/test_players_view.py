"""What players read of a spell under way."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from rulesets.spelljammer import RULESET
from rulesets.spelljammer.stat_blocks.facts import Casting, Waiting
from tests.rules.spelljammer.test_log import BOOK
from tracker.core.fight.events import EffectAdded, Entry
from tracker.core.terms.effects import Effect
from tracker.testing.vectors import Table
from tracker.views.public.build import public_view
from tracker.views.public.event_words import event_words
from tracker.views.public.schema import PublicEffect

CASTING = Effect("casting", "", 90, data=Casting("Bolt", 3), title="casting Bolt, off on 3")
WAITING = Effect("spell_waiting", "", 91, data=Waiting("Ward"), title="Ward waits for 10")


@pytest.mark.parametrize(
    ("name", "effects", "lines"),
    [
        ("Ogre", [PublicEffect("casting")], ("Ogre: casting",)),
        (
            "Brannoc",
            [
                PublicEffect("casting Bolt, off on 3", "casting Bolt, off on 3"),
                PublicEffect("Ward waits for 10", "Ward waits for 10"),
            ],
            ("Brannoc: casting Bolt, off on 3", "Brannoc: Ward waits for 10"),
        ),
    ],
)
def test_of_a_foe_s_spell_only_the_casting_is_seen(
    name: str, effects: list[PublicEffect], lines: tuple[str, ...]
) -> None:
    """Which spell, its segment and one kept for the next round are told of the players' own casters alone."""
    table = Table(RULESET, BOOK.encounter(BOOK.scenes["duel"]))
    table.start([])
    caster = next(one for one in table.state.combatants if one.name == name)
    held = tuple(replace(effect, bearer=caster.id) for effect in (CASTING, WAITING))
    people = tuple(replace(one, effects=held) if one is caster else one for one in table.state.combatants)
    state = replace(table.state, combatants=people)

    seen = next(one for one in public_view(RULESET, state).combatants if one.name == name)

    assert list(seen.effects) == effects
    assert event_words(RULESET, state, [Entry(EffectAdded(effect)) for effect in held]) == lines
