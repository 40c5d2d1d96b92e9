"""The best node of a generalisation lattice: exact by bounds and predictive tagging, or as good as time allows.

Three facts cut the lattice down. A node at which too many records are **lost**, whatever finer levels would do, is hopeless and
makes all nodes below it hopeless. What is lost at a node costs every node below it as much or more: a **penalty** on top of
what they lose without suppression. And every node has a **bound**, a loss that neither it nor any node above it can
undercut: for losses of cells the mean loss without suppression, which only grows on the way up; for losses of groups what a
node below it has without suppression. A node is done with when it is hopeless, looked at, or its bound is not below the
best loss so far. When all are, the best node is proven to be the best. Nodes are chosen along paths that climb greedily from
an open node of least bound; halving such a path finds where it becomes acceptable (predictive tagging).

With suppression the loss itself is not monotone: a coarser node can lose less because it suppresses less. That is why the
bound of a node never contains what it suppresses itself, only what it must.

References
----------
Kohlmayer, F., Prasser, F., Eckert, C., Kemper, A. and Kuhn, K. (2012), Flash: efficient, stable and optimal k-anonymity;
LeFevre, K., DeWitt, D. and Ramakrishnan, R. (2005), Incognito: efficient full-domain k-anonymity.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Literal

import numpy as np

from tacita.core.arrays import BoolArray, FloatArray
from tacita.numeric.keys.lattice import Lattice, Levels, Node
from tacita.numeric.keys.privacy_model import PrivacyModel

__all__ = ["LOSSES", "CellPrices", "FoundNode", "LatticeLoss", "search_lattice"]


LatticeLoss = Literal["granularity", "precision", "entropy", "discernibility", "class size"]
LOSSES = ("granularity", "precision", "entropy", "discernibility", "class size")
OF_CELLS = frozenset({"granularity", "precision", "entropy"})

_LARGEST = 2**22
"""Boxes with more nodes than this are searched by descent only."""
_BLOCK = 2**14
"""Nodes of a block of columns that bounds the whole from below."""
_PENALISED = 2**18
"""Boxes with more nodes than this leave penalties out, which every look would write into most of the box."""


@dataclass(frozen=True)
class CellPrices:
    """What generalised and suppressed cells are charged, in shares of what they lose.

    Parameters
    ----------
    general
        Share that a generalised cell is charged.
    gone
        Share of what is left of a cell at the node's levels that its suppression is charged beside what is lost already.
    """

    general: float = 1.0
    gone: float = 1.0

    @classmethod
    def of(cls, gs_factor: float) -> CellPrices:
        """Return the prices of a factor: 0 makes suppression free, 1 generalisation, 0.5 charges both in full.

        Examples
        --------
        >>> CellPrices.of(0.25), CellPrices.of(1.0)
        (CellPrices(general=1.0, gone=0.5), CellPrices(general=0.0, gone=1.0))
        """
        return cls(min(1.0, 2.0 - 2.0 * gs_factor), min(1.0, 2.0 * gs_factor))


@dataclass(frozen=True)
class FoundNode:
    """The result of a search.

    Parameters
    ----------
    levels
        The chosen node; None where no node is acceptable, or none was found in time.
    loss, bound
        Its loss, and a loss that no acceptable node can undercut; equal when the node is proven to be the best.
    suppressed
        Records in bad groups.
    checked, nodes
        Nodes whose groups were looked at, and nodes of the lattice.
    is_optimal
        Whether it is proven that no node is better (or, without a node, that none is acceptable).
    """

    levels: Levels | None
    loss: float
    bound: float
    suppressed: int
    checked: int
    nodes: int
    is_optimal: bool


@dataclass
class _Best:
    levels: Levels | None = None
    loss: float = np.inf
    suppressed: int = 0


@dataclass(frozen=True)
class _Look:
    """What was seen at a node."""

    loss: float
    bound: float
    suppressed: int
    is_hopeless: bool
    is_acceptable: bool
    penalty: float


class _LatticeSearch:
    """State of a search: what was seen, the best so far, the time that is left."""

    def __init__(
        self,
        lattice: Lattice,
        model: PrivacyModel,
        limit: int,
        loss: LatticeLoss,
        time_limit: float | None,
        prices: CellPrices,
    ) -> None:
        self.lattice, self.model, self.limit, self.kind, self.prices = lattice, model, limit, loss, prices
        self.end = None if time_limit is None else time.monotonic() + time_limit
        self.best, self.seen = _Best(), dict[Levels, _Look]()
        self.means = [prices.general * mean for mean in lattice.mean_losses()]
        self.cheapest = lattice.least_full() * (1.0 - prices.general)

    @property
    def is_late(self) -> bool:
        """Whether the time is over."""
        return self.end is not None and time.monotonic() >= self.end

    def look(self, levels: Levels) -> _Look:
        """Look at a node and remember it if it is the best acceptable one."""
        known = self.seen.get(levels)
        if known is not None:
            return known
        node = self.lattice.node(levels)
        lost = self.model.lost(node)
        is_hopeless = bool(lost.sum() > self.limit) or self.model.is_refused(node)
        left = self.lattice.left_of_cells(node, levels) if self.kind in OF_CELLS else lost
        penalty = self._penalty(lost, left)
        loss, suppressed, bound = np.inf, int(lost.sum()), self._bound(levels, node)
        if not is_hopeless:
            bad = self.model.bad(node)
            loss, suppressed = self._loss(node, bad, left), int(node.counts[bad].sum())
            # Without suppression every rule for groups that does not hold at a node does not hold below it.
            is_hopeless = self.limit == 0 and suppressed > 0
            if suppressed <= self.limit and loss <= self.best.loss and self.model.is_too_unique(node, bad):
                bad = bad | (node.counts == 1)
                loss, suppressed = self._loss(node, bad, left), int(node.counts[bad].sum())
        made = _Look(
            loss=loss,
            bound=bound,
            suppressed=suppressed,
            is_hopeless=is_hopeless,
            is_acceptable=not is_hopeless and suppressed <= self.limit,
            penalty=penalty,
        )
        self.seen[levels] = made
        # Equal losses are told apart by the levels, so that the result does not depend on the path.
        if made.is_acceptable and (loss, levels) < (self.best.loss, self.best.levels or levels):
            self.best = _Best(levels, loss, suppressed)
        return made

    def _loss(self, node: Node, bad: BoolArray, left: FloatArray) -> float:
        """Return the loss of a node; ``left`` is what its cells still have."""
        n, sizes = max(self.lattice.n_records, 1), node.counts.astype(np.float64)
        if self.kind in OF_CELLS:
            lost = (sizes if node.full is None else node.full) - sizes * left
            charged = np.where(bad, lost + self.prices.gone * sizes * left, self.prices.general * lost)
            return float(charged.sum()) / n
        gone = float(sizes[bad].sum())
        if self.kind == "discernibility":
            return float((sizes[~bad] ** 2).sum() + gone * n)
        classes = int((~bad & (sizes > 0)).sum()) + (gone > 0)
        return n / max(classes, 1) / self.model.k

    def _bound(self, levels: Levels, node: Node) -> float:
        """Return a loss that neither a node nor any above it undercuts."""
        n, sizes = self.lattice.n_records, node.counts.astype(np.float64)
        if self.kind in OF_CELLS:
            return self.static(levels)
        if self.kind == "discernibility":
            return float((sizes**2).sum())
        return n / max(int((sizes > 0).sum()), 1) / self.model.k

    def _penalty(self, lost: FloatArray, left: FloatArray) -> float:
        """Return what the records that are lost cost this node and all below it beside their loss without suppression."""
        if self.kind not in OF_CELLS:
            return 0.0
        least = min(self.prices.general, self.prices.gone)
        return float((lost * (self.cheapest + least * left)).sum()) / max(self.lattice.n_records, 1) * (1 - 1e-12)

    def static(self, levels: Levels) -> float:
        """Return the mean loss of cells at a node when nothing is suppressed."""
        total = sum(float(mean[level]) for mean, level in zip(self.means, levels, strict=True))
        return total / max(len(levels), 1)

    # --- exact -----------------------------------------------------------------------------------------------------

    def floors(self) -> Levels:
        """Return for each column the finest level at which it is not hopeless alone, all others at their coarsest."""
        found = []
        for j, height in enumerate(self.lattice.top):
            low = 0
            while low < height and self.look((*self.lattice.top[:j], low, *self.lattice.top[j + 1 :])).is_hopeless:
                low += 1
            found.append(low)
        return tuple(found)

    def search_box(self, low: Levels, high: Levels, *, is_static: bool = False) -> float:
        """Search all nodes from ``low`` to ``high``; return a loss that none of them undercuts.

        ``is_static`` looks for the least bound of a node that is not hopeless instead of the least loss.
        """
        box = _Box(self, low, high)
        best = np.inf
        start = box.first(best if is_static else self.best.loss)
        while start is not None:
            if self.is_late:
                return min(best if is_static else self.best.loss, box.least_open())
            path = box.climb(start, best if is_static else self.best.loss)
            left, right, middle = 0, len(path) - 1, len(path) - 1  # once the best is good, most paths are hopeless
            while left <= right and not self.is_late:
                look = self.look(path[middle])
                box.close(path[middle], look)
                if is_static and not look.is_hopeless:
                    best = min(best, self.static(path[middle]))
                if look.is_hopeless or not (is_static or look.is_acceptable):
                    left = middle + 1
                else:
                    right = middle - 1
                middle = (left + right) // 2
            start = box.first(best if is_static else self.best.loss)
        return best if is_static else self.best.loss

    # --- too large for that ------------------------------------------------------------------------------------------

    def descend(self, low: Levels) -> None:
        """Climb from ``low`` by the least loss for each record that stops being bad, then step down while that helps."""
        here = low
        look = self.look(here)
        while not look.is_acceptable and here != self.lattice.top and not self.is_late:
            steps = [_raised(here, j) for j, height in enumerate(self.lattice.top) if here[j] < height]
            scored = [(self._price(here, look, step), step) for step in steps]
            here = min(scored)[1]
            look = self.look(here)
        while self.best.levels is not None and not self.is_late:
            here, before = self.best.levels, self.best.loss
            for j in range(len(here)):
                if here[j] > low[j]:
                    self.look(_raised(here, j, -1))
                    for i in range(len(here)):  # down in one column, up in another
                        if i != j and here[i] < self.lattice.top[i] and not self.is_late:
                            self.look(_raised(_raised(here, j, -1), i))
            if self.best.loss >= before:
                return

    def _price(self, here: Levels, look: _Look, step: Levels) -> float:
        after = self.look(step)
        saved = max(look.suppressed - after.suppressed, 1e-9)
        return (self.static(step) - self.static(here) + 1e-12) / saved

    def block_bound(self, low: Levels) -> float:
        """Bound the loss from below: a node that is acceptable is not hopeless on any block of its columns either."""
        if self.kind not in OF_CELLS:
            return self.look(low).bound
        total = self.static(low)
        for block in _blocks(low, self.lattice.top):
            floor = tuple(low[j] if j in block else height for j, height in enumerate(self.lattice.top))
            least = self.search_box(floor, self.lattice.top, is_static=True)
            if np.isfinite(least):
                total += max(least - self.static(floor), 0.0)
        return min(total, self.best.loss)


class _Box:
    """Which nodes between two nodes are still open."""

    def __init__(self, search: _LatticeSearch, low: Levels, high: Levels) -> None:
        self.search, self.low = search, low
        self.shape = tuple(b - a + 1 for a, b in zip(low, high, strict=True))
        static = np.zeros(self.shape)
        for j, mean in enumerate(search.means):
            shape = [1] * len(self.shape)
            shape[j] = self.shape[j]
            static += mean[low[j] : high[j] + 1].reshape(shape)
        static /= max(len(low), 1)
        self.static, self.has_penalties = static, search.kind in OF_CELLS and static.size <= _PENALISED
        self.order = np.argsort(static, axis=None, kind="stable")
        self.bound = static.copy() if search.kind in OF_CELLS else np.zeros(self.shape)
        self.is_done: BoolArray = np.zeros(self.shape, dtype=bool)
        self.place = 0
        for levels, look in search.seen.items():
            self.close(levels, look)

    def first(self, best: float) -> Levels | None:
        """Return the open node that comes first in order of the mean cell loss."""
        done, bound = self.is_done.reshape(-1), self.bound.reshape(-1)
        while self.place < len(self.order):
            some = self.order[self.place : self.place + 4096]
            hit = np.flatnonzero(~done[some] & (bound[some] < best))
            if len(hit):
                self.place += int(hit[0])
                inner = np.unravel_index(int(some[hit[0]]), self.shape)
                return tuple(int(i) + a for i, a in zip(inner, self.low, strict=True))
            self.place += len(some)
        return None

    def least_open(self) -> float:
        """Return the least bound of a node that is open."""
        return float(self.bound[~self.is_done].min(initial=np.inf))

    def climb(self, start: Levels, best: float) -> list[Levels]:
        """Return a path from an open node up through open nodes, each time to the least bound."""
        path, here = [start], tuple(a - b for a, b in zip(start, self.low, strict=True))
        while True:
            steps = [_raised(here, j) for j, size in enumerate(self.shape) if here[j] + 1 < size]
            steps = [step for step in steps if not self.is_done[step] and self.bound[step] < best]
            if not steps:
                return path
            here = min(steps, key=lambda step: (float(self.bound[step]), step))
            path.append(tuple(a + b for a, b in zip(here, self.low, strict=True)))

    def close(self, levels: Levels, look: _Look) -> None:
        """Draw the conclusions from a look at a node, which may stand outside of the box."""
        inner = [a - b for a, b in zip(levels, self.low, strict=True)]
        if min(inner, default=0) >= 0 and all(i < size for i, size in zip(inner, self.shape, strict=True)):
            self.is_done[tuple(inner)] = True
        under = tuple(slice(0, max(i + 1, 0)) for i in inner)
        if look.is_hopeless:
            self.is_done[under] = True
        elif self.has_penalties and look.penalty > 0:
            np.maximum(self.bound[under], self.static[under] + look.penalty, out=self.bound[under])
        if self.search.kind not in OF_CELLS:
            above = self.bound[tuple(slice(max(i, 0), None) for i in inner)]
            np.maximum(above, look.bound, out=above)


def search_lattice(
    lattice: Lattice,
    model: PrivacyModel,
    *,
    limit: int = 0,
    loss: LatticeLoss = "granularity",
    time_limit: float | None = None,
    prices: CellPrices = CellPrices(),  # noqa: B008 (it never changes)
) -> FoundNode:
    """Find the node of least loss whose bad groups have at most ``limit`` records.

    Exact for lattices of up to four million nodes between the columns' own floors, unless the time is over before; larger ones
    are searched by descent and bounded by blocks of columns. The ladders carry the loss of cells that ``granularity``,
    ``precision`` and ``entropy`` need; these are charged by ``prices``.
    """
    search = _LatticeSearch(lattice=lattice, model=model, limit=limit, loss=loss, time_limit=time_limit, prices=prices)
    if search.look(lattice.top).is_hopeless:
        return FoundNode(
            levels=None,
            loss=np.inf,
            bound=np.inf,
            suppressed=lattice.n_records,
            checked=len(search.seen),
            nodes=lattice.size,
            is_optimal=True,
        )
    low = search.floors()
    nodes = 1
    for a, b in zip(low, lattice.top, strict=True):
        nodes *= b - a + 1
    if nodes <= _LARGEST:
        bound = search.search_box(low, lattice.top)
    else:
        search.descend(low)
        bound = search.block_bound(low)
    best = search.best
    is_optimal = bound >= best.loss - 1e-15 if best.levels is not None else not np.isfinite(bound)
    return FoundNode(
        levels=best.levels,
        loss=best.loss,
        bound=min(bound, best.loss),
        suppressed=best.suppressed,
        checked=len(search.seen),
        nodes=lattice.size,
        is_optimal=bool(is_optimal),
    )


def _raised(levels: Levels, j: int, by: int = 1) -> Levels:
    return (*levels[:j], levels[j] + by, *levels[j + 1 :])


def _blocks(low: Levels, top: Levels) -> list[list[int]]:
    """Put columns together, in their order, as long as the nodes of a block are not too many."""
    blocks: list[list[int]] = []
    nodes = _BLOCK + 1
    for j in range(len(low)):
        size = top[j] - low[j] + 1
        if nodes * size > _BLOCK:
            blocks.append([])
            nodes = 1
        blocks[-1].append(j)
        nodes *= size
    return blocks
