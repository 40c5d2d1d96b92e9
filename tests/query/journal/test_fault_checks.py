"""The checks of ``benchmarks/chaos`` see a violation that is planted: an answer without its entry, or one that changed."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from benchmarks.chaos.askers import is_refusal
from benchmarks.chaos.checks import Answers, changed_answers, journal_flaws, reply_flaws

from tacita.query.journal.journal import FileJournal
from tests.query.journal.children import KEY

QUESTIONS = [b"?0", b"?1", b"?2"]


def body(number: int) -> bytes:
    return json.dumps({"request": {"by": [f"v{number}"]}, "cells": [number]}).encode()


@pytest.fixture
def journal(tmp_path: Path) -> Path:
    """A journal with three answers, the second of which left twice, and a refusal at the end."""
    path = tmp_path / "journal"
    made = FileJournal(path, key=KEY)
    for number in (0, 1, 1, 2):
        made.append(user="ada", request={"by": [f"v{number}"]}, status="answered", answer=[number])
    made.append(user="ada", request={"by": ["v3"]}, status="refused")
    return path


@pytest.fixture
def received() -> Answers:
    return {QUESTIONS[number]: {body(number): 1 + (number == 1)} for number in range(3)}


def test_nothing_is_found_where_nothing_is_wrong(journal: Path, received: Answers) -> None:
    assert journal_flaws(journal, received, key=KEY) == []
    assert reply_flaws(received, {200: 4, 403: 1, 503: 9}, 0) == []


def test_entries_whose_answers_never_arrived_are_in_order(journal: Path, received: Answers) -> None:
    assert journal_flaws(journal, {QUESTIONS[1]: {body(1): 1}}, key=KEY) == []


def without(number: int) -> Callable[[list[bytes]], list[bytes]]:
    return lambda lines: lines[:number] + lines[number + 1 :]


@pytest.mark.parametrize(
    ("change", "found"),
    [
        (without(1), ["answers without an entry: 1", "the journal is broken"]),
        (without(2), ["answers without an entry: 1", "the journal is broken"]),  # one of the two that are alike
        (without(5), []),  # a refusal at the end: without an anchor nobody can see that
        (lambda lines: lines[:4], ["answers without an entry: 1"]),  # the end is cut off, and the chain is whole
        (lambda lines: [*lines[:1], lines[2], lines[1], *lines[3:]], ["the journal is broken"]),
        (lambda lines: [*lines, lines[-1]], ["the journal is broken"]),
        (lambda lines: [*lines[:-1], lines[-1][:40]], ["the journal is broken"]),
    ],
)
def test_a_planted_violation_of_the_journal_is_seen(
    journal: Path, received: Answers, change: Callable[[list[bytes]], list[bytes]], found: list[str]
) -> None:
    journal.write_bytes(b"".join(change(journal.read_bytes().splitlines(keepends=True))))
    assert journal_flaws(journal, received, key=KEY) == found


def test_an_answer_that_arrived_more_often_than_it_was_entered_is_seen(journal: Path) -> None:
    assert journal_flaws(journal, {QUESTIONS[1]: {body(1): 5}}, key=KEY) == ["answers without an entry: 3"]
    assert journal_flaws(journal, {b"?": {body(3): 1}}, key=KEY) == ["answers without an entry: 1"]  # it was refused


def test_planted_replies_are_seen(received: Answers) -> None:
    twice = {**received, QUESTIONS[0]: {body(0): 1, body(9): 1}}
    assert reply_flaws(twice, {200: 5}, 0) == ["questions with two answers: 1"]
    assert reply_flaws(received, {200: 4, 500: 2, 429: 1}, 0) == [
        "replies with status 429: 1",
        "replies with status 500: 2",
    ]
    assert reply_flaws(received, {200: 4, 503: 1}, 1) == ["replies of another shape: 1"]
    assert not is_refusal(b'{"status":"refused","reasons":["busy"]}')


@contextmanager
def serving(answers: dict[bytes, bytes]) -> Iterator[str]:
    """Give the address of a server that says what it is told to."""

    class Told(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self) -> None:
            said = answers[self.rfile.read(int(self.headers["Content-Length"]))]
            self.send_response(200)
            self.send_header("Content-Length", str(len(said)))
            self.end_headers()
            self.wfile.write(said)

        def log_message(self, *_: object) -> None:
            """Say nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Told)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


@pytest.mark.parametrize(("last", "changed"), [(body(2), 0), (body(2) + b" ", 1)])
def test_an_answer_that_changed_is_seen(received: Answers, last: bytes, changed: int) -> None:
    with serving({QUESTIONS[0]: body(0), QUESTIONS[1]: body(1), QUESTIONS[2]: last}) as url:
        assert changed_answers(url, received) == changed
