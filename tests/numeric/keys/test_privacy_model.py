"""A model judges groups by themselves; what it says of unions is what the search relies on."""

from __future__ import annotations

from typing import Any

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from tacita.numeric.keys.lattice import build_lattice
from tacita.numeric.keys.privacy_model import PrivacyModel
from tests.numeric.keys.test_lattice_search import MODELS, OUTSIDE, random_task


@given(seed=st.integers(0, 10_000), n=st.integers(2, 40), model=st.sampled_from(MODELS + OUTSIDE))
def test_what_is_lost_only_becomes_less_on_the_way_up(seed: int, n: int, model: dict[str, Any]) -> None:
    """And no node suppresses less than is lost there."""
    columns, ladders, values, _ = random_task(seed, n, 3)
    weights = np.random.default_rng(seed).integers(1, 6, n).astype(np.float64)
    lattice, _ = build_lattice(columns, ladders, values, 3, population=weights)
    asked, rng = PrivacyModel(**model), np.random.default_rng(seed)
    here = (0,) * 3
    before = float("inf")
    while True:
        node = lattice.node(here)
        lost = asked.lost(node)
        assert lost.sum() <= before
        assert (lost <= np.where(asked.bad(node), node.counts, 0)).all()
        before = float(lost.sum())
        steps = [j for j in range(3) if here[j] < lattice.top[j]]
        if not steps:
            return
        j = int(rng.choice(steps))
        here = (*here[:j], here[j] + 1, *here[j + 1 :])


def test_what_needs_the_confidential_column() -> None:
    assert not PrivacyModel(k=3, k_map=5).needs_values
    assert PrivacyModel(beta=2.0).needs_values
    assert PrivacyModel(l=2).needs_values
