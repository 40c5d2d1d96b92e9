"""Microaggregation of columns of any scale: k-anonymity on mixed keys by means, medians and modes of similar records."""

from __future__ import annotations

import warnings
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Literal

import numpy as np
import pyarrow as pa

from tacita.core.arrays import BoolArray, FloatArray, IntArray
from tacita.core.attacks import Attack
from tacita.core.errors import ColumnError, DataError, TacitaWarning
from tacita.core.parameters import Columns, Interval
from tacita.core.selectors import keys
from tacita.core.streams import Streams
from tacita.core.traits import Traits
from tacita.data.microdata import Microdata
from tacita.mask.base import Mask
from tacita.mask.masked_values import Decimals, check_exact, decimals_for, written
from tacita.mask.microaggregation.dominance import DOMINANCE, Dominance, warn_of_dominance
from tacita.numeric.microaggregation import group_values

if TYPE_CHECKING:
    from tacita.numeric.microaggregation.gower import MixedPoints

__all__ = ["MixedMicroaggregation"]


@dataclass(frozen=True, kw_only=True)
class MixedMicroaggregation(Mask):
    """Replace each record's values, numeric or not, by those of the centre of a group of k or more similar records.

    Groups are formed by MDAV on Gower's distance: the sum over the columns of ``|x - y| / range`` for numbers and dates,
    ``|rank x - rank y| / (categories - 1)`` for ordinal columns, and 0 or 1 for nominal ones. A group's numbers
    become their mean or median, ordinal values and dates their median, nominal values their mode.

    Protects against linkage: every combination of the masked columns occurs k times or more, whatever their scales. Does
    not protect a group whose members share a confidential value, nor against an intruder who knows k - 1 members.

    Parameters
    ----------
    columns
        The columns to mask, of any scale; by default all keys.
    by
        Strata: groups are formed within each combination of their values.
    k
        Smallest group size.
    numbers
        What the numbers of a group become: their ``mean``, or their ``median``, which is a value that occurs.
    decimals
        How means are written: with as many decimals as the column has (``keep``), with a number of them, or with all
        (``any``).
    dominance
        Warn of groups in which one of the largest records of the column (one percent, at least one) has more than this
        percentage of the sum of absolute values: their mean tells its value. 100 warns of none.

    Returns
    -------
    Microdata
        With the chosen columns microaggregated together.

    Raises
    ------
    DataError
        When there are fewer than k records in the file or in a stratum.
    ColumnError
        When a chosen column is not there, or is also a stratum.

    Preserves
    ---------
    k-anonymity: every combination of masked values occurs k times or more.

    Complexity
    ----------
    O(n^2 d / k) time, vectorised; O(n d) memory, no matrix of distances.

    Notes
    -----
    Of two middle values the lower is the median, of several modes the first category. Missing is a value of its own at
    distance 1 from all others. Records that lack the same values are grouped apart when they are k or more; the others are
    grouped together, and a column that some members of such a group lack becomes missing for all of it, with a
    warning. No missing value is ever filled.

    References
    ----------
    Domingo-Ferrer, J. and Torra, V. (2005), Ordinal, continuous and heterogeneous k-anonymity through
    microaggregation, algorithm MDAV-generic; Torra, V. (2004), Microaggregation for categorical variables: a median based
    approach; Gower, J. C. (1971), A general coefficient of similarity and some of its properties.

    Examples
    --------
    >>> import tacita as tc
    >>> data = tc.samples.household_survey(200, seed=1)
    >>> masked = MixedMicroaggregation(columns=["age", "sex", "region"], k=5).apply(data)
    >>> import numpy as np
    >>> bool(np.bincount(masked.groups(["age", "sex", "region"])).min() >= 5)
    True
    """

    not_drawn_by = frozenset({"columns", "decimals", "dominance"})
    name = "mixed_microaggregation"
    title = "Microaggregation of any scale"
    attacks = (Attack(measure="replay_linkage", knows="groups of {k} or more, formed without chance"),)
    faces = ("distance_link", "group_mate", "key_match")
    traits = Traits(scales={"numeric", "ordinal", "nominal", "date"}, preserves=("k-anonymity",))
    columns: Columns = keys()
    by: Columns = ()
    k: Annotated[int, Interval(2)] = 3
    numbers: Literal["mean", "median"] = "mean"
    decimals: Decimals = "keep"
    dominance: Dominance = DOMINANCE

    def transform(self, data: Microdata, streams: Streams) -> Microdata:
        """Microaggregate the chosen columns."""
        names = data.schema.resolve(self.columns, owner="MixedMicroaggregation", scales=self.traits.scales)
        by = data.schema.resolve(self.by, owner="MixedMicroaggregation") if self.by != () else ()
        both = [name for name in names if name in by]
        if both:
            raise ColumnError(f"MixedMicroaggregation: column '{both[0]}' cannot be masked and a stratum at once.")
        numeric = [name for name in names if data.schema[name].scale == "numeric"]
        check_exact({name: data.float(name) for name in numeric}, data, "MixedMicroaggregation")
        gone = np.stack([data.is_missing(name) for name in names], axis=-1)
        labels = self._partition(data, names, data.groups(by), gone)
        masked, lost = data, Counter[str]()
        for j, name in enumerate(names):
            if len(data):
                masked = self._aggregate(masked, data, name, labels, gone[:, j])
                lost[name] = int((masked.is_missing(name) & ~gone[:, j]).sum())
        if lost.total():
            found = ", ".join(f"{count} of '{name}'" for name, count in lost.items() if count)
            warnings.warn(
                f"MixedMicroaggregation: {lost.total()} value(s) were set to missing ({found}), because fewer than "
                f"k = {self.k} records lack the same values as their group.",
                TacitaWarning,
                stacklevel=3,
            )
        warn_of_dominance("MixedMicroaggregation", self._dominated(data, numeric, labels), self.dominance)
        return masked

    def _partition(self, data: Microdata, names: tuple[str, ...], strata: IntArray, gone: BoolArray) -> IntArray:
        """Return the groups of all records, formed within strata and patterns of missing values."""
        from tacita.numeric.microaggregation.gower import (  # loads when used
            gower_partition,
            stack_points,
        )

        labels = np.zeros(len(data), dtype=np.int64)
        if not len(data):
            return labels
        smallest = int(np.bincount(strata).min())
        if smallest < self.k:
            raise DataError(
                f"MixedMicroaggregation: k = {self.k} needs at least {self.k} records in the file and in every stratum, "
                f"got {smallest}."
            )
        mixed, groups = stack_points([_points(data, name) for name in names]), 0
        for stratum in range(int(strata.max()) + 1):
            rows = np.flatnonzero(strata == stratum)
            for block in _blocks(gone[rows], self.k):
                some = rows[block]
                part = mixed._replace(
                    points=np.ascontiguousarray(mixed.points[:, some]), codes=np.ascontiguousarray(mixed.codes[:, some])
                )
                labels[some] = groups + gower_partition(part, self.k)
                groups = int(labels[some].max()) + 1
        return labels

    def _aggregate(self, masked: Microdata, data: Microdata, name: str, labels: IntArray, gone: BoolArray) -> Microdata:
        """Give each group one value of a column; one missing value makes it missing for the group."""
        scale = data.schema[name].scale
        codes = data.codes(name).values
        model = (
            _modes(codes, labels)
            if scale == "nominal"
            else group_values.lower_medians(_ranks(data, name), labels)[:, 0]
        )
        lacking = np.flatnonzero(gone)
        model[labels[lacking[::-1]]] = lacking[::-1]
        masked = masked.with_values_of([name], model[labels])
        if scale != "numeric" or self.numbers == "median":
            return masked
        mean = group_values.group_means(np.where(gone, 0.0, data.float(name))[:, None], labels)[labels, 0]
        mean = written(mean, data, name, decimals_for(self.decimals, data.float(name), data, name))
        return masked.with_numbers({name: np.where(masked.is_missing(name), np.nan, mean)})

    def _dominated(self, data: Microdata, names: list[str], labels: IntArray) -> dict[str, tuple[int, int]]:
        """Return for each numeric column how many of how many groups one record dominates."""
        if self.numbers != "mean" or not len(data):
            return {}
        x = np.nan_to_num(data.floats(names))
        found = group_values.dominated_groups(x, labels, self.dominance / 100)
        return {name: (int(found[:, j].sum()), len(found)) for j, name in enumerate(names)}


def _points(data: Microdata, name: str) -> MixedPoints:
    from tacita.numeric.microaggregation.gower import nominal_points, numeric_points, ordinal_points

    codes, scale = data.codes(name), data.schema[name].scale
    if scale == "nominal":
        return nominal_points(codes.values, len(codes.categories))
    if scale == "ordinal":
        return ordinal_points(codes.values, len(codes.categories))
    return numeric_points(_ranks(data, name)[:, 0])


def _ranks(data: Microdata, name: str) -> FloatArray:
    """Return a column that has an order as numbers, NaN where missing: values, positions, days or seconds."""
    column = data.column(name)
    if data.schema[name].scale == "date" and pa.types.is_temporal(column.type):
        wide = column.cast(pa.int32() if column.type.bit_width == 32 else pa.int64()).cast(pa.float64(), safe=False)
        return np.asarray(wide.to_numpy(), dtype=np.float64)[:, None]
    if data.schema[name].scale == "date":
        codes = data.codes(name).values
        return np.where(codes < 0, np.nan, codes)[:, None]
    return data.numbers(name)[:, None]


def _blocks(gone: BoolArray, k: int) -> list[IntArray]:
    """Split records by pattern of missing values; patterns with fewer than k records are pooled."""
    block = (
        np.unique(gone, axis=0, return_inverse=True)[1].ravel() if gone.any() else np.zeros(len(gone), dtype=np.int64)
    )
    sizes = np.bincount(block)
    frequent = [np.flatnonzero(block == b) for b in np.flatnonzero(sizes >= k)]
    pool = np.flatnonzero(sizes[block] < k)
    if not pool.size:
        return frequent
    if pool.size >= k or not frequent:
        return [*frequent, pool]
    largest = max(range(len(frequent)), key=lambda b: len(frequent[b]))
    return [np.sort(np.append(rows, pool)) if b == largest else rows for b, rows in enumerate(frequent)]


def _modes(codes: IntArray, labels: IntArray) -> IntArray:
    """Return for each group a record that has its most frequent code, the lowest among equals."""
    width = int(codes.max()) + 2
    pairs, first, counts = np.unique(labels * width + codes + 1, return_index=True, return_counts=True)
    group, code = pairs // width, pairs % width
    order = np.lexsort((code, -counts, group))
    return np.asarray(first[order[np.unique(group[order], return_index=True)[1]]], dtype=np.int64)
