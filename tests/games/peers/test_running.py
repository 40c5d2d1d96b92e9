from __future__ import annotations

import asyncio
import json
import os
import signal
import socket
import threading
from pathlib import Path
from typing import Any

import pytest

from tacita.core.errors import FileError, ParameterError
from tacita.games.peers.backend import SearchBackend
from tacita.games.peers.peer import Peer
from tacita.games.peers.running import listening_socket, run_party
from tests.games.peers.material import INDEX, PATIENT, Group


class _Aside:
    """A back end in a thread of its own, for as long as a test needs one."""

    def __init__(self, made: Group) -> None:
        self.made, self.loop = made, asyncio.new_event_loop()
        self.thread = threading.Thread(target=self.loop.run_forever, daemon=True)

    def __enter__(self) -> _Aside:
        self.thread.start()
        self.party = SearchBackend(self.made.roster, self.made.keys["backend"], INDEX)
        asyncio.run_coroutine_threadsafe(self.party.start(self.made.sockets["backend"]), self.loop).result(5)
        return self

    def __exit__(self, *_: object) -> None:
        asyncio.run_coroutine_threadsafe(self.party.stop(0.1), self.loop).result(5)
        self.loop.call_soon_threadsafe(self.loop.stop)
        self.thread.join(5)
        for sock in self.made.sockets.values():
            sock.close()


def _run(queries: Path | None, **options: Any) -> tuple[bool, list[dict[str, Any]]]:
    made, events = Group(1), []
    with _Aside(made):
        peer = Peer("p1", made.roster, made.keys["p1"], limits=PATIENT, seed=1)
        whole = run_party(peer, events.append, sock=made.sockets["p1"], queries=queries, grace=0.1, **options)
    return whole, events


def test_a_stream_is_answered_and_the_end_is_told(tmp_path: Path) -> None:
    queries = tmp_path / "queries.txt"
    queries.write_text("salt\n\n  guitar  \nsalt")
    whole, events = _run(queries, linger=0.0, status_file=tmp_path / "status.json")
    assert whole
    assert [event["event"] for event in events] == ["ready", "answer", "answer", "answer", "done", "stopped"]
    assert sorted(event["number"] for event in events if event["event"] == "answer") == [1, 2, 3]
    status = json.loads((tmp_path / "status.json").read_text())
    assert status["own"]["own"] == 3
    assert {path.name for path in tmp_path.iterdir()} == {"queries.txt", "status.json"}


def test_lines_that_are_no_queries_are_told_and_the_rest_goes_on(tmp_path: Path) -> None:
    queries = tmp_path / "queries.txt"
    queries.write_bytes(b"salt\n\xff\xfe\n" + b"x" * 200_000 + b"\na\x00b\nguitar\n")
    whole, events = _run(queries, linger=0.0)
    assert not whole
    assert sorted(event["number"] for event in events if event["event"] == "unanswered") == [2, 3, 4]
    assert next(event for event in events if event["event"] == "done") == {
        "event": "done",
        "answered": 2,
        "unanswered": 3,
    }


def test_a_signal_ends_it_in_order(tmp_path: Path) -> None:
    """It lingers for ever after its last query, until it is told to stop; what was answered stays answered."""
    queries = tmp_path / "queries.txt"
    queries.write_text("salt\n")
    made, events = Group(1), []

    def tell(event: dict[str, Any]) -> None:
        events.append(event["event"])
        if event["event"] == "done":
            os.kill(os.getpid(), signal.SIGTERM)

    with _Aside(made):
        peer = Peer("p1", made.roster, made.keys["p1"], limits=PATIENT, seed=1)
        assert run_party(peer, tell, sock=made.sockets["p1"], queries=queries, grace=0.1)
    assert events == ["ready", "answer", "done", "stopped"]


def test_queries_that_are_not_there_end_it_with_an_error(tmp_path: Path) -> None:
    with pytest.raises(FileError, match=r"queries 'none\.txt' cannot be read"):
        _run(tmp_path / "none.txt")
    os.mkfifo(tmp_path / "pipe")
    for name in ("pipe", "."):
        with pytest.raises(FileError, match="must be a file"):
            _run(tmp_path / name)


def test_a_reader_of_the_answers_who_goes_ends_it(tmp_path: Path) -> None:
    queries = tmp_path / "queries.txt"
    queries.write_text("salt\n" * 500)
    made, told = Group(1), []

    def tell(event: dict[str, Any]) -> None:
        told.append(event["event"])
        if told.count("answer") > 3:
            raise BrokenPipeError

    with _Aside(made):
        peer = Peer("p1", made.roster, made.keys["p1"], limits=PATIENT, seed=1)
        with pytest.raises(BrokenPipeError):
            run_party(peer, tell, sock=made.sockets["p1"], queries=queries, grace=0.1)
    assert told.count("answer") < 20


def test_a_status_that_cannot_be_written_ends_it_with_an_error(tmp_path: Path) -> None:
    with pytest.raises(FileError, match="status 'status' cannot be written"):
        _run(None, status_file=tmp_path / "none" / "status")


def test_a_socket_that_was_handed_over() -> None:
    with socket.socket() as sock:
        sock.bind(("127.0.0.1", 0))
        with pytest.raises(ParameterError, match="listens"):
            listening_socket(os.dup(sock.fileno()))
        sock.listen()
        with listening_socket(os.dup(sock.fileno())) as same:
            assert same.getsockname() == sock.getsockname()
    with socket.socket() as sock:
        sock.bind(("0.0.0.0", 0))
        sock.listen()
        with pytest.raises(ParameterError, match="of this machine alone"):
            listening_socket(os.dup(sock.fileno()))
        listening_socket(os.dup(sock.fileno()), beyond_this_machine=True).close()
    for number in (10_000, 2**70):
        with pytest.raises(ParameterError, match="open socket that listens"):
            listening_socket(number)
