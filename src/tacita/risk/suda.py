"""SUDA: how special a unique record is, and the chance that a match with it is right."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import numpy as np

from tacita.core.parameters import Interval
from tacita.core.traits import MeasureTraits
from tacita.data.measure import Measured
from tacita.data.microdata import Microdata
from tacita.data.patterns import key_patterns
from tacita.risk.file_risk import FileRisk

__all__ = ["Suda"]


@dataclass(frozen=True, kw_only=True)
class Suda(FileRisk):
    """Risk of records that few keys single out: DIS-SUDA scores.

    A set of keys in which a record is unique, but in none of its subsets, is a minimal sample unique (MSU). An MSU of size
    k among d keys scores ``prod_{i=k}^{M-1} (d - i)``; a record's SUDA score is the sum over its MSUs. The chance that a unique
    match is right is estimated for the whole file by data intrusion simulation, ``DIS = U f / (U f + 2 P (1 - f))`` with U
    uniques, P pairs and sampling fraction f, and shared among the uniques in proportion to their SUDA scores.

    Parameters
    ----------
    largest
        Largest size M of an MSU.
    fraction
        Sampling fraction f; by default the number of records over the sum of the weights, or 1 percent without weights.

    Returns
    -------
    Measured
        Mean DIS-SUDA score in percent; the score of each record, from 0 to 1; in the parts DIS, the numbers of MSUs by
        size, and for each key the percentage of the whole SUDA score that comes from MSUs with it.

    Complexity
    ----------
    O(n d + 2^d m d) time for m distinct patterns; all sets of up to M keys are visited on the patterns.

    Notes
    -----
    Contributions of keys add up to more than 100, because an MSU of several keys counts for each. A missing value singles
    nobody out. A share above 1 is cut to 1. Frequencies count a missing key as a value of its own.

    References
    ----------
    Elliot, Manning and Ford (2002); Manning, Haglin and Keane (2008); Skinner, C. J. and Elliot, M. J. (2002), A measure of
    disclosure risk for microdata (DIS).

    Examples
    --------
    >>> import tacita as tc
    >>> data = tc.samples.household_survey(300, seed=1)
    >>> found = Suda(columns=["sex", "region", "age"]).assess(data)
    >>> 0 <= found.value <= 100
    True
    """

    name = "suda"
    traits = MeasureTraits(
        scales={"numeric", "ordinal", "nominal", "date"},
        per_record=True,
        unit="%",
        upper=100.0,
        of_file=True,
        by_default=False,
    )
    largest: Annotated[int, Interval(1, 12)] = 6
    fraction: Annotated[float, Interval(0, 1, closed="right")] | None = None

    def measure_file(self, data: Microdata, names: tuple[str, ...]) -> Measured:
        """Score every unique record."""
        from tacita.numeric.keys.suda import special_uniques  # loads when used

        patterns = key_patterns(data, names)
        found = special_uniques(patterns, self.largest)
        uniques, pairs = int((patterns.counts == 1).sum()), int((patterns.counts == 2).sum())
        f = self._fraction(data)
        dis = uniques * f / (uniques * f + 2 * pairs * (1 - f)) if uniques else 0.0
        special = found.scores > 0
        mean = found.scores[special].mean() if special.any() else 1.0
        scores = np.minimum(dis * found.scores / mean, 1.0)[patterns.labels]
        total = max(float(found.scores.sum()), 1e-300)
        parts = {
            "dis": 100 * dis,
            "uniques": float(uniques),
            **{f"msu of size {k + 1}": float(count) for k, count in enumerate(found.counts.sum(axis=0))},
            **{
                f"from {name}": 100 * float(c) / total
                for name, c in zip(names, found.contributions.sum(0), strict=True)
            },
        }
        return Measured(self.summed(scores), per_record=scores, parts=parts, note=f"keys: {', '.join(names)}")

    def _fraction(self, data: Microdata) -> float:
        if self.fraction is not None:
            return self.fraction
        if data.schema.weight is None:
            return 0.01
        total = float(data.weights().sum())
        return min(len(data) / total, 1.0) if total > 0 else 1.0
