"""The forms of what PCs do, and what forbids it (section 6)."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from rulesets.githack.actions.gm_actions import ability, edge
from rulesets.githack.stat_blocks.models import PC, STANCES
from rulesets.githack.stats import stats
from tracker.core.fight.cache import per_object
from tracker.core.fight.slots import Id
from tracker.core.fight.state import Combatant, State
from tracker.core.game.action_types import ActionType
from tracker.core.terms.actions import Action, Field, Option
from tracker.core.terms.errors import Refusal
from tracker.kit import fields as forms

TEXT = Field("text", "text")
IN_RANGE = Field("in_range", "flag", "in range", True)


@per_object
def _advantage(block: PC) -> Field:
    """Return the field for Advantage, with the PC's Backgrounds as a reminder (GH-106)."""
    backgrounds = block.backgrounds
    return edge(label="Advantage", note=f"Backgrounds: {', '.join(backgrounds)}" if backgrounds else "")


def attack_fields(state: State, action: Action) -> tuple[Field, ...]:
    standing = [combatant for combatant in stats.monsters(state) if combatant.status == "up"]
    side = state[str(action.by)].side
    return _attack_on(state, action, tuple([_foe(state, side, one) for one in standing]))


def strike_fields(state: State, action: Action) -> tuple[Field, ...]:
    """Return the form of a strike: an attack on the monster that attacks (GH-210)."""
    attacker = state.get(state.clock.acting)
    if attacker is None or stats.is_pc(attacker):
        return _attack_on(state, action, ())
    return _attack_on(state, action, forms.options((attacker,)), attacker.id)


def _foe(state: State, side: Id, foe: Combatant) -> Option:
    return Option(foe.id, foe.name, refusal=stats.own_side(state, foe.id) if foe.side == side else None)


def _attack_on(state: State, action: Action, foes: tuple[Option, ...], default: Id | None = None) -> tuple[Field, ...]:
    who = str(action.by)
    block, wanted = stats.pc(state, who), action.get("weapon")
    weapons = stats.weapons_of(block)
    chosen = next((weapon for weapon in weapons if weapon.name == wanted), weapons[0])
    return (
        Field("target", "combatant", required=True, options=foes, default=default),
        Field("weapon", "choice", default=weapons[0].name, required=True, options=_armoury(block)),
        ability(chosen.attack_with or block.attack_with),
        _advantage(block),
        IN_RANGE,
    )


@per_object
def _armoury(block: PC) -> tuple[Option, ...]:
    return tuple(
        Option(weapon.name, f"{weapon.name} {weapon.dice}" if weapon.dice.terms else weapon.name)
        for weapon in stats.weapons_of(block)
    )


def checked_fields(default: str, text: bool = True) -> Callable[[State, Action], tuple[Field, ...]]:
    """Return a form with a check, which is optional in a form with text."""

    def fields(state: State, action: Action) -> tuple[Field, ...]:
        rolled = ability(default, also=("none",)) if text else ability(default)
        return (*((TEXT,) if text else ()), rolled, _advantage(stats.pc(state, str(action.by))))

    return fields


def _people_fields(
    name: str, default: str, people: Callable[[State], Iterable[Combatant]]
) -> Callable[[State, Action], tuple[Field, ...]]:
    def fields(state: State, action: Action) -> tuple[Field, ...]:
        found = Field(name, "combatant", required=True, options=forms.options(people(state)))
        return (found, ability(default), _advantage(stats.pc(state, str(action.by))))

    return fields


def _holders(state: State) -> tuple[Combatant, ...]:
    gripping = {effect.source for _, effect, held in stats.grips(state) if held.continuing}
    return tuple([one for one in stats.monsters(state) if one.id in gripping])


def _dying(state: State) -> tuple[Combatant, ...]:
    return tuple(one for one in stats.pcs(state) if stats.dying(one))


pull_off_fields = _people_fields("monster", "str", _holders)
ally_fields = _people_fields("ally", "wis", _dying)


def observe_fields(state: State, action: Action) -> tuple[Field, ...]:
    allies = forms.options(combatant for combatant in stats.pcs(state) if combatant.id != action.by)
    what = Field("what", "choice", default="ready", required=True, options=(Option("ready"), Option("warn")))
    return (what, Field("ally", "combatant", options=allies, required=action.get("what") == "warn"))


def stance_fields(state: State, action: Action) -> tuple[Field, ...]:
    who = str(action.by)
    wards = forms.options(combatant for combatant in stats.pcs(state) if combatant.id != who)
    stances = tuple(
        Option(name, f"{name}, {stance.ability.upper()}", refusal=_crowded(state, who, name))
        for name, stance in STANCES.items()
    )
    return (
        Field("stance", "choice", required=True, options=stances),
        Field("ward", "combatant", options=wards),
        Field("place", "text", "or a place"),
    )


def usual(state: State, who: Id) -> str:
    """Return what stands first in a PC's list: a stance where one is needed (GH-204)."""
    return "stance" if stats.rules(state).stances and not stats.stance(state, who) else "attack"


def text_fields(state: State, action: Action) -> tuple[Field, ...]:
    return (TEXT,)


def _crowded(state: State, who: Id, name: str) -> Refusal | None:
    """Refuse a stance whose limit is reached (GH-223)."""
    limit: int | None = getattr(stats.setup(state).stance_limits, name)
    holders = [
        combatant
        for combatant in stats.pcs(state)
        if combatant.id != who and stats.in_fight(combatant) and combatant.fact("stance") == name
    ]
    if limit is None or len(holders) < limit:
        return None
    return Refusal("stance_limit", f"there is room for {limit} in {name}", "GH-223")


# -- what forbids it ---------------------------------------------------------------------------------------------------


def untimely(state: State, deed: ActionType, action: Action) -> Refusal | None:
    """Return why a PC cannot do this now: phase, main action, order, stance.

    `when` of a PC's deed is the stance it needs, `any stance`, `attack` (a stance that attacks), `no stance`, `free`
    (not even a main action), or `reaction` (at any time).
    """
    if deed.when == "reaction":
        return None
    combatant = state[str(action.by)]
    return (
        stats.over(state)
        or _unable(state, combatant, deed)
        or _other_phase(state, combatant)
        or (None if deed.when == "free" else _spent(state, combatant, deed))
        or _stance_forbids(state, combatant, deed)
    )


def _unable(state: State, combatant: Combatant, deed: ActionType) -> Refusal | None:
    """Refuse the helpless, unless they swing in Pursuit (GH-207, A31)."""
    if stats.acts(combatant) or (deed.when == "attack" and stats.swings(state, combatant)):
        return None
    return Refusal(
        "unable",
        f"{combatant.name} is {stats.blocked(combatant) or combatant.status}",
        "GH-121" if combatant.status != "up" else "GH-A18",
    )


def _other_phase(state: State, combatant: Combatant) -> Refusal | None:
    slot = state.clock.current
    if slot is None or slot.phase not in ("fast", "slow"):
        return Refusal("wrong_phase", "PCs act in the fast and the slow phase, after initiative", "GH-013")
    if combatant.id not in slot.members:
        rule = "GH-014" if slot.phase == "fast" else "GH-013"
        return Refusal("wrong_phase", f"{combatant.name} acts in the other phase", rule)
    return None


def _spent(state: State, combatant: Combatant, deed: ActionType) -> Refusal | None:
    """Refuse a second main action, and in strict order those whose turn has not come.

    The helpless are not waited for; who swings in Pursuit comes in its place all the same (GH-207).
    """
    if not combatant.left("main"):
        return Refusal("no_action_left", f"{combatant.name} has no main action left this round", "GH-A22")
    slot = state.clock.current
    if stats.rules(state).pc_order == "strict" and slot is not None and deed.key != "stance":
        waiting = [state[member] for member in slot.members if state[member].left("main")]
        first = next((one.id for one in waiting if stats.acts(one) or one.id == combatant.id), combatant.id)
        if first != combatant.id:
            return Refusal("not_your_turn", f"it is {state.name(first)}'s turn first", "GH-018")
    return None


def _stance_forbids(state: State, combatant: Combatant, deed: ActionType) -> Refusal | None:
    if not stats.rules(state).stances:
        off = deed.key in ("stance", "observe")
        return Refusal("no_stances", "stances are switched off", "GH-011") if off else None
    if deed.when in ("free", "no stance"):
        return None
    held = stats.stance(state, combatant.id)
    if not held:
        return Refusal("no_stance", f"{combatant.name} has to take up a stance first", "GH-204")
    if deed.when == "attack":
        if not STANCES[held].attack:
            return Refusal("stance", f"no attack in {held}", "GH-206")
        if held == "flank" and not combatant.has("hidden"):
            return Refusal("not_hidden", "an attack in Flank needs an unseen position", "GH-213")
        if combatant.has("spoiled_turn"):
            return Refusal("spoiled", "the enemy has spotted this attack", "GH-214")
        return None
    if deed.when in ("any stance", held):
        return None
    return Refusal("stance", f"{deed.label} needs the stance {deed.when}", "GH-204")


def no_strike(state: State, action: Action) -> Refusal | None:
    """Refuse a strike without the stance Defend, without a main action, or at nobody (GH-210)."""
    combatant, attacker = state[str(action.by)], state.get(state.clock.acting)
    if attacker is None or stats.is_pc(attacker) or not stats.here(state, attacker.id):
        text = f"{combatant.name} strikes only at a monster that attacks"
        return Refusal("no_attacker", text, "GH-210", forcible=False)
    able = stats.stance(state, combatant.id) == "defend" and stats.acts(combatant) and combatant.left("main") > 0
    return None if able else Refusal("no_strike", f"{combatant.name} has no strike left", "GH-210")


def no_holder(state: State, action: Action) -> Refusal | None:
    return None if _holders(state) else Refusal("no_holder", "no monster clings to a PC", "GH-073", forcible=False)


def no_dying(state: State, action: Action) -> Refusal | None:
    return None if _dying(state) else Refusal("no_dying", "no PC is dying", "GH-123", forcible=False)


def out_of_range(state: State, action: Action) -> Refusal | None:
    out = action.get("in_range", True) is False
    return Refusal("out_of_range", "the target is out of range", "GH-004") if out else None


def too_late(state: State, action: Action) -> Refusal | None:
    late = state.clock.phase != "fast"
    return Refusal("wrong_phase", "only the fast can wait", "GH-019") if late else None
