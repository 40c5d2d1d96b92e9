"""Finding profiles: the best one is that of a slow search, and what is called sure is so."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import sparse

from tacita.attack.logs.released_profiles import (
    ReleasedProfiles,
    best_of_rows,
    find_profiles,
    matching_seconds,
    rows_less,
    texts_asked,
)
from tacita.data.query_log.query_log import QueryLog
from tests.attack.logs.searchers import merged, people
from tests.effort import examples
from tests.oracles.attack_logs import slow_scores

sets = st.lists(st.sets(st.integers(0, 9), max_size=6), min_size=1, max_size=6)


def as_rows(things: list[set[int]]) -> sparse.csr_array:
    return sparse.csr_array(np.array([[int(t in own) for t in range(10)] for own in things]))


@settings(deadline=None, max_examples=examples(60))
@given(sets, sets)
def test_the_found_profile_has_the_highest_score(known: list[set[int]], others: list[set[int]]) -> None:
    found = find_profiles(as_rows(known), ReleasedProfiles(as_rows(others)), np.random.default_rng(1))
    for mine, scores, place in zip(known, slow_scores(known, others), found.profile.tolist(), strict=True):
        if place < 0:
            assert not any(mine & other for other in others)
        else:
            assert scores[place] == pytest.approx(max(scores))
            assert mine & others[place]


def test_nothing_shared_finds_nobody_and_nothing_is_sure() -> None:
    found = find_profiles(as_rows([{1}, set()]), ReleasedProfiles(as_rows([{2}, {3}])), np.random.default_rng(1))
    assert found.profile.tolist() == [-1, -1]
    assert not found.is_sure.any()


def test_two_rare_things_are_sure_and_one_is_not() -> None:
    others = [{i, i + 100, 999} for i in range(100)]
    rows = sparse.csr_array(np.array([[int(t in own) for t in range(1000)] for own in others]))
    known = np.zeros((3, 1000), int)
    known[0, [5, 105]] = known[1, [5, 999]] = known[2, [5, 106]] = 1
    found = find_profiles(sparse.csr_array(known), ReleasedProfiles(rows), np.random.default_rng(1))
    assert found.profile[:2].tolist() == [5, 5]
    assert found.profile[2] in (5, 6)
    assert found.is_sure.tolist() == [True, False, False]


def test_equal_profiles_are_told_apart_by_chance_only() -> None:
    profiles = ReleasedProfiles(as_rows([{1, 2}] * 3))
    places = {int(find_profiles(as_rows([{1}]), profiles, np.random.default_rng(s)).profile[0]) for s in range(30)}
    assert places == {0, 1, 2}


def test_in_many_profiles_common_texts_are_passed_over() -> None:
    everybody = sparse.csr_array(np.ones((1200, 1), int))
    found = find_profiles(sparse.csr_array(np.ones((1, 1), int)), ReleasedProfiles(everybody), np.random.default_rng(1))
    assert found.profile.tolist() == [-1]


def test_rarity_is_the_logarithm_of_one_over_the_share() -> None:
    profiles = ReleasedProfiles(as_rows([{0, 1}, {0}]))
    assert profiles.rarity[:3].tolist() == [0.0, pytest.approx(np.log(2)), 0.0]
    assert len(profiles) == 2


def test_texts_of_another_log_are_found_whatever_their_case() -> None:
    released = QueryLog.from_columns(["a", "b"], ["Tea", "tea"])
    known = QueryLog.from_columns(["x", "x", "y"], ["TEA ", "milk", None])
    assert texts_asked(known, released).toarray().tolist() == [[1, 0], [0, 0]]
    assert ReleasedProfiles.of_texts(released).stands_in.tolist() == [2, 0]


def test_rows_less_takes_out_what_is_known() -> None:
    rows = sparse.csr_array(np.array([[2, 1, 0], [0, 3, 1]]))
    taken = sparse.csr_array(np.array([[1, 0, 0], [0, 0, 5]]))
    assert rows_less(rows, taken).toarray().tolist() == [[0, 1, 0], [0, 3, 0]]


@given(st.lists(st.lists(st.integers(0, 3), min_size=4, max_size=4), min_size=1, max_size=5))
def test_the_best_of_each_row(rows: list[list[int]]) -> None:
    place, value = best_of_rows(sparse.csr_array(np.array(rows)))
    for row, at, best in zip(rows, place.tolist(), value.tolist(), strict=True):
        assert best == max(row)
        assert at == (row.index(max(row)) if max(row) else -1)


def test_more_lines_cost_more() -> None:
    log = people(40)
    released, _ = merged(log, 1)
    few = log.take(np.arange(10))
    assert 0 < matching_seconds(few, released) < matching_seconds(log, released)
