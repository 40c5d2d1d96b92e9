"""Progress of long work: the library announces it, whoever owns the screen shows it.

Kernels and measures call :func:`track` or :func:`task`. By default nothing is shown, but in a notebook, which has bars of its
own. The command line installs a reporter that draws a bar when its standard error is a terminal; in a pipe it installs none.
"""

from __future__ import annotations

import sys
import threading
from collections.abc import Iterable, Iterator, Sized
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Protocol, TypeVar

__all__ = ["Reporter", "Task", "show_progress", "task", "track"]

T = TypeVar("T")


class Task(Protocol):
    """One piece of work whose advance is reported."""

    def advance(self, amount: float = 1.0, /, *, note: str = "") -> None:
        """Say that ``amount`` more of the total is done."""


class Reporter(Protocol):
    """Shows tasks; ``open`` returns the task, ``close`` ends it."""

    def open(self, label: str, total: float | None) -> Task: ...
    def close(self, task: Task) -> None: ...


class _Silent:
    def advance(self, amount: float = 1.0, /, *, note: str = "") -> None:
        """Show nothing."""


_ASK = "ask"
"""Nobody installed a reporter, and nobody switched it off: a notebook may show one."""
_reporter: ContextVar[Reporter | str | None] = ContextVar("tacita_reporter", default=_ASK)


@contextmanager
def show_progress(reporter: Reporter | None) -> Iterator[None]:
    """Send the progress of everything inside the block to ``reporter``."""
    token = _reporter.set(reporter)
    try:
        yield
    finally:
        _reporter.reset(token)


@contextmanager
def task(label: str, total: float | None = None) -> Iterator[Task]:
    """Report one piece of work: ``with task("Linking records", n) as t: t.advance(1000)``."""
    found = _reporter.get()
    reporter = _of_notebook() if isinstance(found, str) else found
    if reporter is None:
        yield _Silent()
        return
    opened = reporter.open(label, total)
    try:
        yield opened
    finally:
        reporter.close(opened)


def _of_notebook() -> Reporter | None:
    """Return the bars of a notebook where this is one; IPython on a terminal, a script or another thread has none."""
    kernel = sys.modules.get("ipykernel.zmqshell")
    if kernel is None or not kernel.ZMQInteractiveShell.initialized():
        return None
    if threading.current_thread() is not threading.main_thread() or _is_child():
        return None
    from tacita.core.views import view  # loads when used

    bars: Reporter = view("notebook_bars")()
    return bars


def _is_child() -> bool:
    """Whether this is a process that another one forked or spawned for work: it must not write into the kernel's sockets."""
    processes = sys.modules.get("multiprocessing.process")
    return processes is not None and processes.parent_process() is not None


def track(items: Iterable[T], label: str, total: float | None = None) -> Iterator[T]:
    """Iterate over ``items`` and report each as one unit of work."""
    if total is None and isinstance(items, Sized):
        total = len(items)
    with task(label, total) as running:
        for item in items:
            yield item
            running.advance()
