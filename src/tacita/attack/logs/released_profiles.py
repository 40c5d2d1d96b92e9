"""Profiles as an attacker sees them: which texts stand in which, how rare each is, and whose profile some texts fit best."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.random import Generator

from tacita.core.arrays import BoolArray, FloatArray, IntArray
from tacita.data.query_log.same_texts import places_of_texts

if TYPE_CHECKING:
    from tacita.data.query_log.query_log import QueryLog

__all__ = [
    "FoundProfiles",
    "ReleasedProfiles",
    "best_of_rows",
    "find_profiles",
    "matching_seconds",
    "rows_less",
    "texts_asked",
]

_BLOCK = 512
"""Victims whose scores are held at a time."""
_COMMON = 0.1
"""Texts that stand in a larger share of the profiles tell little of whose they are, and cost most."""
_FEW = 1000
"""Profiles up to which common texts are looked at nevertheless."""
_BY_CHANCE = 0.01
"""Expected number of wrong profiles that fit as well, up to which a profile is said for sure."""


@dataclass(frozen=True, eq=False)
class ReleasedProfiles:
    """What stands in the profiles of a released log.

    Parameters
    ----------
    lines
        How many lines of each profile (row) have each thing (column), a sparse matrix. Things are texts, times or topics.

    Notes
    -----
    The rarity of a thing is the logarithm of one over the share of the profiles that have it: the sum over several things is how
    unlikely it is that a profile of somebody else has all of them.
    """

    lines: Any

    @classmethod
    def of_texts(cls, log: QueryLog) -> ReleasedProfiles:
        """Return the texts of the profiles; those that differ by case or blanks are one, at the first place."""
        return cls(texts_asked(log, log))

    def __len__(self) -> int:
        return int(self.lines.shape[0])

    @cached_property
    def stands_in(self) -> IntArray:
        """In how many profiles each thing stands."""
        return np.bincount(self.lines.indices, minlength=self.lines.shape[1]).astype(np.int64)

    @cached_property
    def rarity(self) -> FloatArray:
        """How much each thing tells of whose profile it stands in; 0 where it stands in none or in all."""
        return np.log(len(self) / np.clip(self.stands_in, 1, None)) * (self.stands_in > 0)

    @property
    def telling(self) -> FloatArray:
        """The rarity of each thing, 0 for common ones where there are many profiles: these tell little and cost most."""
        many = len(self) > _FEW
        return np.where(many & (self.stands_in > _COMMON * len(self)), 0.0, self.rarity)


@dataclass(frozen=True, eq=False)
class FoundProfiles:
    """For each victim the profile that fits best, -1 where none has anything of his, and whether that is no chance."""

    profile: IntArray
    is_sure: BoolArray


def texts_asked(log: QueryLog, released: QueryLog) -> Any:
    """Return how often each user of a log (row) asked each text of a release (column), as a sparse matrix."""
    from scipy import sparse

    place = places_of_texts(log.texts, released.texts)
    at = np.where(log.query >= 0, np.append(place, -1)[log.query], -1)
    has = at >= 0
    shape = (len(log.users), len(released.texts))
    ones = np.ones(int(has.sum()), np.int64)
    return sparse.csr_array(sparse.coo_array((ones, (log.user[has], at[has])), shape=shape))


def find_profiles(known: Any, profiles: ReleasedProfiles, rng: Generator, *, likeness: Any = None) -> FoundProfiles:
    """Return whose profile has most of what is known of each victim, rare things counting more.

    Parameters
    ----------
    known
        A sparse matrix of victims x things; what is not zero is known.
    profiles
        The profiles, with the same things.
    rng
        Chooses among profiles that fit equally well.
    likeness
        How much each profile is like each victim beside that, up to 1, which counts as much as a thing that stands in one
        profile only. What it adds is never sure.
    """
    from scipy import sparse

    # A thing that stands in all of a few profiles finds none of them, but is better than nothing.
    weight = profiles.telling if len(profiles) > _FEW else np.maximum(profiles.rarity, 1e-9)
    weighed = sparse.csr_array((known != 0).multiply(weight))
    weighed.eliminate_zeros()
    chance = 1e-6 * rng.random(len(profiles)) + 1e-6
    columns = sparse.csr_array((profiles.lines != 0).astype(np.float64).T)
    best = np.full(known.shape[0], -1, np.int64)
    sure = np.zeros(known.shape[0], bool)
    for start in range(0, known.shape[0], _BLOCK):
        score = sparse.csr_array(weighed[start : start + _BLOCK] @ columns)
        score.data = score.data + chance[score.indices]
        place, value = best_of_rows(score)
        rows = np.flatnonzero(place >= 0)
        gap = value - _second(score, place)
        if likeness is not None:
            score = sparse.csr_array(score + np.log(max(len(profiles), 2)) * likeness.of(slice(start, start + _BLOCK)))
            beside, place = place, best_of_rows(score)[0]
            rows = np.flatnonzero((place >= 0) & (place == beside))
        best[start : start + _BLOCK] = place
        needed = np.log(len(profiles) / _BY_CHANCE), np.log(1 / _BY_CHANCE)
        sure[start + rows] = (value[rows] > needed[0]) & (gap[rows] > needed[1])
    return FoundProfiles(best, sure)


def best_of_rows(matrix: Any) -> tuple[IntArray, FloatArray]:
    """Return for each row of a sparse matrix the column with the largest value above zero, and that value; -1 and 0 for none.

    Examples
    --------
    >>> from scipy import sparse
    >>> place, value = best_of_rows(sparse.csr_array([[0, 2, 1], [0, 0, 0]]))
    >>> place.tolist(), value.tolist()
    ([1, -1], [2.0, 0.0])
    """
    place = np.full(matrix.shape[0], -1, np.int64)
    value = np.zeros(matrix.shape[0])
    rows = np.repeat(np.arange(matrix.shape[0]), np.diff(matrix.indptr))
    above = matrix.data > 0
    rows, columns, data = rows[above], matrix.indices[above], matrix.data[above]
    order = np.lexsort((columns, -data, rows))
    first = order[np.flatnonzero(np.diff(rows[order], prepend=-1))]
    place[rows[first]], value[rows[first]] = columns[first], data[first]
    return place, value


def rows_less(rows: Any, taken: Any) -> Any:
    """Return the rows of a sparse matrix without the entries where another one of that shape is not zero."""
    from scipy import sparse

    left = sparse.csr_array(rows - rows.multiply(taken != 0))
    left.eliminate_zeros()
    return left


def matching_seconds(known: QueryLog, released: QueryLog) -> float:
    """Return about how many seconds it takes to hold the lines that are known of victims against a release."""
    return 1e-3 + 5e-7 * len(released) + 1e-5 * len(known.users) + 2e-6 * len(known) * (1 + len(released.users) / 1000)


def _second(matrix: Any, best: IntArray) -> FloatArray:
    """Return the second largest value of each row, 0 where there is none."""
    rest = matrix.copy()
    rows = np.repeat(np.arange(matrix.shape[0]), np.diff(matrix.indptr))
    rest.data = np.where(rest.indices == best[rows], 0.0, rest.data)
    return best_of_rows(rest)[1]
