"""SAFE: every combination of categories gets none or at least k records, and the tables that matter hardly change."""

from __future__ import annotations

import json
import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated

import numpy as np

from tacita.core.arrays import IntArray, PlaceArray
from tacita.core.attacks import Attack
from tacita.core.clock import Clock
from tacita.core.errors import DataError, ParameterError, TacitaNote, TacitaWarning
from tacita.core.parameters import Columns, Interval
from tacita.core.progress import task
from tacita.core.selectors import Selector
from tacita.core.streams import Streams
from tacita.core.traits import Traits
from tacita.data.microdata import Microdata
from tacita.mask.base import Mask
from tacita.mask.safe.controlled import ControlledTables, TableNames, find_elementary

__all__ = ["Safe"]

_MOST_ALLOWANCE = 100


@dataclass(frozen=True, kw_only=True)
class Safe(Mask):
    """Move records between combinations of categories so that each has none or at least k, and controlled tables stay close.

    With a the counts of the controlled tables, y those of the combinations, A y the sums of y that make up the tables, and w
    the importance of cells, the largest deviation is minimised::

        min max_i (|d_i| - w_i)   subject to   A y = a + d,   y_j in {0, k, k + 1, ...},   sum y = n        model (1)

    First all small counts are changed under a bound b for the deviations, which is raised by one when no more can be changed
    (model (2)); then the deviations are annealed under a steep potential; then the bound is lowered by one at a time and the
    cells beyond it are made fewer (model (3)). Only combinations that occur in the file are used. At last records move: from
    combinations that lost some to those that won some, near ones first.

    Every table that is counted from the result is additive, agrees with every other one, and has no count of 1 to k - 1,
    controlled or not.

    Protects against whoever counts: no table of the variables, however many of them it crosses, shows a group smaller than k,
    nor do two tables that are subtracted from each other. Does not protect groups: where all k records of a group share a
    category, that is learnt, and a 3 may have been three alike. Does not protect the fact that somebody was there: a
    combination in the result occurs in the original, once at least. An attacker who knows that ones and twos were moved knows
    that a combination without records had few, if any, and that one with three most likely had one to four; what he can tell
    from a count in a controlled table is its original to within the largest deviation. True zeros stay zeros. Columns outside
    ``columns`` are as they were.

    Parameters
    ----------
    columns
        The variables; by default all categorical columns that describe the respondent. Numeric ones are taken value by value.
    k
        Smallest number of records of a combination.
    controlled
        The controlled tables, each a list of variables; ``region:1`` is the first coarser level of the hierarchy of
        ``region``. By default all tables of up to ``crossings`` variables.
    crossings
        Number of variables of the tables that are controlled where ``controlled`` is not given.
    soft
        Tables that are not controlled but weigh in, in the same form.
    soft_deviation
        A deviation of so many in a soft table counts as much as the largest one in a controlled table.
    fixed
        Variables in which no record changes, such as the municipality and whatever belongs to a household as a whole; a coarser
        level as ``region:1``. Records move within their combinations only, and the table by all of them stays exact.
    one_way
        By how much the bound of tables of one variable is larger than that of others; negative for a smaller one.
    slack
        Percentage of its count by which a controlled cell may deviate more than the bound: larger cells, larger deviations.
    important
        Controlled cells with a smaller bound, each by its codes: ``[{"region": "north", "sex": "f"}]``.
    stricter
        By how much the bound of an important cell is smaller.
    goal
        The search ends when no controlled cell deviates by more than that (allowances aside).
    sweeps
        Work of the search: how often every combination is visited. By default 400 times, in small files up to 24 000 times.
    time_limit
        Seconds after which the search ends with the best found so far, and says so; such a result does not repeat.

    Returns
    -------
    Microdata
        As many records in the same order; those that moved have the values of their new combination.

    Raises
    ------
    DataError
        When there are records, but fewer than k: no file without small counts has so many. The same in a combination of
        ``fixed``.
    ColumnError, ParameterError
        When a table names a column that is no variable of the mask, or a level that there is not.

    Preserves
    ---------
    k-anonymity: every combination of the variables occurs at least k times. The number of records is kept exactly.

    Complexity
    ----------
    O(m t) time for each sweep over m combinations that occur in t tables; 4 m t bytes, and 2 for each controlled cell. A
    million records with 42 tables take a tenth of a second a sweep.

    Notes
    -----
    Model (1) is meant with |d| - w, and the sign in (2) with "at most"; the printed form adds w on the wrong side. w comes from
    ``one_way``, ``slack`` and ``important`` together; a cell whose bound would be negative has the bound 0. The paper does not
    say how its heuristic moves; here single combinations change, and the bound falls as in model (3) after the annealing. On
    50 files of about 200 combinations the largest deviation was the least possible one or one more.

    The paper's file has the variables only. Here each record keeps its place, weight, household, identifier and every other
    column, and none is copied: three copies of one person would be known by what they share. What a moved record has
    elsewhere no longer fits its combination, and weighted counts are not controlled: drop such columns before the release where
    they are not needed. Columns linked to a variable get their value, too, from a record of the new combination.

    Records move one by one, so members of a household move apart unless what they share is ``fixed``: with the place, the
    dwelling and the size of the household in it, members keep these together, and only what is each one's own changes. What
    follows from the members, such as the kind of family, must be derived again or dropped. Households of one composition
    could move as a whole only where three have the same one, which hardly any have; for tables of households mask a file with
    one record for each.

    A missing value is a category of its own; several codes for missing values become one. The total is kept exactly, so an empty
    file stays empty and one of fewer than k records is refused. Work is counted in sweeps: the same seed gives the same file on
    every machine unless ``time_limit`` ended it.

    References
    ----------
    Giessing, S. and Hoehne, J. (2011), Eliminating small cells from census counts tables: empirical vs. design transition
    probabilities, SORT special issue, 59-80, section 2; Hoehne, J. (2003), SAFE, a method for statistical disclosure
    limitation of microdata.

    Examples
    --------
    >>> import tacita as tc
    >>> data = tc.samples.person_register(2000, seed=1)
    >>> mask = Safe(columns=["sex", "marital", "region"], crossings=2)
    >>> masked = mask.apply(data, seed=7)
    >>> found = tc.mask.certify_safe(data, masked, mask)
    >>> found.smallest >= 3, found.largest <= 4
    (True, True)
    """

    name = "safe"
    title = "Safe tables from moved records (SAFE)"
    attacks = (
        Attack(
            measure="agreement_linkage",
            knows="records moved only where a combination had fewer than {k}, or to near ones",
        ),
    )
    traits = Traits(
        scales={"nominal", "ordinal", "numeric"}, stochastic=True, preserves=("k-anonymity",), keeps_rows=False
    )
    not_drawn_by = frozenset({"columns", "time_limit"})
    columns: Columns = Selector("categorical columns")
    k: Annotated[int, Interval(2, 100)] = 3
    controlled: tuple[tuple[str, ...], ...] = ()
    crossings: Annotated[int, Interval(1)] = 3
    soft: tuple[tuple[str, ...], ...] = ()
    soft_deviation: Annotated[float, Interval(1)] = 30.0
    fixed: tuple[str, ...] = ()
    one_way: Annotated[int, Interval(-50, 50)] = 0
    slack: Annotated[float, Interval(0, 100)] = 0.0
    important: Sequence[Mapping[str, str]] = ()
    stricter: Annotated[int, Interval(0, 50)] = 2
    goal: Annotated[int, Interval(0)] = 0
    sweeps: Annotated[int, Interval(0)] | None = None
    time_limit: Annotated[float, Interval(0)] | None = None

    def __hash__(self) -> int:
        return hash(json.dumps(self.to_plain(), sort_keys=True))

    def transform(self, data: Microdata, streams: Streams) -> Microdata:
        """Find the counts, then move the records."""
        from tacita.numeric.safe.moves import cells_of_records  # loads when used

        names = data.schema.resolve(self.columns, owner="Safe", scales=self.traits.scales)
        data = data.with_missing_alike(names)
        cells = find_elementary(data, names)
        tables = ControlledTables(data, cells, "Safe")
        controlled = self.tables_of(tables)
        if not len(data):
            return data
        if len(data) < self.k:
            raise DataError(
                f"Safe: the file must have at least k = {self.k} records, or none; it has {len(data)}. No combination could have "
                f"{self.k} of them."
            )
        groups = tables.groups(self.fixed, self.k)
        counts = self._counts(tables, controlled, groups, streams.stream(self.name, *names))
        if np.array_equal(counts, cells.counts):
            warnings.warn(
                f"Safe: no combination of the variables has fewer than {self.k} records; the file stays as it was.",
                TacitaNote,
                stacklevel=2,
            )
        rng = streams.stream("moves", *names)
        after = cells_of_records(cells.labels, counts, cells.codes, cells.sizes, rng, groups)
        first = np.zeros(len(counts), dtype=np.int64)
        first[cells.labels[::-1]] = np.arange(len(data))[::-1]
        source = np.where(after == cells.labels, np.arange(len(data)), first[after])
        linked = [c.name for c in data.schema if c.linked_to in names and c.name not in names]
        return data.with_values_of([*names, *linked], source)

    def tables_of(self, tables: ControlledTables) -> tuple[TableNames, ...]:
        """Return the controlled tables, after a look at all that were named."""
        for parameter, given in (("controlled", self.controlled), ("soft", self.soft)):
            tables.check(given, parameter=parameter)
        controlled = self.controlled or tables.crossings(self.crossings)
        for cell in self.important:
            tables.check([tuple(cell)], parameter="important")
            if set(cell) not in [set(table) for table in controlled]:
                raise ParameterError(
                    f"Safe: 'important' must name cells of controlled tables, but no controlled table is by {', '.join(cell)}."
                )
        return controlled

    def _counts(
        self,
        tables: ControlledTables,
        controlled: tuple[TableNames, ...],
        groups: IntArray | None,
        rng: np.random.Generator,
    ) -> IntArray:
        """Search for the counts of the combinations."""
        from tacita.numeric.safe.search import SafePlan, safe_counts, sweeps_for  # loads when used

        layout = tables.layout(controlled, self.soft, groups)
        counts = tables.cells.counts
        sweeps = sweeps_for(*layout.places.shape) if self.sweeps is None else self.sweeps
        plan = SafePlan(
            k=self.k, sweeps=sweeps, goal=self.goal, soft=self.soft_deviation, clock=Clock.of(self.time_limit)
        )
        with task("Moving records", sweeps) as running:
            found = safe_counts(
                layout,
                counts,
                self._allowances(tables, controlled, layout.places, layout.controlled),
                plan,
                rng,
                lambda bound: running.advance(1, note=f"largest deviation {bound}"),
            )
        if not found.is_complete:
            warnings.warn(
                f"Safe: 'time_limit' ended the search after {found.sweeps} of {sweeps} sweeps, with a largest deviation of "
                f"{found.bound}. The same seed may give another file next time; limit 'sweeps' instead to repeat it.",
                TacitaWarning,
                stacklevel=2,
            )
        return found.counts

    def _allowances(
        self, tables: ControlledTables, controlled: tuple[TableNames, ...], places: PlaceArray, cells: int
    ) -> IntArray | None:
        """Return w of every controlled cell; None where it is 0 throughout."""
        if not (self.one_way or self.slack or self.important):
            return None
        given = np.zeros(cells, dtype=np.int64)
        if self.slack:
            for t in range(len(controlled)):
                size = np.bincount(places[:, t], weights=tables.cells.counts, minlength=cells)
                given += np.floor(self.slack / 100 * size[:cells] + 1e-9).astype(np.int64)
        for t, table in enumerate(controlled):
            if len(table) == 1:
                given[np.unique(places[:, t])] += self.one_way
        for cell in self.important:
            t = next(t for t, table in enumerate(controlled) if set(table) == set(cell))
            is_in = np.ones(len(places), dtype=bool)
            for name, label in cell.items():
                known, (codes, _) = tables.labels_at(name), tables.codes_at(name)
                is_in &= codes == known.get(str(label), -1)
            if not is_in.any():
                raise ParameterError(
                    "Safe: 'important' must name cells that have records, but there is none with "
                    + ", ".join(f"{name}={label}" for name, label in cell.items())
                    + "."
                )
            given[places[is_in, t][0]] -= self.stricter
        return np.clip(given, -_MOST_ALLOWANCE, _MOST_ALLOWANCE)
