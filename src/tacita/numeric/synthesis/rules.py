"""Rules between columns: what cannot be, and what follows from other columns (structural zeros).

A rule says what a column must be ``where`` something holds of others: "employment is missing where age < 15". It is made of
tests, each about one column, and holds or does not hold in each record. Tests know numbers and positions of classes only; the
texts of rules are read by whoever knows the names of classes.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from tacita.core.arrays import BoolArray
from tacita.numeric.synthesis.column_values import ColumnValues

__all__ = ["ColumnRule", "ColumnTest", "Comparison"]

Comparison = Literal["<", "<=", ">", ">=", "in", "missing"]


@dataclass(frozen=True)
class ColumnTest:
    """A claim about one column, true or false of each record.

    Parameters
    ----------
    column
        The column.
    how
        A comparison; ``in`` with several values, ``missing`` with none.
    values
        What it is compared with: numbers or positions of classes; for ``missing`` the kinds of gaps, by default all.
    other
        A column that it is compared with instead.
    negated
        Whether the claim is the opposite. A comparison with a missing value holds neither way.

    Examples
    --------
    >>> age = ColumnValues.of_numbers(np.array([12.0, 40.0, np.nan]))
    >>> young = ColumnTest("age", "<", (15.0,))
    >>> young.holds({"age": age}).tolist(), young.opposite().holds({"age": age}).tolist()
    ([True, False, False], [False, True, False])
    """

    column: str
    how: Comparison
    values: tuple[float, ...] = ()
    other: str | None = None
    negated: bool = False

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns that it looks at."""
        return (self.column,) if self.other is None else (self.column, self.other)

    @property
    def fixed(self) -> float | None:
        """The only value that the column can have, if there is one; NaN for a gap."""
        if self.negated or self.other is not None:
            return None
        if self.how == "missing":
            return float("nan")
        return self.values[0] if self.how == "in" and len(self.values) == 1 else None

    def opposite(self) -> ColumnTest:
        """Return the opposite claim."""
        return replace(self, negated=not self.negated)

    def holds(self, columns: Mapping[str, ColumnValues]) -> BoolArray:
        """Return where the claim is true."""
        column = columns[self.column]
        there = column.there
        if self.how == "missing":
            gone = np.isin(column.gaps, self.values) if self.values else ~there
            return ~gone if self.negated else gone
        if self.how == "in":
            found = np.isin(column.values, self.values)
        else:
            right = columns[self.other] if self.other is not None else None
            value = self.values[0] if right is None else right.values
            there = there if right is None else there & right.there
            found = np.asarray(_COMPARED[self.how](column.values, value))
        return np.asarray(there & (~found if self.negated else found))


_COMPARED = {"<": np.less, "<=": np.less_equal, ">": np.greater, ">=": np.greater_equal}


@dataclass(frozen=True)
class ColumnRule:
    """What must hold of a column where something holds of others.

    Parameters
    ----------
    then
        What must hold.
    where
        Alternatives; each is a list of claims that hold together. Without any the rule is for every record.
    text
        The rule in words.
    """

    then: ColumnTest
    where: tuple[tuple[ColumnTest, ...], ...] = ()
    text: str = ""

    @property
    def given(self) -> tuple[str, ...]:
        """The columns beside the one that it is about."""
        named = [name for tests in self.where for test in tests for name in test.columns]
        return tuple(dict.fromkeys(name for name in [*named, *self.then.columns[1:]] if name != self.then.column))

    def concerns(self, columns: Mapping[str, ColumnValues]) -> BoolArray:
        """Return the records that the rule is for."""
        n = len(next(iter(columns.values())))
        if not self.where:
            return np.ones(n, np.bool_)
        found = np.zeros(n, np.bool_)
        for tests in self.where:
            found |= np.logical_and.reduce([test.holds(columns) for test in tests])
        return found

    def broken(self, columns: Mapping[str, ColumnValues]) -> BoolArray:
        """Return the records in which the rule does not hold. A missing value breaks no comparison."""
        wrong = ~self.then.holds(columns)
        if self.then.how != "missing":
            wrong &= np.logical_and.reduce([columns[name].there for name in self.then.columns])
        return np.asarray(wrong & self.concerns(columns))
