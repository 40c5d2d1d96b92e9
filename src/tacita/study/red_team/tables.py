"""Scenes of tables: suppression that forgets somebody, noise and rounding that sums undo, differences of geographies."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np

from tacita.attack.judge.answers import Answers
from tacita.attack.tables import BoundedNoise, FittedCounts, HiddenCells, RoundedCells, TableDifference
from tacita.attack.targets import TableTarget
from tacita.compare.red_team.stage_counts import stage_counts
from tacita.compare.red_team.stage_table import published_cells, stage_table
from tacita.core.arrays import FloatArray, IntArray
from tacita.core.keyed import Key
from tacita.data.samples.census import census_register
from tacita.data.samples.made import file_of_columns
from tacita.mask.safe.safe import Safe
from tacita.study.census_material import flat_dimensions
from tacita.study.red_team.scene import Scene
from tacita.tables.additive.additive_counts import AdditiveCounts
from tacita.tables.additive.consistent_tables import ConsistentTables
from tacita.tables.additive.declared_set import declare
from tacita.tables.model.table import Table
from tacita.tables.model.tabulate import tabulate
from tacita.tables.perturbation.cell_key import CellKey
from tacita.tables.perturbation.keyed_table import keyed_table
from tacita.tables.protect.protector import Protector
from tacita.tables.rounding.round import Round
from tacita.tables.rules.minimum_frequency import MinimumFrequency
from tacita.tables.rules.p_percent import PPercent
from tacita.tables.rules.unsafe import Unsafe
from tacita.tables.suppression.suppress import Suppress

__all__ = ["SCENES", "firms_of_regions", "small_counts"]

_KEY = Key(bytes(range(7, 71, 2)))


@cache
def firms_of_regions(seed: int, regions: int = 30) -> Table:
    """Return turnover by region and branch: in two branches of most regions one firm is nearly all there is."""
    rng = np.random.default_rng(seed)
    rows: list[tuple[str, str, float]] = []
    for region in range(regions):
        size = float(np.exp(rng.normal(6, 1.5)))
        second = (0.9, 0.01) if region % 3 else (0.5, 0.4, 0.4)
        for branch, firms in (("a", (1.0, 0.01)), ("b", second), ("c", (0.8, 0.8, 0.7, 0.7)), ("d", (0.5, 0.5, 0.4))):
            rows += [(f"r{region:02}", branch, round(size * share * rng.uniform(0.95, 1.05), 2)) for share in firms]
    columns = dict(zip(("region", "branch", "turnover"), map(list, zip(*rows, strict=True)), strict=True))
    return tabulate(file_of_columns(columns), ["region", "branch"], "turnover")


def _suppressed(seats: str, *, unsafe_only: bool = False) -> Any:
    def make(seed: int) -> tuple[TableTarget, Answers]:
        table = firms_of_regions(seed)
        made = published_cells(Suppress(seats=seats).protect(table, PPercent(p=10).judge(table)))  # type: ignore[arg-type]
        return stage_table(replace(made, hidden=made.unsafe) if unsafe_only else made, near=0.1)

    return make


@cache
def small_counts(seed: int, people: int = 500) -> Table:
    """Return counts of people by town and sex and illness: most cells are small."""
    rng = np.random.default_rng(seed)
    columns = {
        "town": [f"t{i:03}" for i in rng.integers(0, 120, people)],
        "ill": [("no", "yes")[i] for i in rng.integers(0, 2, people)],
        "sex": [("f", "m")[i] for i in rng.integers(0, 2, people)],
    }
    return tabulate(file_of_columns(columns), ["town", "ill", "sex"])


def _changed(protector: Protector) -> Any:
    """Return a scene of counts that a protector changed: ones and twos are wanted, and are known where one number is left."""

    def make(seed: int) -> tuple[TableTarget, Answers]:
        table = small_counts(seed)
        made = protector.protect(table, MinimumFrequency(at_least=3).judge(table))
        return stage_table(published_cells(made), near=0.0)

    return make


def _keyed(protector: CellKey, *, is_additive: bool = False) -> Any:
    """Return a scene of counts with keyed noise, perhaps made additive afterwards."""

    def make(seed: int) -> tuple[TableTarget, Answers]:
        table = small_counts(seed)
        made = protector.protect(table, MinimumFrequency(at_least=3).judge(table))
        cells = published_cells(made)
        if is_additive:
            noisy = np.rint(made.values).astype(np.int64)
            restored = AdditiveCounts(sweeps=100).restore(table, noisy, seed=seed)
            cells = replace(cells, values=np.asarray(restored.values, np.float64), reach=float(AdditiveCounts().D))
        return stage_table(cells, near=0.0)

    return make


def _geographies(noise: int) -> Any:
    """Return municipalities, the squares that lie wholly in each, and what is left of each at its border."""

    def make(seed: int) -> tuple[TableTarget, Answers]:
        import scipy.sparse as sp

        rng = np.random.default_rng(seed)
        areas, squares = 200, 4
        left = rng.integers(0, 4, areas).astype(np.float64)
        inside = rng.integers(5, 60, (areas, squares)).astype(np.float64)
        values: FloatArray = np.concatenate([inside.sum(1) + left, inside.ravel(), left])
        whole, parts = sp.identity(areas), sp.kron(sp.identity(areas), np.ones((1, squares)))
        shown = values + rng.integers(-noise, noise + 1, len(values))
        shown[-areas:] = np.nan
        target = TableTarget(
            relations=sp.csr_matrix(sp.hstack([whole, -parts, -whole])),
            shown=shown,
            wanted=np.arange(len(values) - areas, len(values)),
            lower=np.zeros(len(values)),
            upper=np.full(len(values), np.inf),
            reach=float(noise) if noise else None,
            holds_sums=not noise,
            is_count=True,
        )
        return target, Answers(truth={"cell": left}, near=0.0)

    return make


_SPLITS = ("sex", "tenure", "dwelling_kind", "household_position", "built", "household_size", "education", "rooms")
_SHARED = (("municipality", "marital"), *(("municipality", "marital", name) for name in _SPLITS))
"""Tables of a set: the first is split by another variable in each of the others."""


def _of_first(staged: tuple[TableTarget, Answers]) -> tuple[TableTarget, Answers]:
    """Return the scene with the cells as victims that a sum of every table makes."""
    target, answers = staged
    sums = np.diff(target.relations.tocsc().indptr)[target.wanted]
    chosen = np.flatnonzero(sums >= len(_SPLITS))
    told, chosen_answers = np.floor(target.shown[target.wanted[chosen]] + 0.5), answers.among(chosen)
    guess = float((told == chosen_answers.truth["cell"]).mean())  # whoever takes the published count as it is
    return target.among(chosen), replace(chosen_answers, baseline={"cell": guess})


def _set_of_counts(how: str) -> Any:
    """Return a scene of nine tables of a register, of which the first stands in all, under noise or counted under SAFE."""

    def make(seed: int) -> tuple[TableTarget, Answers]:
        people = census_register(2000, seed=seed, regions=5)
        dimensions = [flat_dimensions(people, by) for by in _SHARED]
        if how == "safe":
            data = Safe(columns=("municipality", "marital", *_SPLITS), crossings=3, sweeps=100).apply(people, seed=seed)
            true, shown = ([tabulate(file, by) for by in dimensions] for file in (people, data))
            most = max(int(np.abs(a.values - b.values).max()) for a, b in zip(shown, true, strict=True))
            return _of_first(stage_counts(shown, true, reaches=most, below=None))
        tables = [keyed_table(people, by, key=_KEY, identity="person_id") for by in dimensions]
        noise = CellKey(key=_KEY, D=6, V=5.0, design="maximum_entropy", forbidden=())
        made = [noise.protect(table, Unsafe.none(len(table))) for table in tables]
        if how == "keyed":
            return _of_first(stage_counts(made, tables, reaches=6, below=None))
        noisy = [np.rint(one.values).astype(np.int64) for one in made]
        told = {
            (t.dimensions[-1].name, t.labels(c)): n
            for t, part in zip(tables, noisy, strict=True)
            for c, n in enumerate(part)
        }

        def noise_of(table: Table) -> IntArray:
            return np.array(
                [told[table.dimensions[-1].name, table.labels(cell)] for cell in range(len(table))], np.int64
            )

        whole = ConsistentTables(D=6).restore(declare(people, dimensions), noise_of, seed=seed)
        reach = max(proof.largest for proof in whole.proofs)
        return _of_first(stage_counts(whole.tables, tables, reaches=reach, below=None))

    return make


SCENES: tuple[Scene, ...] = (
    Scene(
        attack=HiddenCells(),
        defence="the unsafe cells alone are hidden",
        weak=True,
        make=_suppressed("none", unsafe_only=True),
        why="A cell that is alone in its row follows from the total.",
    ),
    Scene(
        attack=HiddenCells(),
        defence="suppression against outsiders",
        weak=True,
        make=_suppressed("none"),
        why="A contributor bounds the cell of another by what he has himself.",
    ),
    Scene(
        attack=HiddenCells(),
        defence="suppression against outsiders and singletons",
        weak=True,
        make=_suppressed("singletons"),
        why="This is what other tools do; contributors who are alone nowhere still know floors.",
    ),
    Scene(
        attack=HiddenCells(),
        defence="suppression from every contributor's seat",
        weak=False,
        make=_suppressed("contributors"),
        why="The audit asks the rule's own condition from every seat.",
        is_default=True,
    ),
    Scene(
        attack=TableDifference(),
        defence="none: true counts of two geographies",
        weak=True,
        make=_geographies(0),
        why="A municipality less its squares is the few people at its border.",
    ),
    Scene(
        attack=TableDifference(),
        defence="noise of at most 4 in every cell",
        weak=False,
        make=_geographies(4),
        why="The noise of all cells of a difference adds up.",
    ),
    Scene(
        attack=BoundedNoise(),
        defence="cell keys with D = 1",
        weak=True,
        make=_keyed(CellKey(key=_KEY, D=1, V=0.5, forbidden=())),
        why="Noise of the totals contradicts that of the parts, which leaves one count for many.",
    ),
    Scene(
        attack=BoundedNoise(),
        defence="cell keys, D = 3",
        weak=False,
        make=_keyed(CellKey(key=_KEY)),
        why="A bound of 3 leaves several counts for every small cell of a table with few sums.",
        is_default=True,
    ),
    Scene(
        attack=BoundedNoise(),
        defence="cell keys, made additive within D = 3",
        weak=False,
        make=_keyed(CellKey(key=_KEY), is_additive=True),
        why="Sums hold, so that the counts shown are among those that are possible.",
        is_default=True,
    ),
    *(
        Scene(attack=attack, defence=words, weak=weak, make=_set_of_counts(how), why=why)
        for attack, words, weak, how, why in (
            (
                FittedCounts(),
                "nine tables with cell keys, D = 6 and variance 5",
                True,
                "keyed",
                "Each table splits the cells of the first in another way, and all sums are told of noise that does not add up.",
            ),
            (
                FittedCounts(),
                "a consistent set of nine tables",
                False,
                "consistent",
                "Counts that add up, and are the same in all tables, leave nothing to be averaged.",
            ),
            (
                FittedCounts(),
                "nine tables counted from one file under SAFE",
                False,
                "safe",
                "All tables are counted from one file, so that their sums say nothing.",
            ),
            (
                BoundedNoise(),
                "nine tables with cell keys, D = 6 and variance 5",
                False,
                "keyed",
                "A bound of 6 leaves many counts.",
            ),
        )
    ),
    Scene(
        attack=RoundedCells(),
        defence="each count to the nearest multiple of 3",
        weak=True,
        make=_changed(Round(base=3, kind_of="conventional")),
        why="A total that was rounded for itself says how its parts were rounded.",
    ),
    Scene(
        attack=RoundedCells(),
        defence="controlled rounding to base 5",
        weak=False,
        make=_changed(Round(base=5)),
        why="Totals are those of the rounded parts.",
        is_default=True,
    ),
)
