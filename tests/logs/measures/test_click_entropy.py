"""Click entropies against their definition, on logs with and without clicks."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tacita.core.errors import MeasureError
from tacita.data.query_log.query_log import QueryLog
from tacita.logs import ClickEntropy
from tests.logs.measures.material import by_hand
from tests.oracles.logs import measures as slow

CLICKS = st.lists(st.tuples(st.sampled_from("qrs"), st.sampled_from("uvw")), min_size=1, max_size=20)


def clicked(clicks: list[tuple[str, str]]) -> QueryLog:
    return QueryLog.from_columns(["a"] * len(clicks), [q for q, _ in clicks], url=[u for _, u in clicks])


@given(CLICKS, CLICKS)
def test_the_slow_version(before: list[tuple[str, str]], after: list[tuple[str, str]]) -> None:
    found = ClickEntropy().of(clicked(before), None, by_hand(clicked(after), [0]))
    means = [slow.mean(dict(enumerate(slow.click_entropy(side).values()))) for side in (before, after)]
    assert found.parts["before"] == pytest.approx(means[0])
    assert found.parts["after"] == pytest.approx(means[1])
    assert found.value == pytest.approx(abs(means[0] - means[1]))
    weighted = sum(slow.click_entropy(before)[q] for q, _ in before) / len(before)
    assert found.parts["weighted before"] == pytest.approx(weighted)


def test_lines_without_a_click_do_not_count() -> None:
    log = QueryLog.from_columns(["a"] * 3, ["tea", "tea", ""], url=["x.org", "", "y.org"])
    found = ClickEntropy().of(log, None, by_hand(log.take([0]), [0]))
    assert found.value == 0.0
    assert found.parts["clicks kept"] == 100.0


@pytest.mark.parametrize("url", [None, ["", ""]])
def test_an_original_without_clicks_is_refused(url: list[str] | None) -> None:
    log = QueryLog.from_columns(["a", "b"], ["tea", "tea"], url=url)
    with pytest.raises(MeasureError, match="no clicks"):
        ClickEntropy().of(log, None, by_hand(log, [0, 1]))


def test_a_release_without_clicks_has_lost_all_of_it() -> None:
    log = QueryLog.from_columns(["a", "b"], ["tea", "tea"], url=["x", "y"])
    found = ClickEntropy().of(log, None, by_hand(QueryLog.from_columns(["p"], ["tea"]), [0, 0]))
    assert (found.value, found.parts["clicks kept"]) == (1.0, 0.0)
