"""What the screen shows of GitHack.

Columns, statuses, badges, reminders, the stat block as printed, and the words of the report.
"""

from __future__ import annotations

from rulesets.githack.stat_blocks.models import ABILITIES, PC, Mode, Special
from rulesets.githack.stats import stats
from rulesets.githack.stats.checks import tally
from tracker.core.fight.events import Entry
from tracker.core.fight.slots import Id
from tracker.core.fight.state import Combatant, State
from tracker.core.game.schema import Badge, Column, Printed, Reminder
from tracker.core.game.telling import ActionWords, EffectWords, Marks, StatusWords, Telling
from tracker.core.terms.actions import Action, action
from tracker.core.terms.values import Value

WIDEST = 17
"""Boxes that the column has room for; a longer track is written without its empty end."""


def _health(state: State, who: Id) -> str:
    """Return the Harm track, or hit points."""
    combatant = state[who]
    if not stats.is_pc(combatant):
        return _points(combatant)
    held = stats.harm(state[who])
    marked = held.rstrip(".")
    return held if len(held) <= WIDEST or marked == held else f"{marked} +{len(held) - len(marked)}"


def _points(monster: Combatant) -> str:
    """Return a monster's hit points, "" while they are being rolled."""
    pool = monster.pool("hp") if monster.has_pool("hp") else None
    return "" if pool is None else f"{pool.now}/{pool.max}"


def _free(state: State, who: Id) -> tuple[int, int] | None:
    """Return how many boxes of the Harm track are free, of how many."""
    if not stats.is_pc(state[who]):
        return None
    held = stats.harm(state[who])
    return held.count("."), len(held)


def _ac(state: State, who: Id) -> str:
    return str(stats.ac(state[who]))


def _marks(state: State, who: Id) -> str:
    if not stats.is_pc(state[who]):
        return ""
    counts = zip(MARK_NAMES, tally(stats.harm(state[who])), strict=True)
    return ", ".join(reversed([f"{many} {name}{'s' if many > 1 else ''}" for name, many in counts if many]))


MARK_NAMES = ("tick", "wound", "deep wound")


def outcomes(before: State, after: State, entries: tuple[Entry, ...], who: Id) -> tuple[str, ...]:
    """Return the marks and effects that an attack leaves (GH-043 to GH-048)."""
    if not stats.is_pc(after[who]):
        return ()
    counts = zip(MARK_NAMES, tally(stats.harm(before[who])), tally(stats.harm(after[who])), strict=True)
    marks = tuple(f"{now - was} {name}s" if now - was > 1 else name for name, was, now in counts if now > was)
    return (*marks, *(effect.shown for effect in after[who].effects if not before[who].has(effect.name)))


def badges(state: State, who: Id) -> tuple[Badge, ...]:
    combatant = state[who]
    marks = [
        Badge(
            "M" if combatant.left("main") else "·", "main action" if combatant.left("main") else "has acted", "budget"
        )
    ]
    held = stats.stance(state, who)
    if held:
        marks.append(Badge(held.replace("_", " "), "stance"))
    if stats.dying(combatant):
        marks.append(Badge("dying", "bleeds until stabilised", "bad"))
    return tuple(marks)


def bleed(who: Id) -> Action:
    """Return the bleeding of a dying PC."""
    return action("bleed", who=who)


def pending(state: State) -> tuple[Reminder, ...]:
    """Say what may have been missed: who has not acted in this phase, who bleeds."""
    slot = state.clock.current
    if slot is None:
        return ()
    idle = [one for member in slot.members if (one := state[member]).left("main") and stats.acts(one)]
    reminders = [
        Reminder(
            f"idle:{slot.id}:{one.id}", f"{one.name} has not acted", one.id, rule="GH-001", lapses=True, unused=True
        )
        for one in idle
    ]
    if slot.phase == "round_end" and stats.rules(state).bleed == "manual":
        dying = [combatant for combatant in stats.pcs(state) if stats.dying(combatant)]
        number = state.clock.round
        reminders += [
            Reminder(f"bleed:{number}:{pc.id}", f"{pc.name} is dying", pc.id, bleed(pc.id), "GH-123", lapses=True)
            for pc in dying
        ]
    return tuple([reminder for reminder in reminders if reminder.key not in state.dismissed])


COLUMNS = (
    Column(
        "health",
        "Harm / HP",
        WIDEST,
        _health,
        bar="hp",
        gauge=_free,
        about="the Harm track box by box (. free, / tick, x wound, * deep wound), or a monster's hit points",
        own=True,
    ),
    Column("ac", "AC", 2, _ac, "right", priority=1, own=True),
    Column("marks", "Marks", 15, _marks, "left", "", 2, "the marks on the Harm track, the deepest first", 30, own=True),
)


WHEN = {
    "harm": "after harm",
    "wound": "after a wound",
    "connect": "after a hit",
    "instead_of_damage": "instead of damage",
    "instead_of_attack": "instead of the attack",
}
KEPT = {"1/2": "half", "1/4": "a quarter", "3/4": "three quarters", "0": "nothing"}
UNTIL = {"end_of_combat": "until the combat ends", "removed": "until removed"}


def printed(state: State, who: Id) -> tuple[Printed, ...]:
    return _pc(state, who) if stats.is_pc(state[who]) else _monster(state, who)


def _pc(state: State, who: Id) -> tuple[Printed, ...]:
    own: PC = stats.pc(state, who)
    return (
        Printed("kind", "character" + (f", {', '.join(own.backgrounds)}" if own.backgrounds else "")),
        Printed("defences", "AC", str(stats.ac(state[who])), "GH-020"),
        Printed("defences", "Harm", stats.harm(state[who]), "GH-043"),
        Printed("defences", "defends with", own.defend_with.upper()),
        *(
            Printed("attacks", weapon.name, _weapon(weapon.dice, weapon.demon, weapon.attack_with or own.attack_with))
            for weapon in stats.weapons(stats.pc(state, who))
        ),
        *(Printed("specials", "scar", scar) for scar in own.scars),
        *(Printed("skills", name.upper(), str(stats.score(state[who], name))) for name in ABILITIES),
        Printed("skills", "Angst", str(stats.dread(state, who)), "GH-112"),
    )


def _weapon(dice: object, demon: bool, ability: str) -> str:
    return f"{dice if str(dice) != '0' else 'the die alone'}, with {ability.upper()}{', a demon' if demon else ''}"


def _monster(state: State, who: Id) -> tuple[Printed, ...]:
    own = stats.monster(state, who)
    return (
        Printed("kind", "monster"),
        Printed("defences", "HP", _points(state[who])),
        Printed("defences", "AC", str(stats.ac(state[who])), "GH-020"),
        *(Printed("attacks", mode.name, _mode(mode)) for mode in own.attacks),
        *(Printed("specials", special.name, _special(special)) for special in stats.specials(state, who)),
    )


def _mode(mode: Mode) -> str:
    parts = [
        f"{part.dice}{f'{part.add:+d}' if part.add else ''}{f' {part.label}' if part.label else ''}"
        for part in mode.parts
    ]
    words = [", ".join(parts) or "no damage"]
    words += [{"ranged": "ranged", "both": "near and far"}[mode.reach]] if mode.reach != "close" else []
    words += [f"against {mode.defence.upper()}"] if mode.defence is not None else []
    return ", ".join(words)


def _special(special: Special) -> str:
    words = [WHEN[special.when]]
    words += [f"save by {' or '.join(name.upper() for name in special.save)}"] if special.save else []
    if special.dice is not None:
        words.append(f"{special.dice}, {KEPT[special.keep_on_save]} on a save" if special.save else str(special.dice))
    words += ["deep wounds"] if special.deep else []
    words += ["marks get worse"] if special.worsen else []
    if special.effect:
        lasting = f"{special.rounds} rounds" if special.until == "rounds" else UNTIL[special.until]
        words.append(f"{special.effect.replace('_', ' ')} {lasting}")
    words += ["after the combat"] if special.timing == "after_combat" else []
    words += ["all in an area"] if special.area else []
    words += ["goes on by itself"] if special.continuing else []
    words += [f"destroys {special.destroys_ac} AC"] if special.destroys_ac else []
    words += [f"{special.uses} times"] if special.uses is not None else []
    return ", ".join(words)


def _count(value: Value) -> tuple[int, ...]:
    """Count the ticks, wounds and deep wounds of a Harm track."""
    return tally(value) if isinstance(value, str) else (0, 0, 0)


TELLING = Telling(
    action_words=(
        ActionWords("attack", "attack", great="land a great blow on", over="reach for"),
        ActionWords("strike", "attack"),
        ActionWords("special", "attack", hits="catch", tries="turn on", misses="spare", over="bring {means} down on"),
        ActionWords("stance", does="take up the stance of {stance}"),
        ActionWords("stabilise", "rescue", does="tend {whom}", misses="try in vain to save"),
        ActionWords("pull_off", does="pull free of {monster}", fails="try in vain to pull free of {monster}"),
        ActionWords("device", does="work a device"),
        ActionWords("other", does="do something else"),
    ),
    status_words=(
        StatusWords("slain", "dead", by="slay", alone="fall"),
        StatusWords("dead", "dead", by="kill", alone="die"),
        StatusWords("incapacitated", "down", by="bring {whom} down", alone="go down"),
        StatusWords("up", "saved", by="bring {whom} back to consciousness", alone="be up again"),
        StatusWords("gone", "gone", by="drive {whom} off", alone="flee"),
    ),
    effect_words=(
        EffectWords("stuck", "be stuck fast"),
        EffectWords("paralysed", "be paralysed"),
    ),
    great=("great success",),
    proper=("weapon",),
    marks=Marks("harm", _count, (("tick", "ticks"), ("wound", "wounds"), ("deep wound", "deep wounds"))),
    low_dice=(20,),
)
