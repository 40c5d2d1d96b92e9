"""Designs of transition matrices: the rows with most entropy, those with normal tails, and the ones of the paper."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from tacita.core.arrays import FloatArray, IntArray
from tacita.core.errors import ParameterError
from tacita.numeric.perturbation.transition_rows import (
    first_free_row,
    most_entropy_rows,
    most_entropy_within,
    projected_row,
    transition_support,
)
from tacita.tables.perturbation.row_conditions import RowConditions, variance_errors

__all__ = ["PUBLISHED", "entropy_family", "entropy_rows", "normal_rows", "published_rows"]

GONE = 1e-9
"""What linear programmes call a probability that can only be 0."""

_SMALL = {
    1: (0.667, 0.332, 0.001, 0, 0, 0, 0, 0, 0, 0, 0, 0),
    2: (0.334, 0.666, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0),
}
_ONE = (0.667, 0.333, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)

PUBLISHED: dict[str, dict[int, dict[int, tuple[float, ...]]]] = {
    "giessing-hoehne": {
        3: {
            **_SMALL,
            3: (0.125, 0.687, 0.063, 0.063, 0.063, 0, 0, 0, 0, 0, 0, 0),
            4: (0, 0.601, 0.099, 0.100, 0.100, 0.100, 0, 0, 0, 0, 0, 0),
            5: (0, 0.167, 0.167, 0.416, 0.083, 0.083, 0.083, 0, 0, 0, 0, 0),
            6: (0, 0.072, 0.072, 0.072, 0.571, 0.072, 0.072, 0.072, 0, 0, 0, 0),
        },
        4: {
            1: _ONE,
            2: _SMALL[2],
            3: (0.120, 0.700, 0.082, 0.045, 0.027, 0.026, 0, 0, 0, 0, 0, 0),
            4: (0.064, 0.076, 0.700, 0.068, 0.037, 0.029, 0.026, 0, 0, 0, 0, 0),
            5: (0, 0.143, 0.143, 0.542, 0.043, 0.043, 0.043, 0.043, 0, 0, 0, 0),
            6: (0, 0.063, 0.063, 0.063, 0.662, 0.038, 0.038, 0.038, 0.038, 0, 0, 0),
            7: (0, 0.032, 0.033, 0.034, 0.050, 0.700, 0.050, 0.034, 0.033, 0.032, 0, 0),
        },
        5: {
            1: _ONE,
            2: _SMALL[2],
            3: (0.119, 0.700, 0.082, 0.050, 0.028, 0.014, 0.007, 0, 0, 0, 0, 0),
            4: (0.062, 0.076, 0.704, 0.075, 0.037, 0.020, 0.014, 0.012, 0, 0, 0, 0),
            5: (0.025, 0.068, 0.068, 0.700, 0.059, 0.027, 0.019, 0.018, 0.017, 0, 0, 0),
            6: (0, 0.057, 0.057, 0.057, 0.700, 0.041, 0.023, 0.021, 0.021, 0.021, 0, 0),
            7: (0, 0.025, 0.035, 0.035, 0.062, 0.700, 0.060, 0.028, 0.020, 0.018, 0.018, 0),
            8: (0, 0.015, 0.016, 0.019, 0.032, 0.068, 0.700, 0.068, 0.032, 0.019, 0.016, 0.015),
        },
    }
}
"""Published matrices by name, D and count: probabilities of the results 0, 3, 4, ..., 13. Giessing and Hoehne (2011), Table 1."""


def _placed(rows: Sequence[tuple[IntArray, FloatArray]], bound: int) -> FloatArray:
    """Put distributions into (rows + 1, 2 bound + 1), after a row 0 that stays."""
    made = np.zeros((len(rows) + 1, 2 * bound + 1))
    made[0, bound] = 1.0
    for row, (noise, p) in enumerate(rows, start=1):
        made[row, noise + bound] = p
    return made


# --- most entropy -----------------------------------------------------------------------------------------------------


def entropy_rows(rows: Sequence[RowConditions], bound: int, variance: float) -> FloatArray:
    """Return (rows + 1, 2 bound + 1): for each count the noise with most entropy, the variance met exactly.

    Raises
    ------
    ParameterError
        When a row cannot have the variance; with the feasible interval of every row.
    """
    variance_errors(rows, variance)
    plain = [row for row in rows if row.is_plain]
    noise = np.arange(-bound, bound + 1)
    found = np.zeros((0, len(noise)))
    if plain:
        allowed = np.stack([np.isin(noise, row.noise) for row in plain])
        found = most_entropy_rows(noise, allowed, np.full(len(plain), variance))
    ready = {row.count: p[row.noise + bound] for row, p in zip(plain, found, strict=True)}
    return _placed([(row.noise, ready[row.count] if row.is_plain else _most(row, variance)) for row in rows], bound)


def _most(row: RowConditions, variance: float) -> FloatArray:
    """One row with more conditions than its mean and variance."""
    # What can only be 0 is taken out, and what can only be tight becomes an equation: Newton's method needs room inside.
    limits = row.intervals(variance)
    if limits is None:
        raise ParameterError(f"TransitionMatrix: no noise of a count of {row.count} meets all conditions; relax one.")
    kept = limits[:, 1] > GONE
    fixed, aims = row.fixed
    below, most = row.signed
    tight = row.tight(variance)
    equal = np.concatenate([fixed, (row.noise.astype(np.float64) ** 2)[None], below[tight]])[:, kept]
    wanted = np.concatenate([aims, [variance], most[tight]])
    loose = below[~tight][:, kept]
    asked = np.abs(loose).sum(axis=1) > 0
    made = np.zeros(len(row.noise))
    if (limits[kept, 1] - limits[kept, 0]).max(initial=0.0) < 1e-7:  # one distribution only: nothing to maximise
        made[kept] = projected_row(limits[kept].mean(axis=1), equal, wanted)
    else:
        made[kept] = most_entropy_within(equal, wanted, loose[asked], most[~tight][asked])
    return made


def entropy_family(bound: int, variances: FloatArray, forbidden: Sequence[int]) -> FloatArray:
    """Return (m, rows + 1, 2 bound + 1): the matrices with most entropy for many variances at once.

    All variances must be feasible. Complexity: a few dozen rounds over all rows of all matrices together.
    """
    last = first_free_row(bound, forbidden)
    noise = np.arange(-bound, bound + 1)
    allowed = np.stack([np.isin(noise, transition_support(count, bound, forbidden)) for count in range(1, last + 1)])
    m = len(variances)
    if not m:
        return np.zeros((0, last + 1, 2 * bound + 1))
    found = most_entropy_rows(noise, np.tile(allowed, (m, 1)), np.repeat(np.asarray(variances, np.float64), last))
    made = np.zeros((m, last + 1, 2 * bound + 1))
    made[:, 0, bound] = 1.0
    made[:, 1:] = found.reshape(m, last, -1)
    return made


# --- normal tails -----------------------------------------------------------------------------------------------------


def normal_rows(rows: Sequence[RowConditions], bound: int, variance: float, centre: float) -> FloatArray:
    """Return the rows whose tails are those of a normal distribution around a fixed centre (section 3.1).

    Raises
    ------
    ParameterError
        When a row cannot have the variance, or not with falling tails; with the interval of V row by row.
    """
    variance_errors(rows, variance)
    return _placed([(row.noise, _tails(row, variance, centre)) for row in rows], bound)


def _tails(row: RowConditions, variance: float, centre: float) -> FloatArray:
    """One row. The steepness 1 / sigma is 0 for flat tails and infinite for tails of one point each."""
    v = row.noise.astype(np.float64)
    stays = bool((v == 0).any())
    left, right = np.flatnonzero(v < 0), np.flatnonzero(v > 0)

    def tails(steepness: float) -> FloatArray:
        """The two tails with mean 0 and a total of one."""
        shape = np.zeros(len(v))
        for part in (left, right):
            shape[part] = _normal_weights(np.abs(v[part]), steepness)
        down, up = float(-v[left] @ shape[left]), float(v[right] @ shape[right])
        shape[left] *= up / (up + down)
        shape[right] *= down / (up + down)
        return shape

    def spread(steepness: float) -> float:
        return float(v * v @ tails(steepness))

    mass = 1.0 - centre if stays else 1.0
    flat, steep = spread(0.0), spread(np.inf)
    if stays:  # moved as little as possible: between tails of one point each and flat ones
        mass = min(max(mass, variance / flat), variance / steep, 1.0)
    target = variance / mass
    if target > flat * (1 + 1e-9) or target < steep * (1 - 1e-9):
        raise ParameterError(
            f"TransitionMatrix: normal tails of a count of {row.count} have V in [{0.0 if stays else steep:.6g}, {flat:.6g}], "
            f"got {variance:g}; take maximum_entropy, another V or a larger D."
        )
    if target >= flat:
        found = tails(0.0)
    elif target <= steep:
        found = tails(np.inf)
    else:
        from scipy.optimize import brentq  # loads when used

        high = 1.0
        while spread(high) > target:
            high *= 2
        found = tails(float(brentq(lambda t: spread(t) - target, 0.0, high, xtol=1e-15, rtol=1e-15)))
    made = mass * found
    equal, aims = [v, v * v], [0.0, variance]
    if stays:
        made[v == 0] = 1.0 - mass
        equal.append((v == 0).astype(np.float64))
        aims.append(1.0 - mass)
    return projected_row(made, np.stack(equal), np.array(aims))


def _normal_weights(size: FloatArray, steepness: float) -> FloatArray:
    """Return F(k + 1/2) - F(k - 1/2) for the sizes k, F normal with mean 0, brought to a total of one."""
    if steepness == 0.0 or len(size) == 1:
        return np.full(len(size), 1.0 / len(size))
    if np.isinf(steepness):
        return np.asarray(size == size.min(), np.float64)
    from scipy.special import log_ndtr  # loads when used

    inner, outer = log_ndtr(-(size - 0.5) * steepness), log_ndtr(-(size + 0.5) * steepness)
    power = inner + np.log1p(-np.exp(outer - inner))
    weights = np.exp(power - power.max())
    return np.asarray(weights / weights.sum())


# --- published --------------------------------------------------------------------------------------------------------


def published_rows(name: str, bound: int, variance: float) -> FloatArray:
    """Return a published matrix, each row moved as little as possible (in squares) so that it meets (9)."""
    rows = PUBLISHED[name][bound]
    results = np.array([0, *range(3, 14)])
    made = []
    for count, printed in rows.items():
        noise = transition_support(count, bound, (1, 2))
        start = np.array([printed[int(np.flatnonzero(results == count + v)[0])] for v in noise])
        v = noise.astype(np.float64)
        kept = start > 0
        if count == max(rows):  # symmetry (8) of the row that serves all larger counts
            start = (start + start[::-1]) / 2
        p = np.zeros(len(v))
        p[kept] = projected_row(
            start[kept] / start.sum(), np.stack([v, v * v])[:, kept], np.array([0.0, variance]), weighted=False
        )
        made.append((noise, p))
    return _placed(made, bound)
