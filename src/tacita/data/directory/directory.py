"""A topic directory in memory: a tree of categories, and the entries that editors filed under them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from tacita.core.arrays import BoolArray, FloatArray
from tacita.core.errors import DataError, ParameterError, did_you_mean
from tacita.data.directory.category_tree import CategoryTree
from tacita.data.directory.directory_reading import DirectoryReading

__all__ = ["ENGLISH", "WORLD", "Directory"]

WORLD = "World"
"""The category of the first level whose children are the other languages, in the Open Directory."""
ENGLISH = "English"
"""The language of everything that does not lie below ``World``."""


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
    about
        What is said of each category itself: its other names and its description; None where nothing is.
    weight
        How much each entry counts when texts are looked up; None where all count alike.
    reading
        What a reader had to leave out or mend; None where the directory was not read from a file.

    Examples
    --------
    >>> Directory.from_entries([(("Sports", "Soccer"), "FC Barcelona", "The club, its players and results.")])
    Directory of 1 entry in 2 categories
    """

    tree: CategoryTree
    category: npt.NDArray[np.int32]
    title: pa.StringArray
    description: pa.StringArray
    about: pa.StringArray | None = None
    weight: FloatArray | None = None
    reading: DirectoryReading | None = field(default=None, compare=False)

    def __post_init__(self) -> None:
        if not len(self.category) == len(self.title) == len(self.description):
            raise DataError("Directory: every entry must have a category, a title and a description.")
        if len(self.category) and not 0 <= self.category.min() <= self.category.max() < len(self.tree):
            raise DataError("Directory: 'category' must hold places of the tree.")
        if self.about is not None and len(self.about) != len(self.tree):
            raise DataError(f"Directory: 'about' must have a text for each of the {len(self.tree)} categories.")
        if self.weight is not None and (len(self.weight) != len(self.category) or not (self.weight > 0).all()):
            raise DataError("Directory: 'weight' must have a number above 0 for each entry.")

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

    @property
    def languages(self) -> tuple[str, ...]:
        """The languages, in alphabetical order: the children of ``World``, and English where anything lies elsewhere."""
        own = {self.tree.names[place] for place in set(self._language_places().tolist()) if place >= 0}
        return tuple(sorted(own | ({ENGLISH} if any(path[0] != WORLD for path in self.tree.paths) else set())))

    def select(self, kept: BoolArray) -> Directory:
        """Return the directory of some categories and their entries; what lies above a kept category stays, without entries."""
        tree, place = self.tree.select(kept)
        rows = kept[self.category]
        chosen = pa.array(rows)
        about = None if self.about is None else self.about.filter(pa.array(place >= 0))
        return replace(
            self,
            tree=tree,
            category=place[self.category[rows]],
            title=self.title.filter(chosen),
            description=self.description.filter(chosen),
            about=about,
            weight=None if self.weight is None else self.weight[rows],
        )

    def in_languages(self, languages: Sequence[str]) -> Directory:
        """Return what is written in some languages, in the words of the directory, such as ``Deutsch``.

        Raises
        ------
        ParameterError
            When the directory has nothing in one of them.
        """
        for language in languages:
            if language not in self.languages:
                raise ParameterError(
                    f"'languages' must be among those of the directory, got '{language}'."
                    + did_you_mean(language, self.languages)
                )
        below = self._language_places()
        wanted = np.array([name in languages for name in self.tree.names] + [ENGLISH in languages], bool)
        return self.select(wanted[below] & (below != -2))

    def _language_places(self) -> npt.NDArray[np.int32]:
        """Return for each category that of its language: -1 for English, -2 for ``World`` itself."""
        first, second = self.tree.at_level(1), self.tree.at_level(2)
        world = np.array([name == WORLD for name in self.tree.names], bool)[first]
        return np.where(world, np.where(second >= 0, second, -2), -1).astype(np.int32)
