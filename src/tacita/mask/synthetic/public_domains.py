"""Public domains: the values that a column can have by its definition, so that nothing of a domain comes from a record."""

from __future__ import annotations

import datetime as dt
from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa

from tacita.core.arrays import FloatArray, IntArray
from tacita.core.errors import ColumnError
from tacita.data.columns import from_floats, from_positions, to_positions
from tacita.data.microdata import Microdata
from tacita.data.schema import Column
from tacita.mask.recode.ladders import as_text

__all__ = ["BinDomain", "ClassDomain", "Domain", "listed_classes", "occurring_domain", "schema_domain"]


@dataclass(frozen=True)
class Domain(ABC):
    """The values that a column can have, numbered 0, 1, 2, ...; with gaps, these have the last number.

    Parameters
    ----------
    name
        The column.
    kind
        Its type.
    has_gaps
        Whether a value may be missing.
    """

    name: str
    kind: pa.DataType
    has_gaps: bool

    @property
    @abstractmethod
    def values(self) -> int:
        """How many numbers there are without that of gaps."""

    @property
    def size(self) -> int:
        """How many numbers there are; one at least, so that a column without any value is one of gaps."""
        return max(self.values + self.has_gaps, 1)

    def numbered(self, data: Microdata) -> tuple[IntArray, bool]:
        """Return the number of each record, and whether one has a value outside, which counts as a gap.

        Where there are no gaps by definition, what lies outside counts as the first value.
        """
        places, is_outside = self._places(data)
        return np.where(places < 0, self.values if self.has_gaps else 0, places), is_outside

    @abstractmethod
    def _places(self, data: Microdata) -> tuple[IntArray, bool]: ...

    @abstractmethod
    def drawn(self, numbers: IntArray, rng: np.random.Generator, decimals: int | None) -> pa.Array:
        """Return values for numbers, missing for that of gaps."""


@dataclass(frozen=True)
class ClassDomain(Domain):
    """A list of values."""

    classes: tuple[Any, ...]

    @property
    def values(self) -> int:
        return len(self.classes)

    def _places(self, data: Microdata) -> tuple[IntArray, bool]:
        positions, found = to_positions(data.column(self.name))
        place = {as_text(value): i for i, value in enumerate(self.classes)}
        known = np.array([*(place.get(as_text(value), -1) for value in found.to_pylist()), -1], dtype=np.int64)
        return known[positions], bool((known[:-1] < 0).any())

    def drawn(self, numbers: IntArray, rng: np.random.Generator, decimals: int | None) -> pa.Array:
        if pa.types.is_null(self.kind) or not self.classes:
            return pa.nulls(len(numbers), self.kind)
        places = np.where(numbers < len(self.classes), numbers.astype(np.float64), np.nan)
        return from_positions(places, self.classes, self.kind)


@dataclass(frozen=True)
class BinDomain(Domain):
    """Bins of a number or a date (in days), lower ends included; the last one includes its upper end too."""

    edges: tuple[float, ...]

    @property
    def is_date(self) -> bool:
        """Whether the numbers are days."""
        return bool(pa.types.is_temporal(self.kind))

    @property
    def is_whole(self) -> bool:
        """Whether values are whole numbers."""
        return self.is_date or bool(pa.types.is_integer(self.kind))

    @property
    def values(self) -> int:
        return max(len(self.edges) - 1, 1)

    def _places(self, data: Microdata) -> tuple[IntArray, bool]:
        x = _days(data, self.name) if self.is_date else data.float(self.name)
        there = ~np.isnan(x)
        places = np.full(len(x), -1, dtype=np.int64)
        places[there] = np.searchsorted(np.asarray(self.edges[1:-1]), x[there], side="right")
        return places, bool((x[there] < self.edges[0]).any() or (x[there] > self.edges[-1]).any())

    def drawn(self, numbers: IntArray, rng: np.random.Generator, decimals: int | None) -> pa.Array:
        """Return values drawn evenly over their bins."""
        low, high = np.asarray(self.edges[:-1] or self.edges), np.asarray(self.edges[1:] or self.edges)
        if self.is_whole:
            low = np.ceil(low)
            high = np.append(np.ceil(high[:-1]) - 1, np.floor(high[-1]))
        inside = numbers < self.values
        place = np.where(inside, numbers, 0)
        share = rng.random(len(numbers))
        if self.is_whole:
            x = low[place] + np.floor(share * (high - low + 1)[place])
        else:
            x = low[place] + share * (high - low)[place]
            x = x if decimals is None else np.clip(np.round(x, decimals), self.edges[0], self.edges[-1])
        if not self.is_date:
            return from_floats(np.where(inside, x, np.nan), self.kind)
        return pa.array(x.astype(np.int32), mask=~inside).cast(pa.date32()).cast(self.kind)


# --- where a domain comes from --------------------------------------------------------------------------------------------


def listed_classes(column: Column, kind: pa.DataType, has_gaps: bool, classes: Sequence[Any]) -> ClassDomain:
    """Return the domain of a list of classes, in the type of the column."""
    value = kind.value_type if pa.types.is_dictionary(kind) else kind
    if pa.types.is_null(value):
        return ClassDomain(column.name, kind, has_gaps, ())
    try:
        typed = pa.array([as_text(entry) for entry in classes], pa.string()).cast(value).to_pylist()
    except (pa.ArrowInvalid, pa.ArrowNotImplementedError):
        raise ColumnError(f"Column '{column.name}': its declared classes do not have the type of its values.") from None
    return ClassDomain(column.name, kind, has_gaps, tuple(dict.fromkeys(typed)))


def schema_domain(column: Column, kind: pa.DataType, has_gaps: bool, bins: int) -> Domain | None:
    """Return the domain that a schema gives a column: bounds, categories, a hierarchy or labels; None where it gives none."""
    if column.scale == "numeric" and column.bounds is not None:
        low, high = column.bounds
        if low is not None and high is not None:
            return BinDomain(column.name, kind, has_gaps, equal_bins(low, high, bins, pa.types.is_integer(kind)))
    if column.scale == "date":
        return None
    classes: Sequence[Any] = column.categories or ()
    if not classes and column.hierarchy is not None:
        classes = column.hierarchy.values
    if not classes:
        classes = [value for value, _ in column.labels if not _is_code(value, column)]
    return listed_classes(column, kind, has_gaps, classes) if classes else None


def occurring_domain(data: Microdata, column: Column, has_gaps: bool, bins: int) -> Domain:
    """Return what occurs in the data as a domain, for data whose values are public knowledge as a list."""
    kind = data.type_of(column.name)
    if pa.types.is_null(kind) or column.scale not in ("numeric", "date"):
        found = to_positions(data.column(column.name))[1].to_pylist()
        return ClassDomain(column.name, kind, has_gaps, tuple(found))
    x = _days(data, column.name) if column.scale == "date" else data.float(column.name)
    x = x[~np.isnan(x)]
    if not len(x):
        return ClassDomain(column.name, kind, True, ())
    is_whole = column.scale == "date" or pa.types.is_integer(kind)
    return BinDomain(column.name, kind, has_gaps, equal_bins(float(x.min()), float(x.max()), bins, is_whole))


def equal_bins(low: float, high: float, bins: int, is_whole: bool) -> tuple[float, ...]:
    """Return the edges of bins of one width; for whole numbers whole edges, and no more bins than numbers.

    Examples
    --------
    >>> equal_bins(0, 3, 10, True), equal_bins(0, 1, 2, False), equal_bins(5, 5, 4, False)
    ((0.0, 1.0, 2.0, 3.0, 3.0), (0.0, 0.5, 1.0), (5.0,))
    """
    if low >= high:
        return (float(low),)
    if not is_whole:
        return tuple(np.linspace(low, high, bins + 1).tolist())
    low, high = float(np.ceil(low)), float(np.floor(high))
    lower = low + np.floor(np.arange(bins) * (high - low + 1) / bins)
    return (*dict.fromkeys(lower.tolist()), high)


def day_number(text: str) -> float:
    """Return a date such as 2024-01-31 as days since 1970."""
    return float((dt.date.fromisoformat(text) - dt.date(1970, 1, 1)).days)


def _days(data: Microdata, name: str) -> FloatArray:
    """Return dates as days since 1970; NaN where missing."""
    column = data.column(name)
    try:
        days = column.cast(pa.date32(), safe=False).cast(pa.int32()).cast(pa.float64())
    except (pa.ArrowInvalid, pa.ArrowNotImplementedError):
        raise ColumnError(f"Column '{name}' has no dates that can be counted in days; drop it.") from None
    return np.asarray(days.to_numpy(), dtype=np.float64)


def _is_code(value: Any, column: Column) -> bool:
    """Whether a value is one of the codes for missing."""
    return any(
        (code[0] <= value <= code[1]) if isinstance(code, tuple) and isinstance(value, (int, float)) else code == value
        for code in column.missing
    )
