"""The search on the score itself: it returns the best file that it measured; risk below the start is a gain only where wanted."""

from __future__ import annotations

import numpy as np
import pytest

from tacita.compare.optimise.post_masking import StopLimits
from tacita.compare.optimise.primed_score import score_parts
from tacita.compare.optimise.score_search import search_for_score
from tests.compare.optimise.tasks import noisy_task


@pytest.mark.parametrize("rewards", [False, True])
def test_the_score_falls(rewards: bool) -> None:
    task = noisy_task(60)
    before = score_parts(task.x, task.y, known=2, nearest=task.nearest)
    found = search_for_score(
        task, StopLimits(None, 20_000, None), step=1.0, words_seed=2, rewards_lower_risk=rewards, before=before
    )
    after = score_parts(task.x, found.values, known=2, nearest=task.nearest_of(found.values))
    floors = (0.0, 0.0) if rewards else (before.dld, before.rid)
    charged = 0.5 * after.il + 0.25 * max(after.dld, floors[0]) + 0.25 * max(after.rid, floors[1])
    assert charged < before.score
    assert (found.values[~task.movable] == task.y[~task.movable]).all()
    assert found.stopped in ("no further improvement", "step limit")


def test_without_time_the_file_stays() -> None:
    task = noisy_task(60)
    before = score_parts(task.x, task.y, known=2, nearest=task.nearest)
    found = search_for_score(
        task, StopLimits(None, 20_000, 0.0), step=1.0, words_seed=2, rewards_lower_risk=False, before=before
    )
    assert (found.stopped, found.steps) == ("time limit", 0)
    np.testing.assert_array_equal(found.values, task.y)
