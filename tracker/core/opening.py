"""Opening a fight: from a prepared encounter to the first stop of the clock."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tracker.core import clock, joining
from tracker.core.encounter import Encounter
from tracker.core.events import FightOpened
from tracker.core.state import Side

if TYPE_CHECKING:
    from tracker.core.ctx import Ctx

__all__ = ["open_fight"]


def open_fight(ctx: Ctx, encounter: Encounter) -> None:
    """Open the fight, let everybody join, let the ruleset open it, and walk to the first stop."""
    switches = ctx.ruleset.schema.house_rules
    sides = tuple(Side(side.id, side.name, side.control, side.data) for side in encounter.sides)
    ctx.emit(
        FightOpened(
            encounter.ruleset,
            ctx.ruleset.version,
            encounter.title,
            switches() if encounter.house_rules is None and switches is not None else encounter.house_rules,
            encounter.setup,
            sides,
            encounter.waves,
            encounter.reminders,
            encounter.notes,
        )  # fmt: skip - one record
    )
    joining.admit(ctx, {side.id: side.members for side in encounter.sides})
    ctx.ruleset.open_fight(ctx, encounter)
    ctx.settle()
    clock.walk(ctx)
