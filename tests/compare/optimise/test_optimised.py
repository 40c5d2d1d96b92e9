"""What an optimisation says about itself: whether IL1' came to its band, in every form that a reader sees."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

import tacita as tc
from tacita.compare.optimise.optimised import Optimised, is_within_band
from tacita.core.errors import DataError, TacitaWarning
from tacita.data.microdata import Microdata


def whole_files(seed: int = 2, n: int = 80) -> tuple[Microdata, Microdata]:
    """Whole numbers that were masked far away from a dense crowd, so that whoever moves finds a near original."""
    rng = np.random.default_rng(seed)
    x = np.clip(rng.normal(100, 20, (n, 2)), 1, 127).round().astype(int)
    y = np.clip(x + rng.normal(-40, 15, (n, 2)), 1, 127).round().astype(int)
    made = [Microdata.from_frame(pa.table({"a": values[:, 0], "b": values[:, 1]})) for values in (x, y)]
    return made[0], made[1]


def off_band(method: Any = "hill_climbing", **more: Any) -> Optimised:
    with pytest.warns(TacitaWarning, match=r"IL1' came to [\d.]+ of what it was, .* around the 'target_ratio' 0.7;"):
        return tc.optimise(
            *whole_files(), method=method, share=0.3, target_ratio=0.7, seed=1, **({"max_steps": 5} | more)
        )


@pytest.mark.parametrize("method", ["gradient", "hill_climbing"])
@pytest.mark.parametrize(("seed", "n", "share"), [(2, 80, 0.3), (0, 80, 0.6), (1, 400, 0.1), (3, 400, 0.3)])
def test_il1_of_whole_numbers_ends_in_its_band(method: Any, seed: int, n: int, share: float) -> None:
    result = tc.optimise(*whole_files(seed, n), method=method, share=share, target_ratio=0.7, seed=1)
    assert result.is_in_band
    assert result.il1_ratio == pytest.approx(result.after.il1 / result.before.il1)
    assert result.il1_ratio == pytest.approx(0.7, rel=0.0101)
    assert result.after.e < 0.9 * result.before.e
    assert result.stopped == "no further improvement"
    assert result.changed_records <= round(share * n)


def test_a_missed_band_is_said_everywhere() -> None:
    result = off_band()
    assert result.is_in_band is False
    assert result.il1_ratio is not None
    assert result.il1_ratio > 0.71
    assert result.stopped == "step limit, IL1' outside its band"
    assert "IL1' outside its band" in repr(result)
    shown = json.loads(json.dumps(result.as_plain()))
    assert shown["il1"] == {"ratio": result.il1_ratio, "target_ratio": 0.7, "is_in_band": False}
    assert shown["stopped"] == result.stopped


def test_the_reading_of_the_search_counts() -> None:
    """IL1' of raw values ends elsewhere, but the band is one of standardised values."""
    rng = np.random.default_rng(5)
    x = np.exp(rng.normal(1, 1, (200, 3)))
    data = Microdata.from_frame(pa.table({f"v{j}": x[:, j] for j in range(3)}))
    masked = tc.mask.RankSwap(columns=data.names, p=20).apply(data, seed=1)
    result = tc.optimise(data, masked, reading="standardised", share=0.5, target_ratio=0.7)
    assert result.is_in_band
    assert abs(result.after.il1 / result.before.il1 - 0.7) > 0.007


def test_a_target_that_cannot_be_reached_is_an_error_still() -> None:
    with pytest.raises(DataError, match=r"the values that may change make up .* % of IL1'"):
        tc.optimise(*whole_files(), share=0.1, target_ratio=0.7)


def test_the_score_has_no_band() -> None:
    result = tc.optimise(*whole_files(), method="score", seed=1, max_steps=2000)
    assert (result.is_in_band, result.target_ratio) == (None, None)
    assert result.as_plain()["il1"]["is_in_band"] is None
    assert result.stopped == "step limit"


def test_the_edges_of_the_band() -> None:
    assert is_within_band(0.707, 0.7)
    assert is_within_band(0.693, 0.7)
    assert is_within_band(0.7071, 0.7) is False
    assert is_within_band(0.6929, 0.7) is False
    assert is_within_band(None, 0.7) is None


def test_files_without_any_error_have_no_ratio() -> None:
    data, _ = whole_files()
    result = tc.optimise(data, data, method="score", max_steps=100, seed=1)
    assert result.il1_ratio is None
    assert replace(result, target_ratio=0.5).is_in_band is None
