"""A-priori files of tau-ARGUS: words, levels, costs, codes, and what is wrong with a line."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tacita.core.errors import FileError, ParameterError
from tacita.tables.files.apriori import read_apriori
from tacita.tables.model.dimension import Dimension
from tacita.tables.model.from_cells import table_from_cells
from tacita.tables.model.link import link
from tacita.tables.model.table import Table
from tacita.tables.rules.apriori import Apriori
from tests.oracles.tables.apriori import replay

CELLS = {
    "region": ["North", "North", "South", "South"],
    "size": ["small", "large", "small", "large"],
    "value": [10.0, 20.0, 30.0, 40.0],
}


@pytest.fixture
def table() -> Table:
    return table_from_cells(CELLS, ["region", "size"], response="turnover")


def read(text: str | bytes, table: Table, **more: object) -> Apriori:
    with TemporaryDirectory() as folder:
        path = Path(folder) / "a.hst"
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return read_apriori(path, table, **more)  # type: ignore[arg-type]


def named(table: Table, cells: np.ndarray) -> list[tuple[str, ...]]:
    return [table.labels(cell) for cell in np.flatnonzero(cells).tolist()]


def test_every_word_by_hand(table: Table) -> None:
    found = read(
        "North;small;u\nNorth;large;S\nTotal;Total;p\nSouth;small;u\nSouth;small;PL;20;35\nSouth;large;c;4\nNorth;Total;ml\n",
        table,
    )
    assert named(table, found.unsafe) == [("North", "small"), ("South", "small")]
    assert named(table, found.safe) == [("North", "large")]
    assert named(table, found.published) == [("Total", "Total")]
    assert named(table, found.hidden) == [("North", "Total")]
    cell = int(table.find({"region": "South", "size": "small"})[0])
    assert (found.below[cell], found.above[cell]) == (20, 35)
    assert np.isnan(np.delete(found.below, cell)).all()
    cell = int(table.find({"region": "South", "size": "large"})[0])
    assert found.cost[cell] == 4
    assert found.has_costs
    assert found.lines[cell] == 6


@pytest.mark.parametrize("mark", [";", ",", "\t", "|"])
def test_the_separator_is_found(mark: str, table: Table) -> None:
    found = read(mark.join(["North", "small", "u"]) + "\n" + mark.join(["South", "small", "c", "2.5"]), table)
    assert named(table, found.unsafe) == [("North", "small")]
    assert np.nanmax(found.cost) == 2.5


def test_forms_of_other_tools(table: Table) -> None:
    """Blanks around codes, empty codes for totals, a decimal comma, blank lines, a separator at the end, a BOM."""
    text = "\ufeff North ; small;u;\r\n\r\n;;p\r\nSouth;;u;2,5;3\r\nSouth;large;w;1,5"
    found = read(text, table)
    assert set(named(table, found.unsafe)) == {("South", "Total"), ("North", "small")}
    assert named(table, found.published) == [("Total", "Total")]
    assert np.nanmax(found.below) == 2.5
    assert np.nanmax(found.cost) == 1.5
    assert read("North-small-u", table, separator="-").unsafe.sum() == 1


def test_old_encodings() -> None:
    table = table_from_cells({"town": ["Malmö", "Lund"], "value": [1.0, 2.0]}, ["town"])
    for encoding in ("utf-8", "cp1252"):
        assert read("Malmö;u".encode(encoding), table).unsafe.sum() == 1
    assert read("Malmö;u".encode("utf-16"), table, encoding="utf-16").unsafe.sum() == 1
    with pytest.raises(ParameterError, match="encoding"):
        read("Lund;u", table, encoding="nonsense")
    with pytest.raises(FileError, match="not valid ascii"):
        read("Malmö;u", table, encoding="ascii")


def test_one_level_stands_for_both(table: Table) -> None:
    found = read("North;small;u\nNorth;small;pl;3", table)
    assert np.nanmax(found.below) == 3
    assert np.nanmax(found.above) == 3


def test_unknown_codes_are_named_with_their_lines(table: Table) -> None:
    with pytest.raises(FileError) as error:
        read("North;small;u\nNorht;small;u\n\nSouth;tiny;s\n", table)
    message = str(error.value)
    assert "line 2: dimension 'region' has no code 'Norht'. Did you mean 'North'?" in message
    assert "line 4: dimension 'size' has no code 'tiny'" in message
    assert "line 1:" not in message


def test_many_problems_are_counted(table: Table) -> None:
    with pytest.raises(FileError, match="and 5 more"):
        read("x;y;u\n" * 15, table)


@pytest.mark.parametrize(
    ("line", "what"),
    [
        ("North;small;x", "must be one of u, s, p"),
        ("North;small;ab;1;2", "must be one of u, s, p"),
        ("North;small", "must be 2 codes and a word, got 2 fields"),
        ("North;small;pl", "'pl' must have 1 or 2 numbers after it, got 0"),
        ("North;small;ml;1;2", "Protection levels stand after 'pl'"),
        ("North;small;u;1", "'u' must have 0 or 2 numbers after it, got 1"),
        ("North;small;c;-1", "not negative"),
        ("North;small;c;0", "larger than 0"),
        ("North;small;pl;many;2", "must be numbers"),
        ("North;small;pl;nan;2", "must be numbers"),
        ("North;small;p\nNorth;small;u", "line 2: the cell region=North, size=small must stay published .* see line 1"),
        ("North;small;m\nNorth;small;p", "line 2: the cell"),
    ],
)
def test_lines_that_make_no_sense(line: str, what: str, table: Table) -> None:
    with pytest.raises(FileError, match=what):
        read(line, table)


def test_bad_files(table: Table, tmp_path: Path) -> None:
    with pytest.raises(FileError, match="cannot be read"):
        read_apriori(tmp_path / "absent.hst", table)
    with pytest.raises(FileError, match="separated by"):
        read("North small u", table)
    with pytest.raises(FileError, match="quotation mark"):
        read('North;"small;u', table)
    with pytest.raises(ParameterError, match="span"):
        read("North;small;u", table, span=101.0)
    with pytest.raises(ParameterError, match="separator"):
        read("North;small;u", table, separator=";;")


def test_an_empty_file_says_nothing(table: Table) -> None:
    found = read("\n \n", table)
    assert not (found.unsafe | found.safe | found.published | found.hidden).any()
    assert not found.has_costs
    assert found.over().count == 0


def test_a_message_has_no_number_of_the_file(table: Table) -> None:
    with pytest.raises(FileError) as error:
        read("North;small;u;987654;abc", table)
    assert "987654" not in str(error.value)


def test_a_cell_with_two_names(table: Table) -> None:
    tree = Dimension("region", ("Total", "A", "A1", "B"), (("Total", ("A", "B")), ("A", ("A1",))))
    made = table_from_cells({"region": ["A1", "B"], "value": [3.0, 4.0]}, [tree])
    assert named(made, read("A1;u", made).unsafe) == [("A",), ("A1",)]
    assert named(made, read("A1;u", made, expand_trivial=False).unsafe) == [("A1",)]
    assert named(table, read("North;small;u", table).unsafe) == [("North", "small")]


def test_a_line_speaks_of_every_response(table: Table) -> None:
    both = link([table, table_from_cells(CELLS, ["region", "size"], response="profit")])
    found = read("North;small;u", both)
    assert sorted(both.title(cell) for cell in np.flatnonzero(found.unsafe).tolist()) == [
        "region=North, size=small, profit",
        "region=North, size=small, turnover",
    ]


def test_a_cell_that_is_empty_by_structure_is_never_unsafe(table: Table) -> None:
    cell = int(table.find({"region": "North", "size": "small"})[0])
    structural = np.zeros(len(table), bool)
    structural[cell] = True
    made = replace(table, structural=structural)
    found = read("North;small;u;1;1\nSouth;small;u", made)
    assert named(made, found.unsafe) == [("South", "small")]
    assert found.over().count == 1


CODES = ("a", "b", "c")
LINES = st.lists(
    st.one_of(
        st.tuples(st.sampled_from(CODES), st.sampled_from(["u", "s", "p", "m"])),
        st.tuples(st.sampled_from(CODES), st.just("pl"), st.sampled_from(["1", "2"]), st.sampled_from(["3", "4"])),
        st.tuples(st.sampled_from(CODES), st.just("c"), st.sampled_from(["5", "6"])),
    ),
    max_size=8,
)


@given(lines=LINES)
def test_the_order_of_lines_is_that_of_the_oracle(lines: list[tuple[str, ...]]) -> None:
    table = table_from_cells({"x": list(CODES), "value": [10.0, 20.0, 30.0]}, ["x"])
    text = "\n".join(";".join(line) for line in lines)
    wanted = replay(lines)
    if wanted is None:
        with pytest.raises(FileError, match="must stay published and be hidden"):
            read(text, table)
        return
    found = read(text, table)
    fields = {"u": found.unsafe, "p": found.published, "m": found.hidden}
    for code in CODES:
        cell = int(table.find({"x": code})[0])
        said = wanted.get(code, {"status": "", "released": False, "levels": None, "cost": None})
        assert [word for word, cells in fields.items() if cells[cell]] == [s for s in [said["status"]] if s in fields]
        assert found.safe[cell] == said["released"]
        assert (None if np.isnan(found.below[cell]) else (found.below[cell], found.above[cell])) == said["levels"]
        assert (None if np.isnan(found.cost[cell]) else found.cost[cell]) == said["cost"]
