"""The auditor of rows: what is made of large cells is free of algebra, the rest is exact, and all of it is bounded."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Iterator

import numpy as np
import pytest

from tacita.core.keyed import Key
from tacita.query.audit import row_auditor as module
from tacita.query.audit.row_auditor import RowAuditor, RowSets
from tests.query.audit.exact_solver import determines_combination

KEY = Key(b"a key for the tests")
Words = tuple[tuple[str, ...], tuple[tuple[str, int], ...]]
"""Variables of a table, and conditions: a variable and its class."""


class People:
    """Some people with classes of a few variables, and the sets of tables of them."""

    def __init__(self, n: int, sizes: dict[str, int], seed: int = 0) -> None:
        rng = np.random.default_rng(seed)
        self.n = n
        self.codes = {name: rng.integers(0, size, n) for name, size in sizes.items()}
        self.hashes = KEY.record_keys(np.arange(n, dtype=np.uint64))
        self.passes = 0

    def least_in_cells(self, names: frozenset[str]) -> int:
        self.passes += 1
        return min(Counter(zip(*(self.codes[name].tolist() for name in names), strict=True)).values(), default=self.n)

    def members(self, words: Words) -> Iterator[np.ndarray]:
        by, conditions = words
        inside = np.ones(self.n, dtype=np.bool_)
        for name, number in conditions:
            inside &= self.codes[name] == number
        cells: dict[tuple[int, ...], list[int]] = {}
        for row in np.flatnonzero(inside).tolist():
            cells.setdefault(tuple(int(self.codes[name][row]) for name in by), []).append(row)
        yield from (np.array(rows) for rows in cells.values())

    def sets(self, by: tuple[str, ...], **conditions: int) -> RowSets[Words]:
        words = (by, tuple(sorted(conditions.items())))
        listed = [self.hashes[rows] for rows in self.members(words)]
        hashes = tuple((int(h[:, 0].sum()), int(h[:, 1].sum()), len(h)) for h in listed)
        return RowSets(words, frozenset([*by, *conditions]), hashes)

    def auditor(self, limit: int = 3) -> RowAuditor[Words]:
        return RowAuditor(self.n, limit=limit, key=KEY, least_in_cells=self.least_in_cells, members=self.members)


def test_large_cells_need_no_algebra_and_no_second_pass() -> None:
    people = People(2000, {"a": 3, "b": 4})
    auditor = people.auditor()
    for asked in (people.sets(("a",)), people.sets(("b",), a=1), people.sets(("a", "b"))):
        assert auditor.judge(asked).outcome == "allow"
        auditor.record(asked)
    assert auditor.is_by_cells
    assert auditor._exact is not None
    assert auditor._exact.rank == 0, "the solver was not asked"
    passes = people.passes
    assert auditor.judge(people.sets(("a",), b=2)).outcome == "free"
    assert auditor.judge(people.sets((), b=2)).outcome == "allow"
    assert people.passes == passes


def test_every_judgement_is_that_of_the_solver() -> None:
    """Small data: whatever way it is judged, what is allowed never determines a combination of fewer than three."""
    for seed in range(6):
        people = People(14, {"a": 2, "b": 2, "c": 2}, seed)
        auditor, answered = people.auditor(), []
        names = ("a", "b", "c")
        tables = [by for size in (1, 2) for by in itertools.combinations(names, size)]
        asked = [people.sets(by) for by in tables] + [
            people.sets((x,), **{y: 0}) for x in names for y in names if x != y
        ]
        for sets in np.random.default_rng(seed).permutation(np.array(asked, dtype=object)).tolist():
            rows = [set(members.tolist()) for members in people.members(sets.words)]
            after = [*answered, *rows]
            wanted = not determines_combination(after, people.n, 3)
            assert auditor.judge(sets).is_allowed == wanted
            if wanted:
                auditor.record(sets)
                answered = after


def test_a_question_that_is_refused_leaves_the_others_as_they_were() -> None:
    people = People(300, {"a": 3, "b": 4, "who": 150})
    auditor = people.auditor()
    auditor.record(people.sets(("a",)))
    assert not auditor.judge(people.sets(("who",))).is_allowed
    assert auditor.is_by_cells
    assert auditor.judge(people.sets(("a", "b"))).outcome == "allow"


def test_large_data_are_audited_by_cells_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MOST_EXACT", 100)
    people = People(600, {"a": 3, "b": 4, "c": 40})
    auditor = people.auditor()
    auditor.record(people.sets(("a", "b")))
    found = auditor.judge(people.sets(("c",)))
    assert (found.outcome, found.reason) == ("deny", "The audit is full.")
    assert auditor.judge(people.sets(("b",), a=1)).is_allowed, "what fits beside it stays allowed for ever"
    assert not auditor.is_full


def test_what_left_although_it_does_not_fit_fills_the_audit(monkeypatch: pytest.MonkeyPatch) -> None:
    """As after a policy was made stricter: no proof is left, so only what was answered is free."""
    monkeypatch.setattr(module, "MOST_EXACT", 100)
    people = People(600, {"a": 3, "b": 4, "c": 200})
    auditor = people.auditor()
    for asked in (people.sets(("a",)), people.sets(("c",))):
        auditor.record(asked)
    assert auditor.is_full
    assert auditor.judge(people.sets(("a",))).outcome == "free"
    assert auditor.judge(people.sets(("b",))).outcome == "deny"


def test_the_algebra_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    people = People(60, {"a": 3, "b": 5, "c": 5, "d": 5})
    free, bounded = people.auditor(), people.auditor()
    free.record(people.sets(("b",)))
    bounded.record(people.sets(("b",)))
    asked = people.sets(("c",))
    assert not free._is_safe(frozenset("bc"))
    assert free.judge(asked).outcome == "allow"
    monkeypatch.setattr(module, "MOST_NUMBERS", 20)
    assert bounded.judge(asked).reason == "The audit is full."
    bounded.record(asked)
    assert bounded.is_full
    assert bounded._exact is None


def test_memory_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_MOST_WAITING", 5)
    monkeypatch.setattr(module, "_MOST_KNOWN", 4)
    people = People(2000, {"a": 3, "b": 4})
    auditor = people.auditor()
    for number in range(4):
        auditor.record(people.sets(("a",), b=number))
    assert len(auditor._known) <= 4 + 3, "one answer beyond the bound at most"
    assert auditor._waiting == []
    assert auditor._exact is None, "too much was answered for a solver to learn"
    assert auditor.judge(people.sets(("a", "b"))).outcome == "allow"


def test_sets_of_few_are_refused_without_work() -> None:
    people = People(50, {"a": 2, "who": 40})
    auditor = people.auditor()
    assert auditor.judge(people.sets(("who",))).reason == "A set has fewer than 3 people."
    assert auditor._exact is not None
    assert auditor._exact.rank == 0
