"""Readers of profiles: who wants to know sensitive things only says nothing else."""

from __future__ import annotations

import numpy as np
import pytest

from tacita.attack.logs import GroupMateQueries, KnownQueries, KnownTopics, TimeTrace, TwoLogReleases
from tacita.attack.logs.profile_reader import ProfileReader
from tests.attack.logs.searchers import merged, people, scene, told

LOG = people(24)
TARGET = scene(LOG, *merged(LOG, 2), steps=[told(2)], earlier=[merged(LOG, 2, shift=7)[0]]).target


@pytest.mark.parametrize("attack", [GroupMateQueries, KnownQueries, KnownTopics, TimeTrace, TwoLogReleases])
def test_only_what_is_sensitive_is_said(attack: type[ProfileReader]) -> None:
    def said(reader: ProfileReader) -> set[str]:
        found = {claims.about for claims in reader.run(TARGET, np.random.default_rng(1))}
        return found - {"profile", "identity"}

    every, few = said(attack()), said(attack(only_sensitive=True))
    assert few == {about for about in every if "sensitive" in about}
    assert len(few) == 2 == len(every) - 1


def test_nothing_is_sensitive_where_nothing_is_named() -> None:
    found = {claims.about for claims in KnownQueries(sensitive=()).run(TARGET, np.random.default_rng(1))}
    assert found == {"profile", "identity", "further_query"}
