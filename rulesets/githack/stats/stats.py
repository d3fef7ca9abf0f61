"""Typed access to what GitHack stores in a state."""

from __future__ import annotations

from typing import Literal, cast

from msgspec import Struct

from rulesets.githack.stat_blocks.models import ABILITIES, PC, Ability, HouseRules, Monster, Setup, Special, Weapon
from tracker.core.fight.cache import per_object, per_state
from tracker.core.fight.slots import Id, Slot
from tracker.core.fight.state import Combatant, Side, State
from tracker.core.game.schema import NamedEffect, Status
from tracker.core.step.ctx import Ctx
from tracker.core.terms.derived import Derived, Part
from tracker.core.terms.dice import Dice
from tracker.core.terms.effects import Effect
from tracker.core.terms.errors import Refusal
from tracker.core.terms.moments import At, Moment
from tracker.core.terms.values import Data


class Ward(Struct, Data, frozen=True, tag="gh_ward"):
    """Whom or what a defender guards: a PC's id or a place (GH-209)."""

    who: str


class Grip(Struct, Data, frozen=True, tag="gh_grip"):
    """What an effect of a special does round by round (GH-073, GH-074).

    Whether its monster hits by itself while it lasts, and how much AC it destroys at each round's start.
    """

    continuing: bool = False
    destroys_ac: int = 0


class Delayed(Struct, Data, frozen=True, tag="gh_delayed"):
    """A rider that waits for the end of the fight (A28).

    Attributes:
        who: on whom.
        special: its name.
        save: the ability that saves, "" for none.
        boxes: those that its attack marked.
        worsen: they get one step worse; `deep`: they become stars.
        effect: what is put on the target, "" for nothing; `source`: whose special it is.
        edge: Advantage or Disadvantage on the save.
        asked: the abilities on offer, where the form asks for one.
    """

    who: Id
    special: str
    save: str
    boxes: tuple[int, ...]
    worsen: bool = True
    deep: bool = False
    effect: str = ""
    source: Id = ""
    edge: Literal["none", "advantage", "disadvantage"] = "none"
    asked: tuple[str, ...] = ()


UNARMED = Weapon("unarmed", Dice())


def rules(state: State) -> HouseRules:
    own = state.house_rules
    return own if isinstance(own, HouseRules) else HouseRules()


def setup(state: State) -> Setup:
    return cast(Setup, state.setup) if state.setup is not None else Setup()


def is_pc(combatant: Combatant) -> bool:
    return isinstance(combatant.block, PC)


def pc(state: State, who: Id) -> PC:
    return cast(PC, state[who].block)


def monster(state: State, who: Id) -> Monster:
    return cast(Monster, state[who].block)


@per_state
def pcs(state: State) -> tuple[Combatant, ...]:
    return tuple([combatant for combatant in state.combatants if isinstance(combatant.block, PC)])


@per_state
def monsters(state: State) -> tuple[Combatant, ...]:
    return tuple([combatant for combatant in state.combatants if not isinstance(combatant.block, PC)])


def stands(state: State, pcs: bool) -> bool:
    """Tell whether a PC on the players' side is up, or a monster against them.

    In a fight without such a side any of them counts.
    """
    own = _controlled(state.sides)["players" if pcs else "gm"]
    for one in state.combatants:
        if one.status == "up" and isinstance(one.block, PC) is pcs and (not own or one.side in own):
            return True
    return False


@per_object
def _controlled(sides: tuple[Side, ...]) -> dict[str, frozenset[Id]]:
    return {control: frozenset([side.id for side in sides if side.control == control]) for control in ("players", "gm")}


def unplaced(state: State) -> tuple[Id, ...]:
    if state.clock.phase not in ("fast", "monsters", "slow"):
        return ()
    placed = _placed(state.clock.slots)
    return tuple([one.id for one in state.combatants if one.status == "up" and one.id not in placed])


@per_object
def _placed(slots: tuple[Slot, ...]) -> frozenset[Id]:
    return frozenset([member for slot in slots for member in slot.members])


def in_fight(combatant: Combatant) -> bool:
    return combatant.status in ("up", "incapacitated")


def here(state: State, who: Id) -> bool:
    one = state.get(who)
    return one is not None and in_fight(one)


def friends(state: State, who: Id, other: Id) -> bool:
    one, another = state.get(who), state.get(other)
    return one is not None and another is not None and one.side == another.side


def own_side(state: State, who: Id) -> Refusal:
    side = state.side(state[who].side).name
    return Refusal("own_side", f"{state.name(who)} is on the same side ({side})", "GH-010")


def acts(combatant: Combatant) -> bool:
    """Tell whether a combatant can act, neither paralysed nor incapacitated (4.4)."""
    return combatant.status == "up" and not combatant.has("paralysed")


def falling(state: State, combatant: Combatant) -> bool:
    """Tell whether a combatant was struck helpless in this round (GH-207)."""
    number = state.clock.round
    if combatant.status == "incapacitated":
        return combatant.fact("fell") == number
    return combatant.status == "up" and any(
        effect.name == "paralysed" and effect.born[0] == number for effect in combatant.effects
    )


def swings(state: State, combatant: Combatant) -> bool:
    """Tell whether a PC in Pursuit still has its attack, though struck helpless (GH-207, A31)."""
    return rules(state).stances and combatant.fact("stance") == "pursuit" and falling(state, combatant)


def blocked(combatant: Combatant) -> str:
    """Return why a combatant cannot defend, or ""."""
    if combatant.status == "incapacitated":
        return "incapacitated"
    return "paralysed" if combatant.has("paralysed") else ""


def effect_parts(state: State, who: Id, stat: str) -> tuple[Part, ...]:
    return tuple(
        Part(effect.shown, change.amount, effect.rule)
        for effect in state[who].effects
        for change in effect.modifiers
        if change.stat == stat
    )


def _added(combatant: Combatant, stat: str) -> int:
    if not combatant.effects:
        return 0
    return sum([change.amount for effect in combatant.effects for change in effect.modifiers if change.stat == stat])


def score(combatant: Combatant, ability: Ability) -> int:
    found: int = getattr(cast(PC, combatant.block).scores, ability)
    return found + _added(combatant, ability)


def armour(state: State, who: Id) -> int:
    """Return the AC that is worn, less what is destroyed (GH-020)."""
    return cast(int, state[who].fact("ac", 0))


def ac(combatant: Combatant) -> int:
    """Return the present AC: what is worn and what effects add, at least 0."""
    return max(0, cast(int, combatant.fact("ac", 0)) + _added(combatant, "ac"))


def harm(combatant: Combatant) -> str:
    return str(combatant.fact("harm", ""))


def angst(state: State, who: Id) -> int:
    """Return the Angst a PC has gathered (GH-112)."""
    return int(cast(int, state[who].fact("angst", 0)))


def dread(state: State, who: Id) -> int:
    """Return the Angst against which a save is held, effects included."""
    return angst(state, who) + sum(part.amount for part in effect_parts(state, who, "angst"))


def over(state: State) -> Refusal | None:
    return Refusal("fight_over", "the combat is over", "GH-010", forcible=False) if state.clock.over else None


def dying(combatant: Combatant) -> bool:
    return combatant.has("dying")


def number(combatant: Combatant) -> int | None:
    return cast("int | None", combatant.fact("number"))


def stance(state: State, who: Id) -> str:
    return str(state[who].fact("stance", ""))


def lasting(special: Special) -> str:
    """Return the name of the effect that a special puts on its target, or "".

    Without one of its own it is called like the special, unless it has dice or changes marks.
    """
    plain = special.dice is None and not special.worsen and not special.deep
    return special.effect or (special.name if plain else "")


def grip(state: State, effect: Effect) -> Grip | None:
    """Return what an effect does round by round, or None.

    One given by hand, or by an older version, has no data: the special of that name in its source's block tells.
    """
    if isinstance(effect.data, Grip):
        return effect.data
    source = state.get(effect.source)
    own = () if source is None or is_pc(source) else specials(state, source.id)
    special = next((special for special in own if lasting(special) == effect.name), None)
    sticks = effect.name == "stuck"
    found = Grip(sticks or (special is not None and special.continuing), special.destroys_ac if special else 0)
    return found if found != Grip() else None


@per_state
def grips(state: State) -> tuple[tuple[Id, Effect, Grip], ...]:
    """Return every effect with a grip on a PC, in order of the monsters."""
    found = [
        (one.id, effect, held)
        for one in state.combatants
        if one.effects and is_pc(one)
        for effect in one.effects
        if (held := grip(state, effect)) is not None
    ]
    return tuple(sorted(found, key=lambda each: state.places.get(each[1].source or "", len(state.places))))


def hosts(state: State, who: Id) -> tuple[Id, ...]:
    """Return those whom a monster goes on hitting by itself (GH-073), each once."""
    found = grips(state)
    return tuple(dict.fromkeys([host for host, effect, held in found if held.continuing and effect.source == who]))


def holders(state: State, host: Id) -> tuple[Id, ...]:
    """Return the monsters that hold on to a PC (GH-073), each once, in roster order."""
    found = [effect.source for one, effect, held in grips(state) if one == host and held.continuing]
    return tuple([who for who in dict.fromkeys(found) if who is not None and who in state and not is_pc(state[who])])


def specials(state: State, who: Id) -> tuple[Special, ...]:
    block = monster(state, who)
    return block.specials + tuple(special for mode in block.attacks for special in mode.specials)


def uses_left(state: State, who: Id, special: Special) -> int | None:
    """Return how often a special can still be used in this combat (A26); None: without limit."""
    if special.uses is None:
        return None
    return special.uses - int(cast(int, state[who].fact(f"used:{special.name}", 0)))


def weapons(block: PC) -> tuple[Weapon, ...]:
    return (*block.weapons, UNARMED)


def derived(state: State, who: Id, name: str) -> Derived:
    combatant = state[who]
    if name == "ac":
        worn = combatant.block.ac if isinstance(combatant.block, PC | Monster) else 0
        found = Derived.total(
            (Part("armour", worn), Part("destroyed", armour(state, who) - worn), *effect_parts(state, who, "ac"))
        )
        return found if found.value >= 0 else Derived(0, (*found.parts, Part("not below 0", -found.value)))
    if name in ABILITIES and is_pc(combatant):
        own: int = getattr(pc(state, who).scores, name)
        return Derived.total((Part(name, own), *effect_parts(state, who, name)))
    if name == "angst" and is_pc(combatant):
        return Derived.total((Part("Angst", angst(state, who)), *effect_parts(state, who, name)))
    return Derived(0, text="-")


REVIEWED = "reviewed"
"""The fact of the fight that says that the form after the combat has been filled in."""


def set_harm(ctx: Ctx, who: Id, now: str, *rules: str, source: Id | None = None) -> None:
    was = harm(ctx.state[who])
    ctx.fact(who, "harm", now, *rules, source=source)
    if was != now:
        ctx.note(f"Harm {was} → {now}", *rules, about=who)


def set_ac(ctx: Ctx, who: Id, now: int, *rules: str, why: str = "") -> None:
    was = armour(ctx.state, who)
    ctx.fact(who, "ac", now, *rules)
    if was != now:
        ctx.note(f"{why}, AC {was} → {now}" if why else f"AC {was} → {now}", *rules, about=who)


def set_angst(ctx: Ctx, who: Id, now: int, *rules: str) -> None:
    was = angst(ctx.state, who)
    ctx.fact(who, "angst", now, *rules)
    if was != now:
        ctx.note(f"Angst {was} → {now}", *rules, about=who)


STATUSES = (
    Status("up", "up", " ", acts=True),
    Status("incapacitated", "incapacitated", "z"),
    Status("dead", "dead", "†", takes_part=False),
    Status("slain", "slain", "x", takes_part=False),
    Status("gone", "gone", "-", takes_part=False, left=True),
)


COMBAT = (At("combat_end"),)

PARALYSED = NamedEffect("paralysed", "paralysed", COMBAT, "GH-067", stacking="by_source")
HIDDEN = NamedEffect("hidden", "hidden", COMBAT, "GH-016")
ADVISED = NamedEffect("advised", "advised", (At("round_end", count=2),), "GH-218")
READY = NamedEffect("ready", "ready", COMBAT, "GH-219")
STUCK = NamedEffect("stuck", "stuck", COMBAT, "GH-072", stacking="by_source")
POISONED = NamedEffect("poisoned", "poisoned", COMBAT, "GH-055", stacking="by_source")
GUARDING = NamedEffect("guarding", "guarding", COMBAT, "GH-209")
DISTURBED = NamedEffect("disturbed", "disturbed", COMBAT, "GH-221")
SPOILED_TURN = NamedEffect("spoiled_turn", "spoiled turn", (At("round_end"),), "GH-214")
DYING = NamedEffect("dying", "dying", (), "GH-122")

EFFECTS = (PARALYSED, HIDDEN, ADVISED, READY, STUCK, POISONED)
"""Those the referee can give by name; the others come with an action alone."""

ROUNDS = "{n} rounds"

MOMENTS = (
    Moment("until removed", ()),
    Moment(ROUNDS, (At("round_start"),)),
    Moment("{n} monster phases", (At("phase_start", phase="monsters"),)),
    Moment("end of the round", (At("round_end"),)),
    Moment("end of the next round", (At("round_end", count=2),)),
    Moment("start of the next monster phase", (At("phase_start", phase="monsters"),)),
    Moment("end of the combat", (At("combat_end"),)),
)
