from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pytest

from tacita.core.errors import DataError
from tacita.core.streams import Streams
from tacita.core.traits import AnonymiserTraits
from tacita.data.directory.classified import Classified
from tacita.data.query_log.query_log import QueryLog
from tacita.logs.anonymiser import AnonymisedLog, Anonymiser
from tests.logs.material import interested_users, made_material

LOG, TOPICS = made_material([0, 0, 1, 2], [0, 1, 1, 2], [[3], [4], [5]])


@dataclass(frozen=True, kw_only=True)
class Drawing(Anonymiser):
    """Draws a profile for each user; for these tests, so it has no name."""

    traits = AnonymiserTraits(needs_topics=True, groups_users=True)
    k: int = 2
    factor: float = 1.0

    def words(self) -> str:
        return f"drawing(factor={self.factor})"

    def make(self, log: QueryLog, topics: Classified | None, streams: Streams) -> AnonymisedLog:
        del topics
        profile = streams.stream("profile").integers(0, 2, len(log.users)).astype(np.int32)
        return AnonymisedLog(log=LOG, profile=profile, method=self.words())


@pytest.mark.parametrize(
    ("log", "topics", "message"),
    [
        (LOG.take(np.zeros(0, np.int64)), TOPICS, "the log has no line"),
        (LOG, None, "'topics' must be given"),
        (LOG, TOPICS.at(np.array([0])), "a row for each different query, 3, got 1"),
        (made_material([0], [0], [[3]]).log, made_material([0], [0], [[3]]).topics, "at least k = 2 users, got 1"),
    ],
)
def test_what_does_not_fit_is_refused(log: QueryLog, topics: Classified | None, message: str) -> None:
    with pytest.raises(DataError, match=message):
        Drawing().apply(log, topics, seed=1)


def test_parameters_are_among_the_labels_of_streams() -> None:
    """Two releases of one seed do not share what was drawn."""
    people = interested_users(60)
    made = [Drawing(factor=factor).apply(*people, seed=1).profile for factor in (1.0, 1.0, 2.0)]
    assert np.array_equal(made[0], made[1])
    assert not np.array_equal(made[0], made[2])


def test_profiles_are_counted() -> None:
    made = AnonymisedLog(log=LOG, profile=np.array([0, 0, 2, -1, 1], np.int32), method="by hand")
    assert made.stands_for.tolist() == [2, 1, 1]
    assert made.smallest == 1
    nothing = LOG.take(np.zeros(0, np.int64)).compact()
    assert AnonymisedLog(log=nothing, profile=np.full(5, -1, np.int32), method="by hand").smallest == 0
    with pytest.raises(DataError, match="places of the released users"):
        AnonymisedLog(log=LOG, profile=np.array([3], np.int32), method="by hand")
