"""Key columns and their hierarchies as the arrays that searches over levels work on, and the way back to labels."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from tacita.core.arrays import FloatArray, IntArray
from tacita.core.errors import ColumnError, DataError
from tacita.data.hierarchy import Hierarchy
from tacita.data.microdata import Microdata
from tacita.data.schema import Column

if TYPE_CHECKING:
    from tacita.numeric.keys.lattice import Ladder

__all__ = ["ANY", "CellLoss", "KeyLadder", "as_text", "key_ladder", "recoded_column", "with_labels"]

Int32Array = npt.NDArray[np.int32]

CellLoss = Literal["granularity", "precision", "entropy"]

ANY = "*"
"""Label of any value, the root of a hierarchy that is made here."""


@dataclass(frozen=True, eq=False)
class KeyLadder:
    """One key column with its levels.

    Parameters
    ----------
    name
        The column.
    codes
        (n,): value of each record; the last code stands for missing.
    hierarchy
        The column's own, or values below one label for all.
    up
        (levels, v + 1): group of each value at each level; missing is a group of its own until one label is left.
    labels
        For each level the labels of its groups; None is missing.
    share
        (levels, v + 1): share of the hierarchy's values, less one, that a cell may stand for; 1 for missing.
    texts
        The v values as texts.
    """

    name: str
    codes: IntArray = field(repr=False)
    hierarchy: Hierarchy = field(repr=False)
    up: Int32Array = field(repr=False)
    labels: tuple[tuple[str | None, ...], ...] = field(repr=False)
    share: FloatArray = field(repr=False)
    texts: tuple[str, ...] = field(repr=False, default=())

    def ladder(self, loss: CellLoss = "granularity") -> Ladder:
        """Return the arrays for a search, with what cells lose: values covered, levels climbed, or entropy."""
        from tacita.numeric.keys.lattice import Ladder  # loads when used

        if loss == "granularity":
            return Ladder(self.up, self.share)
        if loss == "entropy":
            return Ladder(self.up, *self._entropy())
        climbed = np.arange(len(self.up)) / max(len(self.up) - 1, 1)
        lost = np.repeat(climbed[:, None], self.up.shape[1], axis=1)
        lost[:, -1] = 1.0
        return Ladder(self.up, lost)

    def _entropy(self) -> tuple[FloatArray, FloatArray]:
        """Return (levels, v + 1) and (v + 1,): what a cell loses at each level and when suppressed, 1 on average in the end."""
        n, width = len(self.codes), self.up.shape[1]
        counts = np.bincount(self.codes, minlength=width).astype(np.float64)
        left = []
        for group in self.up:
            together = np.maximum(np.bincount(group, weights=counts), 1.0)
            left.append(np.log(max(n, 1) / together[group]))
        full = np.log(max(n, 1) / np.maximum(counts, 1.0))
        unit = float(counts @ full) / max(n, 1)
        if unit <= 0:
            return np.zeros(self.up.shape), np.zeros(width)
        return (full - np.array(left)) / unit, full / unit


def as_text(value: Any) -> str:
    """Return a value as it stands in a hierarchy: whole numbers without a point."""
    return str(int(value)) if isinstance(value, float) and value.is_integer() else str(value)


def key_ladder(data: Microdata, name: str, *, owner: str, others: Sequence[str] = ()) -> KeyLadder:
    """Return a column with its levels; a column without a hierarchy has its values and one label for all.

    ``others`` are further values that the ladder must know, as texts; their codes come after those of the column's own.

    Raises
    ------
    DataError
        When the hierarchy does not have every value of the column.
    """
    codes = data.codes(name)
    own = [as_text(value) for value in codes.categories]
    texts = list(dict.fromkeys([*own, *others]))
    hierarchy = data.schema[name].hierarchy
    if hierarchy is None or hierarchy.depth == 0:
        hierarchy = Hierarchy(tuple((text, ANY) for text in texts) or ((ANY, ANY),))
    place = {value: i for i, value in enumerate(hierarchy.values)}
    unknown = [i for i, text in enumerate(texts) if text not in place]
    used = np.bincount(codes.values[codes.values >= 0], minlength=len(texts))
    if unknown and used[unknown].any():
        count = int((used[unknown] > 0).sum())
        raise DataError(
            f"{owner}: the hierarchy of column '{name}' must have every value of the column, but {count} value(s) in "
            f"{int(used[unknown].sum())} record(s) are not in it; add them, or recode them first.",
            details={"column": name, "values": [texts[i] for i in unknown if used[i]]},
        )
    strange = sum(text not in place for text in others)
    if strange:
        raise DataError(
            f"{owner}: the hierarchy of column '{name}' must have every value of the population, but {strange} value(s) "
            "are not in it; add them.",
            details={"column": name},
        )
    rows = np.array([place.get(text, 0) for text in texts], dtype=np.int64)
    up, share, labels = [], [], []
    for level in range(hierarchy.depth):
        made = _level(hierarchy, level, rows)
        up.append(made[0])
        labels.append(made[1])
        share.append(made[2])
    coded = np.where(codes.values < 0, len(texts), codes.values)
    return KeyLadder(name, coded, hierarchy, np.array(up, dtype=np.int32), tuple(labels), np.array(share), tuple(texts))


def _level(hierarchy: Hierarchy, level: int, rows: IntArray) -> tuple[IntArray, tuple[str | None, ...], FloatArray]:
    """Return the groups, their labels and the shares at one level for values at some rows of the hierarchy."""
    named = [row[level] for row in hierarchy.rows]
    known = list(dict.fromkeys(named))
    number = {label: i for i, label in enumerate(known)}
    group = np.array([number[label] for label in named], dtype=np.int64)
    leaves = np.bincount(group, minlength=len(known))
    share = (leaves[group[rows]] - 1) / max(len(named) - 1, 1)
    has_root = len(known) == 1 and level > 0
    up = np.append(group[rows], 0 if has_root else len(known))
    return up, tuple(known) if has_root else (*known, None), np.append(share, 1.0)


def recoded_column(column: Column, hierarchy: Hierarchy, level: int) -> Column:
    """Return the description of a column whose values became the labels of a level."""
    if level == 0:
        return column
    rows = tuple(dict.fromkeys(row[level:] for row in hierarchy.rows))
    order = _ordered_labels(column, hierarchy, level)
    return described(column, order, Hierarchy(rows) if hierarchy.depth - level > 1 else None)


def described(column: Column, categories: Sequence[str] | None, hierarchy: Hierarchy | None = None) -> Column:
    """Return the description of a column that holds labels now: ordinal where their order is known, else nominal."""
    return replace(
        column,
        scale="nominal" if categories is None else "ordinal",
        categories=None if categories is None else tuple(categories),
        hierarchy=hierarchy,
        missing=tuple(code for code in column.missing if isinstance(code, str)),
        bounds=None,
        labels=(),
    )


def _ordered_labels(column: Column, hierarchy: Hierarchy, level: int) -> list[str] | None:
    """Return the labels of a level in the order of the values, or None where the values have none or groups interlock."""
    if column.scale == "nominal":
        return None
    place = {as_text(value): i for i, value in enumerate(column.categories or ())}
    try:
        rank = [float(place[row[0]] if place else float(row[0])) for row in hierarchy.rows]
    except (KeyError, ValueError):
        if column.scale != "date":
            return None
        rank = [float(i) for i in np.argsort(np.argsort([row[0] for row in hierarchy.rows]))]
    ordered = [hierarchy.rows[i][level] for i in np.argsort(rank, kind="stable")]
    runs = [label for i, label in enumerate(ordered) if i == 0 or label != ordered[i - 1]]
    return runs if len(set(runs)) == len(runs) else None


def with_labels(
    data: Microdata, name: str, codes: IntArray, labels: Sequence[str | None], column: Column, *, owner: str
) -> Microdata:
    """Return data in which a column has the label of each record's code (-1 and None are missing)."""
    if {"weight", "household", "cluster"}.intersection(data.schema[name].roles):
        raise ColumnError(f"{owner}: column '{name}' describes the sample and cannot be recoded.")
    values = pa.array([*labels, None], type=pa.string())
    index = np.where(codes < 0, len(labels), codes)
    return data.with_column(name, values.take(pa.array(index)), column=column)
