"""A small server that speaks the contract, with a database behind it, and says what a test tells it to say."""

from __future__ import annotations

import json
import ssl
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

from tacita.query.answer import Answer
from tacita.query.database import Database

__all__ = ["TOKEN", "FakeServer", "refusal", "serving"]

TOKEN = "tacita_7_s3cret-of-these-tests"  # a made-up token
CODES = {"answered": 200, "review": 202, "refused": 403}


def refusal(rule: str, hint: str = "") -> dict[str, Any]:
    """An error as the server words all of them."""
    return {"status": "refused", "id": "", "request": {}, "reasons": [rule], "hint": hint}


class FakeServer:
    """What the server does: its databases, replies that tests give beforehand, and what it was asked."""

    def __init__(self, databases: dict[str, Database]) -> None:
        self.databases, self.url = databases, ""
        self.asked: list[tuple[str, str, str | None]] = []
        self.connections = 0
        self.closes_after: int | None = None
        self.next: list[Callable[[_Exchange], None]] = []
        """What is done instead of answering, once each."""

    def say(self, status: int, body: Any, **headers: str) -> None:
        """Answer the next request with this; a text is sent as it is."""
        self.next.append(lambda exchange: exchange.send(status, body, headers))

    def say_bytes(self, content: bytes, *, pause: float = 0.0) -> None:
        """Answer the next request with these bytes, one after the other where there is a pause; then break off."""

        def drip(exchange: _Exchange) -> None:
            exchange.close_connection = True
            for piece in [content] if not pause else [content[i : i + 1] for i in range(len(content))]:
                exchange.wfile.write(piece)
                exchange.wfile.flush()
                time.sleep(pause)

        self.next.append(drip)

    def reply(self, exchange: _Exchange, method: str, path: str, body: str) -> None:
        """Answer as the contract says."""
        parts = path.strip("/").split("/")
        if parts[0] == "answers":
            exchange.send_answer(next((a for db in self.databases.values() if (a := db.answer(parts[1]))), None))
        elif parts[0] != "datasets" or (len(parts) > 1 and parts[1] not in self.databases):
            exchange.send(404, refusal("unknown_dataset"))
        elif len(parts) == 1:
            exchange.send(200, {"datasets": [self.facts(name) for name in self.databases]})
        elif len(parts) == 2:
            plain = self.databases[parts[1]].catalogue.to_plain()
            exchange.send(200, {**self.facts(parts[1]), "variables": plain["variables"]})
        elif method == "POST":
            exchange.send_answer(self.databases[parts[1]].ask(body))

    def facts(self, name: str) -> dict[str, Any]:
        """What is published about a data set."""
        offered = list(self.databases[name].policy.requests)
        return {"name": name, "title": name.title(), "version": "1", "requests": offered, "records": None, "new": 1}


class _Exchange(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = (
        True  # head and body are two packets, and the second would wait for a receipt of the first
    )
    server: Any

    def setup(self) -> None:
        self.server.fake.connections += 1
        self.served = 0
        super().setup()

    def do_GET(self) -> None:
        self._handle("")

    def do_POST(self) -> None:
        self._handle(self.rfile.read(int(self.headers["Content-Length"])).decode())

    def _handle(self, body: str) -> None:
        fake: FakeServer = self.server.fake
        self.served += 1
        fake.asked.append((f"{self.command} {self.path}", body, self.headers["Authorization"]))
        if fake.next:
            fake.next.pop(0)(self)
        elif self.headers["Authorization"] not in (None, f"Bearer {TOKEN}"):
            self.send(401, refusal("token"))
        else:
            fake.reply(self, self.command, self.path, body)
        if fake.closes_after == self.served:  # without a word, as servers do with idle connections
            self.close_connection = True

    def send_answer(self, answer: Answer | None) -> None:
        if answer is None:
            self.send(404, refusal("unknown_answer"))
        else:
            code = 400 if answer.hint else CODES[answer.status]
            self.send(code, answer.to_plain())

    def send(self, status: int, body: Any, headers: dict[str, str] | None = None) -> None:
        content = (body if isinstance(body, str) else json.dumps(body)).encode()
        named = {"Content-Type": "application/json", "Content-Length": str(len(content))} | {
            name.replace("_", "-"): value for name, value in (headers or {}).items()
        }
        self.send_response(status)
        for name, value in named.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, format: str, *args: Any) -> None:
        """Say nothing."""


@contextmanager
def serving(databases: dict[str, Database], *, certificate: Path | None = None) -> Iterator[FakeServer]:
    """Run a server on a free port of this machine."""
    fake = FakeServer(databases)
    server = ThreadingHTTPServer(("127.0.0.1", 0), _Exchange)
    server.daemon_threads, server.block_on_close = True, False
    server.fake = fake  # type: ignore[attr-defined]
    server.handle_error = lambda *_: None  # type: ignore[method-assign]  # a client that breaks off is part of these tests
    if certificate is not None:
        trust = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        trust.load_cert_chain(certificate)
        server.socket = trust.wrap_socket(server.socket, server_side=True)
    fake.url = f"{'http' if certificate is None else 'https'}://127.0.0.1:{server.server_address[1]}"
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
    thread.start()
    try:
        yield fake
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
