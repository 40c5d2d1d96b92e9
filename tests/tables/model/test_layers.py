"""Layers of a dimension: every code in one of them, and none cut."""

from __future__ import annotations

import numpy as np
from hypothesis import given

from tacita.tables.model.dimension import Dimension
from tacita.tables.model.layers import layers_of
from tests.oracles.tables.tables import leaves_under
from tests.tables.examples import REGION, dimensions


def test_levels_of_a_tree() -> None:
    layers = layers_of(REGION)
    assert [layer.source for layer in layers] == [-1, 0, 1]
    assert [{REGION.codes[c] for c in np.flatnonzero(layer.own)} for layer in layers] == [
        {"n1", "n2", "s1"},
        {"N", "S"},
        {"Total"},
    ]


def test_a_code_that_cuts_the_tree_comes_from_the_leaves() -> None:
    cut = REGION.with_sums({"coast": ["n2", "s1"], "inland": ["n1"]})
    by_code = {cut.codes[c]: layer for layer in layers_of(cut) for c in np.flatnonzero(layer.own)}
    assert by_code["coast"].source == 0
    assert set(by_code) == set(cut.codes)


@given(dimensions("a"))
def test_every_code_gets_its_leaves(dimension: Dimension) -> None:
    layers = layers_of(dimension)
    assert sum(layer.own.astype(int) for layer in layers).tolist() == [1] * len(dimension.codes)  # type: ignore[union-attr]
    places = dimension.places
    for leaf in dimension.leaves:
        at: list[int] = []
        for layer in layers:
            if layer.source < 0:
                at.append(places[leaf])
            else:
                below = at[layer.source]
                at.append(-1 if below < 0 else int(layer.labels[below]))
            if at[-1] >= 0 and layer.own[at[-1]]:
                assert leaf in leaves_under(dimension, dimension.codes[at[-1]])
        holders = {code for code in dimension.codes if leaf in leaves_under(dimension, code)}
        found = {dimension.codes[c] for c, layer in zip(at, layers, strict=True) if c >= 0 and layer.own[c]}
        assert found == holders
