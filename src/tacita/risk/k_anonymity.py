"""k-anonymity: how many records share their key values with fewer than k."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import numpy as np

from tacita.core.parameters import Interval
from tacita.core.traits import MeasureTraits
from tacita.core.vocabulary import MissingKeys
from tacita.data.keys.patterns import key_frequencies
from tacita.data.measure import Measured
from tacita.data.microdata import Microdata
from tacita.risk.file_risk import FileRisk

__all__ = ["KAnonymity"]

_THRESHOLDS = (2, 3, 5)


@dataclass(frozen=True, kw_only=True)
class KAnonymity(FileRisk):
    """Share of records whose key pattern fewer than k records have.

    ``fk`` is the number of records that a record cannot be told from by its keys, itself included. A file is k-anonymous
    when no record has ``fk < k``; the measure is the percentage that does.

    Parameters
    ----------
    k
        Smallest frequency that is safe: a record is at risk when fewer than k records share its pattern.
    missing
        What a missing key matches: ``wildcard`` everything; ``own category`` only other missing values;
        ``conservative`` everything for the record itself, while others' missing values protect nobody.

    Returns
    -------
    Measured
        Percent of records at risk; 1 for each of them and 0 for the others; the number of records below 2, 3, 5 and
        of distinct patterns.

    Complexity
    ----------
    O(n d) time, a few arrays of length n; with missing keys also O(s m log m) for m patterns with s sets of missing keys.

    Notes
    -----
    Numeric keys are compared by their exact values. The threshold is the frequency that is still safe, as in "3-anonymity";
    other tools mean by a threshold of 2 what k = 3 is here.

    References
    ----------
    Samarati, P. (2001), Protecting respondents' identities in microdata release; Sweeney, L. (2002), k-anonymity.

    Examples
    --------
    >>> import tacita as tc
    >>> data = tc.samples.household_survey(300, seed=1)
    >>> found = KAnonymity(columns=["sex", "region"], k=3).assess(data)
    >>> found.value <= 100
    True
    """

    name = "k_anonymity"
    title = "k-anonymity violations"
    part_units = (("below *", "records"), ("patterns", "combinations"))
    traits = MeasureTraits(
        scales={"numeric", "ordinal", "nominal", "date"}, per_record=True, unit="%", upper=100.0, of_file=True
    )
    k: Annotated[int, Interval(1)] = 3
    missing: MissingKeys = "wildcard"

    def measure_file(self, data: Microdata, names: tuple[str, ...]) -> Measured:
        """Count records at risk."""
        patterns, fk, _ = key_frequencies(data, names, self.missing)
        below = {f"below {t}": float(patterns.counts.sum(where=fk < t)) for t in _THRESHOLDS}
        risky = (fk < self.k)[patterns.labels].astype(np.float64)
        parts = {**below, "patterns": float(len(fk))}
        return Measured(100 * float(risky.mean()), per_record=risky, parts=parts, note=f"keys: {', '.join(names)}")
