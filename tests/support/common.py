"""What the made-up rulesets share. A stat block, its pool, who is down, and a plain attack."""

from __future__ import annotations

from msgspec import Struct

from tracker.core.clock.joining import leave
from tracker.core.fight.events import CombatantLeft, PoolSet
from tracker.core.fight.slots import Id
from tracker.core.fight.state import Combatant, Pool, State
from tracker.core.game.schema import Status
from tracker.core.step.ctx import Ctx
from tracker.core.terms.actions import Field, Option
from tracker.core.terms.dice import Dice
from tracker.core.terms.encounter import Encounter, Member, SideSetup, Wave
from tracker.core.terms.values import Data

STATUSES = (Status("up", "up", acts=True), Status("down", "down", "x"), Status("gone", "gone", "-", takes_part=False))


class Fighter(Struct, Data, frozen=True, tag=True, forbid_unknown_fields=True):
    """The stat block of every made-up ruleset."""

    name: str
    hp: Dice = Dice(plus=6)
    ac: int = 12
    to_hit: int = 2
    defence: int = 4
    speed: int = 0
    damage: Dice = Dice.of(1, 6)
    spell: bool = False


def member(name: str, count: int | str = 1, kind: str = "monster", hp: int = 6, **stats: object) -> Member:
    """Enlist so many fighters."""
    block = Fighter(name, Dice(plus=hp), **stats)  # type: ignore[arg-type]  # the caller's keywords are the Struct's own
    return Member(block, name, kind, Dice.parse(str(count)), ref=name.lower())


def encounter(
    ruleset: str, *, party: tuple[Member, ...] = (), foes: tuple[Member, ...] = (), waves: tuple[Wave, ...] = ()
) -> Encounter:
    """Prepare a fight of two sides. Without members, of Ada and Bo against three goblins."""
    heroes = party or (member("Ada", kind="pc", hp=8, speed=2), member("Bo", kind="pc", hp=8, speed=1, spell=True))
    goblins = foes or (member("Goblin", 3, hp=3, speed=1),)
    sides = (SideSetup("party", "Party", "players", heroes), SideSetup("goblins", "Goblins", "gm", goblins))
    return Encounter(ruleset, "A made-up fight", sides, waves=waves)


def block(combatant: Combatant) -> Fighter:
    """Return the stat block."""
    assert isinstance(combatant.block, Fighter)
    return combatant.block


def able(state: State, who: Id | None) -> bool:
    """Tell whether a combatant is in the fight and on its feet."""
    combatant = state.get(who)
    return combatant is not None and combatant.status == "up"


def enlist(ctx: Ctx, who: Id) -> None:
    """Give a newcomer its hit points."""
    dice = block(ctx.state[who]).hp
    full = dice.plus + ctx.roll(f"hp:{who}", dice, "T-01", who=who, why="hit points", setup=True)
    ctx.emit(PoolSet(who, None, Pool("hp", full, full, floor=-3)), "T-01")


def draw_conclusions(ctx: Ctx) -> None:
    """Put down who has no hit points left, and up again who has some."""
    for combatant in ctx.state.combatants:
        if combatant.has_pool("hp") and combatant.status in ("up", "down"):
            ctx.status(combatant.id, "up" if combatant.hp > 0 else "down", "T-02")


def take_out(ctx: Ctx, who: Id) -> None:
    """Take a combatant out of the fight as the rules do."""
    leave(ctx, who, "flees", "T-03")
    assert any(isinstance(entry.event, CombatantLeft) for entry in ctx.entries)


def foes(state: State, who: Id | None) -> tuple[Option, ...]:
    """Return the other sides' members who are on their feet."""
    own = state[who].side if who is not None else ""
    return tuple(
        Option(other.id, other.name) for other in state.combatants if other.side != own and other.status == "up"
    )


def target_field(state: State, who: Id | None, everybody: bool = False) -> Field:
    """Return the field that names whom an action concerns."""
    options = tuple(Option(other.id, other.name) for other in state.combatants) if everybody else foes(state, who)
    return Field("target", "combatant", required=True, options=options, default=options[0].key if options else None)


def hurt(ctx: Ctx, who: Id, amount: int, *rules: str, source: Id | None = None) -> None:
    """Take hit points and draw the conclusions."""
    ctx.change(who, "hp", ctx.state[who].hp - amount, *rules, source=source)
    ctx.settle()
