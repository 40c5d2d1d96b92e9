"""Linear algebra in one thread, for work that is spread over processes.

BLAS starts a thread for each core in every process, and they spin while they wait: a search with two processes on two cores
took two to three times as long as with one thread in each. The number of threads also changes the last bits of a sum, so
work that must not depend on where it ran uses one thread everywhere.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

__all__ = ["one_blas_thread"]


@contextmanager
def one_blas_thread() -> Iterator[None]:
    """Let BLAS and OpenMP use one thread within the block; compiled kernels of our own keep all cores."""
    import scipy.linalg  # noqa: F401 - it brings a BLAS of its own, which must be there to be limited
    from threadpoolctl import threadpool_limits

    with threadpool_limits(limits=1):
        yield
