"""Cells with their largest contributions: the same unsafe cells as from records, and files that do not fit are refused."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner

import tacita as tc
from tacita.cli.main import app
from tacita.core.errors import DataError, FileError, ParameterError
from tacita.tables.files.read_write import read_table, write_table
from tacita.tables.rules.dominance import Dominance
from tacita.tables.rules.p_percent import PQ, PPercent
from tacita.tables.rules.rule import Rule

RULES = [
    PPercent(p=15),
    PPercent(p=10, coalition=2),
    PQ(p=10, prior=50),
    Dominance(n=1, share=60),
    Dominance(n=2, share=85),
]


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.words())
@pytest.mark.parametrize("weight", [None, "weight"])
def test_cells_with_contributions_have_the_unsafe_cells_of_the_records(
    tmp_path: Path, rule: Rule, weight: str | None
) -> None:
    data = tc.samples.business_survey(300, seed=1)
    data = data if weight else data.drop(["weight"])
    table = tc.tabulate(data, ["region", "activity"], "turnover")
    path = write_table(table, tmp_path / "cells.csv", secret=True, include=["count", "largest"])
    cells = read_table(path, table.dimensions, response="turnover").table
    true, found = rule.judge(table), rule.judge(cells)
    assert true.count > 0
    assert found.cells.tolist() == true.cells.tolist()
    assert found.above == pytest.approx(true.above)
    assert found.below == pytest.approx(true.below)


def test_profits_keep_their_sign(tmp_path: Path) -> None:
    table = tc.tabulate(tc.samples.business_survey(200, seed=1).drop(["weight"]), ["region"], "profit")
    assert table.units is not None
    assert (table.units.amounts < 0).any()
    path = write_table(table, tmp_path / "cells.csv", secret=True, include=["count", "largest"])
    cells = read_table(path, table.dimensions, response="profit").table
    assert PPercent(p=15).judge(cells).cells.tolist() == PPercent(p=15).judge(table).cells.tolist()


def written(tmp_path: Path, *rows: str, head: str = "region,value,largest_1,largest_2") -> Path:
    path = tmp_path / "cells.csv"
    path.write_text("\n".join([head, *rows]) + "\n", encoding="utf-8")
    return path


def test_by_hand_without_counts(tmp_path: Path) -> None:
    """North 100 = 90 + 8 + 2 is unsafe at 15 %, South 100 = 40 + 30 + 30 is safe, West is one firm."""
    path = written(tmp_path, "Total,210,90,40", "North,100,90,8", "South,100,40,30", "West,10,10,")
    table = read_table(path, response="turnover").table
    assert table.units is not None
    assert table.units.counts.tolist() == [3, 3, 3, 1]
    assert (table.units.sole >= 0).tolist() == [False, False, False, True]
    assert PPercent(p=15).judge(table).cells.tolist() == [False, True, False, True]
    with pytest.raises(DataError, match="keeps the 2 largest contributions of a cell, the rule needs 3"):
        PPercent(p=15, coalition=2).judge(table)


@pytest.mark.parametrize(
    ("rows", "words"),
    [
        (("Total,110,60,50", "North,100,50,50", "South,10,12,0"), "more than the cell, such as region=South"),
        (
            ("Total,110,60,50", "North,100,40,50", "South,10,10,0"),
            "not in order, the largest first, such as region=North",
        ),
        (("Total,110,60,50", "North,100,,", "South,10,10,"), "a place without a contribution, .*such as region=North"),
        (("North,100,60,40", "South,10,10,0"), "are not listed, .*; list the totals too, such as region=Total"),
    ],
)
def test_contributions_that_do_not_fit_are_refused(tmp_path: Path, rows: tuple[str, ...], words: str) -> None:
    with pytest.raises(DataError, match=words) as caught:
        read_table(written(tmp_path, *rows))
    assert "100" not in str(caught.value)


def test_a_gap_in_the_columns_is_refused(tmp_path: Path) -> None:
    path = written(tmp_path, "Total,1,1", head="region,value,largest_2")
    with pytest.raises(FileError, match="largest_2 is there and largest_1 is not"):
        read_table(path)


def test_contributions_leave_in_secret_files_only(tmp_path: Path) -> None:
    table = tc.tabulate(tc.samples.business_survey(100, seed=1), ["region"], "turnover")
    with pytest.raises(ParameterError, match="are secret"):
        write_table(table, tmp_path / "cells.csv", include=["largest"])
    cells = tc.tabulate(tc.samples.business_survey(100, seed=1), ["region"])
    if cells.units is None:
        with pytest.raises(ParameterError, match="has no 'largest'"):
            write_table(cells, tmp_path / "cells.csv", secret=True, include=["largest"])
    assert not (tmp_path / "cells.csv").exists()


def test_the_command_line_protects_such_a_file(tmp_path: Path) -> None:
    table = tc.tabulate(tc.samples.business_survey(12, seed=1).drop(["weight"]), ["size_class"], "turnover")
    path = write_table(table, tmp_path / "cells.csv", secret=True, include=["count", "largest"])
    words = ["table", str(path), "--cells", "--response", "turnover", "--rule", "p_percent:p=15", "--json"]
    done = CliRunner().invoke(app, words)
    assert done.exit_code == 0, done.output
    plain = json.loads(done.stdout)
    flat = read_table(path, response="turnover").table
    assert plain["unsafe"] == PPercent(p=15).judge(flat).count > 0
    assert np.isfinite(plain["cost"])
