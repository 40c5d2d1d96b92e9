"""Two at the ends of a line, with and without keys; eight peers and a back end that share a process."""

from __future__ import annotations

import asyncio
import contextlib
import socket
import time
from typing import Any

from benchmarks.tables import ratio_of
from tacita.games.peers.backend import SearchBackend
from tacita.games.peers.channel import SecureChannel
from tacita.games.peers.documents import read_documents
from tacita.games.peers.keys import PeerKey
from tacita.games.peers.limits import PeerLimits
from tacita.games.peers.messages import SearchAnswer, SearchRequest, decode_message, encode_message
from tacita.games.peers.noise import BrokenRulesError
from tacita.games.peers.peer import Peer
from tacita.games.peers.roster import Roster, roster_entry

__all__ = ["run"]

_LIMITS = PeerLimits(queries_per_minute=1_000_000)
_HITS = tuple((f"A title of some length, number {number}", 7.5) for number in range(10))


def _listening() -> socket.socket:
    sock = socket.socket()
    sock.bind(("127.0.0.1", 0))
    sock.listen()
    return sock


async def _lines(opened: int, asked: int) -> tuple[float, float]:
    """Seconds to open so many lines, and to ask so many questions over one."""
    own, theirs, sock = PeerKey.draw(), PeerKey.draw(), _listening()

    async def called(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        line = await SecureChannel.accept(reader, writer, theirs, {own.public}, _LIMITS)
        with contextlib.suppress(BrokenRulesError):  # the caller closes it in the end
            while True:
                request = await line.receive()
                await line.send(SearchAnswer(request.number, _HITS))

    async with await asyncio.start_server(called, sock=sock):
        begin = time.perf_counter()
        lines = [
            await SecureChannel.call("127.0.0.1", sock.getsockname()[1], own, theirs.public, _LIMITS)
            for _ in range(opened)
        ]
        opening = time.perf_counter() - begin
        begin = time.perf_counter()
        for number in range(asked):
            await lines[0].send(SearchRequest(number, "a query of three words"))
            await lines[0].receive()
        asking = time.perf_counter() - begin
        for line in lines:
            line.close()
        await asyncio.sleep(0.05)
    return opening, asking


async def _plain(asked: int) -> float:
    sock = _listening()

    async def called(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        for _ in range(asked):
            request = decode_message((await reader.readline())[:-1])
            writer.write(encode_message(SearchAnswer(request.number, _HITS)) + b"\n")
            await writer.drain()
        writer.close()

    async with await asyncio.start_server(called, sock=sock):
        reader, writer = await asyncio.open_connection(*sock.getsockname())
        begin = time.perf_counter()
        for number in range(asked):
            writer.write(encode_message(SearchRequest(number, "a query of three words")) + b"\n")
            await writer.drain()
            decode_message((await reader.readline())[:-1])
        seconds = time.perf_counter() - begin
        writer.close()
    return seconds


async def _group(peers: int, each: int) -> float:
    """Seconds for the queries of a group that shares one process; their words are those of everybody."""
    names = ["backend", *(f"p{number}" for number in range(peers))]
    keys, sockets = {name: PeerKey.draw() for name in names}, {name: _listening() for name in names}
    entries = [roster_entry(n, f"127.0.0.1:{sockets[n].getsockname()[1]}", keys[n].public) for n in names]
    roster = Roster(entries[0], tuple(entries[1:]))
    backend = SearchBackend(roster, keys["backend"], read_documents("sample"), limits=_LIMITS)
    group = [Peer(name, roster, keys[name], limits=_LIMITS, seed=1) for name in names[1:]]
    await asyncio.gather(*(party.start(sockets[party.entry.name]) for party in (backend, *group)))

    async def stream(peer: Peer, place: int) -> None:
        for number in range(each):
            await peer.search(f"{('soccer', 'guitar', 'java')[number * (place + 1) % 3]} {number % 5}")

    begin = time.perf_counter()
    await asyncio.gather(*(stream(peer, place) for place, peer in enumerate(group)))
    seconds = time.perf_counter() - begin
    await asyncio.gather(*(party.stop() for party in (backend, *group)))
    return seconds


def run(quick: bool = False) -> list[dict[str, Any]]:
    """Time lines and a group."""
    opened, asked, each = (50, 500, 20) if quick else (200, 5000, 200)
    opening, asking = asyncio.run(_lines(opened, asked))
    plain = asyncio.run(_plain(asked))
    group = asyncio.run(_group(8, each))
    return [
        {"case": "lines opened", "number": opened, "seconds": opening, "a_second": opened / opening},
        {
            "case": "questions and answers over one line",
            "number": asked,
            "seconds": asking,
            "a_second": asked / asking,
            "plain_s": plain,
            "ratio": ratio_of(asking, plain),
        },
        {
            "case": "queries of 8 peers in one process",
            "number": 8 * each,
            "seconds": group,
            "a_second": 8 * each / group,
        },
    ]
