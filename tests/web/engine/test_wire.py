"""Messages between the server and its engine."""

from __future__ import annotations

import asyncio
import struct
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tacita.web.engine import EngineUnavailableError, Reply
from tacita.web.engine.wire import LONGEST, pack, receive, reply_from_head, reply_head


def received(content: bytes, times: int = 1) -> list[tuple[dict[str, Any], bytes]]:
    async def read() -> list[tuple[dict[str, Any], bytes]]:
        reader = asyncio.StreamReader()
        reader.feed_data(content)
        reader.feed_eof()
        return [await receive(reader) for _ in range(times)]

    return asyncio.run(read())


@given(st.lists(st.tuples(st.dictionaries(st.text(), st.text()), st.binary()), max_size=4))
def test_messages_travel(messages: list[tuple[dict[str, str], bytes]]) -> None:
    content = b"".join(pack(head, body) for head, body in messages)
    assert received(content, len(messages)) == messages


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"\0" * 7,
        pack({"a": 1}, b"body")[:-1],
        struct.pack(">II", LONGEST, 1),
        struct.pack(">II", 3, 0) + b"{x}",
    ],
)
def test_what_is_no_message(content: bytes) -> None:
    with pytest.raises(EngineUnavailableError):
        received(content)


def test_replies_travel() -> None:
    reply = Reply(
        status="refused", body=b"{}", id="a", reasons=("cell_size", "row_audit"), dataset="survey", is_timed=True
    )
    assert reply_from_head(reply_head(reply), reply.body) == reply
