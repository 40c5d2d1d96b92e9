"""Utility of a protected table: what is hidden, how far values moved, and whether totals were kept."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from itertools import pairwise
from typing import Any

import numpy as np

from tacita.core.arrays import BoolArray, FloatArray, IntArray
from tacita.core.errors import ParameterError

__all__ = ["Distances", "TableUtility", "table_utility"]


@dataclass(frozen=True)
class Distances:
    """Changes in one class of cells.

    Parameters
    ----------
    label
        Name of the class.
    cells
        Published cells in it.
    hidden
        Hidden cells in it.
    changed
        Published cells with another value than before.
    mean_absolute, largest_absolute
        Mean and largest ``|x - a|``.
    mean_relative, largest_relative
        Mean and largest ``|x - a| / |a|`` over the cells whose value is not 0.
    hellinger
        ``sqrt(1/2 sum (sqrt(x) - sqrt(a))^2)`` over the cells whose values before and after are not negative.
    """

    label: str
    cells: int
    hidden: int
    changed: int
    mean_absolute: float
    largest_absolute: float
    mean_relative: float
    largest_relative: float
    hellinger: float


@dataclass(frozen=True)
class TableUtility:
    """What is left of a table.

    Parameters
    ----------
    cells
        Number of cells.
    hidden, hidden_share
        Number of hidden cells and their share of all.
    secondary
        Hidden cells that are not unsafe; 0 where it is not known which are.
    hidden_value, hidden_value_share
        Sum of the absolute values of hidden cells, and its share of the sum over all cells. Cells on several levels of a
        table count each for itself.
    whole
        Changes over all published cells.
    classes
        The same by level or by size of the cells.
    totals
        Changes over the published cells that are totals of others.
    """

    cells: int
    hidden: int
    hidden_share: float
    secondary: int
    hidden_value: float
    hidden_value_share: float
    whole: Distances
    classes: tuple[Distances, ...]
    totals: Distances

    @property
    def keeps_totals(self) -> bool:
        """Whether every total is published as it was."""
        return self.totals.hidden == 0 and self.totals.changed == 0

    def to_plain(self) -> dict[str, Any]:
        """Return everything ready for JSON."""
        return {**asdict(self), "classes": [asdict(part) for part in self.classes], "keeps_totals": self.keeps_totals}


def table_utility(
    original: FloatArray,
    protected: FloatArray | None = None,
    *,
    hidden: BoolArray | None = None,
    unsafe: BoolArray | None = None,
    levels: IntArray | None = None,
    totals: BoolArray | None = None,
    edges: tuple[float, ...] = (0.0, 10.0, 100.0, 1000.0, 10000.0),
) -> TableUtility:
    """Say what a protected table has lost against the original one.

    Parameters
    ----------
    original
        (n,): values before.
    protected
        (n,): values after; None where cells were hidden and the others left alone. NaN counts as hidden.
    hidden
        (n,): cells that are not published.
    unsafe
        (n,): cells that had to be protected; the other hidden ones are secondary.
    levels
        (n,): number of the level of each cell in the hierarchy; classes are made by it where it is given.
    totals
        (n,): cells that are totals of others, such as ``relations.signs < 0`` marks them; none by default.
    edges
        Where no levels are given: borders of the classes by absolute original value. The first class has the values up
        to the first edge, the last one those above the last edge.

    Returns
    -------
    TableUtility
        Counts, hidden values and distances.

    Raises
    ------
    ParameterError
        When arrays differ in length, or neither values nor hidden cells are given.

    Complexity
    ----------
    O(n) for each class.

    Notes
    -----
    Distances are taken over published cells; a hidden cell has none. Cells of value 0 have no relative change.

    References
    ----------
    Hundepool, A. et al. (2012), Statistical disclosure control, section 4.7 (information loss in tables).

    Examples
    --------
    >>> found = table_utility(np.array([10.0, 4.0, 6.0]), np.array([10.0, 5.0, 5.0]), totals=np.array([True, False, False]))
    >>> found.whole.changed, found.whole.mean_absolute, found.keeps_totals
    (2, 0.6666666666666666, True)
    """
    original = np.asarray(original, np.float64)
    n = len(original)
    if protected is None and hidden is None:
        raise ParameterError("table_utility: give the 'protected' values, the 'hidden' cells, or both.")
    after = original if protected is None else np.asarray(protected, np.float64)
    gone = np.zeros(n, bool) if hidden is None else np.asarray(hidden, bool)
    given = {"protected": after, "hidden": gone, "unsafe": unsafe, "levels": levels, "totals": totals}
    for name, array in given.items():
        if array is not None and np.shape(array) != (n,):
            raise ParameterError(f"table_utility: '{name}' must have one entry for each of the {n} cells.")
    gone = gone | np.isnan(after)
    size = np.abs(original)
    whole_value, hidden_value = float(size.sum()), float(size[gone].sum())
    top = np.zeros(n, bool) if totals is None else np.asarray(totals, bool)
    return TableUtility(
        cells=n,
        hidden=int(gone.sum()),
        hidden_share=float(gone.mean()) if n else 0.0,
        secondary=0 if unsafe is None else int((gone & ~np.asarray(unsafe, bool)).sum()),
        hidden_value=hidden_value,
        hidden_value_share=hidden_value / whole_value if whole_value > 0 else 0.0,
        whole=_distances("all", original, after, gone, np.ones(n, bool)),
        classes=tuple(
            _distances(label, original, after, gone, mine)
            for label, mine in _classes(size, levels, edges)
            if mine.any()
        ),
        totals=_distances("totals", original, after, gone, top),
    )


def _classes(size: FloatArray, levels: IntArray | None, edges: tuple[float, ...]) -> list[tuple[str, BoolArray]]:
    if levels is not None:
        return [(f"level {level}", np.asarray(levels) == level) for level in np.unique(levels).tolist()]
    if list(edges) != sorted(set(edges)) or not edges:
        raise ParameterError("table_utility: 'edges' must be increasing numbers, one at least.")
    place = np.searchsorted(np.array(edges), size, side="left")
    words = [f"{edge:,.0f}" if 1e3 <= abs(edge) < 1e15 else f"{edge:g}" for edge in edges]
    names = [f"up to {words[0]}", *(f"over {low} up to {high}" for low, high in pairwise(words)), f"over {words[-1]}"]
    return [(name, place == k) for k, name in enumerate(names)]


def _distances(label: str, original: FloatArray, after: FloatArray, gone: BoolArray, mine: BoolArray) -> Distances:
    shown = mine & ~gone
    a, x = original[shown], after[shown]
    apart = np.abs(x - a)
    relative = apart[a != 0] / np.abs(a[a != 0])
    both = (a >= 0) & (x >= 0)
    return Distances(
        label=label,
        cells=int(shown.sum()),
        hidden=int((mine & gone).sum()),
        changed=int((apart > 1e-9 * np.maximum(1.0, np.abs(a))).sum()),
        mean_absolute=_mean(apart),
        largest_absolute=float(apart.max(initial=0.0)),
        mean_relative=_mean(relative),
        largest_relative=float(relative.max(initial=0.0)),
        hellinger=float(np.sqrt(0.5 * ((np.sqrt(x[both]) - np.sqrt(a[both])) ** 2).sum())),
    )


def _mean(x: FloatArray) -> float:
    return float(x.mean()) if len(x) else 0.0
