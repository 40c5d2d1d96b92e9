"""No single values: minima, maxima, medians, quantiles, counts above a limit."""

from __future__ import annotations

import pytest

from tacita.query.requests.statistic import Statistic
from tacita.query.requests.tabulate import Tabulate
from tacita.query.restrictions.single_values import SingleValues
from tests.query.builders import asked, judged, opened, policy_of, ring

RULE = SingleValues()
DB = opened(ring(), policy_of(RULE))


@pytest.mark.parametrize(
    ("statistic", "more"),
    [("minimum", {}), ("maximum", {}), ("median", {}), ("quantile", {"level": 0.3}), ("count_above", {"above": 5.0})],
)
def test_values_of_single_records_are_refused(statistic: str, more: dict[str, float]) -> None:
    request = Statistic(response="wage", statistic=statistic, **more)  # type: ignore[arg-type]
    assert judged(RULE, DB, request).decision == "deny"
    assert DB.ask(request).reasons == ("single_values",)


@pytest.mark.parametrize("statistic", ["sum", "mean", "variance", "sd"])
def test_other_statistics_pass(statistic: str) -> None:
    assert judged(RULE, DB, Statistic(response="wage", statistic=statistic)).decision == "allow"  # type: ignore[arg-type]


def test_a_count_passes_and_tables_are_not_its_business() -> None:
    assert judged(RULE, DB, Statistic()).decision == "allow"
    assert not RULE.applies(asked(DB, Tabulate(by=["sex"])))
