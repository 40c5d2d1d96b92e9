"""What a benchmark found: places over sets, and a file that can be read again."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tacita.compare.benchmark.benchmark_result import BenchmarkEntry, BenchmarkResult, SetResult
from tacita.compare.search.search_point import Spread
from tacita.core.errors import FileError


def entry(family: str, score: float, *, sd: float | None = 0.0, seeds: int = 2, attack: str = "dld") -> BenchmarkEntry:
    spread = Spread(score, sd, score, score)
    return BenchmarkEntry(
        family, family, {"score": spread}, {"il": score}, attack, seeds, f'[[step]]\nmask = "{family}"\n'
    )


def found(name: str, *entries: BenchmarkEntry, fingerprint: str = "f") -> SetResult:
    ordered = tuple(sorted(entries, key=lambda each: each.score))
    return SetResult(name, "made for the test", 10, 2, fingerprint, "0.5 il", "no keys", 50.0, ordered)


def result(*sets: SetResult) -> BenchmarkResult:
    return BenchmarkResult(sets, {}, {"size": 10, "seeds": 2, "seed": 1, "scenario": {}})


def test_places_are_means_over_the_sets_of_a_mask() -> None:
    both = result(
        found("one", entry("a", 10), entry("b", 20), entry("c", 30)),
        found("two", entry("a", 50), entry("b", 40)),
    )
    # By hand: a is first of three (0) and last of two (100), b in the middle (50) and first (0), c last (100).
    assert {place.family: place.place for place in both.ranking()} == {"a": 50.0, "b": 25.0, "c": 100.0}
    assert [place.family for place in both.ranking()] == ["b", "a", "c"]
    assert both.ranking()[0].scores == {"one": 20, "two": 40}


def test_equal_scores_share_a_place_and_only_the_best_counts() -> None:
    tied = result(found("one", entry("a", 10), entry("b", 10), entry("c", 30), entry("c", 5)))
    assert {place.family: place.place for place in tied.ranking()} == {"c": 0.0, "a": 75.0, "b": 75.0}


def test_a_file_says_the_same_again(tmp_path: Path) -> None:
    made = result(found("one", entry("a", 10, sd=None, seeds=1), entry("b", 20)), found("two"))
    path = tmp_path / "old.json"
    path.write_text(json.dumps(made.as_plain()), encoding="utf-8")
    assert BenchmarkResult.read(path).as_plain() == made.as_plain()


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ("[]", "no result of 'tacita benchmark'"),
        ('{"benchmark": "another"}', "no result of 'tacita benchmark'"),
        ('{"benchmark": "tacita-benchmark-1", "sets": 3}', "damaged"),
        ('{"benchmark": "tacita-benchmark-1", "version": "0", "settings": {}, "absent": {}, "sets": [{}]}', "damaged"),
        ("{", "old.json"),
    ],
)
def test_other_files_are_refused(tmp_path: Path, content: str, words: str) -> None:
    (tmp_path / "old.json").write_text(content, encoding="utf-8")
    with pytest.raises(FileError, match=words):
        BenchmarkResult.read(tmp_path / "old.json")
