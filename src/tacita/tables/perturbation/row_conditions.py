"""Conditions of a row of a transition matrix, system (9): as arrays, and what they leave open, by linear programmes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import pairwise

import numpy as np

from tacita.core.arrays import BoolArray, FloatArray, IntArray
from tacita.core.errors import ParameterError
from tacita.numeric.perturbation.transition_rows import first_free_row, transition_support
from tacita.solve.solver import Solver

__all__ = ["RowConditions", "conditions_of_rows", "variance_errors"]

NEAR = 1e-9


@dataclass(frozen=True, eq=False)
class RowConditions:
    """What the distribution of the noise of one count must meet, beside its variance.

    Parameters
    ----------
    count
        i, the count.
    noise
        (k,): what may be added to it, ascending.
    monotone
        Whether the right tail falls: ``p_ij >= p_i,j+1`` for j > i.
    stay
        p_ii where it is fixed; None where it is not, or where the count may not stay.
    symmetric
        The most by which ``p_i,i-1`` and ``p_i,i+1`` differ; None for any difference.
    """

    count: int
    noise: IntArray = field(repr=False)
    monotone: bool = False
    stay: float | None = None
    symmetric: float | None = None

    @property
    def is_plain(self) -> bool:
        """Whether mean and variance are all that is asked."""
        below, _ = self.signed
        return not len(below) and self.stay is None

    @cached_property
    def fixed(self) -> tuple[FloatArray, FloatArray]:
        """Conditions with equality, beside the sum and the variance: mean 0, and the probability of staying."""
        rows, aims = [self.noise.astype(np.float64)], [0.0]
        if self.stay is not None:
            rows.append((self.noise == 0).astype(np.float64))
            aims.append(self.stay)
        return np.stack(rows), np.array(aims)

    @cached_property
    def signed(self) -> tuple[FloatArray, FloatArray]:
        """Conditions with a sign, (q, k) and (q,): each row times p is at most its limit."""
        rows, limits = [], []
        if self.monotone:
            right = np.flatnonzero(self.noise > 0)
            for a, b in pairwise(right.tolist()):
                rows.append(self._entry(b) - self._entry(a))
                limits.append(0.0)
        near = [np.flatnonzero(self.noise == v) for v in (-1, 1)]
        if self.symmetric is not None and all(map(len, near)):
            gap = self._entry(int(near[0][0])) - self._entry(int(near[1][0]))
            rows += [gap, -gap]
            limits += [self.symmetric] * 2
        return np.array(rows).reshape(-1, len(self.noise)), np.array(limits)

    def _entry(self, place: int) -> FloatArray:
        made = np.zeros(len(self.noise))
        made[place] = 1.0
        return made

    # --- linear programmes ----------------------------------------------------------------------------------------------

    def model(self, variance: float | None = None) -> Solver:
        """Return the linear model of all distributions that meet the conditions, with this variance where it is given."""
        import scipy.sparse as sp  # loads when used

        equal, aims = self.fixed
        below, limits = self.signed
        rows = [np.ones((1, len(self.noise))), equal, below]
        lower, upper = [np.ones(1), aims, np.full(len(limits), -np.inf)], [np.ones(1), aims, limits]
        if variance is not None:
            rows.append((self.noise.astype(np.float64) ** 2)[None])
            lower.append(np.array([variance]))
            upper.append(np.array([variance]))
        k = len(self.noise)
        return Solver(
            np.zeros(k),
            sp.csr_array(np.concatenate(rows)),
            np.concatenate(lower),
            np.concatenate(upper),
            np.zeros(k),
            np.ones(k),
            threads=1,
            method="primal",
        )

    def variances(self) -> tuple[float, float] | None:
        """Return the smallest and the largest variance that the conditions leave, None where nothing meets them."""
        if self.is_plain:
            if not (self.noise[0] <= 0 <= self.noise[-1]):
                return None
            below, above = self.noise[self.noise <= 0][-1], self.noise[self.noise >= 0][0]
            return float(-below * above), float(-self.noise[0] * self.noise[-1])
        squares = self.noise.astype(np.float64) ** 2
        found = [extreme(self.model(), squares, maximise=which) for which in (False, True)]
        return None if found[0] is None or found[1] is None else (found[0], found[1])

    def intervals(self, variance: float) -> FloatArray | None:
        """Return (k, 2): the least and the most that each entry can be; None where nothing meets the conditions."""
        model, made = self.model(variance), np.zeros((len(self.noise), 2))
        for place in range(len(self.noise)):
            for side in (0, 1):
                found = extreme(model, self._entry(place), maximise=side == 1)
                if found is None:
                    return None
                made[place, side] = min(max(found, 0.0), 1.0)
        return made

    def tight(self, variance: float) -> BoolArray:
        """Return which of the signed conditions can only be met with equality."""
        below, limits = self.signed
        model = self.model(variance)
        least = [extreme(model, row, maximise=False) for row in below]
        return np.array([low is not None and low > lim - NEAR for low, lim in zip(least, limits, strict=True)], bool)


def extreme(model: Solver, cost: FloatArray, *, maximise: bool) -> float | None:
    """Return the least or the largest value of a linear function; None where nothing is feasible."""
    model.set_cost(np.arange(len(cost)), cost)
    found = model.run(maximise=maximise)
    return float(cost @ found.values) if found.status == "optimal" else None


def conditions_of_rows(
    bound: int,
    forbidden: Sequence[int],
    *,
    monotone: bool = False,
    stay: float | None = None,
    symmetric: float | None = None,
) -> list[RowConditions]:
    """Return the conditions of the counts 1, 2, ... up to the one whose row serves all larger ones."""
    made = []
    for count in range(1, first_free_row(bound, forbidden) + 1):
        noise = transition_support(count, bound, forbidden)
        if not len(noise):
            raise ParameterError(
                f"TransitionMatrix: a count of {count} has no result within {bound}; raise D or allow more results."
            )
        fixed = stay if (noise == 0).any() else None
        made.append(RowConditions(count, noise, monotone, fixed, symmetric))
    return made


def variance_errors(rows: Sequence[RowConditions], variance: float) -> None:
    """Raise an error with the interval of V of every row when one of them cannot have this variance.

    Raises
    ------
    ParameterError
        When a row has no distribution with this variance, or none at all.
    """
    found = [row.variances() for row in rows]
    slack = [0.0 if row.is_plain else NEAR for row in rows]
    fits = [v is not None and v[0] - e <= variance <= v[1] + e for v, e in zip(found, slack, strict=True)]
    if all(fits):
        return
    low = max((v[0] for v in found if v is not None), default=np.inf)
    high = min((v[1] for v in found if v is not None), default=-np.inf)
    by_row = ", ".join(
        f"count {row.count}: " + ("none" if v is None else f"[{v[0]:.6g}, {v[1]:.6g}]")
        for row, v in zip(rows, found, strict=True)
    )
    if None in found or low > high + NEAR:
        what = "no V serves all counts; raise D, forbid fewer results or relax a condition"
    else:
        what = f"V must be in [{low:.6g}, {high:.6g}], got {variance:g}"
    raise ParameterError(
        f"TransitionMatrix: {what}. Feasible V row by row: {by_row}.",
        details={"variances": found},
    )
