"""Readers that do not take what they asked for."""

from __future__ import annotations

import asyncio
from typing import Any

from starlette.responses import PlainTextResponse

from tacita.web.guard import SlowGuard


def sent(patience: float, seconds: float) -> list[str]:
    """The kinds of messages that left to a reader who takes so many seconds for each."""
    out: list[str] = []

    async def send(message: Any) -> None:
        await asyncio.sleep(seconds)
        out.append(message["type"])

    async def receive() -> Any:
        return {"type": "http.request", "body": b"", "more_body": False}

    asyncio.run(SlowGuard(PlainTextResponse("x"), patience)({"type": "http"}, receive, send))
    return out


def test_a_reader_who_takes_it_gets_it() -> None:
    assert sent(5, 0) == ["http.response.start", "http.response.body"]


def test_a_reader_who_does_not_is_left_alone() -> None:
    assert sent(0.02, 5) == []
