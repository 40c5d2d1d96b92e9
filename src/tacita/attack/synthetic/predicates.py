"""Predicates: conditions on a few columns that single out a record, and how many records of a file they hold for."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tacita.core.arrays import BoolArray, FloatArray, IntArray
from tacita.data.microdata import Microdata

__all__ = ["Clause", "Comparison", "count_holding", "isolates"]

Comparison = Literal["is", "at most", "at least", "is missing"]


class Clause(NamedTuple):
    """One condition: a column, a relation and a value, such as ``age at least 97``."""

    column: str
    relation: Comparison
    value: Any = None


def count_holding(predicates: Sequence[tuple[Clause, ...]], data: Microdata) -> IntArray:
    """Return for how many records each predicate holds; all its terms must. O(n) for each term.

    Examples
    --------
    >>> import pyarrow as pa
    >>> data = Microdata.from_frame(pa.table({"age": [31, 47, 90], "sex": ["m", "f", "f"]}))
    >>> old, women = Clause("age", "at least", 47), Clause("sex", "is", "f")
    >>> count_holding([(old,), (women,), (old, women), (Clause("age", "is missing"),)], data).tolist()
    [2, 2, 2, 0]
    """
    columns = _Columns(data)
    counts = np.zeros(len(predicates), np.int64)
    for i, predicate in enumerate(predicates):
        holds = np.ones(len(data), bool)
        for term in predicate:
            holds &= columns.holds(term)
        counts[i] = int(holds.sum())
    return counts


def isolates(said: NDArray[np.generic], data: Microdata) -> BoolArray:
    """Return which of the claimed predicates hold for exactly one record of the data; None is no claim."""
    found = np.zeros(len(said), bool)
    rows = [i for i, predicate in enumerate(said.tolist()) if predicate]
    if rows:
        found[rows] = count_holding([said[i] for i in rows], data) == 1
    return found


class _Columns:
    """The columns of a file, each looked at once."""

    def __init__(self, data: Microdata) -> None:
        self.data = data
        self._numbers: dict[str, FloatArray] = {}
        self._codes: dict[str, tuple[IntArray, dict[str, int]]] = {}

    def holds(self, term: Clause) -> BoolArray:
        """Return for which records one condition holds; for none where the file has not that column."""
        if term.column not in self.data.schema:
            return np.zeros(len(self.data), bool)
        if term.relation == "is missing":
            return self.data.is_missing(term.column)
        if self.data.schema[term.column].scale == "numeric":
            values = self._floats(term.column)
            with np.errstate(invalid="ignore"):
                if term.relation == "is":
                    return np.asarray(values == term.value)
                return np.asarray(values <= term.value if term.relation == "at most" else values >= term.value)
        codes, place = self._words(term.column)
        return np.asarray(codes == place.get(term.value, -2))

    def _floats(self, name: str) -> FloatArray:
        if name not in self._numbers:
            self._numbers[name] = self.data.float(name)
        return self._numbers[name]

    def _words(self, name: str) -> tuple[IntArray, dict[str, int]]:
        if name not in self._codes:
            found = self.data.codes(name)
            self._codes[name] = found.values, {str(c): j for j, c in enumerate(found.categories)}
        return self._codes[name]
