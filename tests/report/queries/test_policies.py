"""The map of policies: a point, an interval and a name each."""

from dataclasses import replace
from typing import Any

import pytest

from tacita.core.errors import ParameterError
from tacita.query.steward import PolicyMap, PolicyRisk, PolicyRow, PolicyUtility
from tacita.report.queries.policies import policies_chart
from tacita.report.render import svg_bytes

RISK = PolicyRisk(target="health", of="good", records=1000, equations=90, gain=0.4, low=0.35, high=0.45, outsider=0.05)
UTILITY = PolicyUtility(
    questions=100, answered=0.7, refused=0.3, review=0, cells=900, perturbed=0.5, relative_error=0.2, loss=0.45
)


def row(name: str, gain: float, loss: float, outsider: float | None = 0.05) -> PolicyRow:
    risk = replace(RISK, gain=gain, low=max(gain - 0.05, 0), high=min(gain + 0.05, 1), outsider=outsider)
    return PolicyRow(name, risk, replace(UTILITY, loss=loss))


MAP = PolicyMap((row("exact", 0.95, 0.1), row("noise", 0.4, 0.3), row("worse", 0.5, 0.6, None), row("closed", 0, 1)))


def layers(chart: Any) -> list[dict[str, Any]]:
    return list(chart.to_dict()["layer"])


def labels(chart: Any) -> dict[str, dict[str, Any]]:
    drawn = [layer for layer in layers(chart) if layer["mark"]["type"] == "text" and "stroke" not in layer["mark"]]
    return {value["policy"]: layer["mark"] for layer in drawn for value in layer["data"]["values"]}


def test_every_policy_is_a_point_with_its_interval_and_its_name() -> None:
    chart = policies_chart(MAP)
    points = next(layer for layer in layers(chart) if layer["mark"].get("shape") == "circle")
    values = points["data"]["values"]
    assert [(v["policy"], v["gain"], v["loss"]) for v in values] == [
        ("exact", 0.95, 0.1),
        ("noise", 0.4, 0.3),
        ("worse", 0.5, 0.6),
        ("closed", 0, 1),
    ]
    assert [(v["low"], v["high"]) for v in values[:2]] == [(pytest.approx(0.9), 1), (pytest.approx(0.35), 0.45)]
    assert set(labels(chart)) == {"exact", "noise", "worse", "closed"}
    rule = next(layer for layer in layers(chart) if layer["mark"]["type"] == "rule")
    assert (rule["encoding"]["y"]["field"], rule["encoding"]["y2"]["field"]) == ("low", "high")


def test_the_frontier_is_a_line_and_dark() -> None:
    chart = policies_chart(MAP)
    line = next(layer for layer in layers(chart) if layer["mark"]["type"] == "line")
    assert [value["loss"] for value in line["data"]["values"]] == [0.1, 0.3, 1]
    points = next(layer for layer in layers(chart) if layer["mark"].get("shape") == "circle")
    assert [v["on"] for v in points["data"]["values"]] == ["yes", "yes", "no", "yes"]


def test_names_do_not_cover_each_other() -> None:
    near = PolicyMap((row("one", 0.4, 0.4), row("two", 0.41, 0.41), row("three", 0.39, 0.42)))
    marks = labels(policies_chart(near))
    assert len({(mark["align"], mark["dy"]) for mark in marks.values()}) == 3
    same = PolicyMap((row("one", 0, 1), row("two", 0, 1)))
    assert set(labels(policies_chart(same))) == {"one, two"}


def test_it_is_drawn_says_who_attacks_and_is_the_same_again() -> None:
    text = svg_bytes(policies_chart(MAP, title="Which policy?")).decode()
    assert ">Which policy?</text>" in text
    assert "finds health = good" in text
    assert "people who are not in the data" in text
    assert svg_bytes(policies_chart(MAP, title="Which policy?")).decode() == text


def test_a_name_cannot_break_the_picture() -> None:
    odd = PolicyMap((row("a<b>&\x07", 0.4, 0.4),))
    assert "<b>" not in svg_bytes(policies_chart(odd)).decode()


def test_without_policies_there_is_no_map() -> None:
    with pytest.raises(ParameterError, match="at least one policy"):
        policies_chart(PolicyMap(()))
