"""DecompositionCount: what a table adds, what universes add, and when the limit is reached."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tacita.core.errors import ParameterError
from tacita.core.keyed import Key
from tacita.query.noise.decompositions import Decomposition, DecompositionCount, table_decompositions
from tacita.query.noise.set_numbers import MemberHash
from tests.effort import examples

KEY = Key(b"a key that is only for tests")
KEYS = KEY.record_keys(np.arange(60, dtype=np.uint64))


def hash_of(members: frozenset[int]) -> MemberHash:
    rows = KEYS[sorted(members)]
    return (int(rows[:, 0].sum()), int(rows[:, 1].sum()), len(members))


def table_of(codes: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The inner cells of a table over the records 0, 1, ..."""
    classes, cell = np.unique(codes, axis=0, return_inverse=True)
    sums = np.zeros((len(classes), 2), dtype=np.int64)
    np.add.at(sums, cell.ravel(), KEYS[: len(codes)])
    return sums, np.bincount(cell.ravel(), minlength=len(classes)), classes


@settings(max_examples=examples(25), deadline=None)
@given(st.lists(st.tuples(*[st.integers(0, 2)] * 3), min_size=1, max_size=20), st.integers(0, 3), st.booleans())
def test_a_table_decomposes_its_margins(rows: list[tuple[int, ...]], width: int, margins: bool) -> None:
    """Against sets of records: every pair of a margin cell and a finer margin, as a target and a family of parts."""
    codes = np.array([row[:width] for row in rows], dtype=np.int64).reshape(len(rows), width)
    choices = [set(c) for size in range(width + 1) for c in itertools.combinations(range(width), size)]
    wanted: dict[tuple[frozenset[int], frozenset[frozenset[int]]], None] = {}
    for coarse, fine in itertools.product(choices, choices):
        if coarse < fine and (margins or len(fine) == width):
            cells: dict[tuple[int, ...], dict[tuple[int, ...], set[int]]] = {}
            for i, row in enumerate(codes.tolist()):
                outer = cells.setdefault(tuple(row[j] for j in sorted(coarse)), {})
                outer.setdefault(tuple(row[j] for j in sorted(fine)), set()).add(i)
            for parts in cells.values():
                if len(parts) > 1:
                    family = frozenset(frozenset(part) for part in parts.values())
                    wanted[frozenset().union(*family), family] = None
    found = table_decompositions(*table_of(codes), margins=margins)
    assert sorted(d.target for d in found) == sorted(hash_of(target) for target, _ in wanted)
    assert len({d.family for d in found}) == len({family for _, family in wanted})


def test_a_family_is_known_however_it_is_written() -> None:
    """Classes in another order, or a second variable that says the same, make no further decomposition."""
    age = np.repeat([0, 1, 2], 20)
    one = table_decompositions(*table_of(age[:, None]))
    other = table_decompositions(*table_of(2 - age[:, None]))
    both = table_decompositions(*table_of(np.stack([age, 5 - age], axis=1)))
    assert one == other == both
    counted = DecompositionCount(limit=1)
    counted.record(one)
    counted.record(other)
    assert counted.count(hash_of(frozenset(range(60)))) == 1


def test_the_limit_is_per_set() -> None:
    rng = np.random.default_rng(3)
    counted, universe = DecompositionCount(limit=3), hash_of(frozenset(range(60)))
    answered = 0
    for _ in range(10):
        table = table_decompositions(*table_of(rng.integers(0, 2, (60, 1))))
        if counted.fits(table):
            counted.record(table)
            answered += 1
        else:
            with pytest.raises(ParameterError, match="more than 3 decompositions"):
                counted.record(table)
    assert answered == counted.count(universe) == 3
    apart = table_decompositions(*table_of(rng.integers(0, 2, (59, 1))))
    assert counted.fits(apart)  # another set has its own count
    wide = table_decompositions(*table_of(rng.integers(0, 2, (58, 2))))
    assert not DecompositionCount(limit=2).fits(wide)  # a two-way table with margins is three of them at once
    assert DecompositionCount(limit=3).fits(wide)


def test_sums_and_differences_of_universes_are_seen() -> None:
    whole, left = frozenset(range(30)), frozenset(range(12))
    counted = DecompositionCount(limit=5)
    for members in (whole, left):
        assert counted.of_universe(hash_of(members)) == []
        counted.record([], universe=hash_of(members))
    found = counted.of_universe(hash_of(whole - left))
    assert sorted(d.target for d in found) == sorted(map(hash_of, (whole, left, whole - left)))
    counted.record(found, universe=hash_of(whole - left))
    assert counted.count(hash_of(left)) == 1
    assert counted.of_universe(hash_of(whole)) == []
    assert counted.of_universe(hash_of(frozenset(range(5, 40)))) == []  # overlaps, and is the sum of nothing


def test_the_order_of_universes_does_not_matter() -> None:
    sets = [frozenset(range(30)), frozenset(range(12)), frozenset(range(12, 30))]
    counts = set()
    for order in itertools.permutations(sets):
        counted = DecompositionCount(limit=5)
        for members in order:
            counted.record(counted.of_universe(hash_of(members)), universe=hash_of(members))
        counts.add(tuple(counted.count(hash_of(members)) for members in sets))
    assert counts == {(1, 1, 1)}


def test_bad_input_is_refused() -> None:
    with pytest.raises(ParameterError, match="'limit'"):
        DecompositionCount(limit=0)
    with pytest.raises(ParameterError, match="a row for each of 2 cells"):
        table_decompositions(np.zeros((2, 2), int), np.ones(2, int), np.zeros((3, 1), int))
    assert table_decompositions(np.zeros((1, 2), int), np.zeros(1, int), np.zeros((1, 1), int)) == []
    assert DecompositionCount(limit=1).fits([Decomposition((1, 2, 3), "a" * 32)])
