"""Streams: repeatable, independent, found by what they are for."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tacita.core.errors import ParameterError, TacitaWarning
from tacita.core.streams import SEED_BITS, Streams, check_seed, draw_seed, warn_short_seed

labels = st.lists(st.text(max_size=5), min_size=1, max_size=3).map(tuple)


def first(seed: int, *names: str) -> int:
    return int(Streams(seed).stream(*names).integers(2**63))


def test_same_seed_and_labels_same_numbers() -> None:
    assert np.array_equal(Streams(7).stream("a", "b").random(50), Streams(7).stream("a", "b").random(50))


def test_numbers_stay_the_same_over_versions() -> None:
    """Replaying an old recipe must give the old bytes: these numbers are a contract."""
    assert Streams(7).stream("rank_swap", "income").integers(10**9, size=3).tolist() == CONTRACT


CONTRACT = [124402570, 813301827, 684337593]


def test_every_seed_label_and_occurrence_has_its_own_stream() -> None:
    streams = Streams(7)
    found = [
        first(7, "a"), first(8, "a"), first(7, "b"), first(7, "a", "b"), first(7, "ab"), first(7, "b", "a"),
        first(7, "a", ""), first(7, ""), first(2**64 + 7, "a"), first(7, "a", "0"), first(7, "a", "1"),
    ]  # fmt: skip
    streams.stream("c")
    found.append(int(streams.stream("c").integers(2**63)))
    found.append(first(7, "c"))
    assert len(set(found)) == len(found)


def test_streams_within_a_part_stand_apart_and_count_together() -> None:
    streams = Streams(7)
    one, two = streams.within("a"), streams.within("b")
    drawn = [s.stream("x").random() for s in (one, two, streams, one, streams.within("a"))]
    assert len(set(drawn)) == 5
    assert drawn[0] == Streams(7).stream("a", "x").random()


def test_asking_in_another_order_changes_nothing() -> None:
    one, two = Streams(7), Streams(7)
    a, b = one.stream("a").random(), one.stream("b").random()
    assert (two.stream("b").random(), two.stream("a").random()) == (b, a)


@given(labels, labels)
def test_different_labels_give_different_streams(one: tuple[str, ...], two: tuple[str, ...]) -> None:
    assert (first(7, *one) == first(7, *two)) == (one == two)


def test_streams_are_independent() -> None:
    """Correlations of 40 streams with each other stay within 4.5 / sqrt(n): false alarm below one in 100."""
    n = 4000
    drawn = np.stack([Streams(7).stream("mask", f"column {i}").standard_normal(n) for i in range(40)])
    r = np.corrcoef(drawn)[np.triu_indices(40, 1)]
    assert np.abs(r).max() < 4.5 / np.sqrt(n)
    assert abs(drawn.mean()) < 4.5 / np.sqrt(drawn.size)
    assert drawn.std() == pytest.approx(1, abs=0.02)


def test_seeds_next_to_each_other_are_unrelated() -> None:
    drawn = np.stack([Streams(seed).stream("x").random(2000) for seed in range(30)])
    r = np.corrcoef(drawn)[np.triu_indices(30, 1)]
    assert np.abs(r).max() < 4.5 / np.sqrt(2000)


@pytest.mark.parametrize("seed", [-1, 1.0, "7", None, True, np.float64(3), [7]])
def test_what_is_no_seed(seed: object) -> None:
    with pytest.raises(ParameterError, match="Toy: 'seed' must be a non-negative integer"):
        check_seed(seed, owner="Toy")


def test_negative_seed_is_not_echoed() -> None:
    """A seed undoes the noise, so not even a wrong one is repeated in a message."""
    with pytest.raises(ParameterError) as caught:
        check_seed(-73517351, owner="Toy")
    assert "73517351" not in str(caught.value)


def test_numpy_integers_are_seeds() -> None:
    assert check_seed(np.uint64(2**64 - 1), owner="Toy") == 2**64 - 1
    assert type(check_seed(np.int32(5), owner="Toy")) is int


def test_fresh_seeds() -> None:
    seeds = {draw_seed() for _ in range(100)}
    assert len(seeds) == 100
    assert max(seeds) < 2**SEED_BITS
    assert max(seeds).bit_length() > SEED_BITS - 20


def test_short_seeds_are_warned_of() -> None:
    with pytest.warns(TacitaWarning, match="publish: the seed has fewer than 64 bits"):
        warn_short_seed(2**63 - 1, owner="publish")
    warn_short_seed(2**63, owner="publish")
    warn_short_seed(draw_seed() | 2**127, owner="publish")
