"""A small made-up game and fight for the views. Two sides, a wolf who has charged, a goblin who is down."""

from __future__ import annotations

from msgspec import Struct
from msgspec.structs import replace

from tracker.core.fight.slots import Clock, Slot
from tracker.core.fight.state import Combatant, Pool, Side, State
from tracker.core.game.ruleset import Ruleset
from tracker.core.game.schema import Badge, Column, Schema, Status
from tracker.core.step.ctx import Ctx
from tracker.core.terms.actions import Action, ActionSpec
from tracker.core.terms.derived import Derived, Part
from tracker.core.terms.dice import Dice
from tracker.core.terms.effects import Effect, Modifier
from tracker.core.terms.encounter import TimedNote, Wave
from tracker.core.terms.labels import Rule, RuleBook
from tracker.core.terms.moments import At
from tracker.core.terms.values import Data


class Blow(Struct, frozen=True):
    name: str
    damage: Dice
    reach: int = 1


class Beast(Struct, Data, frozen=True, tag=True):
    name: str
    hit_dice: int = 1
    armour: int = 10
    attacks: tuple[Blow, ...] = ()
    tactics: str = ""
    swims: bool = False


def health(state: State, who: str) -> str:
    pool = state[who].pool("hp")
    return f"{pool.now}/{pool.max}"


def armour(state: State, who: str) -> str:
    return str(derived(state, who, "ac").value)


def derived(state: State, who: str, name: str) -> Derived:
    block = state[who].block
    assert isinstance(block, Beast)
    modifiers = [
        Part(effect.shown, modifier.amount, effect.rule)
        for effect in state[who].effects
        for modifier in effect.modifiers
        if modifier.stat == name
    ]
    return Derived.total([Part("hide", block.armour), *modifiers])


def badges(state: State, who: str) -> tuple[Badge, ...]:
    left = state[who].left
    text = ("M" if left("main") else "·") + ("V" if left("move") else "·")
    return (Badge(text, "Main and Move", "budget"),)


def open_round(ctx: Ctx) -> None:
    raise NotImplementedError


def perform(ctx: Ctx, action: Action) -> None:
    raise NotImplementedError


def actions(state: State, who: str | None) -> tuple[ActionSpec, ...]:
    return ()


def form(state: State, action: Action) -> ActionSpec | None:
    return None


RULES = RuleBook(
    (
        Rule("T-1", "Charging", "Whoever charges is easier to hit until the round ends.\nTwice the distance.", "auto"),
        Rule("T-2", "Screening", "An ally stands in the way.", "ask", "screens"),
    )
)


def hit_dice(state: State, who: str) -> str:
    return str(state[who].block.hit_dice)  # type: ignore[attr-defined]  # a Beast


RULESET = Ruleset(
    "toy",
    "Toy Fights",
    1,
    Schema((("beast", Beast),), derived=("ac",)),
    open_round,
    actions,
    form,
    perform,
    rulebook=RULES,
    columns=(
        Column("hp", "HP", 5, health, "right", bar="hp"),
        Column("ac", "AC", 3, armour, "right", priority=1),
        Column("hd", "HD", 2, hit_dice, "right", priority=2),
    ),
    statuses=(
        Status("up", "up", acts=True),
        Status("down", "down", "x"),
        Status("fled", "fled", "-", takes_part=False),
        Status("hidden", "hidden", "?", True),
    ),
    badges=badges,
    derived=derived,
)

SCREENED = Effect("screened", "ava", 1, "brin", (At("turn_start", "who:ava"),), title="screened by Brin")
CHARGING = Effect("charging", "wolf", 2, "wolf", (At("round_end"),), (Modifier("ac", -2),), rule="T-1")
PRONE = Effect("prone", "goblin-1", 3, "wolf")


def combatant(
    key: str,
    name: str,
    label: str,
    side: str,
    now: int,
    full: int,
    main: int = 1,
    move: int = 1,
    status: str = "up",
    *effects: Effect,
) -> Combatant:
    block = Beast(name, armour=12, attacks=(Blow("bite", Dice.parse("1d8+1")),))
    budget = (("main", main), ("move", move))
    return Combatant(key, name, label, side, "beast", block, status, (Pool("hp", now, full),), budget, effects=effects)


PARTY = Slot("r2/party", "Party", "party", members=("ava", "wolf", "brin"), side="party", info="7")
GOBLINS = Slot(
    "r2/goblins", "Goblins", "goblins", members=("goblin-1", "goblin-2", "goblin-3"), side="goblins", info="4"
)
CLOCK = Clock(2, 12, (PARTY, GOBLINS), "r2/party", ("r2/party",), True, "wolf", ("ava", "wolf", "brin"))


def fight(**changes: object) -> State:
    """Return the fight in the second round, in the party's slot. Keyword arguments replace parts of the state."""
    state = State(
        "toy",
        "Goblin ambush",
        clock=CLOCK,
        sides=(Side("party", "Party", "players"), Side("goblins", "Goblins", "gm")),
        combatants=(
            combatant("ava", "Ava", "a", "party", 9, 20, 0, 0, "up", SCREENED),
            combatant("wolf", "Wolf", "w", "party", 22, 28, 1, 0, "up", CHARGING),
            combatant("brin", "Brin", "b", "party", 18, 18),
            combatant("goblin-1", "Goblin 1", "g", "goblins", 3, 7, 1, 1, "up", PRONE),
            combatant("goblin-2", "Goblin 2", "h", "goblins", 7, 7),
            combatant("goblin-3", "Goblin 3", "i", "goblins", 0, 7, 1, 1, "down"),
        ),
        waves=(Wave("goblins", (), "round 3", "worgs"), Wave("goblins", (), "", "by hand")),
        reminders=(TimedNote("the ford rises", "start of round 4"), TimedNote("they want the mule")),
        serial=3,
    )
    other: State = replace(state, **changes)
    return other


def changed(state: State, who: str, **values: object) -> State:
    """Return a fight in which one combatant has other values."""
    people = tuple(replace(one, **values) if one.id == who else one for one in state.combatants)
    return replace(state, combatants=people)


def named(name: str) -> State:
    """Return a fight in which everything that has a name has this one."""
    state = fight()
    effect = replace(CHARGING, title=name, name=name)
    people = tuple(
        replace(one, name=name, effects=(effect,) if one.id == "wolf" else one.effects, notes=(name,))
        for one in state.combatants
    )
    slots = (replace(PARTY, title=name, info=name), replace(GOBLINS, title=name, side=None))
    sides = tuple(replace(side, name=name) for side in state.sides)
    waves = (Wave("goblins", (), "round 3", name),)
    reminders = (TimedNote(name, "end of round 3"),)
    return replace(
        state,
        title=name,
        combatants=people,
        sides=sides,
        clock=replace(CLOCK, slots=slots),
        waves=waves,
        reminders=reminders,
    )


def shown(rows: object) -> list[str]:
    """Return rows as plain lines without the blanks at their ends."""
    return [row.text.rstrip() for row in rows]  # type: ignore[attr-defined]  # rows of any view
