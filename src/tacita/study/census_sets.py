"""Several tables at once: which cells they share, and whether these agree; persons, households, dwellings and grid squares."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from tacita.core.arrays import IntArray
from tacita.core.keyed import Key
from tacita.core.streams import Seed
from tacita.data.microdata import Microdata
from tacita.data.samples.census import census_register
from tacita.tables.additive.additive_counts import AdditiveCounts
from tacita.tables.additive.consistency import consistency
from tacita.tables.additive.consistent_tables import ConsistentTables
from tacita.tables.additive.declared_set import DeclaredSet, declare
from tacita.tables.model.table import Table
from tacita.tables.perturbation.cell_key import CellKey
from tacita.tables.perturbation.keyed_table import keyed_table

__all__ = ["SETS", "SetFigures", "set_figures"]

SETS: dict[str, tuple[str, str, tuple[tuple[str, ...], ...]]] = {
    "persons": (
        "person",
        "person_id",
        (("municipality", "sex"), ("municipality", "marital"), ("age", "sex"), ("birth_country", "sex", "marital")),
    ),
    "persons, with grid squares": ("person", "person_id", (("municipality", "sex"), ("grid", "sex"))),
    "households": (
        "household",
        "household_id",
        (("municipality", "household_size"), ("tenure", "household_size"), ("municipality", "tenure")),
    ),
    "dwellings": (
        "dwelling",
        "dwelling_id",
        (("municipality", "dwelling_kind"), ("dwelling_kind", "rooms", "built"), ("municipality", "rooms")),
    ),
}
"""Sets of tables: what a record is, who it is, and the tables. Municipalities stand in districts and provinces."""
D = 3


@dataclass(frozen=True)
class SetFigures:
    """What one way makes of one set of tables.

    Parameters
    ----------
    name, way
        The set, and how it was protected.
    cells
        Cells of all tables that somebody is in, those that tables share once.
    mean, largest
        Mean and largest deviation of the counts of all tables.
    level
        Largest mean deviation of a level, which is a choice of variables that are crossed.
    shared, differ
        Cells that stand in several tables, and those of them whose counts are not the same everywhere.
    sums_off
        Sums that do not hold.
    small
        Ones and twos that are shown.
    """

    name: str
    way: str
    cells: int
    mean: float
    largest: int
    level: float
    shared: int
    differ: int
    sums_off: int
    small: int


def set_figures(persons: int, regions: int, key: Key, seed: Seed) -> list[SetFigures]:
    """Draw a register with its regions in a hierarchy, and publish every set by noise, additive noise, and both at once.

    Parameters
    ----------
    persons, regions
        Size of the register, and its number of municipalities, up to 10 000.
    key, seed
        Of the noise, and of the register and the restoring of sums.
    """
    register = census_register(persons, seed=seed, regions=regions)
    found = []
    for name, (unit, identity, tables) in SETS.items():
        data = _one_each(register, identity)
        declared = declare(data, tables)
        noisy = [_noise(data, table, key, unit, identity) for table in declared.tables]
        alone = [
            AdditiveCounts(D=D, sweeps=200).restore(table, part, seed=seed).values
            for table, part in zip(declared.tables, noisy, strict=True)
        ]
        both = ConsistentTables(D=D, smallest=3).restore(declared, noisy, seed=seed).values
        together = [both[place] for place in declared.places]
        ways = {"noise": noisy, "additive, one by one": alone, "additive and consistent": together}
        found += [_figures(name, way, declared, shown) for way, shown in ways.items()]
    return found


def _one_each(register: Microdata, identity: str) -> Microdata:
    """Return the first record of every household or dwelling: what is counted is the unit, and not its members."""
    numbers = register.codes(identity).values
    return register.take(np.sort(np.unique(numbers, return_index=True)[1]).astype(np.int64))


def _noise(data: Microdata, table: Table, key: Key, unit: str, identity: str) -> IntArray:
    keyed = keyed_table(data, list(table.dimensions), key=key, identity=identity, unit=unit, empties=False)
    made = CellKey(key=key, D=D, V=2.0, design="published").perturbed(keyed)
    return np.rint(made).astype(np.int64)


def _figures(name: str, way: str, declared: DeclaredSet, shown: Sequence[IntArray]) -> SetFigures:
    """Count again from the published tables alone; a cell that differs counts in each of its tables."""
    tables = [table.with_values(part.astype(np.float64)) for table, part in zip(declared.tables, shown, strict=True)]
    seen = consistency(tables)
    off = np.concatenate(
        [np.abs(part - declared.counts[place]) for part, place in zip(shown, declared.places, strict=True)]
    )
    at = np.concatenate(declared.places)
    level = np.zeros(len(declared), np.int64)
    for number, cells in enumerate(declared.levels.values()):
        level[cells] = number
    means = np.bincount(level[at], off) / np.maximum(np.bincount(level[at]), 1)
    return SetFigures(
        name,
        way,
        len(declared),
        float(off.mean()),
        int(off.max()),
        float(means.max()),
        seen.cells,
        seen.differ,
        sum(len(table.relations.violated(table.values)) for table in tables),
        int(sum(np.isin(part, (1, 2)).sum() for part in shown)),
    )
