"""SAFE solved exactly: model (1) as a mixed-integer programme, for a few hundred combinations."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from tacita.core.arrays import IntArray
from tacita.core.errors import DataError
from tacita.numeric.safe.state import SafeLayout
from tacita.solve import solve

__all__ = ["ExactSafe", "exact_safe"]


@dataclass(frozen=True, eq=False)
class ExactSafe:
    """The solution of model (1).

    Parameters
    ----------
    counts
        (m,): counts of the combinations.
    bound
        Largest deviation of a controlled cell, less its allowance.
    least
        No counts have a smaller one.
    """

    counts: IntArray = field(repr=False)
    bound: int
    least: int


def exact_safe(
    layout: SafeLayout,
    counts: IntArray,
    *,
    k: int = 3,
    allowances: IntArray | None = None,
    most: int = 20,
    time_limit: float | None = None,
) -> ExactSafe:
    """Minimise the largest deviation exactly.

    Parameters
    ----------
    layout
        The controlled tables; soft ones do not count.
    counts
        (m,): original counts.
    k
        Smallest count above 0.
    allowances
        (controlled,): w; None for 0.
    most
        Deviations above it are not looked at.
    time_limit
        Seconds; then ``least`` may be below ``bound``.

    Raises
    ------
    DataError
        When there are no counts with deviations of at most ``most``, or none were found in time.

    Notes
    -----
    Variables are y_j, a binary u_j for "not empty" with ``k u_j <= y_j <= M_j u_j``, and B; rows are ``|A y - a| <= B + w`` and
    the totals, which stay exact. M_j is the smallest of the cells that j is in, plus ``most`` and its allowance: nothing larger
    is within the bound.
    """
    import scipy.sparse as sp

    m, used = len(counts), np.unique(layout.places[:, :-1])
    used = used[used < layout.controlled]
    columns = np.repeat(np.arange(m), layout.places.shape[1] - 1)
    sums = sp.csr_array((np.ones(len(columns)), (layout.places[:, :-1].ravel(), columns)), shape=(layout.cells, m))[
        used
    ]
    before = sums @ counts
    more = np.zeros(len(used)) if allowances is None else allowances[used].astype(np.float64)
    room = np.full(layout.cells, np.inf)
    room[used] = before + most + np.maximum(more, 0)
    highest = np.minimum(room[layout.places[:, :-1]].min(axis=1), counts.sum())
    totals = layout.places[:, -1] - layout.places[:, -1].min()
    whole = sp.csr_array((np.ones(m), (totals, np.arange(m))))
    none, one = sp.csr_array((len(used), m)), sp.csr_array(np.ones((len(used), 1)))
    each, nothing = sp.eye_array(m), sp.csr_array((m, 1))
    rows = sp.vstack(
        [
            sp.hstack([sums, none, -one]),
            sp.hstack([sums, none, one]),
            sp.hstack([each, -k * each, nothing]),
            sp.hstack([each, -sp.diags_array(highest), nothing]),
            sp.hstack([whole, sp.csr_array((whole.shape[0], m + 1))]),
        ]
    )
    free = np.full(len(used), np.inf)
    total = whole @ counts.astype(np.float64)
    found = solve(
        np.concatenate([np.zeros(2 * m), [1.0]]),
        rows,
        np.concatenate([-free, before - more, np.zeros(m), np.full(m, -np.inf), total]),
        np.concatenate([before + more, free, np.full(m, np.inf), np.zeros(m), total]),
        np.zeros(2 * m + 1),
        np.concatenate([highest, np.ones(m), [float(most)]]),
        integer=np.ones(2 * m + 1, dtype=bool),
        time_limit=time_limit,
    )
    if not found.has_solution:
        raise DataError(
            f"exact_safe: no counts with deviations of at most {most} were found; raise 'most' or the time."
        )
    return ExactSafe(
        np.rint(found.values[:m]).astype(np.int64), round(found.objective), int(np.ceil(found.bound - 1e-6))
    )
