"""Local recoding from below and from above: every group fulfils the model, equal groups have equal values."""

from __future__ import annotations

from collections import defaultdict
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tacita.numeric.keys.lattice import Ladder, build_lattice
from tacita.numeric.keys.local_recoding import recode_bottom_up
from tacita.numeric.keys.mondrian import recode_top_down
from tacita.numeric.keys.privacy_model import PrivacyModel
from tests.numeric.keys.test_lattice_search import MODELS, random_task
from tests.oracles.mask.generalisation import best_node, breaks_model, local_loss

WAYS = {"bottom up": recode_bottom_up, "top down": recode_top_down}


def recoded(way: str, columns: Any, ladders: Any, values: Any, model: dict[str, Any]) -> Any:
    lattice, pattern = build_lattice(columns, ladders, values, 0 if values is None else int(values.max()) + 1)
    made = WAYS[way](lattice, PrivacyModel(**model))
    return None if made is None else (made.levels[pattern], made.group[pattern])


@given(
    seed=st.integers(0, 10_000),
    n=st.integers(1, 50),
    d=st.integers(1, 4),
    which=st.integers(0, len(MODELS) - 1),
    way=st.sampled_from(sorted(WAYS)),
    has_root=st.booleans(),
)
def test_groups_fulfil_the_model(seed: int, n: int, d: int, which: int, way: str, has_root: bool) -> None:
    model = MODELS[which]
    if way == "top down" and ("t" in model or "beta" in model or model.get("form")):
        model = {"k": 2, "l": 2}
    columns, ladders, values, rows = random_task(seed, n, d, has_root)
    made = recoded(way, columns, ladders, values, model)
    ups, losses = [a.up.tolist() for a in ladders], [a.loss.tolist() for a in ladders]
    _, accepted = best_node(rows, values.tolist(), ups, losses, model, 0, "granularity")
    if made is None:
        assert accepted == 0, "one node for the whole file would have been acceptable"
        return
    levels, _ = made
    found: dict[Any, list[int]] = defaultdict(list)
    for i, row in enumerate(rows):
        found[tuple((int(levels[i, j]), ups[j][levels[i, j]][value]) for j, value in enumerate(row))].append(i)
    for members in found.values():
        assert not breaks_model([int(values[i]) for i in members], values.tolist(), model)
    assert 0 <= local_loss(rows, losses, levels.tolist()) <= 1


@pytest.mark.parametrize("way", sorted(WAYS))
def test_worked_example(way: str) -> None:
    """Values of two pairs, k = 2: what occurs twice stays, and the one value that does not must share its pair's label."""
    up = np.array([[0, 1, 2, 3], [0, 0, 1, 1], [0, 0, 0, 0]], dtype=np.int32)
    ladder = Ladder(up, np.array([[0.0] * 4, [1 / 3] * 4, [1.0] * 4]))
    levels, group = recoded(way, [np.array([0, 0, 2, 2, 3, 3, 1, 1])], [ladder], None, {"k": 2})
    assert levels.ravel().tolist() == [0] * 8
    assert len(set(group.tolist())) == 4
    levels, _ = recoded(way, [np.array([0, 0, 0, 1, 2, 2, 3, 3])], [ladder], None, {"k": 2})
    kept = levels.ravel().tolist()
    assert kept[4:] == [0, 0, 0, 0]
    assert kept[3] >= 1


@given(seed=st.integers(0, 10_000), n=st.integers(2, 60), way=st.sampled_from(sorted(WAYS)))
def test_every_record_has_a_group_of_k(seed: int, n: int, way: str) -> None:
    columns, ladders, values, _ = random_task(seed, n, 3)
    _, group = recoded(way, columns, ladders, values, {"k": 2})
    assert (group >= 0).all()
    sizes = np.bincount(group)
    assert sizes[sizes > 0].min() >= 2


@pytest.mark.parametrize("way", sorted(WAYS))
def test_no_records(way: str) -> None:
    ladder = Ladder(np.zeros((2, 1), dtype=np.int32), np.array([[0.0], [1.0]]))
    levels, group = recoded(way, [np.zeros(0, dtype=np.int64)], [ladder], None, {"k": 2})
    assert levels.shape == (0, 1)
    assert len(group) == 0


@pytest.mark.parametrize("way", sorted(WAYS))
def test_too_few_records(way: str) -> None:
    ladder = Ladder(np.zeros((2, 1), dtype=np.int32), np.array([[0.0], [1.0]]))
    assert recoded(way, [np.zeros(2, dtype=np.int64)], [ladder], None, {"k": 3}) is None
