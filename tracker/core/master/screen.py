"""The players' screen: who is hidden, how each is called, what is shown."""

from __future__ import annotations

from msgspec.structs import replace

from tracker.core.fight import hiding
from tracker.core.fight.events import EffectChanged
from tracker.core.fight.state import Id, State
from tracker.core.game.action_types import ActionType
from tracker.core.step import showing
from tracker.core.step.ctx import Ctx
from tracker.core.step.fields import all_combatants, ids
from tracker.core.terms.actions import Action, Field, Option
from tracker.core.terms.effects import Effect
from tracker.core.terms.errors import Refusal

SETTINGS = (
    Option("points_on", "points on"),
    Option("points_off", "points off"),
    Option("health_on", "health on"),
    Option("health_off", "health off"),
    Option("map_on", "map on"),
    Option("map_off", "map off"),
    Option("attackers_revealed", "attackers revealed"),
    Option("attackers_unseen", "attackers unseen"),
    Option("title", "title"),
)
"""What the GM sets for the players' screen."""


def _seen(state: State, hidden: bool) -> tuple[Option, ...]:
    """Return everybody, refused where there is nothing to do."""
    why = Refusal("hidden", "players do not see it already", forcible=False, field="targets")
    if hidden:
        why = Refusal("not_hidden", "players see it already", forcible=False, field="targets")
    return tuple(
        [
            Option(one.id, one.name, refusal=None if hiding.is_hidden(state, one.id) == hidden else why)
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
            Option(hiding.wave_key(wave), wave.title or wave.when or f"wave {place}")
            for place, wave in enumerate(state.waves, start=1)
            if (hiding.wave_hidden(state, wave) is True) == hidden
        ]
    )


def _fields(state: State, action: Action, hidden: bool) -> tuple[Field, ...]:
    on = ids(action, "targets")
    effects = _effects(state, hidden, on)
    whom = _seen(state, hidden) if action.get("effect") is None else all_combatants(state)
    bare = action.get("effect") is None and action.get("wave") is None
    named = dict.fromkeys(effect.name for effect in effects)
    titles = {effect.name: effect.shown for effect in effects}
    return (
        Field("targets", "combatants", required=bare, options=whom, note="whom; with an effect: on whom"),
        Field("effect", "choice", options=tuple([Option(name, titles[name]) for name in named])),
        Field("wave", "choice", options=_waves(state, hidden)),
    )


def _conceal(state: State, action: Action) -> tuple[Field, ...]:
    return _fields(state, action, hidden=False)


def _reveal(state: State, action: Action) -> tuple[Field, ...]:
    return _fields(state, action, hidden=True)


def _do_conceal(ctx: Ctx, action: Action) -> None:
    _do(ctx, action, hide=True)


def _do_reveal(ctx: Ctx, action: Action) -> None:
    _do(ctx, action, hide=False)


def _do(ctx: Ctx, action: Action, *, hide: bool) -> None:
    """Hide or show an effect, a wave, or combatants."""
    whom, effect, wave = ids(action, "targets"), action.get("effect"), action.get("wave")
    see = "do not see" if hide else "see"
    if effect is not None:
        for one in _effects(ctx.state, not hide, whom):
            if one.name == effect:
                ctx.emit(EffectChanged(one, replace(one, secret=hide)))
                ctx.note(f"players {see} {one.shown} ({ctx.state.name(one.bearer)})", about=one.bearer)
    if wave is not None:
        showing.say(ctx, str(wave), hide)
        title = next((option.shown for option in _waves(ctx.state, hide) if option.key == wave), str(wave))
        ctx.note(f"players {see} this wave come: {title}")
    if effect is None and wave is None:
        (showing.hide if hide else showing.reveal)(ctx, whom)


def _call(state: State, action: Action) -> tuple[Field, ...]:
    return (
        Field("who", "combatant", required=True, options=all_combatants(state)),
        Field("name", "text", note="what players read; empty: its own name"),
    )


def _do_call(ctx: Ctx, action: Action) -> None:
    who, words = str(action.get("who")), " ".join(str(action.get("name") or "").split())
    showing.call(ctx, who, words)
    read = words if hiding.unmet(ctx.state, who) and words else hiding.called(ctx.state, ctx.state[who])
    ctx.note(f"players read {read} for {ctx.state.name(who)}", about=who)


def _screen(state: State, action: Action) -> tuple[Field, ...]:
    sides = tuple([Option(side.id, side.name) for side in state.sides])
    return (
        Field("what", "choice", required=True, options=SETTINGS),
        Field("side", "choice", options=sides, note="whose health; empty: everybody's"),
        Field("title", "text", note="what players read as the title; empty: the encounter's"),
    )


def _do_screen(ctx: Ctx, action: Action) -> None:
    what, side = str(action.get("what")), action.get("side")
    subject, _, value = what.partition("_")
    match subject:
        case "title":
            value = " ".join(str(action.get("title") or "").split())
            showing.say(ctx, "title", value or None)
        case "attackers":
            showing.say(ctx, "unseen", None if value == "revealed" else showing.BY_NAME)
        case "health":
            for one in ctx.state.sides:
                if side in (None, one.id):
                    showing.say(ctx, f"health:{one.id}", None if value == "on" else False)
        case _:
            showing.say(ctx, subject, None if value == "on" else False)
    whose = f" ({ctx.state.name(str(side))})" if side is not None and subject == "health" else ""
    ctx.note(f"the players' screen: {subject} {value}{whose}")


COMMANDS = (
    ActionType("conceal", "Hide from the players", perform=_do_conceal, fields=_conceal),
    ActionType("reveal", "Show to the players", perform=_do_reveal, fields=_reveal),
    ActionType("call", "Name for the players", perform=_do_call, fields=_call),
    ActionType("players_see", "What the players see", perform=_do_screen, fields=_screen),
)
