"""The model is estimated as likely as possible, accepts the truth it was drawn from, and rejects one that is 30 % off."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import integrate, optimize, stats

from tacita.core.errors import DataError, ParameterError
from tacita.games.social.item_response import item_response, response_likelihood

SLOPES = np.array([0.7, 1.0, 1.4, 2.0, 1.2, 0.9])
DIFFICULTIES = np.array([-1.5, -0.5, 0.0, 0.5, 1.0, 2.0])


def drawn(users: int, seed: int) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    attitudes = rng.normal(size=users)
    p = 1 / (1 + np.exp(-SLOPES * (attitudes[:, None] - DIFFICULTIES)))
    return (rng.random(p.shape) < p).astype(np.int64), attitudes


def test_the_truth_is_found_and_attitudes_with_it() -> None:
    disclosed, attitudes = drawn(6000, 1)
    found = item_response(disclosed)
    assert found.converged
    assert found.at_bounds == ()
    assert found.slopes == pytest.approx(SLOPES, rel=0.15)
    assert found.difficulties == pytest.approx(DIFFICULTIES, abs=0.2)
    assert np.corrcoef(found.attitudes, attitudes)[0, 1] > 0.7
    assert found.sensitivities == pytest.approx(1 - 1 / (1 + np.exp(SLOPES * DIFFICULTIES)), abs=0.03)
    assert found.visibility.mean(axis=0) == pytest.approx(disclosed.mean(axis=0), abs=0.03)


def test_the_likelihood_accepts_the_truth_and_rejects_what_is_30_percent_off() -> None:
    """Twice the difference to the likeliest is chi-squared with 12 degrees of freedom; false alarm 0.001."""
    disclosed, _ = drawn(6000, 2)
    limit, most = stats.chi2.ppf(0.999, 12), item_response(disclosed).log_likelihood
    assert 0 <= 2 * (most - response_likelihood(disclosed, SLOPES, DIFFICULTIES)) < limit
    assert 2 * (most - response_likelihood(disclosed, SLOPES * 1.3, DIFFICULTIES)) > limit
    assert 2 * (most - response_likelihood(disclosed, SLOPES, DIFFICULTIES * 1.3)) > limit


def test_the_likelihood_is_the_integral() -> None:
    disclosed, _ = drawn(5, 3)

    def of_user(row: np.ndarray) -> float:
        def weighted(theta: float) -> float:
            p = 1 / (1 + np.exp(-SLOPES * (theta - DIFFICULTIES)))
            return float(np.prod(np.where(row == 1, p, 1 - p)) * stats.norm.pdf(theta))

        return float(integrate.quad(weighted, -9, 9, epsabs=1e-12)[0])

    expected = sum(np.log(of_user(row)) for row in disclosed)
    assert response_likelihood(disclosed, SLOPES, DIFFICULTIES) == pytest.approx(expected, abs=1e-6)


def test_nothing_is_likelier() -> None:
    disclosed, _ = drawn(400, 4)
    found = item_response(disclosed[:, 1:4])

    def unlikely(x: np.ndarray) -> float:
        return -response_likelihood(disclosed[:, 1:4], x[:3], -x[3:] / x[:3])

    start = np.concatenate([found.slopes, -found.slopes * found.difficulties])
    better = optimize.minimize(unlikely, start * 1.05, method="L-BFGS-B")
    assert found.log_likelihood >= -better.fun - 1e-3


def test_what_is_not_known_does_not_count() -> None:
    disclosed, _ = drawn(6000, 5)
    lost = np.random.default_rng(1).random(disclosed.shape) < 0.3
    found = item_response(np.where(lost, -1, disclosed))
    assert found.difficulties == pytest.approx(DIFFICULTIES, abs=0.3)
    zero = item_response(np.where(lost, 0, disclosed))
    assert np.abs(zero.difficulties - DIFFICULTIES).max() > 0.5


def test_more_turned_round_attributes_do_not_turn_the_scale() -> None:
    disclosed, _ = drawn(3000, 6)
    turned = disclosed.copy()
    turned[:, 0] = 1 - turned[:, 0]
    assert (item_response(turned).slopes[1:] > 0).all()
    assert item_response(turned).slopes[0] < 0


def test_an_attribute_that_all_disclose_is_refused_by_name() -> None:
    disclosed, _ = drawn(50, 7)
    disclosed[:, 2] = 1
    with pytest.raises(DataError, match="attribute 'income'"):
        item_response(disclosed, names=("a", "b", "income", "d", "e", "f"))
    disclosed[:, 2] = 0
    with pytest.raises(DataError, match="attribute 3"):
        item_response(disclosed)


def test_two_equal_attributes_end_at_the_bounds_and_say_so() -> None:
    disclosed, _ = drawn(200, 8)
    found = item_response(disclosed[:, [2, 2, 2]])
    assert found.at_bounds == (0, 1, 2)


@pytest.mark.parametrize("disclosed", [[[2, 0]], [[0.5, 1.0]], [[1], [0]], [1, 0], np.empty((0, 3), np.int64)])
def test_other_numbers_are_refused(disclosed: object) -> None:
    with pytest.raises(ParameterError, match="item_response"):
        item_response(np.array(disclosed))
