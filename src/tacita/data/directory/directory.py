"""A topic directory in memory: a tree of categories, and the entries that editors filed under them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from tacita.core.errors import DataError
from tacita.data.directory.category_tree import CategoryTree

__all__ = ["Directory"]


@dataclass(frozen=True, eq=False)
class Directory:
    """Categories and what is filed under them; immutable.

    Parameters
    ----------
    tree
        The categories.
    category
        The category of each entry, as a place in the tree.
    title
        What each entry is called.
    description
        What its editor wrote about it; may be empty.

    Examples
    --------
    >>> Directory.from_entries([(("Sports", "Soccer"), "FC Barcelona", "The club, its players and results.")])
    Directory of 1 entry in 2 categories
    """

    tree: CategoryTree
    category: npt.NDArray[np.int32]
    title: pa.StringArray
    description: pa.StringArray

    def __post_init__(self) -> None:
        if not len(self.category) == len(self.title) == len(self.description):
            raise DataError("Directory: every entry must have a category, a title and a description.")
        if len(self.category) and not 0 <= self.category.min() <= self.category.max() < len(self.tree):
            raise DataError("Directory: 'category' must hold places of the tree.")

    @classmethod
    def from_entries(cls, entries: Iterable[tuple[Sequence[str], str, str]]) -> Directory:
        """Make a directory of (path of the category, title, description)."""
        rows = list(entries)
        tree = CategoryTree.from_paths(path for path, _, _ in rows)
        return cls(
            tree,
            np.array([tree.places[tuple(path)] for path, _, _ in rows], np.int32),
            pa.array([title for _, title, _ in rows], pa.string()),
            pa.array([description for _, _, description in rows], pa.string()),
        )

    def __len__(self) -> int:
        """How many entries it has."""
        return len(self.category)

    def __repr__(self) -> str:
        entries = "1 entry" if len(self) == 1 else f"{len(self)} entries"
        return f"Directory of {entries} in {len(self.tree)} categories"
