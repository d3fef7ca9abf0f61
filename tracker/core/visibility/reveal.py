"""Hiding and revealing combatants within a step.

A combatant that becomes visible gets its name, number and label here; only combatants that players have seen count.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from tracker.core.fight.events import ActionTaken, Checked, EffectAdded, PoolChanged, Rolled, SlotReached
from tracker.core.fight.slots import Id
from tracker.core.step.changes import StateChanges
from tracker.core.terms.actions import Action
from tracker.core.terms.labels import next_label
from tracker.core.terms.values import Value
from tracker.core.visibility import knowledge
from tracker.core.visibility.knowledge import PLAYERS, SEEN

ATTACKERS_STAY_HIDDEN = "name"
"""The setting under which a hidden attacker stays hidden: players read of an unseen foe."""


def set_visibility(ctx: StateChanges, key: str, now: Value) -> None:
    """Set a fact about what players know."""
    ctx.fact(PLAYERS, key, now)


def introduce(
    ctx: StateChanges, people: Sequence[Id], unseen: Iterable[Id] = (), words: Iterable[tuple[Id, str]] = ()
) -> None:
    """Show newcomers to the players, except for the `unseen`; `words` are aliases of some of them.

    Without hidden combatants and aliases, players read the GM's names.
    """
    hides, aliases = frozenset(unseen), dict(words)
    if not hides and not aliases and not knowledge.names_differ(ctx.state):
        return
    for who, alias in aliases.items():
        set_visibility(ctx, f"alias:{who}", alias)
    for who in people:
        if who in hides:
            set_visibility(ctx, f"hidden:{who}", ctx.state[who].label)
    _assign_names(ctx, [who for who in people if who not in hides])


def hide(ctx: StateChanges, people: Iterable[Id]) -> None:
    """Hide combatants; if players have read no names yet, the others are numbered anew without them."""
    early = _before_first_act(ctx)
    for who in people:
        if not knowledge.is_hidden(ctx.state, who):
            set_visibility(ctx, f"hidden:{who}", ctx.state[who].label if early else SEEN)
            if early:
                _forget(ctx, who)
    if early:
        _renumber(ctx)


def reveal(ctx: StateChanges, people: Iterable[Id]) -> None:
    """Show hidden combatants."""
    hidden = [who for who in people if knowledge.is_hidden(ctx.state, who)]
    new = [who for who in hidden if knowledge.never_seen(ctx.state, who)]
    if new:
        _assign_names(ctx, new, late=True)
    for who in hidden:
        set_visibility(ctx, f"hidden:{who}", None)


def set_alias(ctx: StateChanges, who: Id, words: str) -> None:
    """Let players read another name for a combatant; without words, its own."""
    set_visibility(ctx, f"alias:{who}", words or None)
    set_visibility(ctx, f"called:{who}", None)
    if knowledge.never_seen(ctx.state, who):
        return  # it gets its number when players first see it
    if _before_first_act(ctx):
        _renumber(ctx)
        return
    used = _with_kinds(_names(ctx, but=(who,)))
    _set_name(ctx, who, knowledge.numbered([knowledge.own_words(ctx.state, who)], used)[0])


def on_leave(ctx: StateChanges, who: Id) -> None:
    """Keep the label under which players knew a combatant that leaves."""
    one = ctx.state[who]
    label = knowledge.label_of(ctx.state, one)
    if label != one.label and not knowledge.never_seen(ctx.state, who):
        set_visibility(ctx, f"left:{one.label}", label)


def _before_first_act(ctx: StateChanges) -> bool:
    """Tell whether players have neither seen an action nor read a name yet, so that names may still change."""
    clock = ctx.state.clock
    return (
        not knowledge.setting(ctx.state, knowledge.SHOWN)
        and clock.round <= 1
        and not any(who is not None and not knowledge.is_hidden(ctx.state, who) for who in (clock.acting, *clock.acted))
    )


def _renumber(ctx: StateChanges) -> None:
    """Name and label the combatants that players have seen, without the others."""
    visible = [one.id for one in ctx.state.combatants if not knowledge.never_seen(ctx.state, one.id)]
    for who in visible:
        _forget(ctx, who)
    _assign_names(ctx, visible)


def _forget(ctx: StateChanges, who: Id) -> None:
    set_visibility(ctx, f"called:{who}", None)
    set_visibility(ctx, f"label:{who}", None)


def _assign_names(ctx: StateChanges, people: Sequence[Id], late: bool = False) -> None:
    """Name combatants that players see for the first time; `late`: the numbers of their kind go on."""
    used = _names(ctx, but=people)
    words = [knowledge.own_words(ctx.state, who) for who in people]
    names = knowledge.numbered(words, _with_kinds(used) if late else used)
    labels = _labels(ctx, but=people)
    first = sorted(people, key=lambda who: ctx.state.side_of(who).control != "players")
    called = dict(zip(people, names, strict=True))
    for who in people:
        _set_name(ctx, who, called[who])
    for who in first:
        label = next_label(labels, called[who])
        labels.append(label)
        set_visibility(ctx, f"label:{who}", None if label == ctx.state[who].label else label)


def _with_kinds(names: Sequence[str]) -> list[str]:
    """Return names, and the kinds of the numbered names."""
    return [*names, *(name.rpartition(" ")[0] for name in names if name.rpartition(" ")[2].isdigit())]


def _set_name(ctx: StateChanges, who: Id, words: str) -> None:
    name = ctx.state[who].name
    set_visibility(ctx, f"called:{who}", None if words == name else (words, name))


def _names(ctx: StateChanges, but: Iterable[Id]) -> list[str]:
    state, left_out = ctx.state, frozenset(but)
    here = [
        knowledge.called(state, one)
        for one in state.combatants
        if one.id not in left_out and not knowledge.never_seen(state, one.id)
    ]
    gone = (knowledge.called_as(state, who, name) for who, name in state.gone if not knowledge.never_seen(state, who))
    return [*here, *gone]


def _labels(ctx: StateChanges, but: Iterable[Id]) -> list[str]:
    state, left_out = ctx.state, frozenset(but)
    shown = {one.label: knowledge.label_of(state, one) for one in state.combatants}
    never = {one.label for one in state.combatants if one.id in left_out or knowledge.never_seen(state, one.id)}
    gone = [knowledge.setting(state, f"hidden:{who}") for who, _ in state.gone]
    never |= {str(label) for label in gone if label not in (None, SEEN)}
    left = {
        label: str(knowledge.setting(state, f"left:{label}") or label) for label in state.labels if label not in shown
    }
    return [shown.get(label) or left[label] for label in state.labels if label not in never]


def reveal_attackers(ctx: StateChanges) -> None:
    """Reveal the hidden combatants that attacked in this step, or store the slot of an unseen attack.

    An attack is an action against a combatant of another side, damage or an effect on it. A declaration is no attack.
    """
    unseen = knowledge.hidden(ctx.state)
    if not unseen:
        return
    attackers = _hidden_attackers(ctx, unseen)
    stay_hidden = knowledge.setting(ctx.state, "unseen") == ATTACKERS_STAY_HIDDEN
    for who, slot in attackers.items():
        if stay_hidden:
            set_visibility(ctx, "unseen_at", slot)
        else:
            name = ctx.state.name(who)
            reveal(ctx, [who])
            ctx.note(f"{name} attacks: players see {name} now", about=who)


def _hidden_attackers(ctx: StateChanges, unseen: frozenset[Id]) -> dict[Id, Id | None]:
    """Return the hidden combatants that attacked in this step, each with its slot."""
    reached = [entry.event for entry in ctx.entries if isinstance(entry.event, SlotReached)]
    at = reached[0].was if reached else ctx.state.clock.at
    attackers, aiming = dict[Id, Id | None](), set[Id]()
    for entry in ctx.entries:
        attacking: set[Id] = set()
        match entry.event:
            case SlotReached(now=slot):
                at = slot or at
            case ActionTaken(action=action):
                aiming = {action.by} if action.by in unseen and _aims(ctx, action) else set()
            case Rolled(secret=False):
                attacking = aiming
            case Checked(who=who, target=target) if _hostile(ctx, who, target):
                attacking = {who} if who is not None else set()
            case PoolChanged(who=target, source=who, was=was, now=now) if now < was and _hostile(ctx, who, target):
                attacking = {who} if who is not None else set()
            case EffectAdded(effect=effect) if not effect.secret and _hostile(ctx, effect.source, effect.bearer):
                attacking = {effect.source} if effect.source is not None else set()
            case _:
                pass
        for one in attacking & unseen:
            attackers.setdefault(one, at)
    return attackers


def _aims(ctx: StateChanges, action: Action) -> bool:
    named = [item for _, value in action.fields for item in (value if isinstance(value, tuple) else (value,))]
    return any(_hostile(ctx, action.by, item) for item in named if isinstance(item, str))


def _hostile(ctx: StateChanges, who: Id | None, target: Id | None) -> bool:
    one, other = ctx.state.get(who), ctx.state.get(target)
    return one is not None and other is not None and one.side != other.side
