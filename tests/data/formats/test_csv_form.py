"""The form of a CSV file: encoding, separator and header, by looking at files that were written in every form."""

from __future__ import annotations

import csv
import io
from pathlib import Path

import pytest

from tacita.core.errors import FileError, ParameterError
from tacita.data.formats.csv_form import SEPARATORS, fields_up_to, find_form, looks_like_value, open_text


def written(path: Path, separator: str, encoding: str) -> Path:
    text = io.StringIO()
    rows = [["name", "größe", "note"], ["a", "1", "x y"], ["b", "2", 'say "hi"'], ["c", "3", f"in{separator}side"]]
    csv.writer(text, delimiter=separator).writerows(rows)
    path.write_bytes(text.getvalue().encode(encoding))
    return path


@pytest.mark.parametrize("separator", SEPARATORS)
@pytest.mark.parametrize(
    ("encoding", "found"), [("utf-8", "utf-8"), ("utf-8-sig", "utf-8"), ("cp1252", "cp1252"), ("utf-16", "utf-16")]
)
def test_every_form_is_found(tmp_path: Path, separator: str, encoding: str, found: str) -> None:
    form = find_form(written(tmp_path / "a.csv", separator, encoding))
    assert (form.encoding, form.separator, form.names) == (found, separator, ("name", "größe", "note"))
    assert form.has_quotes
    with open_text(tmp_path / "a.csv", form.encoding) as file:
        assert file.read().startswith("name")


def test_what_is_given_is_taken(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    path.write_text("a,b;c,d\n1,2;3,4\n")
    assert find_form(path).names == ("a", "b;c", "d")
    assert find_form(path, separator=";").names == ("a,b", "c,d")
    assert find_form(path, encoding="latin-1").encoding == "iso8859-1"


def test_blank_lines_and_one_column(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    path.write_text("\n\n age \n31\n47\n")
    form = find_form(path)
    assert (form.blank_lines, form.names, form.has_quotes) == (2, ("age",), False)


def test_a_tsv_has_tabs(tmp_path: Path) -> None:
    path = tmp_path / "a.tsv"
    path.write_text("a,b\tc,d\n")
    assert find_form(path).names == ("a,b", "c,d")


@pytest.mark.parametrize("text", ["3,2024-01-05\n4,2024-01-06\n", "12.5;x\n13.5;y\n"])
def test_a_first_record_is_refused_without_its_values(tmp_path: Path, text: str) -> None:
    path = tmp_path / "a.csv"
    path.write_text(text)
    with pytest.raises(FileError, match="looks like a record") as told:
        find_form(path)
    assert not any(value in str(told.value) for value in ("2024", "12.5"))


def test_years_may_be_names(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    path.write_text("region,2019,2020\nn,1,2\n")
    assert find_form(path).names == ("region", "2019", "2020")
    path.write_text('"12.5","x"\n1,2\n')
    assert find_form(path).names == ("12.5", "x")


@pytest.mark.parametrize(
    ("content", "match"),
    [(b"", "blank lines"), (b"\n \n", "blank lines"), (b"a\0b\n1\n", "zero bytes"), (b'a,"b\n1,2\n', "never closed")],
)
def test_headers_that_are_none(tmp_path: Path, content: bytes, match: str) -> None:
    path = tmp_path / "a.csv"
    path.write_bytes(content)
    with pytest.raises(FileError, match=match):
        find_form(path)


@pytest.mark.parametrize("wrong", [{"separator": ";;"}, {"separator": '"'}, {"encoding": "klingon"}])
def test_what_is_given_must_be_possible(tmp_path: Path, wrong: dict[str, str]) -> None:
    with pytest.raises(ParameterError, match=next(iter(wrong))):
        find_form(written(tmp_path / "a.csv", ",", "utf-8"), **wrong)


@pytest.mark.parametrize(
    ("name", "is_value"), [("-3", True), ("1e5", True), ("1.2.2024", True), ("x1", False), ("", False)]
)
def test_names_that_look_like_values(name: str, is_value: bool) -> None:
    assert looks_like_value(name) == is_value


def test_long_fields_are_for_one_reader_only() -> None:
    before = csv.field_size_limit()
    with fields_up_to(before + 7):
        assert csv.field_size_limit() == before + 7
    assert csv.field_size_limit() == before
