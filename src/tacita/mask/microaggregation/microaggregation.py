"""The one mechanism around every microaggregation: groups of k or more similar records, each made one value.

A technique writes how records are grouped (:meth:`Microaggregation.partition`). Which columns are grouped together,
missing values, weights, the value of a group, the recount of group sizes and the search for dominated groups stand here.
"""

from __future__ import annotations

import warnings
from abc import abstractmethod
from collections import Counter
from collections.abc import Iterator
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import Annotated, ClassVar, Literal

import numpy as np

from tacita.core.arrays import FloatArray, IntArray
from tacita.core.attacks import Attack
from tacita.core.errors import ColumnError, DataError, TacitaError, TacitaWarning
from tacita.core.parameters import Interval
from tacita.core.streams import Streams
from tacita.data.microdata import Microdata
from tacita.mask.microaggregation.dominance import DOMINANCE, Dominance, warn_of_dominance
from tacita.mask.numeric_mask import BoolArray, Draw, JointMask
from tacita.numeric.compiled.threads import in_threads
from tacita.numeric.microaggregation import group_values
from tacita.numeric.statistics.moments import standardise

__all__ = ["Microaggregation", "MultivariateMicroaggregation", "UnivariateMicroaggregation"]


@dataclass(frozen=True, kw_only=True)
class Microaggregation(JointMask):
    """Base of microaggregation: groups of k or more similar records whose values are replaced by one value.

    What the mask preserves depends on its parameters; ``traits`` of a mask that was built says what holds for it.
    Records that lack the same values are grouped apart; where fewer than k records share such a pattern, no safe group
    exists and their values are set to missing, with a warning. Where the mask makes data k-anonymous, the codes for missing
    of a column go if they differ.

    Parameters
    ----------
    k
        Smallest group size.
    aggregate
        What a group's values become: ``mean`` keeps means and linear constraints (total = part + part), ``geometric``
        keeps products (value = price * quantity) and needs values of 0 or more, ``median`` is safe from outliers. All
        three keep bounds and inequalities between columns that are grouped together.
    weights
        Count each record with its sampling weight (a household with that of its first member): weighted means are kept,
        unweighted ones are not. The groups are the same as without.
    dominance
        Warn of groups in which one of the largest records of the column (one percent, at least one) has more than this
        percentage of the (weighted) sum of absolute values: their mean tells its value. 100 warns of none. Medians and
        geometric means are not looked at.

    Raises
    ------
    DataError
        When there are fewer than k records in the file or in a stratum.
    """

    not_drawn_by: ClassVar[frozenset[str]] = JointMask.not_drawn_by | {"dominance"}
    faces = ("distance_link", "group_mate", "probabilistic_link")
    k: Annotated[int, Interval(2)] = 3
    aggregate: Literal["mean", "median", "geometric"] = "mean"
    weights: bool = False
    dominance: Dominance = DOMINANCE

    @abstractmethod
    def partition(self, space: FloatArray, rng: np.random.Generator) -> IntArray:
        """Return the groups 0, 1, 2, ... of k or more records each.

        Parameters
        ----------
        space
            At least k records without missing values; distances are Euclidean in it.
        rng
            The random stream of these columns, for techniques that search.
        """

    def variable_groups(self, names: tuple[str, ...]) -> tuple[tuple[int, ...], ...]:
        """Return the positions of the columns that are grouped together; by default all."""
        return (tuple(range(len(names))),)

    def space(self, x: FloatArray) -> FloatArray:
        """Return the records as points for the distances; by default as they are."""
        return x

    @property
    def keeps_at_most(self) -> float | None:
        """Nearly all values: a group of equal records is a group, and stays as it is."""
        return 0.95

    def keeps(self, claim: str) -> bool:
        """Whether a claim of the class holds with the parameters of this mask."""
        if claim == "means":
            return super().keeps(claim) and self.aggregate == "mean" and not self.weights
        return super().keeps(claim) and not self.keep_zeros

    def conditioning(self, data: Microdata, masked: tuple[str, ...]) -> FloatArray | None:
        """Return the weights, where they count."""
        if not self.weights:
            return None
        if data.schema.weight is None:
            raise ColumnError(
                f"{type(self).__name__}: 'weights' needs a column with the role weight; the data have none."
            )
        return data.weights()[:, None]

    def transform(self, data: Microdata, streams: Streams) -> Microdata:
        """Mask the chosen columns and report once what was found in all strata and columns."""
        findings = _GroupFindings()
        token = _current.set(findings)
        try:
            masked = super().transform(data, streams)
        finally:
            _current.reset(token)
        findings.report(type(self).__name__, self.k, self.dominance)
        if "k-anonymity" not in self.traits.preserves:
            return masked
        # Why a value is missing may single a record out within its group.
        return masked.with_missing_alike(data.schema.resolve(self.columns, owner=type(self).__name__))

    def look_at(self, before: dict[str, FloatArray], masked: dict[str, FloatArray], data: Microdata) -> None:
        """Say nothing of equal values: a group of equal records is a group."""

    def mask_values(self, x: FloatArray, active: BoolArray, names: tuple[str, ...], draw: Draw) -> FloatArray:
        """Microaggregate every group of variables; refuse a file or stratum in which no group can be formed."""
        if 0 < len(x) < self.k:
            raise DataError(
                f"{type(self).__name__}: k = {self.k} needs at least {self.k} records in the file and in every stratum, "
                f"got {len(x)}."
            )
        masked, findings = x.copy(), _current.get(None) or _GroupFindings()
        blocks = [block for columns in self.variable_groups(names) for block in _blocks(active, columns, names, draw)]

        def one(block: _Block) -> tuple[_Block, BoolArray | None]:
            cells = np.ix_(block.rows, block.columns)
            masked[cells], dominated = self._mask_block(np.ascontiguousarray(x[cells]), block)
            return block, dominated

        for block, dominated in in_threads(one, blocks, records=len(x)):
            findings.add(block, self.k, dominated)
        if _current.get(None) is None:  # called by itself, not by transform
            findings.report(type(self).__name__, self.k, self.dominance)
        return masked

    def mask_records(self, x: FloatArray, names: tuple[str, ...], draw: Draw) -> FloatArray:
        """Microaggregate complete records."""
        return self.mask_values(x, np.ones(x.shape, dtype=np.bool_), names, draw)

    def _mask_block(self, x: FloatArray, block: _Block) -> tuple[FloatArray, BoolArray | None]:
        """Return the masked records, and which groups are dominated in which columns."""
        if len(x) < self.k:
            return np.full_like(x, np.nan), None
        labels = self.partition(np.ascontiguousarray(self.space(x)), block.rng)
        if len(labels) != len(x) or np.bincount(labels).min() < self.k:
            raise TacitaError(
                f"{type(self).__name__}: a group has fewer than k = {self.k} records; nothing was masked."
            )
        found = None
        if self.aggregate == "mean":
            found = group_values.dominated_groups(x, labels, self.dominance / 100, block.weights)
        return self._values(x, labels, block)[labels], found

    def _values(self, x: FloatArray, labels: IntArray, block: _Block) -> FloatArray:
        if self.aggregate == "median":
            return group_values.medians(x, labels, block.weights)
        if self.aggregate == "mean":
            return group_values.group_means(x, labels, block.weights)
        for name, negative in zip(block.names, (x < 0).sum(axis=0), strict=True):
            if negative:
                raise DataError(
                    f"{type(self).__name__}: aggregate 'geometric' needs values of 0 or more, but '{name}' has "
                    f"{negative} negative ones; take 'mean' or 'median'."
                )
        return group_values.geometric_means(x, labels, block.weights)


@dataclass(frozen=True, kw_only=True)
class MultivariateMicroaggregation(Microaggregation):
    """Base of microaggregation that groups records by several columns at once.

    Parameters
    ----------
    standardise
        Divide each column by its standard deviation before distances are taken; without it the column with the largest
        values decides.
    groups
        Columns that are grouped together: a number takes that many at a time in their order, lists of names say
        which; by default all columns form one group. With several groups k-anonymity holds in each of them, not over all.

    Returns
    -------
    Microdata
        With the chosen columns microaggregated together.

    Preserves
    ---------
    means: of every column, to rounding. k-anonymity: every combination of masked values occurs k times or more. Variances
    shrink. Other aggregates and weights give up means; groups of variables and ``keep_zeros`` give up k-anonymity over
    all columns; ``identities`` give up both, since totals are computed again.
    """

    attacks = (Attack(measure="replay_linkage", knows="groups of {k} or more, formed without chance"),)
    standardise: bool = True
    groups: Annotated[int, Interval(1)] | tuple[tuple[str, ...], ...] | None = None

    def keeps(self, claim: str) -> bool:
        """Whether a claim holds: with several groups of variables, combinations over groups may be rare."""
        return super().keeps(claim) and (claim != "k-anonymity" or self.groups is None)

    def space(self, x: FloatArray) -> FloatArray:
        """Return the records, standardised if asked for."""
        return standardise(x) if self.standardise else x

    def variable_groups(self, names: tuple[str, ...]) -> tuple[tuple[int, ...], ...]:
        """Return the positions of the columns in each group of variables."""
        if self.groups is None:
            return super().variable_groups(names)
        if isinstance(self.groups, int):
            step = self.groups
            return tuple(tuple(range(a, min(a + step, len(names)))) for a in range(0, len(names), step))
        owner, named = type(self).__name__, [name for group in self.groups for name in group]
        for name in named:
            if name not in names:
                raise ColumnError(f"{owner}: 'groups' names '{name}', which is not among the columns to mask.")
            if named.count(name) > 1:
                raise ColumnError(f"{owner}: 'groups' names '{name}' twice; a column can be in one group only.")
        for name in names:
            if name not in named:
                raise ColumnError(f"{owner}: column '{name}' is in no group of 'groups'; add it, or leave it unmasked.")
        return tuple(tuple(names.index(name) for name in group) for group in self.groups if group)


@dataclass(frozen=True, kw_only=True)
class UnivariateMicroaggregation(Microaggregation):
    """Base of microaggregation that groups every column by itself.

    Returns
    -------
    Microdata
        With the chosen columns microaggregated one by one.
    """

    attacks = (
        Attack(measure="rank_order_linkage", knows="groups of {k} or more neighbours in each column", takes=("by",)),
    )
    columns_apart: ClassVar[bool] = True

    def variable_groups(self, names: tuple[str, ...]) -> tuple[tuple[int, ...], ...]:
        """Return every column as a group of its own."""
        return tuple((j,) for j in range(len(names)))


@dataclass(frozen=True)
class _Block:
    """Records that have the same columns of a group of variables, and what their masking needs."""

    rows: IntArray
    columns: IntArray
    names: tuple[str, ...]
    rng: np.random.Generator
    weights: FloatArray | None


def _blocks(active: BoolArray, columns: tuple[int, ...], names: tuple[str, ...], draw: Draw) -> Iterator[_Block]:
    """Split the records by which of the columns they have; records without any are left out."""
    for rows, pattern in _patterns(active[:, columns]):
        if pattern.any() and rows.size:
            there = np.array(columns)[pattern]
            some = tuple(names[j] for j in there)
            weights = None if draw.given is None else draw.given[rows, 0]
            yield _Block(rows, there, some, draw.joint(some), weights)


def _patterns(active: BoolArray) -> Iterator[tuple[IntArray, BoolArray]]:
    """Give the records of each pattern; the two common cases need no sort of all records."""
    if active.all() or active.shape[1] == 1:
        yield np.flatnonzero(active[:, 0]), np.ones(active.shape[1], dtype=np.bool_)
        return
    patterns, block = np.unique(active, axis=0, return_inverse=True)
    for number, pattern in enumerate(patterns):
        yield np.flatnonzero(block.ravel() == number), pattern


@dataclass
class _GroupFindings:
    """What one run has to tell: values that no group could hold, and groups that one record dominates."""

    lost: int = 0
    lost_in: Counter[str] = field(default_factory=Counter)
    groups: Counter[str] = field(default_factory=Counter)
    dominated: Counter[str] = field(default_factory=Counter)

    def add(self, block: _Block, k: int, dominated: BoolArray | None) -> None:
        if len(block.rows) < k:
            self.lost += len(block.rows)
            self.lost_in.update(block.names)
        elif dominated is not None:
            self.groups.update(dict.fromkeys(block.names, len(dominated)))
            self.dominated.update(dict(zip(block.names, dominated.sum(axis=0).tolist(), strict=True)))

    def report(self, owner: str, k: int, dominance: float) -> None:
        """Warn, with names and counts only."""
        if self.lost:
            warnings.warn(
                f"{owner}: {self.lost} record(s) lack values in a pattern that fewer than k = {k} records share; "
                f"their values in {', '.join(self.lost_in)} were set to missing.",
                TacitaWarning,
                stacklevel=5,
            )
        warn_of_dominance(owner, {n: (count, self.groups[n]) for n, count in self.dominated.items()}, dominance)


_current: ContextVar[_GroupFindings] = ContextVar("tacita_microaggregation")
