"""The outcome of a fight: the winner, the end of each side's combatants, and the cost."""

from __future__ import annotations

from msgspec import Struct

from tracker.core.fight.slots import Id
from tracker.core.fight.state import State
from tracker.core.game.ruleset import Ruleset, status_of
from tracker.core.terms.words import minus
from tracker.views.report.names import Names, conjugated, enumerated, in_round, is_plural, sentence, side_name
from tracker.views.report.record import CombatantRecord, Ending, FightRecord, Side, groups_of_friends
from tracker.views.words.text import clean

ENDINGS: tuple[Ending, ...] = ("dead", "down", "fled", "broken", "standing")
GONE = ("fled", "left", "surrendered")
"""Words for an end that a combatant `has` and not `is`."""


class Outcome(Struct, frozen=True):
    """The end of a fight.

    Attributes:
        standing: the sides with combatants that fight on, friends together; a single group has won.
        ends: the combatants of each side by their ending, the players' sides first.
    """

    standing: list[list[Side]]
    ends: list[tuple[Side, dict[Ending, list[CombatantRecord]]]]


def outcome_of(record: FightRecord) -> Outcome:
    ends: list[tuple[Side, dict[Ending, list[CombatantRecord]]]] = []
    for side in sorted(record.sides, key=lambda side: not side.players):
        people: dict[Ending, list[CombatantRecord]] = {}
        for person in record.people:
            if person.side == side.id:
                people.setdefault(person.ending, []).append(person)
        if people:
            ends.append((side, people))
    return Outcome(groups_of_friends(side for side, people in ends if "standing" in people), ends)


def headline(record: FightRecord) -> str:
    """Return in a sentence which side won, when, how, and at what cost.

    `The party wins in round 6: the smugglers break and run. Dobb is dead.`
    """
    outcome = outcome_of(record)
    when = in_round(record.rounds)
    if not outcome.ends:
        return ""
    if not record.over and len(outcome.standing) != 1:
        return f"The fight goes on {when}." if record.rounds else "The fight has not begun."
    if not outcome.standing:
        return f"Nobody is left standing {when}.{_price(record, outcome)}"
    if len(outcome.standing) > 1:
        names = enumerated([side_name(side) for group in outcome.standing for side in group])
        why = f": {clean(record.reason).rstrip('.')}" if record.reason else ""
        return f"The fight ends {when} with {names} still standing{why}."
    won = outcome.standing[0]
    friends = {friend for side in won for friend in (side.id, *side.friends)}
    lost = [f"{side_name(side)} {_beaten(side, ends)}" for side, ends in outcome.ends if side.id not in friends]
    one = len(won) == 1 and not is_plural(won[0])
    words = f"{enumerated([side_name(side) for side in won])} {conjugated('win', one)} {when}"
    return f"{sentence(f'{words}: {enumerated(lost)}' if lost else words)}{_price(record, outcome)}"


def _beaten(side: Side, ends: dict[Ending, list[CombatantRecord]]) -> str:
    one = not is_plural(side)
    away = [person for key in ("fled", "broken") for person in ends.get(key, ())]
    fell = sum(len(ends.get(key, ())) for key in ("dead", "down"))
    if not away:
        return f"{conjugated('be', one)} beaten to the last"
    surrendered = all(person.status == "surrendered" for person in away)
    if len(away) < fell:
        return f"{conjugated('fall', one)} or {conjugated('surrender' if surrendered else 'flee', one)}"
    return conjugated("surrender", one) if surrendered else f"{conjugated('break', one)} and {conjugated('run', one)}"


def _price(record: FightRecord, outcome: Outcome) -> str:
    """Return the losses among the player characters in a sentence, "" if all still stand."""
    names = Names(record)
    out: dict[str, list[Id]] = {}
    for side, ends in outcome.ends:
        for ending, people in ends.items():
            if side.players and ending in ("dead", "down", "fled"):
                for person in people:
                    out.setdefault(clean(person.status), []).append(person.id)
    parts = [
        f"{names.counted(who)} {conjugated('have' if word in GONE else 'be', len(who) == 1)} {word}"
        for word, who in out.items()
    ]
    return f" {sentence(enumerated(parts))}" if parts else ""


def result_words(ruleset: Ruleset, state: State, before: State) -> str:
    """Return the outcome of a fight in a few words for a list: `Party won in 6 rounds · Dobb died`.

    `before` is the state before the step that ended it, in which failed morale still counts.
    """
    left = ruleset.sides_left(before)
    able = {one.side for one in state.combatants if status_of(ruleset, one.status).acts}
    standing = [side for side in state.sides if side.id in able and (left is None or side.id in left)]
    length = f"{state.clock.round} round{'' if state.clock.round == 1 else 's'}"
    if not standing:
        words = f"nobody left standing after {length}"
    elif all(ruleset.friendly(state, standing[0].id, side.id) for side in standing):
        words = f"{enumerated([clean(side.name) for side in standing])} won in {length}"
    else:
        words = f"over after {length}"
    players = {side.id for side in state.sides if side.control == "players"}
    out = [(one, status_of(ruleset, one.status)) for one in state.combatants if one.side in players]
    dead = [clean(one.name) for one, status in out if not (status.acts or status.takes_part or status.left)]
    return f"{words} · {enumerated(dead)} died" if dead else words


def cost(record: FightRecord) -> list[str]:
    """Return the end of each side's combatants in a sentence, the players' sides first."""
    names = Names(record)
    sentences = []
    for side, ends in outcome_of(record).ends:
        parts = []
        for ending in ENDINGS:
            alike: dict[str, list[Id]] = {}
            for person in ends.get(ending, ()):
                alike.setdefault(_end_words(record, side, person), []).append(person.id)
            parts += [f"{names.counted(who)} {words}" for words, who in alike.items()]
        sentences.append(sentence(f"{side_name(side)}: {'; '.join(parts)}"))
    return sentences


def _end_words(record: FightRecord, side: Side, person: CombatantRecord) -> str:
    if person.ending != "standing":
        return clean(person.status)
    return _left(record, person) if side.players else "still standing"


def _left(record: FightRecord, person: CombatantRecord) -> str:
    """Return the points that a character has left, or its marks of harm."""
    if person.max:
        return "unhurt" if person.now >= person.max else minus(f"{person.now} of {person.max}")
    kinds = record.telling.marks.kinds if record.telling.marks else ()
    marks = [
        f"{count} {one if count == 1 else many}"
        for count, (one, many) in zip(person.marks, kinds, strict=False)
        if count
    ]
    return f"with {enumerated(marks)}" if marks else "unhurt"
