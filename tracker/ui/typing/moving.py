"""Reading the line that moves a combatant in the order, or has it wait."""

from __future__ import annotations

from collections.abc import Sequence

from tracker.core.fight.state import Id, Slot, State
from tracker.core.terms.actions import Action, Option
from tracker.ui.typing.command import Typed, matching, read
from tracker.ui.typing.drafts import Draft
from tracker.ui.typing.mode import Scene, name_spans
from tracker.views.words.spans import Span
from tracker.views.words.text import clean

__all__ = ["move"]

LAST = "last"


def move(scene: Scene, key: str, text: str, at: int) -> Draft:
    """Move in the order: whose slot, then before whose.

    A label alone asks where, or how the game lets that one wait: delay, hold.
    """
    state = scene.model.state
    typed = read(text, scene.labels)
    first = scene.who(typed.labels[:1])
    waits = tuple(spec for spec in scene.offers(first[0]) if spec.group == "order") if first else ()
    waiting = tuple(Option(spec.key, clean(spec.label), clean(spec.cost), spec.refusal) for spec in waits)
    typed = read(text, scene.labels, waiting)  # the word that names one may be made of labels
    people = scene.who(typed.labels)
    upcoming = state.clock.upcoming
    slots = [next((slot for slot in upcoming if who in slot.members), None) for who in people[:2]]
    action = Action(key)
    if not people:
        options, keys = tuple(Option(slot.id, clean(slot.title)) for slot in upcoming), _labels(state, upcoming)
        if typed.number is not None and 1 <= typed.number <= len(upcoming):
            title = clean(upcoming[typed.number - 1].title)
            says = (Span(title, "strong"), Span(" → last", "dim"))
            return Draft(action.put(slot=upcoming[typed.number - 1].id), says, "", options, keys=keys)
        return Draft(action, (), "whose turn? a label, then the label it goes before", options, keys=keys)
    if len(people) == 1:
        return _alone(scene, action, people[0], slots[0], waiting, typed, at)
    if None in slots:
        late = people[slots.index(None)]
        wants = f"{clean(state.name(late))} has no turn ahead of it in this round"
        return Draft(
            action, name_spans(scene, late), wants, tuple(Option(slot.id, clean(slot.title)) for slot in upcoming)
        )
    own, other = [slot for slot in slots if slot is not None]
    return Draft(action.put(slot=own.id, before=other.id), _placed(own, f"before {clean(other.title)}"))


def _labels(state: State, slots: Sequence[Slot], before: int = 0, count: int | None = None) -> tuple[str, ...]:
    """Return the label of each one's own slot, else its number.

    So many options stand `before` them.
    """
    keys = [str(place) for place in range(1, (before + len(slots) if count is None else count) + 1)]
    for place, slot in enumerate(slots, start=before):
        person = state.get(slot.members[0]) if len(slot.members) == 1 else None
        if person is not None and person.label not in keys:
            keys[place] = person.label
    return tuple(keys)


def _placed(slot: Slot, where: str) -> tuple[Span, ...]:
    return (Span(clean(slot.title), "strong"), Span(" → ", "dim"), Span(where))


def _alone(
    scene: Scene, action: Action, who: Id, slot: Slot | None, waiting: Sequence[Option], typed: Typed, at: int
) -> Draft:
    """Ask what becomes of a turn: ways to wait, then places in the order."""
    places: list[Option] = []
    others: list[Slot] = []
    if slot is not None:
        others = [other for other in scene.model.state.clock.upcoming if other.id != slot.id]
        places = [Option(other.id, f"before {clean(other.title)}") for other in others]
        places.append(Option(LAST, "last of the round"))
    options = (*waiting, *places)
    whose = name_spans(scene, who)
    keys = _labels(scene.model.state, others, len(waiting), len(options))
    if not options:
        return Draft(action, whose, f"{clean(scene.model.state.name(who))} has no turn ahead of it in this round")
    words = " ".join(typed.words)
    found = matching(words, options) if words else ()
    if words and not found:
        return Draft(action, whose, f'"{clean(words)}" is neither a label nor a way to wait', options, keys=keys)
    place = options.index(found[0]) if found else typed.number - 1 if typed.number is not None else at
    if not 0 <= place < len(options):
        labelled = any(not key.isdigit() for key in keys)
        how = "a label, a number, a word" if labelled else "a number, a word, up and down"
        ways = [clean(option.shown).casefold() for option in waiting]
        wants = f"{', '.join(ways)} or where? " if ways and places else "where? " if places else "how? "
        return Draft(action, whose, wants + how, options, keys=keys)
    chosen = options[place]
    if place < len(waiting):
        says = (*whose, Span("  "), Span(chosen.shown, "strong"), Span(f"  {chosen.note}", "dim"))
        return Draft(Action(chosen.key, who), says, "", options, place, keys=keys)
    assert slot is not None
    moved = action.put(slot=slot.id)
    moved = moved if chosen.key == LAST else moved.put(before=chosen.key)
    return Draft(moved, _placed(slot, chosen.shown), "", options, place, keys=keys)
