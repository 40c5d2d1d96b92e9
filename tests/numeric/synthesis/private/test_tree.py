"""Messages on a tree against the whole distribution, and records drawn down it."""

from __future__ import annotations

from functools import reduce

import numpy as np
import pytest

from tacita.numeric.synthesis.private.tree import ColumnTree, TreeTables

SIZES = (3, 2, 4, 3, 1)
TREE = ColumnTree.of(5, [(2, 1), (0, 2), (3, 2), (4, 0)])


def potentials(seed: int = 1, far: float = 3.0) -> tuple[list[np.ndarray], list[np.ndarray]]:
    rng = np.random.default_rng(seed)
    return [far * rng.normal(size=k) for k in SIZES], [
        far * rng.normal(size=(SIZES[a], SIZES[b])) for a, b in TREE.edges
    ]


def whole(singles: list[np.ndarray], pairs: list[np.ndarray]) -> np.ndarray:
    """The distribution over all combinations of classes."""
    logs = np.zeros(SIZES)
    for j, part in enumerate(singles):
        logs = logs + part.reshape([-1 if i == j else 1 for i in range(len(SIZES))])
    for (a, b), part in zip(TREE.edges, pairs, strict=True):
        shaped = part if a < b else part.T
        logs = logs + shaped.reshape([SIZES[i] if i in (a, b) else 1 for i in range(len(SIZES))])
    made = np.exp(logs - logs.max())
    return made / made.sum()


def table(joint: np.ndarray, *kept: int) -> np.ndarray:
    rest = tuple(i for i in range(joint.ndim) if i not in kept)
    made = joint.sum(axis=rest)
    return made if list(kept) == sorted(kept) else made.T


@pytest.mark.parametrize("far", [0.1, 3.0, 300.0])
def test_messages_give_the_tables_of_the_whole(far: float) -> None:
    singles, pairs = potentials(far=far)
    joint, found = whole(singles, pairs), TREE.tables(singles, pairs)
    for j, part in enumerate(found.singles):
        np.testing.assert_allclose(part, table(joint, j), atol=1e-12)
    for edge, part in zip(TREE.edges, found.pairs, strict=True):
        np.testing.assert_allclose(part, table(joint, *edge), atol=1e-12)


def test_a_tree_hangs_at_its_first_column() -> None:
    lower = [b for _, b in TREE.edges]
    assert sorted(lower) == [1, 2, 3, 4]
    known = {0}
    for a, b in TREE.edges:
        assert a in known
        known.add(b)
    assert ColumnTree.of(1, []).edges == ()


def test_records_have_the_tables_of_the_edges() -> None:
    """Counts are rounded class by class, so a cell is off by one for each class above it at most."""
    made = TREE.tables(*potentials(far=1.0))
    n = 5000
    records = TREE.drawn(made, n, np.random.default_rng(1))
    for (a, b), part in zip(TREE.edges, made.pairs, strict=True):
        seen = np.zeros(part.shape)
        np.add.at(seen, (records[a], records[b]), 1)
        assert np.abs(seen - n * part).max() <= 8
    joint = whole(*potentials(far=1.0))
    share = np.mean([reduce(np.logical_and, [records[j] == 0 for j in range(4)])])
    assert share == pytest.approx(
        joint[0, 0, 0, 0].sum(), abs=0.02
    )  # given what is above, the branches are independent


def test_no_records_are_drawn_from_nothing() -> None:
    made = TreeTables((np.array([0.5, 0.5]),), ())
    assert ColumnTree.of(1, []).drawn(made, 0, np.random.default_rng(1))[0].tolist() == []
