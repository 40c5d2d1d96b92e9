from __future__ import annotations

import asyncio
import random
from collections.abc import Awaitable, Callable
from dataclasses import replace

import pytest

from tacita.core.errors import FileError
from tacita.games.peers.channel import SecureChannel
from tacita.games.peers.keys import PeerKey
from tacita.games.peers.limits import PeerLimits
from tacita.games.peers.listener import Listener
from tacita.games.peers.messages import SearchAnswer, SearchRefusal, SearchRequest
from tacita.games.peers.noise import BrokenRulesError
from tacita.games.peers.roster import roster_entry
from tests.games.peers.material import HASTY, PATIENT, listening

OWN, ADA = PeerKey.draw(), PeerKey.draw()


class _Place:
    """A listener, and how to call it."""

    def __init__(self, limits: PeerLimits = PATIENT, seconds: float = 0.0) -> None:
        self.sock = listening()
        self.port = self.sock.getsockname()[1]
        self.asked: list[str] = []
        self.seconds = seconds
        self.listener = Listener(OWN, {ADA.public: "ada"}, self._answer, limits)

    async def _answer(self, name: str, request: SearchRequest) -> SearchAnswer | SearchRefusal:
        self.asked.append(f"{name}: {request.query}")
        await asyncio.sleep(self.seconds)
        if request.query == "fault":
            raise RuntimeError("canary")
        return SearchAnswer(request.number, ((request.query, 1.0),))

    async def call(self, key: PeerKey = ADA) -> SecureChannel:
        return await SecureChannel.call("127.0.0.1", self.port, key, OWN.public, PATIENT)

    async def raw(self, content: bytes = b"") -> asyncio.StreamReader:
        reader, writer = await asyncio.open_connection("127.0.0.1", self.port)
        self.kept = [*getattr(self, "kept", []), writer]
        writer.write(content)
        return reader


def _run(act: Callable[[_Place], Awaitable[None]], limits: PeerLimits = PATIENT, seconds: float = 0.0) -> _Place:
    async def inside() -> _Place:
        place = _Place(limits, seconds)
        await place.listener.start(roster_entry("here", "127.0.0.1:1", OWN.public), place.sock)
        try:
            async with asyncio.timeout(20):
                await act(place)
        finally:
            await place.listener.stop(0.1)
        assert place.listener.at_work == 0  # nothing is left running
        return place

    return asyncio.run(inside())


async def _still_answers(place: _Place) -> None:
    line = await place.call()
    await line.send(SearchRequest(7, "still there"))
    assert await line.receive() == SearchAnswer(7, (("still there", 1.0),))
    line.close()


def test_requests_are_answered_under_the_name_of_the_roster() -> None:
    place = _run(_still_answers)
    assert place.asked == ["ada: still there"]
    assert place.listener.counts["calls"] == 1


@pytest.mark.parametrize(
    ("content", "kind"), [(b"\x16\x03\x01\x02\x00", "garbage"), (b"\x01\x00\x30" + bytes(48), "forged"), (b"", "slow")]
)
def test_garbage_ends_in_a_closed_line_and_a_count(content: bytes, kind: str) -> None:
    async def act(place: _Place) -> None:
        readers = [await place.raw(content) for _ in range(5)]
        for reader in readers:
            assert len(await _to_its_end(reader)) < 200
        await _still_answers(place)

    assert _run(act, HASTY).listener.counts[kind] == 5


def test_whatever_comes_the_listener_lives() -> None:
    """Fuzz: frames with a right or a wrong header, cut off or too long, a hundred of them."""

    async def act(place: _Place) -> None:
        rng = random.Random(1)
        heads = [b"", b"\x01", b"\x01\x00\x30", b"\x01\x00\x40", b"\x01\xff\xff", b"\x02\x00\x30", b"\x00"]
        for _ in range(100):
            _, writer = await asyncio.open_connection("127.0.0.1", place.port)
            writer.write(rng.choice(heads) + rng.randbytes(rng.choice([0, 1, 45, 48, 500, 20_000])))
            writer.close()
        await _still_answers(place)

    counts = _run(act).listener.counts
    assert counts["fault"] == 0
    assert counts["garbage"] + counts["forged"] >= 50


async def _to_its_end(reader: asyncio.StreamReader) -> bytes:
    try:
        return await asyncio.wait_for(reader.read(-1), 5)
    except ConnectionError:
        return b""


def test_a_crowd_that_says_nothing_keeps_nobody_out() -> None:
    """The oldest that has not shown who it is makes room."""

    async def act(place: _Place) -> None:
        for _ in range(30):
            await place.raw(b"\x01")
        await _still_answers(place)

    place = _run(act, replace(PATIENT, handshakes=4, connect_seconds=5.0))
    assert place.listener.counts["turned away"] >= 26


def test_there_are_no_more_lines_than_may_be() -> None:
    async def act(place: _Place) -> None:
        lines = [await place.call() for _ in range(4)]
        with pytest.raises(BrokenRulesError):
            await place.call()
        for line in lines:
            line.close()
        await asyncio.sleep(0.05)
        await _still_answers(place)

    limits = replace(PATIENT, connections=4, handshakes=1, connections_of_one=4)
    assert _run(act, limits).listener.counts["turned away"] == 1


def test_a_stranger_is_counted() -> None:
    async def act(place: _Place) -> None:
        line = await place.call(PeerKey.draw())
        with pytest.raises(BrokenRulesError):
            await line.receive()
        await _still_answers(place)

    assert _run(act).listener.counts["stranger"] == 1


def test_who_asks_too_often_is_refused_and_then_cut_off() -> None:
    async def act(place: _Place) -> None:
        line = await place.call()
        got: list[object] = []

        async def ask_on() -> None:
            for number in range(40):
                await line.send(SearchRequest(number, "x"))
                got.append(await line.receive())

        with pytest.raises(BrokenRulesError):
            await ask_on()
        assert sum(isinstance(one, SearchAnswer) for one in got) == 5
        assert got.count(SearchRefusal(9, "busy")) == 1
        assert len(got) == 10

    counts = _run(act, replace(PATIENT, queries_per_minute=5, at_once=2)).listener.counts
    assert (counts["busy"], counts["flood"]) == (5, 1)


def test_a_second_line_does_not_help_who_asks_too_often() -> None:
    async def act(place: _Place) -> None:
        answered = 0
        for number in range(8):
            line = await place.call()
            await line.send(SearchRequest(number, "x"))
            answered += isinstance(await line.receive(), SearchAnswer)
            line.close()
        assert answered == 5

    assert _run(act, replace(PATIENT, queries_per_minute=5)).listener.counts["busy"] == 3


def test_no_more_is_read_than_is_worked_on() -> None:
    async def act(place: _Place) -> None:
        line = await place.call()
        for number in range(10):
            await line.send(SearchRequest(number, "x"))
        await asyncio.sleep(0.1)
        assert place.listener.at_work == len(place.asked) == 2
        assert [(await line.receive()).number for _ in range(10)] == list(range(10))
        line.close()

    _run(act, replace(PATIENT, at_once=2), seconds=0.2)


def test_a_further_line_of_one_peer_closes_its_oldest() -> None:
    async def act(place: _Place) -> None:
        lines = [await place.call() for _ in range(3)]
        await lines[2].send(SearchRequest(1, "x"))
        assert (await lines[2].receive()).number == 1
        with pytest.raises(BrokenRulesError):
            await lines[0].receive()
        await lines[1].send(SearchRequest(2, "x"))
        assert (await lines[1].receive()).number == 2

    _run(act, replace(PATIENT, connections_of_one=2))


def test_a_fault_of_the_program_takes_one_line_with_it() -> None:
    async def act(place: _Place) -> None:
        line = await place.call()
        await line.send(SearchRequest(1, "fault"))
        with pytest.raises(BrokenRulesError):
            await line.receive()
        await _still_answers(place)

    assert _run(act).listener.counts["fault"] == 1


def test_an_answer_that_nobody_asked_for_is_broken_rules() -> None:
    async def act(place: _Place) -> None:
        line = await place.call()
        await line.send(SearchAnswer(1, ()))
        with pytest.raises(BrokenRulesError):
            await line.receive()

    assert _run(act).listener.counts["form"] == 1


def test_an_address_that_is_taken_is_said() -> None:
    async def act(place: _Place) -> None:
        other = Listener(OWN, {}, place._answer, PATIENT)
        with pytest.raises(FileError, match=r"'here' cannot listen at 127\.0\.0\.1"):
            await other.start(roster_entry("here", f"127.0.0.1:{place.port}", OWN.public))

    _run(act)


def test_what_is_being_answered_is_answered_before_the_end() -> None:
    async def act(place: _Place) -> None:
        line = await place.call()
        await line.send(SearchRequest(1, "x"))
        await asyncio.sleep(0.05)
        stopping = asyncio.create_task(place.listener.stop(2.0))
        assert (await line.receive()).number == 1
        await stopping
        with pytest.raises(BrokenRulesError):
            await place.call()

    _run(act, seconds=0.15)
