"""Running compiled work that releases the interpreter lock on all cores."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from functools import reduce
from typing import Any, TypeVar

__all__ = ["LONG", "in_blocks", "in_steps", "in_threads"]

LONG = 50_000
"""From this many records on, work on a column is worth a thread of its own."""

T = TypeVar("T")
R = TypeVar("R")


def in_threads(work: Callable[[T], R], items: Iterable[T], *, records: int = LONG) -> list[R]:
    """Return ``work(item)`` for every item, in order; results must not depend on which finishes first.

    ``records`` says how many of them each item is about: short ones are not worth a thread.
    """
    listed = list(items)
    cores = os.cpu_count() or 1
    if len(listed) < 2 or cores == 1 or records < LONG:
        return [work(item) for item in listed]
    with ThreadPoolExecutor(min(cores, len(listed))) as pool:
        return list(pool.map(work, listed))


def in_steps(steps: Sequence[Callable[[Any], Any]], items: Iterable[Any]) -> list[Any]:
    """Return every item after all steps, in order.

    Steps of different items run side by side, so an odd number of items keeps two cores busy to the end. No item begins long
    before an earlier one has ended: memory that they hand on is needed for few of them.
    """
    listed = list(items)
    cores = os.cpu_count() or 1
    if len(listed) < 2 or cores == 1:
        return [reduce(lambda found, step: step(found), steps, item) for item in listed]
    waiting: list[Any] = [None] * len(listed)
    with ThreadPoolExecutor(min(cores, len(listed))) as pool:
        for tick in range(len(listed) + (len(steps) - 1) * cores):
            # What a task waits for was handed in before it, so it runs already: nobody waits for ever.
            for number in reversed(range(len(steps))):
                i = tick - number * cores
                if 0 <= i < len(listed):
                    first = number == 0
                    waiting[i] = (
                        pool.submit(steps[0], listed[i]) if first else pool.submit(_after, steps[number], waiting[i])
                    )
        return [done.result() for done in waiting]


def _after(step: Callable[[Any], Any], before: Future[Any]) -> Any:
    return step(before.result())


def in_blocks(work: Callable[[int, int], object], n: int, *, block: int, done: Callable[[int], object]) -> None:
    """Run ``work(start, stop)`` over blocks of rows and tell ``done`` how many rows each block had."""
    if n == 0:
        return
    work(0, min(n, 1))  # compiles or loads the kernel before threads race for it
    starts = range(0, n, block)
    with ThreadPoolExecutor(os.cpu_count() or 1) as pool:
        for start, _ in zip(starts, pool.map(lambda a: work(a, min(a + block, n)), starts), strict=True):
            done(min(block, n - start))
