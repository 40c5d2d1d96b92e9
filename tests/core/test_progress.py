"""Progress: silent by default, told to the reporter that is installed."""

from __future__ import annotations

import threading
from typing import Any

import pytest

from tacita.core.progress import show_progress, task, track


class Recorder:
    """Writes down everything that it is told."""

    def __init__(self) -> None:
        self.events: list[tuple[Any, ...]] = []

    def open(self, label: str, total: float | None) -> Recorder:
        self.events.append(("open", label, total))
        return self

    def advance(self, amount: float = 1.0, /, *, note: str = "") -> None:
        self.events.append(("advance", amount, note))

    def close(self, task: object) -> None:
        self.events.append(("close", task is self))


def test_silent_without_a_reporter(capsys: pytest.CaptureFixture[str]) -> None:
    with task("Working", 3) as running:
        running.advance(2, note="half")
    assert list(track([1, 2], "Counting")) == [1, 2]
    assert capsys.readouterr() == ("", "")


def test_task_is_opened_advanced_and_closed() -> None:
    recorder = Recorder()
    with show_progress(recorder), task("Working", 3) as running:
        running.advance(2, note="half")
    assert recorder.events == [("open", "Working", 3), ("advance", 2, "half"), ("close", True)]


def test_task_is_closed_after_an_error() -> None:
    recorder = Recorder()
    with pytest.raises(KeyError), show_progress(recorder), task("Working"):
        raise KeyError
    assert recorder.events[-1] == ("close", True)


def test_track_counts_items() -> None:
    recorder = Recorder()
    with show_progress(recorder):
        assert list(track("abc", "Letters")) == ["a", "b", "c"]
        assert list(track(iter("ab"), "Unknown")) == ["a", "b"]
        assert list(track(iter("a"), "Told", total=9)) == ["a"]
    opened = [event for event in recorder.events if event[0] == "open"]
    assert opened == [("open", "Letters", 3), ("open", "Unknown", None), ("open", "Told", 9)]
    assert recorder.events.count(("advance", 1.0, "")) == 6


def test_reporter_goes_with_its_block_and_can_be_switched_off() -> None:
    outer = Recorder()
    with show_progress(outer):
        with show_progress(None), task("Silent"):
            pass
        with task("Loud"):
            pass
    with task("After"):
        pass
    assert [event[1] for event in outer.events if event[0] == "open"] == ["Loud"]


def test_other_threads_do_not_see_it() -> None:
    """A server runs several users in threads; each has its own reporter."""
    recorder = Recorder()

    def work() -> None:
        with task("Elsewhere"):
            pass

    with show_progress(recorder):
        other = threading.Thread(target=work)
        other.start()
        other.join()
    assert recorder.events == []
