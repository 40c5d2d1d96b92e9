"""Pairing: which original record belongs to which masked one."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Literal, get_args

import numpy as np
import pyarrow as pa

from tacita.core.arrays import BoolArray, FloatArray, IntArray
from tacita.core.errors import ColumnError, MeasureError, ParameterError
from tacita.core.method import Method
from tacita.core.parameters import Columns
from tacita.core.selectors import Selector
from tacita.core.vocabulary import DESIGN_ROLES
from tacita.data.microdata import Microdata

__all__ = ["Pair", "Pairing", "absent_columns", "banded_columns", "check_files", "misfit_columns", "pair_records"]


_BLOCK = 2**18
"""Records that are compared at a time."""

Pairing = Literal["auto", "link", "order", "nearest"]
"""How records are paired: by the link kept inside, by row order, by the nearest record, or the best that is there."""


@dataclass(frozen=True, eq=False)
class Pair:
    """An original and its masked version, record by record.

    Parameters
    ----------
    original, masked
        The two files.
    rows
        For each masked record that has an original: its row there.
    masked_rows
        The masked records that ``rows`` speaks of; a synthetic record has no original.
    how
        ``link`` or ``order`` when each masked record is paired with the one it came from, ``nearest`` when with the
        original that is nearest in all numeric columns (the primed measures).
    is_part
        Whether only some of the paired records are looked at (:meth:`among`).
    """

    original: Microdata
    masked: Microdata
    rows: IntArray = field(repr=False)
    masked_rows: IntArray = field(repr=False)
    how: Literal["link", "order", "nearest"]
    is_part: bool = False

    @property
    def is_true_pairing(self) -> bool:
        """Whether records are paired with those they came from."""
        return self.how != "nearest"

    @property
    def steps(self) -> tuple[Method, ...]:
        """The masks that made the masked file out of the original, first to last; none where that is not known."""
        before, after = self.original.history, self.masked.history
        return after[len(before) :] if after[: len(before)] == before else after

    @cached_property
    def banded(self) -> tuple[str, ...]:
        """Numbers that masking made coarser categories of; what these hold is known where records are paired truly.

        Numbers that were only written as texts are none: they have about as many categories as there were values.
        """
        if not self.is_true_pairing:
            return ()
        return banded_columns(self.original, self.masked)

    @cached_property
    def _in_numbers(self) -> Pair:
        from tacita.data.bands import with_middles

        return replace(self, masked=with_middles(self, self.banded)) if self.banded else self

    def seen_by(self, scales: frozenset[str]) -> Pair:
        """Return the pair as a measure of these scales sees it.

        To one of numbers alone, a number that was recoded into categories is the middle of what its category holds: of the
        least and the largest original in it.
        """
        return self._in_numbers if scales == {"numeric"} else self

    def resolve(self, columns: Columns, *, owner: str, scales: frozenset[str]) -> tuple[str, ...]:
        """Return the columns that both files have and that can be compared; a rule selects among these alone."""
        seen = self.seen_by(scales)
        if seen is not self:
            return seen.resolve(columns, owner=owner, scales=scales)
        misfits = self._misfits(scales)
        if not isinstance(columns, Selector):
            self.check_shared(columns, owner=owner)
            for name in columns:
                if name in misfits:
                    raise ColumnError(
                        f"{owner}: column '{name}' is {self.original.schema[name].scale} in the original and "
                        f"{self.masked.schema[name].scale} in the masked file; give both files one schema."
                    )
        shared = self.original.schema.select(
            name for name in self.original.names if name in self.masked.schema and name not in misfits
        )
        return shared.resolve(columns, owner=owner, scales=scales)

    def check_shared(self, names: Iterable[str], *, owner: str) -> None:
        """Refuse columns that one of the files does not have, and say which file."""
        for name in names:
            there = name in self.original.schema, name in self.masked.schema
            if there in ((True, False), (False, True)):
                lacking, having = ("masked file", "original") if there[0] else ("original", "masked file")
                raise ColumnError(f"{owner}: column '{name}' is not in the {lacking}, only in the {having}.")
            self.original.schema[name]  # raises for a column that neither has

    def left_out(self, columns: Columns, *, scales: frozenset[str]) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """Return what a rule selects in the original and cannot compare: columns that are absent, and misfits."""
        if not isinstance(columns, Selector):
            return (), ()
        picked, misfits = columns.pick(self.original.schema.columns), self.seen_by(scales)._misfits(scales)
        return tuple(n for n in picked if n not in self.masked.schema), tuple(n for n in picked if n in misfits)

    def _misfits(self, scales: frozenset[str]) -> frozenset[str]:
        """Return the misfits for a measure of these scales; one that knows both scales can use the column."""
        return frozenset(
            name
            for name in misfit_columns(self.original, self.masked)
            if not {self.original.schema[name].scale, self.masked.schema[name].scale} <= scales
        )

    def is_unchanged(self, name: str) -> bool:
        """Whether every paired record has the value of its original in a column that both files have."""
        here, there = self.original._column(name), self.masked._column(name)
        try:
            before, after = here.take(pa.array(self.rows)), there.take(pa.array(self.masked_rows)).cast(here.type)
        except (pa.ArrowInvalid, pa.ArrowNotImplementedError):  # recoded to something else
            return False
        return bool(before.combine_chunks().equals(after.combine_chunks()))

    def among(self, chosen: BoolArray) -> Pair:
        """Return the pairing of those records whose original is chosen; both files stay whole for comparison.

        ``chosen`` has one truth value for each original record.
        """
        chosen = np.asarray(chosen)
        if chosen.dtype != np.bool_ or chosen.shape != (len(self.original),):
            raise ParameterError(
                f"'among' must have one truth value for each of {len(self.original)} original records."
            )
        kept = chosen[self.rows]
        if not kept.any():
            raise MeasureError("No masked record belongs to the original records that 'among' chooses.")
        return replace(self, rows=self.rows[kept], masked_rows=self.masked_rows[kept], is_part=True)

    def files(self, names: tuple[str, ...]) -> tuple[FloatArray, FloatArray]:
        """Return the numeric values that whole-file statistics are computed on: all records, or those of the part."""
        if self.is_part:
            return self.arrays(names)
        return self.original.floats(names), self.masked.floats(names)

    def arrays(self, names: tuple[str, ...]) -> tuple[FloatArray, FloatArray]:
        """Return the numeric values of paired records: original and masked, rows side by side."""
        x, y = (np.empty((len(self.rows), len(names))) for _ in range(2))
        for j, name in enumerate(names):  # one at a time: the whole files are not copied beside their rows
            x[:, j], y[:, j] = self.before(name), self.after(name)
        return x, y

    def forget(self) -> None:
        """Let go of what is remembered of both files: the patterns of keys, say, are as long as these."""
        for data in (self.original, self.masked):
            data.forget()

    def blocks(self, names: tuple[str, ...]) -> Iterator[tuple[slice, FloatArray, FloatArray]]:
        """Give the arrays of :meth:`arrays` some records at a time: which, and their values in both files."""
        n, is_aligned = len(self.rows), self.is_aligned
        columns = [] if is_aligned else [(self.original.float(name), self.masked.float(name)) for name in names]
        for start in range(0, n, _BLOCK):
            part = slice(start, min(start + _BLOCK, n))
            x, y = (np.empty((part.stop - start, len(names))) for _ in range(2))
            for j, name in enumerate(names):
                if is_aligned:
                    x[:, j] = self.original.float_part(name, start, part.stop)
                    y[:, j] = self.masked.float_part(name, start, part.stop)
                else:
                    x[:, j], y[:, j] = columns[j][0][self.rows[part]], columns[j][1][self.masked_rows[part]]
            yield part, x, y

    def original_file(self, names: tuple[str, ...]) -> FloatArray:
        """Return the first of :meth:`files`; the caller may write into it."""
        return self.arrays(names)[0] if self.is_part else self.original.floats(names)

    def masked_file(self, names: tuple[str, ...]) -> FloatArray:
        """Return the second of :meth:`files`; the caller may write into it."""
        return self.arrays(names)[1] if self.is_part else self.masked.floats(names)

    @cached_property
    def is_aligned(self) -> bool:
        """Whether the records of both files stand side by side, none left out: then no rows need be picked."""
        n = len(self.rows)
        if n != len(self.original) or n != len(self.masked):
            return False
        files = (self.rows,) if self.rows is self.masked_rows else (self.rows, self.masked_rows)
        starts = range(0, n, _BLOCK)
        return all(
            np.array_equal(rows[a : a + _BLOCK], np.arange(a, min(a + _BLOCK, n))) for rows in files for a in starts
        )

    def before(self, name: str) -> FloatArray:
        """Return one numeric column of the original, for each paired record."""
        values = self.original.float(name)
        return np.require(values, requirements="W") if self.is_aligned else values[self.rows]

    def after(self, name: str) -> FloatArray:
        """Return one numeric column of the masked file, for each paired record."""
        values = self.masked.float(name)
        return np.require(values, requirements="W") if self.is_aligned else values[self.masked_rows]


def absent_columns(original: Microdata, masked: Microdata) -> tuple[str, ...]:
    """Return the numeric, ordinal and nominal columns of the original that the masked file does not have.

    Columns that describe the sample (identifiers, weights, households) are never compared and do not count.
    """
    wanted = Selector("numeric ordinal nominal columns").pick(original.schema.columns)
    return tuple(name for name in wanted if name not in masked.schema)


def misfit_columns(original: Microdata, masked: Microdata) -> tuple[str, ...]:
    """Return the columns that are numbers in one file and something else in the other.

    Whole numbers that only the original's schema calls categories are the same categories in both files, so they fit.
    """
    found = []
    for column in original.schema:
        if column.name not in masked.schema:
            continue
        here, there = column.scale == "numeric", masked.schema[column.name].scale == "numeric"
        if (here and not there) or (there and not here and not _has_numbers(original, column.name)):
            found.append(column.name)
    return tuple(found)


def banded_columns(original: Microdata, masked: Microdata) -> tuple[str, ...]:
    """Return the columns that are numbers in the original and at most half as many categories in the masked file."""
    found = []
    for name in misfit_columns(original, masked):
        if original.schema[name].scale == "numeric":
            values = original.float(name)
            if 2 * len(masked.codes(name).categories) <= len(np.unique(values[~np.isnan(values)])):
                found.append(name)
    return tuple(found)


def _has_numbers(data: Microdata, name: str) -> bool:
    kind = data._column(name).type
    return bool(pa.types.is_integer(kind) or pa.types.is_floating(kind) or pa.types.is_decimal(kind))


def pair_records(original: Microdata, masked: Microdata, pairing: Pairing = "auto") -> Pair:
    """Pair the records of two files.

    ``auto`` uses the link kept inside where the masked data were derived from the original, and otherwise the nearest
    record, as it does for synthetic records, which come from nobody; row order is used only when asked for, because a
    shuffled file would be paired wrongly.
    """
    check_files(original, masked)
    if pairing not in get_args(Pairing):
        raise ParameterError(f"'pairing' must be one of {', '.join(get_args(Pairing))}, got {pairing!r}.")
    linked = masked.source == original.source
    if pairing == "link" and not linked:
        raise MeasureError("The masked data carry no link to this original; use pairing='order' or 'nearest'.")
    if pairing == "link" or (pairing == "auto" and linked):
        paired = _by_link(original, masked)
        if pairing == "link" or len(paired.rows) or not masked.is_synthetic or not len(original):
            return paired
    if original.names and masked.names and not set(original.names).intersection(masked.names):
        raise MeasureError("The original and the masked file share no column, so there is nothing to compare.")
    if pairing == "order":
        if len(original) != len(masked):
            raise MeasureError(
                f"Pairing by row order needs files of equal length, got {len(original)} and {len(masked)} records."
            )
        every = np.arange(len(masked), dtype=np.int64)
        return Pair(original=original, masked=masked, rows=every, masked_rows=every, how="order")
    return _by_nearest(original, masked)


def check_files(original: Microdata, masked: Microdata) -> None:
    """Raise ``ParameterError`` where one of two files is something else."""
    for name, data in (("original", original), ("masked", masked)):
        if not isinstance(data, Microdata):
            raise ParameterError(
                f"'{name}' must be Microdata, got {type(data).__name__}; Microdata.from_frame makes them of a frame."
            )


def _by_link(original: Microdata, masked: Microdata) -> Pair:
    if original.has_all_rows and masked.has_all_rows and len(original) == len(masked):
        every = np.arange(len(masked), dtype=np.int64)
        return Pair(original=original, masked=masked, rows=every, masked_rows=every, how="link")
    home, away = original.origin_rows(), masked.origin_rows()
    place = np.full(max(home.max(initial=-1), away.max(initial=-1)) + 2, -1, dtype=np.int64)
    place[home] = np.arange(len(home))
    place[-1] = -1  # a record without an original has origin -1
    rows = place[away]
    there = np.flatnonzero(rows >= 0)
    return Pair(original=original, masked=masked, rows=rows[there], masked_rows=there, how="link")


def _by_nearest(original: Microdata, masked: Microdata) -> Pair:
    from tacita.numeric.nearest.neighbours import nearest_records
    from tacita.numeric.statistics.moments import standardise

    names = [
        c.name
        for c in original.schema
        if c.scale == "numeric"
        and c.name in masked.schema
        and masked.schema[c.name].scale == "numeric"
        and not DESIGN_ROLES.intersection(c.roles)
    ]
    if not names and masked.is_synthetic and len(original):
        return _by_equal_values(original, masked)
    if not names or not len(original) or not len(masked):
        raise MeasureError(
            "Records can be paired by nearness only when both files have records and share a numeric column."
        )
    x, y = original.floats(names), masked.floats(names)
    rows = nearest_records(np.nan_to_num(standardise(x)), np.nan_to_num(standardise(y, like=x)))
    return Pair(
        original=original, masked=masked, rows=rows, masked_rows=np.arange(len(masked), dtype=np.int64), how="nearest"
    )


def _by_equal_values(original: Microdata, masked: Microdata) -> Pair:
    """Pair records without numbers: with the original that agrees in the most of the leading columns. O(n d + n log n)."""
    from tacita.data.side_by_side.categories import shared_codes
    from tacita.numeric.nearest.leading_columns import longest_common_start

    every = np.arange(len(masked), dtype=np.int64)
    none = np.empty(0, np.int64)
    apart = Pair(original=original, masked=masked, rows=none, masked_rows=none, how="nearest")
    names = [c.name for c in original.schema if c.name in masked.schema and not DESIGN_ROLES.intersection(c.roles)]
    codes = [shared_codes(apart, name) for name in names]
    if not codes:
        raise MeasureError("Records can be paired by nearness only when both files share a column.")
    rows = longest_common_start(
        *(np.column_stack([getattr(c, side) for c in codes]) for side in ("original", "masked"))
    )
    return replace(apart, rows=rows, masked_rows=every)
