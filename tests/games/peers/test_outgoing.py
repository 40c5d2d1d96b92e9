from __future__ import annotations

import asyncio
import itertools
from collections.abc import Callable

import numpy as np
import pytest

from tacita.games.peers.channel import SecureChannel
from tacita.games.peers.keys import PeerKey
from tacita.games.peers.messages import PeerMessage, SearchAnswer, SearchRequest
from tacita.games.peers.noise import BrokenRulesError
from tacita.games.peers.outgoing import Outgoing
from tacita.games.peers.roster import RosterEntry
from tests.games.peers.material import PATIENT, listening

OWN, THEIRS = PeerKey.draw(), PeerKey.draw()
Reply = Callable[[SearchRequest], list[PeerMessage] | None]


async def _against(reply: Reply, act: Callable[[Outgoing], object]) -> None:
    """Call somebody who replies as told; None ends the line."""
    sock = listening()

    async def called(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            line = await SecureChannel.accept(reader, writer, THEIRS, {OWN.public}, PATIENT)
            while True:
                request = await line.receive()
                messages = reply(request) if isinstance(request, SearchRequest) else None
                if messages is None:
                    break
                for message in messages:
                    await line.send(message)
        except BrokenRulesError:
            pass
        writer.transport.abort()

    entry = RosterEntry("them", "127.0.0.1", sock.getsockname()[1], THEIRS.public)
    out = Outgoing(entry, OWN, PATIENT, np.random.default_rng(1))
    async with await asyncio.start_server(called, sock=sock):
        await act(out)  # type: ignore[misc]
        await out.close()
        assert not out._waiting  # nobody is left without a word


async def _kind(out: Outgoing, seconds: float = 3.0) -> str:
    with pytest.raises(BrokenRulesError) as caught:
        await out.ask("x", seconds)
    return caught.value.kind


def test_answers_find_their_questions() -> None:
    held: list[SearchRequest] = []

    def reply(request: SearchRequest) -> list[PeerMessage]:
        """All at the end, the last one first."""
        held.append(request)
        return [SearchAnswer(r.number, ((r.query, 1.0),)) for r in reversed(held)] if len(held) == 20 else []

    async def act(out: Outgoing) -> None:
        found = await asyncio.gather(*(out.ask(f"q{i}", 2.0) for i in range(20)))
        assert [one.hits[0][0] for one in found if isinstance(one, SearchAnswer)] == [f"q{i}" for i in range(20)]

    asyncio.run(_against(reply, act))


def test_one_who_closes_is_absent_and_comes_back() -> None:
    times = itertools.count()

    def reply(request: SearchRequest) -> list[PeerMessage] | None:
        return None if next(times) == 0 else [SearchAnswer(request.number, ())]

    async def act(out: Outgoing) -> None:
        assert await _kind(out) == "gone"
        assert out.is_absent
        assert out.absences == 1
        assert await _kind(out) == "gone"  # not even tried
        await asyncio.sleep(out.seconds_to_wait)
        assert await out.ask("x", 1.0) == SearchAnswer(1, ())
        assert not out.is_absent

    asyncio.run(_against(reply, act))


def test_one_who_does_not_answer_is_given_up() -> None:
    async def act(out: Outgoing) -> None:
        assert await _kind(out, 0.1) == "slow"
        assert out.is_absent

    asyncio.run(_against(lambda _: [], act))


@pytest.mark.parametrize("message", [SearchAnswer(999, ()), SearchRequest(0, "x")], ids=["unasked", "asks back"])
def test_one_who_breaks_the_rules_is_dropped(message: PeerMessage) -> None:
    async def act(out: Outgoing) -> None:
        assert await _kind(out, 2.0) == "gone"
        assert out.absences == 1

    asyncio.run(_against(lambda _: [message], act))


def test_pauses_grow_and_have_their_limit() -> None:
    async def act() -> list[float]:
        sock = listening()
        port = sock.getsockname()[1]
        sock.close()
        out = Outgoing(RosterEntry("them", "127.0.0.1", port, THEIRS.public), OWN, PATIENT, np.random.default_rng(1))
        pauses = []
        for _ in range(16):
            out._again = 0.0
            with pytest.raises(BrokenRulesError):
                await out.open()
            pauses.append(out.seconds_to_wait)
        return pauses

    pauses = asyncio.run(act())
    for number, pause in enumerate(pauses):
        most = min(PATIENT.first_pause * 2**number, PATIENT.longest_pause)
        assert 0.4 * most < pause <= most
    assert max(pauses) > 0.5 * PATIENT.longest_pause
