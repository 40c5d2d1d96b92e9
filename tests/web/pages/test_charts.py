"""Pictures of answers: drawn once, a few at once, and nothing in them runs."""

from __future__ import annotations

import asyncio
import threading

import numpy as np

from tacita.query.answer import Answer
from tacita.query.residuals.shapes import Box, BoxPlot, ResidualPlots
from tacita.query.tables.cell_table import CellTable
from tacita.web.pages.charts import ChartShelf, draw_residuals, draw_table
from tests.web.pages.page_server import HOSTILE, TEMPLATED


def test_a_picture_is_drawn_once() -> None:
    drawn: list[int] = []

    async def both() -> list[bytes]:
        shelf = ChartShelf()

        def work() -> bytes:
            drawn.append(1)
            return b"picture"

        return await asyncio.gather(*(shelf.draw("x", work) for _ in range(5)))

    assert asyncio.run(both()) == [b"picture"] * 5
    assert len(drawn) == 1


def test_few_are_drawn_at_once_and_old_ones_go() -> None:
    running, most, lock = [0], [0], threading.Lock()

    def work() -> bytes:
        with lock:
            running[0] += 1
            most[0] = max(most[0], running[0])
        threading.Event().wait(0.02)
        with lock:
            running[0] -= 1
        return b"12345"

    async def many() -> list[bool]:
        shelf = ChartShelf(at_once=2, size=12)
        await asyncio.gather(*(shelf.draw(str(i), work) for i in range(6)))
        return [shelf.get(str(i)) is not None for i in range(6)]

    kept = asyncio.run(many())
    assert most[0] == 2
    assert sum(kept) == 2


def test_hostile_labels_are_text_in_a_picture() -> None:
    table = CellTable(("a",), {"a": (HOSTILE, TEMPLATED)}, "count", np.array([3.0, 4.0]))
    svg = draw_table(Answer(status="answered", table=table), HOSTILE, {"a": TEMPLATED}).decode()
    boxes = ResidualPlots(HOSTILE, "linear", (BoxPlot(HOSTILE, (Box(HOSTILE, -1, 0, 0, 0, 1, 9),)),), 4.0)
    for text in (svg, draw_residuals(Answer(status="answered", plots=boxes)).decode()):
        assert text.startswith("<svg")
        assert "<script" not in text
        assert "<img" not in text
        assert "alert(1)" in text
