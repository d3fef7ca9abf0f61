"""The truth of a story, judged from the raw events alone."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence

from tests.views.report.fights import Fight
from tracker.core.fight import events as ev
from tracker.core.game.ruleset import Ruleset, status_of
from tracker.core.terms.actions import Action
from tracker.views.report.default_words import action_words, status_words
from tracker.views.report.names import conjugated
from tracker.views.report.outcome import headline, outcome_of
from tracker.views.report.record import FightRecord, Ref
from tracker.views.report.story import Line, story
from tracker.views.words.text import clean

UNTOLD = ("round", "opened")


def lies(fight: Fight, full: bool) -> list[str]:
    """Return everything that a story says and is not so, or leaves out and must not."""
    record = fight.record
    lines = story(record, full)
    told = Counter(ref for line in lines for ref in line.refs)
    found = [f"{ref} is told {told[ref]} times" for ref in due(fight) if told[ref] != 1]
    found += [f"{ref} is told {times} times" for ref, times in told.items() if times > 1]
    for line in lines:
        found += _numbers(fight, record, line)
        found += _statuses(fight, line)
        found += _landed(fight, line)
        found += _missed(fight, line)
        found += _in_vain(fight, line)
        found += _named(fight, record, line)
    found += _credits(fight, record)
    if headline(record) == "":
        found.append("nobody knows who won")
    ends = Counter(person.id for _, ends in outcome_of(record).ends for people in ends.values() for person in people)
    if ends != Counter({person.id: 1 for person in record.people}):
        found.append("a combatant ends twice or never")
    return found


def due(fight: Fight) -> Iterator[Ref]:
    """Yield the events that must be told: falls, deaths, rescues, arrivals, effects, flights, powers."""
    rules = fight.ruleset
    effects = {words.name: words for words in rules.telling.effect_words}
    over, broken, fled = False, set[str](), set[str]()
    for number, step in enumerate(fight.steps):
        for place, entry in enumerate(step.entries):
            must = False
            match entry.event:
                case ev.ActionTaken(action=action, label=label):
                    over = over or action.key == "end_fight"
                    must = _is_due(rules, action, label, broken, fled)
                case ev.StatusChanged() as change:
                    must = _is_fall(rules, change, over, fled)
                case ev.SideChanged():
                    must = not over
                case ev.CombatantLeft(was=was):
                    must = not over and status_of(rules, was.status).acts
                case ev.CombatantJoined():
                    must = number > 0
                case ev.Found():
                    must = True
                case ev.EffectAdded(effect=effect) if effect.name in effects and not effect.secret:
                    must = not over and effect.bearer in fight.states[number]
                    if must and effects[effect.name].flees:
                        broken.add(effect.bearer)
                case ev.EffectEnded(was=was) if was.name in effects and effects[was.name].flees and not over:
                    broken.discard(was.bearer)
                    fled.discard(was.bearer)
                case ev.FightEnded():
                    over = True
                case _:
                    pass
            if must:
                yield number, place


def _is_due(rules: Ruleset, action: Action, label: str, broken: set[str], fled: set[str]) -> bool:
    """Tell whether an action must be told: a power, or the first move of a combatant that has lost heart."""
    words, _ = action_words(rules, action, label)
    if action.by in broken and words.kind == "move":
        first = action.by not in fled
        fled.add(str(action.by))
        return first
    return words.kind == "power"


def _is_fall(rules: Ruleset, change: ev.StatusChanged, over: bool, fled: set[str]) -> bool:
    was, now = status_of(rules, change.was), status_of(rules, change.now)
    kind = status_words(rules, change.now).kind
    if (was.acts and now.acts) or (over and kind != "dead"):
        return False
    if kind == "gone":
        first = change.who not in fled
        fled.add(change.who)
        return first
    return True


def _numbers(fight: Fight, record: FightRecord, line: Line) -> list[str]:
    """Return the numbers of a sentence that are not the sum of their events."""
    found = []
    for one in line.sums:
        events = [fight.steps[step].entries[place].event for step, place in one.refs]
        pools = [event for event in events if isinstance(event, ev.PoolChanged)]
        facts = [event for event in events if isinstance(event, ev.FactSet)]
        marks = record.telling.marks
        match one.kind:
            case "lost" | "gained":
                points = sum(event.was - event.now for event in pools)
                real = points if one.kind == "lost" else -points
            case "left":
                real = pools[-1].now
            case "marks":
                assert marks is not None
                real = sum(marks.count(event.now)[one.mark] - marks.count(event.was)[one.mark] for event in facts)
        if real != one.number or str(one.number) not in line.words:
            found.append(f"{line.words} is no sum: {one.number}, not {real}")
    if line.kind == "found":
        items = {item for event in _events(fight, line) if isinstance(event, ev.Found) for item in event.items}
        rest = line.words
        for item in sorted(items, key=len, reverse=True):
            if item not in rest:
                found.append(f"{line.words} lacks {item}")
            rest = rest.replace(item, "")
        if not re.fullmatch(r"The spoils: [\d ×,]*\.", rest):
            found.append(f"{line.words} has what nobody found")
    elif line.kind not in UNTOLD:
        words = line.words
        for person in sorted(record.people, key=lambda one: -len(one.name)):
            words = words.replace(clean(person.name), "@")
        for side in record.sides:
            words = words.replace(side.name, "@")
        numbers = {int(number) for number in re.findall(r"(?<![A-Za-z])\d+", words)}
        if not numbers <= {one.number for one in line.sums} and line.kind != "wave":
            found.append(f"{line.words} has a number of no event")
    return found


def _events(fight: Fight, line: Line) -> list[ev.Event]:
    return [fight.steps[step].entries[place].event for step, place in line.refs]


def _statuses(fight: Fight, line: Line) -> list[str]:
    """Return the falls of a sentence that are not told as they ended."""
    last = {event.who: event for event in _events(fight, line) if isinstance(event, ev.StatusChanged)}
    found = []
    for change in last.values():
        words = status_words(fight.ruleset, change.now)
        phrases = [*words.by.split("|"), words.alone]
        heads = {conjugated(phrase, one).split("{")[0].strip() for phrase in phrases for one in (True, False)}
        rescued = words.kind == "saved" and any(isinstance(event, ev.ActionTaken) for event in _events(fight, line))
        if not rescued and not any(re.search(rf"\b{re.escape(head)}\b", line.words) for head in heads):
            found.append(f"{line.words} does not say {change.now}")
    return found


def _landed(fight: Fight, line: Line) -> list[str]:
    """Return the sentence if it tells a hit and nothing was lost."""
    blows = {
        conjugated(phrase, one).split()[0]
        for words in fight.ruleset.telling.action_words
        if words.kind == "attack"
        for phrase in (*words.hits.split("|"), words.grazes)
        if phrase
        for one in (True, False)
    }
    changed = any(isinstance(event, ev.StatusChanged | ev.PoolChanged | ev.FactSet) for event in _events(fight, line))
    named = next((blow for blow in blows if re.search(rf"(?<!to )\b{blow}\b", line.words)), None)
    return [f"{line.words} tells a hit of nothing"] if named and not changed else []


def _missed(fight: Fight, line: Line) -> list[str]:
    """Return the sentence if it tells a miss and every attack of it has hit, be it without harm."""
    results: dict[str | None, bool] = {}
    for event in _events(fight, line):
        if isinstance(event, ev.Checked) and isinstance(event.success, bool) and event.what in ("attack", "defence"):
            attacks = event.what == "attack"
            results[event.who if attacks else event.target] = event.success is attacks
    told = re.search(r"\bmiss(es)?\b(?! at first)", line.words)
    return [f"{line.words} tells a miss of a hit"] if told and results and all(results.values()) else []


def _in_vain(fight: Fight, line: Line) -> list[str]:
    """Return the sentence if it tells that an action was in vain, and its target bears an effect of it."""
    actions = [
        (ref[0], event.action)
        for ref, event in zip(line.refs, _events(fight, line), strict=True)
        if isinstance(event, ev.ActionTaken)
    ]
    for number, done in actions if "in vain" in line.words and len(actions) == 1 else ():
        for entry in fight.steps[number].entries:
            if isinstance(entry.event, ev.EffectAdded) and entry.event.effect.quiet is not True:
                effect = entry.event.effect
                if effect.source == done.by != effect.bearer and effect.bearer in _involved(ev.ActionTaken(done, "")):
                    return [f"{line.words} is not in vain: {effect.name} on {effect.bearer}"]
    return []


def _named(fight: Fight, record: FightRecord, line: Line) -> list[str]:
    """Return the combatants that a sentence names and none of its events is about."""
    if line.kind in UNTOLD or line.kind in ("wave", "note", "found"):
        return []
    involved = {str(who) for event in _events(fight, line) for who in _involved(event)}
    words, found = line.words, []
    for person in sorted(record.people, key=lambda one: -len(one.name)):
        name = rf"(?<![\w]){re.escape(person.name)}(?![\w])"
        if re.search(name, words) and person.id not in involved:
            alike = {one.id for one in record.people if one.name == person.name}
            if not alike & involved:
                found.append(f"{line.words} names {person.name}")
        words = re.sub(name, "@", words)
    return found


def _involved(event: ev.Event) -> Iterator[object]:
    """Yield the ids in an event."""
    match event:
        case ev.ActionTaken(action=action):
            yield action.by
            for _, value in action.fields:
                yield from value if isinstance(value, tuple) else (value,)
        case ev.CombatantJoined(combatant=one) | ev.CombatantLeft(was=one):
            yield one.id
        case ev.EffectAdded(effect=effect) | ev.EffectEnded(was=effect):
            yield from (effect.bearer, effect.source, getattr(effect.data, "target", None))
        case _:
            yield from (getattr(event, name, None) for name in ("who", "by", "owner", "target", "source"))


def _credits(fight: Fight, record: FightRecord) -> list[str]:
    """Return the harm that is credited to another than its source."""
    found = []
    for harm, act in record.harms:
        event = fight.steps[harm.ref[0]].entries[harm.ref[1]].event
        source = event.source if isinstance(event, ev.PoolChanged | ev.FactSet) else None
        source = source if isinstance(source, str) else None
        if harm.by != source or (act is not None and act.by != source):
            found.append(f"{harm.ref} is credited to {act.by if act else harm.by}")
    return found


def sentences(lines: Sequence[Line]) -> list[str]:
    return [line.words for line in lines if line.kind != "round"]
