"""Population uniqueness: how many records are the only ones of their kind in the whole population."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Literal, cast

import numpy as np

from tacita.core.arrays import BoolArray, FloatArray, IntArray
from tacita.core.errors import MeasureError
from tacita.core.parameters import Interval
from tacita.core.traits import MeasureTraits
from tacita.data.keys.patterns import key_patterns
from tacita.data.measure import Measured
from tacita.data.microdata import Microdata
from tacita.risk.file_risk import FileRisk

__all__ = ["PopulationUniqueness"]


UniquenessModel = Literal["pitman", "zayatz", "negative binomial", "dankar", "log-linear", "independence", "two-way"]
_ORDERS = {"independence": 1, "two-way": 2}
_MOST_CELLS = 2**24
"""Cells of a log-linear table: five arrays of this size are 640 MB."""


@dataclass(frozen=True, kw_only=True)
class PopulationUniqueness(FileRisk):
    """Share of records that are estimated to be unique in the population, not only in the sample.

    A sample unique is a record whose keys no other record of the file has; whether somebody outside has them is not known
    and must be modelled. ``pitman``, ``zayatz`` and ``negative binomial`` look at the frequencies of the key patterns only
    and give every sample unique the same chance P(F = 1 | f = 1). The log-linear models look at the values too: a
    unique among frequent values is likelier to have a double outside, ``P_k = exp(-(1 - pi) mu_k / pi)`` with fitted means mu.

    Parameters
    ----------
    model
        ``pitman``: Ewens-Pitman sampling formula; ``zayatz``: class sizes of the population like those of the sample;
        ``negative binomial``: slide negative binomial; ``dankar``: one of these three by the rule of Dankar et al., which is
        named in the note; ``independence`` and ``two-way``: log-linear models without and with
        interactions of all pairs of keys; ``log-linear``: the one of these two with the smaller estimated error.
    fraction
        Sampling fraction; by default the number of records over the sum of the weights, and 1 (the file is the population)
        without weights.

    Returns
    -------
    Measured
        Percent of records that are sample and population unique; the chance of each record, 0 where it is not unique in
        the sample. In the parts: the sample uniques, how many of them are population unique, the population uniques in all, the
        fraction, and the parameters of the model; for log-linear models also the expected right matches with sample
        uniques and the test of each model tried (between -2 and 2: no sign of a wrong model; above: too few terms, risk
        overestimated; below: too many).

    Raises
    ------
    MeasureError
        When the keys span more than 2^24 cells and a log-linear model is asked for.

    Complexity
    ----------
    O(n d) for the patterns; O(u) a step of the fit for u patterns; log-linear O(d^2 K) a step for K cells.

    Notes
    -----
    No model is right for all files; look at several. The rule ``dankar`` comes from simulations on clinical files: Pitman's model
    for sampling fractions up to 0.1, above the lower of the other two. ``zayatz`` overestimates strongly where the fraction is
    small. The sampling fraction is taken as equal for all records. A missing key is a value of its own. The parameters of the
    negative binomial model maximise the likelihood of the sizes that are seen, where its authors solve moment equations with the
    number of classes estimated beforehand. Population uniques under Pitman's model are expected given the sample, not given the
    parameters alone. The variance of the test of a log-linear model leaves out that the means are fitted.

    References
    ----------
    Zayatz (1991); Pitman, J. (1996), Some developments of the Blackwell-MacQueen urn scheme; Hoshino (2001); Chen and
    Keller-McNulty (1998); Skinner and Shlomo (2008), Assessing identification risk in survey microdata using log-linear models;
    Dankar, F. et al. (2012), Estimating the re-identification risk of clinical data sets.

    Examples
    --------
    >>> import tacita as tc
    >>> data = tc.samples.household_survey(300, seed=1)
    >>> found = PopulationUniqueness(columns=["sex", "region", "age"]).assess(data)
    >>> found.parts["unique in both"] <= found.parts["sample uniques"]
    True
    """

    name = "population_uniqueness"
    title = "Population uniqueness"
    part_units = (
        ("sample uniques", "records"),
        ("unique in both", "records"),
        ("right matches", "records"),
        ("fraction", "of 1"),
        ("population uniques", "persons"),
        ("test of *", "z score"),
        ("alpha", "parameter"),
        ("theta", "parameter"),
    )
    traits = MeasureTraits(
        scales={"numeric", "ordinal", "nominal", "date"},
        per_record=True,
        unit="%",
        upper=100.0,
        of_file=True,
        by_default=False,
    )
    model: UniquenessModel = "pitman"
    fraction: Annotated[float, Interval(0, 1, closed="right")] | None = None

    def measure_file(self, data: Microdata, names: tuple[str, ...]) -> Measured:
        """Estimate every sample unique's chance."""
        patterns = key_patterns(data, names)
        unique = patterns.counts == 1
        fraction, chosen = self._fraction(data), ""
        if fraction == 1 or not unique.any():
            chances, found = np.ones(len(unique)), _certain(unique, fraction)
        elif self.model in (*_ORDERS, "log-linear"):
            chances, found = self._log_linear(patterns.codes, patterns.counts, fraction)
        else:
            chances, found, chosen = self._frequencies(patterns.counts, len(data) / fraction)
        chances = np.where(unique, chances, 0.0)
        parts = {
            "sample uniques": float(unique.sum()),
            "unique in both": float(chances.sum()),
            "fraction": fraction,
            **found,
        }
        per_record = chances[patterns.labels]
        return Measured(
            self.summed(per_record), per_record=per_record, parts=parts, note=f"keys: {', '.join(names)}{chosen}"
        )

    def _frequencies(self, counts: IntArray, population: float) -> tuple[FloatArray, dict[str, float], str]:
        from tacita.numeric.keys.uniqueness import UniquenessRule, find_uniqueness  # scipy loads here, not on import

        found = find_uniqueness(cast(UniquenessRule, self.model), counts, population)
        parts = {"population uniques": found.population, **found.parameters}
        return np.full(len(counts), found.chance), parts, f"; model: {found.model}" if self.model == "dankar" else ""

    def _log_linear(self, codes: IntArray, counts: IntArray, fraction: float) -> tuple[FloatArray, dict[str, float]]:
        from tacita.numeric.statistics.log_linear import cells, fit_log_linear

        shape, _ = cells(codes)
        size = float(np.prod(np.array(shape, dtype=np.float64)))
        if size > _MOST_CELLS:
            raise MeasureError(
                f"PopulationUniqueness: the model '{self.model}' needs keys with at most {_MOST_CELLS:,} combinations, got "
                f"{size:,.0f}. Take fewer or coarser keys, or the model 'pitman'."
            )
        asked = list(_ORDERS) if self.model == "log-linear" else [self.model]
        fits = {name: fit_log_linear(codes, counts, fraction, order=_ORDERS[name]) for name in asked}
        best = fits[min(fits, key=lambda name: abs(fits[name].tests[0]))]
        parts = {
            "population uniques": best.population,
            "right matches": float(best.matches[counts == 1].sum()),
            **{f"test of {name}": fit.tests[0] for name, fit in fits.items()},
        }
        return best.chances, parts

    def _fraction(self, data: Microdata) -> float:
        if self.fraction is not None:
            return self.fraction
        total = float(data.weights().sum())
        return min(len(data) / total, 1.0) if total > 0 else 1.0


def _certain(unique: BoolArray, fraction: float) -> dict[str, float]:
    """Return the parts where nothing needs to be estimated: everybody is in the file, or no record is unique."""
    return {"population uniques": float(unique.sum())} if fraction == 1 else {}
