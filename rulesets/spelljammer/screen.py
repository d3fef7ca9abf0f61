"""What the screen shows of the percentile game.

Columns, statuses, badges, reminders, the stat block as printed, and the words of the report.
"""

from __future__ import annotations

from collections import Counter

from rulesets.spelljammer.order.schedule import END, drives, due_on
from rulesets.spelljammer.stat_blocks.facts import Act, Casting
from rulesets.spelljammer.stat_blocks.models import Creature, Spell, Weapon
from rulesets.spelljammer.stat_blocks.tables import casting_time
from rulesets.spelljammer.stats import stats
from tracker.core.fight.events import Entry
from tracker.core.fight.slots import Id, Slot
from tracker.core.fight.state import State
from tracker.core.game.schema import Badge, Column, Printed, Reminder, Status
from tracker.core.game.telling import ActionWords, CheckWords, EffectWords, StatusWords, Telling
from tracker.core.terms.actions import Action, action
from tracker.core.terms.words import minus

WOUNDS = {-10: "badly wounded", -20: "very badly wounded", -30: "very badly wounded"}


UNDECLARED, CAUGHT = "has yet to declare", "caught in ambush"


def _hp(state: State, who: Id) -> str:
    pool = state[who].pool("hp")
    return f"{pool.now}/{pool.max}"


def _defence(state: State, who: Id) -> str:
    return f"{stats.defence(state, who).value}/{stats.prot(state, who)}"


def outcomes(before: State, after: State, entries: tuple[Entry, ...], who: Id) -> tuple[str, ...]:
    """Return what a blow has left on a combatant (SJ-035, SJ-038).

    Critical and grievous hits are results of the roll.
    """
    had = {effect.id for effect in before[who].effects}
    return tuple(
        effect.shown
        for effect in after[who].effects
        if effect.id not in had and effect.name in ("stunned", "grievous_wound", "damaged_armour", "stuck_missile")
    )


def _wounds(state: State, who: Id) -> str:
    return str(state[who].fact("wound_state", ""))[:8].removeprefix("unhurt")


def declares(state: State, who: Id) -> str:
    """Return what a combatant is about to do (SJ-003): `longsword → Priest ×2`.

    A spell says on which segment it goes off (SJ-063), under way or once initiative has placed it.
    """
    combatant = state[who]
    held = stats.casting(combatant)
    if held is not None and isinstance(held.data, Casting):
        return minus(f"{held.data.spell}, goes off on {held.data.due}")
    declared = stats.declaration(state, who)
    if stats.down(combatant):
        return ""
    if declared is None and state.clock.phase == "declare":
        return CAUGHT if stats.ambush_level(state, who) >= 3 else UNDECLARED
    if declared is None:
        return ""
    if declared.spell:
        own = [slot for slot in state.clock.slots if slot.members == (who,)]
        begins = next((slot.segment for slot in own if _begins(slot, declared.spell)), None)
        if begins is not None:
            return minus(f"{declared.spell}, goes off on {due_on(state, who, declared.spell, begins)}")
        return f"{declared.spell} → {state.name(declared.target)}" if declared.target else declared.spell
    blows = Counter((blow.weapon, blow.target) for blow in declared.blows)
    if not blows:
        return declared.text or declared.main.replace("_", " ")
    by_target: dict[Id | None, list[tuple[str, int]]] = {}
    for (weapon, target), many in blows.items():
        by_target.setdefault(target, []).append((weapon, many))
    return ", ".join(_aimed(state.name(target), weapons) for target, weapons in by_target.items())


def _aimed(name: str, weapons: list[tuple[str, int]]) -> str:
    """Return the weapons at one target: `longsword → Priest ×2`, `claw ×2, bite → Priest`."""
    times = [f" ×{many}" if many > 1 else "" for _, many in weapons]
    if len(weapons) == 1:
        return f"{weapons[0][0]} → {name}{times[0]}"
    return f"{', '.join(weapon + often for (weapon, _), often in zip(weapons, times, strict=True))} → {name}"


def _begins(slot: Slot, spell: str) -> bool:
    act = stats.act_of(slot)
    return act is not None and act.spell == spell


def badges(state: State, who: Id) -> tuple[Badge, ...]:
    """Return marks beside a combatant: its declaration, its wounds, its Luck."""
    combatant = state[who]
    badges = []
    if state.clock.phase == "declare" and not stats.down(combatant):
        declared = stats.declaration(state, who)
        badges.append(
            Badge(
                "D" if declared else "·",
                f"declares: {declared.main}, {declared.movement}".replace("_", " ") if declared else UNDECLARED,
                "budget",
            )
        )
    mod = stats.wound(state, who)[0]
    if mod and not stats.down(combatant):
        badges.append(Badge(minus(f"wounds {mod:+d}"), WOUNDS.get(mod, "hampered"), "bad"))
    if combatant.has("stunned"):
        badges.append(Badge("stunned", "does nothing until the round ends", "bad"))  # SJ-038
    if combatant.has("no_movement"):
        badges.append(Badge("Luck-20", "Luck saves at -20", "bad"))  # SJ-018
    return tuple(badges)


def pending(state: State) -> tuple[Reminder, ...]:
    """Return what may have been missed: a desperate defender to be driven back, what a spell does that has gone off.

    Missing declarations are asked one after the other by `n`.
    """
    found = [
        Reminder(
            f"drive:{state.clock.round}:{one.id}:{foe.id}",
            f"{one.name} may drive {foe.name} back",
            one.id,
            Action("force_move", one.id, (("target", foe.id),)),
            "SJ-122",
            lapses=state.clock.phase == END,
        )
        for one, foe in drives(state)
    ]
    found += [_went_off(state, one.id, act) for one in state.combatants if isinstance(act := one.fact("went_off"), Act)]
    return tuple([reminder for reminder in found if reminder.key not in state.dismissed])


def _went_off(state: State, who: Id, act: Act) -> Reminder:
    """Return the reminder of a spell whose effect the GM has to enter."""
    aimed = f" at {state.name(act.target)}" if act.target in state else ""
    settle = action("damage", None, targets=(act.target,)) if act.target in state else None
    text = f"{act.spell}{aimed} goes off: what does it do?"
    return Reminder(f"spell:{state.clock.round}:{who}", text, who, settle, "SJ-063", lapses=True)


STATUSES = (
    Status("up", "up", " ", acts=True),
    Status("down", "down", "x"),
    Status("dead", "dead", "†", takes_part=False),
    Status("gone", "gone", "-", takes_part=False, stays=False, left=True),
)

COLUMNS = (
    Column("hp", "HP", 16, _hp, bar="hp", own=True),
    Column("def", "DEF/PROT", 8, _defence, align="right", priority=1, about="Defence and Protection", own=True),
    Column(
        "declares",
        "Declares",
        20,
        declares,
        priority=1,
        about="what they are about to do; a spell, when it goes off",
        most=40,
    ),
    Column(
        "wounds",
        "Wounds",
        8,
        _wounds,
        priority=3,
        about="how wounded they are",
        own=True,
    ),
)


KINDS = {"gk": "GK", "sk": "SK", "cleric": "cleric"}


def printed(state: State, who: Id) -> tuple[Printed, ...]:
    """Return a combatant's stat block with the numbers that hold now."""
    held = stats.block(state, who)
    size = "" if held.size == "medium" else f", {held.size}"
    return (
        Printed("kind", f"{state[who].kind}{size}"),
        *_defences(state, who, held),
        *(_weapon(state, who, weapon) for weapon in held.weapons),
        *(Printed("specials", spell.name, _spell(spell)) for spell in held.spells),
        *_traits(held),
        *_skills(state, who, held),
    )


def _defences(state: State, who: Id, held: Creature) -> list[Printed]:
    hp = state[who].pool("hp")
    natural = f" ({held.prot_natural} natural)" if held.prot_natural else ""
    found = [
        Printed("defences", "HP", f"{hp.now}/{hp.max}"),
        Printed("defences", "DEF", str(stats.defence(state, who).value), "SJ-032"),
        Printed("defences", "PROT", f"{stats.prot(state, who)}{natural}", "SJ-037"),
        Printed("defences", "TMR", f"{stats.tmr(state, who):g} ft", "SJ-046"),
        Printed("defences", "Stun", str(stats.threshold(state, who)), "SJ-038"),
    ]
    if held.attacks != 1:
        found.append(Printed("defences", "Attacks", str(held.attacks)))
    return found


def _weapon(state: State, who: Id, weapon: Weapon) -> Printed:
    """Return a weapon's strike chance before DEF, with wounds and effects, and its damage."""
    chance = weapon.sc + stats.wound(state, who)[0] + sum(part.amount for part in stats.modified(state, who, "sc"))
    words = [f"SC {chance}", str(weapon.dmg), f"rank {weapon.rank}"]
    words += [f"class {weapon.wound_class}"] if weapon.wound_class is not None else []
    words += [f"grievous {weapon.grievous_chance}%"] if weapon.grievous_chance is not None else []
    words += [(weapon.type or "ranged").replace("_", " ")] if weapon.kind == "ranged" else []
    words += [weapon.spec] if weapon.spec != "none" else []
    words += ["off hand"] if weapon.offhand else []
    return Printed("attacks", weapon.name, ", ".join(words), "SJ-032")


def _spell(spell: Spell) -> str:
    words = [f"{KINDS[spell.type]}, rank {spell.rank}"]
    taken = spell.casting_time
    if taken is None and spell.type != "cleric":
        taken = casting_time(spell.type, spell.rank)
    if taken is not None:
        words.append("a whole round" if taken == "round" else f"{taken} segments")
    if spell.cast_chance is not None:
        words.append(f"{spell.cast_chance} %")
    return ", ".join(words)


def _traits(held: Creature) -> list[Printed]:
    marks = [
        ("uses both hands alike", held.ambidextrous),
        ("encumbered" if held.encumbered == "normal" else "doubly encumbered", held.encumbered != "none"),
        (f"counts as {held.attacker_count} attackers", held.attacker_count != 1),
        ("sees in the dark", held.darkvision),
        ("senses where its targets are", held.targeting_sense),
        ("flies nimbly", held.agile_flyer),
        (f"range of field {held.range_of_field}", held.range_of_field != 0),
        (f"master bowman {held.master_bowman}", held.master_bowman != 0),
    ]
    names = [words for words, has in marks if has]
    return [Printed("specials", "also", ", ".join(names)) for _ in names[:1]]


def _skills(state: State, who: Id, held: Creature) -> list[Printed]:
    initiative = held.im + sum(part.amount for part in stats.modified(state, who, "im"))
    return [
        Printed("skills", "IM", f"{initiative:+d}"),
        Printed("skills", "CON", str(held.con)),
        Printed("skills", "DEX", str(stats.dex(state, who))),
        Printed("skills", "PER", str(held.per)),
    ]


_LOST = ("interrupted", "forced to move", "stunned", "down")
_SPELL_ENDS = (("goes off", "finish {spell}[ on {whom}]"), *((why, "lose {spell}") for why in _LOST))

TELLING = Telling(
    action_words=(
        ActionWords("attack", "attack", hits="hit", great="land a terrible blow on", does="do something else"),
        ActionWords("free_attack", "attack", hits="hit", great="land a terrible blow on", tries="go for"),
        ActionWords("declare", "silent"),
        ActionWords("begin_spell", "silent"),
        ActionWords("force_move", does="drive {whom} back"),
        ActionWords("other_act", does="do something else"),
        ActionWords("cast", does="cast {means}"),
    ),
    status_words=(
        StatusWords("dead", "dead", by="kill", alone="die"),
        StatusWords("down", "down", by="bring {whom} down", alone="go down"),
        StatusWords("up", "saved", by="bring {whom} back to consciousness", alone="be up again"),
        StatusWords("gone", "gone", by="drive {whom} off", alone="get away"),
    ),
    effect_words=(
        EffectWords("stunned", "be stunned"),
        EffectWords("fallen", "be knocked off balance"),
        EffectWords("casting", "begin to cast {spell}[ on {whom}]", ends=_SPELL_ENDS),
    ),
    check_words=(
        CheckWords("", "goes off", "finish {what}[ on {whom}]"),
        CheckWords("", "fails", "fail to finish {what}"),
        CheckWords("ambush", "1×", "see the ambush coming"),
        *(CheckWords("ambush", level, "be caught in an ambush") for level in ("3×", "4×", "5×")),
    ),
    great=("critical", "grievous"),
    low_dice=(100,),
)
