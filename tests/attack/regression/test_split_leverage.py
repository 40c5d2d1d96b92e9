"""Split leverage: every dummy has many ones, their difference has one."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tacita.attack import SplitLeverage, attack_once
from tacita.attack.judge.model_server import RemoteLimits
from tacita.attack.judge.stage_regression import stage_regression
from tacita.study.red_team.regression import OPEN, served_firms
from tests.attack.regression.builders import firms, served


@pytest.mark.parametrize("reach", [{}, {"size": ("ratio", 0.05)}])
def test_it_goes_round_the_rule_of_three_ones(reach: Any) -> None:
    target, answers = stage_regression(
        firms(), wanted="turnover", known=["size", "state"], reach=reach, limits=RemoteLimits(ones=3)
    )
    found = attack_once(SplitLeverage(), target, answers, seed=1)
    assert found.standing == "broken"
    assert found.sure == found.sure_right > 20
    assert not found.refused


def test_whoever_is_sure_is_alone() -> None:
    target, _ = stage_regression(firms(), wanted="turnover", known=["size", "state"])
    claims = SplitLeverage().run(target, np.random.default_rng(1))[0]
    size, state = target.known["size"], target.known["state"]
    alone = [int(((size == a) & (state == b)).sum()) == 1 for a, b in zip(size, state, strict=True)]
    np.testing.assert_array_equal(claims.is_sure, alone)


def test_a_limit_on_leverage_holds_it() -> None:
    target, answers = stage_regression(
        firms(), wanted="turnover", known=["size", "state"], limits=RemoteLimits(leverage=0.5)
    )
    found = attack_once(SplitLeverage(), target, answers, seed=1)
    assert (found.standing, set(found.refused)) == ("held", {"leverage"})


@pytest.mark.parametrize(
    ("policy", "alone", "standing"),
    [(OPEN, 1, "broken"), (OPEN, 2, "broken"), ("internal", 1, "held"), ("mas", 1, "held"), ("mas", 2, "held")],
)
def test_in_the_words_of_a_server(policy: Any, alone: int, standing: str) -> None:
    target, answers = served_firms(policy, alone=alone)(1)[:2]
    found = attack_once(SplitLeverage(), target, answers, seed=1)
    assert found.standing == standing
    if policy == "mas":
        assert set(found.refused) == {"universe_gamma"}


def test_it_tries_as_often_as_told() -> None:
    assert SplitLeverage(tries=1).run(served(), np.random.default_rng(1))[0].queries == 1
    assert SplitLeverage().run(served(state="s", form="b"), np.random.default_rng(1))[0].queries == 0


def test_what_it_declines() -> None:
    target = stage_regression(firms(), wanted="turnover", known=["state"])[0]
    assert "No number" in SplitLeverage().declined(target)
