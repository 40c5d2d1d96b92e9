"""What a local suppression is asked for, checked against the data; and the way from cells back to a file."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from tacita.core.arrays import BoolArray, FloatArray, IntArray
from tacita.core.errors import ColumnError, DataError, ParameterError, TacitaError, did_you_mean
from tacita.core.parameters import Columns
from tacita.core.vocabulary import MissingKeys
from tacita.data.microdata import Microdata
from tacita.data.units import Units

__all__ = [
    "Plan",
    "Subsets",
    "find_price",
    "find_shared",
    "find_subsets",
    "recount",
    "with_gaps",
    "with_linked_gaps",
]

Names = tuple[str, ...]

_MOST_TOGETHER, _MOST_SUBSETS, _MOST_COLUMNS = 16, 2000, 60


@dataclass(frozen=True, eq=False)
class Plan:
    """What is asked for, in terms of the file.

    Parameters
    ----------
    names
        The keys.
    subsets
        Sets of keys in which frequencies are counted.
    needs
        Smallest frequency that is safe in each of them.
    price
        Cost of a missing value of each key.
    strata
        Stratum of each record.
    units
        Units of the file; None where every record stands for itself.
    shared
        Positions of the keys that belong to the unit.
    """

    names: Names
    subsets: tuple[Names, ...]
    needs: tuple[int, ...]
    price: FloatArray = field(repr=False)
    strata: IntArray = field(repr=False)
    units: Units | None = field(repr=False)
    shared: tuple[int, ...]

    @property
    def is_across(self) -> bool:
        """Whether members of one unit are in different strata."""
        return self.units is not None and self.units.unequal(self.strata) > 0

    def units_of(self, rows: IntArray) -> IntArray | None:
        """Return the units of some records; None where they are not to be kept together."""
        return None if self.units is None or self.is_across else self.units.labels[rows]

    def known(self, codes: IntArray) -> IntArray:
        """Return the codes with the gaps of shared keys filled from other members of the unit, as an intruder would."""
        if self.units is None:
            return codes
        filled = codes.copy()
        for j in self.shared:
            filled[:, j] = self.units.value_of(codes[:, j])[self.units.labels]
        return filled

    def views(self) -> dict[tuple[int, ...], int]:
        """Return the subsets by position and what each needs, without those that a larger one with as large a need implies."""
        sets = [(frozenset(subset), need) for subset, need in zip(self.subsets, self.needs, strict=True)]
        needed = [(keys, need) for keys, need in sets if not any(keys < more and need <= k for more, k in sets)]
        found: dict[tuple[int, ...], int] = {}
        for keys, need in needed:
            view = tuple(sorted(self.names.index(name) for name in keys))
            found[view] = max(need, found.get(view, 0))
        return found

    def rows_of_strata(self) -> Iterator[IntArray]:
        """Give the records of each stratum."""
        order = np.argsort(self.strata, kind="stable")
        yield from np.split(order, np.flatnonzero(np.diff(self.strata[order])) + 1)

    def spread(self, cells: BoolArray, units: IntArray | None) -> BoolArray:
        """Return the cells with those of shared keys set for all members of a unit."""
        from tacita.numeric.local_suppression.certain import spread_over_units  # loads when used

        return spread_over_units(cells, units, self.shared)


# --- from parameters to a plan -----------------------------------------------------------------------------------------------


Subsets = int | Mapping[str, int] | Sequence[Sequence[str]] | None


def find_subsets(
    names: Names, subsets: Subsets, k: int, data: Microdata, *, is_any_width: bool
) -> tuple[tuple[Names, ...], tuple[int, ...]]:
    """Return the sets of keys in which frequencies are counted, and the smallest frequency that is safe in each."""
    if subsets is None:
        found: tuple[Names, ...] = (names,)
    elif isinstance(subsets, int):
        found = _of_size(names, subsets)
    elif isinstance(subsets, Mapping):
        sized = {part: need for size, need in subsets.items() for part in _of_size(names, int(size))}
        _check_width(names, tuple(sized), is_any_width=is_any_width)
        return tuple(sized), tuple(sized.values())
    else:
        found = tuple(dict.fromkeys(tuple(subset) for subset in subsets))
        for name in (name for subset in found for name in subset):
            _check_known(name, names, data, "subsets")
        if not found or any(not subset or len(set(subset)) < len(subset) for subset in found):
            raise ParameterError("LocalSuppression: 'subsets' must be lists of one or more different columns.")
    _check_width(names, found, is_any_width=is_any_width)
    return found, (k,) * len(found)


def _of_size(names: Names, size: int) -> tuple[Names, ...]:
    """Return all subsets of a size."""
    if size > len(names):
        raise ParameterError(
            f"LocalSuppression: 'subsets' must be at most {len(names)}, the number of keys, got {size}."
        )
    if math.comb(len(names), size) > _MOST_SUBSETS:
        raise ParameterError(
            f"LocalSuppression: {len(names)} keys have more than {_MOST_SUBSETS} subsets of {size}; "
            "list the ones that matter."
        )
    return tuple(combinations(names, size))


def _check_width(names: Names, found: tuple[Names, ...], *, is_any_width: bool) -> None:
    """Refuse more keys than can be counted together."""
    widest = max(len(subset) for subset in found)
    if not is_any_width and (widest > _MOST_TOGETHER or len(names) > _MOST_COLUMNS):
        raise ParameterError(
            f"LocalSuppression: at most {_MOST_TOGETHER} keys can be counted together and {_MOST_COLUMNS} in all, got "
            f"{widest} and {len(names)}; give fewer 'columns', or 'subsets' of them."
        )


def _check_known(name: str, names: Names, data: Microdata, parameter: str) -> None:
    data.schema[name]  # raises with a suggestion where the name is unknown
    if name not in names:
        raise ColumnError(f"LocalSuppression: '{parameter}' names '{name}', which is not among the columns.")


def find_price(
    names: Names, costs: Mapping[str, float] | Sequence[float] | None, importance: Sequence[int] | None
) -> FloatArray:
    """Return the cost of a missing value of each key."""
    if importance is not None:
        if len(importance) != len(names) or not all(1 <= rank <= len(names) for rank in importance):
            raise ParameterError(
                f"LocalSuppression: 'importance' must have one rank from 1 to {len(names)} for each of the "
                f"{len(names)} columns, got {list(importance)[:20]}."
            )
        return np.array([10.0 * (len(names) + 1 - rank) for rank in importance])
    if costs is None:
        return np.ones(len(names))
    if not isinstance(costs, Mapping):
        if len(costs) != len(names):
            raise ParameterError(
                f"LocalSuppression: 'costs' must have one entry for each of the {len(names)} columns, got {len(costs)}."
            )
        return np.array(costs, dtype=np.float64)
    for name in costs:
        if name not in names:
            raise ColumnError(
                f"LocalSuppression: 'costs' names '{name}', which is not among the columns.{did_you_mean(name, names)}"
            )
    lacking = [name for name in names if name not in costs]
    if lacking:
        raise ParameterError(
            f"LocalSuppression: 'costs' must have an entry for every column, but lacks '{lacking[0]}'."
        )
    return np.array([float(costs[name]) for name in names])


def find_shared(data: Microdata, names: Names, units: Units, wanted: Columns) -> tuple[int, ...]:
    """Return the positions of the keys that belong to the unit."""
    if wanted == ():
        found = units.shared(data, names)
        if not found and units.is_named:
            raise ColumnError(
                "LocalSuppression: no key is equal for all members of every unit; leave 'unit' out, or add keys that "
                "belong to the unit."
            )
        return tuple(names.index(name) for name in found)
    found = data.schema.resolve(wanted, owner="LocalSuppression", parameter="unit_columns")
    for name in found:
        _check_known(name, names, data, "unit_columns")
        differing = units.unequal(data.codes(name).values)
        if differing:
            raise DataError(
                f"LocalSuppression: column '{name}' differs between the members of {differing} units; "
                "'unit_columns' must be equal for all of them."
            )
    return tuple(names.index(name) for name in found)


# --- from cells to a file ------------------------------------------------------------------------------------------------------


def with_gaps(data: Microdata, names: Names, cells: BoolArray) -> Microdata:
    """Return data in which the cells of some columns are missing."""
    masked = data
    for j, name in enumerate(names):
        if cells[:, j].any():
            masked = _with_gap(masked, name, data.column(name), cells[:, j])
    return masked


def _with_gap(data: Microdata, name: str, column: pa.ChunkedArray, gaps: BoolArray) -> Microdata:
    values = column.combine_chunks()
    if pa.types.is_dictionary(values.type):
        indices = pc.if_else(pa.array(gaps), pa.scalar(None, values.type.index_type), values.indices)
        made = pa.DictionaryArray.from_arrays(indices, values.dictionary, ordered=values.type.ordered)
    else:
        made = pc.if_else(pa.array(gaps), pa.scalar(None, values.type), values)
    return data.with_column(name, made)


def with_linked_gaps(masked: Microdata, names: Names, units: Units | None) -> Microdata:
    """Return data in which linked columns are missing wherever the key is that they are linked to, or its key in turn.

    A linked column that belongs to the unit loses its value for all members.
    """
    for column in masked.schema:
        key, seen = column.linked_to, {column.name}
        while key is not None and key not in names and key not in seen:
            seen.add(key)
            key = masked.schema[key].linked_to
        if column.has_role("linked") and column.name not in names and key in names:
            gaps = masked.is_missing(str(key))
            if units is not None and not units.unequal(masked.codes(column.name).values):
                gaps = units.spread(gaps)
            gaps &= ~masked.is_missing(column.name)
            if gaps.any():
                values = masked.column(column.name)
                masked = _with_gap(masked, column.name, values, gaps)
    return masked


def recount(masked: Microdata, plan: Plan, missing: MissingKeys) -> None:
    """Count the frequencies of every subset again, from the masked file alone; an error where one is below k."""
    from tacita.numeric.keys.frequencies import find_patterns  # loads when used
    from tacita.numeric.keys.missing_keys import pattern_frequencies

    coded = {name: masked.codes(name) for name in plan.names}
    strata = (plan.strata, int(plan.strata.max()) + 1)
    for subset, k in zip(plan.subsets, plan.needs, strict=True):
        columns = [(coded[name].values, len(coded[name].categories)) for name in subset]
        patterns = find_patterns([strata, *columns])
        below = pattern_frequencies(patterns, patterns.counts, missing) < k
        if below.any():
            raise TacitaError(
                f"LocalSuppression: {int(patterns.counts[below].sum())} records are still below k = {k} in "
                f"{', '.join(subset)}; this is a fault of the program, and nothing was returned."
            )
