"""The page of a benchmark."""

from __future__ import annotations

from tacita.compare.benchmark.benchmark_change import compare_benchmarks
from tacita.report.benchmark.benchmark_page import benchmark_chart, benchmark_page, benchmark_tables
from tests.compare.benchmark.test_benchmark_result import entry, found, result


def test_the_page_has_every_set_and_needs_no_network() -> None:
    old = result(found("one", entry("a", 10), entry("b<script>", 20)), found("two", entry("a", 9)))
    new = result(found("one", entry("a", 14), entry("b<script>", 20)), found("two", entry("a", 9)))
    page = benchmark_page(new, compare_benchmarks(old, new))
    assert page == benchmark_page(new, compare_benchmarks(old, new))
    assert "one: the best of each mask" in page
    assert "two: the best of each mask" in page
    assert "Changed beyond noise" in page
    assert "1 of 3 figures changed beyond noise" in page
    assert "b<script>" not in page
    assert "http" not in page.replace("http://www.w3.org", "")


def test_tables_hold_the_numbers() -> None:
    ranked, first, left = benchmark_tables(result(found("one", entry("a", 10), entry("b", 20, sd=1.5))))
    assert [row[1:4] for row in ranked.rows] == [("a", "0.0", "1"), ("b", "100.0", "1")]
    assert [row[:5] for row in first.rows] == [
        ("1", "a", "2", "10.00", "10.00"),
        ("2", "b", "2", "20.00 ± 1.50", "20.00"),
    ]
    assert not left.rows


def test_bars_add_up_to_the_score() -> None:
    drawn = benchmark_chart(found("one", entry("a", 10), entry("b", 20))).to_dict()
    values = drawn["layer"][0]["data"]["values"]
    assert {row["mask"]: row["points"] for row in values if row["kind"] == "loss"} == {"a": 10, "b": 20}
    assert sum(row["points"] for row in values if row["kind"] == "risk") == 0
    assert drawn["layer"][1]["data"]["values"] == [{"score": 50.0}]
