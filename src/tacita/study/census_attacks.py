"""What a reader of census tables can undo: by D and the sums, by averages over tables, and by differences of regions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from tacita.core.arrays import FloatArray, IntArray
from tacita.data.columns import Codes
from tacita.study.census_material import BOUNDS, DESIGNS, CensusMaterial, counts_of
from tacita.tables.additive.additive_counts import AdditiveCounts
from tacita.tables.model.relations import Relations
from tacita.tables.model.table import Table
from tacita.tables.model.tabulate import tabulate
from tacita.tables.perturbation.cell_key import CellKey
from tacita.tables.perturbation.keyed_table import KeyedTable
from tacita.tables.readers.count_intervals import Undone, count_intervals, outside, reader_bounds, solved_intervals
from tacita.tables.readers.split_averages import average_splits
from tacita.tables.rules.unsafe import Unsafe

__all__ = [
    "AVERAGES",
    "SPLITS",
    "RegionDifferences",
    "averages",
    "differences",
    "undo_perturbation",
    "undo_together",
    "undone_by_method",
]

ATTACKED = ("municipality", "birth_country", "sex")
LINKED = (("municipality", "marital", "education"), ("municipality", "marital", "sex"))
"""Two tables that are attacked together: what they share may be different in each after additivity."""
AVERAGED = ("municipality", "marital")
SPLITS = (
    "sex", "tenure", "dwelling_kind", "household_position", "built", "household_size", "education", "rooms",
)  # fmt: skip
"""Tables of the averaging attack: the averaged cells, split by one of these."""
DIFFERENCED = ("birth_country", "marital")
_LEFT_OUT = 12
"""Regions that are left out, one after the other."""


# --- by D and the sums ---------------------------------------------------------------------------------------------------


def undo_perturbation(relations: Relations, truth: IntArray, shown: IntArray, *, reach: int) -> Undone:
    """Attack the cells of one table whose true count is one or two."""
    cells = np.flatnonzero((truth == 1) | (truth == 2))
    if not len(cells):
        return Undone(0, 0, 0)
    return _judged(count_intervals(relations, shown, cells, reach=reach))


def _judged(ends: tuple[IntArray, IntArray]) -> Undone:
    low, high = ends
    known = (low >= 1) & (high <= 2)
    return Undone(len(low), int(known.sum()), int((known & (low == high)).sum()))


def undo_together(tables: Sequence[Table], shown: Sequence[IntArray], *, reach: int) -> Undone:
    """Attack the ones and twos of the first table with several tables at once, in which shared cells need not be the same.

    Parameters
    ----------
    tables
        Tables of the same records that differ in their last dimension: all cells with its total are shared.
    shown
        Their published counts.
    reach
        The published bound of the deviations, of every table.
    """
    import scipy.sparse as sp

    starts = np.cumsum([0, *(len(table) for table in tables)])
    shared = [starts[i] + np.flatnonzero(table.codes[:, -1] == 0) for i, table in enumerate(tables)]
    same = [(int(a), [int(b)]) for other in shared[1:] for a, b in zip(shared[0], other, strict=True)]
    own = sp.block_diag([table.relations.matrix for table in tables], format="csr")
    rows = sp.vstack([own, Relations.of(same, int(starts[-1])).matrix], format="csr")
    lower, upper = reader_bounds(np.concatenate(shown), reach)
    truth = counts_of(tables[0])
    cells = np.flatnonzero((truth == 1) | (truth == 2))
    return _judged(solved_intervals(rows, lower, upper, cells, outside(2))) if len(cells) else Undone(0, 0, 0)


def undone_by_method(material: CensusMaterial) -> dict[str, Undone]:
    """Attack one table under noise, additive noise and SAFE, and two smaller tables together."""
    tables = [material.tabled(by) for by in (ATTACKED, *LINKED)]
    alone, together = _section_5(material, tables[0]), {}
    for D in BOUNDS:
        noisy = [np.rint(material.perturbed(one, D).values).astype(np.int64) for one in tables]
        ways = {"noise": noisy, "additive": [material.restored(*pair, D) for pair in zip(tables, noisy, strict=True)]}
        for way, shown in ways.items():
            alone[f"{way} D={D}"] = undo_perturbation(tables[0].relations, counts_of(tables[0]), shown[0], reach=D)
            together[f"{way} D={D}, two tables"] = undo_together(tables[1:], shown[1:], reach=D)
    safe = [material.safe_counts(one) for one in tables]
    alone["SAFE"] = undo_perturbation(tables[0].relations, counts_of(tables[0]), safe[0], reach=material.largest)
    together["SAFE, two tables"] = undo_together(tables[1:], safe[1:], reach=material.largest)
    return {**alone, **together}


def _section_5(material: CensusMaterial, table: KeyedTable) -> dict[str, Undone]:
    """Attack noise as in the example of section 5: at most 2, and ones and twos may be shown."""
    truth = counts_of(table)
    made = CellKey(key=material.key, D=2, V=1.0, forbidden=()).protect(table, Unsafe.none(len(table)))
    noisy = np.rint(made.values).astype(np.int64)
    whole = AdditiveCounts(D=2, smallest=1).restore(table, noisy, seed=material.seed).values
    ways = {"noise D=2, small counts shown": noisy, "additive D=2, small counts shown": whole}
    return {way: undo_perturbation(table.relations, truth, shown, reach=2) for way, shown in ways.items()}


# --- by averages ---------------------------------------------------------------------------------------------------------

AVERAGES = (
    "noise: the cell itself",
    "noise: cell and sums of parts",
    "additive noise",
    "additive noise, to the noisy count",
    "adjusted without noise",
    "SAFE",
)


def averages(material: CensusMaterial, D: int = 3, splits: Sequence[str] = SPLITS) -> FloatArray:
    """Return (tables, ways): mean distance to the truth of the average over the first 1, 2, ... tables.

    The cells of one small table stand in several larger ones, each of which splits them by another variable. Under keys a
    cell is the same everywhere, so the attacker adds up its parts, and weighs the sum of m parts by 1 / m; additive tables
    have another count in each.
    """
    base = material.tabled(AVERAGED)
    truth = counts_of(base)
    there = truth > 0
    shown = material.perturbed(base, D)
    noisy = np.rint(shown.values).astype(np.int64)
    tables = [material.tabled((*AVERAGED, name)) for name in splits]
    perturbed = [material.perturbed(table, D) for table in tables]
    additive, plain = (np.zeros((len(splits), len(truth))) for _ in range(2))
    for t, (table, made) in enumerate(zip(tables, perturbed, strict=True)):
        own = _own_cells(table.codes, base.codes)
        additive[t] = material.restored(table, np.rint(made.values).astype(np.int64), D)[own]
        plain[t] = material.restored(table, counts_of(table), D)[own]
    number = np.arange(1, len(splits) + 1)[:, None]
    additive, plain = (np.cumsum(x, axis=0) / number for x in (additive, plain))
    parts = average_splits(shown, perturbed).estimates[1:]
    ways = (parts * 0 + noisy, parts, additive, additive, plain, parts * 0 + material.safe_counts(base))
    aims = (truth, truth, truth, noisy, truth, truth)
    return np.stack([np.abs(x - aim)[:, there].mean(axis=1) for x, aim in zip(ways, aims, strict=True)], axis=1)


def _own_cells(codes: IntArray, base: IntArray) -> IntArray:
    """Return where each cell of a small table stands in a larger one."""
    place = {tuple(code): i for i, code in enumerate(base.tolist())}
    own = np.empty(len(base), np.int64)
    for i in np.flatnonzero(codes[:, -1] == 0).tolist():
        own[place[tuple(codes[i, :-1].tolist())]] = i
    return own


# --- by differences ------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class RegionDifferences:
    """True counts of regions, and the differences of tables with and without them.

    Parameters
    ----------
    truth, found
        (n,): for every cell of every region.
    """

    truth: IntArray = field(repr=False)
    found: IntArray = field(repr=False)

    @property
    def exact_small(self) -> float:
        """Percentage of the ones and twos that the difference shows as they are."""
        here = np.isin(self.truth, (1, 2))
        return 100 * float((self.found == self.truth)[here].mean()) if here.any() else 0.0

    @property
    def empty_told(self) -> float:
        """Percentage of right guesses of a reader who takes a difference of 0 for an empty cell."""
        here = self.found == 0
        return 100 * float((self.truth == 0)[here].mean()) if here.any() else 0.0

    @property
    def empty(self) -> float:
        """Percentage of the cells that are empty: right guesses without looking."""
        return 100 * float((self.truth == 0).mean())

    @property
    def mean(self) -> float:
        """Mean distance of the difference to the truth, over cells that somebody is in."""
        there = self.truth > 0
        return float(np.abs(self.found - self.truth)[there].mean()) if there.any() else 0.0


def differences(material: CensusMaterial, D: int = 3, regions: int = _LEFT_OUT) -> dict[str, RegionDifferences]:
    """Subtract tables without one region from the table of all, under every method."""
    whole = material.tabled(DIFFERENCED)
    there, masked_there = (data.codes("municipality") for data in (material.original, material.masked))
    shown, truth = _published(material, whole, D), []
    found: dict[str, list[IntArray]] = {way: [] for way in (*shown, "SAFE")}
    for name in there.categories[:regions]:
        rest = material.tabled(DIFFERENCED, material.original.take(_without(there, name)))
        truth.append(counts_of(whole) - counts_of(rest))
        for way, counts in _published(material, rest, D).items():
            found[way].append(shown[way] - counts)
        left = material.masked.take(_without(masked_there, name))
        found["SAFE"].append(material.safe_counts(whole) - counts_of(tabulate(left, whole.dimensions)))
    return {way: RegionDifferences(np.concatenate(truth), np.concatenate(parts)) for way, parts in found.items()}


def _published(material: CensusMaterial, table: KeyedTable, D: int) -> dict[str, IntArray]:
    """Return the counts of a table under noise of both designs, before and after additivity."""
    found = {}
    for design in DESIGNS:
        words = design.replace("_", " ")
        noisy = np.rint(material.perturbed(table, D, design=design).values).astype(np.int64)
        found[f"noise, {words}"] = noisy
        found[f"additive noise, {words}"] = material.restored(table, noisy, D)
    return found


def _without(region: Codes, name: object) -> IntArray:
    """Return the records of all regions but one."""
    place = region.categories.index(name) if name in region.categories else -1
    return np.flatnonzero(region.values != place).astype(np.int64)
