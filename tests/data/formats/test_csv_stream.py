"""A file read block by block is the file read as a whole: same values, types and codes, for plain and for messy columns."""

from __future__ import annotations

import io
import warnings
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tacita.core.errors import SchemaError, TacitaError
from tacita.data.columns import fingerprint
from tacita.data.formats import csv_read, csv_stream
from tacita.data.formats.base import ReadRequest
from tacita.data.formats.csv_form import find_form
from tacita.data.formats.csv_stream import stream_csv
from tacita.data.formats.narrow import long_table
from tacita.data.read import read

N = 400
BLOCK = 1 << 10

COLUMNS: dict[str, Any] = {
    "whole": [str(i * 37 - 900) for i in range(N)],
    "gaps": ["" if i % 3 else str(i) for i in range(N)],
    "late": [""] * (N - 5) + ["1", "2", "3", "4", "5"],
    "decimals": [f"{i / 7:.3f}" for i in range(N)],
    "first whole": [*map(str, range(N - 3)), "0.5", "0.25", "1e3"],
    "first decimal": ["0.5", *map(str, range(N - 1))],
    "zeros": ["0", "0.0", "-0", "00.5"] * (N // 4),
    "leading zero at the end": [*map(str, range(N - 1)), "007"],
    "dates": [f"20{i % 90 + 10}-01-{i % 28 + 1:02d}" for i in range(N)],
    "moments": [f"2020-01-{i % 28 + 1:02d} 12:00:00" for i in range(N)],
    "dates and NA": ["NA" if i % 50 == 7 else "2020-02-29" for i in range(N)],
    "words": [f"word {i % 9}" for i in range(N)],
    "word at the end": [*map(str, range(N - 1)), "none"],
    "words for missing": ["NA" if i % 9 == 4 else str(i) for i in range(N)],
    "no number": ["nan" if i % 9 == 4 else str(i / 8) for i in range(N)],
    "infinite": ["inf" if i % 9 == 4 else str(i / 8) for i in range(N)],
    "plus": ["+1.5" if i % 9 == 4 else str(i / 8) for i in range(N)],
    "blanks": [f" {i} " for i in range(N)],
    "long": [str(10**17 + i) for i in range(N - 1)] + ["0.5"],
    "longer": [str(10**25 + i) for i in range(N)],
    "tiny": ["0.5"] * (N - 1) + ["1e-400"],
    "true": ["true" if i % 3 else "false" for i in range(N)],
    "nothing": [""] * N,
    "hexadecimal": ["0x1A"] * N,
    "missing words": ["refused" if i % 11 == 5 else str(i) for i in range(N)],
}
DECLARED = {
    "missing words": {"missing": ("refused",)},
    "leading zero at the end": {"scale": "numeric"},
    "words": {"categories": tuple(f"word {i}" for i in range(9)), "missing": (3,)},
    "dates": {"scale": "date"},
    "true": {"scale": "nominal"},
    "word at the end": {"scale": "nominal"},
    "longer": {"scale": "ordinal"},
}


def written(folder: Path, columns: dict[str, list[str]], separator: str = ",") -> Path:
    lines = [separator.join(f'"{name}"' for name in columns)]
    lines += [separator.join(row) for row in zip(*columns.values(), strict=True)]
    path = folder / "file.csv"
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


def whole(path: Path, **request: Any) -> Any:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return csv_read.read_csv(path, ReadRequest(**request))


def streamed(path: Path, declared: Any = None, decimal: str | None = ".", block: int = BLOCK) -> Any:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return stream_csv(path, find_form(path), declared or {}, decimal, block=block)


def check_same(path: Path, **request: Any) -> None:
    found, expected = streamed(path, **request), whole(path, **request)
    assert found is not None
    made = long_table(found.table)
    assert made.schema == expected.table.schema
    assert fingerprint(made) == fingerprint(expected.table)  # NaN included
    assert found.codes == dict(expected.user_missing)


@pytest.mark.parametrize("name", COLUMNS)
@pytest.mark.parametrize("is_declared", [False, True])
def test_every_kind_of_column(tmp_path: Path, name: str, is_declared: bool) -> None:
    path = written(tmp_path, {"i": [str(i) for i in range(N)], name: COLUMNS[name]})
    facts = {name: DECLARED[name]} if is_declared and name in DECLARED else {}
    check_same(path, declared=facts)


def test_all_columns_together(tmp_path: Path) -> None:
    check_same(written(tmp_path, COLUMNS), declared=DECLARED)


@pytest.mark.parametrize("declared", [{"words": {"scale": "numeric"}}, {"whole": {"scale": "date"}}])
def test_what_the_schema_contradicts_is_refused_in_the_same_words(tmp_path: Path, declared: Any) -> None:
    path = written(tmp_path, {name: COLUMNS[name] for name in ("whole", "words")})
    with pytest.raises(SchemaError) as one:
        streamed(path, declared)
    with pytest.raises(SchemaError) as other:
        whole(path, declared=declared)
    assert str(one.value) == str(other.value)


FIELD = st.sampled_from(["", "1", "-2", "3.5", "0", "007", "NA", "x", "2020-01-01", "+4", "1e3", ".", "nan", "true"])


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(common=st.tuples(FIELD, FIELD), odd=st.lists(st.tuples(st.integers(0, N - 1), FIELD, FIELD), max_size=4))
def test_any_few_odd_fields_among_plain_ones(tmp_path: Path, common: Any, odd: Any) -> None:
    columns = [[common[0]] * N, [common[1]] * N]
    for place, *fields in odd:
        for column, text in zip(columns, fields, strict=True):
            column[place] = text
    check_same(written(tmp_path, {"i": ["1"] * N, "a": columns[0], "b": columns[1]}))


def test_decimal_commas_are_left_to_the_whole(tmp_path: Path) -> None:
    path = written(tmp_path, {"a": [f"{i},5" for i in range(N)], "b": ["x"] * N}, separator=";")
    assert streamed(path, decimal=None) is None
    assert streamed(path, decimal=",") is None
    assert read(path).schema["a"].scale == "numeric"


def test_semicolons_with_points_are_streamed(tmp_path: Path) -> None:
    path = written(tmp_path, {"a": [f"{i}.5" for i in range(N)], "b": ["x, y"] * N}, separator=";")
    found = streamed(path, decimal=None)
    assert found is not None
    assert long_table(found.table).equals(whole(path).table)


def test_quotation_marks_and_line_ends_in_fields(tmp_path: Path) -> None:
    fields = [f'"line {i}\nand ""more"""' for i in range(N)]
    check_same(written(tmp_path, {"i": [str(i) for i in range(N)], "text": fields}))


@pytest.mark.parametrize("spoil", ['1,"x\n', "1,2,3\n"])
def test_damaged_files_get_the_message_of_the_whole(
    tmp_path: Path, spoil: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = written(tmp_path, {"i": [str(i) for i in range(N)], "x": ["a"] * N})
    with path.open("a", encoding="utf-8") as file:
        file.write(spoil)
    with pytest.raises(TacitaError) as expected:
        read(path)
    monkeypatch.setattr(csv_read, "_LARGE", 1)
    with pytest.raises(TacitaError) as found:
        read(path)
    assert str(found.value) == str(expected.value)


def test_large_files_are_streamed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = written(tmp_path, COLUMNS)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        expected = read(path)
        monkeypatch.setattr(csv_read, "_LARGE", 1)
        monkeypatch.setattr(csv_read, "_read_text", lambda *_: pytest.fail("the file was read as a whole"))
        assert read(path).same_content(expected)


def test_blocks_are_put_together(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(csv_stream, "_TOGETHER", 2)
    path = written(tmp_path, COLUMNS)
    found = streamed(path, DECLARED)
    assert fingerprint(long_table(found.table)) == fingerprint(whole(path, declared=DECLARED).table)
    assert found.table.column("whole").num_chunks < len(io.FileIO(path).readall()) / BLOCK / 1.5


def test_a_header_alone_and_one_column_are_left_to_the_whole(tmp_path: Path) -> None:
    (tmp_path / "file.csv").write_text("a,b\n")
    assert streamed(tmp_path / "file.csv") is None
    (tmp_path / "file.csv").write_text("a\n1\n2\n")
    assert streamed(tmp_path / "file.csv") is None
