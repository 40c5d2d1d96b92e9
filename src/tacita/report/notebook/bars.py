"""Progress under a cell of a notebook: one bar for each task that takes long, gone when it is done."""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from typing import Any

from tacita.core.progress import Task
from tacita.report.markup import Html, tag
from tacita.report.notebook.summaries import framed

__all__ = ["NotebookBars", "notebook_bars"]

_PATIENCE = 0.5
"""Seconds before a bar appears: what is done by then needs none."""
_PAUSE = 0.2
"""Seconds between two drawings."""


@dataclass
class _NotebookBar:
    """One task."""

    bars: NotebookBars
    label: str
    total: float | None
    started: float
    done: float = 0.0
    note: str = ""

    def advance(self, amount: float = 1.0, /, *, note: str = "") -> None:
        self.done, self.note = self.done + amount, note
        self.bars.draw()

    def words(self) -> str:
        """Say how far it is, for those who have no picture."""
        if not self.total:
            return f"{self.label} {self.note}".rstrip()
        return f"{self.label} {min(100.0, 100 * self.done / self.total):.0f} % {self.note}".rstrip()

    def line(self, now: float) -> Html:
        """Return the bar with the time it has taken."""
        known = {"value": f"{min(self.done, self.total):g}", "max": f"{self.total:g}"} if self.total else {}
        took = f"{now - self.started:.0f} s"
        return tag("p", self.label, tag("progress", **known), took, f" {self.note}" if self.note else "")


@dataclass
class NotebookBars:
    """Shows tasks by the display of IPython; one place under the cell holds those that run now."""

    _open: list[_NotebookBar] = field(default_factory=list)
    _shown: Any = None
    _drawn: float = 0.0

    def open(self, label: str, total: float | None) -> Task:
        """Begin a task; nothing is shown of it yet."""
        opened = _NotebookBar(self, label, total, time.monotonic())
        self._open.append(opened)
        return opened

    def close(self, task: Task) -> None:
        """End a task; with the last of them the place under the cell is empty again."""
        self._open = [bar for bar in self._open if bar is not task]
        if not self._open and self._shown is not None:
            self._shown.update({"text/plain": "", "text/html": ""}, raw=True)
            self._shown = None

    def draw(self) -> None:
        """Draw the bars, unless they are younger than half a second or were drawn just now."""
        now = time.monotonic()
        if not self._open or now - self._open[0].started < _PATIENCE or now - self._drawn < _PAUSE:
            return
        self._drawn = now
        bundle = {
            "text/html": framed(*(bar.line(now) for bar in self._open)),
            "text/plain": "; ".join(bar.words() for bar in self._open),
        }
        if self._shown is None:
            from IPython.display import display  # there is one: the kernel that asked for a bar is made of it

            self._shown = display(bundle, raw=True, display_id=True)
        else:
            self._shown.update(bundle, raw=True)


_BARS = NotebookBars()


def notebook_bars() -> NotebookBars:
    """Return the reporter of this kernel."""
    return _BARS
