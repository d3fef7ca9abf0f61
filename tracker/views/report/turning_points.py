"""The turning points of a fight: steps are replayed with the same dice without an answer, an effect or a face.

1. An answer to an action (a reaction, a power) is passed, and the step is replayed with all other answers.
2. An effect is removed, and the steps while it lasted are replayed.
3. A die that brought down a character or a leader is turned to the next face that would not have.
4. The attack die of a critical is turned to the next face that is a plain hit.
5. If the replay asks for other dice, their result is unknown: the sentence says so and counts half.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from typing import Literal, TypeAlias, TypeVar

from msgspec import Struct
from msgspec.structs import replace

from tracker.core.fight import events as ev
from tracker.core.fight.slots import Id
from tracker.core.fight.state import State
from tracker.core.fight.update import replace_combatant
from tracker.core.game.ruleset import Ruleset, status_of
from tracker.core.run import Answers, Done, Pending, Step, run
from tracker.core.terms.errors import TrackerError
from tracker.core.terms.requests import Answer, DiceAnswer, Passed, Responded, Roll, Window
from tracker.views.report.names import Names, enumerated, plain_name
from tracker.views.report.record import Act, EffectSpan, FightRecord
from tracker.views.words.text import clean, key_words

MOST = 6
"""How many turning points are told."""
LATER_AT_MOST = 60
"""Steps that are replayed without an effect at most, so that an effect without an end is measured in bounded time."""
WINDOWS_AT_MOST = 12
WINDOW = re.compile(r":\d+$")
WINDOW_PART = re.compile(r"(?::(\d+))?(/.*)?")
"""The rest of a request's key behind the key of its window: the number of the answer, and the request it led to."""
FACES_AT_MOST = 20
"""Other faces that a die is turned to at most."""
FALL = 1.0
"""The weight of a fall, in parts of a combatant's points."""


class Played(Struct, frozen=True):
    """A step as it was played: the state before it, the answers, its events."""

    before: State
    step: Step
    answers: Answers
    entries: tuple[ev.Entry, ...]


Steps: TypeAlias = Callable[[int], Played]
Kind = TypeVar("Kind")


class Candidate(Struct, frozen=True):
    """A possible turning point: an answer or a die by step and key, or an effect."""

    kind: Literal["answer", "die", "critical", "effect"]
    step: int
    key: str = ""
    span: EffectSpan | None = None
    who: Id = ""
    act: int = 0


class TurningPoint(Struct, frozen=True):
    """The difference that an answer, an effect or a die made, in a sentence and as a weight."""

    words: str
    weight: float
    step: int


def candidates(record: FightRecord, played: Steps) -> Iterator[Candidate]:
    """Yield all possible turning points."""
    crowds = Names(record).stems
    for number, act in enumerate(record.acts):
        if act.answers:
            for key, answer in played(act.step).answers:
                if isinstance(answer, Responded):
                    yield Candidate("answer", act.step, key)
        for who in act.touched:
            if act.is_great(who, record.telling) and act.by is not None:
                key = _die(played(act.step), act.by, act.harms_of(who)[0].ref[1], last=False)
                if key:
                    yield Candidate("critical", act.step, key, who=who, act=number)
        for change in act.changes:
            if change.falls and change.who not in crowds and act.by is not None:
                key = _die(played(act.step), act.by, change.ref[1], last=True)
                if key:
                    yield Candidate("die", act.step, key, who=change.who, act=number)
    for span in record.effects:
        yield Candidate("effect", span.since[0], span=span)


def measured(ruleset: Ruleset, record: FightRecord, candidate: Candidate, played: Steps) -> TurningPoint | None:
    """Return the difference that a candidate made, None if there is none or if it is unknown."""
    if candidate.kind == "effect":
        return _without_effect(ruleset, record, candidate, played)
    replay = {"answer": _without_answer, "die": _with_less, "critical": _without_critical}[candidate.kind]
    return replay(ruleset, record, played(candidate.step), candidate)


def heaviest(points: Sequence[TurningPoint]) -> list[str]:
    """Return the heaviest turning points in the order of the fight, each once."""
    each = {point.words: point for point in points}
    most = sorted(each.values(), key=lambda point: -point.weight)[:MOST]
    return [point.words for point in sorted(most, key=lambda point: point.step)]


def turning_points(ruleset: Ruleset, record: FightRecord, played: Steps) -> list[str]:
    """Return the turning points in sentences."""
    points = [measured(ruleset, record, candidate, played) for candidate in candidates(record, played)]
    return heaviest([point for point in points if point is not None])


# -- answers -----------------------------------------------------------------------------------------------------------


def _without_answer(ruleset: Ruleset, record: FightRecord, step: Played, candidate: Candidate) -> TurningPoint | None:
    answer = dict(step.answers)[candidate.key]
    if not isinstance(answer, Responded) or not answer.actions:
        return None
    action = answer.actions[0]
    acts = [act for act in record.acts if act.step == candidate.step and act.by == action.by]
    act = next((act for act in acts if act.action.key == action.key), None)
    other = _passed(ruleset, step, candidate.key)
    if act is None or other is None:
        return None
    label = clean(act.means) if act.words.kind == "power" and act.means else clean(act.label)
    head = f"{_head(record, act)}: {label}."
    if isinstance(other, Done):
        return _difference(ruleset, record, head, other.entries, step.entries, candidate.step)
    place = act.ref[1]
    own = sorted(at for each in acts if each.ref <= act.ref for _, at in each.refs if at >= place)
    real = (*step.entries[:place], *(step.entries[at] for at in own))
    request = other.request
    if isinstance(request, Roll):
        more = f"the dice would have gone on: {request.dice} {clean(request.aim())}"
    else:
        more = f"then would have been asked: {clean(request.why).rstrip('?')}"
    point = _difference(ruleset, record, head, other.entries, real, candidate.step)
    point = point or _landing(record, head, other, step.entries, candidate.step)
    if point is None:
        return None
    return replace(point, words=f"{point.words.removesuffix('.')}; {more}.", weight=point.weight / 2)


def _landing(
    record: FightRecord, head: str, other: Pending, real: Sequence[ev.Entry], step: int
) -> TurningPoint | None:
    """Return that an attack would have hit, weighed by the average of its damage dice."""
    now, was = _checked(real), _checked(other.entries)
    for (who, target), success in was.items():
        if success and now.get((who, target)) is False and isinstance(other.request, Roll):
            person, dice = record.person(target), other.request.dice.natural
            mean = (dice.minimum + dice.maximum) / 2
            weight = min(FALL, mean / person.max) if person is not None and person.max else FALL / 2
            return TurningPoint(
                f"{head} Without it {_name(record, who)} would have hit {_name(record, target)}.", weight, step
            )
    return None


def _checked(entries: Sequence[ev.Entry]) -> dict[tuple[Id, Id], bool]:
    """Return for each combatant and target whether the last check succeeded."""
    return {
        (check.who, check.target): check.success
        for check in _events(entries, ev.Checked)
        if check.who is not None and check.target is not None and isinstance(check.success, bool)
    }


def _passed(ruleset: Ruleset, step: Played, key: str) -> Done | Pending | None:
    """Replay a step without one answer: with the later answers to the same window, else without these too."""
    base, _, place = key.rpartition(":") if WINDOW.search(key) else (key, "", "1")
    number = int(place)

    def kept(later: bool) -> Iterator[tuple[str, Answer]]:
        for other, answer in step.answers:
            part = WINDOW_PART.fullmatch(other.removeprefix(base)) if other.startswith(base) else None
            at = int(part[1] or 1) if part else 0
            if at < number:
                yield other, answer
            elif at > number and part and later:
                yield f"{base}{f':{at - 1}' if at > 2 else ''}{part[2] or ''}", answer
        if not later:
            yield key, Passed()

    for later in (True, False):
        other = _run(ruleset, step, tuple(kept(later)))
        if other is not None:
            return other
    return None


def _run(ruleset: Ruleset, step: Played, answers: Answers) -> Done | Pending | None:
    """Replay a step with other answers; windows that did not open before are passed."""
    for _ in range(WINDOWS_AT_MOST):
        try:
            other = run(ruleset, step.before, step.step, answers)
        except TrackerError:
            return None
        if isinstance(other, Pending) and isinstance(other.request, Window):
            answers = (*answers, (other.request.key, Passed()))
            continue
        return other if isinstance(other, Done | Pending) else None
    return None


def _name(record: FightRecord, who: Id | None) -> str:
    person = record.person(who)
    return "" if person is None else plain_name(person)


def _head(record: FightRecord, act: Act) -> str:
    return f"{_when(act.round)}, {_name(record, act.by)}"


def _events(entries: Sequence[ev.Entry], kind: type[Kind]) -> list[Kind]:
    return [entry.event for entry in entries if isinstance(entry.event, kind)]


def _points(count: int) -> str:
    return f"{count} point{'' if count == 1 else 's'}"


def _difference(
    ruleset: Ruleset,
    record: FightRecord,
    head: str,
    without: Sequence[ev.Entry],
    real: Sequence[ev.Entry],
    step: int,
) -> TurningPoint | None:
    """Return the difference between a replay of a step and the real step."""
    (would_lose, would_be), (lost, statuses) = _result(record, without), _result(record, real)
    parts, weight = [], 0.0
    for who in dict.fromkeys((*would_be, *statuses)):
        if would_be.get(who) != statuses.get(who):
            word = f"be {clean(status_of(ruleset, would_be[who]).word)}" if who in would_be else "still stand"
            parts.append(f"{_name(record, who)} would {word}")
            weight += FALL
    for who in dict.fromkeys((*would_lose, *lost)):
        points = would_lose[who] - lost[who]
        if points and would_be.get(who) == statuses.get(who):
            person = record.person(who)
            words = f"{_points(abs(points))} {'more' if points > 0 else 'less'}"
            parts.append(f"{_name(record, who)} would have lost {words}")
            weight += abs(points) / (person.max if person is not None and person.max else abs(points))
    return TurningPoint(f"{head} Without it {enumerated(parts)}.", weight, step) if parts else None


def _result(record: FightRecord, entries: Sequence[ev.Entry]) -> tuple[Counter[Id], dict[Id, str]]:
    """Return the points that each combatant lost in a step, and the status of each at its end."""
    lost = Counter[Id]()
    for change in _events(entries, ev.PoolChanged):
        if change.pool == record.pool:
            lost[change.who] += change.was - change.now
    return lost, {change.who: change.now for change in _events(entries, ev.StatusChanged)}


# -- dice --------------------------------------------------------------------------------------------------------------


def _die(step: Played, by: Id, before: int, *, last: bool) -> str:
    """Return the key of the first or last roll of a combatant before an event, "" for none."""
    keys = {key for key, answer in step.answers if isinstance(answer, DiceAnswer)}
    rolls = _events(step.entries[:before], ev.Rolled)
    own = [roll for roll in rolls if roll.who == by and roll.key in keys and roll.dice.sides]
    return own[-1 if last else 0].key if own else ""


def _turned(ruleset: Ruleset, step: Played, key: str) -> Iterator[tuple[int, str, int, Done]]:
    """Yield the step with other sums of a roll, the nearest first: the real sum, the dice, the other sum, the end."""
    roll = next(roll for roll in _events(step.entries, ev.Rolled) if roll.key == key)
    answer = dict(step.answers)[key]
    assert isinstance(answer, DiceAnswer)
    natural, single = roll.dice.natural, len(roll.dice.sides) == 1
    shown = sum(roll.faces) if roll.faces else answer.total - roll.dice.plus
    sums = (number for number in range(natural.minimum, natural.maximum + 1) if number != shown)
    for number in sorted(sums, key=lambda number: abs(number - shown))[:FACES_AT_MOST]:
        faces = (number,) if answer.faces and single else ()
        turned = replace(answer, total=answer.total - shown + number, faces=faces)
        answers = tuple((each, turned if each == key else real) for each, real in step.answers)
        try:
            other = run(ruleset, step.before, step.step, answers)
        except TrackerError:
            return
        if isinstance(other, Done):
            yield shown, f"a d{natural.sides[0]}" if single else str(natural), number, other


def _without_critical(ruleset: Ruleset, record: FightRecord, step: Played, candidate: Candidate) -> TurningPoint | None:
    """Return the difference between a critical and a plain hit with the same damage dice."""
    act = list(record.acts)[candidate.act]
    for _, _, _, other in _turned(ruleset, step, candidate.key):
        checks = _events(other.entries, ev.Checked)
        own = [check for check in checks if check.target == candidate.who and check.who == act.by]
        if own and own[-1].success is True and not record.telling.is_great(own[-1].result):
            word = record.telling.great_word(act.last[candidate.who].word)
            head = f"{_head(record, act)}: {word} against {_name(record, candidate.who)}."
            return _difference(ruleset, record, head, other.entries, step.entries, candidate.step)
    return None


def _with_less(ruleset: Ruleset, record: FightRecord, step: Played, candidate: Candidate) -> TurningPoint | None:
    """Return the next lower face with which the target would still act, None if there is no such face."""
    act = list(record.acts)[candidate.act]
    for shown, dice, face, other in _turned(ruleset, step, candidate.key):
        if face > shown or candidate.who not in other.state:
            continue
        target = other.state[candidate.who]
        if status_of(ruleset, target.status).acts:
            name = _name(record, target.id)
            left = f"left {name} with {target.hp}" if target.has_pool(record.pool) else "not been enough"
            head = f"{_when(act.round)}: {_name(record, act.by)} rolled {shown} on {dice} against {name}."
            article = "An" if face in (11, 18) or str(face).startswith("8") else "A"
            words = f"{head} {article} {face} would have {left}."
            return TurningPoint(words, FALL / (shown - face), candidate.step)
    return None


def _when(number: int) -> str:
    return f"Round {number}" if number else "Before the first round"


# -- effects -----------------------------------------------------------------------------------------------------------


def _without_effect(ruleset: Ruleset, record: FightRecord, candidate: Candidate, played: Steps) -> TurningPoint | None:
    """Return the difference that an effect made in the steps while it lasted, each replayed without it."""
    span = candidate.span
    assert span is not None
    last = span.until[0] if span.until is not None else record.steps - 1
    results, points = Counter[tuple[str, str]](), 0
    for number in range(span.since[0] + 1, min(last, span.since[0] + LATER_AT_MOST) + 1):
        step = played(number)
        state = without_effect(step.before, span)
        if state is None:
            continue
        try:
            other = run(ruleset, state, step.step, step.answers)
        except TrackerError:
            continue
        if isinstance(other, Done | Pending):
            results += differing(other.entries, step.entries)
        if isinstance(other, Done):
            points += _lost(step.entries, record.pool) - _lost(other.entries, record.pool)
    if not results and not points:
        return None
    words = [
        f"turned {clean(was)} into {clean(now)}{('', ' twice')[times - 1] if times < 3 else f' {times} times'}"
        for (was, now), times in results.most_common()
    ]
    if points:
        words.append(f"{'cost' if points > 0 else 'saved'} {_points(abs(points))}")
    most = max((person.max for person in record.people), default=0) or 1
    head = f"{_when(span.since[1])}: {clean(span.effect)} on {_name(record, span.bearer) or 'all'}"
    weight = abs(points) / most + 0.1 * sum(results.values())
    return TurningPoint(f"{head} {enumerated(words)}.", weight, span.since[0])


def without_effect(state: State, span: EffectSpan) -> State | None:
    """Return a state without an effect, None if it does not have that effect."""
    bearer = state.get(span.bearer)
    if bearer is None:
        return None
    effects = tuple(effect for effect in bearer.effects if effect.id != span.id)
    return None if len(effects) == len(bearer.effects) else replace_combatant(state, replace(bearer, effects=effects))


def differing(without: Sequence[ev.Entry], real: Sequence[ev.Entry]) -> Counter[tuple[str, str]]:
    """Return the results of checks that differ between a replay and the real step, with their number."""
    others = _checks(without)
    return Counter(
        (was, now)
        for key, results in _checks(real).items()
        for was, now in zip(others.get(key, ()), results, strict=False)
        if was != now
    )


def _checks(entries: Sequence[ev.Entry]) -> dict[tuple[str, Id | None, Id | None], list[str]]:
    """Return the results of each check in words."""
    results: dict[tuple[str, Id | None, Id | None], list[str]] = {}
    for check in _events(entries, ev.Checked):
        if check.result and not check.result.lstrip("-−").isdigit():
            results.setdefault((check.what, check.who, check.target), []).append(check.result)
    return results


def _lost(entries: Sequence[ev.Entry], pool: str) -> int:
    changes = _events(entries, ev.PoolChanged)
    return sum(max(0, change.was - change.now) for change in changes if change.pool == pool)


# -- decisions of the GM against the rules -----------------------------------------------------------------------------


def forced(record: FightRecord, steps: Sequence[Sequence[ev.Entry]]) -> Iterator[str]:
    """Yield a sentence for each time the GM overruled the rules."""
    for number, entries in enumerate(steps):
        for event in _events(entries, ev.Forced):
            acts = [act for act in record.acts if act.step == number]
            lost = sum(max(0, harm.points) for act in acts for harm in act.harms)
            falls = [record.name(change.who) for act in acts for change in act.changes if change.falls]
            parts = [f"{_points(lost)} lost"] if lost else []
            parts += [f"{enumerated(falls)} down"] if falls else []
            who = f"{name}: " if (name := record.name(event.by)) else ""
            yield f"Forced, {who}{clean(event.label)} ({clean(event.text)}): {', '.join(parts) or 'no points lost'}."


def corrected(ruleset: Ruleset, label: str, without: State, now: State) -> str:
    """Return the difference that a correction made to points and statuses, "" for none."""
    people = []
    for combatant in now.combatants:
        other = without.get(combatant.id)
        if other is None or (other.status, other.pools) == (combatant.status, combatant.pools):
            continue
        parts = [
            f"{key_words(pool.key)} {was.now} and not {pool.now}"
            for was, pool in zip(other.pools, combatant.pools, strict=False)
            if was.now != pool.now
        ]
        if other.status != combatant.status:
            words = [clean(status_of(ruleset, status).word) for status in (other.status, combatant.status)]
            parts.append(" and not ".join(words))
        people.append(f"{clean(combatant.name)} {', '.join(parts)}")
    return f"Without {clean(label)}: {'; '.join(people)}." if people else ""
