"""A reply that must have come by a certain time, however slowly its bytes drip in."""

from __future__ import annotations

import http.client
import io
import socket
import time
from typing import Any

__all__ = ["TimedResponse"]


class TimedResponse(http.client.HTTPResponse):
    """A reply of the standard library, read until ``deadline`` (of ``time.monotonic``) at the latest.

    The time limit of a socket is one for each read, so a server that sends a byte now and then could hold a reader for ever.
    """

    def __init__(self, sock: socket.socket, *args: Any, deadline: float, **options: Any) -> None:
        super().__init__(sock, *args, **options)
        self.fp = io.BufferedReader(_TimedReader(sock, self.fp.detach(), deadline))


class _TimedReader(io.RawIOBase):
    """Reads of a socket, each of which has the time that is left."""

    def __init__(self, sock: socket.socket, raw: io.RawIOBase, deadline: float) -> None:
        self._sock, self._raw, self._deadline = sock, raw, deadline

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int | None:
        left = self._deadline - time.monotonic()
        if left <= 0:
            raise TimeoutError
        self._sock.settimeout(left)
        return self._raw.readinto(buffer)

    def close(self) -> None:
        self._raw.close()
        super().close()
