"""Trees against CART the slow way, and what they promise of leaves and donors.

Tests of ``tacita.numeric.synthesis.trees.grow`` with the parts that it calls: ``tacita.numeric.synthesis.trees.number_splits``,
``tacita.numeric.synthesis.trees.class_splits``, ``tacita.numeric.synthesis.trees.histogram`` and
``tacita.numeric.synthesis.trees.workspace``.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from tacita.numeric.synthesis.trees.features import BinnedFeatures, bin_features
from tacita.numeric.synthesis.trees.grow import CHILD, CUT, SPLIT
from tacita.numeric.synthesis.trees.tree import Tree, grow_tree
from tacita.numeric.synthesis.trees.workspace import NEAR_RECORDS
from tacita.numeric.synthesis.variables import ModelVariable
from tests.oracles.numeric.as_python import run_as_python
from tests.oracles.numeric.cart import all_divisions, best_gain, gain_of, grow_partition, impurity


def columns(rng: np.random.Generator, n: int, kinds: list[int], distinct: int = 6) -> list[ModelVariable]:
    """Numbers where a kind is 0, else so many classes."""
    return [ModelVariable(rng.integers(0, kind or distinct, n).astype(float), kind) for kind in kinds]


def nodes_with_rows(tree: Tree, codes: np.ndarray) -> Iterator[tuple[int, np.ndarray, np.ndarray | None]]:
    """Every node with its records, and which of these go left."""
    waiting = [(0, np.arange(codes.shape[1]))]
    while waiting:
        node, rows = waiting.pop()
        j, cut, child = (int(v) for v in tree.nodes[node, [SPLIT, CUT, CHILD]])
        if j < 0:
            yield node, rows, None
            continue
        code = codes[j, rows].astype(int)
        if tree.is_nominal[j]:
            left = np.array([int(tree.sets[cut + c // 64]) >> (c % 64) & 1 for c in code.tolist()], bool)
        else:
            left = code <= cut
        yield node, rows, left
        waiting += [(child, rows[left]), (child + 1, rows[~left])]


def partition(tree: Tree) -> list[list[int]]:
    return sorted(sorted(tree.rows[a:b].tolist()) for a, b in zip(tree.starts[:-1], tree.starts[1:], strict=True))


seeds = st.integers(0, 10_000)


@given(seeds, st.integers(2, 40), st.integers(1, 4), st.sampled_from([0, 2, 3]), st.booleans())
def test_numbers_are_divided_as_the_slow_way_does(
    seed: int, n: int, min_leaf: int, classes: int, weighted: bool
) -> None:
    rng = np.random.default_rng(seed)
    x, y = columns(rng, n, [0, 0, 0]), columns(rng, n, [classes], 20)[0]
    w = rng.integers(1, 4, n).astype(float) if weighted else np.ones(n)
    tree = grow_tree(bin_features(x), y, min_leaf=min_leaf, min_split=5, most_depth=4, weights=w if weighted else None)
    wanted = grow_partition(
        [v.values for v in x],
        [False] * 3,
        y.values,
        w,
        classes,
        min_leaf=min_leaf,
        min_split=5,
        most_depth=4,
        least_gain=1e-8,
    )
    assert partition(tree) == wanted


@given(seeds, st.integers(2, 30), st.sampled_from([0, 2]), st.booleans())
def test_no_division_of_classes_is_better(seed: int, n: int, classes: int, weighted: bool) -> None:
    """By all divisions of up to seven classes into two, in every node."""
    rng = np.random.default_rng(seed)
    x, y = columns(rng, n, [7, 0, 4]), columns(rng, n, [classes], 20)[0]
    w = rng.uniform(0.5, 2, n) if weighted else np.ones(n)
    features = bin_features(x)
    tree = grow_tree(features, y, min_leaf=1, min_split=2, weights=w if weighted else None)
    for _, rows, left in nodes_with_rows(tree, features.binned.codes):
        best, _ = best_gain([v.values[rows] for v in x], [True, False, True], y.values[rows], w[rows], classes, 1)
        gain = 0.0 if left is None else gain_of(y.values[rows], w[rows], classes, left)
        assert gain == pytest.approx(best, abs=1e-6)


@given(seeds, st.integers(4, 60))
def test_many_classes_are_divided_along_their_principal_direction(seed: int, n: int) -> None:
    """The gain of the first split is that of the best cut in the order that the eigenvector gives."""
    rng = np.random.default_rng(seed)
    x = columns(rng, n, [8])[0]
    y = ModelVariable(((x.values * (x.values + 1) + rng.integers(0, 3, n)) % 5), 5)
    features = bin_features([x])
    tree = grow_tree(features, y, min_leaf=1, min_split=2, most_depth=1)
    _, _, left = next(nodes_with_rows(tree, features.binned.codes))
    gain = 0.0 if left is None else gain_of(y.values, np.ones(n), 5, left)
    best = best_gain([x.values], [True], y.values, np.ones(n), 5, 1)[0]
    assert gain <= best + 1e-9
    present = np.unique(x.values)
    shares = np.array([[np.mean(y.values[x.values == v] == k) for k in range(5)] for v in present])
    sizes = np.array([(x.values == v).sum() for v in present])
    off = shares - sizes @ shares / n
    values, vectors = np.linalg.eigh((off.T * sizes) @ off)
    if values[-1] > 3 * values[-2] + 1e-9:  # one direction is clearly the first
        ranks = np.argsort(np.argsort(np.round(shares @ vectors[:, -1], 9)))[np.searchsorted(present, x.values)]
        ordered = max((gain_of(y.values, np.ones(n), 5, d) for d in all_divisions(ranks, False, 1)), default=0.0)
        assert gain == pytest.approx(ordered, abs=1e-9)


@pytest.mark.parametrize("classes", [0, 2, 12])
@pytest.mark.parametrize("weighted", [False, True])
def test_large_nodes_are_divided_as_small_ones(classes: int, weighted: bool) -> None:
    """Histograms of halves come from their whole: in every node the gain is the best there is, by the definition."""
    rng = np.random.default_rng(5)
    n = NEAR_RECORDS + 2000  # the codes of the root's records are not brought near, those of its parts are
    x = [ModelVariable(rng.normal(size=n)), *columns(rng, n, [0, 5])]
    signal = x[0].values + x[1].values + (x[2].values == 3)
    y = ModelVariable(rng.normal(signal) if not classes else np.floor(np.abs(rng.normal(signal))) % classes, classes)
    w = rng.uniform(0.5, 2, n) if weighted else np.ones(n)
    features = bin_features(x, 64)
    tree = grow_tree(features, y, min_leaf=20, min_split=2, weights=w if weighted else None)
    assert len(tree) > 50
    codes = features.binned.codes
    limit = 1e-8 * impurity(y.values, w, classes)
    for _, rows, left in list(nodes_with_rows(tree, codes))[:40]:
        gain = 0.0 if left is None else gain_of(y.values[rows], w[rows], classes, left)
        best, _ = best_gain([codes[j, rows] for j in (0, 1)], [False] * 2, y.values[rows], w[rows], classes, 20)
        assert gain >= best * (1 - 1e-9) - limit


def test_weights_are_repeated_records() -> None:
    rng = np.random.default_rng(2)
    for classes in (0, 2, 4):
        x, y = columns(rng, 60, [0, 5, 0], 30), columns(rng, 60, [classes], 9)[0]
        times = rng.integers(0, 4, 60)
        features = bin_features(x)
        once = grow_tree(features, y, min_leaf=1, min_split=2, weights=times.astype(float))
        again = grow_tree(features, y, min_leaf=1, min_split=2, rows=np.repeat(np.arange(60), times))
        there = BinnedFeatures(np.ascontiguousarray(features.binned.codes[:, times > 0]))
        assert len(once) > 5
        assert once.leaves(there).tolist() == again.leaves(there).tolist()
        assert set(once.rows.tolist()) == set(np.flatnonzero(times).tolist())


@pytest.mark.parametrize("classes", [0, 2, 6])
def test_leaves_and_donors(classes: int) -> None:
    rng = np.random.default_rng(3)
    n = 2000
    x, y = columns(rng, n, [0, 5, 0, 70], 500), columns(rng, n, [classes], 50)[0]
    features = bin_features(x)
    tree = grow_tree(features, y, min_leaf=7)
    sizes = np.diff(tree.starts)
    assert sizes.min() >= 7
    assert sizes.sum() == n
    assert sorted(tree.rows.tolist()) == list(range(n))
    leaves = tree.leaves(features.binned)
    assert leaves[tree.rows].tolist() == np.repeat(np.arange(len(tree)), sizes).tolist()
    donors = tree.donors(leaves, rng)
    assert leaves[donors].tolist() == leaves.tolist()


@pytest.mark.parametrize("weighted", [False, True])
def test_donors_are_drawn_evenly_or_by_weight(weighted: bool) -> None:
    x = ModelVariable(np.repeat([0.0, 1.0], 6))
    y = ModelVariable(np.repeat([0.0, 1.0], 6))
    w = np.tile([1.0, 2.0, 3.0, 4.0, 5.0, 0.0], 2) if weighted else np.ones(12)
    tree = grow_tree(bin_features([x]), y, min_split=10, weights=w if weighted else None)
    assert len(tree) == 2
    donors = tree.donors(np.ones(20_000, np.int64), np.random.default_rng(4))
    drawn = np.bincount(donors, minlength=12)
    assert drawn[:6].sum() == 0
    likely = w[6:] / w[6:].sum()
    assert (drawn[6:][likely == 0] == 0).all()
    assert stats.chisquare(drawn[6:][likely > 0], 20_000 * likely[likely > 0]).pvalue > 1e-3


def test_the_edges() -> None:
    features = bin_features([ModelVariable(np.arange(8.0)), ModelVariable(np.zeros(8), 1)])
    for values, classes in (([3.0] * 8, 0), ([1.0] * 8, 4), ([0.0, 1.0] * 4, 3), ([1e9 + k for k in range(8)], 0)):
        tree = grow_tree(features, ModelVariable(np.array(values), classes), min_leaf=9)
        assert len(tree) == 1
        assert set(tree.donors(tree.leaves(features.binned), np.random.default_rng(1)).tolist()) <= set(range(8))
    constant = grow_tree(features, ModelVariable(np.full(8, 3.0)), min_leaf=1, min_split=2)
    assert len(constant) == 1
    one = grow_tree(features, ModelVariable(np.arange(8.0)), rows=np.array([5]), min_leaf=1)
    assert one.donors(one.leaves(features.binned), np.random.default_rng(1)).tolist() == [5] * 8
    nothing = grow_tree(bin_features([]), ModelVariable(np.arange(8.0)))
    assert nothing.rows.tolist() == list(range(8))
    far = ModelVariable(1e9 + np.repeat([0.0, 1.0], 4) * 1e-3)
    assert len(grow_tree(features, far, min_leaf=2)) == 2
    with pytest.raises(ValueError, match="weight"):
        grow_tree(features, ModelVariable(np.zeros(8)), weights=np.zeros(8))
    with pytest.raises(ValueError, match="rng"):
        grow_tree(features, ModelVariable(np.zeros(8)), tried=1)


def test_a_class_that_a_node_never_saw_goes_with_most_records() -> None:
    x = ModelVariable(np.repeat([0.0, 2.0], [4, 9]), 4)
    y = ModelVariable(np.repeat([0.0, 1.0], [4, 9]))
    features = bin_features([x])
    tree = grow_tree(features, y, min_leaf=2)
    leaves = tree.leaves(features.apply([ModelVariable(np.arange(4.0), 4)]))
    sizes = np.diff(tree.starts)
    assert sizes[leaves].tolist() == [4, 9, 9, 9]


def test_drawn_features_come_from_the_generator_and_none_is_left_out() -> None:
    rng = np.random.default_rng(6)
    n = 400
    x, y = columns(rng, n, [0] * 6, 40), ModelVariable(rng.normal(size=n))
    features = bin_features(x)

    def grown(seed: int) -> Tree:
        return grow_tree(features, y, tried=1, rng=np.random.default_rng(seed))

    assert grown(1).nodes.tolist() == grown(1).nodes.tolist()
    assert grown(1).nodes.tolist() != grown(2).nodes.tolist()
    roots = {int(grown(seed).nodes[0, SPLIT]) for seed in range(60)}
    assert roots == set(range(6))
    fixed = [ModelVariable(np.zeros(n))] * 5 + [x[0]]
    assert len(grow_tree(bin_features(fixed), y, tried=1, rng=rng)) > 10


def test_machine_code_grows_the_tree_that_is_written() -> None:
    code = """
        import numpy as np
        from tacita.numeric.synthesis.trees.features import BinnedFeatures, bin_features
        from tacita.numeric.synthesis.trees.tree import grow_tree
        from tacita.numeric.synthesis.variables import ModelVariable
        rng = np.random.default_rng(1)
        n = 700
        x = [ModelVariable(rng.normal(size=n)), ModelVariable(rng.integers(0, 9, n).astype(float), 9)]
        features = bin_features(x, 32)
        noise = rng.normal(size=n)
        for classes in (0, 5):
            y = np.floor(2 * abs(x[0].values + (x[1].values % 3) + noise)) % (classes or 99)
            for tried, chance in ((None, 1.0), (1, 1.0), (None, 0.01)):
                rng = np.random.default_rng(1)
                tree = grow_tree(features, ModelVariable(y, classes), tried=tried, rng=rng, min_leaf=20, chance=chance)
                print(tree.nodes.tolist(), tree.sets.tolist(), tree.rows.tolist(), tree.leaves(features.binned).tolist())
    """
    assert run_as_python(code) == run_as_python(code, compiled=True)


# --- splits that noise explains ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("classes", [0, 2, 12])
def test_noise_is_hardly_split_and_a_signal_is(classes: int) -> None:
    """One feature with two bins: noise is split in about as many samples as the chance says, twice as many at most."""
    rng = np.random.default_rng(classes)
    n, tries = 120, 400
    split = 0
    for _ in range(tries):
        x = ModelVariable(rng.integers(0, 2, n).astype(float))
        y = rng.normal(size=n) if not classes else np.minimum(rng.geometric(0.3, n) - 1, classes - 1).astype(float)
        split += len(grow_tree(bin_features([x]), ModelVariable(y, classes), chance=0.05)) > 1
    assert 0.02 < split / tries < 0.09
    signal = ModelVariable(np.where(x.values > 0, y, y[0]), classes)
    assert len(grow_tree(bin_features([x]), signal, chance=0.001)) > 1


def test_a_split_stays_where_only_those_below_it_tell() -> None:
    """Crossed classes: neither column alone says anything, so that the first split has nothing for itself."""
    rng = np.random.default_rng(1)
    a, b = (ModelVariable(rng.integers(0, 2, 800).astype(float), 2) for _ in range(2))
    y = ModelVariable((a.values != b.values) * 1.0, 2)
    features = bin_features([a, b])
    tree = grow_tree(features, y, chance=0.001)
    leaves = tree.leaves(features.binned)
    assert all(len(set(y.values[leaves == leaf])) == 1 for leaf in range(len(tree)))


def test_a_tree_that_is_cut_back_has_all_records_in_its_leaves() -> None:
    rng = np.random.default_rng(2)
    x = [ModelVariable(rng.normal(size=2000)) for _ in range(4)]
    y = ModelVariable((x[0].values > 0) * 3.0 + rng.normal(size=2000))
    features = bin_features(x)
    whole, tree = (grow_tree(features, y, chance=chance) for chance in (1.0, 0.01))
    assert 2 <= len(tree) < len(whole) / 3
    leaves = tree.leaves(features.binned)
    assert sorted(tree.rows.tolist()) == list(range(2000))
    for leaf in range(len(tree)):
        assert set(tree.rows[tree.starts[leaf] : tree.starts[leaf + 1]]) == set(np.flatnonzero(leaves == leaf))
