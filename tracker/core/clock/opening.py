"""Opening a fight: from a prepared encounter to the first stop of the clock."""

from __future__ import annotations

from msgspec import UNSET

from tracker.core.clock import joining, walk
from tracker.core.fight.events import FightOpened
from tracker.core.fight.settings import DICE, side_key
from tracker.core.fight.state import Side
from tracker.core.game.ruleset import Ruleset
from tracker.core.step.ctx import Ctx
from tracker.core.terms.encounter import Encounter
from tracker.core.visibility.fog import cover_map, lay_initial_fog
from tracker.core.visibility.reveal import set_visibility


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
    fogged = cover_map(ctx, game, encounter)
    joining.admit(ctx, game, {side.id: side.members for side in encounter.sides}, fogged=fogged)
    if fogged:
        lay_initial_fog(ctx, game, encounter)
    game.open_fight(ctx, encounter)
    ctx.settle()
    walk.walk(ctx, game)


def _set_screen(ctx: Ctx, encounter: Encounter) -> None:
    """Keep what the file says about the players' screen."""
    for side in encounter.sides:
        if side.public:
            set_visibility(ctx, f"side:{side.id}", side.public)
        if side.health is False:
            set_visibility(ctx, f"health:{side.id}", False)
    screen = encounter.screen
    if screen is UNSET:
        return
    if screen.title:
        set_visibility(ctx, "title", screen.title)
    for key, shown in (("points", screen.points), ("map", screen.map)):
        if not shown:
            set_visibility(ctx, key, False)
    if screen.unseen != "reveal":
        set_visibility(ctx, "unseen", screen.unseen)
