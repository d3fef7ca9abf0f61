"""The stat block as printed: defences, attacks, specials and abilities."""

from __future__ import annotations

from rulesets.githack.stat_blocks.models import ABILITIES, PC, Mode, Special
from rulesets.githack.stats import stats
from tracker.core.fight.slots import Id
from tracker.core.fight.state import State
from tracker.core.game.schema import Printed

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
    hp = state[who].pool("hp")
    return (
        Printed("kind", "monster"),
        Printed("defences", "HP", f"{hp.now}/{hp.max}"),
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
