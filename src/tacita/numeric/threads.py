"""Running compiled work that releases the interpreter lock on all cores."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

__all__ = ["in_blocks", "in_threads"]

T = TypeVar("T")
R = TypeVar("R")


def in_threads(work: Callable[[T], R], items: Iterable[T]) -> list[R]:
    """Return ``work(item)`` for every item, in order; results must not depend on which finishes first."""
    listed = list(items)
    cores = os.cpu_count() or 1
    if len(listed) < 2 or cores == 1:
        return [work(item) for item in listed]
    with ThreadPoolExecutor(min(cores, len(listed))) as pool:
        return list(pool.map(work, listed))


def in_blocks(work: Callable[[int, int], object], n: int, *, block: int, done: Callable[[int], object]) -> None:
    """Run ``work(start, stop)`` over blocks of rows and tell ``done`` how many rows each block had."""
    if n == 0:
        return
    work(0, min(n, 1))  # compiles or loads the kernel before threads race for it
    starts = range(0, n, block)
    with ThreadPoolExecutor(os.cpu_count() or 1) as pool:
        for start, _ in zip(starts, pool.map(lambda a: work(a, min(a + block, n)), starts), strict=True):
            done(min(block, n - start))
