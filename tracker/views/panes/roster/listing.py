"""What the combatants pane lists, in fewer rows where there is no room.

The dead and fled sink below a fold. Equals who share state stand in one row, once there are more rows than room; one
who acts, is wounded or has just been struck always has a row of its own.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Literal, TypeAlias

from msgspec import Struct

from tracker.core.fight.state import Combatant, Id, State
from tracker.core.game.ruleset import Ruleset
from tracker.core.game.schema import Status
from tracker.views.story.signs import SIGNS, Sign, fate_of
from tracker.views.time.marks import marks_of
from tracker.views.words.moments import effect_words
from tracker.views.words.spans import Row, Span, cut_spans
from tracker.views.words.text import clean

MOST_KEPT = 4000
FOLD = "fold"
"""The key of the fold among those that are open."""
Likeness: TypeAlias = tuple[object, ...]


class Alike:
    """What combatants were like when last asked.

    Only those who have changed are asked again. Equals have the same number, one who stands alone has none.
    """

    def __init__(self) -> None:
        self.numbers: dict[Likeness, int] = {}
        self.held: dict[Id, tuple[Combatant, int | None]] = {}


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
    entries: list[Entry] = []
    for who in _groups(ruleset, state, here, active, signs, Alike() if known is None else known):
        if len(who) == 1 or not opened.isdisjoint(who):
            entries += [Entry("one", (one,)) for one in who]
        else:
            entries.append(Entry("alike", tuple(who)))
    return (*entries, *tail)


def _groups(
    ruleset: Ruleset,
    state: State,
    people: list[Combatant],
    active: Id | None,
    signs: Mapping[Id, Sign],
    known: Alike,
) -> Iterable[list[Id]]:
    """Return the combatants, those who are equals together."""
    marks, statuses = marks_of(state.clock), {status.key: status for status in ruleset.statuses}
    acting, here, acted = marks.acting if active is None else active, marks.here, marks.acted
    clock = state.clock
    turned = frozenset(clock.turned if clock.current is not None and clock.current.turns == "opened" else ())
    held, groups = known.held, dict[Likeness, list[Id]]()
    shown: dict[Likeness, str] = {}
    for one in people:
        who = one.id
        kept = held.get(who)
        if kept is None or kept[0] is not one:
            kept = held[who] = (one, _number(one, statuses, known))
        if kept[1] is None or who == acting:
            groups[who,] = [who]
            continue
        key = (kept[1], who in here, who in acted, who in turned)
        if key not in shown:  # equals in all this have the same mark
            shown[key] = marks.of(one, ruleset.status(one.status), active)
        # The ends of effects change with the round.
        effects = tuple([effect_words(state, effect) for effect in one.effects]) if one.effects else ()
        groups.setdefault((kept[1], shown[key], effects, signs.get(who, "")), []).append(who)
    return groups.values()


def _number(one: Combatant, statuses: Mapping[str, Status], known: Alike) -> int | None:
    """Return the number of a combatant's equals, effects apart.

    None for one who stands alone.
    """
    name, _, number = one.name.rpartition(" ")
    status = statuses.get(one.status)
    if not number.isdigit() or status is None or not status.acts:
        return None
    for pool in one.pools:
        if pool.now < pool.max:
            return None
    if len(known.numbers) > MOST_KEPT:
        known.numbers.clear()
        known.held.clear()
    likeness = (name, one.side, one.kind, one.status, one.pools, one.budget)
    return known.numbers.setdefault(likeness, len(known.numbers))


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
