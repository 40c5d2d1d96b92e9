"""Key patterns of a file: the combinations that a loop over its records finds."""

from __future__ import annotations

import tracemalloc
from collections import Counter
from functools import partial

import numpy as np
import pyarrow as pa
import pytest

from tacita.core.errors import ColumnError
from tacita.data.keys.patterns import coded_keys, coded_patterns, key_frequencies, key_patterns
from tacita.data.microdata import Microdata


def survey(n: int = 200) -> Microdata:
    rng = np.random.default_rng(3)
    table = {
        "sex": rng.choice(["f", "m"], n).tolist(),
        "age": [None if i % 17 == 0 else int(a) for i, a in enumerate(rng.integers(20, 30, n))],
        "town": rng.choice(["a", "b", "c"], n).tolist(),
    }
    return Microdata.from_frame(pa.table(table), keys=["sex", "age", "town"])


@pytest.mark.parametrize("names", [["sex"], ["sex", "town"], ["town", "age", "sex"]])
def test_patterns_are_those_of_a_loop(names: list[str]) -> None:
    data = survey()
    rows = list(zip(*(data.to_arrow(codes=False).column(name).to_pylist() for name in names), strict=True))
    patterns, categories = coded_patterns(data, names)
    of_pattern = [
        tuple(None if code < 0 else categories[j][code] for j, code in enumerate(row))
        for row in patterns.codes.tolist()
    ]
    assert len(set(of_pattern)) == len(of_pattern), "a pattern stands twice"
    assert [of_pattern[p] for p in patterns.labels.tolist()] == rows
    assert dict(zip(of_pattern, patterns.counts.tolist(), strict=True)) == Counter(rows)


def test_without_categories_it_is_the_same() -> None:
    data = survey()
    plain, (coded, _) = key_patterns(data, ["sex", "age"]), coded_patterns(data, ["sex", "age"])
    assert np.array_equal(plain.codes, coded.codes)
    assert np.array_equal(plain.labels, coded.labels)


def test_no_column_is_an_error() -> None:
    with pytest.raises(ColumnError, match="at least one column"):
        key_patterns(survey(), [])


def test_counts_are_shared_by_data_with_the_same_keys_and_by_no_others() -> None:
    data = survey()
    found = key_frequencies(data, ["sex", "age"], "wildcard")
    elsewhere = data.with_values_of(["town"], np.arange(len(data))[::-1])
    assert key_frequencies(elsewhere, ["sex", "age"], "wildcard") is found
    turned = data.with_values_of(["sex"], np.arange(len(data))[::-1])
    assert key_frequencies(turned, ["sex", "age"], "wildcard") is not found
    assert (
        coded_keys(turned, ["sex", "age"]).patterns.labels.tolist()
        == key_patterns(turned, ["sex", "age"]).labels.tolist()
    )
    assert key_frequencies(data.take(np.arange(50)), ["sex", "age"], "wildcard").patterns.labels.shape == (50,)


def test_another_weight_is_counted_anew() -> None:
    table = pa.table({"sex": ["f", "f", "m"], "one": [1.0, 2.0, 3.0], "two": [5.0, 5.0, 5.0]})
    data = Microdata.from_frame(table, keys=["sex"], weight="one")
    schema = data.schema.change("one", roles=("other",)).change("two", roles=("weight",))
    assert key_frequencies(data, ["sex"], "wildcard").totals.tolist() == [3.0, 3.0]
    assert key_frequencies(data.with_schema(schema), ["sex"], "wildcard").totals.tolist() == [10.0, 5.0]
    assert key_frequencies(data, ["sex"], "wildcard").totals.tolist() == [3.0, 3.0]


def test_what_is_remembered_does_not_grow() -> None:
    data = survey()
    for number in range(20):
        data.remembered(number, partial(int, number), of=["sex"])
    assert len(data._memo) <= 6
    assert data.remembered(19, lambda: -1, of=["sex"]) == 19
    assert data.remembered(0, lambda: -1, of=["sex"]) == -1


def test_patterns_of_a_long_file_need_little_memory() -> None:
    n, rng = 200_000, np.random.default_rng(1)
    table = pa.table(
        {name: rng.integers(0, 1000, n) for name in "abcd"}
    )  # nearly every record has a pattern of its own
    data = Microdata.from_frame(table, keys=list("abcd"))
    tracemalloc.start()
    try:
        found = coded_keys(data, list("abcd"))
        held, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert len(found.patterns.counts) > 0.9 * n
    assert held < 40 * n  # labels, counts and totals of 8 bytes, four codes of 2
    assert peak < 64 * n
