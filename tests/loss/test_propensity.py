"""Propensity scores: by hand, against a general minimiser, and the expected value under no difference."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pytest

from tacita.core.errors import ParameterError
from tacita.data.microdata import Microdata
from tacita.loss import Pmse
from tacita.loss.propensity import MOST_CATEGORIES
from tests.oracles.numeric import models as oracle


def microdata(**columns: object) -> Microdata:
    return Microdata.from_frame(pa.table(columns))


def test_one_category_by_hand() -> None:
    """Of four f one is masked, of four m three: scores 1/4 and 3/4, each 1/4 from c = 1/2."""
    found = Pmse()(microdata(s=list("fffm")), microdata(s=list("fmmm")), pairing="order")
    assert found.parts["pmse"] == pytest.approx(0.0625)
    assert found.value == pytest.approx(25)
    assert found.parts["expected"] == pytest.approx((2 - 1) * 0.5**2 * 0.5 / 8)
    assert found.parts["s_pmse"] == pytest.approx(4)


@pytest.mark.parametrize("interactions", [False, True])
def test_against_a_general_minimiser(interactions: bool) -> None:
    rng = np.random.default_rng(1)
    x, y = rng.normal(size=(120, 2)), rng.normal(0.3, 1.2, (80, 2))
    found = Pmse(interactions=interactions)(microdata(a=x[:, 0], b=x[:, 1]), microdata(a=y[:, 0], b=y[:, 1]))
    both = np.concatenate([x, y])
    z = (both - both.mean(axis=0)) / both.std(axis=0, ddof=1)
    design = np.column_stack([z, z[:, 0] * z[:, 1]]) if interactions else z
    p = oracle.logistic(design, np.repeat([0.0, 1.0], [120, 80]))[2]
    expected = ((p - 0.4) ** 2).mean()
    assert found.parts["pmse"] == pytest.approx(expected, rel=1e-4)
    assert found.value == pytest.approx(100 * expected / 0.24, rel=1e-4)
    assert found.parts["expected"] == pytest.approx((design.shape[1] + 1 - 1) * 0.6**2 * 0.4 / 200)


@pytest.mark.parametrize(("records", "resampled", "expected"), [(300, True, 1.0), (150, True, 1.0), (300, False, 2.0)])
def test_ratio_under_no_difference(records: int, resampled: bool, expected: float) -> None:
    """Records drawn from the original file have the ratio 1, another sample of the population 1 / (1 - c).

    200 pairs of files, 3 columns: the ratio is chi-square(3)/3 times its mean, so the mean of 200 has a relative error
    of 0.058. The false alarm rate at 0.2 is below 0.1 percent; a formula that is 30 percent off fails.
    """
    rng = np.random.default_rng(2)
    ratios = []
    for _ in range(200):
        x = rng.normal(size=(300, 3))
        y = x[rng.integers(0, 300, records)] if resampled else rng.normal(size=(records, 3))
        ratios.append(Pmse()(*(microdata(a=f[:, 0], b=f[:, 1], c=f[:, 2]) for f in (x, y))).parts["s_pmse"])
    assert np.mean(ratios) / expected == pytest.approx(1, abs=0.2)


def test_files_without_a_common_record_are_told_apart() -> None:
    x = np.arange(50.0)
    found = Pmse()(microdata(a=x), microdata(a=x + 100), pairing="order")
    assert found.value == pytest.approx(100, abs=0.1)
    assert "separates records of the two files" in found.note


def test_tree_finds_what_main_effects_do_not() -> None:
    rng = np.random.default_rng(3)
    x, y = rng.normal(size=400), 3 * rng.normal(size=400)
    files = microdata(a=x), microdata(a=y)
    tree, line = Pmse(classifier="cart")(*files, pairing="order"), Pmse()(*files, pairing="order")
    assert line.value < 2
    assert tree.value > 20
    assert tree.parts["s_pmse"] > 1.5
    again = Pmse(classifier="cart")(*files, pairing="order")
    assert dict(again.parts) == dict(tree.parts)
    assert Pmse(classifier="cart", seed=5)(*files, pairing="order").parts["expected"] != tree.parts["expected"]


def test_tree_of_equal_files_finds_nothing() -> None:
    data = microdata(a=np.arange(100.0), s=["x", "y"] * 50)
    assert Pmse(classifier="cart", permutations=3)(data, data).value == pytest.approx(0, abs=1e-12)


def test_a_pattern_of_missing_values_is_a_difference() -> None:
    data = microdata(a=np.arange(40.0))
    masked = microdata(a=pa.array([None if i % 2 else float(i) for i in range(40)]))
    assert Pmse()(data, masked, pairing="order").value > 20


def test_rare_categories_share_a_term() -> None:
    rng = np.random.default_rng(4)
    a, b = (rng.integers(0, 200, 3000).astype(str) for _ in range(2))
    found = Pmse()(microdata(s=a), microdata(s=b), pairing="order")
    assert found.note == f"logistic regression with {MOST_CATEGORIES + 1} terms"


def test_bad_input() -> None:
    with pytest.raises(ParameterError, match="'classifier' must be one of 'logistic', 'cart', got 'forest'"):
        Pmse(classifier="forest")  # type: ignore[arg-type]
    with pytest.raises(ParameterError, match="'permutations' must be"):
        Pmse(permutations=0)
