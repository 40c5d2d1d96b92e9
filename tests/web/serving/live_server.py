"""A real server on loopback in a thread of this process, and connections that send bytes as they are."""

from __future__ import annotations

import contextlib
import socket
import threading
import time
from collections.abc import Callable, Iterator
from typing import Any

import uvicorn

from tacita.web.serving import Binding
from tacita.web.serving.processes import http_config

__all__ = ["exchange", "listening", "responses", "taken"]


@contextlib.contextmanager
def listening(app: Any, *, patience: float = 20.0, trusts_proxy: tuple[str, ...] = ()) -> Iterator[int]:
    """Serve an application as a worker does; give the port."""
    binding = Binding(port=0, trusts_proxy=trusts_proxy)
    config = http_config(app, binding, patience)
    config.lifespan = "off"
    server = uvicorn.Server(config)
    line = binding.listen()
    thread = threading.Thread(target=server.run, kwargs={"sockets": [line]}, daemon=True)
    thread.start()
    try:
        until = time.monotonic() + 20
        while not server.started and time.monotonic() < until:
            time.sleep(0.01)
        assert server.started
        yield int(line.getsockname()[1])
    finally:
        server.should_exit = server.force_exit = True
        thread.join(20)
        line.close()


def taken(line: socket.socket, *, seconds: float = 5.0, enough: Callable[[bytes], bool] = lambda _: False) -> bytes:
    """Read until the server closes, nothing comes for some time, or it is enough."""
    content, until = b"", time.monotonic() + seconds
    while time.monotonic() < until and not enough(content):
        line.settimeout(max(until - time.monotonic(), 0.01))
        try:
            piece = line.recv(1 << 16)
        except (TimeoutError, ConnectionError):
            break
        if not piece:
            break
        content += piece
    return content


def exchange(port: int, content: bytes, *, seconds: float = 5.0) -> bytes:
    """Send bytes as they are, say that no more come, and return what comes until the server closes."""
    with socket.create_connection(("127.0.0.1", port), timeout=10) as line:
        with contextlib.suppress(ConnectionError):
            line.sendall(content)
            line.shutdown(socket.SHUT_WR)
        return taken(line, seconds=seconds)


def responses(content: bytes) -> list[tuple[int, bytes]]:
    """Cut what a server sent into responses: their codes and bodies."""
    found, rest = [], content
    while rest:
        head, _, rest = rest.partition(b"\r\n\r\n")
        assert head.startswith(b"HTTP/1.1 "), head[:80]
        named = dict(line.lower().split(b": ", 1) for line in head.split(b"\r\n")[1:])
        length = int(named.get(b"content-length", b"0"))
        found.append((int(head.split()[1]), rest[:length]))
        rest = rest[length:]
    return found
