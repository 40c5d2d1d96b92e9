"""Empirical distribution functions of two samples, compared."""

from __future__ import annotations

from tacita.core.arrays import Float1
from tacita.core.kernel import entry

__all__ = ["largest_gap"]


@entry
def largest_gap(x: Float1, y: Float1) -> float:
    """Return ``max |F(t) - G(t)|`` over all t, F and G the distribution functions of two sorted samples. O(n + m)."""
    n, m = len(x), len(y)
    i, j, largest = 0, 0, 0.0
    while i < n and j < m:
        t = min(x[i], y[j])
        # Equal values step together: between them the functions have no value of their own.
        while i < n and x[i] == t:
            i += 1
        while j < m and y[j] == t:
            j += 1
        largest = max(largest, abs(i / n - j / m))
    return largest
