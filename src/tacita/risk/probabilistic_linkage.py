"""Probabilistic linkage: how many masked records agree best with their own original."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Literal, Self

import numpy as np

from tacita.core.arrays import IntArray
from tacita.core.errors import ColumnError, MeasureError
from tacita.core.parameters import ColumnName, Columns, Interval, Length
from tacita.core.streams import Streams
from tacita.core.traits import MeasureTraits
from tacita.data.measure import Measured
from tacita.data.pairing import Pair
from tacita.data.scenario import LINKED_BY
from tacita.risk.sampled import SampledRisk

__all__ = ["ProbabilisticLinkage"]


_FEWEST = 200
"""Masked records that weights are estimated from at least."""
_LEARNING = 16e6
"""Pairs times columns that weights are estimated from when nobody asked for the measure by name: some seconds."""
_MOST_LEARNING = 30e6
_LINKING = 1e9
"""Pairs times columns that are weighed then."""
_PER_SECOND = 6e6
"""Pairs times columns that weights are estimated from in one second of one core, all rounds of EM together."""


@dataclass(frozen=True, kw_only=True)
class ProbabilisticLinkage(SampledRisk):
    """Share of masked records that agree with their own original more convincingly than with any other.

    The intruder knows the true values of ``columns`` for everybody and compares each masked record with every original, column
    by column. Agreement has levels: within the smallest of ``widths``, within the next, ..., beyond all. With m_j(l) and u_j(l)
    the probabilities of level l in column j for pairs that belong together and for other pairs, a pair weighs
    ``sum_j log2(m_j(l_j) / u_j(l_j))``. The masked record is linked to the original with the largest weight; of m equal ones
    the intruder picks one, so it counts 1/m. Nobody tells the intruder m and u: they are estimated from both files by EM.

    Parameters
    ----------
    columns
        The variables that the intruder knows; by default the numeric keys, or all numeric columns where there are none.
    widths
        Differences up to which two values agree, one for each level, in percent of the records or of a standard deviation.
    agreement
        ``ranks``: values are compared by their ranks, each in its own file. ``sd``: by their difference in standard
        deviations of the original.
    matches
        What EM assumes. ``one``: each masked record belongs to exactly one original. ``free``: pairs belong together
        independently of each other, as in the classical method.
    pairs
        Pairs that weights are estimated from at most; masked records are drawn for it, at least 200.
    block
        Only originals that are near the masked record in this column are looked at; by default all are.
    window
        How near that is, in percent of the records or of a standard deviation, as ``agreement`` says.

    Returns
    -------
    Measured
        Percent of linked records; for each record its chance (0, 1, or 1/m).

    Raises
    ------
    ColumnError
        When ``block`` is not one of the columns.
    MeasureError
        When there are too many columns and levels for the classical method.

    Complexity
    ----------
    O(n^2 d) integer operations, many at a time, and O(n d) memory: no matrix of pairs. Two files of 50 000 records with 13
    columns take 25 to 40 seconds of one core, half of it for the weights; ``block`` shortens the linking in proportion to the
    window. With few columns (up to five at seven widths) the patterns of agreement of each record are counted once, in at most
    64 megabytes, and each round of EM looks at these instead of all pairs. The classical method also keeps the different
    patterns, at most one for each pair that weights are learned from.

    Notes
    -----
    With ``one`` the chances of all originals of a record sum to 1 in the E step. The classical EM takes pairs for matches that
    agree because columns are correlated; on the census reference file it links half as many records. ``free`` counts
    agreement patterns, with the share of matches fixed at 1 over the number of originals. Both take levels of different
    columns as independent.

    Weights are estimated from all pairs, or from a random sample of masked records against all originals when there are
    more than ``pairs`` (at least 200 records); the same weights serve every subset of records. With ``block`` they
    are still estimated from all originals, so blocking loses links but does not bend weights.

    A missing value in either file says nothing: its weight is 0. With ``one`` every level counts half a match before any is
    seen, so that a level that no match shows is unlikely but not impossible. Weights are rounded to 1/65536 bit.

    Above 100 000 paired records a sample is linked, as in ``dld``. On a card that did not ask for it by name, weights are
    estimated from fewer pairs and a sample is linked where the file is large; from 150 000 values on (records times columns)
    it is not computed there, and the card says so. With records paired by nearness a link counts when it hits the
    original that is nearest in all numeric columns (PLD').

    The field's linkage libraries work on strings and categories through a database; for numbers compared with every
    original a kernel of our own is smaller and faster.

    References
    ----------
    Fellegi, I. P. and Sunter, A. B. (1969), A theory for record linkage; Jaro, M. A. (1989), Advances in record-linkage
    methodology; Domingo-Ferrer, J. and Torra, V. (2001), for its use as a disclosure risk.

    Examples
    --------
    >>> import tacita as tc
    >>> data = tc.samples.household_survey(300, seed=1)
    >>> money = ["earnings", "tax", "savings"]
    >>> weak, strong = (tc.mask.RankSwap(columns=money, p=p).apply(data, seed=7) for p in (2, 40))
    >>> pld = ProbabilisticLinkage(columns=money)
    >>> pld(data, weak).value > pld(data, strong).value
    True
    """

    name = "pld"
    title = "Probabilistic linkage"
    traits = MeasureTraits(scales={"numeric"}, paired=True, per_record=True, unit="%", upper=100.0, identifies=True)
    columns: Columns = LINKED_BY
    widths: Annotated[tuple[Annotated[float, Interval(0, 100)], ...], Length(1)] = (0.5, 1.0, 2.0, 4.0, 8.0, 16.0, 32.0)
    agreement: Literal["ranks", "sd"] = "ranks"
    matches: Literal["one", "free"] = "one"
    pairs: Annotated[int, Interval(1)] = 20_000_000
    block: ColumnName | None = None
    window: Annotated[float, Interval(0, 100)] = 20.0

    def measure(self, pair: Pair, names: tuple[str, ...]) -> Measured:
        """Return the percentage of linked records."""
        from tacita.numeric.linkage.agreement import positions_of, width_in_positions  # loads when used
        from tacita.numeric.linkage.fellegi_sunter import count_patterns, estimate_free, estimate_one_each, weights_of
        from tacita.numeric.linkage.weight_linkage import own_weighs_most

        if self.block is not None and self.block not in names:
            raise ColumnError(f"{type(self).__name__}: 'block' must be one of the columns, got '{self.block}'.")
        kinds = len(set(self.widths)) + 1
        if self.matches == "free" and (kinds + 1) ** len(names) >= 2**63:
            raise MeasureError(
                f"{type(self).__name__}: {len(names)} columns have too many patterns of {kinds} levels; name fewer "
                "'columns', give fewer 'widths', or use matches='one'."
            )
        originals, masked = pair.original.floats(names), pair.masked.floats(names)
        positions = positions_of(originals, masked, sorted(set(self.widths)), self.agreement)
        learning = self._learning_rows(len(originals), len(masked))
        if self.matches == "one":
            found = estimate_one_each(positions, learning)
        else:
            patterns, counts = count_patterns(positions, learning)
            found = estimate_free(patterns, counts, 1 / len(originals), kinds=kinds)
        rows = self.chosen(pair)
        share = own_weighs_most(
            positions,
            weights_of(found),
            pair.masked_rows[rows],
            pair.rows[rows],
            reach=None if self.block is None else width_in_positions(self.window, self.agreement),
            block=0 if self.block is None else names.index(self.block),
        )
        return self.of_shares(pair, share, {}, self._words(names, found.converged, found.rounds))

    def fitted(self, pair: Pair, *, share: float = 1.0) -> Self:
        """Estimate weights from fewer pairs and link a sample, so that it takes seconds; refuse what would take more."""
        names = pair.resolve(self.columns, owner=type(self).__name__, scales=frozenset(self.traits.scales))
        values = max(1, len(pair.original) * len(names))
        if _FEWEST * values > _MOST_LEARNING and len(pair.masked) > _FEWEST:
            seconds = min(self.pairs * len(names), len(pair.masked) * values) / _PER_SECOND
            raise MeasureError(
                f"{type(self).__name__}: it would take about {seconds:,.0f} seconds of one core; ask for it by name: "
                f"'{self.name}'."
            )
        pairs = int(max(_FEWEST * len(pair.original), min(self.pairs, share * _LEARNING / max(1, len(names)))))
        return self.on_sample(int(share * _LINKING / values), pair, pairs=min(self.pairs, pairs))

    def _learning_rows(self, originals: int, masked: int) -> IntArray:
        """Return the masked records that weights are estimated from: the same for every subset of records."""
        wanted = max(_FEWEST, self.pairs // originals)
        if masked <= wanted:
            return np.arange(masked, dtype=np.int64)
        rng = Streams(self.seed).stream(self.name, "weights")
        return np.sort(rng.choice(masked, wanted, replace=False, shuffle=False))

    def _words(self, names: tuple[str, ...], converged: bool, rounds: int) -> str:
        words = f"intruder knows {', '.join(names)}"
        if self.block is not None:
            words += f"; only originals within {self.window:g} % in {self.block} were looked at"
        return words if converged else f"{words}; weights still moved after {rounds} rounds of EM"
