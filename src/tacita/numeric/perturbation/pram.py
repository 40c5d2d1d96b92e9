"""Post-randomisation: transition matrices, drawing from them, and tables corrected for them.

Rows of a matrix P are original categories, columns released ones, p_ij = Pr(released j | original i); rows sum to 1.

**Invariant** matrices keep expected frequencies: t R = t. From any P (two-stage form of Gouweleeuw et al.): with the
frequencies t, the reversal q_ji = t_i p_ij / sum_k t_k p_kj is the chance that a released j came from i, and R = P Q keeps
t. Mixing with the identity, alpha R + (1 - alpha) I, keeps it too.

**Correction.** Released frequencies T* of a table have expectation P'T, so T^ = (P')^-1 T* is unbiased, with

    Var(T^ | T) = (P')^-1 [sum_i T_i (diag(p_i) - p_i p_i')] P^-1.

A table of several variables has one matrix for each axis; their Kronecker product acts on its cells.

References
----------
Gouweleeuw, J. M., Kooiman, P., Willenborg, L. C. R. J. and de Wolf, P. P. (1998), Post randomisation for statistical
disclosure control: theory and implementation, Journal of Official Statistics 14(4), 463-478.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from tacita.core.arrays import Float1, Float2, FloatArray, Int1, IntArray
from tacita.core.kernel import entry

__all__ = [
    "corrected_table",
    "correction_variance",
    "draw_transitions",
    "expected_matrix",
    "invariant_matrix",
    "margin_before",
    "posterior",
    "random_matrix",
]


def random_matrix(size: int, pd: float, rng: np.random.Generator) -> FloatArray:
    """Return a transition matrix whose diagonal is uniform on [pd, 1]; the rest of a row is shared at random."""
    if size == 1:
        return np.ones((1, 1))
    stay = pd + (1 - pd) * rng.random(size)
    away = rng.random((size, size)) + 1e-12
    np.fill_diagonal(away, 0.0)
    matrix = away / away.sum(axis=1, keepdims=True) * (1 - stay)[:, None]
    np.fill_diagonal(matrix, stay)
    return np.asarray(matrix / matrix.sum(axis=1, keepdims=True))


def invariant_matrix(matrix: FloatArray, frequencies: FloatArray, alpha: float) -> FloatArray:
    """Return alpha P Q + (1 - alpha) I, which keeps the frequencies in expectation.

    A category that does not occur gets the row of the identity.

    Examples
    --------
    >>> t = np.array([6.0, 2.0, 2.0])
    >>> r = invariant_matrix(random_matrix(3, 0.5, np.random.default_rng(1)), t, 0.7)
    >>> (t @ r).round(9).tolist()
    [6.0, 2.0, 2.0]
    """
    flow = frequencies[:, None] * matrix
    arrived = flow.sum(axis=0)
    back = np.divide(flow, arrived, out=np.zeros_like(flow), where=arrived > 0).T  # q_ji = t_i p_ij / sum_k t_k p_kj
    kept = matrix @ back  # R = P Q
    kept[frequencies == 0] = np.eye(len(matrix))[frequencies == 0]
    mixed = alpha * kept + (1 - alpha) * np.eye(len(matrix))
    return np.asarray(mixed / mixed.sum(axis=1, keepdims=True))


@entry
def draw_transitions(codes: Int1, cumulative: Float2, drawn: Float1) -> IntArray:
    """Return for each code the category whose interval of cumulated probabilities contains its uniform number. O(n log m).

    A negative code stays.
    """
    out = np.empty(len(codes), np.int64)
    last = cumulative.shape[1] - 1
    for i in range(len(codes)):
        if codes[i] < 0:
            out[i] = codes[i]
            continue
        low, high, u = 0, last, drawn[i]
        while low < high:
            middle = (low + high) // 2
            if cumulative[codes[i], middle] > u:
                high = middle
            else:
                low = middle + 1
        out[i] = low
    return out


def corrected_table(table: FloatArray, matrices: Sequence[FloatArray | None]) -> FloatArray:
    """Return the unbiased estimate of the original table from a released one.

    Parameters
    ----------
    table
        Released frequencies, one axis for each variable.
    matrices
        The transition matrix of each axis, square and invertible; None where a variable was not changed.
    """
    found: FloatArray = np.asarray(table, dtype=np.float64)
    for axis, matrix in enumerate(matrices):
        if matrix is not None:
            moved = np.moveaxis(found, axis, 0)
            solved = np.linalg.solve(matrix.T, moved.reshape(len(matrix), -1)).reshape(moved.shape)  # (P')^-1 T*
            found = np.asarray(np.moveaxis(solved, 0, axis), dtype=np.float64)
    return found


def correction_variance(estimate: FloatArray, matrices: Sequence[FloatArray | None]) -> FloatArray:
    """Return the variance that post-randomisation adds to each cell of a corrected table.

    The unknown original table is replaced by its estimate, negative cells by 0. O(cells^2) memory.
    """
    whole: FloatArray = np.ones((1, 1))
    for size, matrix in zip(estimate.shape, matrices, strict=True):
        whole = np.asarray(np.kron(whole, np.eye(size) if matrix is None else matrix), dtype=np.float64)
    cells = np.maximum(estimate, 0.0).ravel()
    spread = np.diag(cells @ whole) - whole.T @ (cells[:, None] * whole)  # sum_i T_i (diag(p_i) - p_i p_i')
    back = np.linalg.inv(whole.T)
    return np.asarray(np.maximum(np.einsum("ij,jk,ik->i", back, spread, back), 0.0).reshape(estimate.shape))


def margin_before(released: FloatArray, matrix: FloatArray, *, rounds: int = 500) -> FloatArray:
    """Return the shares of the original categories that make the released shares most likely. O(rounds m^2).

    EM of a mixture, so no share is negative, which those of :func:`corrected_table` can be.

    Examples
    --------
    >>> margin_before(np.array([0.5, 0.5]), np.array([[1.0, 0.0], [0.2, 0.8]])).round(6).tolist()
    [0.375, 0.625]
    """
    share = np.full(len(matrix), 1.0 / max(len(matrix), 1))
    for _ in range(rounds):
        chance = posterior(share, matrix)
        share, before = chance @ released, share
        share = share / max(share.sum(), 1e-300)
        if np.abs(share - before).max(initial=0.0) < 1e-12:
            break
    return np.asarray(share)


def posterior(share: FloatArray, matrix: FloatArray) -> FloatArray:
    """Return the chance of each original category (rows) given each released one (columns), by Bayes' rule. O(m^2).

    A released category that nothing leads to keeps a column of zeros.
    """
    joint = share[:, None] * matrix
    total = joint.sum(axis=0)
    return np.asarray(np.divide(joint, total, out=np.zeros_like(joint), where=total > 0))


def expected_matrix(size: int, pd: float) -> FloatArray:
    """Return the mean of :func:`random_matrix`: what is known of it to somebody who knows ``pd`` alone."""
    if size == 1:
        return np.ones((1, 1))
    stay = (1 + pd) / 2
    matrix = np.full((size, size), (1 - stay) / (size - 1))
    np.fill_diagonal(matrix, stay)
    return matrix
