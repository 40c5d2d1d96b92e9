"""How far the moments of a masked file lie from the original's: the objective E of post-masking optimisation, and its gradient.

On standardised values ``E = sum_j (m_j - m'_j)^2 + sum_{j <= k} (S_jk - S'_jk)^2`` with the means m and the second moments
``S_jk = (1/n) sum_i z_ij z_ik``, expression (5.3). It is a polynomial of degree four in the values, so its gradient costs no more
than itself: O(n d^2), and only the records that may change are looked at.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from tacita.core.arrays import Float1, Float2, FloatArray
from tacita.core.kernel import entry

__all__ = ["Moments", "Objective", "level_losses", "moment_error", "moment_sums", "objective"]


SMOOTH = 1e-3
"""Relative errors below this count as their square: |r| has no derivative at 0."""

MOST = 0.5
"""Standard deviations by which a value is moved at most to raise its relative error."""


class Moments(NamedTuple):
    """Sums of the values and of their products over records, and the number of records."""

    first: FloatArray
    second: FloatArray
    n: int


class Objective(NamedTuple):
    """What the gradient needs beside the values of the records that may change.

    ``first`` and ``second`` are the sums over the records that stay minus n' times the moments of the original; ``goal`` is the
    wanted sum of relative errors over the changing records, ``slack`` the half-width of its band and ``weight`` the price of
    leaving it, both relative to the goal; ``scale`` divides E, so that the two are of one size.
    """

    first: Float1
    second: Float2
    n: int
    goal: float
    slack: float
    weight: float
    scale: float


def moment_sums(z: FloatArray) -> Moments:
    """Return the sums of standardised records. O(n d^2) time, O(d^2) memory."""
    return Moments(z.sum(axis=0), z.T @ z, len(z))


def moment_error(masked: Moments, original: Moments) -> float:
    """Return E of two files; they need not be equally long."""
    first = masked.first / masked.n - original.first / original.n
    second = masked.second / masked.n - original.second / original.n
    return float((first**2).sum() + (np.triu(second) ** 2).sum())  # (5.3)


@entry
def objective(z: Float2, near: Float2, unit: Float2, part: Objective, gradient: Float2) -> tuple[float, float]:
    """Return E / scale plus the price of leaving the band, and E; write the gradient.

    ``near`` are the standardised values of C(i), ``unit`` the standardised size of one relative error there (0 where a cell
    has none). O(r d^2) for r records.
    """
    r, d = z.shape
    first, second = part.first.copy(), part.second.copy()
    loss = 0.0
    for i in range(r):
        for j in range(d):
            first[j] += z[i, j]
            for k in range(j, d):
                second[j, k] += z[i, j] * z[i, k]
            if unit[i, j] > 0:
                relative = (z[i, j] - near[i, j]) / unit[i, j]
                loss += np.sqrt(relative * relative + SMOOTH * SMOOTH) - SMOOTH
    error = 0.0  # (5.3)
    for j in range(d):
        first[j] /= part.n
        error += first[j] ** 2
        for k in range(j, d):
            second[j, k] /= part.n
            error += second[j, k] ** 2
            second[k, j] = second[j, k]
    off = (loss - part.goal) / part.goal if part.goal > 0 else 0.0
    outside = max(0.0, off - part.slack) + min(0.0, off + part.slack)  # (5.4): how far the loss lies out of its band
    price = part.weight * outside / part.goal if part.goal > 0 else 0.0
    factor = 2.0 / (part.n * part.scale)
    for i in range(r):
        for j in range(d):
            total = first[j] + second[j, j] * z[i, j]
            for k in range(d):
                total += second[j, k] * z[i, k]
            gradient[i, j] = factor * total
            if price != 0.0 and unit[i, j] > 0:
                relative = (z[i, j] - near[i, j]) / unit[i, j]
                gradient[i, j] += price * relative / np.sqrt(relative * relative + SMOOTH * SMOOTH) / unit[i, j]
    return error / part.scale + 0.5 * part.weight * outside**2, error


def level_losses(losses: FloatArray, size: FloatArray, goal: float) -> FloatArray:
    """Return relative errors whose sum is ``goal``, at the least cost in standard deviations.

    Above the goal the largest errors are cut to a common height: they stand where the original is near 0, so the values
    hardly move. Below it the errors are raised where one relative error is the smallest ``size`` in standard deviations, but
    none by more than ``MOST`` of them: where one huge error was lost, the sum stays below the goal.
    """
    total = float(losses.sum())
    if total > goal:
        ordered = np.sort(losses)[::-1]
        below = total - np.cumsum(ordered)
        height = (goal - below) / np.arange(1, len(ordered) + 1)  # the height when the first 1, 2, ... are cut
        count = int(np.argmax(height >= np.append(ordered[1:], 0.0)))
        return np.asarray(np.minimum(losses, max(float(height[count]), 0.0)))
    room = np.where(size > 0, 1.0 / np.where(size > 0, size, 1.0), 0.0) ** 2
    if total == goal or not room.any():
        return losses
    most = np.where(size > 0, MOST / np.where(size > 0, size, 1.0), 0.0)
    return np.asarray(losses + np.minimum((goal - total) * room / room.sum(), most))
