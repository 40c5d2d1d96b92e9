"""The target: what belongs together, what a sample keeps, and what is read in the documentation."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from tacita.attack.logs import LogTarget
from tacita.attack.targets import KnownStep
from tacita.core.errors import AttackError
from tacita.data.query_log.query_log import QueryLog
from tests.attack.logs.searchers import classified, merged, people, scene, told

LOG = people(12)
RELEASED, PROFILE = merged(LOG, 3)


def target(**options: object) -> LogTarget:
    return scene(LOG, RELEASED, PROFILE, **options).target


def test_a_sample_has_what_belongs_to_its_victims() -> None:
    whole = target(mates=2)
    few = whole.among(np.array([4, 1]))
    assert few.victims == 2
    for name in ("known", "own", "seen"):
        before, after = getattr(whole, name), getattr(few, name)
        assert len(after.users) == 2
        for new, old in enumerate((4, 1)):
            mine, was = np.flatnonzero(after.user == new), np.flatnonzero(before.user == old)
            texts = after.texts.to_pylist(), before.texts.to_pylist()
            assert [texts[0][q] for q in after.query[mine] if q >= 0] == [
                texts[1][q] for q in before.query[was] if q >= 0
            ]
    assert few.mate_of is not None
    assert whole.mate_of is not None
    assert few.mate_of.tolist() == whole.mate_of[[4, 1]].tolist()
    assert few.interests.shape[0] == 2


def test_a_sample_knows_no_words_of_others() -> None:
    few = target().among(np.array([0]))
    assert few.own is not None
    assert len(few.own.texts) == len(np.unique(few.own.query)) < len(LOG.texts)


@pytest.mark.parametrize(
    ("parameters", "k", "askers"),
    [
        ({}, 1, 1),
        ({"k": 5}, 5, 1),
        ({"k": 3, "mode": "safe"}, 3, 2),
        ({"k": 2, "mode": "paper"}, 2, 1),
        ({"k": True}, 1, 1),
        ({"k": 5, "mode": "safe", "askers": 3}, 5, 3),
        ({"askers": 5}, 1, 1),
    ],
)
def test_the_documentation_tells_sizes(parameters: dict[str, object], k: int, askers: int) -> None:
    found = replace(target(), steps=(KnownStep("some_method", parameters=parameters),))
    assert (found.k, found.askers) == (k, askers)


def test_what_does_not_belong_together_is_refused() -> None:
    good = target(steps=[told(3)])
    nobody = QueryLog.from_columns([], [])
    with pytest.raises(AttackError, match="'own' must have one user for each victim, 12, got 0"):
        replace(good, own=nobody)
    with pytest.raises(AttackError, match="'mate_of' must have one row for each victim"):
        replace(good, mate_of=np.zeros((3, 1), int))
    with pytest.raises(AttackError, match="'topics' must have a row for each text"):
        replace(good, topics=classified(LOG.take(np.arange(3)).compact()))
