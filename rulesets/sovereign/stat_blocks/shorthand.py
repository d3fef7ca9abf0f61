"""From what a GM types to the canonical stat blocks of `blocks` (3.1, 3.2).

Keys of the sister game's stat blocks are read too (section 11). What comes out may be given in again and
stays the same; keys nobody knows are left as they are.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from difflib import get_close_matches

from msgspec import to_builtins

from rulesets.sovereign.stat_blocks.models import UNARMED, Arm, Use
from rulesets.without_number import stat_blocks as shared
from rulesets.without_number.stat_blocks import ATTRIBUTES, Attribute, Shock, hit_dice
from tracker.core.terms.dice import Dice
from tracker.kit import readers as typed_as
from tracker.kit.readers import NOTHING, Plain, Typed, number, text

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


def shock(value: object) -> Plain | None:
    """Read Shock: `2/15`, `5/-`, or nothing."""
    if isinstance(value, Mapping):
        if set(value) != {"points", "ac"}:
            raise ValueError("Shock is points and ac, such as 2/15")
        return {"points": number(value["points"]), "ac": None if value["ac"] is None else number(value["ac"])}
    written = text(value)
    if written.casefold() in NOTHING:
        return None
    points, slash, limit = written.partition("/")
    if not slash:
        raise ValueError(f'"{written}" is no Shock, such as 2/15 or 5/-')
    limit = limit.strip().upper().removeprefix("AC").strip()
    return {"points": number(points), "ac": None if limit in NOTHING else number(limit)}


def ranges(value: object) -> list[int] | None:
    """Read a range: `[10, 30]` or `10/30`, or nothing."""
    if not isinstance(value, list | tuple) and text(value).casefold() in NOTHING:
        return None
    parts = list(value) if isinstance(value, list | tuple) else text(value).split("/")
    if len(parts) != 2:
        raise ValueError("a range has two numbers: normal and maximum")
    normal, most = (number(part) for part in parts)
    if most < normal:
        raise ValueError(f"the maximum of {most} ft is less than the normal {normal} ft")
    return [normal, most]


def listed(value: object) -> list[object]:
    return list(value) if isinstance(value, list | tuple) else [value]


def words(value: object) -> list[str]:
    """Read words: a list, or several between slashes, as `STR/DEX`."""
    parts = [text(part) for part in value] if isinstance(value, list | tuple) else text(value).split("/")
    return [part.strip().casefold() for part in parts if part.strip()]


def mapping(value: object) -> Mapping[str, object]:
    if not isinstance(value, Mapping):
        raise ValueError("names and values are needed here, such as {str: 1}")
    return {str(key): part for key, part in value.items()}


_ALIASES = {
    "ab": "attack_bonus",
    "mods": "attributes",
    "weapons": "attacks",
    "move": "speed",
    "immune_to_surprise": "cannot_be_surprised",
    "save": "physical",
}
_ARM_ALIASES = {"dmg": "damage", "attr": "attribute", "kind": "use"}
_HANDLING = {"human": "man_sized", "large": "clearly_larger_humanoid", "beast": "barely_plausible"}
_SHAPE = ("use", "attribute", "skill", "reach", "range", "hands", "reload", "natural", "traits")
_FEATURES = ("cannot_be_surprised", "shock_immune", "disengage_free")
_FEATURE_NUMBERS = ("initiative_bonus", "screen_bonus", "screen_extra")


def shorthand(kind: str, plain: Plain) -> Plain:
    """Turn the typed keys of a combatant into those of `Fighter`.

    Raises:
        ValueError: with a line `field: message` for each problem.
    """
    problems: list[str] = []
    typed = Typed({_ALIASES.get(key, key): value for key, value in plain.items()}, problems)
    typed.keys.pop("kind", None)
    trained = kind in ("pc", "henchman")
    block: Plain = {"kind": kind}
    typed.copy(block, ("name", "id", "notes", "group"), typed_as.text)
    typed.copy(block, ("level", "skill", "speed", "space", "multiattack", "veterans_luck"), typed_as.number)
    typed.copy(block, ("shield", "healers_kit", "frail"), typed_as.flag)
    typed.copy(block, ("morale",), lambda value: typed_as.text(value).casefold())
    block["named"] = typed.take("named", typed_as.flag, typed.keys.pop("fate", None) == "mortal" or trained)
    block["disciplined"] = typed.take("disciplined", typed_as.flag, trained)
    block["ac"] = typed.take("ac", _armor_class, 10)
    _hit_points(block, typed, trained)
    _attack_bonus(block, typed, trained)
    _attributes(block, typed, trained)
    space = block.get("space", 1)
    side = 5 * space if isinstance(space, int) else 5
    block["size_ft"] = typed.take(
        "size_ft", lambda value: [typed_as.number(part) for part in listed(value)], [side] * 3
    )
    block["handling"] = typed.take(
        "handling", typed_as.text, _HANDLING.get(str(typed.keys.pop("size", "human")), "man_sized")
    )
    _features(block, typed)
    instants = typed.keys.pop("instants", None)
    if isinstance(instants, list) and "veterans_luck" not in block:
        block["veterans_luck"] = sum(
            1 for part in instants if isinstance(part, Mapping) and part.get("does") == "miss_to_hit"
        )
    arms = typed.take("attacks", listed, [])
    attacks = [_arm(part, problems, f"attacks[{place}].") for place, part in enumerate(arms)]
    shared.name_apart(attacks)
    block["attacks"] = attacks
    block["dual_wield"] = typed.take("dual_wield", lambda value: _pair(value, attacks), None)
    if problems:
        raise ValueError("\n".join(problems))
    return {**typed.keys, **block}


def _armor_class(value: object) -> int:
    if isinstance(value, Mapping):
        return typed_as.number(value.get("melee", 10))
    found = re.match(r"[+-]?\d+", typed_as.text(value))
    if found is None:
        raise ValueError(f'"{typed_as.text(value)}" is no Armor Class')
    return int(found[0])


def _hit_points(block: Plain, typed: Typed, trained: bool) -> None:
    """Read Hit Dice and hit points, which a PC must have (3.1, SV-P16)."""
    hd = typed.take("hd", _hit_dice, 1)
    block["hd"] = hd
    written = typed.keys.pop("hp", None)
    rolled = typed.take("hit_dice", hit_dice, f"{max(1, hd)}d8" if hd else "1d4")
    block["hit_dice"] = rolled
    if written is None:
        if trained:
            typed.problem("hp", "missing: hit points")
    else:
        try:
            dice = typed_as.dice(written) if str(written).lstrip("-").isdigit() else hit_dice(written)
        except ValueError as error:
            typed.problem("hp", str(error))
        else:
            block.update({"hp": int(dice)} if dice.lstrip("-").isdigit() else {"hit_dice": dice})
    typed.copy(block, ("hp_now",), typed_as.number)
    now, most = block.get("hp_now"), block.get("hp")
    if isinstance(now, int) and isinstance(most, int) and now > most:
        typed.problem("hp_now", f"{now} is more than the maximum of {most}")


def _hit_dice(value: object) -> int:
    """Read Hit Dice: a number, or text whose leading number counts, as `2+1`."""
    found = re.match(r"\d{1,3}(?!\d)", typed_as.text(value))
    if found is None:
        raise ValueError(f'"{typed_as.text(value)}" is no number of Hit Dice')
    return int(found[0])


def _attack_bonus(block: Plain, typed: Typed, trained: bool) -> None:
    printed = typed.take("atk", typed_as.text, None)
    if printed is not None:
        bonus, _, times = printed.replace("×", "x").partition("x")
        typed.keys.setdefault("attack_bonus", bonus.strip())
        if times.strip():
            block["multiattack"] = typed_as.number(times.strip())
    block["attack_bonus"] = typed.take("attack_bonus", typed_as.number, 0 if trained else block["hd"])


def _attributes(block: Plain, typed: Typed, trained: bool) -> None:
    """Read modifiers, skills and the Physical save (SV-P01, SV-P06)."""
    mods = typed.take("attributes", lambda value: shared.numbers(mapping(value), typed, "attributes", ATTRIBUTES), {})
    block["attributes"] = mods
    skills = typed.take("skills", _skills, [])
    block["skills"] = skills
    saves = typed.take("saves", lambda value: typed_as.number(mapping(value).get("physical", 15)), None)
    level, hd = block.get("level", 1), block["hd"]
    usual = (
        16 - (level if isinstance(level, int) else 1) - max(mods.get("str", 0), mods.get("con", 0))
        if trained
        else 15 - (hd if isinstance(hd, int) else 1) // 2
    )
    block["physical"] = typed.take("physical", typed_as.number, saves if saves is not None else usual)


def _skills(value: object) -> list[list[object]]:
    pairs = value if isinstance(value, list | tuple) else list(mapping(value).items())
    found: dict[str, int] = {}
    for pair in pairs:
        if not isinstance(pair, list | tuple) or len(pair) != 2:
            raise ValueError("skills are names and levels, such as {stab: 1}")
        name = typed_as.text(pair[0]).casefold()
        found["brawl" if name == "punch" else name] = typed_as.number(pair[1])
    return [[name, level] for name, level in sorted(found.items()) if level != -1]


def _features(block: Plain, typed: Typed) -> None:
    inner = Typed(typed.take("features", mapping, {}), typed.problems, "features.")
    inner.keys.update({key: typed.keys.pop(key) for key in _FEATURES if key in typed.keys})
    features: Plain = {}
    inner.copy(features, _FEATURES, typed_as.flag)
    inner.copy(features, _FEATURE_NUMBERS, typed_as.number)
    inner.refuse_rest(", ".join((*_FEATURES, *_FEATURE_NUMBERS)))
    block["features"] = features


def _arm(value: object, problems: list[str], path: str) -> Plain:
    """Return an attack with what its preset and the defaults of its use add."""
    entry = shared.named_entry(value, mapping, problems, path)
    if entry is None:
        return {}
    entry = {_ARM_ALIASES.get(key, key): part for key, part in entry.items()}
    name = str(entry["name"])
    known = preset(name)
    base = {} if known is None else _plain(known)
    if "damage" in entry:  # typed numbers are complete: the list adds only what the thing is
        base = {key: part for key, part in base.items() if key in _SHAPE}
    if known is not None and {"melee", "thrown"} <= set(known.use) and ("damage" in entry or "to_hit" in entry):
        base = _kept_in_hand(base, entry)
    typed = Typed(
        {**base, **{key: part for key, part in entry.items() if part is not None or key == "shock"}}, problems, path
    )
    typed.keys.pop("name", None)
    arm: Plain = {"name": name}
    shared.known_weapon(typed, name, "damage", likely)
    typed.copy(arm, ("damage",), typed_as.dice)
    uses = typed.take("use", words, ["melee"])
    arm["use"] = uses
    usual = ["dex"] if uses and all(use in ("ranged", "thrown") for use in uses) else ["str"]
    arm["attribute"] = typed.take("attribute", words, usual)
    arm["skill"] = typed.take("skill", lambda part: typed_as.text(part).casefold().replace("punch", "brawl"), None)
    arm["shock"] = typed.take("shock", shock, None)
    arm["range"] = typed.take("range", ranges, None)
    typed.copy(arm, ("magic", "damage_bonus", "shock_bonus", "reach", "hands", "to_hit"), typed_as.number)
    typed.copy(arm, ("natural",), typed_as.flag)
    typed.copy(arm, ("reload", "traits"), typed_as.text)
    for key in ("use", "attribute"):
        if not arm[key]:
            typed.problem(key, "is empty")
    if any(use in ("ranged", "thrown") for use in uses) and arm["range"] is None:
        typed.problem("range", "is missing: normal and maximum in feet, such as [50, 300]")
    typed.refuse_rest(", ".join(Arm.__struct_fields__))
    return arm


def _kept_in_hand(base: Plain, entry: Mapping[str, object]) -> Plain:
    """Return what the list adds to a melee weapon of typed numbers.

    It is thrown only where that is typed.
    """
    thrown = entry.get("range") is not None or "thrown" in str(entry.get("use", ""))
    return base if thrown else {**base, "use": ["melee"], "range": None}


def _plain(arm: Arm) -> Plain:
    plain: Plain = to_builtins(arm, enc_hook=str)
    return plain


def _pair(value: object, arms: Sequence[Plain]) -> list[str] | None:
    names = {str(arm.get("name", "")).casefold(): str(arm.get("name", "")) for arm in arms}
    parts = [typed_as.text(part).casefold() for part in listed(value)]
    if len(parts) != 2:
        raise ValueError("two names of attacks are needed")
    if missing := [part for part in parts if part not in names]:
        raise ValueError(f'"{missing[0]}" is none of its attacks')
    return [names[part] for part in parts]
