"""What mattered in a fight, judged by the same dice without it.

1. An answer to an action (a reaction, a power) is passed, and the step is played again with all other answers.
2. An effect is taken away, and the steps while it lasted are played again.
3. A die that brought down a character or a leader is turned to the next face that would not have.
4. The attack die of a critical is turned to the next face that is a plain hit.
5. Where other dice would be needed, the sentence says so and counts half; what they would have shown nobody knows.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from typing import Literal, TypeAlias

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
from tracker.views.report.names import Names, enumerated
from tracker.views.report.record import EffectSpan, FightRecord
from tracker.views.words.text import clean, key_words

MOST = 6
"""How many turning points are told."""
LATER_AT_MOST = 60
"""Steps that one effect is tried over, so that one that never ends is measured in bounded time."""
WINDOWS_AT_MOST = 12
WINDOW = re.compile(r":\d+$")
WINDOW_PART = re.compile(r"(?::(\d+))?(/.*)?")
"""What follows the key of a window: which answer to it, and what was asked because of that."""
FACES_AT_MOST = 20
"""Other faces that a die is turned to."""
FALL = 1.0
"""How much a fall counts, in parts of a combatant's points."""


class Played(Struct, frozen=True):
    """A step as it was played: the state before it, the answers, what came."""

    before: State
    step: Step
    answers: Answers
    entries: tuple[ev.Entry, ...]


Steps: TypeAlias = Callable[[int], Played]


class Candidate(Struct, frozen=True):
    """What may have mattered: an answer or a die by step and key, or an effect."""

    kind: Literal["answer", "die", "critical", "effect"]
    step: int
    key: str = ""
    span: EffectSpan | None = None
    who: Id = ""
    act: int = 0


class TurningPoint(Struct, frozen=True):
    """What would have been without something, and how much that is."""

    words: str
    weight: float
    step: int


class Result(Struct, frozen=True):
    """Points lost by each combatant in a step, and the status each has at its end."""

    lost: tuple[tuple[Id, int], ...]
    statuses: tuple[tuple[Id, str], ...]


def candidates(record: FightRecord, played: Steps) -> Iterator[Candidate]:
    """Yield everything that may have mattered."""
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
    """Return what would have been without a candidate, None if nothing else or if nobody knows."""
    match candidate.kind:
        case "answer":
            return _without_answer(ruleset, record, played(candidate.step), candidate)
        case "die":
            return _with_less(ruleset, record, played(candidate.step), candidate)
        case "critical":
            return _without_critical(ruleset, record, played(candidate.step), candidate)
    return _without_effect(ruleset, record, candidate, played)


def heaviest(found: Sequence[TurningPoint]) -> list[str]:
    """Return the heaviest turning points in the order of the fight, each once."""
    each = {point.words: point for point in found}
    most = sorted(each.values(), key=lambda point: -point.weight)[:MOST]
    return [point.words for point in sorted(most, key=lambda point: point.step)]


def turning_points(ruleset: Ruleset, record: FightRecord, played: Steps) -> list[str]:
    """Return what mattered, in sentences."""
    found = [measured(ruleset, record, candidate, played) for candidate in candidates(record, played)]
    return heaviest([point for point in found if point is not None])


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
    head = f"{_when(act.round)}, {_name(record, act.by)}: {label}."
    if isinstance(other, Done):
        return _difference(ruleset, record, head, other.entries, step.entries, candidate.step)
    place = act.ref[1]
    own = sorted(at for one in acts if one.ref <= act.ref for _, at in one.refs if at >= place)
    real = (*step.entries[:place], *(step.entries[at] for at in own))
    request = other.request
    if isinstance(request, Roll):
        more = f"the dice would have gone on: {request.dice} for {clean(request.why)}"
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
    """Return that an attack would have hit, with what its dice would have taken on average."""
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
    """Return whether each combatant succeeded against each target at last."""
    checks = [entry.event for entry in entries if isinstance(entry.event, ev.Checked)]
    return {
        (check.who, check.target): check.success
        for check in checks
        if check.who is not None and check.target is not None and isinstance(check.success, bool)
    }


def _passed(ruleset: Ruleset, step: Played, key: str) -> Done | Pending | None:
    """Play a step again without one answer: with the later answers to the same window, else without these too."""
    base, _, place = key.rpartition(":") if WINDOW.search(key) else (key, "", "1")
    number = int(place)

    def kept(later: bool) -> Iterator[tuple[str, Answer]]:
        for one, answer in step.answers:
            found = WINDOW_PART.fullmatch(one.removeprefix(base)) if one.startswith(base) else None
            at = int(found[1] or 1) if found else 0
            if at < number:
                yield one, answer
            elif at > number and found and later:
                yield f"{base}{f':{at - 1}' if at > 2 else ''}{found[2] or ''}", answer
        if not later:
            yield key, Passed()

    for later in (True, False):
        other = _run(ruleset, step, tuple(kept(later)))
        if other is not None:
            return other
    return None


def _run(ruleset: Ruleset, step: Played, answers: Answers) -> Done | Pending | None:
    """Play a step with other answers; nobody answers in windows that come anew."""
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
    return Names(record, full=True).plain(who) if who is not None and record.person(who) else ""


def _difference(
    ruleset: Ruleset,
    record: FightRecord,
    head: str,
    without: Sequence[ev.Entry],
    real: Sequence[ev.Entry],
    step: int,
) -> TurningPoint | None:
    """Return what differs between two ways of a step."""
    was, now = _result(record, without), _result(record, real)
    lost, statuses = (dict(was.lost), dict(now.lost)), (dict(was.statuses), dict(now.statuses))
    found, weight = [], 0.0
    for who in dict.fromkeys((*statuses[0], *statuses[1])):
        if statuses[0].get(who) != statuses[1].get(who):
            word = f"be {clean(status_of(ruleset, statuses[0][who]).word)}" if who in statuses[0] else "still stand"
            found.append(f"{_name(record, who)} would {word}")
            weight += FALL
    for who in dict.fromkeys((*lost[0], *lost[1])):
        points = lost[0].get(who, 0) - lost[1].get(who, 0)
        if points and statuses[0].get(who) == statuses[1].get(who):
            person = record.person(who)
            lost_words = f"{abs(points)} point{'' if abs(points) == 1 else 's'} {'more' if points > 0 else 'less'}"
            found.append(f"{_name(record, who)} would have lost {lost_words}")
            weight += abs(points) / (person.max if person is not None and person.max else abs(points))
    return TurningPoint(f"{head} Without it {enumerated(found)}.", weight, step) if found else None


def _result(record: FightRecord, entries: Sequence[ev.Entry]) -> Result:
    lost: Counter[Id] = Counter()
    statuses: dict[Id, str] = {}
    for entry in entries:
        if isinstance(entry.event, ev.PoolChanged) and entry.event.pool == record.pool:
            lost[entry.event.who] += entry.event.was - entry.event.now
        elif isinstance(entry.event, ev.StatusChanged):
            statuses[entry.event.who] = entry.event.now
    return Result(tuple(lost.items()), tuple(statuses.items()))


# -- dice --------------------------------------------------------------------------------------------------------------


def _die(step: Played, by: Id, before: int, *, last: bool) -> str:
    """Return the key of the first or last roll that a combatant made before an event, "" for none."""
    given = {key for key, answer in step.answers if isinstance(answer, DiceAnswer)}
    rolled = [entry.event for entry in step.entries[:before] if isinstance(entry.event, ev.Rolled)]
    mine = [roll for roll in rolled if roll.who == by and roll.key in given and roll.dice.sides]
    return mine[-1 if last else 0].key if mine else ""


def _turned(ruleset: Ruleset, step: Played, key: str) -> Iterator[tuple[int, str, int, Done]]:
    """Yield the step with other sums of a roll, the nearest first: the sum shown, the dice, the other sum."""
    rolls = [entry.event for entry in step.entries if isinstance(entry.event, ev.Rolled)]
    roll = next(roll for roll in rolls if roll.key == key)
    answer = dict(step.answers)[key]
    assert isinstance(answer, DiceAnswer)
    natural, one = roll.dice.natural, len(roll.dice.sides) == 1
    shown = sum(roll.faces) if roll.faces else answer.total - roll.dice.plus
    sums = (number for number in range(natural.minimum, natural.maximum + 1) if number != shown)
    for number in sorted(sums, key=lambda number: abs(number - shown))[:FACES_AT_MOST]:
        turned = replace(answer, total=answer.total - shown + number, faces=(number,) if answer.faces and one else ())
        answers = tuple((one, turned if one == key else usual) for one, usual in step.answers)
        try:
            other = run(ruleset, step.before, step.step, answers)
        except TrackerError:
            return
        if isinstance(other, Done):
            yield shown, f"a d{natural.sides[0]}" if one else str(natural), number, other


def _without_critical(ruleset: Ruleset, record: FightRecord, step: Played, candidate: Candidate) -> TurningPoint | None:
    """Return what a plain hit would have done with the same damage dice."""
    act = list(record.acts)[candidate.act]
    for _, _, _, other in _turned(ruleset, step, candidate.key):
        checks = [entry.event for entry in other.entries if isinstance(entry.event, ev.Checked)]
        mine = [check for check in checks if check.target == candidate.who and check.who == act.by]
        if mine and mine[-1].success is True and not record.telling.is_great(mine[-1].result):
            word = record.telling.great_word(act.last[candidate.who].word)
            head = f"{_when(act.round)}, {_name(record, act.by)}: {word} against {_name(record, candidate.who)}."
            return _difference(ruleset, record, head, other.entries, step.entries, candidate.step)
    return None


def _with_less(ruleset: Ruleset, record: FightRecord, step: Played, candidate: Candidate) -> TurningPoint | None:
    """Return what the next lower face would have left standing, None if every face brings the same end."""
    act = list(record.acts)[candidate.act]
    for shown, dice, face, other in _turned(ruleset, step, candidate.key):
        if face > shown or candidate.who not in other.state:
            continue
        one = other.state[candidate.who]
        if status_of(ruleset, one.status).acts:
            left = f"left {_name(record, one.id)} with {one.hp}" if one.has_pool(record.pool) else "not been enough"
            head = f"{_when(act.round)}: {_name(record, act.by)} rolled {shown} on {dice}"
            article = "An" if face in (11, 18) or str(face).startswith("8") else "A"
            words = f"{head} against {_name(record, one.id)}. {article} {face} would have {left}."
            return TurningPoint(words, FALL / (shown - face), candidate.step)
    return None


def _when(number: int) -> str:
    return f"Round {number}" if number else "Before the first round"


# -- effects -----------------------------------------------------------------------------------------------------------


def _without_effect(ruleset: Ruleset, record: FightRecord, candidate: Candidate, played: Steps) -> TurningPoint | None:
    """Return what an effect changed in the steps while it lasted, each played again without it."""
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
        words.append(f"{'cost' if points > 0 else 'saved'} {abs(points)} point{'' if abs(points) == 1 else 's'}")
    most = max((person.max for person in record.people), default=0) or 1
    head = f"{_when(span.since[1])}: {clean(span.effect)} on {_name(record, span.bearer) or 'all'}"
    weight = abs(points) / most + 0.1 * sum(results.values())
    return TurningPoint(f"{head} {enumerated(words)}.", weight, span.since[0])


def without_effect(state: State, span: EffectSpan) -> State | None:
    """Return a state without an effect, None if it does not have it."""
    bearer = state.get(span.bearer)
    if bearer is None or all(effect.id != span.id for effect in bearer.effects):
        return None
    return replace_combatant(state, replace(bearer, effects=tuple(one for one in bearer.effects if one.id != span.id)))


def differing(without: Sequence[ev.Entry], real: Sequence[ev.Entry]) -> Counter[tuple[str, str]]:
    """Return the comparisons that came out otherwise, without and with something."""
    found = Counter[tuple[str, str]]()
    others = _checks(without)
    for key, results in _checks(real).items():
        for was, now in zip(others.get(key, ()), results, strict=False):
            if was != now:
                found[was, now] += 1
    return found


def _checks(entries: Sequence[ev.Entry]) -> dict[tuple[str, Id | None, Id | None], list[str]]:
    found: dict[tuple[str, Id | None, Id | None], list[str]] = {}
    for entry in entries:
        one = entry.event
        if isinstance(one, ev.Checked) and one.result and not one.result.lstrip("-−").isdigit():
            found.setdefault((one.what, one.who, one.target), []).append(one.result)
    return found


def _lost(entries: Sequence[ev.Entry], pool: str) -> int:
    changes = (entry.event for entry in entries)
    return sum(max(0, one.was - one.now) for one in changes if isinstance(one, ev.PoolChanged) and one.pool == pool)


# -- the GM's hand -----------------------------------------------------------------------------------------------------


def forced(record: FightRecord, steps: Sequence[Sequence[ev.Entry]]) -> Iterator[str]:
    """Yield a sentence for each time the GM overruled the rules."""
    for number, entries in enumerate(steps):
        for entry in entries:
            if isinstance(entry.event, ev.Forced):
                acts = [act for act in record.acts if act.step == number]
                lost = sum(max(0, harm.points) for act in acts for harm in act.harms)
                falls = [clean(record.name(change.who)) for act in acts for change in act.changes if change.falls]
                came = [f"{lost} point{'' if lost == 1 else 's'} lost"] if lost else []
                came += [f"{enumerated(falls)} down"] if falls else []
                who = f"{clean(record.name(entry.event.by))}: " if record.name(entry.event.by) else ""
                why = clean(entry.event.text)
                yield f"Forced, {who}{clean(entry.event.label)} ({why}): {', '.join(came) or 'no points lost'}."


def corrected(ruleset: Ruleset, label: str, without: State, now: State) -> str:
    """Return what would be different without a correction, "" for nothing that counts."""
    found = []
    for one in now.combatants:
        other = without.get(one.id)
        if other is None or (other.status, other.pools) == (one.status, one.pools):
            continue
        pools = [
            f"{key_words(pool.key)} {was.now} and not {pool.now}"
            for was, pool in zip(other.pools, one.pools, strict=False)
            if was.now != pool.now
        ]
        if other.status != one.status:
            words = [clean(status_of(ruleset, status).word) for status in (other.status, one.status)]
            pools.append(" and not ".join(words))
        found.append(f"{clean(one.name)} {', '.join(pools)}")
    return f"Without {clean(label)}: {'; '.join(found)}." if found else ""
