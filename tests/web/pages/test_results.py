"""What a page says about an answer of each kind."""

from __future__ import annotations

from typing import Any

import pytest
from starlette.requests import Request

from tacita.query.answer import Answer
from tacita.web.pages.results import result_of
from tests.web.pages.page_server import survey_facts

ASKED = Request(
    {
        "type": "http",
        "method": "GET",
        "scheme": "http",
        "path": "/",
        "query_string": b"",
        "headers": [(b"host", b"localhost")],
    }
)


def result(plain: dict[str, Any]) -> dict[str, Any]:
    made = Answer.from_plain({"status": "answered", "id": "7f" * 16, **plain})
    return result_of(made, survey_facts(), "Office", ASKED)


def table(size: int) -> dict[str, Any]:
    values = [None, *range(1, size)]
    listed = {
        "by": ["urban"],
        "classes": {"urban": [str(i) for i in range(size)]},
        "statistic": "count",
        "values": values,
    }
    return {"request": {"kind": "tabulate", "by": ["urban"]}, "table": listed}


def test_a_table_has_a_picture_in_words() -> None:
    found = result(table(3))
    assert found["kind"] == "table"
    assert found["alt"] == "Chart: Number of records by Kind of settlement. 0 no value; 1 1; 2 2."
    assert (
        result(table(40))["alt"]
        == "Chart: Number of records by Kind of settlement. The table above has the same numbers."
    )
    assert [name for name, *_ in found["downloads"]] == ["csv", "json", "arrow", "sdmx-csv"]
    assert found["change"] == "/explore/survey/table?by=urban&edit=1"
    assert found["citation"].address == f"http://localhost/explore/answer/{'7f' * 16}"


@pytest.mark.parametrize(
    ("plain", "value"),
    [
        ({"value": 12.0}, "12"),
        ({"value": 1.23456789}, "1.2346"),
        ({"interval": [1.0, 2.5]}, "between 1.0000 and 2.5000"),
    ],
)
def test_a_number_is_told(plain: dict[str, Any], value: str) -> None:
    found = result({"request": {"kind": "statistic"}, **plain})
    assert (found["kind"], found["value"]) == ("number", value)
    assert [name for name, *_ in found["downloads"]] == ["csv", "json"]


def test_quantiles_without_a_value_show_the_bin() -> None:
    rows = [{"level": 0.25, "bin": "up to 5"}, {"level": 0.5, "bin": "6 to 9", "value": 7.25}]
    found = result(
        {
            "request": {"kind": "quantiles", "response": "earnings"},
            "quantiles": {"response": "earnings", "quantiles": rows},
        }
    )
    assert found["lines"] == [("0.25", "up to 5", ""), ("0.5", "6 to 9", "7.250")]


def test_plots_can_be_taken_away_as_numbers_only() -> None:
    boxes = {"variable": "sex", "kind": "boxes", "boxes": [], "suppressed": []}
    plots = {"response": "earnings", "family": "linear", "limit": 4.0, "plots": [boxes]}
    asked = {"kind": "residuals", "response": "earnings", "predictors": ["sex"]}
    found = result({"request": asked, "plots": plots})
    assert found["kind"] == "plots"
    assert [name for name, *_ in found["downloads"]] == ["json"]
    assert found["change"].endswith("&plots=1&edit=1")
