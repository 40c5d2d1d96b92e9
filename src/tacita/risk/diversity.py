"""Attribute disclosure in groups of equal keys: l-diversity, t-closeness, delta-disclosure, beta-likeness."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, ClassVar, Literal

import numpy as np

from tacita.core.arrays import BoolArray, FloatArray, IntArray
from tacita.core.errors import ColumnError, MeasureError
from tacita.core.parameters import ColumnName, Interval
from tacita.core.traits import MeasureTraits
from tacita.data.keys.patterns import key_patterns
from tacita.data.measure import Measured
from tacita.data.microdata import Microdata
from tacita.risk.file_risk import FileRisk

if TYPE_CHECKING:
    from tacita.numeric.keys.diversity import GroupValues

__all__ = ["BetaLikeness", "DeltaDisclosure", "LDiversity", "TCloseness"]


_PART_UNITS = (("groups", "groups"), ("groups that break it", "groups"))
_TRAITS = MeasureTraits(
    scales={"numeric", "ordinal", "nominal", "date"},
    per_record=True,
    unit="%",
    upper=100.0,
    of_file=True,
    by_default=False,
)


@dataclass(frozen=True, kw_only=True)
class _GroupRisk(FileRisk):
    """A risk of groups with equal keys that looks at one confidential column.

    Parameters
    ----------
    confidential
        The column to protect; by default the first one with the role ``confidential``.

    Complexity
    ----------
    O(n d) time, a few arrays of length n.
    """

    confidential: ColumnName | None = None
    extreme: ClassVar[str]

    def measure_file(self, data: Microdata, names: tuple[str, ...]) -> Measured:
        """Return the percentage of records in groups that break the rule."""
        from tacita.numeric.keys.diversity import group_values  # loads when used

        column = self._column(data)
        keys = tuple(name for name in names if name != column)
        if not keys:
            raise MeasureError(f"{type(self).__name__}: there is no key column beside '{column}'.")
        labels = key_patterns(data, keys).labels
        codes = data.codes(column)
        absent = bool((codes.values < 0).any())  # a missing value is one more value, the last
        n_values = len(codes.categories) + absent
        table = group_values(labels, np.where(codes.values < 0, n_values - 1, codes.values), n_values)
        amount, breaks = self.judge(table, data, column)
        risky = breaks.astype(np.float64)[labels]
        known = np.where(np.isfinite(amount), amount, np.finfo(np.float64).max)
        worst = known.min() if self.extreme.startswith("smallest") else known.max()
        parts = {self.extreme: float(worst), "groups": float(len(amount)), "groups that break it": float(breaks.sum())}
        return Measured(100 * float(risky.mean()), per_record=risky, parts=parts, note=f"confidential: {column}")

    @abstractmethod
    def judge(self, table: GroupValues, data: Microdata, column: str) -> tuple[FloatArray, BoolArray]:
        """Return the amount of each group and whether it breaks the rule."""

    def _column(self, data: Microdata) -> str:
        if self.confidential is not None:
            return data.schema[self.confidential].name
        named = data.schema.with_role("confidential")
        if not named:
            raise ColumnError(
                f"{type(self).__name__}: no column has the role 'confidential'; give the parameter 'confidential'."
            )
        return named[0]


@dataclass(frozen=True, kw_only=True)
class LDiversity(_GroupRisk):
    """Share of records in groups of equal keys whose confidential values are too little varied.

    ``distinct``: fewer than l different values. ``entropy``: exp(entropy) below l. ``recursive``: the most frequent value
    is at least c times as frequent as all from the l-th on together.

    Parameters
    ----------
    l
        Smallest diversity that is safe.
    form
        Which of the three definitions.
    c
        Factor of the recursive form.

    Returns
    -------
    Measured
        Percent of records in groups that break the rule; 1 for each of them; the smallest diversity.

    Notes
    -----
    Missing keys and missing confidential values are values of their own.

    References
    ----------
    Machanavajjhala, A., Kifer, D., Gehrke, J. and Venkitasubramaniam, M. (2007), l-diversity: privacy beyond k-anonymity.

    Examples
    --------
    >>> import tacita as tc
    >>> data = tc.samples.household_survey(300, seed=1)
    >>> found = LDiversity(columns=["sex"], confidential="region", l=2).assess(data)
    >>> found.value
    0.0
    """

    name = "l_diversity"
    title = "l-diversity violations"
    part_units = (("smallest diversity", "values"), *_PART_UNITS)
    traits = _TRAITS
    extreme = "smallest diversity"
    l: Annotated[float, Interval(1)] = 2  # noqa: E741 (the letter of the literature)
    form: Literal["distinct", "entropy", "recursive"] = "distinct"
    c: Annotated[float, Interval(0, closed="right")] = 3.0

    def judge(self, table: GroupValues, data: Microdata, column: str) -> tuple[FloatArray, BoolArray]:
        """Compare with l."""
        from tacita.numeric.keys.diversity import distinct_values, entropy_values, recursive_ratio

        del data, column
        if self.form == "recursive":
            return distinct_values(table), recursive_ratio(table, int(self.l)) >= self.c
        amount = distinct_values(table) if self.form == "distinct" else entropy_values(table)
        return amount, amount < self.l * (1 - 1e-12)


@dataclass(frozen=True, kw_only=True)
class TCloseness(_GroupRisk):
    """Share of records in groups whose confidential values are distributed unlike the whole file.

    The distance between the two distributions is the least work that turns one into the other (earth mover's distance), where
    all values are equally far (``equal``), as far as their ranks (``ordered``), or as far as the height of their common
    group in the column's hierarchy (``hierarchical``).

    Parameters
    ----------
    t
        Largest distance that is safe, from 0 to 1.
    distance
        Which distance between values; by default ``ordered`` for numeric, ordinal and date columns, else ``equal``.

    Returns
    -------
    Measured
        Percent of records in groups farther away than t; 1 for each of them; the largest distance.

    Raises
    ------
    MeasureError
        When the hierarchical distance is asked for a column without hierarchy, or one that lacks a value.

    Complexity
    ----------
    O(n d + n log n) time; the hierarchical distance O(groups x values x levels).

    Notes
    -----
    Ordered values count by their rank, so two numbers next to each other are one step apart whatever their difference. Missing
    keys are values of their own; a missing confidential value is the last.

    References
    ----------
    Li, N., Li, T. and Venkatasubramanian, S. (2007), t-closeness: privacy beyond k-anonymity and l-diversity.

    Examples
    --------
    >>> import tacita as tc
    >>> data = tc.samples.household_survey(300, seed=1)
    >>> found = TCloseness(columns=["sex"], confidential="income", t=0.5).assess(data)
    >>> found.value
    0.0
    """

    name = "t_closeness"
    title = "t-closeness violations"
    part_units = (("largest distance", "of 1"), *_PART_UNITS)
    traits = _TRAITS
    extreme = "largest distance"
    t: Annotated[float, Interval(0, 1)] = 0.2
    distance: Literal["equal", "ordered", "hierarchical"] | None = None

    def judge(self, table: GroupValues, data: Microdata, column: str) -> tuple[FloatArray, BoolArray]:
        """Compare with t."""
        from tacita.numeric.keys.diversity import equal_distance, hierarchical_distance, ordered_distance

        kind = self.distance or ("equal" if data.schema[column].scale == "nominal" else "ordered")
        if kind == "hierarchical":
            amount = hierarchical_distance(table, _ancestors(data, column, len(table.overall)))
        else:
            amount = equal_distance(table) if kind == "equal" else ordered_distance(table)
        return amount, amount > self.t + 1e-12


@dataclass(frozen=True, kw_only=True)
class DeltaDisclosure(_GroupRisk):
    """Share of records in groups where some confidential value is far more or far less likely than in the file.

    A group is safe when ``|log(p / q)| < delta`` for every value of the file, p its share in the group, q in the file.

    Parameters
    ----------
    delta
        Bound of the log ratio.

    Returns
    -------
    Measured
        Percent of records in groups that break the rule; 1 for each of them; the largest log ratio.

    Notes
    -----
    A value of the file that a group lacks has an infinite ratio, so safe groups contain every value.

    References
    ----------
    Brickell, J. and Shmatikov, V. (2008), The cost of privacy: destruction of data-mining utility in anonymized data
    publishing.

    Examples
    --------
    >>> import tacita as tc
    >>> data = tc.samples.household_survey(300, seed=1)
    >>> DeltaDisclosure(columns=["sex"], confidential="region", delta=2).assess(data).value
    0.0
    """

    name = "delta_disclosure"
    title = "Delta-disclosure violations"
    part_units = (("largest log ratio", "log ratio"), *_PART_UNITS)
    traits = _TRAITS
    extreme = "largest log ratio"
    delta: Annotated[float, Interval(0, closed="right")] = 1.0

    def judge(self, table: GroupValues, data: Microdata, column: str) -> tuple[FloatArray, BoolArray]:
        """Compare with delta."""
        from tacita.numeric.keys.diversity import delta_disclosure

        del data, column
        amount = delta_disclosure(table)
        return amount, amount >= self.delta


@dataclass(frozen=True, kw_only=True)
class BetaLikeness(_GroupRisk):
    """Share of records in groups where some confidential value is relatively much more likely than in the file.

    A group is safe when ``(p - q) / q <= beta`` for every value with p > q; the enhanced form also asks for
    ``(p - q) / q <= -log q``, which protects frequent values better.

    Parameters
    ----------
    beta
        Bound of the relative gain.
    enhanced
        Whether the bound is min(beta, -log q).

    Returns
    -------
    Measured
        Percent of records in groups that break the rule; 1 for each of them; the largest relative gain.

    Notes
    -----
    A value that becomes less likely in a group discloses nothing here, unlike under delta-disclosure.

    References
    ----------
    Cao, J. and Karras, P. (2012), Publishing microdata with a robust privacy guarantee.

    Examples
    --------
    >>> import tacita as tc
    >>> data = tc.samples.household_survey(300, seed=1)
    >>> BetaLikeness(columns=["sex"], confidential="region", beta=2).assess(data).value
    0.0
    """

    name = "beta_likeness"
    title = "Beta-likeness violations"
    part_units = (("largest gain", "ratio"), *_PART_UNITS)
    traits = _TRAITS
    extreme = "largest gain"
    beta: Annotated[float, Interval(0, closed="right")] = 1.0
    enhanced: bool = False

    def judge(self, table: GroupValues, data: Microdata, column: str) -> tuple[FloatArray, BoolArray]:
        """Compare with beta."""
        from tacita.numeric.keys.diversity import beta_likeness

        del data, column
        amount = beta_likeness(table, is_enhanced=self.enhanced)
        return amount, amount > self.beta * (1 + 1e-12)


def _ancestors(data: Microdata, column: str, n_values: int) -> IntArray:
    """Return the node of each value at every level of the column's hierarchy; a missing value hangs under the root alone."""
    hierarchy = data.schema[column].hierarchy
    if hierarchy is None or hierarchy.depth < 2:
        raise MeasureError(f"TCloseness: column '{column}' has no hierarchy; attach one, or choose another 'distance'.")
    texts = [str(value) for value in data.codes(column).categories]
    unknown = sum(text not in set(hierarchy.values) for text in texts)
    if unknown:
        raise MeasureError(f"TCloseness: the hierarchy of '{column}' does not cover {unknown} of its values.")
    levels = []
    for level in range(1, hierarchy.depth):
        labels = hierarchy.labels(level)
        named = [labels[text] for text in texts] + ["\x00missing"] * (n_values - len(texts))
        levels.append(np.unique(named, return_inverse=True)[1].ravel())
    if len(np.unique(levels[-1])) > 1:
        levels.append(np.zeros(n_values, dtype=np.int64))
    return np.array(levels, dtype=np.int64)
