"""A document in the terminal: its text with a list of its headings, and links to the other documents."""

from __future__ import annotations

from pathlib import Path, PurePath
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.widgets import Footer, MarkdownViewer
from typing_extensions import override

from tracker.ui.platform.terminal import need_terminal
from tracker.ui.widgets.themes import ThemedApp


class DocumentViewer(MarkdownViewer):
    """A viewer that follows links to other documents only, and shows the address of any other link."""

    @override
    async def go(self, location: str | PurePath) -> None:
        path, anchor = str(location).partition("#")[0], str(location).partition("#")[2]
        target = self.navigator.location.parent / path
        if (path and target.suffix == ".md" and target.is_file()) or (anchor and not path):
            await super().go(location)
        else:
            self.notify(str(location), title="not one of these documents")


class DocumentApp(ThemedApp, inherit_bindings=False):
    """The reader of a document and of the documents that it links."""

    TITLE = "tracker docs"
    ENABLE_COMMAND_PALETTE = False
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("q,escape,ctrl+q", "quit", "leave", priority=True),
        Binding("h", "headings", "headings"),
        Binding("b,backspace", "back", "back"),
        Binding("down,j", "scroll('down')", "down", show=False),
        Binding("up,k", "scroll('up')", "up", show=False),
        Binding("pagedown,space", "scroll('page_down')", "page down"),
        Binding("pageup", "scroll('page_up')", "page up", show=False),
        Binding("home", "scroll('home')", "top", show=False),
        Binding("end", "scroll('end')", "end", show=False),
    ]

    def __init__(self, page: Path) -> None:
        super().__init__()
        self.page = page

    def compose(self) -> ComposeResult:
        yield DocumentViewer(show_table_of_contents=False, open_links=False)
        yield Footer()

    @property
    def viewer(self) -> DocumentViewer:
        return self.query_one(DocumentViewer)

    async def on_mount(self) -> None:
        await self.viewer.go(self.page)
        self.viewer.focus()

    def action_headings(self) -> None:
        """Show or hide the list of the headings."""
        self.viewer.show_table_of_contents = not self.viewer.show_table_of_contents

    async def action_back(self) -> None:
        """Go back to the page before."""
        await self.viewer.back()

    def action_scroll(self, way: str) -> None:
        """Scroll by a line, a page or to an end."""
        getattr(self.viewer, f"scroll_{way}")(animate=False)


def read(page: Path) -> None:
    """Show a document until the reader leaves it.

    Raises:
        TrackerError: if there is no terminal.
    """
    need_terminal("tracker docs")
    DocumentApp(page).run_to_the_end()
