"""Hill climbing and gradients: E falls, IL1' comes to its band, what may not change stays, and bad targets are refused."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from tacita.compare.optimise.moment_search import climb_moments, descend_moments, goal_of
from tacita.compare.optimise.post_masking import PostMasked, StopLimits, chosen_cells
from tacita.compare.optimise.primed_score import score_parts
from tacita.core.errors import DataError
from tests.compare.optimise.tasks import noisy_task

SEARCHES: dict[str, Callable[..., PostMasked]] = {
    "climb": lambda task, limits: climb_moments(task, limits, target_ratio=0.7, step=1.0, words_seed=3),
    "descend": lambda task, limits: descend_moments(task, limits, target_ratio=0.7),
}


@pytest.mark.parametrize("search", SEARCHES.values(), ids=SEARCHES.keys())
def test_moments_come_nearer_and_the_loss_to_its_target(search: Callable[..., Any]) -> None:
    task = noisy_task()
    before = score_parts(task.x, task.y, known=2, nearest=task.nearest)
    found = search(task, StopLimits(None, 60_000, None))
    after = score_parts(task.x, found.values, known=2, nearest=task.nearest_of(found.values))
    assert after.e < 0.05 * before.e
    assert after.il1 == pytest.approx(0.7 * before.il1, rel=0.05)
    assert (found.values[~task.movable] == task.y[~task.movable]).all()
    assert 0 < found.steps <= 60_000


def test_a_climb_ends_at_its_target() -> None:
    task = noisy_task()
    before = score_parts(task.x, task.y, known=2, nearest=task.nearest)
    found = SEARCHES["climb"](task, StopLimits(0.5 * before.e, 500_000, None))
    after = score_parts(task.x, found.values, known=2, nearest=task.nearest_of(found.values))
    assert found.stopped == "target reached"
    assert after.e <= 0.5 * before.e * (1 + 1e-9)


def test_the_goal_is_a_share_of_the_loss_and_what_stays_must_leave_room_for_it() -> None:
    task = noisy_task()
    losses = task.losses(task.y, task.nearest)
    goal = goal_of(task, 0.7)
    assert goal.total == pytest.approx(0.7 * losses.sum())
    assert goal.fixed == pytest.approx(losses[~task.movable].sum())
    few = replace(task, movable=chosen_cells(task, share=0.02, of="values"))
    with pytest.raises(DataError, match="raise 'share' or 'target_ratio'"):
        goal_of(few, 0.3)


def test_the_same_words_give_the_same_file() -> None:
    task = noisy_task()
    one, two = (SEARCHES["climb"](task, StopLimits(None, 20_000, None)) for _ in range(2))
    np.testing.assert_array_equal(one.values, two.values)
