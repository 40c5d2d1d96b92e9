"""Likeness by topics: how near the interests of a victim are to those of each profile."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from tacita.attack.logs.further_queries import topic_of_texts
from tacita.attack.logs.log_target import LogTarget
from tacita.attack.logs.released_profiles import ReleasedProfiles
from tacita.core.arrays import FloatArray

__all__ = ["TopicLikeness", "likeness_of_topics", "topic_seconds"]


@dataclass(frozen=True, eq=False)
class TopicLikeness:
    """The cosine between the topics of each victim and of each profile, from rows of length one.

    Parameters
    ----------
    victims, profiles
        Sparse matrices of victims and of profiles x categories.
    """

    victims: Any
    profiles: Any

    def of(self, chosen: slice) -> Any:
        """Return how much each profile (column) is like some of the victims (row), as a sparse matrix."""
        from scipy import sparse

        return sparse.csr_array(self.victims[chosen] @ self.profiles)


def likeness_of_topics(target: LogTarget, profiles: ReleasedProfiles) -> TopicLikeness | None:
    """Return how near interests are, rare categories counting more; None where nobody knows what queries are about."""
    from scipy import sparse

    if target.topics is None or target.interests is None:
        return None
    about = ReleasedProfiles(sparse.csr_array(profiles.lines @ topic_of_texts(target.topics)))
    weights = about.telling
    return TopicLikeness(_unit(target.interests, weights), sparse.csr_array(_unit(about.lines, weights).T))


def topic_seconds(target: LogTarget) -> float:
    """Return about how many seconds it takes to hold the topics of all victims against all profiles."""
    if target.topics is None or target.interests is None:
        return 0.0
    return 1e-3 + 4e-7 * target.victims * len(target.released.users)


def _unit(matrix: Any, weights: FloatArray) -> Any:
    """Return the rows of a sparse matrix weighed and of length one."""
    from scipy import sparse

    weighed = sparse.csr_array(matrix.multiply(weights))
    weighed.eliminate_zeros()
    length = np.sqrt(np.asarray(weighed.multiply(weighed).sum(axis=1)).ravel())
    return sparse.csr_array(weighed.multiply((1 / np.where(length > 0, length, 1.0))[:, None]))
