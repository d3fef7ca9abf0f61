"""After the combat: delayed riders, the form of six pages (4.6), the next combat."""

from __future__ import annotations

from typing import cast

from msgspec.structs import replace

from rulesets.githack.stat_blocks.models import PC, Ability
from rulesets.githack.stats import checks as track
from rulesets.githack.stats import stats
from rulesets.githack.stats.checks import ask_ability, save
from rulesets.githack.stats.stats import REVIEWED, Delayed, Grip, set_angst, set_harm
from tracker.core.fight.events import OrderSet
from tracker.core.fight.slots import Id, Slot
from tracker.core.fight.state import FIGHT, State, condition_after
from tracker.core.step import fields
from tracker.core.step.ctx import Ctx
from tracker.core.terms.actions import Action, Field, Option
from tracker.core.terms.effects import Effect
from tracker.core.terms.encounter import Condition, Member
from tracker.core.terms.errors import Refusal
from tracker.core.terms.values import Value

ENEMY = ("routed", "slain", "captured", "other")


def close_fight(ctx: Ctx) -> None:
    """Resolve riders that waited, in order of time (GH-057, A28), then offer the form."""
    delayed = ctx.state.fact("fight", "delayed", ())
    for place, rider in enumerate(delayed if isinstance(delayed, tuple) else (), start=1):
        if isinstance(rider, Delayed) and rider.who in ctx.state and ctx.state[rider.who].status != "dead":
            _resolve(ctx, rider, place)
    ctx.fact("fight", "delayed", None, "GH-057")
    slots = ctx.state.clock.slots
    ctx.emit(
        OrderSet(
            slots, (*slots, Slot("end/after_combat", "After the combat", "after_combat", turns="none", stage="closing"))
        ),
        "GH-076",
    )


def _resolve(ctx: Ctx, rider: Delayed, place: int) -> None:
    """Roll the save of a rider that waited, and let it take hold (GH-057, A28).

    Its effect lasts until removed: the fight that could end it is over.
    """
    who, key = rider.who, f"after:{rider.who}#{place}"
    if rider.save:
        ability = ask_ability(ctx, key, who, rider.special, rider.asked) if rider.asked else cast(Ability, rider.save)
        if ability is None:
            return
        what = f"save against {rider.special}"
        rules = ("GH-057", "GH-108", "GH-A28")
        made = save(ctx, key, who, ability, what, *rules, edge=rider.edge)
        if made is None or made.success:
            return
    held = stats.harm(ctx.state[who])
    for box in rider.boxes:
        if held[box] != track.EMPTY and (rider.deep or rider.worsen):
            held = track.put(held, box, "*" if rider.deep else track.worse(held[box]))
    set_harm(ctx, who, held, "GH-057", "GH-118", "GH-A28", *(("GH-048",) if rider.deep else ()))
    if rider.effect:
        source = rider.source if rider.source in ctx.state else None
        ctx.add_effect(Effect(rider.effect, who, source=source, stacking="add"), "GH-057", "GH-A28")
    else:
        ctx.note(f"{rider.special} takes hold", "GH-057", about=who)


def pages(state: State, action: Action) -> tuple[Field, ...]:
    """Return the six pages of the form, pre-filled from the state."""
    pcs = stats.pcs(state)
    columns = (Field("box", "number", required=True, minimum=1), Field("means", "text"), Field("scar", "text"))
    healing = [
        Field(f"heal_{pc.id}", "rows", f"{pc.name}: deep wounds healed", columns=columns, page="4 deep wounds")
        for pc in pcs
        if "*" in stats.harm(state[pc.id])
    ]
    angst = [Field(f"angst_{pc.id}", "number", f"{pc.name}: Angst", 0, minimum=0, page="5 Angst") for pc in pcs]
    priority = Field("priority", "text", "what does the party want next?", page="6 priority")
    return (*_resting(state), *_treatment(state), *_enemies(state), *healing, *angst, priority)


def _resting(state: State) -> list[Field]:
    found: list[Field] = []
    for combatant in stats.pcs(state):
        ticks, _, _ = track.tally(stats.harm(state[combatant.id]))
        if ticks:
            key, label = f"rest_{combatant.id}", f"{combatant.name}: ticks wiped"
            found.append(Field(key, "number", label, ticks, minimum=0, note=_tally(state, combatant.id), page="1 rest"))
        if combatant.status == "incapacitated":
            found.append(Field(f"wake_{combatant.id}", "flag", f"{combatant.name} wakes", page="1 rest"))
    return found


def _treatment(state: State) -> list[Field]:
    found: list[Field] = []
    for combatant in stats.pcs(state):
        if "x" in stats.harm(state[combatant.id]):
            key, label = f"treat_{combatant.id}", f"{combatant.name}: wounds treated"
            note = _tally(state, combatant.id)
            found.append(Field(key, "number", label, 0, minimum=0, note=note, page="2 treatment"))
    means = tuple(Option(word) for word in ("none", "physician", "resources"))
    return [*found, Field("means", "choice", "help at hand", "none", options=means, page="2 treatment")]


def _enemies(state: State) -> list[Field]:
    options = tuple(Option(word) for word in ENEMY)
    found = []
    for combatant in stats.monsters(state):
        became = {"slain": "slain", "gone": "routed"}.get(combatant.status, "other")
        key = f"enemy_{combatant.id}"
        found.append(Field(key, "choice", combatant.name, became, options=options, page="3 the enemy"))
    return [*found, Field("enemy_note", "text", "come back? inform?", page="3 the enemy")]


def _tally(state: State, who: Id) -> str:
    ticks, crosses, stars = track.tally(stats.harm(state[who]))
    return _counted(ticks, crosses, stars)


def _counted(ticks: int, crosses: int, stars: int) -> str:
    counts = ((ticks, "tick"), (crosses, "wound"), (stars, "deep wound"))
    return ", ".join(f"{count} {name}" if count == 1 else f"{count} {name}s" for count, name in counts)


def refusal(state: State, action: Action) -> Refusal | None:
    """Return what is wrong with the form: the moment, or more healed than there is."""
    if state.clock.at != "end/after_combat":
        return Refusal("not_yet", "the form comes after the combat", "GH-076", forcible=False)
    wrong = (_overdone(state, action, pc.id) or _unhealed(state, action, pc.id) for pc in stats.pcs(state))
    return next((found for found in wrong if found is not None), None)


def _overdone(state: State, action: Action, who: Id) -> Refusal | None:
    """Refuse more rest or treatment than there are marks, and waking without an empty box."""
    name, held = state.name(who), stats.harm(state[who])
    ticks, crosses, _ = track.tally(held)
    wiped, treated = fields.number(action, f"rest_{who}", ticks), fields.number(action, f"treat_{who}")
    if wiped > ticks:
        return Refusal("too_many", f"{name} has {ticks} ticks, not {wiped}", "GH-076", forcible=False)
    if treated > crosses:
        text = f"{name} has {crosses} wounds, not {treated}; deep wounds need special means"
        return Refusal("too_many", text, "GH-081", forcible=False)
    if treated and action.get("means", "none") == "none":
        return Refusal("no_means", "wounds need a physician or resources", "GH-080")
    emptied = wiped + treated + len(action.rows(f"heal_{who}"))
    if action.get(f"wake_{who}") is True and track.EMPTY not in held and not emptied:
        return Refusal("no_empty_box", f"{name} needs an empty box to wake", "GH-A13")
    return None


def _unhealed(state: State, action: Action, who: Id) -> Refusal | None:
    """Refuse to heal a box without a deep wound, or without saying how."""
    held = stats.harm(state[who])
    for row in action.rows(f"heal_{who}"):
        box = row.get("box")
        if not isinstance(box, int) or not (1 <= box <= len(held)) or held[box - 1] != "*":
            return Refusal("no_star", f"{state.name(who)} has no deep wound in box {box}", "GH-081", forcible=False)
        if not row.get("means"):
            return Refusal("no_means", "say by which special means the deep wound heals", "GH-083")
    return None


def perform(ctx: Ctx, action: Action) -> None:
    """Apply the six pages in order, after the tally (GH-078)."""
    party = [track.tally(stats.harm(ctx.state[combatant.id])) for combatant in stats.pcs(ctx.state)]
    ticks, crosses, stars = (sum(row[place] for row in party) for place in range(3))
    ctx.note(f"tally: {_counted(ticks, crosses, stars)}", "GH-078")
    for combatant in stats.pcs(ctx.state):
        _rest(ctx, action, combatant.id)
    became = [f"{one.name} {action.get(f'enemy_{one.id}')}" for one in stats.monsters(ctx.state)]
    if became:
        ctx.note(f"the enemy: {', '.join(became)}", "GH-082")
    if action.get("enemy_note"):
        ctx.note(str(action.get("enemy_note")), "GH-082")
    for combatant in stats.pcs(ctx.state):
        _heal(ctx, action, combatant.id)
        if more := fields.number(action, f"angst_{combatant.id}"):
            set_angst(ctx, combatant.id, stats.angst(ctx.state, combatant.id) + more, "GH-086", "GH-112")
    if action.get("priority"):
        ctx.note(str(action.get("priority")), "GH-087")
    ctx.fact(FIGHT, REVIEWED, True, "GH-076")


def _rest(ctx: Ctx, action: Action, who: str) -> None:
    held = stats.harm(ctx.state[who])
    wiped, treated = fields.number(action, f"rest_{who}"), fields.number(action, f"treat_{who}")
    if wiped or treated:
        by_rest = ("GH-076", "GH-077", "GH-A27") if wiped else ()
        by_help = ("GH-080",) if treated else ()
        set_harm(ctx, who, track.wipe(track.wipe(held, "/", wiped), "x", treated), *by_rest, *by_help, "GH-117")
    if action.get(f"wake_{who}") is True:
        ctx.end_named(who, "dying", "woken", "GH-A13")
        ctx.status(who, "up", "GH-A13")


def _heal(ctx: Ctx, action: Action, who: str) -> None:
    for row in action.rows(f"heal_{who}"):
        box = row["box"]
        if isinstance(box, int):
            held, scars = stats.harm(ctx.state[who]), ctx.state[who].fact("scars", ())
            set_harm(ctx, who, track.put(held, box - 1, track.EMPTY), "GH-083", "GH-081")
            scar = str(row.get("scar") or row.get("means"))
            ctx.fact(who, "scars", (*(scars if isinstance(scars, tuple) else ()), scar), "GH-084")


def carry(state: State, who: Id, member: Member) -> Condition:
    """Carry Harm, Angst, scars and destroyed armour into the next combat.

    By then the dying have been stabilised (GH-076, GH-112, GH-074). What destroys AC until it is removed goes on.
    """
    combatant, block = state[who], member.block
    facts: dict[str, Value] = {}
    if isinstance(combatant.block, PC) and isinstance(block, PC):
        marked = stats.harm(state[who]).rstrip(track.EMPTY)
        facts = {
            "harm": marked[: block.harm_max].ljust(block.harm_max, track.EMPTY),
            "angst": stats.angst(state, who),
            "scars": combatant.fact("scars"),
            "ac": max(0, block.ac - max(0, combatant.block.ac - stats.armour(state, who))),
        }
    condition = condition_after(state, who, ("dying", "stuck"), {"gone": "up"}, facts)
    eating = tuple(
        replace(effect, id=0, bearer="", source=None, born=(0, ""))
        for effect in combatant.effects
        if isinstance(effect.data, Grip) and not effect.data.continuing and not effect.until
    )
    return replace(condition, effects=(*condition.effects, *eating))
