"""The citizen's case: released records that have the keys of a real person, and his confidential value as well."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from tacita.core.traits import MeasureTraits
from tacita.core.vocabulary import SCALES
from tacita.data.pairing import Pair
from tacita.numeric.linkage.attribution import ValuesByCell
from tacita.risk.synthetic.matching_risk import LearnedColumn, MatchingRisk, Told

__all__ = ["CitizenMatch"]


@dataclass(frozen=True, kw_only=True)
class CitizenMatch(MatchingRisk):
    """How often a released record has the keys of a real person and his confidential value, beyond chance.

    "If, by chance, a published synthetic record matches a particular citizen's non-confidential attributes and confidential
    attributes, re-identification is easy, and that citizen may feel that his confidential attributes have been unduly revealed."
    A record tells something where f people of the original have its keys. Of these, h have its confidential value, so h / f is
    the chance that it is right of a person whom an intruder takes it for. With k the share of records that tell something, g
    the mean of h / f among them, and c the mean share of all people who have the value of such a record, the value is
    ``100 k max(0, g - c) / (1 - c)``.

    Protects nothing by itself; a record counts whether it was copied, masked or drawn.

    Returns
    -------
    Measured
        Percent of the released records; for each what is right beyond chance. Parts in percent: ``told`` = k, the records whose
        keys somebody has; ``right``, those that match keys and value (k g); ``right where told`` = g; ``by chance`` = c; for each
        target its own value, g and c, and ``from another person``: what a person's record tells of others with the same keys.

    Notes
    -----
    Two people of the same keys often have similar values, because keys and values belong together in the population. A
    synthetic file that keeps this truth tells it too, and nobody's participation changes that. ``from another person`` says what
    it amounts to: g beyond it comes from single records. c is lower, as it ignores the keys, so the value errs on the safe side.

    A missing key is a value of its own. A missing target matches nothing. Sampling weights are not used: a person of the sample
    is known to be in it.

    References
    ----------
    Domingo-Ferrer, J. (2007), Statistical databases, section "Synthetic microdata generation". The share beyond chance is that of
    Giomi, M., Boenisch, F., Wehmeyer, C. and Tasnadi, B. (2023), A unified framework for quantifying privacy risk in synthetic
    data, PoPETs 2023 (2), 312-328.

    Examples
    --------
    >>> import tacita as tc
    >>> data = tc.samples.household_survey(500, seed=1)
    >>> fresh = tc.samples.household_survey(500, seed=2)
    >>> found = CitizenMatch(columns=["age", "sex", "region"], target=["earnings"])
    >>> found(data, fresh).value < found(data, data).value / 4
    True
    """

    name = "citizen_match"
    title = "Records that match a person and his value"
    traits = MeasureTraits(scales=SCALES, per_record=True, unit="%", upper=100.0, by_default=False, of_synthetic=True)

    def told(self, pair: Pair, target: LearnedColumn) -> Told:
        """Return what each paired record tells of the people of its keys."""
        people = ValuesByCell.of(target.cells, target.values)
        cells, said = target.released_cells[pair.masked_rows], target.released[pair.masked_rows]
        low, high = target.calls(said)
        crowd = people.sizes(cells)
        found = ((crowd > 0) & ~np.isnan(said)).astype(np.float64)
        right = found * people.within(cells, low, high) / np.maximum(crowd, 1)
        chance = found * people.anywhere(low, high) / max(len(target.values), 1)
        every = np.arange(len(cells))
        return Told(found, right, chance, every, every, _from_another(people, target))


def _from_another(people: ValuesByCell, target: LearnedColumn) -> dict[str, float]:
    """Return in percent what the record of a person tells of another with the same keys; nothing where all are alone."""
    crowd = people.sizes(target.cells) - 1
    there = (crowd > 0) & ~np.isnan(target.values)
    if not there.any():
        return {}
    others = people.within(target.cells, *target.calls(target.values)) - 1
    return {"from another person": 100 * float((others[there] / crowd[there]).mean())}
