"""A monster's attack on one target: defence, dice judged one by one against armour, riders, marks (4.5, 8.3)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

from msgspec import Struct
from msgspec.structs import replace

from rulesets.githack.aftermath.wounds import take_harm, track_check
from rulesets.githack.order import counted
from rulesets.githack.stat_blocks.models import HAZARDS, UNNAMED, Ability, Mode, Part, Special
from rulesets.githack.stats import stats
from rulesets.githack.stats.checks import PLAIN, Check, Edge, Words, ask_ability, check, judge, save, worse
from rulesets.githack.stats.stats import STUCK, Delayed, Grip
from tracker.core.fight.slots import Id
from tracker.core.fight.state import State
from tracker.core.step.ctx import Ctx
from tracker.core.step.prompts import AskedIf
from tracker.core.terms.dice import Dice
from tracker.core.terms.effects import Effect
from tracker.core.terms.moments import At, OnUse
from tracker.core.terms.values import Value


class Die(Struct, frozen=True):
    """One die of an attack: its face, its part, and the mark it makes.

    `wounds`: whether it is 3 or more over AC.
    """

    face: int
    part: str
    mark: str | None
    wounds: bool = False


class TargetedAttack(Struct, frozen=True):
    """One attack on one target, with what the form says about its rolls.

    `friend`: the target was on the attacker's side from the beginning. `alone`: it is the only target.
    """

    who: Id
    target: Id
    mode: Mode
    defence: str
    edge: Edge
    save_edge: Edge
    save_ability: str
    undefended: bool = False
    friend: bool = False
    alone: bool = True


def concerns(special: Special, part: str) -> bool:
    """Tell whether a special has to do with a part; several parts are listed with commas."""
    return not special.part or part in special.part.split(", ")


def stop_or_lands(ctx: Ctx, attack: TargetedAttack) -> bool:
    """Tell whether the target is still there to be hit, and no friend by now.

    The attack stops where its attacker has left, fallen or been paralysed.
    """
    attacker = ctx.state.get(attack.who)
    if attacker is None or not stats.acts(attacker):
        ctx.stop(f"{ctx.state.name(attack.who)} can no longer attack")
    return _reaches(ctx.state, attack)


def is_possible(state: State, attack: TargetedAttack) -> bool:
    """Tell whether an attack lands, without stopping it."""
    attacker = state.get(attack.who)
    return attacker is not None and stats.acts(attacker) and _reaches(state, attack)


def _reaches(state: State, attack: TargetedAttack) -> bool:
    friend = stats.friends(state, attack.who, attack.target) and not attack.friend
    return stats.here(state, attack.target) and not friend


def kept(count: int, share: str, rounding: str) -> int:
    """Return how many dice a successful save leaves (GH-063, A07, A08); at least one, except for a share of 0."""
    if share == "0":
        return 0
    top, bottom = (int(part) for part in share.split("/"))
    dice = -(-count * top // bottom) if rounding == "up" else count * top // bottom
    return max(1, dice)


def roll_damage(ctx: Ctx, attack: TargetedAttack, parts: Sequence[Part]) -> list[Die]:
    """Roll all dice of the parts in one request and judge each against AC (GH-026, GH-043, GH-044, GH-053)."""
    adds = stats.rules(ctx.state).damage_adds == "extra_d4"
    own = [part.dice.plus_dice(Dice.of(1, 4)) if adds and part.add > 0 else part.dice for part in parts]
    dice = Dice([term for one in own for term in one.terms], sum([one.plus for one in own]))
    owners = [part.label for part, one in zip(parts, own, strict=True) for _ in one.sides]
    if not owners:
        return []
    rules = ("GH-043", "GH-026", "GH-053", "GH-007") + (("GH-308", "GH-A24") if adds else ())
    faces = ctx.faces(
        f"damage:{attack.target}",
        dice,
        *rules,
        who=attack.who,
        why=_why("damage" if attack.mode.name == UNNAMED else attack.mode.name, ctx, attack),
        to="gm",
        needed=lambda state: _marks(state, attack.target, dice),
        apart=True,
        asked_if=lambda state: is_possible(state, attack) and _pierces(state, attack, dice),
    )
    if faces is None:
        if is_possible(ctx.state, attack):
            _say_soaked(ctx, attack)
        return []
    soaked = stats.ac(ctx.state[attack.target])
    judged = [
        Die(face, owner, judge(face, soaked), judge(face, soaked) == "x")
        for face, owner in zip(faces, owners, strict=True)
    ]
    _say(ctx, attack.target, judged, soaked)
    return judged


def _pierces(state: State, attack: TargetedAttack, dice: Dice) -> bool:
    """Tell whether one of the dice can beat the target's AC (A36)."""
    return max(dice.sides) > stats.ac(state[attack.target])


def _say_soaked(ctx: Ctx, attack: TargetedAttack) -> None:
    ctx.note(f"no die can beat AC {stats.ac(ctx.state[attack.target])}", "GH-044", "GH-A36", about=attack.target)


def _why(what: str, ctx: Ctx, attack: TargetedAttack) -> str:
    return what if attack.alone else f"{what} on {ctx.state.name(attack.target)}"


def _marks(state: State, who: Id, dice: Dice, armour: bool = True) -> str:
    """Return from which face on a die makes which mark, for the question."""
    soaked = stats.ac(state[who]) if armour else 0
    faces = range(1, max(dice.sides, default=0) + 1)
    made = {mark: [face for face in faces if judge(face, soaked) == mark] for mark in (None, "/", "x")}
    least = [f"{_from(made[mark][0])} {word}" for mark, word in (("/", "ticks"), ("x", "crosses")) if made[mark]]
    alike = sum(1 for faces in made.values() if faces) == 1
    text = f"{', '.join(least) or 'no roll marks'}{': Enter' if alike else ''}"
    return f"vs AC {soaked} · {text}" if soaked else text


def _from(face: int) -> str:
    return f"{face} or more" if face > 1 else "any roll"


def _say(ctx: Ctx, target: Id, dice: Sequence[Die], soaked: int) -> None:
    """Write into the log what each die does through the armour (8.3)."""
    names = {None: "none", "/": "tick", "x": "cross"}
    words = ", ".join(names[die.mark] for die in dice) if any(die.mark for die in dice) else "no mark"
    equal = ("GH-A29",) if any(die.face == soaked for die in dice) else ()
    ctx.note(f"vs AC {soaked}: {words}", "GH-044", "GH-027", "GH-A02", *equal, about=target)


def marked(ctx: Ctx, attack: TargetedAttack, special: Special, dice: Sequence[Die]) -> list[Die]:
    """Return the dice with the marks of a special that takes hold (GH-048, GH-056).

    Stars where it is deep, else one step worse where it worsens.
    """
    if not (special.deep or special.worsen) or not any(die.mark and concerns(special, die.part) for die in dice):
        return list(dice)
    what, rule = ("deep", "GH-048") if special.deep else ("one step worse", "GH-056")
    ctx.note(f"{special.name}: {what}", rule, about=attack.target)
    return [
        replace(die, mark="*" if special.deep else worse(die.mark)) if die.mark and concerns(special, die.part) else die
        for die in dice
    ]


def special_dice(
    ctx: Ctx, attack: TargetedAttack, special: Special, saved: bool, *rules: str, armour: bool
) -> list[Die]:
    """Roll the dice of a special, those a save has left, and judge them.

    GH-061, GH-063. Without `armour` no AC stops them (GH-058).
    """
    if special.dice is None:
        return []
    sides = special.dice.sides
    count = kept(len(sides), special.keep_on_save, stats.rules(ctx.state).save_rounding) if saved else len(sides)
    if not count:
        return []
    dice = Dice(tuple((1, side) for side in sides[:count])) if len(set(sides)) > 1 else Dice.of(count, sides[0])
    reduced = ("GH-063", "GH-070", "GH-111", "GH-A07", "GH-A08") if saved else ()
    faces = ctx.faces(
        f"damage:{special.name}:{attack.target}",
        dice,
        "GH-061",
        *rules,
        *reduced,
        who=attack.who,
        why=_why(special.name, ctx, attack),
        to="gm",
        needed=lambda state: _marks(state, attack.target, dice, armour),
        apart=True,
        asked_if=lambda state: stats.here(state, attack.target) and (not armour or _pierces(state, attack, dice)),
    )
    if faces is None:
        if stats.here(ctx.state, attack.target):
            _say_soaked(ctx, attack)
        return []
    soaked = stats.ac(ctx.state[attack.target]) if armour else 0
    judged = [Die(face, special.part, judge(face, soaked), judge(face, soaked) == "x") for face in faces]
    _say(ctx, attack.target, judged, soaked)
    return judged


def in_play(state: State, attack: TargetedAttack, parts: Sequence[Part]) -> tuple[Special, ...]:
    """Return the specials that these parts can bring and that have a use left (GH-069)."""
    own = (*stats.monster(state, attack.who).specials, *attack.mode.specials)
    return tuple(
        special
        for special in own
        if special.when != "instead_of_attack"
        and stats.uses_left(state, attack.who, special) != 0
        and (not special.part or any(concerns(special, part.label) for part in parts))
    )


def spend_use(ctx: Ctx, who: Id, special: Special) -> None:
    """Count one use of a special, a rider's when it is triggered (GH-069, A26)."""
    if special.uses is not None and who in ctx.state:
        used = ctx.state[who].fact(f"used:{special.name}", 0)
        ctx.fact(who, f"used:{special.name}", (used if isinstance(used, int) else 0) + 1, "GH-069", "GH-A26")


def triggered(ctx: Ctx, special: Special, dice: Sequence[Die]) -> bool:
    """Tell whether a rider comes into play (GH-054, GH-055, GH-067, A09)."""
    own = [die for die in dice if concerns(special, die.part)]
    when = (
        "harm"
        if special.when == "connect" and special.effect == "stuck" and stats.rules(ctx.state).sticks_on == "harm"
        else special.when
    )
    if when == "connect":
        return True
    return any(die.mark for die in own) if when == "harm" else any(die.wounds for die in own)


def applies(ctx: Ctx, attack: TargetedAttack, special: Special, hits: int) -> bool:
    """Roll a rider's save, if any, and return whether the rider takes hold (GH-055, GH-110, A17, A18)."""
    if not special.save:
        return True
    times = hits if special.effect == "paralysed" and stats.rules(ctx.state).paralysis_saves == "per_hit" else 1
    held = [saved(ctx, attack, special, place) for place in range(1, times + 1)]
    return False in held


def saved(
    ctx: Ctx,
    attack: TargetedAttack,
    special: Special,
    place: int = 1,
    words: Words = PLAIN,
    asked_if: AskedIf | None = None,
) -> bool | None:
    """Roll the one save against a special (GH-108 to GH-110).

    None if it is not rolled: by `asked_if`, or because the target has left or died.
    """
    key = f"save:{special.name}:{attack.target}" + (f"#{place}" if place > 1 else "")
    offered = _offered(ctx.state, special)
    ability = offered[0] if attack.save_ability == "usual" else cast(Ability, attack.save_ability)
    if attack.save_ability == "ask":
        asked = ask_ability(ctx, key, attack.target, special.name, offered, asked_if)
        if asked is None:
            return None
        ability, asked_if = asked, None
    what, rules = f"save against {special.name}", _save_rules(special)
    made = save(ctx, key, attack.target, ability, what, *rules, edge=attack.save_edge, words=words, asked_if=asked_if)
    return None if made is None else made.success


def _save_rules(special: Special) -> tuple[str, ...]:
    own = ("GH-067", "GH-A17") if special.effect == "paralysed" else ()
    return ("GH-108", "GH-109", "GH-110", *(("GH-055",) if special.when in ("harm", "wound") else ()), *own)


def _offered(state: State, special: Special) -> tuple[Ability, ...]:
    """Return the abilities of a save, WIS first where the switch says so (GH-108)."""
    own = special.save or HAZARDS["default"]
    return tuple(dict.fromkeys(("wis", *own))) if stats.rules(state).save_ability == "wis" else own


def inflict(ctx: Ctx, attack: TargetedAttack, special: Special) -> None:
    """Put a special's effect on its target (section 7).

    The same effect from the same source only starts its rounds again.
    """
    name = stats.lasting(special)
    if not name or not stats.here(ctx.state, attack.target):
        return
    until: tuple[At | OnUse, ...] = ()
    if special.until == "end_of_combat" or name == STUCK.name:
        until = STUCK.until
    elif special.until == "rounds":
        until = counted(ctx.state, special.rounds)
    usual = ("GH-058", "GH-054") if special.when == "instead_of_damage" else ("GH-054", "GH-055")
    rules = {"paralysed": ("GH-067", "GH-A18"), "stuck": ("GH-072", "GH-A09")}.get(name, usual)
    same = next(
        (effect for effect in ctx.state[attack.target].effects if effect.name == name and effect.source == attack.who),
        None,
    )
    if same is not None and not special.rounds:
        return
    if same is not None:
        ctx.end_effect(same, "starts again", *rules)
    grip = Grip(special.continuing or name == STUCK.name, special.destroys_ac)
    data = None if grip == Grip() else grip
    ctx.add_effect(Effect(name, attack.target, source=attack.who, until=until, data=data, stacking="add"), *rules)


def waits(special: Special) -> bool:
    """Tell whether a special's effect comes only after the fight (GH-057)."""
    return special.timing == "after_combat"


def put_off(
    attack: TargetedAttack, special: Special, state: State, boxes: Sequence[int | None], *, saved: bool = False
) -> Delayed:
    """Return a rider that waits, with what the form says about its save (A28).

    With `saved` its one save has been rolled already.
    """
    offered = _offered(state, special) if special.save and not saved else ()
    asked = attack.save_ability == "ask" and len(offered) > 0
    chosen = attack.save_ability if attack.save_ability not in ("usual", "ask") else offered[0] if offered else ""
    return Delayed(
        attack.target,
        special.name,
        chosen if offered else "",
        tuple(box for box in boxes if box is not None),
        worsen=special.worsen,
        deep=special.deep,
        effect=stats.lasting(special),
        source=attack.who,
        edge=attack.save_edge,
        asked=offered if asked else (),
    )


def queue(ctx: Ctx, delayed: Delayed) -> None:
    """Keep a rider for the end of the fight (GH-057, A28)."""
    held = ctx.state.fact("fight", "delayed", ())
    ctx.fact("fight", "delayed", (*(held if isinstance(held, tuple) else ()), delayed), "GH-057", "GH-A28")
    ctx.note(f"{delayed.special} waits for the end of the combat", "GH-057", about=delayed.who)


DEFENCE = Words("defended", "hit", ("GH-041", "GH-009"), ("GH-042", "GH-009"))


def resolve(ctx: Ctx, attack: TargetedAttack) -> None:
    """Let an attack meet one target.

    An effect instead of the damage roll replaces all dice, or those of its part (GH-058).
    """
    failed = _defend(ctx, attack)
    if failed is None:
        return
    riders = in_play(ctx.state, attack, failed)
    replacing = [special for special in riders if special.when == "instead_of_damage"]
    whole = [special for special in replacing if not special.part]
    held: list[Special] = []
    extra: list[Die] = []
    for special in whole or replacing:
        spend_use(ctx, attack.who, special)
        extra += instead(ctx, attack, special, held, "GH-058", armour=False)
    if whole:
        take_marks(ctx, attack, extra, held, "GH-058")
        return
    own = [part for part in failed if not any(concerns(special, part.label) for special in replacing)]
    dice = roll_damage(ctx, attack, own)
    if not stop_or_lands(ctx, attack):
        return
    delayed: list[Special] = []
    for special in riders:
        if special in replacing or not triggered(ctx, special, dice):
            continue
        if special.effect == "paralysed" and ctx.state[attack.target].has("paralysed"):
            continue  # A17: it is neither saved against again nor prolonged
        spend_use(ctx, attack.who, special)
        if waits(special):
            delayed.append(special)
        elif applies(ctx, attack, special, sum(1 for die in dice if die.mark and concerns(special, die.part))):
            held.append(special)
            dice = marked(ctx, attack, special, dice)
        if not stats.here(ctx.state, attack.target):
            return
    marks = [die.mark for die in (*dice, *extra) if die.mark]
    boxes = take_harm(ctx, attack.target, marks, *_harm_rules(marks, len(dice), held), source=attack.who)
    for special in delayed:
        queue(ctx, put_off(attack, special, ctx.state, boxes))
    take_hold(ctx, attack, held, bool(marks))


def _harm_rules(marks: Sequence[str], dice: int, held: Sequence[Special]) -> list[str]:
    found = {
        "GH-056": any(special.worsen for special in held),
        "GH-046": "/" in marks,
        "GH-047": "x" in marks,
        "GH-048": "*" in marks,
        "GH-045": dice == 1,
    }
    return ["GH-043", "GH-044", "GH-027", *(rule for rule, cited in found.items() if cited)]


def _defend(ctx: Ctx, attack: TargetedAttack) -> tuple[Part, ...] | None:
    """Return the parts that were not defended against, None if the attack fails (GH-005, GH-036 to GH-042)."""
    target, mode = attack.target, stats.rules(ctx.state).defence_rolls
    if mode == "per_part" and len(attack.mode.parts) > 1:
        return _defend_parts(ctx, attack)

    def earlier(state: State) -> Value:
        """Return the result of the target's defence in this phase, where it counts again."""
        return state[target].fact("phase_defence") if mode == "per_target" and attack.alone else None

    alike = ("GH-203",) if stats.rules(ctx.state).stances else ()
    rules = ("GH-005", "GH-006", "GH-039", "GH-A06", _defence_ability(ctx.state, attack)[1], *alike)
    result = _roll_defence(ctx, attack, f"defence:{target}", "defence", rules, lambda state: earlier(state) is None)
    if not stop_or_lands(ctx, attack):
        return None
    if result is None:
        if (undefended := _undefended(ctx, attack)) is not None:
            return undefended
        ctx.note(f"the defence of this phase {earlier(ctx.state)}", "GH-040", about=target)
        return attack.mode.parts if earlier(ctx.state) == "failed" else None
    if mode == "per_target" and attack.alone:
        ctx.fact(target, "phase_defence", "held" if result.success else "failed", "GH-040")
    return None if result.success else attack.mode.parts


def _no_defence(state: State, attack: TargetedAttack) -> tuple[str, tuple[str, ...]] | None:
    """Return why the target has no defence, with the rules, or None."""
    helpless = stats.blocked(state[attack.target])
    if attack.target in stats.hosts(state, attack.who):
        return "stuck", ("GH-073", "GH-A10")
    if helpless:
        return helpless, ("GH-A18",) if helpless == "paralysed" else ("GH-121",)
    return ("the referee says so", ("GH-005",)) if attack.undefended else None


def _defence_ability(state: State, attack: TargetedAttack) -> tuple[Ability, str]:
    """Return the ability of the defence and its rule (GH-036 to GH-038)."""
    usual = attack.mode.defence or stats.pc(state, attack.target).defend_with
    ability = cast(Ability, attack.defence if attack.defence != "usual" else usual)
    return ability, {"dex": "GH-036", "con": "GH-037", "wis": "GH-038"}.get(ability, "GH-A23")


def _roll_defence(
    ctx: Ctx,
    attack: TargetedAttack,
    key: str,
    what: str,
    rules: tuple[str, ...],
    asked_if: AskedIf = lambda state: True,
) -> Check | None:
    """Roll a defence, None where the attack does not land, or meets no defence, or the roll is not asked for."""

    def defends(state: State) -> bool:
        return is_possible(state, attack) and _no_defence(state, attack) is None and bool(asked_if(state))

    def ability(state: State) -> Ability:
        return _defence_ability(state, attack)[0]

    edge, who = attack.edge, attack.who
    return check(ctx, key, attack.target, ability, what, *rules, edge=edge, target=who, words=DEFENCE, asked_if=defends)


def _undefended(ctx: Ctx, attack: TargetedAttack) -> tuple[Part, ...] | None:
    undefended = _no_defence(ctx.state, attack)
    if undefended is None:
        return None
    why, rules = undefended
    ctx.note(f"no defence: {why}", *rules, about=attack.target)
    return attack.mode.parts


def _defend_parts(ctx: Ctx, attack: TargetedAttack) -> tuple[Part, ...] | None:
    """Roll a defence against each part of an attack (GH-040).

    A target struck helpless between two parts has no more defence.
    """
    target, failed = attack.target, []
    for place, part in enumerate(attack.mode.parts, start=1):
        key = f"defence:{target}" if place == 1 else f"defence:{target}#{place}"
        what = f"defence against {part.label or part.dice}"
        result = _roll_defence(ctx, attack, key, what, ("GH-040", _defence_ability(ctx.state, attack)[1]))
        if result is None and not stop_or_lands(ctx, attack):
            return None
        if result is None and place == 1:
            return _undefended(ctx, attack)
        if result is None or not result.success:
            failed.append(part)
    return tuple(failed) or None


def instead(
    ctx: Ctx, attack: TargetedAttack, special: Special, held: list[Special], *rules: str, armour: bool
) -> list[Die]:
    """Resolve what replaces damage or the whole attack, and return its dice (GH-058, GH-060).

    A save, then the dice it leaves; without dice an effect that waits is saved against after the fight.
    """
    if not stop_or_lands(ctx, attack):
        return []
    if waits(special) and special.dice is None:
        queue(ctx, put_off(attack, special, ctx.state, ()))
        return []
    spared: bool | None = False
    if special.save:
        words = _save_words(ctx.state, special)
        spared = saved(ctx, attack, special, words=words, asked_if=lambda state: is_possible(state, attack))
        if spared is None and not stop_or_lands(ctx, attack):
            return []
    dice = special_dice(ctx, attack, special, bool(spared), *rules, armour=armour)
    if spared or not stats.here(ctx.state, attack.target):
        return dice
    if not waits(special):
        held.append(special)
    elif stats.lasting(special):
        queue(ctx, put_off(attack, special, ctx.state, (), saved=True))
    return marked(ctx, attack, special, dice)


def _save_words(state: State, special: Special) -> Words:
    """Return what a save against a special comes to: how many dice it leaves (GH-063)."""
    if special.dice is None:
        return Words()
    count, rounding = len(special.dice.sides), stats.rules(state).save_rounding
    return Words(f"{kept(count, special.keep_on_save, rounding)} of {count} dice", f"all {count} dice")


def take_marks(ctx: Ctx, attack: TargetedAttack, dice: Sequence[Die], held: Sequence[Special], *rules: str) -> None:
    marks = [die.mark for die in dice if die.mark]
    deep = ("GH-048",) if "*" in marks else ()
    worse = ("GH-056",) if any(special.worsen for special in held) else ()
    take_harm(ctx, attack.target, marks, *rules, *deep, *worse, source=attack.who)
    take_hold(ctx, attack, held, bool(marks))


def take_hold(ctx: Ctx, attack: TargetedAttack, held: Sequence[Special], hit: bool) -> None:
    """Put effects on the target, then see whether it stays active (steps 7 to 9)."""
    for special in held:
        inflict(ctx, attack, special)
    track_check(ctx, f"con:{attack.target}", attack.target, int(hit), attack.save_edge, attack.who)
