"""Pairs of universes: every whole with its two parts is found, against three loops."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tacita.core.keyed import Key
from tacita.query.noise import answered_universes as module
from tacita.query.noise.answered_universes import AnsweredUniverses
from tacita.query.noise.set_numbers import MemberHash
from tests.effort import examples

KEYS = Key(b"a key that is only for tests").record_keys(np.arange(6, dtype=np.uint64))


def hash_of(members: frozenset[int]) -> MemberHash:
    rows = KEYS[sorted(members)]
    return (int(rows[:, 0].sum()), int(rows[:, 1].sum()), len(members))


sets = st.lists(st.frozensets(st.integers(0, 5)), max_size=20)


@settings(max_examples=examples(30), deadline=None)
@given(sets, st.frozensets(st.integers(0, 5)))
def test_all_pairs_are_found(known: list[frozenset[int]], new: frozenset[int]) -> None:
    answered = AnsweredUniverses()
    for members in known:
        answered.add(hash_of(members))
    triples = {
        (hash_of(part | rest), hash_of(part), hash_of(rest))
        for part in {*known, new}
        for rest in {*known, new}
        if part and rest and not part & rest and (part | rest) in {*known, new} and new in (part, rest, part | rest)
    }
    if new in known:
        return  # what was answered is not looked at
    found = {tuple(pair) for pair in answered.pairs(hash_of(new))}
    both_ways = found | {(whole, rest, part) for whole, part, rest in found}
    assert both_ways == triples
    assert len(answered) == len(set(known))
    assert set(answered) == {hash_of(members) for members in known}


def test_many_universes_stay_within_their_marks(monkeypatch: pytest.MonkeyPatch) -> None:
    """Marks are few and met by chance all the time: what is found is still exact."""
    monkeypatch.setattr(module, "_MOST_BITS", 12)
    answered = AnsweredUniverses()
    rng = np.random.default_rng(1)
    for a, b, n in rng.integers(1, 2**40, (3000, 3)).tolist():
        answered.add((a, b, n))
    assert len(answered._marks) == 2**12
    first, second = list(answered)[:2]
    whole = (first[0] + second[0], first[1] + second[1], first[2] + second[2])
    assert {pair.whole for pair in answered.pairs(whole)} == {whole}
    assert list(answered.pairs((1, 2, 3))) == []
    assert first in answered
    answered.add(first)
    assert len(answered) == 3000
