from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from tacita.games.search.community import Community
from tacita.games.search.comparison import SearchComparison, compare_search
from tacita.games.search.play import SearchRules
from tacita.report.games.search_page import (
    ENTROPY_HEADS,
    LEARNED_HEADS,
    learned_rows,
    search_page,
    search_pictures,
    search_sentences,
    utility_rows,
)
from tests.games.search.material import compared_sample, sampled


@pytest.fixture(scope="module")
def compared() -> SearchComparison:
    return compared_sample()


def test_the_page_is_whole_and_needs_no_network(compared: SearchComparison) -> None:
    text = search_page(compared)
    assert text.count("<svg ") == len(search_pictures(compared)) == 8
    assert "http://" not in text.replace("http://www.w3.org/", "")
    for shown in (
        "Utilities of section 4",
        "What attackers learn",
        "Free riders: random forwarding",
        "Relatives without peers",
        "What the columns are",
    ):
        assert shown in text


def test_rows_have_a_cell_for_each_head(compared: SearchComparison) -> None:
    entropies, learned = utility_rows(compared), learned_rows(compared)
    assert {len(row) for row in entropies} == {len(ENTROPY_HEADS)}
    assert {len(row) for row in learned} == {len(LEARNED_HEADS)}
    assert entropies[3][0] == learned[3][0] == "coprivate"
    assert learned[3][LEARNED_HEADS.index("known, %")] == "100.0"
    assert entropies[0][ENTROPY_HEADS.index("H peers")] == "–"


def test_sentences_say_what_holds_and_what_does_not(compared: SearchComparison) -> None:
    """Each mean beside each rival, by the numbers and not by the paper."""
    own, random = compared.way("coprivate"), compared.way("random")
    text = " ".join(search_sentences(compared))
    by_peer = "higher" if own["entropy_database"] > random["entropy_database"] else "not higher"
    assert f"{by_peer} than with random forwarding ({random['entropy_database']:.2f})" in text
    assert "100.0 % of each peer's different queries under her own name" in text
    assert f"knows {100 * own['peer_knows']:.1f} % of her different queries, with random forwarding" in text
    lower = [dict(row) | ({"entropy_peers": 0.0} if row["way"] == "coprivate" else {}) for row in compared.ways]
    turned = " ".join(search_sentences(replace(compared, ways=tuple(lower))))
    assert "0.00 bits, not higher than with random forwarding" in turned


def test_another_protocol_alone_has_a_page() -> None:
    found = compare_search(sampled(), SearchRules(protocol="crowds"), compare=False, seed=1)
    text = search_page(found)
    assert text == search_page(found)
    assert "Crowds" in text
    assert "Coprivate interactions" not in text


def test_a_community_of_two_has_a_page() -> None:
    two = np.array([0, 1], np.int32)
    found = compare_search(Community(two, two, peers=2, queries=2), compare=False, seed=1)
    assert "2 peers, 2 queries" in search_page(found)
