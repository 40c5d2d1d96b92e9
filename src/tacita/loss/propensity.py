"""Propensity scores: how well a model can tell masked records from original ones."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Literal

import numpy as np

from tacita.core.arrays import FloatArray
from tacita.core.parameters import Columns, Interval
from tacita.core.progress import track
from tacita.core.selectors import Selector
from tacita.core.traits import MeasureTraits
from tacita.data.measure import Measured
from tacita.data.pairing import Pair
from tacita.data.side_by_side.categories import SharedCodes, file_codes
from tacita.loss.base import Loss
from tacita.numeric.statistics.moments import standardise
from tacita.numeric.statistics.regression import independent_columns, logistic

__all__ = ["Pmse", "expected_pmse", "pmse"]

Classifier = Literal["logistic", "cart"]

MOST_CATEGORIES = 50
"""Categories beyond the most frequent ones share one term: a term for each of thousands would say nothing."""


def pmse(scores: FloatArray, c: float) -> float:
    """Return the mean squared distance of the propensity scores from c, the share of masked records.

    Examples
    --------
    >>> import numpy as np
    >>> pmse(np.array([0.0, 0.5, 1.0, 0.5]), 0.5)
    0.125
    """
    return float(((scores - c) ** 2).mean())


def expected_pmse(terms: int, c: float, n: int) -> float:
    """Return ``(k - 1)(1 - c)^2 c / N``, the mean of pMSE with k terms when masked records are drawn from the original."""
    return (terms - 1) * (1 - c) ** 2 * c / n


@dataclass(frozen=True, kw_only=True)
class Pmse(Loss):
    """How well a model tells masked records from original ones: propensity score mean squared error.

    Both files are put together, N records with a share c of masked ones, and a model estimates for each record the
    probability p_i that it is masked. ``pMSE = sum (p_i - c)^2 / N`` is 0 when the model finds no difference and c(1 - c)
    when it tells every record. The value is ``100 pMSE / (c (1 - c))``.

    Parameters
    ----------
    columns
        The variables of the model; by default all numeric, nominal and ordinal columns that describe the respondent.
    classifier
        ``logistic`` regression, or ``cart``, a classification tree, which finds differences of any form.
    interactions
        Whether the logistic model has the products of all pairs of terms beside the terms themselves.
    permutations
        For ``cart``: how many times the file that a record comes from is drawn at random, to find the expected pMSE.
    seed
        For ``cart``: makes the permutations repeatable.

    Returns
    -------
    Measured
        The value in percent. Parts: ``pmse``; ``expected``, its mean for records drawn from the original;
        ``s_pmse``, pMSE over expected (about 1 for a good synthetic file, less for records that were hardly changed).

    Complexity
    ----------
    O(N q^2) time for each Newton step with q terms, O(N q) memory; ``cart`` O(q N log N) for each permutation.

    Notes
    -----
    Expected pMSE of the logistic model: ``(k - 1)(1 - c)^2 c / N`` with k independent terms, the intercept among them.
    It holds for synthetic records drawn from the distribution of the original file. Another sample of the same
    population has an S_pMSE of 1 / (1 - c), because the original has sampling error too; masked records that are paired
    with originals are more like them than either, and their S_pMSE can be far below 1. For ``cart`` the expected pMSE is
    the mean over permutations.

    Numeric columns are standardised over both files; a missing value stands at the mean, with a 0-1 term of its own. A
    categorical column has a 0-1 term for each category but one; missing is a category, and all but the 50 most frequent
    categories share a term. A tree takes categories by their position; its leaves have at least one percent of the
    records, and at least five. Where a combination of terms separates the files, the scores are 0 and 1 to rounding.

    References
    ----------
    Woo, M.-J., Reiter, J. P., Oganian, A. and Karr, A. F. (2009), Global measures of data utility for microdata masked
    for disclosure limitation; Snoke, J., Raab, G. M., Nowok, B., Dibben, C. and Slavkovic, A. (2018), General and specific
    utility measures for synthetic data, equations 1 to 3.

    Examples
    --------
    >>> import tacita as tc
    >>> data = tc.samples.household_survey(200, seed=1)
    >>> masked = tc.mask.AdditiveNoise(columns=["age"], sd_ratio=3.0).apply(data, seed=7)
    >>> Pmse(columns=["age"])(data, masked).value < Pmse(columns=["age"], classifier="cart")(data, masked).value
    True
    """

    name = "pmse"
    title = "Distinguishability by a model (propensity)"
    part_units = (("pmse", "of 1"), ("expected", "of 1"), ("s_pmse", "times chance"))
    traits = MeasureTraits(scales={"numeric", "nominal", "ordinal"}, unit="%", upper=100.0, by_default=False)
    columns: Columns = Selector("numeric categorical columns")
    classifier: Classifier = "logistic"
    interactions: bool = False
    permutations: Annotated[int, Interval(1)] = 20
    seed: Annotated[int, Interval(0)] = 0

    def measure(self, pair: Pair, names: tuple[str, ...]) -> Measured:
        """Return pMSE in percent of its largest value."""
        blocks = [_terms_of(pair, name, dummies=self.classifier == "logistic") for name in names]
        n_masked = len(pair.rows) if pair.is_part else len(pair.masked)
        design = np.hstack(blocks)
        n = len(design)
        belongs = np.zeros(n)
        belongs[n - n_masked :] = 1.0
        c = n_masked / n
        if self.classifier == "cart":
            found, expected, words = self._by_tree(design, belongs, c)
        else:
            found, expected, words = self._by_regression(design, belongs, c)
        parts = {"pmse": found, "expected": expected}
        if expected > 0:
            parts["s_pmse"] = found / expected
        return Measured(min(100 * found / (c * (1 - c)), 100.0), parts=parts, note=words)

    def _by_regression(self, design: FloatArray, belongs: FloatArray, c: float) -> tuple[float, float, str]:
        if self.interactions:
            first, second = np.triu_indices(design.shape[1], 1)
            design = np.hstack([design, design[:, first] * design[:, second]])
        kept = independent_columns(design)
        fit = logistic(design if kept.all() else design[:, kept], belongs)
        terms = int(kept.sum()) + 1
        words = f"logistic regression with {terms} terms"
        if not fit.converged:
            words += "; some combination of them separates records of the two files"
        return pmse(fit.fitted, c), expected_pmse(terms, c, len(design)), words

    def _by_tree(self, design: FloatArray, belongs: FloatArray, c: float) -> tuple[float, float, str]:
        from sklearn.tree import DecisionTreeClassifier

        leaf = max(5, int(np.ceil(0.01 * len(design))))

        def score(labels: FloatArray) -> float:
            tree = DecisionTreeClassifier(min_samples_leaf=leaf, random_state=self.seed)
            return pmse(tree.fit(design, labels).predict_proba(design) @ tree.classes_, c)

        rng = np.random.default_rng(self.seed)
        null = [score(rng.permutation(belongs)) for _ in track(range(self.permutations), "Growing trees")]
        return score(belongs), float(np.mean(null)), f"classification tree, {self.permutations} permutations"


def _terms_of(pair: Pair, name: str, *, dummies: bool) -> FloatArray:
    """Return the terms of a column, records of the original above those of the masked file."""
    if pair.original.schema[name].scale != "numeric":
        codes = file_codes(pair, name)
        return _indicators(codes) if dummies else np.concatenate([codes.original, codes.masked])[:, None].astype(float)
    both = np.concatenate(pair.files((name,)))
    unit = float(np.nanmax(np.abs(both), initial=0.0)) or 1.0
    missing = np.isnan(both)
    values = np.where(missing, 0.0, standardise(both / unit))
    return np.hstack([values, missing.astype(np.float64)]) if missing.any() else values


def _indicators(codes: SharedCodes) -> FloatArray:
    """Return 0-1 terms of the most frequent categories but the very first, which the intercept stands for."""
    both = np.concatenate([codes.original, codes.masked])
    counts = np.bincount(both, minlength=codes.size)
    order = np.argsort(-counts, kind="stable")
    occurring = int((counts > 0).sum())
    place = np.empty(codes.size, dtype=np.int64)
    place[order] = np.minimum(np.arange(codes.size), MOST_CATEGORIES)
    terms = np.arange(1, min(occurring, MOST_CATEGORIES + 1))
    return np.asarray(place[both][:, None] == terms, dtype=np.float64)
