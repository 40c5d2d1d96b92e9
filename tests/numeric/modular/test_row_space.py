"""Row spaces modulo a prime, against ranks in exact fractions."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from tacita.numeric.modular.row_space import RowSpace
from tests.effort import examples
from tests.query.audit.exact_solver import is_determined, rank, rows_of

PRIME = 2**50 - 27
subsets = st.lists(st.sets(st.integers(0, 6), min_size=1), max_size=9)


def _space(sets: list[set[int]], columns: int = 7) -> tuple[RowSpace, list[bool]]:
    space = RowSpace(columns, PRIME)
    return space, [space.insert(np.array(sorted(members))) for members in sets]


@settings(max_examples=examples(25), deadline=None)
@given(subsets, st.sets(st.integers(0, 6)))
def test_rank_and_membership(sets: list[set[int]], asked: set[int]) -> None:
    space, grew = _space(sets)
    rows = rows_of(sets, 7)
    assert space.rank == rank(rows) == sum(grew)
    assert space.contains(np.array(sorted(asked), dtype=np.int64)) == is_determined(rows, rows_of([asked], 7)[0])


@settings(max_examples=examples(25), deadline=None)
@given(subsets, st.sets(st.integers(0, 6), min_size=1), subsets)
def test_split_columns_have_the_entries_of_their_parents(
    sets: list[set[int]], parents: set[int], later: list[set[int]]
) -> None:
    space, _ = _space(sets)
    space.split(np.array(sorted(parents)))
    copies = {parent: 7 + number for number, parent in enumerate(sorted(parents))}
    wider = [members | {copies[a] for a in members & parents} for members in sets]
    for members in later:  # separates what was split
        space.insert(np.array(sorted(members)))
    rows = rows_of([*wider, *later], 7 + len(parents))
    assert space.columns == 7 + len(parents)
    assert space.rank == rank(rows)
    assert all(space.contains(np.array(sorted(members))) for members in wider)
    for column in range(space.columns):
        alone = rows_of([[column]], space.columns)[0]
        assert space.contains(np.array([column])) == is_determined(rows, alone)


@settings(max_examples=examples(25), deadline=None)
@given(subsets, st.integers(0, 2**32))
def test_null_vectors_are_orthogonal_to_all_rows_and_fill_the_null_space(sets: list[set[int]], seed: int) -> None:
    space, _ = _space(sets)
    vectors = space.null_vectors(8, np.random.default_rng(seed))
    for members in sets:
        assert [sum(int(x) for x in vector[sorted(members)]) % PRIME for vector in vectors] == [0] * 8
    span = RowSpaceOfVectors(vectors)
    assert span.rank == 7 - space.rank


class RowSpaceOfVectors:
    """Rank of vectors modulo the prime, by elimination with Python's integers."""

    def __init__(self, vectors: np.ndarray) -> None:
        rows = [[int(x) for x in vector] for vector in vectors]
        self.rank = 0
        for column in range(len(rows[0])):
            pivot = next((i for i in range(self.rank, len(rows)) if rows[i][column]), None)
            if pivot is None:
                continue
            rows[self.rank], rows[pivot] = rows[pivot], rows[self.rank]
            inverse = pow(rows[self.rank][column], -1, PRIME)
            for i in range(self.rank + 1, len(rows)):
                factor = rows[i][column] * inverse
                rows[i] = [(a - factor * b) % PRIME for a, b in zip(rows[i], rows[self.rank], strict=True)]
            self.rank += 1


def test_more_rows_than_fit_into_one_sum() -> None:
    """Ten thousand pivots are added up in parts, so that 64 bits hold the sums."""
    columns = 10_001
    space = RowSpace(columns, PRIME)
    space._table = np.full((columns - 1, 1), PRIME - 1, dtype=np.int64)
    space.rank, space._free = columns - 1, 1
    space._place = np.concatenate([-1 - np.arange(columns - 1), [0]])
    assert space.residual(np.arange(columns)).tolist() == [columns % PRIME]
