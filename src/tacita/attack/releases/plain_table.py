"""Plain descriptions of what was released: tables, counts of a file, and answers, each as cells of classes."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

import numpy as np

from tacita.attack.targets import Seat
from tacita.core.arrays import BoolArray, FloatArray, IntArray
from tacita.core.errors import AttackError
from tacita.data.microdata import Microdata

__all__ = ["PlainDimension", "PlainTable"]


@dataclass(frozen=True)
class PlainDimension:
    """A variable of a table and its codes.

    Parameters
    ----------
    name
        The variable.
    codes
        All codes, totals too.
    parts
        For each total the codes that it is the sum of.
    """

    name: str
    codes: tuple[str, ...]
    parts: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    @classmethod
    def flat(cls, name: str, classes: Sequence[str], total: str = "Total") -> PlainDimension:
        """Return a variable with a total and classes."""
        return cls(name, (total, *classes), {total: tuple(classes)})


@dataclass(frozen=True, eq=False, kw_only=True)
class PlainTable:
    """Cells of one release, as everybody sees them.

    Parameters
    ----------
    release
        What the release is called; several tables may be of one.
    measure
        What is added up: the name of a variable, or nothing for counts of people.
    dimensions
        The variables. One that is lacking stands at its total.
    codes
        (n, d): for each cell its code of each dimension, by place; for answers about several classes see :meth:`of_answers`.
    values
        (n,): what is shown; NaN where a cell is hidden.
    wanted
        (n,): the cells that somebody wants to know; by default those that are hidden.
    reach
        (n,): how far true values may be from what is shown; None where values are true.
    seats
        What contributors know of cells of this table, by place; their names are those of all tables that know the same ones.
    sought
        For each cell the name of the contributor whose amount in it somebody wants to know, empty where nobody's; none where
        amounts of contributors are not sought.
    statistic
        ``total``, or ``mean`` where means of the measure are shown: its totals over the number of people.
    has_negative
        Whether a total of this measure may be below 0, so that no cell says how large another one is at most.
    sets
        For cells of several classes: for each cell the classes of each variable. Then ``codes`` is empty.
    """

    release: str
    measure: str = ""
    dimensions: tuple[PlainDimension, ...] = ()
    codes: IntArray
    values: FloatArray
    wanted: BoolArray | None = None
    reach: FloatArray | None = None
    seats: tuple[Seat, ...] = ()
    sought: tuple[str, ...] = ()
    statistic: Literal["total", "mean"] = "total"
    has_negative: bool = False
    sets: tuple[Mapping[str, tuple[str, ...]], ...] = ()

    def __post_init__(self) -> None:
        n = len(self.values)
        if not self.sets and self.codes.shape != (n, len(self.dimensions)):
            raise AttackError(f"'{self.release}': 'codes' must have a row a cell and a column a dimension.")
        if self.statistic == "mean" and not self.measure:
            raise AttackError(f"'{self.release}': a mean must have a measure.")
        for name in ("wanted", "reach"):
            part = getattr(self, name)
            if part is not None and len(part) != n:
                raise AttackError(f"'{self.release}': '{name}' must have an entry for each of {n} cells.")

    def __len__(self) -> int:
        return len(self.values)

    @property
    def victims(self) -> BoolArray:
        """(n,): the cells that somebody wants to know; of means, totals are wanted where another table says so."""
        if self.statistic == "mean" and self.wanted is None:
            return np.zeros(len(self), bool)
        return np.isnan(self.values) if self.wanted is None else self.wanted

    def cell(self, place: int) -> dict[str, tuple[str, ...]]:
        """Return the classes of each variable of one cell."""
        if self.sets:
            return {name: tuple(classes) for name, classes in self.sets[place].items()}
        return {d.name: (d.codes[code],) for d, code in zip(self.dimensions, self.codes[place].tolist(), strict=True)}

    @classmethod
    def of_answers(
        cls,
        release: str,
        answers: Sequence[tuple[Mapping[str, Collection[str]], float]],
        *,
        measure: str = "",
        statistic: Literal["total", "mean"] = "total",
        reach: float = 0.0,
    ) -> PlainTable:
        """Return answers of a database as cells: pairs of who is asked about (classes of variables) and what was told."""
        sets = tuple({name: tuple(classes) for name, classes in who.items()} for who, _ in answers)
        values = np.array([value for _, value in answers], np.float64)
        return cls(
            release=release,
            measure=measure,
            codes=np.zeros((0, 0), np.int64),
            values=values,
            reach=np.full(len(values), reach) if reach else None,
            statistic=statistic,
            sets=sets,
        )

    @classmethod
    def of_file(
        cls, release: str, data: Microdata, columns: Sequence[str], *, measure: str = "", most_cells: int = 100_000
    ) -> PlainTable:
        """Return what a file of records shows by columns that nobody masked: a count, or a total, for every combination.

        Parameters
        ----------
        release, data
            The file as it left.
        columns
            Columns with classes that are as they were.
        measure
            A column with numbers that are as they were; empty for counts.
        most_cells
            Combinations of classes, empty ones included, up to which a file is used.

        Raises
        ------
        AttackError
            When there are more, or a record has no class.
        """
        found: list[Any] = [data.codes(name) for name in columns]
        names = [tuple(str(category) for category in one.categories) for one in found]
        shape = tuple(len(part) for part in names)
        if np.prod(shape, dtype=np.float64) > most_cells:
            raise AttackError(f"'{release}': the columns have more than {most_cells} combinations.")
        if any((one.values < 0).any() for one in found):
            raise AttackError(f"'{release}': a record has no class in one of the columns.")
        place = np.ravel_multi_index([one.values for one in found], shape) if shape else np.zeros(len(data), np.int64)
        amounts = data.numbers(measure) if measure else None
        values = np.bincount(place, amounts, int(np.prod(shape, dtype=np.int64))).astype(np.float64)
        codes = np.stack(np.unravel_index(np.arange(len(values)), shape), axis=1) if shape else np.zeros((1, 0))
        dimensions = tuple(PlainDimension(name, part) for name, part in zip(columns, names, strict=True))
        return cls(release=release, measure=measure, dimensions=dimensions, codes=codes.astype(np.int64), values=values)
