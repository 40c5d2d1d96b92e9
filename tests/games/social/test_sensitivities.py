"""Naive estimates counted by hand, and those by item response against the truth that answers were drawn from."""

from __future__ import annotations

import numpy as np
import pytest

from tacita.core.errors import DataError, ParameterError
from tacita.games.social.scores import privacy_risk
from tacita.games.social.sensitivities import naive_sensitivities, naive_visibility, response_sensitivities


def test_shares_counted_by_hand() -> None:
    """Of five users 4, 2 and 0 show the attributes to one link, 1, 2 and 0 to two."""
    disclosed = np.array([[1, 2, 0], [1, 2, 0], [1, 0, 0], [2, 0, 0], [0, 0, 0]])
    assert naive_sensitivities(disclosed) == pytest.approx(np.array([[0.2, 0.8], [0.6, 0.6], [1.0, 1.0]]))
    visible = naive_visibility(disclosed)
    assert visible[0, 0].tolist() == pytest.approx([4 / 5 * 2 / 3, 1 / 5 * 1 / 3])
    assert visible[4].max() == 0


def test_who_is_not_known_does_not_count() -> None:
    disclosed = np.array([[1, 0], [-1, 0], [0, 1], [1, -1]])
    assert naive_sensitivities(disclosed)[:, 0] == pytest.approx([1 / 3, 2 / 3])


def test_the_score_rises_with_sensitivity_and_with_visibility() -> None:
    """What Liu and Terzi ask of a score."""
    disclosed = (np.random.default_rng(1).random((300, 3)) < [0.9, 0.5, 0.1]).astype(np.int64)
    beta = naive_sensitivities(disclosed)
    one_each = privacy_risk(np.eye(3), beta)
    assert one_each[0] < one_each[1] < one_each[2]
    assert privacy_risk(np.ones((1, 3)), beta)[0] == pytest.approx(one_each.sum())


def test_both_estimates_agree_where_users_are_alike_and_differ_where_not() -> None:
    rng = np.random.default_rng(2)
    difficulties = np.array([[0.0, 1.0], [0.5, 1.5], [1.0, 2.5]])
    for slope, gap in ((0.2, 0.03), (3.0, 0.1)):
        attitudes = rng.normal(size=4000)
        p = 1 / (1 + np.exp(-slope * (attitudes[:, None, None] - difficulties)))
        disclosed = (rng.random((4000, 3, 1)) < p).sum(axis=2)
        naive, found = naive_sensitivities(disclosed), response_sensitivities(disclosed)
        truth = 1 - 1 / (1 + np.exp(slope * difficulties))
        assert found.shape == naive.shape == (3, 2)
        assert (np.diff(naive, axis=1) >= 0).all()
        assert found[:, 1] == pytest.approx(truth[:, 1], abs=0.05)
        assert (np.abs(naive - truth).max() < 0.04) == (gap == 0.03)


@pytest.mark.parametrize("estimate", [naive_sensitivities, naive_visibility, response_sensitivities])
def test_what_is_no_matrix_of_links_is_refused(estimate: object) -> None:
    for wrong in ([[0.5]], [1, 0], [[-2]], np.empty((0, 0), np.int64), [["a"]]):
        with pytest.raises(ParameterError, match="'disclosed'"):
            estimate(np.array(wrong))  # type: ignore[operator]
    with pytest.raises(DataError, match="nothing is known of 1 attributes"):
        estimate(np.array([[1, -1], [0, -1]]))  # type: ignore[operator]
