"""The queue of large tables."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable, Iterator

import pytest

from tacita.core.progress import task
from tacita.web.engine import Reply
from tacita.web.engine.jobs import JobQueue

DONE = Reply(status="answered", body=b'{"status":"answered"}', id="a", dataset="survey")


class _Clock:
    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> _Clock:
    return _Clock()


@pytest.fixture
def made() -> Iterator[Callable[..., JobQueue]]:
    queues: list[JobQueue] = []

    def make(most: int = 10, per_user: int = 10, **given: object) -> JobQueue:
        queues.append(JobQueue(most, per_user, **given))  # type: ignore[arg-type]
        return queues[-1]

    yield make
    for queue in queues:
        queue.close()


def seen(queue: JobQueue, id: str, user: str = "ann") -> Reply:
    found = queue.state(id, user)
    assert found is not None
    return found


def until(is_so: Callable[[], bool]) -> None:
    end = time.monotonic() + 10
    while not is_so() and time.monotonic() < end:
        time.sleep(0.002)
    assert is_so()


def test_a_job_is_its_users_only(made: Callable[..., JobQueue]) -> None:
    queue = made()
    said = queue.put("ann", "survey", lambda: DONE)
    assert len(said.id) == 32
    assert said.id != queue.put("ann", "survey", lambda: DONE).id
    until(lambda: seen(queue, said.id) == DONE)
    assert queue.state(said.id, "bob") is None
    assert queue.state("0" * 32, "ann") is None


def test_a_full_queue_refuses(made: Callable[..., JobQueue]) -> None:
    gate, queue = threading.Event(), made(3, 2)

    def waits() -> Reply:
        gate.wait(10)
        return DONE

    states = [queue.put(user, "survey", waits).status for user in ("ann", "ann", "ann", "bob", "bob")]
    assert states == ["queued", "queued", "refused", "queued", "refused"]
    gate.set()


def test_a_job_is_never_done_without_its_reply(made: Callable[..., JobQueue]) -> None:
    """Whoever looks while it ends sees it running, or its reply."""
    queue = made(1000, 1000)
    for _ in range(200):
        id = queue.put("ann", "survey", lambda: DONE).id
        for _ in range(1000):
            found = seen(queue, id)
            assert found.status in ("queued", "running", "answered")
            if found.status == "answered":
                break
            assert json.loads(found.body)["id"] == id
        until(lambda id=id: seen(queue, id) == DONE)  # type: ignore[misc]


def test_what_fails_says_nothing(made: Callable[..., JobQueue]) -> None:
    def broken() -> Reply:
        raise RuntimeError("canary 4711")

    queue = made()
    id = queue.put("ann", "survey", broken).id
    until(lambda: seen(queue, id).status == "unavailable")
    found = seen(queue, id)
    assert found.dataset == "survey"
    assert b"4711" not in found.body


def test_replies_are_kept_for_an_hour(made: Callable[..., JobQueue], clock: _Clock) -> None:
    queue = made(now=clock)
    id = queue.put("ann", "survey", lambda: DONE).id
    until(lambda: seen(queue, id) == DONE)
    clock.now += 3599
    assert seen(queue, id) == DONE
    clock.now += 2
    assert queue.state(id, "ann") is None


def test_a_job_tells_something_new_at_ticks_only(made: Callable[..., JobQueue], clock: _Clock) -> None:
    """Two tables, one of which takes 1.1 and the other 1.9 seconds, look alike to who looks all the time."""
    shown: list[list[tuple[float, str, float]]] = []
    for moments in ((1000.2, 1001.1), (1000.9, 1001.9)):
        clock.now = 1000.0
        queue, steps = made(tick=1.0, now=clock), [threading.Event() for _ in range(3)]
        reached: list[int] = []

        def work(steps: list[threading.Event] = steps, reached: list[int] = reached) -> Reply:
            with task("Asking", 2) as running:
                for number in (0, 1):
                    steps[number].wait(10)
                    running.advance(1)
                    reached.append(number)
            return DONE

        id, rows = queue.put("ann", "survey", work).id, []
        until(lambda: threading.active_count() > 0)
        for tenth in range(25):
            clock.now = 1000.0 + tenth / 10
            for number, moment in enumerate(moments):
                if clock.now >= moment - 1e-9 and number not in reached:
                    steps[number].set()
                    until(lambda number=number, reached=reached: number in reached)  # type: ignore[misc]
                    if number == 1:
                        until(lambda queue=queue, id=id: queue._jobs[id].reply is not None)  # type: ignore[misc]
            found = seen(queue, id)
            rows.append((clock.now, found.status, json.loads(found.body).get("progress", 1.0)))
        shown.append(rows)
    assert [row[1:] for row in shown[0]] == [row[1:] for row in shown[1]]
    assert shown[0][-1][1] == "answered"
    assert {row[1] for row in shown[0][:20]} <= {"queued", "running"}
