"""Individual risk and household risk of a sample file."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal, Self

import numpy as np

from tacita.core.arrays import FloatArray
from tacita.core.errors import MeasureError
from tacita.core.parameters import Columns
from tacita.core.traits import MeasureTraits
from tacita.core.vocabulary import MissingKeys
from tacita.data.keys.patterns import key_frequencies
from tacita.data.measure import LARGE_FILE, NO_SETTINGS, Measured
from tacita.data.microdata import Microdata
from tacita.data.scenario import Scenario
from tacita.data.schema import Schema
from tacita.risk.file_risk import FileRisk

__all__ = ["HouseholdRisk", "IndividualRisk"]


_SCALES = {"numeric", "ordinal", "nominal", "date"}
_PART_UNITS = (("expected re-identifications", "records"), ("largest", "of 1"), ("above *", "records"))


@dataclass(frozen=True, kw_only=True)
class _ChanceOfKeys(FileRisk):
    """Base of the chances that records are found by their keys.

    Parameters
    ----------
    missing
        What a missing key matches; see the measure ``k_anonymity``.
    method
        ``exact`` computes the expectation; ``approximate`` takes the closed forms in use (they differ in the third digit).
    knows_sample
        Whether the intruder knows who is in the file. Then the chance is 1/f, whomever the record stands for.
    """

    missing: MissingKeys = "wildcard"
    method: Literal["exact", "approximate"] = "exact"
    knows_sample: bool = False

    @classmethod
    def under(
        cls,
        scenario: Scenario,
        schema: Schema,
        columns: Columns | None = None,
        settings: Mapping[str, Any] = NO_SETTINGS,
    ) -> Self:
        """Return the measure of the keys of a scenario, for an intruder who knows who is in the file or does not."""
        given = {"knows_sample": True} if scenario.knows_sample else {}
        return super().under(scenario, schema, columns, {**given, **settings})

    def chances(self, data: Microdata, names: tuple[str, ...]) -> FloatArray:
        """Return (n,): the chance of each record."""
        from tacita.numeric.keys.individual_risk import individual_risk  # loads when used

        patterns, fk, total = key_frequencies(data, names, self.missing)
        labels = patterns.labels
        del patterns
        if len(data) >= LARGE_FILE:
            data.forget()  # the rest of the patterns may be longer than the file
        risk = 1.0 / fk if self.knows_sample else individual_risk(fk, total, is_exact=self.method == "exact")
        del fk, total
        return np.asarray(risk[labels])


@dataclass(frozen=True, kw_only=True)
class IndividualRisk(_ChanceOfKeys):
    """Chance that a record is re-identified by its keys, estimated from sampling weights.

    A record whose keys occur f times in the file stands for F people of the population with these keys; F is estimated by
    the sum of their weights. The risk is E[1/F | f] under the negative binomial model of Benedetti and Franconi.

    Returns
    -------
    Measured
        Mean risk in percent (the global risk); the risk of each record; in the parts the expected number of
        re-identifications (the sum), the largest risk, and the records above 1, 5 and 10 percent.

    Complexity
    ----------
    O(n d) time, a few arrays of length n.

    Notes
    -----
    Without a weight column every record stands for itself: F = f, the risk is 1/f. Where missing keys match, the same f and
    F are counted as for k-anonymity.

    References
    ----------
    Benedetti and Franconi (1998); Franconi and Polettini (2004), Individual risk estimation in mu-Argus: a review.

    Examples
    --------
    >>> import tacita as tc
    >>> data = tc.samples.household_survey(300, seed=1)
    >>> found = IndividualRisk(columns=["sex", "region"]).assess(data)
    >>> 0 < found.value < 100
    True
    """

    name = "individual_risk"
    title = "Individual risk"
    part_units = _PART_UNITS
    traits = MeasureTraits(scales=_SCALES, per_record=True, unit="%", upper=100.0, of_file=True, identifies=True)

    def measure_file(self, data: Microdata, names: tuple[str, ...]) -> Measured:
        """Estimate every record's risk."""
        risk = self.chances(data, names)
        return Measured(self.summed(risk), per_record=risk, parts=_parts(risk), note=f"keys: {', '.join(names)}")


@dataclass(frozen=True, kw_only=True)
class HouseholdRisk(_ChanceOfKeys):
    """Chance that at least one member of a record's household is re-identified.

    With the individual risks r of the members, taken as independent, the household's risk is ``1 - prod (1 - r)``.

    Returns
    -------
    Measured
        Mean over records in percent; the risk of each record's household; in the parts also the mean over households
        and the expected number of households with a re-identified member.

    Raises
    ------
    MeasureError
        When the file has no household column, or a record no household.

    Complexity
    ----------
    O(n d) time, a few arrays of length n.

    Notes
    -----
    Members who share key values are not independent; the formula is the convention of the field and errs on the safe
    side for households with equal members.

    References
    ----------
    Franconi and Polettini (2004); Hundepool et al. (2012), Statistical Disclosure Control, section 3.

    Examples
    --------
    >>> import tacita as tc
    >>> data = tc.samples.household_survey(300, seed=1)
    >>> HouseholdRisk(columns=["sex", "region"]).assess(data).value > 0
    True
    """

    name = "household_risk"
    title = "Household risk"
    part_units = (*_PART_UNITS, ("expected households", "households"))
    traits = MeasureTraits(scales=_SCALES, per_record=True, unit="%", upper=100.0, of_file=True)

    def measure_file(self, data: Microdata, names: tuple[str, ...]) -> Measured:
        """Combine the risks of each household's members."""
        return self.of_chances(data, names)

    def of_chances(self, data: Microdata, names: tuple[str, ...], chances: FloatArray | None = None) -> Measured:
        """Do as :meth:`measure_file`, for chances of the records that are known; they are overwritten."""
        from tacita.numeric.keys.individual_risk import grouped_risk  # loads when used

        household = data.schema.household
        if household is None:
            raise MeasureError("HouseholdRisk: the data have no household column; give one the role 'household'.")
        alone = int(data.is_missing(household).sum())
        if alone:
            raise MeasureError(f"HouseholdRisk: '{household}' is missing in {alone} records; give each its own number.")
        if chances is None:
            chances = self.chances(data, names)
        groups = data.groups([household])
        risk = grouped_risk(chances, groups, overwrite=True)
        each = np.empty(int(groups.max()) + 1)
        each[groups] = risk  # all members have the same
        parts = {**_parts(risk), "households": 100 * float(each.mean()), "expected households": float(each.sum())}
        return Measured(self.summed(risk), per_record=risk, parts=parts, note=f"keys: {', '.join(names)}")


def _parts(risk: FloatArray) -> dict[str, float]:
    return {
        "expected re-identifications": float(risk.sum()),
        "largest": float(risk.max()),
        **{f"above {percent} %": float((risk > percent / 100).sum()) for percent in (1, 5, 10)},
    }
