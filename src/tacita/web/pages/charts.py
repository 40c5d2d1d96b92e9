"""Charts of answers as SVG files: drawn by a thread, few at once, and kept by the id of the answer."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Callable, Mapping

from tacita.query.answer import Answer

__all__ = ["ChartShelf", "draw_residuals", "draw_table"]

_AT_ONCE = 2
_KEPT_BYTES = 16_000_000


class ChartShelf:
    """Pictures that were drawn, by name; the longest unused go first.

    Parameters
    ----------
    at_once
        Pictures that are drawn at the same time.
    size
        Bytes that are kept.
    """

    def __init__(self, at_once: int = _AT_ONCE, size: int = _KEPT_BYTES) -> None:
        self._turn = asyncio.Semaphore(at_once)
        self._kept: OrderedDict[str, bytes] = OrderedDict()
        self._drawn_now: dict[str, asyncio.Future[bytes]] = {}
        self._size = size

    def get(self, name: str) -> bytes | None:
        """Return a picture that was drawn."""
        found = self._kept.get(name)
        if found is not None:
            self._kept.move_to_end(name)
        return found

    async def draw(self, name: str, work: Callable[[], bytes]) -> bytes:
        """Draw a picture, or give it again.

        Parameters
        ----------
        name
            Id of the answer and what is drawn of it.
        work
            Draws it; runs in a thread.
        """
        found = self.get(name)
        if found is not None:
            return found
        if name not in self._drawn_now:
            drawing = asyncio.ensure_future(self._draw(name, work))
            drawing.add_done_callback(lambda _: self._drawn_now.pop(name, None))
            self._drawn_now[name] = drawing
        return await asyncio.shield(self._drawn_now[name])  # who leaves does not take it from the others

    async def _draw(self, name: str, work: Callable[[], bytes]) -> bytes:
        async with self._turn:
            made = await asyncio.to_thread(work)
        self._kept[name] = made
        while len(self._kept) > 1 and sum(map(len, self._kept.values())) > self._size:
            self._kept.popitem(last=False)
        return made


def draw_table(answer: Answer, title: str, labels: Mapping[str, str]) -> bytes:
    """Return the table of an answer as an SVG file."""
    from tacita.report.queries.tables import cells_chart
    from tacita.report.render import svg_bytes, unchecked

    with unchecked():
        return svg_bytes(cells_chart(answer.table, title=title, labels=labels))


def draw_residuals(answer: Answer) -> bytes:
    """Return the residual plots of an answer as an SVG file."""
    from tacita.report.queries.residuals import residuals_chart
    from tacita.report.render import svg_bytes, unchecked

    with unchecked():
        return svg_bytes(residuals_chart(answer.plots))
