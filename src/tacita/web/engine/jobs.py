"""The queue of large tables: one after the other, beside the questions that are answered at once."""

from __future__ import annotations

import json
import secrets
import threading
import time
from collections import OrderedDict
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Literal

from tacita.core.errors import TacitaError
from tacita.core.progress import show_progress
from tacita.web.engine.port import EngineUnavailableError, Reply, refused

__all__ = ["JobQueue"]

_KEPT_SECONDS = 3600.0
"""How long the reply of a job can be fetched; after that the question can be asked again."""


@dataclass(eq=False)
class _LargeTable:
    """One table that waits, is worked on, or is done."""

    user: str
    dataset: str
    state: Literal["queued", "running", "done"] = "queued"
    progress: float = 0.0
    reply: Reply | None = None
    ended: float = field(default=0.0)


class _JobProgress:
    """Takes the progress of the work of a job."""

    def __init__(self, job: _LargeTable) -> None:
        self.job, self.total = job, 1.0

    def open(self, label: str, total: float | None) -> _JobProgress:
        del label
        self.total = total or 1.0
        return self

    def advance(self, amount: float = 1.0, /, *, note: str = "") -> None:
        del note
        self.job.progress = min(self.job.progress + amount / self.total, 1.0)

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
    now
        The clock, in seconds.

    Notes
    -----
    Ids are random, of 128 bits, and a job is shown to who asked for it only. What a job has entered into the journal stays
    when the server ends; the job itself does not, and is asked for again, where its finished parts are answered as they were.
    """

    def __init__(self, most: int, per_user: int, *, now: Callable[[], float] = time.monotonic) -> None:
        self.most, self.per_user, self._now = most, per_user, now
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
            job = self._jobs[name] = _LargeTable(user, dataset)
        self._worker.submit(self._run, job, work)
        return _waiting(name, job)

    def state(self, id: str, user: str) -> Reply | None:
        """Return how far a job is, or its reply; None where this user has no such job."""
        with self._lock:
            self._forget()
            job = self._jobs.get(id)
        if job is None or job.user != user:
            return None
        return _waiting(id, job) if job.reply is None else job.reply

    def close(self) -> None:
        """End: what waits is not begun, what runs comes to its end."""
        self._worker.shutdown(wait=True, cancel_futures=True)

    def _run(self, job: _LargeTable, work: Callable[[], Reply]) -> None:
        job.state = "running"
        try:
            with show_progress(_JobProgress(job)):
                job.reply = work()
        except (EngineUnavailableError, TacitaError):
            job.reply = Reply(status="unavailable", body=refused("unavailable"), reasons=("unavailable",))
        except Exception:  # noqa: BLE001 - a message may quote data; the visitor is told that it did not work
            job.reply = Reply(status="unavailable", body=refused("unavailable"), reasons=("unavailable",))
        job.state, job.ended = "done", self._now()

    def _forget(self) -> None:
        now = self._now()
        for name in [n for n, job in self._jobs.items() if job.state == "done" and now - job.ended > _KEPT_SECONDS]:
            del self._jobs[name]


def _waiting(name: str, job: _LargeTable) -> Reply:
    said = {"status": job.state, "id": name, "progress": round(job.progress, 3), "location": f"/jobs/{name}"}
    body = json.dumps(said, sort_keys=True, separators=(",", ":")).encode()
    return Reply(status=job.state, body=body, id=name, dataset=job.dataset)
