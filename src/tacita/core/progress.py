"""Progress of long work: the library announces it, whoever owns the screen shows it.

Kernels and measures call :func:`track` or :func:`task`. By default nothing is shown. The command line installs a
reporter that draws a bar when its standard error is a terminal; in a pipe it installs none.
"""

from __future__ import annotations

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


_reporter: ContextVar[Reporter | None] = ContextVar("tacita_reporter", default=None)


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
    reporter = _reporter.get()
    if reporter is None:
        yield _Silent()
        return
    opened = reporter.open(label, total)
    try:
        yield opened
    finally:
        reporter.close(opened)


def track(items: Iterable[T], label: str, total: float | None = None) -> Iterator[T]:
    """Iterate over ``items`` and report each as one unit of work."""
    if total is None and isinstance(items, Sized):
        total = len(items)
    with task(label, total) as running:
        for item in items:
            yield item
            running.advance()
