"""Many splits average cell keys away; a limit on splits, an auditor of rows and a layer for every record do not let them."""

from __future__ import annotations

import numpy as np
import pytest

from tacita.attack.queries.averages import answers_for_95
from tacita.attack.queries.class_sets import people_of
from tacita.attack.queries.many_splits import ManySplits, halves
from tacita.study.red_team.queries import cell_keys_alone
from tests.attack.queries.servers import check_contract, graded, words_of


def test_cell_keys_alone_are_broken() -> None:
    found = graded(ManySplits(splits=120), cell_keys_alone(), wanted="ill")
    assert found.standing == "broken"
    assert found.success > 0.8
    # Cell keys of variance 3 on both parts: a sum of two has 6.
    assert found.figures["spread"] == pytest.approx(6**0.5, rel=0.15)
    assert found.figures["answers_for_95"] == pytest.approx(answers_for_95(6**0.5), rel=0.3)


@pytest.mark.parametrize(
    ("policy", "wanted", "rule"), [("tables", "ill", "row_audit"), ("audited", "income", "sum_audit")]
)
def test_our_policies_hold_it(policy: str, wanted: str, rule: str) -> None:
    found = graded(ManySplits(splits=30), policy, wanted=wanted)
    assert found.standing == "held"
    assert found.refused[rule] > 0


def test_halves_are_a_whole() -> None:
    words = words_of()
    whole = people_of(words.domain, {"sex": "male"})
    made = list(halves(words, whole, np.random.default_rng(1), 20))
    assert len(made) > 10
    for one, two in made:
        assert not one & two
        assert not whole - (one | two)


def test_contract() -> None:
    check_contract(ManySplits(splits=3))
