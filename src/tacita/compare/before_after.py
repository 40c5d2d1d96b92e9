"""Before and after: the risk that the keys of a file carry, of the original beside the release."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from tacita.core.errors import MeasureError
from tacita.data.keys.patterns import key_frequencies
from tacita.data.microdata import Microdata
from tacita.data.scenario import Scenario
from tacita.risk.individual_risk import HouseholdRisk, IndividualRisk

__all__ = ["BesideRow", "risk_beside"]

_THRESHOLDS = (2, 3, 5)


@dataclass(frozen=True)
class BesideRow:
    """One figure of the original and of the release.

    Parameters
    ----------
    what, unit
        What it is, and its unit.
    before, after
        The original's and the release's; None where a file has none.
    """

    what: str
    unit: str
    before: float | None
    after: float | None

    def as_plain(self) -> dict[str, Any]:
        """Return the row ready for JSON."""
        return {"what": self.what, "unit": self.unit, "before": self.before, "after": self.after}


def risk_beside(original: Microdata, masked: Microdata, scenario: Scenario) -> tuple[BesideRow, ...]:
    """Return the risk of the original beside that of the release, under one scenario.

    Parameters
    ----------
    original, masked
        The two files.
    scenario
        Whose keys count; those that are in both files.

    Returns
    -------
    tuple of BesideRow
        Combinations of key values, records below 2, 3 and 5, mean and largest risk, expected re-identifications, households,
        and what was suppressed in each key. Empty where there are no keys.

    Complexity
    ----------
    O(n d) time.

    Examples
    --------
    >>> import tacita as tc
    >>> data = tc.samples.household_survey(300, seed=1)
    >>> recoded = tc.mask.GlobalRecode(levels={"region": 1, "occupation": 1}).apply(data)
    >>> rows = {row.what: row for row in risk_beside(data, recoded, tc.Scenario())}
    >>> rows["records below k = 2"].after <= rows["records below k = 2"].before
    True
    """
    names = tuple(name for name in scenario.key_names(original.schema) if name in masked.schema)
    if not names or not len(original) or not len(masked):
        return ()
    before, after = (_facts(data, names, scenario) for data in (original, masked))
    rows = [BesideRow(what, unit, value, after.get((what, unit))) for (what, unit), value in before.items()]
    for name in names:
        missing = [int(data.is_missing(name).sum()) for data in (original, masked)]
        if missing[1] != missing[0]:
            rows.append(BesideRow(f"missing in {name}", "records", *map(float, missing)))
    return tuple(rows)


def _facts(data: Microdata, names: tuple[str, ...], scenario: Scenario) -> dict[tuple[str, str], float]:
    used = tuple(
        dict.fromkeys(name for name in (*names, data.schema.weight, data.schema.household) if name is not None)
    )
    key = ("risk beside", names, scenario.knows_sample, data.schema.weight, data.schema.household)
    found: dict[tuple[str, str], float] = data.remembered(
        key, lambda: _counted_facts(data, names, scenario), of=used, is_small=True
    )
    return found


def _counted_facts(data: Microdata, names: tuple[str, ...], scenario: Scenario) -> dict[tuple[str, str], float]:
    patterns, fk, _ = key_frequencies(data, names, "wildcard")
    found = {("records", "records"): float(len(data)), ("combinations of key values", "combinations"): float(len(fk))}
    for k in _THRESHOLDS:
        found[f"records below k = {k}", "records"] = float(patterns.counts.sum(where=fk < k))
    del patterns, fk  # before an array for all records is made
    risk = IndividualRisk(columns=names, knows_sample=scenario.knows_sample).assess(data)
    chances = np.zeros(1) if risk.per_record is None else risk.per_record
    found["mean individual risk", "%"] = float(risk.value)
    found["largest individual risk", "%"] = 100 * float(chances.max())
    found["expected re-identifications", "records"] = float(chances.sum())
    try:
        house = HouseholdRisk(columns=names, knows_sample=scenario.knows_sample).of_chances(data, names, chances)
    except MeasureError:  # no households in this file
        return found
    found["mean household risk", "%"] = float(house.value)
    found["expected households found", "households"] = float(house.parts["expected households"])
    return found
