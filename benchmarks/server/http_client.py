"""The least HTTP/1.1 that asks a server: one question at a time over a connection that stays open."""

from __future__ import annotations

import asyncio
from typing import NamedTuple
from urllib.parse import urlsplit

__all__ = ["HttpConnection", "HttpReply"]


class HttpReply(NamedTuple):
    """What came back."""

    code: int
    body: bytes


class HttpConnection:
    """One connection to a server.

    Parameters
    ----------
    url
        The server: ``http://127.0.0.1:8000``.
    """

    def __init__(self, url: str) -> None:
        parts = urlsplit(url)
        self.host, self.port = str(parts.hostname), int(parts.port or 80)
        self._streams: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None

    async def post(self, path: str, body: bytes) -> HttpReply:
        """Ask a question.

        Raises
        ------
        OSError, EOFError
            When the connection cannot be made, or ends before the whole reply is here.
        """
        head = f"POST {path} HTTP/1.1\r\nHost: {self.host}:{self.port}\r\nContent-Type: application/json\r\n"
        return await self._call(head.encode() + b"Content-Length: %d\r\n\r\n" % len(body) + body)

    async def get(self, path: str) -> HttpReply:
        """Fetch something; raises as :meth:`post` does."""
        return await self._call(f"GET {path} HTTP/1.1\r\nHost: {self.host}:{self.port}\r\n\r\n".encode())

    def close(self) -> None:
        """End the connection."""
        if self._streams is not None:
            self._streams[1].close()
            self._streams = None

    async def _call(self, message: bytes) -> HttpReply:
        if self._streams is not None and self._streams[0].at_eof():
            self.close()  # the server ended it while nobody used it, as it may
        try:
            if self._streams is None:
                self._streams = await asyncio.open_connection(self.host, self.port, limit=1 << 22)
            reader, writer = self._streams
            writer.write(message)
            head = await reader.readuntil(b"\r\n\r\n")
            lines = head.lower().split(b"\r\n")
            size = next((int(line[15:]) for line in lines if line.startswith(b"content-length:")), 0)
            body = await reader.readexactly(size)
        except BaseException:
            self.close()  # half a reply may be left on it
            raise
        if b"connection: close" in lines:
            self.close()
        return HttpReply(int(head[9:12]), body)
