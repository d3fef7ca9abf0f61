"""Skills in a fight: checks, first aid, recovery (WN-084, WN-021, WN-C01 to WN-C18)."""

from __future__ import annotations

from collections.abc import Sequence

from rulesets.without_number.actions import against_oneself
from rulesets.without_number.aftermath import TRIED, patients
from rulesets.without_number.stat_blocks import ATTRIBUTES, Attribute
from rulesets.without_number.turn import main_action
from rulesets.worlds_without_number.actions.validity import lapses, removed
from rulesets.worlds_without_number.aftermath.wounds import full_rounds
from rulesets.worlds_without_number.stat_blocks.models import PC
from rulesets.worlds_without_number.stats.checks import against, beats, opposed, tell, total
from rulesets.worlds_without_number.stats.stats import best_attribute, block, check_parts, expects_trouble, rules
from tracker.core.fight.slots import Id
from tracker.core.fight.state import State
from tracker.core.game.action_types import ActionType
from tracker.core.step.ctx import Ctx
from tracker.core.step.fields import flag, number, text
from tracker.core.step.fields import options as people
from tracker.core.terms.actions import Action, Field, Option
from tracker.core.terms.derived import Part
from tracker.core.terms.effects import Effect
from tracker.core.terms.errors import Refusal
from tracker.core.terms.moments import At, side_anchor

BASE = 8
SUGGESTED = "suggested_surprise"


def _attribute_field(name: str, default: str, options: Sequence[str] = ATTRIBUTES) -> Field:
    return Field(name, "choice", default=default, options=tuple(Option(option) for option in options))


def _attribute(action: Action, name: str, default: Attribute) -> Attribute:
    return next((attribute for attribute in ATTRIBUTES if attribute == action.get(name)), default)


def _situation(action: Action) -> tuple[Part, ...]:
    extra = number(action, "modifier")
    return (Part("situation", extra, "WN-C01"),) if extra else ()


# -- use a skill -------------------------------------------------------------------------------------------------------


def _skill_fields(state: State, action: Action) -> tuple[Field, ...]:
    who = action.by or text(action, "who")
    combatant = state.get(who)
    stat_block = block(combatant) if combatant is not None else None
    known = stat_block.skills if isinstance(stat_block, PC) else ()
    best = max(known, key=lambda skill: skill[1])[0] if known else "exert"
    return (
        Field("purpose", "text", default="", note='or "stabilise" and a name'),
        Field("skill", "text", default=best, note=", ".join(name for name, _ in known)),
        _attribute_field("attribute", "int"),
        Field("difficulty", "number", default=BASE, note="6 simple, 8 professional, 10 expert, 12 master"),
        Field(
            "opponent",
            "combatant",
            options=people([other for other in state.combatants if other.id != who]),
            note="opposed: no difficulty",
        ),
        Field("their_skill", "text", default=best),
        _attribute_field("their_attribute", "wis"),
        Field("modifier", "number", default=0),
        Field("supplies", "flag", "medical supplies", default=True),
    )


def _patient(state: State, action: Action) -> Id | None:
    """Return whom a purpose such as `stabilise Bero` names."""
    verb, _, name = text(action, "purpose").partition(" ")
    if verb.casefold() not in {"stabilise", "stabilize"}:
        return None
    wanted = name.strip().casefold()
    return next(
        (
            combatant.id
            for combatant in state.combatants
            if wanted in (combatant.id.casefold(), combatant.name.casefold())
        ),
        "",
    )


def _skill_refusal(state: State, action: Action) -> Refusal | None:
    patient = _patient(state, action)
    if patient is None:
        return against_oneself(state, action, action.by, "WN-C04")
    return _untreatable(state, patient)


def _use_skill(ctx: Ctx, action: Action) -> None:
    patient = _patient(ctx.state, action)
    if patient is not None:
        heal = _attribute(action, "attribute", "int")
        _treat(
            ctx, str(action.by), patient, heal if heal == "dex" else "int", flag(action, "supplies"), _situation(action)
        )
        return
    _check(ctx, action, str(action.by), "WN-084")


def _check(ctx: Ctx, action: Action, who: Id, *cited: str) -> None:
    """Make a check against a difficulty or an opponent (WN-C01, WN-C04)."""
    what = text(action, "purpose") or text(action, "skill")

    def own(state: State) -> Sequence[Part]:
        parts = check_parts(state[who], text(action, "skill"), _attribute(action, "attribute", "int"))
        return (*parts, *_situation(action))

    def theirs(state: State) -> Sequence[Part]:
        return check_parts(state[opponent], text(action, "their_skill"), _attribute(action, "their_attribute", "wis"))

    opponent = text(action, "opponent")
    if not opponent:
        goal = number(action, "difficulty")
        made = total(
            ctx, who, own, f"check:{who}", *cited, why=what, goal=goal, asked_if=lambda state: _there(state, who)
        )
        if made is None:
            lapses(ctx, what, who, removed(ctx.state, who))
        else:
            against(ctx, what, who, made, (Part("difficulty", goal, "WN-C01"),), *cited)
        return
    rolled = opposed(ctx, what, who, own, ((opponent, theirs),), _there, *cited)
    if rolled is None:
        return
    mine, ((_, other),) = rolled
    tell(ctx, what, who, mine, opponent, other, beats(ctx.state, who, mine, opponent, other), *cited)


def _there(state: State, who: Id) -> bool:
    return not removed(state, who)


# -- stabilise and recover ---------------------------------------------------------------------------------------------


def _stabilise_fields(state: State, action: Action) -> tuple[Field, ...]:
    options = people(patients(state))
    best = "int" if action.by is None else best_attribute(block(state[action.by]), ("int", "dex"))
    return (
        Field("target", "combatant", default=options[0].key if options else None, options=options, required=True),
        Field("supplies", "flag", "medical supplies", default=True),
        _attribute_field("attribute", best, ("int", "dex")),
        Field("modifier", "number", default=0),
    )


def _stabilise_refusal(state: State, action: Action) -> Refusal | None:
    dying = patients(state)
    return _untreatable(state, text(action, "target") or (dying[0].id if dying else ""))


def _untreatable(state: State, patient: Id) -> Refusal | None:
    """Return why a combatant cannot be stabilised now (WN-C13, WN-C14)."""
    combatant = state.get(patient)
    if combatant is None or combatant.status != "mortal":
        return Refusal(
            "not_dying",
            "nobody of that name lies dying" if combatant is None else f"{combatant.name} is not dying",
            "WN-C13",
            forcible=False,
        )
    if not rules(state).companion:
        return Refusal("switched_off", "the companion rules are off", "WN-C13")
    if combatant.has(TRIED):
        return Refusal("tried", f"first aid for {combatant.name} has been tried this round", "WN-C14")
    return None


def _stabilise(ctx: Ctx, action: Action) -> None:
    _treat(
        ctx,
        str(action.by),
        text(action, "target"),
        _attribute(action, "attribute", "int"),
        flag(action, "supplies"),
        _situation(action),
    )


def _treat(ctx: Ctx, who: Id, patient: Id, attribute: Attribute, supplies: bool, extra: Sequence[Part]) -> None:
    """Try to stabilise a patient, harder with every full round since the fall (WN-C13, R24)."""
    rounds = full_rounds(ctx.state, ctx.state[patient])
    difficulty = [Part("stabilise", BASE, "WN-C13")]
    difficulty += [Part("rounds since the fall", rounds, "WN-R24")] if rounds else []
    difficulty += [] if supplies else [Part("no supplies", 2, "WN-C13")]
    ctx.add_effect(
        Effect(TRIED, patient, source=who, until=(At("round_start"),), title="first aid tried", quiet=True), "WN-C14"
    )
    own = total(
        ctx,
        who,
        lambda state: (*check_parts(state[who], "heal", attribute), *extra),
        f"check:{who}",
        "WN-C13",
        "WN-084",
        why=f"to stabilise {ctx.state.name(patient)}",
        goal=sum(part.amount for part in difficulty),
        asked_if=lambda state: not _untreated(state, patient),
    )
    if own is None:
        lapses(ctx, "first aid", who, _untreated(ctx.state, patient))
        return
    made = against(ctx, "stabilise", who, own, difficulty, "WN-C13", "WN-084", *(("WN-R24",) if rounds else ()))
    if made:
        ctx.status(patient, "stable", "WN-C13")


def _untreated(state: State, patient: Id) -> str:
    return "" if patient in [one.id for one in patients(state)] else f"{state.name(patient)} is not dying any more"


def _recover_fields(state: State, action: Action) -> tuple[Field, ...]:
    options = people([combatant for combatant in state.combatants if combatant.status in {"stable", "incapacitated"}])
    return (Field("who", "combatant", default=options[0].key if options else None, options=options, required=True),)


def _recover_refusal(state: State, action: Action) -> Refusal | None:
    return None if rules(state).companion else Refusal("switched_off", "the companion rules are off", "WN-C16")


def _recover(ctx: Ctx, action: Action) -> None:
    """Bring a patient round after ten minutes (WN-C16, WN-C18).

    `settle` raises it, and makes it Frail.
    """
    who = text(action, "who")
    ctx.change(
        who, "hp", 1, "WN-C18" if ctx.state[who].status == "incapacitated" else "WN-C16", why="ten minutes later"
    )


# -- checks of the GM --------------------------------------------------------------------------------------------------


def _gm_check_fields(state: State, action: Action) -> tuple[Field, ...]:
    fields = tuple(field for field in _skill_fields(state, action) if field.name != "supplies")
    return (Field("who", "combatant", options=people(state.combatants), required=True), *fields)


def _gm_check_refusal(state: State, action: Action) -> Refusal | None:
    return against_oneself(state, action, text(action, "who"), "WN-C04")


def _gm_check(ctx: Ctx, action: Action) -> None:
    _check(ctx, action, text(action, "who"), "WN-C01")


def _surprise_fields(state: State, action: Action) -> tuple[Field, ...]:
    ambusher = state.get(text(action, "ambusher"))
    watchers = [other for other in state.combatants if ambusher is None or other.side != ambusher.side]
    return (
        Field("ambusher", "combatant", options=people(state.combatants), required=True),
        Field("watcher", "combatant", options=people(watchers), required=True),
    )


def _surprise_refusal(state: State, action: Action) -> Refusal | None:
    watcher = state.get(text(action, "watcher"))
    if watcher is not None and watcher.id == text(action, "ambusher"):
        return Refusal("same_person", "nobody takes himself by surprise", "WN-021", forcible=False)
    if watcher is not None and expects_trouble(state, watcher.side):
        return Refusal(
            "expects_trouble", f"{state.side(watcher.side).name} expects trouble and cannot be surprised", "WN-022"
        )
    return None


def _surprise_check(ctx: Ctx, action: Action) -> None:
    """Let Dex and Sneak meet Wis and Notice (WN-021).

    The result only suggests whether a side is surprised.
    """
    ambusher, watcher = text(action, "ambusher"), text(action, "watcher")
    made = opposed(
        ctx,
        "surprise",
        ambusher,
        lambda state: check_parts(state[ambusher], "sneak", "dex"),
        ((watcher, lambda state: check_parts(state[watcher], "notice", "wis")),),
        _there,
        "WN-021",
    )
    if made is None:
        return
    own, ((_, other),) = made
    won = beats(ctx.state, ambusher, own, watcher, other)
    tell(ctx, "surprise", ambusher, own, watcher, other, won, "WN-021")
    ctx.fact(side_anchor(ctx.state[watcher].side), SUGGESTED, won, "WN-021")


ACTIONS = (
    main_action("use_skill", "Use a Skill", "WN-084", _use_skill, _skill_fields, _skill_refusal),
    main_action("stabilise", "Stabilise", "WN-C13", _stabilise, _stabilise_fields, _stabilise_refusal),
)
GM = (
    ActionType("recover", "Recover", "WN-C16", perform=_recover, fields=_recover_fields, refusal=_recover_refusal),
    ActionType("check", "Skill check", "WN-C01", perform=_gm_check, fields=_gm_check_fields, refusal=_gm_check_refusal),
    ActionType(
        "surprise_check",
        "Surprise check",
        "WN-021",
        perform=_surprise_check,
        fields=_surprise_fields,
        refusal=_surprise_refusal,
    ),
)
