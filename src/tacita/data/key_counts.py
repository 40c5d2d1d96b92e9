"""Key counts: how many records have each combination of key values, and how many people they stand for.

The counts are all that k-anonymity, individual risk and special uniques need. They come from data in memory, or from a
file that is never read into memory.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from tacita.core.vocabulary import MissingKeys
from tacita.data.microdata import Microdata
from tacita.data.patterns import key_patterns

if TYPE_CHECKING:
    from tacita.numeric.frequencies import Patterns

__all__ = ["KeyCounts", "count_keys"]

FloatArray = npt.NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class KeyCounts:
    """The distinct combinations of key values of a file.

    Parameters
    ----------
    names
        The keys.
    categories
        The values of each key; the codes of the patterns are positions in them.
    patterns
        The combinations and how many records have each. Its labels are empty where the records were not kept.
    totals
        (m,): sum of the weights of each combination; its number of records where the file has no weights.
    is_weighted
        Whether the totals come from weights.
    """

    names: tuple[str, ...]
    categories: tuple[tuple[Any, ...], ...] = field(repr=False)
    patterns: Patterns = field(repr=False)
    totals: FloatArray = field(repr=False)
    is_weighted: bool

    @property
    def records(self) -> int:
        """Number of records."""
        return int(self.patterns.counts.sum())

    @property
    def counts(self) -> npt.NDArray[np.int64]:
        """(m,): records that have exactly this combination, a missing key being a value of its own."""
        return self.patterns.counts

    def frequencies(self, missing: MissingKeys = "wildcard") -> tuple[FloatArray, FloatArray]:
        """Return for each combination how many records match it (fk) and the sum of their weights (Fk).

        Examples
        --------
        >>> import pyarrow as pa
        >>> table = pa.table({"sex": ["f", "f", "m"], "w": [10.0, 20.0, 5.0]})
        >>> found = count_keys(Microdata.from_frame(table, keys=["sex"], weight="w"), ["sex"])
        >>> [part.tolist() for part in found.frequencies()]
        [[2.0, 1.0], [30.0, 5.0]]
        """
        from tacita.numeric.missing_keys import pattern_frequencies  # numba loads here, not on import

        fk = pattern_frequencies(self.patterns, self.patterns.counts, missing)
        return fk, pattern_frequencies(self.patterns, self.totals, missing)

    def values(self, pattern: int) -> tuple[Any, ...]:
        """Return the values of one combination; None where a key is missing."""
        codes = self.patterns.codes[pattern]
        return tuple(None if c < 0 else known[c] for c, known in zip(codes, self.categories, strict=True))


def count_keys(data: Microdata, names: Iterable[str]) -> KeyCounts:
    """Count the key combinations of data in memory. O(n d) time, a few arrays of length n."""
    listed = tuple(names)
    patterns = key_patterns(data, listed)
    categories = tuple(data.codes(name).categories for name in listed)
    is_weighted = data.schema.weight is not None
    totals = patterns.total(data.weights()) if is_weighted else patterns.counts.astype(np.float64)
    return KeyCounts(listed, categories, patterns, totals, is_weighted)
