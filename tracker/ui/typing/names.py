"""The names of combatants in typed text: an id, a name, or some words of a name."""

from __future__ import annotations

from collections.abc import Sequence

from tracker.core.fight.state import Combatant
from tracker.core.terms.labels import folded
from tracker.ui.typing.mode import ModeContext
from tracker.ui.typing.tokens import SHORTEST_NAME, is_name_word
from tracker.views.words.text import clean

MOST_ALIKE = 4
"""Most combatants that the sentence about an ambiguous name lists."""


def label_of_whole_name(scene: ModeContext, word: str) -> str | None:
    wanted = folded(word)
    named = [person for person in scene.model.state.combatants if folded(person.name) == wanted]
    return named[0].label if len(named) == 1 and len(wanted) >= SHORTEST_NAME else None


def label_of_name(scene: ModeContext, word: str) -> str | None:
    """Return the label of the combatant with this id or name, or of the only one whose name has these words."""
    person = scene.model.state.get(word.casefold())
    named = (person,) if person is not None else named_so(scene, word)
    return named[0].label if len(named) == 1 else None


def named_so(scene: ModeContext, words: str) -> tuple[Combatant, ...]:
    """Return the combatants with this name; else those whose name begins so; else those with words that begin so."""
    wanted, everybody = folded(words), scene.model.state.combatants
    if len(wanted) < SHORTEST_NAME:
        return ()
    exact = tuple(person for person in everybody if folded(person.name) == wanted)
    if exact:
        return exact
    if " " not in wanted:
        begun = tuple(person for person in everybody if folded(person.name).startswith(wanted))
        if begun:
            return begun
    parts = wanted.split()
    if not all(is_name_word(part) for part in parts):
        return ()
    return tuple(person for person in everybody if _has_words(folded(person.name).split(), parts))


def _has_words(name: Sequence[str], parts: Sequence[str]) -> bool:
    """Tell whether words of a name begin with the typed parts in order; a number is typed whole."""
    left = iter(name)
    return all(any(word == part if part.isdigit() else word.startswith(part) for word in left) for part in parts)


def ambiguous(scene: ModeContext, word: str) -> str:
    """Return the question which combatant is meant, if several have this name, else ""."""
    alike = named_so(scene, word)
    if len(alike) < 2:
        return ""
    names = ", ".join(f"{person.label} {clean(person.name)}" for person in alike[:MOST_ALIKE])
    return f'"{clean(word)}" is {names}{" …" if len(alike) > MOST_ALIKE else ""}: which?'
