"""The last resort of local suppression: dear, but certain, and in no need of what the search believes.

The frequencies are counted from the codes. Whoever is below k in a view loses all keys of it, and with shared keys so does the
unit. Then it is counted again:

    wildcard       who lacks all keys of a view matches all n records there, and for the others frequencies only rise
    conservative   who lacks all keys hides among all n; others may fall below k by that, and lose theirs in the next round
    own category   those who lack all keys are a class of their own; where it is too small, the smallest other class joins it

Every round takes a value that was there, so there are at most n d rounds; when nothing is left everybody hides among n.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from tacita.core.arrays import BoolArray, FloatArray, IntArray
from tacita.core.vocabulary import MissingKeys
from tacita.numeric.keys.frequencies import find_patterns
from tacita.numeric.keys.missing_keys import pattern_frequencies

if TYPE_CHECKING:
    from tacita.numeric.local_suppression.local_suppression import SuppressionTask

__all__ = ["make_certain", "spread_over_units"]


def make_certain(codes: IntArray, gone: BoolArray, task: SuppressionTask, strata: IntArray | None = None) -> BoolArray:
    """Return cells with which nobody is below k: those that are given where they do, and more where they do not.

    Parameters
    ----------
    codes
        (n, d): the keys as integer codes from 0, -1 for missing; at least k records.
    gone
        (n, d): cells that are set missing.
    task
        What is asked for.
    strata
        (n,): frequencies are counted within each stratum, which has k records or more; units may reach over strata.

    Examples
    --------
    >>> from tacita.numeric.local_suppression.local_suppression import SuppressionTask
    >>> codes = np.array([[0, 0], [0, 0], [0, 1]])
    >>> nothing = np.zeros((3, 2), dtype=bool)
    >>> make_certain(codes, nothing, SuppressionTask(k=2, views=((0, 1),), price=np.ones(2))).tolist()
    [[False, False], [False, False], [True, True]]
    """
    strata = np.zeros(len(codes), dtype=np.int64) if strata is None else strata
    shown = np.where(spread_over_units(gone, task.units, task.shared), -1, codes)
    while True:  # every turn but the last takes a value that was there
        taken = np.zeros_like(gone)
        for stratum in np.unique(strata):
            rows = np.flatnonzero(strata == stratum)
            for view, k in zip(task.views, task.needs, strict=True):
                taken[np.ix_(rows[_to_empty(shown[rows], view, k, task.missing)], np.array(view))] = True
        taken = spread_over_units(taken, task.units, task.shared) & (shown >= 0)
        if not taken.any():
            return (shown < 0) & (codes >= 0)
        shown = np.where(taken, -1, shown)


def _frequencies(shown: IntArray, view: tuple[int, ...], missing: MissingKeys) -> FloatArray:
    """Return for each record how many records it hides among in a view."""
    patterns = find_patterns([(shown[:, j], int(shown[:, j].max()) + 1) for j in view])
    return pattern_frequencies(patterns, patterns.counts, missing)[patterns.labels]


def _to_empty(shown: IntArray, view: tuple[int, ...], k: int, missing: MissingKeys) -> BoolArray:
    """Return the records that are to lose all keys of a view."""
    frequency = _frequencies(shown, view, missing)
    below = frequency < k
    if missing != "own category" or not below.any():
        return below
    is_empty = (shown[:, list(view)] < 0).all(axis=1)
    if (below | is_empty).sum() < k:  # the class of those who lack everything needs another one beside it
        others = np.flatnonzero(~(below | is_empty))
        first = others[np.argmin(frequency[others])] if len(others) else 0
        below |= (shown[:, list(view)] == shown[first, list(view)]).all(axis=1)
    return below


def spread_over_units(cells: BoolArray, units: IntArray | None, shared: tuple[int, ...]) -> BoolArray:
    """Return the cells with those of shared keys set for all members of a unit."""
    if units is None or not shared:
        return cells
    _, labels = np.unique(units, return_inverse=True)
    made = cells.copy()
    for j in shared:
        made[:, j] = np.bincount(labels.ravel(), weights=cells[:, j])[labels.ravel()] > 0
    return made
