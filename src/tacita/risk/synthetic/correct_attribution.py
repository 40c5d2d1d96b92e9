"""Correct attribution: a person's confidential value is read from the released records that have the person's keys."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from tacita.core.arrays import FloatArray
from tacita.core.traits import MeasureTraits
from tacita.core.vocabulary import SCALES
from tacita.data.pairing import Pair
from tacita.numeric.linkage.attribution import ValuesByCell
from tacita.risk.synthetic.matching_risk import LearnedColumn, MatchingRisk, Told

__all__ = ["Dcap", "Tcap"]


@dataclass(frozen=True, kw_only=True)
class Dcap(MatchingRisk):
    """Differential correct attribution: how often a record of a person's keys has his confidential value, beyond chance.

    The correct attribution probability of a person is the share of the released records with the person's keys that have his
    value, ``CAP_j = sum [K_i = K_j, T_i = T_j] / sum [K_i = K_j]``. It is what an intruder has right who takes one of them at
    random. The differential CAP takes off what would be right without keys, the share of all people who have the value. With k
    the share of people whose keys some record has, g the mean of CAP among them and c the mean of the latter, the value is
    ``100 k max(0, g - c) / (1 - c)``.

    Protects nothing by itself; it measures what is learned about values, not about who is in the file.

    Returns
    -------
    Measured
        Percent of the people who have a value to learn; for each paired record what is right beyond chance of the original
        that it is paired with. Parts in percent: ``told`` = k; ``right`` = k g, the mean CAP with 0 for people without a
        record of their keys; ``right where told`` = g, the mean CAP without them; ``by chance`` = c; for each target its own
        value, g and c.

    Notes
    -----
    Elliot leaves people without a record of their keys out, or counts them as 0: both are among the parts. Compare the value
    with that of the original against itself, which is what publishing the file would tell. A value that is missing in a
    released record is never right; people whose value is missing have nothing to learn.

    References
    ----------
    Elliot, M. (2014), Final report on the disclosure risk associated with the synthetic data produced by the SYLLS team. Taub,
    J., Elliot, M., Pampaka, M. and Smith, D. (2018), Differential correct attribution probability for synthetic data: an
    exploration, Privacy in Statistical Databases, 122-137.

    Examples
    --------
    >>> import tacita as tc
    >>> data = tc.samples.household_survey(500, seed=1)
    >>> fresh = tc.samples.household_survey(500, seed=2)
    >>> found = Dcap(columns=["age", "sex", "region"], target=["savings"])
    >>> found(data, fresh).value < found(data, data).value / 4
    True
    """

    name = "dcap"
    title = "Correct attribution (differential CAP)"
    traits = MeasureTraits(scales=SCALES, per_record=True, unit="%", upper=100.0, by_default=False)

    def told(self, pair: Pair, target: LearnedColumn) -> Told:
        """Return what the records of a person's keys say, one taken at random."""
        released, ends = ValuesByCell.of(target.released_cells, target.released), target.called()
        crowd = released.sizes(target.cells)
        found = (crowd > 0).astype(np.float64)
        right = found * released.within(target.cells, *ends) / np.maximum(crowd, 1)
        return _of_people(pair, target, found, right, ends)


@dataclass(frozen=True, kw_only=True)
class Tcap(MatchingRisk):
    """Targeted correct attribution: people of whom the released records say one value with certainty, and rightly.

    An intruder who looks for certainty takes a person of whom all released records with the same keys have one value (a
    within-group attribution probability of 1; of numbers, all within ``near_p`` percent of their middle), and believes it. With
    k the share of people of whom something is said so, g the share of these of whom it is right, and c the mean share of all
    people who have the value that is said, the value is ``100 k max(0, g - c) / (1 - c)``.

    Protects nothing by itself; it measures what is learned about values, not about who is in the file.

    Returns
    -------
    Measured
        Percent of the people who have a value to learn; for each paired record what is right beyond chance of the original
        that it is paired with. Parts in percent: ``told`` = k; ``right`` = k g, disclosed by the release and correct in the
        original (DiSCO); ``right where told`` = g, the TCAP of the literature; ``by chance`` = c; for each target its own value,
        g and c.

    Notes
    -----
    g alone is a share of few people where few are told something, and says nothing of how many are affected: so it is a part,
    and the value counts people. A single released record with some keys is always of one value. A group that lacks a value
    says nothing.

    References
    ----------
    Taub, J. and Elliot, M. (2019), The synthetic data challenge, Conference of European Statisticians, UNECE. Raab, G. M.,
    Nowok, B. and Dibben, C. (2024), Practical privacy metrics for synthetic data, arXiv:2406.16826, for DiSCO.

    Examples
    --------
    >>> import tacita as tc
    >>> data = tc.samples.household_survey(500, seed=1)
    >>> fresh = tc.samples.household_survey(500, seed=2)
    >>> found = Tcap(columns=["age", "sex", "region"], target=["savings"])
    >>> found(data, fresh).value < found(data, data).value / 4
    True
    """

    name = "tcap"
    title = "Certain and correct attribution (targeted CAP)"
    traits = MeasureTraits(scales=SCALES, per_record=True, unit="%", upper=100.0, by_default=False, of_synthetic=True)

    def told(self, pair: Pair, target: LearnedColumn) -> Told:
        """Return what the records of a person's keys say where they all say the same."""
        low, high, sure = ValuesByCell.of(target.released_cells, target.released).ends(target.cells)
        said = np.where(sure, low / 2 + high / 2, np.nan)
        with np.errstate(invalid="ignore"):
            sure &= high - said <= target.share * np.abs(said)
            ends = target.calls(np.where(sure, said, np.nan))
            right = sure & (ends[0] <= target.values) & (target.values <= ends[1])
        return _of_people(pair, target, sure.astype(np.float64), right.astype(np.float64), ends)


def _of_people(
    pair: Pair, target: LearnedColumn, found: FloatArray, right: FloatArray, ends: tuple[FloatArray, FloatArray]
) -> Told:
    """Return what is told of people who have a value, and how many people have a value between the ends."""
    known = ~np.isnan(target.values)
    people = ValuesByCell.of(target.cells, target.values)
    chance = found * people.anywhere(*ends) / max(int(known.sum()), 1)
    looked = np.unique(pair.rows) if pair.is_part else np.arange(len(known))
    return Told(found * known, right * known, chance, looked[known[looked]], pair.rows)
