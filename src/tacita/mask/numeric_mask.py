"""The one mechanism around every mask of numeric columns.

A method writes what it does to an array; strata, households, missing values, zeros that must stay, bounds, decimals and
accounting identities are handled here, once, for all of them.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np
import pyarrow as pa

from tacita.core.arrays import BoolArray, FloatArray, IntArray
from tacita.core.errors import ColumnError, DataError
from tacita.core.parameters import Columns
from tacita.core.selectors import numeric_keys
from tacita.core.streams import Streams
from tacita.data.bounds import bounds_of
from tacita.data.microdata import Microdata
from tacita.data.units import Unit, Units, check_equal_in_units, find_units, say_units, values_of_units
from tacita.mask.base import Mask
from tacita.mask.draw import Draw
from tacita.mask.identities import (
    Identity,
    check_totals,
    parse_identities,
    recompute_totals,
    verify_identities,
)
from tacita.mask.masked_values import (
    Decimals,
    as_stored,
    check_exact,
    check_finite,
    decimals_for,
    totals_aside_of_codes,
    value_type,
    warn_of_codes,
    warn_of_unmasked,
    within,
    written,
)
from tacita.numeric.compiled.threads import LONG, in_steps, in_threads
from tacita.numeric.statistics.decimals import rounded
from tacita.numeric.statistics.reflection import reflected

__all__ = ["BoolArray", "ColumnwiseMask", "Draw", "JointMask", "NumericMask"]


@dataclass(frozen=True, kw_only=True)
class NumericMask(Mask):
    """Base of masks that change numeric columns and keep the records.

    Parameters
    ----------
    columns
        The columns to mask; by default all numeric keys.
    by
        Strata: the mask runs within each combination of their values.
    unit
        The household column: values are masked once for each household and are equal for all its members. What the
        mask preserves then holds over households. By default the column with that role, for the columns that have one
        value for all members of every household, gaps aside; masks that look at whole records do so when all their columns
        are such. ``False`` for none.
    keep_zeros
        Zeros stay zeros and take no part in the masking. What the mask preserves then holds for the other values; a
        record with a rare pattern of zeros stays recognisable by it.
    decimals
        How masked values are written: ``keep`` rounds to as many decimals as the column has in the original (whole numbers
        stay whole, cents stay cents; a column with more than nine is not rounded), a number to so many, ``any`` not at all.
        Means hold to that rounding. A value that would equal a code for missing goes to the next number.
    identities
        Accounting identities such as ``total = part + part``: the parts are masked, the total is recomputed.

    Raises
    ------
    ColumnError
        When a chosen column is not there or not numeric.

    Notes
    -----
    A column with declared bounds stays within them: what noise would carry beyond a bound is reflected there, so a mean
    near a bound moves inwards by twice the mean excess and the variance there shrinks. A recomputed total may leave its
    own bounds, with a warning.
    """

    not_drawn_by: ClassVar[frozenset[str]] = frozenset({"columns", "decimals", "identities"})
    columns_apart: ClassVar[bool] = False
    """Whether the mask treats every column by itself, so that some can be masked by household and others by record."""

    columns: Columns = numeric_keys()
    by: Columns = ()
    unit: Unit = None
    keep_zeros: bool = False
    decimals: Decimals = "keep"
    identities: tuple[str, ...] = ()

    @property
    def keeps_at_most(self) -> float | None:
        """Half of the values: a mask of numbers is there to change them."""
        return 0.5

    def keeps(self, claim: str) -> bool:
        """Whether a claim of the class holds with the parameters of this mask.

        A recomputed total has values and ranks of its own, and none where a part is missing. Strata keep ranks within
        themselves only.
        """
        if self.identities:
            return False
        if claim in ("marginals", "means"):
            return self.decimals in ("keep", "any")
        return claim != "ranks" or self.by == ()

    def check(self) -> None:
        """Leave only those claims that hold with these parameters."""
        claims = type(self).traits.preserves
        kept = tuple(claim for claim in claims if self.keeps(claim))
        if kept != claims:
            object.__setattr__(self, "traits", replace(self.traits, preserves=kept))

    @abstractmethod
    def mask_values(self, x: FloatArray, active: BoolArray, names: tuple[str, ...], draw: Draw) -> FloatArray:
        """Return the masked array.

        Parameters
        ----------
        x
            Records in rows, the chosen columns in columns, NaN where missing.
        active
            Where a value may be changed: false for missing values and for zeros that must stay.
        names
            Names of the columns of ``x``.
        draw
            Gives the random stream of a column.
        """

    def conditioning(self, data: Microdata, masked: tuple[str, ...]) -> FloatArray | None:
        """Return further columns that the mask looks at but does not change; most masks have none."""
        del data, masked
        return None

    def transform(self, data: Microdata, streams: Streams) -> Microdata:
        """Mask the chosen columns."""
        owner = type(self).__name__
        chosen = data.schema.resolve(self.columns, owner=owner, scales=self.traits.scales)
        identities = parse_identities(self.identities, data.schema, owner)
        totals = {identity.total for identity in identities}
        parts = {name for identity in identities for _, name in identity.parts}
        names = tuple(name for name in chosen if name not in totals)
        if not names:
            raise ColumnError(f"{owner}: 'columns' holds only totals of 'identities'; name the parts to mask.")
        check_totals(chosen, names, identities, owner)
        self._check_strata(names, data)
        involved = dict.fromkeys((*names, *sorted(totals | parts)))
        zero = {name: self._zero(data, name) for name in involved}
        numbers = in_threads(data.numbers, involved, records=len(data))
        before = {name: x - zero[name] if zero[name] else x for name, x in zip(involved, numbers, strict=True)}
        check_exact(before, data, owner)
        single = [name for name in involved if pa.types.is_float32(value_type(data, name))]
        verify_identities(before, identities, owner, "original", single)
        masked = self._masked_columns({name: before[name] for name in names}, data, streams)
        self.look_at(before, masked, data)
        after = self._finish(before, masked, data, identities)
        changed = {name: after[name] for name in (*names, *sorted(totals))}
        verify_identities(after, identities, owner, "masked", single)
        if "marginals" not in self.traits.preserves:  # else they are values of the original
            check_finite(changed, owner)
        warn_of_codes(changed, data, owner)
        return data.with_numbers(
            {name: values + zero[name] if zero[name] else values for name, values in changed.items()}
        )

    def attacked_columns(self, data: Microdata) -> tuple[str, ...]:
        """Return the masked columns without totals, which are recomputed and not masked themselves."""
        totals = {identity.total for identity in parse_identities(self.identities, data.schema, type(self).__name__)}
        return tuple(name for name in super().attacked_columns(data) if name not in totals)

    def _zero(self, data: Microdata, name: str) -> int:
        """Return the position of an ordinal column that stands for zero, -1 if none does; 0 wherever it does not matter."""
        if not self.keep_zeros or data.schema[name].scale != "ordinal":
            return 0
        found = [place for place, category in enumerate(data.codes(name).categories) if category == 0]
        return found[0] if found else -1

    def _check_strata(self, names: tuple[str, ...], data: Microdata) -> None:
        both = [name for name in names if name in self._by(data)]
        if both:
            raise ColumnError(
                f"{type(self).__name__}: column '{both[0]}' cannot be masked and a stratum at once; name 'columns' without it."
            )

    def look_at(self, before: dict[str, FloatArray], masked: dict[str, FloatArray], data: Microdata) -> None:
        """Warn of records that could not be masked; a mask with reasons of its own says them itself."""
        names = tuple(masked)
        whole = not self.keep_zeros and not any(np.isnan(before[name].sum()) for name in names)
        if whole and self.by == ():
            return  # all records are of one kind
        x, y = (np.stack([columns[name] for name in names], axis=-1) for columns in (before, masked))
        warn_of_unmasked(x, y, self._active(x), self._strata(data), type(self).__name__)

    def _masked_columns(
        self, columns: dict[str, FloatArray], data: Microdata, streams: Streams
    ) -> dict[str, FloatArray]:
        """Return the masked columns by name; where columns are masked apart, those of the household and those of the person."""
        units = find_units(data, self.unit, owner=type(self).__name__)
        whole = () if units is None else tuple(columns)
        if units is not None and not units.is_named and self.columns_apart:
            whole = self._shared(data, units, whole)
        del units  # as long as the file
        masked = self._together({name: columns[name] for name in whole}, data, streams) if whole else {}
        own = {name: values for name, values in columns.items() if name not in whole}
        masked |= self._alone(own, data, streams) if own else {}
        return {name: masked[name] for name in columns}

    def _together(self, columns: dict[str, FloatArray], data: Microdata, streams: Streams) -> dict[str, FloatArray]:
        """Mask some columns as one array."""
        names = tuple(columns)
        masked = self._within_units(np.stack(list(columns.values())).T, names, data, streams)
        return {name: masked[:, j] for j, name in enumerate(names)}

    def _alone(self, columns: dict[str, FloatArray], data: Microdata, streams: Streams) -> dict[str, FloatArray]:
        """Mask columns in which every record stands for itself."""
        return self._together(columns, data, streams)

    def _finish(
        self,
        before: dict[str, FloatArray],
        masked: dict[str, FloatArray],
        data: Microdata,
        identities: tuple[Identity, ...],
    ) -> dict[str, FloatArray]:
        after = {**before, **masked}
        places = {name: self.places(before[name], data, name) for name in before}
        for name, values in masked.items():
            after[name] = self._written(values, before[name], data, name, places[name])
        if self.unit is None:  # members of a household must stay equal
            free = [name for name in masked if all(name not in chain for chain in getattr(self, "chains", ()))]
            after |= totals_aside_of_codes(after, identities, {name: places[name] for name in free}, data)
        made = recompute_totals(after, identities, type(self).__name__)
        for identity in identities:
            # What parts with so many decimals add up to has no more of them, but for rounding.
            of_parts = [places[part] for _, part in identity.parts]
            known = [decimals for decimals in of_parts if decimals is not None]
            places[identity.total] = max(known) if len(known) == len(of_parts) else None
            total, decimals = made[identity.total], places[identity.total]
            made[identity.total] = as_stored(
                total if decimals is None else rounded(total, decimals), data, identity.total
            )
        return made

    def _written(
        self, values: FloatArray, before: FloatArray, data: Microdata, name: str, decimals: int | None
    ) -> FloatArray:
        """Return the masked values of a column within its bounds and with its decimals, no new zero among them."""
        if data.schema[name].bounds is not None and data.schema[name].scale == "numeric":
            low, high = bounds_of(data, name)
            values = within(self.into_bounds(values, low, high), low, high, decimals)
        made = written(values, data, name, decimals)
        if not self.keep_zeros or decimals is None:
            return made
        fallen = (made == 0) & (before != 0)
        return np.where(fallen, np.where(before < 0, -1.0, 1.0) * 10.0**-decimals, made)

    def places(self, values: FloatArray, data: Microdata, name: str) -> int | None:
        """Return with how many decimals a column of these original values is written; None where nothing is rounded."""
        return decimals_for(self.decimals, values, data, name)

    def into_bounds(self, values: FloatArray, low: float, high: float) -> FloatArray:
        """Return the masked values of a column within its declared bounds: reflected, so that none of them piles up there."""
        return reflected(values, low, high)

    def _within_units(self, x: FloatArray, names: tuple[str, ...], data: Microdata, streams: Streams) -> FloatArray:
        """Mask one record for each household and give all members its values."""
        given, streams = self.conditioning(data, names), self.of_columns(streams, names)
        found, strata = self._units(data, names, given), self._strata(data)
        if found is None:
            return self._within_strata(x, names, strata, Draw(self.name, streams, given))
        owner, units = type(self).__name__, found.labels
        first = np.unique(units, return_index=True)[1]
        if not found.is_named:
            say_units(found, names, owner=owner, done="values are masked once for each household")
            draw = Draw(self.name, streams, None if given is None else given[first])
            whole = self._within_strata(
                values_of_units(x, units), names, None if strata is None else strata[first], draw
            )
            return np.where(np.isnan(x), x, whole[units])
        check_equal_in_units(x, units, first, names, owner)
        if strata is not None and not np.array_equal(strata, strata[first][units]):
            raise DataError(
                f"{owner}: members of one unit are in different strata; 'by' must be equal for all of them."
            )
        draw = Draw(self.name, streams, None if given is None else given[first])
        reduced = self._within_strata(x[first], names, None if strata is None else strata[first], draw)
        return np.asarray(reduced[units])

    def of_columns(self, streams: Streams, names: tuple[str, ...]) -> Streams:
        """Return the streams of the chosen columns: other columns mix the numbers of a joint mask in another way."""
        return streams.within(*names)

    def _units(self, data: Microdata, names: tuple[str, ...], given: FloatArray | None) -> Units | None:
        """Return the units of some columns: those that were asked for, or those that all the columns belong to."""
        found = find_units(data, self.unit, owner=type(self).__name__)
        if found is None or found.is_named:
            return found
        first = np.unique(found.labels, return_index=True)[1]
        is_alike = given is None or np.array_equal(given, given[first][found.labels], equal_nan=True)
        return found if is_alike and len(self._shared(data, found, names)) == len(names) else None

    def _shared(self, data: Microdata, units: Units, names: tuple[str, ...]) -> tuple[str, ...]:
        """Return the columns that belong to units; none where strata cut through them."""
        strata = self._strata(data)
        is_across = strata is not None and units.unequal(strata) > 0
        return () if is_across else units.shared(data, names)

    def _by(self, data: Microdata) -> tuple[str, ...]:
        return data.schema.resolve(self.by, owner=type(self).__name__, parameter="by") if self.by != () else ()

    def _strata(self, data: Microdata) -> IntArray | None:
        by = self._by(data)
        return data.groups(by) if by else None

    def _within_strata(self, x: FloatArray, names: tuple[str, ...], strata: IntArray | None, draw: Draw) -> FloatArray:
        active = self._active(x)
        if strata is None:
            return self.mask_values(x, active, names, draw)
        masked = x.copy()
        for rows in _rows_of_groups(strata):
            masked[rows] = self.mask_values(x[rows], active[rows], names, draw.for_rows(rows))
        return masked

    def _active(self, x: FloatArray) -> BoolArray:
        """Return where a value may be changed."""
        return ~np.isnan(x) & (x != 0) if self.keep_zeros else ~np.isnan(x)


@dataclass(frozen=True, kw_only=True)
class ColumnwiseMask(NumericMask):
    """Base of masks that treat every column by itself; missing values stay missing and take no part."""

    columns_apart: ClassVar[bool] = True

    @abstractmethod
    def mask_column(self, values: FloatArray, rng: np.random.Generator) -> FloatArray:
        """Return the masked values of one column; there are no missing values among them."""

    def mask_values(self, x: FloatArray, active: BoolArray, names: tuple[str, ...], draw: Draw) -> FloatArray:
        """Mask column by column."""
        masked = np.empty_like(x, order="F")
        for j, name in enumerate(names):
            masked[:, j] = self._mask_where(x[:, j], active[:, j], draw.column(name))
        return masked

    def _alone(self, columns: dict[str, FloatArray], data: Microdata, streams: Streams) -> dict[str, FloatArray]:
        """Mask long columns on all cores; each has its own stream, so the order does not matter."""
        if self.by != () or len(data) < LONG:
            return super()._alone(columns, data, streams)
        draw = Draw(self.name, streams)
        work = [(values, draw.column(name)) for name, values in columns.items()]
        if self.keep_zeros or any(in_threads(lambda values: np.isnan(values.sum()), columns.values())):
            masked = in_threads(lambda job: self._mask_where(job[0], self._active(job[0]), job[1]), work)
        else:  # the usual case, without a mask
            masked = in_steps(self.column_steps(), work)
        return dict(zip(columns, masked, strict=True))

    def of_columns(self, streams: Streams, names: tuple[str, ...]) -> Streams:
        """Return the streams as they are: a further column changes nothing about the others."""
        del names
        return streams

    def look_at(self, before: dict[str, FloatArray], masked: dict[str, FloatArray], data: Microdata) -> None:
        """Look at strata only: a column by itself has no patterns of missing values."""
        if self.by != ():
            super().look_at(before, masked, data)

    def column_steps(self) -> tuple[Callable[[Any], Any], ...]:
        """Return the steps from (values, rng) to the masked values; a mask with a long preparation has two."""
        return (lambda job: self.mask_column(*job),)

    def _mask_where(self, values: FloatArray, active: BoolArray, rng: np.random.Generator) -> FloatArray:
        if active.all():
            return self.mask_column(np.ascontiguousarray(values), rng)
        masked = values.copy()
        masked[active] = self.mask_column(values[active], rng)
        return masked


@dataclass(frozen=True, kw_only=True)
class JointMask(NumericMask):
    """Base of masks that look at whole records.

    Records are treated apart by which of their values are there: those that lack the same values form one block, and
    the mask runs on the values they have.

    Returns
    -------
    Microdata
        With the chosen columns masked together.
    """

    @abstractmethod
    def mask_records(self, x: FloatArray, names: tuple[str, ...], draw: Draw) -> FloatArray:
        """Return masked records; there are no missing values among them."""

    def mask_values(self, x: FloatArray, active: BoolArray, names: tuple[str, ...], draw: Draw) -> FloatArray:
        """Mask block by block of records that have the same values."""
        if active.all():
            return self.mask_records(np.ascontiguousarray(x), names, draw)
        masked = x.copy()
        patterns, block = np.unique(active, axis=0, return_inverse=True)
        for number, rows in enumerate(_rows_of_groups(block.ravel().astype(np.int64))):
            there = np.flatnonzero(patterns[number])
            if there.size:
                some = tuple(names[j] for j in there)
                cells = np.ix_(rows, there)
                masked[cells] = self.mask_records(np.ascontiguousarray(x[cells]), some, draw)
        return masked


def _rows_of_groups(labels: IntArray) -> Iterator[IntArray]:
    """Give the row numbers of each group, groups in the order of their labels."""
    order = np.argsort(labels, kind="stable")
    yield from np.split(order, np.flatnonzero(np.diff(labels[order])) + 1) if order.size else ()
