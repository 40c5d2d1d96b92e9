"""The ways to protect the tables of a census: each from records and declared tables to what it would publish."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from itertools import product

import numpy as np

from tacita.compare.census.published_counts import Knowledge, PublishedCounts, PublishedTable, own_keys, set_keys
from tacita.core.arrays import BoolArray, FloatArray, IntArray
from tacita.core.errors import DataError
from tacita.core.keyed import Key
from tacita.core.streams import Seed
from tacita.data.microdata import Microdata
from tacita.mask.safe.safe import Safe
from tacita.mask.safe.safe_certificate import certify_safe
from tacita.mask.swap.record_swap import RecordSwap
from tacita.tables.additive.additive_counts import AdditiveCounts
from tacita.tables.additive.consistent_tables import ConsistentTables
from tacita.tables.additive.declared_set import DeclaredSet, declare
from tacita.tables.model.link import link
from tacita.tables.model.table import Table
from tacita.tables.model.tabulate import tabulate
from tacita.tables.perturbation.cell_key import CellKey
from tacita.tables.perturbation.keyed_table import keyed_table
from tacita.tables.protect.protected import Protected
from tacita.tables.protect.protector import Protector
from tacita.tables.rounding.round import Round
from tacita.tables.rules.minimum_frequency import MinimumFrequency
from tacita.tables.suppression.suppress import Suppress

__all__ = ["WAYS", "CensusCase"]

_UNREPEATED = (
    "'time_limit' may have ended the search: the same seed may give another result, and other figures, next time."
)
_PROVEN = 1e-6
"""Share of the distance up to which a rounding counts as the nearest."""

_MOST_CONTROLLED = 80
"""Tables that SAFE controls at most; beyond, it controls the declared ones and their margins without coarser levels."""


@dataclass(frozen=True, eq=False)
class CensusCase:
    """What all ways start from; nothing is kept from one way to the next, so that each has its own time.

    Parameters
    ----------
    data
        The records.
    declared
        The tables with their true counts.
    key
        The secret key.
    identity, geography
        The column that says who a record is, and the one that is swapped; empty where there is none.
    k
        Smallest count but 0 that may be shown.
    D, V
        Most noise of a count, and its variance.
    rate
        Percentage of households that are swapped at least.
    sweeps
        Work of SAFE; None for its own default.
    time_limit
        Seconds for suppression and for rounding.
    seed
        Makes what is drawn repeatable.
    """

    data: Microdata
    declared: DeclaredSet
    key: Key
    identity: str
    geography: str
    k: int
    D: int
    V: float
    rate: float
    sweeps: int | None
    time_limit: float | None
    seed: Seed = field(repr=False)

    @property
    def variables(self) -> tuple[str, ...]:
        """All classifying variables."""
        return tuple(dimension.name for dimension in self.declared.dimensions)

    @property
    def linked(self) -> Table:
        """All tables as one."""
        made = [
            tabulate(self.data, table.dimensions, weight=False, holding=False, empties=False)
            for table in self.declared.tables
        ]
        return link(made)

    # --- what was published, beside the truth ---------------------------------------------------------------------------

    def of_tables(
        self, values: Sequence[IntArray], knowledge: Knowledge, notes: tuple[str, ...] = ()
    ) -> PublishedCounts:
        """Take counts for the cells of each declared table."""
        tables = [
            PublishedTable.of(table, own_keys(table.dimensions, table.codes), shown)
            for table, shown in zip(self.declared.tables, values, strict=True)
        ]
        return PublishedCounts(self.declared, tuple(tables), knowledge, notes)

    def of_file(
        self, masked: Microdata, knowledge: Callable[[int], Knowledge], notes: tuple[str, ...] = ()
    ) -> PublishedCounts:
        """Count the tables in a changed file; ``knowledge`` is told the largest deviation."""
        counted = declare(masked, [table.dimensions for table in self.declared.tables])
        tables = [
            PublishedTable.of(table, own_keys(table.dimensions, found.codes), found.values.astype(np.int64))
            for table, found in zip(self.declared.tables, counted.tables, strict=True)
        ]
        return PublishedCounts(self.declared, tuple(tables), knowledge(_largest(tables)), notes)

    def of_linked(self, made: Protected, knowledge: Knowledge, notes: tuple[str, ...]) -> PublishedCounts:
        """Take the cells of the linked table apart again."""
        codes = np.empty_like(made.table.codes)
        dimensions = []
        for axis, dimension in enumerate(made.table.dimensions):
            own = next(found for found in self.declared.dimensions if found.name == dimension.name)
            dimensions.append(own)
            places = [own.places.get(code, -1) for code in dimension.codes]
            codes[:, axis] = np.array(places, np.int64)[made.table.codes[:, axis]]
        keys = set_keys(self.declared, dimensions, codes)
        order = np.argsort(keys)
        tables = []
        for table in self.declared.tables:
            wanted = set_keys(self.declared, table.dimensions, table.codes)
            place = order[np.searchsorted(keys, wanted, sorter=order).clip(max=len(keys) - 1)]
            if not np.array_equal(keys[place], wanted):
                raise DataError("Linking the tables left out cells that have the same members under another name.")
            here = own_keys(table.dimensions, table.codes)
            tables.append(PublishedTable.of(table, here, made.values[place], made.hidden[place]))
        return PublishedCounts(self.declared, tuple(tables), knowledge, notes)

    # --- noise ------------------------------------------------------------------------------------------------------------

    def noise(self, data: Microdata) -> list[tuple[IntArray, IntArray]]:
        """Return for each table the numbers of its cells in the grid and their counts with keyed noise."""
        if not self.identity:
            raise DataError("Cell keys need a column that says who a record is; name it by 'identity'.")
        how = CellKey(key=self.key, D=self.D, V=self.V, forbidden=tuple(range(1, self.k)))
        found = []
        for table in self.declared.tables:
            keyed = keyed_table(data, table.dimensions, key=self.key, identity=self.identity, empties=False)
            found.append((own_keys(table.dimensions, keyed.codes), np.rint(how.perturbed(keyed)).astype(np.int64)))
        return found

    @property
    def noisy(self) -> list[IntArray]:
        """Counts with keyed noise, in the order of the declared tables."""
        found = []
        for table, (keys, values) in zip(self.declared.tables, self.noise(self.data), strict=True):
            order = np.argsort(keys)
            place = np.searchsorted(keys, own_keys(table.dimensions, table.codes), sorter=order)
            found.append(values[order[place]])
        return found

    @property
    def swapped(self) -> Microdata:
        """The records after targeted swapping: households with a member who is rare in the area first."""
        if not self.geography:
            raise DataError("Record swapping needs a column of places among the declared ones; name it by 'geography'.")
        risk = tuple(name for name in self.variables if name != self.geography)
        if not risk:
            raise DataError("Record swapping needs a declared column besides the geography, by which people are rare.")
        return RecordSwap(geography=(self.geography,), risk=risk, k=self.k, rate=self.rate).apply(
            self.data, seed=self.seed
        )


# --- what readers know ------------------------------------------------------------------------------------------------------


def _within(reach: int) -> Knowledge:
    """Every count is within so many of the truth, and what is shown above 0 has somebody in it."""

    def knowledge(table: PublishedTable) -> tuple[FloatArray, FloatArray]:
        shown = table.shown.astype(np.float64)
        return np.maximum(shown - reach, np.where(shown > 0, 1.0, 0.0)), shown + reach

    return knowledge


def _not_hidden(table: PublishedTable) -> tuple[FloatArray, FloatArray]:
    """What is shown is true, and what is hidden has somebody in it, since empty cells are not hidden."""
    shown = table.shown.astype(np.float64)
    return np.where(table.hidden, 1.0, shown), np.where(table.hidden, np.inf, shown)


def _is_kept(table: PublishedTable, geography: str) -> BoolArray:
    """Cells that swapping keeps: those of all places together, and those of all people of a place."""
    at_total = {
        dimension.name: table.codes[:, axis] == dimension.places[dimension.total or ""]
        for axis, dimension in enumerate(table.dimensions)
    }
    everywhere = at_total.pop(geography, np.ones(len(table.keys), bool))
    everybody = np.ones(len(table.keys), bool)
    for is_total in at_total.values():
        everybody &= is_total
    return np.asarray(everywhere | everybody, bool)


def _swap_knowledge(geography: str, reach: int) -> Knowledge:
    """Cells that swapping keeps are within ``reach`` of what is shown; of the others a reader is sure of nothing."""

    def knowledge(table: PublishedTable) -> tuple[FloatArray, FloatArray]:
        low, high = _within(reach)(table)
        kept = _is_kept(table, geography)
        return np.where(kept, low, 0.0), np.where(kept, high, np.inf)

    return knowledge


def _largest(tables: Sequence[PublishedTable]) -> int:
    return max(int(np.abs(table.shown - table.truth).max(initial=0)) for table in tables)


# --- the ways ---------------------------------------------------------------------------------------------------------------


def _protected(case: CensusCase, how: Protector) -> Protected:
    table = case.linked
    return how.protect(table, MinimumFrequency(at_least=case.k).judge(table))


def _suppression(case: CensusCase) -> PublishedCounts:
    """Hide cells from a reader who knows that none of them is empty."""
    made = _protected(case, Suppress(time_limit=case.time_limit, knows_filled=True))
    notes = [f"The auditor: {made.verdict}."]
    if case.time_limit is not None and made.seconds >= case.time_limit:
        notes.append(_UNREPEATED)
    return case.of_linked(made, _not_hidden, (*notes, *made.notes))


def _rounding(case: CensusCase) -> PublishedCounts:
    made = _protected(case, Round(base=float(case.k), time_limit=case.time_limit))
    steps = int(np.abs(made.values - made.table.values).max(initial=0.0)) // case.k
    # Every step of an unproven search had its share of the time; the nearest rounding is the nearest whatever the clock says.
    unproven = case.time_limit is not None and made.gap > _PROVEN
    return case.of_linked(made, _within(case.k * (1 + steps) - 1), (*((_UNREPEATED,) if unproven else ()), *made.notes))


def _cell_keys(case: CensusCase) -> PublishedCounts:
    return case.of_tables(case.noisy, _within(case.D))


def _additive(case: CensusCase) -> PublishedCounts:
    how = AdditiveCounts(D=case.D, smallest=case.k)
    made = [
        how.restore(table, noisy, seed=case.seed) for table, noisy in zip(case.declared.tables, case.noisy, strict=True)
    ]
    notes = tuple(dict.fromkeys(note for one in made for note in one.notes))
    reach = max(case.D, *(one.proof.largest for one in made))
    return case.of_tables([one.values for one in made], _within(reach), notes)


def _consistent(case: CensusCase) -> PublishedCounts:
    how = ConsistentTables(D=case.D, smallest=case.k)
    made = how.restore(case.declared, case.noisy, seed=case.seed)
    reach = max(case.D + how.slack, *(proof.largest for proof in made.proofs))
    return case.of_tables([made.values[place] for place in case.declared.places], _within(reach), made.notes)


def _safe(case: CensusCase) -> PublishedCounts:
    original = case.data.select(case.variables)
    mask = Safe(columns=case.variables, k=case.k, controlled=_controlled(case), sweeps=case.sweeps)
    masked = mask.apply(original, seed=case.seed)
    proof = certify_safe(original, masked, mask)
    return case.of_file(masked, _within, (f"The certificate: {proof}.",))


def _controlled(case: CensusCase) -> tuple[tuple[str, ...], ...]:
    """Return the declared tables with their margins, coarser levels of hierarchies included."""
    for with_levels in (True, False):
        found: dict[tuple[str, ...], None] = {}
        for table in case.declared.tables:
            choices = [("", *_levels(case, dimension.name, with_levels)) for dimension in table.dimensions]
            for names in product(*choices):
                if chosen := tuple(sorted(name for name in names if name)):
                    found[chosen] = None
        if len(found) <= _MOST_CONTROLLED:
            break
    return tuple(found)


def _levels(case: CensusCase, name: str, with_coarser: bool) -> list[str]:
    tree = case.data.schema[name].hierarchy
    depth = tree.depth if tree is not None and with_coarser else 1
    return [name, *(f"{name}:{level}" for level in range(1, depth))]


def _swapping(case: CensusCase) -> PublishedCounts:
    return case.of_file(case.swapped, lambda _: _swap_knowledge(case.geography, 0))


def _swapping_then_keys(case: CensusCase) -> PublishedCounts:
    tables = [
        PublishedTable.of(table, keys, values)
        for table, (keys, values) in zip(case.declared.tables, case.noise(case.swapped), strict=True)
    ]
    return PublishedCounts(case.declared, tuple(tables), _swap_knowledge(case.geography, case.D))


WAYS: dict[str, Callable[[CensusCase], PublishedCounts]] = {
    "suppression": _suppression,
    "rounding": _rounding,
    "cell keys": _cell_keys,
    "keys, additive": _additive,
    "keys, consistent": _consistent,
    "SAFE": _safe,
    "swapping": _swapping,
    "swapping, keys": _swapping_then_keys,
}
"""The ways by name, in the order in which they are shown."""
