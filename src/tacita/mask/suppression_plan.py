"""What a local suppression is asked for, checked against the data; and the way from cells back to a file."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from tacita.core.errors import ColumnError, DataError, ParameterError, TacitaError, did_you_mean
from tacita.core.parameters import Columns
from tacita.core.vocabulary import MissingKeys
from tacita.data.microdata import Microdata

__all__ = [
    "Plan",
    "find_price",
    "find_shared",
    "find_subsets",
    "find_units",
    "recount",
    "with_gaps",
    "with_linked_gaps",
]

FloatArray = npt.NDArray[np.float64]
IntArray = npt.NDArray[np.int64]
BoolArray = npt.NDArray[np.bool_]
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
    price
        Cost of a missing value of each key.
    strata
        Stratum of each record.
    units
        Unit of each record; None without units.
    shared
        Positions of the keys that belong to the unit.
    """

    names: Names
    subsets: tuple[Names, ...]
    price: FloatArray = field(repr=False)
    strata: IntArray = field(repr=False)
    units: IntArray | None = field(repr=False)
    shared: tuple[int, ...]

    def __post_init__(self) -> None:
        if self.units is not None and len(self.units):
            first = np.unique(self.units, return_index=True)[1]
            if not np.array_equal(self.strata, self.strata[first][self.units]):
                raise DataError(
                    "LocalSuppression: members of one unit are in different strata; 'by' must be equal for all of them."
                )

    def views(self) -> tuple[tuple[int, ...], ...]:
        """Return the subsets by position, without those that lie within another: what holds for more holds for fewer."""
        sets = [frozenset(subset) for subset in self.subsets]
        needed = [names for names in sets if not any(names < other for other in sets)]
        return tuple(dict.fromkeys(tuple(sorted(self.names.index(name) for name in names)) for names in needed))

    def rows_of_strata(self) -> Iterator[IntArray]:
        """Give the records of each stratum."""
        order = np.argsort(self.strata, kind="stable")
        yield from np.split(order, np.flatnonzero(np.diff(self.strata[order])) + 1)

    def spread(self, cells: BoolArray, units: IntArray | None) -> BoolArray:
        """Return the cells with those of shared keys set for all members of a unit."""
        if units is None or not self.shared:
            return cells
        _, labels = np.unique(units, return_inverse=True)
        made = cells.copy()
        for j in self.shared:
            made[:, j] = np.bincount(labels.ravel(), weights=cells[:, j])[labels.ravel()] > 0
        return made


# --- from parameters to a plan -----------------------------------------------------------------------------------------------


def find_subsets(
    names: Names, subsets: int | Sequence[Sequence[str]] | None, data: Microdata, *, is_any_width: bool
) -> tuple[Names, ...]:
    """Return the sets of keys in which frequencies are counted."""
    if subsets is None:
        found: tuple[Names, ...] = (names,)
    elif isinstance(subsets, int):
        if subsets > len(names):
            raise ParameterError(
                f"LocalSuppression: 'subsets' must be at most {len(names)}, the number of keys, got {subsets}."
            )
        if math.comb(len(names), subsets) > _MOST_SUBSETS:
            raise ParameterError(
                f"LocalSuppression: {len(names)} keys have more than {_MOST_SUBSETS} subsets of {subsets}; "
                "list the ones that matter."
            )
        found = tuple(combinations(names, subsets))
    else:
        found = tuple(dict.fromkeys(tuple(subset) for subset in subsets))
        for name in (name for subset in found for name in subset):
            _check_known(name, names, data, "subsets")
        if not found or any(not subset or len(set(subset)) < len(subset) for subset in found):
            raise ParameterError("LocalSuppression: 'subsets' must be lists of one or more different columns.")
    widest = max(len(subset) for subset in found)
    if not is_any_width and (widest > _MOST_TOGETHER or len(names) > _MOST_COLUMNS):
        raise ParameterError(
            f"LocalSuppression: at most {_MOST_TOGETHER} keys can be counted together and {_MOST_COLUMNS} in all, got "
            f"{widest} and {len(names)}; give fewer 'columns', or 'subsets' of them."
        )
    return found


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


def find_units(data: Microdata, name: str) -> IntArray:
    """Number the units of the records."""
    data.schema[name]
    alone = int(data.is_missing(name).sum())
    if alone:
        raise DataError(f"LocalSuppression: the unit '{name}' is missing in {alone} records; give each its own number.")
    return data.groups([name])


def find_shared(data: Microdata, names: Names, units: IntArray, wanted: Columns) -> tuple[int, ...]:
    """Return the positions of the keys that belong to the unit."""
    first = np.unique(units, return_index=True)[1]
    differing: dict[str, int] = {}
    for name in names:
        codes = data.codes(name).values
        differing[name] = len(np.unique(units[codes != codes[first][units]]))
    if wanted == ():
        found = tuple(name for name in names if not differing[name])
        if not found:
            raise ColumnError(
                "LocalSuppression: no key is equal for all members of every unit; leave 'unit' out, or add keys that "
                "belong to the unit."
            )
        return tuple(names.index(name) for name in found)
    found = data.schema.resolve(wanted, owner="LocalSuppression", parameter="unit_columns")
    for name in found:
        _check_known(name, names, data, "unit_columns")
        if differing[name]:
            raise DataError(
                f"LocalSuppression: column '{name}' differs between the members of {differing[name]} units; "
                "'unit_columns' must be equal for all of them."
            )
    return tuple(names.index(name) for name in found)


# --- from cells to a file ------------------------------------------------------------------------------------------------------


def with_gaps(data: Microdata, names: Names, cells: BoolArray) -> Microdata:
    """Return data in which the cells of some columns are missing."""
    table, masked = data.to_arrow(codes=False), data
    for j, name in enumerate(names):
        if cells[:, j].any():
            masked = _with_gap(masked, name, table.column(name), cells[:, j])
    return masked


def _with_gap(data: Microdata, name: str, column: pa.ChunkedArray, gaps: BoolArray) -> Microdata:
    values = column.combine_chunks()
    if pa.types.is_dictionary(values.type):
        indices = pc.if_else(pa.array(gaps), pa.scalar(None, values.type.index_type), values.indices)
        made = pa.DictionaryArray.from_arrays(indices, values.dictionary, ordered=values.type.ordered)
    else:
        made = pc.if_else(pa.array(gaps), pa.scalar(None, values.type), values)
    return data.with_column(name, made)


def with_linked_gaps(masked: Microdata, names: Names) -> Microdata:
    """Return data in which linked columns are missing wherever the key is that they are linked to, or its key in turn."""
    for column in masked.schema:
        key, seen = column.linked_to, {column.name}
        while key is not None and key not in names and key not in seen:
            seen.add(key)
            key = masked.schema[key].linked_to
        if column.has_role("linked") and column.name not in names and key in names:
            gaps = masked.is_missing(str(key)) & ~masked.is_missing(column.name)
            if gaps.any():
                values = masked.to_arrow(codes=False).column(column.name)
                masked = _with_gap(masked, column.name, values, gaps)
    return masked


def recount(masked: Microdata, plan: Plan, k: int, missing: MissingKeys) -> None:
    """Count the frequencies of every subset again, from the masked file alone; an error where one is below k."""
    from tacita.numeric.frequencies import find_patterns  # numba loads here, not on import
    from tacita.numeric.missing_keys import pattern_frequencies

    coded = {name: masked.codes(name) for name in plan.names}
    strata = (plan.strata, int(plan.strata.max()) + 1)
    for subset in plan.subsets:
        columns = [(coded[name].values, len(coded[name].categories)) for name in subset]
        patterns = find_patterns([strata, *columns])
        below = pattern_frequencies(patterns, patterns.counts, missing) < k
        if below.any():
            raise TacitaError(
                f"LocalSuppression: {int(patterns.counts[below].sum())} records are still below k = {k} in "
                f"{', '.join(subset)}; this is a fault of the program, and nothing was returned."
            )
