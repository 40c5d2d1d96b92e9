"""Interval overlap: whether means, shares and a user's own models come out the same, in the whole file and in subdomains."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import reduce
from typing import Annotated

import numpy as np

from tacita.core.arrays import FloatArray, IntArray
from tacita.core.errors import MeasureError
from tacita.core.parameters import Columns, Interval
from tacita.core.selectors import Selector
from tacita.core.traits import MeasureTraits
from tacita.data.measure import Measured
from tacita.data.pairing import Pair
from tacita.data.side_by_side.categories import SharedCodes, file_codes
from tacita.data.side_by_side.groups import comparable_columns
from tacita.loss.base import Loss
from tacita.loss.design import Terms, side_by_side
from tacita.loss.formula import Formula
from tacita.loss.subdomains import CATEGORIES, subdomains
from tacita.loss.user_model import UserModel, column_terms, interval_overlap, quantile_of
from tacita.numeric.statistics.shares import intervals_of_shares

__all__ = ["IntervalOverlap"]


@dataclass(frozen=True, kw_only=True)
class IntervalOverlap(Loss):
    """How little the confidence intervals of means, shares and regression coefficients overlap before and after masking.

    An analyst computes the same estimates from the original and from the masked file. For an estimate with confidence
    intervals (l, u) and (l', u') the overlap is ``J = 1/2 ((U - L) / (u - l) + (U - L) / (u' - l'))``, where (L, U) is their
    intersection, and 0 where they do not meet. The loss at a place is ``100 (1 - mean J)`` over all its estimates: the means
    of numbers, the shares of categories, the coefficients of ``regressions``. The places are the whole file or, with ``by``,
    its subdomains.

    Parameters
    ----------
    columns
        The columns whose means and shares are estimated; by default all numeric, nominal and ordinal columns that describe the
        respondent.
    regressions
        Models as formulas, such as ``tax ~ age + earnings + sex:age``: a response, and columns or products of columns that
        explain it. A response of two values has a logistic model, another number a linear one.
    by
        Subdomains: each combination of the values of these columns.
    smallest
        Subdomains with fewer records than this in the original are not compared.
    confidence
        Level of the confidence intervals.

    Returns
    -------
    Measured
        The loss of the whole file or, with ``by``, the mean over the subdomains. Parts: ``whole``, and of it ``means``,
        ``shares`` and ``coefficients``; ``subdomains.median``, ``subdomains.worst``, ``subdomains`` compared and ``too
        small``; and for each estimate of the whole file J as a share: ``overlap.mean.age``, ``overlap.share.sex[1]``,
        ``overlap.tax.age``.

    Raises
    ------
    MeasureError
        When nothing can be estimated from the original, or a model cannot be fitted to it.
    ParameterError
        When a formula cannot be read.

    Complexity
    ----------
    O(n d) for means and shares of d columns, O(n q^2) for a model of q terms (times the number of Newton steps for a logistic
    one), once for the whole file and once for all subdomains together; O(n (d + q)) memory.

    Notes
    -----
    Means have intervals of Student's t, shares those of Wilson, coefficients those of ``regression_overlap``. An estimate
    that the masked file does not give counts as 0: so does everything of a subdomain that it does not have. A model that
    cannot be fitted to a subdomain of the original is left out there. Missing values are left out, column by column for means
    and shares. Sampling weights are not used. Categories are named by their position.

    Intervals become narrow in a large file, so that the same change of an estimate costs more there, and wide in a subdomain: a
    small one overlaps easily, which is also what its users see.

    References
    ----------
    Karr, A. F., Kohnen, C. N., Oganian, A., Reiter, J. P. and Sanil, A. P. (2006), A framework for evaluating the utility of
    data altered to protect confidentiality, The American Statistician 60, section 3.2. Domingo-Ferrer, J. (2007), Statistical
    databases, section "Synthetic microdata generation", for the doubt about subdomains.

    Examples
    --------
    >>> import tacita as tc
    >>> data = tc.samples.household_survey(300, seed=1)
    >>> masked = tc.mask.AdditiveNoise(columns=["earnings"], sd_ratio=2.0).apply(data, seed=7)
    >>> found = IntervalOverlap(columns=["age", "sex"], regressions=["tax ~ age + earnings"])(data, masked)
    >>> found.parts["means"], found.parts["coefficients"] > 10
    (0.0, True)
    """

    name = "interval_overlap"
    title = "Loss of estimates (interval overlap)"
    part_units = (("overlap.*", "of 1"), ("subdomains", "subdomains"), ("too small", "subdomains"))
    traits = MeasureTraits(
        scales={"numeric", "nominal", "ordinal"}, unit="%", upper=100.0, by_default=False, of_synthetic=True
    )
    columns: Columns = Selector("numeric categorical columns")
    regressions: tuple[str, ...] = ()
    by: Columns = ()
    smallest: Annotated[int, Interval(2)] = 30
    confidence: Annotated[float, Interval(0, 1, closed="neither")] = 0.95

    def __post_init__(self) -> None:
        super().__post_init__()
        for text in self.regressions:
            Formula.parse(text)  # what cannot be read is refused at once

    def measure(self, pair: Pair, names: tuple[str, ...]) -> Measured:
        """Return what is missing to complete overlap."""
        owner, scales = type(self).__name__, frozenset(self.traits.scales)
        estimates = _Estimates.of(pair, comparable_columns(pair, names), self.confidence)
        models = [self._model(pair, Formula.parse(text), owner, scales) for text in self.regressions]
        whole = estimates.overlaps(slice(None), slice(None))
        for model in models:
            found = model.compare(self.confidence).overlaps
            whole |= {f"{model.response}.{term}": value for term, value in found.items()}
        if not whole:
            raise MeasureError(f"{owner}: the original has too few values to estimate anything from these columns.")
        parts = {"whole": _loss(whole), **_by_kind(whole)}
        value, note = parts["whole"], f"{len(whole)} estimates"
        if self.by:
            by = pair.resolve(self.by, owner=owner, scales=CATEGORIES)
            losses, small = self._in_subdomains(pair, by, estimates, models)
            parts |= {"subdomains": float(len(losses)), "too small": float(small)}
            note += f"; {len(losses)} subdomains, {small} more are too small"
            if losses:
                value = float(np.mean(losses))
                parts |= {"subdomains.median": float(np.median(losses)), "subdomains.worst": max(losses)}
        parts |= {f"overlap.{name}": overlap for name, overlap in whole.items()}
        return Measured(value, parts=parts, note=note)

    def _model(self, pair: Pair, formula: Formula, owner: str, scales: frozenset[str]) -> UserModel:
        pair.check_shared((formula.response, *formula.columns), owner=owner)
        resolved = pair.resolve((formula.response, *formula.columns), owner=owner, scales=scales)
        unfit = set(resolved) - set(comparable_columns(pair, resolved))
        if unfit:
            raise MeasureError(f"{owner}: column '{min(unfit)}' was recoded, so that no model of it can be compared.")
        terms = side_by_side(pair, [_product(pair, term) for term in formula.terms])
        return UserModel.of(pair, formula.response, terms, "auto", owner=owner)

    def _in_subdomains(
        self, pair: Pair, by: tuple[str, ...], estimates: _Estimates, models: list[UserModel]
    ) -> tuple[list[float], int]:
        """Return the loss in each subdomain that is large enough, and how many are not."""
        losses, small = [], 0
        for _, rows, masked_rows in subdomains(pair, by):
            if len(rows) < self.smallest:
                small += bool(len(rows))
                continue
            found = estimates.overlaps(rows, masked_rows, but=by)
            for model in models:
                try:
                    fitted = model.compare(self.confidence, rows, masked_rows).overlaps
                except MeasureError:  # of this subdomain the original has no such model either
                    continue
                found |= {f"{model.response}.{term}": value for term, value in fitted.items()}
            if found:
                losses.append(_loss(found))
        return losses, small


def _loss(overlaps: Mapping[str, float]) -> float:
    return max(100 * (1 - float(np.mean(list(overlaps.values())))), 0.0)


def _by_kind(overlaps: Mapping[str, float]) -> dict[str, float]:
    """Return the loss of means, of shares and of coefficients, as far as there are any."""
    kinds = {"mean.": "means", "share.": "shares"}
    sorted_out: dict[str, dict[str, float]] = {}
    for name, value in overlaps.items():
        kind = next((word for start, word in kinds.items() if name.startswith(start)), "coefficients")
        sorted_out.setdefault(kind, {})[name] = value
    return {kind: _loss(found) for kind, found in sorted_out.items()}


def _product(pair: Pair, names: tuple[str, ...]) -> Terms:
    """Return the terms of a column, or the products of the terms of several."""
    return reduce(_times, (column_terms(pair, (name,)) for name in names))


def _times(first: Terms, second: Terms) -> Terms:
    pairs = [(i, j) for i in range(len(first.names)) for j in range(len(second.names))]
    x, y = (
        np.column_stack([a[:, i] * b[:, j] for i, j in pairs]) if pairs else np.empty((len(a), 0))
        for a, b in ((first.original, second.original), (first.masked, second.masked))
    )
    return Terms(tuple(f"{first.names[i]}:{second.names[j]}" for i, j in pairs), x, y)


@dataclass(frozen=True, eq=False)
class _Estimates:
    """The columns whose means and shares are estimated, of both files."""

    numbers: Mapping[str, tuple[FloatArray, FloatArray]] = field(repr=False)
    categories: Mapping[str, SharedCodes] = field(repr=False)
    confidence: float

    @classmethod
    def of(cls, pair: Pair, names: tuple[str, ...], confidence: float) -> _Estimates:
        seen = pair.seen_by(frozenset({"numeric"}))
        numeric = [name for name in names if pair.original.schema[name].scale == "numeric"]
        values = {}
        for name in numeric:
            x, y = seen.files((name,))
            unit = float(np.nanmax(np.abs(x), initial=0.0)) or 1.0  # squares do not overflow
            values[name] = (x[:, 0] / unit, y[:, 0] / unit)
        return cls(values, {name: file_codes(pair, name) for name in names if name not in values}, confidence)

    def overlaps(
        self, rows: IntArray | slice, masked_rows: IntArray | slice, but: tuple[str, ...] = ()
    ) -> dict[str, float]:
        """Return J of each mean and share that the original gives, for some records; columns that make them are left out."""
        found = {}
        for name, (x, y) in self.numbers.items():
            overlap = self._mean(x[rows], y[masked_rows])
            if overlap is not None:
                found[f"mean.{name}"] = overlap
        for name, codes in self.categories.items():
            if name not in but:
                found |= dict(self._shares(name, codes, codes.original[rows], codes.masked[masked_rows]))
        return found

    def _mean(self, x: FloatArray, y: FloatArray) -> float | None:
        x, y = x[~np.isnan(x)], y[~np.isnan(y)]
        if len(x) < 2:
            return None
        if len(y) < 2:
            return 0.0
        ends = []
        for values in (x, y):
            middle = float(values.mean())
            reach = quantile_of(self.confidence, len(values) - 1) * float(values.std(ddof=1)) / np.sqrt(len(values))
            ends += [np.array([middle - reach]), np.array([middle + reach])]
        return float(interval_overlap(*ends)[0])

    def _shares(self, name: str, codes: SharedCodes, x: IntArray, y: IntArray) -> Iterator[tuple[str, float]]:
        before, after = (np.bincount(side, minlength=codes.size)[: codes.named] for side in (x, y))
        n, n_masked = int(before.sum()), int(after.sum())
        used = np.flatnonzero(before)
        if not n:
            return
        overlap = np.zeros(len(used))
        if n_masked:
            z = quantile_of(self.confidence, None)
            low, high = intervals_of_shares(before[used] / n, n, z)
            overlap = interval_overlap(low, high, *intervals_of_shares(after[used] / n_masked, n_masked, z))
        yield from ((f"share.{name}[{code + 1}]", float(value)) for code, value in zip(used, overlap, strict=True))
