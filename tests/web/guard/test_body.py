"""Bodies that are too large, or do not come."""

from __future__ import annotations

import asyncio
import json
from collections.abc import MutableMapping
from typing import Any

import pytest

from tacita.web.guard import BodyGuard

Message = MutableMapping[str, Any]


def sent(
    pieces: list[bytes] | None, headers: list[tuple[bytes, bytes]], **limits: Any
) -> tuple[list[Message], list[bytes], list[str]]:
    """What leaves, what the application got, and what was counted; None sends nothing at all."""
    got, away, out = [], [], []
    waiting = [] if pieces is None else [{"type": "http.request", "body": p, "more_body": True} for p in pieces]
    if pieces is not None:
        waiting.append({"type": "http.request", "body": b"", "more_body": False})

    async def receive() -> Message:
        if not waiting:
            await asyncio.sleep(60)
        return waiting.pop(0)

    async def send(message: Message) -> None:
        out.append(message)

    async def app(scope: Any, receive: Any, send: Any) -> None:
        del scope, send
        got.append((await receive())["body"])

    guard = BodyGuard(app, **{"most": 100, "patience": 5.0, **limits}, turned_away=away.append)
    asyncio.run(guard({"type": "http", "headers": headers}, receive, send))
    return out, got, away


def test_the_application_gets_it_whole() -> None:
    assert sent([b"a" * 60, b"b" * 40], [])[1] == [b"a" * 60 + b"b" * 40]


@pytest.mark.parametrize(
    ("pieces", "headers", "code", "rule"),
    [
        ([b"a" * 60, b"b" * 41], [], 413, "body_size"),
        (None, [(b"content-length", b"101")], 413, "body_size"),
        (None, [(b"content-length", b"9" * 5000)], 413, "body_size"),
        (None, [(b"content-length", b"0" * 30)], 413, "body_size"),
        (None, [(b"content-length", b"1"), (b"content-length", b"1")], 400, "request_form"),
        (None, [(b"content-length", b"+1")], 400, "request_form"),
        (None, [(b"content-length", "\u0661".encode())], 400, "request_form"),
        (None, [], 408, "slow"),
    ],
)
def test_it_is_refused_before_anybody_reads_it(
    pieces: list[bytes] | None, headers: list[tuple[bytes, bytes]], code: int, rule: str
) -> None:
    out, got, away = sent(pieces, headers, patience=0.05)
    assert got == []
    assert away == [rule]
    assert out[0]["status"] == code
    assert (b"connection", b"close") in out[0]["headers"]
    assert json.loads(out[1]["body"])["reasons"] == [rule]


def test_a_visitor_who_has_gone_is_not_answered() -> None:
    out: list[Message] = []

    async def receive() -> Message:
        return {"type": "http.disconnect"}

    async def send(message: Message) -> None:
        out.append(message)

    async def app(*_: Any) -> None:
        raise AssertionError("nothing was asked")

    asyncio.run(BodyGuard(app, most=100, patience=1.0)({"type": "http", "headers": []}, receive, send))
    assert out == []
