"""Tallies: the inner cells of a table, what they add up to, and what each contributor has in them.

A tally is all that a table needs to know of the records. It comes from data in memory, where the sums are the same to the
last digit every time, or from a file that is never read into memory.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

import numpy as np

from tacita.core.arrays import BoolArray, FloatArray, IntArray
from tacita.core.errors import ColumnError, DataError, ParameterError
from tacita.data.columns import to_positions
from tacita.data.microdata import Microdata
from tacita.data.schema import Column

__all__ = ["TINY", "Chosen", "Shares", "Sums", "Tally", "TallyRequest", "owner_flags", "tally"]


Chosen = str | Literal[False] | None
"""A column by its name; None for the one that the schema gives the role, False for none at all."""


TINY = 1e-250
"""Far below any amount, far above the smallest number there is."""


@dataclass(frozen=True, kw_only=True)
class TallyRequest:
    """What is to be added up.

    Parameters
    ----------
    by
        The classifying columns.
    responses
        The columns to sum; an empty text counts records.
    weight
        The column of sampling weights: its name, None for the one of the schema, False for none.
    contributor
        The column that says whose record it is; None when every record is a contributor of its own.
    holding
        The column of groups of contributors: its name, None for the household of the schema, False for none.
    shadow
        A column that stands for the response where contributors are compared.
    cost
        A column whose sum says what hiding a cell costs.
    depth
        How many of the largest contributions of a cell matter.
    present
        A column that a record must have a value of to be counted at all.
    """

    by: tuple[str, ...]
    responses: tuple[str, ...] = ("",)
    weight: Chosen = None
    contributor: str | None = None
    holding: Chosen = None
    shadow: str | None = None
    cost: str | None = None
    depth: int = 5
    present: str | None = None

    def __post_init__(self) -> None:
        if not self.by:
            raise ColumnError("A table needs at least one classifying column; name it in 'by'.")
        for word, names in (("by", self.by), ("response", self.responses)):
            if len(set(names)) < len(names):
                raise ColumnError(f"'{word}' names a column twice.")
        if not 1 <= self.depth <= 100:
            raise ParameterError(f"'depth' must be from 1 to 100, got {self.depth}.")


@dataclass(frozen=True, eq=False)
class Shares:
    """What contributors have in inner cells.

    Parameters
    ----------
    cell, owner
        (r,): inner cell and number of the contributor. Numbers are the same in all tallies of the same data.
    sums
        (k, r): what the contributor has there. Without weights the amount only; with weights also the sum of the amounts
        without sign and the same weighted, in both of which a zero counts as ``TINY``, so that their ratio is the mean
        weight also where all amounts are zero.
    others
        (c,): contributors of each cell that are not listed: they are in no other cell, and not among its largest.
    are_alone
        Whether it is known that no contributor stands on two rows.
    """

    cell: IntArray = field(repr=False)
    owner: IntArray = field(repr=False)
    sums: FloatArray = field(repr=False)
    others: IntArray = field(repr=False)
    are_alone: bool = False


@dataclass(frozen=True, eq=False)
class Sums:
    """One response in the inner cells; records without a value are left out.

    Parameters
    ----------
    records
        (c,): number of records.
    weights
        (c,): sum of their weights; their number where there are none.
    amounts
        (c,): weighted sum of the response, or of ones.
    shadow, cost
        (c,): weighted sums of these columns; a missing value counts as zero.
    units, holdings
        What contributors, and groups of them, have.
    left_out
        Number of records without a value.
    has_negative
        Whether a record has a negative amount.
    groups
        For each contributor its holding; None where there are no holdings, or where it was not asked for.
    """

    records: IntArray = field(repr=False)
    weights: FloatArray = field(repr=False)
    amounts: FloatArray = field(repr=False)
    shadow: FloatArray | None = field(repr=False)
    cost: FloatArray | None = field(repr=False)
    units: Shares = field(repr=False)
    holdings: Shares | None = field(repr=False)
    left_out: int = 0
    has_negative: bool = False
    groups: IntArray | None = field(default=None, repr=False)


@dataclass(frozen=True, eq=False)
class Tally:
    """The inner cells of a table.

    Parameters
    ----------
    columns
        What the schema says of the classifying columns.
    codes
        (c, d): for each cell the position of its value among the categories, -1 where it is missing. A combination may
        occur on several rows.
    categories
        The values of each classifying column, as text.
    responses
        The sums, one for each response.
    """

    columns: tuple[Column, ...]
    codes: IntArray = field(repr=False)
    categories: tuple[tuple[str, ...], ...] = field(repr=False)
    responses: tuple[Sums, ...] = field(repr=False)


def tally(data: Microdata, request: TallyRequest) -> Tally:
    """Tally data in memory. O(n log n) time, a few arrays of length n."""
    schema = data.schema
    weight = schema.weight if request.weight is None else request.weight or None
    holding = schema.household if request.holding is None else request.holding or None
    codes, categories = coded(data, request.by)
    cell, inner = _numbered(codes)
    w = None if weight is None else _weights(data, weight)
    owners = np.arange(len(data)) if request.contributor is None else _owners(data, request.contributor)
    groups = None if holding is None else _owners(data, holding)
    shadow = None if request.shadow is None else np.nan_to_num(data.float(request.shadow))
    cost = None if request.cost is None else np.nan_to_num(data.float(request.cost))
    there = np.ones(len(data), bool) if request.present is None else ~np.isnan(data.float(request.present))
    found = []
    for response in request.responses:
        x = data.float(response) if response else np.ones(len(data))
        rows = np.flatnonzero(~np.isnan(x) & there)
        at, x, own = cell[rows], x[rows], None if w is None else w[rows]

        def total(values: FloatArray, at: IntArray = at, own: FloatArray | None = own) -> FloatArray:
            return np.bincount(at, values if own is None else values * own, len(inner)).astype(np.float64)

        sized = x if shadow is None else shadow[rows]
        records = np.bincount(at, minlength=len(inner))
        found.append(
            Sums(
                records=records,
                weights=total(np.ones(len(at))),
                amounts=total(x),
                shadow=None if shadow is None else total(sized),
                cost=None if cost is None else total(cost[rows]),
                units=_shares(at, owners[rows], sized, own, len(inner), are_alone=request.contributor is None),
                holdings=None if groups is None else _shares(at, groups[rows], sized, own, len(inner)),
                left_out=len(data) - len(rows),
                has_negative=bool((x < 0).any() or (sized < 0).any()),
                groups=None if groups is None else _groups(owners, groups),
            )
        )
    return Tally(tuple(schema[name] for name in request.by), inner, categories, tuple(found))


def coded(data: Microdata, names: Sequence[str]) -> tuple[IntArray, tuple[tuple[str, ...], ...]]:
    """Return columns as positions in their values (-1 for missing), and these values as text."""
    columns, categories = [], []
    for name in names:
        codes = data.codes(name)
        columns.append(codes.values)
        categories.append(tuple(as_code(value) for value in codes.categories))
    return np.stack(columns, axis=1), tuple(categories)


def as_code(value: Any) -> str:
    """Return a value as the text that stands for it in hierarchies and tables."""
    return str(int(value)) if isinstance(value, float) and value.is_integer() else str(value)


def _numbered(codes: IntArray) -> tuple[IntArray, IntArray]:
    """Number the records by their combination of codes; return the numbers and the combinations."""
    label = np.zeros(len(codes), np.int64)
    for column in codes.T:
        # Numbering anew after every column keeps the numbers small, however many combinations are thinkable.
        both = label * (int(column.max(initial=0)) + 2) + column + 1
        _, label = np.unique(both, return_inverse=True)
    first = np.zeros(int(label.max(initial=-1)) + 1, np.int64)
    first[label] = np.arange(len(codes))
    return label, codes[first]


def _weights(data: Microdata, name: str) -> FloatArray:
    values = data.float(name)
    bad = int((~(values >= 0)).sum())
    if bad:
        raise DataError(f"The weight '{name}' is negative or missing in {bad} records; weights must be 0 or more.")
    return values


def _owners(data: Microdata, name: str) -> IntArray:
    """Number the values of a column; a record without one is on its own."""
    data.schema[name]  # raises with a suggestion where the name is unknown
    positions, values = to_positions(data.column(name))
    return np.where(positions < 0, len(values) + np.arange(len(data)), positions).astype(np.int64)


def _groups(owners: IntArray, groups: IntArray) -> IntArray:
    """Return for each contributor its holding; one with records in several has none of its own."""
    size = int(owners.max(initial=-1)) + 1
    found, least = np.full(size, -1, np.int64), np.full(size, np.iinfo(np.int64).max)
    np.maximum.at(found, owners, groups)
    np.minimum.at(least, owners, groups)
    return np.where(found == least, found, -1)


def owner_flags(data: Microdata, flag: str, owner: str | None, *, every: bool = False) -> BoolArray:
    """Return for each contributor whether one of its records, or every one, has a value other than zero in a column.

    Parameters
    ----------
    data
        The records.
    flag
        A numeric column, such as 1 for "asked for protection"; a missing value counts as zero.
    owner
        The column that says whose record it is; None when every record is a contributor of its own.
    every
        Whether all records must have it, such as those of all members of a holding that waives its protection.
    """
    marked = np.nan_to_num(data.float(flag)) != 0
    owners = np.arange(len(data)) if owner is None else _owners(data, owner)
    size = int(owners.max(initial=-1)) + 1
    found = np.bincount(owners, marked, size)
    return found == np.bincount(owners, minlength=size) if every else found > 0


def _shares(
    cell: IntArray, owner: IntArray, x: FloatArray, w: FloatArray | None, cells: int, *, are_alone: bool = False
) -> Shares:
    if w is None:
        return Shares(cell=cell, owner=owner, sums=x[None], others=np.zeros(cells, np.int64), are_alone=are_alone)
    size = np.maximum(np.abs(x), TINY)
    sums = np.stack([x, size, w * size])
    return Shares(cell=cell, owner=owner, sums=sums, others=np.zeros(cells, np.int64), are_alone=are_alone)
