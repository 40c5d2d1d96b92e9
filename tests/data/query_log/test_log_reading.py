from __future__ import annotations

import numpy as np
import pytest

from tacita.data.query_log.log_reading import BROKEN, LogReading, ReadingTally


def test_a_line_counts_under_the_first_reason() -> None:
    tally = ReadingTally(file="a")
    lines = np.arange(1, 6)
    wrong = {
        "rank": np.array([True, True, False, False, False]),
        "fields": np.array([True, False, False, True, False]),
    }
    assert tally.sort_out(lines, wrong).tolist() == [False, False, True, False, True]  # type: ignore[arg-type]
    reading = tally.reading(form=("aol",), files=("a",))
    assert list(reading.broken.items()) == [("fields", 2), ("rank", 1)]
    assert reading.first == {"fields": (("a", 1), ("a", 4)), "rank": (("a", 2),)}
    assert tally.most_broken() == "fields"
    assert ReadingTally().most_broken() is None


def test_only_the_first_places_are_kept() -> None:
    tally = ReadingTally(file="a")
    for start in (1, 100):
        tally.leave_out("time", np.arange(start, start + 4))
    assert [line for _, line in tally.first["time"]] == [1, 2, 3, 4, 100]
    reading = tally.reading(form=("csv",), files=("a",))
    assert reading.words().endswith("8 with a time that cannot be read (lines 1, 2, 3, 4, 100, ...).")


@pytest.mark.parametrize("why", BROKEN)
def test_every_reason_has_words(why: str) -> None:
    reading = LogReading(form=("aol",), files=("a",), lines=2, read=1, broken={why: 1}, first={why: (("a", 2),)})  # type: ignore[dict-item]
    assert reading.words().startswith("1 of 2 lines read. Left out: 1 ")
    assert reading.words().endswith("(line 2).")


def test_words_of_gaps_and_other_files() -> None:
    reading = LogReading(
        form=("aol",),
        files=("a", "b"),
        lines=2,
        read=2,
        without_query=1,
        without_time=1200,
        passed_over=("README.txt",),
    )
    assert reading.words() == (
        "2 of 2 lines of 2 files read. 1 line has no query. 1,200 lines have no time. No log, passed over: README.txt."
    )
