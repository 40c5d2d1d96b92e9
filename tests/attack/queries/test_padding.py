"""Padding beats Drop 1, Drop 2 and Drop q of whole universes; within strata formula (5) holds it."""

from __future__ import annotations

import numpy as np
import pytest

from tacita.attack.queries.padding import Padding
from tacita.core.errors import AttackError
from tacita.numeric.statistics.shares import interval_of_share
from tacita.study.red_team.queries import drop_alone
from tests.attack.queries.servers import check_contract, graded, target_of


@pytest.mark.parametrize(("k", "fixed"), [(1, True), (2, True), (6, False)])
def test_without_strata_it_breaks(k: int, fixed: bool) -> None:
    policy = drop_alone(k, is_fixed=fixed)
    found = graded(Padding(k=k, smallest=k if fixed else 2), policy, wanted="ill", victims=60)
    assert found.standing == "broken"
    low, high = interval_of_share(found.figures["apparent"], 60)
    assert low <= found.figures["exact_by_padding"] <= high + 0.05  # exact, and a few that look exact
    assert found.figures["correct_by_formula"] < found.figures["exact_by_padding"]
    assert found.figures["apparent_by_formula"] == pytest.approx(
        found.figures["correct_by_formula"] + found.figures["wrong_by_formula"]
    )
    assert found.sure_right >= 0.9 * found.sure


def test_within_strata_it_is_as_rare_as_formula_5_says() -> None:
    found = graded(Padding(padded="region"), drop_alone(6, strata=("region",)), wanted="ill", victims=60)
    assert found.standing == "held"
    low, high = interval_of_share(found.figures["apparent"], 60)
    assert low <= found.figures["apparent_by_formula"] <= high


@pytest.mark.parametrize("policy", ["mas", "tables"])
def test_our_policies_hold_it(policy: str) -> None:
    assert graded(Padding(), policy, wanted="ill").standing == "held"


def test_bad_input_and_contract() -> None:
    assert "classes" in Padding().declined(target_of()[0])
    with pytest.raises(AttackError, match="'padded' must be a variable that is known"):
        Padding(padded="shoes").run(target_of(wanted="ill")[0], np.random.default_rng(1))
    check_contract(Padding(), wanted="ill")
