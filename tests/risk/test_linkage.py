"""Distance linkage: ties count 1/m, columns are standardised by the original, primed pairing is refused where it begs."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from tacita.core.errors import MeasureError
from tacita.data.microdata import Microdata
from tacita.numeric.moments import standardise
from tacita.risk import DistanceLinkage
from tacita.risk.linkage import linked_share
from tests.oracles import linkage as oracle

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
