"""`tracker actions`: what can be done now and what is refused, with every field."""

from __future__ import annotations

import argparse
from contextlib import closing
from pathlib import Path

from tracker.cli.loading import enlister, load, playable
from tracker.cli.output import complain, lines
from tracker.cli.playing import complaint, journal_at, opened, played
from tracker.core import engine
from tracker.core.fight.state import Id
from tracker.core.terms.actions import ActionSpec
from tracker.script.names import combatant_named
from tracker.script.player import Player
from tracker.script.reader import read_script

__all__ = ["run"]

GAME_MASTER = ("gm", "GM")


def run(asked: argparse.Namespace) -> int:
    """Print the actions of one combatant, or of all and the GM, as JSON."""
    loaded = load(asked.encounter, asked.library)
    encounter, ruleset = playable(loaded)
    entries = read_script(Path(asked.script)) if asked.script else ()
    with journal_at(None) as journal:
        begin = opened(journal, ruleset, encounter, path=Path(asked.encounter), seed=asked.seed or 0)
        # The journal's folder goes, so nothing in it may be open.
        with closing(Player(ruleset, begin, rolls=True, enlist=enlister(ruleset, loaded.shelf))) as player:
            failed = played(player, entries)
            state = player.shown
    if failed is not None:
        complain(complaint(asked.script or asked.encounter, failed))
        return 1
    owners: list[Id | None] = [*(combatant.id for combatant in state.combatants), None]
    if asked.by is not None:
        owners = [None if asked.by in GAME_MASTER and asked.by not in state else combatant_named(state, asked.by)]
    specs: list[ActionSpec] = [spec for owner in owners for spec in engine.offers(ruleset, state, owner)]
    lines([ruleset.schema.codec.builtins(spec) for spec in specs])
    return 0
