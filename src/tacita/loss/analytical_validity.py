"""Analytical validity after Winkler: whether analyses of subdomains, tables and distributions stay valid."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Annotated

import numpy as np

from tacita.core.arrays import BoolArray, FloatArray, IntArray
from tacita.core.errors import MeasureError
from tacita.core.parameters import Columns, Interval
from tacita.core.selectors import Selector
from tacita.core.traits import MeasureTraits
from tacita.data.measure import Measured
from tacita.data.pairing import Pair
from tacita.data.side_by_side.categories import file_codes
from tacita.loss.base import Loss
from tacita.loss.contingency import table_differences
from tacita.loss.subdomains import CATEGORIES, subdomains
from tacita.numeric.statistics.moments import covariance

__all__ = ["Validity", "kolmogorov_distance", "moment_gaps"]

Tolerance = Annotated[float, Interval(0)]

ENOUGH_VARIABLES = 6
"""Winkler: a file is analytically interesting when it has at least six variables that can be validly analysed."""


def kolmogorov_distance(x: FloatArray, y: FloatArray) -> float:
    """Return the largest difference of the two empirical distribution functions. O(n log n).

    Examples
    --------
    >>> import numpy as np
    >>> kolmogorov_distance(np.array([1.0, 2.0, 3.0, 4.0]), np.array([3.0, 4.0, 5.0, 6.0]))
    0.5
    """
    from tacita.numeric.statistics.distributions import largest_gap  # loads when used

    return float(largest_gap(np.sort(x), np.sort(y)))


def moment_gaps(x: FloatArray, y: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return the differences of means in standard deviations, and of covariances in products of standard deviations.

    Standard deviations are those of ``x``. Where one is 0, a difference is 0 or infinite. NaN where ``x`` has fewer than two
    values to compute the statistic from; infinite where ``y`` has. O(n d^2).
    """
    enough_x, enough_y = _both_there(x) > 1, _both_there(y) > 1
    v_x, v_y = covariance(x), covariance(y)
    sd = np.sqrt(np.diag(v_x))
    means = _in_units(np.abs(_means(x) - _means(y)), sd, np.maximum(np.abs(_means(x)), np.abs(_means(y))))
    products = np.outer(sd, sd)
    other = np.sqrt(np.outer(np.diag(v_y), np.diag(v_y)))
    gaps = _in_units(np.abs(v_x - v_y), products, np.maximum(products, other))
    for found, there, there_y in ((means, enough_x.diagonal(), enough_y.diagonal()), (gaps, enough_x, enough_y)):
        found[~there_y] = np.inf
        found[~there] = np.nan
    return means, gaps


def _both_there(x: FloatArray) -> IntArray:
    there = (~np.isnan(x)).astype(np.float64)
    return np.asarray(there.T @ there, dtype=np.int64)


def _means(x: FloatArray) -> FloatArray:
    there = ~np.isnan(x)
    return np.asarray(np.where(there, x, 0.0).sum(axis=0) / np.maximum(there.sum(axis=0), 1))


def _in_units(gap: FloatArray, unit: FloatArray, size: FloatArray) -> FloatArray:
    gap = np.where(gap <= 1e-12 * size, 0.0, gap)  # rounding is no difference
    return np.asarray(np.divide(gap, unit, out=np.where(gap > 0, np.inf, 0.0), where=unit > 0))


@dataclass
class _ValidityFindings:
    """What was compared: for each criterion its discrepancy and whether it passed."""

    passed: dict[str, list[bool]] = field(default_factory=dict)
    largest: dict[str, float] = field(default_factory=dict)

    def enter(self, kind: str, place: str, gaps: FloatArray, tolerance: float) -> None:
        """Enter the discrepancies of one kind at one place; NaN is nothing to compare."""
        there = gaps[~np.isnan(gaps)]
        if there.size:
            self.passed.setdefault(kind, []).extend((there <= tolerance).tolist())
            if np.isfinite(there.max()):
                self.largest[f"{kind}.{place}"] = float(there.max())

    def parts(self) -> Iterator[tuple[str, float]]:
        """Give the percentage that fails of each kind, then the discrepancies."""
        for kind, passed in self.passed.items():
            yield kind, 100 * (1 - sum(passed) / len(passed))
        yield from self.largest.items()


@dataclass(frozen=True, kw_only=True)
class Validity(Loss):
    """Share of Winkler's criteria of analytical validity that the masked file fails.

    A masked file is analytically valid if it approximately preserves means and covariances on a small set of
    subdomains, the margins of a few tabulations, and at least one distributional characteristic. Each is a criterion
    with a tolerance:

    - mean of a numeric column on a subdomain: ``|m - m'| / s``
    - covariance of two columns (variance of one) on a subdomain: ``|v_ij - v'_ij| / (s_i s_j)``
    - a tabulation: share of records counted in another cell, ``1/2 sum |x/n - x'/n'|``
    - the distribution of a column: Kolmogorov distance, for a categorical column that of the table of one column

    The value is the percentage of all criteria whose discrepancy is above the tolerance. The file is analytically
    interesting if at least six variables can be validly analysed together.

    Parameters
    ----------
    columns
        The variables to analyse; by default all numeric, nominal and ordinal columns that describe the respondent.
    by
        Subdomains: each combination of the values of these columns, beside the file as a whole.
    tables
        Tabulations, each a list of nominal and ordinal columns.
    smallest
        Subdomains with fewer records than this in the original are not compared.
    mean_tolerance
        Largest difference of means, in standard deviations of the subdomain.
    covariance_tolerance
        Largest difference of covariances, in products of standard deviations of the subdomain.
    table_tolerance
        Largest share of records that are counted in another cell of a table.
    distribution_tolerance
        Largest Kolmogorov distance of a column's distribution.

    Returns
    -------
    Measured
        The percentage that fails. Parts: ``means``, ``covariances``, ``tables``, ``distributions``, the percentage of each
        kind; ``means.all``, ``means.1``, ``tables.sex+region``, ``distributions.age``, ... the largest discrepancy there
        (subdomains have the numbers 1, 2, ... in the order of the categories); ``valid.age``, 1 where the variable can be
        validly analysed; ``valid_variables``, how many can; ``analytically_interesting``, 1 where they are six or more.

    Raises
    ------
    MeasureError
        When there is nothing to compare.

    Complexity
    ----------
    O(n (d^2 + d log n)) time for all subdomains together, O(n d) memory.

    Notes
    -----
    Winkler gives no tolerances; those here are a tenth of a standard deviation for moments and 5 percent for shares, to
    be replaced by what the users of the file need. Records need not be paired: a subdomain has in each file the
    records with these categories there. Missing values are left out column by column (pairwise for covariances), and
    missing is a category of tables and subdomains. A statistic that the masked file cannot give fails.

    A numeric variable can be validly analysed when its mean and variance pass on every subdomain and its distribution
    passes; a categorical one when its distribution and all tables with it pass. Of variables whose covariances fail,
    those with most failures are taken out one by one until the rest can be analysed together.

    References
    ----------
    Winkler, W. E. (1998), Re-identification methods for evaluating the confidentiality of analytically valid microdata,
    Research in Official Statistics 1; Domingo-Ferrer, J. (2007), Statistical databases, section "Measuring data utility".

    Examples
    --------
    >>> import tacita as tc
    >>> data = tc.samples.household_survey(300, seed=1)
    >>> found = Validity(by=["sex"], tables=[["sex", "region"]])(data, data)
    >>> found.value, found.parts["analytically_interesting"]
    (0.0, 1.0)
    """

    name = "validity"
    title = "Analytical validity"
    part_units = (
        ("valid.*", "1 = yes"),
        ("valid_variables", "variables"),
        ("analytically_interesting", "1 = yes"),
        ("*.*", "of 1"),
    )
    traits = MeasureTraits(scales={"numeric", "nominal", "ordinal"}, unit="%", upper=100.0, by_default=False)
    columns: Columns = Selector("numeric categorical columns")
    by: Columns = ()
    tables: tuple[tuple[str, ...], ...] = ()
    smallest: Annotated[int, Interval(2)] = 30
    mean_tolerance: Tolerance = 0.1
    covariance_tolerance: Tolerance = 0.1
    table_tolerance: Tolerance = 0.05
    distribution_tolerance: Tolerance = 0.05

    def measure(self, pair: Pair, names: tuple[str, ...]) -> Measured:
        """Return the percentage of criteria that fail."""
        numeric = [name for name in names if pair.original.schema[name].scale == "numeric"]
        categorical = [name for name in names if name not in numeric]
        found = _ValidityFindings()
        valid = dict.fromkeys(names, True)
        together = np.ones((len(numeric), len(numeric)), dtype=np.bool_)
        x, y = pair.files(tuple(numeric))
        x, y = _without_units(x, y)
        skipped = 0
        for place, rows, masked_rows in self._domains(pair, len(x), len(y)):
            if place != "all" and rows.size < self.smallest:
                skipped += 1
                continue
            means, gaps = moment_gaps(x[rows], y[masked_rows])
            found.enter("means", place, means, self.mean_tolerance)
            found.enter("covariances", place, gaps[np.triu_indices(len(numeric))], self.covariance_tolerance)
            for j, name in enumerate(numeric):
                valid[name] &= not (means[j] > self.mean_tolerance or gaps[j, j] > self.covariance_tolerance)
            together &= ~(gaps > self.covariance_tolerance)
        self._compare_tables(pair, categorical, found, valid)
        self._compare_distributions(numeric, x, y, found, valid)
        _take_out(numeric, together, valid)
        return self._measured(found, valid, skipped)

    def _domains(self, pair: Pair, n: int, n_masked: int) -> Iterator[tuple[str, IntArray, IntArray]]:
        """Give the whole file, then each subdomain: its name and its rows in the two files."""
        yield "all", np.arange(n), np.arange(n_masked)
        if self.by:
            yield from subdomains(pair, pair.resolve(self.by, owner=type(self).__name__, scales=CATEGORIES))

    def _compare_tables(
        self, pair: Pair, categorical: list[str], found: _ValidityFindings, valid: dict[str, bool]
    ) -> None:
        named = [pair.resolve(table, owner=type(self).__name__, scales=CATEGORIES) for table in self.tables]
        for table in [*((name,) for name in categorical), *named]:
            codes = [file_codes(pair, name) for name in table]
            share = table_differences([c.original for c in codes], [c.masked for c in codes], [c.size for c in codes])[
                1
            ]
            kind = "distributions" if len(table) == 1 and table not in named else "tables"
            tolerance = self.distribution_tolerance if kind == "distributions" else self.table_tolerance
            found.enter(kind, "+".join(table), np.array([share / 2]), tolerance)
            for name in table:
                if name in valid:
                    valid[name] &= share / 2 <= tolerance

    def _compare_distributions(
        self, numeric: list[str], x: FloatArray, y: FloatArray, found: _ValidityFindings, valid: dict[str, bool]
    ) -> None:
        for j, name in enumerate(numeric):
            a, b = x[~np.isnan(x[:, j]), j], y[~np.isnan(y[:, j]), j]
            if len(a):
                distance = kolmogorov_distance(a, b) if len(b) else 1.0
                found.enter("distributions", name, np.array([distance]), self.distribution_tolerance)
                valid[name] &= distance <= self.distribution_tolerance
            else:
                valid[name] = False  # a column without values cannot be analysed at all

    @staticmethod
    def _measured(found: _ValidityFindings, valid: dict[str, bool], skipped: int) -> Measured:
        criteria = [passed for kind in found.passed.values() for passed in kind]
        if not criteria:
            raise MeasureError("Validity: the columns have too few values to compare anything; choose other 'columns'.")
        parts = dict(found.parts())
        parts.update({f"valid.{name}": float(is_valid) for name, is_valid in valid.items()})
        count = sum(valid.values())
        parts["valid_variables"] = float(count)
        parts["analytically_interesting"] = float(count >= ENOUGH_VARIABLES)
        interesting = "" if count >= ENOUGH_VARIABLES else "not "
        note = f"{count} of {len(valid)} variables can be validly analysed: {interesting}analytically interesting"
        if skipped:
            note += f"; {skipped} subdomains are too small to compare"
        return Measured(100 * (1 - sum(criteria) / len(criteria)), parts=parts, note=note)


def _without_units(x: FloatArray, y: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Divide columns by their largest value; no criterion depends on the unit, but squares could overflow."""
    unit = np.array([np.nanmax(np.abs(column), initial=0.0) or 1.0 for column in x.T])
    return x / unit, y / unit


def _take_out(numeric: list[str], together: BoolArray, valid: dict[str, bool]) -> None:
    """Take out the variables with most failing covariances until those that are left have none."""
    left = np.array([valid[name] for name in numeric], dtype=np.bool_)
    while left.any():
        failures = np.where(left, (~together & left).sum(axis=1), 0)
        if not failures.any():
            break
        worst = int(failures.argmax())
        left[worst] = False
        valid[numeric[worst]] = False
