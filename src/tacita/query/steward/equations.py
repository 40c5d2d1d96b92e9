"""What answers say about one variable, as linear equations in the values of the records: all that a linear attacker has."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from tacita.core.arrays import BoolArray, FloatArray, IntArray
from tacita.core.errors import ParameterError
from tacita.query.answer import Answer
from tacita.query.catalogue.version import Version
from tacita.query.requests import QueryRequest, Statistic, Tabulate
from tacita.query.universe.boxes import Boxes

__all__ = ["Equations", "equations_of"]


@dataclass(frozen=True, eq=False)
class Equations:
    """``sum over records of coefficient x value = total``, one for each cell that tells something.

    Parameters
    ----------
    truth
        (n,): what the attacker is after: 1 for the class and 0 for others, or the numbers; NaN where a record has none.
    rows, columns, coefficients
        The entries of the matrix: equation, record, coefficient.
    totals
        (m,): the right-hand sides, as answered.
    """

    truth: FloatArray = field(repr=False)
    rows: IntArray = field(repr=False)
    columns: IntArray = field(repr=False)
    coefficients: FloatArray = field(repr=False)
    totals: FloatArray = field(repr=False)

    def __len__(self) -> int:
        return len(self.totals)


def equations_of(
    version: Version,
    asked: Iterable[tuple[QueryRequest, Answer]],
    *,
    target: str,
    of: str | None = None,
) -> Equations:
    """Collect what answers say about a variable to somebody who knows everything else about every record.

    Parameters
    ----------
    version
        The data; their values are the truth, and all other variables what the attacker knows.
    asked
        Requests with their answers.
    target
        The variable that he wants: one with classes, or a numeric one.
    of
        The class that he asks about; None for the numbers of a numeric variable.

    Raises
    ------
    ParameterError
        When the variable has no such class, or no class is named for one without numbers.

    Notes
    -----
    Used are counts and weighted counts for a class, means, totals and sums for numbers; of an interval the middle.
    Whether a record is in the universe may depend on the variable itself; a cell of which that makes no linear equation
    is left out. He does not know which records were dropped at random, so for him they are all there.

    Complexity
    ----------
    O(n) for each answer.
    """
    variable = version.catalogue[target]
    if of is None and not variable.is_numeric:
        raise ParameterError(f"'of' must name a class of '{target}', which has no numbers.")
    made = _OfNumbers(version, target) if of is None else _OfClass(version, target, of)
    for request, answer in asked:
        if answer.status == "answered":
            made.add(request, answer)
    return made.equations()


class _Collected:
    """Equations as they come in."""

    def __init__(self, version: Version, target: str, truth: FloatArray) -> None:
        self.version, self.target, self.truth = version, target, truth
        self.known = ~np.isnan(truth)
        self._parts: list[tuple[IntArray, IntArray, FloatArray]] = []
        self._totals: list[FloatArray] = []
        self._count = 0

    def put(self, cells: IntArray, coefficients: FloatArray, totals: FloatArray, usable: BoolArray) -> None:
        """Add one equation for each cell that can be used and has a record with a coefficient."""
        there = (coefficients != 0) & self.known
        usable = usable & np.isfinite(totals)
        usable &= np.bincount(cells[there], minlength=len(totals)) > 0
        number = np.full(len(totals), -1, dtype=np.int64)
        number[usable] = self._count + np.arange(int(usable.sum()))
        chosen = np.flatnonzero(there & (number[cells] >= 0))
        self._parts.append((number[cells[chosen]], chosen, coefficients[chosen]))
        self._totals.append(totals[usable])
        self._count += int(usable.sum())

    def equations(self) -> Equations:
        none = (np.zeros(0, dtype=np.int64), np.zeros(0, dtype=np.int64), np.zeros(0))
        rows, columns, coefficients = (np.concatenate(parts) for parts in zip(none, *self._parts, strict=True))
        return Equations(self.truth, rows, columns, coefficients, np.concatenate([np.zeros(0), *self._totals]))

    def weights(self, is_weighted: bool) -> FloatArray:
        found = self.version.weights if is_weighted else None
        return np.ones(len(self.version)) if found is None else found


class _OfNumbers(_Collected):
    """Sums of the values of a numeric variable."""

    def __init__(self, version: Version, target: str) -> None:
        super().__init__(version, target, version.values(target))

    def add(self, request: QueryRequest, answer: Answer) -> None:
        if getattr(request, "response", None) != self.target or self.target in request.where.variables:
            return
        boxes = self.version.boxes(request.where)
        inside = np.zeros(len(self.version), dtype=np.bool_)
        inside[self.version.members(boxes).rows] = True
        if isinstance(request, Tabulate) and request.statistic in ("mean", "total") and self.target not in request.by:
            cells = self.version.cells(request.by).values.astype(np.int64)
            values, w = np.asarray(answer.table.values, dtype=np.float64).ravel(), self.weights(True)
            is_mean = request.statistic == "mean"
        elif isinstance(request, Statistic) and request.statistic in ("mean", "sum"):
            cells, w = np.zeros(len(self.version), dtype=np.int64), self.weights(False)
            values, is_mean = np.array([_number(answer)]), request.statistic == "mean"
        else:
            return
        coefficients = np.where(inside & self.known, w, 0.0)
        if is_mean:
            values = values * np.bincount(cells, coefficients, len(values))
        self.put(cells, coefficients, values, np.ones(len(values), dtype=np.bool_))


class _OfClass(_Collected):
    """Counts of the records of one class."""

    def __init__(self, version: Version, target: str, of: str) -> None:
        numbers = version.catalogue[target].numbers(of)
        if len(numbers) != 1:
            raise ParameterError("'of' must name one class, not several.")
        self.number, self.size = numbers[0], version.catalogue[target].size
        codes = version.codes(target)
        super().__init__(version, target, (codes == self.number).astype(np.float64))

    def add(self, request: QueryRequest, answer: Answer) -> None:
        if isinstance(request, Tabulate) and request.statistic in ("count", "weighted_count"):
            by, is_weighted = request.by, request.statistic == "weighted_count"
            if request.unit != "persons":
                return
            values = np.asarray(answer.table.values, dtype=np.float64)
        elif isinstance(request, Statistic) and request.statistic == "count":
            by, is_weighted, values = (), False, np.array(_number(answer))
        else:
            return
        if_class, if_other, is_other_one = self._inside(self.version.boxes(request.where))
        w = self.weights(is_weighted)
        if self.target in by:  # only the cells of the class count: a record of another class is never in them
            values = np.take(values, self.number, axis=by.index(self.target))
            by = tuple(name for name in by if name != self.target)
            if_other, is_other_one = np.zeros_like(if_class), np.ones_like(if_class)
        cells = self.version.cells(by).values.astype(np.int64)
        totals = values.ravel() - np.bincount(cells, w * if_other, values.size)
        usable = np.bincount(cells, ~is_other_one, values.size) == 0
        self.put(cells, w * (if_class.astype(np.float64) - if_other), totals, usable)

    def _inside(self, boxes: Boxes) -> tuple[BoolArray, BoolArray, BoolArray]:
        """Whether each record is in the universe if it has the class, if it has another, and whether all others agree."""
        n, names = len(self.version), boxes.variables
        if self.target not in names:
            inside = np.zeros(n, dtype=np.bool_)
            inside[self.version.members(boxes).rows] = True
            return inside, inside, np.ones(n, dtype=np.bool_)
        axis = names.index(self.target)
        others = tuple(name for name in names if name != self.target)
        grid = np.moveaxis(boxes.grid(), axis, -1).reshape(-1, self.size)
        would = grid[self.version.cells(others).values]
        rest = np.delete(would, self.number, axis=1)
        if_other = np.asarray(rest.any(axis=1))
        return would[:, self.number], if_other, if_other == np.asarray(rest.all(axis=1))


def _number(answer: Answer) -> float:
    found: Any = answer.value if answer.interval is None else (answer.interval[0] + answer.interval[1]) / 2
    return float("nan") if found is None else float(found)
