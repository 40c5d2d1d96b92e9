"""Optimisation keeps the k-anonymity that masking made, and says what it gives up."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

import tacita as tc
from tacita.compare.optimise.kept_claims import KeptClaims
from tacita.core.errors import TacitaWarning
from tacita.data.microdata import Microdata

NAMES = ("a", "b", "c")


def file(n: int = 150) -> Microdata:
    rng = np.random.default_rng(5)
    a = np.round(np.exp(rng.normal(6, 0.6, n)), 2)
    b = np.round(a * rng.uniform(0.5, 1.5, n), 2)
    return Microdata.from_frame(
        pa.table({"a": a, "b": b, "c": rng.integers(1, 500, n), "place": rng.choice(["x", "y"], n)}),
        keys=["a", "b", "c", "place"],
    )


def smallest(data: Microdata, names: tuple[str, ...] = NAMES) -> int:
    return int(np.bincount(data.groups(names)).min())


def improved(data: Microdata, masked: Any, **options: Any) -> Any:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", TacitaWarning)  # IL1' outside its band is no matter here
        return tc.optimise(data, masked, columns=NAMES, share=0.5, seed=1, **options)


@pytest.mark.parametrize("method", ["gradient", "hill_climbing", "score"])
def test_k_anonymity_is_kept(method: str) -> None:
    """It fell from 5 to 1 without a word as long as records of one group moved apart."""
    data = file()
    masked = tc.mask.Mdav(columns=NAMES, k=5).apply(data)
    assert smallest(masked) >= 5
    better = improved(data, masked, method=method, max_steps=20_000 if method != "gradient" else 100)
    assert better.changed_records > 0
    assert smallest(better.data) >= 5
    assert better.after.e <= better.before.e
    assert not [words for words in better.dropped if "k-anonymity" in words]


def test_a_release_brings_the_claims_of_its_recipe() -> None:
    data = file()
    release = tc.Recipe([tc.mask.Mdav(columns=["a", "b"], k=4)]).apply(data, seed=1)
    better = improved(data, release)
    assert smallest(better.data, ("a", "b")) >= 4
    assert better.dropped == ("means of a, b (mdav)",)
    assert "no longer holds: means of a, b (mdav)" in repr(better)
    assert better.as_plain()["dropped"] == list(better.dropped)


def test_decimals_of_the_masked_file_are_kept() -> None:
    data = file()
    masked = tc.mask.RankSwap(columns=NAMES, p=20).apply(data, seed=1)
    better = improved(data, masked).data
    for name, places in (("a", 2), ("b", 2), ("c", 0)):
        values = better.float(name)
        assert np.array_equal(values, np.round(values, places))
    assert not np.array_equal(better.float("a"), masked.float("a"))


def test_a_claim_that_is_lost_is_told() -> None:
    data = file()
    masked = tc.mask.Mdav(columns=NAMES, k=5).apply(data)
    claims = KeptClaims.of(data, masked, NAMES, None)
    assert [groups.k for groups in claims.groups] == [smallest(masked)]
    apart = masked.with_numbers({"a": masked.float("a") + np.arange(len(data)) / 100})
    lost, _ = claims.dropped(masked, apart)
    assert lost == (f"k-anonymity over a, b, c: k was {smallest(masked)} and is 1",)
