"""The party between two fights: which characters go on to the next one, and in which condition.

Their conditions are put into the encounter, which the journal keeps; the earlier fight is not read again.
"""

from __future__ import annotations

from collections.abc import Iterator

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from tracker.core.fight.slots import Id
from tracker.core.fight.state import State
from tracker.core.game.ruleset import Ruleset, status_of
from tracker.core.game.schema import codec_of
from tracker.core.terms.encounter import Condition, Encounter, Member
from tracker.core.terms.errors import RulesBug, TrackerError
from tracker.library.ruleset_errors import describe
from tracker.session.rows import FightSummary
from tracker.session.store import loading
from tracker.session.store.journal import Journal

MOST_LOOKED_AT = 30


class Survivor(Struct, frozen=True):
    """A character of an encounter that took part in an earlier fight.

    Attributes:
        side, place: the member of the encounter: its side's id, and its number there.
        who: the combatant's id in the earlier fight.
        name: the character's name.
        condition: its condition after the earlier fight.
        out: the status that keeps it out of the next fight, in a word; "": it takes part.
    """

    side: Id
    place: int
    who: Id
    name: str
    condition: Condition
    out: str = ""


class Party(Struct, frozen=True):
    """The characters of an encounter as an earlier fight left them, with its last state."""

    fight: FightSummary
    state: State
    people: tuple[Survivor, ...]


def last_party(journal: Journal, ruleset: Ruleset, encounter: Encounter) -> Party | None:
    """Return the characters of an encounter after their last fight of this game, None if there is none.

    A fight that was opened and left at once does not count, nor one that was put away or cannot be read.
    """
    wanted = set(_names(encounter))
    if not wanted:
        return None
    played = [fight for fight in journal.fights() if fight.ruleset == ruleset.key and fight.steps > 1]
    for fight in played[:MOST_LOOKED_AT]:
        try:
            prepared = codec_of(ruleset.schema).decode(journal.prepared(fight.id).encounter, Encounter)
            party = party_of(journal, ruleset, encounter, fight) if wanted & set(_names(prepared)) else None
        except (TrackerError, msgspec.DecodeError, UnicodeDecodeError):
            continue
        if party is not None:
            return party
    return None


def party_of(journal: Journal, ruleset: Ruleset, encounter: Encounter, fight: FightSummary) -> Party | None:
    """Return the characters of an encounter after a fight, None if none of them took part.

    Raises:
        TrackerError: if the fight is of another game, its record cannot be read, or the ruleset fails.
    """
    if fight.ruleset != ruleset.key:
        raise TrackerError(f'"{fight.title}" is a fight of {fight.ruleset}, not of {ruleset.key}', "other_game")
    stored = journal.load(fight.id)
    steps = loading.history(stored, loading.reader(ruleset, stored))
    state = steps.state(loading.last_readable_step(steps, stored.head.seq)[0])
    free = [
        combatant for combatant in state.combatants if combatant.ref and state.side(combatant.side).control == "players"
    ]
    people: list[Survivor] = []
    for side, place, member in _characters(encounter):
        fitting = [combatant for combatant in free if combatant.ref == member.ref]
        found = next(
            (combatant for combatant in fitting if combatant.name == member.name), fitting[0] if fitting else None
        )
        if found is None:
            continue
        free.remove(found)
        condition = _carried(journal, ruleset, state, found.id, member)
        status = status_of(ruleset, condition.status or "up")
        people.append(
            Survivor(
                side=side,
                place=place,
                who=found.id,
                name=member.name,
                condition=condition,
                out="" if status.takes_part else status.word,
            )
        )
    return Party(fight, state, tuple(people)) if people else None


def _carried(journal: Journal, ruleset: Ruleset, state: State, who: Id, member: Member) -> Condition:
    try:
        return ruleset.carry(state, who, member)
    except Exception as error:
        problem = describe(error, journal.path.parent / "problems")
        raise RulesBug(f"{ruleset.title}: {state.name(who)} cannot be carried over: {problem}") from error


def with_conditions(encounter: Encounter, party: Party, returning: tuple[Id, ...] = ()) -> Encounter:
    """Return the encounter with its characters as the earlier fight left them.

    Characters that stay out are not in it, except the `returning` ones (ids of the earlier fight), which have the
    values of their stat blocks.
    """
    people = {(person.side, person.place): person for person in party.people}

    def members(side: Id, listed: tuple[Member, ...]) -> Iterator[Member]:
        for place, member in enumerate(listed):
            person = people.get((side, place))
            if person is None or (person.out and person.who in returning):
                yield member
            elif not person.out:
                yield replace(member, condition=person.condition)

    return replace(
        encounter, sides=tuple(replace(side, members=tuple(members(side.id, side.members))) for side in encounter.sides)
    )


def continued_by(ruleset: Ruleset, encounter: Encounter, party: Party) -> Encounter:
    """Return the next encounter of a campaign, without characters that are out; its notes name them."""
    origin = f"The party comes from {party.fight.title}."
    out = [f"{person.name} stays out: {person.out}." for person in party.people if person.out]
    notes = "\n".join(part for part in (" ".join([origin, *out]), encounter.notes) if part)
    return replace(with_conditions(encounter, party), notes=notes)


def _characters(encounter: Encounter) -> Iterator[tuple[Id, int, Member]]:
    """Yield the members of the players' sides that are one combatant each."""
    for side in encounter.sides:
        if side.control == "players":
            for place, member in enumerate(side.members):
                if member.ref and not member.count.sides and member.count.plus == 1:
                    yield side.id, place, member


def _names(encounter: Encounter) -> Iterator[str]:
    return (member.ref for _, _, member in _characters(encounter))
