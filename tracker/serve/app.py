"""The addresses of the page: the page itself, its two files, the view, its changes, and the players' dice."""

from __future__ import annotations

import asyncio
import contextlib
import re
import time
from collections import deque
from collections.abc import AsyncIterator, Awaitable, Callable
from importlib import resources
from typing import TypeAlias, TypeVar

import msgspec
from msgspec import Struct
from sse_starlette.event import ServerSentEvent
from sse_starlette.sse import EventSourceResponse
from starlette.applications import Starlette
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.routing import Route

from tracker.core.terms.values import decode
from tracker.library.pictures import LARGEST_PICTURE, kind_of
from tracker.serve.feed import Feed
from tracker.serve.security import BODY, PATIENCE
from tracker.session.store.dice_box import DiceBox, Ping, SubmittedRoll
from tracker.views.public.schema import PublicAsk
from tracker.views.words.text import clean

_Answer: TypeAlias = Callable[[Request], Awaitable[Response]]
_T = TypeVar("_T", bound=Struct)

PING_SECONDS, RETRY = 15, 500
"""Seconds between two heartbeats, and milliseconds after which a page that lost the server connects again."""
LONGEST, LONGEST_TEXT = 64, 80
"""Characters of an id or key that a page sends, and of a request to the GM."""
EACH, ALL, WITHIN = 6, 40, 60.0
"""Requests of one device, and of all, within so many seconds; pings may be four times as many."""
OFTEN = 100
"""Factor of these limits for the dice of a device and the claims of an address: more than fingers can type."""
NOT_YOURS = "This character is not yours on this phone: claim it first."
FILES = {
    "": ("index.html", "text/html"),
    "page.css": ("page.css", "text/css"),
    "page.js": ("page.js", "text/javascript"),
}


class ClaimRequest(Struct, forbid_unknown_fields=True):
    """A player's claim of a character, or the end of it."""

    who: str
    device: str
    drop: bool = False


class SentDice(Struct, forbid_unknown_fields=True):
    """Dice from a player's page: the natural faces in order, or a total if the question takes one."""

    ask: str
    who: str
    device: str
    faces: tuple[int, ...] = ()
    total: int | None = None


class SentText(Struct, forbid_unknown_fields=True):
    """A player's request to the GM, in words."""

    who: str
    device: str
    text: str


class SentPoint(Struct, forbid_unknown_fields=True):
    """A place on the map that a player points at: a square, or a distance on a line."""

    who: str
    device: str
    x: int
    y: int


class Frequency:
    """Limits how often devices send something; `times` is the factor of the usual limits."""

    def __init__(self, clock: Callable[[], float] = time.monotonic, times: int = 1) -> None:
        self._clock, self._each, self._all = clock, EACH * times, ALL * times
        self._sent: deque[tuple[float, str]] = deque()

    def allows(self, device: str) -> bool:
        """Tell whether a device may send once more, and if so count it."""
        while self._sent and self._sent[0][0] <= self._clock() - WITHIN:
            self._sent.popleft()
        if len(self._sent) >= self._all or sum(other == device for _, other in self._sent) >= self._each:
            return False
        self._sent.append((self._clock(), device))
        return True


class _Refused(Exception):
    """A refusal of a page's request, with its status and its reason."""

    def __init__(self, status: int, reason: str) -> None:
        super().__init__(reason)
        self.status, self.reason = status, reason


def application(feed: Feed, box: DiceBox, *, dice: bool) -> Starlette:
    """Return the application behind the guard; `dice`: players may send dice and requests."""
    routes = [Route(f"/{name}", _file(*file, dice=dice)) for name, file in FILES.items()]
    routes += [Route("/view", _view(feed)), Route("/events", _events(feed)), Route("/picture", _picture(feed, box))]
    if dice:
        routes += [
            Route("/claim", _post(ClaimRequest, _claim(feed, box)), methods=["POST"]),
            Route("/roll", _post(SentDice, _roll(feed, box)), methods=["POST"]),
            Route("/say", _post(SentText, _say(feed, box)), methods=["POST"]),
            Route("/ping", _post(SentPoint, _ping(feed, box)), methods=["POST"]),
        ]

    @contextlib.asynccontextmanager
    async def looking(app: Starlette) -> AsyncIterator[None]:
        feed.look()
        task = asyncio.create_task(feed.run())
        try:
            yield
        finally:
            task.cancel()

    app = Starlette(routes=routes, lifespan=looking)
    app.router.redirect_slashes = False  # the token would be missing
    return app


def _file(name: str, kind: str, dice: bool) -> _Answer:
    text = resources.files("tracker.serve").joinpath("page", name).read_bytes()
    if dice:
        text = text.replace(b"<body>", b'<body data-dice="on">')

    async def answer(request: Request) -> Response:
        return Response(text, media_type=kind)

    return answer


def _view(feed: Feed) -> _Answer:
    async def answer(request: Request) -> Response:
        tag = feed.tag
        if request.headers.get("if-none-match") == tag:
            return Response(status_code=304, headers={"ETag": tag})
        return Response(feed.text, media_type="application/json", headers={"ETag": tag})

    return answer


def _picture(feed: Feed, box: DiceBox) -> _Answer:
    async def answer(request: Request) -> Response:
        picture = box.picture(feed.fight) if feed.shows_pictures else None
        if picture is None or len(picture.data) > LARGEST_PICTURE or picture.kind != kind_of(picture.data):
            return _json({"error": "No picture is shown."}, 404)
        return Response(picture.data, media_type=picture.kind, headers={"Content-Disposition": "inline"})

    return answer


def _events(feed: Feed) -> _Answer:
    async def events(whose: str) -> AsyncIterator[ServerSentEvent]:
        yield ServerSentEvent(retry=RETRY, event="beat", data="")
        async with contextlib.aclosing(feed.changes(whose)) as changes:
            async for kind, text in changes:
                yield ServerSentEvent(event=kind, data=text.decode())

    async def answer(request: Request) -> Response:
        whose = request.scope["query_string"].decode("ascii", "replace")
        return EventSourceResponse(
            events(whose if re.fullmatch("tv|[0-9a-f]{12}", whose) else ""),
            ping=PING_SECONDS,
            ping_message_factory=lambda: ServerSentEvent(event="beat", data=""),
            send_timeout=PATIENCE,
            sep="\n",
        )

    return answer


def _post(kind: type[_T], handle: Callable[[_T, str], Response]) -> _Answer:
    """Return the answer to a page's request; `handle` takes that and the client's address, or raises _Refused."""

    async def answer(request: Request) -> Response:
        try:
            return handle(await _received(request, kind), request.client.host if request.client else "")
        except _Refused as refused:
            return _json({"error": refused.reason}, refused.status)

    return answer


def _claim(feed: Feed, box: DiceBox) -> Callable[[ClaimRequest, str], Response]:
    frequency = Frequency(times=OFTEN)

    def handle(claim: ClaimRequest, client: str) -> Response:
        if claim.who not in feed.characters:
            raise _Refused(409, "This character is not in the fight.")
        _limit(frequency, client)  # a device can claim to be another one
        if claim.drop:
            box.release(feed.fight, claim.who, claim.device)
            return _json({})
        tag = box.claim(feed.fight, claim.who, claim.device, feed.characters[claim.who])
        if tag is None:
            raise _Refused(409, "Another phone has this character. The GM can take it back.")
        return _json({"tag": tag})

    return handle


def _roll(feed: Feed, box: DiceBox) -> Callable[[SentDice, str], Response]:
    frequency = Frequency(times=OFTEN)

    def handle(sent: SentDice, client: str) -> Response:
        ask = feed.ask(sent.ask)
        if ask is None or sent.who != ask.who:
            raise _Refused(409, "Nothing is asked of you now.")
        if not box.may_roll(feed.fight, sent.who, sent.device, shared=ask.shared):
            raise _Refused(403, NOT_YOURS)
        if wrong := misfit(ask, sent.faces, sent.total):
            raise _Refused(422, wrong)
        _limit(frequency, sent.device)
        if not box.put(SubmittedRoll(feed.fight, sent.ask, sent.who, sent.faces, sent.total), sent.device):
            raise _Refused(409, "Another phone has rolled this already.")
        return _json({}, 202)

    return handle


def _say(feed: Feed, box: DiceBox) -> Callable[[SentText, str], Response]:
    frequency = Frequency()

    def handle(sent: SentText, client: str) -> Response:
        text = clean(" ".join(sent.text.split()))
        if not text or len(sent.text) > LONGEST_TEXT:
            raise _Refused(422, f"Write 1 to {LONGEST_TEXT} characters.")
        _allow(feed, box, frequency, sent)
        box.ask_gm(feed.fight, sent.who, sent.device, text)
        return _json({}, 202)

    return handle


def _ping(feed: Feed, box: DiceBox) -> Callable[[SentPoint, str], Response]:
    frequency = Frequency(times=4)

    def handle(sent: SentPoint, client: str) -> Response:
        board = feed.board
        if board is None or not (0 <= sent.x < board.width and 0 <= sent.y < board.height):
            raise _Refused(422, "That is not on the map.")
        _allow(feed, box, frequency, sent)
        box.point(Ping(feed.fight, sent.who, sent.x, sent.y, time.time()))
        return _json({}, 202)

    return handle


def _allow(feed: Feed, box: DiceBox, frequency: Frequency, sent: SentText | SentPoint) -> None:
    """Refuse what a device may not send to the GM now."""
    if sent.who not in feed.characters or not box.holds(feed.fight, sent.who, sent.device):
        raise _Refused(403, NOT_YOURS)
    if box.muted:
        raise _Refused(409, "The GM takes no requests just now.")
    _limit(frequency, sent.device)


def _limit(frequency: Frequency, device: str) -> None:
    if not frequency.allows(device):
        raise _Refused(429, "Not so many at once: wait a minute.")


def misfit(ask: PublicAsk, faces: tuple[int, ...], total: int | None) -> str:
    if faces and total is not None:
        return "Send the faces or the total, not both."
    if faces:
        if len(faces) != len(ask.sides):
            return f"{ask.dice}: {len(ask.sides)} dice, not {len(faces)}."
        for face, sides in zip(faces, ask.sides, strict=True):
            if not 1 <= face <= sides:
                return f"{face} is not on a d{sides}."
        return ""
    if total is None:
        return "Type what you have rolled."
    if ask.faces:
        return f"{ask.dice}: each die counts, send them all."
    least, most = len(ask.sides), sum(ask.sides)
    return "" if least <= total <= most else f"{total} cannot be rolled with {ask.dice}."


async def _received(request: Request, kind: type[_T]) -> _T:
    """Return the body of a page's request, or raise _Refused."""
    if request.headers.get("content-type", "").partition(";")[0] != "application/json":
        raise _Refused(415, "Send JSON.")
    body = b""
    try:
        async with asyncio.timeout(PATIENCE):
            async for part in request.stream():
                body += part
                if len(body) > BODY:
                    raise _Refused(413, "That is too long.")
        received: _T = decode(body, kind)
    except (TimeoutError, ClientDisconnect) as error:
        raise _Refused(408, "That came too late.") from error
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise _Refused(422, "That is not an answer of this page.") from error
    texts = msgspec.structs.asdict(received)
    if any(isinstance(text, str) and len(text) > LONGEST for name, text in texts.items() if name != "text"):
        raise _Refused(422, "That is not an answer of this page.")
    return received


def _json(body: object, status: int = 200) -> Response:
    return Response(msgspec.json.encode(body), status, media_type="application/json")
