"""The study of regression attacks: its tables have the paper's form, and its promises hold."""

from __future__ import annotations

import numpy as np
import pytest

from tacita.study import StudyResult, find_study, regression_attacks
from tacita.study.regression_attacks import PAPER, QUANTILES, establishments


@pytest.fixture(scope="module")
def result() -> StudyResult:
    return find_study("regression-attacks").run(seed=1)


def test_promises_hold(result: StudyResult) -> None:
    assert result.kept_promises
    assert {finding.required for finding in result.findings} == {"grows with size", "0", "tends to 0"}


def test_the_tables_have_the_form_of_the_paper(result: StudyResult) -> None:
    assert [table.title.partition(":")[0] for table in result.tables[:3]] == ["Table 1", "Table 2", "Table 3"]
    assert [len(table.rows) for table in result.tables[:3]] == [5, 5, 25]
    assert [row[0] for row in result.tables[0].rows] == list(QUANTILES)
    assert result.tables[0].rows[0][1] == "12814"
    assert all("(0)" in row[-1] for row in result.tables[2].rows)


def test_shares_are_near_those_of_the_paper(result: StudyResult) -> None:
    """The sample was not made for this; that it comes near says that sizes of firms are spread as theirs are."""
    for table, number in zip(result.tables[:3], "123", strict=True):
        rows = [row for row in PAPER if row.table == number]
        for place, cells in enumerate(table.rows):
            ours = float(cells[3].split()[0])
            assert ours == pytest.approx(rows[place % len(rows)].paper[place // len(rows)][0], abs=0.12)


def test_a_share_of_the_tables_counted_by_hand() -> None:
    columns = establishments(3, n=400)
    told = regression_attacks._attacked(PAPER[2].attacker, columns, ("size",), {})
    size = columns["size"].tolist()
    np.testing.assert_array_equal(told.alone, [size.count(one) == 1 for one in size])
    same = columns["size"] == size[0]
    mean = columns["turnover"][same].mean()
    assert told.error[0] == pytest.approx(abs(mean - columns["turnover"][0]) / columns["turnover"][0])


def test_what_the_paper_printed_is_consistent() -> None:
    """A dummy of exact size identifies whom an outlier of size does, and nobody is nearer than exactly told."""
    assert [row[0] for row in PAPER[0].paper] == [row[0] for row in PAPER[2].paper]
    assert all(figures[2] == 0 for row in PAPER if row.table == "3" for figures in row.paper)


def test_branches_and_states_come_from_the_trees() -> None:
    columns = establishments(1, n=2000)
    assert len(set(columns["branch"].tolist())) == 29
    assert len(set(columns["state"].tolist())) == 12
