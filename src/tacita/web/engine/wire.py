"""Messages between the server and its engine: a head of plain values and a body of bytes, each with its length before it."""

from __future__ import annotations

import asyncio
import json
import struct
from typing import Any

from tacita.web.engine.port import EngineUnavailableError, Reply

__all__ = ["LONGEST", "pack", "receive", "reply_from_head", "reply_head"]

LONGEST = 1 << 28
"""Bytes of a message; the largest answer is far shorter."""

_LENGTHS = struct.Struct(">II")


def pack(head: dict[str, Any], body: bytes = b"") -> bytes:
    """Return a message as bytes.

    Examples
    --------
    >>> pack({"call": "facts"})[8:]
    b'{"call":"facts"}'
    """
    text = json.dumps(head, separators=(",", ":")).encode()
    return _LENGTHS.pack(len(text), len(body)) + text + body


async def receive(reader: asyncio.StreamReader) -> tuple[dict[str, Any], bytes]:
    """Read one message.

    Raises
    ------
    EngineUnavailableError
        When the other side has gone, or sends what is no message.
    """
    try:
        sizes = _LENGTHS.unpack(await reader.readexactly(_LENGTHS.size))
        if sum(sizes) > LONGEST:
            raise EngineUnavailableError("A message between the server and its engine is too long.")
        content = await reader.readexactly(sum(sizes))
        head = json.loads(content[: sizes[0]])
    except (asyncio.IncompleteReadError, ConnectionError, ValueError) as error:
        raise EngineUnavailableError("The engine has gone.") from error
    return head, content[sizes[0] :]


def reply_head(reply: Reply) -> dict[str, Any]:
    """Return all of a reply but its body."""
    return {
        "status": reply.status,
        "id": reply.id,
        "reasons": list(reply.reasons),
        "dataset": reply.dataset,
        "is_timed": reply.is_timed,
    }


def reply_from_head(head: dict[str, Any], body: bytes) -> Reply:
    """Return a reply from its head and its body."""
    return Reply(**{**head, "reasons": tuple(head["reasons"])}, body=body)
