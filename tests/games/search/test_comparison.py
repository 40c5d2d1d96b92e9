from __future__ import annotations

import json
import math
from typing import Any

import pytest

from tacita.core.errors import ParameterError
from tacita.games.search.comparison import SearchComparison, compare_search, run_figures
from tacita.games.search.play import SearchRules, play_search
from tests.games.search.material import compared_sample, drawn_community, sampled


@pytest.fixture(scope="module")
def compared() -> SearchComparison:
    return compared_sample()


def test_coprivacy_arises(compared: SearchComparison) -> None:
    """Done when: higher entropies than with random forwarding and with none, as a query sees them; free riders drop it."""
    coprivate, random, none = (compared.way(name) for name in ("coprivate", "random", "none"))
    assert coprivate["helped"] > 0.2
    assert coprivate["entropy_database_by_query"] > max(
        random["entropy_database_by_query"], none["entropy_database_by_query"]
    )
    assert coprivate["entropy_database"] > none["entropy_database"]
    assert coprivate["entropy_peers"] > random["entropy_peers"]
    riders = [row for row in compared.sweeps["free_riders"] if row["protocol"] == "coprivate"]
    assert [row["value"] for row in riders] == [0.0, 0.1, 0.2, 0.4, 0.6, 0.8, 1.0]
    for name in ("entropy_database", "entropy_database_by_query", "helped"):
        found = [row[name] for row in riders]
        assert found == sorted(found, reverse=True), name
    assert all(row["helpers"] > row["riders"] for row in riders[1:-1])
    assert riders[-1]["helped"] == 0


def test_every_line_that_was_checked_agrees(compared: SearchComparison) -> None:
    assert compared.checked["agree"] == compared.checked["checked"] == 60


def test_more_attempts_find_more_help(compared: SearchComparison) -> None:
    helped = [row["helped"] for row in compared.sweeps["attempts"]]
    assert helped[0] < helped[2] <= helped[-1] + 0.01


def test_relatives_need_nobody_and_hide_less_than_they_seem(compared: SearchComparison) -> None:
    fresh, cover = compared.way("masked, fresh fakes"), compared.way("cover queries")
    assert fresh["submissions_per_query"] == 3
    assert fresh["told_by_history"] > fresh["told"]
    assert cover["auc"] > 0.6
    assert compared.way("masked, kept fakes")["recall"] == 1


def test_lines_over_time_end_at_the_whole(compared: SearchComparison) -> None:
    last = [row for row in compared.over_time if row["way"] == "coprivate"][-1]
    assert last["queries"] == 6000
    assert last["entropy_database"] == pytest.approx(compared.way("coprivate")["entropy_database"])
    assert last["entropy_peers"] == pytest.approx(compared.way("coprivate")["entropy_peers"])


def test_it_is_json_without_nan(compared: SearchComparison) -> None:
    text = json.dumps(compared.as_plain(), allow_nan=False)
    assert json.loads(text)["community"]["peers"] == 150


def test_by_the_rules_forwards_are_as_even_as_can_be() -> None:
    run = play_search(drawn_community(1, 9, 3, 2000), SearchRules(topology="ring", degree=4), seed=1)
    assert run_figures(run)["evenness_peers"] == pytest.approx(1, abs=1e-12)
    random = play_search(
        drawn_community(1, 9, 3, 2000), SearchRules(protocol="random", topology="ring", degree=4), seed=1
    )
    assert run_figures(random)["evenness_peers"] < 0.999


def test_figures_of_nobody_are_nothing() -> None:
    figures = run_figures(play_search(sampled(), SearchRules(protocol="none"), seed=1))
    assert math.isnan(figures["entropy_peers"])
    assert math.isnan(figures["riders"])


@pytest.mark.parametrize("lines", [0, 1, 5])
def test_tiny_communities_are_compared(lines: int) -> None:
    found = compare_search(drawn_community(1, 2, 2, lines), seed=1)
    assert "cover queries" in [row["way"] for row in found.ways]
    json.dumps(found.as_plain(), allow_nan=False)


@pytest.mark.parametrize("asked", [{"k": 4}, {"rate": 3.0}])
def test_more_submissions_than_memory_holds_are_refused_first(
    asked: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tacita.games.search.sights._MOST_SUBMISSIONS", 3 * len(sampled()))
    with pytest.raises(ParameterError, match="'" + next(iter(asked))):
        compare_search(sampled(), seed=1, **asked)


def test_what_does_not_fit_is_said(compared: SearchComparison) -> None:
    with pytest.raises(ParameterError, match="'coalition'"):
        compare_search(sampled(), coalition=0, seed=1)
    with pytest.raises(ParameterError, match="no way 'tor'"):
        compared.way("tor")
