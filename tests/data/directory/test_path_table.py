from __future__ import annotations

import gzip
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tacita.core.errors import ColumnError, FileError, ParameterError
from tacita.data.directory.category_tree import DEEPEST
from tacita.data.directory.directory import Directory
from tacita.data.directory.path_table import read_path_table, write_path_table

MADE = Directory.from_entries(
    [(("a", "b b"), 'with "quotes", commas', "two\nlines"), (("c",), "tab\there", ""), (("a",), "ümlaut", "x")]
)
TEXT = st.text(st.characters(codec="utf-8", exclude_characters="\0\r"), max_size=8).map(str.strip)


@pytest.mark.parametrize("name", ["d.csv", "d.tsv", "d.csv.gz", "d.tsv.gz"])
def test_what_is_written_is_read(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    write_path_table(MADE, path)
    found = read_path_table(path)
    assert found.title.equals(MADE.title)
    assert found.description.equals(MADE.description)
    assert [found.tree.path(at) for at in found.category] == [MADE.tree.path(at) for at in MADE.category]
    before = path.read_bytes()
    write_path_table(MADE, path)
    assert path.read_bytes() == before


@given(st.lists(st.tuples(st.sampled_from(["a", "a b", "ç"]), TEXT, TEXT), max_size=6))
def test_any_text_comes_back(tmp_path_factory: pytest.TempPathFactory, rows: list[tuple[str, str, str]]) -> None:
    made = Directory.from_entries([((name,), title or "x", text) for name, title, text in rows])
    path = tmp_path_factory.mktemp("table") / "d.csv"
    write_path_table(made, path)
    found = read_path_table(path)
    assert found.title.equals(made.title)
    assert found.description.equals(made.description)


def test_columns_may_have_other_names(tmp_path: Path) -> None:
    path = tmp_path / "d.txt"
    path.write_text("\ufeffid;topic;name\n1;a > b;one\n", encoding="utf-8")
    found = read_path_table(path, separator=";", path_separator=">", columns={"category": "topic", "title": "name"})
    assert found.tree.path(int(found.category[0])) == ("a", "b")
    assert found.description.to_pylist() == [""]


def test_a_table_of_a_spreadsheet(tmp_path: Path) -> None:
    path = tmp_path / "d.csv"
    path.write_text("Title;CATEGORY;Description\none, two;a/b;x\n", encoding="utf-8")
    found = read_path_table(path)
    assert (found.title.to_pylist(), found.tree.paths) == (["one, two"], [("a",), ("a", "b")])


def test_endless_paths_and_lines_end(tmp_path: Path) -> None:
    path = tmp_path / "d.csv"
    path.write_text(f"category,title\n{'a/' * 100_000},deep\nb,{'x' * 9_000_000}\nc,last\n", encoding="utf-8")
    found = read_path_table(path)
    assert found.tree.depth == DEEPEST
    assert found.title.to_pylist()[-1] == "last"


def test_broken_lines_are_counted(tmp_path: Path) -> None:
    path = tmp_path / "d.csv"
    lines = [
        "category,title,description",
        "a/b,one,x",
        "a/b,short",
        "/ /,no category,x",
        "a,,",
        "",
        "c,caf\udce9,x,more,more",
    ]
    path.write_bytes("\n".join(lines).encode("utf-8", "surrogateescape"))
    found = read_path_table(path)
    assert found.title.to_pylist() == ["one", "short", "caf\ufffd"]
    assert found.reading is not None
    assert (found.reading.records, found.reading.kept) == (5, 3)
    assert found.reading.left_out == {"without a category": 1, "without a title": 1}
    assert found.reading.broken == {"lines with another number of columns": 2, "texts that do not fit the encoding": 1}


def test_an_open_quotation_mark_does_not_stop_the_reading(tmp_path: Path) -> None:
    path = tmp_path / "d.csv"
    path.write_text('category,title\na,one\nb,"open\n' + "c,more\n" * 300_000, encoding="utf-8")
    found = read_path_table(path)
    assert found.title[0].as_py() == "one"
    assert found.reading is not None
    assert found.reading.broken


@pytest.mark.parametrize(
    ("text", "error", "message"),
    [
        ("", FileError, "is empty"),
        ("category,titel\n", ColumnError, r"Column 'title' is not in .* Did you mean 'titel'\?"),
    ],
)
def test_what_cannot_be_read_is_refused(tmp_path: Path, text: str, error: type[Exception], message: str) -> None:
    path = tmp_path / "d.csv"
    path.write_text(text)
    with pytest.raises(error, match=message):
        read_path_table(path)


def test_wrong_parameters_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "d.csv"
    path.write_text("category,title\n")
    with pytest.raises(ParameterError, match="'columns' must map"):
        read_path_table(path, columns={"titles": "x"})
    with pytest.raises(ParameterError, match="'encoding'"):
        read_path_table(path, encoding="utf-99")
    with pytest.raises(ParameterError, match="'path_separator'"):
        read_path_table(path, path_separator="")
    with pytest.raises(FileError, match="cannot be read"):
        read_path_table(tmp_path / "missing.csv")
    packed = tmp_path / "d.csv.gz"
    packed.write_bytes(gzip.compress(b"category,title\n" + b"a,b\n" * 99_999)[:90])
    with pytest.raises(FileError, match="damaged or cut off"):
        read_path_table(packed)


def test_a_name_with_the_separator_is_not_written(tmp_path: Path) -> None:
    odd = Directory.from_entries([(("a/b",), "one", "")])
    with pytest.raises(FileError, match="choose another 'path_separator'"):
        write_path_table(odd, tmp_path / "d.csv")
    assert not list(tmp_path.iterdir())
    write_path_table(odd, tmp_path / "d.csv", path_separator="|")
    assert read_path_table(tmp_path / "d.csv", path_separator="|").tree.names == ("a/b",)
