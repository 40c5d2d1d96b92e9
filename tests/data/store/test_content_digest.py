"""The digest: the same for the same values, another one for others, whatever the storage is."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tacita.data.schema import Column
from tacita.data.store import content_digest as module
from tacita.data.store.compact import BLOCK, Coded, Numbers, Verbatim, compact_column, narrow
from tacita.data.store.content_digest import column_digest, content_digest

TEXTS = st.lists(st.sampled_from(["a", "b", "ab", "", None]), max_size=6)


def digest_of(values: list[object], facts: Column, kind: pa.DataType | None = None) -> bytes:
    return column_digest(compact_column(pa.chunked_array([pa.array(values, kind)]), facts))


NOMINAL = Column(name="x", scale="nominal")
NUMERIC = Column(name="x", scale="numeric")


@given(TEXTS, TEXTS)
def test_text_is_equal_exactly_when_its_digest_is(one: list[object], other: list[object]) -> None:
    same = digest_of(one, NOMINAL, pa.string()) == digest_of(other, NOMINAL, pa.large_string())
    assert same == (one == other)


@given(st.lists(st.one_of(st.none(), st.floats(allow_nan=False)), max_size=5))
def test_numbers_are_equal_exactly_when_their_digest_is(values: list[float | None]) -> None:
    digest = digest_of([*values, 1.0], NUMERIC, pa.float64())
    assert digest == column_digest(Numbers(np.array([*(np.nan if v is None else v for v in values), 1.0])))
    assert digest != digest_of([*values, 2.0], NUMERIC, pa.float64())
    assert digest != digest_of([*values, None], NUMERIC, pa.float64())


def test_the_order_of_categories_and_unused_ones_do_not_matter() -> None:
    values = ["b", "a", None, "b"]
    declared = Column(name="x", scale="ordinal", categories=("c", "b", "a"))
    assert digest_of(values, declared) == digest_of(values, NOMINAL)
    assert digest_of(["a", "b", None, "a"], NOMINAL) != digest_of(values, NOMINAL)


def test_storage_does_not_matter() -> None:
    values = np.array([1.0, np.nan, 100.0])
    assert len({column_digest(Numbers(values)), column_digest(narrow(values))}) == 1
    odd = np.array([0x7FF8000000000001], dtype=np.uint64).view(np.float64)
    assert column_digest(Numbers(odd)) == column_digest(Numbers(np.array([np.nan])))
    assert column_digest(Numbers(np.array([-0.0]))) == column_digest(Numbers(np.array([0.0])))
    wide = Coded(np.array([1, 0, -1], dtype=np.int64), pa.array(["a", "b"], pa.large_string()))
    assert column_digest(wide) == digest_of(["b", "a", None], NOMINAL)


def test_more_than_a_block(monkeypatch: pytest.MonkeyPatch) -> None:
    n = BLOCK + 3
    codes = np.arange(n) % 3
    categories = pa.array(["a", "b", "c"], pa.large_string())
    one, other = Coded(codes.astype(np.int8), categories), Coded(codes.astype(np.int16), categories)
    assert column_digest(one) == column_digest(other)
    changed = codes.astype(np.int8)
    changed[-1] = (changed[-1] + 1) % 3
    assert column_digest(Coded(changed, categories)) != column_digest(one)
    texts = pa.array(np.arange(n)).cast(pa.large_string())
    assert column_digest(Verbatim(texts)) == column_digest(Verbatim(pa.concat_arrays([texts[:5], texts[5:]])))
    monkeypatch.setattr(module, "BLOCK", 1000)
    assert column_digest(one) == column_digest(other), "codes run through blocks"


def test_names_and_lengths_count() -> None:
    part = b"0" * 32
    made = {
        content_digest(1, [("ab", part)]),
        content_digest(2, [("ab", part)]),
        content_digest(1, [("a", part)]),
        content_digest(1, [("a", part), ("b", part)]),
        content_digest(1, []),
    }
    assert len(made) == 5


def test_the_form_is_fixed() -> None:
    """A data version's name must not change with a release of the package."""
    digest = content_digest(2, [("x", digest_of([1, None], NUMERIC)), ("y", digest_of(["a", None], NOMINAL))])
    assert digest.hex() == "0df49e185ebfa3a64e502c1aadc2aa9c270755228c9858b95663433fe36924a3"
