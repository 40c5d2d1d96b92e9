"""Streams of masks: two settings with one seed share no noise; what is written otherwise shares all of it."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

from tacita.core.errors import TacitaWarning
from tacita.core.streams import Streams
from tacita.data.microdata import Microdata
from tacita.mask import (
    AdditiveNoise,
    CorrelatedNoise,
    LinearNoise,
    Mask,
    MultiplicativeNoise,
    OutlierNoise,
    Pram,
    RankSwap,
    Sample,
)
from tacita.release.recipe import Recipe

N = 400


def file() -> Microdata:
    rng = np.random.default_rng(2)
    a = np.exp(rng.normal(7, 1, N))
    table = pa.table(
        {"a": a, "b": a + 500 * rng.normal(size=N), "c": rng.normal(size=N), "place": rng.choice(list("xyz"), N)}
    )
    return Microdata.from_frame(table, keys=["a", "b", "c", "place"], strata=["place"])


def noise_of(mask: Mask, name: str = "a") -> np.ndarray[Any, Any]:
    data = file()
    return np.asarray(mask.apply(data, seed=7).float(name) - data.float(name))


def test_two_noise_levels_with_one_seed_do_not_give_the_original_back() -> None:
    """2 (x + e) - (x + 2 e) = x: this was exact as long as streams did not depend on parameters."""
    data = file()
    one, two = (AdditiveNoise(columns=["a"], sd_ratio=r).apply(data, seed=7).float("a") for r in (0.1, 0.2))
    off = 2 * one - two - data.float("a")
    assert np.sqrt((off**2).mean()) > 0.2 * data.float("a").std()


@pytest.mark.parametrize(
    ("one", "two"),
    [
        (AdditiveNoise(columns=["a"]), AdditiveNoise(columns=["a"], by="strata")),
        (AdditiveNoise(columns=["a"]), AdditiveNoise(columns=["a"], keep_zeros=True)),
        (OutlierNoise(columns=["a"]), OutlierNoise(columns=["a"], cutoff=1.5)),
        (OutlierNoise(columns=["a"]), OutlierNoise(columns=["a", "c"])),
        (CorrelatedNoise(columns=["a", "b"]), CorrelatedNoise(columns=["a", "b"], sd_ratio=0.3)),
        (CorrelatedNoise(columns=["a", "b"]), CorrelatedNoise(columns=["a", "c"])),
        (CorrelatedNoise(columns=["a", "b"]), CorrelatedNoise(columns=["a", "b", "c"])),
        (LinearNoise(columns=["a", "b"]), LinearNoise(columns=["a", "b"], sd_ratio=0.3)),
        (MultiplicativeNoise(columns=["a"]), MultiplicativeNoise(columns=["a"], inflation=0.3)),
    ],
)
def test_two_settings_share_no_noise(one: Mask, two: Mask) -> None:
    """Correlations of independent noise stay within 5 / sqrt(n)."""
    a, b = noise_of(one), noise_of(two)
    ranks = [np.argsort(np.argsort(x)) for x in (a, b)]
    assert abs(np.corrcoef(ranks)[0, 1]) < 5 / np.sqrt(N)


@pytest.mark.parametrize(
    "two",
    [
        AdditiveNoise(columns=["a", "c"]),
        AdditiveNoise(columns="numeric keys"),
        AdditiveNoise(columns=["a", "c"], identities=["b = c"]),
    ],
)
def test_what_is_masked_beside_it_leaves_the_noise_of_a_column(two: AdditiveNoise) -> None:
    data = file().with_numbers({"b": file().float("c")})
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", TacitaWarning)  # b is a copy of c
        one, other = (mask.apply(data, seed=7) for mask in (AdditiveNoise(columns=["a"]), two))
    assert np.array_equal(one.float("a"), other.float("a"))


def test_a_rule_and_its_names_are_one_setting() -> None:
    data = file()
    assert (
        AdditiveNoise(columns=["a"], by="strata")
        .apply(data, seed=7)
        .same_content(AdditiveNoise(columns=["a"], by=["place"]).apply(data, seed=7))
    )


def test_swaps_samples_and_post_randomisation_depend_on_their_parameters() -> None:
    data, numbers = file(), {"x": "0"}
    for one, two in (
        (RankSwap(p=5), RankSwap(p=6)),
        (Sample(fraction=0.2), Sample(fraction=0.3)),
        (Pram(columns=["place"], pd=0.6), Pram(columns=["place"], pd=0.7)),
    ):
        drawn = [m.own(Streams(7), data).stream(m.name, *numbers).random() for m in (one, two)]
        assert drawn[0] != drawn[1]


def test_a_later_step_leaves_the_earlier_ones_and_a_step_twice_draws_twice() -> None:
    data, noise = file(), AdditiveNoise(columns=["a"])
    first = Recipe([noise]).apply(data, seed=7).data
    assert np.array_equal(
        Recipe([noise, RankSwap(columns=["c"])]).apply(data, seed=7).data.float("a"), first.float("a")
    )
    twice = Recipe([noise, noise]).apply(data, seed=7).data.float("a")
    a, b = first.float("a") - data.float("a"), twice - first.float("a")
    assert abs(np.corrcoef(a, b)[0, 1]) < 5 / np.sqrt(N)


def test_pram_tells_the_matrices_that_it_used() -> None:
    data, pram = file(), Pram(columns=["place"], invariant=False)
    used = pram.transitions(data, seed=7)[("place",)][0]
    assert np.array_equal(used.matrix, pram.transitions(data, seed=7)[("place",)][0].matrix)
    table = np.zeros((3, 3))
    masked = pram.apply(data, seed=7)
    np.add.at(table, (data.codes("place").values, masked.codes("place").values), 1)
    assert ((table > 0) <= (used.matrix > 0)).all()
