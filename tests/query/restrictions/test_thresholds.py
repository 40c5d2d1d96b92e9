"""Keyed thresholds: the same for the same set, spread as stated, and no help to who bisects."""

from __future__ import annotations

import numpy as np

from tacita.core.keyed import Key
from tacita.query.cutpoints.given import Given
from tacita.query.requests.tabulate import Tabulate
from tacita.query.restrictions.thresholds import keyed_thresholds
from tacita.query.restrictions.universe_gamma import UniverseGamma
from tests.query.builders import KEY, judged, opened, people, policy_of

SETS = np.random.default_rng(3).integers(0, 2**40, (20_000, 2))


def test_the_same_set_meets_the_same_threshold() -> None:
    one, other = (keyed_thresholds(50, 10, Key(KEY), SETS) for _ in range(2))
    assert np.array_equal(one, other)
    assert np.array_equal(keyed_thresholds(50, 10, Key(KEY), SETS[100:101]), one[100:101])


def test_another_key_draws_other_thresholds() -> None:
    one, other = (keyed_thresholds(50, 10, Key(secret), SETS) for secret in (KEY, KEY[::-1]))
    assert 0.02 < (one == other).mean() < 0.08  # one in 21 by chance


def test_thresholds_are_uniform_around_the_stated_one() -> None:
    """Chi-square with 20 degrees of freedom: 45.3 is passed once in a thousand keys; the key is fixed."""
    drawn = keyed_thresholds(50, 10, Key(KEY), SETS)
    counts = np.bincount(drawn - 40, minlength=21)
    assert len(counts) == 21
    expected = len(SETS) / 21
    assert ((counts - expected) ** 2 / expected).sum() < 45.3


def test_a_uniform_that_is_too_narrow_would_be_found() -> None:
    drawn = keyed_thresholds(50, 9, Key(KEY), SETS)
    counts = np.bincount(drawn - 40, minlength=21)
    expected = len(SETS) / 21
    assert ((counts - expected) ** 2 / expected).sum() > 45.3


def test_without_noise_the_threshold_is_the_stated_one() -> None:
    assert set(keyed_thresholds(50, 0, Key(KEY), SETS[:5]).tolist()) == {50}


def test_no_threshold_lets_a_single_record_pass() -> None:
    assert keyed_thresholds(3, 10, Key(KEY), SETS).min() == 2


def _ends_of_refusals(noise: int) -> list[int]:
    """Let universes grow one bin at a time, from several starts: the size at which refusals end, found by bisection."""
    places = np.arange(800)
    data = people({("a",): 800}, ["x"], place=places)
    rule = UniverseGamma(gamma=40, gamma_star=20, noise=noise)
    cuts = {"place": Given(edges=tuple(range(0, 799)), whole=True)}
    db = opened(data, policy_of(rule), cutpoints=cuts)
    names = db.catalogue["place"].classes
    ends = []
    for start in range(0, 800, 100):
        low, high = 1, 100
        while low < high:
            size = (low + high) // 2
            request = Tabulate(by=["x"], where={"place": list(names[start : start + size])})
            low, high = (low, size) if judged(rule, db, request).decision == "allow" else (size + 1, high)
        ends.append(low)
    return ends


def test_refusals_of_the_plain_rule_find_gamma_by_bisection() -> None:
    assert set(_ends_of_refusals(0)) == {40}


def test_refusals_of_the_noisy_rule_do_not() -> None:
    """Each start ends elsewhere, within the noise: what is learned of a count is no more than that."""
    ends = _ends_of_refusals(12)
    assert len(set(ends)) >= 4
    assert all(28 <= end <= 52 for end in ends)
