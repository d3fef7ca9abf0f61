"""What covers the lists: a page, or the ways of the party into a fight."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING

from textual.screen import Screen

from tracker.ui.keys.command import Footer
from tracker.ui.panes.bars import FooterLine
from tracker.ui.panes.reader import Page, Reader
from tracker.ui.start.catalog import Prepared
from tracker.ui.start.rows import problem_rows
from tracker.ui.widgets.lines import RowsWidget
from tracker.ui.widgets.lists import ListWidget
from tracker.views.words.text import clean

if TYPE_CHECKING:
    from tracker.core.terms.encounter import Encounter
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
        from tracker.ui.start.party_list import party_items

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
