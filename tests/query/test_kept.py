"""Answers that are kept: the latest ones, within a bounded memory."""

from __future__ import annotations

import numpy as np

from tacita.query.answer import Answer
from tacita.query.kept import KeptAnswers, numbers_in
from tacita.query.requests.tabulate import Tabulate
from tacita.query.tables.cell_table import CellTable
from tests.query.builders import opened, survey


def _table(cells: int) -> Answer:
    classes = tuple(map(str, range(cells)))
    return Answer(status="answered", table=CellTable(("x",), {"x": classes}, "count", np.zeros(cells)))


def test_the_oldest_answer_goes_first_and_asking_makes_one_the_latest() -> None:
    kept = KeptAnswers(most=2)
    for name in "ab":
        kept.keep(name, _table(1))
    assert kept.get("a") is not None
    kept.keep("c", _table(1))
    assert [name in kept for name in "abc"] == [True, False, True]
    assert kept.get("b") is None


def test_large_tables_do_not_use_up_the_memory() -> None:
    kept = KeptAnswers(numbers=10_000)
    for number in range(100):
        kept.keep(str(number), _table(1000))
    assert len(kept) == 4
    assert "99" in kept
    kept.keep("huge", _table(1_000_000))
    assert len(kept) == 1


def test_an_answer_that_is_kept_again_counts_once() -> None:
    kept = KeptAnswers(numbers=10_000)
    for _ in range(50):
        kept.keep("a", _table(1000))
    kept.keep("b", _table(1000))
    assert len(kept) == 2
    assert numbers_in(_table(1000)) == 2100


def test_an_answer_that_is_no_longer_kept_is_the_same_again() -> None:
    db = opened(survey(), "tables")
    db._kept = KeptAnswers(most=1)
    first = db.ask(Tabulate(by=["education"])).to_json()
    db.ask(Tabulate(by=["sex"]))
    assert db.ask(Tabulate(by=["education"])).to_json() == first
