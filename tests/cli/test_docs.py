"""`tracker docs`: the documents, listed, printed, and read on the screen."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

import pytest
from textual.pilot import Pilot
from textual.widgets import Markdown

from tracker.cli.main import main
from tracker.library.content.samples import documents
from tracker.ui.document_screen import DocumentApp


def test_the_pages_are_listed_with_their_titles(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["docs"]) == 0

    lines = capsys.readouterr().out.splitlines()
    assert [line.split(" ")[0] for line in lines] == list(documents())
    assert {"start", "yaml", "writing-a-ruleset", "kit", "githack"} <= set(documents())
    assert next(line for line in lines if line.startswith("yaml ")).endswith("Writing encounters in YAML")


@pytest.mark.parametrize("name", ["start", "start.md", "docs/start.md"])
def test_a_page_is_printed_where_there_is_no_terminal(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["docs", name]) == 0
    assert capsys.readouterr().out == documents()["start"].read_text("utf-8")


def test_a_page_that_is_not_there_is_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["docs", "strat"]) == 1
    assert capsys.readouterr().err == 'tracker: there is no page "strat" (did you mean start?)\n'


def read(page: str, size: tuple[int, int], journey: Callable[[Pilot[None]], Awaitable[None]]) -> None:
    async def run() -> None:
        app = DocumentApp(documents()[page])
        async with app.run_test(size=size) as pilot:
            await pilot.pause()
            await journey(pilot)

    asyncio.run(run())


@pytest.mark.parametrize("size", [(80, 24), pytest.param((120, 40), marks=pytest.mark.long)])
def test_a_page_is_read_by_keys(size: tuple[int, int]) -> None:
    """It scrolls, shows its headings, goes to the documents it links and back, and names what lies elsewhere."""

    async def journey(pilot: Pilot[None]) -> None:
        app = pilot.app
        assert isinstance(app, DocumentApp)
        await pilot.press("space")
        await pilot.pause()
        assert app.viewer.scroll_y > 0
        await pilot.press("h")
        assert app.viewer.show_table_of_contents
        await app.viewer.go("log-lines.md")
        assert app.viewer.navigator.location.name == "log-lines.md"
        for elsewhere in ("https://docs.astral.sh/uv/", "../tests/support/example_ruleset.py", "nowhere.md"):
            await app.viewer.go(elsewhere)
            assert app.viewer.navigator.location.name == "log-lines.md"
        await pilot.press("b")
        await pilot.pause()
        assert app.viewer.navigator.location.name == "importing.md"
        assert app.query_one(Markdown) is app.viewer.document

    read("importing", size, journey)
