"""What the census study compares: one register, its test table under noise and additive noise, and its file under SAFE."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from tacita.core.arrays import IntArray
from tacita.core.keyed import Key
from tacita.core.streams import Seed, Streams
from tacita.data.microdata import Microdata
from tacita.data.samples.census import census_register
from tacita.mask.safe.safe import Safe
from tacita.mask.safe.safe_certificate import certify_safe
from tacita.tables.additive.additive_counts import AdditiveCounts
from tacita.tables.model.dimension import Dimension
from tacita.tables.model.table import Table
from tacita.tables.model.tabulate import tabulate
from tacita.tables.perturbation.cell_key import CellKey
from tacita.tables.perturbation.keyed_table import KeyedTable, keyed_table
from tacita.tables.protect.protected import Protected
from tacita.tables.rules.unsafe import Unsafe

__all__ = ["BOUNDS", "DESIGNS", "VARIABLES", "VARIANCE", "CensusMaterial", "NoisyTable", "counts_of", "make_material"]

VARIABLES = ("sex", "marital", "education", "birth_country", "age", "municipality")
"""The variables of the file that SAFE masks; the paper has six, too."""
TEST = ("municipality", "age", "sex")
"""The test table of three dimensions."""
BOUNDS = (3, 4, 5)
DESIGNS = ("published", "maximum_entropy")
VARIANCE = 2.0
_PERSONS_A_REGION, _FEWEST_REGIONS = 500, 6
_CELL_TRIES = 120_000_000
_MOST_SWEEPS = 3000
"""Work of SAFE: so many visits of combinations, at most 3000 of each."""


@dataclass(frozen=True, eq=False)
class NoisyTable:
    """A table under noise, and with its sums restored.

    Parameters
    ----------
    protected
        The noise alone.
    noisy, additive
        (n,): published counts before and after additivity.
    sums_off
        How many sums do not hold after additivity.
    notes
        What restoring had to give up.
    """

    protected: Protected = field(repr=False)
    noisy: IntArray = field(repr=False)
    additive: IntArray = field(repr=False)
    sums_off: int
    notes: tuple[str, ...]


@dataclass(frozen=True, eq=False)
class CensusMaterial:
    """One register and what was made of it.

    Parameters
    ----------
    original
        The register.
    masked
        Its six variables under SAFE.
    largest
        Largest deviation of SAFE in controlled tables, which is published.
    is_safe
        Whether no combination has one or two records, counted again.
    key
        The key of the noise: made of the seed, so that a study repeats; no key for a census.
    table, safe
        The test table, and its counts under SAFE.
    noisy
        By design and D.
    """

    original: Microdata = field(repr=False)
    masked: Microdata = field(repr=False)
    largest: int
    is_safe: bool
    key: Key
    seed: Seed
    table: KeyedTable = field(repr=False)
    safe: IntArray = field(repr=False)
    noisy: dict[tuple[str, int], NoisyTable] = field(repr=False)

    @property
    def truth(self) -> IntArray:
        """(n,): true counts of the test table."""
        return counts_of(self.table)

    def tabled(self, by: Sequence[str], data: Microdata | None = None) -> KeyedTable:
        """Count a table whose dimensions are flat; of other records with the same codes where they are given."""
        dimensions = flat_dimensions(self.original, by)
        return keyed_table(self.original if data is None else data, dimensions, key=self.key, identity="person_id")

    def safe_counts(self, table: Table) -> IntArray:
        """Count a table of the file under SAFE."""
        return counts_of(tabulate(self.masked, table.dimensions))

    def perturbed(self, table: KeyedTable, D: int, *, design: str = "published") -> Protected:
        """Add noise to a table."""
        return perturb(table, self.key, D, design)

    def restored(self, table: KeyedTable, noisy: IntArray, D: int) -> IntArray:
        """Restore the sums of a table."""
        return AdditiveCounts(D=D).restore(table, noisy, seed=self.seed).values


def counts_of(table: Table) -> IntArray:
    """Return the counts of a table as whole numbers."""
    return np.rint(table.values).astype(np.int64)


def flat_dimensions(data: Microdata, by: Sequence[str]) -> tuple[Dimension, ...]:
    """Return the categories of columns under one total each: SAFE controls no level of a hierarchy unless it is told."""
    return tuple(Dimension.flat(name, tabulate(data, [name]).dimensions[0].leaves) for name in by)


def perturb(table: KeyedTable, key: Key, D: int, design: str) -> Protected:
    """Add noise by cell keys with a variance of 2."""
    made = CellKey(key=key, D=D, V=VARIANCE, design="published" if design == "published" else "maximum_entropy")
    return made.protect(table, Unsafe.none(len(table)))


def make_material(persons: int, seed: Seed) -> CensusMaterial:
    """Draw a register, mask it by SAFE, and make its test table noisy and additive for every design and D.

    Parameters
    ----------
    persons
        Size of the register; a municipality has 500 on average.
    seed
        Of the register, the key, SAFE and the restoring of sums.
    """
    regions = max(persons // _PERSONS_A_REGION, _FEWEST_REGIONS)
    original = census_register(persons, seed=seed, regions=regions)
    key = Key(Streams(seed).stream("study", "census", "key").bytes(32))
    variables = original.select(VARIABLES)
    mask = Safe(columns=VARIABLES, crossings=3, sweeps=max(min(_CELL_TRIES // persons, _MOST_SWEEPS), 100))
    masked = mask.apply(variables, seed=seed)
    found = certify_safe(variables, masked, mask)
    table = keyed_table(original, flat_dimensions(original, TEST), key=key, identity="person_id")
    return CensusMaterial(
        original=original,
        masked=masked,
        largest=found.largest,
        is_safe=found.is_safe and found.is_total_kept,
        key=key,
        seed=seed,
        table=table,
        safe=counts_of(tabulate(masked, table.dimensions)),
        noisy={(design, D): _noisy(table, key, D, design, seed) for design in DESIGNS for D in BOUNDS},
    )


def _noisy(table: KeyedTable, key: Key, D: int, design: str, seed: Seed) -> NoisyTable:
    protected = perturb(table, key, D, design)
    noisy = np.rint(protected.values).astype(np.int64)
    made = AdditiveCounts(D=D).restore(table, noisy, seed=seed)
    off = table.relations.violated(made.values.astype(np.float64))
    return NoisyTable(protected, noisy, made.values, len(off), made.notes)
