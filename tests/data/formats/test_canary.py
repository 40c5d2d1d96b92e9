"""A value planted in the data stands in no error, whatever is wrong with the file."""

from __future__ import annotations

import traceback
import warnings

import duckdb
import openpyxl
import pandas as pd
import pyarrow as pa
import pyreadstat
import pytest
from pyarrow import feather, parquet

from tacita.core.errors import TacitaError, TacitaWarning
from tacita.data.microdata import Microdata
from tacita.data.read import read
from tacita.data.schema import Column, Schema
from tacita.data.write import write

CANARY = "CANARY-7351"
NUMERIC = '[columns.a]\nscale = "numeric"\n'

BROKEN_CSV = {
    "too many fields": f"a,b\n1,2\n{CANARY},2,3\n",
    "too few fields": f"a,b\n1,2\n{CANARY}\n",
    "unclosed quote at the end": f'a,b\n1,"{CANARY}\n',
    "unclosed quote before": f'a,b\n"{CANARY},1\n2,3\n',
    "unclosed quote in the header": f'a,"b\n{CANARY},1\n',
    "two decimal signs": f"a;b;c\n1,5;2.5;{CANARY}\n",
    "wrong encoding": f"a,b\n{CANARY}\x81é,1\n".encode("latin-1"),
    "zero bytes": f"a,b\n{CANARY},1\n".encode("utf-16-le"),
    "duplicate names": f"a,a\n{CANARY},1\n",
    "no name": f"a,\n{CANARY},1\n",
}


def silent(error: TacitaError) -> bool:
    """Whether neither the message nor what Python prints of an error and its causes has the planted value."""
    assert isinstance(error, TacitaError)
    printed = "".join(traceback.format_exception_only(error))
    cause: BaseException | None = error
    while cause is not None:
        printed += str(cause)
        cause = cause.__cause__ or (None if cause.__suppress_context__ else cause.__context__)
    return CANARY not in printed and CANARY not in str(error) and CANARY not in str(error.args)


@pytest.mark.parametrize("trouble", BROKEN_CSV)
def test_broken_csv(tmp_path, trouble):
    content = BROKEN_CSV[trouble]
    (tmp_path / "a.csv").write_bytes(content if isinstance(content, bytes) else content.encode())
    with pytest.raises(TacitaError) as caught:
        read(tmp_path / "a.csv")
    assert silent(caught.value)


@pytest.mark.parametrize("scale", ["numeric", "date"])
def test_values_that_are_not_as_declared(tmp_path, scale):
    (tmp_path / "a.csv").write_text(f"a,b\n1,2\n{CANARY},3\n")
    (tmp_path / "s.toml").write_text(NUMERIC.replace("numeric", scale))
    with pytest.raises(TacitaError) as caught:
        read(tmp_path / "a.csv", schema=tmp_path / "s.toml")
    assert silent(caught.value)
    assert CANARY in str(caught.value.details)


def test_categories_that_are_not_declared(tmp_path):
    (tmp_path / "a.csv").write_text(f"a,b\nx,2\n{CANARY},3\n")
    (tmp_path / "s.toml").write_text('[columns.a]\ncategories = ["x"]\n')
    with pytest.raises(TacitaError) as caught:
        read(tmp_path / "a.csv", schema=tmp_path / "s.toml").codes("a")
    assert silent(caught.value)


@pytest.mark.parametrize("ending", ["parquet", "feather", "duckdb", "sav", "dta", "xpt", "xlsx"])
@pytest.mark.parametrize("keep", [0.2, 0.6, 0.9])
def test_truncated_files(tmp_path, ending, keep):
    path = tmp_path / f"a.{ending}"
    texts = [CANARY] * 500
    frame = pd.DataFrame({"a": texts})
    if ending == "parquet":
        parquet.write_table(pa.table({"a": texts}), path, compression="none", use_dictionary=False)
    elif ending == "feather":
        feather.write_feather(pa.table({"a": texts}), path, compression="uncompressed")
    elif ending == "duckdb":
        connection = duckdb.connect(str(path))
        connection.execute("create table t as select * from frame")
        connection.close()
    elif ending == "xlsx":
        book = openpyxl.Workbook()
        for text in ["a", *texts]:
            book.active.append([text])
        book.save(path)
    else:
        {"sav": pyreadstat.write_sav, "dta": pyreadstat.write_dta, "xpt": pyreadstat.write_xport}[ending](
            frame, str(path)
        )
    content = path.read_bytes()
    path.write_bytes(content[: int(len(content) * keep)])
    if ending == "xpt":
        # A SAS transport file has no count of its records, so a shorter one is a whole one to every reader.
        assert CANARY not in repr(read(path))
        return
    with pytest.raises(TacitaError) as caught:
        read(path)
    assert silent(caught.value)


@pytest.mark.parametrize(
    "ending", ["csv", "parquet", "arrow", "duckdb", "sav", "zsav", "dta", "sas7bdat", "xpt", "xlsx"]
)
def test_other_content_under_a_known_ending(tmp_path, ending):
    (tmp_path / f"a.{ending}").write_bytes(b'\x00\xff"' + f"{CANARY},x\n".encode() * 300)
    with pytest.raises(TacitaError) as caught:
        read(tmp_path / f"a.{ending}")
    assert silent(caught.value)


@pytest.mark.parametrize("ending", ["parquet", "feather", "duckdb", "sav", "dta"])
def test_warnings_while_writing(tmp_path, ending):
    schema = Schema((Column(name="x", scale="numeric", missing=(CANARY,)),))
    data = Microdata(pa.table({"x": [1, None]}), schema, user_missing={"x": pa.array([None, CANARY])})
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        write(data, tmp_path / f"a.{ending}")
    assert [entry.category for entry in told] == [TacitaWarning]
    assert CANARY not in str(told[0].message)


def test_errors_while_writing(tmp_path):
    table = pa.table({"x": pa.array([CANARY.encode() + b"\xff"])})
    for ending in ("csv", "sav", "dta"):
        with pytest.raises(TacitaError) as caught:
            write(Microdata.from_frame(table), tmp_path / f"a.{ending}")
        assert silent(caught.value)
    long = Microdata(pa.table({"x": ["y"]}), Schema((Column(name="x", scale="nominal", missing=(CANARY,)),)))
    with pytest.raises(TacitaError) as caught:
        write(long, tmp_path / "a.sav")
    assert silent(caught.value)
