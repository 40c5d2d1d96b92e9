"""What leaves describes only what the released records still have."""

from __future__ import annotations

from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import tacita as tc
from tacita.data.public_side import as_public
from tacita.data.schema_file import schema_from_toml
from tacita.data.write import write_release_data

GONE = "astronaut"
GONE_LABEL = "Works in orbit"
GONE_CODE, USED_CODE = -97, -9
BOUND = 73219


def survey(*, public: bool = False) -> tc.Microdata:
    """Make a file whose only record of one occupation was suppressed."""
    n = 60
    jobs = ["clerk", "farmer", GONE]
    job = pa.DictionaryArray.from_arrays(
        pa.array([i % 2 if i else None for i in range(n)], pa.int8()), pa.array(jobs), ordered=True
    )
    code = pa.array([1 + i % 2 if i else None for i in range(n)], pa.int64())
    income = pa.array([float(100 + i) for i in range(n - 1)] + [float(USED_CODE)])
    tree = tc.Hierarchy((("clerk", "office", "*"), ("farmer", "field", "*"), (GONE, "spaceport", "*")))
    schema = tc.Schema(
        (
            tc.Column(
                name="job",
                scale="ordinal",
                roles=("key",),
                categories=tuple(jobs),
                hierarchy=tree,
                labels=(("clerk", "In an office"), (GONE, GONE_LABEL)),
                public=public,
            ),
            tc.Column(
                name="code",
                scale="nominal",
                labels=((1, "Clerk"), (2, "Farmer"), (3, GONE_LABEL)),
                missing=(GONE_CODE,),
                public=public,
            ),
            tc.Column(
                name="income",
                scale="numeric",
                bounds=(0, BOUND),
                missing=(USED_CODE, GONE_CODE),
                labels=((GONE_CODE, GONE_LABEL), (USED_CODE, "Refused")),
                public=public,
            ),
        )
    )
    table = pa.table({"job": job, "code": code, "income": income}).replace_schema_metadata({"note": GONE})
    return tc.Microdata(table, schema)


def test_unused_descriptions_and_bounds_stay_inside() -> None:
    left = as_public(survey()).schema
    assert left["job"].categories == ("clerk", "farmer")
    assert left["job"].labels == (("clerk", "In an office"),)
    assert left["job"].hierarchy is not None
    assert left["job"].hierarchy.rows == (("clerk", "office", "*"), ("farmer", "field", "*"))
    assert left["code"].labels == ((1, "Clerk"), (2, "Farmer"))
    assert left["code"].missing == ()
    assert left["income"].bounds is None
    assert left["income"].missing == (USED_CODE,)
    assert left["income"].labels == ((USED_CODE, "Refused"),)


def test_public_metadata_leave_whole() -> None:
    data = survey(public=True)
    assert as_public(data).schema == data.schema
    assert "public = true" in data.schema.to_toml()


def test_the_flag_survives_a_schema_file(tmp_path: Path) -> None:
    schema = survey(public=True).schema
    assert schema_from_toml(schema.write(tmp_path / "schema.toml")) == schema
    (tmp_path / "bad.toml").write_text('[columns.a]\nscale = "numeric"\npublic = "yes"\n')
    with pytest.raises(tc.TacitaError, match="'public' has the wrong form"):
        schema_from_toml(tmp_path / "bad.toml")


def test_dictionaries_and_metadata_hold_nothing_unused() -> None:
    table = as_public(survey()).to_arrow(codes=False)
    assert table.schema.metadata is None
    assert table.column("job").combine_chunks().dictionary.to_pylist() == ["clerk", "farmer"]
    assert table.column("job").to_pylist() == survey().to_arrow().column("job").to_pylist()
    assert table.schema.field("job").type.ordered


def test_values_do_not_change() -> None:
    data, left = survey(), as_public(survey())
    for name in data.names:
        assert left.to_arrow().column(name).to_pylist() == data.to_arrow().column(name).to_pylist()
    assert left.codes("job").values.tolist() == data.codes("job").values.tolist()


def test_a_hierarchy_shows_nothing_below_the_groups_that_records_were_recoded_to() -> None:
    tree = tc.Hierarchy((("clerk", "office", "*"), (GONE, "spaceport", "*"), ("pilot", "spaceport", "*")))
    schema = tc.Schema((tc.Column(name="job", scale="nominal", hierarchy=tree),))
    left = as_public(tc.Microdata(pa.table({"job": ["clerk", "spaceport", "spaceport"]}), schema)).schema["job"]
    assert left.hierarchy is not None
    assert left.hierarchy.rows == (("clerk", "office", "*"), ("spaceport", "spaceport", "*"))


def test_no_column_and_no_record() -> None:
    empty = survey().take([])  # type: ignore[arg-type]
    left = as_public(empty)
    assert left.schema["job"].categories == ()
    assert left.schema["job"].hierarchy is None
    assert len(as_public(empty.select([])).schema) == 0


@pytest.mark.parametrize("ending", ["csv", "tsv", "parquet", "feather", "arrow", "sav", "zsav", "dta", "duckdb"])
def test_the_bytes_of_a_file_do_not_tell_what_only_suppressed_records_had(ending: str, tmp_path: Path) -> None:
    path = write_release_data(survey(), tmp_path / f"data.{ending}")
    shown = path.read_bytes()
    if ending == "parquet":  # pages are compressed, so they are looked at after that
        file = pq.ParquetFile(path, read_dictionary=["job"])
        shown += repr([chunk.dictionary.to_pylist() for chunk in file.read().column("job").chunks]).encode()
        shown += str(file.schema_arrow.metadata).encode() + str(file.metadata.row_group(0).to_dict()).encode()
    if ending in ("feather", "arrow"):
        table = pa.ipc.open_file(str(path)).read_all()
        buffers = [b for column in table.columns for chunk in column.chunks for b in chunk.buffers() if b is not None]
        shown += b"".join(b.to_pybytes() for b in buffers) + str(table.schema).encode()
    for secret in (GONE, GONE_LABEL, "spaceport", str(BOUND), str(GONE_CODE)):
        assert secret.encode() not in shown, secret


@pytest.mark.parametrize("ending", ["sav", "dta"])
def test_labels_in_use_stay_in_files_of_other_programs(ending: str, tmp_path: Path) -> None:
    back = tc.read(write_release_data(survey(), tmp_path / f"data.{ending}"))
    assert dict(back.schema["code"].labels) == {1: "Clerk", 2: "Farmer"}
