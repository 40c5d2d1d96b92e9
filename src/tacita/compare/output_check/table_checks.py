"""Checks of tables: few contributors, dominance, empty and full lines, by the rules of the tables room."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from tacita.compare.output_check.basis import OutputBasis, Owners
from tacita.compare.output_check.figures import largest_shares, smallest_and_largest
from tacita.compare.output_check.output import AMOUNTS, COUNTS, SHAPES
from tacita.compare.output_check.output_limits import OutputLimits
from tacita.compare.output_check.reason import OutputReason, named
from tacita.core.arrays import BoolArray, FloatArray, IntArray
from tacita.data.microdata import Microdata
from tacita.tables.model.contributions import Contributions
from tacita.tables.model.dimension import Dimension
from tacita.tables.model.relations import Relations
from tacita.tables.model.table import Table
from tacita.tables.rules.dominance import Dominance
from tacita.tables.rules.minimum_frequency import MinimumFrequency
from tacita.tables.rules.p_percent import PPercent
from tacita.tables.rules.rule import Rule

__all__ = ["OutputFindings", "check_basis", "check_counts", "rule_table"]

_MERGE = "Hide these cells together with others that protect them (tc.tables.Suppress), or merge categories."


@dataclass(frozen=True, eq=False)
class OutputFindings:
    """What the checks of one output found.

    Parameters
    ----------
    reasons
        In the order of the checks.
    unsafe
        (c,): figures that must not be shown.
    """

    reasons: tuple[OutputReason, ...]
    unsafe: BoolArray = field(repr=False)

    def __add__(self, other: OutputFindings) -> OutputFindings:
        return OutputFindings((*self.reasons, *other.reasons), self.unsafe | other.unsafe)


def nothing_found(basis: OutputBasis) -> OutputFindings:
    """No reason against an output."""
    return OutputFindings((), np.zeros(len(basis), bool))


def found_in(
    basis: OutputBasis, check: str, state: str, cells: BoolArray, words: str, advice: str = ""
) -> OutputFindings:
    """Return a reason about some figures; nothing where there are none. ``words`` has a place for their names."""
    if state == "pass" or not cells.any():
        return nothing_found(basis)
    titles = tuple(basis.title(cell) for cell in np.flatnonzero(cells).tolist())
    reason = OutputReason(check, state, words.format(n=len(titles), cells=named(titles)), titles, advice)  # type: ignore[arg-type]
    return OutputFindings((reason,), cells if state == "fail" else np.zeros(len(basis), bool))


def check_basis(basis: OutputBasis, data: Microdata, owners: Owners, limits: OutputLimits) -> OutputFindings:
    """Check the figures of a crosstab, its counts first."""
    output = basis.output
    found = check_counts(basis, owners, limits)
    if set(output.statistic) & set(COUNTS):
        found += _empty_and_full(basis, limits)
    if output.values is not None:
        if set(output.statistic) & set(AMOUNTS):
            columns = [output.values, *([output.denominator] if output.denominator else [])]
            for column in columns:
                found += _dominated(basis, data.numbers(column), column, owners, limits)
        if set(output.statistic) - {"count", "sum", "ratio", "hhi", "gini"}:
            found += _all_same(basis, data.numbers(output.values), limits)
    if set(output.statistic) & set(SHAPES):
        few = basis.shown & (basis.records >= limits.at_least) & (basis.records - 1 < limits.degrees_of_freedom)
        words = f"{{n}} figure(s) have fewer than {limits.degrees_of_freedom} degrees of freedom: {{cells}}."
        found += found_in(basis, "degrees_of_freedom", "fail", few, words, _MERGE)
    return found


def rule_table(basis: OutputBasis, amounts: FloatArray | None, owners: Owners, *, depth: int = 1) -> Table:
    """Return the figures as a table that the rules of the tables room can judge; contributions are unweighted."""
    cells, records = basis.pairs
    each = np.ones(len(cells)) if amounts is None else amounts[records]

    def contributions(whose: IntArray) -> Contributions:
        counts, most, owner = largest_shares(cells, whose[records], each, len(basis), depth)
        return Contributions(counts, most, np.where(owner >= 0, 1.0, 0.0), owner)

    return Table(
        (Dimension("cell", tuple(str(cell) for cell in range(len(basis)))),),
        np.arange(len(basis), dtype=np.int64)[:, None],
        np.asarray(np.bincount(cells, each, len(basis)), np.float64),
        Relations.of([], len(basis)),
        response="" if amounts is None else "values",
        responses=("" if amounts is None else "values",),
        counts=basis.records,
        units=contributions(owners.units),
        holdings=None if owners.holdings is None else contributions(owners.holdings),
    )


def check_counts(basis: OutputBasis, owners: Owners, limits: OutputLimits) -> OutputFindings:
    """Look for figures with too few contributors or holdings behind them."""
    table = rule_table(basis, None, owners)
    unsafe = MinimumFrequency(at_least=limits.at_least).judge(table).cells & basis.shown
    words = f"{{n}} of {int(basis.shown.sum())} figures are about fewer than {limits.at_least} contributors: {{cells}}."
    found = found_in(basis, "minimum_frequency", "fail", unsafe, words, _MERGE)
    if owners.holdings is not None and limits.holdings_at_least > 1:
        few = MinimumFrequency(at_least=limits.holdings_at_least, level="holding").judge(table).cells & basis.shown
        words = f"{{n}} figure(s) are about fewer than {limits.holdings_at_least} holdings or households: {{cells}}."
        found += found_in(basis, "holdings", "fail", few & ~unsafe, words, _MERGE)
    return found


def _dominated(
    basis: OutputBasis, amounts: FloatArray, column: str, owners: Owners, limits: OutputLimits
) -> OutputFindings:
    table = rule_table(basis, amounts, owners, depth=max(limits.dominance_n, 2))
    levels = ["unit", *(["holding"] if owners.holdings is not None else [])]
    found = nothing_found(basis)
    many = basis.shown & ~MinimumFrequency(at_least=limits.at_least).judge(table).cells

    def unsafe(rules: list[Rule]) -> BoolArray:
        cells = np.zeros(len(basis), bool)
        for rule in rules:
            cells |= rule.judge(table).cells
        return cells & many

    n, share = limits.dominance_n, limits.dominance_share
    who = "the largest contributor makes" if n == 1 else f"the {n} largest contributors make"
    dominated = unsafe([Dominance(n=n, share=share, level=level) for level in levels])  # type: ignore[arg-type]
    words = f"in {{n}} figure(s) {who} up more than {share:g} % of {column}: {{cells}}."
    found += found_in(basis, "dominance", "fail", dominated, words, _MERGE)
    close = unsafe([PPercent(p=limits.p, level=level) for level in levels])  # type: ignore[arg-type]
    words = f"in {{n}} figure(s) the largest {column} can be estimated to within {limits.p:g} %: {{cells}}."
    return found + found_in(basis, "p_percent", "fail", close, words, _MERGE)


def _all_same(basis: OutputBasis, values: FloatArray, limits: OutputLimits) -> OutputFindings:
    cells, records = basis.pairs
    low, high = smallest_and_largest(cells, values[records], len(basis))
    same = basis.shown & (basis.records >= limits.at_least) & (low == high)
    words = f"in {{n}} figure(s) everybody has the same {basis.output.values}: {{cells}}."
    return found_in(basis, "all_same", "fail", same, words, "Merge categories until values differ.")


def _empty_and_full(basis: OutputBasis, limits: OutputLimits) -> OutputFindings:
    """Empty combinations, and lines of which one cell has everybody."""
    inside = (basis.codes >= 0).all(axis=1)
    empty = basis.shown & inside & (basis.records == 0)
    words = "{n} combination(s) are empty, so that nobody is known to be in them: {cells}."
    found = found_in(basis, "zero", limits.zeros, empty, words, "Say why they cannot occur, or merge categories.")
    full = np.zeros(len(basis), bool)
    counts = np.where(inside, basis.records, 0)
    for j in range(basis.codes.shape[1]):
        if len(basis.labels[j]) < 2:
            continue
        others = np.delete(basis.codes, j, axis=1)
        _, line = np.unique(others[inside], axis=0, return_inverse=True)
        line = line.reshape(-1)
        size = int(line.max(initial=-1)) + 1
        occupied = np.bincount(line, counts[inside] > 0, size)
        known = np.bincount(line, ~basis.shown[inside], size) == 0
        full[inside] |= ((occupied == 1) & known)[line] & (counts[inside] > 0)
    words = "{n} cell(s) have everybody of their row or column (100 %), whose category is then known: {cells}."
    return found + found_in(
        basis, "full", limits.full, full & basis.shown, words, "Merge the row or column with others."
    )
