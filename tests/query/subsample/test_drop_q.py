"""Tests of the drop: it hangs on the members alone, its q is uniform, its attackers win and lose where they should."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tacita.core.arrays import IntArray, WordArray
from tacita.core.errors import DataError, ParameterError
from tacita.core.keyed import Key
from tacita.numeric.dropping.differencing import apparent_cell
from tacita.query.subsample import member_choice as module
from tacita.query.subsample.drop_q import DropFixed, DropQ, drop_q
from tacita.query.subsample.member_choice import PartSums, UniverseView
from tacita.query.subsample.stratum_rows import StratumRows
from tests.effort import examples
from tests.oracles.query.drop_q import drop_q_oracle

KEY = Key(b"a key of the tests, 32 bytes long").derive("survey", "2024")


def _ids(n: int, seed: int = 0) -> WordArray:
    return np.random.default_rng(seed).integers(0, 2**63, n).astype(np.uint64)


def _keys(number: int) -> list[Key]:
    return [KEY.derive(str(i)) for i in range(number)]


# --- what is kept ---------------------------------------------------------------------------------------------------------


@settings(max_examples=examples(20), deadline=None)
@given(st.sets(st.integers(0, 59), max_size=60), st.integers(1, 4), st.integers(2, 6), st.integers(1, 3), st.data())
def test_against_sets_and_a_full_sort(members: set[int], strata: int, k: int, least: int, data: st.DataObject) -> None:
    codes = data.draw(st.lists(st.integers(0, strata - 1), min_size=60, max_size=60))
    ids = _ids(60)
    found = drop_q(np.array(sorted(members), dtype=np.int64), np.array(codes), ids, KEY, k=k, least=least)
    assert found.tolist() == drop_q_oracle(members, codes, ids.tolist(), KEY, k=k, least=least)


def test_blocks_and_many_members_make_no_difference(monkeypatch: pytest.MonkeyPatch) -> None:
    ids, strata, members = _ids(3000), np.arange(3000) % 7, np.arange(0, 3000, 2)
    whole = drop_q(members, strata, ids, KEY, k=9)
    monkeypatch.setattr(module, "_BLOCK", 100)
    assert np.array_equal(whole, drop_q(members, strata, ids, KEY, k=9))
    assert whole.tolist() == drop_q_oracle(members.tolist(), strata.tolist(), ids.tolist(), KEY, k=9)


def test_order_and_repetition_make_no_difference() -> None:
    rng, ids, strata = np.random.default_rng(1), _ids(200), np.arange(200) % 3
    members = np.sort(rng.choice(200, 90, replace=False))
    kept = drop_q(members, strata, ids, KEY, k=5)
    assert np.array_equal(kept, drop_q(rng.permutation(members), strata, ids, KEY, k=5))
    assert np.array_equal(kept, drop_q(np.repeat(members, 2), strata, ids, KEY, k=5))
    places = rng.permutation(200)  # the same records stand in other rows
    rows_of = np.argsort(places)
    moved = drop_q(rows_of[members], strata[places], ids[places], KEY, k=5)
    assert sorted(ids[places][moved].tolist()) == sorted(ids[kept].tolist())


def test_a_part_does_not_hang_on_other_strata() -> None:
    """Padding with another region leaves the region of the attack as it is: there is nothing to gain from it."""
    ids, strata = _ids(400), (np.arange(400) >= 50).astype(np.int64)
    alone = drop_q(np.arange(50), strata, ids, KEY, k=5)
    padded = drop_q(np.arange(400), strata, ids, KEY, k=5)
    assert np.array_equal(alone, padded[padded < 50])
    assert 45 <= len(alone) <= 48


def test_another_key_drops_others() -> None:
    ids, members = _ids(1000), np.arange(1000)
    kept = {tuple(drop_q(members, None, ids, key, k=5).tolist()) for key in _keys(20)}
    assert len(kept) == 20


def test_codes_with_gaps() -> None:
    ids, codes = _ids(100), np.array([-5, 10**12])[np.arange(100) % 2]
    found = drop_q(np.arange(100), codes, ids, KEY, k=5)
    assert found.tolist() == drop_q_oracle(range(100), codes.tolist(), ids.tolist(), KEY, k=5)


def test_small_parts() -> None:
    """Up to 4 vanish, above k + 2 lose q; between them nothing or three and more are seen."""
    k, ids = 5, _ids(20)
    for n in range(1, 15):
        left = {len(drop_q(np.arange(n), None, ids, key, k=k)) for key in _keys(60)}
        plain = {len(drop_q(np.arange(n), None, ids, key, k=k, least=1)) for key in _keys(60)}
        assert plain == {max(0, n - q) for q in range(2, k + 1)}
        assert left == {m if m >= 3 else 0 for m in plain}


def test_hiding_one_or_two_tells_no_more_than_the_plain_rule() -> None:
    ids, strata = _ids(60), np.arange(60) % 9
    for key in _keys(20):
        plain = drop_q(np.arange(60), strata, ids, key, k=6, least=1)
        large = np.isin(strata[plain], np.flatnonzero(np.bincount(strata[plain], minlength=9) >= 3))
        assert np.array_equal(drop_q(np.arange(60), strata, ids, key, k=6), plain[large])


def test_a_universe_without_members_stays_empty() -> None:
    assert drop_q(np.array([], dtype=np.int64), None, _ids(5), KEY, k=5).tolist() == []


def test_a_limit_that_was_too_low_is_raised() -> None:
    """Keyed numbers at the top of their range: no member is below the first limit, and all are looked at."""

    class TopHeavy(Key):
        def record_keys(self, ids: WordArray) -> IntArray:
            return np.column_stack([np.full(len(ids), 2**31 - 1), ids[:, 0].astype(np.int64)])

    n = 1000
    members, part, ids = np.arange(n), np.zeros(n, dtype=np.int64), np.arange(n, dtype=np.uint64)[::-1].copy()
    words, counts, drops = np.zeros(1, dtype=np.uint64), np.array([n]), np.array([4])
    found = module.smallest_numbers(members, part, ids, TopHeavy(b"0" * 16), words, counts, drops)
    assert sorted(found.tolist()) == [996, 997, 998, 999]


def test_a_small_share_of_a_large_stratum_is_written_out() -> None:
    """20 of 6000 are less than a 256th: nobody waits for a stream to hit them."""
    ids, members = _ids(6000), np.arange(0, 6000, 300)
    found = drop_q(members, None, ids, KEY, k=6)
    assert found.tolist() == drop_q_oracle(members.tolist(), [0] * 6000, ids.tolist(), KEY, k=6)


def test_what_is_dropped_is_the_same_without_rows_being_written_out() -> None:
    """The universe as a question has it: sums by stratum, and a test of single rows. Nobody asks for all members."""
    ids, strata = _ids(2000), np.arange(2000) % 3
    members = np.flatnonzero(np.random.default_rng(5).random(2000) < 0.3)
    listed = StratumRows.of(strata, ids)
    hashes = KEY.record_keys(ids[members])
    sums = np.array([hashes[strata[members] == s].sum(axis=0) for s in range(3)])
    inside = np.isin(np.arange(2000), members)

    def nobody() -> IntArray:
        raise AssertionError("all members were asked for")

    view = UniverseView(PartSums(np.bincount(strata[members]), sums), lambda rows: inside[rows], nobody)
    dropped = DropQ(k=6).dropped(view, listed, ids, KEY)
    kept = DropQ(k=6).apply(members, strata, ids, KEY)
    assert sorted([*dropped.tolist(), *kept.tolist()]) == members.tolist()


# --- how it is drawn ------------------------------------------------------------------------------------------------------


def _chi_square(counts: IntArray, expected: float) -> float:
    return float(((counts - expected) ** 2 / expected).sum())


def test_q_is_uniform_over_sets_of_members() -> None:
    """Fixed key, 3000 sets, q in {2, ..., 6}; 4 degrees of freedom: above 33 by chance once in a million."""
    rng, ids = np.random.default_rng(2), _ids(60)
    sets = [np.flatnonzero(rng.random(60) < 0.6) for _ in range(3000)]
    q = np.array([len(members) - len(drop_q(members, None, ids, KEY, k=6)) for members in sets])
    counts = np.bincount(q, minlength=7)
    assert counts[:2].sum() == 0
    assert _chi_square(counts[2:], 600) < 33
    thirty_off = counts[2:] * np.array([1.3, 1, 1, 1, 0.7])
    assert _chi_square(thirty_off, 600) > 33


def test_every_record_is_dropped_equally_often() -> None:
    """2000 keys, 40 records; 39 degrees of freedom: above 110 by chance once in ten million."""
    ids, members = _ids(40), np.arange(40)
    counts = np.full(40, 2000)
    for key in _keys(2000):
        counts[drop_q(members, None, ids, key, k=4)] -= 1
    assert _chi_square(counts, counts.sum() / 40) < 110
    assert _chi_square(counts * np.where(np.arange(40) < 10, 1.3, 1.0), counts.sum() / 40) > 110


def test_sets_that_differ_in_one_record_drop_independently() -> None:
    """q1 and q2: chi-square with 9 degrees of freedom, above 46 once in two million; shared drops: 5 standard errors."""
    ids, trials, n, k = _ids(41), 3200, 40, 5
    pairs, shared = np.zeros((4, 4), dtype=np.int64), 0
    for key in _keys(trials):
        first = np.setdiff1d(np.arange(n), drop_q(np.arange(n), None, ids, key, k=k))
        second = np.setdiff1d(np.arange(n - 1), drop_q(np.arange(n - 1), None, ids, key, k=k))
        pairs[len(first) - 2, len(second) - 2] += 1
        shared += len(np.intersect1d(first, second))
    assert _chi_square(pairs, trials / 16) < 46
    expected = trials * 3.5 * 3.5 / n  # each of q1 drops is one of the q2 with chance q2 / n
    assert abs(shared - expected) < 5 * np.sqrt(expected)
    assert abs(shared * 1.3 - expected) > 5 * np.sqrt(expected)


# --- attackers ------------------------------------------------------------------------------------------------------------

REGION = np.repeat([0, 1, 2, 3], [27, 3, 27, 3])
"""Cells of 60 records of a region; the record of the attack is the last of cell 1."""
TARGET, INSIDER = 29, 59


def _disclosed(rule: DropQ | DropFixed, *, padding: int = 0, insider: bool = False, keys: int = 400) -> float:
    """How often the difference of two universes shows the record's cell, to an attacker who sees tables only."""
    n = len(REGION)
    cells = np.concatenate([REGION, np.full(padding, 4)])
    strata, ids = (np.arange(n + padding) >= n).astype(np.int64), _ids(n + padding)
    whole = np.arange(n + padding)
    without = np.delete(whole, [TARGET, INSIDER] if insider else [TARGET])
    hits = 0
    for key in _keys(keys):
        tables = [np.bincount(cells[rule.apply(rows, strata, ids, key)], minlength=5)[:4] for rows in (whole, without)]
        difference = tables[0] - tables[1]
        difference[REGION[INSIDER]] -= insider
        hits += int(apparent_cell(difference)) == REGION[TARGET]
    return hits / keys


def test_drop_1_and_drop_2_are_broken() -> None:
    """On a table with two large cells; 0.41 and 0.25 by (5), 400 trials: 5 standard errors are 0.125 and 0.11."""
    assert _disclosed(DropFixed(q=1)) > 0.41 - 0.125
    assert _disclosed(DropFixed(q=2)) > 0.25 - 0.11
    assert _disclosed(DropFixed(q=2), padding=4000, keys=100) > 0.85


def test_drop_q_holds_against_difference_and_insider() -> None:
    """By (5) at most 0.03 for k = 7; 400 trials: 5 standard errors are 0.045."""
    assert _disclosed(DropQ(k=7)) < 0.03 + 0.045
    assert _disclosed(DropQ(k=7), insider=True) < 0.03 + 0.045


@pytest.mark.parametrize("k", [3, 7])
def test_padding_wins_without_strata_and_not_with(k: int) -> None:
    """60 records among 4060: the region stays whole in 0.93 (k = 3) and 0.87 (k = 7) of the attacks; by (5) else 0.11 at most."""
    assert _disclosed(DropQ(k=k, stratified=False), padding=4000, keys=100) > 0.7
    assert _disclosed(DropQ(k=k), padding=4000, keys=100) < 0.11 + 0.16


def test_fixed_rules_drop_what_they_say() -> None:
    ids, strata = _ids(90), np.arange(90) % 3
    assert len(DropFixed(q=1).apply(np.arange(90), strata, ids, KEY)) == 89
    assert len(DropFixed(q=2, stratified=True).apply(np.arange(90), strata, ids, KEY)) == 84
    assert (DropFixed(q=1).smallest, DropFixed(q=1).k, DropQ(k=4).smallest) == (1, 1, 2)


# --- bad input ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("members", [[-1, 3], [3, 10]])
def test_rows_outside_the_data_are_refused_without_saying_which(members: list[int]) -> None:
    with pytest.raises(DataError, match="a member lies outside") as caught:
        drop_q(np.array(members), None, _ids(10), KEY, k=5)
    assert not any(letter.isdigit() for letter in str(caught.value))


def test_arrays_are_of_one_version() -> None:
    with pytest.raises(DataError, match="one entry for each record"):
        drop_q(np.arange(5), np.zeros(9, dtype=np.int64), _ids(10), KEY, k=5)


@pytest.mark.parametrize(("k", "smallest"), [(1, 2), (5, -1)])
def test_the_range_of_q_is_a_range(k: int, smallest: int) -> None:
    with pytest.raises(ParameterError, match="'smallest' must be in"):
        drop_q(np.arange(5), None, _ids(10), KEY, k=k, smallest=smallest)


def test_parameters_are_checked() -> None:
    with pytest.raises(ParameterError, match=r"DropQ: 'k' must be .*in \[2, 1000\], got 1"):
        DropQ(k=1)
    with pytest.raises(ParameterError, match=r"DropFixed: 'q' must be .*in \[1, 2\], got 3"):
        DropFixed(q=3)
    assert DropQ.from_plain({"k": 7}).to_plain() == {"k": 7}
