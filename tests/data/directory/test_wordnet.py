from __future__ import annotations

from pathlib import Path

import pytest

from tacita.core.errors import FileError
from tacita.data.directory.directory import Directory
from tacita.data.directory.topic_index import TopicIndex
from tacita.data.directory.wordnet import read_wordnet
from tacita.data.directory.words import words

DEBIAN = Path("/usr/share/wordnet")
LICENCE = "  1 This software and database is being provided  \n"
DATA = """\
00000001 03 n 01 entity 0 000 | that which is  
00000002 03 n 02 slope 0 incline 0 001 @ 00000001 n 0000 | an elevated formation; "over the slope"  
00000003 17 n 01 bank 0 001 @ 00000002 n 0000 | sloping land  
00000004 14 n 02 bank 1 banking_concern 0 002 @ 00000001 n 0000 @ 00000002 n 0000 | a financial institution  
00000005 15 n 01 Paris 0 002 + 00000009 a 0101 @i 00000001 n 0000 | a city  
00000006 15 n 01 bank 2 001 @ 00000002 n 0000 | a second kind of sloping land  
00000007 15 n 01 lost 0 001 @ 99999999 n 0000 | below what is not there  
00000008 15 n 01 hen 0 001 @ 00000009 n 0000 | laid by the egg  
00000009 15 n 01 egg 0 001 @ 00000008 n 0000 | laid by the hen  
0000000x 15 n zz broken  
0000000y 15 n 01 endless 0 999999999999 @ 00000001 n 0000 | so many pointers  
"""
INDEX = """\
bank n 3 1 @ 3 2 00000004 00000003 00000006  
banking_concern n 1 1 @ 1 1 00000004  
entity n 1 0 1 0 00000001  
broken n
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "data.noun").write_text(LICENCE + DATA)
    (tmp_path / "index.noun").write_text(LICENCE + INDEX)
    return tmp_path


def test_hypernyms_are_a_tree(folder: Path) -> None:
    made = read_wordnet(folder)
    assert [path for path in made.tree.paths if path[0] == "entity"] == [
        ("entity",),
        ("entity", "slope"),
        ("entity", "slope", "bank"),
        ("entity", "bank"),
        ("entity", "Paris"),
        ("entity", "slope", "bank (2)"),
    ]
    assert made.about is not None
    assert made.about[made.tree.places["entity", "bank"]].as_py() == "a financial institution"
    assert made.title.to_pylist()[:5] == ["entity", "slope", "incline", "bank", "bank"]


def test_circles_are_cut_and_counted(folder: Path) -> None:
    made = read_wordnet(folder)
    assert made.reading is not None
    assert made.reading.broken == {
        "circles of hypernyms": 1,
        "hypernyms that are not there": 1,
        "lines that are no set of synonyms": 2,
        "lines that are no word": 1,
    }
    assert {("hen",), ("hen", "egg"), ("lost",)} <= set(made.tree.paths)


def test_a_set_without_a_number_is_no_parent(folder: Path) -> None:
    with (folder / "data.noun").open("a") as file:
        file.write(" 03 n 01 nameless 0 001 @ 00000002 n 0000 | its offset is lacking\n")
    assert ("entity", "slope", "nameless") in read_wordnet(folder).tree.places


def test_senses_come_in_the_order_of_their_frequency(folder: Path) -> None:
    index = TopicIndex.build(read_wordnet(folder))
    assert [topic.path[1:] for topic in index.categories("bank")] == [
        ("bank",),
        ("slope", "bank"),
        ("slope", "bank (2)"),
    ]


def test_a_folder_without_a_database_is_refused(tmp_path: Path) -> None:
    with pytest.raises(FileError, match=r"'data\.noun' cannot be read"):
        read_wordnet(tmp_path)
    (tmp_path / "data.noun").write_text("something else\n")
    with pytest.raises(FileError, match="no database of WordNet"):
        read_wordnet(tmp_path)


# --- Debian's package -----------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def nouns() -> Directory:
    if not (DEBIAN / "data.noun").is_file():
        pytest.skip("WordNet is not installed; 'apt-get install wordnet-base' brings it")
    return read_wordnet(DEBIAN)


def test_all_nouns_hang_below_entity(nouns: Directory) -> None:
    assert nouns.reading is not None
    assert not nouns.reading.broken
    assert int((nouns.tree.parents < 0).sum()) == 1
    assert (len(nouns.tree), nouns.tree.names[0]) == (82_115, "entity")
    pairs = {
        (place, title.lower()) for place, title in zip(nouns.category.tolist(), nouns.title.to_pylist(), strict=True)
    }
    assert len(pairs) == 146_312  # both numbers stand in wnstats(7)
    assert any(path[-3:] == ("capital", "national capital", "Paris") for path in nouns.tree.paths)


def test_words_find_their_senses_in_order(nouns: Directory) -> None:
    """Of all words with several senses; a word that is also an abbreviation or a name with a point may have others between."""
    index = TopicIndex.build(nouns)
    assert nouns.weight is not None
    senses: dict[str, list[tuple[float, int]]] = {}
    for place, title, weight in zip(
        nouns.category.tolist(), nouns.title.to_pylist(), nouns.weight.tolist(), strict=True
    ):
        senses.setdefault(title.lower(), []).append((-weight, place))
    asked = [word for word, found in senses.items() if len(found) > 1 and words(word) == [word]][::10]
    right = 0
    for word in asked:
        expected = list(dict.fromkeys(place for _, place in sorted(senses[word])))
        right += [topic.category for topic in index.categories(word, len(expected), typos=False)] == expected
    assert len(asked) > 1000
    assert right / len(asked) > 0.99
