"""Attributes by regression and shadows."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from tacita.attack.synthetic.shadow_attribute import ShadowAttribute, best_by_distance, ridge_design
from tacita.core.errors import AttackError, ParameterError
from tacita.mask import AdditiveNoise
from tacita.numeric.nearest.mixed_points import Points
from tacita.study.red_team.synthetic import by_mask, copied, fresh_people, independent_people
from tests.attack.synthetic.scenes import attacked, staged


@pytest.mark.parametrize("secret", ["health", "savings"])
def test_a_copy_is_broken_and_fresh_people_are_held(secret: str) -> None:
    weak = attacked(ShadowAttribute(), copied, secret=secret)
    assert weak.standing == "broken"
    assert weak.success > 0.9
    assert weak.sure_right > 0.95 * weak.sure > 600
    assert weak.figures["right_on_shadows"] == pytest.approx(weak.success, abs=0.05)
    for generate in (fresh_people, independent_people):
        strong = attacked(ShadowAttribute(), generate, secret=secret)
        assert (strong.standing, strong.sure) == ("held", 0)


def test_noise_on_what_is_known_does_not_hide_what_is_not() -> None:
    noise = by_mask(AdditiveNoise(columns=("age", "earnings", "other_income")))
    assert attacked(ShadowAttribute(), noise, secret="health").success > 0.7


def test_the_best_guess_at_each_distance() -> None:
    rng = np.random.default_rng(1)
    far = rng.random(500)
    hits = np.column_stack([far > 0.5, far <= 0.5, np.zeros(500, bool)])
    ends, best, share = best_by_distance(far, hits)
    assert ends[-1] == np.inf
    assert (best[ends <= 0.5] == 1).all()
    assert best[-1] == 0
    assert (share[[0, -1]] == 1.0).all()
    place = np.searchsorted(ends, far)
    for b in range(len(ends)):
        assert share[b] == pytest.approx(hits[place == b].mean(axis=0).max())


def test_equal_distances_have_one_class() -> None:
    ends, best, share = best_by_distance(np.zeros(4), np.array([[True], [True], [False], [True]]))
    assert (ends.tolist(), best.tolist(), share.tolist()) == ([np.inf], [0], [0.75])


def test_the_columns_of_a_regression() -> None:
    points = Points(np.array([[2.0], [3.0]]), np.array([[0], [1]]))
    assert ridge_design(points, [np.array([1, 4])]).tolist() == [[1, 2, 0, 0], [1, 3, 1, 0]]


def test_a_seed_repeats_it() -> None:
    target = staged(fresh_people, n=400, secret="health").target
    one, two = (ShadowAttribute().run(target, np.random.default_rng(1))[0].said.tolist() for _ in range(2))
    assert one == two


def test_a_secret_that_is_missing_everywhere_is_guessed_from_others() -> None:
    target = staged(copied, n=200, secret="savings").target
    empty = target.released.with_numbers({"savings": np.full(len(target.released), np.nan)})
    (claims,) = ShadowAttribute().run(
        replace(target, released=empty, generate=lambda *_: empty), np.random.default_rng(1)
    )
    assert len(set(claims.said.tolist())) == 1


def test_what_it_needs() -> None:
    target = staged(copied, n=100, secret="health").target
    with pytest.raises(AttackError, match="names none"):
        ShadowAttribute().run(replace(target, secret=None), np.random.default_rng(1))
    assert "ten other people" in ShadowAttribute().declined(
        replace(target, reference=target.reference.take(np.arange(9)))
    )
    assert "lack the secret" in ShadowAttribute().declined(replace(target, reference=target.reference.drop(["health"])))
    with pytest.raises(ParameterError, match="'shadows'"):
        ShadowAttribute(shadows=1)
