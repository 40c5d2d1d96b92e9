"""Queries with their topics: for every level of a tree, which categories each text falls into."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from tacita.core.arrays import FloatArray
from tacita.core.errors import DataError, ParameterError
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

        pair_text, pair = _pairs(text, term)
        shape = (len(pair_text), len(tree))
        found = sparse.csr_array((np.ones(len(pair), np.int32), (pair, category)), shape=shape)
        of_text = sparse.csr_array(
            (np.ones(len(pair_text), np.int32), (pair_text, np.arange(len(pair_text)))), shape=(texts, len(pair_text))
        )
        return cls.from_terms(tree, of_text, found, depth=depth)

    @classmethod
    def from_terms(
        cls, tree: CategoryTree, terms: sparse.csr_array, categories: sparse.csr_array, *, depth: int
    ) -> Classified:
        """Count the categories of terms that several texts may share.

        Parameters
        ----------
        tree
            The categories.
        terms
            Which terms (columns) each text (row) has; a term counts once a text.
        categories
            Which categories (columns) a directory names for each term (row).
        depth
            L, the deepest level that is looked at.
        """
        if depth < 1:
            raise ParameterError(f"Classified: 'depth' must be at least 1, got {depth}.")
        once = _once(terms)
        levels = []
        for level in range(1, depth + 1):
            counts = once @ _once(_at_level(tree, level, categories))
            counts.sort_indices()
            levels.append(counts)
        return cls(tree, tuple(levels))

    @property
    def depth(self) -> int:
        """L, the deepest level."""
        return len(self.levels)

    @property
    def texts(self) -> int:
        """How many texts there are."""
        return int(self.levels[0].shape[0])

    def share(self, asked: npt.ArrayLike | None = None) -> FloatArray:
        """Return for every level the share of texts with a category there, each weighted by how often it was asked."""
        weights = np.ones(self.texts) if asked is None else np.asarray(asked, dtype=float)
        total = weights.sum()
        shares = [weights[np.diff(level.indptr) > 0].sum() / total if total else 0.0 for level in self.levels]
        return np.array(shares)

    def at(self, texts: npt.NDArray[np.integer]) -> Classified:
        """Return the classification of some of the texts, in the order given."""
        return Classified(self.tree, tuple(level[texts] for level in self.levels))


def _pairs(
    text: npt.NDArray[np.integer], term: npt.NDArray[np.integer]
) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    """Number the different pairs of a text and a term: the text of each pair, and the pair of each entry."""
    if not len(text):
        return text.astype(np.int64), term.astype(np.int64)
    least, most = int(term.min()), int(term.max())
    numbers = term.astype(np.int64) - least
    if (most - least + 1) * (int(text.max()) + 1) >= 1 << 62:  # numbers so large that both do not fit into one
        _, numbers = np.unique(term, return_inverse=True)
    terms = int(numbers.max()) + 1
    both = text.astype(np.int64) * terms + numbers
    step = np.diff(both, prepend=both[0] - 1)
    if (step >= 0).all():  # sorted, as a directory gives them
        return both[step > 0] // terms, np.cumsum(step > 0) - 1
    keys, pair = np.unique(both, return_inverse=True)
    return keys // terms, pair


def _at_level(tree: CategoryTree, level: int, categories: sparse.csr_array) -> sparse.csr_array:
    """Replace each category by the one above it at a level; those that lie higher have none."""
    from scipy import sparse  # loads when used

    above = tree.at_level(level)[categories.indices]
    has = above >= 0
    rows = np.repeat(np.arange(categories.shape[0]), np.diff(categories.indptr))
    return sparse.csr_array((np.ones(int(has.sum()), np.int32), (rows[has], above[has])), shape=categories.shape)


def _once(matrix: sparse.csr_array) -> sparse.csr_array:
    """Return the matrix with ones where anything is."""
    from scipy import sparse  # loads when used

    alone = sparse.csr_array(matrix, copy=True)
    alone.sum_duplicates()
    alone.data = np.ones(alone.nnz, np.int32)
    return alone
