"""Unchanged values: how much of a file leaves as it was, column by column and for records that stand out."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import numpy as np

from tacita.core.arrays import FloatArray
from tacita.core.errors import MeasureError
from tacita.core.parameters import Columns, Interval
from tacita.core.selectors import all_columns
from tacita.core.traits import MeasureTraits
from tacita.data.bounds import outside_bounds
from tacita.data.columns import same_buffers
from tacita.data.measure import Measured
from tacita.data.pairing import Pair
from tacita.data.unchanged import unchanged
from tacita.numeric.statistics.linear_copies import linear_copies
from tacita.numeric.statistics.unchanged import dominated_means
from tacita.risk.base import Risk

__all__ = ["UnchangedValues"]

_MASKED = 50.0
"""Percent of unchanged values below which a column counts as masked."""


@dataclass(frozen=True, kw_only=True)
class UnchangedValues(Risk):
    """Share of original values that leave as they were, or so near that rounding gives them back.

    A number is unchanged where the masked one is within half of the last decimal that its column is written with in the
    original: 3.4 for a count of 3 is unchanged. Other values are unchanged where the text is the same. This is no attack;
    it shows a mask that did nothing, or nothing to the records that need it most.

    Parameters
    ----------
    columns
        The columns to compare; by default all that describe the respondent.
    dominance
        A mean is dominated where one record has more than this percentage of the sum of its group.

    Returns
    -------
    Measured
        Percent of the values that the original has; the share for each record. In the parts: the percentage for each
        column and, where they occur, that of its rare or extreme values, how many of its masked values are means that one
        record dominates, and how many lie outside its declared bounds. The note names columns that are as they were, and
        masked ones that can be computed from these: the sum of two unmasked columns, say.

    Complexity
    ----------
    O(d n log n) time for d columns, O(n) memory beyond the files.

    Notes
    -----
    Rare is a category that at most one percent of the records have. Of numbers with more than 50 different values the one
    percent that is farthest from the median counts as extreme. A missing value of the original is left out; one that was
    suppressed has changed. Means are found by comparing every masked value that several records share with the (weighted)
    mean of their originals, so groups are seen whatever method made them.

    References
    ----------
    Hundepool, A. et al. (2012), Statistical Disclosure Control, section 3.7, on the need to look at what a mask left.

    Examples
    --------
    >>> import tacita as tc
    >>> data = tc.samples.household_survey(300, seed=1)
    >>> masked = tc.mask.AdditiveNoise(columns=["savings"], sd_ratio=0.5).apply(data, seed=7)
    >>> found = UnchangedValues(columns=["age", "savings"])(data, masked)
    >>> found.parts["age"], found.parts["savings"] < 5
    (100.0, True)
    """

    name = "unchanged"
    title = "Unchanged values"
    traits = MeasureTraits(
        scales={"numeric", "ordinal", "nominal", "date"}, paired=True, per_record=True, unit="%", upper=100.0
    )
    columns: Columns = all_columns()
    dominance: Annotated[float, Interval(0, 100, "right")] = 90.0

    def measure(self, pair: Pair, names: tuple[str, ...]) -> Measured:
        """Compare value by value."""
        same, there = (np.zeros(len(pair.rows), dtype=np.min_scalar_type(len(names))) for _ in range(2))
        parts: dict[str, float] = {}
        outside = outside_bounds(pair.masked)
        for name in names:
            rows = (None, None) if pair.is_aligned else (pair.rows, pair.masked_rows)
            looked = unchanged(pair.original, pair.masked, name, *rows)
            if looked.there.any():
                parts[name] = 100 * looked.share()
            if looked.standing_out.any():
                parts[f"{name}: rare or extreme"] = 100 * looked.share(looked.standing_out)
            same += looked.same
            there += looked.there
            del looked  # before the means are looked at, which takes several arrays
            dominated = self._dominated(pair, name)
            if dominated:
                parts[f"{name}: dominated means"] = float(dominated)
            if name in outside:
                parts[f"{name}: outside bounds"] = float(outside[name])
        if not there.any():
            raise MeasureError(f"{type(self).__name__}: the original has no value in these columns.")
        whole = [name for name in names if parts.get(name) == 100.0]
        notes = [f"as they were: {_listed(whole)}"] if whole else []
        given = self._given_away(pair, whole, [name for name in names if parts.get(name, 100.0) < _MASKED])
        notes += [f"masked, but sums or copies of columns that are as they were: {_listed(given)}"] if given else []
        return Measured(
            100 * float(same.sum(dtype=np.int64) / there.sum(dtype=np.int64)),
            per_record=same / np.maximum(there, 1),
            parts=parts,
            note="; ".join(notes),
        )

    def _given_away(self, pair: Pair, whole: list[str], moved: list[str]) -> list[str]:
        """Return masked columns that are linear combinations of unmasked ones: whoever adds these up has the originals."""
        numeric = [[n for n in some if pair.original.schema[n].scale == "numeric"] for some in (whole, moved)]
        if not all(numeric):
            return []
        kept, masked = (pair.original.floats(some) for some in numeric)
        if not pair.is_aligned:
            kept, masked = kept[pair.rows], masked[pair.rows]
        return [name for name, parts in zip(numeric[1], linear_copies(masked, kept), strict=True) if parts]

    def _dominated(self, pair: Pair, name: str) -> int:
        if not pair.original.schema[name].scale == "numeric" == pair.masked.schema[name].scale:
            return 0
        if pair.is_aligned and same_buffers(pair.original._column(name), pair.masked._column(name)):
            return 0
        x, y = pair.before(name), pair.after(name)
        there = ~np.isnan(x) & ~np.isnan(y)
        x, y = (x, y) if there.all() else (x[there], y[there])
        if not len(x) or np.array_equal(x, y):
            return 0

        def weights() -> FloatArray:
            found = pair.original.weights()
            found = found if pair.is_aligned else found[pair.rows]
            return found if there.all() else found[there]

        return dominated_means(x, y, weights, self.dominance / 100, overwrite=True)


def _listed(names: list[str]) -> str:
    more = f" and {len(names) - 8} more" if len(names) > 8 else ""
    return ", ".join(names[:8]) + more
