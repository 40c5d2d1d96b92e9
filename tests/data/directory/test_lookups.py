from __future__ import annotations

from collections import defaultdict

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tacita.data.directory.directory import Directory
from tacita.data.directory.lookups import Lookups, best_categories
from tacita.data.directory.topic_build import build_sections

SPEAKING = st.lists(st.tuples(st.integers(0, 4), st.integers(0, 6), st.sampled_from([0.5, 1.0, 1.5, 2.0])), max_size=40)


@pytest.mark.parametrize("counts", [False, True])
@given(speaking=SPEAKING, most=st.sampled_from([1, 2, 5, 8, 9, 50]))
def test_the_best_of_each_row(speaking: list[tuple[int, int, float]], most: int, counts: bool) -> None:
    speaking = sorted(speaking, key=lambda entry: entry[0])
    said: dict[int, dict[int, list[float]]] = defaultdict(lambda: defaultdict(list))
    for row, category, score in speaking:
        said[row][category].append(score)
    expected = [
        (row, category, sum(scores))
        for row, found in sorted(said.items())
        for category, scores in sorted(
            found.items(), key=lambda item: (-len(item[1]) if counts else 0, -sum(item[1]), item[0])
        )[:most]
    ]
    rows, categories, scores = (
        (np.array(column) for column in zip(*speaking, strict=True))
        if speaking
        else (np.zeros(0, np.int64), np.zeros(0, np.int64), np.zeros(0))
    )
    found = best_categories(rows, categories, scores.astype(float), most, counts=counts)
    assert list(zip(*(column.tolist() for column in found), strict=True)) == expected


@pytest.mark.parametrize("limit", ["_ROW", "_MANY"])
def test_long_rows_are_sorted(limit: str, monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(1)
    row, category = np.sort(rng.integers(0, 9, 500)), rng.integers(0, 40, 500)
    score = rng.integers(1, 5, 500) / 2
    short = best_categories(row, category, score, 5, counts=True)
    monkeypatch.setattr(f"tacita.data.directory.lookups.{limit}", 0)
    for one, other in zip(short, best_categories(row, category, score, 5, counts=True), strict=True):
        assert one.tolist() == other.tolist()


def test_few_words_and_many_are_found_alike() -> None:
    asked = [f"word{number}" for number in range(200)]
    lookups = Lookups(build_sections(Directory.from_entries([(("a",), word, "") for word in asked[::2]])))
    places = lookups.places(asked)
    assert places.tolist() == [int(lookups.places([word])[0]) for word in asked]
    assert (places >= 0).tolist() == [True, False] * 100
    assert [lookups.words[place].as_py() for place in places[::2]] == asked[::2]
    assert lookups.places(["\ud800", ""]).tolist() == [-1, -1]
