"""What a mask claims and an optimisation has to keep: k-anonymity by equal values within groups; other claims by name."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from tacita.core.arrays import BoolArray, FloatArray, IntArray
from tacita.core.errors import TacitaError
from tacita.data.microdata import Microdata
from tacita.numeric.microaggregation import group_values
from tacita.release.recipe import Recipe
from tacita.release.release import Release

__all__ = ["KeptClaims"]


@dataclass(frozen=True, eq=False)
class _Groups:
    """Records that a masked file does not tell apart in some columns, at least k in every group."""

    columns: tuple[str, ...]
    places: tuple[int, ...]
    labels: IntArray
    k: int


@dataclass(frozen=True, eq=False)
class KeptClaims:
    """The claims of a masked file.

    Parameters
    ----------
    groups
        Groups of equal records, for every claim of k-anonymity that concerns columns that are optimised.
    others
        Other claims of the recipe, in words; values that are optimised do not keep them.
    """

    groups: tuple[_Groups, ...] = ()
    others: tuple[str, ...] = field(default=())

    @classmethod
    def of(cls, original: Microdata, masked: Microdata, names: tuple[str, ...], release: Release | None) -> KeptClaims:
        """Take the claims from the recipe of a release, and k-anonymity of the masked columns from the file itself."""
        moved = tuple(name for name in names if not _same_values(original, masked, name))
        asked: dict[tuple[str, ...], None] = {moved: None} if moved else {}
        others: dict[str, None] = {}
        for step in Recipe.from_toml(release.recipe).steps if release is not None else ():
            columns = getattr(step, "columns", getattr(step, "keys", None))
            try:
                chosen = masked.schema.resolve(columns, owner="optimise") if columns is not None else masked.names
            except TacitaError:  # the step's columns are no longer what they were
                continue
            shared = [name for name in chosen if name in names]
            if not shared:
                continue
            for claim in step.traits.preserves:
                if claim == "k-anonymity":
                    asked[tuple(chosen)] = None
                else:
                    others[f"{claim} of {', '.join(shared)} ({step.name})"] = None
        found = [_groups(masked, columns, names) for columns in asked]
        return cls(tuple(groups for groups in found if groups.k > 1), tuple(others))

    def whole_groups(self, movable: BoolArray) -> BoolArray:
        """Return which values may move when the members of a group move together or not at all."""
        made = movable.copy()
        for groups in self.groups:
            for j in groups.places:
                moving = np.bincount(groups.labels, weights=made[:, j], minlength=1) > 0
                made[:, j] = moving[groups.labels]
        return made

    def kept(self, start: FloatArray, values: FloatArray) -> FloatArray:
        """Return the values with one value for each group, the mean of what its members came to."""
        made = values.copy()
        for groups in self.groups:
            for j in groups.places:
                there = ~np.isnan(start[:, j])
                if there.any() and not np.array_equal(made[there, j], start[there, j]):
                    labels = np.unique(groups.labels[there], return_inverse=True)[1].ravel()
                    made[there, j] = group_values.group_means(made[there, j][:, None], labels)[labels, 0]
        return made

    def dropped(self, before: Microdata, after: Microdata) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """Return in words the claims of k-anonymity that no longer hold, and the other ones that optimised values lose."""
        lost = []
        for groups in self.groups:
            k = _smallest(after, groups.columns)
            if k < groups.k:
                lost.append(f"k-anonymity over {', '.join(groups.columns)}: k was {groups.k} and is {k}")
        changed = not before.to_arrow(codes=False).equals(after.to_arrow(codes=False))
        return tuple(lost), self.others if changed else ()


def _groups(masked: Microdata, columns: tuple[str, ...], names: tuple[str, ...]) -> _Groups:
    places = tuple(names.index(name) for name in columns if name in names)
    return _Groups(columns, places, masked.groups(columns), _smallest(masked, columns))


def _smallest(data: Microdata, columns: tuple[str, ...]) -> int:
    """Return the size of the smallest group; records of which nothing is left show nothing."""
    if not len(data):
        return 0
    empty = np.all([data.is_missing(name) for name in columns], axis=0)
    counts = np.bincount(data.groups(columns)[~empty]) if not empty.all() else np.array([len(data)])
    return int(counts[counts > 0].min())


def _same_values(original: Microdata, masked: Microdata, name: str) -> bool:
    """Whether a column has the values of the original, in whatever order."""
    x, y = (np.sort(data.float(name)) for data in (original, masked))
    return np.array_equal(x, y, equal_nan=True)
