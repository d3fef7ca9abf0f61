"""The feed: the content of the page, read again when the journal changes."""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
import sqlite3
from collections import Counter
from collections.abc import AsyncGenerator, Callable

import msgspec
from msgspec.structs import replace

from tracker.session.store.dice_box import DiceBox
from tracker.session.store.player_view_reader import PlayerViewReader
from tracker.views.public.schema import Public, PublicAsk, PublicBoard

EVERY = 0.02
"""Seconds between two polls of the journal; without changes they take 1.4 % of a processor."""
NOTHING = b'{"problem":"There is no fight to show yet."}'
NO_CLAIMS = b'{"who":{},"came":{},"muted":true,"picture":""}'
UNREADABLE = b'{"problem":"The fight cannot be shown just now. The GM can see why."}'


class Feed:
    """The content of all pages, and its changes.

    Attributes:
        fight: the id of the fight that is shown; "": none.
        text: the view as JSON; without a view an object with a `problem` for players.
        tag: the ETag of this text, for browsers that have it already.
        claims: as JSON, short names of devices: `who` by the id of the claimed character, `came` by the key of the
            answered question; `muted`: the GM takes no requests; `picture`: the tag of the shown picture.
    """

    def __init__(
        self,
        watch: PlayerViewReader,
        box: DiceBox,
        tell: Callable[[str], None] = lambda problem: None,
        *,
        dice: bool = True,
    ) -> None:
        """Make the feed of a journal; `dice`: players may send dice, `tell` is called with each problem for the GM."""
        self.fight, self.text, self.claims = "", NOTHING, NO_CLAIMS
        self.tag = _tag(self.text)
        self._watch, self._box, self._tell, self._dice = watch, box, tell, dice
        self._view: Public | None = None
        self._pages: Counter[str] = Counter()
        self._told = ""
        self._changed = asyncio.Event()

    def ask(self, key: str) -> PublicAsk | None:
        asks = () if self._view is None else self._view.table.asks
        return next((ask for ask in asks if ask.key == key), None)

    @property
    def characters(self) -> dict[str, str]:
        """The combatants a phone can have, those of the players' sides: each one's name by its id."""
        return {} if self._view is None else {row.id: row.name for row in self._view.combatants if row.friend}

    @property
    def shows_pictures(self) -> bool:
        """Whether players see the fight, and so its picture too."""
        return self._view is not None and self._view.table.mode != "setup"

    @property
    def board(self) -> PublicBoard | None:
        return None if self._view is None else self._view.board

    async def run(self) -> None:
        while True:
            self.look()
            await asyncio.sleep(EVERY)

    def look(self) -> None:
        changed = self._watch.poll() and self._take()
        if self._box.changed() or changed:
            claims = {claim.who: claim.tag for claim in self._box.claims(self.fight)}
            asks = {ask.key for ask in (() if self._view is None else self._view.table.asks)}
            came = {roll.ask: roll.tag for roll in self._box.arrived(self.fight) if roll.ask in asks}
            muted, picture = self._box.muted, self._box.picture_shown(self.fight)[1] if self.shows_pictures else ""
            text = msgspec.json.encode({"who": claims, "came": came, "muted": muted, "picture": picture})
            changed, self.claims = changed or text != self.claims, text
        if changed:
            self._changed.set()
            self._changed = asyncio.Event()

    def _take(self) -> bool:
        view, problem = self._watch.view, self._watch.problem
        if problem != self._told:
            self._told = problem
            self._tell(problem)
        if view is not None and not self._dice:
            view = replace(view, table=replace(view.table, asks=()))
        self.fight, self._view = self._watch.fight, view
        if self._dice and view is not None:
            self._box.carry(self.fight, self.characters)
        text = msgspec.json.encode(view) if view is not None else UNREADABLE if self.fight else NOTHING
        same, self.text, self.tag = text == self.text, text, _tag(text)
        return not same

    async def changes(self, whose: str = "") -> AsyncGenerator[tuple[str, bytes], None]:
        """Yield `view` or `claims` with their texts, at once and after each change.

        `whose`: the tag of the device, or `tv`; the GM reads which pages are open.
        """
        view, claims = b"", b""
        self._count(whose, 1)
        try:
            while True:
                changed = self._changed
                if self.text != view:
                    view = self.text
                    yield "view", view
                if self.claims != claims:
                    claims = self.claims
                    yield "claims", claims
                await changed.wait()
        finally:
            self._count(whose, -1)

    def _count(self, whose: str, by: int) -> None:
        self._pages[whose] += by
        with contextlib.suppress(sqlite3.Error):  # when the server ends, the box may be closed
            self._box.note_pages(self._pages)


def _tag(text: bytes) -> str:
    return f'"{hashlib.sha256(text).hexdigest()[:24]}"'
