"""Skills in a fight: checks, first aid, surprise (SV-025 to SV-027, SV-101, SV-P02 to SV-P10)."""

from __future__ import annotations

from rulesets.sovereign.actions.fighting.opportunity import provoke, provoke_field
from rulesets.sovereign.actions.fighting.validity import new_refusal, still_possible
from rulesets.sovereign.aftermath.wounds import rounds_down
from rulesets.sovereign.stats import field
from rulesets.sovereign.stats.checks import TARGET, against, compare, opposed_goal, total
from rulesets.sovereign.stats.stats import best_attribute, block, check_parts, rules, side_keys
from rulesets.without_number.actions import against_oneself
from rulesets.without_number.aftermath import TRIED, patients
from rulesets.without_number.stat_blocks import ATTRIBUTES, Attribute
from rulesets.without_number.turn import main_action
from tracker.core.fight.slots import Id
from tracker.core.fight.state import State
from tracker.core.game.action_types import ActionType
from tracker.core.step.ctx import Ctx
from tracker.core.step.fields import everyone, flag, number, text
from tracker.core.step.fields import options as people
from tracker.core.terms.actions import Action, Field, Option
from tracker.core.terms.derived import Part
from tracker.core.terms.effects import Effect
from tracker.core.terms.errors import Refusal
from tracker.core.terms.moments import At, side_anchor
from tracker.core.terms.words import possessive

SUGGESTED = "suggested_surprise"
WAYS = {"ambush": ("dex", "sneak", "SV-026"), "hard_entry": ("str", "exert", "SV-027")}


def _attribute(action: Action, name: str, default: Attribute) -> Attribute:
    return next((attribute for attribute in ATTRIBUTES if attribute == action.get(name)), default)


def _check_fields(state: State, who: Id | None) -> tuple[Field, ...]:
    attributes = tuple(Option(name) for name in ATTRIBUTES)
    return (
        Field("skill", "text", default="notice"),
        Field("attribute", "choice", default="wis", options=attributes),
        Field("target_number", "number", "target number", default=TARGET),
        Field("opponent", "combatant", options=people(everyone(state, who)), note="opposed: no target number"),
        Field("their_skill", "text", "opponent's skill", default="notice"),
        Field("their_attribute", "choice", "opponent's attribute", default="wis", options=attributes),
        Field("helpers", "number", "helpers: +1 or -1 each", default=0),
        Field("modifier", "number", default=0),
    )


def _extra(action: Action) -> tuple[Part, ...]:
    found = []
    if number(action, "helpers"):
        found.append(Part("helpers", number(action, "helpers"), "SV-P04"))
    if number(action, "modifier"):
        found.append(Part("situation", number(action, "modifier"), "SV-119"))
    return tuple(found)


def _gone(state: State, *people: Id) -> Id:
    """Return the first of these who has left the fight, or ""."""
    return next((one for one in people if one and one not in state), "")


def _check(ctx: Ctx, action: Action, who: Id, *cited: str) -> None:
    what, opponent = text(action, "text") or text(action, "skill"), text(action, "opponent")
    skill, attribute = text(action, "skill").casefold(), _attribute(action, "attribute", "wis")

    def theirs(state: State) -> tuple[Part, ...]:
        skill, attribute = text(action, "their_skill").casefold(), _attribute(action, "their_attribute", "wis")
        return check_parts(state[opponent], (skill,), (attribute,))

    made = total(
        ctx,
        who,
        lambda state: (*check_parts(state[who], (skill,), (attribute,)), *_extra(action)),
        "check",
        *cited,
        why=what,
        goal=lambda state: opposed_goal(state, theirs(state)) if opponent else number(action, "target_number"),
        asked_if=lambda state: not _gone(state, who, opponent),
    )
    if made is None:
        ctx.skip(what, f"{ctx.state.name(_gone(ctx.state, who, opponent))} is gone", "SV-R26")
        return
    if opponent:
        compare(ctx, what, who, made, opponent, theirs(ctx.state), *cited)
    else:
        against(ctx, what, who, made, (Part("target", number(action, "target_number"), "SV-P02"),), *cited)


def _use_fields(state: State, action: Action) -> tuple[Field, ...]:
    if action.by is None:
        return ()
    first = (Field("text", "text", "what is done", default=""), Field("roll", "flag", "make a check", default=False))
    return (*first, *_check_fields(state, action.by), *provoke_field(state, action))


def _use_refusal(state: State, action: Action) -> Refusal | None:
    return against_oneself(state, action, action.by, "SV-P03") if flag(action, "roll") else None


def _use_skill(ctx: Ctx, action: Action) -> None:
    """Use a skill of a few seconds, provoking armed foes (SV-101, SV-102)."""
    who = str(action.by)
    provoke(ctx, action, "SV-102")
    if flag(action, "roll"):
        _check(ctx, action, who, "SV-101")
    else:
        ctx.note(text(action, "text") or "uses a skill", "SV-101", about=who)


# -- stabilise ---------------------------------------------------------------------------------------------------------


def _stabilise_fields(state: State, action: Action) -> tuple[Field, ...]:
    if action.by is None:
        return ()
    dying = patients(state)
    near = [patient.id for patient in dying if field.next_to(state, action.by, patient.id)]
    best = best_attribute(block(state[action.by]), ("dex", "int"))
    return (
        Field(
            "victim",
            "combatant",
            default=next(iter(near or [one.id for one in dying]), None),
            options=tuple(Option(o.id, o.name) for o in dying),
            required=True,
        ),
        Field("attribute", "choice", default=best, options=(Option("dex"), Option("int"))),
        Field("helpers", "number", "helpers: +1 or -1 each", default=0),
        Field("modifier", "number", default=0),
        *provoke_field(state, action),
    )


def _stabilise_refusal(state: State, action: Action) -> Refusal | None:
    who = action.by
    if who is None:
        return None
    dying = patients(state)
    patient = state.get(text(action, "victim")) or next(
        (one for one in dying if field.next_to(state, who, one.id)), dying[0] if dying else None
    )
    if patient is None or patient.status != "mortal":
        return Refusal(
            "not_dying",
            "nobody here lies dying" if patient is None else f"{patient.name} is not dying",
            "SV-P09",
            forcible=False,
        )
    if not block(state[who]).healers_kit:
        return Refusal("no_kit", f"{state.name(who)} has no healer's kit", "SV-P09")
    if field.on_grid(state, who, patient.id) and not field.next_to(state, who, patient.id):
        return Refusal("not_adjacent", f"{patient.name} is not within {possessive(state.name(who))} reach", "SV-P09")
    if patient.has(TRIED):
        return Refusal("tried", f"first aid for {patient.name} has been tried this round", "SV-P09")
    if not rules(state).mortal_injury:
        return Refusal("switched_off", "the rules for dying are off", "SV-R37")
    return None


def _stabilise(ctx: Ctx, action: Action) -> None:
    """Try to stabilise a patient, harder with every round since the fall (SV-P09)."""
    who, victim = str(action.by), text(action, "victim")
    planned = _stabilise_refusal(ctx.state, action)
    provoke(ctx, action, "SV-102")

    def wrong(state: State) -> str:
        gone = "" if victim in state else f"{state.name(victim)} is gone"
        return gone or new_refusal(planned, _stabilise_refusal(state, action))

    if not still_possible(ctx, "check", "first aid", who, wrong):
        return
    rounds = rounds_down(ctx.state, ctx.state[victim])
    tried = Effect(TRIED, victim, source=who, until=(At("round_start"),), title="first aid tried", quiet=True)
    ctx.add_effect(tried, "SV-P09")
    late = (Part("rounds since the fall", -rounds, "SV-P09"),) if rounds else ()
    parts = (*check_parts(ctx.state[who], ("heal",), (_attribute(action, "attribute", "dex"),)), *late, *_extra(action))
    own = total(ctx, who, parts, "check", "SV-P09", "SV-101", why=f"to stabilise {ctx.state.name(victim)}", goal=TARGET)
    if (
        against(ctx, "stabilise", who, own, (Part("target", TARGET, "SV-P02"),), "SV-P09")
        and ctx.state[victim].status == "mortal"
    ):
        ctx.status(victim, "stable", "SV-P09", "SV-P10")


# -- the GM's checks ---------------------------------------------------------------------------------------------------


def _gm_fields(state: State, action: Action) -> tuple[Field, ...]:
    who = text(action, "who") or None
    return (
        Field("who", "combatant", options=people(state.combatants), required=True),
        Field("text", "text", "what for", default=""),
        *_check_fields(state, who),
    )


def _gm_refusal(state: State, action: Action) -> Refusal | None:
    return against_oneself(state, action, text(action, "who"), "SV-P03")


def _gm_check(ctx: Ctx, action: Action) -> None:
    _check(ctx, action, text(action, "who"), "SV-P02", "SV-P01")


def _surprise_fields(state: State, action: Action) -> tuple[Field, ...]:
    return (
        Field("way", "choice", default="ambush", options=(Option("ambush"), Option("hard_entry", "Hard Entry"))),
        Field("ambusher", "combatant", options=people(state.combatants), required=True),
        Field("watcher", "combatant", options=people(state.combatants), required=True),
        Field("helpers", "number", "further ambushers: +1 or -1 each", default=0),
        Field("watching", "number", "further watchers: +1 or -1 each", default=0),
    )


def _surprise_refusal(state: State, action: Action) -> Refusal | None:
    watcher = state.get(text(action, "watcher"))
    if watcher is None:
        return None
    keys = side_keys(state, watcher.side)
    if keys.anticipating:
        return Refusal("anticipating", f"no surprise for {state.side(watcher.side).name}: combat is expected", "SV-028")
    if keys.careful and text(action, "way") != "hard_entry":
        return Refusal("careful", f"no ambush of {state.side(watcher.side).name}: the party moves carefully", "SV-029")
    return None


def _surprise_check(ctx: Ctx, action: Action) -> None:
    """Let ambushers or those who burst in meet WIS and Notice (SV-025 to SV-027, SV-P05).

    The result suggests whether a side is surprised.
    """
    who, watcher = text(action, "ambusher"), text(action, "watcher")
    attribute, skill, rule = WAYS[text(action, "way")]
    own = total(
        ctx,
        who,
        lambda state: (*check_parts(state[who], (skill,), (_known(attribute),)), *_extra(action)),
        "check",
        rule,
        "SV-P05",
        why="surprise",
        asked_if=lambda state: not _gone(state, who, watcher),
    )
    if own is None:
        ctx.skip("surprise", f"{ctx.state.name(_gone(ctx.state, who, watcher))} is gone", "SV-R26")
        return
    theirs = check_parts(ctx.state[watcher], ("notice",), ("wis",))
    if number(action, "watching"):
        theirs = (*theirs, Part("others watching", number(action, "watching"), "SV-P04"))
    side = ctx.state[watcher].side
    won = compare(ctx, "surprise", who, own, watcher, theirs, rule, "SV-025", "SV-P05").won
    ctx.fact(side_anchor(side), SUGGESTED, text(action, "way") if won else "no", rule)


def _known(name: str) -> Attribute:
    return "dex" if name == "dex" else "str"


ACTIONS = (
    main_action("use_skill", "Use a Skill", "SV-101", _use_skill, _use_fields, _use_refusal),
    main_action("stabilise", "Stabilise", "SV-P09", _stabilise, _stabilise_fields, _stabilise_refusal),
)
GM = (
    ActionType("check", "Skill check", "SV-P02", perform=_gm_check, fields=_gm_fields, refusal=_gm_refusal),
    ActionType(
        "surprise_check",
        "Surprise check",
        "SV-P05",
        perform=_surprise_check,
        fields=_surprise_fields,
        refusal=_surprise_refusal,
    ),
)
