"""Estimates of what an attack costs are right within a factor, so that samples of victims are large enough."""

from __future__ import annotations

import time

import numpy as np
import pytest

import tacita as tc
from tacita.attack.attacker import Attacker
from tacita.attack.files import DistanceLink, KeyMatch, MethodGuess, ProbabilisticLink, RankSwapIntersection
from tests.attack.files.people import MONEY, firms, quietly, staged

N = 5000
ATTACKS = [DistanceLink(), KeyMatch(), MethodGuess(), ProbabilisticLink(), RankSwapIntersection()]


@pytest.fixture(scope="module")
def target() -> tc.attack.FileTarget:
    data = firms(N)
    return staged(data, quietly(tc.mask.RankSwap(columns=MONEY, p=5), data), ["activity", "region", *MONEY]).target


@pytest.mark.slow
@pytest.mark.parametrize("attack", ATTACKS, ids=lambda a: a.name)
def test_an_estimate_is_right_within_a_factor_of_three(attack: Attacker, target: tc.attack.FileTarget) -> None:
    attack.run(target.among(np.arange(50)), np.random.default_rng(1))  # loads kernels
    started = time.process_time()
    attack.run(target, np.random.default_rng(1))
    took, said = time.process_time() - started, attack.cost(target)
    assert took < 3 * said + 0.2
    assert said < 3 * took + 0.5


@pytest.mark.parametrize("attack", ATTACKS, ids=lambda a: a.name)
def test_fewer_victims_cost_less(attack: Attacker, target: tc.attack.FileTarget) -> None:
    assert attack.cost(target.among(np.arange(500))) < attack.cost(target)
