from __future__ import annotations

from dataclasses import replace

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tacita.core.errors import DataError
from tacita.data.query_log.query_log import QueryLog
from tacita.logs.anonymiser import AnonymisedLog
from tacita.logs.safety.certify import certify
from tacita.logs.semantic_microaggregation import SemanticMicroaggregation
from tests.logs.material import Material, interested_users, materials
from tests.oracles.logs import log_certificate as oracle

PEOPLE = interested_users(60, lines_each=20)
SAFE = SemanticMicroaggregation(k=3).apply(*PEOPLE, seed=4)


@given(materials(), st.integers(2, 3), st.sampled_from(["urls", "hosts"]), st.data())
def test_the_recount_equals_one_with_sets(material: Material, askers: int, clicks: str, data: st.DataObject) -> None:
    """Of the paper's method, which breaks the promises that are counted."""
    log, topics = material
    if len(log.users) < 3:
        return
    made = SemanticMicroaggregation(k=3, mode="paper", clicks=clicks).apply(
        *material, seed=data.draw(st.integers(0, 99))
    )
    found = certify(log, topics, made, 3, askers)
    given_to = (log, topics, made.profile.tolist(), made.log, askers)
    assert found.lonely_texts == oracle.lonely_texts(*given_to)
    assert found.lonely_clicks == oracle.lonely_clicks(*given_to)
    assert found.lonely_times == oracle.lonely_times(log, made.profile.tolist(), made.log, askers)
    assert not {"users_without_profile", "small_profiles", "names"} & set(found.breaches)


def breaches(made: AnonymisedLog, log: QueryLog = PEOPLE.log) -> dict[str, int]:
    return certify(log, PEOPLE.topics, made, 3).breaches


def test_a_kept_promise_is_seen() -> None:
    assert breaches(SAFE) == {}
    assert SAFE.certificate == certify(*PEOPLE, SAFE, 3)


def test_a_planted_text_is_seen() -> None:
    """A text that one user of the group asked, among the lines of his profile."""
    log = PEOPLE.log
    alone = np.flatnonzero((log.asked > 0).sum(axis=0) == 1)[0]
    user = int(log.user[log.query == alone][0])
    planted = QueryLog.from_columns(
        [SAFE.log.users[int(SAFE.profile[user])].as_py()], [log.texts[int(alone)].as_py().upper()]
    )
    both = pa.concat_tables([SAFE.log.to_arrow(), planted.to_arrow()])
    left = QueryLog.from_columns(both["user"], both["query"])
    places = pa.compute.index_in(SAFE.log.users, value_set=left.users).to_numpy().astype(np.int32)
    assert breaches(replace(SAFE, log=left, profile=places[SAFE.profile], topics=None)) == {"lonely_texts": 1}


def test_a_category_nobody_shares_is_seen() -> None:
    texts = pa.array(["Arts: East: Old"] * len(SAFE.log.texts))
    assert certify(PEOPLE.log, None, replace(SAFE, log=replace(SAFE.log, texts=texts)), 3).lonely_texts > 0


def test_a_user_without_a_profile_and_a_small_profile_are_seen() -> None:
    profile = SAFE.profile.copy()
    full = np.flatnonzero(SAFE.stands_for == 3)[0]
    profile[np.flatnonzero(profile == full)[0]] = -1
    found = breaches(replace(SAFE, profile=profile))
    assert found["users_without_profile"] == 1
    assert found["small_profiles"] == 1


def test_users_who_asked_nothing_do_not_hide_anybody() -> None:
    """A profile of three users of whom one asked nothing stands for two."""
    silent = replace(PEOPLE.log, query=np.where(PEOPLE.log.user == 0, -1, PEOPLE.log.query).astype(np.int32))
    found = breaches(SAFE, silent)
    assert found.get("small_profiles", 0) == (SAFE.stands_for[SAFE.profile[0]] == 3)


def test_a_name_is_seen() -> None:
    names = pa.array([PEOPLE.log.users[3].as_py(), *SAFE.log.users[1:].to_pylist()])
    assert breaches(replace(SAFE, log=replace(SAFE.log, users=names))) == {"names": 1}


def test_planted_times_and_clicks_are_seen() -> None:
    times = np.full(len(SAFE.log), np.datetime64("2020-01-01", "us"))
    clicks = {"url": np.zeros(len(SAFE.log), np.int32), "urls": pa.array(["a.org"])}
    found = breaches(replace(SAFE, log=replace(SAFE.log, time=times, **clicks)))
    assert found["lonely_times"] == len(np.unique(SAFE.log.user))
    assert found["lonely_clicks"] == certify(*PEOPLE, SAFE, 3).texts


def test_another_log_is_refused() -> None:
    with pytest.raises(DataError, match="a profile for each user of the log, 61, got 60"):
        certify(interested_users(61).log, None, SAFE, 3)
