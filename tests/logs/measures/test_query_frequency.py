"""Rank correlations of frequencies against ranks by all pairs."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given

from tacita.data.query_log.query_log import QueryLog
from tacita.logs import QueryFrequencyCorrelation
from tests.logs.measures.material import MadeOf, by_hand, releases
from tests.oracles.logs import measures as slow


@given(releases())
def test_the_slow_version(found: MadeOf) -> None:
    (log, _), made = found
    before, after = (slow.Counter(text for _, text in slow.lines_of(side)) for side in (log, made.log))
    fast = QueryFrequencyCorrelation().of(log, None, made)
    assert fast.value == pytest.approx(slow.spearman(before, after), abs=1e-12)
    both = set(before) & set(after)
    kept = [slow.Counter({text: side[text] for text in both}) for side in (before, after)]
    assert fast.parts["queries kept"] == pytest.approx(slow.spearman(*kept), abs=1e-12)
    terms = [slow.Counter(w for text in side.elements() for w in text.split()) for side in (before, after)]
    assert fast.parts["terms"] == pytest.approx(slow.spearman(*terms), abs=1e-12)


def test_texts_that_nobody_asked_count() -> None:
    log = QueryLog.from_columns(["a", "a", "b"], ["tea", "tea", "milk"])
    same = QueryFrequencyCorrelation().of(log, None, by_hand(log, [0, 1]))
    other = QueryFrequencyCorrelation().of(log, None, by_hand(QueryLog.from_columns(["p"], ["Drinks"]), [0, 0]))
    assert same.value == pytest.approx(1.0)
    assert other.value == pytest.approx(-np.sqrt(3) / 2)  # ranks (2, 1, 0) and (1/2, 1/2, 2)


def test_nothing_left_has_no_order() -> None:
    log = QueryLog.from_columns(["a", "a", "b"], ["tea", "tea", "milk"])
    assert QueryFrequencyCorrelation().of(log, None, by_hand(log.take(np.zeros(0, int)), [-1, -1])).value == 0.0


def test_one_frequency_for_all_is_kept_where_nothing_is_lost() -> None:
    log = QueryLog.from_columns(["a", "b"], ["tea", "milk"])
    assert QueryFrequencyCorrelation().of(log, None, by_hand(log, [0, 1])).value == 1.0
    assert QueryFrequencyCorrelation().of(log, None, by_hand(log.take(np.zeros(0, int)), [-1, -1])).value == 0.0
