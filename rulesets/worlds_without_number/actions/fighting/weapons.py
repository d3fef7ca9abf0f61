"""The form of every attack, its refusals, and the `Attack` a filled form describes."""

from __future__ import annotations

from functools import cache

from msgspec import Struct
from msgspec.structs import replace

from rulesets.without_number.actions import out_of_reach, weapon_option
from rulesets.without_number.stat_blocks import ATTRIBUTES, Attribute
from rulesets.without_number.stats import grappling, impossible, in_grapple
from rulesets.without_number.turn import Check
from rulesets.worlds_without_number.stat_blocks.models import PC, Monster, Use, Weapon
from rulesets.worlds_without_number.stats.attack import Attack, best_skill, situation
from rulesets.worlds_without_number.stats.stats import able, bare_handed, best_attribute, block, level
from tracker.core.fight.cache import per_fields, per_object, per_state
from tracker.core.fight.slots import Id
from tracker.core.fight.state import Combatant, State
from tracker.core.step.ctx import Ctx
from tracker.core.step.fields import text, whole
from tracker.core.terms.actions import Action, Field, Option
from tracker.core.terms.errors import Refusal
from tracker.core.terms.values import Value

ENGAGED = "engaged"
ALERT = "alert"


def engage(ctx: Ctx, attacker: Id, target: Id, melee: bool) -> None:
    """Remember that two have met: on the alert, and perhaps in a melee."""
    alert(ctx, target)
    if melee and ctx.state[attacker].side != ctx.state[target].side:
        for one, other in ((attacker, target), (target, attacker)):
            known = engaged(ctx.state, one)
            if other not in known:
                ctx.fact(one, ENGAGED, (*known, other))


def engaged(state: State, who: Id) -> tuple[Id, ...]:
    """Return those with whom a combatant is in a melee."""
    known = state[who].fact(ENGAGED)
    return tuple([other for other in map(str, known) if other in state]) if isinstance(known, tuple) else ()


def leave(ctx: Ctx, who: Id, but: Id | None = None) -> None:
    """Forget the melee of a combatant that Runs, Charges or Screens, `but` with the target of a Charge."""
    kept = tuple(other for other in engaged(ctx.state, who) if other == but)
    for other in engaged(ctx.state, who):
        if other != but:
            left = tuple(one for one in engaged(ctx.state, other) if one != who)
            ctx.fact(other, ENGAGED, left or None, "WN-R16")
    ctx.fact(who, ENGAGED, kept or None, "WN-R16")


def can_strike_freely(state: State, who: Id) -> bool:
    """Tell whether a combatant could make a free attack: able and armed.

    Fangs and claws count as arms, bare hands do not.
    """
    if not able(state, who):
        return False
    stat_block = block(state[who])
    if isinstance(stat_block, Monster) and stat_block.attacks == 0:
        return False
    held = grappling(state, who)
    return any("melee" in arm.kind and not bare_handed(arm) and (arm.natural or not held) for arm in stat_block.arms)


def alert(ctx: Ctx, who: Id) -> None:
    """Remember that a combatant has acted or was attacked, so that it suspects danger (R28)."""
    ctx.fact(who, ALERT, True)


def alerted(state: State, who: Id) -> bool:
    return state[who].fact(ALERT) is True or state[who].has(ALERT)


MORE = "more"
NO_WEAPON = Option("", "none")
SEVERAL = Field("targets", "combatants", "targets of each attack", note="empty: the same", repeats=True)
NEAR = (
    Field("hit_mod", "number", "to hit", default=0),
    Field("damage_mod", "number", "to damage", default=0),
    Field(
        "cover",
        "choice",
        default="none",
        options=(Option("none"), Option("half", "half cover", "-2"), Option("almost", "almost full cover", "-4")),
    ),
)
FAR = (
    Field(
        "range",
        "choice",
        default="normal",
        options=(
            Option("normal", "normal range"),
            Option("long", "long range", "-2"),
            Option("beyond", "out of range"),
        ),
    ),
    Field(
        "visibility",
        "choice",
        default="seen",
        options=(Option("seen"), Option("known", "unseen, place known", "-4"), Option("unknown", "unseen")),
    ),
    Field("in_melee", "flag", "an enemy is in melee range", default=False),
)
FAR_MORE = tuple(replace(field, page=MORE) for field in FAR)
SCREENS = Field("screens", "choice", default="on", options=(Option("on"), Option("off"), Option("ask")), page=MORE)
IMPOSSIBLE = {"beyond_range": "WN-111", "unseen_unknown": "WN-118"}


def empty(combatant: Combatant, arm: Weapon) -> bool:
    """Tell whether a weapon has to be loaded first."""
    return arm.reload is not None and combatant.has(f"empty:{arm.name}")


def default_target(state: State, who: Id) -> Id | None:
    """Return the most likely target of a combatant.

    It is an enemy in a melee with it, else the first that stands.
    """
    side, met, first = state[who].side, engaged(state, who), None
    for other in state.combatants:
        if other.side != side and other.status == "up":
            if not met or other.id in met:
                return other.id
            first = first or other.id
    return first


def target_field(
    state: State, who: Id | None, default: Id | None, name: str = "target", enemies_only: bool = False
) -> Field:
    """Return the field for a target: enemies first, nobody dead or gone."""
    if who is None:
        return Field(name, "combatant", required=True, anybody=True)
    side = state[who].side
    options = _foes(state, side)
    if not enemies_only:
        options = (*options, *[friend for friend in _friends(state, side) if friend.key != who])
    return Field(name, "combatant", default=default, options=options, required=True)


@per_state
def _foes(state: State, side: Id) -> tuple[Option, ...]:
    return tuple([_target(other) for other in state.combatants if other.side != side])


@per_state
def _friends(state: State, side: Id) -> tuple[Option, ...]:
    return tuple([_target(other) for other in state.combatants if other.side == side])


def _target(other: Combatant) -> Option:
    if other.status == "up":
        return Option(other.id, other.name)
    return Option(other.id, other.name, other.status, out_of_reach(other))


@cache
def _kinds(uses: tuple[Use, ...]) -> frozenset[Use]:
    return frozenset(uses)


def _weapon(state: State, who: Id, uses: tuple[Use, ...], wanted: str) -> Weapon | None:
    """Return the weapon named, or the first that fits and can be used now."""
    combatant = state[who]
    fitting = [arm for arm in block(combatant).arms if not _kinds(arm.kind).isdisjoint(uses)]
    if wanted:
        return next((arm for arm in fitting if arm.name == wanted), None)
    held = grappling(state, who)
    ready = [arm for arm in fitting if not empty(combatant, arm) and (arm.natural or not held)]
    return next(iter((*ready, *fitting)), None)


def attack_of(
    state: State, action: Action, uses: tuple[Use, ...], target: Id | None = None, tag: str = ""
) -> Attack | None:
    """Return the attack a form describes, None without a weapon or target."""
    who = action.by
    if who is None:
        return None
    at = target or _named(action.get("target")) or default_target(state, who)
    if at is None or at not in state:
        return None
    return _attack(state, who, action, uses, at, tag, state[who].side != state[at].side)


@per_state
def _attack(
    state: State, who: Id, action: Action, uses: tuple[Use, ...], at: Id, tag: str, hostile: bool
) -> Attack | None:
    """Return the attack a form describes at this target, None without a weapon."""
    stat_block, values = block(state[who]), dict(action.fields)
    arm = _weapon(state, who, uses, _named(values.get("weapon")))
    if arm is None:
        return None
    fitting = [use for use in arm.kind if use in uses]
    use: Use = next((use for use in fitting if use == values.get("use")), fitting[0])
    usual = _manners(stat_block)[id(arm), use]
    adjacent, dual, both = values.get("adjacent"), values.get("dual"), values.get("in_range_of_both")
    other = usual.dual if dual is None else _named(dual)
    return Attack(
        who,
        at,
        arm,
        use,
        next((attribute for attribute in ATTRIBUTES if attribute == values.get("attribute")), usual.attribute),
        _named(values.get("skill")) or usual.skill,
        nonlethal=values.get("nonlethal") is True,
        dual=other,
        in_range_of_both=_reaches_too(stat_block, other, use) if both is None else both is True,
        cover=_one_of(values.get("cover"), ("none", "half", "almost")),  # type: ignore[arg-type]  # a literal
        visibility=_one_of(values.get("visibility"), ("seen", "known", "unknown")),  # type: ignore[arg-type]  # a literal
        reach=_one_of(values.get("range"), ("normal", "long", "beyond")),  # type: ignore[arg-type]  # a literal
        in_melee=values.get("in_melee") is True,
        adjacent=use == "melee" if adjacent is None else adjacent is True,
        hit_mod=whole(values.get("hit_mod")),
        damage_mod=whole(values.get("damage_mod")),
        screens=_one_of(values.get("screens"), ("on", "off", "ask")),
        tag=tag,
        hostile=hostile,
    )


class _Manner(Struct, frozen=True, gc=False):
    """How a weapon is used where nothing else is said."""

    attribute: Attribute
    skill: str
    dual: str


@per_object
def _manners(stat_block: PC | Monster) -> dict[tuple[int, Use], _Manner]:
    """Return the usual manner of each use of a stat block's weapons.

    The weapons are known by identity.
    """
    return {
        (id(arm), use): _Manner(
            best_attribute(stat_block, arm.attr), best_skill(stat_block, arm, use), _other_weapon(stat_block, arm)
        )
        for arm in stat_block.arms
        for use in arm.kind
    }


def _named(value: Value) -> str:
    return value if isinstance(value, str) else ""


def _one_of(value: Value, options: tuple[str, ...]) -> str:
    return value if isinstance(value, str) and value in options else options[0]


def _other_weapon(stat_block: PC | Monster, arm: Weapon) -> str:
    """Return the second weapon of a pair the stat block names."""
    pair = stat_block.dual_wield if isinstance(stat_block, PC) else None
    if pair is None or arm.name not in pair:
        return ""
    return pair[1] if arm.name == pair[0] else pair[0]


def _reaches_too(stat_block: PC | Monster, name: str, use: Use) -> bool:
    return any(arm.name == name and use in arm.kind for arm in stat_block.arms)


@per_fields("block", "effects")
def routine(combatant: Combatant, arm: Weapon, uses: tuple[Use, ...]) -> tuple[str, ...]:
    """Return the weapon of each attack that one action with this weapon makes (R33).

    A weapon's own number counts before its owner's. Where those numbers add up to the owner's, they are its routine:
    all of them in one action, the chosen weapon first.
    """
    stat_block = block(combatant)
    most = max(1, stat_block.attacks) if isinstance(stat_block, Monster) else 1
    own = [one for one in stat_block.weapons if any(use in one.kind for use in uses)]
    if len(own) > 1 and all(one.attacks for one in own) and sum(one.attacks or 0 for one in own) == most:
        own.sort(key=lambda one: one.name != arm.name)
        return tuple(one.name for one in own for _ in range(one.attacks or 0))
    return (arm.name,) * (arm.attacks or most)


def attack_fields(
    state: State, action: Action, uses: tuple[Use, ...], several: bool = False, enemies_only: bool = False
) -> tuple[Field, ...]:
    """Return the form of an attack.

    What is rarely needed is on its second page.
    """
    who = action.by
    if who is None:
        return ()
    target = target_field(state, who, default_target(state, who), enemies_only=enemies_only)
    attack = attack_of(state, action, uses)
    blows = len(routine(state[who], attack.weapon, uses)) if several and attack is not None else 1
    each = (replace(SEVERAL, options=target.options, maximum=blows),) if blows > 1 else ()
    return (target, *each, *_armed(state[who], attack, uses))


@per_fields("block", "effects")
def _armed(combatant: Combatant, attack: Attack | None, uses: tuple[Use, ...]) -> tuple[Field, ...]:
    """Return the fields that follow from the weapon."""
    stat_block = block(combatant)
    arms = tuple(_arm(combatant, arm) for arm in stat_block.arms if any(use in arm.kind for use in uses))
    weapon = Field("weapon", "choice", default=attack.weapon.name if attack else None, options=arms, required=True)
    shots = FAR if any(use != "melee" for use in uses) else FAR_MORE
    if attack is None:
        return (weapon, *NEAR, *shots)
    return (weapon, *_manner(stat_block, attack, uses), *NEAR, *shots, *_rest(stat_block, attack))


def _manner(stat_block: PC | Monster, attack: Attack, uses: tuple[Use, ...]) -> tuple[Field, ...]:
    """Return what the weapon leaves open: its use, and of a PC attribute and skill."""
    arm = attack.weapon
    kinds = tuple(Option(use) for use in uses if use in arm.kind)
    use = Field("use", "choice", default=attack.use, options=kinds, page=_page(len(kinds) > 1))
    if isinstance(stat_block, Monster):
        return (use,)
    attributes = tuple(Option(name) for name in arm.attr)
    skills = tuple(Option(name) for name in arm.skills_for(attack.use))
    return (
        use,
        Field("attribute", "choice", default=attack.attribute, options=attributes, page=_page(len(attributes) > 1)),
        Field("skill", "choice", default=attack.skill, options=skills, page=_page(len(skills) > 1)),
    )


def _rest(stat_block: PC | Monster, attack: Attack) -> tuple[Field, ...]:
    """Return what follows from the attack: nearness, intent, the other hand."""
    arm = attack.weapon
    others = tuple(Option(other.name) for other in stat_block.arms if other.name != arm.name and not bare_handed(other))
    return (
        Field("nonlethal", "flag", "non-lethal", default=False, note="fit for it" if arm.nonlethal else ""),
        Field("adjacent", "flag", default=attack.adjacent, page=MORE),
        Field("dual", "choice", "second weapon", default=attack.dual, options=(NO_WEAPON, *others), page=MORE),
        Field("in_range_of_both", "flag", "second weapon reaches too", default=attack.in_range_of_both, page=MORE),
        SCREENS,
    )


def _page(often: bool) -> str:
    return "" if often else MORE


def _arm(combatant: Combatant, arm: Weapon) -> Option:
    held = "WN-155" if not arm.natural and in_grapple(combatant) else ""
    unloaded = ("WN-089" if arm.reload == "bow" else "WN-087") if empty(combatant, arm) else ""
    return weapon_option(arm.name, str(arm.dmg), str(arm.shock or ""), held, unloaded)


def fits(uses: tuple[Use, ...]) -> Check:
    return lambda state, action: misfit(state, action, uses)


def misfit(state: State, action: Action, uses: tuple[Use, ...]) -> Refusal | None:
    """Return why this attack is impossible.

    No weapon, out of range, out of sight, hindered, or a pair that cannot be wielded.
    """
    who = action.by
    if who is None:
        return None
    combatant = state[who]
    stat_block = block(combatant)
    if isinstance(stat_block, Monster) and stat_block.attacks == 0:
        return Refusal("no_attack", f"{combatant.name} does not attack", "WN-C31")
    if len(state.combatants) == 1 and not text(action, "target"):
        rule = "WN-042" if "melee" in uses else "WN-044"
        return Refusal("no_target", f"nobody else is in the fight with {combatant.name}", rule, forcible=False)
    attack = attack_of(state, action, uses)
    if attack is None:
        if text(action, "weapon") or any(use in arm.kind for arm in stat_block.arms for use in uses):
            return None  # the form says what is missing
        return Refusal("no_weapon", f"{combatant.name} has no weapon for this", "", forcible=False)
    if attack.use != "melee" and grappling(state, who):
        return Refusal("grappled", f"{combatant.name} cannot shoot in a grapple", "WN-155")
    row = "" if attack.use == "melee" else impossible(situation(state, attack), attack.weapon.hands)
    if row == "two_handed_in_melee":
        return Refusal(
            row,
            f"{attack.weapon.name} is useless with an enemy in melee range",
            "WN-116" if attack.weapon.reload else "WN-047",
        )
    if row:
        return Refusal(
            row, "out of range" if row == "beyond_range" else "nobody knows where the target is", IMPOSSIBLE[row]
        )
    return _ill_paired(stat_block, attack) if attack.dual else None


def _ill_paired(stat_block: PC | Monster, attack: Attack) -> Refusal | None:
    """Return why two weapons cannot be wielded together (WN-166, R29)."""
    other = next((arm for arm in stat_block.arms if arm.name == attack.dual), None)
    if other is None:
        return None
    if attack.weapon.hands == 2 or other.hands == 2:
        return Refusal("two_handed", "a weapon for two hands cannot be one of a pair", "WN-R29")
    if bare_handed(attack.weapon):
        return Refusal("unarmed", "bare hands are not one of two weapons", "WN-R29")
    if not isinstance(stat_block, PC):
        return None
    for arm, skill in ((attack.weapon, attack.skill), (other, best_skill(stat_block, other, other.kind[0]))):
        if level(stat_block, skill) < 1:
            return Refusal("unskilled", f"two weapons need level 1 in both skills: {skill} for {arm.name}", "WN-166")
    return None
