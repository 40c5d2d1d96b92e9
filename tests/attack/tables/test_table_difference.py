"""Differences of tables: exact counts of two geographies give single persons, keyed noise does not."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import scipy.sparse as sp

from tacita.attack import TableDifference, TableTarget, attack_once
from tacita.attack.judge.answers import Answers


def geographies(seed: int, noise: int = 0) -> tuple[TableTarget, Answers]:
    """Return municipalities, the squares that lie wholly in each, and what is left of each at its border."""
    rng = np.random.default_rng(seed)
    areas, squares = 60, 4
    left = rng.integers(0, 4, areas).astype(float)
    inside = rng.integers(5, 60, (areas, squares)).astype(float)
    whole = inside.sum(1) + left
    values = np.concatenate([whole, inside.ravel(), left])
    rows = sp.lil_matrix((areas, len(values)))
    for i in range(areas):
        rows[i, i] = 1.0
        rows[i, areas + squares * i + np.arange(squares)] = -1.0
        rows[i, areas * (1 + squares) + i] = -1.0
    shown = values + (rng.integers(-noise, noise + 1, len(values)) if noise else 0)
    wanted = np.arange(areas * (1 + squares), len(values))
    shown[wanted] = np.nan
    target = TableTarget(
        relations=sp.csr_matrix(rows),
        shown=shown,
        wanted=wanted,
        lower=np.zeros(len(values)),
        upper=np.full(len(values), np.inf),
        reach=float(noise) if noise else None,
        holds_sums=not noise,
        is_count=True,
    )
    return target, Answers(truth={"cell": left}, near=0.0)


def test_true_counts_of_two_geographies_are_broken() -> None:
    found = attack_once(TableDifference(), *geographies(1), seed=1)
    assert (found.standing, found.success) == ("broken", 1.0)
    assert found.sure_right == 60
    assert found.figures["cells_used"] == 5.0


def test_keyed_noise_holds() -> None:
    found = attack_once(TableDifference(), *geographies(1, noise=4), seed=1)
    assert found.standing == "held"
    assert found.sure == 0


def test_cells_that_hang_together_are_subtracted_from_each_other() -> None:
    rows = sp.csr_matrix([[1.0, 0, -1, -1, 0], [0, 1.0, 0, -1, -1]])
    target = TableTarget(
        relations=rows,
        shown=np.array([10.0, 12.0, 4.0, np.nan, np.nan]),
        wanted=np.array([4, 3]),
        lower=np.zeros(5),
        upper=np.full(5, np.inf),
    )
    said = TableDifference().run(target, np.random.default_rng(1))[0]
    assert said.said.tolist() == [6.0, 6.0]
    unknown = replace(target, shown=np.array([10.0, 12.0, np.nan, np.nan, np.nan]))
    assert np.isnan(TableDifference().run(unknown, np.random.default_rng(1))[0].said).all()


def test_what_it_declines_and_nobody() -> None:
    target, answers = geographies(2)
    assert TableDifference().declined(replace(target, shown=np.zeros(len(target.shown))))
    assert TableDifference().declined("")
    empty = np.zeros(0, np.int64)
    assert attack_once(TableDifference(), target.among(empty), answers.among(empty), seed=1).standing == "not run"
    assert TableDifference().cost(target) > TableDifference().cost(target.among(np.arange(3))) > 0
