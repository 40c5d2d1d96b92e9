"""The JJ form of tau-ARGUS."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from benchmarks.table_instances import frequency_table, magnitude_table

from tacita.core.errors import DataError, FileError, ParameterError
from tacita.tables.files.jj import read_jj, write_jj
from tacita.tables.files.read_write import read_table

FILE = """0
4
0 10.5 1 s 0 100 0 0 0
1 3 2 u 0.5 30 1 2 0.25
2 4 1 m 0 40 0 0 0
3 3.5 1 z 0 35 0 0 0
1
0 4 : 0 (-1) 1 (1) 2 (1) 3 (1)
"""


def test_by_hand(tmp_path: Path) -> None:
    (tmp_path / "a.jj").write_text(FILE)
    found = read_table(tmp_path / "a.jj")
    table, unsafe = found.table, found.unsafe
    assert table.values.tolist() == [10.5, 3, 4, 3.5]
    assert table.labels(2) == ("2",)
    assert table.cost is not None
    assert table.cost.tolist() == [1, 2, 1, 1]
    assert [side[1] for side in table.bounds] == [0.5, 30]
    assert unsafe is not None
    assert unsafe.cells.tolist() == [False, True, False, False]
    assert (unsafe.below[1], unsafe.above[1], unsafe.sliding[1]) == (1, 2, 0.25)
    assert unsafe.locked.tolist() == [False, False, False, True]
    assert found.hidden is not None
    assert found.hidden.tolist() == [False, True, True, False]
    table.check_additive()


def test_forms_of_other_tools(tmp_path: Path) -> None:
    """No status column, blanks within parentheses, a broken zero, a decimal comma, cells in any order, blank lines."""
    text = "0\r\n3\r\n\r\n1 3,5 2 0 30 1 2 0\n0 10.5 1 0 100 0 0 0\n2 7 1 0 40 0 0 0\n1\n0.0 3 : 0 ( -1 ) 1 ( 1 ) 2 ( 1 ) \n"
    (tmp_path / "a.jj").write_text(text)
    found = read_jj(tmp_path / "a.jj")
    assert found.table.values.tolist() == [10.5, 3.5, 7]
    assert found.unsafe is not None
    assert found.unsafe.cells.tolist() == [False, True, False]
    assert found.hidden is None
    found.table.check_additive()


def test_a_coefficient_of_zero_is_no_term(tmp_path: Path) -> None:
    relations = read_jj(_written(tmp_path, FILE.replace("2 (1)", "2 (0)")), additive=False).table.relations
    assert relations.row(0)[0].tolist() == [0, 1, 3]


def test_unsafe_cells_without_levels_are_told_apart(tmp_path: Path) -> None:
    found = read_jj(_written(tmp_path, FILE))
    assert found.lacks_levels is not None
    assert not found.lacks_levels.any()
    bare = read_jj(_written(tmp_path, FILE.replace("1 2 0.25", "0 0 0")))
    assert bare.lacks_levels is not None
    assert bare.lacks_levels.tolist() == [False, True, False, False]
    given = bare.unsafe_by(50)
    assert given is not None
    assert (given.below[1], given.above[1]) == (1.5, 1.5)


def test_a_file_that_is_not_additive_is_refused_unless_told(tmp_path: Path) -> None:
    path = _written(tmp_path, FILE.replace("1 3 2 u", "1 3.25 2 u"))
    with pytest.raises(DataError, match="not additive"):
        read_jj(path)
    with pytest.raises(DataError, match="not additive"):
        read_table(path)
    assert read_jj(path, additive=False).table.values[1] == 3.25
    assert read_table(path, additive=False).table.values[1] == 3.25


FOREIGN = """0
4
0 10.5 1.25 s 10.5 10.5 0.5 0.5 0
1 3 2 u 0.5 1e+15 1 2 0.25
2 4 1 m -1e+20 40 3 0 7
3 3.5 0.001 z 0 35 0 0 0
2
0 2 : 3 (-2) 1 (2.3333333333333335)
0 4 : 2 (1) 0 (-1) 1 (1) 3 (1)
"""


def test_what_is_read_is_written_as_it_was(tmp_path: Path) -> None:
    """Also an 's' with equal bounds, bounds beyond any value, levels of safe cells, and relations in their order."""
    found = read_jj(_written(tmp_path, FOREIGN))
    again = read_jj(write_jj(found, tmp_path / "b.jj"))
    assert (tmp_path / "b.jj").read_text().split() == [
        "1000000000000000" if w == "1e+15" else w for w in FOREIGN.split()
    ]
    for name in ("values", "cost", "lower", "upper"):
        assert getattr(again.table, name).tolist() == getattr(found.table, name).tolist()
    assert again.table.relations.cells.tolist() == found.table.relations.cells.tolist()
    assert write_jj(again, tmp_path / "c.jj").read_bytes() == (tmp_path / "b.jj").read_bytes()


@pytest.mark.parametrize("maker", [frequency_table, magnitude_table])
@pytest.mark.parametrize("is_hidden", [True, False])
def test_our_own_files_come_back_byte_for_byte(maker: object, is_hidden: bool, tmp_path: Path) -> None:
    problem = maker([(3, 2), (2, 3)], seed=1)  # type: ignore[operator]
    problem = replace(problem, values=problem.values * 1.1, cost=problem.cost + 1 / 3)
    hidden = problem.unsafe | (np.arange(problem.size) == 5) if is_hidden else None
    path = write_jj(problem, tmp_path / "a.jj", hidden=hidden)
    assert write_jj(read_jj(path), tmp_path / "b.jj").read_bytes() == path.read_bytes()


def test_only_a_whole_problem_can_be_written(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("g,value\nTotal,3\na,1\nb,2\n")
    with pytest.raises(ParameterError, match="cost of every cell"):
        write_jj(read_table(tmp_path / "a.csv"), tmp_path / "b.jj")


def _written(folder: Path, text: str) -> Path:
    (folder / "a.jj").write_text(text)
    return folder / "a.jj"


@pytest.mark.parametrize("maker", [frequency_table, magnitude_table])
def test_round_trip(maker: object, tmp_path: Path) -> None:
    problem = maker([(3, 2), (2, 3)], seed=1)  # type: ignore[operator]
    problem = replace(problem, values=problem.values * 1.1, cost=problem.cost + 1 / 3)
    hidden = problem.unsafe | (np.arange(problem.size) == 5)
    path = write_jj(problem, tmp_path / "a.jj", hidden=hidden)
    found = read_jj(path)
    table, unsafe = found.table, found.unsafe
    assert unsafe is not None
    assert table.values.tolist() == problem.values.tolist()
    assert table.cost is not None
    assert table.cost.tolist() == problem.cost.tolist()
    assert unsafe.cells.tolist() == problem.unsafe.tolist()
    assert unsafe.below[unsafe.cells].tolist() == problem.below[problem.unsafe].tolist()
    assert found.hidden is not None
    assert found.hidden.tolist() == hidden.tolist()
    assert table.bounds[0].tolist() == problem.lower.tolist()
    finite = np.isfinite(problem.upper)
    assert table.bounds[1][finite].tolist() == problem.upper[finite].tolist()
    assert (table.bounds[1][~finite] >= 100 * problem.values.max()).all()
    assert table.relations.cells.tolist() == problem.relations.cells.tolist()
    assert table.relations.signs.tolist() == problem.relations.signs.tolist()
    assert unsafe.locked.tolist() == (~problem.can_hide & ~hidden).tolist()


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("0\n4\n", "1\n4\n", "no JJ file"),
        ("0\n4\n", "0\nfour\n", "Line 2 of 'a.jj' must be a whole number"),
        ("0\n4\n", "0\n400\n", "ends before its 400 cells"),
        ("3 3.5 1 z", "3 3.5 1 y", "Line 6 of 'a.jj' must be a cell"),
        ("3 3.5 1 z", "2 3.5 1 z", "Line 6 of 'a.jj' must have a cell of its own"),
        ("3 3.5 1 z", "3 CANARY 1 z", "Line 6 of 'a.jj' has something else than numbers"),
        ("3 3.5 1 z", "3 nan 1 z", "Line 6 of 'a.jj' has something else than numbers"),
        ("1\n0 4 :", "2\n0 4 :", "must have 2 relations, got 1"),
        ("0 4 : 0", "5 4 : 0", "right-hand side"),
        ("0 4 : 0", "0 3 : 0", "Line 8 of 'a.jj' must be a relation"),
        ("3 (1)", "9 (1)", "not among the 4 cells"),
        ("3 (1)", "3 (CANARY)", "must be a relation"),
    ],
)
def test_damaged_files(old: str, new: str, message: str, tmp_path: Path) -> None:
    assert old in FILE
    (tmp_path / "a.jj").write_text(FILE.replace(old, new, 1))
    with pytest.raises(FileError, match=message) as caught:
        read_jj(tmp_path / "a.jj")
    assert "CANARY" not in str(caught.value)


def test_bad_input(tmp_path: Path) -> None:
    problem = frequency_table([(2,), (2,)], seed=1)
    with pytest.raises(ParameterError, match="one entry for each of the 9 cells"):
        write_jj(problem, tmp_path / "a.jj", hidden=np.zeros(2, bool))
    path = write_jj(problem, tmp_path / "a.jj")
    with pytest.raises(FileError, match="exists already"):
        write_jj(problem, path)
    with pytest.raises(FileError, match="cannot be read"):
        read_jj(tmp_path / "none.jj")


@pytest.mark.parametrize(
    "text",
    [
        "9" * 5000,
        "0\n" + "9" * 5000,
        "0\n1\n" + "9" * 5000 + " 1 1 s 0 1 0 0 0\n0\n",
        "0\n1\n0 1e400 1 s 0 1 0 0 0\n0\n",
        "0\n1\n0 1 1 s 0 1 0 0 0\n1\n0 " + "9" * 5000 + " : 0 (1)\n",
        "0\n1\n0 1 1 s 0 1 0 0 0\n1\n0 1 : " + "9" * 5000 + " (1)\n",
        "0\n1\n0 1 1 s 0 1 0 0 0\n1\n0 1 : 0 (1e999)\n",
        "0\n1\n0 1 1 s 0 1 0 0 0\n1\n1.2.3 1 : 0 (1)\n",
    ],
)
def test_numbers_beyond_all_size_are_errors(text, tmp_path):
    (tmp_path / "a.jj").write_text(text)
    with pytest.raises(FileError):
        read_jj(tmp_path / "a.jj")
