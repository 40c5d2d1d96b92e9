"""Open range: how much of a number's range its masked cell leaves open."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from tacita.core.arrays import FloatArray
from tacita.core.errors import MeasureError
from tacita.core.parameters import Columns
from tacita.core.selectors import numeric
from tacita.core.traits import MeasureTraits
from tacita.data.bands import bands_of
from tacita.data.measure import Measured
from tacita.data.pairing import Pair
from tacita.loss.base import Loss

__all__ = ["OpenRange"]


@dataclass(frozen=True, kw_only=True)
class OpenRange(Loss):
    """Share of a number's range that its masked cell leaves open, after recoding into bands and suppression.

    A number that is still a number leaves nothing open, whatever noise it has: other losses measure that. One that was recoded
    leaves open what its category holds, from the least to the largest original in it, as a share of the range of the column. One
    that was suppressed leaves everything open. The value is the mean over records and columns, in percent.

    Parameters
    ----------
    columns
        The numeric columns of the original to look at; by default all that describe the respondent.

    Returns
    -------
    Measured
        Percent; the mean share of each record; as parts for each recoded column the share of the range, the mean distance
        from the middle of the category in standard deviations, and the share of the entropy that is left (all but the
        distance in percent).

    Raises
    ------
    MeasureError
        When records are not paired truly.

    Complexity
    ----------
    O(n d) time, and a sort of the distinct values for the entropy.

    Notes
    -----
    What a category holds is seen in the pairs, so that no labels are read and open ends do no harm. A column without spread has
    no range: its cells count 0, suppressed ones 100. A value that was missing in the original is left out. The entropy is that
    of the original value given its category, H(X | Y) / H(X), as for categories in the measure ``entropy``.

    References
    ----------
    Iyengar, V. S. (2002), Transforming data to satisfy privacy constraints, section 3.1 (the loss metric); Domingo-Ferrer, J.
    (2007), Statistical databases, section "Measuring data utility".

    Examples
    --------
    >>> import pyarrow as pa
    >>> import tacita as tc
    >>> data = tc.Microdata.from_frame(pa.table({"age": [20, 25, 30, 40]}), keys=["age"])
    >>> banded = tc.mask.GlobalRecode(breaks={"age": [30]}).apply(data)
    >>> OpenRange()(data, banded).value
    37.5
    """

    name = "open_range"
    title = "Range that recoding leaves open"
    part_units = (("*: distance from the middle", "SD"),)
    traits = MeasureTraits(paired=True, per_record=True, unit="%", upper=100.0)
    sees_bands = True
    columns: Columns = numeric()

    def measure(self, pair: Pair, names: tuple[str, ...]) -> Measured:
        """Return the mean share of the range in percent."""
        if not pair.is_true_pairing:
            raise MeasureError("OpenRange: records must be paired with those they came from.")
        total, cells = np.zeros(len(pair.rows)), np.zeros(len(pair.rows))
        parts: dict[str, float] = {}
        for name in names:
            values, share = pair.original.float(name)[pair.rows], _open(pair, name)
            there = ~np.isnan(values)
            total[there] += share[there]
            cells += there
            if not there.any():
                continue
            if name in pair.banded:
                parts |= _of_bands(pair, name, values, share, there)
            elif share[there].any():
                parts[f"{name}: suppressed"] = 100 * float(share[there].mean())
        if not cells.any():
            raise MeasureError("OpenRange: there are no values to look at.")
        records = np.divide(total, cells, out=np.zeros(len(total)), where=cells > 0)
        return Measured(100 * float(total.sum() / cells.sum()), per_record=records, parts=parts)


def _open(pair: Pair, name: str) -> FloatArray:
    """Return (n,): the share of the range that the cell of each paired record leaves open."""
    suppressed = pair.masked.is_missing(name)[pair.masked_rows]
    if name not in pair.banded:
        return suppressed.astype(np.float64)
    bands, values = bands_of(pair, name), pair.original.float(name)
    width = (bands.high - bands.low)[pair.masked_rows]
    spread = float(np.nanmax(values) - np.nanmin(values)) if not np.isnan(values).all() else 0.0
    share = np.nan_to_num(width / spread) if spread > 0 else np.zeros(len(width))
    return np.where(suppressed, 1.0, share)


def _of_bands(pair: Pair, name: str, values: FloatArray, share: FloatArray, there: np.ndarray) -> dict[str, float]:
    """Return what recoding did to one column."""
    bands = bands_of(pair, name)
    middle = ((bands.low + bands.high) / 2)[pair.masked_rows]
    deviation = float(np.std(values[there]))
    off = float(np.abs(middle - values)[there].mean()) / deviation if deviation > 0 else 0.0
    codes = pair.masked.codes(name).values[pair.masked_rows]
    return {
        f"{name}: range left open": 100 * float(share[there].mean()),
        f"{name}: distance from the middle": off,
        f"{name}: entropy left": 100 * _entropy_left(values[there], codes[there]),
    }


def _entropy_left(values: FloatArray, codes: np.ndarray) -> float:
    """Return H(X | Y) / H(X)."""
    cell = np.unique(np.column_stack([np.unique(values, return_inverse=True)[1], codes]), axis=0, return_counts=True)[1]
    joint, own, category = (
        _entropy(counts)
        for counts in (cell, np.unique(values, return_counts=True)[1], np.unique(codes, return_counts=True)[1])
    )
    return (joint - category) / own if own > 0 else 0.0


def _entropy(counts: np.ndarray) -> float:
    p = counts / counts.sum()
    return float(-(p * np.log(p)).sum())
