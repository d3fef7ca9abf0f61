"""The outcome of a fight: who won, how each side stands, and what it cost."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from tracker.core.fight.slots import Id
from tracker.core.fight.state import State
from tracker.core.game.ruleset import Ruleset, status_of
from tracker.core.terms.words import minus
from tracker.views.report.names import Names, conjugated, enumerated, in_round, is_plural, sentence, side_name
from tracker.views.report.record import CombatantRecord, Ending, FightRecord, Side
from tracker.views.words.text import clean

GONE = ("fled", "left", "surrendered")
"""Words for the end of combatants that have done it."""


class Outcome(Struct, frozen=True):
    """How a fight has ended.

    Attributes:
        standing: the sides with combatants that fight on, friends together; one group: it has won.
        ends: the combatants of each side by how they have ended.
    """

    standing: tuple[tuple[Side, ...], ...]
    ends: tuple[tuple[Side, tuple[tuple[Ending, tuple[CombatantRecord, ...]], ...]], ...]

    def people(self, side: Id, ending: Ending) -> tuple[CombatantRecord, ...]:
        return next((dict(ends).get(ending, ()) for one, ends in self.ends if one.id == side), ())


def outcome_of(record: FightRecord) -> Outcome:
    """Return how each side stands at the end."""
    ends: list[tuple[Side, tuple[tuple[Ending, tuple[CombatantRecord, ...]], ...]]] = []
    for side in sorted(record.sides, key=lambda side: not side.players):
        mine: dict[Ending, list[CombatantRecord]] = {}
        for person in record.people:
            if person.side == side.id:
                mine.setdefault(person.ending, []).append(person)
        if mine:
            ends.append((side, tuple((ending, tuple(people)) for ending, people in mine.items())))
    standing: list[list[Side]] = []
    for side, each in ends:
        if "standing" in dict(each):
            friends = next((group for group in standing if any(one.id in side.friends for one in group)), None)
            if friends is None:
                standing.append([side])
            else:
                friends.append(side)
    return Outcome(tuple(tuple(group) for group in standing), tuple(ends))


def headline(record: FightRecord) -> str:
    """Return who won, when, how, and at what cost.

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
    lost = [f"{side_name(side)} {_beaten(side, dict(ends))}" for side, ends in outcome.ends if side.id not in friends]
    one = len(won) == 1 and not is_plural(won[0])
    words = f"{enumerated([side_name(side) for side in won])} {conjugated('win', one)} {when}"
    return f"{sentence(f'{words}: {enumerated(lost)}' if lost else words)}{_price(record, outcome)}"


def _beaten(side: Side, ends: dict[Ending, tuple[CombatantRecord, ...]]) -> str:
    one = not is_plural(side)
    away = [person for key in ("fled", "broken") for person in ends.get(key, ())]
    fell = sum(len(ends.get(key, ())) for key in ("dead", "down"))
    if not away:
        return f"{conjugated('be', one)} beaten to the last"
    given = all(person.status == "surrendered" for person in away)
    if len(away) >= fell:
        return conjugated("surrender" if given else "break", one) + ("" if given else f" and {conjugated('run', one)}")
    return f"{conjugated('fall', one)} or {conjugated('surrender' if given else 'flee', one)}"


def _price(record: FightRecord, outcome: Outcome) -> str:
    """Return what became of the players' characters, "" if all still stand."""
    names = Names(record)
    parts: dict[str, list[Id]] = {}
    for side, ends in outcome.ends:
        for ending, people in ends:
            if side.players and ending in ("dead", "down", "fled"):
                for person in people:
                    parts.setdefault(clean(person.status), []).append(person.id)
    found = []
    for word, who in parts.items():
        verb = conjugated("have" if word in GONE else "be", len(who) == 1)
        found.append(f"{names.counted(who)} {verb} {word}")
    return f" {sentence(enumerated(found))}" if found else ""


def result_words(ruleset: Ruleset, state: State, before: State) -> str:
    """Return the outcome of a fight in a few words for a list: `Party won in 6 rounds · Dobb died`.

    `before` is the state before the step that ended it, where lost hearts still hold.
    """
    left = ruleset.sides_left(before)
    acts = {one.side for one in state.combatants if status_of(ruleset, one.status).acts}
    standing = [side for side in state.sides if side.id in acts and (left is None or side.id in left)]
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
    """Return how each side stands in a sentence, the players' sides first."""
    names = Names(record)
    found = []
    for side, ends in outcome_of(record).ends:
        parts = []
        for ending, people in sorted(
            ends, key=lambda each: ("dead", "down", "fled", "broken", "standing").index(each[0])
        ):
            parts += _stand(record, names, side, ending, people)
        found.append(sentence(f"{side_name(side)}: {'; '.join(parts)}"))
    return found


def _stand(
    record: FightRecord, names: Names, side: Side, ending: Ending, people: Sequence[CombatantRecord]
) -> list[str]:
    ids = [person.id for person in people]
    if ending != "standing":
        words: dict[str, list[Id]] = {}
        for person in people:
            words.setdefault(clean(person.status), []).append(person.id)
        return [f"{names.counted(who)} {word}" for word, who in words.items()]
    if side.players:
        left: dict[str, list[Id]] = {}
        for person in people:
            left.setdefault(_left(record, person), []).append(person.id)
        return [f"{names.counted(who)} {words}" for words, who in left.items()]
    return [f"{names.counted(ids)} still standing"]


def _left(record: FightRecord, person: CombatantRecord) -> str:
    """Return what a character has left: its points, or the marks of its harm."""
    if person.max:
        return "unhurt" if person.now >= person.max else minus(f"{person.now} of {person.max}")
    kinds = record.telling.marks.kinds if record.telling.marks else ()
    marks = [
        f"{count} {one if count == 1 else many}"
        for count, (one, many) in zip(person.marks, kinds, strict=False)
        if count
    ]
    return f"with {enumerated(marks)}" if marks else "unhurt"
