"""The covariance attack: sums of sets that differ by the victim, in models where nobody has leverage."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tacita.attack import CovarianceAttack, attack_once
from tacita.attack.judge.model_server import RemoteLimits
from tacita.attack.judge.stage_regression import stage_regression
from tacita.attack.regression.covariance_attack import class_sums
from tacita.attack.regression.question import ModelQuestion, equal_to
from tacita.study.red_team.regression import OPEN, served_firms
from tests.attack.regression.builders import firms
from tests.oracles.attack.remote_models import fitted_by_statsmodels


@pytest.mark.parametrize("is_told", [True, False])
def test_sums_and_counts_from_coefficients(is_told: bool) -> None:
    columns = firms()
    answer = fitted_by_statsmodels(columns, ModelQuestion("turnover", (equal_to("state", "s"),)))
    if not is_told:
        del answer["covariance"]
    inside = columns["state"] == "s"
    assert class_sums(answer) == pytest.approx((columns["turnover"][inside].sum(), inside.sum()), rel=1e-9)


def test_a_perfect_fit_tells_nothing() -> None:
    assert np.isnan(class_sums({"n": 3, "variance": 0.0, "errors": [0.0, 0.0], "coefficients": [1.0, 1.0]})).all()


@pytest.mark.parametrize(
    ("limits", "standing"),
    [
        (None, "broken"),
        (RemoteLimits(ones=3, leverage=0.1), "broken"),
        (RemoteLimits(tells=(), leverage=0.1), "broken"),
        (RemoteLimits(figures=3), "held"),
        (RemoteLimits(columns=("variable",)), "held"),
    ],
)
def test_what_it_breaks_and_what_holds_it(limits: RemoteLimits | None, standing: str) -> None:
    target, answers = stage_regression(firms(), wanted="turnover", known=["size", "state"], limits=limits)
    found = attack_once(CovarianceAttack(), target, answers, seed=1)
    assert found.standing == standing
    if standing == "broken":
        assert found.sure == found.sure_right > 60


@pytest.mark.parametrize(
    ("policy", "standing"), [(OPEN, "broken"), ("internal", "broken"), ("mas", "held"), ("camouflage", "held")]
)
def test_in_the_words_of_a_server(policy: Any, standing: str) -> None:
    target, answers = served_firms(policy)(1)[:2]
    assert attack_once(CovarianceAttack(), target, answers, seed=1).standing == standing


def test_what_it_declines() -> None:
    target = stage_regression(firms(), wanted="turnover", known=["state"])[0]
    assert "No number" in CovarianceAttack().declined(target)
