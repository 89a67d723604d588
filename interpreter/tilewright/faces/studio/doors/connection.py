"""Connections to the door, and their limits.

Everybody on this computer can connect. So a connection without the token is a stranger: it may send
a few kilobytes and wait for a second, and when there are too many of them, the oldest is cut off.
"""

from __future__ import annotations

import asyncio
from typing import Any

from websockets.asyncio.server import ServerConnection
from websockets.http11 import Response
from websockets.protocol import State
from websockets.server import ServerProtocol

#: connections that have not shown the token, and bytes that each of them may send
MAX_STRANGERS, MAX_STRANGE_BYTES = 64, 16 << 10
#: seconds in which a connection must send a request, and in which a socket must show the token
PATIENCE = 1.0
#: why a socket is closed: it did not show the token
_TOO_SLOW = 4408

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; font-src 'self'; "
    "img-src 'self' data: blob:; connect-src 'self'; worker-src 'self'; manifest-src 'self'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
#: of every response
HEADERS = {
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
}


class Connection(ServerConnection):
    """A connection: a stranger until it has shown the token."""

    def __init__(
        self,
        strangers: dict[Connection, None],
        protocol: ServerProtocol,
        *others: Any,
        **settings: Any,
    ) -> None:
        """`strangers` are the connections without the token, the oldest first."""
        super().__init__(protocol, *others, **settings)
        self.strangers = strangers
        self.is_welcome = False
        self.received = 0
        self.timer: asyncio.TimerHandle | None = None
        send = protocol.send_response

        def send_with_headers(response: Response) -> None:
            response.headers.update(HEADERS)
            send(response)

        # every response passes here, also those of the library to requests that are none
        protocol.send_response = send_with_headers  # type: ignore[method-assign]

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Take a place among the strangers, if need be that of the oldest."""
        super().connection_made(transport)
        self.wait()
        self.strangers[self] = None
        if len(self.strangers) > MAX_STRANGERS:
            oldest = next(iter(self.strangers))
            del self.strangers[oldest]
            oldest.transport.abort()

    def data_received(self, data: bytes) -> None:
        """Take in what came; a stranger that sends more than a few kilobytes is cut off."""
        self.received += len(data)
        if not self.is_welcome and self.received > MAX_STRANGE_BYTES:
            self.transport.abort()
        else:
            super().data_received(data)

    def connection_lost(self, exc: Exception | None) -> None:
        """Give up the place."""
        self.stop_waiting()
        self.strangers.pop(self, None)
        super().connection_lost(exc)

    def welcome(self) -> None:
        """Take a page in that has shown the token."""
        self.is_welcome = True
        self.stop_waiting()
        self.strangers.pop(self, None)

    def wait(self) -> None:
        """Begin to wait for the next thing that a stranger has to do."""
        self.stop_waiting()
        self.timer = self.loop.call_later(PATIENCE, self._lose_patience)

    def stop_waiting(self) -> None:
        """Wait no longer."""
        if self.timer is not None:
            self.timer.cancel()

    def _lose_patience(self) -> None:
        if self.protocol.state is State.OPEN:
            self.loop.create_task(self.close(_TOO_SLOW))
        elif self.request is None:
            self.transport.abort()
