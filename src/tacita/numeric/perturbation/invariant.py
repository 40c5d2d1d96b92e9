"""Invariant transition matrices: states change, and how often each occurs stays the same.

From any transition matrix P and the frequencies v, ``R = P Q`` with ``Q_ij = p_ji v_j / sum_k p_ki v_k`` has ``v R = v``
(Shlomo and Young 2008). Damping by alpha, ``alpha R + (1 - alpha) I``, keeps that.
"""

from __future__ import annotations

import numpy as np

from tacita.core.arrays import BoolArray, FloatArray, IntArray
from tacita.core.errors import ParameterError

__all__ = ["banded_matrix", "controlled_flows", "invariant_matrix", "moved_states"]


def banded_matrix(states: int, *, stay: float, reach: int = 1) -> FloatArray:
    """Return a matrix that stays with a probability and else moves up to ``reach`` states, half as likely for each step more.

    At the ends, what would leave stays. Examples: see :func:`invariant_matrix`.
    """
    if not 0 <= stay <= 1 or reach < 1:
        raise ParameterError(f"'stay' must be from 0 to 1 and 'reach' at least 1, got {stay:g} and {reach}.")
    steps = 0.5 ** np.arange(reach)
    steps = (1 - stay) / 2 * steps / steps.sum()
    made = np.zeros((states, states))
    for step, p in enumerate(steps, start=1):
        made += p * (np.eye(states, k=step) + np.eye(states, k=-step))
    made[np.diag_indices(states)] += 1 - made.sum(axis=1)
    return made


def invariant_matrix(initial: FloatArray, frequencies: FloatArray, *, alpha: float = 1.0) -> FloatArray:
    """Return the invariant matrix of an initial one.

    Parameters
    ----------
    initial
        (k, k): P, rows sum to one.
    frequencies
        (k,): v, how often each state occurs; a state that does not occur stays.
    alpha
        Damping from 0 (nothing changes) to 1.

    Raises
    ------
    ParameterError
        When P is no transition matrix, or shapes do not fit.

    Notes
    -----
    ``v_i R_ij`` is symmetric: as many go from i to j as back. O(k^3).

    Examples
    --------
    >>> v = np.array([96.0, 32.0, 20.0])
    >>> R = invariant_matrix(banded_matrix(3, stay=0.8), v, alpha=0.5)
    >>> (v @ R).round(9).tolist()
    [96.0, 32.0, 20.0]
    """
    P, v = np.asarray(initial, np.float64), np.asarray(frequencies, np.float64)
    if P.shape != (len(v), len(v)) or (P < 0).any() or np.abs(P.sum(axis=1) - 1).max(initial=0.0) > 1e-9:
        raise ParameterError("invariant_matrix: 'initial' must be a transition matrix of the states of 'frequencies'.")
    if (v < 0).any() or not 0 <= alpha <= 1:
        raise ParameterError("invariant_matrix: frequencies must not be negative, and alpha must be from 0 to 1.")
    reached = v @ P
    Q = np.divide((P * v[:, None]).T, reached[:, None], out=np.eye(len(v)), where=reached[:, None] > 0)
    R = P @ Q
    absent = v == 0
    R[absent] = np.eye(len(v))[absent]
    return np.asarray(alpha * R + (1 - alpha) * np.eye(len(v)))


def controlled_flows(expected: FloatArray, rng: np.random.Generator) -> IntArray:
    """Round expected flows to whole numbers without bias, so that no sum of a row or column that is whole changes.

    Parameters
    ----------
    expected
        (k, k): expected flows whose rows and columns sum to whole numbers.
    rng
        Random stream.

    Notes
    -----
    Broken entries are moved along cycles, up and down in turn, until one of them is whole; which way is drawn so that the mean
    stays (Cox 1987). Every entry goes to one of its two neighbouring whole numbers. O(k^4) at most.

    Raises
    ------
    ParameterError
        When a row or column does not sum to a whole number.

    Examples
    --------
    >>> made = controlled_flows(np.array([[1.5, 0.5], [0.5, 1.5]]), np.random.default_rng(1))
    >>> made.sum(axis=0).tolist(), made.sum(axis=1).tolist()
    ([2, 2], [2, 2])
    """
    flows = np.array(expected, np.float64)
    for axis in (0, 1):
        total = flows.sum(axis=axis)
        if np.abs(total - np.rint(total)).max(initial=0.0) > 1e-6:
            raise ParameterError("controlled_flows: every row and column must sum to a whole number.")
    rest = _settled(flows - np.floor(flows + 1e-9))
    whole = np.floor(flows + 1e-9)
    while True:
        cycle = _cycle(rest > 0)
        if not cycle:
            break
        up, down = cycle[0::2], cycle[1::2]
        gain = min(*(1 - rest[i, j] for i, j in up), *(rest[i, j] for i, j in down))
        loss = min(*(rest[i, j] for i, j in up), *(1 - rest[i, j] for i, j in down))
        step = gain if rng.random() * (gain + loss) < loss else -loss
        for sign, cells in ((1.0, up), (-1.0, down)):
            for i, j in cells:
                rest[i, j] += sign * step
                if rest[i, j] > 1 - 1e-9:
                    whole[i, j] += 1
                    rest[i, j] = 0.0
        rest = _settled(rest)
    return (whole + np.rint(rest)).astype(np.int64)


def _settled(rest: FloatArray) -> FloatArray:
    return np.asarray(np.where(rest < 1e-9, 0.0, rest))


def _cycle(broken: BoolArray) -> list[tuple[int, int]]:
    """Return a cycle of broken entries, turning at each from its row to a column and back; empty where there is none."""
    rows = np.flatnonzero(broken.sum(axis=1) > 1)
    for start in rows.tolist():
        path: list[tuple[int, int]] = []
        seen: dict[tuple[str, int], int] = {("row", start): 0}
        row, column = start, -1
        while True:
            choices = [j for j in np.flatnonzero(broken[row]).tolist() if j != column]
            if not choices:
                break
            column = choices[0]
            path.append((row, column))
            if ("column", column) in seen:
                return path[seen["column", column] :]
            seen["column", column] = len(path)
            above = [i for i in np.flatnonzero(broken[:, column]).tolist() if i != row]
            if not above:
                break
            row = above[0]
            path.append((row, column))
            if ("row", row) in seen:
                return path[seen["row", row] :]
            seen["row", row] = len(path)
    return []


def moved_states(states: IntArray, flows: IntArray, uniforms: FloatArray) -> IntArray:
    """Return the new state of each item: of those in state i, ``flows[i, j]`` go to j, in the order of their numbers.

    Parameters
    ----------
    states
        (n,): states from 0.
    flows
        (k, k): whole flows whose rows sum to the number of items of each state.
    uniforms
        (n,): a number for each item, which decides who goes where.
    """
    made = np.empty(len(states), np.int64)
    order = np.lexsort((uniforms, states))
    made[order] = np.repeat(np.tile(np.arange(len(flows)), len(flows)), flows.ravel())
    return made
