"""The log on the screen."""

from __future__ import annotations

from pathlib import Path

from tests.ui.drive import opened
from tests.ui.fight.test_declarations import declare_all, rolled
from tests.ui.games import SJ, begun
from tracker.ui.panes.log import LogPane


def texts(pane: LogPane, width: int) -> list[str]:
    """Return all lines of the log."""
    rows, _, _ = pane.lines(width, 1000)
    return [row.text for row in rows]


async def test_a_past_round_keeps_the_titles_of_its_acts(tmp_path: Path) -> None:
    """Each act keeps the name of its slot after the round has turned."""
    session = begun(tmp_path, SJ, "spell_duel")
    async with opened(session) as table:
        # given a first round played to its end
        await declare_all(table)
        titles: set[str] = set()
        for _ in range(60):
            if table.state.clock.round > 1:
                break
            current = table.state.clock.current
            if current is not None and current.segment is not None:
                titles.add(f"{str(current.segment).replace('-', '−')}: {current.title}")
            await table.type("n" if table.model.pending is None else "*")
            await rolled(table)
        assert table.state.clock.round == 2
        assert len(titles) > 2

        # when the log is told at a width it has not been told at yet
        rows, _, _ = table.screen.query_one(LogPane).lines(133, 1000)

        # then every act at which the clock stopped is there
        told = "\n".join(row.text for row in rows)
        assert [title for title in sorted(titles) if title not in told] == []

        # and each step is told as it was when it was new
        seen = table.screen.query_one(LogPane)
        width, _ = seen.room
        fresh = LogPane(seen.row, session)
        fresh.model = table.model
        assert texts(fresh, width) == texts(seen, width)
