"""Entropy: by hand, against Bayes' rule written out, and with a given matrix."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tacita.core.errors import ColumnError, MeasureError, ParameterError
from tacita.data.microdata import Microdata
from tacita.data.pairing import pair_records
from tacita.loss import Entropy, entropy
from tests.oracles.loss import categorical_losses as oracle


def file(values: list, name: str = "a") -> Microdata:
    return Microdata.from_frame(pa.table({name: pa.array(values, pa.string())}))


def test_by_hand() -> None:
    """x, x, y, y becomes x, x, x, y: of three masked x two were x, H = 0.9183; y gives itself away. H(V) = 1 bit."""
    found = Entropy()(file(list("xxyy")), file(list("xxxy")), pairing="order")
    h = -(2 / 3) * np.log2(2 / 3) - (1 / 3) * np.log2(1 / 3)
    assert found.parts["a.bits"] == pytest.approx(3 * h)
    assert found.value == pytest.approx(100 * 3 * h / 4)
    assert found.per_record == pytest.approx([h, h, h, 0])


def test_given_matrix_by_hand() -> None:
    """Equal shares and 0.9 on the diagonal: 0.9 and 0.1 remain, 0.469 bits, whatever the masked file has."""
    pram = [("a", [[0.9, 0.1], [0.1, 0.9]])]
    found = Entropy(transitions=pram)(file(list("xxyy")), file(list("xyyy")), pairing="order")
    assert found.value == pytest.approx(100 * oracle.bits([0.9, 0.1]))


values = st.sampled_from(["x", "y", "z", None])


@given(st.lists(st.tuples(values, values), min_size=1, max_size=12))
def test_against_the_slow_version(records: list) -> None:
    x, y = (list(column) for column in zip(*records, strict=True))
    found = Entropy()(file(x), file(y), pairing="order")
    expected = oracle.entropy_records(x, y)
    total = oracle.bits([x.count(v) / len(x) for v in set(x)])
    assert found.parts["a.bits"] == pytest.approx(sum(expected), abs=1e-9)
    assert found.per_record == pytest.approx([h / total if total else 0 for h in expected], abs=1e-9)


rows = st.lists(st.integers(0, 5), min_size=3, max_size=3).filter(any).map(lambda r: [v / sum(r) for v in r])


@given(st.lists(st.sampled_from("xyz"), min_size=5, max_size=10), st.permutations("xyzxy"), st.tuples(rows, rows, rows))
def test_given_matrix_against_the_slow_version(x: list, y: list, matrix: tuple) -> None:
    x = ["x", "y", "z", *x][:5]
    found = Entropy(transitions=[("a", matrix)])(file(x), file(list(y)), pairing="order")
    assert found.parts["a.bits"] == pytest.approx(sum(oracle.entropy_given(x, list(y), "xyz", matrix)), abs=1e-9)
    assert found.value <= 100


def test_a_given_matrix_leaves_missing_and_says_nothing_about_new_categories() -> None:
    matrix = [("a", [[1.0, 0.0], [0.0, 1.0]])]
    found = Entropy(transitions=matrix)(file(["x", "y", None, "x"]), file(["x", "q", None, "x"]), pairing="order")
    prior = oracle.bits([0.5, 0.25, 0.25])
    assert found.per_record == pytest.approx([0, 1, 0, 0])
    assert found.parts["a.bits"] == pytest.approx(prior)


def test_everything_suppressed_loses_everything() -> None:
    assert Entropy()(file(list("xxyz")), file([None] * 4), pairing="order").value == pytest.approx(100)


def test_constant_column_has_nothing_to_lose() -> None:
    assert Entropy()(file(list("xxxx")), file(list("xyxy")), pairing="order").value == 0


def test_some_records_have_the_distribution_of_all() -> None:
    data = file(list("xxyy"))
    masked = data.with_column("a", pa.array(list("xxxy")))
    pair = pair_records(data, masked)
    part = Entropy().of_pair(pair.among(np.array([True, False, False, True])))
    assert part.per_record == pytest.approx([oracle.bits([1 / 3, 2 / 3]), 0])


def test_many_categories_are_counted_where_they_occur(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(1)
    x, y = rng.integers(0, 9, (2, 400))
    dense = entropy.entropy_of_pairs(x, y, 9)
    monkeypatch.setattr(entropy, "_DENSE", 0)
    assert entropy.entropy_of_pairs(x, y, 9) == pytest.approx(dense)


@pytest.mark.parametrize(
    ("matrix", "words"),
    [
        ([[1.0, 0.0]], "a square matrix"),
        ([], "a square matrix"),
        ([[1.5, -0.5], [0.0, 1.0]], "a matrix of probabilities"),
        ([[0.5, 0.4], [0.0, 1.0]], "rows that sum to 1"),
    ],
)
def test_what_is_no_transition_matrix_is_refused(matrix: list, words: str) -> None:
    with pytest.raises(ParameterError, match=f"'transitions' of column 'a' must be .*{words}"):
        Entropy(transitions=[("a", matrix)])


def test_a_matrix_that_does_not_fit_is_refused() -> None:
    data = file(list("xyz"))
    with pytest.raises(MeasureError, match="must have 3 rows, one for each category of the original, got 1"):
        Entropy(transitions=[("a", [[1.0]])])(data, data)
    with pytest.raises(ColumnError, match="a matrix for 'b', which is not among the columns"):
        Entropy(transitions=[("b", [[1.0]])])(data, data)
