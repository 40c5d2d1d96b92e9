"""Optimise on the file of the paper: Tables 5.1 and 5.2, and the identity of census."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tacita as tc
from tacita.data.microdata import Microdata


@pytest.fixture(scope="module")
def census(reference: Callable[[str], Path]) -> Microdata:
    return tc.read(reference("census.csv"))


@pytest.fixture(scope="module")
def starts(census: Microdata) -> dict[str, Microdata]:
    """Rank swapping 14 (E 0.39, one of the files from which 0.09 can be reached); four columns at a time with k = 10."""
    return {
        "swap": tc.mask.RankSwap(columns=census.names, p=14).apply(census, seed=2),
        "micro": tc.mask.Mdav(columns=census.names, groups=4, k=10).apply(census),
    }


def test_starts_are_those_of_the_paper(census: Microdata, starts: dict[str, Microdata]) -> None:
    """Table 5.2: 22.48, 22.14, 60.34; ours by the definitions of ERRATA: 22.49, 22.6, 61.2."""
    before = tc.optimise(census, starts["micro"], columns=census.names, max_steps=1).before
    assert before.il == pytest.approx(22.49, abs=0.1)
    assert before.dld == pytest.approx(22.6, abs=0.3)
    assert before.rid == pytest.approx(61.23, abs=0.1)


TARGETS = {"swap": {0.1: 0.09, 0.3: 0.04, 0.5: 0.04}, "micro": {0.1: 0.008, 0.3: 0.008, 0.5: 0.008}}


@pytest.mark.parametrize("method", ["gradient", "hill_climbing"])
@pytest.mark.parametrize(
    ("start", "share", "target"),
    [(start, share, target) for start, targets in TARGETS.items() for share, target in targets.items()],
)
def test_error_of_the_paper_is_reached(
    method: Any, start: str, share: float, target: float, census: Microdata, starts: dict[str, Microdata]
) -> None:
    """Tables 5.1 and 5.2, last column, with p = 0.5; the gain of the paper's best row is 15.4 %."""
    result = tc.optimise(
        census, starts[start], columns=census.names, method=method, share=share, target_e=target, seed=1
    )
    assert result.stopped == "target reached"
    assert result.after.e <= target
    assert result.after.il1 == pytest.approx(0.5 * result.before.il1, rel=0.0101)
    assert result.gain > 15.4


@pytest.mark.parametrize(("start", "share", "gain"), [("swap", 0.5, 18), ("micro", 0.3, 19)])
def test_gain_at_the_best_share(
    start: str, share: float, gain: float, census: Microdata, starts: dict[str, Microdata]
) -> None:
    target = {"swap": 0.04, "micro": 0.008}[start]
    found = [
        tc.optimise(
            census,
            starts[start],
            columns=census.names,
            method="hill_climbing",
            share=share,
            target_e=target,
            seed=seed,
        ).gain
        for seed in range(8)
    ]
    assert np.mean(found) >= gain


@pytest.mark.slow
@pytest.mark.parametrize("start", ["swap", "micro"])
def test_the_score_itself(start: str, census: Microdata, starts: dict[str, Microdata]) -> None:
    result = tc.optimise(census, starts[start], columns=census.names, method="score", seed=1)
    assert result.gain >= 25
    assert result.after.dld <= result.before.dld + 0.1
    assert result.after.rid <= result.before.rid + 0.1


def test_the_identity_of_census_is_kept(census: Microdata) -> None:
    identity = ["PTOTVAL = PEARNVAL + POTHVAL"]
    parts = [name for name in census.names if name != "PTOTVAL"]
    masked = tc.mask.RankSwap(columns=parts, p=14, identities=identity).apply(census, seed=2)
    for method in ("gradient", "hill_climbing"):
        made = tc.optimise(census, masked, columns=census.names, method=method, share=0.3, identities=identity, seed=1)
        assert made.after.e < 0.5 * made.before.e
        assert np.array_equal(made.data.float("PTOTVAL"), made.data.float("PEARNVAL") + made.data.float("POTHVAL"))
