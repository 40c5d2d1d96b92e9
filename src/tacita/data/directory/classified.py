"""Queries with their topics: for every level of a tree, which categories each text falls into."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from tacita.core.arrays import FloatArray
from tacita.core.errors import DataError
from tacita.data.directory.category_tree import CategoryTree

if TYPE_CHECKING:
    from scipy import sparse

__all__ = ["Classified"]


@dataclass(frozen=True, eq=False)
class Classified:
    """The texts of a log and the categories that a directory names for them.

    Parameters
    ----------
    tree
        The categories.
    levels
        For the levels 1, 2, ... one sparse matrix of texts x categories of the tree: how many terms of a text fall into a
        category of that level. A term counts once for each different category that it has there.

    Notes
    -----
    A text that is classified as a whole counts as one term.
    """

    tree: CategoryTree
    levels: tuple[sparse.csr_array, ...]

    def __post_init__(self) -> None:
        if not self.levels:
            raise DataError("Classified: there must be at least one level.")
        shapes = {level.shape for level in self.levels}
        if len(shapes) != 1 or next(iter(shapes))[1] != len(self.tree):
            raise DataError(
                f"Classified: every level must have the {len(self.tree)} categories of the tree as columns."
            )

    @classmethod
    def from_categories(
        cls,
        tree: CategoryTree,
        texts: int,
        text: npt.NDArray[np.integer],
        term: npt.NDArray[np.integer],
        category: npt.NDArray[np.integer],
        *,
        depth: int,
    ) -> Classified:
        """Count the categories of terms at every level down to ``depth``.

        Parameters
        ----------
        tree, texts
            The categories, and how many texts there are.
        text, term, category
            One entry for each category that a directory names: for which text, for which of its terms (any numbers), and which.
        depth
            L, the deepest level that is looked at.
        """
        from scipy import sparse  # loads when used

        levels: list[sparse.csr_array] = []
        for level in range(1, depth + 1):
            above = tree.at_level(level)[category]
            has = above >= 0
            found = np.stack([text[has], term[has], above[has]], axis=1).astype(np.int64)
            once = np.unique(found, axis=0) if len(found) else found
            counts = sparse.coo_array(
                (np.ones(len(once), np.int32), (once[:, 0], once[:, 2])), shape=(texts, len(tree))
            )
            levels.append(sparse.csr_array(counts))
        return cls(tree, tuple(levels))

    @property
    def depth(self) -> int:
        """L, the deepest level."""
        return len(self.levels)

    @property
    def texts(self) -> int:
        """How many texts there are."""
        return int(self.levels[0].shape[0])

    def share(self, asked: Sequence[float] | FloatArray | None = None) -> FloatArray:
        """Return for every level the share of texts with a category there, each weighted by how often it was asked."""
        weights = np.ones(self.texts) if asked is None else np.asarray(asked, dtype=float)
        total = weights.sum()
        shares = [weights[np.diff(level.indptr) > 0].sum() / total if total else 0.0 for level in self.levels]
        return np.array(shares)

    def at(self, texts: npt.NDArray[np.integer]) -> Classified:
        """Return the classification of some of the texts, in the order given."""
        return Classified(self.tree, tuple(level[texts] for level in self.levels))
