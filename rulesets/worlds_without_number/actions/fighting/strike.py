"""The course of an attack: screens, roll, answers, harm (4.5, points 3 to 7)."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from msgspec import Struct
from msgspec.structs import replace

from rulesets.without_number import stats as family
from rulesets.without_number.actions import aimed, ruled, tell, tell_verdict
from rulesets.without_number.reactions import stakes as at_stake
from rulesets.without_number.stats import D20, cited, hits
from rulesets.without_number.turn import own_phase
from rulesets.worlds_without_number.actions.fighting import reactions, weapons
from rulesets.worlds_without_number.actions.fighting import screening as screen
from rulesets.worlds_without_number.actions.validity import attack_lapse, lapses
from rulesets.worlds_without_number.aftermath import wounds
from rulesets.worlds_without_number.stat_blocks.models import Trauma, Weapon
from rulesets.worlds_without_number.stats import effects, shock
from rulesets.worlds_without_number.stats.attack import Attack, damage_parts, hit_rules, to_hit
from rulesets.worlds_without_number.stats.effects import SHIELD_SPENT, TRAUMATIC
from rulesets.worlds_without_number.stats.stats import armor_class, armor_words, block, level, rules
from tracker.core.fight.events import Checked
from tracker.core.fight.slots import Id
from tracker.core.fight.state import State
from tracker.core.step.ctx import Ctx
from tracker.core.terms.actions import Response
from tracker.core.terms.derived import Derived, Part
from tracker.core.terms.effects import Effect
from tracker.core.terms.words import felling, needs


def applies(state: State, attack: Attack) -> bool:
    """Tell whether a hit of this attack may be traumatic (WN-127, WN-134, R27)."""
    if not rules(state).trauma or block(state[attack.target]).trauma_immune:
        return False
    stat_block = block(state[attack.actor])
    unarmed = attack.weapon.natural or attack.weapon.name == stat_block.unarmed.name
    return not (attack.nonlethal and unarmed)


def _rolls_trauma(ctx: Ctx, attack: Attack) -> bool:
    """Tell whether a hit rolls a Trauma Die, and say it of a target that is immune (WN-134)."""
    if attack.weapon.trauma is None:
        return False
    if rules(ctx.state).trauma and block(ctx.state[attack.target]).trauma_immune:
        ctx.skip("Trauma Die", f"{ctx.state.name(attack.target)} is immune", "WN-134", who=attack.target)
    return applies(ctx.state, attack)


def _traumatic(ctx: Ctx, attack: Attack, trauma: Trauma) -> bool:
    """Return whether the Trauma Die of a hit makes it traumatic (WN-128)."""
    cited_by = ("WN-125", "WN-127", "WN-133")
    natural = ctx.roll(
        f"trauma{attack.tag}",
        trauma.die,
        *cited_by,
        who=attack.actor,
        why="Trauma Die",
        needed=partial(_traumatic_from, attack=attack, trauma=trauma),
    )
    bonus, target = block(ctx.state[attack.actor]).bonus.trauma_die, block(ctx.state[attack.target]).trauma_target
    parts = [Part(str(trauma.die.natural), natural, "WN-127")]
    parts += [Part("die", trauma.die.plus, "WN-127")] if trauma.die.plus else []
    parts += [Part("bonus", bonus, "WN-132")] if bonus else []
    total = sum(part.amount for part in parts)
    traumatic = total >= target
    found = ["WN-128", *(["WN-131"] if target != 6 else []), *(["WN-132"] if bonus else [])]
    ctx.emit(
        Checked(
            "Trauma",
            attack.actor,
            total,
            "traumatic" if traumatic else "not traumatic",
            attack.target,
            tuple(parts),
            target,
            "Trauma Target",
            success=traumatic,
        ),
        *found,
    )  # fmt: skip - one event
    return traumatic


def _traumatic_from(state: State, attack: Attack, trauma: Trauma) -> str:
    """Return what the Trauma Die needs, for the question."""
    added = trauma.die.plus + block(state[attack.actor]).bonus.trauma_die
    target = block(state[attack.target]).trauma_target
    dice = trauma.die.natural
    return needs(added, target, "Trauma Target", dice.minimum, dice.maximum, "is traumatic", sure=False)


def multiplied(amount: int, attack: Attack) -> Part | None:
    """Return what a Traumatic Hit adds, by default nothing (WN-129, R28)."""
    rating = attack.weapon.trauma.rating if attack.weapon.trauma else 1
    return Part(f"Traumatic Hit x{rating}", amount * (rating - 1), "WN-129") if rating > 1 else None


def mark(ctx: Ctx, who: Id) -> None:
    """Remember for this fight that a combatant has been hit traumatically (WN-130)."""
    ctx.add_effect(TRAUMATIC.on(who, stacking="keep"), "WN-130")


def loose(ctx: Ctx, attack: Attack) -> tuple[str, ...]:
    """Let the missile go (WN-087 to WN-089, R30).

    A bow or crossbow is empty now, unless it is loaded again at once: then return the rules of that. A thrown weapon
    has left the hand.
    """
    arm, who = attack.weapon, attack.actor
    if attack.use == "thrown":
        ctx.note(f"{arm.name} has left the hand", "WN-044", about=who)
    if attack.use != "ranged" or arm.reload is None:
        return ()
    if quick(ctx.state, who, arm) and own_phase(ctx.state, who):
        return "WN-088", "WN-034"
    ctx.add_effect(
        Effect(f"empty:{arm.name}", who, title=f"{arm.name} empty"), "WN-089" if arm.reload == "bow" else "WN-087"
    )
    return ()


def quick(state: State, who: Id, arm: Weapon) -> bool:
    """Tell who reloads as an On Turn action (WN-088, R30)."""
    return arm.reload is not None and level(block(state[who]), "shoot") >= 1


class Aimed(Struct, frozen=True, gc=False):
    """An attack roll as it is now: at whom, its parts, the AC, and whether it hits.

    Attributes:
        fixed: a power or the GM has made it a hit or a miss.
        over: the attack does nothing any more.
    """

    attack: Attack
    parts: tuple[Part, ...]
    against: Derived
    hit: bool
    fixed: bool = False
    over: bool = False

    @property
    def total(self) -> int:
        return sum(part.amount for part in self.parts)


def strike(ctx: Ctx, attack: Attack) -> None:
    aimed = aim(ctx, attack)
    if aimed is not None:
        harm(ctx, aimed)


def aim(ctx: Ctx, attack: Attack) -> Aimed | None:
    """Make the attack roll and hear the answers to it.

    None where the target is gone, or the attack was stopped.
    """
    if lapses(ctx, "attack", attack.actor, attack_lapse(ctx.state, attack)):
        return None
    attack = screen.redirect(ctx, attack)
    early = ctx.run_interrupts(f"attack{attack.tag}")
    if lapses(ctx, "attack", attack.actor, attack_lapse(ctx.state, attack)):
        return None
    loaded = loose(ctx, attack)
    weapons.engage(ctx, attack.actor, attack.target, melee=attack.use == "melee")
    why = f"{ctx.state.name(attack.actor)} attacks {ctx.state.name(attack.target)}"
    natural = ctx.roll(
        f"attack{attack.tag}", D20, "WN-101", *loaded, who=attack.actor, why=why, needed=partial(_needed, attack=attack)
    )
    first = _answered(ctx, _judged(ctx, attack, (Part("1d20", natural, "WN-101"),)), early)
    aimed = _weighed(ctx, first) if attack.answers else first
    if aimed.over:
        return None
    hit = ctx.ruling(f"hit{attack.tag}", aimed.hit) is True
    return replace(aimed, hit=hit, fixed=aimed.fixed or hit != aimed.hit)


def _judged(ctx: Ctx, attack: Attack, parts: tuple[Part, ...], last: Aimed | None = None) -> Aimed:
    """Compare an attack roll, whose first part is the die, with the AC as both are now.

    It is told where it has changed.
    """
    added, against = to_hit(ctx.state, attack), armor_class(ctx.state[attack.target], attack.use)
    parts = (parts[0], *added.parts)
    hit = hits(parts[0].amount, added.value, against.value, rules(ctx.state).natural_attack)
    now = Aimed(attack, parts, against, hit)
    if last is not None and (last.total, last.against.value) == (now.total, now.against.value):
        return last
    _tell(ctx, attack, parts, against, now.hit)
    return now


def _answered(ctx: Ctx, last: Aimed, responses: Sequence[Response]) -> Aimed:
    """Return an attack roll after responses to it, or after anything else the GM has done (R20, R21)."""
    given = reactions.reaction_result(responses, last.attack.actor, last.attack.target)
    if given.interrupted:
        return replace(last, over=True)
    if given.verdict is not None:
        attack = last.attack
        tell_verdict(ctx, attack.actor, attack.target, last.total, given.verdict, "WN-037", "WN-038")
        return replace(last, hit=given.verdict, fixed=True)
    if last.fixed or given.simultaneous or attack_lapse(ctx.state, last.attack):
        return last
    return _judged(ctx, last.attack, last.parts, last)


def _weighed(ctx: Ctx, first: Aimed) -> Aimed:
    """Hear answers, each resolved before the attack goes on (R20, R21)."""
    attack = first.attack

    def compute(last: Aimed | None, responses: Sequence[Response]) -> Aimed:
        if last is None:
            return first
        now = last if last.over else _answered(ctx, last, responses)
        over = now.over or lapses(ctx, "attack", attack.actor, attack_lapse(ctx.state, attack))
        return replace(now, over=over)

    def prompt(aimed: Aimed) -> tuple[str, Sequence[str]] | None:
        if aimed.over:
            return None
        hit, natural = aimed.hit, aimed.parts[0].amount
        roll = (natural, aimed.total - natural)
        missed = shock.miss(ctx.state, attack)
        defence = effects.defence(ctx.state, attack, missed, roll, hit, aimed.fixed)
        words = f"{aimed.total} against AC {aimed.against.value}: {'hit' if hit else 'miss'}"
        marks = attack.weapon.trauma is not None and applies(ctx.state, attack)  # WN-130
        fallen = not marks and effects.fallen(ctx.state, attack, missed)
        return words, at_stake(hit, effects.harmful(missed, hit), defence, fallen)

    return ctx.resolve_in_window(f"after_roll{attack.tag}", compute, prompt, attack.actor, attack.target)


def reconsider(ctx: Ctx, aimed: Aimed, key: str, what: str = "damage") -> Aimed | None:
    """Return an attack as it is when its next roll is made, None if it does nothing any more.

    `key`: of that roll. What the GM puts before it, an Instant included, may still change the result (WN-037, R21).
    """
    responses = ctx.run_interrupts(key)
    now = _answered(ctx, aimed, responses) if responses else aimed
    lapsed = now.over or lapses(ctx, what, aimed.attack.actor, attack_lapse(ctx.state, aimed.attack))
    return None if lapsed else now


def _needed(state: State, attack: Attack) -> str:
    """Return what the roll needs, for the question."""
    added, target, naturals = to_hit(state, attack).value, state[attack.target], rules(state).natural_attack
    return aimed(added, armor_class(target, attack.use).value, armor_words(target, attack.use), naturals)


def _tell(ctx: Ctx, attack: Attack, parts: tuple[Part, ...], against: Derived, hit: bool) -> None:
    naturals = ("WN-R07",) if parts[0].amount in (1, 20) else ()
    found = cited((*parts, *against.parts), *hit_rules(ctx.state, attack), *naturals)
    ac = armor_words(ctx.state[attack.target], attack.use)
    tell(ctx, attack.actor, attack.target, parts, against, ac, hit, found)


def _hurt(ctx: Ctx, aimed: Aimed) -> None:
    attack, arm = aimed.attack, aimed.attack.weapon
    why = f"{arm.name} against {ctx.state.name(attack.target)}"
    natural = ctx.roll(
        f"damage{attack.tag}",
        arm.dmg.natural,
        "WN-119",
        who=attack.actor,
        why=why,
        needed=partial(fells, attack=attack),
        asked_if=lambda state: not fells_anyway(state, attack, "WN-119"),
    )
    dice = family.damage_dice(arm.dmg, natural, "WN-119", "WN-R49")
    amount, parts, found = damage_of(ctx.state, attack, dice)
    traumatic = False
    if arm.trauma is not None and _rolls_trauma(ctx, attack):
        sure = reconsider(ctx, aimed, f"trauma{attack.tag}")
        if sure is None or not sure.hit:
            if sure is not None:
                _shock(ctx, attack)
            return
        traumatic = _traumatic(ctx, attack, arm.trauma)
    if traumatic and (more := multiplied(amount, attack)) is not None:
        parts.append(more)
        amount += more.amount
    amount = ruled(ctx, f"damage{attack.tag}", amount)
    _inflict(ctx, attack, amount, parts, cited(parts, "WN-119", *found), traumatic)


def fells_anyway(state: State, attack: Attack, rule: str) -> bool:
    """Tell whether even the least dice of a hit fell the target, so that no face matters (R49)."""
    target = state.get(attack.target)
    if target is None or not attack.weapon.dmg.terms:
        return False
    least, _, _ = damage_of(state, attack, family.damage_dice(attack.weapon.dmg, None, rule, "WN-R49"))
    return least >= max(1, target.hp)


def damage_of(state: State, attack: Attack, dice: Sequence[Part]) -> tuple[int, list[Part], tuple[str, ...]]:
    """Return the damage of a hit, its parts and further rules (WN-055, WN-057, WN-145).

    A swarm lifts it to the usual maximum at most, Shock is the least.
    """
    added = damage_parts(state[attack.actor], attack)
    parts = [*dice, *(part for part in added if part.amount)]
    found = cited(added)
    amount = max(0, sum(part.amount for part in parts))  # R08
    if attack.others:
        dealt = attack.weapon.dmg.natural
        parts.append(family.swarm_part(amount, attack.others, dealt, added, ("WN-055", "WN-057")))  # R12
        found += ("WN-055",)
        amount += parts[-1].amount
    least = shock.miss(state, attack)
    if least.points > amount:  # R09
        parts.append(Part("no less than Shock", least.points - amount, "WN-145"))
        found += least.rules
        amount = least.points
    return amount, parts, found


def fells(state: State, attack: Attack, nonlethal: bool = False, traumatic: bool = True) -> str:
    """Return which damage rolls fell the target, for the question; `traumatic`: a Trauma Die may follow."""
    target, dice = state.get(attack.target), attack.weapon.dmg.natural
    if target is None or target.status != "up":
        return ""

    def loss(rolled: int) -> int:
        return damage_of(state, attack, (Part(str(dice), rolled, "WN-119"),))[0]

    words = felling(dice, loss, target.hp, wounds.fall_word(state, target.id, attack.nonlethal or nonlethal))
    trauma = attack.weapon.trauma
    more = traumatic and trauma is not None and trauma.rating > 1 and applies(state, attack)
    return f"{words} without trauma" if words and more and not words.startswith("any roll") else words


def _inflict(ctx: Ctx, attack: Attack, amount: int, parts: list[Part], cites: tuple[str, ...], traumatic: bool) -> None:
    if traumatic:
        mark(ctx, attack.target)
    found = list(cites)
    if attack.nonlethal:
        found.append("WN-121")
    if attack.weapon.skill == "punch" and not attack.weapon.natural:
        found.append("WN-124")
    wounds.deal(
        ctx,
        attack.target,
        amount,
        *found,
        parts=parts,
        why=attack.weapon.name,
        source=attack.actor,
        harm="nonlethal" if attack.nonlethal else "lethal",
    )  # fmt: skip - one call


def _shock(ctx: Ctx, attack: Attack) -> None:
    """Do the Shock of a miss (WN-143, R10).

    A shield ignores the first that would hurt in a round.
    """
    missed = shock.miss(ctx.state, attack)
    if missed.verdict == "shield":
        ctx.add_effect(SHIELD_SPENT.on(attack.target, stacking="keep"), *missed.rules)
    if missed.verdict == "harms":
        parts = [part for part in missed.parts if part.amount]
        points = ruled(ctx, f"shock{attack.tag}", missed.points)
        found = cited(parts, *missed.rules, *(("WN-146",) if rules(ctx.state).trauma else ()))
        wounds.deal(
            ctx,
            attack.target,
            points,
            *found,
            parts=parts,
            why="Shock",
            source=attack.actor,
            harm="nonlethal" if attack.nonlethal else "lethal",
        )  # fmt: skip - one call; R23
    elif missed.parts:
        why = _kept_away(ctx.state, attack, missed)
        ctx.note(f"no Shock: {why}", *cited(missed.parts, *missed.rules), about=attack.actor)


def _kept_away(state: State, attack: Attack, missed: shock.Miss) -> str:
    """Return what keeps the Shock of a miss away."""
    match missed.verdict:
        case "armored":
            limit = attack.weapon.shock.ac if attack.weapon.shock else None
            return f"AC {armor_class(state[attack.target], 'melee').value} is above {limit}"
        case "shield":
            return "the shield takes the first of the round"
        case "total_defense":
            return "Total Defense"
        case "immune":
            return "it is immune"
        case _:
            return "it comes to nothing"


def harm(ctx: Ctx, aimed: Aimed) -> None:
    """Do the harm of a hit or the Shock of a miss (4.5), then settle."""
    sure = reconsider(ctx, aimed, f"damage{aimed.attack.tag}") if aimed.hit else aimed
    if sure is not None and sure.hit:
        _hurt(ctx, sure)
    elif sure is not None:
        _shock(ctx, sure.attack)
    ctx.settle()
