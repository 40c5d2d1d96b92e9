"""A real server against requests that two readers may read differently, and against clients that are slow."""

from __future__ import annotations

import contextlib
import json
import socket
import time
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from starlette.responses import Response

from tacita.web.guard import SlowGuard
from tacita.web.serving.patient_protocol import LONGEST_HEAD
from tacita.web.settings import ServerLimits
from tests.web.conftest import Serve
from tests.web.serving.live_server import exchange, listening, responses, taken

HEAD = b"POST /tabulate HTTP/1.1\r\nHost: localhost\r\n"
BODY = b'{"by":["sex"]}'
NEXT = b"GET /metrics HTTP/1.1\r\nHost: localhost\r\n\r\n"
PIECES = b"e\r\n" + BODY + b"\r\n0\r\n\r\n"
CHUNKED = b"Transfer-Encoding: chunked\r\n\r\n"
SHAPE = {"status", "reasons", "hint", "id", "request"}


@pytest.fixture
def port(serve: Serve) -> Iterator[int]:
    client, _ = serve()
    with listening(client.app) as found:
        yield found


HIDDEN = {
    "length and pieces": b"Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
    "pieces and length": b"Transfer-Encoding: chunked\r\nContent-Length: 5\r\n\r\n0\r\n\r\n",
    "two lengths": b"Content-Length: 5\r\nContent-Length: 48\r\n\r\n0\r\n\r\n",
    "the same length twice": b"Content-Length: 14\r\nContent-Length: 14\r\n\r\n" + BODY,
    "a list of lengths": b"Content-Length: 14, 14\r\n\r\n" + BODY,
    "plus": b"Content-Length: +14\r\n\r\n" + BODY,
    "minus": b"Content-Length: -1\r\n\r\n" + BODY,
    "hexadecimal": b"Content-Length: 0xe\r\n\r\n" + BODY,
    "a blank before the colon": b"Content-Length : 14\r\n\r\n" + BODY,
    "a length beyond all numbers": b"Content-Length: 99999999999999999999999\r\n\r\n" + BODY,
    "another coding": b"Transfer-Encoding: x\r\n\r\n" + PIECES,
    "a coding that ends so": b"Transfer-Encoding: xchunked\r\n\r\n" + PIECES,
    "pieces that are not last": b"Transfer-Encoding: chunked, identity\r\n\r\n" + PIECES,
    "two codings": b"Transfer-Encoding: chunked\r\nTransfer-Encoding: identity\r\n\r\n" + PIECES,
    "a vertical tab": b"Transfer-Encoding: \x0bchunked\r\n\r\n" + PIECES,
    "a blank before that colon": b"Transfer-Encoding : chunked\r\n\r\n" + PIECES,
    "a folded coding": b"Transfer-Encoding:\r\n chunked\r\n\r\n" + PIECES,
    "a folded header": b"X: a\r\n b\r\nContent-Length: 14\r\n\r\n" + BODY,
    "a bare return": b"X: a\rContent-Length: 14\r\n\r\n" + BODY,
    "a bare line feed": b"X: a\nContent-Length: 14\r\n\r\n" + BODY,
    "a zero byte": b"X: a\x00b\r\nContent-Length: 14\r\n\r\n" + BODY,
    "a line feed after a size": CHUNKED + b"e\n" + BODY + b"\r\n0\r\n\r\n",
    "a line feed after an extension": CHUNKED + b"e;a\n" + BODY + b"\r\n0\r\n\r\n",
    "a return in an extension": CHUNKED + b"e;a\rb\r\n" + BODY + b"\r\n0\r\n\r\n",
    "a negative size": CHUNKED + b"-e\r\n" + BODY + b"\r\n0\r\n\r\n",
    "a size with a prefix": CHUNKED + b"0xe\r\n" + BODY + b"\r\n0\r\n\r\n",
    "a size beyond all numbers": CHUNKED + b"ffffffffffffffffe\r\n" + BODY + b"\r\n0\r\n\r\n",
    "a piece without an end": CHUNKED + b"e\r\n" + BODY + b"xx0\r\n\r\n",
}


def test_no_request_hides_in_another(port: int) -> None:
    found = {name: exchange(port, HEAD + how + NEXT) for name, how in HIDDEN.items()}
    for name, content in found.items():
        ((code, body),) = responses(content)
        assert (name, code) == (name, 400)
        assert set(json.loads(body)) == SHAPE
        assert b"content-security-policy" in content.lower()


@pytest.mark.parametrize(
    "content",
    [
        b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc",
        b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
        b"GET /metrics\r\n\r\n",
        b"GET /health HTTP/1.1\r\n\r\n",
        b"GET /health /metrics HTTP/1.1\r\nHost: localhost\r\n\r\n",
        b"GET /\xe4 HTTP/1.1\r\nHost: localhost\r\n\r\n",
        b"GET /he\x00alth HTTP/1.1\r\nHost: localhost\r\n\r\n",
        b"CONNECT evil.example:443 HTTP/1.1\r\nHost: localhost\r\n\r\n",
        b"GET http://localhost/health HTTP/1.1\r\nHost: evil.example\r\n\r\n",
    ],
)
def test_what_is_no_request_has_the_one_shape(content: bytes, port: int) -> None:
    ((code, body),) = responses(exchange(port, content))
    assert code == 400
    assert set(json.loads(body)) == SHAPE


@pytest.mark.parametrize(
    "how",
    [
        b"GET /health HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n",
        b"GET /health HTTP/1.1\r\nHost: localhost\r\nContent-Length: %d\r\n\r\n" % len(NEXT),
        HEAD + b"Connection: upgrade\r\nUpgrade: h2c\r\nContent-Length: 14\r\n\r\n" + BODY,
        HEAD.replace(b"1.1", b"1.0") + CHUNKED + PIECES,
    ],
)
def test_what_follows_the_last_request_is_not_answered(how: bytes, port: int) -> None:
    assert len(responses(exchange(port, how + NEXT))) == 1


@pytest.mark.parametrize("trailer", [b"Authorization: Bearer none", b"Host: evil.example", b"Host: localhost"])
def test_headers_after_the_body_are_passed_over(trailer: bytes, port: int) -> None:
    content = HEAD + CHUNKED + b"e\r\n" + BODY + b"\r\n0\r\n" + trailer + b"\r\n\r\n"
    ((code, _),) = responses(exchange(port, content))
    assert code == 200


def test_who_has_nothing_more_to_say_is_answered(port: int) -> None:
    ((code, body),) = responses(exchange(port, HEAD + b"Content-Length: 14\r\n\r\n" + BODY))
    assert code == 200
    assert json.loads(body)["status"] == "answered"


def drip(port: int, begin: bytes, piece: bytes, seconds: float) -> tuple[bytes, float]:
    """Send a piece again and again until the server closes; what it said, and when it closed."""
    begun = time.monotonic()
    with socket.create_connection(("127.0.0.1", port), timeout=5) as line:
        line.sendall(begin)
        said = b""
        while time.monotonic() < begun + seconds:
            line.settimeout(0.05)
            try:
                got = line.recv(1 << 16)
                said += got
                if not got:
                    break
            except TimeoutError:
                pass
            except ConnectionError:
                break
            with contextlib.suppress(ConnectionError):
                line.sendall(piece)
    return said, time.monotonic() - begun


@pytest.mark.parametrize(
    ("begin", "piece", "rule"),
    [
        (b"", b"", None),
        (b"GET /health HTTP/1.1\r\nHost: localhost\r\n", b"X: y\r\n", None),
        (b"GET /" + b"a" * 10, b"a", None),
        (HEAD + b"Content-Length: 5000\r\n\r\n", b" ", "slow"),
        (HEAD + CHUNKED, b"1\r\n \r\n", "slow"),
        (HEAD + CHUNKED + b"1;", b"x", "slow"),
        (HEAD + CHUNKED + b"0\r\nX: ", b"x", "slow"),
        (HEAD + b"Content-Length: 99999999\r\n\r\n", b" ", "body_size"),
    ],
)
def test_slow_writers_are_cut_off(begin: bytes, piece: bytes, rule: str | None, serve: Serve) -> None:
    client, _ = serve(limits=ServerLimits(patience=0.3))
    with listening(client.app, patience=0.3) as port:
        said, seconds = drip(port, begin, piece, 8)
    assert seconds < 8
    if rule is not None:
        ((_, body),) = responses(said)
        assert json.loads(body)["reasons"] == [rule]


def test_a_second_request_may_not_be_slow_either(serve: Serve) -> None:
    client, _ = serve()
    whole = b"GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n"
    with listening(client.app, patience=0.3) as port:
        said, seconds = drip(port, whole + whole[:20], b"", 8)
    assert seconds < 8
    assert [code for code, _ in responses(said)] == [200]


def test_endless_headers_are_refused(port: int) -> None:
    with socket.create_connection(("127.0.0.1", port), timeout=10) as line:
        with contextlib.suppress(ConnectionError):
            line.sendall(b"GET /health HTTP/1.1\r\nHost: localhost\r\n")
            for _ in range(40 * LONGEST_HEAD // 8192):
                line.sendall(b"X: " + b"y" * 8187 + b"\r\n")
            line.sendall(b"\r\n")  # without a limit this would be a request
        said = taken(line)
    assert b" 200 " not in said
    assert b"request_form" in said or not said  # what the server did not read may reset the connection


class _Large:
    """An application that sends much at once, or piece by piece."""

    def __init__(self, pieces: int, size: int) -> None:
        self.pieces, self.size = pieces, size

    async def __call__(self, scope: Any, receive: Any, send: Callable[..., Any]) -> None:
        if self.pieces == 1:
            await Response(b"x" * self.size)(scope, receive, send)
            return
        await send({"type": "http.response.start", "status": 200, "headers": []})
        for _ in range(self.pieces):
            await send({"type": "http.response.body", "body": b"x" * self.size, "more_body": True})


@pytest.mark.parametrize("pieces", [1, 200])
@pytest.mark.parametrize("has_guard", [True, False])
def test_slow_readers_are_cut_off(pieces: int, has_guard: bool) -> None:
    """Whatever the application still waits for, the connection goes, and with it what was kept for its reader."""
    whole = 50_000_000  # far more than the system itself keeps for a connection
    large = _Large(pieces, whole // pieces)
    app = SlowGuard(large, patience=0.3) if has_guard else large
    with listening(app, patience=0.3) as port, socket.create_connection(("127.0.0.1", port)) as line:
        line.sendall(b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n")
        time.sleep(1.5)
        assert len(taken(line, seconds=20)) < whole


def test_quick_readers_get_all() -> None:
    app = _Large(1, 20_000_000)
    with listening(app, patience=0.3) as found, socket.create_connection(("127.0.0.1", found)) as line:
        line.sendall(b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n")
        assert len(taken(line, seconds=20, enough=lambda content: len(content) > 20_000_000)) > 20_000_000
