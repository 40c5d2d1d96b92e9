"""Artificial outliers, (1): the fitted value tends to the response as eps goes to 0, and rules on form or leverage hold it."""

from __future__ import annotations

import numpy as np
import pytest

from tacita.attack import ArtificialOutliers, attack_once
from tacita.attack.judge.model_server import RemoteLimits
from tacita.attack.judge.stage_regression import stage_regression
from tacita.core.errors import ParameterError
from tacita.study.red_team.regression import OPEN, served_firms
from tests.attack.regression.builders import firms, served

RNG = np.random.default_rng(1)


def errors(
    eps: float, known: tuple[str, ...] = ("size",), further: tuple[str, ...] = ()
) -> tuple[np.ndarray, np.ndarray]:
    """The relative error of each victim, and who is claimed for sure."""
    columns = {**firms(), "hours": np.arange(300.0)}
    target, answers = stage_regression(columns, wanted="turnover", known=known, further=further)
    claims = ArtificialOutliers(eps=eps).run(target, RNG)[0]
    truth = answers.of("turnover")
    assert claims.is_sure is not None
    return np.abs(claims.said - truth) / truth, claims.is_sure


def test_the_error_of_the_unique_tends_to_zero() -> None:
    found = [errors(eps)[0][errors(eps)[1]].max() for eps in (1e-1, 1e-3, 1e-5)]
    assert found[0] > 30 * found[1] > 900 * found[2]
    assert found[2] < 1e-3


def test_exactly_those_are_sure_who_are_alone() -> None:
    size = firms()["size"]
    alone = np.array([(size == one).sum() == 1 for one in size])
    np.testing.assert_array_equal(errors(1e-4)[1], alone)


def test_a_pair_singles_out_more_than_a_number() -> None:
    far, sure = errors(1e-6, ("size", "state"))
    assert sure.sum() > 1.5 * errors(1e-6)[1].sum()
    assert far[sure].max() < 1e-2


def test_further_regressors_change_nothing_for_the_unique() -> None:
    far, sure = errors(1e-5, further=("hours",))
    assert far[sure].max() < 1e-2


def test_several_with_the_same_size_give_their_mean() -> None:
    columns = {"size": np.array([2.0, 2.0, 7.0, 30.0]), "turnover": np.array([10.0, 20.0, 50.0, 90.0])}
    claims = ArtificialOutliers(eps=1e-9).run(stage_regression(columns, wanted="turnover", known=["size"])[0], RNG)[0]
    assert claims.said[0] == pytest.approx(15.0, rel=1e-6)
    assert claims.is_sure is not None
    assert claims.is_sure.tolist() == [False, False, True, True]


@pytest.mark.parametrize(
    ("limits", "standing"),
    [
        (None, "broken"),
        (RemoteLimits(ones=3), "broken"),
        (RemoteLimits(tells=()), "broken"),
        (RemoteLimits(leverage=0.5), "held"),
        (RemoteLimits(columns=("variable", "square")), "held"),
    ],
)
def test_what_it_breaks_and_what_holds_it(limits: RemoteLimits | None, standing: str) -> None:
    target, answers = stage_regression(firms(), wanted="turnover", known=["size", "state"], limits=limits)
    assert attack_once(ArtificialOutliers(), target, answers, seed=1).standing == standing


def test_in_the_words_of_a_server_there_is_no_outlier() -> None:
    target, answers = served_firms(OPEN)(1)[:2]
    found = attack_once(ArtificialOutliers(), target, answers, seed=1)
    assert found.standing == "held"
    assert found.not_worded == ("a column 1 / (|x - x0| + eps)",)


def test_refusals_are_named() -> None:
    found = ArtificialOutliers().run(served(), RNG)[0]
    assert found.refused == {"no_regress": 1, "tired": 1}
    assert np.isnan(found.said).all()


def test_what_it_declines() -> None:
    only_words = stage_regression(firms(), wanted="turnover", known=["state"])[0]
    assert "No number" in ArtificialOutliers().declined(only_words)
    nearly = stage_regression(firms(), wanted="turnover", known=["size"], reach={"size": ("ratio", 0.1)})[0]
    assert "No number" in ArtificialOutliers().declined(nearly)
    nobody, answers = stage_regression(firms(), wanted="turnover", known=["size"], victims=np.zeros(0, np.int64))
    assert attack_once(ArtificialOutliers(), nobody, answers, seed=1).standing == "not run"
    with pytest.raises(ParameterError, match="eps"):
        ArtificialOutliers(eps=0)
