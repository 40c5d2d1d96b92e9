"""The way to a server: one kept connection for each thread, and replies that are read within limits."""

from __future__ import annotations

import http.client
import os
import ssl
import threading
import time
import weakref
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from tacita.core.errors import TacitaError
from tacita.core.metadata import MetadataLimits, parse_json
from tacita.query.remote.address import ServerAddress
from tacita.query.remote.remote_error import RemoteError
from tacita.query.remote.timed_response import TimedResponse

__all__ = ["REPLY_LIMITS", "ServerReply", "Wire"]

REPLY_LIMITS = MetadataLimits(size=128 << 20, keys=8_000_000, depth=20)
"""How much a reply may ask to be read: a table of a million cells with its standard errors is well below."""

_CHUNK = 1 << 16
_DROPPED = (ConnectionResetError, ConnectionAbortedError, BrokenPipeError, ssl.SSLEOFError, ssl.SSLZeroReturnError)


@dataclass(frozen=True)
class ServerReply:
    """What a server said.

    Parameters
    ----------
    status
        Its status code.
    body
        What was parsed from its JSON; None where the body is something else.
    retry_after
        What its header of that name has; empty where there is none.
    lacks_scope
        Whether it says that the token is not for this (``insufficient_scope``, RFC 6750).
    """

    status: int
    body: Any = field(repr=False)
    retry_after: str = field(default="", repr=False)
    lacks_scope: bool = False


class Wire:
    """Exchanges with one server.

    Parameters
    ----------
    address
        The server; nothing ever goes to another one.
    token
        Who asks.
    timeout
        Seconds that one exchange may take, from the connection to the last byte.

    Notes
    -----
    Every thread has a connection of its own, which is kept. Where the server has closed it meanwhile, it is opened once more: a
    question that was asked twice has one answer. Certificates are verified with those that the machine trusts, and
    with the file named by ``SSL_CERT_FILE``; redirections are refused; proxies of the environment are not used.
    """

    def __init__(self, address: ServerAddress, token: str | None, timeout: float) -> None:
        self.address, self.timeout = address, timeout
        self._token = token
        self._here = threading.local()
        self._all: weakref.WeakSet[http.client.HTTPConnection] = weakref.WeakSet()
        self._trust = ssl.create_default_context() if address.is_secure else None

    def __repr__(self) -> str:
        return f"Wire({str(self.address)!r})"

    def get(self, path: str) -> ServerReply:
        """Ask for something that has an address on the server."""
        return self._exchange("GET", path, None)

    def post(self, path: str, body: str) -> ServerReply:
        """Send JSON."""
        return self._exchange("POST", path, body.encode("utf-8"))

    def close(self) -> None:
        """Close all connections; a later exchange opens one again."""
        for connection in list(self._all):
            connection.close()

    # --- one exchange ----------------------------------------------------------------------------------------------------

    def _exchange(self, method: str, path: str, body: bytes | None) -> ServerReply:
        deadline = time.monotonic() + self.timeout
        connection = self._connection()
        is_kept = connection.sock is not None
        try:
            try:
                response = self._sent(connection, method, path, body, deadline)
            except _DROPPED:
                if not is_kept:
                    raise
                connection.close()
                response = self._sent(connection, method, path, body, deadline)
            return self._read(response)
        except TimeoutError:
            connection.close()
            raise RemoteError(
                f"The server at {self.address} must answer within {self.timeout:g} seconds, but did not. Ask again later, or "
                "give a longer 'timeout'."
            ) from None
        except ssl.SSLCertVerificationError:
            connection.close()
            raise RemoteError(
                f"The certificate of the server at {self.address} must be one that this machine trusts, but is not. Where the "
                "server has a certificate of your own, name the file of its authority in SSL_CERT_FILE."
            ) from None
        except (OSError, http.client.HTTPException, ValueError) as error:
            connection.close()
            if isinstance(error, TacitaError):
                raise
            raise RemoteError(
                f"The server at {self.address} cannot be reached, or broke off ({type(error).__name__}). Check the address, and "
                "that the server runs."
            ) from None
        except BaseException:  # half of a reply must not be taken for the next one
            connection.close()
            raise

    def _connection(self) -> http.client.HTTPConnection:
        """The connection of this thread, in this process: a fork must not share it."""
        found: tuple[int, http.client.HTTPConnection] | None = getattr(self._here, "kept", None)
        if found is not None and found[0] == os.getpid():
            return found[1]
        host, port, wait = self.address.host, self.address.port, self.timeout
        made: http.client.HTTPConnection
        if self._trust is None:
            made = http.client.HTTPConnection(host, port, timeout=wait)
        else:
            made = http.client.HTTPSConnection(host, port, timeout=wait, context=self._trust)
        self._here.kept = (os.getpid(), made)
        self._all.add(made)
        return made

    def _sent(
        self, connection: http.client.HTTPConnection, method: str, path: str, body: bytes | None, deadline: float
    ) -> http.client.HTTPResponse:
        """Send a request and read the head of the reply."""
        if connection.sock is not None:
            connection.sock.settimeout(self.timeout)
        connection.response_class = partial(TimedResponse, deadline=deadline)  # type: ignore[assignment]
        connection.request(method, self.address.path + path, body=body, headers=self._headers(body))
        return connection.getresponse()

    def _headers(self, body: bytes | None) -> Mapping[str, str]:
        headers = {"Accept": "application/json", "Accept-Encoding": "identity", "User-Agent": "tacita"}
        if body is not None:
            headers["Content-Type"] = "application/json"
        if self._token is not None:
            headers["Authorization"] = f"Bearer {self._token}"
        return headers

    # --- one reply -------------------------------------------------------------------------------------------------------

    def _read(self, response: http.client.HTTPResponse) -> ServerReply:
        """Read a reply to its end, if that comes soon enough."""
        if 300 <= response.status < 400:
            raise RemoteError(
                f"The server at {self.address} must answer by itself, but sends elsewhere (status {response.status}); that is "
                "never followed. Give the address that it should be."
            )
        announced, pieces, size = response.length or 0, [], 0
        while announced <= REPLY_LIMITS.size and size <= REPLY_LIMITS.size:
            piece = response.read(_CHUNK)
            if not piece:
                break
            pieces.append(piece)
            size += len(piece)
        else:
            raise RemoteError(
                f"A reply of the server at {self.address} must have at most {REPLY_LIMITS.size >> 20} MB, but is longer. Ask for "
                "a smaller table."
            )
        if announced and size < announced:
            raise http.client.IncompleteRead(b"", announced - size)
        said = response.headers.get("WWW-Authenticate", "")
        body = self._parsed(response, b"".join(pieces))
        return ServerReply(response.status, body, response.headers.get("Retry-After", ""), "insufficient_scope" in said)

    def _parsed(self, response: http.client.HTTPResponse, content: bytes) -> Any:
        """The JSON of a reply; a page of HTML, as a proxy may send, is none."""
        if response.headers.get_content_type() != "application/json":
            return None
        if response.headers.get("Content-Encoding", "identity") != "identity":
            raise RemoteError(f"The server at {self.address} must send JSON as it is, but sends it packed.")
        try:
            text = content.decode("utf-8")
        except UnicodeDecodeError:
            raise RemoteError(f"A reply of the server at {self.address} must be UTF-8 text, but is not.") from None
        return parse_json(text, f"A reply of the server at {self.address}", limits=REPLY_LIMITS, error=RemoteError)
