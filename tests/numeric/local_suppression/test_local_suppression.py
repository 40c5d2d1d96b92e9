"""The kernels of local suppression: by hand, against a recount record by record, in blocks, and without sacrifices."""

from __future__ import annotations

from itertools import combinations
from typing import Any, cast

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tacita.core.vocabulary import MISSING_KEYS, MissingKeys
from tacita.numeric.local_suppression import local_suppression
from tacita.numeric.local_suppression.local_suppression import SuppressionTask, suppress_cells
from tacita.numeric.local_suppression.state import candidate_masks
from tests.effort import examples
from tests.oracles.mask.local_suppression import is_k_anonymous_oracle

ALL = ((0, 1),)


def masked(codes: np.ndarray, task: SuppressionTask) -> np.ndarray:
    cells = suppress_cells(codes, task)
    assert not cells[codes < 0].any(), "what is missing cannot be suppressed"
    return np.where(cells, -1, codes)


@pytest.mark.parametrize(
    ("missing", "expected"),
    [
        # The third record can hide behind its first key; under `own category` the others must show as little as it does.
        ("wildcard", [[0, 0], [0, 0], [0, -1]]),
        ("conservative", [[0, 0], [0, 0], [0, -1]]),
        ("own category", [[0, -1], [0, -1], [0, -1]]),
    ],
)
def test_by_hand(missing: MissingKeys, expected: list[list[int]]) -> None:
    codes = np.array([[0, 0], [0, 0], [0, 1]])
    assert masked(codes, SuppressionTask(k=2, views=ALL, price=np.ones(2), missing=missing)).tolist() == expected


def test_a_value_that_others_at_risk_share() -> None:
    """Four records of a line: two that lose the differing key save the other two (k = 3)."""
    codes = np.array([[0, 0], [0, 1], [0, 2], [0, 3]])
    cells = suppress_cells(codes, SuppressionTask(k=3, views=ALL, price=np.ones(2)))
    assert cells.sum(axis=0).tolist() == [0, 2]


def test_nobody_is_sacrificed() -> None:
    """Two empty records would match everybody; instead no record loses more than it needs alone, and safe ones nothing."""
    rng = np.random.default_rng(3)
    codes = np.stack([np.minimum(rng.geometric(0.5, 400) - 1, 3) for _ in range(5)], axis=1)
    task = SuppressionTask(k=3, views=(tuple(range(5)),), price=np.ones(5))
    cells = suppress_cells(codes, task)
    _, labels, counts = np.unique(codes, axis=0, return_inverse=True, return_counts=True)
    safe = counts[labels.ravel()] >= 3
    assert not cells[safe].any()
    for row in np.flatnonzero(cells.any(axis=1)):
        differ = (codes != codes[row]).sum(axis=1)
        alone = next(
            size
            for size in range(1, 6)
            for lost in combinations(range(5), size)
            if (np.delete(codes != codes[row], lost, axis=1).sum(axis=1) == 0).sum() >= 3
        )
        assert cells[row].sum() <= alone <= differ.max()


@st.composite
def problems(draw: st.DrawFn) -> tuple[np.ndarray, SuppressionTask]:
    n, d = draw(st.integers(3, 24)), draw(st.integers(1, 4))
    codes = np.array(draw(st.lists(st.lists(st.integers(-1, 3), min_size=d, max_size=d), min_size=n, max_size=n)))
    size = draw(st.integers(1, d))
    views = tuple(combinations(range(d), size))
    units, shared = None, ()
    if draw(st.booleans()):
        units, shared = np.arange(n) // 3, tuple(range(draw(st.integers(0, d))))
        codes[:, list(shared)] = codes[units * 3][:, list(shared)]
    price = np.array(draw(st.lists(st.sampled_from([0.0, 1.0, 2.5]), min_size=d, max_size=d)))
    task = SuppressionTask(
        k=draw(st.integers(1, min(n, 4))),
        views=views,
        price=price,
        missing=cast(MissingKeys, draw(st.sampled_from(MISSING_KEYS))),
        units=units,
        shared=shared,
        effort=draw(st.sampled_from([0.0, 0.02])),
    )
    return codes, task


@given(problems())
@settings(max_examples=examples(150))
def test_every_view_is_k_anonymous(problem: tuple[np.ndarray, SuppressionTask]) -> None:
    codes, task = problem
    made = masked(codes, task)
    assert is_k_anonymous_oracle(made, task.views, task.k, task.missing)
    if task.units is not None:
        for j in task.shared:
            first = made[task.units * 3, j]
            assert np.array_equal(made[:, j], first), "a shared key is missing for some members only"


@pytest.mark.parametrize("missing", MISSING_KEYS)
@pytest.mark.parametrize("with_units", [False, True])
def test_blocks_are_safe_as_a_whole(missing: MissingKeys, with_units: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(local_suppression, "_BLOCK", 20)
    rng = np.random.default_rng(1)
    codes = np.stack([rng.integers(0, size, 90) for size in (2, 3, 4)], axis=1)
    units = np.arange(90) // 2 if with_units else None
    codes[:, 0] = codes[np.arange(90) // 2 * 2, 0]
    views = ((0, 1, 2),)
    task = SuppressionTask(k=3, views=views, price=np.array([3.0, 1.0, 2.0]), missing=missing, units=units, shared=(0,))
    patterns = local_suppression.find_patterns([(codes[:, j], 4) for j in range(3)])
    blocks = local_suppression._blocks(patterns, task)
    assert len(blocks) > 1
    assert sorted(np.concatenate(blocks).tolist()) == list(range(90))
    if units is not None:
        assert all(len(np.intersect1d(units[a], units[b])) == 0 for a, b in combinations(blocks, 2))
    assert is_k_anonymous_oracle(masked(codes, task), views, 3, missing)


def test_room_for_rows_grows(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(local_suppression, "_first_capacity", lambda *_: 1)
    codes = np.arange(12).reshape(6, 2)
    made = masked(codes, SuppressionTask(k=3, views=ALL, price=np.ones(2), missing="own category"))
    assert is_k_anonymous_oracle(made, ALL, 3, "own category")


def test_many_keys() -> None:
    """More keys than all masks can be weighed of, and a view beyond the size of the transform."""
    rng = np.random.default_rng(2)
    codes = rng.integers(0, 2, (40, 14))
    for missing in MISSING_KEYS:
        task = SuppressionTask(k=3, views=(tuple(range(14)),), price=np.ones(14), missing=missing, effort=0)
        assert is_k_anonymous_oracle(masked(codes, task), task.views, 3, missing)
    room = candidate_masks(np.ones(14), [list(range(14))])
    assert room.masks[-1] == 2**14 - 1
    assert len(room.masks) < 1300


def test_same_file_same_cells() -> None:
    codes = np.random.default_rng(4).integers(0, 4, (60, 4))
    task = SuppressionTask(k=3, views=((0, 1, 2, 3),), price=np.ones(4))
    assert np.array_equal(suppress_cells(codes, task), suppress_cells(codes, task))


def test_second_thoughts_do_not_cost() -> None:
    codes = np.random.default_rng(5).integers(0, 4, (80, 4))
    for missing in MISSING_KEYS:
        settings_of: dict[str, Any] = {"k": 3, "views": ((0, 1, 2, 3),), "price": np.ones(4), "missing": missing}
        first = suppress_cells(codes, SuppressionTask(**settings_of, effort=0)).sum()
        assert suppress_cells(codes, SuppressionTask(**settings_of, effort=1)).sum() <= first


def test_no_records() -> None:
    assert suppress_cells(
        np.zeros((0, 2), dtype=np.int64), SuppressionTask(k=3, views=ALL, price=np.ones(2))
    ).shape == (0, 2)


@pytest.mark.parametrize("missing", MISSING_KEYS)
def test_every_view_has_its_own_k(missing: MissingKeys) -> None:
    """Pairs need 8, all four keys 2: record against record, with the oracle."""
    rng = np.random.default_rng(4)
    codes = np.minimum(rng.geometric(0.5, (80, 4)) - 1, 4).astype(np.int64)
    pairs, every = tuple(combinations(range(4), 2)), (0, 1, 2, 3)
    task = SuppressionTask(
        k=8, views=(*pairs, every), price=np.ones(4), missing=missing, effort=0.1, least=(*(8,) * 6, 2)
    )
    found = masked(codes, task)
    assert is_k_anonymous_oracle(found, pairs, 8, missing)
    assert is_k_anonymous_oracle(found, (every,), 2, missing)
    stricter = masked(codes, SuppressionTask(k=8, views=(every,), price=np.ones(4), missing=missing, effort=0.1))
    assert (found < 0).sum() < (stricter < 0).sum()


@pytest.mark.parametrize("missing", ["own category", "conservative"])
def test_the_cheaper_of_subsets_and_all_keys_together(missing: MissingKeys) -> None:
    """All keys together imply every subset: what they cost is an upper bound, which one way alone would exceed."""
    rng = np.random.default_rng(1)
    codes = np.minimum(rng.geometric(0.45, (150, 6)) - 1, 5).astype(np.int64)
    views = tuple(combinations(range(6), 4))
    task = SuppressionTask(k=3, views=views, price=np.ones(6), missing=missing)
    patterns = local_suppression.find_patterns([(codes[:, j], 6) for j in range(6)])
    one_way = local_suppression._solved(patterns, np.arange(150), task)[1]
    together = suppress_cells(codes, SuppressionTask(k=3, views=((*range(6),),), price=np.ones(6), missing=missing))
    both = suppress_cells(codes, task)
    assert both.sum() <= together.sum() < one_way
    assert is_k_anonymous_oracle(np.where(both, -1, codes), views, 3, missing)
