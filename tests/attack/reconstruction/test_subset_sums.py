"""Subset sums: small noise is undone, noise of the size of the square root is not; on a server boxes of classes do it."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pytest

import tacita as tc
from tacita.attack import SubsetSums, SumsTarget, attack_once
from tacita.attack.judge.answers import Answers
from tacita.query.restrictions.set_size import SetSize
from tacita.query.steward.attack_database import stage_database
from tests.query.builders import opened, policy_of


def staged(n: int, noise: float, *, seed: int = 1, refuses: bool = False) -> tuple[SumsTarget, Answers]:
    """Return people with a secret bit, and answers that are off by up to ``noise`` square roots of their number."""
    rng = np.random.default_rng(seed)
    secret = rng.integers(0, 2, n)

    def answer(sets: np.ndarray) -> np.ndarray:
        off = rng.normal(size=len(sets)) * noise * np.sqrt(n)
        return np.full(len(sets), np.nan) if refuses else sets @ secret + off

    target = SumsTarget(answer=answer, people=n, chosen=np.arange(n))
    return target, Answers(truth={"property": secret}, baseline={"property": 0.5})


def test_small_noise_is_undone_and_large_noise_holds() -> None:
    shares = {noise: attack_once(SubsetSums(), *staged(80, noise), seed=2) for noise in (0.0, 0.1, 0.25, 3.0)}
    assert shares[0.0].success == 1.0
    assert shares[0.1].success > 0.95
    assert shares[0.1].standing == "broken"
    assert shares[0.25].success > shares[3.0].success
    assert abs(shares[3.0].success - 0.5) < 0.16
    assert shares[0.1].queries == 320


def test_more_questions_tell_more() -> None:
    few, many = (attack_once(SubsetSums(factor=factor), *staged(60, 0.3), seed=3).success for factor in (1.0, 12.0))
    assert many > few


def test_the_same_again_and_a_server_that_says_nothing() -> None:
    one, two = (SubsetSums().run(staged(30, 0.1)[0], np.random.default_rng(5))[0] for _ in range(2))
    np.testing.assert_array_equal(one.said, two.said)
    shut = attack_once(SubsetSums(), *staged(30, 0.1, refuses=True), seed=1)
    assert shut.standing == "held"
    assert shut.refused == {"refused": 120}
    target, answers = staged(30, 0.1)
    nobody = attack_once(
        SubsetSums(), target.among(np.zeros(0, np.int64)), answers.among(np.zeros(0, np.int64)), seed=1
    )
    assert nobody.standing == "not run"
    assert SubsetSums().declined(3)
    assert SubsetSums().cost(target) > 0


def people() -> tc.Microdata:
    """People who are mostly alone in their cell of three variables, and a secret."""
    rng = np.random.default_rng(4)
    cells = rng.permutation(6 * 5 * 4)[:100]
    columns = {
        "town": [f"t{c // 20}" for c in cells],
        "job": [f"j{c // 4 % 5}" for c in cells],
        "age": [f"a{c % 4}" for c in cells],
        "ill": [("no", "yes")[i] for i in rng.integers(0, 2, len(cells))],
    }
    return tc.Microdata.from_frame(pa.table(columns), keys=["town", "job", "age"], confidential=["ill"])


@pytest.mark.parametrize(("policy", "standing"), [("exact", "broken"), ("audited", "held")])
def test_boxes_of_classes_on_a_server(policy: str, standing: str) -> None:
    db = opened(people(), policy_of(SetSize(k=1)) if policy == "exact" else policy)
    target, answers = stage_database(db, wanted="ill", victims=40)
    found = attack_once(SubsetSums(), target, answers, seed=1)
    assert found.standing == standing
    assert found.queries > 0
    assert ("confidential_universe" in found.refused) == (policy == "audited")
