"""What covers the lists: a page, or the ways of the party into a fight."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime
from typing import TYPE_CHECKING

from textual.screen import Screen

from tracker.core.game.ruleset import Ruleset
from tracker.core.terms.encounter import Encounter
from tracker.ui.keys.command import Footer
from tracker.ui.panes.bars import FooterLine
from tracker.ui.panes.reader import Page, Reader
from tracker.ui.start.catalog import Prepared
from tracker.ui.start.rows import problem_rows, when_words
from tracker.ui.widgets.lines import RowsWidget
from tracker.ui.widgets.lists import Listed, ListWidget
from tracker.views.words.spans import Row, Span, wrap_spans
from tracker.views.words.text import clean
from tracker.views.words.values import condition_words

if TYPE_CHECKING:
    from tracker.library.content.discovery import EncounterFile
    from tracker.session.party import Party


class Overlays:
    """The page and the choice of the start screen.

    Attributes:
        reader: the page.
        party: the ways of the party into a fight.
        cover: what covers the lists now.
        broken: the encounter whose problems are shown.
    """

    def __init__(self, screen: Screen[None], footer: FooterLine) -> None:
        self._screen, self._footer = screen, footer
        self.reader, self.party = Reader(), ListWidget(0, "Party", "party")
        self.party.chosen_pane = self.party.lit = True
        self.cover: RowsWidget | None = None
        self.broken: EncounterFile | None = None
        self._choice: tuple[Prepared, Party, bool] | None = None

    def read(self, title: str, page: Page, place: Footer = "reader") -> None:
        """Open a page to read."""
        self.reader.show(title, page)
        self._raise(self.reader, place)

    def show_problems(self, found: EncounterFile) -> None:
        """Show what is wrong with an encounter."""
        from tracker.library.yaml.source import excerpts

        self.broken = found
        marked = excerpts(found.problems)
        many = f"{len(found.problems)} problem{'' if len(found.problems) == 1 else 's'}"
        self.read(
            clean(f"{found.path}: {many}"), lambda width: problem_rows(found.problems, marked, width), place="broken"
        )

    def ask(self, prepared: Prepared, party: Party, now: datetime) -> None:
        """Ask how the party comes into a fight."""
        self._choice = (prepared, party, False)
        self.party.cursor = "rested"
        self._show_ways(now)

    def let_dead_in(self, now: datetime) -> None:
        """Let those come too who would stay out, or no longer."""
        if self._choice is not None:
            prepared, party, dead = self._choice
            self._choice = (prepared, party, not dead)
            self._show_ways(now)

    def taken(self) -> tuple[Prepared, Encounter] | None:
        """Return what begins, in the way that is chosen."""
        from tracker.session.party import with_conditions

        if self._choice is None:
            return None
        prepared, party, dead = self._choice
        if self.party.cursor != "carried":
            return prepared, prepared.encounter
        return prepared, with_conditions(
            prepared.encounter, party, tuple(person.who for person in party.people if dead)
        )

    def _show_ways(self, now: datetime) -> None:

        assert self._choice is not None
        prepared, party, dead = self._choice
        self.party.say(f"Begin: {clean(prepared.encounter.title)}")
        self.party.fill(party_items(prepared.ruleset, prepared.encounter, party=party, dead=dead, now=now))
        if self.cover is not self.party:
            self._raise(self.party, "party")

    def _raise(self, pane: RowsWidget, place: Footer) -> None:
        self.cover, self._footer.place = pane, place
        self._settle()

    def lower(self) -> None:
        """Show the lists again."""
        self.cover = self.broken = self._choice = None
        self._footer.place = "start"
        self._settle()

    def _settle(self) -> None:
        for pane in (self.reader, self.party):
            pane.display = pane is self.cover
            pane.update()


def party_items(ruleset: Ruleset, encounter: Encounter, party: Party, dead: bool, now: datetime) -> tuple[Listed, ...]:
    """Return the ways into the fight, with what would be carried over.

    With `dead` those come too who would stay out.
    """
    left = f'as "{clean(party.fight.title)}" left it, {when_words(party.fight.at, now)}'
    told: list[tuple[Span, ...]] = []
    for person in party.people:
        if not person.out:
            told.append(
                (
                    Span(clean(person.name), "players"),
                    Span(f" {condition_words(ruleset, party.state, person.who, person.condition)}"),
                )
            )
        elif dead:
            told.append(
                (
                    Span(clean(person.name), "players"),
                    Span(f" comes as the file has {clean(person.name)}"),
                    Span(f" ({clean(person.out)})", "dim"),
                )
            )
        else:
            told.append((Span(f"{clean(person.name)} stays out: {clean(person.out)}", "dim"),))
    here = {(person.side, person.place) for person in party.people}
    fresh = [
        clean(member.name)
        for side in encounter.sides
        if side.control == "players"
        for place, member in enumerate(side.members)
        if (side.id, place) not in here
    ]
    if fresh:
        told.append((Span(f"{', '.join(fresh)}: as in the file", "dim"),))
    return (
        _listed(
            "rested", lambda width: _way("rested", "1", title="rested", more="everybody as in the file", width=width)
        ),
        _listed(
            "carried", lambda width: [*_way("carried", "2", title=left, more="", width=width), *_loss_rows(told, width)]
        ),
    )


def _listed(key: str, rows: Callable[[int], list[Row]]) -> Listed:
    return Listed(key, rows, lambda width: len(rows(width)))


def _way(key: str, number: str, title: str, more: str, width: int) -> list[Row]:
    spans = (Span(f"  {number} ", "key"), Span(title, "strong"), Span(f"  {more}" if more else "", "dim"))
    return [Row(key, part) for part in wrap_spans(spans, width, 4)]


def _loss_rows(told: Sequence[tuple[Span, ...]], width: int) -> list[Row]:
    return [
        Row("carried", (Span("      "), *part)) for spans in told for part in wrap_spans(spans, max(10, width - 6), 2)
    ]
