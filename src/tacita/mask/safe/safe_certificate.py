"""The certificate of SAFE: everything that it promises, counted again from the two files alone."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from tacita.core.arrays import IntArray
from tacita.core.errors import DataError
from tacita.data.microdata import Microdata
from tacita.mask.safe.controlled import ControlledTables, Elementary, TableNames, find_elementary
from tacita.mask.safe.safe import Safe
from tacita.numeric.keys.frequencies import find_patterns

__all__ = ["SafeCertificate", "TableDeviations", "certify_safe"]


@dataclass(frozen=True)
class TableDeviations:
    """How far one table of the masked file is from that of the original.

    Parameters
    ----------
    table
        Its variables.
    is_controlled
        Whether the mask controlled it.
    cells
        Cells that have records in one of the files.
    largest
        Largest absolute deviation.
    mean
        Mean absolute deviation.
    """

    table: TableNames
    is_controlled: bool
    cells: int
    largest: int
    mean: float


@dataclass(frozen=True, eq=False)
class SafeCertificate:
    """What was counted.

    Parameters
    ----------
    k
        What was promised.
    smallest
        Smallest number of records of a combination that occurs; 0 where there is no record.
    is_total_kept
        Whether there are as many records as in the original.
    is_real
        Whether every combination of the masked file occurs in the original.
    tables
        Deviations of every table that was looked at.
    frequencies
        How many cells of the controlled tables deviate by 0, 1, 2, ...
    is_fixed_kept
        Whether the table by the fixed variables is that of the original; so it is where there are none.
    """

    k: int
    smallest: int
    is_total_kept: bool
    is_real: bool
    tables: tuple[TableDeviations, ...] = field(repr=False)
    frequencies: tuple[int, ...] = field(repr=False)
    is_fixed_kept: bool = True

    @property
    def is_safe(self) -> bool:
        """Whether no combination has 1 to k - 1 records; then no table counted from the file has such a cell."""
        return self.smallest == 0 or self.smallest >= self.k

    @property
    def largest(self) -> int:
        """Largest absolute deviation in the controlled tables."""
        return max(len(self.frequencies) - 1, 0)

    @property
    def mean(self) -> float:
        """Mean absolute deviation in the controlled tables."""
        cells = sum(self.frequencies)
        return sum(size * many for size, many in enumerate(self.frequencies)) / cells if cells else 0.0

    def __str__(self) -> str:
        proof = f"no combination has 1 to {self.k - 1} records" if self.is_safe else "there are small combinations"
        return (
            f"{proof}; {len(self.tables)} tables, largest deviation in controlled ones {self.largest}, mean {self.mean:.2f}; "
            f"total {'kept' if self.is_total_kept else 'changed'}{'' if self.is_fixed_kept else '; fixed variables changed'}"
        )


def certify_safe(
    original: Microdata, masked: Microdata, mask: Safe, *, others: tuple[TableNames, ...] = ()
) -> SafeCertificate:
    """Count again what SAFE promises, and how far the tables are from those of the original.

    Parameters
    ----------
    original
        What was masked.
    masked
        What came out.
    mask
        The mask, for its variables, its k, and its tables.
    others
        Further tables to look at, beside the controlled and the soft ones.

    Returns
    -------
    SafeCertificate
        Nothing of it comes from the search.

    Raises
    ------
    DataError
        When a file lacks a variable of the mask.

    Notes
    -----
    Every table counts the same records, so a sum of its cells is a cell of a smaller table and equal cells of two tables are
    equal: additivity and consistency need no test. A cell of any table is a sum of combinations, so where no combination has
    1 to k - 1 records no cell has. O(n v + n t).
    """
    names = original.schema.resolve(mask.columns, owner="Safe", scales=mask.traits.scales)
    lacking = [name for name in names if name not in masked.schema]
    if lacking:
        raise DataError(f"Safe: the masked file must have all variables of the mask, but lacks {', '.join(lacking)}.")
    smallest = int(find_elementary(masked, names).counts.min(initial=len(masked))) if len(masked) else 0
    cells, before, after = _common(original, masked, names)
    tables = ControlledTables(original, cells, "Safe")
    controlled = mask.tables_of(tables)
    tables.check(others, parameter="others")
    tables.check([mask.fixed] if mask.fixed else [], parameter="fixed")
    known = set(controlled)
    listed = [*controlled, *(t for t in dict.fromkeys((*mask.soft, *others)) if t not in known)]
    found, frequencies = [], np.zeros(1, dtype=np.int64)
    for i, table in enumerate(listed):
        off = np.abs(_deviations(tables, table, before, after))
        here = np.bincount(off, minlength=len(frequencies))
        if i < len(controlled):
            here[: len(frequencies)] += frequencies
            frequencies = here
        mean = float(off.mean()) if len(off) else 0.0
        found.append(TableDeviations(table, i < len(controlled), len(off), int(off.max(initial=0)), mean))
    return SafeCertificate(
        mask.k,
        smallest,
        len(original) == len(masked),
        bool((before[after > 0] > 0).all()),
        tuple(found),
        tuple(frequencies.tolist()),
        not mask.fixed or not _deviations(tables, mask.fixed, before, after).any(),
    )


def _common(original: Microdata, masked: Microdata, names: tuple[str, ...]) -> tuple[Elementary, IntArray, IntArray]:
    """Return the combinations of both files together, and how often each occurs in the one and in the other."""
    values = [find_elementary(data, names) for data in (original, masked)]
    sets = [tuple(dict.fromkeys((*a, *b))) for a, b in zip(values[0].values, values[1].values, strict=True)]
    sizes = np.array([len(known) + 1 for known in sets], dtype=np.int64)
    coded = []
    for part in values:
        columns = []
        for j, known in enumerate(sets):
            place = {value: i for i, value in enumerate(known)}
            to_common = np.array([*(place[value] for value in part.values[j]), len(known)], dtype=np.int64)
            columns.append(to_common[part.codes[:, j]])
        coded.append(np.stack(columns, axis=1))
    both = np.concatenate(coded)
    patterns = find_patterns((both[:, j], int(sizes[j])) for j in range(len(names)))
    weights = np.concatenate([values[0].counts, np.zeros(len(values[1].counts), dtype=np.int64)])
    before = np.bincount(patterns.labels, weights=weights, minlength=len(patterns.counts)).astype(np.int64)
    weights = np.concatenate([np.zeros(len(values[0].counts), dtype=np.int64), values[1].counts])
    after = np.bincount(patterns.labels, weights=weights, minlength=len(patterns.counts)).astype(np.int64)
    cells = Elementary(names, patterns.labels, patterns.codes, sizes, before, tuple(sets))
    return cells, before, after


def _deviations(tables: ControlledTables, table: TableNames, before: IntArray, after: IntArray) -> IntArray:
    """Return the deviation of every cell of one table that has records in one of the files."""
    labels = find_patterns(tables.codes_at(name) for name in table).labels
    change = np.bincount(labels, weights=after - before)
    return np.rint(change).astype(np.int64)
