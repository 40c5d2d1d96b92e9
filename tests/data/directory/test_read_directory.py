from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from tacita.core.errors import FileError, ParameterError
from tacita.data.directory.directory import Directory
from tacita.data.directory.path_table import write_path_table
from tacita.data.directory.read_directory import read_directory
from tests.data.directory.dump import write_dump
from tests.data.directory.test_wordnet import DATA, INDEX

MADE = Directory.from_entries([(("a",), "one", ""), (("World", "Deutsch"), "zwei", "")])


def form(directory: Directory) -> str:
    assert directory.reading is not None
    return directory.reading.form


@pytest.mark.parametrize("packed", [False, True])
def test_a_folder_with_a_dump(tmp_path: Path, packed: bool) -> None:
    found = read_directory(write_dump(tmp_path, packed=packed))
    assert form(found) == "odp"
    assert ("Arts", "Events", "Festivals") in found.tree.places
    assert "FC Köln" in found.title.to_pylist()


@pytest.mark.parametrize("name", ["content.rdf.u8", "ad-content.rdf.u8", "dump.txt"])
def test_a_single_file_of_a_dump(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    shutil.move(write_dump(tmp_path) / "content.rdf.u8", path)
    found = read_directory(path, languages=["Deutsch"])
    assert (form(found), found.title.to_pylist()) == ("odp", ["FC Köln"])


def test_categories_alone(tmp_path: Path) -> None:
    found = read_directory(write_dump(tmp_path) / "structure.rdf.u8")
    assert (form(found), len(found)) == ("odp", 0)
    assert ("Arts", "Movies") in found.tree.places


@pytest.mark.parametrize("name", ["d.csv", "d.tsv.gz"])
def test_a_table(tmp_path: Path, name: str) -> None:
    write_path_table(MADE, tmp_path / name)
    assert form(read_directory(tmp_path / name)) == "table"
    assert read_directory(tmp_path / name, languages=["Deutsch"]).title.to_pylist() == ["zwei"]
    assert len(read_directory(tmp_path / name, form="table", path_separator="|")) == 2


@pytest.mark.parametrize("name", ["", "data.noun"])
def test_wordnet(tmp_path: Path, name: str) -> None:
    (tmp_path / "data.noun").write_text(DATA)
    (tmp_path / "index.noun").write_text(INDEX)
    assert form(read_directory(tmp_path / name)) == "wordnet"


def test_what_is_no_directory_is_refused(tmp_path: Path) -> None:
    with pytest.raises(FileError, match="is not there"):
        read_directory(tmp_path / "missing")
    with pytest.raises(FileError, match="must hold content"):
        read_directory(tmp_path)
    (tmp_path / "empty.csv").write_text("category,title\n")
    with pytest.raises(FileError, match="has no category"):
        read_directory(tmp_path / "empty.csv")
    with pytest.raises(ParameterError, match="'form' must be"):
        read_directory(tmp_path, form="dmoz")  # type: ignore[arg-type]
