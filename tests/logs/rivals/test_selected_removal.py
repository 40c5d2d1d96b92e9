"""Removal of selected queries: no two that are left share a result, none names its site, and little is given away."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tacita.core.errors import DataError
from tacita.data.query_log.query_log import QueryLog
from tacita.logs import SelectedRemoval
from tacita.logs.rivals.selected_removal import separate_queries, site_names
from tests.oracles.logs import rivals as slow

PAIRS = st.lists(st.tuples(st.integers(0, 7), st.integers(0, 5)), min_size=1, max_size=20)


@given(PAIRS, st.lists(st.integers(1, 9), min_size=8, max_size=8))
def test_what_is_left_is_separate_and_heavy(pairs: list[tuple[int, int]], weights: list[int]) -> None:
    every = sorted(set(pairs))
    weight = np.array(weights, float)
    kept = separate_queries(np.array([q for q, _ in every]), np.array([u for _, u in every]), weight)
    results = {query: {u for q, u in every if q == query} for query in range(8)}
    chosen = set(np.flatnonzero(kept).tolist())
    assert slow.is_separate(results, chosen)
    assert slow.is_full(results, chosen)
    found = sum(weights[query] for query in chosen)
    assert slow.promised(results, weights) - 1e-9 <= found <= slow.heaviest(results, weights)


@given(PAIRS, st.booleans())
def test_the_released_log_has_no_edge(pairs: list[tuple[int, int]], keeps_frequent: bool) -> None:
    log = QueryLog.from_columns(
        [f"user {i % 3}" for i in range(len(pairs))],
        [f"query {q}" for q, _ in pairs],
        url=[f"http://site{u}.org" for _, u in pairs],
    )
    made = SelectedRemoval(keeps_frequent=keeps_frequent).apply(log, seed=1)
    assert made.log.url is not None
    results: dict[int, set[int]] = {}
    for query, url in zip(made.log.query.tolist(), made.log.url.tolist(), strict=True):
        results.setdefault(query, set()).add(url)
    assert slow.is_separate(results, set(results))
    assert sum(made.removed.values()) == len(log) - len(made.log)


def test_a_query_that_names_its_site_leaves() -> None:
    log = QueryLog.from_columns(
        ["a", "b", "c", "d"],
        ["ebay login", "auctions", "tea", "ebay scandal"],
        url=["http://www.ebay.com", "http://auctions.ebay.com/x", "", "http://news.org"],
    )
    made = SelectedRemoval().apply(log, seed=1)
    assert made.log.texts.to_pylist() == ["auctions", "ebay scandal", "tea"]
    assert made.removed == {"naming a site": 1, "sharing results": 0}


def test_the_frequent_one_of_two_stays() -> None:
    log = QueryLog.from_columns(["a", "a", "a", "b", "c"], ["x", "y", "y", "y", "z"], url=["u", "u", "v", "u", "v"])
    assert SelectedRemoval().apply(log, seed=1).log.texts.to_pylist() == ["y"]
    assert SelectedRemoval(keeps_frequent=False).apply(log, seed=1).log.texts.to_pylist() == ["x", "z"]


def test_addresses_are_numbers_and_users_too() -> None:
    log = QueryLog.from_columns(["ann", "bob"], ["tea", "milk"], url=["http://secret.org", "http://other.org"])
    left = SelectedRemoval().apply(log, seed=5).log
    assert left.urls is not None
    assert sorted(left.urls.to_pylist()) == ["1", "2"]
    assert not set(left.users.to_pylist()) & {"ann", "bob"}


@pytest.mark.parametrize("url", [None, ["", ""]])
def test_a_log_without_clicks_is_refused(url: list[str] | None) -> None:
    with pytest.raises(DataError, match="clicked"):
        SelectedRemoval().apply(QueryLog.from_columns(["a", "b"], ["tea", "milk"], url=url), seed=1)


def test_names_of_sites() -> None:
    found = site_names(pa.array(["https://www2.bbc.co.uk:80/news", "m.ebay.de", "x.org?q=1", "http://a.b.c.edu/"]))
    assert found.to_pylist() == ["bbc", "ebay", "x", "c"]
