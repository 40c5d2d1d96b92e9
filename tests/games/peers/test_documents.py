from __future__ import annotations

from math import log1p
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tacita.core.errors import DataError, FileError
from tacita.data.directory.words import words
from tacita.games.peers.documents import DocumentIndex, read_documents


def _slowly(texts: list[str], query: str) -> list[tuple[int, float]]:
    """BM25 as it is written, document by document."""
    lists = [words(text) for text in texts]
    mean = max(sum(map(len, lists)) / len(lists), 1.0)
    found = []
    for number, own in enumerate(lists):
        score = 0.0
        for word in set(words(query)):
            having, times = sum(word in other for other in lists), own.count(word)
            if times:
                rarity = log1p((len(lists) - having + 0.5) / (having + 0.5))
                score += rarity * times * 2.2 / (times + 1.2 * (0.25 + 0.75 * len(own) / mean))
        if score:
            found.append((number, score))
    return sorted(found, key=lambda pair: (-round(pair[1], 9), pair[0]))


@given(
    st.lists(st.lists(st.sampled_from(["sea", "salt", "moon", "the", "bread"]), max_size=8), min_size=1, max_size=8),
    st.lists(st.sampled_from(["sea", "salt", "moon", "nothing"]), max_size=4),
)
def test_scores_are_those_of_the_formula(documents: list[list[str]], query: list[str]) -> None:
    titles = [f"d{number}" for number in range(len(documents))]
    texts = [" ".join(document) for document in documents]
    found = DocumentIndex(titles, texts).search(" ".join(query))
    slow = _slowly([f"{title} {text}" for title, text in zip(titles, texts, strict=True)], " ".join(query))
    assert sorted(score for _, score in found) == pytest.approx(sorted(score for _, score in slow), abs=1e-4)
    assert {title for title, _ in found} == {titles[number] for number, _ in slow}


def test_the_best_come_first_and_equal_ones_in_their_order() -> None:
    index = DocumentIndex(["a", "b", "c"], ["salt", "salt salt", "salt"])
    assert [title for title, _ in index.search("SALT")] == ["b", "a", "c"]
    assert len(index.search("salt", most=2)) == 2
    assert index.search("pepper") == index.search("") == ()


def test_a_title_cannot_write_on_a_terminal() -> None:
    ((title, _),) = DocumentIndex(["a\x1b[2Jb" + "x" * 500], ["salt"]).search("salt")
    assert "\x1b" not in title
    assert len(title) == 120


def test_documents_of_a_user(tmp_path: Path) -> None:
    (tmp_path / "one.txt").write_text("salt and bread")
    (tmp_path / "two.txt").write_text("salt")
    (tmp_path / "other.md").write_text("salt")
    assert {title for title, _ in read_documents(tmp_path).search("salt")} == {"one", "two"}
    (tmp_path / "lines.tsv").write_text("First\tsalt\n\nSecond salt\n")
    assert {title for title, _ in read_documents(tmp_path / "lines.tsv").search("salt")} == {"First", "Second salt"}


def test_the_sample_is_there() -> None:
    index = read_documents("sample")
    assert len(index) > 1000
    assert index.search("soccer")


def test_no_documents_are_refused(tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    (tmp_path / "blank.txt").write_text("\n \n")
    (tmp_path / "latin.txt").write_bytes("caf\xe9".encode("latin-1"))
    for name, kind in (("empty", DataError), ("blank.txt", DataError), ("latin.txt", FileError), ("none", FileError)):
        with pytest.raises(kind, match=name):
            read_documents(tmp_path / name)
    with pytest.raises(DataError, match="must be documents"):
        DocumentIndex([], [])
