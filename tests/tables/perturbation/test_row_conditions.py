"""Conditions of rows: intervals of the variance, with and without more conditions."""

from __future__ import annotations

import numpy as np
import pytest

from tacita.core.errors import ParameterError
from tacita.tables.perturbation.row_conditions import conditions_of_rows, variance_errors
from tests.oracles.tables.transition_oracle import variances_by_pairs


@pytest.mark.parametrize("D", [1, 2, 3, 5])
@pytest.mark.parametrize("forbidden", [(), (1,), (1, 2)])
def test_variances_without_conditions_stand_on_two_points(D: int, forbidden: tuple[int, ...]) -> None:
    for row in conditions_of_rows(D, forbidden):
        if row.noise[0] <= 0 <= row.noise[-1]:
            assert row.variances() == variances_by_pairs(row.noise)
            model = row.model()
            assert model.run().status == "optimal"
        else:
            assert row.variances() is None


def test_conditions_narrow_the_interval() -> None:
    plain, falling = conditions_of_rows(3, (1, 2)), conditions_of_rows(3, (1, 2), monotone=True)
    for one, other in zip(plain, falling, strict=True):
        wide, narrow = one.variances(), other.variances()
        assert wide is not None
        assert narrow is not None
        assert wide[0] <= narrow[0] + 1e-9
        assert narrow[1] <= wide[1] + 1e-9


def test_a_condition_that_can_only_be_tight_is_found() -> None:
    """D = 3: a falling right tail of a count of 4 has its largest variance, 20/9, when it is flat and nobody stays."""
    row = conditions_of_rows(3, (1, 2), monotone=True)[3]
    assert row.count == 4
    limits = row.variances()
    assert limits is not None
    assert limits[1] == pytest.approx(20 / 9)
    assert row.tight(20 / 9).all()
    assert not row.tight(1.5).any()
    found = row.intervals(20 / 9)
    assert found is not None
    assert np.abs(found.mean(axis=1) - [2 / 3, 0, 1 / 9, 1 / 9, 1 / 9]).max() < 1e-6
    assert row.intervals(2.9) is None


def test_a_count_without_any_result_is_refused() -> None:
    with pytest.raises(ParameterError, match="no result within 1"):
        conditions_of_rows(1, (1, 2, 3))


def test_the_error_names_every_row() -> None:
    rows = conditions_of_rows(3, (1, 2), stay=0.1)
    with pytest.raises(ParameterError, match=r"V must be in \[2.7, 2.7\].*count 6: \[0.9, 8.1\]") as caught:
        variance_errors(rows, 2.0)
    assert len(caught.value.details["variances"]) == 6
