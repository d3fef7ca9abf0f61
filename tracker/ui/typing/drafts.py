"""Reading the line of a GM command.

A draft says what it would do, what is missing, and what can be chosen.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from tracker.core.engine import spec_of
from tracker.core.fight.state import Id, State
from tracker.core.step.shares import shares
from tracker.core.terms.actions import Action, ActionSpec, Field, Option
from tracker.core.terms.dice import Dice
from tracker.core.terms.encounter import Member
from tracker.core.terms.values import Value
from tracker.ui.typing.command import Typed, chosen, matching, read
from tracker.ui.typing.mode import Scene, name_spans, put_targets, target_field
from tracker.views.words.spans import Span
from tracker.views.words.text import clean

if TYPE_CHECKING:
    from tracker.library.shelves.effects import Kept

PRINTED = re.compile(r"\b(ac|armou?r ?class)\W*\d.*\b(hd|hp|hit ?dice)", re.IGNORECASE | re.DOTALL)
"""What a printed stat block looks like, and a name does not."""
COUNT = re.compile(r"\d+|\d*d\d+([+-]\d+)?")
"""How many join: a number, or dice."""
HIDDEN = " hidden"
"""What an insertion ends with that players do not see."""

__all__ = [
    "Draft",
    "again",
    "ended",
    "filled",
    "insert",
    "missing_words",
    "named",
    "note",
    "roll",
    "said_words",
]


class Draft(Struct, frozen=True):
    """A command line as it is understood.

    Attributes:
        action: what Enter would do, as far as it is typed.
        says: the same in words.
        wants: what is still missing, as a question; "": nothing.
        options: what can be chosen, and `at` which of them is.
        keys: what to type for each of them, where that is not its number.
        form: what is missing is better asked in a form.
        warns: what is wrong with a file it has read.
        keep: an effect to be kept in the GM's file once the action is done.
    """

    action: Action
    says: tuple[Span, ...] = ()
    wants: str = ""
    options: tuple[Option, ...] = ()
    at: int = -1
    form: bool = False
    warns: tuple[str, ...] = ()
    keep: Kept | None = None
    keys: tuple[str, ...] | None = None


def filled(scene: Scene, key: str, text: str, at: int) -> Draft:
    """Fill the fields of any action.

    Labels go into its targets, numbers into its numbers or its list, words into its choices.
    """
    state = scene.model.state
    spec = spec_of(scene.ruleset, state, Action(key))
    options = [option for field in spec.fields if field.kind == "choice" for option in field.options]
    typed = read(text, scene.labels, options)
    people = scene.who(typed.labels)
    action = put_targets(
        spec, Action(key), targets=people, capitals=scene.who(typed.capitals), shares=_shares(scene, typed)
    )
    spec = spec_of(scene.ruleset, state, action)
    numbers, words = list(typed.numbers), list(typed.words)
    strange = ""
    listed: Field | None = None
    for field in spec.fields:
        if field.kind == "choice" and (field.required or words):
            named = [word for word in words if chosen(word, field.options) or matching(word, field.options)]
            if named:
                found = chosen(named[0], field.options) or matching(named[0], field.options)[0]
                action = action.put(**{field.name: found.key})
                words.remove(named[0])
            if field.required and field.default is None:
                listed = listed or field
        elif field.kind == "number" and numbers:
            action = action.put(**{field.name: numbers.pop(0)})
    place = -1
    if listed is not None and action.get(listed.name) is not None:
        place = next(place for place, option in enumerate(listed.options) if option.key == action.get(listed.name))
    elif listed is not None and listed.options:
        place = numbers.pop(0) - 1 if numbers else at
        if 0 <= place < len(listed.options):
            action = action.put(**{listed.name: listed.options[place].key})
        else:
            place = -1
    spec = spec_of(scene.ruleset, state, action)
    if words:
        strange = f'"{words[0]}" is neither a label nor on offer'
    elif typed.shares and spec.field("shares") is None:
        strange = "everybody takes the same here"
    wants, form = (strange, False) if strange else missing_words(spec, action)
    return Draft(
        action,
        said_words(scene, spec, action, people),
        wants=wants,
        options=listed.options if listed else (),
        at=place,
        form=form,
    )


def _shares(scene: Scene, typed: Typed) -> tuple[tuple[Id, str], ...]:
    return tuple((scene.labels[label], times) for label, times in typed.shares)


def missing_words(spec: ActionSpec, action: Action) -> tuple[str, bool]:
    """Return a question for the first missing field, and whether a form is better."""
    for field in spec.fields:
        value = action.get(field.name)
        if field.required and (field.default if value is None else value) in (None, (), ""):
            if field.kind in ("combatant", "combatants"):
                return "whom? type labels", False
            if field.kind == "number":
                return "how much? type a number", False
            if field.kind == "choice" and len(field.options) <= 20 and field.options:
                return f"which {clean(field.shown)}? its number, up and down, or a word", False
            return f"{clean(field.shown)} is missing", True
    return "", False


def said_words(scene: Scene, spec: ActionSpec, action: Action, people: Sequence[str]) -> tuple[Span, ...]:
    """Return a command in words: the values, then the people."""
    words = []
    target = target_field(spec)
    for field in spec.fields:
        value = action.get(field.name)
        if (
            field.kind in ("combatant", "combatants")
            or (value is None and field.default is None)
            or field.kind == "rows"
        ):
            continue
        shown = field.default if value is None else value
        if value is None and field.kind != "choice":
            continue
        words.append(_titled(field, shown))
    spans = [Span(clean(" ".join(words)), "strong")] if words else []
    taken = {who: why for who, _, why in shares(action, 0)}
    for number, who in enumerate(people if target is not None else ()):
        spans += [Span(" → " if number == 0 else ", ", "dim"), *name_spans(scene, who)]
        if taken.get(who):
            spans.append(Span(f" {taken[who]}", "warn"))
    return tuple(spans)


def _titled(field: Field, value: Value) -> str:
    return next((option.shown for option in field.options if option.key == value), str(value))


def again(scene: Scene, action: Action, text: str) -> Draft:
    """Do an action again on new targets.

    What a combatant does is done on the same ones where none are typed.
    """
    spec = spec_of(scene.ruleset, scene.model.state, action)
    typed = read(text, scene.labels)
    target = target_field(spec)
    fields = tuple(pair for pair in action.fields if pair[0] not in ("halved", "shares", target.name if target else ""))
    bare = replace(action, fields=fields)
    numbered = next((field.name for field in spec.fields if field.kind == "number"), None)
    if typed.number is not None and numbered is not None:
        bare = bare.put(**{numbered: typed.number})
    people = scene.who(typed.labels)
    if not people and action.by is not None and target is not None:
        held = action.get(target.name)
        people = tuple(map(str, held)) if isinstance(held, tuple) else () if held is None else (str(held),)
    done = put_targets(spec, bare, targets=people, capitals=scene.who(typed.capitals), shares=_shares(scene, typed))
    words = (Span(clean(spec.label) + " ", "title"), *said_words(scene, spec, done, people))
    if typed.words:
        return Draft(done, words, f'"{typed.words[0]}" is no label')
    wants, form = missing_words(spec, done)
    return Draft(done, words, wants, form=form)


def ended(scene: Scene, key: str, text: str, at: int) -> Draft:
    """End the first effect of a labelled combatant, or the one that is named."""
    state = scene.model.state
    typed = read(text, scene.labels)
    people = scene.who(typed.labels)
    action = Action(key).put(who=people[0]) if people else Action(key)
    field = spec_of(scene.ruleset, state, action).field("effect")
    options = field.options if field is not None else ()
    for word in typed.words:
        options = matching(word, options)
    place = max(0, typed.number - 1) if typed.number is not None else max(0, at)
    if not options:
        whose = clean(state.name(people[0])) if people else "nobody"
        return Draft(action, (), f"{whose} has no such effect" if typed.words or people else "nobody has an effect")
    if place >= len(options):
        return Draft(action, (), f"1 to {len(options)}", options)
    wants = (
        ""
        if people or typed.number is not None or typed.words or at >= 0 or len(options) == 1
        else "which? a label, a number, up and down"
    )
    ended = action.put(effect=options[place].key)
    return Draft(
        ended,
        (Span("ends ", "dim"), Span(clean(options[place].shown), "strong")),
        wants=wants,
        options=options,
        at=place,
        keys=None if people or typed.words else _bearers(state),
    )


def _bearers(state: State) -> tuple[str, ...]:
    """Return the label of each effect's bearer, with a number where it bears several."""
    borne = Counter(effect.bearer for effect in state.all_effects)
    seen, keys = Counter[Id](), []
    for place, effect in enumerate(state.all_effects, start=1):
        seen[effect.bearer] += 1
        bearer = state.get(effect.bearer)
        number = str(seen[effect.bearer]) if borne[effect.bearer] > 1 else ""
        keys.append(str(place) if bearer is None else bearer.label + number)
    return tuple(keys)


def insert(scene: Scene, key: str, text: str, at: int) -> Draft:
    """Let combatants join.

    The line has how many and a name from the bestiary, then after a comma the side; or a pasted stat block. A last word
    `hidden` keeps them from the players.
    """
    printed = PRINTED.search(text) is not None
    shorter = "" if printed else text.rstrip().removesuffix(HIDDEN)
    unseen = bool(shorter.strip()) and shorter != text.rstrip()
    line, _, side = (text, "", "") if printed else (shorter if unseen else text).partition(",")
    words = _apart(line.split())
    count = "" if printed else next((word for word in words if COUNT.fullmatch(word)), "")
    name = " ".join(word for word in words if word != count)
    found = scene.find(name) if name else ()
    options = tuple(
        Option(str(place), clean(member.name), clean(member.ref)) for place, member in enumerate(found[:20])
    )
    place = at if 0 <= at < len(options) else 0
    action = Action(key)
    if side.strip():
        action = action.put(side=_side(scene, side.strip()))
    if not options:
        return Draft(action, (), f'the bestiary has no "{name}"' if name else "whom? a number and a name: 2 gob")
    try:
        how_many = found[place].count if printed else Dice.parse(count or "1")
    except ValueError as error:
        return Draft(action, (), wants=str(error), options=options, at=place)
    member: Member = replace(found[place], count=how_many)
    action = action.put(members=(member,), seen="hidden") if unseen else action.put(members=(member,))
    default = spec_of(scene.ruleset, scene.model.state, action).field("side")
    joined = str(action.get("side") or (default.default if default is not None else ""))
    says = (
        Span(f"{how_many} ", "strong"),
        Span(clean(member.name), "strong"),
        Span(" → ", "dim"),
        Span(clean(scene.model.state.name(joined))),
        Span(HIDDEN if unseen else "", "warn"),
    )
    return Draft(action, says, wants="", options=options, at=place)


def _apart(words: list[str]) -> list[str]:
    """Return words with how many apart from what follows without a blank: `2gob`."""
    first = None if not words or COUNT.fullmatch(words[0]) else re.fullmatch(r"(\d+)([^\W\d].*)", words[0])
    return words if first is None else [first[1], first[2], *words[1:]]


def _side(scene: Scene, typed: str) -> str:
    sides = tuple(Option(side.id, side.name) for side in scene.model.state.sides)
    found = matching(typed, sides)
    return found[0].key if found else typed


def roll(scene: Scene, key: str, text: str, at: int) -> Draft:
    """Roll freely: dice, then what for."""
    dice, _, why = text.strip().partition(" ")
    action = Action(key)
    if dice:
        try:
            Dice.parse(dice)
        except ValueError as error:
            return Draft(action, (), str(error))
        action = action.put(dice=dice)
    if why.strip():
        action = action.put(why=why.strip())
    return Draft(action, (Span(dice or "1d20", "strong"), Span(" " + clean(why), "dim")))


def note(scene: Scene, key: str, text: str, at: int) -> Draft:
    """Note something on the fight, or on a combatant: `g: afraid of fire`."""
    head, colon, tail = text.partition(":")
    who = scene.labels.get(head.strip().lower()) if colon else None
    words = (tail if who is not None else text).strip()
    action = Action(key).put(text=words) if words else Action(key)
    if who is not None:
        action = action.put(about=who)
    about = name_spans(scene, who) if who is not None else (Span("the fight", "dim"),)
    return Draft(action, (Span("on ", "dim"), *about), "" if words else "what? a few words")


def named(scene: Scene, key: str, text: str, at: int) -> Draft:
    """Name a combatant for the players: `g Tall stranger`."""
    label, _, words = text.strip().partition(" ")
    who = scene.labels.get(label.lower())
    if who is None:
        return Draft(Action(key), (), f'"{label}" is no label' if label else "whom? a label, then what players call it")
    action = Action(key).put(who=who)
    said = clean(" ".join(words.split()))
    says = (*name_spans(scene, who), Span(" → ", "dim"), Span(said or "its own name", "strong" if said else "dim"))
    return Draft(action.put(name=words.strip()) if said else action, says)
