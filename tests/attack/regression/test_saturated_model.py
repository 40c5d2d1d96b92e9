"""Saturated models: one question tells of every cell."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tacita.attack import SaturatedModel, attack_once
from tacita.attack.judge.model_server import RemoteLimits
from tacita.attack.judge.stage_regression import stage_regression
from tacita.study.red_team.regression import OPEN, served_firms
from tests.attack.regression.builders import firms, served


def test_one_question_tells_of_everybody() -> None:
    columns = firms()
    target, answers = stage_regression(columns, wanted="turnover", known=["size", "state"])
    claims = SaturatedModel().run(target, np.random.default_rng(1))[0]
    assert claims.queries == 1
    assert claims.is_sure is not None
    for i in range(300):
        inside = (columns["size"] == columns["size"][i]) & (columns["state"] == columns["state"][i])
        assert claims.said[i] == pytest.approx(columns["turnover"][inside].mean())
        assert claims.is_sure[i] == (inside.sum() == 1)
    assert attack_once(SaturatedModel(), target, answers, seed=1).standing == "broken"


@pytest.mark.parametrize(
    "limits", [RemoteLimits(ones=3), RemoteLimits(leverage=0.5), RemoteLimits(columns=("variable",))]
)
def test_what_holds_it(limits: RemoteLimits) -> None:
    target, answers = stage_regression(firms(), wanted="turnover", known=["size", "state"], limits=limits)
    found = attack_once(SaturatedModel(), target, answers, seed=1)
    assert found.standing == "held"
    assert sum(found.refused.values()) == 1


@pytest.mark.parametrize(
    ("policy", "rule"), [(OPEN, "fully_interacted"), ("mas", "row_audit"), ("tables", "not_offered")]
)
def test_a_server_refuses_the_interaction_of_all(policy: Any, rule: str) -> None:
    target, answers = served_firms(policy)(1)[:2]
    found = attack_once(SaturatedModel(), target, answers, seed=1)
    assert (found.standing, set(found.refused)) == ("held", {rule})


def test_three_variables_at_most_are_interacted() -> None:
    asked: list[Any] = []

    def ask(request: Any) -> Any:
        asked.append(request)
        return {"status": "refused", "reasons": ["tired"]}

    SaturatedModel().run(served(ask), np.random.default_rng(1))
    assert asked == [
        {
            "kind": "regress",
            "response": "turnover",
            "predictors": ["state", "form"],
            "interactions": [["state", "form"]],
        }
    ]


def test_what_it_declines() -> None:
    nearly = stage_regression(firms(), wanted="turnover", known=["size"], reach={"size": ("ratio", 0.1)})[0]
    assert "exactly" in SaturatedModel().declined(nearly)
