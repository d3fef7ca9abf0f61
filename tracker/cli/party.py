"""`--party-from FIGHT`: a new fight begun as an earlier one left the party."""

from __future__ import annotations

import argparse

from tracker.cli.choosing import fight_named
from tracker.cli.output import complain
from tracker.core.game.ruleset import Ruleset
from tracker.core.terms.encounter import Encounter
from tracker.core.terms.errors import TrackerError
from tracker.session.party import Party, carried, going_on, last_party, party_of
from tracker.session.store.journal import Journal
from tracker.views.words.values import condition_words

__all__ = ["begun", "party_from"]


def begun(
    asked: argparse.Namespace, journal: Journal, ruleset: Ruleset, encounter: Encounter, *, carries: bool = False
) -> Encounter:
    """Return the encounter as the command line wants it begun, and say what comes along.

    `carries`: its campaign wants the party as the last fight left it.

    Raises:
        TrackerError: see `party_from`; or where the dead are let in without a fight they could come from.
    """
    if asked.party_from is None:
        if carries and not asked.rested:
            return _gone_on(journal, ruleset, encounter)
        if asked.with_dead:
            raise TrackerError(
                "--with-dead says who comes along with --party-from FIGHT, which is missing", "bad_options"
            )
        return encounter
    encounter, said = party_from(journal, ruleset, encounter, asked.party_from, dead=asked.with_dead)
    complain(said)
    return encounter


def _gone_on(journal: Journal, ruleset: Ruleset, encounter: Encounter) -> Encounter:
    """Return the encounter with its party as the last fight left it."""
    party = last_party(journal, ruleset, encounter)
    if party is None:
        return encounter
    complain(_line(ruleset, party, dead=False))
    return going_on(ruleset, encounter, party)


def party_from(
    journal: Journal, ruleset: Ruleset, encounter: Encounter, name: str, *, dead: bool
) -> tuple[Encounter, str]:
    """Return the encounter with its characters as that fight left them, and one line.

    `dead`: characters who would stay out come as in the file.

    Raises:
        TrackerError: where there is no such fight, it is of another game, or nobody of the party took part.
    """
    fights = (*journal.fights(), *journal.fights(discarded=True))
    key = fight_named(name, fights)
    fight = next(fight for fight in fights if fight.id == key)
    party = party_of(journal, ruleset, encounter, fight)
    if party is None:
        raise TrackerError(f'nobody of the party took part in "{fight.title}"', "no_party")
    returning = tuple(person.who for person in party.people if dead)
    return carried(encounter, party, returning), _line(ruleset, party, dead=dead)


def _line(ruleset: Ruleset, party: Party, *, dead: bool) -> str:
    """Return how everybody comes along, in one line."""
    told = []
    for person in party.people:
        if not person.out:
            told.append(f"{person.name} {condition_words(ruleset, party.state, person.who, person.condition)}")
        else:
            told.append(f"{person.name} {'comes as in the file' if dead else 'stays out'}: {person.out}")
    return f"from {party.fight.title}: {', '.join(told)}"
