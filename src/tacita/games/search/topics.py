"""The main topic of each text of a log, as a topic directory names it."""

from __future__ import annotations

import numpy as np

from tacita.core.arrays import PlaceArray
from tacita.core.errors import ParameterError
from tacita.data.directory.classified import Classified

__all__ = ["level_topics"]


def level_topics(classified: Classified, level: int) -> PlaceArray:
    """Return for each text the category of a level that most of it falls into, numbered from 0; -1 for none.

    Parameters
    ----------
    classified
        The texts and their categories.
    level
        Of the categories, 1 for the broadest; of equal ones the first in the tree is taken.

    Examples
    --------
    >>> import pyarrow as pa
    >>> from tacita.data.directory.topic_index import TopicIndex
    >>> from tacita.data.samples import topic_directory
    >>> index = TopicIndex.build(topic_directory())
    >>> found = level_topics(index.classify(pa.array(["soccer", "zzz"]), depth=2), 1)
    >>> int(found[0]), int(found[1])
    (0, -1)
    """
    if not 1 <= level <= len(classified.levels):
        raise ParameterError(f"'level' must be from 1 to {len(classified.levels)}, got {level}.")
    counts = classified.levels[level - 1].tocsr()
    some = np.diff(counts.indptr) > 0
    topic = np.full(counts.shape[0], -1, np.int32)
    if some.any():
        best = np.asarray(counts.argmax(axis=1)).ravel()[some]
        topic[some] = np.unique(best, return_inverse=True)[1]
    return topic
