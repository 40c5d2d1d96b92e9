from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from hypothesis import given

from tacita.games.search.community import Community
from tacita.games.search.entropies import entropy_against_database, entropy_against_peers, occurrence
from tacita.games.search.play import SearchRules, play_search
from tests.games.search.material import sampled, small_communities
from tests.oracles.games import peer_search as oracle


@given(small_communities())
def test_entropies_are_those_of_dictionaries(community: Community) -> None:
    run = play_search(community, SearchRules(attempts=2), seed=1)
    cuts = np.arange(0, len(community) + 1, 7)
    found = entropy_against_database(run, cuts) if len(cuts) else np.zeros((0, 0))
    for cut, bits in zip(cuts.tolist(), found, strict=True):
        for peer in range(community.peers):
            seen = Counter(community.query[:cut][run.submitter[:cut] == peer].tolist())
            assert bits[peer] == pytest.approx(oracle.entropy(seen), abs=1e-12)
    forwarded: dict[tuple[int, int], Counter[int]] = {}
    for line, receiver in zip(run.line.tolist(), run.receiver.tolist(), strict=True):
        forwarded.setdefault((int(community.owner[line]), int(community.query[line])), Counter())[receiver] += 1
    expected = [(pair[0], sum(c.values()), oracle.entropy(c)) for pair, c in sorted(forwarded.items())]
    secret = entropy_against_peers(run)
    assert secret.owner.tolist() == [one[0] for one in expected]
    assert secret.times.tolist() == [one[1] for one in expected]
    assert secret.bits == pytest.approx([one[2] for one in expected], abs=1e-12)


def test_what_others_pass_on_tells_nothing_of_the_owner() -> None:
    crowds = play_search(sampled(), SearchRules(protocol="crowds"), seed=1)
    assert entropy_against_peers(crowds).times.sum() == crowds.by_owner.sum() < len(crowds.line)


def test_how_many_equal_ones_stand_before() -> None:
    codes = np.array([5, 5, 2, 5, 2])
    assert occurrence(codes).tolist() == [0, 1, 0, 2, 1]
    assert occurrence(np.zeros(0, np.int64)).tolist() == []
