"""What post-masking may change: nearest originals, relative errors and the set M, by hand."""

from __future__ import annotations

import numpy as np
import pytest

from tacita.compare.optimise.post_masking import PostMaskingTask, chosen_cells
from tacita.core.errors import DataError
from tests.compare.optimise.tasks import free_rules

X = np.array([[10.0, 100.0], [20.0, 300.0], [40.0, 200.0], [80.0, 500.0]])
Y = np.array([[10.0, 130.0], [22.0, 300.0], [44.0, 200.0], [80.0, 0.0]])


def task(y: np.ndarray = Y, *, keep_zeros: bool = False) -> PostMaskingTask:
    made = PostMaskingTask.of(X, y, free_rules(2, keep_zeros=keep_zeros), known=1, reading="raw")
    assert not made.movable.any()
    return made


def test_nearest_in_standardised_distance_and_terms_of_the_relative_error() -> None:
    z = (X - X.mean(axis=0)) / X.std(axis=0, ddof=1)
    zy = (Y - X.mean(axis=0)) / X.std(axis=0, ddof=1)
    expected = [int(np.argmin(((z - row) ** 2).sum(axis=1))) for row in zy]
    made = task()
    assert made.nearest.tolist() == expected
    assert made.losses(made.y, made.nearest) == pytest.approx(np.abs(Y - X[expected]) / X[expected])


def test_a_missing_value_lies_at_the_mean() -> None:
    made = task(np.where(Y == 22.0, np.nan, Y))
    assert made.standard(made.y)[1, 0] == 0.0
    assert np.isnan(made.losses(made.y, made.nearest)[1, 0])


def test_records_and_values_that_contribute_most() -> None:
    made = task()
    losses = made.losses(made.y, made.nearest)
    record = int(losses.sum(axis=1).argmax())
    by_record = chosen_cells(made, share=0.25, of="records")
    assert by_record.sum(axis=1).tolist() == [2 if i == record else 0 for i in range(4)]
    by_value = chosen_cells(made, share=0.25, of="values")
    assert by_value.sum() == 2
    assert losses[by_value].min() >= losses[~by_value].max()


def test_zeros_that_stay_and_constant_columns_are_left_out() -> None:
    assert chosen_cells(task(), share=1.0, of="values")[3, 1]
    assert not chosen_cells(task(keep_zeros=True), share=1.0, of="values")[3, 1]
    constant = PostMaskingTask.of(np.ones((4, 2)), Y, free_rules(2), known=1, reading="raw")
    with pytest.raises(DataError, match="no value may change"):
        chosen_cells(constant, share=1.0, of="values")
