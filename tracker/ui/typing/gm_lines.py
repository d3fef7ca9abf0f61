"""The parsers of the lines of GM commands; a command without a parser of its own is parsed as an action."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence

from msgspec.structs import replace

from tracker.core.engine import spec_of
from tracker.core.fight.slots import Id, Slot
from tracker.core.fight.state import State
from tracker.core.gm.settings import ROLL as LET_ROLL
from tracker.core.terms.actions import Action, Option
from tracker.core.terms.dice import Dice
from tracker.core.terms.encounter import Member
from tracker.ui.keys.table import LINES
from tracker.ui.typing import effect_line
from tracker.ui.typing.mode import ModeContext, name_spans, target_field, targets_of
from tracker.ui.typing.parser import ParsedCommand, leading_labels, parse_action, people_of, tokens_of
from tracker.ui.typing.tokens import Tokens, matching_options, no_such_number
from tracker.views.words.spans import Span
from tracker.views.words.text import clean

PRINTED = re.compile(r"\b(ac|armou?r ?class)\W*\d.*\b(hd|hp|hit ?dice)", re.IGNORECASE | re.DOTALL)
"""Matches a printed stat block, but not a name."""
COUNT = re.compile(r"\d+|\d*d\d+([+-]\d+)?")
"""The number of new combatants: a number or dice."""
HIDDEN = " hidden"
"""The end of an insert line for combatants that players do not see."""
LAST = "last"


def parse_command(scene: ModeContext, verb: str, text: str, at: int) -> ParsedCommand:
    key, reader = LINES[verb].does, READERS.get(verb)
    return parse_action(scene, Action(key), text, at=at) if reader is None else reader(scene, key, text, at)


def repeat(scene: ModeContext, action: Action, text: str) -> ParsedCommand:
    """Do an action again on new targets; a combatant's own action keeps its targets if none are typed."""
    spec = scene.spec(action)
    target = target_field(spec)
    emptied = ["halved", "shares", *((target.name,) if target is not None else ())]
    if tokens_of(scene, text).number is not None:
        emptied += [field.name for field in spec.fields if field.kind == "number"][:1]
    bare = replace(action, fields=tuple(pair for pair in action.fields if pair[0] not in emptied))
    typed_before = action.by is not None and target is not None and action.get(target.name) is not None
    parsed = parse_action(scene, bare, text, people=targets_of(spec, action) if typed_before else ())
    return replace(parsed, says=(Span(clean(spec.label) + " ", "title"), *parsed.says))


def end_effect(scene: ModeContext, key: str, text: str, at: int) -> ParsedCommand:
    """End the first effect of a labelled combatant, or the effect with the typed name or number."""
    state = scene.model.state
    field = spec_of(scene.ruleset, state, Action(key)).field("effect")
    typed = tokens_of(scene, text, field.options if field is not None else ())
    people = scene.combatants_of(typed.labels)
    action = Action(key).put(who=people[0]) if people else Action(key)
    field = spec_of(scene.ruleset, state, action).field("effect")
    options = field.options if field is not None else ()
    for word in typed.words:
        options = matching_options(word, options)
    place = max(0, typed.number - 1) if typed.number is not None else max(0, at)
    if not options:
        whose = clean(state.name(people[0])) + " has" if people else "no combatant has"
        which = ("no such" if people else "such an") if typed.words else ("no" if people else "an")
        missing = f"{whose} {which} effect"
        return ParsedCommand(action, (), missing)
    if place >= len(options):
        return ParsedCommand(action, (), no_such_number(place + 1, len(options)), options)
    known = people or typed.number is not None or typed.words or at >= 0 or len(options) == 1
    wants = "" if known else "which? a label, a number, up and down"
    says = (Span("ends ", "dim"), Span(clean(options[place].shown), "strong"))
    keys = None if people or typed.words else _bearers(state)
    return ParsedCommand(action.put(effect=options[place].key), says, wants, options, place, keys=keys)


def _bearers(state: State) -> tuple[str, ...]:
    borne = Counter(effect.bearer for effect in state.all_effects)
    seen, keys = Counter[Id](), []
    for place, effect in enumerate(state.all_effects, start=1):
        seen[effect.bearer] += 1
        bearer = state.get(effect.bearer)
        number = str(seen[effect.bearer]) if borne[effect.bearer] > 1 else ""
        keys.append(str(place) if bearer is None else bearer.label + number)
    return tuple(keys)


def insert(scene: ModeContext, key: str, text: str, at: int) -> ParsedCommand:
    """Let combatants join the fight.

    The line has a number and a name from the bestiary, after a comma the side; or it is a pasted stat block. A last
    word `hidden` hides the combatants from players.
    """
    printed = PRINTED.search(text) is not None
    shorter = "" if printed else text.rstrip().removesuffix(HIDDEN)
    unseen = bool(shorter.strip()) and shorter != text.rstrip()
    line, _, side = (text, "", "") if printed else (shorter if unseen else text).partition(",")
    words = _apart(line.split())
    count = "" if printed else next((word for word in words if COUNT.fullmatch(word)), "")
    name = " ".join(word for word in words if word != count)
    found = scene.files.find(name) if name else ()
    members = enumerate(found[:20])
    options = tuple(Option(str(place), clean(member.name), clean(member.ref)) for place, member in members)
    place = at if 0 <= at < len(options) else 0
    action = Action(key)
    if side.strip():
        action = action.put(side=_side(scene, side.strip()))
    if not options:
        wants = f'the bestiary has no "{name}"' if name else "whom? a number and a name: 2 gob"
        return ParsedCommand(action, (), wants)
    try:
        how_many = found[place].count if printed else Dice.parse(count or "1")
    except ValueError as error:
        return ParsedCommand(action, (), wants=str(error), options=options, at=place)
    member: Member = replace(found[place], count=how_many)
    action = action.put(members=(member,), seen="hidden") if unseen else action.put(members=(member,))
    default = scene.spec(action).field("side")
    joined = str(action.get("side") or (default.default if default is not None else ""))
    says = (
        Span(f"{how_many} ", "strong"),
        Span(clean(member.name), "strong"),
        Span(" → ", "dim"),
        Span(clean(scene.model.state.name(joined))),
        Span(HIDDEN if unseen else "", "warn"),
    )
    return ParsedCommand(action, says, wants="", options=options, at=place)


def _apart(words: list[str]) -> list[str]:
    """Return the words; a leading number without a blank after it is split off: `2gob`."""
    first = None if not words or COUNT.fullmatch(words[0]) else re.fullmatch(r"(\d+)([^\W\d].*)", words[0])
    return words if first is None else [first[1], first[2], *words[1:]]


def _side(scene: ModeContext, typed: str) -> str:
    sides = tuple(Option(side.id, side.name) for side in scene.model.state.sides)
    found = matching_options(typed, sides)
    return found[0].key if found else typed


def roll(scene: ModeContext, key: str, text: str, at: int) -> ParsedCommand:
    """Roll free dice, `2d6+3 luck`, or let the program roll for sides and combatants, `foes`."""
    free = _free_roll(key, text)
    if not free.wants or not text.strip():
        return free
    meant = parse_action(scene, Action(LET_ROLL), text, dice=True)
    return free if meant.wrong or meant.answers else meant


def _free_roll(key: str, text: str) -> ParsedCommand:
    dice, _, why = text.strip().partition(" ")
    action = Action(key)
    if dice:
        try:
            Dice.parse(dice)
        except ValueError as error:
            return ParsedCommand(action, (), str(error))
        action = action.put(dice=dice)
    if why.strip():
        action = action.put(why=why.strip())
    return ParsedCommand(action, (Span(dice or "1d20", "strong"), Span(" " + clean(why), "dim")))


def note(scene: ModeContext, key: str, text: str, at: int) -> ParsedCommand:
    """Write a note on the fight, or on a combatant: `g: afraid of fire`."""
    head, colon, tail = text.partition(":")
    named = people_of(scene, head.strip()) if colon else ()
    who = named[0] if len(named) == 1 else None
    words = (tail if who is not None else text).strip()
    action = Action(key).put(text=words) if words else Action(key)
    if who is not None:
        action = action.put(about=who)
    about = name_spans(scene, who) if who is not None else (Span("the fight", "dim"),)
    return ParsedCommand(action, (Span("on ", "dim"), *about), "" if words else "what? a few words")


def rename(scene: ModeContext, key: str, text: str, at: int) -> ParsedCommand:
    """Set the name of a combatant that players see: `g Tall stranger`."""
    typed = text.split()
    labels, count = leading_labels(scene, typed)
    people, words = scene.combatants_of(labels), " ".join(typed[count:])
    label = typed[0] if typed else ""
    if len(people) != 1:
        wants = f'"{label}" is no label' if label else "whom? a label, then what players call it"
        return ParsedCommand(Action(key), (), wants)
    who = people[0]
    action = Action(key).put(who=who)
    name = clean(words)
    says = (*name_spans(scene, who), Span(" → ", "dim"), Span(name or "its own name", "strong" if name else "dim"))
    return ParsedCommand(action.put(name=words) if name else action, says)


def reorder(scene: ModeContext, key: str, text: str, at: int) -> ParsedCommand:
    """Move a slot before another in the order: two labels; one label asks for the place, or offers ways to wait."""
    state = scene.model.state
    typed = tokens_of(scene, text)
    first = scene.combatants_of(typed.labels[:1])
    waits = tuple(spec for spec in scene.offers(first[0]) if spec.group == "order") if first else ()
    waiting = tuple(Option(spec.key, clean(spec.label), clean(spec.cost), spec.refusal) for spec in waits)
    typed = tokens_of(scene, text, waiting)  # a word that could be labels may name a way to wait
    people = scene.combatants_of(typed.labels)
    upcoming = state.clock.upcoming
    slots = [next((slot for slot in upcoming if who in slot.members), None) for who in people[:2]]
    action = Action(key)
    if not people:
        options, keys = tuple(Option(slot.id, clean(slot.title)) for slot in upcoming), _slot_keys(state, upcoming)
        if typed.number is not None and 1 <= typed.number <= len(upcoming):
            title = clean(upcoming[typed.number - 1].title)
            says = (Span(title, "strong"), Span(" → last", "dim"))
            return ParsedCommand(action.put(slot=upcoming[typed.number - 1].id), says, "", options, keys=keys)
        return ParsedCommand(action, (), "whose turn? a label, then the label it goes before", options, keys=keys)
    if len(people) == 1:
        return _alone(scene, action, people[0], slots[0], waiting, typed, at)
    if None in slots:
        late = people[slots.index(None)]
        wants = f"{clean(state.name(late))} has no turn ahead of it in this round"
        options = tuple(Option(slot.id, clean(slot.title)) for slot in upcoming)
        return ParsedCommand(action, name_spans(scene, late), wants, options)
    own, other = [slot for slot in slots if slot is not None]
    return ParsedCommand(action.put(slot=own.id, before=other.id), _placed(own, f"before {clean(other.title)}"))


def _slot_keys(state: State, slots: Sequence[Slot], before: int = 0, count: int | None = None) -> tuple[str, ...]:
    """Return the key of each slot: the label of its only combatant, else a number; `before` is the first index."""
    keys = [str(place) for place in range(1, (before + len(slots) if count is None else count) + 1)]
    for place, slot in enumerate(slots, start=before):
        person = state.get(slot.members[0]) if len(slot.members) == 1 else None
        if person is not None and person.label not in keys:
            keys[place] = person.label
    return tuple(keys)


def _placed(slot: Slot, where: str) -> tuple[Span, ...]:
    return (Span(clean(slot.title), "strong"), Span(" → ", "dim"), Span(where))


def _alone(
    scene: ModeContext, action: Action, who: Id, slot: Slot | None, waiting: Sequence[Option], typed: Tokens, at: int
) -> ParsedCommand:
    """Offer the changes of one combatant's turn: ways to wait, then places in the order."""
    places: list[Option] = []
    others: list[Slot] = []
    if slot is not None:
        others = [other for other in scene.model.state.clock.upcoming if other.id != slot.id]
        places = [Option(other.id, f"before {clean(other.title)}") for other in others]
        places.append(Option(LAST, "last of the round"))
    options = (*waiting, *places)
    whose = name_spans(scene, who)
    keys = _slot_keys(scene.model.state, others, len(waiting), len(options))
    if not options:
        name = clean(scene.model.state.name(who))
        return ParsedCommand(action, whose, f"{name} has no turn ahead of it in this round")
    words = " ".join(typed.words)
    found = matching_options(words, options) if words else ()
    if words and not found:
        wants = f'"{clean(words)}" is neither a label nor a way to wait'
        return ParsedCommand(action, whose, wants, options, keys=keys)
    place = options.index(found[0]) if found else typed.number - 1 if typed.number is not None else at
    if not 0 <= place < len(options):
        labelled = any(not key.isdigit() for key in keys)
        how = "a label, a number, a word" if labelled else "a number, a word, up and down"
        ways = [clean(option.shown).casefold() for option in waiting]
        wants = f"{', '.join(ways)} or where? " if ways and places else "where? " if places else "how? "
        return ParsedCommand(action, whose, wants + how, options, keys=keys)
    chosen = options[place]
    if place < len(waiting):
        says = (*whose, Span("  "), Span(chosen.shown, "strong"), Span(f"  {chosen.note}", "dim"))
        return ParsedCommand(Action(chosen.key, who), says, "", options, place, keys=keys)
    assert slot is not None
    moved = action.put(slot=slot.id)
    moved = moved if chosen.key == LAST else moved.put(before=chosen.key)
    return ParsedCommand(moved, _placed(slot, chosen.shown), "", options, place, keys=keys)


READERS: Mapping[str, Callable[[ModeContext, str, str, int], ParsedCommand]] = {
    "effect": effect_line.parse_effect,
    "end_effect": end_effect,
    "insert": insert,
    "move": reorder,
    "name": rename,
    "note": note,
    "roll": roll,
}
