"""Cells that a CSV file does not list: what is not published, and totals under another word."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from tacita.core.errors import FileError, ParameterError
from tacita.tables.files.read_write import read_table
from tacita.tables.files.unlisted import cells_of_rows, given_by_name, inner_unlisted, with_total
from tacita.tables.model.dimension import Dimension

ROWS = ["n,f,3", "n,m,4", "s,f,5", "s,m,6"]
MARGINS = ["n,Total,7", "s,Total,11", "Total,f,8", "Total,m,10", "Total,Total,18"]


def written(path: Path, rows: list[str]) -> Path:
    path.write_text("\n".join(["region,sex,value", *rows]) + "\n", encoding="utf-8")
    return path


def test_rows_find_their_cells(tmp_path: Path) -> None:
    found = read_table(written(tmp_path / "a.csv", [*ROWS, *MARGINS]), ["region", "sex"]).table
    labels = {"region": ["s", "Total", "n"], "sex": ["m", "f", "Total"]}
    cells = cells_of_rows(found, labels)
    assert found.values[cells].tolist() == [6.0, 8.0, 7.0]
    listed = np.zeros(len(found), bool)
    listed[cells] = True
    left = {found.title(cell) for cell in np.flatnonzero(inner_unlisted(found, listed))}
    assert left == {"region=n, sex=f", "region=n, sex=m", "region=s, sex=f"}, "totals are no inner cells"


def test_a_total_that_is_not_listed_is_not_published(tmp_path: Path) -> None:
    found = read_table(written(tmp_path / "a.csv", ["n,f,3", "n,m,4", "s,f,5", "s,m,6"]), ["region", "sex"])
    assert found.unlisted is None, "totals follow from inner cells that are all listed"
    with_hidden = written(
        tmp_path / "b.csv", ["n,f,", "n,m,4", "s,f,5", "s,m,6", "n,Total,7", "s,Total,11", "Total,Total,18"]
    )
    text = with_hidden.read_text().replace("value\n", "value,status\n").replace("n,f,\n", "n,f,,hidden\n")
    with_hidden.write_text("".join(line if "hidden" in line or "value" in line else line.rstrip("\n") + ",published\n"
                                   for line in text.splitlines(keepends=True)))  # fmt: skip
    table = read_table(with_hidden, ["region", "sex"])
    assert table.unlisted is not None
    assert {table.table.title(cell) for cell in np.flatnonzero(table.unlisted)} == {"region=Total, sex=f"}
    assert any("1 cells are not listed" in note for note in table.notes)


def test_dimensions_of_which_only_the_name_is_known() -> None:
    flat = Dimension.flat("sex", ["f", "m"])
    assert given_by_name(None, ["region", "sex"]) == {"region", "sex"}
    assert given_by_name([flat, "region"], ["region", "sex"]) == {"region"}


def test_a_total_has_the_word_that_was_given(tmp_path: Path) -> None:
    labels = {"region": ["all", "n", "s"]}
    assert with_total(tmp_path, "region", labels, {"region": "all"}).total == "all"
    with pytest.raises(
        ParameterError, match=r"'al' is the total of 'region', but no row .* has it.*Did you mean 'all'"
    ):
        with_total(tmp_path, "region", labels, {"region": "al"})
    flat = Dimension.flat("region", ["n", "s"])
    assert with_total(tmp_path, flat, labels, {}) is flat


def test_a_code_that_could_be_the_total_is_asked_about(tmp_path: Path) -> None:
    rows = [
        f"{code},,hidden" if code == "n" else f"{code},{value},published"
        for code, value in (("n", 3), ("s", 4), ("whole", 7))
    ]
    path = tmp_path / "a.csv"
    path.write_text("\n".join(["region,value,status", *rows]) + "\n", encoding="utf-8")
    with pytest.raises(FileError, match="lists no total of 'region', but 'whole' could be one"):
        read_table(path, ["region"])
    assert read_table(path, ["region"], totals={"region": "whole"}).unlisted is None
