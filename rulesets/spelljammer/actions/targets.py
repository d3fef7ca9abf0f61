"""At whom an attack goes: the declared target, or another one (SJ-004, SJ-005).

Before every question the attacker and the target are looked at again.
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct
from msgspec.structs import replace

from rulesets.spelljammer.stat_blocks.models import Weapon
from rulesets.spelljammer.stats import stats
from rulesets.spelljammer.stats.chance import Options
from tracker.core.fight.slots import Id
from tracker.core.fight.state import State
from tracker.core.step.ctx import Ctx
from tracker.core.terms.actions import Option

TURNED = "turned_on"
"""The fact of whom a combatant turned on in this round, where its declared target was gone."""


NOBODY = Option("none", "nobody: the attack is wasted")


class Aim(Struct, frozen=True):
    """An attack under way.

    Attributes:
        who, target, weapon, options: by whom, at whom, with what, and what its form says.
        unable, status, foe: what spoke against the attacker, how the target stood, and whether it was a foe.
        seen: what not being seen adds to SC and DEF.
    """

    who: Id
    target: Id
    weapon: Weapon
    options: Options
    unable: str
    status: str
    foe: bool
    seen: tuple[int, int] = (0, 0)


def aim(state: State, who: Id, target: Id, weapon: Weapon, options: Options) -> Aim:
    """Return an attack as it begins."""
    one = state[target]
    return Aim(who, target, weapon, options, stats.unable(state[who]), one.status, one.side != state[who].side)


def recheck_target(ctx: Ctx, held: Aim, asked: str) -> Aim | None:
    """Look at an attack again before a question, after what was put there.

    Return it, turned on another target where the first one has fallen, left or changed sides; None: it is lost.
    """
    ctx.run_interrupts(asked)  # another target is asked for before this question
    now = stats.unable(ctx.state[held.who]) if held.who in ctx.state else "no longer in the fight"
    if now and now != held.unable:
        ctx.skip("the attack", f"{ctx.state.name(held.who)} is {now}", "SJ-006", who=held.who)
        return None
    one = ctx.state.get(held.target)
    same = one is not None and (one.status == held.status or one.status == "up")
    if one is not None and same and not (held.foe and one.side == ctx.state[held.who].side):
        return held
    if held.options.free:
        gone = f"{ctx.state.name(held.target)} is no longer there to be struck"
        ctx.skip("the free attack", gone, "SJ-128", who=held.who)
        return None
    target = ask_other_target(ctx, held.who, held.weapon, f"target@{asked}")
    return None if target is None else retarget(ctx.state, held, target)


def retarget(state: State, held: Aim, target: Id) -> Aim:
    """Return an attack that goes at another target.

    What was typed for the first one does not count for it.
    """
    return replace(aim(state, held.who, target, held.weapon, held.options.strayed()), unable=held.unable)


def _earlier(state: State, who: Id, standing: Sequence[Id]) -> Id:
    """Return whom a combatant turned on earlier in this round, "" for nobody who stands.

    Its other attacks of the round go there too, or are wasted as well.
    """
    held = state[who].fact(TURNED)
    return str(held) if held in (*standing, "none") else ""


def ask_other_target(ctx: Ctx, who: Id, weapon: Weapon, key: str) -> Id | None:
    """Ask for another target, None: the attack is wasted (SJ-004, SJ-005).

    One who has withdrawn from a blow can still be chosen, as it may be followed, but is not the default.
    """

    def able(state: State) -> bool:
        return who in state and not stats.unable(state[who])

    def standing(state: State) -> list[Id]:
        return [foe.id for foe in stats.foes(state, who)]

    def near(state: State) -> list[Id]:
        foes = standing(state)
        return foes if weapon.kind == "ranged" else [foe for foe in foes if not stats.out_of_reach(state, who, foe)]

    def usual(state: State) -> Id:
        foes, engaged = near(state), stats.engaged(state, who)
        first = foes[0] if foes else NOBODY.key
        return _earlier(state, who, standing(state)) or next((foe for foe in foes if foe in engaged), first)

    answer = ctx.choose(
        key,
        lambda state: [*(Option(foe, state.name(foe)) for foe in standing(state)), NOBODY],
        "SJ-004",
        "SJ-005",
        default=usual,
        who=who,
        why="the declared foe is gone: at whom?",
        told=lambda state: bool(_earlier(state, who, standing(state))) or len(near(state)) == len(standing(state)) == 1,
        asked_if=lambda state: able(state) and standing(state),
    )
    if answer is None:
        why = ("no foe is standing", "SJ-005")
        if not able(ctx.state):
            why = (f"{ctx.state.name(who)} can no longer make it", "SJ-006")
        ctx.skip("the attack", *why, who=who)
        return None
    ctx.fact(who, TURNED, answer)
    if answer == "none":
        ctx.skip("the attack", "nobody else is in reach", "SJ-005", who=who)
        return None
    return answer
