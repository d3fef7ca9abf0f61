"""Showing and hiding: what a step does to what players know.

Names, numbers and labels of those who become visible are given here, counting only what players have seen.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from tracker.core.fight import hiding
from tracker.core.fight.events import ActionTaken, Checked, EffectAdded, PoolChanged, Rolled, SlotReached
from tracker.core.fight.hiding import MET, PLAYERS
from tracker.core.fight.state import Id
from tracker.core.step.changes import Changes
from tracker.core.terms.actions import Action
from tracker.core.terms.labels import next_label
from tracker.core.terms.values import Value

BY_NAME = "name"
"""The setting under which a hidden attacker stays hidden, as an unseen foe."""


def say(ctx: Changes, key: str, now: Value) -> None:
    """Set one of the facts about what players know."""
    ctx.fact(PLAYERS, key, now)


def introduce(
    ctx: Changes, people: Sequence[Id], unseen: Iterable[Id] = (), words: Iterable[tuple[Id, str]] = ()
) -> None:
    """Show newcomers to the players, but those who come hidden.

    `words` is what players shall call some of them. Where nothing is hidden they read what the GM reads.
    """
    hides, aliases = frozenset(unseen), dict(words)
    if not hides and not aliases and not hiding.touched(ctx.state):
        return
    for who, alias in aliases.items():
        say(ctx, f"alias:{who}", alias)
    for who in people:
        if who in hides:
            say(ctx, f"hidden:{who}", ctx.state[who].label)
    _christen(ctx, [who for who in people if who not in hides], [])


def hide(ctx: Changes, people: Iterable[Id]) -> None:
    """Hide combatants.

    Before anybody has acted the rest is numbered as if those who hide had never been there.
    """
    early = _early(ctx)
    for who in people:
        if not hiding.is_hidden(ctx.state, who):
            say(ctx, f"hidden:{who}", ctx.state[who].label if early else MET)
            if early:
                _forget(ctx, who)
    if early:
        _number_anew(ctx)


def reveal(ctx: Changes, people: Iterable[Id]) -> None:
    """Show hidden combatants."""
    known = [who for who in people if hiding.is_hidden(ctx.state, who)]
    new = [who for who in known if hiding.unmet(ctx.state, who)]
    if new:
        _christen(ctx, new, new, late=True)
    for who in known:
        say(ctx, f"hidden:{who}", None)


def call(ctx: Changes, who: Id, words: str) -> None:
    """Let players read another name for a combatant, or without words its own."""
    say(ctx, f"alias:{who}", words or None)
    say(ctx, f"called:{who}", None)
    if hiding.unmet(ctx.state, who):
        return  # its number is given when it is first seen
    if _early(ctx):
        _number_anew(ctx)
        return
    used = _with_kinds(_names(ctx, but=(who,)))
    _pin(ctx, who, hiding.numbered([hiding.own_words(ctx.state, who)], used)[0])


def part(ctx: Changes, who: Id) -> None:
    """Keep in mind under which label players knew a combatant that leaves."""
    one = ctx.state[who]
    label = hiding.label_of(ctx.state, one)
    if label != one.label and not hiding.unmet(ctx.state, who):
        say(ctx, f"left:{one.label}", label)


def _early(ctx: Changes) -> bool:
    """Tell whether players have seen nobody act yet.

    Nothing they read is a habit then.
    """
    clock = ctx.state.clock
    return clock.round <= 1 and not any(
        who is not None and not hiding.is_hidden(ctx.state, who) for who in (clock.acting, *clock.acted)
    )


def _number_anew(ctx: Changes) -> None:
    """Name and label those who can be seen as if there were no others."""
    visible = [one.id for one in ctx.state.combatants if not hiding.unmet(ctx.state, one.id)]
    for who in visible:
        _forget(ctx, who)
    _christen(ctx, visible, visible)


def _forget(ctx: Changes, who: Id) -> None:
    say(ctx, f"called:{who}", None)
    say(ctx, f"label:{who}", None)


def _christen(ctx: Changes, people: Sequence[Id], but: Sequence[Id], late: bool = False) -> None:
    """Give names and labels to combatants that players see for the first time.

    `late`: others of their kind may have been there before, so they are numbered on.
    """
    leaving = (*but, *people)
    used = _names(ctx, but=leaving)
    words = [hiding.own_words(ctx.state, who) for who in people]
    names = hiding.numbered(words, _with_kinds(used) if late else used)
    labels = _labels(ctx, but=leaving)
    first = sorted(people, key=lambda who: ctx.state.side_of(who).control != "players")
    called = dict(zip(people, names, strict=True))
    for who in people:
        _pin(ctx, who, called[who])
    for who in first:
        label = next_label(labels, called[who])
        labels.append(label)
        say(ctx, f"label:{who}", None if label == ctx.state[who].label else label)


def _with_kinds(names: Sequence[str]) -> list[str]:
    """Return names, and the kinds of those that are numbered."""
    return [*names, *(name.rpartition(" ")[0] for name in names if name.rpartition(" ")[2].isdigit())]


def _pin(ctx: Changes, who: Id, words: str) -> None:
    name = ctx.state[who].name
    say(ctx, f"called:{who}", None if words == name else (words, name))


def _names(ctx: Changes, but: Iterable[Id]) -> list[str]:
    """Return the names players have read, those of combatants that have left among them."""
    state, left_out = ctx.state, frozenset(but)
    here = [
        hiding.called(state, one)
        for one in state.combatants
        if one.id not in left_out and not hiding.unmet(state, one.id)
    ]
    gone = (hiding.called_as(state, who, name) for who, name in state.gone if not hiding.unmet(state, who))
    return [*here, *gone]


def _labels(ctx: Changes, but: Iterable[Id]) -> list[str]:
    """Return the labels players have read, in the order of joining."""
    state, left_out = ctx.state, frozenset(but)
    shown = {one.label: hiding.label_of(state, one) for one in state.combatants}
    never = {one.label for one in state.combatants if one.id in left_out or hiding.unmet(state, one.id)}
    gone = [hiding.setting(state, f"hidden:{who}") for who, _ in state.gone]
    never |= {str(label) for label in gone if label not in (None, MET)}
    left = {label: str(hiding.setting(state, f"left:{label}") or label) for label in state.labels if label not in shown}
    return [shown.get(label) or left[label] for label in state.labels if label not in never]


def unmask(ctx: Changes) -> None:
    """Reveal the hidden who attacked in this step, or note where they did unseen.

    To act against a combatant of another side, to harm it or to put an effect on it is an attack. A plan that is only
    declared is none yet.
    """
    unseen = hiding.hidden(ctx.state)
    if not unseen:
        return
    struck = _strikers(ctx, unseen)
    by_name = hiding.setting(ctx.state, "unseen") == BY_NAME
    for who, slot in struck.items():
        if by_name:
            say(ctx, "unseen_at", slot)
        else:
            name = ctx.state.name(who)
            reveal(ctx, [who])
            ctx.note(f"{name} attacks: players see {name} now", about=who)


def _strikers(ctx: Changes, unseen: frozenset[Id]) -> dict[Id, Id | None]:
    """Return the hidden who attacked in this step, each with the slot it was in."""
    reached = [entry.event for entry in ctx.entries if isinstance(entry.event, SlotReached)]
    at = reached[0].was if reached else ctx.state.clock.at
    struck, aiming = dict[Id, Id | None](), set[Id]()
    for entry in ctx.entries:
        found: set[Id] = set()
        match entry.event:
            case SlotReached(now=slot):
                at = slot or at
            case ActionTaken(action=action):
                aiming = {action.by} if action.by in unseen and _aims(ctx, action) else set()
            case Rolled(secret=False):
                found = aiming
            case Checked(who=who, target=target) if _hostile(ctx, who, target):
                found = {who} if who is not None else set()
            case PoolChanged(who=target, source=who, was=was, now=now) if now < was and _hostile(ctx, who, target):
                found = {who} if who is not None else set()
            case EffectAdded(effect=effect) if not effect.secret and _hostile(ctx, effect.source, effect.bearer):
                found = {effect.source} if effect.source is not None else set()
            case _:
                pass
        for one in found & unseen:
            struck.setdefault(one, at)
    return struck


def _aims(ctx: Changes, action: Action) -> bool:
    """Tell whether an action names a combatant of another side."""
    named = [item for _, value in action.fields for item in (value if isinstance(value, tuple) else (value,))]
    return any(_hostile(ctx, action.by, item) for item in named if isinstance(item, str))


def _hostile(ctx: Changes, who: Id | None, target: Id | None) -> bool:
    one, other = ctx.state.get(who), ctx.state.get(target)
    return one is not None and other is not None and one.side != other.side
