"""Opening a fight: from a prepared encounter to the first stop of the clock."""

from __future__ import annotations

from msgspec import UNSET

from tracker.core.clock import covering, joining, walk
from tracker.core.fight.events import FightOpened
from tracker.core.fight.rollers import DICE, side_key
from tracker.core.fight.state import Side
from tracker.core.game.ruleset import Ruleset
from tracker.core.step.ctx import Ctx
from tracker.core.step.showing import say
from tracker.core.terms.encounter import Encounter


def open_fight(ctx: Ctx, game: Ruleset, encounter: Encounter) -> None:
    """Open the fight and walk to the first stop.

    Everybody joins first, then the ruleset opens it.
    """
    switches = game.schema.house_rules
    sides = tuple(Side(side.id, side.name, side.control, side.data) for side in encounter.sides)
    ctx.emit(
        FightOpened(
            encounter.ruleset,
            game.version,
            encounter.title,
            switches() if encounter.house_rules is None and switches is not None else encounter.house_rules,
            encounter.setup,
            sides,
            encounter.waves,
            encounter.reminders,
            encounter.notes,
        )  # fmt: skip - one record
    )
    _set_screen(ctx, encounter)
    for side in encounter.sides:
        if side.dice is not UNSET:
            ctx.fact(DICE, side_key(side.id), side.dice)
    fogged = covering.cover_all(ctx, game, encounter)
    joining.admit(ctx, game, {side.id: side.members for side in encounter.sides}, fogged=fogged)
    if fogged:
        covering.lay_fog(ctx, game, encounter)
    game.open_fight(ctx, encounter)
    ctx.settle()
    walk.walk(ctx, game)


def _set_screen(ctx: Ctx, encounter: Encounter) -> None:
    """Keep what the file says about the players' screen."""
    for side in encounter.sides:
        if side.public:
            say(ctx, f"side:{side.id}", side.public)
        if side.health is False:
            say(ctx, f"health:{side.id}", False)
    screen = encounter.screen
    if screen is UNSET:
        return
    if screen.title:
        say(ctx, "title", screen.title)
    for key, shown in (("points", screen.points), ("map", screen.map)):
        if not shown:
            say(ctx, key, False)
    if screen.unseen != "reveal":
        say(ctx, "unseen", screen.unseen)
