"""Linkage by an intruder who repeats a mask without chance on what he knows, and looks for its result in the release."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from tacita.core.traits import MeasureTraits
from tacita.core.vocabulary import SCALES
from tacita.data.measure import Measured
from tacita.data.microdata import Microdata
from tacita.risk.file_risk import FileRisk

__all__ = ["ReplayLinkage"]


@dataclass(frozen=True, kw_only=True)
class ReplayLinkage(FileRisk):
    """Share of records found by an intruder who repeats a mask that leaves nothing to chance.

    Microaggregation has no secret. Whoever knows the true values of the masked columns for everybody in the file, the method
    and its parameters can run it again and gets the masked file, with names. A person then has the masked values of his
    group; the m released records with just these values cannot be told apart, so each of them is found with chance 1/m.

    Protects nothing by itself; it measures identity disclosure in the worst case of a complete register.

    Parameters
    ----------
    columns
        The masked columns that the intruder knows; by default all keys.

    Returns
    -------
    Measured
        Percent of records found; for each record its chance 1/m.

    Complexity
    ----------
    O(n d) time, O(n) memory: the mask is not run again, since the masked file is what it would give.

    Notes
    -----
    After microaggregation of all columns together it is at most 100/k. With the columns in several groups, each grouped by
    itself, the groups of a record intersect, and it comes near 100 however large k is. A missing value is a value of its own.

    References
    ----------
    Domingo-Ferrer, J., Mateo-Sanz, J. M., Oganian, A. and Torres, A. (2002), On the security of microaggregation with
    individual ranking: analytical attacks; Nin, J., Herranz, J. and Torra, V. (2008), On the disclosure risk of multivariate
    microaggregation, for groups that are intersected.

    Examples
    --------
    >>> import tacita as tc
    >>> data = tc.samples.household_survey(300, seed=1).drop(["income"])
    >>> money = ["earnings", "other_income", "tax"]
    >>> together = tc.mask.Mdav(columns=money, k=5).apply(data)
    >>> apart = tc.mask.Mdav(columns=money, k=5, groups=1).apply(data)
    >>> replay = ReplayLinkage(columns=money)
    >>> replay.assess(together).value <= 20, replay.assess(apart).value > 30
    (True, True)
    """

    name = "replay_linkage"
    title = "Linkage by repeating the mask"
    traits = MeasureTraits(
        scales=SCALES, per_record=True, unit="%", upper=100.0, by_default=False, of_file=True, identifies=True
    )

    def measure_file(self, data: Microdata, names: tuple[str, ...]) -> Measured:
        """Count the records that have the same masked values."""
        groups = data.groups(names)
        chance = 1.0 / np.bincount(groups)[groups]
        note = f"intruder knows {', '.join(names)} and repeats the mask"
        return Measured(self.summed(chance), per_record=chance, note=note)
