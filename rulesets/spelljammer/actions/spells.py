"""Spells under way: they begin, go off when they are due, or are lost.

4.6, SJ-062 to SJ-069.
"""

from __future__ import annotations

from rulesets.spelljammer.order import initiative, schedule
from rulesets.spelljammer.order.initiative import put_off
from rulesets.spelljammer.stat_blocks.facts import Act, Casting
from rulesets.spelljammer.stat_blocks.tables import D100
from rulesets.spelljammer.stats import stats
from tracker.core.fight.events import Checked
from tracker.core.fight.slots import Id, Slot
from tracker.core.fight.state import Combatant
from tracker.core.step.ctx import Ctx
from tracker.core.terms.derived import Part
from tracker.core.terms.effects import Effect
from tracker.core.terms.moments import At
from tracker.core.terms.words import up_to


def spells_due(ctx: Ctx, segment: int) -> None:
    """Let the spells that are due go off, higher IM first (SJ-063, SJ-064, A-33)."""
    casters = [combatant for combatant in ctx.state.combatants if combatant.effects]
    due = [combatant for combatant in casters if (last := _due(combatant)) is not None and last >= segment]
    for combatant in sorted(due, key=lambda one: (-stats.block(ctx.state, one.id).im, ctx.state.places[one.id])):
        if combatant.id in ctx.state:
            go_off(ctx, combatant.id, segment)


def go_off(ctx: Ctx, who: Id, segment: int) -> None:
    """Let the spell under way take effect (SJ-063, SJ-064, SJ-068)."""
    effect = stats.casting(ctx.state[who])
    if effect is None or not isinstance(effect.data, Casting):
        return
    name = effect.data.spell
    spell = stats.spell(ctx.state, who, name)
    rules = (
        ("SJ-063", *(("SJ-064",) if segment < 1 else ()))
        if spell is not None and spell.type == "cleric"
        else ("SJ-068", "SJ-029")
    )
    chance = None if spell is None else spell.cast_chance
    ctx.end_effect(effect, "goes off" if chance is None else "is due", *rules)
    if chance is None:
        ctx.note(f"{name} goes off", *rules, about=who)
    elif not _cast(ctx, effect.data, who, chance):
        return
    declared = stats.declaration(ctx.state, who)
    target = declared.target if declared is not None and declared.spell == name else ""
    ctx.fact(who, "went_off", Act("spell", spell=name, target=target), *rules)


def _due(combatant: Combatant) -> int | None:
    effect = stats.casting(combatant)
    return effect.data.due if effect is not None and isinstance(effect.data, Casting) else None


def _cast(ctx: Ctx, casting: Casting, who: Id, cast_chance: int) -> bool:
    """Roll for a spell, and tell whether it takes effect (SJ-043)."""
    name = casting.spell
    roll = ctx.roll(
        f"cast:{who}",
        D100,
        "SJ-043",
        who=who,
        why=lambda state: f"{name}: {up_to(cast_chance + stats.wound(state, who)[0], 100, 'goes off')}",
        asked_if=lambda state: stats.stands(state, who) and not state[who].has("stunned"),
    )
    if roll is None:
        ctx.skip(name, f"the spell is lost: {ctx.state.name(who)} can no longer finish it", "SJ-006", who=who)
        return False
    wounds, rule = stats.wound(ctx.state, who)
    result = "goes off" if roll <= cast_chance + wounds else "fails"
    parts = (Part("cast chance", cast_chance), *((Part("wounds", wounds, rule),) if wounds else ()))
    ctx.emit(
        Checked(
            name,
            who,
            roll,
            result,
            casting.target or None,
            parts=(Part("d100", roll),),
            against=cast_chance + wounds,
            against_what="cast chance",
            against_parts=parts,
            success=result == "goes off",
        ),
        "SJ-043",
    )
    return result == "goes off"


def interrupt(ctx: Ctx, who: Id, why: str, *rules: str) -> None:
    """Lose a spell under way."""
    effect = stats.casting(ctx.state[who])
    if effect is not None and isinstance(effect.data, Casting):
        ctx.end_effect(effect, why, *rules)
        ctx.note(f"{effect.data.spell} is lost ({why})", *rules, about=who)


def begin_spell(ctx: Ctx, who: Id, slot: Slot) -> None:
    """Begin casting: from now on the caster does not dodge (SJ-065, SJ-069, SJ-178)."""
    declared = stats.act_of(slot)
    spell = stats.spell(ctx.state, who, declared.spell) if declared is not None else None
    if spell is None or slot.segment is None:
        return
    due = schedule.due_on(ctx.state, who, spell.name, slot.segment)
    if due < initiative.LAST or (spell.casting_time == "round" and slot.segment < 10):
        put_off(ctx, who, spell.name, "SJ-028", "SJ-030", *(("SJ-031",) if spell.casting_time == "round" else ()))
        return
    rules = ("SJ-062", "SJ-065") if spell.type == "cleric" else ("SJ-067", "SJ-068", "SJ-069")
    whole = ("SJ-031", "SJ-A12") if spell.casting_time == "round" else ()
    until = (At("segment_end", segment=due), At("round_end"))
    ctx.add_effect(
        Effect(
            "casting",
            who,
            until=until,
            data=Casting(spell.name, due, declared.target if declared is not None else ""),
            title=f"casting {spell.name}, off on {due}",
            quiet=True,
        ),
        *rules,
        "SJ-178",
        *whole,
    )
    if due < slot.segment:
        ctx.note(f"goes off on {str(due).replace('-', '−')}", *rules, *whole, about=who)
    if due >= slot.segment:
        go_off(ctx, who, slot.segment)
    elif not ctx.depth > 1:
        schedule.add_tick(ctx, due)
