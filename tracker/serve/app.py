"""The addresses of the page.

The page itself, its two files, the view, its changes, and the players' dice.
"""

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

from tracker.library.pictures import LARGEST_PICTURE, kind_of
from tracker.serve.feed import Feed
from tracker.serve.security import BODY, PATIENCE
from tracker.session.store.dice_box import DiceBox, Ping, SubmittedRoll
from tracker.views.public.schema import PublicAsk
from tracker.views.words.text import clean

_Answer: TypeAlias = Callable[[Request], Awaitable[Response]]
_T = TypeVar("_T")

PING_SECONDS, RETRY = 15, 500
"""Seconds between two signs of life, and milliseconds after which a page that lost the server asks again."""
LONGEST, LONGEST_TEXT = 64, 80
"""Characters of an id or key that a page sends, and of a request to the GM."""
EACH, ALL, WITHIN = 6, 40, 60.0
"""Requests of one device, and of all, within so many seconds; pings may be four times as many."""
OFTEN = 100
"""How many times as many dice a device may send, and as many claims an address: more than fingers can."""
SLOWER = "Not so many at once: wait a minute."
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
    """How often devices send something that the GM sees at once; `times` is how many times as often as usual."""

    def __init__(self, clock: Callable[[], float] = time.monotonic, times: int = 1) -> None:
        self._clock, self._each, self._all = clock, EACH * times, ALL * times
        self._sent: deque[tuple[float, str]] = deque()

    def allows(self, device: str) -> bool:
        """Tell whether a device may send one more, and count it if so."""
        while self._sent and self._sent[0][0] <= self._clock() - WITHIN:
            self._sent.popleft()
        if len(self._sent) >= self._all or sum(other == device for _, other in self._sent) >= self._each:
            return False
        self._sent.append((self._clock(), device))
        return True


def application(feed: Feed, box: DiceBox, *, dice: bool) -> Starlette:
    """Return the application behind the guard; `dice`: the box takes what players send."""
    routes = [Route(f"/{name}", _file(*found, dice=dice)) for name, found in FILES.items()]
    routes += [Route("/view", _view(feed)), Route("/events", _events(feed)), Route("/picture", _picture(feed, box))]
    if dice:
        routes += [
            Route("/claim", _claim(feed, box), methods=["POST"]),
            Route("/roll", _roll(feed, box), methods=["POST"]),
            Route("/say", _say(feed, box), methods=["POST"]),
            Route("/ping", _ping(feed, box), methods=["POST"]),
        ]

    @contextlib.asynccontextmanager
    async def looking(app: Starlette) -> AsyncIterator[None]:
        feed.look()
        task = asyncio.create_task(feed.run())
        try:
            yield
        finally:
            task.cancel()

    made = Starlette(routes=routes, lifespan=looking)
    made.router.redirect_slashes = False  # the token would be missing
    return made


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
        found = box.picture(feed.fight) if feed.shows_pictures else None
        if found is None or len(found.data) > LARGEST_PICTURE or found.kind != kind_of(found.data):
            return _no(404, "No picture is shown.")
        return Response(found.data, media_type=found.kind, headers={"Content-Disposition": "inline"})

    return answer


def _events(feed: Feed) -> _Answer:
    async def events(whose: str) -> AsyncIterator[ServerSentEvent]:
        yield ServerSentEvent(retry=RETRY, event="beat", data="")
        async with contextlib.aclosing(feed.changes(whose)) as changes:
            async for kind, text in changes:
                yield ServerSentEvent(event=kind, data=text.decode())

    async def answer(request: Request) -> Response:
        asked = request.scope["query_string"].decode("ascii", "replace")
        return EventSourceResponse(
            events(asked if re.fullmatch("tv|[0-9a-f]{12}", asked) else ""),
            ping=PING_SECONDS,
            ping_message_factory=lambda: ServerSentEvent(event="beat", data=""),
            send_timeout=PATIENCE,
            sep="\n",
        )

    return answer


def _claim(feed: Feed, box: DiceBox) -> _Answer:
    frequency = Frequency(times=OFTEN)

    async def answer(request: Request) -> Response:
        received = await _received(request, ClaimRequest)
        if isinstance(received, Response):
            return received
        if received.who not in feed.characters:
            return _no(409, "This character is not in the fight.")
        if not frequency.allows(request.client.host if request.client else ""):  # a device can say that it is another
            return _no(429, SLOWER)
        if received.drop:
            box.release(feed.fight, received.who, received.device)
            return _yes({})
        tag = box.claim(feed.fight, received.who, received.device, feed.characters[received.who])
        if tag is None:
            return _no(409, "Another phone has this character. The GM can take it back.")
        return _yes({"tag": tag})

    return answer


def _roll(feed: Feed, box: DiceBox) -> _Answer:
    frequency = Frequency(times=OFTEN)

    async def answer(request: Request) -> Response:
        received = await _received(request, SentDice)
        if isinstance(received, Response):
            return received
        ask = feed.ask(received.ask)
        if ask is None or received.who != ask.who:
            return _no(409, "Nothing is asked of you now.")
        if not box.may_roll(feed.fight, received.who, received.device, shared=ask.shared):
            return _no(403, "This character is not yours on this phone: claim it first.")
        wrong = misfit(ask, received.faces, received.total)
        if wrong:
            return _no(422, wrong)
        if not frequency.allows(received.device):
            return _no(429, SLOWER)
        if not box.put(
            SubmittedRoll(feed.fight, received.ask, received.who, received.faces, received.total), received.device
        ):
            return _no(409, "Another phone has rolled this already.")
        return _yes({}, 202)

    return answer


def _say(feed: Feed, box: DiceBox) -> _Answer:
    frequency = Frequency()

    async def answer(request: Request) -> Response:
        received = await _received(request, SentText)
        if isinstance(received, Response):
            return received
        text = clean(" ".join(received.text.split()))
        if not text or len(received.text) > LONGEST_TEXT:
            return _no(422, f"Write 1 to {LONGEST_TEXT} characters.")
        if received.who not in feed.characters or not box.holds(feed.fight, received.who, received.device):
            return _no(403, "This character is not yours on this phone: claim it first.")
        if box.muted:
            return _no(409, "The GM takes no requests just now.")
        if not frequency.allows(received.device):
            return _no(429, SLOWER)
        box.ask_gm(feed.fight, received.who, received.device, text)
        return _yes({}, 202)

    return answer


def _ping(feed: Feed, box: DiceBox) -> _Answer:
    frequency = Frequency(times=4)

    async def answer(request: Request) -> Response:
        received = await _received(request, SentPoint)
        if isinstance(received, Response):
            return received
        board = feed.board
        if board is None or not (0 <= received.x < board.width and 0 <= received.y < board.height):
            return _no(422, "That is not on the map.")
        if received.who not in feed.characters or not box.holds(feed.fight, received.who, received.device):
            return _no(403, "This character is not yours on this phone: claim it first.")
        if box.muted:
            return _no(409, "The GM takes no requests just now.")
        if not frequency.allows(received.device):
            return _no(429, SLOWER)
        box.point(Ping(feed.fight, received.who, received.x, received.y, time.time()))
        return _yes({}, 202)

    return answer


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


async def _received(request: Request, kind: type[_T]) -> _T | Response:
    """Return what a page has sent, or the refusal of it."""
    if request.headers.get("content-type", "").partition(";")[0] != "application/json":
        return _no(415, "Send JSON.")
    body = b""
    try:
        async with asyncio.timeout(PATIENCE):
            async for part in request.stream():
                body += part
                if len(body) > BODY:
                    return _no(413, "That is too long.")
        received = msgspec.json.decode(body, type=kind)
    except (TimeoutError, ClientDisconnect):
        return _no(408, "That came too late.")
    except (msgspec.DecodeError, UnicodeDecodeError):
        return _no(422, "That is not an answer of this page.")
    texts = msgspec.structs.asdict(received)  # type: ignore[arg-type]  # all kinds are Structs
    if any(isinstance(text, str) and len(text) > LONGEST for name, text in texts.items() if name != "text"):
        return _no(422, "That is not an answer of this page.")
    return received


def _yes(body: object, status: int = 200) -> Response:
    return Response(msgspec.json.encode(body), status, media_type="application/json")


def _no(status: int, reason: str) -> Response:
    return _yes({"error": reason}, status)
