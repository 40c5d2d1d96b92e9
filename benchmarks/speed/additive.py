"""Additive counts at the size of a census: one table against the paper's figures, and a declared set of tables.

    python -m benchmarks.speed.additive

Prints deviations, which a seed repeats, and the time of the search as a ratio to that of tabulating the same records.
"""

from __future__ import annotations

import time

import numpy as np

import tacita as tc
from tacita.numeric.perturbation.noise_table import noise_from_table, noise_table
from tacita.tables.additive.additive_counts import AdditiveCounts
from tacita.tables.additive.consistency import consistency
from tacita.tables.additive.consistent_tables import ConsistentTables
from tacita.tables.additive.declared_set import declare

__all__ = ["main"]

PAPER = {3: 0.10, 4: 0.16, 5: 0.16}
"""By how much additivity raised the mean deviation in the paper."""
SET = [
    ["municipality", "age", "sex"],
    ["municipality", "birth_country"],
    ["municipality", "marital", "sex"],
    ["age", "marital", "sex"],
]


def _noisy(counts: np.ndarray, bound: int, variance: float, smallest: int) -> np.ndarray:
    uniforms = np.random.default_rng(5).random(len(counts))
    return np.asarray(counts + noise_from_table(noise_table(bound, variance, smallest=smallest), counts, uniforms))


def one_table() -> None:
    """Municipality by age by country of birth, all non-zero cells, no ones and no twos."""
    data = tc.samples.census_register(57_000, seed=1, regions=30)
    begin = time.process_time()
    table = tc.tabulate(data, ["municipality", "age", "birth_country"], empties=False, holding=False)
    base = time.process_time() - begin
    print(f"one table: {len(table)} cells that somebody is in")
    for bound, allowed in PAPER.items():
        begin = time.process_time()
        made = AdditiveCounts(D=bound).restore(table, _noisy(table.counts, bound, 2.0, 3), seed=1)
        seconds = time.process_time() - begin
        print(
            f"  D = {bound}: mean {made.mean_before:.3f} -> {made.proof.mean:.3f} ({made.raised_by:+.3f}, paper +{allowed:.2f}), "
            f"largest {made.proof.largest}, {made.proof.words()}; {seconds:.1f} s, {seconds / base:.0f} times tabulating"
        )


def a_set() -> None:
    """Four tables, consistent and additive at once, against noise alone and additivity alone."""
    data = tc.samples.census_register(250_000, seed=1, regions=165)
    begin = time.process_time()
    declared = declare(data, SET)
    base = time.process_time() - begin
    print(f"declared set: {len(declared)} cells, {len(declared.elementary)} elementary")
    for bound, variance, smallest in ((3, 1.0, 1), (3, 2.0, 3)):
        noisy = _noisy(declared.counts, bound, variance, smallest)
        parts = [noisy[place] for place in declared.places]
        begin = time.process_time()
        made = ConsistentTables(D=bound, smallest=smallest).restore(declared, parts, seed=1)
        seconds = time.process_time() - begin
        facts = made.summary()
        crossed = ", ".join(f"{number}: {mean:.2f}" for number, mean in facts["mean_by_crossing"].items())
        print(
            f"  smallest {smallest}: mean {facts['mean_of_noise']:.3f} -> {facts['mean']:.3f} (by variables crossed {crossed}), "
            f"largest {facts['largest']}, total exact: {facts['total_is_exact']}, {len(made.notes)} notes; "
            f"{seconds:.1f} s, {seconds / base:.0f} times tabulating"
        )
        alone = [
            AdditiveCounts(D=bound, smallest=smallest, sweeps=150).restore(table, part, seed=1)
            for table, part in zip(declared.tables, parts, strict=True)
        ]
        seen = consistency([each.to_table() for each in alone])
        mean = np.average([each.proof.mean for each in alone], weights=[len(each.table) for each in alone])
        print(f"    one by one: mean {mean:.3f}, {seen.differ} of {seen.cells} shared cells differ; together: 0 differ")


def main() -> None:
    """Run both."""
    one_table()
    a_set()


if __name__ == "__main__":
    main()
