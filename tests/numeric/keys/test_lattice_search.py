"""The lattice search finds what trying all nodes finds, and says truthfully how sure it is."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tacita.numeric.keys import lattice_search
from tacita.numeric.keys.lattice import Ladder, build_lattice
from tacita.numeric.keys.lattice_search import LOSSES, CellPrices, search_lattice
from tacita.numeric.keys.privacy_model import PrivacyModel
from tests.effort import examples
from tests.oracles.mask.generalisation import best_node, groups

MODELS: list[dict[str, Any]] = [
    {"k": 2},
    {"k": 3},
    {"k": 2, "l": 2},
    {"k": 2, "l": 1.8, "form": "entropy"},
    {"k": 1, "l": 2, "form": "recursive", "c": 1.5},
    {"k": 2, "t": 0.35, "distance": "equal"},
    {"k": 1, "t": 0.3, "distance": "ordered"},
    {"k": 1, "beta": 0.7},
    {"k": 2, "beta": 3.0, "is_enhanced": True},
]
OUTSIDE: list[dict[str, Any]] = [
    {"k": 1, "k_map": 9.0},
    {"k": 2, "presence": (0.0, 0.4)},
    {"k": 1, "presence": (0.3, 0.6)},
]


def random_ladder(rng: np.random.Generator, values: int, has_root: bool = True) -> Ladder:
    """Make nested groups of some values; losses grow on the way up."""
    up, loss = [np.arange(values)], [np.zeros(values)]
    for _ in range(int(rng.integers(0, 3))):
        merged = rng.integers(0, max(2, values // 2), values)
        up.append(np.unique(merged[up[-1]], return_inverse=True)[1])
        loss.append((np.bincount(up[-1])[up[-1]] - 1) / max(values - 1, 1))
    if has_root:
        up.append(np.zeros(values, dtype=np.int64))
        loss.append(np.ones(values))
    return Ladder(np.array(up, dtype=np.int32), np.array(loss))


def random_task(seed: int, n: int, d: int, has_root: bool = True) -> tuple[Any, Any, Any, Any]:
    rng = np.random.default_rng(seed)
    sizes = rng.integers(2, 6, d)
    columns = [np.minimum(rng.geometric(0.4, n) - 1, size - 1) for size in sizes]
    ladders = [random_ladder(rng, int(size), has_root) for size in sizes]
    values = rng.integers(0, 3, n)
    return columns, ladders, values, list(zip(*(column.tolist() for column in columns), strict=True))


def with_entropy(columns: Any, ladders: Any) -> list[Ladder]:
    """Charge the surprise of a value given its label, and all of it when suppressed."""
    made = []
    for column, ladder in zip(columns, ladders, strict=True):
        n, width = len(column), ladder.up.shape[1]
        counts = [max(int((column == v).sum()), 1) for v in range(width)]
        full = np.array([np.log(n / count) for count in counts])
        left = [[np.log(n / max(int((up[column] == up[v]).sum()), 1)) for v in range(width)] for up in ladder.up]
        made.append(Ladder(ladder.up, full - np.array(left), full))
    return made


@given(
    seed=st.integers(0, 10_000),
    n=st.integers(4, 40),
    d=st.integers(1, 4),
    model=st.sampled_from(MODELS + OUTSIDE),
    percent=st.sampled_from([0, 0, 10, 30]),
    loss=st.sampled_from(LOSSES),
    has_root=st.booleans(),
    factor=st.sampled_from([0.5, 0.5, 0.0, 0.2, 0.8, 1.0]),
)
@settings(max_examples=examples(300))
def test_the_best_node_is_that_of_all_nodes(
    seed: int, n: int, d: int, model: Any, percent: int, loss: Any, has_root: bool, factor: float
) -> None:
    columns, ladders, values, rows = random_task(seed, n, d, has_root)
    ladders = with_entropy(columns, ladders) if loss == "entropy" else ladders
    limit = n * percent // 100
    weights = np.random.default_rng([seed, 1]).integers(1, 6, n).astype(np.float64)
    ups, losses = [a.up.tolist() for a in ladders], [a.loss.tolist() for a in ladders]
    fulls = [a.full.tolist() for a in ladders] if loss == "entropy" else None
    wanted, accepted = best_node(
        rows,
        values.tolist(),
        ups,
        losses,
        model,
        limit,
        loss,
        weights=weights.tolist(),
        gs_factor=factor,
        fulls=fulls,
    )
    lattice, _ = build_lattice(columns, ladders, values, int(values.max()) + 1, population=weights)
    found = search_lattice(lattice, PrivacyModel(**model), limit=limit, loss=loss, prices=CellPrices.of(factor))
    assert found.is_optimal
    assert (found.levels is None) == (accepted == 0)
    if found.levels is not None:
        assert found.loss == pytest.approx(wanted, abs=1e-12)
        assert found.bound == pytest.approx(found.loss, abs=1e-12)
        assert found.suppressed <= limit
    assert found.checked <= found.nodes == np.prod([len(up) for up in ups])


@given(seed=st.integers(0, 10_000), n=st.integers(1, 40))
def test_groups_of_a_node_are_the_same_from_whichever_node_they_are_made(seed: int, n: int) -> None:
    columns, ladders, values, rows = random_task(seed, n, 3)
    lattice, _ = build_lattice(columns, ladders, values, 3)
    nodes = list(itertools.product(*(range(len(ladder.up)) for ladder in ladders)))
    ups = [ladder.up.tolist() for ladder in ladders]
    for place in np.random.default_rng(seed).permutation(len(nodes)):
        levels = nodes[place]
        node, found = lattice.node(levels), groups(rows, ups, levels)
        assert sorted(node.counts.tolist()) == sorted(len(members) for members in found.values())
        assert node.values is not None
        assert node.values.count.sum() == n
        distinct = sorted(len({int(values[i]) for i in members}) for members in found.values())
        assert sorted(np.bincount(node.values.group).tolist()) == distinct


def worked() -> tuple[Any, Any]:
    """Six records, one column with levels value, pair, all: k = 2 needs the pairs, or two records suppressed."""
    ladder = Ladder(
        np.array([[0, 1, 2, 3], [0, 0, 1, 1], [0, 0, 0, 0]], dtype=np.int32),
        np.array([[0.0] * 4, [1 / 3] * 4, [1.0] * 4]),
    )
    return build_lattice([np.array([0, 0, 1, 2, 2, 3])], [ladder])


@pytest.mark.parametrize(
    ("limit", "levels", "loss"), [(0, (1,), 1 / 3), (1, (1,), 1 / 3), (2, (0,), 1 / 3), (6, (0,), 1 / 3)]
)
def test_worked_example(limit: int, levels: tuple[int, ...], loss: float) -> None:
    """With two records suppressed level 0 loses 2/6 as well; of equal losses the finer levels are taken."""
    lattice, _ = worked()
    found = search_lattice(lattice, PrivacyModel(k=2), limit=limit)
    assert found.levels == levels
    assert found.loss == pytest.approx(loss)


def test_nothing_is_acceptable() -> None:
    lattice, _ = worked()
    found = search_lattice(lattice, PrivacyModel(k=7))
    assert found.levels is None
    assert found.is_optimal


@given(
    seed=st.integers(0, 10_000), n=st.integers(10, 60), percent=st.sampled_from([0, 10]), loss=st.sampled_from(LOSSES)
)
def test_descent_gives_an_acceptable_node_and_a_true_bound(seed: int, n: int, percent: int, loss: Any) -> None:
    columns, ladders, values, rows = random_task(seed, n, 4)
    ups, losses = [a.up.tolist() for a in ladders], [a.loss.tolist() for a in ladders]
    limit = n * percent // 100
    wanted, _ = best_node(rows, values.tolist(), ups, losses, {"k": 3}, limit, loss)
    lattice, _ = build_lattice(columns, ladders)
    largest, block = lattice_search._LARGEST, lattice_search._BLOCK
    lattice_search._LARGEST, lattice_search._BLOCK = 0, 8
    try:
        found = search_lattice(lattice, PrivacyModel(k=3), limit=limit, loss=loss)
    finally:
        lattice_search._LARGEST, lattice_search._BLOCK = largest, block
    assert found.levels is not None
    assert found.bound <= wanted + 1e-9
    assert wanted <= found.loss + 1e-9
    assert found.suppressed <= limit


def test_without_time_the_bound_is_still_true() -> None:
    columns, ladders, values, rows = random_task(5, 60, 4)
    ups, losses = [a.up.tolist() for a in ladders], [a.loss.tolist() for a in ladders]
    wanted, _ = best_node(rows, values.tolist(), ups, losses, {"k": 3}, 0, "granularity")
    lattice, _ = build_lattice(columns, ladders)
    found = search_lattice(lattice, PrivacyModel(k=3), time_limit=0.0)
    assert found.levels is not None  # one look is always taken
    assert not found.is_optimal or found.loss == pytest.approx(wanted)
    assert found.bound <= wanted + 1e-12 <= found.loss + 1e-9
