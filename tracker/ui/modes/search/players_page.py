"""The dialog of the players' phones: starts the server, shows its address, claimed characters and requests."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from typing import ClassVar

from msgspec.structs import replace
from typing_extensions import override

from tracker.ui.keys.command import Call, Footer
from tracker.ui.platform.phones import SERVING_OPTIONS, Claim, Phones
from tracker.ui.typing.mode import Mode, ModeContext, Result
from tracker.ui.typing.rows import problem_rows
from tracker.ui.typing.tokens import no_such_number
from tracker.views.words.spans import Row, Span, cut_spans, wrap_spans
from tracker.views.words.text import clean

QUIET = (4, 2)
"""Modules of white around the QR code: as the standard wants, or as most cameras accept."""
MOST_REQUESTS = 8
"""Requests of players that are listed."""


class PlayersPageMode(Mode, frozen=True):
    place: ClassVar[Footer] = "report"
    title: ClassVar[str] = "The players' phones"
    phones: Phones
    problem: str = ""
    back: Mode | None = None

    @override
    def rows(self, scene: ModeContext, width: int, height: int) -> tuple[Row, ...]:
        server = self.phones.server
        running = server is not None and server.running
        rows = list(self._running(width) if running else self._stopped(width))
        words = (
            " shows players this fight; until then they read that you are setting up"
            if scene.model.screen_covered
            else " lets their screens go on"
            if scene.model.screen_held
            else " holds their screens as they are"
        )
        rows += [Row("hint", line) for line in wrap_spans((Span("P", "key"), Span(words, "dim")), width)]
        problem = self.problem or (server.problem if server is not None else "") or self.phones.problem
        if problem:
            rows += problem_rows(clean(problem), width)
        claims = self.phones.claims(scene.model)
        if claims:
            rows += [Row("", ()), *self._claims(claims, width)]
        rows += self._requests(scene, width)
        url = server.url if running and server is not None else ""
        codes = [code for quiet in QUIET if url and (code := _qr_code(url, quiet))]
        room = height - len(rows)
        fitting = next((code for code in codes if len(code) <= room and max(map(len, code)) <= width), None)
        if fitting is not None:
            rows += [Row("", ())] * (len(fitting) < room)
            rows += [Row("code", (Span(line, "code"),)) for line in fitting]
        elif codes:
            rows.append(Row("code", cut_spans((Span("a taller terminal shows the code to scan", "dim"),), width)))
        return tuple(rows[: max(1, height)])

    def _stopped(self, width: int) -> list[Row]:
        rows = [Row("hint", cut_spans((Span("serve the players' page to:", "dim"),), width))]
        for number, way in enumerate(SERVING_OPTIONS, start=1):
            rows.append(Row(f"option:{number - 1}", cut_spans((Span(f"  {number}  ", "key"), Span(way.words)), width)))
        return [*rows, Row("hint", cut_spans((Span("esc", "key"), Span(" leaves", "dim")), width))]

    def _running(self, width: int) -> list[Row]:
        server = self.phones.server
        url = server.url if server is not None else ""
        if not url:
            return [Row("hint", cut_spans((Span("the server starts …", "dim"),), width))]
        pages = self.phones.pages()
        phones, screens = sum(count for tag, count in pages.items() if tag != "tv"), pages.get("tv", 0)
        keys = (("x", "ends it · "), ("r", "new address · "), ("i", "shows a picture · "), ("esc", "leaves it running"))
        hint = [span for key, words in keys for span in (Span(key, "key"), Span(f" {words}", "dim"))]
        return [
            Row("url", cut_spans((Span("phones  ", "dim"), Span(url, "strong")), width)),
            Row("url", cut_spans((Span("TV      ", "dim"), Span(f"{url}?tv", "strong")), width)),
            Row("hint", cut_spans((Span(f"connected: {counted(phones, 'phone')}, {counted(screens, 'TV')}"),), width)),
            *[Row("hint", line) for line in wrap_spans(hint, width)],
        ]

    def _claims(self, claims: Sequence[Claim], width: int) -> list[Row]:
        rows = [Row("hint", cut_spans((Span("characters on phones; a number takes one back", "dim"),), width))]
        for number, claim in enumerate(claims, start=1):
            here = "connected" if self.phones.pages().get(claim.tag) else "away"
            tag = (Span(f"  phone {claim.tag[:6]} · {here}", "dim"),) if claim.tag else ()
            spans = (Span(f"  {number}  ", "key"), Span(claim.name, "players"), *tag)
            rows.append(Row(f"claim:{number - 1}", cut_spans(spans, width)))
        return rows

    def _requests(self, scene: ModeContext, width: int) -> list[Row]:
        phones = self.phones
        if not phones.requests and not phones.muted:
            return []
        mutes = " takes them again" if phones.muted else " takes no more"
        title = "players ask nothing more" if phones.muted else "players ask; nothing is done by itself"
        ends = (Span(f"{title} · ", "dim"), Span("m", "key"), Span(mutes, "dim"))
        clears = (Span(" · ", "dim"), Span("c", "key"), Span(" clears", "dim")) if phones.requests else ()
        rows = [Row("", ()), Row("hint", cut_spans((*ends, *clears), width))]
        for request in phones.requests[:MOST_REQUESTS]:
            spans = (Span(f"  {phones.asker(scene.model, request)}: ", "players"), Span(clean(request.text)))
            rows += [Row("request", line) for line in wrap_spans(spans, width, 4)]
        return rows

    def _open_pictures(self) -> Result:
        from tracker.ui.modes.search.pictures import PictureMode  # few fights have pictures

        try:
            return Result(PictureMode.open(self.phones, back=self.back))
        except (OSError, sqlite3.Error) as error:
            return Result(replace(self, problem=f"the players' pictures cannot be kept: {error}"))

    @override
    def press(self, scene: ModeContext, key: str, character: str | None) -> Result | None:
        server, phones = self.phones.server, self.phones
        running = server is not None and server.running
        if key == "escape":
            return Result(self.back)
        if character == "m":
            phones.mute()
            return Result(replace(self, problem=""))
        if character == "c":
            phones.clear_requests()
            return Result(replace(self, problem=""))
        if character == "i":
            return self._open_pictures()
        if character == "P":
            return Result(replace(self, problem=""), call=Call("hold_screen"))
        if running and character == "x":
            phones.end()
            return Result(replace(self, problem=""))
        if running and character == "r":
            phones.renew()
            return Result(replace(self, problem=""))
        if character is None or not character.isdigit():
            return Result(self)
        number = int(character) - 1
        if running:
            claims = phones.claims(scene.model)
            if not 0 <= number < len(claims):
                return Result(replace(self, problem=f"there is no character {character}"))
            phones.release(scene.model, claims[number].who)
            return Result(replace(self, problem=""))
        if not 0 <= number < len(SERVING_OPTIONS):
            return Result(replace(self, problem=no_such_number(number + 1, len(SERVING_OPTIONS))))
        phones.start(SERVING_OPTIONS[number])
        return Result(replace(self, problem=""))


def counted(number: int, what: str) -> str:
    """Return a number with its noun: `1 phone`, `2 phones`."""
    return f"{number} {what}{'' if number == 1 else 's'}"


def _qr_code(url: str, quiet: int) -> tuple[str, ...]:
    """Return the address as a QR code, () if the library for it is not installed."""
    try:
        from tracker.serve.server import qr_lines  # most fights have no server
    except ImportError:  # its library is not installed
        return ()
    return qr_lines(url, quiet)
