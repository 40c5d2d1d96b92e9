"""What the search knows: after any change of masks the frequencies are those of a recount, and undoing brings all back."""

from __future__ import annotations

from typing import cast

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tacita.core.vocabulary import MISSING_KEYS, MissingKeys
from tacita.numeric.local_suppression.local_suppression import SuppressionTask
from tacita.numeric.local_suppression.state import (
    BAD,
    CONSERVATIVE,
    COST,
    COUNT,
    FREQUENCY,
    GONE,
    KIND,
    LACKS,
    LOG,
    MASK,
    OWN_CATEGORY,
    PLACE,
    ROWS,
    SIZE,
    SLOTS,
    SPARE,
    WILDCARD,
    SuppressionState,
    assign,
    candidate_masks,
    counts_for,
    new_row,
    roll_back,
    sum_over_subsets,
)
from tests.effort import examples
from tests.numeric.local_suppression.states import shown, started
from tests.oracles.numeric.frequencies import frequencies_oracle

VIEWS = ((0, 1, 2), (0, 2))


def frequencies(state: SuppressionState) -> list[tuple[int, int, int, int, int]]:
    """View, projection, what is lacking, frequency and number of records of every slot in use."""
    found = []
    for view in range(len(VIEWS)):
        slots = state.slots[:, state.views[SLOTS, view] :]
        for t in range(int(state.views[SIZE, view] + state.tally[ROWS])):
            if slots[COUNT, t] > 0:
                found.append((view, *(int(slots[part, t]) for part in (PLACE, LACKS, FREQUENCY, COUNT))))
    return sorted(found)


def recounted(codes: np.ndarray, missing: str, k: int) -> tuple[list[tuple[int, int]], int]:
    """View and frequency of every record, and how many groups of equal records are below k, counted record by record."""
    every, below = [], 0
    for v, view in enumerate(VIEWS):
        found = np.rint(frequencies_oracle(codes[:, list(view)], np.ones(len(codes)), missing)).astype(int)
        every += [(v, int(f)) for f in found]
        below += int((found < k).any())
    return sorted(every), below


def test_modes_are_the_words_of_the_vocabulary() -> None:
    assert [MISSING_KEYS[mode] for mode in (WILDCARD, OWN_CATEGORY, CONSERVATIVE)] == [
        "wildcard",
        "own category",
        "conservative",
    ]


@pytest.mark.parametrize(
    ("mode", "expected"),
    [
        # The two differ in key 0 (bit 1). Who lacks it: nobody, the source, the target, both.
        (WILDCARD, [False, True, True, True]),
        (OWN_CATEGORY, [False, False, False, True]),
        (CONSERVATIVE, [False, False, True, True]),
    ],
)
def test_who_counts_for_whom(mode: int, expected: list[bool]) -> None:
    lacking = [(0, 0), (1, 0), (0, 1), (1, 1)]
    assert [bool(counts_for(mode, 1, source, target)) for source, target in lacking] == expected


@given(
    st.lists(st.lists(st.integers(-1, 2), min_size=3, max_size=3), min_size=2, max_size=12),
    st.lists(st.tuples(st.integers(0, 30), st.integers(1, 7)), max_size=12),
    st.sampled_from(MISSING_KEYS),
)
@settings(max_examples=examples(60), deadline=None)
def test_frequencies_are_those_of_a_recount(
    rows: list[list[int]], changes: list[tuple[int, int]], missing: MissingKeys
) -> None:
    codes = np.array(rows)
    task = SuppressionTask(k=3, views=VIEWS, price=np.array([1.0, 2.0, 4.0]), missing=cast(MissingKeys, missing))
    state, _, patterns = started(codes, task)
    before, cost = frequencies(state), float(state.amounts[COST])
    state.tally[LOG] = 0
    for place, mask in changes:
        kind = place % len(patterns.counts)
        if state.kinds[SPARE, kind] > 0 and mask & ~state.kinds[GONE, kind]:
            assign(state, new_row(state, kind), mask)
        elif state.tally[ROWS] > 0 and state.rows[KIND, place % state.tally[ROWS]] >= 0:
            assign(state, place % int(state.tally[ROWS]), mask)
    made = shown(codes, state, patterns)
    every, below = recounted(made, missing, task.k)
    listed = [(view, frequency) for view, _, _, frequency, count in frequencies(state) for _ in range(count)]
    assert sorted(listed) == every
    assert (state.tally[BAD] > 0) == (below > 0)
    gone = ((made < 0) & (codes >= 0)) @ task.price
    assert state.amounts[COST] == pytest.approx(gone.sum())
    roll_back(state, 0)
    assert frequencies(state) == before
    assert state.amounts[COST] == pytest.approx(cost)
    assert (shown(codes, state, patterns) == codes).all()


def test_a_row_that_is_whole_again_goes_back_to_its_kind() -> None:
    codes = np.array([[0, 0, 0], [0, 0, 0], [1, 1, 1]])
    state, _, _ = started(codes, SuppressionTask(k=2, views=VIEWS, price=np.ones(3)))
    row = new_row(state, 0)
    assign(state, row, 1)
    assert (state.kinds[SPARE, 0], state.rows[MASK, row]) == (1, 1)
    assign(state, row, 0)
    assert (state.kinds[SPARE, 0], state.rows[KIND, row]) == (2, -1)


def test_sums_over_subsets() -> None:
    values = np.array([1, 10, 100, 1000])
    sum_over_subsets(values)
    assert values.tolist() == [1, 11, 101, 1111]


def test_masks_of_few_keys_out_of_many_and_that_of_all() -> None:
    room = candidate_masks(np.ones(12), [list(range(12))])
    sizes = [int(mask).bit_count() for mask in room.masks]
    assert sizes[-1] == 12
    assert sorted(set(sizes[:-1])) == [1, 2, 3, 4]
    assert room.cost[0, 0b101] == 2.0
