"""Commands about what players see: hidden combatants, effects and waves, names, the players' screen, fog."""

from __future__ import annotations

from functools import partial

from msgspec.structs import replace

from tracker.core.fight.events import EffectChanged
from tracker.core.fight.slots import Id
from tracker.core.fight.state import State
from tracker.core.game.action_types import ActionType
from tracker.core.game.ruleset import Ruleset
from tracker.core.step.ctx import Ctx
from tracker.core.step.fields import all_combatants, ids, number, squares
from tracker.core.terms.actions import Action, Field, Option
from tracker.core.terms.effects import Effect
from tracker.core.terms.errors import Refusal
from tracker.core.visibility import knowledge, reveal
from tracker.core.visibility.fog import FOG, SIGHT, all_squares, fog, in_sight, row_spans, square_map

CONCEAL, REVEAL = "conceal", "reveal"
SETTINGS = tuple(
    Option(words.replace(" ", "_"), words)
    for words in (
        *("points on", "points off", "health on", "health off", "map on", "map off"),
        *("attackers revealed", "attackers unseen", "title", "names kept"),
    )
)
"""The GM's settings of the players' screen."""
NO_MAP = Refusal("no_map", "this fight has no map of squares", forcible=False, field="what")
NO_FOG = Refusal("no_fog", "there is no fog", forcible=False, field="what")


def _combatants(state: State, hidden: bool) -> tuple[Option, ...]:
    """Return all combatants; those that are hidden, or shown, already are refused."""
    reason, text = ("not_hidden", "players see it already") if hidden else ("hidden", "players do not see it already")
    why = Refusal(reason, text, forcible=False, field="targets")
    return tuple(
        [
            Option(one.id, one.name, refusal=None if knowledge.is_hidden(state, one.id) == hidden else why)
            for one in state.combatants
        ]
    )


def _effects(state: State, secret: bool, on: tuple[Id, ...]) -> tuple[Effect, ...]:
    return tuple(
        [effect for effect in state.all_effects if effect.secret == secret and (not on or effect.bearer in on)]
    )


def _waves(state: State, hidden: bool) -> tuple[Option, ...]:
    return tuple(
        [
            Option(knowledge.wave_key(wave), wave.title or wave.when or f"wave {place}")
            for place, wave in enumerate(state.waves, start=1)
            if (knowledge.wave_hidden(state, wave) is True) == hidden
        ]
    )


def _conceal_fields(state: State, action: Action) -> tuple[Field, ...]:
    hidden = action.key == REVEAL
    on = ids(action, "targets")
    effects = _effects(state, hidden, on)
    whom = _combatants(state, hidden) if action.get("effect") is None else all_combatants(state)
    bare = action.get("effect") is None and action.get("wave") is None
    named = dict.fromkeys(effect.name for effect in effects)
    titles = {effect.name: effect.shown for effect in effects}
    return (
        Field("targets", "combatants", required=bare, options=whom, note="whom; with an effect: on whom"),
        Field("effect", "choice", options=tuple([Option(name, titles[name]) for name in named])),
        Field("wave", "choice", options=_waves(state, hidden)),
    )


def _conceal_or_reveal(ctx: Ctx, action: Action) -> None:
    hide = action.key == CONCEAL
    whom, effect, wave = ids(action, "targets"), action.get("effect"), action.get("wave")
    see = "do not see" if hide else "see"
    if effect is not None:
        for one in _effects(ctx.state, not hide, whom):
            if one.name == effect:
                ctx.emit(EffectChanged(one, replace(one, secret=hide)))
                ctx.note(f"players {see} {one.shown} ({ctx.state.name(one.bearer)})", about=one.bearer)
    if wave is not None:
        reveal.set_visibility(ctx, str(wave), hide)
        title = next((option.shown for option in _waves(ctx.state, hide) if option.key == wave), str(wave))
        ctx.note(f"players {see} this wave come: {title}")
    if effect is None and wave is None:
        (reveal.hide if hide else reveal.reveal)(ctx, whom)


def _alias_fields(state: State, action: Action) -> tuple[Field, ...]:
    return (
        Field("who", "combatant", required=True, options=all_combatants(state)),
        Field("name", "text", note="what players read; empty: its own name"),
    )


def _set_alias(ctx: Ctx, action: Action) -> None:
    who, words = str(action.get("who")), " ".join(str(action.get("name") or "").split())
    reveal.set_alias(ctx, who, words)
    read = words if knowledge.never_seen(ctx.state, who) and words else knowledge.called(ctx.state, ctx.state[who])
    ctx.note(f"players read {read} for {ctx.state.name(who)}", about=who)


def _screen_fields(state: State, action: Action) -> tuple[Field, ...]:
    sides = tuple([Option(side.id, side.name) for side in state.sides])
    return (
        Field("what", "choice", required=True, options=SETTINGS),
        Field("side", "choice", options=sides, note="whose health; empty: everybody's"),
        Field("title", "text", note="what players read as the title; empty: the encounter's"),
    )


def _set_screen(ctx: Ctx, action: Action) -> None:
    what, side = str(action.get("what")), action.get("side")
    subject, _, value = what.partition("_")
    match subject:
        case "title":
            value = " ".join(str(action.get("title") or "").split())
            reveal.set_visibility(ctx, "title", value or None)
        case "names":
            reveal.set_visibility(ctx, knowledge.SHOWN, True)
            return  # not logged: nothing changes for the players
        case "attackers":
            reveal.set_visibility(ctx, "unseen", None if value == "revealed" else reveal.ATTACKERS_STAY_HIDDEN)
        case "health":
            for one in ctx.state.sides:
                if side in (None, one.id):
                    reveal.set_visibility(ctx, f"health:{one.id}", None if value == "on" else False)
        case _:
            reveal.set_visibility(ctx, subject, None if value == "on" else False)
    whose = f" ({ctx.state.name(str(side))})" if side is not None and subject == "health" else ""
    ctx.note(f"the players' screen: {subject} {value}{whose}")


def _fog_fields(game: Ruleset, state: State, action: Action) -> tuple[Field, ...]:
    why = NO_MAP if square_map(game, state) is None else None
    fogged, named = bool(fog(state)), bool(squares(action, "squares"))
    what = (
        Option("party", "all but what the party sees", refusal=why),
        Option("lift", "lift it from these squares", refusal=why or (None if fogged else NO_FOG)),
        Option("cover", "cover these squares", refusal=why),
        Option("all", "cover everything", refusal=why),
        Option("off", "no fog", refusal=why or (None if fogged else NO_FOG)),
    )
    usual = "party" if not named else "lift" if set(squares(action, "squares")) & fog(state) else "cover"
    chosen = action.get("what") or usual
    return (
        Field("what", "choice", default=usual, required=True, options=what),
        *(
            (Field("far", "number", "how far it sees", default=SIGHT, minimum=0, maximum=500),)
            if chosen == "party"
            else ()
        ),
        *((Field("squares", "path", "which squares", required=True),) if chosen in ("lift", "cover") else ()),
    )


def _set_fog(game: Ruleset, ctx: Ctx, action: Action) -> None:
    """Change the fog; at the end of the step, combatants in it are hidden."""
    board = square_map(game, ctx.state)
    if board is None:
        return
    every = all_squares(board)
    now, named = fog(ctx.state), every.intersection(squares(action, "squares"))
    match action.get("what"):
        case "party":
            far = number(action, "far") if action.get("far") is not None else SIGHT
            now = (now or every) - in_sight(game, ctx.state, board, far)
        case "lift":
            now -= named
        case "cover":
            now |= named
        case "all":
            now = every
        case _:
            now = frozenset()
    reveal.set_visibility(ctx, FOG, row_spans(now) or None)
    ctx.note(f"players see {len(every - now)} of {len(every)} squares" if now else "players see all of the map")


def commands(game: Ruleset) -> tuple[ActionType, ...]:
    """Return the commands of this module; fog needs a map of squares."""
    fog_command = ActionType(
        "fog", "Fog on the map", perform=partial(_set_fog, game), fields=partial(_fog_fields, game)
    )
    return (
        ActionType(CONCEAL, "Hide from the players", perform=_conceal_or_reveal, fields=_conceal_fields),
        ActionType(REVEAL, "Show to the players", perform=_conceal_or_reveal, fields=_conceal_fields),
        ActionType("call", "Name for the players", perform=_set_alias, fields=_alias_fields),
        ActionType("players_see", "What the players see", perform=_set_screen, fields=_screen_fields),
        *((fog_command,) if game.schema.board == "square" else ()),
    )
