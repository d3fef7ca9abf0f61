"""What the combatants pane lists, in fewer rows where there is no room.

The dead and fled sink below a fold. Equals who share state stand in one row, once there are more rows than room; one
who acts, is wounded or has just been struck always has a row of its own.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Literal, TypeAlias

from msgspec import Struct

from tracker.core.fight.state import Combatant, Id, State
from tracker.core.game.ruleset import Ruleset
from tracker.views.story.signs import SIGNS, Sign, fate_of
from tracker.views.time.marks import ACTING, marks_of
from tracker.views.words.moments import effect_words
from tracker.views.words.spans import Row, Span, cut_spans
from tracker.views.words.text import clean

__all__ = ["FOLD", "Alike", "Entry", "fold_row", "listing", "places_of"]

FOLD = "fold"
"""The key of the fold among those that are open."""
Likeness: TypeAlias = tuple[object, ...]
Alike: TypeAlias = dict[Id, tuple[Combatant, str, Sign, "Likeness | None"]]
"""What each combatant was like when last asked."""


class Entry(Struct, frozen=True):
    """One row of the list: a combatant, several alike, or the fold."""

    kind: Literal["one", "alike", "fold"]
    who: tuple[Id, ...]
    open: bool = False


def listing(
    ruleset: Ruleset,
    state: State,
    room: int,
    *,
    active: Id | None = None,
    opened: frozenset[str] = frozenset(),
    signs: Mapping[Id, Sign] = {},
    known: Alike | None = None,
) -> tuple[Entry, ...]:
    """Return the rows of a list with so much room.

    Those who have just fallen are still in their places. `opened` holds the first of each group that is unfolded, and
    `FOLD` where the fold is.
    """
    out = {status.key for status in ruleset.statuses if not status.takes_part}
    here = [one for one in state.combatants if one.status not in out or one.id in signs]
    gone = tuple([one.id for one in state.combatants if one.status in out and one.id not in signs])
    tail = [Entry("fold", gone, FOLD in opened)] if gone else []
    if FOLD in opened:
        tail += [Entry("one", (who,)) for who in gone]
    if len(here) + len(tail) <= room:
        return (*[Entry("one", (one.id,)) for one in here], *tail)
    groups: dict[Likeness, list[Id]] = {}
    known = {} if known is None else known
    for one in here:
        likeness = _likeness(ruleset, state, one, active, signs.get(one.id, ""), known)
        groups.setdefault((one.id,) if likeness is None else likeness, []).append(one.id)
    entries: list[Entry] = []
    for who in groups.values():
        if len(who) == 1 or not opened.isdisjoint(who):
            entries += [Entry("one", (one,)) for one in who]
        else:
            entries.append(Entry("alike", tuple(who)))
    return (*entries, *tail)


def _likeness(
    ruleset: Ruleset, state: State, one: Combatant, active: Id | None, sign: Sign, known: Alike
) -> Likeness | None:
    """Return what makes combatants equals, None for one who stands alone."""
    mark = marks_of(state.clock).of(one, ruleset.status(one.status), active)
    held = known.get(one.id)
    if held is not None and held[0] is one and held[1:3] == (mark, sign):
        return held[3]
    found: Likeness | None = None
    effects: tuple[str, ...] = ()
    name, _, number = one.name.rpartition(" ")
    hurt = any(pool.now < pool.max for pool in one.pools) or not ruleset.status(one.status).acts
    if number.isdigit() and mark != ACTING and not hurt:
        effects = tuple([effect_words(state, effect) for effect in one.effects])
        found = (name, one.side, one.kind, one.status, one.pools, one.budget, effects, mark, sign)
    if not effects:  # the words of their ends change with the round
        known[one.id] = (one, mark, sign, found)
    return found


def places_of(entries: tuple[Entry, ...]) -> dict[Id, int]:
    """Return the row of each combatant."""
    places: dict[Id, int] = {}
    for place, entry in enumerate(entries):
        if not entry.open:
            places.update(dict.fromkeys(entry.who, place))
    return places


def fold_row(ruleset: Ruleset, state: State, entry: Entry, width: int) -> Row:
    """Return the fold: `▸ 3 dead, 1 fled`, with the labels of those below it."""
    people = [state[who] for who in entry.who]
    counts = Counter(clean(ruleset.status(one.status).word) for one in people)
    words = ", ".join(f"{many} {word}" for word, many in counts.items())
    sign = fate_of(people[0], ruleset.status(people[0].status))
    lead = "▾ " if entry.open else "▸ "
    labels = "" if entry.open else "  " + " ".join(one.label for one in people)
    spans = (Span(lead, "key"), Span(f"{SIGNS[sign]} ", "dim"), Span(words, "dim"), Span(labels, "dim"))
    return Row(FOLD if entry.open else entry.who[0], cut_spans(spans, width), "ghost")
