from __future__ import annotations

import gzip
import tracemalloc
from collections import Counter
from pathlib import Path

import pytest

from tacita.core.errors import FileError, ParameterError
from tacita.data.directory.category_tree import DEEPEST
from tacita.data.directory.directory import Directory
from tacita.data.directory.odp import read_odp
from tacita.data.directory.odp_records import records
from tests.data.directory.dump import HEAD, content, page, write_dump


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_dump(tmp_path_factory.mktemp("dump"), pages=3000)


@pytest.fixture(scope="module")
def directory(folder: Path) -> Directory:
    return read_odp(folder / "content.rdf.u8", folder / "structure.rdf.u8")


def filed(directory: Directory, title: str) -> tuple[tuple[str, ...], str]:
    """Where an entry is filed, and its description."""
    at = directory.title.to_pylist().index(title)
    return directory.tree.path(int(directory.category[at])), directory.description[at].as_py()


def test_a_page_is_filed_under_its_topic(directory: Directory) -> None:
    assert filed(directory, "Song 7") == (("Arts", "Music", "Style 7"), "Chord 0")


def test_entities_and_tags_become_text(directory: Directory) -> None:
    assert filed(directory, "Alien & Aliens")[1] == "Science fiction classics ."
    assert filed(directory, "Brazil")[1] == "Café é R&D &bogus;"


def test_letter_bars_belong_to_the_category_above(directory: Directory) -> None:
    assert filed(directory, "Alien & Aliens")[0] == ("Arts", "Movies", "Titles")
    assert filed(directory, "Brazil")[0] == ("Arts", "Movies", "Titles", "Brazil")


def test_a_letter_that_is_no_bar_stays(directory: Directory) -> None:
    assert filed(directory, "C FAQ") == (("Computers", "Programming", "Languages", "C"), "Questions & answers")


def test_letter_bars_stay_when_asked(folder: Path) -> None:
    kept = read_odp(folder / "content.rdf.u8", folder / "structure.rdf.u8", letter_bars=True)
    assert filed(kept, "Alien & Aliens")[0] == ("Arts", "Movies", "Titles", "A")


def test_letter_bars_are_found_without_a_structure(tmp_path: Path) -> None:
    path = tmp_path / "content.rdf.u8"
    pages = [page(f"Top/Arts/Titles/{letter}", f"Film {letter}", "") for letter in "ABCDEFGHIJ"]
    pages += [page(f"Top/Computers/Languages/{letter}", f"Language {letter}", "") for letter in "CDR"]
    path.write_bytes(HEAD + "".join(pages).encode())
    found = read_odp(path)
    assert filed(found, "Film A")[0] == ("Arts", "Titles")
    assert filed(found, "Language R")[0] == ("Computers", "Languages", "R")


def test_bytes_that_are_not_utf8_are_western(directory: Directory) -> None:
    assert filed(directory, "café “old”")[0] == ("Arts", "Latin")


def test_control_characters_go(directory: Directory) -> None:
    assert filed(directory, "Bell and null")[1] == "control"


def test_an_old_dump_has_topics_before_its_pages(directory: Directory) -> None:
    assert filed(directory, "Before 2003")[0] == ("Arts", "Older")
    assert filed(directory, "An old dump")[0] == ("Arts", "Old")


def test_a_record_without_an_end_is_kept(directory: Directory) -> None:
    assert filed(directory, "Never closed")[0] == ("Arts", "Cut")


def test_categories_of_the_structure_are_there_with_what_is_said_of_them(directory: Directory) -> None:
    assert directory.about is not None
    places = directory.tree.places
    assert directory.about[places["Arts", "Movies"]].as_py() == "Kino Films, cinema and directors."
    assert directory.about[places["Arts", "Events", "Festivals"]].as_py() == "Film Festivals"


def test_what_was_left_out_and_mended_is_counted(directory: Directory) -> None:
    reading = directory.reading
    assert reading is not None
    assert (reading.records, reading.kept) == (3000 + 16, 3000 + 11)
    assert reading.kept == len(directory)
    assert reading.left_out == {"of categories that were left out": 3, "of the root": 1, "without a title": 1}
    assert reading.broken == {
        "bare ampersands": 2,
        "control characters": 2,
        "entities that XML does not know": 1,
        "entities that nobody knows": 1,
        "entities without a semicolon": 1,
        "numbers that are no character": 1,
        "places that are not UTF-8": 3,
        "records without an end": 1,
        "tags without an end": 1,
    }
    assert "bare ampersands 2" in reading.words()


def test_left_out_categories_can_be_had(folder: Path) -> None:
    found = read_odp(folder / "content.rdf.u8", without=())
    assert {"Adult", "Test", "Bookmarks"} <= set(found.tree.names)


def test_languages_can_be_chosen(folder: Path, directory: Directory) -> None:
    assert directory.languages == ("Deutsch", "English", "Türkçe")
    german = read_odp(folder / "content.rdf.u8", languages=["Deutsch"])
    assert german.title.to_pylist() == ["FC Köln"]
    assert german.tree.names == ("World", "Deutsch", "Sport", "Fußball")
    english = read_odp(folder / "content.rdf.u8", languages=["English"])
    assert len(english) == len(directory) - 3
    with pytest.raises(ParameterError, match=r"Did you mean 'Deutsch'\?"):
        read_odp(folder / "content.rdf.u8", languages=["Deutsh"])


def test_gzip_is_the_same(tmp_path: Path, directory: Directory) -> None:
    packed = write_dump(tmp_path, pages=3000, packed=True)
    found = read_odp(packed / "content.rdf.u8.gz", packed / "structure.rdf.u8.gz")
    assert found.title.equals(directory.title)
    assert found.tree.names == directory.tree.names


@pytest.mark.parametrize("block", [1, 3, 7, 64, 1000])
def test_blocks_may_be_cut_anywhere(tmp_path: Path, block: int) -> None:
    path = tmp_path / "content.rdf.u8"
    path.write_bytes(content(5))
    whole: Counter[str] = Counter()
    parts: Counter[str] = Counter()
    expected = list(records(path, whole))
    assert list(records(path, parts, block=block)) == expected
    whole.pop("places that are not UTF-8"), parts.pop("places that are not UTF-8")  # one place may be cut in two
    assert parts == whole


def test_reading_takes_memory_for_the_entries_alone(tmp_path: Path) -> None:
    """Descriptions of a category that is left out are read and let go."""
    path = tmp_path / "content.rdf.u8"
    long = page("Top/Adult/X", "A title", "word " * 2000).encode()
    with path.open("wb") as file:
        for _ in range(4000):
            file.write(long)
    tracemalloc.start()
    found = [1 for _ in records(path, Counter(), block=1 << 18)]
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert len(found) == 4000
    assert path.stat().st_size > 40e6
    assert peak < 8e6


def test_a_hostile_record_is_given_up(tmp_path: Path) -> None:
    path = tmp_path / "content.rdf.u8"
    path.write_bytes(b'<ExternalPage about="' + b"x" * 3_000_000 + page("Top/Arts", "Behind it", "").encode())
    broken: Counter[str] = Counter()
    assert [record[:13] for record in records(path, broken, block=1 << 16)] == ["<ExternalPage"]
    assert broken["records longer than a million characters"] == 2
    endless = tmp_path / "endless.rdf.u8"
    endless.write_bytes(b"<Topic " + b"\x80" * 100_000)
    assert sum(map(len, records(endless, broken, block=1 << 10))) <= 100_007


def test_an_endless_path_ends(tmp_path: Path) -> None:
    path = tmp_path / "content.rdf.u8"
    path.write_bytes(HEAD + page("Top/" + "a/" * 100_000, "deep", "").encode())
    assert read_odp(path).tree.depth == DEEPEST


def test_a_file_that_is_no_dump_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "some.txt"
    path.write_text("nothing of the kind")
    with pytest.raises(FileError, match="no content file of the Open Directory"):
        read_odp(path)
    with pytest.raises(FileError, match="no structure file"):
        read_odp(None, path)
    with pytest.raises(FileError, match="give one"):
        read_odp(None)
    with pytest.raises(FileError, match="cannot be read"):
        read_odp(tmp_path / "missing")


def test_a_file_that_was_cut_off_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "content.rdf.u8.gz"
    packed = gzip.compress(content(2000))
    path.write_bytes(packed[: len(packed) // 2])
    with pytest.raises(FileError, match="damaged or cut off"):
        read_odp(path)
