"""Risk of sample uniques by log-linear models, with a choice of terms and of the way weights are used."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Literal

import numpy as np

from tacita.core.arrays import FloatArray, IntArray
from tacita.core.errors import ColumnError, MeasureError, ParameterError
from tacita.core.parameters import Interval
from tacita.core.traits import MeasureTraits
from tacita.data.keys.patterns import key_patterns
from tacita.data.measure import Measured
from tacita.data.microdata import Microdata
from tacita.risk.file_risk import FileRisk

__all__ = ["LogLinearRisk"]


_CELLS = 2**24
"""Cells of a table: five arrays of this size are 640 MB."""


@dataclass(frozen=True, kw_only=True)
class LogLinearRisk(FileRisk):
    """Chance that a match with a sample unique is right, by a log-linear model of the keys.

    The keys span a table. Population counts F are Poisson with means lambda_k, sample counts f with pi_k lambda_k. For a sample
    unique ``P(F = 1 | f = 1) = exp(-h)`` and ``E[1/F | f = 1] = (1 - exp(-h)) / h`` with ``h = (1 - pi_k) lambda_k``. Their sums
    over all sample uniques are tau_1, the expected population uniques among them, and tau_2, the expected right matches.

    Parameters
    ----------
    interacting
        The terms of the model beside main effects, which are always in: ``none``, ``pairs`` (all two-way terms), or lists of
        keys that interact, such as ``[["sex", "age"]]``. A term contains all terms within it.
    estimator
        How weights enter: ``poisson`` not at all; ``clogg-eliason`` as an offset; ``pseudo-likelihood`` by fitting the
        weighted counts; ``weighted`` as one more regressor.
    fraction
        Sampling fraction; by default the number of records over the sum of the weights, and 1 (the file is the population)
        without weights.

    Returns
    -------
    Measured
        tau_2 in percent of the records; for each record the chance that a match with it is right, 0 where it is not unique in
        the sample. In the parts tau_1, tau_2, the sample uniques, the fraction, and for ``poisson`` the test of the model
        (between -2 and 2: no sign of a wrong one; above: too few terms, risk overestimated; below: too many).

    Raises
    ------
    MeasureError
        When the keys span more than 2^24 cells and the model needs them all, or an estimator needs weights and the file has
        none.
    ColumnError
        When ``interacting`` names a column that is not among the keys.

    Complexity
    ----------
    O(n d) for the patterns; O(t K) a round of the fit for t terms and K cells, at most 500 rounds, and 50 times that for
    ``weighted``.

    Notes
    -----
    Models are fitted by iterative proportional fitting, which gives the maximum of the likelihood; a Poisson regression has
    the same means. Without interactions ``poisson`` and ``pseudo-likelihood`` need no table, so that keys may have any number
    of values; a large table is not tested then. A missing key is a value of its own. For
    ``clogg-eliason`` an empty cell has the offset of the whole file. The
    mean of a population cell is the fitted sample mean over the sampling fraction; a program that takes the fitted sample
    means themselves for it reports larger figures. ``weighted`` looks at the weights of the very cells that it fits, and so
    comes close to the counts; its slope is kept within limits where the likelihood has no maximum.

    References
    ----------
    Skinner, C. J. and Holmes, D. J. (1998), Estimating the re-identification risk per record in microdata; Skinner, C. and
    Shlomo, N. (2008), Assessing identification risk in survey microdata using log-linear models; Clogg, C. C. and Eliason, S.
    R. (1987), Some common problems in log-linear analysis.

    Examples
    --------
    >>> import tacita as tc
    >>> data = tc.samples.household_survey(300, seed=1)
    >>> found = LogLinearRisk(columns=["sex", "region", "age"], interacting=[["sex", "age"]]).assess(data)
    >>> found.parts["tau 1"] <= found.parts["tau 2"] <= found.parts["uniques"]
    True
    """

    name = "log_linear_risk"
    title = "Risk of sample uniques (log-linear model)"
    part_units = (("uniques", "records"), ("tau *", "records"), ("fraction", "of 1"), ("test of *", "z score"))
    traits = MeasureTraits(
        scales={"numeric", "ordinal", "nominal", "date"},
        per_record=True,
        unit="%",
        upper=100.0,
        of_file=True,
        by_default=False,
    )
    interacting: Literal["none", "pairs"] | Sequence[Sequence[str]] = "none"
    estimator: Literal["poisson", "clogg-eliason", "pseudo-likelihood", "weighted"] = "poisson"
    fraction: Annotated[float, Interval(0, 1, closed="right")] | None = None

    def check(self) -> None:
        """Check the lists of interactions."""
        if not isinstance(self.interacting, str):
            for term in self.interacting:
                if not term or len(set(term)) < len(term):
                    raise ParameterError("LogLinearRisk: 'interacting' must be lists of one or more different keys.")

    def measure_file(self, data: Microdata, names: tuple[str, ...]) -> Measured:
        """Fit the model and read the chances of the sample uniques from it."""
        patterns = key_patterns(data, names)
        unique, fraction = patterns.counts == 1, self._fraction(data)
        margins = self._margins(names)
        if self.estimator != "poisson" and data.schema.weight is None:
            raise MeasureError(
                f"LogLinearRisk: the estimator '{self.estimator}' needs a column with the role 'weight'."
            )
        parts: dict[str, float] = {}
        if fraction == 1 or not unique.any():
            one = match = np.ones(len(unique))
        else:
            weights = patterns.total(data.weights())
            one, match, parts = self._chances(patterns.codes, patterns.counts, weights, margins, fraction)
        one, match = np.where(unique, one, 0.0), np.where(unique, match, 0.0)
        parts = {
            "uniques": float(unique.sum()),
            "tau 1": float(one.sum()),
            "tau 2": float(match.sum()),
            "fraction": fraction,
            **parts,
        }
        per_record = match[patterns.labels]
        return Measured(self.summed(per_record), per_record=per_record, parts=parts, note=f"keys: {', '.join(names)}")

    def _chances(
        self,
        codes: IntArray,
        counts: IntArray,
        weights: FloatArray,
        margins: list[tuple[int, ...]],
        fraction: float,
    ) -> tuple[FloatArray, FloatArray, dict[str, float]]:
        """Return both chances of each pattern, and the test of the model where there is one."""
        from tacita.numeric.statistics.cell_means import cell_means, independent_means  # loads when used
        from tacita.numeric.statistics.log_linear import cells, match_chances, model_tests

        shape, place = cells(codes)
        size = float(np.prod(np.array(shape, dtype=np.float64)))
        if size > _CELLS:
            if self.estimator in ("clogg-eliason", "weighted") or max(map(len, margins)) > 1:
                raise MeasureError(
                    f"LogLinearRisk: keys must have at most {_CELLS:,} combinations, got {size:,.0f}. Take fewer or coarser "
                    "keys, or the estimator 'poisson' without interactions."
                )
            is_plain = self.estimator == "poisson"
            lam = independent_means(codes, counts / fraction if is_plain else weights)
            return *match_chances(lam, np.full(len(lam), 1 - fraction)), {}
        table, weighted = np.zeros(int(size)), np.zeros(int(size))
        table[place], weighted[place] = counts, weights
        means = cell_means(table.reshape(shape), weighted.reshape(shape), margins, self.estimator, fraction=fraction)
        one, match = match_chances(means.population.ravel()[place], 1 - means.fraction.ravel()[place])
        tests = model_tests(table, means.sample.ravel(), fraction) if self.estimator == "poisson" else ()
        return one, match, dict(zip(("test of tau 1", "test of tau 2"), tests, strict=False))

    def _margins(self, names: tuple[str, ...]) -> list[tuple[int, ...]]:
        """Return the terms of the model by position, those within others left out."""
        if self.interacting == "none":
            return [(j,) for j in range(len(names))]
        if self.interacting == "pairs":
            return list(itertools.combinations(range(len(names)), min(2, len(names))))
        for name in (name for term in self.interacting for name in term):
            if name not in names:
                raise ColumnError(f"LogLinearRisk: 'interacting' names '{name}', which is not among the keys.")
        terms = {frozenset(names.index(name) for name in term) for term in self.interacting}
        terms |= {frozenset({j}) for j in range(len(names))}
        return sorted(tuple(sorted(term)) for term in terms if not any(term < other for other in terms))

    def _fraction(self, data: Microdata) -> float:
        if self.fraction is not None:
            return self.fraction
        total = float(data.weights().sum())
        return min(len(data) / total, 1.0) if total > 0 else 1.0
