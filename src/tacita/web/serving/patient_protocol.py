"""HTTP with limited patience: who does not say what he wants, or does not take what he asked for, is cut off."""

from __future__ import annotations

import asyncio
from typing import Any

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from tacita.web.engine.port import refused
from tacita.web.guard.headers import HEADERS

__all__ = ["LONGEST_HEAD", "PatientProtocol"]

LONGEST_HEAD = 1 << 16
"""Bytes that the address and the headers of a request may have, beside what came in one piece with their end."""

_LEAST_RATE = 1024.0
"""Bytes a second that a reader has to take of what waits for him."""


class PatientProtocol(HttpToolsProtocol):  # type: ignore[misc]
    """Closes connections that are kept open for nothing.

    A connection ends when a request has not told its headers in time, the first as any later one, when they are too long, and
    when its reader takes nothing of a response. What is no HTTP is refused in the one shape of refusals.

    Notes
    -----
    Headers that follow a body in pieces are passed over: whoever looked at the headers of the request, a proxy before the server
    or a guard in it, has not seen them.
    """

    patience = 20.0
    """Seconds that the headers of a request may take, and that a response may wait without being taken."""

    _timer: asyncio.TimerHandle | None = None
    _look: asyncio.TimerHandle | None = None
    _told = 0
    _waits = 0
    _has_head = False

    def connection_made(self, transport: Any) -> None:
        super().connection_made(transport)
        self._arm()
        self._look = self.loop.call_later(self.patience, self._look_at_reader)

    def data_received(self, data: bytes) -> None:
        if self._timer is None and (self.cycle is None or self.cycle.response_complete):
            self._arm()
        super().data_received(data)
        self._told = self._told + len(data) if self._timer is not None else 0
        if self._told > LONGEST_HEAD and not self.transport.is_closing():
            self._refuse(431, "request_form", "The headers of the request are too long.")

    def on_message_begin(self) -> None:
        self._has_head = False
        if self._timer is None:  # it came in one piece with the end of the one before
            self._arm()
        super().on_message_begin()

    def on_header(self, name: bytes, value: bytes) -> None:
        if not self._has_head:
            super().on_header(name, value)

    def on_headers_complete(self) -> None:
        self._disarm()
        self._has_head = True
        super().on_headers_complete()

    def send_400_response(self, msg: str) -> None:
        del msg
        self._refuse(400, "request_form", "This is no request of HTTP.")

    def eof_received(self) -> bool | None:
        """Answer who says that he has nothing more to say, and close then; over TLS nobody can say so."""
        super().eof_received()
        cycle = self.cycle
        if self.scheme == "https" or cycle is None or cycle.response_complete or cycle.more_body:
            return None
        cycle.keep_alive = False
        return True

    def connection_lost(self, exc: Exception | None) -> None:
        self._disarm()
        if self._look is not None:
            self._look.cancel()
        super().connection_lost(exc)

    def _arm(self) -> None:
        self._timer = self.loop.call_later(self.patience, self._give_up)

    def _disarm(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _give_up(self) -> None:
        self._timer = None
        if self.cycle is not None and not self.cycle.response_complete:
            self._arm()  # it is the client who waits, for what he asked before
        elif not self.transport.is_closing():
            self.transport.close()

    def _look_at_reader(self) -> None:
        """Cut off a reader who has taken next to nothing since the last look; closing would wait for him."""
        waits = self.transport.get_write_buffer_size()
        if waits and self._waits and waits > self._waits - _LEAST_RATE * self.patience:
            self.transport.abort()
            return
        self._waits = waits
        self._look = self.loop.call_later(self.patience, self._look_at_reader)

    def _refuse(self, code: int, rule: str, hint: str) -> None:
        """Refuse what the application never sees, and close."""
        body = refused(rule, hint)
        headers = {"Content-Type": "application/json", "Content-Length": str(len(body)), "Connection": "close"}
        lines = [f"HTTP/1.1 {code} Refused", *(f"{k}: {v}" for k, v in {**headers, **HEADERS}.items()), "", ""]
        self._disarm()
        self.transport.write("\r\n".join(lines).encode("ascii") + body)
        self.transport.close()
