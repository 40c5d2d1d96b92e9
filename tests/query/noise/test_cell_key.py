"""Cell keys: the same set shows the same count, the noise has its moments, and averaging is what breaks it."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tacita.core.errors import ParameterError
from tacita.core.keyed import Key
from tacita.query.noise.cell_key import CellKeyNoise
from tests.effort import examples

KEY = Key(b"a key that is only for tests")


def hashes(members: list[np.ndarray], keys: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    return np.array([keys[m].sum(axis=0) for m in members]), np.array([len(m) for m in members])


def test_a_set_shows_the_same_count_in_every_table() -> None:
    """A cell of a two-way table is a cell of a one-way table when its members are the same."""
    keys = KEY.record_keys(np.arange(200, dtype=np.uint64))
    rng = np.random.default_rng(2)
    sex, age = rng.integers(0, 2, 200), rng.integers(0, 5, 200)
    age[sex == 1] = 3
    one = [np.flatnonzero(sex == s) for s in range(2)]
    two = [np.flatnonzero((sex == s) & (age == a)) for s in range(2) for a in range(5)]
    shown_one = CellKeyNoise().protect(hashes(one, keys)[1], hashes(one, keys)[0], key=KEY)
    sums, counts = hashes(two, keys)
    shown_two = CellKeyNoise().protect(counts, sums, key=KEY)
    assert shown_two[5 + 3] == shown_one[1]
    assert (shown_two[counts == 0] == 0).all()
    order = rng.permutation(10)
    assert (CellKeyNoise().protect(counts[order], sums[order], key=KEY) == shown_two[order]).all()


@pytest.mark.parametrize("count", [1, 2, 50])
def test_noise_has_its_mean_and_variance(count: int) -> None:
    """100 000 sets of a fixed key: five standard errors, false alarm 1e-6; a variance 30 % off is seen."""
    m, variance = 100_000, 3.0
    sums = np.random.default_rng(count).integers(0, 2**60, (m, 2))
    noise = CellKeyNoise(bound=5, variance=variance).noise(np.full(m, count), sums, key=KEY)
    assert abs(noise.mean()) < 5 * (variance / m) ** 0.5
    error = 5 * float(np.std(noise.astype(float) ** 2)) / m**0.5
    assert abs((noise**2).mean() - variance) < error
    assert abs((noise**2).mean() - 1.3 * variance) > error
    assert noise.min() >= -min(count, 5)
    assert noise.max() == 5


@pytest.mark.parametrize("change", [{"statistic": "households"}, {"key": Key(b"another key for the tests")}])
def test_another_purpose_has_other_noise(change: dict[str, object]) -> None:
    sums, counts = np.random.default_rng(0).integers(0, 2**60, (500, 2)), np.full(500, 20)
    one = CellKeyNoise().noise(counts, sums, key=KEY)
    two = CellKeyNoise().noise(counts, sums, **({"key": KEY} | change))  # type: ignore[arg-type]
    assert 0.1 < (one == two).mean() < 0.4
    assert abs(np.corrcoef(one, two)[0, 1]) < 0.25
    other = CellKeyNoise(variance=2.9).noise(counts, sums, key=KEY)
    assert abs(np.corrcoef(one, other)[0, 1]) < 0.25


@settings(max_examples=examples(20), deadline=None)
@given(counts=st.lists(st.integers(0, 12), min_size=1, max_size=20), smallest=st.integers(1, 3))
def test_no_count_is_shown_that_may_not_be(counts: list[int], smallest: int) -> None:
    given_counts = np.array(counts)
    sums = np.stack([given_counts * 7 + 1, given_counts * 11 + 2], axis=1)
    shown = CellKeyNoise(bound=5, variance=3, smallest=smallest).protect(given_counts, sums, key=KEY)
    assert ((shown == 0) | (shown >= smallest)).all()
    assert (np.abs(shown - given_counts) <= 5).all()
    assert (shown[given_counts == 0] == 0).all()


def test_impossible_noise_is_refused_when_it_is_declared() -> None:
    with pytest.raises(ParameterError, match="count of 1"):
        CellKeyNoise(bound=2, variance=3)
    with pytest.raises(ParameterError, match="'bound'"):
        CellKeyNoise(bound=0)
    assert CellKeyNoise.from_plain({"bound": 4, "variance": 2.5}).to_plain() == {"bound": 4, "variance": 2.5}


def split_attack(noise: CellKeyNoise, members: int, splits: int, key: Key, seed: int) -> int:
    """The attacker's estimate of a set's count: the mean over splits in two of the sum of the parts shown."""
    rng = np.random.default_rng(seed)
    keys = key.record_keys(np.arange(members, dtype=np.uint64))
    side = rng.random((splits, members)) < 0.5
    first = side @ keys
    inside = side.sum(axis=1)
    sums = np.concatenate([first, keys.sum(axis=0) - first])
    shown = noise.protect(np.concatenate([inside, members - inside]), sums, key=key)
    return int(np.rint(shown.sum() / splits))


def test_averaging_over_splits_finds_the_count() -> None:
    """A known weakness: variance 2 V / t. With V = 2 and t = 200 all of 40 sets are found but for a chance of 2 %."""
    noise = CellKeyNoise(bound=3, variance=2.0)
    found = [split_attack(noise, 60 + i, 200, KEY, i) == 60 + i for i in range(40)]
    assert sum(found) >= 39
    once = [split_attack(noise, 60 + i, 1, KEY, i) == 60 + i for i in range(40)]
    assert sum(once) < 20
