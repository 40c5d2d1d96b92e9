"""The formulas of trackers hold for all sets, whoever is where; ``tests/query/audit`` has them before an auditor."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from tacita.attack.queries.tracker_formulas import (
    double_tracker,
    general_tracker,
    individual_tracker,
    signed_total,
    union_tracker,
)
from tests.effort import examples

EVERYBODY = set(range(12))
SETS = st.sets(st.integers(0, 11))


@settings(max_examples=examples(80), deadline=None)
@given(SETS, SETS, SETS)
def test_every_formula_gives_the_sum_of_the_victims(victims: set[int], tracker: set[int], outer: set[int]) -> None:
    assert individual_tracker(sum, outer, victims) == sum(outer & victims)
    assert general_tracker(sum, victims, tracker, EVERYBODY) == sum(victims)
    assert double_tracker(sum, victims, tracker & outer, outer) == sum(victims)
    apart = [tracker - victims, outer - victims - tracker]
    assert union_tracker(sum, victims, apart) == sum(victims)


def test_one_refusal_is_enough() -> None:
    assert signed_total([1, None], [1, 1]) is None
    assert union_tracker(lambda s: None if 5 in s else sum(s), {1}, [{5}, {1, 2}, {6}]) == 1
    assert union_tracker(sum, {1}, [{1}]) is None
