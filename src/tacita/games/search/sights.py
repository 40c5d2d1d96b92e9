"""What the database sees: which query stands under which name, and, as the simulation knows, which are the name's own."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from tacita.core.arrays import BoolArray, FloatArray, IntArray, PlaceArray
from tacita.core.errors import ParameterError
from tacita.games.search.community import Community, pair_counts
from tacita.games.search.entropies import entropies_over_time
from tacita.games.search.play import SearchRun

if TYPE_CHECKING:
    from scipy import sparse

__all__ = ["Sight", "check_submissions", "sight_of"]

_MOST_SUBMISSIONS = 50_000_000
"""Queries under all names together, true and fake: about four gigabytes while they are measured."""


@dataclass(frozen=True, eq=False)
class Sight:
    """Queries as the database sees them, one entry a query, in the order in which they come.

    Parameters
    ----------
    community
        Whose queries these are.
    name
        Under whose name a query was submitted.
    query
        Which query it is.
    line
        At which line of the community it was submitted, from 0.
    is_own
        Whether the name's owner has this query at this line; the database does not see it.
    """

    community: Community
    name: PlaceArray
    query: PlaceArray
    line: IntArray
    is_own: BoolArray

    def seen(self, first: int = 0, last: int | None = None) -> sparse.csr_array:
        """Return Y: how often each query (column) stands under each name (row), over some lines of the community."""
        until = len(self.community) if last is None else last
        part = (self.line >= first) & (self.line < until)
        return pair_counts(self.name[part], self.query[part], (self.community.peers, self.community.queries))

    def entropies(self) -> FloatArray:
        """Return (N,): the entropy of what stands under each name."""
        _, bits = next(entropies_over_time(self.name, self.query, self.community.peers, np.array([len(self.name)])))
        return bits


def sight_of(run: SearchRun) -> Sight:
    """Return what the database sees of a run: every query once, under the name of who submitted it."""
    return Sight(run.community, run.submitter, run.community.query, np.arange(len(run.submitter)), ~run.helped)


def check_submissions(community: Community, each: float, name: str) -> None:
    """Raise when so many submissions for each query are more than are simulated.

    Raises
    ------
    ParameterError
        When they are; it names the parameter that asks for them.
    """
    if len(community) * each > _MOST_SUBMISSIONS:
        raise ParameterError(
            f"'{name}' makes {each:g} submissions of each of {len(community):,} queries; at most {_MOST_SUBMISSIONS:,} together "
            "are simulated."
        )
