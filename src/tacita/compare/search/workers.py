"""Workers: trials of a search in several processes.

Each worker is a Python process of its own that is sent the data once and then one recipe and seed after another. A
script needs no ``if __name__ == "__main__"`` for it, and nothing is forked under running threads. A worker that dies
takes one trial with it, and the next trial gets a new worker.
"""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
import threading
from collections.abc import Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Self, TypeVar

from tacita.compare.search.trial import Trial, TrialPlan, read_message, try_recipe, write_message, write_pickled
from tacita.core.streams import Seed
from tacita.data.microdata import Microdata
from tacita.release.recipe import Recipe

__all__ = ["TrialTask", "can_travel", "in_processes", "in_this_process"]

K = TypeVar("K")
_PATIENCE = 10.0
"""Seconds that a worker gets to end by itself."""


@dataclass(frozen=True)
class TrialTask:
    """One trial that is to be made."""

    recipe: Recipe
    seed: Seed


def can_travel(recipes: Iterable[Recipe], plan: TrialPlan) -> bool:
    """Whether another process can make these: a method that stands in a script or notebook exists only there."""
    named = [*(step for recipe in recipes for step in recipe), *plan.measures]
    if any(type(m).__module__ == "__main__" or "<locals>" in type(m).__qualname__ for m in named):
        return False
    try:
        pickle.dumps((plan, named))
    except (pickle.PicklingError, AttributeError, TypeError):
        return False
    return True


def in_processes(
    data: Microdata, plan: TrialPlan, tasks: Iterable[tuple[K, TrialTask]], processes: int
) -> Iterator[tuple[K, Trial]]:
    """Make trials in several processes and give each as it ends, under the key that its task came with.

    ``tasks`` is asked for the next one only when a worker is free, so it can stop at any time.
    """
    work = pickle.dumps((data, plan), protocol=pickle.HIGHEST_PROTOCOL)
    pending: dict[Future[Trial], K] = {}
    coming = iter(tasks)
    with _Team(work, processes) as team:
        try:
            while True:
                while len(pending) < processes and (entry := next(coming, None)) is not None:
                    key, task = entry
                    pending[team.submit(task)] = key
                if not pending:
                    return
                done, _ = wait(pending, return_when=FIRST_COMPLETED)
                for future in done:
                    yield pending.pop(future), future.result()
        except BaseException:
            team.stop()  # an interrupt must not wait for the trials that run
            raise


class _Team:
    """Threads that each look after one worker process."""

    def __init__(self, work: bytes, size: int) -> None:
        self._work = work
        self._threads = ThreadPoolExecutor(size, thread_name_prefix="tacita-search")
        self._own = threading.local()
        self._workers: list[_Worker] = []
        self._lock = threading.Lock()
        self._is_stopped = False

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._threads.shutdown(cancel_futures=True)
        self.stop()

    def submit(self, task: TrialTask) -> Future[Trial]:
        return self._threads.submit(self._run, task)

    def _run(self, task: TrialTask) -> Trial:
        worker: _Worker | None = getattr(self._own, "worker", None)
        if worker is None or worker.is_gone:
            with self._lock:
                if self._is_stopped:
                    return Trial(task.seed, problem="The search was stopped.", is_final=False)
                worker = self._own.worker = _Worker(self._work)
                self._workers.append(worker)
        return worker.run(task)

    def stop(self) -> None:
        """End all workers."""
        with self._lock:
            self._is_stopped = True
            workers, self._workers = self._workers, []
        for worker in workers:
            worker.end()


class _Worker:
    """One process."""

    def __init__(self, work: bytes) -> None:
        # The worker finds the same modules as this process, wherever they were put.
        places = os.pathsep.join(place or str(Path.cwd()) for place in sys.path)
        self._process = subprocess.Popen(
            [sys.executable, "-c", "from tacita.compare.search.trial import serve_trials; serve_trials()"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env={**os.environ, "PYTHONPATH": places},
        )
        self._start: bytes | None = work

    @property
    def is_gone(self) -> bool:
        return self._process.poll() is not None

    def run(self, task: TrialTask) -> Trial:
        """Send one task and wait for its answer."""
        sent, answers = self._process.stdin, self._process.stdout
        answer = None
        if sent is not None and answers is not None:
            with suppress(OSError, EOFError, pickle.UnpicklingError):
                if self._start is not None:
                    write_pickled(sent, self._start)
                    self._start = None
                write_message(sent, (task.recipe, task.seed))
                answer = read_message(answers)
        if isinstance(answer, Trial):
            return answer
        self.end()
        problem = (
            f"The process that tried it ended early (exit code {self._process.returncode}); is there enough memory?"
        )
        return Trial(task.seed, problem=problem, is_final=False)

    def end(self) -> None:
        """End the process: politely by closing its input, then by force."""
        for stream in (self._process.stdin, self._process.stdout):
            with suppress(OSError):
                if stream is not None:
                    stream.close()
        if self._process.poll() is None:
            self._process.terminate()
        try:
            self._process.wait(_PATIENCE)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()


def in_this_process(
    data: Microdata, plan: TrialPlan, tasks: Iterable[tuple[K, TrialTask]]
) -> Iterator[tuple[K, Trial]]:
    """Make trials one after another, here."""
    for key, task in tasks:
        yield key, try_recipe(data, task.recipe, task.seed, plan)
