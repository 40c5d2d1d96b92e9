"""``make test`` tries fewer examples than ``make test-all``, and no check goes without."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from hypothesis import settings

from tests import effort
from tests.architecture.source import ROOT


@pytest.fixture(autouse=True)
def _profile_of_the_run() -> Iterator[None]:
    before = settings().max_examples
    yield
    settings.load_profile("all" if before == effort.ALL else "quick")


@pytest.mark.parametrize(("marks", "most", "few"), [("not slow", 15, 3), ("", 60, 5), ("slow", 60, 5)])
def test_a_run_without_slow_tests_is_quick(marks: str, most: int, few: int) -> None:
    effort.load_profile(marks)
    assert settings().max_examples == effort.examples(60) == most
    assert effort.examples(5) == few
    assert effort.examples(150) == most * 5 // 2


def test_the_makefile_asks_for_both() -> None:
    text = (ROOT / "Makefile").read_text(encoding="utf-8")
    runs = [line for line in text.splitlines() if "/pytest -n" in line]
    quick = [line for line in runs if '-m "not slow"' in line]
    whole = [line for line in runs if "-m" not in line]
    assert len(quick) == len(whole) == 1


def test_this_run_has_the_profile_of_its_marks(pytestconfig: pytest.Config) -> None:
    quick = pytestconfig.option.markexpr.strip() == "not slow"
    assert settings().max_examples == (effort.QUICK if quick else effort.ALL)


def test_the_longest_tests_are_there() -> None:
    for file, names in effort.LONGEST.items():
        text = (ROOT / file).read_text(encoding="utf-8")
        for name in names:
            assert f"def {name.partition('[')[0]}(" in text, f"{file}::{name}"
            assert effort.is_among_the_longest(f"{file}::{name}")
    assert not effort.is_among_the_longest("tests/architecture/test_effort.py::test_the_longest_tests_are_there")
