"""Layers of a dimension: codes without a leaf in common, finest first, each made from an earlier layer.

In a tree the layers are its levels. Aggregates that overlap or cut across the tree get layers of their own.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from tacita.core.arrays import BoolArray, IntArray
from tacita.tables.model.dimension import Dimension

__all__ = ["Layer", "layers_of"]


@dataclass(frozen=True)
class Layer:
    """Codes without a common leaf.

    ``labels`` gives for a code of the layer ``source`` the code here that contains it, -1 for none; codes of the source
    that no code here contains may stay as they are, for the next layer. ``own`` marks the codes that belong here.
    """

    source: int
    labels: IntArray = field(repr=False)
    own: BoolArray = field(repr=False)


def layers_of(dimension: Dimension) -> list[Layer]:
    """Sort the codes into layers; each is made from the coarsest earlier one that it does not cut."""
    places, members, size = dimension.places, dimension.members, len(dimension.codes)
    leaves = np.array([places[code] for code in dimension.leaves], np.int64)
    number = {code: i for i, code in enumerate(dimension.leaves)}
    own = np.zeros(size, bool)
    own[leaves] = True
    layers, maps, chain = [Layer(-1, np.empty(0, np.int64), own)], [leaves], 0
    for group in _disjoint(dimension):
        here = np.full(len(leaves), -1, np.int64)
        own = np.zeros(size, bool)
        for code in group:
            here[[number[leaf] for leaf in members[code]]] = places[code]
            own[places[code]] = True
        filled = np.where(here >= 0, here, maps[chain])
        labels = _coarser(maps[chain], filled, size)
        if labels is not None:
            layers.append(Layer(chain, labels, own))
            maps.append(filled)
            chain = len(layers) - 1
            continue
        for source in reversed(range(len(layers))):  # the leaves, layer 0, always fit
            labels = _coarser(maps[source], here, size)
            if labels is not None:
                layers.append(Layer(source, labels, own))
                maps.append(here)
                break
    return layers


def _coarser(fine: IntArray, coarse: IntArray, size: int) -> IntArray | None:
    """Return the code of ``coarse`` for each code of ``fine``; None where one of them is cut or lacking."""
    if np.any((fine < 0) & (coarse >= 0)):
        return None
    there = fine >= 0
    labels = np.full(size, -1, np.int64)
    labels[fine[there]] = coarse[there]
    return labels if np.array_equal(labels[fine[there]], coarse[there]) else None


def _disjoint(dimension: Dimension) -> list[list[str]]:
    """Group the sums by their height over the leaves, and within a height by having no leaf in common."""
    height = dict.fromkeys(dimension.leaves, 0)
    waiting: dict[str, list[str]] = {}
    for total, parts in dimension.sums:
        waiting.setdefault(total, []).extend(parts)
    while waiting:
        for code in [c for c, parts in waiting.items() if all(part in height for part in parts)]:
            height[code] = 1 + max(height[part] for part in waiting.pop(code))
    groups: list[list[str]] = []
    taken: list[set[str]] = []
    level = 0
    for code in sorted((c for c in dimension.codes if height[c]), key=lambda c: height[c]):
        if height[code] > level:
            level, first = height[code], len(groups)
        leaves = dimension.members[code]
        free = next((g for g in range(first, len(groups)) if taken[g].isdisjoint(leaves)), len(groups))
        if free == len(groups):
            groups.append([])
            taken.append(set())
        groups[free].append(code)
        taken[free] |= leaves
    return groups
