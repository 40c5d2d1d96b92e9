"""Likeness by topics: how near the interests of a victim are to those of each profile."""

from __future__ import annotations

from typing import Any

import numpy as np

from tacita.attack.logs.further_queries import topic_of_texts
from tacita.attack.logs.log_target import LogTarget
from tacita.attack.logs.released_profiles import ReleasedProfiles
from tacita.core.arrays import FloatArray

__all__ = ["likeness_of_topics"]


def likeness_of_topics(target: LogTarget, profiles: ReleasedProfiles) -> Any:
    """Return the cosine between the topics of each victim (row) and profile, rare ones counting more; None without topics."""
    from scipy import sparse

    if target.topics is None or target.interests is None:
        return None
    about = sparse.csr_array(profiles.lines @ topic_of_texts(target.topics))
    rarity = ReleasedProfiles(about).rarity
    victims, others = (_unit(matrix, rarity) for matrix in (target.interests, about))
    return sparse.csr_array(victims @ sparse.csr_array(others.T))


def _unit(matrix: Any, weights: FloatArray) -> Any:
    """Return the rows of a sparse matrix weighed and of length one."""
    from scipy import sparse

    weighed = sparse.csr_array(matrix.multiply(weights))
    length = np.sqrt(np.asarray(weighed.multiply(weighed).sum(axis=1)).ravel())
    return sparse.csr_array(weighed.multiply((1 / np.where(length > 0, length, 1.0))[:, None]))
