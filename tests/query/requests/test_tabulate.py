"""Requests of tables: which statistic goes with which response and unit."""

from __future__ import annotations

from typing import Any

import pytest

from tacita.core.errors import ParameterError
from tacita.query.requests.request import request_from_plain
from tacita.query.requests.tabulate import OF_RESPONSE, Tabulate
from tacita.query.universe.universe import Universe


def test_a_table_names_its_variables() -> None:
    assert Tabulate(by=["sex", "region"]).variables == ("sex", "region")
    assert Tabulate(by=["sex"], response="income", statistic="mean").variables == ("sex", "income")
    assert Tabulate(by=["sex"], where={"age": "1"}).where == Universe({"age": "1"})


@pytest.mark.parametrize("statistic", ["count", "weighted_count", "percent", "mean", "total"])
@pytest.mark.parametrize("response", [None, "income"])
@pytest.mark.parametrize("unit", ["persons", "households"])
def test_statistic_response_and_unit_belong_together(statistic: Any, response: str | None, unit: Any) -> None:
    is_right = (statistic in OF_RESPONSE) == (response is not None)
    is_right &= unit == "persons" or statistic in ("count", "percent")
    if is_right:
        made = Tabulate(by=["sex"], response=response, statistic=statistic, unit=unit)
        assert (made.statistic, made.response, made.unit) == (statistic, response, unit)
    else:
        with pytest.raises(ParameterError, match="Tabulate: "):
            Tabulate(by=["sex"], response=response, statistic=statistic, unit=unit)


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"by": []}, "at least 1 entry"),
        ({"by": "sex"}, "'by' must be a list"),
        ({"by": ["sex", "sex"]}, "names a variable twice"),
        ({"by": ["sex"], "statistic": "sum"}, "'statistic' must be one of"),
        ({"by": ["sex"], "statistic": "mean"}, "'response' must be given for a mean"),
        ({"by": ["sex"], "unit": "firms"}, "'unit' must be one of"),
        ({"by": ["sex"], "each": "region"}, "'each' must be one of the variables in 'by'"),
        ({"by": ["sex"], "each": ["sex"]}, "'each' must be"),
    ],
)
def test_other_tables_are_refused(wrong: dict[str, Any], message: str) -> None:
    with pytest.raises(ParameterError, match=message):
        Tabulate(**wrong)


def test_a_table_in_parts_says_so_and_another_one_does_not() -> None:
    made = Tabulate(by=["sex", "region"], each="region")
    assert made.to_plain() == {"kind": "tabulate", "by": ["sex", "region"], "each": "region"}
    assert request_from_plain(made.to_json()) == made
    assert made.variables == ("sex", "region")
    assert "each" not in Tabulate(by=["sex"]).to_plain()
