"""Several right answers for each victim: what counts, what a guess gets, and that samples keep the chance of all."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import sparse

from tacita.attack.claims import Claims
from tacita.attack.judge.answers import Answers
from tacita.attack.judge.graded import grade
from tacita.attack.judge.right_codes import RightCodes
from tacita.core.errors import AttackError

ASKED = np.array([[1, 1, 0, 0], [1, 0, 2, 0], [1, 0, 0, 0]])


@pytest.fixture
def codes() -> RightCodes:
    return RightCodes(sparse.csr_array(ASKED), (ASKED > 0).mean(axis=0))


def test_any_of_the_right_answers_is_right(codes: RightCodes) -> None:
    for code in range(4):
        assert codes.right(np.full(3, code)).tolist() == (ASKED[:, code] > 0).tolist()
    assert codes.right(np.full(3, -1)).tolist() == [False] * 3


def test_a_guess_is_right_as_often_as_the_claims_are_of_anybody(codes: RightCodes) -> None:
    assert codes.chance(np.array([0, 0, 0])) == 1
    assert codes.chance(np.array([1, 2, -1])) == pytest.approx(2 / 9)
    assert codes.chance(np.arange(0)) == 0


def test_what_everybody_asks_is_no_disclosure(codes: RightCodes) -> None:
    answers = Answers(truth={"identity": np.arange(3)}, several={"query": codes})
    common = grade(Claims(about="query", said=np.zeros(3, int)), answers, attack="toy", target="")
    rare = grade(Claims(about="query", said=np.array([1, 2, -1])), answers, attack="toy", target="")
    assert (common.success, common.baseline, common.standing) == (1, 1, "held")
    assert (rare.success, round(rare.baseline, 3), rare.standing) == (pytest.approx(2 / 3), 0.222, "broken")


def test_a_sample_keeps_the_chance_of_all(codes: RightCodes) -> None:
    few = Answers(truth={"identity": np.arange(3)}, several={"query": codes}).among(np.array([2, 1]))
    assert len(few) == len(few.several["query"]) == 2
    assert few.right("query", np.array([2, 2])).tolist() == [False, True]
    assert few.guess("query", np.array([1, 1])) == pytest.approx(1 / 3)
    assert few.knows("query")
    assert few.entries("query") == 2
    with pytest.raises(AttackError, match="must speak of 2 victims, got 3"):
        grade(Claims(about="query", said=np.zeros(3, int)), few, attack="toy", target="")
