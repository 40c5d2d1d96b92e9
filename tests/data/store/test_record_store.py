"""The store itself: what it gives, in which order, and that nothing is loaded before it is asked for."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest

from tacita.core.errors import ColumnError, DataError, FileError, ParameterError
from tacita.data.microdata import Microdata
from tacita.data.schema import Column, Schema
from tacita.data.store import RecordStore, open_store
from tacita.data.store.origin import MemoryOrigin
from tests.data.store.golden import assert_golden


def simple(table: pa.Table, **columns: Column) -> RecordStore:
    return RecordStore(MemoryOrigin(table, "a table"), Schema(tuple(columns.values())))


@pytest.mark.parametrize("ending", ["parquet", "csv", "arrow", "duckdb"])
def test_every_file_gives_what_memory_gives(files: Path, survey: Microdata, ending: str) -> None:
    with open_store(files / f"survey.{ending}", schema=files / "survey.toml") as store:
        assert_golden(store, survey, "person_id")
        assert store.content_digest() == open_store(survey).content_digest()


def test_memory_gives_what_memory_gives(survey: Microdata) -> None:
    assert_golden(open_store(survey), survey, "person_id")


def test_another_order_of_the_file_is_the_same_version(survey: Microdata) -> None:
    turned = survey.take(np.arange(len(survey))[::-1])
    assert open_store(turned).content_digest() == open_store(survey).content_digest()
    assert (
        open_store(turned.drop(["person_id"])).content_digest()
        != open_store(survey.drop(["person_id"])).content_digest()
    )


def test_one_changed_value_is_another_version(survey: Microdata) -> None:
    ages = survey.float("age").copy()
    ages[17] += 1
    assert open_store(survey.with_numbers({"age": ages})).content_digest() != open_store(survey).content_digest()


def test_without_ids_records_stay_in_the_order_of_the_file() -> None:
    store = simple(pa.table({"x": [3, 1, 2]}), x=Column(name="x", scale="numeric"))
    assert store.floats("x").tolist() == [3.0, 1.0, 2.0]
    assert store.record_ids().tolist() == [0, 1, 2]
    assert store.record_id is None


def test_whole_numbers_are_ids_as_they_are() -> None:
    table = pa.table({"number": pa.array([5, -2, 2**62], pa.int64()), "x": [1.5, 2.5, 3.5]})
    data = Microdata.from_frame(table, identifiers=["number"], scales={"number": "nominal"})
    store = open_store(data)
    assert store.record_ids().tolist() == [2**64 - 2, 5, 2**62]
    assert store.floats("x").tolist() == [2.5, 1.5, 3.5]


class Watched(MemoryOrigin):
    """Remembers what was asked for."""

    def __init__(self, table: pa.Table) -> None:
        super().__init__(table, "a watched table")
        self.asked: list[str] = []

    def columns(self, names: Sequence[str], *, encoded: bool = True) -> pa.Table:
        self.asked += names
        return super().columns(names, encoded=encoded)


def test_a_column_is_loaded_once_and_only_when_asked_for(survey: Microdata) -> None:
    origin = Watched(survey.to_arrow(codes=False))
    store = RecordStore(origin, survey.schema)
    assert origin.asked == ["person_id"]
    for _ in range(3):
        store.codes("sex")
        store.floats("age")
    assert origin.asked == ["person_id", "sex", "age"]
    loaded = store.nbytes
    store.content_digest()
    assert store.nbytes == loaded, "what was loaded for the digest alone is not kept"
    store.content_digest()
    assert origin.asked.count("income") == 1


def test_closing_keeps_what_is_loaded(files: Path) -> None:
    with open_store(files / "survey.parquet", schema=files / "survey.toml") as store:
        store.codes("sex")
    assert len(store.codes("sex").values) == 600
    with pytest.raises(FileError, match="closed"):
        store.codes("region")


def test_what_is_kept_cannot_be_written_to(survey: Microdata) -> None:
    store = open_store(survey)
    with pytest.raises(ValueError, match="read-only"):
        store.codes("sex").values[0] = 1
    ages = store.floats("age")
    ages[0] = -1.0
    assert store.floats("age")[0] != -1.0


def test_threads_share_a_store(survey: Microdata) -> None:
    origin = Watched(survey.to_arrow(codes=False))
    store = RecordStore(origin, survey.schema)
    with ThreadPoolExecutor(8) as pool:
        found = list(pool.map(lambda _: store.floats("income").tobytes(), range(16)))
    assert len(set(found)) == 1
    assert origin.asked.count("income") == 1


def test_the_repr_shows_no_value(files: Path) -> None:
    store = open_store(files / "survey.parquet", schema=files / "survey.toml")
    assert repr(store) == "RecordStore: 600 records, 20 columns, from 'survey.parquet'"
    store.codes("sex")
    assert "male" not in repr(store.codes("sex"))


# --- what is wrong --------------------------------------------------------------------------------------------------------------


def test_ids_that_repeat_are_an_error_without_values() -> None:
    table = pa.table({"person": ["canary", "b", "canary"], "x": [1, 2, 3]})
    data = Microdata.from_frame(table, identifiers=["person"])
    with pytest.raises(DataError, match=r"'person' must be different .* 1 of its 3 values") as caught:
        open_store(data)
    assert "canary" not in str(caught.value)


def test_a_record_id_that_is_not_there(survey: Microdata) -> None:
    with pytest.raises(ColumnError, match="Did you mean 'person_id'"):
        open_store(survey, record_id="person_di")


def test_records_without_order_need_an_id() -> None:
    origin = MemoryOrigin(pa.table({"x": [1]}), "a heap", has_order=False)
    with pytest.raises(ParameterError, match="'record_id' must name a column"):
        RecordStore(origin, Schema((Column(name="x", scale="numeric"),)))


def test_an_unknown_column_and_a_wrong_scale(survey: Microdata) -> None:
    store = open_store(survey)
    for ask in (store.codes, store.floats):
        with pytest.raises(ColumnError, match="Did you mean 'income'"):
            ask("incom")
    with pytest.raises(ColumnError, match="must be numeric here"):
        store.floats("sex")


def test_infinite_values_are_an_error_when_asked_for_only() -> None:
    table = pa.table({"x": [1.0, float("inf")], "y": [1.0, float("nan")]})
    store = simple(table, x=Column(name="x", scale="numeric"), y=Column(name="y", scale="numeric"))
    np.testing.assert_array_equal(store.floats("y"), [1.0, np.nan])
    assert len(store.content_digest()) == 32
    with pytest.raises(DataError, match="infinite"):
        store.floats("x")


def test_negative_weights_are_an_error() -> None:
    store = simple(pa.table({"w": [1.0, -1.0]}), w=Column(name="w", scale="numeric", roles=("weight",)))
    with pytest.raises(DataError, match="negative or missing in 1 records"):
        store.weights()


def test_without_weights_and_households() -> None:
    store = simple(pa.table({"x": [1, 2]}), x=Column(name="x", scale="numeric"))
    assert store.weights().tolist() == [1.0, 1.0]
    assert store.households() is None


def test_no_records_at_all() -> None:
    table = pa.table({"p": pa.array([], pa.string()), "x": pa.array([], pa.float64()), "s": pa.array([], pa.string())})
    data = Microdata.from_frame(table, identifiers=["p"])
    store = open_store(data)
    assert store.record_ids().shape == (0, 2)
    assert store.floats("x").shape == (0,)
    assert store.codes("s").categories == ()
    assert len(store.content_digest()) == 32


def test_values_outside_the_declared_categories_are_not_quoted() -> None:
    facts = Column(name="s", scale="ordinal", categories=("low", "high"))
    store = simple(pa.table({"s": ["low", "canary"]}), s=facts)
    with pytest.raises(DataError, match="1 value") as caught:
        store.codes("s")
    assert "canary" not in str(caught.value)
