"""A line between two who know each other's keys: frames with a version and a length, a handshake, then encrypted messages.

A frame is a byte of version, two bytes of length, and as many bytes. Its length is looked at before it is read, and every wait
has an end: the handshake as a whole, the rest of a frame after its first byte, the other end's taking of what is sent, and
silence. Whatever goes wrong is a :class:`~tacita.games.peers.noise.BrokenRulesError` with a kind to count, and a closed line.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Collection, Iterator

from tacita.games.peers.keys import PeerKey
from tacita.games.peers.limits import MOST_FRAME, PeerLimits
from tacita.games.peers.messages import BLOCK, PeerMessage, decode_message, encode_message, padded, unpadded
from tacita.games.peers.noise import (
    HANDSHAKE_LENGTHS,
    TAG,
    BrokenRulesError,
    LineCipher,
    NoiseCalled,
    NoiseCaller,
)

__all__ = ["HEADER", "VERSION", "SecureChannel"]

VERSION = 1
HEADER = 3
"""Bytes in front of a frame."""
_PROLOGUE = b"tacita games peer" + bytes([VERSION])


class SecureChannel:
    """An open line. Made by :meth:`call` and :meth:`accept`, never by hand.

    Parameters
    ----------
    reader, writer
        The socket.
    ciphers
        For sending and for receiving.
    theirs
        The public key of the other end, which has shown that it owns the private one.
    limits
        How long to wait.
    """

    def __init__(
        self,
        reader: asyncio.StreamReader,
        writer: asyncio.StreamWriter,
        ciphers: tuple[LineCipher, LineCipher],
        theirs: bytes,
        limits: PeerLimits,
    ) -> None:
        self.theirs, self._limits = theirs, limits
        self._reader, self._writer = reader, writer
        self._sending, self._receiving = ciphers
        self._turn = asyncio.Lock()

    # --- the handshake ----------------------------------------------------------------------------------------------------

    @classmethod
    async def call(cls, host: str, port: int, own: PeerKey, theirs: bytes, limits: PeerLimits) -> SecureChannel:
        """Call somebody whose public key is known.

        Raises
        ------
        BrokenRulesError
            When nobody is there, or somebody else than the owner of the key.
        """
        writer: asyncio.StreamWriter | None = None
        try:
            with _broken_rules("slow"):
                async with asyncio.timeout(limits.connect_seconds):
                    reader, writer = await asyncio.open_connection(host, port, limit=MOST_FRAME)
                    caller = NoiseCaller(own, theirs, _PROLOGUE)
                    writer.write(_framed(caller.first()))
                    third, _ = caller.third(await _read_exactly(reader, HANDSHAKE_LENGTHS[1]))
                    writer.write(_framed(third))
                    await writer.drain()
        except BaseException:
            if writer is not None:
                writer.transport.abort()
            raise
        return cls(reader, writer, caller.ciphers(), theirs, limits)

    @classmethod
    async def accept(
        cls,
        reader: asyncio.StreamReader,
        writer: asyncio.StreamWriter,
        own: PeerKey,
        known: Collection[bytes],
        limits: PeerLimits,
    ) -> SecureChannel:
        """Answer somebody who calls, and find out who it is.

        Raises
        ------
        BrokenRulesError
            When it is nobody who is known, or takes too long about it.
        """
        with _broken_rules("slow"):
            async with asyncio.timeout(limits.connect_seconds):
                called = NoiseCalled(own, _PROLOGUE)
                second, _ = called.second(await _read_exactly(reader, HANDSHAKE_LENGTHS[0]))
                writer.write(_framed(second))
                theirs, _ = called.last(await _read_exactly(reader, HANDSHAKE_LENGTHS[2]))
        if theirs not in known:
            raise BrokenRulesError("stranger", "Somebody called whose key is not in the roster.")
        return cls(reader, writer, called.ciphers(), theirs, limits)

    # --- messages ---------------------------------------------------------------------------------------------------------

    async def send(self, message: PeerMessage) -> None:
        """Send a message; waits while the other end does not take what was sent before.

        Raises
        ------
        BrokenRulesError
            When the line is closed, or nothing is taken from it.
        """
        filled = padded(encode_message(message))
        with _broken_rules("slow"):
            async with asyncio.timeout(self._limits.frame_seconds), self._turn:
                header = _header(len(filled) + TAG)
                self._writer.write(header + self._sending.encrypt(filled, header))
                await self._writer.drain()

    async def receive(self) -> PeerMessage:
        """Return the next message.

        Raises
        ------
        BrokenRulesError
            When the line is closed or silent, or what comes is no message.
        """
        with _broken_rules("idle"):
            async with asyncio.timeout(self._limits.idle_seconds):
                start = await self._reader.readexactly(1)
        with _broken_rules("slow"):
            async with asyncio.timeout(self._limits.frame_seconds):
                header = start + await self._reader.readexactly(HEADER - 1)
                length = _length_of(header)
                if length > MOST_FRAME or length % BLOCK != TAG:
                    raise BrokenRulesError("size", "A frame has a length that no message has.")
                sealed = await self._reader.readexactly(length)
        return decode_message(unpadded(self._receiving.decrypt(sealed, header)))

    def close(self) -> None:
        """Close the line at once; what was sent and not taken is dropped."""
        self._writer.transport.abort()

    async def finish(self) -> None:
        """Close the line after the other end has what was sent, or has had its time."""
        with contextlib.suppress(BrokenRulesError), _broken_rules("slow"):
            async with asyncio.timeout(self._limits.frame_seconds):
                await self._writer.drain()
                self._writer.close()
                await self._writer.wait_closed()
        self._writer.transport.abort()


# --- frames ---------------------------------------------------------------------------------------------------------------


def _header(length: int) -> bytes:
    return bytes([VERSION]) + length.to_bytes(2, "big")


def _framed(content: bytes) -> bytes:
    return _header(len(content)) + content


def _length_of(header: bytes) -> int:
    if header[0] != VERSION:
        raise BrokenRulesError("garbage", "What came is of another protocol, or of another version of it.")
    return int.from_bytes(header[1:], "big")


async def _read_exactly(reader: asyncio.StreamReader, length: int) -> bytes:
    """Read a frame of a handshake, whose length is known beforehand."""
    if _length_of(await reader.readexactly(HEADER)) != length:
        raise BrokenRulesError("garbage", "A handshake has another length than handshakes have.")
    return await reader.readexactly(length)


@contextlib.contextmanager
def _broken_rules(late: str) -> Iterator[None]:
    """Turn what the network reports into broken rules; ``late`` is the kind of what took too long."""
    try:
        yield
    except TimeoutError:
        raise BrokenRulesError(late, "The other end took too long.") from None
    except asyncio.IncompleteReadError as error:
        kind = "garbage" if error.partial else "gone"
        raise BrokenRulesError(kind, "The other end closed the line.") from None
    except OSError:
        raise BrokenRulesError("gone", "The other end cannot be reached.") from None
