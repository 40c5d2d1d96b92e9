from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import replace

import pytest

from tacita.games.peers.channel import VERSION, SecureChannel
from tacita.games.peers.keys import PeerKey
from tacita.games.peers.limits import PeerLimits
from tacita.games.peers.messages import SearchRequest
from tacita.games.peers.noise import BrokenRulesError
from tests.games.peers.material import HASTY, PATIENT, listening

OWN, THEIRS = PeerKey.draw(), PeerKey.draw()
Both = Callable[[SecureChannel, SecureChannel], Awaitable[None]]


async def _between(act: Both, limits: PeerLimits = PATIENT) -> None:
    """Open a line and hand both ends to the test."""
    sock = listening()
    accepted: asyncio.Future[SecureChannel] = asyncio.get_running_loop().create_future()

    async def called(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        accepted.set_result(await SecureChannel.accept(reader, writer, THEIRS, {OWN.public}, limits))

    async with await asyncio.start_server(called, sock=sock):
        caller = await SecureChannel.call("127.0.0.1", sock.getsockname()[1], OWN, THEIRS.public, limits)
        answering = await accepted
        assert (caller.theirs, answering.theirs) == (THEIRS.public, OWN.public)
        await act(caller, answering)
        caller.close()
        answering.close()


def test_messages_arrive_in_order_both_ways() -> None:
    async def act(one: SecureChannel, other: SecureChannel) -> None:
        assert (one.theirs, other.theirs) == (THEIRS.public, OWN.public)
        for number in range(50):
            await one.send(SearchRequest(number, f"question {number}"))
            await other.send(SearchRequest(number, "back"))
        for number in range(50):
            assert await other.receive() == SearchRequest(number, f"question {number}")
            assert (await one.receive()).number == number

    asyncio.run(_between(act))


def test_many_may_send_at_the_same_time() -> None:
    async def act(one: SecureChannel, other: SecureChannel) -> None:
        await asyncio.gather(*(one.send(SearchRequest(number, "x")) for number in range(20)))
        assert sorted([(await other.receive()).number for _ in range(20)]) == list(range(20))

    asyncio.run(_between(act))


async def _raw(content: bytes, *, then_close: bool = False) -> str:
    """The kind that is counted when somebody who calls sends these bytes."""
    sock = listening()
    kind: asyncio.Future[str] = asyncio.get_running_loop().create_future()

    async def called(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            await SecureChannel.accept(reader, writer, THEIRS, {OWN.public}, HASTY)
        except BrokenRulesError as error:
            kind.set_result(error.kind)
        writer.transport.abort()

    async with await asyncio.start_server(called, sock=sock):
        _, writer = await asyncio.open_connection(*sock.getsockname())
        writer.write(content)
        if then_close:
            writer.close()
        found = await asyncio.wait_for(kind, 5)
        writer.transport.abort()
    return found


@pytest.mark.parametrize(
    ("content", "then_close", "kind"),
    [
        (b"GET / HTTP/1.1\r\n\r\n", False, "garbage"),
        (bytes([VERSION]) + b"\xff\xff" + b"x" * 100_000, False, "garbage"),
        (bytes([VERSION]) + b"\x00\x30" + bytes(48), False, "forged"),
        (bytes([VERSION]) + b"\x00\x30" + b"\x09" * 48, False, "forged"),
        (bytes([VERSION + 1]) + b"\x00\x30" + bytes(48), False, "garbage"),
        (bytes([VERSION]) + b"\x00\x30" + bytes(10), True, "garbage"),
        (b"", True, "gone"),
        (b"", False, "slow"),
        (bytes([VERSION]), False, "slow"),
    ],
)
def test_who_does_not_shake_hands_is_cut_off(content: bytes, then_close: bool, kind: str) -> None:
    assert asyncio.run(_raw(content, then_close=then_close)) == kind


def test_a_drop_at_a_time_is_too_slow() -> None:
    """The handshake as a whole has its time, however often a byte comes."""

    async def act() -> str:
        sock = listening()
        kind: asyncio.Future[str] = asyncio.get_running_loop().create_future()

        async def called(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            try:
                await SecureChannel.accept(reader, writer, THEIRS, {OWN.public}, HASTY)
            except BrokenRulesError as error:
                kind.set_result(error.kind)

        async with await asyncio.start_server(called, sock=sock):
            _, writer = await asyncio.open_connection(*sock.getsockname())
            for byte in bytes([VERSION]) + b"\x00\x30" + bytes(40):
                if kind.done():
                    break
                writer.write(bytes([byte]))
                await asyncio.sleep(0.05)
            found = await asyncio.wait_for(kind, 5)
            writer.transport.abort()
        return found

    assert asyncio.run(act()) == "slow"


def test_a_stranger_is_sent_away() -> None:
    async def act() -> None:
        sock = listening()
        kind: asyncio.Future[str] = asyncio.get_running_loop().create_future()

        async def called(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            with pytest.raises(BrokenRulesError) as caught:
                await SecureChannel.accept(reader, writer, THEIRS, {OWN.public}, PATIENT)
            writer.transport.abort()
            kind.set_result(caught.value.kind)

        async with await asyncio.start_server(called, sock=sock):
            line = await SecureChannel.call("127.0.0.1", sock.getsockname()[1], PeerKey.draw(), THEIRS.public, PATIENT)
            assert await kind == "stranger"
            with pytest.raises(BrokenRulesError):
                await line.receive()

    asyncio.run(act())


def test_somebody_else_at_the_address_is_found_out() -> None:
    async def act() -> None:
        sock = listening()

        async def called(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            with pytest.raises(BrokenRulesError):
                await SecureChannel.accept(reader, writer, PeerKey.draw(), {OWN.public}, PATIENT)
            writer.transport.abort()

        async with await asyncio.start_server(called, sock=sock):
            with pytest.raises(BrokenRulesError):
                await SecureChannel.call("127.0.0.1", sock.getsockname()[1], OWN, THEIRS.public, PATIENT)

    asyncio.run(act())


def test_nobody_there_and_nobody_answering() -> None:
    async def act() -> list[str]:
        silent, closed, kinds = listening(), listening(), []
        port = closed.getsockname()[1]
        closed.close()
        for place in (silent.getsockname()[1], port):
            with pytest.raises(BrokenRulesError) as caught:
                await SecureChannel.call("127.0.0.1", place, OWN, THEIRS.public, HASTY)
            kinds.append(caught.value.kind)
        silent.close()
        return kinds

    assert asyncio.run(act()) == ["slow", "gone"]


def _sent(line: SecureChannel, content: bytes) -> None:
    line._writer.write(content)


@pytest.mark.parametrize(
    ("content", "kind"),
    [
        (bytes([VERSION]) + b"\xff\xff", "size"),
        (bytes([VERSION]) + b"\x00\x00", "size"),
        (bytes([VERSION]) + b"\x02\x11", "size"),
        (bytes([VERSION]) + b"\x02\x10" + bytes(528), "forged"),
        (b"\x07\x02\x10" + bytes(528), "garbage"),
        (bytes([VERSION]) + b"\x02\x10" + bytes(100), "slow"),
    ],
)
def test_frames_that_are_none_end_the_line(content: bytes, kind: str) -> None:
    async def act(one: SecureChannel, other: SecureChannel) -> None:
        _sent(one, content)
        with pytest.raises(BrokenRulesError) as caught:
            await other.receive()
        assert caught.value.kind == kind

    asyncio.run(_between(act, HASTY if kind == "slow" else PATIENT))


def test_what_was_recorded_on_the_line_cannot_be_sent_again() -> None:
    async def act(one: SecureChannel, other: SecureChannel) -> None:
        said: list[bytes] = []
        write = one._writer.write
        one._writer.write = lambda data: (said.append(bytes(data)), write(data))[1]  # type: ignore[method-assign,assignment]
        await one.send(SearchRequest(1, "canary-query"))
        assert await other.receive() == SearchRequest(1, "canary-query")
        assert b"canary" not in said[0]
        write(said[0])
        with pytest.raises(BrokenRulesError) as caught:
            await other.receive()
        assert caught.value.kind == "forged"

    asyncio.run(_between(act))


def test_silence_ends_a_line() -> None:
    async def act(_: SecureChannel, other: SecureChannel) -> None:
        other._limits = replace(PATIENT, idle_seconds=0.05)
        with pytest.raises(BrokenRulesError) as caught:
            await other.receive()
        assert caught.value.kind == "idle"

    asyncio.run(_between(act))


def test_who_takes_nothing_is_not_waited_for() -> None:
    async def act(one: SecureChannel, _: SecureChannel) -> None:
        async def send_all() -> None:
            for number in range(100_000):
                await one.send(SearchRequest(number, "x" * 500))

        with pytest.raises(BrokenRulesError) as caught:
            await send_all()
        assert caught.value.kind == "slow"

    asyncio.run(_between(act, HASTY))
