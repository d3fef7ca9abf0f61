"""A hidden combatant put into any state of any game. Players must see nothing of it."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec
from msgspec.structs import replace

from tracker.core.fight.slots import Slot
from tracker.core.fight.state import Combatant, State
from tracker.core.game.ruleset import Ruleset
from tracker.core.terms.effects import Effect
from tracker.core.terms.labels import next_label
from tracker.core.terms.values import Value
from tracker.core.visibility.knowledge import PLAYERS, STOPPED_AT, hidden, numbered, setting
from tracker.views.public.build import public_view

__all__ = ["LURKER", "betrayed", "presences"]

LURKER = "vampire-lord-of-the-keep"
SECRET = "Xarrot the Unseen"


def presences(state: State) -> Iterator[tuple[State, State]]:
    """Yield a state and the same one with a hidden combatant in it.

    It stands in the order with others, has a place of its own, or acts just now; it is one more of a kind that
    players see, or one they know nothing of.
    """
    foes = [one for one in state.combatants if state.side(one.side).control == "gm"]
    if not foes:
        return
    used = [one.name for one in state.combatants] + [name for _, name in state.gone]
    for model in (foes[0], foes[-1]):
        for name in (SECRET, numbered([model.name], used)[0]):
            people = state.combatants
            lurker = replace(
                model, id=LURKER, name=name, label=next_label(state.labels, name), effects=(), notes=(SECRET,)
            )
            stood = [] if (seen := _seen_last(state)) is None else [(PLAYERS, STOPPED_AT, seen)]
            facts = (*state.facts, (PLAYERS, f"hidden:{LURKER}", lurker.label), *stood)
            facts = tuple(sorted({fact[:2]: fact for fact in facts}.values(), key=lambda fact: fact[:2]))
            told = _marked(people)
            there = replace(state, combatants=(*told, lurker), facts=facts, labels=(*state.labels, lurker.label))
            yield state, there
            yield state, replace(there, combatants=(lurker, *told))
            yield state, _in_slots(there, model)
            yield from _acting(state, there)


def _seen_last(state: State) -> Value:
    """Return the slot in which players last saw the clock stop.

    Where others are hidden already it has been noted, if there was such a slot."""
    return setting(state, STOPPED_AT) if hidden(state) else state.clock.at


def _marked(people: tuple[Combatant, ...]) -> tuple[Combatant, ...]:
    """Let a secret effect of the hidden one hold on everybody."""
    return tuple(
        [
            replace(one, effects=(*one.effects, Effect(SECRET, one.id, 9_000 + place, LURKER, secret=True)))
            for place, one in enumerate(people)
        ]
    )


def _in_slots(state: State, model: Combatant) -> State:
    """Let it share the places of another one."""
    slots = tuple(
        replace(slot, members=(*slot.members, LURKER)) if model.id in slot.members else slot
        for slot in state.clock.slots
    )
    return replace(state, clock=replace(state.clock, slots=slots))


def _acting(state: State, there: State) -> Iterator[tuple[State, State]]:
    """Let it act in a place of its own right behind the present one."""
    clock = state.clock
    here = next((place for place, slot in enumerate(clock.slots) if slot.id == clock.at), None)
    if here is None or clock.over:
        return
    own = Slot(f"r{clock.round}/{LURKER}", SECRET, LURKER, clock.slots[here].segment, (LURKER,), info=SECRET)
    slots = (*clock.slots[: here + 1], own, *clock.slots[here + 1 :])
    acts = replace(clock, slots=slots, at=own.id, begun=(*clock.begun, own.id), acting=LURKER)
    yield replace(state, clock=replace(clock, acting=None)), replace(there, clock=acts)
    yield state, replace(there, clock=replace(clock, slots=slots))


def betrayed(ruleset: Ruleset, state: State) -> list[str]:
    """Return what players see of a hidden combatant in a state: nothing, it should be."""
    found: list[str] = []
    for without, presence in presences(state):
        plain, veiled = public_view(ruleset, without, "s"), public_view(ruleset, presence, "s")
        if plain != veiled:
            fields = [name for name in plain.__struct_fields__ if getattr(plain, name) != getattr(veiled, name)]
            found += [f"{name}: {getattr(plain, name)!r} {getattr(veiled, name)!r}"[:600] for name in fields]
        text = msgspec.json.encode(veiled).decode()
        found += [word for word in (SECRET, LURKER) if word in text]
    return found
