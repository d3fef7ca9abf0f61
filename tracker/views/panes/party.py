"""How a combatant comes out of a fight, in words: `9/20 poisoned`."""

from __future__ import annotations

from tracker.core.fight.carrying import Condition
from tracker.core.fight.state import Id, State
from tracker.core.game.ruleset import Ruleset
from tracker.views.words.text import clean


def condition_words(ruleset: Ruleset, state: State, who: Id, condition: Condition) -> str:
    """Return what a combatant brings along from a fight that ended in this state.

    Pools (or the game's first column), the status, and lasting effects.
    """
    combatant = state[who]
    amounts = [
        f"{pool.now}/{pool.max}" if place == 0 else f"{pool.key} {pool.now}/{pool.max}"
        for place, pool in enumerate(combatant.pools)
    ]
    if not amounts and ruleset.columns:
        amounts = [" ".join(ruleset.columns[0].cell(state, who).split())]
    status = ruleset.status(condition.status or "up")
    words = [*amounts, *(() if status.acts else (status.word,)), *(effect.shown for effect in condition.effects)]
    return clean(" ".join(words))
