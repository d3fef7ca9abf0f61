"""The weapon presets of table 8.9 (WN-C30)."""

from __future__ import annotations

import difflib

from rulesets.without_number.stat_blocks import Attribute, Shock
from rulesets.worlds_without_number.stat_blocks.models import UNARMED, Use, Weapon
from tracker.core.terms.dice import Dice

STR: tuple[Attribute, ...] = ("str",)
DEX: tuple[Attribute, ...] = ("dex",)
EITHER: tuple[Attribute, ...] = ("str", "dex")
MELEE: tuple[Use, ...] = ("melee",)
MELEE_OR_THROWN: tuple[Use, ...] = ("melee", "thrown")


def _blade(
    name: str,
    die: int,
    shock: tuple[int, int] | None = None,
    *,
    attr: tuple[Attribute, ...] = STR,
    both_hands: bool = False,
    kind: tuple[Use, ...] = MELEE,
    reach: tuple[int, int] | None = None,
    stuns: bool = False,
) -> Weapon:
    """Return a weapon for melee or throwing."""
    return Weapon(
        name,
        Dice.of(1, die),
        kind=kind,
        attr=attr,
        shock=Shock(*shock) if shock else None,
        hands=2 if both_hands else 1,
        range=reach,
        nonlethal=stuns,
    )


PRESETS: tuple[Weapon, ...] = (
    UNARMED,
    _blade("blackjack", 4, stuns=True),
    _blade("club", 4, kind=MELEE_OR_THROWN, stuns=True),
    _blade("great club", 10, (2, 15), both_hands=True),
    _blade("claw blades", 6, (2, 13)),
    _blade("dagger", 4, (1, 15), attr=EITHER, kind=MELEE_OR_THROWN, reach=(30, 60)),
    _blade("halberd", 10, (2, 15), both_hands=True),
    _blade("great hammer", 10, (2, 18), both_hands=True),
    _blade("war hammer", 8, (1, 18)),
    _blade("hand axe", 6, (1, 15), kind=MELEE_OR_THROWN, reach=(10, 30)),
    _blade("war axe", 10, (3, 15), both_hands=True),
    _blade("mace", 6, (1, 18), stuns=True),
    _blade("pike", 8, (1, 15), both_hands=True),
    _blade("large shield bash", 6, (1, 13), stuns=True),
    _blade("small shield bash", 4, stuns=True),
    _blade("heavy spear", 10, (2, 15), both_hands=True),
    _blade("light spear", 6, (2, 13), attr=EITHER, kind=MELEE_OR_THROWN, reach=(30, 60)),
    _blade("staff", 6, (1, 13), both_hands=True, stuns=True),
    _blade("stiletto", 4, (1, 18), attr=DEX),
    _blade("great sword", 12, (2, 15), both_hands=True),
    _blade("long sword", 8, (2, 13)),
    _blade("short sword", 6, (2, 15)),
    _blade("throwing blade", 4, attr=DEX, kind=("thrown",), reach=(30, 60)),
    Weapon("large bow", Dice.of(1, 8), kind=("ranged",), attr=DEX, hands=2, range=(100, 600), reload="bow"),
    Weapon("small bow", Dice.of(1, 6), kind=("ranged",), attr=DEX, hands=2, range=(50, 300), reload="bow"),
    Weapon("crossbow", Dice.of(1, 10), kind=("ranged",), attr=DEX, hands=2, range=(100, 300), reload="crossbow"),
)

_BY_NAME = {weapon.name.replace(" ", ""): weapon for weapon in PRESETS}


def _bare(name: str) -> str:
    return name.casefold().replace(" ", "").replace("-", "").replace("_", "")


def preset(name: str) -> Weapon | None:
    """Return a preset by name, whatever its capitals, spaces and hyphens."""
    return _BY_NAME.get(_bare(name))


def likely(name: str) -> str:
    """Return the preset that is likely meant, or an empty text."""
    close = difflib.get_close_matches(_bare(name), _BY_NAME, n=1, cutoff=0.75)
    return _BY_NAME[close[0]].name if close else ""
