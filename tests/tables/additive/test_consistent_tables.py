"""Consistent and additive at once: deviations at every level, exact totals, one count for one cell; the price of both."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pytest

import tacita as tc
from tacita.core.errors import DataError, ParameterError
from tacita.core.keyed import Key
from tacita.tables.additive.additive_counts import AdditiveCounts
from tacita.tables.additive.consistency import consistency
from tacita.tables.additive.consistent_tables import ConsistentTables
from tacita.tables.additive.declared_set import DeclaredSet, declare
from tests.tables.additive.examples import noisy_counts

KEY = Key(bytes(range(3, 67, 2)))
TABLES = [["municipality", "age"], ["municipality", "sex", "marital"], ["sex", "birth_country"]]


@pytest.fixture(scope="module")
def declared() -> DeclaredSet:
    return declare(tc.samples.census_register(6000, seed=1, regions=30), TABLES)


def parts(declared: DeclaredSet, **noise: float) -> list[np.ndarray]:
    noisy = noisy_counts(declared.counts, **noise)  # type: ignore[arg-type]
    return [noisy[place] for place in declared.places]


def test_every_level_is_near_its_noise(declared: DeclaredSet) -> None:
    noisy = parts(declared, D=3, V=1.0, smallest=1)
    made = ConsistentTables(D=3).restore(declared, noisy, seed=1)
    facts = made.summary()
    assert facts["total_is_exact"]
    assert facts["largest"] <= 4
    assert max(facts["mean_by_crossing"].values()) <= 1.1
    assert all(level.mean <= 1.1 for level in made.levels()), "levels of few cells too"
    assert not made.notes
    assert facts["largest_mean_of_a_level"] == max(level.mean for level in made.levels())
    assert all(proof.is_within for proof in made.proofs)
    assert all(level.kept < 0.7 for level in made.levels() if level.cells > 30), "it does not stay at the truth"
    assert facts["mean"] <= facts["mean_of_noise"] + 0.2
    seen = consistency(made.tables)
    assert seen.cells > 0
    assert seen.differ == 0


def keyed_noise(data: tc.Microdata, declared: DeclaredSet, **noise: object) -> list[np.ndarray]:
    """Noise by real keys, of the cells of each table as they stand in it."""
    method = tc.tables.CellKey(key=KEY, **noise)  # type: ignore[arg-type]
    made = [
        tc.tables.keyed_table(data, list(table.dimensions), key=KEY, identity="person_id", empties=False)
        for table in declared.tables
    ]
    return [np.rint(method.perturbed(one)).astype(np.int64) for one in made]


def test_levels_of_few_cells_are_pulled() -> None:
    """By real keys and the paper's matrix: without pulls some levels are further than 1.1, with pulls none is."""
    data = tc.samples.census_register(12_000, seed=1, regions=12)
    declared = declare(data, TABLES)
    noisy = keyed_noise(data, declared, D=3, V=2.0, design="published")
    free, pulled = (
        ConsistentTables(D=3, smallest=3, level_mean=mean).restore(declared, noisy, seed=2) for mean in (None, 1.1)
    )
    assert free.summary()["largest_mean_of_a_level"] > 1.1
    assert pulled.summary()["largest_mean_of_a_level"] <= 1.1
    assert not pulled.notes
    assert pulled.summary()["largest"] <= 4
    assert not np.isin(pulled.values, [1, 2]).any()
    assert all(level.least <= level.mean + 1e-9 for level in pulled.levels())


def test_levels_that_stay_above_are_named() -> None:
    """A square of ones that may not be shown: two of three become 0 and one becomes 3, which is 4/3 and not less."""
    rows = [(f"r{place // 6}", f"c{place % 6}") for place in range(36)]
    data = tc.Microdata.from_frame(pa.table({"row": [r for r, _ in rows], "column": [c for _, c in rows]}))
    declared = declare(data, [["row", "column"]])
    made = ConsistentTables(D=3, smallest=3).restore(declared, lambda table: table.counts, seed=1)
    level = next(level for level in made.levels() if level.level == "row x column")
    assert level.least == pytest.approx(4 / 3)
    assert level.mean >= level.least - 1e-9
    assert any("above 1.1: row x column" in note for note in made.notes)


@pytest.mark.slow
@pytest.mark.parametrize("design", ["published", "maximum_entropy"])
def test_a_census_of_57_000_cells(design: str) -> None:
    data = tc.samples.census_register(250_000, seed=1, regions=165)
    tables = [
        ["municipality", "age", "sex"],
        ["municipality", "birth_country"],
        ["municipality", "marital", "sex"],
        ["age", "marital", "sex"],
    ]
    declared = declare(data, tables)
    noisy = keyed_noise(data, declared, D=3, V=2.0, design=design)
    made = ConsistentTables(D=3, smallest=3).restore(declared, noisy, seed=1)
    facts = made.summary()
    assert facts["cells"] > 57_000
    assert facts["largest_mean_of_a_level"] <= 1.1
    assert facts["largest"] <= 4
    assert facts["total_is_exact"]
    assert all(proof.is_within for proof in made.proofs)
    assert consistency(made.tables).differ == 0


def test_additivity_alone_is_not_consistent(declared: DeclaredSet) -> None:
    """Each table on its own is as near, and what is one cell gets several counts."""
    noisy = parts(declared, D=3, V=1.0, smallest=1)
    alone = [
        AdditiveCounts(D=3, smallest=1, sweeps=150).restore(table, part, seed=number)
        for number, (table, part) in enumerate(zip(declared.tables, noisy, strict=True))
    ]
    seen = consistency([made.to_table() for made in alone])
    assert seen.differ > 0.2 * seen.cells
    assert all(made.proof.is_within for made in alone)


def test_no_small_counts(declared: DeclaredSet) -> None:
    made = ConsistentTables(D=3, smallest=3).restore(declared, parts(declared), seed=1)
    assert not np.isin(made.values, [1, 2]).any()
    assert all(proof.holds for proof in made.proofs)
    assert made.summary()["largest"] <= 4 or made.notes


def test_levels_fixed_by_law_stay(declared: DeclaredSet) -> None:
    made = ConsistentTables(D=3, sweeps=20).restore(
        declared, parts(declared, D=3, V=1.0, smallest=1), seed=1, fixed=["municipality", "sex"]
    )
    for level in ("Total", "municipality", "sex"):
        cells = declared.levels[level]
        assert np.array_equal(made.values[cells], declared.counts[cells])
    with pytest.raises(ParameterError, match="'fixed' must name levels"):
        ConsistentTables().restore(declared, parts(declared), seed=1, fixed=["shoe"])


def test_a_seed_repeats(declared: DeclaredSet) -> None:
    noisy = parts(declared, D=3, V=1.0, smallest=1)
    one, again, other = (ConsistentTables(sweeps=20).restore(declared, noisy, seed=s).values for s in (1, 1, 2))
    assert np.array_equal(one, again)
    assert not np.array_equal(one, other)


def test_bad_input_is_refused(declared: DeclaredSet) -> None:
    with pytest.raises(ParameterError, match="'smallest' must be at most"):
        ConsistentTables(D=1, slack=0, smallest=3)
    with pytest.raises(ParameterError, match="'D' must be"):
        ConsistentTables(D=0)
    rng = np.random.default_rng(1)
    with pytest.raises(DataError, match="different noisy counts"):
        ConsistentTables().restore(declared, lambda table: table.counts + rng.integers(0, 2, len(table)), seed=1)
    tiny = declare(tc.samples.person_register(2, seed=1), [["sex"]])
    with pytest.raises(DataError, match="no tables with the 'fixed' counts"):
        ConsistentTables(smallest=3).restore(tiny, lambda table: table.counts, seed=1)
