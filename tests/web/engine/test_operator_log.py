"""The log of the operator: one line for each thing that is wrong, not one for each question."""

from __future__ import annotations

import warnings

import pytest

from tacita.core.errors import TacitaWarning
from tacita.web.engine import operator_log
from tacita.web.engine.operator_log import OperatorLog, say_warnings_plainly


def test_the_same_line_comes_once_a_minute() -> None:
    lines: list[str] = []
    now = [0.0]
    log = OperatorLog(lines.append, pause=60, now=lambda: now[0])
    assert [log.say("full"), log.say("full"), log.say("gone")] == [True, False, True]
    now[0] = 61.0
    assert log.say("full")
    assert lines == ["full", "gone", "full"]


def test_it_forgets_rather_than_grows() -> None:
    lines: list[str] = []
    log = OperatorLog(lines.append)
    for number in range(1000):
        log.say(str(number))
    assert len(lines) == 1000
    assert len(log._said) <= operator_log._MOST


def test_warnings_are_one_sentence(capsys: pytest.CaptureFixture[str]) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("always")
        say_warnings_plainly()
        warnings.warn("The journal ended with an incomplete line.", TacitaWarning, stacklevel=1)
        warnings.warn("something about a value", RuntimeWarning, stacklevel=1)
    said = capsys.readouterr()
    assert said.err == "Warning: The journal ended with an incomplete line.\n"
    assert said.out == ""
