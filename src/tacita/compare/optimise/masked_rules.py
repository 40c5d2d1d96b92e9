"""What an optimised release must keep: bounds, whole numbers, accounting identities and chains of inequalities."""

from __future__ import annotations

import numbers
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa

from tacita.compare.optimise.optimise_settings import Bounds, OptimiseSettings
from tacita.core.arrays import BoolArray, FloatArray, IntArray
from tacita.core.errors import ColumnError, DataError, ParameterError
from tacita.data.microdata import Microdata
from tacita.mask.identities import Identity, parse_identities, verify_identities
from tacita.mask.inequalities import check_chains, positions, verify_chains
from tacita.mask.masked_values import value_type
from tacita.numeric.statistics.decimals import decimals_of, rounded

if TYPE_CHECKING:
    from tacita.numeric.post_masking.hill_climb import ColumnRules

__all__ = ["MaskedRules"]

_OWNER = "optimise"


@dataclass(frozen=True, eq=False)
class MaskedRules:
    """The rules of the columns that an optimisation works on.

    Parameters
    ----------
    names
        The columns, in the order of the arrays.
    low, high
        Bounds of each column, infinite where it has none.
    whole
        Whether a column holds whole numbers only.
    identities
        Totals and their parts, a total that is a part of another first.
    chains
        Positions of the columns of each chain, largest first.
    keep_zeros
        Zeros stay zeros, and nothing else becomes one, totals included.
    single
        Columns in single precision, where an identity holds to seven digits.
    places
        With how many decimals each column is written; None where it is not rounded.
    """

    names: tuple[str, ...]
    low: FloatArray
    high: FloatArray
    whole: BoolArray
    identities: tuple[Identity, ...]
    chains: tuple[tuple[int, ...], ...]
    keep_zeros: bool = True
    single: tuple[str, ...] = ()
    places: tuple[int | None, ...] = ()

    @classmethod
    def of(
        cls, names: tuple[str, ...], original: Microdata, masked: Microdata, settings: OptimiseSettings
    ) -> MaskedRules:
        """Take the rules from the settings and the schema, and check that the masked data keep them."""
        check_chains(settings.chains, _OWNER)
        parsed = parse_identities(settings.identities, masked.schema, _OWNER)
        decimals = settings.decimals
        for name in (n for i in parsed for n in (i.total, *(part for _, part in i.parts))):
            if name not in names:
                raise ColumnError(f"{_OWNER}: 'identities' names '{name}', which must be in 'columns' too.")
        low, high = _limits(names, original, masked, _pairs(settings.bounds or {}))
        values = masked.floats(names)
        # By the values, not by the type: a missing value makes a float column of a whole one.
        single = tuple(name for name in names if pa.types.is_float32(value_type(masked, name)))
        places = tuple(
            decimals_of(values[:, j], single=name in single) if decimals == "keep" else None
            for j, name in enumerate(names)
        )
        whole = np.array(
            [(place == 0 or np.isnan(values[:, j]).all()) and decimals == "keep" for j, place in enumerate(places)]
        )
        rules = cls(
            names, low, high, whole, parsed, positions_in(settings.chains, names), settings.keep_zeros, single, places
        )
        rules.verify(values, "masked")
        return rules

    @property
    def is_free(self) -> BoolArray:
        """Whether a column moves by itself; a total follows its parts."""
        totals = {identity.total for identity in self.identities}
        return np.array([name not in totals for name in self.names])

    def effect(self) -> FloatArray:
        """Return what a unit of each column (row) adds to every column."""
        made = np.eye(len(self.names))
        for identity in self.identities:
            column = np.zeros(len(self.names))
            for sign, part in identity.parts:
                column += sign * made[:, self.names.index(part)]
            made[:, self.names.index(identity.total)] = column
        return made

    def in_whole_steps(self) -> BoolArray:
        """Whether a column moves by whole numbers: it is whole itself, or a total that follows it is."""
        return np.asarray(self.whole | ((self.effect() != 0) & self.whole).any(axis=1))

    def frozen(self, start: FloatArray) -> BoolArray:
        """Return the values that cannot move alone because a total that follows them is 0 and has to stay so."""
        zeros = (start == 0) & ~self.is_free & self.keep_zeros
        return np.asarray(zeros @ (self.effect() != 0).T)

    def compiled(self) -> ColumnRules:
        """Return the rules in the form that compiled loops take."""
        from tacita.numeric.post_masking.hill_climb import ColumnRules

        effect, d = self.effect(), len(self.names)
        moved = [[j, *(int(k) for k in np.flatnonzero(effect[j]) if k != j)] for j in range(d)]
        affected = np.full((d, max(map(len, moved), default=1)), -1, dtype=np.int64)
        for j, columns in enumerate(moved):
            affected[j, : len(columns)] = columns
        touched = np.array([len(columns) for columns in moved], dtype=np.int64)
        upper, lower = self._ordered_pairs()
        steps = self.in_whole_steps()
        return ColumnRules(
            effect=effect,
            affected=affected,
            touched=touched,
            low=self.low,
            high=self.high,
            whole=steps,
            upper=upper,
            lower=lower,
            no_new_zeros=self.keep_zeros,
        )

    def _ordered_pairs(self) -> tuple[IntArray, IntArray]:
        # All pairs, not neighbours only: a missing value between two others does not set them free.
        pairs = [(a, b) for chain in self.chains for i, a in enumerate(chain) for b in chain[i + 1 :]]
        both = np.array(pairs, dtype=np.int64).reshape(-1, 2)
        return np.ascontiguousarray(both[:, 0]), np.ascontiguousarray(both[:, 1])

    # --- whole files ---------------------------------------------------------------------------------------------------

    def with_totals(self, values: FloatArray) -> FloatArray:
        """Return the records with every total recomputed; one of which a part is missing stays as it is."""
        made = values.copy()
        for identity in self.identities:
            total = self.names.index(identity.total)
            parts = made[:, [self.names.index(part) for _, part in identity.parts]]
            value = np.zeros(len(made))
            for at, (sign, _) in enumerate(identity.parts):
                value = value + sign * parts[:, at]
            places = self.places[total] if self.places else 0 if self.whole[total] else None
            if places is not None:  # 0.7 + 0.2 + 0.1 is 1 but for rounding
                near = rounded(value, places)
                value = np.where(np.abs(value - near) <= 1e-10 * np.abs(parts).sum(axis=1), near, value)
            made[:, total] = np.where(np.isnan(value) | np.isnan(made[:, total]), made[:, total], value)
        return made

    def held(self, start: FloatArray, wanted: FloatArray) -> FloatArray:
        """Return records as near to ``wanted`` as the rules allow, each on its way from ``start``, which keeps them.

        Bounds and chains are linear, so the share of the way that is allowed is known at once. A record that rounding to
        whole numbers puts outside, or in which a total comes to 0, goes half of the way or a quarter, else stays.
        """
        share = np.ones(len(start))
        upper, lower = self._ordered_pairs()
        before = [start - self.low, self.high - start, start[:, upper] - start[:, lower]]
        after = [wanted - self.low, self.high - wanted, wanted[:, upper] - wanted[:, lower]]
        for slack, room in zip(before, after, strict=True):
            with np.errstate(invalid="ignore", divide="ignore"):
                part = np.where(room < 0, slack / (slack - room), 1.0)
            share = np.minimum(share, np.min(np.nan_to_num(part, nan=1.0), axis=1, initial=1.0))
        blended = np.where(share[:, None] < 1, start + (0.999 * share)[:, None] * (wanted - start), wanted)
        made = self._on_grid(start, blended)
        for way in (0.5, 0.25):
            broken = self.breaks(made, start)
            if not broken.any():
                return made
            old = start[broken]
            made[broken] = self._on_grid(old, old + way * (blended[broken] - old))
        return np.asarray(np.where(self.breaks(made, start)[:, None], start, made))

    def _on_grid(self, start: FloatArray, wanted: FloatArray) -> FloatArray:
        """Return the records with whole steps where these must be, no new zero among the parts, and their totals."""
        rounded = np.where(self.in_whole_steps(), start + np.rint(wanted - start), wanted)
        if self.keep_zeros:
            rounded = np.where((rounded == 0) & (start != 0), start, rounded)
        return self.with_totals(rounded)

    def as_written(self, start: FloatArray, made: FloatArray) -> FloatArray:
        """Return moved values with the decimals of their column, and totals of these; values that did not move stay."""
        result = made.copy()
        for j, places in enumerate(self.places):
            if places is not None and self.is_free[j]:
                result[:, j] = np.where(made[:, j] == start[:, j], start[:, j], rounded(made[:, j], places))
        return self._on_grid(start, result)

    def restored(self, start: FloatArray, made: FloatArray) -> FloatArray:
        """Return the records with their masked values where a rule is broken, and where no value but a total differs."""
        is_same = ((made == start) | np.isnan(start) | ~self.is_free).all(axis=1)
        return np.asarray(np.where((is_same | self.breaks(made, start))[:, None], start, made))

    def lowest(self, start: FloatArray) -> FloatArray:
        """Return the lower bound of every value; where nothing may become 0, one percent of where it starts, or 1."""
        above = np.where(self.whole, 1.0, 0.01 * np.abs(np.nan_to_num(start)))
        is_near_zero = self.keep_zeros & (self.low == 0) & (start != 0)
        return np.asarray(np.where(is_near_zero, np.minimum(above, np.nan_to_num(start)), self.low))

    def breaks(self, values: FloatArray, start: FloatArray) -> BoolArray:
        """Return which records are outside their bounds or chains, or have lost whole numbers or zeros of ``start``."""
        upper, lower = self._ordered_pairs()
        outside = ((values < self.low) | (values > self.high) | self._misfits(values, start)).any(axis=1)
        return np.asarray(outside | (values[:, upper] < values[:, lower]).any(axis=1))

    def _misfits(self, values: FloatArray, start: FloatArray) -> BoolArray:
        """Return the values that are not whole though they must be, and those whose being 0 or not has changed."""
        is_fraction = self.whole & (values != np.rint(values)) & ~np.isnan(values)
        return np.asarray(is_fraction | (self.keep_zeros & ((values == 0) != (start == 0))))

    def verify(self, values: FloatArray, what: str, start: FloatArray | None = None) -> None:
        """Raise where a file does not keep the rules; messages have names and counts, never values.

        With ``start``, the masked file, whole numbers and zeros are looked at too.
        """
        misfits = np.zeros_like(values) if start is None else self._misfits(values, start)
        columns = {name: values[:, j] for j, name in enumerate(self.names)}
        verify_identities(columns, self.identities, _OWNER, what, self.single)
        verify_chains(columns, tuple(tuple(self.names[j] for j in c) for c in self.chains), _OWNER, what)
        for j, name in enumerate(self.names):
            outside = int(((values[:, j] < self.low[j]) | (values[:, j] > self.high[j])).sum())
            if outside:
                raise DataError(
                    f"{_OWNER}: column '{name}' has {outside} values outside its bounds in the {what} data; "
                    "widen 'bounds', or mask within them first."
                )
            if misfits[:, j].any():
                raise DataError(
                    f"{_OWNER}: column '{name}' has {int(misfits[:, j].sum())} values in the {what} data that break "
                    "'decimals' or 'keep_zeros'."
                )


def positions_in(chains: tuple[tuple[str, ...], ...], names: tuple[str, ...]) -> tuple[tuple[int, ...], ...]:
    """Return the chains as positions of columns."""
    missing = [name for chain in chains for name in chain if name not in names]
    if missing:
        raise ColumnError(f"{_OWNER}: 'chains' names '{missing[0]}', which must be in 'columns' too.")
    return positions(chains, names, _OWNER)


def _pairs(bounds: Mapping[str, Any]) -> dict[str, tuple[float | None, float | None]]:
    """Return the bounds as they must be: for each column two numbers, either of them None."""
    found: dict[str, tuple[float | None, float | None]] = {}
    for name, given in bounds.items():
        is_list = hasattr(given, "__iter__") and not isinstance(given, (str, bytes, Mapping))
        ends = list(given) if is_list else []
        numeric = all(end is None or (isinstance(end, numbers.Real) and not isinstance(end, bool)) for end in ends)
        if len(ends) != 2 or not numeric:
            raise ParameterError(
                f"{_OWNER}: 'bounds' of '{name}' must be two numbers, the lower one first and None for no bound; "
                "write (0, None) for a lower bound alone."
            )
        low, high = (None if end is None else float(end) for end in ends)
        found[name] = (low, high)
    return found


def _limits(
    names: tuple[str, ...], original: Microdata, masked: Microdata, bounds: Bounds
) -> tuple[FloatArray, FloatArray]:
    """Return the bounds that were given, else those of the schema; what was never negative does not become so."""
    unknown = [name for name in bounds if name not in names]
    if unknown:
        raise ColumnError(f"{_OWNER}: 'bounds' names '{unknown[0]}', which must be in 'columns' too.")
    low, high = np.full(len(names), -np.inf), np.full(len(names), np.inf)
    for j, name in enumerate(names):
        pair = bounds.get(name, original.schema[name].bounds or (None, None))
        low[j] = -np.inf if pair[0] is None else pair[0]
        high[j] = np.inf if pair[1] is None else pair[1]
        if not low[j] <= high[j]:
            raise ParameterError(f"{_OWNER}: 'bounds' of '{name}' must have the lower one first.")
        if low[j] == -np.inf and not any((data.float(name) < 0).any() for data in (original, masked)):
            low[j] = min(0.0, high[j])
    return low, high
