"""A tree of categories as arrays: the parent of each, how deep it lies, and its ancestor at every level."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from tacita.core.arrays import BoolArray
from tacita.core.errors import DataError

__all__ = ["DEEPEST", "CategoryTree"]

DEEPEST = 64
"""A tree may have so many levels; the Open Directory has some 16, WordNet 20."""


@dataclass(frozen=True, eq=False)
class CategoryTree:
    """Categories below each other; immutable.

    Parameters
    ----------
    names
        What each category is called under its parent, such as ``Soccer``.
    parents
        The place of each one's parent; -1 for a category of the first level. A parent stands before its children.

    Examples
    --------
    >>> tree = CategoryTree.from_paths([("Sports", "Soccer", "UEFA"), ("Arts",)])
    >>> tree.path(2), tree.levels.tolist(), tree.at_level(2).tolist()
    (('Sports', 'Soccer', 'UEFA'), [1, 2, 3, 1], [-1, 1, 1, -1])
    """

    names: tuple[str, ...]
    parents: npt.NDArray[np.int32]

    def __post_init__(self) -> None:
        if len(self.names) != len(self.parents):
            raise DataError(
                f"CategoryTree: there must be a parent for each name, {len(self.names)}, got {len(self.parents)}."
            )
        if len(self.names) and bool((self.parents >= np.arange(len(self.names))).any()):
            raise DataError("CategoryTree: every parent must stand before its children.")
        if len(self.names) and self._levels_above(DEEPEST):
            raise DataError(f"CategoryTree: there must be at most {DEEPEST} levels; cut the paths.")

    def _levels_above(self, most: int) -> bool:
        """Whether there are more levels than so many."""
        above = self.parents
        for _ in range(most):
            above = self.parents[above[above >= 0]]
            if not len(above):
                return False
        return True

    @classmethod
    def from_paths(cls, paths: Iterable[Sequence[str]]) -> CategoryTree:
        """Make a tree of paths from the first level down; what lies above a path is made too."""
        places: dict[tuple[str, ...], int] = {(): -1}
        names: list[str] = []
        parents: list[int] = []
        for path in map(tuple, paths):
            known = len(path)
            while path[:known] not in places:
                known -= 1
            for depth in range(known + 1, len(path) + 1):
                parents.append(places[path[: depth - 1]])
                places[path[:depth]] = len(names)
                names.append(path[depth - 1])
        return cls(tuple(names), np.array(parents, np.int32))

    def __len__(self) -> int:
        """How many categories there are, of all levels."""
        return len(self.names)

    def __repr__(self) -> str:
        return f"CategoryTree of {len(self)} categories on {self.depth} levels"

    @cached_property
    def levels(self) -> npt.NDArray[np.int32]:
        """How deep each category lies: 1 for those at the top."""
        levels = np.ones(len(self), np.int32)
        above = self.parents.copy()
        while (above >= 0).any():
            levels += above >= 0
            above = np.where(above >= 0, self.parents[above], -1)
        return levels

    @property
    def depth(self) -> int:
        """The deepest level; 0 for a tree without categories."""
        return int(self.levels.max(initial=0))

    def at_level(self, level: int) -> npt.NDArray[np.int32]:
        """Return the ancestor of each category at a level, itself where it lies there; -1 where it lies above."""
        found = np.where(self.levels >= level, np.arange(len(self), dtype=np.int32), -1).astype(np.int32)
        below = (found >= 0) & (self.levels > level)
        while below.any():
            found[below] = self.parents[found[below]]
            below = (found >= 0) & (self.levels[found] > level)
        return found

    def path(self, category: int) -> tuple[str, ...]:
        """Return the names from the first level down to a category."""
        names: list[str] = []
        at = int(category)
        while at >= 0:
            names.append(self.names[at])
            at = int(self.parents[at])
        return tuple(reversed(names))

    @cached_property
    def places(self) -> dict[tuple[str, ...], int]:
        """The place of each path."""
        return {path: category for category, path in enumerate(self.paths)}

    @cached_property
    def paths(self) -> list[tuple[str, ...]]:
        """The path of each category."""
        paths: list[tuple[str, ...]] = []
        for name, parent in zip(self.names, self.parents.tolist(), strict=True):
            paths.append((*paths[parent], name) if parent >= 0 else (name,))
        return paths

    def select(self, kept: BoolArray) -> tuple[CategoryTree, npt.NDArray[np.int32]]:
        """Return the tree of some categories and of what lies above them, and the new place of each category, -1 for none."""
        needed = kept.copy()
        for level in range(self.depth, 1, -1):
            needed[self.parents[needed & (self.levels == level)]] = True
        place = np.where(needed, np.cumsum(needed) - 1, -1).astype(np.int32)
        parents = self.parents[needed]
        names = tuple(name for name, is_needed in zip(self.names, needed.tolist(), strict=True) if is_needed)
        return CategoryTree(names, np.where(parents >= 0, place[parents], -1).astype(np.int32)), place
