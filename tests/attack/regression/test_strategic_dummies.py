"""Strategic dummies, (2) to (4): the fitted value of one respondent is his response, and how he is known to be alone."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tacita.attack import StrategicDummies, attack_once
from tacita.attack.judge.model_server import RemoteLimits
from tacita.attack.judge.stage_regression import stage_regression
from tacita.attack.regression.strategic_dummies import ones_by
from tacita.study.red_team.regression import OPEN, served_firms
from tests.attack.regression.builders import firms, served

RNG = np.random.default_rng(1)
CONFIRMS = ("mean", "variance", "error", "residual")


def fitting(columns: dict[str, Any], known: tuple[str, ...], reach: dict[str, Any], victim: int) -> np.ndarray:
    """Who fits what is known of a victim, record by record."""
    n = len(columns["size"])
    inside = np.ones(n, dtype=bool)
    for name in known:
        own = columns[name][victim]
        how, width = reach.get(name, ("", 0.0))
        for i in range(n):
            x = columns[name][i]
            if how == "within":
                inside[i] &= bool(x - width < own < x + width)
            elif how == "ratio":
                inside[i] &= bool((1 - width) * x < own < (1 + width) * x)
            else:
                inside[i] &= bool(x == own)
    return inside


@pytest.mark.parametrize(
    "reach", [{}, {"size": ("within", 2.0)}, {"size": ("ratio", 0.1)}], ids=["exact", "additive", "ratio"]
)
@pytest.mark.parametrize("known", [("size",), ("size", "state")])
def test_he_is_told_the_mean_of_those_who_fit(known: tuple[str, ...], reach: dict[str, Any]) -> None:
    columns = firms(120)
    target, _ = stage_regression(columns, wanted="turnover", known=known, reach=reach)
    claims = StrategicDummies().run(target, RNG)[0]
    assert claims.is_sure is not None
    for victim in range(120):
        inside = fitting(columns, known, reach, victim)
        assert claims.said[victim] == pytest.approx(columns["turnover"][inside].mean(), rel=1e-9)
        assert claims.is_sure[victim] == (inside.sum() == 1)


@pytest.mark.parametrize("confirm", CONFIRMS)
def test_every_way_to_confirm_finds_the_same(confirm: Any) -> None:
    target, _ = stage_regression(firms(), wanted="turnover", known=["size", "state"])
    by_mean = StrategicDummies().run(target, RNG)[0].is_sure
    found = StrategicDummies(confirm=confirm).run(target, RNG)[0].is_sure
    assert by_mean is not None
    assert 0 < by_mean.sum() < 300
    np.testing.assert_array_equal(found, by_mean)
    assert not np.any(StrategicDummies(confirm="none").run(target, RNG)[0].is_sure)


def test_further_regressors_change_nothing_for_the_unique() -> None:
    columns = {**firms(), "hours": np.arange(300.0) ** 1.2}
    target, answers = stage_regression(columns, wanted="turnover", known=["size"], further=["hours"])
    claims = StrategicDummies().run(target, RNG)[0]
    np.testing.assert_allclose(claims.said[claims.is_sure], answers.of("turnover")[claims.is_sure], rtol=1e-6)


def test_ones_from_what_is_printed() -> None:
    assert np.isnan(ones_by({"n": 50}, "mean"))
    assert ones_by({"n": 50, "means": [0.06]}, "mean") == pytest.approx(3.0)
    assert ones_by({"n": 50, "variances": [0.06 - 0.06**2]}, "variance") == pytest.approx(3.0)
    assert ones_by({"n": 50, "variance": 7.0, "errors": [1.0, (7.0 * 50 / (3 * 47)) ** 0.5]}, "error") == pytest.approx(
        3.0
    )
    # The paper prints + for -; with it a single one would not be found.
    assert abs(ones_by({"n": 5, "variances": [1 / 5 + 1 / 25]}, "variance") - 1) > 0.1


@pytest.mark.parametrize(
    ("limits", "standing"),
    [
        (None, "broken"),
        (RemoteLimits(tells=()), "broken"),
        (RemoteLimits(ones=3), "held"),
        (RemoteLimits(leverage=0.5), "held"),
    ],
)
def test_what_it_breaks_and_what_holds_it(limits: RemoteLimits | None, standing: str) -> None:
    target, answers = stage_regression(firms(), wanted="turnover", known=["size", "state"], limits=limits)
    found = attack_once(StrategicDummies(confirm="error"), target, answers, seed=1)
    assert found.standing == standing
    assert bool(found.refused) == (standing == "held")


@pytest.mark.parametrize(("policy", "standing"), [(OPEN, "broken"), ("mas", "held"), ("audited", "held")])
def test_in_the_words_of_a_server(policy: Any, standing: str) -> None:
    target, answers = served_firms(policy)(1)[:2]
    found = attack_once(StrategicDummies(), target, answers, seed=1)
    assert found.standing == standing
    assert found.not_worded == ("a dummy of the user's making",)
    assert bool(found.refused) or standing == "broken"


def test_same_seed_same_claims_and_refusals_are_named() -> None:
    found = [StrategicDummies().run(served(), np.random.default_rng(3))[0] for _ in range(2)]
    assert found[0].refused == found[1].refused == {"no_regress": found[0].queries, "tired": found[0].queries}
    np.testing.assert_array_equal(found[0].said, found[1].said)


def test_no_victims() -> None:
    nobody, answers = stage_regression(firms(), wanted="turnover", known=["size"], victims=np.zeros(0, np.int64))
    assert attack_once(StrategicDummies(), nobody, answers, seed=1).standing == "not run"
