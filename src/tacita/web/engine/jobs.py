"""The queue of large tables: one after the other, beside the questions that are answered at once."""

from __future__ import annotations

import json
import secrets
import threading
import time
from collections import OrderedDict
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Literal

from tacita.core.progress import show_progress
from tacita.web.engine.port import Reply, refused

__all__ = ["JobQueue"]

_KEPT_SECONDS = 3600.0
"""How long the reply of a job can be fetched; after that the question can be asked again."""


@dataclass(eq=False)
class _LargeTable:
    """One table that waits, is worked on, or is done; ``shown`` is its state and progress when the present tick began."""

    user: str
    dataset: str
    begun: float
    state: Literal["queued", "running", "done"] = "queued"
    progress: float = 0.0
    shown: tuple[str, float] = ("queued", 0.0)
    tick: int = 0
    reply: Reply | None = None
    ended: float = 0.0


class _JobProgress:
    """Takes the progress of the work of a job."""

    def __init__(self, job: _LargeTable, queue: JobQueue) -> None:
        self.job, self.queue, self.total = job, queue, 1.0

    def open(self, label: str, total: float | None) -> _JobProgress:
        del label
        self.total = total or 1.0
        return self

    def advance(self, amount: float = 1.0, /, *, note: str = "") -> None:
        del note
        self.queue.advance(self.job, amount / self.total)

    def close(self, task: object) -> None:
        del task


class JobQueue:
    """Large tables, one after the other.

    Parameters
    ----------
    most
        How many may wait.
    per_user
        How many of them one user may have.
    tick
        Seconds between two moments at which a user is told something new about a job; 0 tells him at once.
    now
        The clock, in seconds.

    Notes
    -----
    Ids are random, of 128 bits, and a job is shown to who asked for it only. What a job has entered into the journal stays
    when the server ends; the job itself does not, and is asked for again, where its finished parts are answered as they were.

    How long a part of a table took may tell why it was refused. So a job shows what was so when the last tick since its
    beginning came, however often one looks.
    """

    def __init__(
        self, most: int, per_user: int, *, tick: float = 0.0, now: Callable[[], float] = time.monotonic
    ) -> None:
        self.most, self.per_user, self.tick, self._now = most, per_user, tick, now
        self._jobs: OrderedDict[str, _LargeTable] = OrderedDict()
        self._lock = threading.Lock()
        self._worker = ThreadPoolExecutor(1, thread_name_prefix="large-tables")

    def put(self, user: str, dataset: str, work: Callable[[], Reply]) -> Reply:
        """Put a table into the queue, or refuse it where the queue is full."""
        with self._lock:
            self._forget()
            open_jobs = [job for job in self._jobs.values() if job.state != "done"]
            if len(open_jobs) >= self.most or sum(job.user == user for job in open_jobs) >= self.per_user:
                return Reply(
                    status="refused",
                    body=refused("queue_full", "Too many large tables wait; ask again later."),
                    reasons=("queue_full",),
                    dataset=dataset,
                )
            name = secrets.token_hex(16)
            job = self._jobs[name] = _LargeTable(user, dataset, self._now())
            said = _waiting(name, job)
        self._worker.submit(self._run, job, work)
        return said

    def state(self, id: str, user: str) -> Reply | None:
        """Return how far a job is, or its reply; None where this user has no such job."""
        with self._lock:
            self._forget()
            job = self._jobs.get(id)
            if job is None or job.user != user:
                return None
            self._show(job)
            if job.reply is None or self._ticks(job, job.ended) > job.tick:
                return _waiting(id, job)
            return job.reply

    def advance(self, job: _LargeTable, share: float) -> None:
        """Count a share of the work of a job as done."""
        with self._lock:
            self._show(job)
            job.progress = min(job.progress + share, 1.0)

    def close(self) -> None:
        """End: what waits is not begun, what runs comes to its end."""
        self._worker.shutdown(wait=True, cancel_futures=True)

    def _run(self, job: _LargeTable, work: Callable[[], Reply]) -> None:
        with self._lock:
            self._show(job)
            job.state = "running"
        try:
            with show_progress(_JobProgress(job, self)):
                reply = work()
        except Exception:  # noqa: BLE001 - a message may quote data; the visitor is told that it did not work
            reply = Reply(
                status="unavailable", body=refused("unavailable"), reasons=("unavailable",), dataset=job.dataset
            )
        with self._lock:
            self._show(job)
            job.reply, job.state, job.ended = reply, "done", self._now()

    def _ticks(self, job: _LargeTable, moment: float) -> float:
        """How many ticks a job has seen at a moment, its end counting with the next one."""
        return (moment - job.begun) / self.tick if self.tick > 0 else 0.0

    def _show(self, job: _LargeTable) -> None:
        """Let a job show how far it was when the last tick came; called before anything of it changes."""
        tick = int(self._ticks(job, self._now()))
        if tick > job.tick or self.tick <= 0:
            job.tick, job.shown = tick, (job.state, job.progress)

    def _forget(self) -> None:
        now = self._now()
        for name in [n for n, job in self._jobs.items() if job.state == "done" and now - job.ended > _KEPT_SECONDS]:
            del self._jobs[name]


def _waiting(name: str, job: _LargeTable) -> Reply:
    """How far a job is; one that has ended is running until its reply is shown."""
    state, progress = job.shown
    state = "running" if state == "done" else state
    said = {"status": state, "id": name, "progress": round(progress, 3), "location": f"/jobs/{name}"}
    body = json.dumps(said, sort_keys=True, separators=(",", ":")).encode()
    return Reply(status=state, body=body, id=name, dataset=job.dataset)
