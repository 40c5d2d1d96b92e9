"""Tests of ``tacita.data.directory.topic_index``, ``tacita.data.directory.topic_build``, ``tacita.data.directory.explained``."""

from __future__ import annotations

import dataclasses

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tacita.core.errors import DataError, ParameterError
from tacita.data import samples
from tacita.data.directory.directory import Directory
from tacita.data.directory.lookups import FALLBACK
from tacita.data.directory.topic_build import build_sections
from tacita.data.directory.topic_index import TopicIndex
from tests.oracles.logs.topic_index import all_categories

ENTRIES = [
    (("Sports", "Soccer", "Clubs", "Barcelona"), "FC Barcelona", "Official site of the club."),
    (("Sports", "Soccer", "Clubs", "Barcelona"), "Barça fans", "News of FC Barcelona."),
    (("Sports", "Soccer", "Clubs", "Madrid"), "Real Madrid", "Official site; often plays Barcelona."),
    (("World", "Deutsch", "Sport", "Fußball"), "FC Köln", "Verein mit Straße"),
    (("World", "Türkçe", "Spor"), "Beşiktaş", "İstanbul takımı ılık"),
    (("World", "Japanese"), "東京タワー", "観光"),
    (("World", "Thai"), "กรุงเทพ", ""),
    (("Regional", "Europe", "Spain"), "Barcelona", "The city."),
    (("Arts", "Music"), "The Who", "Rock band from London."),
    (("Shopping",), "McDonald's", "Burgers"),
]
DIRECTORY = Directory.from_entries(ENTRIES)
VOCABULARY = ["tea", "milk", "the", "rock", "soccer", "club", "Müsli", "x"]
SMALL = st.lists(
    st.tuples(
        st.lists(st.sampled_from(["Soccer", "Rock Club", "Tea", "The"]), min_size=1, max_size=3).map(tuple),
        st.lists(st.sampled_from(VOCABULARY), max_size=3).map(" ".join),
        st.lists(st.sampled_from(VOCABULARY), max_size=5).map(" ".join),
    ),
    min_size=1,
    max_size=10,
)
TEXTS = st.lists(st.sampled_from([*VOCABULARY, "unknown"]), max_size=4).map(" ".join)


@pytest.fixture(scope="module")
def index() -> TopicIndex:
    return TopicIndex.build(DIRECTORY)


def first(index: TopicIndex, text: str) -> str | None:
    found = index.categories(text)
    return found[0].path[-1] if found else None


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("fc barcelona", "Barcelona"),
        ("BARÇA", "Barcelona"),
        ("barca fans club", "Barcelona"),
        ("real madrid", "Madrid"),
        ("fussball", "Fußball"),
        ("FUSSBALL KOLN", "Fußball"),
        ("strasse", "Fußball"),
        ("besiktas", "Spor"),
        ("ISTANBUL", "Spor"),
        ("ILIK", "Spor"),
        ("東京", "Japanese"),
        ("กรุงเทพ", "Thai"),
        ("mcdonalds", "Shopping"),
        ("the who", "Music"),
        ("soccer madrid", "Madrid"),
        ("barcelnoa", "Barcelona"),
        ("soccer burgers qqqqqq", "Soccer"),
        ("qqqqqq", None),
        ("", None),
        ("\x00", None),
        ("\ud800", None),
        ('"fc barcelona" OR title:x* NEAR(', "Barcelona"),
        ("'; DROP TABLE documents; --", None),
    ],
)
def test_the_best_category_of_a_text(index: TopicIndex, text: str, expected: str | None) -> None:
    assert first(index, text) == expected


def test_a_category_with_many_matching_entries_wins() -> None:
    one = [(("One",), "guitar", "lessons")]
    many = [(("Many",), f"school {number}", f"guitar lessons {number}") for number in range(9)]
    assert first(TopicIndex.build(Directory.from_entries(one + many)), "guitar") == "Many"


def test_misspelt_words_can_be_left_alone(index: TopicIndex) -> None:
    assert index.categories("barcelnoa", typos=False) == ()
    assert index.classify(["barcelnoa"], typos=False).share().max() == 0
    assert index.classify(["barcelnoa"]).share()[0] == 1


@given(SMALL, TEXTS)
def test_the_ranking_is_that_of_the_slow_version(entries: list[tuple[tuple[str, ...], str, str]], text: str) -> None:
    directory = Directory.from_entries(entries)
    expected = all_categories(directory, text)
    found = TopicIndex.build(directory).categories(text, 100, typos=False)
    assert len(found) == len(expected)
    slow = dict(expected)
    np.testing.assert_allclose([topic.score for topic in found], [slow[topic.category] for topic in found], rtol=1e-5)
    np.testing.assert_allclose([topic.score for topic in found], [score for _, score in expected], rtol=1e-5)


def test_what_is_said_of_categories_and_weights_count() -> None:
    about = pa.array(
        ["football and futsal" if name == "Soccer" else None for name in DIRECTORY.tree.names], pa.string()
    )
    weight = np.where(DIRECTORY.category == DIRECTORY.category[-1], 50.0, 1.0)
    rich = dataclasses.replace(DIRECTORY, about=about, weight=weight)
    for text in ("futsal", "burgers", "soccer football", "fc barcelona"):
        found = TopicIndex.build(rich).categories(text, 100)
        expected = all_categories(rich, text)
        assert [topic.category for topic in found] == [category for category, _ in expected]
        np.testing.assert_allclose([topic.score for topic in found], [score for _, score in expected], rtol=1e-5)


# --- many texts -----------------------------------------------------------------------------------------------------------


@given(SMALL, st.lists(st.one_of(TEXTS, st.none()), max_size=6), st.sampled_from([1, 2, 5]))
def test_a_query_is_classified_as_a_whole(
    entries: list[tuple[tuple[str, ...], str, str]], texts: list[str | None], categories: int
) -> None:
    index = TopicIndex.build(Directory.from_entries(entries))
    made = index.classify(texts, categories=categories, depth=3, by="query")
    for level in range(1, 4):
        above = index.tree.at_level(level)
        for text, row in zip(texts, made.levels[level - 1].toarray(), strict=True):
            expected = {int(above[topic.category]) for topic in index.categories(text or "", categories)} - {-1}
            assert {int(place) for place in row.nonzero()[0]} == expected
            assert row.max(initial=0) <= 1


@given(SMALL, st.lists(TEXTS, max_size=6), st.sampled_from([1, 2, 5]))
def test_a_term_is_classified_by_itself(
    entries: list[tuple[tuple[str, ...], str, str]], texts: list[str], categories: int
) -> None:
    index = TopicIndex.build(Directory.from_entries(entries))
    made = index.classify(pa.array(texts, pa.string()), categories=categories, depth=2)
    for level in (1, 2):
        above = index.tree.at_level(level)
        for text, row in zip(texts, made.levels[level - 1].toarray(), strict=True):
            expected = np.zeros(len(index.tree), int)
            for term in set(text.lower().split()) - {"the"}:
                places = {int(above[topic.category]) for topic in index.categories(term, categories)} - {-1}
                expected[list(places)] += 1
            assert row.tolist() == expected.tolist()


def test_where_no_entry_has_all_words_most_words_win() -> None:
    entries = [((f"C{number}",), f"guitar {number}", "") for number in range(FALLBACK + 20)]
    entries += [(("Both",), "guitar", ""), (("Both",), "violin", ""), (("Violin",), "violin violin", "violin")]
    index = TopicIndex.build(Directory.from_entries(entries))
    assert first(index, "guitar violin") == "Both"
    assert "all words" in index.explain("guitar violin").lines()[2]


def test_long_texts_are_only_long(index: TopicIndex) -> None:
    long = "fc barcelona " * 800 + "word" * 3000
    assert first(index, long) == "Barcelona"
    made = index.classify([long, " ".join(f"w{number}" for number in range(3000))], by="query")
    assert made.share()[0] == 0.5


def test_blocks_make_no_difference(monkeypatch: pytest.MonkeyPatch) -> None:
    texts = ["fc barcelona", "official site", "rock band", "soccer burgers", "the who", "madrid barcelona club"]
    whole = TopicIndex.build(DIRECTORY).classify(texts, categories=5, by="query")
    parts = build_sections(DIRECTORY, postings=3)
    for name, array in build_sections(DIRECTORY).items():
        assert np.array_equal(parts[name], array), name
    monkeypatch.setattr("tacita.data.directory.lookups.TOGETHER", 1)
    again = TopicIndex.build(DIRECTORY).classify(texts, categories=5, by="query")
    assert all((one != other).nnz == 0 for one, other in zip(whole.levels, again.levels, strict=True))


def test_wrong_parameters_are_refused(index: TopicIndex) -> None:
    with pytest.raises(ParameterError, match="'categories' must be at least 1"):
        index.classify(["x"], categories=0)
    with pytest.raises(ParameterError, match="'depth' must be at least 1"):
        index.classify(["x"], depth=0)
    with pytest.raises(ParameterError, match="'by' must be"):
        index.classify(["x"], by="words")  # type: ignore[arg-type]
    with pytest.raises(ParameterError, match="'most' must be at least 1"):
        index.categories("x", 0)
    with pytest.raises(DataError, match="no category"):
        TopicIndex.build(Directory.from_entries([]))


def test_no_texts_and_no_words_are_no_trouble(index: TopicIndex) -> None:
    for by in ("terms", "query"):
        assert index.classify([], by=by).texts == 0
        assert index.classify(["", None, "?"], by=by).share().tolist() == [0] * 5
    bare = TopicIndex.build(Directory.from_entries([(("?",), "!", "")]))
    assert bare.categories("anything") == ()
    assert bare.explain("anything").topics == ()


# --- why ------------------------------------------------------------------------------------------------------------------


def test_it_is_explained_why(index: TopicIndex) -> None:
    lines = index.explain("the fc barcelnoa").lines()
    assert lines[0] == "the: a stop word"
    assert lines[2] == "barcelnoa: taken for barcelona, in 5 documents"
    assert lines[3] == "All words stand together."
    assert lines[4].startswith("Sports > Soccer > Clubs > Barcelona (")
    assert lines[4].endswith("2 entries: FC Barcelona; Barça fans)")
    assert index.explain("qqqqqq").lines()[0] == "qqqqqq: not in the index"


def test_faces_show_no_text(index: TopicIndex) -> None:
    why = index.explain("fc barcelona")
    shown = f"{index!r} {why!r} {why.words[0]!r} {why.topics[0]!r}".lower()
    assert "barcelona" not in shown
    assert repr(why) == "TopicExplanation of 2 words, 1 categories"


# --- the made log, whose categories are known -----------------------------------------------------------------------------


def test_the_true_category_comes_first_for_most_queries() -> None:
    """A query of several topics, such as java, has one truth and may have another first answer."""
    sample = samples.query_log(200, seed=1)
    index = TopicIndex.build(sample.directory)
    lines = np.flatnonzero((sample.truth >= 0) & (sample.log.query >= 0))[::7]
    texts = sample.log.texts.take(pa.array(sample.log.query[lines])).to_pylist()
    answers = [index.categories(text, 1) for text in texts]
    right = [
        bool(found) and found[0].category == truth for found, truth in zip(answers, sample.truth[lines], strict=True)
    ]
    assert len(lines) > 1000
    assert np.mean(right) > 0.8
