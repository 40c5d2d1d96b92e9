"""SUDA: how special a unique record is, and the chance that a match with it is right."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Annotated, Literal

import numpy as np

from tacita.core.arrays import FloatArray
from tacita.core.errors import MeasureError, ParameterError
from tacita.core.parameters import Interval
from tacita.core.traits import MeasureTraits
from tacita.data.keys.patterns import key_patterns
from tacita.data.measure import Measured
from tacita.data.microdata import Microdata
from tacita.risk.file_risk import FileRisk

__all__ = ["Suda", "SudaScores"]


_SETS = 2**13
"""Sets of keys that are visited at most where nobody said how large they may be."""


@dataclass(frozen=True, eq=False)
class SudaScores:
    """The scores of each record, side by side.

    Parameters
    ----------
    raw
        (n,): SUDA scores, sums over minimal sample uniques; no probabilities.
    chance
        (n,): DIS shared in proportion to the raw scores, at most 1.
    odds
        (n,): DIS shared so that odds follow a power of the raw scores: what sdcMicro calls ``disScore``.
    contributions
        (n, d): part of each record's raw score that comes from minimal sample uniques with a key.
    names
        The keys.
    dis
        Chance that a unique match is right, for the whole file.
    uniques
        Records that all keys together single out.
    sets
        Minimal sample uniques of the file by size, from one key on.
    """

    raw: FloatArray = field(repr=False)
    chance: FloatArray = field(repr=False)
    odds: FloatArray = field(repr=False)
    contributions: FloatArray = field(repr=False)
    names: tuple[str, ...]
    dis: float
    uniques: int
    sets: tuple[int, ...]


@dataclass(frozen=True, kw_only=True)
class Suda(FileRisk):
    """Risk of records that few keys single out: DIS-SUDA scores.

    A set of keys in which a record is unique, but in none of its subsets, is a minimal sample unique (MSU). An MSU of size
    k among d keys scores ``prod_{i=k}^{M-1} (d - i)``; a record's SUDA score is the sum over its MSUs. The chance that a unique
    match is right is estimated for the whole file by data intrusion simulation, ``DIS = U f / (U f + 2 P (1 - f))`` with U
    uniques, P pairs and sampling fraction f, and shared among the uniques by their SUDA scores.

    Parameters
    ----------
    largest
        Largest size M of an MSU; by default the number of keys, less where these have more than 8192 subsets.
    fraction
        Sampling fraction f; by default the number of records over the sum of the weights, or 1 percent without weights.
    sharing
        How DIS is shared: ``chance`` gives every unique a chance in proportion to its score S; ``odds`` gives
        ``1 / (1 + (U/DIS - U) / (S^Q sum S^-Q))`` with ``Q = 1 + (8 - d) / 20``, the score of sdcMicro.
    scoring
        What an MSU scores: ``factorial`` as above; ``subsets`` takes ``(2^(d-k) - 1) k! (d-k)! / d!``, the form of older
        programs.

    Returns
    -------
    Measured
        Mean DIS-SUDA score in percent; the score of each record, from 0 to 1; in the parts DIS, the means of both ways to
        share it, the largest raw score, the numbers of MSUs by size, and for each key the percentage of the whole SUDA score
        that comes from MSUs with it. :meth:`scores` returns the raw and the shared scores of each record side by side.

    Complexity
    ----------
    O(n d + 2^d m d) time for m distinct patterns; all sets of up to M keys are visited on the patterns.

    Notes
    -----
    Contributions of keys add up to more than 100, because an MSU of several keys counts for each. A missing value singles
    nobody out. A chance above 1 is cut to 1; odds need no cut. Under ``subsets`` a set of
    all keys scores nothing. The mean of the chances is DIS times the share of uniques; that
    of the odds is larger where scores differ much. Frequencies count a missing key as a value of its own.

    References
    ----------
    Elliot, Manning and Ford (2002); Manning, Haglin and Keane (2008); Skinner, C. J. and Elliot, M. J. (2002), A measure of
    disclosure risk for microdata (DIS); Elliot, M. J., Manning, A., Mayes, K., Gurd, J. and Bane, M. (2005), SUDA: a program
    for detecting special uniques.

    Examples
    --------
    >>> import tacita as tc
    >>> data = tc.samples.household_survey(300, seed=1)
    >>> found = Suda(columns=["sex", "region", "age"]).assess(data)
    >>> 0 <= found.value <= 100
    True
    >>> each = Suda(columns=["sex", "region", "age"]).scores(data)
    >>> bool(((each.raw > 0) == (each.odds > 0)).all())
    True
    """

    name = "suda"
    title = "Special uniques (SUDA)"
    part_units = (("uniques", "records"), ("largest raw score", "score"), ("msu of size *", "minimal uniques"))
    traits = MeasureTraits(
        scales={"numeric", "ordinal", "nominal", "date"},
        per_record=True,
        unit="%",
        upper=100.0,
        of_file=True,
        by_default=False,
    )
    largest: Annotated[int, Interval(1, 16)] | None = None
    fraction: Annotated[float, Interval(0, 1, closed="right")] | None = None
    sharing: Literal["chance", "odds"] = "chance"
    scoring: Literal["factorial", "subsets"] = "factorial"

    def measure_file(self, data: Microdata, names: tuple[str, ...]) -> Measured:
        """Score every unique record."""
        found = self._scores(data, names)
        each = found.odds if self.sharing == "odds" else found.chance
        total = max(float(found.raw.sum()), 1e-300)
        parts = {
            "dis": 100 * found.dis,
            "uniques": float(found.uniques),
            "mean of chances": 100 * float(found.chance.mean()),
            "mean of odds scores": 100 * float(found.odds.mean()),
            "largest raw score": float(found.raw.max()),
            **{f"msu of size {k + 1}": float(count) for k, count in enumerate(found.sets)},
            **{
                f"from {name}": 100 * float(c) / total
                for name, c in zip(names, found.contributions.sum(0), strict=True)
            },
        }
        return Measured(self.summed(each), per_record=each, parts=parts, note=f"keys: {', '.join(names)}")

    def scores(self, data: Microdata) -> SudaScores:
        """Return the raw and the shared scores of each record of a file."""
        if not isinstance(data, Microdata):
            raise ParameterError(f"Suda: 'data' must be Microdata, got {type(data).__name__}.")
        if not len(data):
            raise MeasureError("Suda: there are no records to look at.")
        return self._scores(data, data.schema.resolve(self.columns, owner="Suda", scales=frozenset(self.traits.scales)))

    def _scores(self, data: Microdata, names: tuple[str, ...]) -> SudaScores:
        from tacita.numeric.keys.suda import odds_scores, special_uniques  # loads when used

        patterns = key_patterns(data, names)
        largest = _set_limit(len(names)) if self.largest is None else self.largest
        found = special_uniques(patterns, largest, self.scoring)
        uniques, pairs = int((patterns.counts == 1).sum()), int((patterns.counts == 2).sum())
        f = self._fraction(data)
        dis = uniques * f / (uniques * f + 2 * pairs * (1 - f)) if uniques else 0.0
        special = found.scores > 0
        mean = found.scores[special].mean() if special.any() else 1.0
        odds = odds_scores(found.scores, dis=dis, uniques=uniques, columns=len(names))
        return SudaScores(
            raw=found.scores[patterns.labels],
            chance=np.minimum(dis * found.scores / mean, 1.0)[patterns.labels],
            odds=odds[patterns.labels],
            contributions=found.contributions[patterns.labels],
            names=names,
            dis=dis,
            uniques=uniques,
            sets=tuple(found.counts.sum(axis=0).tolist()),
        )

    def _fraction(self, data: Microdata) -> float:
        if self.fraction is not None:
            return self.fraction
        if data.schema.weight is None:
            return 0.01
        total = float(data.weights().sum())
        return min(len(data) / total, 1.0) if total > 0 else 1.0


def _set_limit(keys: int) -> int:
    """Return the number of keys, or the largest size up to which their sets are few enough to visit."""
    size, sets = 1, keys
    while size < keys and sets + math.comb(keys, size + 1) <= _SETS:
        size += 1
        sets += math.comb(keys, size)
    return size
