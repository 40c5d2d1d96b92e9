"""Distance linkage: ties count 1/m, columns are standardised by the original, primed pairing is refused where it begs."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from tacita.core.errors import MeasureError, ParameterError
from tacita.data.microdata import Microdata
from tacita.numeric.statistics.moments import standardise
from tacita.risk import DistanceLinkage
from tacita.risk.linkage import linked_share
from tests.oracles.risk import linkage as oracle
from tests.oracles.risk import record_linkage

whole = st.integers(-2, 2).map(float)


def microdata(x: np.ndarray, **roles: object) -> Microdata:
    return Microdata.from_frame(pa.table({f"c{j}": x[:, j] for j in range(x.shape[1])}), **roles)  # type: ignore[arg-type]


@given(st.data())
def test_against_every_pair(data: st.DataObject) -> None:
    """Values are chosen so that standardising is exact: equal columns up to order and sign have one spread."""
    n = data.draw(st.integers(1, 25))
    base = data.draw(arrays(np.float64, n, elements=whole))
    flips = data.draw(
        st.lists(st.tuples(st.permutations(range(n)), st.sampled_from([1.0, -1.0])), min_size=1, max_size=3)
    )
    x = np.column_stack([sign * base[list(order)] for order, sign in flips])
    y = data.draw(arrays(np.float64, x.shape, elements=whole))
    own = np.array(data.draw(st.lists(st.integers(0, n - 1), min_size=n, max_size=n)))
    expected = oracle.linked_share(x.tolist(), y.tolist(), own.tolist())
    assert linked_share(x, y, own) == pytest.approx(expected)


def test_ties_by_hand() -> None:
    """Three equal originals: each is found with chance 1/3; the masked 2 lies between 1 and 3: chance 1/2."""
    x = np.array([[9.0], [9.0], [9.0], [1.0], [3.0]])
    y = np.array([[9.0], [9.5], [3.0], [2.0], [2.9]])
    measured = DistanceLinkage()(microdata(x), microdata(y), pairing="order")
    assert measured.per_record == pytest.approx([1 / 3, 1 / 3, 0, 1 / 2, 1])
    assert measured.value == pytest.approx(100 * (1 / 3 + 1 / 3 + 0 + 1 / 2 + 1) / 5)
    assert measured.note == "intruder knows c0"


def test_columns_are_standardised_by_the_original() -> None:
    """In raw values the wide column decides and record 0 goes to 1; standardised, the narrow one does."""
    x = np.array([[0.0, 0.0], [1.0, 300.0], [0.5, 1000.0], [0.5, -1000.0]])
    y = x.copy()
    y[0] = [0.05, 200.0]
    raw = oracle.linked_share(x.tolist(), y.tolist(), [0, 1, 2, 3])
    assert raw[0] == 0
    found = linked_share(x, y, np.arange(4))
    assert found.tolist() == [1, 1, 1, 1]
    assert found.tolist() == oracle.linked_share(standardise(x).tolist(), standardise(y, like=x).tolist(), [0, 1, 2, 3])


def test_a_constant_column_does_not_matter() -> None:
    x = np.column_stack([np.full(30, 0.1), np.arange(30.0)])
    y = x + np.array([0.0, 0.3])
    assert linked_share(x, y, np.arange(30)).tolist() == [1.0] * 30


def test_missing_values_lie_at_the_mean() -> None:
    x = np.array([[0.0], [10.0], [20.0]])
    assert linked_share(x, np.array([[np.nan]]), np.array([1])).tolist() == [1.0]


def test_no_masking_links_everybody_and_constants_nobody() -> None:
    x = np.random.default_rng(1).normal(size=(50, 3))
    assert DistanceLinkage()(microdata(x), microdata(x), pairing="order").value == 100
    same = np.repeat(x.mean(axis=0, keepdims=True), 50, axis=0)
    assert DistanceLinkage()(microdata(x), microdata(same), pairing="order").value <= 100 / 50


def test_linkage_is_against_all_originals_also_for_a_sample() -> None:
    data = microdata(np.array([[0.0], [1.0], [5.0]]))
    masked = data.with_numbers({"c0": np.array([0.9, 1.0, 5.0])}).take(np.array([0]))
    assert DistanceLinkage()(data, masked).value == 0, "record 1 was not released, but the intruder knows it"


def test_default_is_numeric_keys_or_else_all_numeric_columns() -> None:
    x = np.arange(12.0).reshape(6, 2)
    keyed = microdata(x, keys=["c1"])
    assert DistanceLinkage()(keyed, keyed).note == "intruder knows c1"
    plain = microdata(x)
    assert DistanceLinkage()(plain, plain).note == "intruder knows c0, c1"


def test_pairing_by_nearness_in_the_same_columns_is_refused() -> None:
    rng = np.random.default_rng(1)
    x = rng.normal(size=(40, 2))
    original, masked = microdata(x), microdata(x + rng.normal(scale=0.1, size=x.shape))
    with pytest.raises(MeasureError, match="right by definition"):
        DistanceLinkage()(original, masked)
    primed = DistanceLinkage(columns=("c0",))(original, masked)
    assert 0 <= primed.value <= 100


# --- what the intruder knows -----------------------------------------------------------------------------------------


def noisy(n: int = 120, d: int = 4) -> tuple[Microdata, Microdata]:
    rng = np.random.default_rng(3)
    x = rng.normal(size=(n, d))
    original = microdata(x)
    y = x + 0.4 * rng.normal(size=x.shape)
    return original, original.with_numbers({f"c{j}": y[:, j] for j in range(d)})


def alone(original: Microdata, masked: Microdata, *known: str) -> float:
    return DistanceLinkage(columns=known)(original, masked).value


def test_first_columns_are_averaged() -> None:
    original, masked = noisy()
    found = DistanceLinkage(knows="first", most=3)(original, masked)
    expected = [alone(original, masked, *[f"c{j}" for j in range(m)]) for m in (1, 2, 3)]
    assert found.parts == pytest.approx({"first 1": expected[0], "first 2": expected[1], "first 3": expected[2]})
    assert found.value == pytest.approx(np.mean(expected))
    assert found.per_record is not None
    assert found.value == pytest.approx(100 * found.per_record.mean())
    assert found.note == "intruder knows the first 1 to 3 of c0, c1, c2, c3"
    assert len(DistanceLinkage(knows="first")(original, masked).parts) == 4


def test_the_order_of_the_columns_is_the_order_of_knowledge() -> None:
    original, masked = noisy()
    turned = DistanceLinkage(columns=("c3", "c0"), knows="first", most=1)(original, masked)
    assert turned.value == alone(original, masked, "c3")


def test_every_subset_is_averaged() -> None:
    original, masked = noisy()
    found = DistanceLinkage(knows="subsets", most=2)(original, masked)
    pairs = list(itertools.combinations(("c0", "c1", "c2", "c3"), 2))
    assert found.parts == pytest.approx({f"{a} + {b}": alone(original, masked, a, b) for a, b in pairs})
    assert found.value == pytest.approx(np.mean(list(found.parts.values())))


def test_too_many_subsets_are_drawn_by_the_seed() -> None:
    original, masked = noisy(40, 8)
    every = DistanceLinkage(knows="subsets", most=4, scenarios=70)(original, masked).parts
    some = DistanceLinkage(knows="subsets", most=4, scenarios=10)(original, masked)
    assert len(every) == 70
    assert len(some.parts) == 10
    assert some.parts.items() <= every.items()
    assert "10 subsets drawn out of 70" in some.note
    assert some.parts == DistanceLinkage(knows="subsets", most=4, scenarios=10)(original, masked).parts
    assert some.parts != DistanceLinkage(knows="subsets", most=4, scenarios=10, seed=1)(original, masked).parts


def test_bad_scenarios() -> None:
    with pytest.raises(ParameterError, match="'most' must be given"):
        DistanceLinkage(knows="subsets")
    with pytest.raises(ParameterError, match="'most' must be a whole number, at least 1"):
        DistanceLinkage(most=0)
    with pytest.raises(MeasureError, match="'most' must be at most the number of columns, got 5 for 4 columns"):
        DistanceLinkage(knows="first", most=5)(*noisy())


def test_primed_linkage_counts_hits_of_the_nearest_original() -> None:
    """Paired by nearness in both columns, record 0 belongs to original 1; knowing c0 alone links it to original 0."""
    x = np.array([[0.0, 0.0], [1.0, 10.0], [5.0, 5.0], [9.0, 0.0]])
    y = np.array([[0.1, 10.0], [1.1, 10.0], [5.0, 5.0], [9.0, 0.0]])
    found = DistanceLinkage(knows="first", most=1)(microdata(x), microdata(y))
    assert found.per_record is not None
    assert found.per_record.tolist() == [0, 1, 1, 1]
    with pytest.raises(MeasureError, match="right by definition"):
        DistanceLinkage(knows="first")(microdata(x), microdata(y))


# --- Mahalanobis distance --------------------------------------------------------------------------------------------


@given(st.integers(3, 25), st.integers(1, 4), st.booleans(), st.integers(0, 10**6))
def test_mahalanobis_against_the_pseudo_inverse(n: int, d: int, singular: bool, seed: int) -> None:
    rng = np.random.default_rng(seed)
    x = rng.normal(size=(n, d)) @ rng.normal(size=(d, d)) * 10
    y = x + 3 * rng.normal(size=x.shape)
    if singular:
        x, y = (np.column_stack([z, z.sum(axis=1) + extra * rng.normal(size=n)]) for z, extra in ((x, 0), (y, 50)))
    own = rng.integers(0, n, n)
    scaled = standardise(x)
    expected = record_linkage.mahalanobis_share(scaled, standardise(y, like=x), own.tolist())
    assert linked_share(x, y, own, distance="mahalanobis") == pytest.approx(expected)


def test_mahalanobis_by_hand() -> None:
    """Columns a and b go together. (1.9, 2.4) is plainly nearest to (3, 3) or (1, 1), but lies off the diagonal by 0.5 as
    (0, 0.5) does, and off the diagonal is what counts where nearly all variance is along it."""
    a = np.array([-3.0, -1.0, 1.0, 3.0, 0.0, 0.0])
    b = np.array([-3.0, -1.0, 1.0, 3.0, 0.5, -0.5])
    x = np.column_stack([a, b])
    y = np.array([[1.9, 2.4]])
    assert linked_share(x, y, np.array([4]), distance="mahalanobis").tolist() == [1.0]
    assert linked_share(x, y, np.array([4])).tolist() == [0.0]


# --- the census reference file ---------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def census(reference: Callable[[str], Path]) -> Microdata:
    from pyarrow import csv

    table = csv.read_csv(reference("census.csv"))
    return Microdata.from_frame(table, keys=table.column_names)


@pytest.mark.parametrize(("pairing", "expected"), [("link", 10.5), ("nearest", 15.6)])
def test_rank_swapping_of_the_paper(census: Microdata, pairing: str, expected: float) -> None:
    """The first 1 to 7 columns known: 10.5 in true pairs, DLD' 15.6 (published 14.74); one seed varies by about 0.6."""
    from tacita.mask import RankSwap

    risk = DistanceLinkage(columns=census.names[:7], knows="first", most=7)
    swapped = (RankSwap(p=14).apply(census, seed=seed) for seed in range(20))
    assert np.mean([risk(census, masked, pairing=pairing).value for masked in swapped]) == pytest.approx(
        expected, abs=0.5
    )  # type: ignore[arg-type]


def test_microaggregation_of_the_paper(census: Microdata) -> None:
    """Four columns at a time, k = 10: 18.9 in true pairs, DLD' 22.6 (published 22.14), 84 with all 13 known."""
    from tacita.mask import Mdav

    masked = Mdav(groups=4, k=10).apply(census)
    risk = DistanceLinkage(columns=census.names[:7], knows="first", most=7)
    assert risk(census, masked).value == pytest.approx(18.9, abs=0.2)
    assert risk(census, masked, pairing="nearest").value == pytest.approx(22.6, abs=0.2)
    assert DistanceLinkage()(census, masked).value == pytest.approx(84, abs=1)


def test_mahalanobis_on_a_singular_file(census: Microdata) -> None:
    """PTOTVAL = PEARNVAL + POTHVAL: without masking everybody is linked, also in the directions that are left."""
    assert DistanceLinkage(distance="mahalanobis")(census, census).value == 100
