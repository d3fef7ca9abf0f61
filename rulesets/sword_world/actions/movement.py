"""Movement, brawls and free actions of a turn (SW-037 to SW-064, SW-067 to SW-088)."""

from __future__ import annotations

from rulesets.sword_world.fields import given
from rulesets.sword_world.order import zones
from rulesets.sword_world.order.opening import ECONOMY, keep_able
from rulesets.sword_world.order.rounds import close_turn, open_turn
from rulesets.sword_world.stats import stats
from rulesets.sword_world.stats.effects import FULL_MOVE, LEAVING, STOOD_UP
from tracker.core.fight.events import Checked, Moved
from tracker.core.fight.slots import Id
from tracker.core.fight.state import State
from tracker.core.step import fields
from tracker.core.step.ctx import Ctx
from tracker.core.terms.actions import Action, Option
from tracker.core.terms.derived import Part
from tracker.core.terms.errors import Refusal
from tracker.kit.economy import budget

FOLLOWS = {"full": ("SW-041", "SW-043"), "normal": ("SW-044", "SW-045", "SW-046"), "short": ("SW-047", "SW-049")}
"""The rules of each kind of movement, and of what may follow it."""


def start_turn(ctx: Ctx, action: Action) -> None:
    open_turn(ctx, str(action.by))


def end_turn(ctx: Ctx, action: Action) -> None:
    close_turn(ctx, str(action.by))


# -- movement ----------------------------------------------------------------------------------------------------------


def interceptors(state: State, who: Id, named: tuple[Id, ...]) -> tuple[Id, ...]:
    """Return the enemies who may start a brawl with a mover that comes near.

    They are able, in no zone, and not outnumbered by its body (SW-068, SW-R19).
    """
    free = tuple(one for one in dict.fromkeys(named) if _is_free_enemy(state, one, who))
    together = sum(stats.sections(state, one) for one in free)
    return () if barred_by_size(stats.body_sections(state, who), together) else free


def _is_free_enemy(state: State, one: Id, who: Id) -> bool:
    if not stats.able(state, one) or stats.zone_of(state, one) is not None:
        return False
    return stats.camp_of(state, one) != stats.camp_of(state, who)


def barred_by_size(body: int, together: int) -> bool:
    """Tell whether a body is too big to be held by so many sections (SW-087, SW-088, SW-R19)."""
    return body > together


def move(ctx: Ctx, action: Action) -> None:
    """Move once, in one kind of movement (SW-039 to SW-049).

    An enemy on the way may start a brawl, and a zone may hold the mover.
    """
    who, kind = str(action.by), str(action.get("kind"))
    keep_able(ctx, who)
    ECONOMY.take(ctx, who, budget(move=1), "SW-039", "SW-R10")
    ctx.fact(who, "moved", kind, "SW-040", *FOLLOWS[kind])
    left = stats.zone_of(ctx.state, who)
    if left is not None:
        zones.leave_zone(ctx, left, who, "SW-097", "SW-098")
        ctx.note(f"leaves {zones.brawl(left)}", "SW-097", "SW-098", about=who)
    if kind == "full":
        ctx.add_effect(FULL_MOVE.on(who), "SW-042", "SW-R07")
    to = given(action, "to")
    if to is not None:
        ctx.emit(Moved(who, ctx.state[who].position, (to,)), "SW-039")
    ctx.settle()
    approached, passed = fields.texts(action.get("approaches")), fields.texts(action.get("passes"))
    named = tuple(dict.fromkeys((*approached, *passed)))
    for enemy in named:
        if _stopped(ctx, who, enemy, named, ("SW-068" if enemy in approached else "SW-083", "SW-069")):
            return
    if through := fields.text(action, "passes_through"):
        _pass_through(ctx, who, through)


def _stopped(ctx: Ctx, who: Id, enemy: Id, named: tuple[Id, ...], rules: tuple[str, ...]) -> bool:
    """Ask an enemy for a brawl, and return whether the mover is held."""

    def alone(state: State) -> bool:
        return stats.sections(state, enemy) >= stats.body_sections(state, who)

    def fighters(state: State) -> tuple[Id, ...]:
        return (enemy, who) if alone(state) else (*interceptors(state, who, named), who)

    answer = ctx.choose(
        f"brawl:{enemy}",
        lambda state: (
            Option("no_brawl", "no brawl"),
            Option("brawl", refusal=_too_many(state, fighters(state))),
            Option("forbidden", "the GM forbids it"),
        ),
        *rules,
        default="no_brawl",
        who=enemy,
        why=f"start a brawl with {ctx.state.name(who)}?",
        to="gm",
        asked_if=lambda state: stats.zone_of(state, who) is None and enemy in interceptors(state, who, named),
    )
    if answer != "brawl":
        return answer is None and stats.zone_of(ctx.state, who) is not None  # drawn into a brawl meanwhile
    more = () if alone(ctx.state) else ("SW-R19",)
    key = zones.form_zone(ctx, fighters(ctx.state), *rules, *more, starter=enemy)
    ctx.note(f"{zones.zone_name(ctx.state, key)}; the movement is over", *rules)
    return True


def _too_many(state: State, fighters: tuple[Id, ...]) -> Refusal | None:
    most = zones.fitting_capacity(state)
    if sum(stats.sections(state, one) for one in fighters) <= most:
        return None
    return Refusal("no_room", f"a brawl here holds {most}", "SW-079")


def _pass_through(ctx: Ctx, who: Id, key: str) -> None:
    """Pass through a zone, or be held in it (SW-082 to SW-085, SW-087, SW-R17, SW-R18)."""

    def open_way(state: State) -> bool:
        return stats.has_zone(state, key) and stats.zone_of(state, who) is None

    def enemy(state: State) -> Id | None:
        own = stats.camp_of(state, who)
        return next((one for one in stats.zone(state, key).participants if stats.camp_of(state, one) != own), None)

    chosen = ctx.choose(
        f"pass:{key}",
        (Option("let_pass", "let it pass"), Option("brawl", "hold it: a brawl")),
        *("SW-081", "SW-083", "SW-R17", "SW-R18"),
        default="let_pass",
        who=enemy,
        why=f"let {ctx.state.name(who)} pass through {zones.brawl(key)}?",
        to="gm",
        asked_if=lambda state: open_way(state) and zones.passing(state, who, key) != "passes",
    )
    if chosen is None and open_way(ctx.state):
        held, own = stats.zone(ctx.state, key), stats.camp_of(ctx.state, who)
        allies, enemies = stats.occupancy(ctx.state, held, own), stats.occupancy(ctx.state, held, stats.other(own))
        ctx.emit(
            Checked(
                "passing through",
                who,
                allies,
                "passes",
                parts=(Part("allies in the zone", allies),),
                against=enemies,
                against_what="enemies in it",
            ),
            "SW-082" if enemies * 2 < allies else "SW-087",
        )
    if chosen == "brawl":
        zones.join_zone(ctx, key, who, "SW-084")
        ctx.note(f"is held in {zones.brawl(key)}; the movement is over", "SW-084", about=who)


# -- brawls ------------------------------------------------------------------------------------------------------------


def declare_brawl(ctx: Ctx, action: Action) -> None:
    """Start a brawl: a free action (SW-057, SW-067, SW-069 to SW-071)."""
    key = zones.form_zone(
        ctx,
        (str(action.by), str(action.get("enemy")), *fields.texts(action.get("together_with"))),
        *("SW-057", "SW-067", "SW-069"),
        radius=given(action, "radius"),
        capacity=None if action.get("capacity") is None else fields.number(action, "capacity"),
    )
    radius = stats.zone(ctx.state, key).radius
    ctx.note(f"{zones.brawl(key)}, radius {radius:g} m", "SW-070", "SW-078", about=str(action.by))


def join_brawl(ctx: Ctx, action: Action) -> None:
    """Join a brawl: a free action (SW-076)."""
    zones.join_zone(ctx, str(action.get("zone")), str(action.by), "SW-057", "SW-076")


def leave_brawl(ctx: Ctx, action: Action) -> None:
    """Declare leaving a brawl, which is allowed from the next turn on (SW-094 to SW-097)."""
    who = str(action.by)
    ECONOMY.take(ctx, who, budget(standard=1), "SW-095", "SW-050")
    ctx.fact(who, "leaving", stats.zone_of(ctx.state, who), "SW-095", "SW-R14")
    ctx.add_effect(LEAVING.on(who), "SW-096", "SW-R07")


# -- free actions ------------------------------------------------------------------------------------------------------


def stand_up(ctx: Ctx, action: Action) -> None:
    """Stand up, at a penalty to Fortitude and Willpower until the turn ends (SW-060, SW-061)."""
    who = str(action.by)
    ctx.end_named(who, "prone", "", "SW-053", "SW-060")
    ctx.add_effect(STOOD_UP.on(who, title="stood up"), "SW-061")


def stowed_now(state: State, who: Id) -> tuple[str, ...]:
    """Return the weapons put away in this round.

    They cannot be drawn before the next one (SW-063, SW-R45).
    """
    held = state[who].fact("stowed", ())
    pairs = held if isinstance(held, tuple) else ()
    return tuple(str(pair[0]) for pair in pairs if isinstance(pair, tuple) and pair[1] == state.clock.round)


def change_weapon(ctx: Ctx, action: Action) -> None:
    """Put away or drop what is in hand, and take something else (SW-062 to SW-064, SW-R46)."""
    who, how, take = str(action.by), str(action.get("put_away") or ""), action.get("take")
    hand = str(ctx.state[who].fact("hand", "") or "")
    if hand and how == "stow":
        held = ctx.state[who].fact("stowed", ())
        kept = (
            tuple(pair for pair in held if isinstance(pair, tuple) and pair[0] != hand)
            if isinstance(held, tuple)
            else ()
        )
        ctx.fact(who, "stowed", (*kept, (hand, ctx.state.clock.round)), "SW-063", "SW-R45")
        ctx.fact(who, "hand", "", "SW-062", "SW-063")
    elif hand and how == "drop":
        dropped = ctx.state[who].fact("dropped", ())
        ctx.fact(who, "dropped", (*(dropped if isinstance(dropped, tuple) else ()), hand), "SW-064")
        ctx.fact(who, "hand", "", "SW-062", "SW-064")
    if isinstance(take, str) and take:
        ctx.fact(who, "hand", take, "SW-062", "SW-R46")
