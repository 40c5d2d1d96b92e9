"""Linkage of changed categories by an intruder who knows how often each column kept its value."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

import numpy as np

from tacita.core.arrays import IntArray
from tacita.core.parameters import Columns
from tacita.core.selectors import keys
from tacita.core.traits import MeasureTraits
from tacita.core.vocabulary import SCALES
from tacita.data.measure import Measured
from tacita.data.pairing import Pair
from tacita.risk.sampled import SampledRisk

__all__ = ["AgreementLinkage"]


_WORK = 5e8
"""Comparisons of categories that are made when nobody asked for the measure by name: some seconds."""


@dataclass(frozen=True, kw_only=True)
class AgreementLinkage(SampledRisk):
    """Share of records linked by an intruder who knows how often each column kept its value.

    After post randomisation or swapping, most values are still those of the original. With s_j the share of records that
    keep their value in column j, and f_j(v) the frequency of value v, a pair that agrees on v weighs
    ``log2((s_j + (1 - s_j) f_j(v)) / ((1 - s_j) f_j(v)))`` bits there, and 0 where it disagrees: rare values and columns
    that were seldom changed count most. The masked record is linked to the original with the largest weight; of m equal ones
    one is picked, so it counts 1/m.

    Protects nothing by itself; it measures identity disclosure in the worst case of a complete register.

    Parameters
    ----------
    columns
        The columns that the intruder knows, changed ones and others; by default all keys.

    Returns
    -------
    Measured
        Percent of linked records; for each record its chance; as parts the percentage that each column kept.

    Complexity
    ----------
    O(n p d) comparisons for p different original records, O(n d) memory. On a card that did not ask for it by name a sample
    of the records is linked where that would take long.

    Notes
    -----
    These are the weights of Fellegi and Sunter, with the probability of agreement known instead of estimated and the value's own
    frequency in place of the column's. s_j is the share that did keep their value: the intruder knows it from the published
    parameters. A column that kept every value decides alone. Columns are taken as independent; a transition matrix with a
    pattern would tell more. A missing value is a value of its own. Numbers agree when they are equal.

    References
    ----------
    Fellegi, I. P. and Sunter, A. B. (1969), A theory for record linkage, section 3.3; Gouweleeuw, Kooiman, Willenborg and
    de Wolf (1998), Post randomisation for statistical disclosure control, for what its matrix tells.

    Examples
    --------
    >>> import tacita as tc
    >>> data = tc.samples.household_survey(300, seed=1)
    >>> keys = ["region", "sex", "marital", "education", "occupation"]
    >>> weak, strong = (tc.mask.Pram(columns=keys, pd=pd, alpha=1).apply(data, seed=7) for pd in (0.95, 0.1))
    >>> link = AgreementLinkage(columns=keys)
    >>> link(data, weak).value > 2 * link(data, strong).value
    True
    """

    name = "agreement_linkage"
    title = "Linkage by agreement rates"
    traits = MeasureTraits(
        scales=SCALES, paired=True, per_record=True, unit="%", upper=100.0, by_default=False, identifies=True
    )
    looks_at = "keys"
    columns: Columns = keys()

    def measure(self, pair: Pair, names: tuple[str, ...]) -> Measured:
        """Return the percentage of linked records."""
        from tacita.numeric.linkage.known_rates import agreement_bits, own_agrees_most

        rows = self.chosen(pair)
        before, after, bits, kept = [], [], [], {}
        for name in names:
            x, y = _codes(pair, name)
            stays = float((x[pair.rows] == y[pair.masked_rows]).mean())
            seen = y[pair.masked_rows[rows]]
            often = np.bincount(x, minlength=int(max(x.max(), y.max())) + 1) / len(x)
            bits.append(agreement_bits(stays, often)[seen])
            before.append(x)
            after.append(seen)
            kept[name] = 100 * stays
        share = own_agrees_most(np.column_stack(before), np.column_stack(after), pair.rows[rows], np.column_stack(bits))
        note = f"intruder knows {', '.join(names)} and how often each was kept"
        return self.of_shares(pair, share, kept, note)

    def fitted(self, pair: Pair, *, share: float = 1.0) -> Self:
        """Link a sample of the records, where all would take long."""
        names = pair.resolve(self.columns, owner=type(self).__name__, scales=frozenset(self.traits.scales))
        return self.on_sample(int(share * _WORK / max(1, len(pair.original) * len(names))), pair)


def _codes(pair: Pair, name: str) -> tuple[IntArray, IntArray]:
    """Number the values of a column alike in both files; a missing value is 0."""
    place: dict[object, int] = {}
    numbered = []
    for data in (pair.original, pair.masked):
        if data.schema[name].scale == "numeric":
            data.float(name)  # refuses infinities, with which no other risk works either
        codes = data.codes(name)
        numbers = np.array(
            [0, *(place.setdefault(value, len(place) + 1) for value in codes.categories)], dtype=np.int64
        )
        numbered.append(numbers[codes.values + 1])
    return numbered[0], numbered[1]
