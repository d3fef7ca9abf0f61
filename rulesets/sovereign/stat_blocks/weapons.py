"""The public weapon list, for blocks that only name a weapon (section 8)."""

from __future__ import annotations

from difflib import get_close_matches

from rulesets.sovereign.stat_blocks.models import UNARMED, Arm, Use
from rulesets.without_number.stat_blocks import Attribute, Shock
from tracker.core.terms.dice import Dice

_STR: tuple[Attribute, ...] = ("str",)
_DEX: tuple[Attribute, ...] = ("dex",)
_BOTH: tuple[Attribute, ...] = ("str", "dex")


def _melee(
    name: str,
    dice: str,
    shock: tuple[int, int] | None,
    attribute: tuple[Attribute, ...],
    throw: tuple[int, int] | None = None,
    hands: int = 1,
    reach: int = 5,
    traits: str = "",
) -> Arm:  # fmt: skip - a signature
    uses: tuple[Use, ...] = ("melee", "thrown") if throw else ("melee",)
    return Arm(
        name,
        Dice.parse(dice),
        uses,
        attribute=attribute,
        shock=None if shock is None else Shock(*shock),
        range=throw,
        hands=2 if hands == 2 else 1,
        reach=reach,
        traits=traits,
    )


PRESETS: tuple[Arm, ...] = (
    _melee("Hand axe", "1d6", (1, 15), _BOTH, (10, 30)),
    _melee("War axe", "1d10", (3, 15), _STR, hands=2),
    _melee("Blackjack", "1d4", None, _BOTH, traits="LL"),
    Arm("Large bow", Dice.of(1, 8), ("ranged",), attribute=_DEX, range=(100, 600), hands=2, reload="bow", traits="PM"),
    Arm("Small bow", Dice.of(1, 6), ("ranged",), attribute=_DEX, range=(50, 300), hands=2, reload="bow", traits="PM"),
    _melee("Club", "1d4", None, _BOTH, (10, 30), traits="LL"),
    _melee("Great club", "1d10", (2, 15), _STR, hands=2),
    Arm(
        "Crossbow",
        Dice.of(1, 10),
        ("ranged",),
        attribute=_DEX,
        range=(100, 300),
        hands=2,
        reload="crossbow",
        traits="PM",
    ),
    _melee("Dagger", "1d4", (1, 15), _BOTH, (30, 60), traits="PM"),
    _melee("Polearm", "1d10", (2, 15), _STR, hands=2, reach=10),
    _melee("Great hammer", "1d10", (2, 18), _STR, hands=2),
    _melee("Mace", "1d6", (1, 18), _STR, traits="LL"),
    _melee("Shield bash", "1d4", None, _BOTH, traits="LL"),
    _melee("Spear", "1d6", (2, 13), _BOTH, (30, 60), reach=10),
    Arm("Throwing blade", Dice.of(1, 4), ("thrown",), attribute=_DEX, range=(30, 60)),
    Arm("Sling", Dice.of(1, 4), ("ranged",), attribute=_DEX, range=(50, 300), reload="bow"),
    _melee("Staff", "1d6", (1, 13), _BOTH, hands=2, traits="LL"),
    _melee("Stiletto", "1d4", (1, 18), _DEX, traits="PM"),
    _melee("Great sword", "1d12", (2, 15), _STR, hands=2),
    _melee("Sword", "1d8", (2, 13), _BOTH),
    _melee("Short sword", "1d6", (2, 15), _BOTH),
    UNARMED,
)
_BY_NAME = {arm.name.casefold(): arm for arm in PRESETS}


def preset(name: str) -> Arm | None:
    """Return the printed weapon of that name."""
    return _BY_NAME.get(name.strip().casefold())


def likely(name: str) -> str:
    """Return the printed weapon that is likely meant, or ""."""
    found = get_close_matches(name.strip().casefold(), _BY_NAME, 1)
    return _BY_NAME[found[0]].name if found else ""
