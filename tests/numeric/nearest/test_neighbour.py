"""The nearest original of one record, found from a known candidate, against looking at every pair."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from tacita.numeric.nearest.kd_tree import build_kd_tree
from tacita.numeric.nearest.neighbour import after_move, is_nearest, nearest_from, renew_nearest
from tests.oracles.risk import linkage as oracle


def room() -> tuple[np.ndarray, np.ndarray]:
    return np.empty(128, np.int64), np.empty(128)


@st.composite
def cases(draw: st.DrawFn) -> tuple[np.ndarray, np.ndarray, int]:
    """Few distinct values, so that ties and duplicates are the rule; many records, so that the tree has branches."""
    rng = np.random.default_rng(draw(st.integers(0, 10**6)))
    n, d = draw(st.integers(2, 80)), draw(st.integers(1, 4))
    originals = rng.integers(-3, 4, (n, d)).astype(np.float64)
    return originals, rng.integers(-3, 4, d) / draw(st.sampled_from([1, 2])), int(rng.integers(n))


@given(cases())
def test_nearest_and_second_distance(case: tuple[np.ndarray, np.ndarray, int]) -> None:
    originals, point, candidate = case
    found, gap = nearest_from(point, originals, candidate, build_kd_tree(originals), *room())
    assert found == oracle.nearest(originals.tolist(), point.tolist())
    others = np.delete(originals, found, axis=0)
    assert np.isclose(gap, np.sqrt(((others - point) ** 2).sum(axis=1).min()))


@given(cases(), st.floats(0, 3))
def test_after_a_move(case: tuple[np.ndarray, np.ndarray, int], length: float) -> None:
    originals, point, candidate = case
    tree = build_kd_tree(originals)
    found, gap = nearest_from(point, originals, candidate, tree, *room())
    moved = point + length / np.sqrt(len(point))
    near, left = after_move(moved, point, originals, found, gap, tree, *room())
    assert near == oracle.nearest(originals.tolist(), moved.tolist())
    others = np.delete(originals, near, axis=0)
    assert left <= np.sqrt(((others - moved) ** 2).sum(axis=1).min()) + 1e-9


@given(cases())
def test_chance_of_a_link_by_the_first_columns(case: tuple[np.ndarray, np.ndarray, int]) -> None:
    originals, point, own = case
    for known in range(1, len(point) + 1):
        tree = build_kd_tree(originals)
        found = is_nearest(point, originals, own, known, tree, np.empty(128, np.int64))
        wanted = oracle.linked_share(originals[:, :known].tolist(), [point[:known].tolist()], [own])[0]
        assert found == wanted


def test_all_records_anew() -> None:
    rng = np.random.default_rng(1)
    originals, before = rng.normal(size=(500, 3)), rng.normal(size=(50, 3))
    tree, nearest, gap = build_kd_tree(originals), np.zeros(50, np.int64), np.zeros(50)
    for scale in (1.0, 1e-3, 1e-3):
        points = before + scale * rng.normal(size=(50, 3))
        renew_nearest(points, before, originals, nearest, gap, tree)
        wanted = ((points[:, None] - originals) ** 2).sum(axis=2).argmin(axis=1)
        assert np.array_equal(nearest, wanted)
        before = points


def test_a_record_that_did_not_move_is_not_searched() -> None:
    originals = np.array([[0.0], [1.0]])
    nearest, gap = np.array([1]), np.array([0.0])  # wrong on purpose
    renew_nearest(np.array([[0.1]]), np.array([[0.1]]), originals, nearest, gap, build_kd_tree(originals))
    assert nearest.tolist() == [1]
