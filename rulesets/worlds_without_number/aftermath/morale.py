"""Morale and Instinct (WN-007, WN-008, WN-C20 to WN-C23, R39)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial

from rulesets.without_number.stats import TWO_DICE
from rulesets.worlds_without_number.aftermath.wounds import DOWN
from rulesets.worlds_without_number.stat_blocks.models import Monster
from rulesets.worlds_without_number.stats.effects import BROKEN
from rulesets.worlds_without_number.stats.stats import block, is_pc, rules
from tracker.core.fight.cache import per_state
from tracker.core.fight.events import Checked
from tracker.core.fight.slots import Id
from tracker.core.fight.state import Combatant, State
from tracker.core.game.action_types import ActionType
from tracker.core.game.schema import Reminder
from tracker.core.step.ctx import Ctx
from tracker.core.step.fields import number, text, whole
from tracker.core.terms.actions import Action, Field, Option
from tracker.core.terms.actions import action as act
from tracker.core.terms.derived import Part
from tracker.core.terms.dice import Dice
from tracker.core.terms.errors import Refusal
from tracker.core.terms.moments import side_anchor
from tracker.core.terms.words import listed

ENLISTED = "enlisted"
OFFERED = "morale_offered"
NEVER = 12
D10 = Dice.of(1, 10)


def testable(state: State, side: Id) -> tuple[Id, ...]:
    """Return the standing NPCs of a side, hirelings included (WN-C22)."""
    members = [one for one in state.combatants if one.side == side and one.status == "up"]
    return tuple([one.id for one in members if not is_pc(state, one.id)])


def enlist(ctx: Ctx, newcomers: Sequence[Id]) -> None:
    """Count those who have ever belonged to each side (WN-C21).

    What speaks for a Morale check before they come is no reason to check theirs, if nobody was there to check.
    """
    for side in dict.fromkeys(ctx.state[who].side for who in newcomers):
        anchor = side_anchor(side)
        joined = sum(ctx.state[who].side == side for who in newcomers)
        ctx.fact(anchor, ENLISTED, whole(ctx.state.fact(anchor, ENLISTED)) + joined)
        if new_triggers(ctx.state, side) and set(testable(ctx.state, side)) <= set(newcomers):
            ctx.fact(anchor, OFFERED, triggers(ctx.state, side), "WN-C21")


@per_state
def triggers(state: State, side: Id) -> tuple[str, ...]:
    """Return what speaks for a Morale check of a side (WN-C21)."""
    down = [one for one in state.combatants if one.side == side and one.status in DOWN]
    if not down:
        return ()
    members = state.members(side)
    enlisted = state.fact(side_anchor(side), ENLISTED)
    had = max(len(members), whole(enlisted))
    found = ["first"]
    if 2 * len(down) >= had:
        found.append("half")
    found += [
        f"leader:{member.id}"
        for member in down
        if isinstance(stat_block := block(member), Monster) and stat_block.leader
    ]
    return tuple(found)


def new_triggers(state: State, side: Id) -> tuple[str, ...]:
    """Return the triggers that have not been offered yet."""
    offered = state.fact(side_anchor(side), OFFERED)
    known = offered if isinstance(offered, tuple) else ()
    return tuple(trigger for trigger in triggers(state, side) if trigger not in known)


def offer(ctx: Ctx) -> None:
    """Offer a Morale check to every side with a new reason for one (WN-007).

    It is rolled where the GM wants it, and nothing is asked where nobody could break by it.
    """
    if not rules(ctx.state).companion or ctx.state.clock.over:
        return
    rolled = 0
    for side in ctx.state.sides:
        fresh = new_triggers(ctx.state, side.id)
        if not fresh or not testable(ctx.state, side.id):
            continue
        ctx.fact(side_anchor(side.id), OFFERED, triggers(ctx.state, side.id), "WN-C21")
        found = ("WN-007", "WN-C21", *(("WN-C22",) if side.control == "players" else ()))
        wanted = ctx.choose(
            f"morale:{side.id}",
            ("no", "check"),
            *found,
            default="no",
            to="gm",
            why=f"Morale of {side.name}, {_why(ctx.state, fresh)}: check it?",
            told=fresh == _due(ctx.state_at_start, side.id),
            asked_if=partial(_can_break, side=side.id),
        )
        if wanted == "check":
            rolled += 1
            check(ctx, testable(ctx.state, side.id), 0, "" if rolled == 1 else f"#{rolled}")


def _can_break(state: State, side: Id) -> bool:
    return any(_may_break(state[one]) for one in testable(state, side))


def _due(state: State, side: Id) -> tuple[str, ...]:
    """Return the triggers that a phase's end offers a check for."""
    if not rules(state).companion or not state.clock.in_round or not any(one.id == side for one in state.sides):
        return ()
    fresh = new_triggers(state, side)
    return fresh if fresh and _can_break(state, side) else ()


def reminders(state: State) -> Iterator[Reminder]:
    """Yield the checks that the phase's end would offer, to be made now."""
    for side in state.sides:
        if fresh := _due(state, side.id):
            settle = act("morale_check", who=testable(state, side.id))
            text = f"Morale of {side.name}: {_why(state, fresh)}"
            yield Reminder(f"morale:{side.id}:{'+'.join(fresh)}", text, None, settle, "WN-007", lapses=True)


def _why(state: State, fresh: Sequence[str]) -> str:
    words = {"first": "the first of them has fallen", "half": "half of them are down"}
    return " and ".join(
        words.get(trigger) or f"{state.name(trigger.removeprefix('leader:'))} has fallen" for trigger in fresh
    )


def check(ctx: Ctx, who: Sequence[Id], modifier: int, tag: str = "") -> None:
    """Roll once and compare with everybody's own Morale: above it breaks, 12 never does (WN-C20)."""
    natural = ctx.roll(
        f"morale{tag}",
        TWO_DICE,
        "WN-C20",
        to="gm",
        why="Morale",
        needed=lambda state: _needed(state, _wavering(state, who), modifier),
        asked_if=lambda state: _wavering(state, who),
    )
    if natural is None:
        ctx.skip("Morale", "none of them can waver any more", "WN-C20")
        return
    parts = (Part("2d6", natural, "WN-C20"), *((Part("situation", modifier, "WN-C20"),) if modifier else ()))
    total = natural + modifier
    for one in _wavering(ctx.state, who):
        score = _morale(ctx.state[one])
        broken = total > score and score < NEVER
        found = ("WN-C20", *(("WN-C22",) if ctx.state.side_of(one).control == "players" else ()))
        result = "breaks" if broken else "holds"
        ctx.emit(Checked("Morale", one, total, result, None, parts, score, "Morale", success=not broken), *found)
        if broken:
            ctx.add_effect(BROKEN.on(one, stacking="keep"), "WN-C20")


def _needed(state: State, who: Sequence[Id], modifier: int) -> str:
    """Return from which roll each of a group breaks, those alike together."""
    groups: dict[int, list[str]] = {}
    for one in who:
        groups.setdefault(_morale(state[one]), []).append(state.name(one))
    shown = [f"{listed(names, 3)}: {score + 1 - modifier} or more breaks" for score, names in groups.items()]
    return ", ".join(shown)


def _wavering(state: State, who: Sequence[Id]) -> tuple[Id, ...]:
    """Return those of a group who can still break."""
    return tuple(one for one in who if one in state and state[one].status == "up" and not is_pc(state, one))


def _may_break(combatant: Combatant) -> bool:
    return not combatant.has(BROKEN.name) and _morale(combatant) < NEVER


def _morale(combatant: Combatant) -> int:
    stat_block = block(combatant)
    return stat_block.ml if isinstance(stat_block, Monster) else NEVER


def _who(state: State) -> Field:
    options = tuple(_candidate(state, combatant) for combatant in state.combatants if combatant.status == "up")
    sides = [side.id for side in state.sides if side.control == "gm" and testable(state, side.id)]
    return Field(
        "who", "combatants", default=testable(state, sides[0]) if sides else (), options=options, required=True
    )


def _candidate(state: State, combatant: Combatant) -> Option:
    if is_pc(state, combatant.id):
        return Option(
            combatant.id,
            combatant.name,
            refusal=Refusal("pc", f"{combatant.name} is a PC and never checks Morale", "WN-008", forcible=False),
        )
    return Option(combatant.id, combatant.name)


def _off(state: State, action: Action) -> Refusal | None:
    return None if rules(state).companion else Refusal("switched_off", "the companion rules are off", "WN-C20")


def _check(ctx: Ctx, action: Action) -> None:
    who = action.get("who")
    people = [str(one) for one in who] if isinstance(who, tuple) else []
    for side in ctx.state.sides:
        npcs = testable(ctx.state, side.id)
        if new_triggers(ctx.state, side.id) and npcs and set(npcs) <= set(people):  # R39: one check for each trigger
            ctx.fact(side_anchor(side.id), OFFERED, triggers(ctx.state, side.id), "WN-C21")
    check(ctx, people, number(action, "modifier"))


def _instinct_fields(state: State, action: Action) -> tuple[Field, ...]:
    options = tuple(
        _candidate(state, combatant) for combatant in state.combatants if isinstance(block(combatant), Monster)
    )
    return (Field("who", "combatant", default=options[0].key if options else None, options=options, required=True),)


def _instinct(ctx: Ctx, action: Action) -> None:
    """Roll whether an NPC acts rashly (WN-C23)."""
    who = text(action, "who")
    natural = ctx.roll("instinct", D10, "WN-C23", who=who, to="gm", why="Instinct", asked_if=lambda state: who in state)
    if natural is None:
        ctx.skip("Instinct", f"{ctx.state.name(who)} has left the fight", "WN-C23")
        return
    stat_block = block(ctx.state[who])
    score = stat_block.inst if isinstance(stat_block, Monster) else 0
    rash = natural <= score
    ctx.emit(
        Checked(
            "Instinct",
            who,
            natural,
            "acts rashly" if rash else "keeps its head",
            None,
            (Part("1d10", natural, "WN-C23"),),
            score,
            "Instinct",
        ),
        "WN-C23",
    )


GM = (
    ActionType(
        "morale_check",
        "Morale check",
        "WN-C20",
        perform=_check,
        fields=lambda state, action: (_who(state), Field("modifier", "number", default=0)),
        refusal=_off,
    ),
    ActionType("instinct_check", "Instinct check", "WN-C23", perform=_instinct, fields=_instinct_fields, refusal=_off),
)
