"""The census study: shapes, promises, options; with a small register, and as it is in a slow test.

The parts: ``tacita.study.census_round``, ``tacita.study.census_tables``, ``tacita.study.census_paper``.
"""

from __future__ import annotations

import json
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

from tacita.core.errors import ParameterError
from tacita.study import StudyResult, census, find_study
from tacita.study.census_counts import CountPairs
from tacita.study.census_paper import PAPER_DISTRIBUTIONS, PAPER_FREQUENCIES, PAPER_MEANS, PAPER_SAFE, RESULTS
from tacita.study.census_round import joined_rounds, one_round
from tacita.study.census_sets import SETS
from tacita.study.census_tables import design_matrix, design_shares

PERSONS = "1000"


@pytest.fixture(scope="module")
def small() -> StudyResult:
    return find_study("census").run(data=[PERSONS], seed=3)


def table(result: StudyResult, begins: str) -> list[dict[str, str]]:
    return next(t.as_plain()["rows"] for t in result.tables if t.title.startswith(begins))


def test_printed_numbers_fit_together() -> None:
    for way, printed in PAPER_DISTRIBUTIONS.items():
        assert sum(printed) == pytest.approx(100, abs=0.03)
        assert np.dot(printed, np.arange(len(printed))) / 100 == pytest.approx(PAPER_MEANS[way], abs=0.02)
    for row in PAPER_SAFE.values():
        assert len(row) == len(RESULTS)
        assert sum(row) == pytest.approx(1, abs=0.006)
    assert max(abs(n - told) for n, told in PAPER_FREQUENCIES.values()) == 2


def test_design_rows_are_probabilities() -> None:
    for design in ("published", "maximum_entropy"):
        for D in (3, 4, 5):
            assert design_matrix(design, D).D == D
            for count in range(1, 17):
                shares = design_shares(design, D, count, range(30))
                assert sum(shares) == pytest.approx(1)
                assert shares[1] == shares[2] == 0
                assert np.dot(shares, np.arange(30)) == pytest.approx(count)


def test_every_promise_is_kept(small: StudyResult) -> None:
    assert small.kept_promises, [f for f in small.findings if f.met is False]
    found = {(f.quantity, f.setting): f.ours[0] for f in small.findings}
    assert found["ones and twos published", "all methods"] == 0
    assert found["sums that do not hold", "additive noise"] == 0
    for D in (3, 4, 5):
        assert found["largest deviation", f"noise D={D}"] <= D
        assert found["largest deviation", f"additive D={D}"] <= D


def test_observed_transitions_are_probabilities(small: StudyResult) -> None:
    rows = table(small, "Table 1")
    assert len(rows) == 8 * (2 * 2 * 3 + 2)
    for row in rows:
        shares = [float(value) for name, value in row.items() if name not in ("matrix", "count") and value != "."]
        if shares:  # a count that no cell of a small register has
            assert sum(shares) == pytest.approx(1, abs=0.01), row


def test_deviations_are_whole_distributions(small: StudyResult) -> None:
    for begins in ("Figure 1a", "Figure 1b"):
        rows = table(small, begins)
        for name in rows[0]:
            shares = [float(row[name]) for row in rows if row[name] != "." and name != "deviation"]
            assert not shares or sum(shares) == pytest.approx(1, abs=0.02)
    rows = {row.pop("method"): row for row in table(small, "Table 5")}
    assert len(rows) == 2 * len(PAPER_DISTRIBUTIONS)
    for name, mean in PAPER_MEANS.items():
        shares = [float(value) for size, value in rows[name].items() if size != "mean"]
        assert sum(shares) == pytest.approx(100, abs=0.05)
        assert float(rows[name]["mean"]) == pytest.approx(np.dot(shares, np.arange(len(shares))) / 100, abs=0.01)
        assert float(rows[f"{name}, paper"]["mean"]) == mean
    assert [row["paper"] for row in table(small, "Table 4")] == ["16", "19", "25", "21", "30", "24", "26"]


def test_told_deviations_keep_their_frequencies(small: StudyResult) -> None:
    rows = table(small, "Table 6")
    for way in ("SAFE", "noise D=3"):
        pairs = [(int(row[way]), int(row[f"{way}: told"])) for row in rows if row[way]]
        assert sum(n for n, _ in pairs) == sum(m for _, m in pairs) > 0
        assert max(abs(n - m) for n, m in pairs) <= 2


def test_attackers_are_told_of(small: StudyResult) -> None:
    undone = table(small, "Undone")
    methods = [row["method"] for row in undone]
    assert len(set(methods)) == len(methods) == 2 + 7 + 7
    assert {"SAFE", "SAFE, two tables", "noise D=2, small counts shown"} < set(methods)
    for row in undone:
        assert 0 <= int(row["known exactly"]) <= int(row["known to be one or two"]) <= int(row["ones and twos"])
    assert len(table(small, "Averages")) == 8
    differences = {row["method"]: row for row in table(small, "Differences")}
    assert float(differences["SAFE"]["ones and twos found, %"]) == 0, (
        "a file without ones and twos has no such difference"
    )


def test_same_seed_same_bytes(small: StudyResult) -> None:
    again = find_study("census").run(data=[PERSONS], seed=3)
    assert json.dumps(again.as_plain()) == json.dumps(small.as_plain())
    assert any("order of mean deviations" in note for note in small.notes)


def test_registers_are_put_together() -> None:
    one = one_round(int(PERSONS), 3, 10)
    both = joined_rounds([one, one])
    assert len(both.controlled) == 2 * len(one.controlled)
    assert both.test["", "SAFE"].mean == pytest.approx(one.test["", "SAFE"].mean)
    assert both.undone["SAFE"].small == 2 * one.undone["SAFE"].small
    assert both.told["SAFE"] == {d: (2 * n, 2 * told) for d, (n, told) in one.told["SAFE"].items()}
    assert both.averaged == pytest.approx(one.averaged)
    assert both.differenced["SAFE"].mean == pytest.approx(one.differenced["SAFE"].mean)


@pytest.mark.parametrize(
    ("safe", "noise", "additive", "words"),
    [
        (3, 1, 2, "holds with published noise for every D"),
        (3, 2, 1, "nearer: sums that must hold"),
        (1, 1, 2, "SAFE is nearer to the truth"),
    ],
)
def test_the_order_is_told_or_explained(safe: int, noise: int, additive: int, words: str) -> None:
    def off(by: int) -> CountPairs:
        return CountPairs(np.array([9]), np.array([9 + by]))

    cells = {("", "SAFE"): off(safe)}
    for D in (3, 4, 5):
        cells |= {("published", f"noise D={D}"): off(noise), ("published", f"additive D={D}"): off(additive)}
    assert words in census._order(SimpleNamespace(test=cells), "published")


@pytest.mark.parametrize("data", [["many"], ["10"], ["-1"], ["2000", "9", "9"], ["99999999"], ["1e4"]])
def test_bad_sizes_are_refused(data: list[str]) -> None:
    with pytest.raises(ParameterError, match="number of persons"):
        find_study("census").run(data=data)


def test_columns_and_files_are_refused() -> None:
    with pytest.raises(ParameterError, match="columns of its own"):
        find_study("census").run(data=[PERSONS], columns=["age"])
    with pytest.raises(ParameterError, match="number of regions"):
        find_study("census").run(data=[PERSONS, "10001"])


def test_figures_and_page_are_written(small: StudyResult, tmp_path: Path) -> None:
    made = find_study("census").run(data=[PERSONS, "30"], seed=3, output=tmp_path / "out")
    assert [path.name for path in made.files] == [
        "figure-1a.svg", "figure-1a.png", "figure-1b.svg", "figure-1b.png", "census.html",
    ]  # fmt: skip
    page = made.files[-1].read_text()
    assert "SAFE, count 16" in page
    for t in made.tables:
        assert t.title.split(":")[0] in page
    assert small.files == ()


def test_sets_are_told_of(small: StudyResult) -> None:
    rows = table(small, "Sets of tables")
    assert len(rows) == 3 * len(SETS)
    for row in rows:
        if row["method"] == "additive and consistent":
            assert (row["of these differ"], row["sums that do not hold"]) == ("0", "0")


@pytest.mark.slow
def test_whole_study_keeps_its_promises() -> None:
    result = find_study("census").run()
    assert result.kept_promises, [f for f in result.findings if f.met is False]
