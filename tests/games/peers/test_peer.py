from __future__ import annotations

import asyncio
from dataclasses import replace
from pathlib import Path

import pytest

from tacita.core.errors import DataError, ParameterError
from tacita.games.peers.channel import SecureChannel
from tacita.games.peers.noise import BrokenRulesError
from tacita.games.peers.peer import Peer
from tacita.games.peers.roster import Roster, roster_entry
from tacita.games.peers.view import read_seen
from tests.games.peers.material import HASTY, PATIENT, Group, group


async def _force_forwarding(peer: Peer) -> None:
    """Two submissions of 'salt' and one of 'sea': a third of 'salt' would lower the entropy, so it is forwarded."""
    for query in ("salt", "salt", "sea"):
        peer.decisions.note_submission(query)


def test_a_query_goes_through_a_peer_whose_privacy_it_serves(tmp_path: Path) -> None:
    async def act() -> None:
        async with group(2) as made:
            one, other = await made.start("backend", "p1", "p2", view=tmp_path / "view")
            await _force_forwarding(one)
            other.decisions.note_submission("guitar")
            found = await one.search("salt")
            assert (found.via, found.asked) == ("p2", 1)
            assert {title for title, _ in found.hits} == {"Bread", "Tides"}
            assert one.decisions.forwarded["salt"].counts == {"p2": 1}
            assert one.decisions.submitted.counts == {"salt": 2, "sea": 1}
            assert other.decisions.submitted.counts == {"guitar": 1, "salt": 1}
            assert (one.counts["helped by others"], other.counts["submitted for others"]) == (1, 1)

    asyncio.run(act())
    assert read_seen(tmp_path / "view") == [("p2", "salt")]  # the database has not seen p1


def test_who_ignores_it_makes_the_second_best_come_next() -> None:
    async def act() -> None:
        async with group(4) as made:
            one, *others = await made.start("backend", "p1", "p2", "p3", "p4")
            await _force_forwarding(one)
            others[2].decisions.note_submission("guitar")  # p4 gains, p2 and p3 do not
            one.decisions.note_forward("salt", "p4")  # and p4 is the worst by (2)
            found = await one.search("salt")
            assert (found.via, found.asked) == ("p4", 3)
            assert one.decisions.forwarded["salt"].counts == {"p2": 1, "p3": 1, "p4": 2}

    asyncio.run(act())


@pytest.mark.parametrize(("attempts", "asked"), [(0, 0), (1, 1), (2, 2), (3, 3), (9, 3)])
def test_after_so_many_attempts_it_submits_itself(attempts: int, asked: int) -> None:
    async def act() -> None:
        async with group(4) as made:
            await made.start("backend", "p2", "p3", "p4", helps=False)
            (one,) = await made.start("p1", attempts=attempts)
            await _force_forwarding(one)
            found = await one.search("salt")
            assert (found.via, found.asked) == ("p1", asked)
            assert one.counts["submitted in the end"] == 1
            assert one.decisions.submitted.counts["salt"] == 3

    asyncio.run(act())


def test_peers_who_are_not_there_are_passed_over_and_tried_again() -> None:
    async def act() -> None:
        async with group(3) as made:
            (one,) = await made.start("backend", "p1", limits=HASTY)
            made.hang_up("p2")  # refuses calls
            await _force_forwarding(one)  # p3 takes calls and says nothing
            found = await one.search("salt")
            assert (found.via, found.asked) == ("p1", 0)
            assert one.counts["passed over"] == 2
            assert not one.decisions.forwarded  # nobody has seen it
            assert (await one.search("salt")).asked == 0
            assert one.counts["passed over"] == 2  # they are absent for a while, and not called
            (third,) = await made.start("p3")
            third.decisions.note_submission("guitar")
            await asyncio.sleep(one._lines["p3"].seconds_to_wait)
            assert (await one.search("salt")).via == "p3"

    asyncio.run(act())


async def _fake(made: Group, name: str, *, answers: bool) -> asyncio.Server:
    """A peer that takes a query, has it submitted, and dies (or hangs) before it answers."""

    async def called(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        key, known = made.keys[name], {made.keys["p1"].public}
        line = await SecureChannel.accept(reader, writer, key, known, PATIENT)
        request = await line.receive()
        backend = made.roster.backend
        out = await SecureChannel.call(backend.host, backend.port, key, backend.key, PATIENT)
        await out.send(request)
        await out.receive()
        if answers:
            await asyncio.sleep(2 * HASTY.answer_seconds)
        writer.transport.abort()

    return await asyncio.start_server(called, sock=made.sockets[name])


@pytest.mark.parametrize(("hangs", "count"), [(False, "helper gone"), (True, "helper slow")])
def test_a_helper_that_dies_between_submission_and_answer(tmp_path: Path, hangs: bool, count: str) -> None:
    async def act() -> None:
        async with group(3) as made:
            (one,) = await made.start("backend", "p1", view=tmp_path / "view", limits=HASTY if hangs else PATIENT)
            (third,) = await made.start("p3")
            third.decisions.note_submission("guitar")
            await _force_forwarding(one)
            one.decisions.note_forward("salt", "p3")  # p2 is asked first
            async with await _fake(made, "p2", answers=hangs):
                found = await one.search("salt")
            assert (found.via, found.asked) == ("p3", 2)
            assert one.counts[count] == 1

    asyncio.run(act())
    assert read_seen(tmp_path / "view") == [("p2", "salt"), ("p3", "salt")]


def test_a_back_end_that_comes_back_in_time() -> None:
    async def act() -> None:
        async with group(1) as made:
            (one,) = await made.start("p1", limits=replace(HASTY, patience_seconds=20))
            asking = asyncio.create_task(one.search("salt"))
            await asyncio.sleep(0.8)
            await made.start("backend")
            assert (await asking).via == "p1"
            assert one.counts["waited for the back end"] >= 1

    asyncio.run(act())


def test_without_a_back_end_helpers_say_so_and_the_asker_gives_up_in_the_end() -> None:
    async def act() -> None:
        async with group(2) as made:
            made.hang_up("backend")
            one, other = await made.start("p1", "p2", limits=replace(PATIENT, patience_seconds=0.3))
            await _force_forwarding(one)
            other.decisions.note_submission("guitar")
            with pytest.raises(DataError, match="back end cannot be reached") as caught:
                await one.search("salt")
            assert "salt" not in str(caught.value)
            assert one.counts["helper no back end"] == 1
            assert other.decisions.submitted.counts == {"guitar": 1}  # taken back

    asyncio.run(act())


def test_a_peer_helps_whoever_is_in_the_roster_and_nobody_else() -> None:
    async def act() -> None:
        async with group(2) as made:
            one, _ = await made.start("backend", "p1", "p2")
            one.decisions.note_submission("guitar")
            entry = made.roster["p1"]
            line = await SecureChannel.call(entry.host, entry.port, made.keys["backend"], entry.key, PATIENT)
            with pytest.raises(BrokenRulesError):
                await line.receive()
            assert one.counts["asked by others"] == 0
            assert one.listener.counts["stranger"] == 1

    asyncio.run(act())


def test_a_status_has_counts_and_no_queries() -> None:
    async def act() -> None:
        async with group(2) as made:
            one, _ = await made.start("backend", "p1", "p2")
            for query in ("canary", "canary", "other", "canary"):
                await one.search(query)
            status = one.status()
            assert "canary" not in repr(status) + repr(made.backend.status())
            assert status["own"]["own"] == 4
            assert status["entropy_against_database"] > 0
            assert made.backend.asked["p1"] + made.backend.asked["p2"] == 4

    asyncio.run(act())


def test_what_is_no_peer_is_refused() -> None:
    made = Group(2)
    with pytest.raises(ParameterError, match="not that of 'p1'"):
        Peer("p1", made.roster, made.keys["p2"])
    with pytest.raises(ParameterError, match="no 'p9' in the roster"):
        Peer("p9", made.roster, made.keys["p2"])
    with pytest.raises(ParameterError, match="'backend' is the back end"):
        Peer("backend", made.roster, made.keys["backend"])
    with pytest.raises(ParameterError, match="'attempts' must be a whole number"):
        Peer("p1", made.roster, made.keys["p1"], attempts=-1)
    far = Roster(made.roster.backend, (roster_entry("p1", "192.0.2.1:7700", made.keys["p1"].public),))
    with pytest.raises(ParameterError, match="must be one of this machine"):
        Peer("p1", far, made.keys["p1"])
    assert Peer("p1", far, made.keys["p1"], beyond_this_machine=True).name == "p1"
    for sock in made.sockets.values():
        sock.close()
