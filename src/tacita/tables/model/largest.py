"""The largest contributions to every cell, inner cells and totals alike, without looking at a record twice for each total.

A contributor whose records lie in one cell only competes there by one amount, so all but the largest of each cell can be
forgotten at once. The others, whose amounts must first be added up in every total they are part of, are carried along
until their cells have become one. Codes are taken layer by layer, a layer being codes without a leaf in common.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from tacita.core.arrays import BoolArray, FloatArray, IntArray
from tacita.data.tabulate import Shares
from tacita.tables.model.contributions import Contributions
from tacita.tables.model.dimension import Dimension
from tacita.tables.model.grid import shape_of
from tacita.tables.model.layers import Layer, layers_of

__all__ = ["largest_contributions"]


def largest_contributions(
    dimensions: Sequence[Dimension], codes: IntArray, shares: Shares, keys: IntArray, *, depth: int
) -> Contributions:
    """Return the largest contributions to the cells of a table.

    Parameters
    ----------
    dimensions
        The classifying variables.
    codes
        (c, d): codes of the inner cells that the shares speak of, as positions of leaves.
    shares
        What each contributor has in each inner cell.
    keys
        Keys of the cells of the table, ascending.
    depth
        How many contributions to keep for each cell.

    Notes
    -----
    The weight of a contributor with several records is the mean of their weights, each counting by the size of its
    amount, so that weight times amount is the weighted contribution where no amount is negative.

    Complexity: with r rows and one sort each, O(r log r) for every combination of layers, where r shrinks to ``depth``
    rows a cell as soon as contributors lie in one cell.
    """
    sizes, strides = shape_of(dimensions)
    inner = codes @ strides
    found = Contributions(
        np.zeros(len(keys), np.int64),
        np.zeros((len(keys), depth)),
        np.zeros((len(keys), depth)),
        np.full((len(keys), depth), -1, np.int64),
    )
    # Numbers without gaps leave room to sort by contributor and cell at once.
    names = np.empty(0, np.int64) if shares.are_alone else np.unique(shares.owner)
    walk = _Walk([layers_of(dimension) for dimension in dimensions], sizes, strides, keys, depth, found)
    walk.go(_begin(shares, inner, names, depth), 0)
    if len(names):
        there = found.owners >= 0
        found.owners[there] = names[found.owners[there]]
    return found


# --- contributors on their way up -------------------------------------------------------------------------------------


@dataclass(frozen=True)
class _State:
    """Contributors and where they are.

    Parameters
    ----------
    key, owner, sums
        Rows of contributors that are in several cells: cell, contributor, and what adds up, (k, rows).
    sole_key, sole_owner, sole_amount, sole_weight
        The largest contributors that are in one cell only.
    count_key, count
        Number of contributors that are in one cell only, in each cell that has any.
    """

    key: IntArray
    owner: IntArray
    sums: FloatArray
    sole_key: IntArray
    sole_owner: IntArray
    sole_amount: FloatArray
    sole_weight: FloatArray
    count_key: IntArray
    count: IntArray


def _begin(shares: Shares, inner: IntArray, names: IntArray, depth: int) -> _State:
    nothing = np.empty(0, np.int64)
    with_others = np.flatnonzero(shares.others)
    owner = shares.owner if shares.are_alone else np.searchsorted(names, shares.owner)
    state = _State(
        inner[shares.cell],
        owner,
        shares.sums,
        nothing,
        nothing,
        np.empty(0),
        np.empty(0),
        inner[with_others],
        shares.others[with_others],
    )
    return _settled(state, depth, are_alone=shares.are_alone)


def _settled(state: _State, depth: int, *, are_alone: bool = False) -> _State:
    """Add up rows of one contributor in one cell, and forget who is in one cell and not among its largest."""
    key, owner, sums = state.key, state.owner, state.sums
    alone = np.ones(len(key), bool)
    if not are_alone and len(key):
        order = _by_owner(owner, key)
        key, owner, sums = key[order], owner[order], sums[:, order]
        changes = owner[1:] != owner[:-1]
        first = np.flatnonzero(np.append(True, changes | (key[1:] != key[:-1])))
        if len(first) < len(key):
            key, owner, sums = key[first], owner[first], np.add.reduceat(sums, first, axis=1)
            changes = owner[1:] != owner[:-1]
        alone = np.append(True, changes) & np.append(changes, True)
    sole_key = np.concatenate([state.sole_key, key[alone]])
    sole_owner = np.concatenate([state.sole_owner, owner[alone]])
    sole_amount = np.concatenate([state.sole_amount, sums[0, alone]])
    sole_weight = np.concatenate([state.sole_weight, _weight(sums[:, alone])])
    chosen, _ = _top(sole_key, sole_owner, sole_amount, depth)
    count_key, where = np.unique(np.concatenate([state.count_key, key[alone]]), return_inverse=True)
    each = np.concatenate([state.count, np.ones(int(alone.sum()), np.int64)])
    count = np.bincount(where, each, len(count_key)).astype(np.int64)
    if alone.any():
        key, owner, sums = key[~alone], owner[~alone], sums[:, ~alone]
    return _State(
        key,
        owner,
        sums,
        sole_key[chosen],
        sole_owner[chosen],
        sole_amount[chosen],
        sole_weight[chosen],
        count_key,
        count,
    )


def _by_owner(owner: IntArray, key: IntArray) -> IntArray:
    """Return the order by contributor, then cell; one sort where both numbers fit into one."""
    low, width = int(key.min()), int(key.max()) - int(key.min()) + 1
    if width * (int(owner.max()) + 1) < 2**62:
        return np.argsort(owner * width + (key - low)).astype(np.int64)
    return np.lexsort((key, owner)).astype(np.int64)


def _weight(sums: FloatArray) -> FloatArray:
    """Return the mean weight of the records of each contributor, by the size of their amounts."""
    if len(sums) == 1:
        return np.ones(sums.shape[1])
    return np.asarray(sums[2] / sums[1])


def _top(key: IntArray, owner: IntArray, amount: FloatArray, depth: int) -> tuple[IntArray, IntArray]:
    """Return the rows with the largest amounts of each cell, and the place of each in its cell; ties go by number."""
    size = np.abs(amount)
    rows = _likely(key, size, depth)
    order = rows[np.lexsort((owner[rows], -size[rows], key[rows]))]
    in_order = key[order]
    first = np.flatnonzero(np.append(True, in_order[1:] != in_order[:-1])) if len(order) else np.empty(0, np.int64)
    place = np.arange(len(order)) - np.repeat(first, np.diff(np.append(first, len(order))))
    chosen = place < depth
    return order[chosen], place[chosen]


def _likely(key: IntArray, size: FloatArray, depth: int) -> IntArray:
    """Return rows among which the largest of each cell are: those not below its ``depth`` largest different sizes.

    Sorting all rows by cell and size costs most of the time where there are many rows a cell; this leaves few to sort.
    """
    everyone = np.arange(len(key))
    if len(key) < 50_000:
        return everyone
    cell = key - key.min()
    if int(cell.max()) > 4 * len(key):
        _, cell = np.unique(key, return_inverse=True)
    cells = int(cell.max()) + 1
    if len(key) < 4 * depth * np.count_nonzero(np.bincount(cell)):
        return everyone
    rest, last = everyone, np.full(cells, np.inf)
    for step in range(depth):
        rest = rest[size[rest] < last[cell[rest]]] if step else rest
        last = np.full(cells, -1.0)
        np.maximum.at(last, cell[rest], size[rest])
    return np.flatnonzero(size >= last[cell])


@dataclass(frozen=True)
class _Walk:
    """The way through all combinations of layers, one dimension after the other."""

    layers: list[list[Layer]]
    sizes: IntArray
    strides: IntArray
    keys: IntArray
    depth: int
    found: Contributions

    def go(self, state: _State, axis: int) -> None:
        """Take the layers of one dimension in turn, the rest of the dimensions within each."""
        if axis == len(self.layers):
            self.write(state)
            return
        made: list[_State] = []
        for layer in self.layers[axis]:
            if layer.source >= 0:
                moved = self.moved(made[layer.source], axis, layer.labels)
                made.append(_settled(moved, self.depth))
            else:
                made.append(state)
            self.go(self.moved(made[-1], axis, np.where(layer.own, np.arange(len(layer.own)), -1)), axis + 1)

    def moved(self, state: _State, axis: int, labels: IntArray) -> _State:
        """Give every row its new code in one dimension; rows without one are left out."""
        size, stride = int(self.sizes[axis]), int(self.strides[axis])

        def raised(key: IntArray) -> tuple[BoolArray | slice, IntArray]:
            old = (key // stride) % size
            new = labels[old]
            stays = new >= 0
            moved = key + (new - old) * stride
            return (slice(None), moved) if stays.all() else (stays, moved[stays])

        rows, key = raised(state.key)
        sole, sole_key = raised(state.sole_key)
        counted, count_key = raised(state.count_key)
        return _State(
            key,
            state.owner[rows],
            state.sums[:, rows],
            sole_key,
            state.sole_owner[sole],
            state.sole_amount[sole],
            state.sole_weight[sole],
            count_key,
            state.count[counted],
        )

    def write(self, state: _State) -> None:
        """Put the largest of each cell into the result."""
        key = np.concatenate([state.sole_key, state.key])
        owner = np.concatenate([state.sole_owner, state.owner])
        amount = np.concatenate([state.sole_amount, state.sums[0]])
        chosen, place = _top(key, owner, amount, self.depth)
        cell, known = self.cells(key[chosen]), len(state.sole_key)
        self.found.amounts[cell, place] = amount[chosen]
        self.found.owners[cell, place] = owner[chosen]
        weight = np.empty(len(chosen))
        is_sole = chosen < known
        weight[is_sole] = state.sole_weight[chosen[is_sole]]
        weight[~is_sole] = _weight(state.sums[:, chosen[~is_sole] - known])
        self.found.weights[cell, place] = weight
        self.found.counts[self.cells(state.count_key)] += state.count
        if len(state.key):
            self.found.counts[:] += np.bincount(self.cells(state.key), minlength=len(self.keys))

    def cells(self, key: IntArray) -> IntArray:
        """Return where keys stand in the table."""
        is_full = len(self.keys) == int(np.prod(self.sizes))
        return key if is_full else np.searchsorted(self.keys, key).astype(np.int64)
