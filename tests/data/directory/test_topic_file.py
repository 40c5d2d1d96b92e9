"""Tests of ``tacita.data.directory.topic_file``: an index on the disk."""

from __future__ import annotations

import json
import struct
from pathlib import Path

import numpy as np
import pytest

from tacita.core.errors import FileError
from tacita.data.directory.directory import Directory
from tacita.data.directory.topic_build import build_sections
from tacita.data.directory.topic_file import is_index, load_sections, save_sections
from tacita.data.directory.topic_index import TopicIndex
from tests.data.directory.test_topic_index import DIRECTORY, ENTRIES

TEXTS = ["fc barcelona", "soccer burgers", "東京", "barcelnoa", "the who"]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    TopicIndex.build(DIRECTORY, tmp_path / "topics.index")
    return tmp_path / "topics.index"


def test_what_is_opened_answers_as_what_was_built(path: Path) -> None:
    opened, built = TopicIndex.open(path), TopicIndex.build(DIRECTORY)
    assert repr(opened) == repr(built)
    assert opened.tree.paths == built.tree.paths
    for text in TEXTS:
        assert opened.categories(text) == built.categories(text)
        assert opened.explain(text).lines() == built.explain(text).lines()


def test_the_same_directory_gives_the_same_bytes(path: Path, tmp_path: Path) -> None:
    TopicIndex.build(Directory.from_entries(ENTRIES), tmp_path / "again.index")
    assert (tmp_path / "again.index").read_bytes() == path.read_bytes()
    assert sorted(file.name for file in tmp_path.iterdir()) == ["again.index", "topics.index"]


def test_nothing_is_overwritten_unasked(path: Path) -> None:
    before = path.read_bytes()
    other = Directory.from_entries([(("a",), "b", "c")])
    with pytest.raises(FileError, match="overwrite=True"):
        TopicIndex.build(other, path)
    assert path.read_bytes() == before
    assert len(TopicIndex.build(other, path, overwrite=True).tree) == 1


def test_a_failure_leaves_nothing(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = path.read_bytes()

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("tacita.data.directory.topic_build._Kept.keep", full)
    with pytest.raises(FileError, match=r"No space left on device\. Nothing was changed"):
        TopicIndex.build(DIRECTORY, path, overwrite=True)
    assert path.read_bytes() == before
    assert [file.name for file in path.parent.iterdir()] == [path.name]


def test_a_directory_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(FileError, match="its directory does not exist"):
        TopicIndex.build(DIRECTORY, tmp_path / "none" / "topics.index")
    with pytest.raises(FileError, match="cannot be read"):
        TopicIndex.open(tmp_path / "none.index")


@pytest.mark.parametrize("text", [b"", b"x", b"TACITA-TOPICS-1\n", b"SQLite format 3\0" + b"\0" * 100])
def test_what_is_no_index_is_refused(tmp_path: Path, text: bytes) -> None:
    (tmp_path / "x").write_bytes(text)
    with pytest.raises(FileError, match="no index of topics"):
        TopicIndex.open(tmp_path / "x")


def test_every_damage_is_seen(path: Path) -> None:
    """A byte of the arrays, of the head, or the end of the file."""
    whole = path.read_bytes()
    used = sum(1 for _ in whole)
    for at in [*range(16, used, 97), used // 2]:
        broken = bytearray(whole)
        broken[at] ^= 0x55
        path.write_bytes(bytes(broken))
        try:
            same = TopicIndex.open(path)
        except FileError as error:
            assert "damaged" in str(error)  # noqa: PT017 - a byte between two arrays changes nothing
        else:
            assert same.categories("fc barcelona") == TopicIndex.build(DIRECTORY).categories("fc barcelona")
    for cut in (30, 300, used // 2, used - 100):
        path.write_bytes(whole[:cut])
        with pytest.raises(FileError, match="damaged"):
            TopicIndex.open(path)


@pytest.mark.parametrize(
    "name", ["categories", "documents", "category_of", "parents", "words_starts", "names", "titles_starts"]
)
def test_a_file_that_was_made_to_lead_astray_is_refused(tmp_path: Path, name: str) -> None:
    sections = {key: np.array(array) for key, array in build_sections(DIRECTORY).items()}
    sections[name][0 if name == "names" else -1] = 255 if name == "names" else 99
    save_sections(tmp_path / "odd.index", sections)
    with pytest.raises(FileError, match="damaged"):
        TopicIndex.open(tmp_path / "odd.index")


@pytest.mark.parametrize(
    "head", [b"[]", b"{}", b'{"words": 3}', b"\xff", b'{"words": {"type": "uint8", "place": -9, "length": 1}}']
)
def test_an_odd_head_is_refused(tmp_path: Path, head: bytes) -> None:
    (tmp_path / "x").write_bytes(b"TACITA-TOPICS-1\n" + struct.pack("<Q", len(head)) + head)
    with pytest.raises(FileError, match="damaged"):
        load_sections(tmp_path / "x")
    (tmp_path / "x").write_bytes(b"TACITA-TOPICS-1\n" + struct.pack("<Q", 1 << 60) + head)
    with pytest.raises(FileError, match="damaged"):
        load_sections(tmp_path / "x")


def test_an_index_is_known_by_its_beginning(path: Path) -> None:
    assert is_index(path)
    assert not is_index(path.parent)
    assert not is_index(path.parent / "none")
    (path.parent / "x").write_bytes(b"TACITA")
    assert not is_index(path.parent / "x")


def test_the_head_holds_no_text(path: Path) -> None:
    start = path.read_bytes()
    length = struct.unpack("<Q", start[16:24])[0]
    assert set(json.loads(start[24 : 24 + length])) >= {"words", "parents", "documents"}
