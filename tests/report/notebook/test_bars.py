"""Bars under a cell: none for short work, one line a task, gone at the end; none outside a notebook."""

from __future__ import annotations

import multiprocessing.process
import sys
import threading
import types
from typing import Any

import IPython.display
import pytest

from tacita.core.progress import show_progress, task, track
from tacita.report.notebook import bars
from tacita.report.notebook.bars import NotebookBars, notebook_bars


class Screen:
    """Stands for the place under a cell."""

    def __init__(self) -> None:
        self.shown: list[dict[str, str]] = []

    def display(self, bundle: dict[str, str], **settings: Any) -> Screen:
        assert settings == {"raw": True, "display_id": True}
        self.shown.append(dict(bundle))
        return self

    def update(self, bundle: dict[str, str], **settings: Any) -> None:
        assert settings == {"raw": True}
        self.shown.append(dict(bundle))


@pytest.fixture
def screen(monkeypatch: pytest.MonkeyPatch) -> Screen:
    made = Screen()
    monkeypatch.setattr(IPython.display, "display", made.display)
    return made


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    now = [100.0]
    monkeypatch.setattr(bars.time, "monotonic", lambda: now[0])
    return now


def test_short_work_shows_nothing(screen: Screen, clock: list[float]) -> None:
    with show_progress(NotebookBars()):
        assert list(track("abc", "Letters")) == ["a", "b", "c"]
    assert screen.shown == []


def test_long_work_has_a_bar_that_goes(screen: Screen, clock: list[float]) -> None:
    with show_progress(NotebookBars()), task("Searching <all>", 4) as running:
        clock[0] += 1
        running.advance(note="near & far")
        running.advance()  # at once: not drawn again
        clock[0] += 1
        with task("Linking") as inner:
            inner.advance()
    assert [bundle["text/plain"] for bundle in screen.shown] == [
        "Searching <all> 25 % near & far",
        "Searching <all> 50 %; Linking",
        "",
    ]
    html = screen.shown[0]["text/html"]
    assert '<progress value="1" max="4"></progress>1 s' in html
    assert "Searching &lt;all&gt;" in html
    assert "near &amp; far" in html
    assert screen.shown[1]["text/html"].count("<progress") == 2
    assert screen.shown[-1]["text/html"] == ""


def test_an_error_takes_the_bar_away_too(screen: Screen, clock: list[float]) -> None:
    shown = NotebookBars()

    def work() -> None:
        with show_progress(shown), task("Working", 2) as running:
            clock[0] += 1
            running.advance()
            raise KeyError

    with pytest.raises(KeyError):
        work()
    assert screen.shown[-1] == {"text/plain": "", "text/html": ""}
    assert shown._open == []


def test_a_word_that_comes_too_late_is_not_shown(screen: Screen, clock: list[float]) -> None:
    with show_progress(NotebookBars()), task("Working", 2) as running:
        clock[0] += 1
    running.advance()
    assert screen.shown == []


def test_more_than_all_is_all(screen: Screen, clock: list[float]) -> None:
    with show_progress(NotebookBars()), task("Working", 2) as running:
        clock[0] += 1
        running.advance(5)
    assert screen.shown[0]["text/plain"] == "Working 100 %"


# --- who gets them ----------------------------------------------------------------------------------------------------------


def kernel(monkeypatch: pytest.MonkeyPatch, *, runs: bool) -> None:
    shell = types.SimpleNamespace(initialized=lambda: runs)
    monkeypatch.setitem(sys.modules, "ipykernel.zmqshell", types.SimpleNamespace(ZMQInteractiveShell=shell))


def opened_by_a_task() -> bool:
    with task("Asking"):
        return any(bar.label == "Asking" for bar in notebook_bars()._open)


def test_a_kernel_that_runs_has_bars(monkeypatch: pytest.MonkeyPatch) -> None:
    kernel(monkeypatch, runs=True)
    assert opened_by_a_task()
    assert notebook_bars()._open == []


def test_others_have_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(sys.modules, "ipykernel.zmqshell", raising=False)
    assert not opened_by_a_task()
    kernel(monkeypatch, runs=False)
    assert not opened_by_a_task()
    kernel(monkeypatch, runs=True)
    with show_progress(None):
        assert not opened_by_a_task()
    with monkeypatch.context() as child:
        child.setattr(multiprocessing.process, "parent_process", lambda: "the kernel")
        assert not opened_by_a_task()
    found: list[bool] = []
    thread = threading.Thread(target=lambda: found.append(opened_by_a_task()))
    thread.start()
    thread.join()
    assert found == [False]
