"""Local suppression: single key values are set missing until every record hides among k."""

from __future__ import annotations

import math
import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Annotated, Literal

import numpy as np

from tacita.core.arrays import BoolArray, FloatArray, IntArray
from tacita.core.attacks import Attack
from tacita.core.errors import ColumnError, DataError, ParameterError, TacitaWarning
from tacita.core.parameters import Columns, Interval
from tacita.core.selectors import keys
from tacita.core.streams import Streams
from tacita.core.traits import Traits
from tacita.core.vocabulary import MissingKeys
from tacita.data.microdata import Microdata
from tacita.data.pairing import pair_records
from tacita.data.units import Unit, find_units, say_units
from tacita.mask.base import Mask
from tacita.mask.suppress.cheapest_suppression import optimal_cells
from tacita.mask.suppress.risk_suppression import cells_by_risk, risk_of_records
from tacita.mask.suppress.suppression_plan import (
    Plan,
    find_price,
    find_shared,
    find_subsets,
    recount,
    with_gaps,
    with_linked_gaps,
)

if TYPE_CHECKING:
    from tacita.numeric.local_suppression.local_suppression import SuppressionTask

__all__ = ["LocalSuppression", "suppressions"]


_EFFORTS = {"fast": 0.0, "normal": 1.0, "quality": 20.0, "exact": 1.0}
_KEYS = keys()
_EXACT_RECORDS, _EXACT_KEYS, _EXACT_SECONDS = 60, 10, 300.0


class _Table(dict[str, float]):
    """A table that never changes, so that a mask can be a key."""

    def __hash__(self) -> int:  # type: ignore[override]
        return hash(frozenset(self.items()))


def _sizes(subsets: Mapping[str, int]) -> _Table:
    """Return a table of sizes and the k of each; sizes are texts, as in a file."""
    found = _Table()
    for size, k in subsets.items():
        if not str(size).isdecimal() or int(size) < 1:
            raise ParameterError(f"LocalSuppression: 'subsets' must name sizes of 1 or more, got {size!r}.")
        if isinstance(k, bool) or not isinstance(k, int) or k < 2:
            raise ParameterError(f"LocalSuppression: 'subsets' must have a k of 2 or more for size {size}, got {k!r}.")
        found[str(int(size))] = k
    if not found:
        raise ParameterError("LocalSuppression: 'subsets' must name a size at least.")
    return found


@dataclass(frozen=True, kw_only=True)
class LocalSuppression(Mask):
    """Set single key values missing so that every record shares its keys with at least k records.

    A record is at risk when fewer than k records match its keys. Values are chosen for suppression that many records at risk
    share, the best for its cost first; then values that nobody needs missing come back; then pieces of the solution are taken
    out and made anew as long as that pays. The sum of the costs of all suppressed values is to be small. Before
    anything is returned the frequencies of every subset that was asked for are counted again from the masked file.

    Protects against linkage by the keys. How well depends on what a missing value matches (``missing``). ``own category``:
    every combination of values and gaps occurs k times, so even an intruder who knows which gaps a person would have finds
    k. ``conservative``: k records show all that a record shows; others' gaps protect nobody. ``wildcard``: k records match what
    a record shows, some of them only by their gaps. Under both an intruder who starts from the true keys of a person, and not
    from a record, may be left with fewer: the others that match the record can contradict the value that it hides. Attack the
    release by ``key_match`` to count them; in a survey of 1500 people with five keys and k = 3 it found 36 for sure under
    ``wildcard``, 7 under ``conservative`` and none under ``own category``.
    Does not protect a confidential value that all k share, nor columns that tell a suppressed key by other means (make
    them ``linked``).

    Parameters
    ----------
    columns
        The keys; by default all columns with that role.
    k
        Smallest frequency that is safe.
    subsets
        Where frequencies are counted: a number m for every subset of m keys; a table of sizes and the k of each, such as
        ``{2: 10, 4: 3}``, which takes the place of ``k``; or lists of keys. By default all keys together, which covers
        every subset.
    missing
        What a missing key matches: ``wildcard`` everything; ``own category`` only other missing values;
        ``conservative`` everything for the record itself, while others' missing values protect nobody.
    costs
        Cost of a suppressed value for each column: a table of names and costs, or a list in the order of ``columns``. By
        default 1 for all.
    importance
        Instead of costs a rank for each column in the order of ``columns``: 1 for the one that should lose least. Of d
        columns rank 1 costs 10 d, rank 2 costs 10 (d - 1), and so on: 70, 60, 50, ... for seven.
    by
        Strata: frequencies are counted within each combination of their values.
    unit
        The household column: keys that belong to the household are suppressed for all its members. By default the column
        with that role; ``False`` for none.
    unit_columns
        The keys that belong to the unit. By default those that are equal for all members of every unit, gaps aside.
    rule
        Name of a risk, such as ``individual_risk``, that takes the place of k: values are suppressed until no record's
        risk is above ``threshold``.
    threshold
        Largest risk of a record that is safe under ``rule``: a chance from 0 to below 1, not a percentage; 0.05 is 5 percent.
    effort
        ``fast`` leaves out second thoughts, ``normal`` has a few, ``quality`` many; ``exact`` finds the least cost for
        up to about 40 records and 10 keys.

    Returns
    -------
    Microdata
        With key values missing, and those of linked columns wherever their key is missing.

    Raises
    ------
    DataError
        When there are fewer than k records in the file or in a stratum: nothing can hide them, so nothing is returned. When a
        column of ``unit_columns`` differs between members, or ``unit`` names a column with gaps.
    ColumnError
        When a column is not there, or a subset, cost or unit column names one that is not among ``columns``.
    ParameterError
        When a cost is negative, ranks are not within 1 to d, or parameters contradict each other.

    Preserves
    ---------
    Nothing beyond the values that stay: a value is the original one or missing. After suppression the file is k-anonymous under
    the chosen reading of missing values.

    Complexity
    ----------
    O(m r) time for m distinct key patterns and r of them at risk, times a small factor; files with very many patterns at
    risk are cut into blocks of similar patterns. O(n d) memory.

    Notes
    -----
    Under ``wildcard`` the cheapest way to k-anonymity would be to empty k - 1 records, which then match everybody, and to
    show all the others. Therefore nobody is sacrificed: a safe record loses nothing, and a record at risk no more than it
    would need if it alone were suppressed, in number of keys or in cost. ``exact`` keeps to that as well.

    A value that was missing before is read like a suppressed one, but it keeps its missing code; whoever sees the file can tell
    the two apart. Under ``wildcard`` a key of the household that one member lacks and another shows counts as shown, because
    an intruder fills it in. Households are kept together across strata too (``by``), but with a ``rule`` or a named ``unit``
    their members must be in one stratum. A member without a household number stands alone. A number of members can
    be counted as long as the household numbers are there, suppressed or not; a note says so.

    Where subsets are counted, values are also chosen as if all keys were counted together, which implies every subset; what
    no subset needs comes back, and the cheaper of the two is taken. A subset that a larger one with as large a k implies is
    left out. Under ``wildcard`` one way alone is taken with ``effort="fast"``, and where all keys together would take far
    longer.

    With k records or more nothing fails: where the search does not reach k, more is taken, in the end all keys of the
    records concerned. Records with equal keys are interchangeable: the first of them in the file are suppressed. At most 16
    keys can be counted together. The random numbers of second thoughts are fixed, so that no seed is needed.

    References
    ----------
    Hundepool, A. et al. (2012), Statistical disclosure control (local suppression); Bergeat, M., Subsampling and weight
    calibration: the costs 70, 60, 50, ...; Meyerson, A. and Williams, R. (2004), On the complexity of optimal k-anonymity.

    Examples
    --------
    >>> import tacita as tc
    >>> data = tc.samples.household_survey(300, seed=1)
    >>> masked = LocalSuppression(columns=["sex", "marital", "education"], k=3, importance=[1, 2, 3]).apply(data)
    >>> from tacita.risk.k_anonymity import KAnonymity
    >>> KAnonymity(columns=["sex", "marital", "education"], k=3).assess(masked).value
    0.0
    """

    name = "local_suppression"
    attacks = (Attack(measure="individual_risk", knows="the keys of everybody; a suppressed key says nothing"),)
    faces = ("key_match", "minimality", "probabilistic_link")
    traits = Traits(scales={"numeric", "ordinal", "nominal", "date"}, suppresses=True)
    columns: Columns = keys()
    k: Annotated[int, Interval(2)] = 3
    subsets: Annotated[int, Interval(1)] | Mapping[str, int] | Sequence[Sequence[str]] | None = None
    missing: MissingKeys = "wildcard"
    costs: Mapping[str, float] | Sequence[float] | None = None
    importance: Sequence[int] | None = None
    by: Columns = ()
    unit: Unit = None
    unit_columns: Columns = ()
    rule: str | None = None
    threshold: Annotated[float, Interval(0, 1, "left")] | None = None
    effort: Literal["fast", "normal", "quality", "exact"] = "normal"

    def check(self) -> None:
        """Check costs and rules."""
        if self.costs is not None and self.importance is not None:
            raise ParameterError("LocalSuppression: give either 'costs' or 'importance', not both.")
        if isinstance(self.costs, Mapping):
            object.__setattr__(self, "costs", _Table(self.costs))
        listed = self.costs.values() if isinstance(self.costs, Mapping) else self.costs or ()
        for cost in listed:
            if isinstance(cost, bool) or not isinstance(cost, (int, float)) or not (math.isfinite(cost) and cost >= 0):
                raise ParameterError(f"LocalSuppression: 'costs' must be numbers of 0 or more, got {cost!r}.")
        if isinstance(self.subsets, Mapping):
            object.__setattr__(self, "subsets", _sizes(self.subsets))
            if self.rule is not None:
                raise ParameterError("LocalSuppression: 'subsets' must not be a table of sizes and k with a 'rule'.")
        if (self.rule is None) != (self.threshold is None):
            lacking, given = ("rule", "threshold") if self.rule is None else ("threshold", "rule")
            raise ParameterError(f"LocalSuppression: '{given}' needs '{lacking}' beside it.")
        if self.rule is not None and self.effort == "exact":
            raise ParameterError(
                "LocalSuppression: 'effort' must not be 'exact' with a 'rule'; it is there for k alone."
            )
        if self.unit is False and self.unit_columns != ():
            raise ParameterError("LocalSuppression: 'unit_columns' needs 'unit', the column of the household.")

    def transform(self, data: Microdata, streams: Streams) -> Microdata:
        """Suppress values of the keys and of the columns linked to them."""
        del streams
        plan = self._plan(data)
        if not len(data):
            return data
        self._check_sizes(plan)
        codes = np.stack([data.codes(name).values for name in plan.names], axis=1)
        if self.rule is not None:
            cells: BoolArray = np.zeros(codes.shape, dtype=bool)
            for rows in plan.rows_of_strata():
                cells[rows] = self._cells_by_rule(data.take(rows), codes[rows] >= 0, plan, rows)
        else:
            # What an intruder can fill in from the household is no gap. Under the other readings a gap is more than not knowing.
            cells = self._all_cells(plan.known(codes) if self.missing == "wildcard" else codes, plan) & (codes >= 0)
        masked = with_gaps(data, plan.names, cells)
        if self.rule is None:
            recount(masked, plan, self.missing)
        self._say(data, plan, cells)
        return with_linked_gaps(masked, plan.names, plan.units)

    def _say(self, data: Microdata, plan: Plan, cells: BoolArray) -> None:
        """Tell what was done for households, and what they give away."""
        gone = [plan.names[j] for j in plan.shared if cells[:, j].any()]
        counted = () if plan.units is None or not gone else plan.units.counted(data, gone)
        done = "values are suppressed for all members together"
        if counted and plan.units is not None:
            done += f"; but {', '.join(counted)} can be found by counting the members, as long as '{plan.units.name}' is there"
        say_units(plan.units, gone, owner="LocalSuppression", done=done)

    def _plan(self, data: Microdata) -> Plan:
        """Check the parameters against the data."""
        names = data.schema.resolve(self.columns, owner="LocalSuppression", scales=self.traits.scales)
        by = data.schema.resolve(self.by, owner="LocalSuppression", parameter="by") if self.by != () else ()
        both = [name for name in names if name in by]
        if both:
            raise ColumnError(f"LocalSuppression: column '{both[0]}' cannot be suppressed and a stratum at once.")
        units = find_units(data, self.unit, owner="LocalSuppression")
        if units is None and self.unit_columns != ():
            raise ColumnError(
                "LocalSuppression: 'unit_columns' needs households, but the schema has no column of them."
            )
        subsets, needs = find_subsets(names, self.subsets, self.k, data, is_any_width=self.rule is not None)
        plan = Plan(
            names=names,
            subsets=subsets,
            needs=needs,
            price=find_price(names, self.costs, self.importance),
            strata=data.groups(by),
            units=units,
            shared=() if units is None else find_shared(data, names, units, self.unit_columns),
        )
        if plan.shared and plan.is_across and (self.rule is not None or self.unit is not None):
            raise DataError(
                "LocalSuppression: members of one unit are in different strata; 'by' must be equal for all of them."
            )
        return plan if plan.shared else replace(plan, units=None)

    def _check_sizes(self, plan: Plan) -> None:
        sizes, k = np.bincount(plan.strata), max(plan.needs)
        if self.rule is None and sizes.min() < k:
            raise DataError(
                f"LocalSuppression: k = {k} needs at least {k} records in the file and in every stratum, "
                f"got {sizes.min()}."
            )
        if self.effort == "exact" and sizes.max() > _EXACT_RECORDS:
            raise DataError(
                f"LocalSuppression: effort 'exact' is for up to {_EXACT_RECORDS} records in a stratum, got {sizes.max()}; "
                "take 'quality'."
            )
        if self.effort == "exact" and len(plan.names) > _EXACT_KEYS:
            raise DataError(
                f"LocalSuppression: effort 'exact' is for up to {_EXACT_KEYS} keys, got {len(plan.names)}; take 'quality'."
            )

    def _all_cells(self, codes: IntArray, plan: Plan) -> BoolArray:
        """Return which values to set missing for k-anonymity, stratum by stratum."""
        from tacita.numeric.local_suppression.certain import make_certain
        from tacita.numeric.local_suppression.local_suppression import SuppressionTask  # loads when used

        cells: BoolArray = np.zeros(codes.shape, dtype=bool)
        views = plan.views()
        task = SuppressionTask(
            k=max(plan.needs),
            views=tuple(views),
            price=plan.price,
            missing=self.missing,
            effort=_EFFORTS[self.effort],
            least=tuple(views.values()),
        )
        for rows in plan.rows_of_strata():
            units = plan.units_of(rows)
            part = task if units is None else replace(task, units=units, shared=plan.shared)
            cells[rows] = self._cells(codes[rows], part)
        if plan.units is None or not plan.is_across:
            return cells
        return make_certain(codes, cells, replace(task, units=plan.units.labels, shared=plan.shared), plan.strata)

    def _cells(self, codes: IntArray, task: SuppressionTask) -> BoolArray:
        """Return which values of some records to set missing for k-anonymity."""
        from tacita.numeric.local_suppression.local_suppression import suppress_cells  # loads when used

        cells = suppress_cells(codes, task)
        if self.effort != "exact":
            return cells
        found = optimal_cells(codes, task, start=cells, time_limit=_EXACT_SECONDS)
        if not found.is_proven:
            warnings.warn(
                f"LocalSuppression: the optimum was not proven in {_EXACT_SECONDS:g} s; the cost is {found.cost:g}, "
                f"and no solution is below {found.bound:g}.",
                TacitaWarning,
                stacklevel=5,
            )
        return found.cells

    def _cells_by_rule(self, data: Microdata, present: BoolArray, plan: Plan, rows: IntArray) -> BoolArray:
        """Return which values of some records to set missing until their risk is at most the threshold."""
        assert self.rule is not None and self.threshold is not None  # noqa: S101, PT018 - checked on construction
        rule, units = self.rule, plan.units_of(rows)

        def assess(cells: BoolArray) -> FloatArray:
            trial = with_gaps(data, plan.names, plan.spread(cells, units))
            return risk_of_records(rule, trial, plan.subsets, self.missing, owner="LocalSuppression")

        found = cells_by_risk(present, plan.price, assess, self.threshold)
        return plan.spread(found, units) & present


def suppressions(original: Microdata, masked: Microdata, columns: Columns = _KEYS) -> dict[str, int]:
    """Return for each key how many values are missing in the masked file that are there in the original.

    Records are paired by the link that masked data carry, or by row order where the two files have none.

    Examples
    --------
    >>> import tacita as tc
    >>> data = tc.samples.household_survey(300, seed=1)
    >>> mask = LocalSuppression(columns=["sex", "marital", "education"], costs=[30, 20, 10])
    >>> counts = suppressions(data, mask.apply(data), ["sex", "marital", "education"])
    >>> counts["sex"] <= counts["education"]
    True
    """
    pair = pair_records(original, masked, "link" if masked.source == original.source else "order")
    names = original.schema.resolve(columns, owner="suppressions")
    return {
        name: int((masked.is_missing(name)[pair.masked_rows] & ~original.is_missing(name)[pair.rows]).sum())
        for name in names
    }
