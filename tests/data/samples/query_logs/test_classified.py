"""The sample log against the index of the sample directory: what is meant is found, and fewer queries reach deep levels.

The levels are those of Figure 2 of Erola et al. (2011), where 57 % of the queries can be classified up to level 5.
"""

from __future__ import annotations

import numpy as np
import pytest

from tacita.core.arrays import FloatArray
from tacita.data.directory.topic_index import TopicIndex
from tacita.data.samples import LogSample, query_log

LEVELS = 5


@pytest.fixture(scope="module", params=[1, 2])
def sample(request: pytest.FixtureRequest) -> LogSample:
    return query_log(1000, seed=request.param)


@pytest.fixture(scope="module")
def found(sample: LogSample) -> np.ndarray:
    """The best category of each line at each level; -1 for none."""
    index = TopicIndex.build(sample.directory)
    classified = index.classify(sample.log.texts, depth=LEVELS, by="query")
    first = np.full((LEVELS, classified.texts), -1)
    for row, level in zip(first, classified.levels, strict=True):
        has = np.diff(level.indptr) > 0
        row[has] = level.indices[level.indptr[:-1][has]]
    return first[:, sample.log.query]


def right(sample: LogSample, found: np.ndarray) -> FloatArray:
    """For each level the share of the lines about a topic there whose best category is the one that was meant."""
    meant = [sample.truth_at(level) for level in range(1, LEVELS + 1)]
    return np.array([np.mean(row[truth >= 0] == truth[truth >= 0]) for row, truth in zip(found, meant, strict=True)])


def test_what_is_meant_is_ranked_first_for_most_queries(sample: LogSample, found: np.ndarray) -> None:
    shares = right(sample, found)
    assert np.all(shares >= 0.8)
    assert shares[1] < 0.99  # ambiguous words and typing errors are left in


def test_fewer_lines_are_classified_at_deeper_levels(found: np.ndarray) -> None:
    shares = (found >= 0).mean(axis=1)
    assert np.all(np.diff(shares) <= 0)
    assert 0.88 < shares[0] < 0.97
    assert 0.48 < shares[4] < 0.66


def test_ambiguous_words_alone_are_not_found_every_time() -> None:
    made = query_log(3000, seed=3, typo_share=0)
    words = ["java", "jaguar", "mercury", "turkey", "python", "apple"]
    query = np.flatnonzero(np.isin(made.log.texts.to_pylist(), words))
    asked = np.isin(made.log.query, query) & (made.truth >= 0)
    meant = {(int(q), int(t)) for q, t in zip(made.log.query[asked], made.truth_at(2)[asked], strict=True)}
    assert len(meant) > 1.5 * len(query)  # one word, several meanings
