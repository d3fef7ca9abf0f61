"""`--party-from FIGHT`: a new fight begun as an earlier one left the party."""

from __future__ import annotations

from tracker.cli.fights import fight_named
from tracker.core.encounter import Encounter
from tracker.core.errors import TrackerError
from tracker.core.ruleset import Ruleset
from tracker.session.journal import Journal
from tracker.session.party import carried, party_of
from tracker.views.party import condition_words

__all__ = ["party_from"]


def party_from(journal: Journal, ruleset: Ruleset, encounter: Encounter, name: str, dead: bool) -> tuple[Encounter, str]:
    """Return the encounter with its characters as that fight left them, and one line about them; `dead`: whoever would stay out comes as in the file.

    Raises:
        TrackerError: where there is no such fight, it is of another game, or nobody of the party took part.
    """
    fights = (*journal.fights(), *journal.fights(discarded=True))
    key = fight_named(name, fights)
    fight = next(fight for fight in fights if fight.id == key)
    party = party_of(journal, ruleset, encounter, fight)
    if party is None:
        raise TrackerError(f'nobody of the party took part in "{fight.title}"', "no_party")
    told = []
    for person in party.people:
        if not person.out:
            told.append(f"{person.name} {condition_words(ruleset, party.state, person.who, person.condition)}")
        else:
            told.append(f"{person.name} {'comes as in the file' if dead else 'stays out'}: {person.out}")
    returning = tuple(person.who for person in party.people if dead)
    return carried(encounter, party, returning), f"from {fight.title}: {', '.join(told)}"
