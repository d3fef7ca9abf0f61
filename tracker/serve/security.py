"""The guard in front of the application, which refuses requests by strangers in the network.

Each rule is a refusal with its status; only the page's own addresses pass, requested by the page itself.
"""

from __future__ import annotations

import asyncio
import hmac
import time
from collections import Counter, defaultdict, deque
from collections.abc import Callable

import h11
from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from uvicorn.protocols.http.h11_impl import H11Protocol

MOST, MOST_EACH = 64, 12
"""Connections in all, and from one address. This computer's own pages count in the first only."""
TRIES, MINUTE = 20, 60.0
"""Wrong tokens from one address within a minute, after which further wrong ones are refused as too many."""
HEAD, BODY, PATIENCE = 16_384, 512, 10.0
"""Bytes of a request before its body and of its body, and seconds within which a request has to arrive."""
OWN = ("127.0.0.1", "::1")
ICONS = ("favicon.ico", "apple-touch-icon.png", "apple-touch-icon-precomposed.png")
"""Files that browsers request by themselves: such a request is no guess of a token."""
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
HEADERS = {
    "Cache-Control": "no-store",
    "Content-Security-Policy": POLICY,
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
}


class Clients:
    """The connected clients, and the clients that have tried wrong tokens."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._connected: Counter[str] = Counter()
        self._wrong: defaultdict[str, deque[float]] = defaultdict(deque)

    def enter(self, client: str) -> bool:
        most = MOST if client in OWN else MOST_EACH
        if self._connected.total() >= MOST or self._connected[client] >= most:
            return False
        self._connected[client] += 1
        return True

    def leave(self, client: str) -> None:
        self._connected[client] -= 1
        if self._connected[client] <= 0:
            del self._connected[client]

    def is_guessing(self, client: str) -> bool:
        """Tell whether too many tokens from there were wrong within the last minute."""
        tries = self._wrong.get(client)
        if tries is None:
            return False
        while tries and tries[0] <= self._clock() - MINUTE:
            tries.popleft()
        if not tries:
            del self._wrong[client]
        return len(tries) >= TRIES

    def guessed(self, client: str) -> None:
        self._wrong[client].append(self._clock())


class ConnectionLimiter(H11Protocol):
    """Counts a connection, and closes it if no request arrives; a subclass for a server has its clients."""

    clients: Clients
    _counted: bool = False
    _late: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]  # as uvicorn's own
        super().connection_made(transport)
        if not self.clients.enter(self._client):
            transport.write(b"HTTP/1.1 503 Service Unavailable\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
            transport.close()
            return
        self._counted = True
        self._late = self.loop.call_later(PATIENCE, self._give_up)

    def connection_lost(self, exc: Exception | None) -> None:
        if self._late is not None:
            self._late.cancel()
        if self._counted:
            self._counted = False
            self.clients.leave(self._client)
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        if self._counted:
            super().data_received(data)

    @property
    def _client(self) -> str:
        return self.client[0] if self.client else ""

    def _give_up(self) -> None:
        if self.conn.their_state is h11.IDLE:
            self.transport.close()


class SecurityMiddleware:
    """Refuses requests that do not come from the page, and hides the token from the application."""

    def __init__(self, app: ASGIApp, token: str, hosts: frozenset[str], clients: Clients) -> None:
        """Guard an application with these hosts (address and port)."""
        self._app, self._token, self._hosts, self._clients = app, token.encode(), hosts, clients

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return

        async def with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in HEADERS.items():
                    headers[name] = value
                headers["Connection"] = "close"  # a slow second request could hold the connection
            await send(message)

        status = self._refusal(scope)
        if status:
            await PlainTextResponse("", status)(scope, receive, with_headers)
            return
        path = "/" + scope["path"].split("/", 2)[2]
        await self._app({**scope, "path": path, "raw_path": path.encode()}, receive, with_headers)

    def _refusal(self, scope: Scope) -> int:
        """Return the status a request is refused with, or 0."""
        headers = Headers(scope=scope)
        client = scope["client"][0] if scope.get("client") else ""
        host = headers.get("host", "").lower()
        if scope["type"] != "http" or len(headers.getlist("host")) != 1 or host not in self._hosts:
            return 421
        if len(scope["raw_path"]) + sum(len(name) + len(value) for name, value in headers.raw) > HEAD:
            return 431  # a head in one piece is not measured while it is read
        parts = scope["path"].split("/", 2)
        if len(parts) < 3 or not hmac.compare_digest(parts[1].encode(errors="replace"), self._token):
            if self._clients.is_guessing(client):
                return 429
            if parts[1:] not in [[icon] for icon in ICONS]:
                self._clients.guessed(client)
            return 404
        origins = headers.getlist("origin")
        if origins != [f"http://{host}"] and (origins or scope["method"] == "POST"):
            return 403
        length = headers.get("content-length", "0")
        return 0 if length.isdecimal() and len(length) < 10 and int(length) <= BODY else 413
