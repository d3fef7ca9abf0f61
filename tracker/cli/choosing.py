"""Which journal and which fight a command line means."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from tracker.core.terms.errors import TrackerError
from tracker.session.rows import FightSummary
from tracker.session.store.journal import Journal

__all__ = ["fight_named", "journal_path"]


def journal_path(given: str | None) -> Path:
    """Return the journal named on the command line, or the user's own."""
    return Journal.default_path() if given is None else Path(given)


def fight_named(name: str, fights: Sequence[FightSummary], commands: Sequence[str] = ()) -> str:
    """Return the id of the fight with this id or title.

    An exact match counts first, then one that differs in case alone.

    Raises:
        TrackerError: where there is none, with the nearest; where several have that title, with their ids.
    """
    if any(fight.id == name for fight in fights):
        return name
    plain = name.casefold()
    exact = [fight.id for fight in fights if fight.title == name]
    found = exact or [fight.id for fight in fights if plain in (fight.id.casefold(), fight.title.casefold())]
    if len(found) == 1:
        return found[0]
    if found:
        raise TrackerError(f'more than one fight is called "{name}": {", ".join(found)}', "ambiguous_fight")
    from difflib import get_close_matches  # only for the message

    words = {word.casefold(): word for fight in fights for word in (fight.title, fight.id)} | {
        command: command for command in commands
    }
    near = get_close_matches(plain, words, 1)
    what = "fight or command" if commands else "fight"
    hint = f" (did you mean {words[near[0]]}?)" if near else "" if fights else " (no fight has been played yet)"
    raise TrackerError(f'there is no {what} "{name}"{hint}', "no_such_fight")
