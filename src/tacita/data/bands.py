"""Numbers that were recoded into categories: what each category holds, seen through the pairs of records."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import pyarrow as pa

from tacita.core.arrays import FloatArray
from tacita.data.microdata import Microdata

if TYPE_CHECKING:
    from tacita.data.pairing import Pair

__all__ = ["Bands", "bands_of", "with_middles"]


class Bands(NamedTuple):
    """For each masked record the ends of what its category holds of a number; NaN where no original is in the category."""

    low: FloatArray
    high: FloatArray


def bands_of(pair: Pair, name: str) -> Bands:
    """Return the least and the largest original of each masked record's category. O(n).

    A value that was suppressed can be anything from the least to the largest of the column. An original that was missing is in
    no category.

    Examples
    --------
    >>> import pyarrow as pa
    >>> import tacita as tc
    >>> from tacita.data.pairing import pair_records
    >>> data = tc.Microdata.from_frame(pa.table({"age": [20, 25, 31, 38]}), keys=["age"])
    >>> banded = tc.mask.GlobalRecode(breaks={"age": [30]}).apply(data)
    >>> bands_of(pair_records(data, banded), "age").high.tolist()
    [25.0, 25.0, 38.0, 38.0]
    """
    values = pair.original.float(name)[pair.rows]
    codes = pair.masked.codes(name).values
    here = codes[pair.masked_rows]
    known = ~np.isnan(values)
    size = int(codes.max(initial=-1)) + 2  # the last place is for suppressed values
    low, high = np.full(size, np.inf), np.full(size, -np.inf)
    placed = known & (here >= 0)
    np.minimum.at(low, here[placed], values[placed])
    np.maximum.at(high, here[placed], values[placed])
    if known.any():
        low[-1], high[-1] = values[known].min(), values[known].max()
    empty = low > high
    low[empty] = high[empty] = np.nan
    return Bands(low[codes], high[codes])


def with_middles(pair: Pair, names: tuple[str, ...]) -> Microdata:
    """Return the masked data with the named columns as numbers: each category at the middle of what it holds."""
    masked = pair.masked
    for name in names:
        bands = bands_of(pair, name)
        middle = np.where(masked.is_missing(name), np.nan, (bands.low + bands.high) / 2)
        made = pa.array(middle, mask=np.isnan(middle))
        masked = masked.with_column(name, made, column=pair.original.schema[name])
    return masked
