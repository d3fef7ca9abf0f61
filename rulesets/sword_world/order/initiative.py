"""Who leads: a surprise attack, or Initiative, before the first round (SW-011 to SW-014, SW-168 to SW-176)."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from rulesets.sword_world.stat_blocks.shorthand import BAD_GROUND, hide_penalty
from rulesets.sword_world.stats import stats
from rulesets.sword_world.stats.checks import OPEN, Contest, Total, active_wins, fixed_total, rank, stat_total
from rulesets.sword_world.stats.effects import SURPRISED
from tracker.core.fight.events import Checked, OrderSet
from tracker.core.fight.slots import Id
from tracker.core.fight.state import FIGHT, Combatant, State
from tracker.core.step import fields
from tracker.core.step.ctx import Ctx
from tracker.core.terms.actions import Action
from tracker.core.terms.derived import Part
from tracker.core.terms.words import named, possessive


def defenders(state: State, camp_name: str) -> tuple[Combatant, ...]:
    return tuple(one for one in stats.members(state, stats.other(camp_name)) if stats.able(state, one.id))


def surprise_attempt(ctx: Ctx, action: Action) -> None:
    """Contest Hide with Danger Sense (SW-168 to SW-176, SW-R38, SW-R39).

    The lowest mover has to beat the highest defender.
    """
    camp_name = stats.camp(ctx.state, str(action.get("side")))
    chosen = action.get("movers")
    movers = [one.id for one in stats.members(ctx.state, camp_name) if isinstance(chosen, tuple) and one.id in chosen]
    ctx.fact(FIGHT, "surprise_tried", True, "SW-168")
    if not movers:
        ctx.note("the surprise attack is given up", "SW-174")
        _go_on(ctx)
        return
    metres = action.get("distance")
    penalty = hide_penalty(float(metres) if isinstance(metres, int | float) else None)
    ground, more = fields.number(action, "open_ground"), fields.number(action, "other_modifier")
    extra = (
        Part("distance", penalty, "SW-175"),
        Part("open ground", ground, "SW-R39"),
        Part("bad ground or noise", BAD_GROUND if action.get("bad_ground") is True else 0, "SW-175"),
        Part("other", more, "SW-176"),
    )
    foes = [one.id for one in defenders(ctx.state, camp_name)]
    hidden = _checks(ctx, movers, "hide", extra, _settled(ctx.state, _spans(ctx.state, movers, "hide", extra), foes))
    rolled = [(total, total) for total in hidden.values()]
    alert = _checks(ctx, foes, "danger_sense", (), _settled(ctx.state, rolled, foes)) if hidden else {}
    hidden = {who: total for who, total in hidden.items() if stats.able(ctx.state, who)}
    if not hidden:
        ctx.note("nobody is left to attack: the surprise attack is given up", "SW-174")
        _go_on(ctx)
        return
    lowest = min(hidden, key=lambda who: rank(ctx.state, hidden[who]))
    highest = max(alert, key=lambda who: rank(ctx.state, alert[who])) if alert else None
    best = Total(None, ()) if highest is None else alert[highest]
    won = highest is None or active_wins(ctx.state, hidden[lowest], best)
    ctx.emit(
        Checked(
            "surprise attack",
            lowest,
            hidden[lowest].value,
            "success" if won else "failure",
            highest,
            against=best.value,
            against_what="Danger Sense",
        ),
        *("SW-170", "SW-R38"),
    )
    if won:
        ctx.fact(FIGHT, "leading", camp_name, "SW-172")
        for one in stats.members(ctx.state, stats.other(camp_name)):
            ctx.add_effect(SURPRISED.on(one.id), "SW-173", "SW-R08")
    else:
        ctx.note("discovered: the fight begins with Initiative", "SW-174")
    _go_on(ctx)


def _go_on(ctx: Ctx) -> None:
    """Leave the slot of the surprise, or remove it after an attempt in set-up."""
    if ctx.state.clock.phase == "surprise":
        ctx.walk()
    else:
        slots = ctx.state.clock.slots
        kept = tuple(slot for slot in slots if slot.id != "r0/surprise")
        if kept != slots:
            ctx.emit(OrderSet(slots, kept), "SW-168")


def _settled(state: State, hides: Sequence[tuple[Total, Total]], foes: Sequence[Id]) -> bool | None:
    """Return whether the lowest Hide beats the highest Danger Sense with any dice still to roll (SW-R38).

    None where it depends on them, as it does where double dice count (SW-R36). `hides`: the least and greatest totals.
    """
    senses = _spans(state, foes, "danger_sense", ())
    if not hides or not senses or stats.rules(state).automatic_results:
        return None
    if min(least.value for least, _ in hides) > max(most.value for _, most in senses):
        return True
    return False if min(most.value for _, most in hides) <= max(least.value for least, _ in senses) else None


def _spans(state: State, people: Sequence[Id], stat: str, extra: tuple[Part, ...]) -> list[tuple[Total, Total]]:
    """Return the least and greatest totals of the able combatants among some."""
    able = [who for who in people if stats.able(state, who)]
    return [(_total(state, who, stat, extra, 2), _total(state, who, stat, extra, 12)) for who in able]


def _total(state: State, who: Id, stat: str, extra: tuple[Part, ...], dice: int) -> Total:
    """Return a check of the contest with dice that are not rolled, a monster's level without penalties (SW-171)."""
    if stats.is_monster(state[who]):
        return Total(None, (Part("level", stats.block(state, who).level),))
    own = stats.check_parts(state[who], stat, int(getattr(stats.block(state, who), stat)), "bonus")
    return fixed_total((Part("2d, not rolled", dice), *own, *extra))


def _checks(
    ctx: Ctx, people: Sequence[Id], stat: str, extra: tuple[Part, ...], settled: bool | None
) -> dict[Id, Total]:
    """Return the checks of those of a side who are able to the end.

    Where the contest is settled no dice are rolled: it is told with those that come nearest to the other outcome.
    """
    totals: dict[Id, Total] = {}
    for who in people:
        if settled is not None and stats.able(ctx.state, who) and not stats.is_monster(ctx.state[who]):
            totals[who] = _total(ctx.state, who, stat, extra, 2 if settled == (stat == "hide") else 12)
        elif (total := _against(ctx, who, stat, extra)) is not None:
            totals[who] = total
    if idle := [ctx.state.name(who) for who in totals if settled is not None and not stats.is_monster(ctx.state[who])]:
        ctx.note(f"no roll of {named(idle)} could matter", "SW-R38")
    return {who: total for who, total in totals.items() if stats.able(ctx.state, who)}


def _against(ctx: Ctx, who: Id, stat: str, extra: tuple[Part, ...]) -> Total | None:
    """Return a check of the contest; None for a combatant that is able no more when its check is asked."""
    if stats.able(ctx.state, who) and stats.is_monster(ctx.state[who]):
        total: Total | None = _total(ctx.state, who, stat, extra, 0)
        rules: tuple[str, ...] = ("SW-171", "SW-R38")
    else:
        able = partial(stats.able, who=who)
        total = stat_total(ctx, f"{stat}:{who}", who, stat, "SW-170", extra=extra, asked_if=able)
        double = ("SW-R36",) if stats.rules(ctx.state).automatic_results else ()
        rules = ("SW-170", *(("SW-175", "SW-176") if extra else ()), *double)
    if total is not None:
        ctx.emit(Checked(stat.replace("_", " ").title(), who, total.value, "", parts=total.parts), *rules)
    return total


def rollers(state: State) -> tuple[Combatant, ...]:
    """Return those who may make an Initiative check, PCs' camp first (SW-011, 4.4)."""
    return tuple(
        one for camp_name in ("pcs", "foes") for one in stats.members(state, camp_name) if stats.able(state, one.id)
    )


def roll_initiative(ctx: Ctx, action: Action) -> None:
    """Roll Initiative, and settle which side leads for the whole fight (SW-011 to SW-014, SW-R01 to SW-R04)."""
    chosen = action.get("who")
    totals: dict[Id, Total] = {}
    rolling = [one.id for one in rollers(ctx.state) if isinstance(chosen, tuple) and one.id in chosen]
    ours = [who for who in rolling if stats.camp_of(ctx.state, who) == "pcs"]
    roll_fixed = action.get("roll_fixed") is True
    leads = Contest(
        "Initiative",
        "leads",
        above=stats.rules(ctx.state).initiative_tie != "pcs",
        goal=lambda state: None if roll_fixed else _to_lead(state, [who for who in rolling if who not in ours]),
        demanded=True,
    )
    for who in rolling:
        key, able = f"initiative:{who}", partial(stats.able, who=who)
        contest = leads if who in ours else OPEN
        total = stat_total(ctx, key, who, "initiative", "SW-011", roll_fixed=roll_fixed, contest=contest, asked_if=able)
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
    leading = f"leading party: {stats.camp_title(ctx.state, first)}"
    if pcs is None or foes is None:
        ctx.note(f"{leading}, the other side has no Initiative", *rules)
    else:
        best, rival = (possessive(ctx.state.name(who)) for who in (pcs, foes))
        active, passive = totals[pcs].value, totals[foes].value
        checked = Checked(f"{best} Initiative", None, active, leading, against=passive, against_what=rival)
        ctx.emit(checked, *rules)
    ctx.fact(FIGHT, "leading", first, *rules)
    ctx.walk()


def _to_lead(state: State, foes: Sequence[Id]) -> int | None:
    """Return the highest of the foes' fixed values, None if there is none or one of them rolls (SW-012)."""
    values = list[int]()
    for who in [who for who in foes if who in state and stats.able(state, who)]:
        fixed = stats.fixed(state[who], "initiative")
        if fixed is None:
            return None
        values.append(fixed_total(stats.check_parts(state[who], "initiative", fixed, "fixed")).value)
    return max(values, default=None)


def _tell_fixed(ctx: Ctx, totals: dict[Id, Total]) -> None:
    """Tell the fixed values that nothing changes, all in one line (SW-R48)."""
    plain = [who for who in totals if totals[who].natural is None and len(totals[who].parts) == 1]
    numbers = dict.fromkeys(totals[who].value for who in plain)
    texts: list[str] = []
    for number in numbers:
        names = [ctx.state.name(who) for who in plain if totals[who].value == number]
        texts.append(f"{named(names)} {'has' if len(names) == 1 else 'have'} {number}")
    if texts:
        ctx.note(f"{', '.join(texts)} (fixed)", "SW-011", "SW-R48")


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
