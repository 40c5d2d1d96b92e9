"""Score' and its parts against the obvious versions."""

from __future__ import annotations

import numpy as np
import pytest

from tacita.compare.optimise.primed_score import score_parts
from tests.compare.optimise.tasks import noisy_task
from tests.oracles.compare import post_masking as oracle


def test_parts_are_those_of_the_expressions() -> None:
    task = noisy_task(30)
    x, y = task.x.tolist(), task.y.tolist()
    own = np.arange(30), np.arange(30)
    found = score_parts(task.x, task.y, known=2, nearest=task.nearest, own=own)
    assert found.il1 == pytest.approx(oracle.il1(x, y))  # (5.2)
    assert found.e == pytest.approx(oracle.moment_error(oracle.standardised(x, x), oracle.standardised(y, x)))  # (5.3)
    assert found.score == pytest.approx(0.5 * found.il + 0.25 * found.dld + 0.25 * found.rid)  # (5.1)
    assert found.il == pytest.approx(sum(found.losses.values()) / 5)
    assert found.losses["values"] == pytest.approx(100 * found.il1)


def test_linkage_counts_the_nearest_original_over_growing_knowledge() -> None:
    task = noisy_task(30)
    zx, zy = task.standard(task.x), task.standard(task.y)
    shares = []
    for m in (1, 2):
        distance = ((zy[:, None, :m] - zx[None, :, :m]) ** 2).sum(axis=2)
        shares.append(np.mean(distance.argmin(axis=1) == task.nearest))
    found = score_parts(task.x, task.y, known=2, nearest=task.nearest)
    assert found.dld == pytest.approx(100 * np.mean(shares))
    assert found.paired_dld is None
    assert found.paired_rid is None


def test_an_unchanged_file_loses_nothing_and_is_found() -> None:
    task = noisy_task(30)
    found = score_parts(task.x, task.x, known=3, nearest=np.arange(30))
    assert (found.e, found.il1, found.dld) == (0.0, 0.0, 100.0)
    assert found.il == pytest.approx(0.0, abs=1e-9)
    assert found.rid == 100.0
