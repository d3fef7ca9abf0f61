"""Initiative: rolled once, before the first round (SW-011 to SW-014, SW-R01 to SW-R04)."""

from __future__ import annotations

from functools import partial

from rulesets.sword_world.stats import stats
from rulesets.sword_world.stats.checks import Total, active_wins, rank, stat_total
from tracker.core.fight.events import Checked
from tracker.core.fight.slots import Id
from tracker.core.fight.state import FIGHT, Combatant, State
from tracker.core.step.ctx import Ctx
from tracker.core.terms.actions import Action
from tracker.core.terms.derived import Part
from tracker.core.terms.words import named


def rollers(state: State) -> tuple[Combatant, ...]:
    """Return those who may make an Initiative check, PCs' camp first (SW-011, 4.4)."""
    return tuple(
        one for camp_name in ("pcs", "foes") for one in stats.members(state, camp_name) if stats.able(state, one.id)
    )


def roll_initiative(ctx: Ctx, action: Action) -> None:
    """Roll Initiative, and settle which side leads for the whole fight (SW-011 to SW-014, SW-R01 to SW-R04)."""
    chosen = action.get("who")
    totals: dict[Id, Total] = {}
    for who in [one.id for one in rollers(ctx.state) if isinstance(chosen, tuple) and one.id in chosen]:
        key, roll_fixed = f"initiative:{who}", action.get("roll_fixed") is True
        able = partial(stats.able, who=who)
        total = stat_total(ctx, key, who, "initiative", "SW-011", roll_fixed=roll_fixed, asked_if=able)
        if total is None:
            continue
        totals[who] = total
        if total.natural is not None or len(total.parts) > 1:
            ctx.emit(Checked("Initiative", who, total.value, "", parts=total.parts), "SW-011")
    _tell_fixed(ctx, totals)
    answer = ctx.choose(
        "tie",
        ("pcs", "opponents"),
        "SW-R02",
        default="opponents",
        why=lambda state: f"both sides have {totals[_best(state, totals, 'pcs') or ''].value}: who leads?",
        to="gm",
        asked_if=lambda state: not _leader(state, totals)[0],
    )
    first, rules = _leader(ctx.state, totals)
    first = first or ("pcs" if answer == "pcs" else "foes")
    pcs, foes = _best(ctx.state, totals, "pcs"), _best(ctx.state, totals, "foes")
    if stats.rules(ctx.state).automatic_results:
        rules += ("SW-R36",)
    leads = f"leading party: {stats.camp_title(ctx.state, first)}"
    if pcs is None or foes is None:
        ctx.note(f"{leads}, the other side has no Initiative", *rules)
    else:
        active, passive = totals[pcs].value, totals[foes].value
        parts, rival = (Part(ctx.state.name(pcs), active),), f"{ctx.state.name(foes)} with"
        ctx.emit(Checked("highest Initiative", None, active, leads, None, parts, passive, rival), *rules)
    ctx.fact(FIGHT, "leading", first, *rules)
    ctx.walk()


def _tell_fixed(ctx: Ctx, totals: dict[Id, Total]) -> None:
    """Tell the fixed values that nothing changes, all in one line (SW-R48)."""
    plain = [who for who in totals if totals[who].natural is None and len(totals[who].parts) == 1]
    numbers = dict.fromkeys(totals[who].value for who in plain)
    told: list[str] = []
    for number in numbers:
        names = [ctx.state.name(who) for who in plain if totals[who].value == number]
        told.append(f"{named(names)} {'has' if len(names) == 1 else 'have'} {number}")
    if told:
        ctx.note(f"{', '.join(told)} (fixed)", "SW-011", "SW-R48")


def _best(state: State, totals: dict[Id, Total], camp_name: str) -> Id | None:
    own = [who for who in totals if stats.able(state, who) and stats.camp_of(state, who) == camp_name]
    return max(own, key=lambda who: rank(state, totals[who]), default=None)


def _leader(state: State, totals: dict[Id, Total]) -> tuple[str, tuple[str, ...]]:
    """Return the leading camp, "" if the GM settles a tie, and the rules that say so."""
    pcs, foes = _best(state, totals, "pcs"), _best(state, totals, "foes")
    if pcs is None or foes is None:
        return ("pcs" if pcs is not None else "foes"), ("SW-013", "SW-R03")
    switches = stats.rules(state)
    active, passive = totals[pcs], totals[foes]
    rivals = [who for who in totals if stats.able(state, who) and stats.camp_of(state, who) == "foes"]
    holders = [who for who in rivals if rank(state, totals[who]) == rank(state, passive)]
    contest = any(not stats.is_monster(state[who]) for who in holders)
    if not contest:
        won = active_wins(state, active, passive, ties=switches.initiative_tie == "pcs")
        return ("pcs", ("SW-012", "SW-R01", "SW-R04")) if won else ("foes", ("SW-013", "SW-R01", "SW-R04"))
    rules = ("SW-014", "SW-R02", "SW-R03", "SW-R04")
    strict, lenient = active_wins(state, active, passive), active_wins(state, active, passive, ties=True)
    if strict == lenient:  # no tie, or double dice decide
        return ("pcs" if strict else "foes"), rules
    if switches.initiative_contest_tie == "ask":
        return "", rules
    return ("pcs" if switches.initiative_contest_tie == "pcs" else "foes"), rules
