"""The outlines: how they are read, and what stands in those of the package."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import numpy as np

from tacita.data.samples.query_logs import outline
from tacita.data.samples.query_logs.outline import LANGUAGES, outlined_topics, read_outline, said, word_lists

FOLDER = Path(outline.__file__).parent


def test_deeper_lines_lie_below() -> None:
    lines = ["Arts:", " Music: songs", "  Jazz: swing be_bop", " Film: actors", "Sports:"]
    assert dict(read_outline(lines)) == {
        ("Arts",): (),
        ("Arts", "Music"): ("songs",),
        ("Arts", "Music", "Jazz"): ("swing", "be bop"),
        ("Arts", "Film"): ("actors",),
        ("Sports",): (),
    }


def test_a_town_stands_below_its_letter_and_has_what_every_town_has() -> None:
    paths = dict(read_outline(["Regional:", " Spain:", "  @ Barcelona: gaudi ramblas"]))
    town = ("Regional", "Spain", "Localities", "B", "Barcelona")
    assert paths[town][:2] == ("gaudi", "ramblas")
    assert paths[(*town, "Travel_and_Tourism")][0] == "barcelona hotels"


def test_a_name_is_said_as_people_say_it() -> None:
    assert said("Stocks_and_Bonds") == ("stocks", "bonds")
    assert said("Grand_Theft_Auto") == ("grand theft auto",)


def test_a_name_that_says_nothing_follows_the_one_above() -> None:
    words = {topic.path: topic.words for topic in outlined_topics()}
    clubs = next(path for path in words if path[-3:] == ("UEFA", "Spain", "Clubs"))
    assert not words[clubs] or words[clubs][0] == "spain clubs"


def test_every_category_at_the_end_of_a_branch_has_words() -> None:
    topics = outlined_topics()
    above = {topic.path[:-1] for topic in topics}
    assert not [topic.path for topic in topics if topic.path not in above and not topic.words]


def test_most_categories_have_eight_words_or_more() -> None:
    sizes = np.array([len(topic.words) + len(topic.shared) for topic in outlined_topics() if topic.words])
    assert np.mean(sizes >= 8) > 0.95
    assert all(len(set(topic.words + topic.shared)) == len(topic.words + topic.shared) for topic in outlined_topics())


def test_words_with_several_meanings_stand_in_several_categories() -> None:
    topics = outlined_topics()
    for word in ("java", "jaguar", "python", "apple", "bank", "mercury", "turkey"):
        firsts = {topic.path[:2] for topic in topics if word in topic.words}
        assert len(firsts) >= 2, word


def test_every_language_has_topics() -> None:
    count = Counter(topic.language for topic in outlined_topics())
    assert set(count) == set(range(len(LANGUAGES)))
    assert all(count[number] >= 25 for number in count)


def test_words_are_written_small_and_once() -> None:
    for topic in outlined_topics():
        assert all(word == word.lower() and word == " ".join(word.split()) for word in topic.words)
    for language in LANGUAGES:
        listed = word_lists()["modifiers"][language]
        assert len(set(listed)) == len(listed)


def test_the_files_are_small() -> None:
    files = [path for path in FOLDER.rglob("*") if path.suffix in {".txt", ".toml"}]
    assert sum(path.stat().st_size for path in files) < 300_000
