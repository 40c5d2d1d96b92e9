"""Requests of one number: each statistic with what it needs, and nothing else."""

from __future__ import annotations

from typing import Any, get_args

import pytest

from tacita.core.errors import ParameterError
from tacita.query.requests.statistic import NumberStatistic, Statistic


@pytest.mark.parametrize("statistic", get_args(NumberStatistic))
@pytest.mark.parametrize(
    "given", [set(), {"response"}, {"response", "level"}, {"response", "above"}, {"level"}, {"above"}]
)
def test_a_statistic_has_what_it_needs(statistic: Any, given: set[str]) -> None:
    needs = {"response"} if statistic != "count" else set()
    needs |= {"quantile": {"level"}, "count_above": {"above"}}.get(statistic, set())
    values: dict[str, Any] = {"response": "income", "level": 0.5, "above": 0.0}
    chosen = {name: values[name] for name in given}
    if given == needs:
        assert Statistic(statistic=statistic, **chosen).variables == (("income",) if "response" in given else ())
    else:
        with pytest.raises(ParameterError, match="Statistic: "):
            Statistic(statistic=statistic, **chosen)


@pytest.mark.parametrize("level", [-0.1, 1.1, float("nan"), "0.5", True])
def test_levels_are_shares(level: Any) -> None:
    with pytest.raises(ParameterError, match="'level'"):
        Statistic(response="x", statistic="quantile", level=level)


def test_the_ends_are_levels_too() -> None:
    assert [Statistic(response="x", statistic="quantile", level=level).level for level in (0, 1)] == [0.0, 1.0]


@pytest.mark.parametrize("above", [float("inf"), float("nan"), "5", None])
def test_a_limit_is_a_number(above: Any) -> None:
    with pytest.raises(ParameterError, match="'above'"):
        Statistic(response="x", statistic="count_above", above=above)


def test_a_count_of_everybody_is_the_default() -> None:
    assert Statistic().to_json() == '{"kind":"statistic"}'
