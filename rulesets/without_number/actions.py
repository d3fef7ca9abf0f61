"""What combatants and the GM do in both games: attacks, swarms, held turns, items, statuses."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol, TypeVar

from msgspec import Struct
from msgspec.structs import replace

from rulesets.without_number.aftermath import HARM, WORDS, Form, Swarm, swarm_title
from tracker.core.fight.events import Checked, EffectChanged
from tracker.core.fight.slots import Id
from tracker.core.fight.state import Combatant, State
from tracker.core.game.action_types import ActionType, Budget
from tracker.core.step.ctx import Ctx
from tracker.core.step.fields import ids, options, share_fields, text, whole
from tracker.core.terms.actions import Action, Field, Option
from tracker.core.terms.derived import Derived, Part
from tracker.core.terms.dice import Dice
from tracker.core.terms.effects import Effect
from tracker.core.terms.errors import Refusal
from tracker.core.terms.moments import At
from tracker.core.terms.words import needs

# -- the form of an attack in both games: targets, and weapons with what forbids them ----------------------------------


REMOVED = ("dead", "gone")


def out_of_reach(other: Combatant) -> Refusal | None:
    """Refuse a target that is dead or gone."""
    return Refusal("no_target", f"{other.name} is {other.status}", "") if other.status in REMOVED else None


def against_oneself(state: State, action: Action, who: Id | None, rule: str) -> Refusal | None:
    """Refuse a check that its own roller opposes."""
    if not who or text(action, "opponent") != who:
        return None
    return Refusal("same_person", f"{state.name(who)} makes the check: another opposes it", rule, forcible=False)


def weapon_option(name: str, dice: str, shock: str, held: str, unloaded: str) -> Option:
    """Return a weapon as an option.

    `held` and `unloaded` are the rules that forbid it in a grapple and before it is loaded, or empty.
    """
    refusal = None
    if held:
        refusal = Refusal("grappled", f"{name}: only unarmed attacks, fangs and claws in a grapple", held)
    elif unloaded:
        refusal = Refusal("not_loaded", f"{name} has to be loaded first", unloaded)
    return Option(name, note=dice + (f" shock {shock}" if shock else ""), refusal=refusal)


# -- what the GM does by hand in both games: harm and statuses ---------------------------------------------------------


GROUP = "game master"


def pool() -> Field:
    """Return the field for the pool that harm or healing changes."""
    return Field("pool", "choice", default="hp", options=(Option("hp"),), page="more")


def damage_fields(state: State, *own: Field) -> tuple[Field, ...]:
    """Return the form of harm: how much, to whom, in which shares.

    `own` are fields of the game.
    """
    people = options(state.combatants)
    return (
        Field("amount", "number", required=True, minimum=0),
        Field("targets", "combatants", required=True, options=people),
        *share_fields(people),
        *own,
        pool(),
    )


def status_action(statuses: Sequence[str], at_zero: Sequence[str]) -> ActionType:
    """Return the action that sets a status, and the hit points that go with it."""
    offered = tuple(Option(status, WORDS.get(status, "")) for status in statuses)

    def fields(state: State, action: Action) -> tuple[Field, ...]:
        return (
            Field("targets", "combatants", required=True, options=options(state.combatants)),
            Field("status", "choice", required=True, options=offered),
        )

    def perform(ctx: Ctx, action: Action) -> None:
        now = text(action, "status")
        for who in ids(action, "targets"):
            ctx.fact(who, HARM, None)
            if now == "up" and ctx.state[who].hp == 0:
                ctx.change(who, "hp", 1, why=now)
            elif now in at_zero and ctx.state[who].hp > 0:
                ctx.change(who, "hp", 0, why=now)
            ctx.status(who, now)

    return ActionType("status", "Change the status", perform=perform, fields=fields, group=GROUP)


def not_prone(state: State, action: Action, rule: str) -> Refusal | None:
    """Refuse to stand up to one that stands."""
    if action.by is None or state[action.by].has("prone"):
        return None
    return Refusal("not_prone", f"{state.name(action.by)} stands already", rule, forcible=False)


def prone_already(state: State, action: Action, rule: str) -> Refusal | None:
    """Refuse to go prone to one that lies."""
    if action.by is None or not state[action.by].has("prone"):
        return None
    return Refusal("prone", f"{state.name(action.by)} lies already", rule, forcible=False)


def not_grappled(state: State, action: Action, rule: str) -> Refusal | None:
    """Refuse an escape to one that nobody holds."""
    if action.by is None or state[action.by].has("grappled"):
        return None
    return Refusal("not_grappled", f"{state.name(action.by)} is not grappled", rule, forcible=False)


# -- items in both games: reloading, readying, and a roll for anything else --------------------------------------------


class Named(Protocol):
    """A weapon, as far as a form knows it."""

    @property
    def name(self) -> str:
        """Its name, unique within the stat block."""


N = TypeVar("N", bound=Named)


def wanted(empty: Sequence[N], action: Action) -> N | None:
    """Return the empty weapon that a form names, else the first."""
    return next((arm for arm in empty if arm.name == text(action, "weapon")), empty[0] if empty else None)


def reload_action(
    label: str,
    rule: str,
    price: Callable[[State, Action], Budget],
    perform: Callable[[Ctx, Action], None],
    empty: Callable[[State, Id | None], Sequence[Named]],
) -> ActionType:
    """Return the action that loads one of the weapons that are empty."""

    def fields(state: State, action: Action) -> tuple[Field, ...]:
        names = [arm.name for arm in empty(state, action.by)]
        usual = names[0] if names else None
        return (Field("weapon", "choice", default=usual, options=tuple(Option(name) for name in names), required=True),)

    def refusal(state: State, action: Action) -> Refusal | None:
        if action.by is None or empty(state, action.by):
            return None
        return Refusal("nothing_to_reload", "nothing has to be reloaded", rule, forcible=False)

    return ActionType("reload", label, rule, "by weapon", price, "turn", perform, fields, refusal, group="items")


def item_field(names: Sequence[str]) -> Field:
    """Return the field for an item, its owner's weapons suggested."""
    return Field("item", "text", default=names[0] if names else "", note=", ".join(names))


def ready_field() -> Field:
    """Return the choice between readying and stowing."""
    return Field("what", "choice", default="ready", options=(Option("ready"), Option("stow")))


def ready(ctx: Ctx, action: Action, rule: str) -> None:
    """Tell that an item is readied or stowed."""
    verb = "stows" if text(action, "what") == "stow" else "readies"
    ctx.note(f"{verb} {text(action, 'item')}".rstrip(), rule, about=action.by)


def roll_for(ctx: Ctx, who: Id, written: str, why: str, rule: str) -> None:
    """Make the roll that an action of the GM's own naming asks for, if any."""
    if written:
        dice = Dice.parse(written)
        ctx.roll("roll", dice, rule, who=who, why=why)


# -- the course of an attack in both games: the roll, its odds, its telling --------------------------------------------


def go_on_while_up(ctx: Ctx, who: Id) -> None:
    """Let the action in hand end when its actor drops."""
    name = ctx.state.name(who)
    ctx.guard(lambda state: who in state and state[who].status == "up", f"{name} can no longer act")


def aimed(added: int, against: int, ac: str, naturals: bool) -> str:
    """Return what an attack roll needs, for the question."""
    return needs(added, against, ac, 2 if naturals else 1, 20, "hits", sure=naturals)


def tell(
    ctx: Ctx, actor: Id, target: Id, parts: Sequence[Part], against: Derived, ac: str, hit: bool, rules: Sequence[str]
) -> None:
    """Tell the result of an attack roll."""
    total, result = sum(part.amount for part in parts), "hit" if hit else "miss"
    ctx.emit(
        Checked("attack", actor, total, result, target, tuple(parts), against.value, ac, against.parts, success=hit),
        *rules,
    )


def tell_verdict(ctx: Ctx, actor: Id, target: Id, total: int, hit: bool, *rules: str) -> None:
    """Tell the result of an attack roll that a power has turned, whatever the numbers say."""
    result = "hit" if hit else "miss"
    ctx.emit(Checked("attack", actor, total, result, target, success=hit), *rules)


def ruled(ctx: Ctx, key: str, computed: int) -> int:
    """Return a number, unless the GM has overruled it."""
    return whole(ctx.ruling(key, computed), computed)


# -- swarm Attacks: who has joined one, and who of them can still act --------------------------------------------------


class Swarms(Struct, frozen=True):
    """The swarms of a game.

    Attributes:
        kind: the Struct its journals keep them in.
        can_act: who may take part.
        joining: the rule by which an assailant joins.
        opened: the rules by which the swarm stands.
    """

    kind: type[Swarm]
    can_act: Callable[[State, Id], bool]
    joining: str
    opened: tuple[str, ...]

    def open(self, state: State, target: Id, side: Id, name: str = "swarm") -> Effect | None:
        """Return a side's swarm on a target that has not struck yet."""
        for effect in state.borne(target):
            if effect.name == name and isinstance(effect.data, Swarm) and effect.data.side == side:
                return effect
        return None

    def assailants(self, state: State, target: Id, side: Id) -> tuple[Id, ...]:
        """Return the members of a side's swarm on a target who can still act."""
        effect = self.open(state, target, side)
        data = effect.data if effect is not None else None
        members = data.members if isinstance(data, Swarm) else ()
        return tuple(who for who in members if self.can_act(state, who) and state[who].side == side)

    def form(self, state: State, target: Id, who: Id) -> Form:
        """Return what a member of a swarm has typed for its strike when it joined."""
        effect = self.open(state, target, state[who].side)
        data = effect.data if effect is not None else None
        return dict(data.forms).get(who, ()) if isinstance(data, Swarm) else ()

    def targets(self, state: State, who: Id) -> tuple[Id, ...]:
        """Return the targets of the swarms a combatant has joined."""
        side = state[who].side
        beset = [other.id for other in state.combatants if other.effects]
        return tuple(target for target in beset if who in self.assailants(state, target, side))

    def join(self, ctx: Ctx, who: Id, target: Id, form: Form = ()) -> None:
        """Join the swarm on a target, or open it."""
        side = ctx.state[who].side
        held = self.open(ctx.state, target, side)
        known = held.data if held is not None and isinstance(held.data, Swarm) else Swarm(side)
        members = (*(one for one in known.members if one != who), who)
        forms = (*(pair for pair in known.forms if pair[0] != who), *(((who, form),) if form else ()))
        title, data = swarm_title(members), self.kind(side, members, forms)
        if held is not None:
            ctx.emit(EffectChanged(held, replace(held, data=data, title=title)), self.joining)
            return
        until = (At("round_end"),)
        ctx.add_effect(Effect("swarm", target, until=until, data=data, stacking="add", title=title), *self.opened)
