"""Moves between groups: every change of the SSE that is told is the difference of two sums of squares from scratch."""

from __future__ import annotations

import numpy as np
import pytest

from tacita.numeric.microaggregation.improve.exchanges import (
    Groups,
    create,
    dissolve,
    join_cost,
    leave_gain,
    make_groups,
    refresh,
    shift,
    swap,
    swap_delta,
)

K = 3


def sse(x: np.ndarray, labels: np.ndarray) -> float:
    return float(sum(((x[labels == g] - x[labels == g].mean(axis=0)) ** 2).sum() for g in np.unique(labels)))


def check(x: np.ndarray, groups: Groups) -> None:
    """What the tuple knows is what its labels say."""
    for g in range(len(groups.sizes)):
        mine = np.flatnonzero(groups.labels == g)
        assert groups.sizes[g] == len(mine)
        assert sorted(groups.members[g, : len(mine)].tolist()) == mine.tolist()
        assert groups.sums[g] == pytest.approx(x[mine].sum(axis=0) if len(mine) else 0.0, abs=1e-9)
        for i in mine:
            assert groups.members[g, groups.place[i]] == i
    free = groups.free[: groups.free[-1]].tolist()
    assert sorted(free) == np.flatnonzero(groups.sizes == 0).tolist()


@pytest.fixture
def made() -> tuple[np.ndarray, Groups]:
    rng = np.random.default_rng(2)
    x = rng.normal(size=(27, 3))
    labels = np.repeat(np.arange(7), [5, 5, 4, 4, 3, 3, 3])[rng.permutation(27)].astype(np.int64)
    return x, make_groups(x, labels, K)


def neighbours(x: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    order = np.argsort(((x[:, None] - x) ** 2).sum(axis=2), axis=1)[:, 1:21].astype(np.int32)
    return np.ascontiguousarray(order), np.full(len(x), 20)


def test_groups_are_those_of_the_labels(made: tuple[np.ndarray, Groups]) -> None:
    x, groups = made
    check(x, groups)
    assert refresh(x, groups) == pytest.approx(sse(x, groups.labels))


def test_shifts(made: tuple[np.ndarray, Groups]) -> None:
    x, groups = made
    labels, sums, sizes, members, place, _ = groups
    for i in range(10):
        a, b = int(labels[i]), int((labels[i] + 1) % 7)
        if sizes[a] == 1 or sizes[b] == 2 * K:
            continue
        before = sse(x, labels)
        change = join_cost(x, i, sums, b, sizes[b]) - leave_gain(x, i, sums, a, sizes[a])
        shift(x, i, b, labels, sums, sizes, members, place)
        assert sse(x, labels) - before == pytest.approx(change)
        check(x, groups)


def test_swaps(made: tuple[np.ndarray, Groups]) -> None:
    x, groups = made
    labels, sums, sizes, members, place, _ = groups
    for i, j in [(0, 1), (5, 20), (3, 26), (10, 11)]:
        a, b = int(labels[i]), int(labels[j])
        if a == b:
            continue
        before = sse(x, labels)
        change = swap_delta(x, i, j, sums, a, sizes[a], b, sizes[b])
        swap(x, i, j, labels, sums, members, place)
        assert (labels[i], labels[j]) == (b, a)
        assert sse(x, labels) - before == pytest.approx(change)
        check(x, groups)


@pytest.mark.parametrize("limit", [np.inf, -np.inf])
def test_a_group_is_created_or_nothing_happens(made: tuple[np.ndarray, Groups], limit: float) -> None:
    x, groups = made
    before, labels, number = sse(x, groups.labels), groups.labels.copy(), int((groups.sizes > 0).sum())
    seed = int(np.flatnonzero(groups.sizes[groups.labels] == 5)[0])
    done, change = create(x, *neighbours(x), seed, K, groups, limit)
    check(x, groups)
    assert done == (limit > 0)
    if done:
        assert sse(x, groups.labels) - before == pytest.approx(change)
        assert (groups.sizes > 0).sum() == number + 1
        assert groups.sizes[groups.labels[seed]] == K
        assert groups.sizes[groups.sizes > 0].min() >= K
    else:
        assert (groups.labels == labels).all()


@pytest.mark.parametrize("limit", [np.inf, -np.inf])
def test_a_group_is_dissolved_or_nothing_happens(made: tuple[np.ndarray, Groups], limit: float) -> None:
    x, groups = made
    before, labels, gone = sse(x, groups.labels), groups.labels.copy(), int(np.flatnonzero(groups.sizes == K)[0])
    done, change = dissolve(x, *neighbours(x), gone, K, groups, limit)
    check(x, groups)
    assert done == (limit > 0)
    if done:
        assert groups.sizes[gone] == 0
        assert sse(x, groups.labels) - before == pytest.approx(change)
        assert groups.sizes.max() <= 2 * K - 1
    else:
        assert (groups.labels == labels).all()
