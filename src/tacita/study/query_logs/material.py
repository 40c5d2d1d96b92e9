"""What the study of query logs looks at: a log of the paper's size, classified with one and with five categories a term."""

from __future__ import annotations

import time
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from tacita.core.errors import ParameterError
from tacita.data import samples
from tacita.data.directory.classified import Classified
from tacita.data.directory.read_directory import read_directory
from tacita.data.directory.topic_file import is_index
from tacita.data.directory.topic_index import TopicIndex
from tacita.data.query_log.query_log import QueryLog
from tacita.data.query_log.read import read_log

if TYPE_CHECKING:
    from tacita.data.samples.query_logs.log_sample import LogSample

__all__ = ["CATEGORIES", "DEEPEST", "LEVELS", "LogMaterial", "material"]

LEVELS = 5
"""L of the paper's experiments."""
DEEPEST = 12
"""As deep as Figure 2 looks."""
CATEGORIES = (1, 5)
"""So many categories of each term."""
USERS = 1000
"""Users of the paper, drawn from those of AOL."""


@dataclass(frozen=True, eq=False)
class LogMaterial:
    """A log, the index of a directory, and the truth where the log was made here.

    Parameters
    ----------
    log, index
        What is anonymised, and what names topics.
    sample
        The maker's knowledge; None for a log of the user's.
    """

    log: QueryLog
    index: TopicIndex
    sample: LogSample | None = None

    @cached_property
    def classified(self) -> dict[int, tuple[Classified, float]]:
        """For one and for five categories of each term: the topics down to the deepest level, and the seconds that it took."""
        found = {}
        self.index.classify(self.log.texts, depth=1)  # what the index keeps of words that it met is no time of either
        for categories in CATEGORIES:
            begin = time.process_time()
            topics = self.index.classify(self.log.texts, categories=categories, depth=DEEPEST)
            found[categories] = topics, time.process_time() - begin
        return found

    def topics(self, categories: int, depth: int = LEVELS) -> Classified:
        """Return the topics down to a level."""
        whole = self.classified[categories][0]
        return Classified(whole.tree, whole.levels[:depth])

    def ranked_first(self, level: int) -> float | None:
        """Return the percentage of topical lines whose true category, at a level, is that of the best category of the query."""
        if self.sample is None:
            return None
        first = self.index.classify(self.log.texts, categories=1, depth=level, by="query").levels[level - 1]
        ancestor = self.index.tree.at_level(level)
        truth = np.where(self.sample.truth >= 0, ancestor[self.sample.truth], -1)
        lines = np.flatnonzero((truth >= 0) & (self.log.query >= 0))
        best = np.full(first.shape[0], -1, np.int64)
        rows = np.repeat(np.arange(first.shape[0]), np.diff(first.indptr))
        best[rows] = first.indices
        return 100 * float(np.mean(best[self.log.query[lines]] == truth[lines])) if len(lines) else None


def material(data: tuple[str, ...], seed: int, users: int = USERS) -> LogMaterial:
    """Return the user's log and directory, or a made log and the small directory of the package.

    Raises
    ------
    ParameterError
        When one of the two is given alone.
    """
    if not data:
        made = samples.query_log(users, seed=seed)
        return LogMaterial(made.log, TopicIndex.build(made.directory), made)
    if len(data) != 2:
        raise ParameterError("The study 'querylog' takes a log and a topic directory, in this order, or nothing.")
    place = Path(data[1])
    index = TopicIndex.open(place) if is_index(place) else TopicIndex.build(read_directory(place))
    return LogMaterial(read_log(data[0]), index)
