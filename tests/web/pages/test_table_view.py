"""Tables as pages show them: the layout, the texts, and the map of protection."""

from __future__ import annotations

import numpy as np

from tacita.query.answer import Answer
from tacita.query.tables.cell_table import CellTable
from tacita.web.pages.table_view import MOST_CELLS_SHOWN, STATES, shown_table
from tacita.web.pages.wording import Labels

LABELS = Labels([{"name": "a", "label": "Area"}])


def answer(*shape: int, statistic: str = "count", **more: object) -> Answer:
    names = tuple("abcd"[: len(shape)])
    classes = {name: tuple(f"{name}{i}" for i in range(size)) for name, size in zip(names, shape, strict=True)}
    values = np.arange(float(np.prod(shape))).reshape(shape) * 1000
    return Answer(status="answered", table=CellTable(names, classes, statistic, values), **more)  # type: ignore[arg-type]


def test_one_variable_makes_rows() -> None:
    found = shown_table(answer(3), LABELS)
    assert (found.row_title, found.column_title, found.columns) == ("Area", "", ("Value",))
    (block,) = found.blocks
    assert [(row.head, row.cells[0].text) for row in block.rows] == [("a0", "0"), ("a1", "1000"), ("a2", "2000")]
    assert found.is_whole
    assert found.states == (("shown", *STATES["shown"], 3),)


def test_the_second_variable_makes_columns_and_others_blocks() -> None:
    found = shown_table(answer(2, 3, 2), LABELS)
    assert found.columns == ("b0", "b1", "b2")
    assert [block.heading for block in found.blocks] == ["c: c0", "c: c1"]
    assert [cell.text for cell in found.blocks[1].rows[1].cells] == ["7000", "9000", "11\u00a0000"]
    four = shown_table(answer(2, 2, 2, 2), LABELS)
    assert [block.heading for block in four.blocks][:2] == ["c: c0, d: d0", "c: c0, d: d1"]


def test_cells_say_how_they_are_protected() -> None:
    made = answer(2, 3, notes=("Counts carry random noise; cells need not add up to totals.",))
    made.table.values[0, 0] = np.nan
    assert [cell.state for cell in shown_table(made, LABELS).blocks[0].rows[0].cells] == ["empty", "noisy", "noisy"]
    parts = {"each": "b", "answered": 2, "of": 3, "refused": {"b1": ["set_size"]}}
    states = [
        [cell.state for cell in row.cells] for row in shown_table(answer(2, 3, parts=parts), LABELS).blocks[0].rows
    ]
    assert states == [["shown", "refused", "shown"]] * 2


def test_marks_of_reliability_are_shown() -> None:
    values = np.array([100.0, 100.0, 100.0, np.nan])
    table = CellTable(("a",), {"a": tuple("wxyz")}, "mean", values, np.array([5.0, 30.0, 90.0, np.nan]))
    found = shown_table(Answer(status="answered", table=table), LABELS)
    cells = [row.cells[0] for row in found.blocks[0].rows]
    assert [(cell.mark, cell.error) for cell in cells] == [("", "5.00"), ("*", "30.0"), ("**", "90.0"), ("", "")]
    assert [cell.text for cell in cells] == ["100.0", "100.0", "100.0", "·"]
    assert found.has_errors


def test_a_page_shows_the_first_cells_of_a_large_table() -> None:
    found = shown_table(answer(3000, 3), LABELS)
    assert not found.is_whole
    assert found.cells == 9000
    assert sum(len(row.cells) for block in found.blocks for row in block.rows) <= MOST_CELLS_SHOWN
