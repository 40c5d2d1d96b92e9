"""Choosing members: a stream's first hits are uniform sets, of each stratum on its own."""

from __future__ import annotations

import itertools

import numpy as np

from tacita.core.keyed import Key
from tacita.query.subsample.member_choice import PartSums, UniverseView, first_hits, stratum_of
from tacita.query.subsample.stratum_rows import StratumRows

KEY = Key(b"a key of the tests, 32 bytes long")
IDS = np.arange(12, dtype=np.uint64)
STRATA = np.arange(12) % 2
LISTED = StratumRows.of(STRATA, IDS)


def _view(members: list[int]) -> UniverseView:
    inside = np.isin(np.arange(12), members)
    counts = np.bincount(STRATA[members], minlength=2)
    return UniverseView(PartSums(counts, np.zeros((2, 2), dtype=np.int64)), lambda rows: inside[rows], lambda: inside)


def test_pairs_of_members_are_hit_equally_often() -> None:
    """10 pairs of 5 members, 2000 streams; 9 degrees of freedom: above 46 by chance once in two million."""
    members = [0, 2, 4, 6, 8]
    seen = dict.fromkeys(itertools.combinations(members, 2), 0)
    for word in range(2000):
        words = np.array([word, 0], dtype=np.uint64)
        found = first_hits(_view(members), LISTED, KEY, words, np.array([0]), np.array([2, 0]))
        seen[tuple(sorted(found.tolist()))] += 1  # type: ignore[index]
    counts = np.array(list(seen.values()))
    assert ((counts - 200) ** 2 / 200).sum() < 46
    assert ((counts * np.where(np.arange(10) < 3, 1.3, 1.0) - 200) ** 2 / 200).sum() > 46


def test_more_drops_keep_the_earlier_ones() -> None:
    """The order in which members are hit does not depend on how many are dropped."""
    members = list(range(12))
    words = np.array([5, 6], dtype=np.uint64)
    both = np.array([0, 1])
    few = first_hits(_view(members), LISTED, KEY, words, both, np.array([2, 3]))
    more = first_hits(_view(members), LISTED, KEY, words, both, np.array([5, 6]))
    assert set(few.tolist()) < set(more.tolist())
    assert np.bincount(STRATA[more]).tolist() == [5, 6]


def test_members_know_their_stratum() -> None:
    members = np.array([1, 4, 11])
    assert LISTED.codes[stratum_of(members, LISTED)].tolist() == STRATA[members].tolist()
    assert stratum_of(members, StratumRows.of(None, IDS)).tolist() == [0, 0, 0]
