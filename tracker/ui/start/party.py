"""The choice of the party's condition in a new fight: rested, or as its last fight left it."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from typing import TYPE_CHECKING

from tracker.core.game.ruleset import Ruleset
from tracker.core.terms.encounter import Encounter
from tracker.ui.start.catalog import Prepared
from tracker.ui.start.rows import when_words
from tracker.ui.widgets.lists import Listed, ListWidget
from tracker.views.words.spans import Row, Span, wrap_spans
from tracker.views.words.text import clean
from tracker.views.words.values import condition_words

if TYPE_CHECKING:
    from tracker.session.party import Party


class PartyChoice(ListWidget):
    """The list of the two conditions: rested and carried over."""

    def __init__(self) -> None:
        super().__init__(0, "Party", "party")
        self.chosen_pane = self.lit = True
        self._choice: tuple[Prepared, Party, bool] | None = None

    def ask(self, prepared: Prepared, party: Party, now: datetime) -> None:
        self._choice = (prepared, party, False)
        self.cursor = "rested"
        self._show(now)

    def toggle_dead(self, now: datetime) -> None:
        if self._choice is not None:
            prepared, party, dead = self._choice
            self._choice = (prepared, party, not dead)
            self._show(now)

    def chosen(self) -> tuple[Prepared, Encounter] | None:
        from tracker.session.party import with_conditions

        if self._choice is None:
            return None
        prepared, party, dead = self._choice
        if self.cursor != "carried":
            return prepared, prepared.encounter
        all_of_it = tuple(person.who for person in party.people if dead)
        return prepared, with_conditions(prepared.encounter, party, all_of_it)

    def _show(self, now: datetime) -> None:
        assert self._choice is not None
        prepared, party, dead = self._choice
        self.say(f"Begin: {clean(prepared.encounter.title)}")
        self.fill(party_items(prepared.ruleset, prepared.encounter, party=party, dead=dead, now=now))


def party_items(ruleset: Ruleset, encounter: Encounter, party: Party, dead: bool, now: datetime) -> tuple[Listed, ...]:
    """Return the two items, with the carried-over conditions; `dead`: characters who are out come as in the file."""
    left = f'as "{clean(party.fight.title)}" left it, {when_words(party.fight.at, now)}'
    lines: list[tuple[Span, ...]] = []
    for person in party.people:
        name, condition = clean(person.name), condition_words(ruleset, party.state, person.who, person.condition)
        if not person.out:
            lines.append((Span(name, "players"), Span(f" {condition}")))
        elif dead:
            out = Span(f" ({clean(person.out)})", "dim")
            lines.append((Span(name, "players"), Span(f" comes as the file has {name}"), out))
        else:
            lines.append((Span(f"{name} stays out: {clean(person.out)}", "dim"),))
    here = {(person.side, person.place) for person in party.people}
    fresh = [
        clean(member.name)
        for side in encounter.sides
        if side.control == "players"
        for place, member in enumerate(side.members)
        if (side.id, place) not in here
    ]
    if fresh:
        lines.append((Span(f"{', '.join(fresh)}: as in the file", "dim"),))

    def rested(width: int) -> list[Row]:
        return _way("rested", "1", "rested", "  everybody as in the file", width)

    def carried(width: int) -> list[Row]:
        losses = [part for spans in lines for part in wrap_spans(spans, max(10, width - 6), 2)]
        return [*_way("carried", "2", left, "", width), *(Row("carried", (Span("      "), *part)) for part in losses)]

    return (_listed("rested", rested), _listed("carried", carried))


def _listed(key: str, rows: Callable[[int], list[Row]]) -> Listed:
    return Listed(key, rows, lambda width: len(rows(width)))


def _way(key: str, number: str, title: str, more: str, width: int) -> list[Row]:
    spans = (Span(f"  {number} ", "key"), Span(title, "strong"), Span(more, "dim"))
    return [Row(key, part) for part in wrap_spans(spans, width, 4)]
