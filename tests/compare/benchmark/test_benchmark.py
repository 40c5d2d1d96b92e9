"""The benchmark as a whole: what it ranks is what evaluate measures, and the same seed gives the same result."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import tacita as tc
from tacita.compare.benchmark.benchmark_result import BenchmarkResult
from tacita.core.errors import ParameterError, UnknownMethodError

FEW: dict[str, Any] = {"masks": ["rank_swap", "mdav"], "size": 60, "seeds": 2, "processes": 1}


@pytest.fixture(scope="module")
def found() -> BenchmarkResult:
    return tc.benchmark(["households", "businesses"], **FEW)


@pytest.mark.filterwarnings("ignore::tacita.TacitaWarning")
def test_entries_are_what_evaluate_measures(found: BenchmarkResult) -> None:
    households = found["households"]
    assert [entry.score for entry in households.entries] == sorted(entry.score for entry in households.entries)
    entry = next(e for e in households.entries if e.candidate == "mdav, k = 5")
    data = tc.samples.household_survey(60, seed=1)
    release = tc.Recipe.from_toml(entry.recipe).apply(data, seed=1)
    card = tc.evaluate(data, release)
    assert entry.score == pytest.approx(card.score)
    assert entry.parts == pytest.approx({part.measure: part.points for part in card.score_parts()})
    assert entry.figures["score"].sd == 0, "it draws nothing, so one trial says all"
    assert card.strongest is not None
    assert entry.attack == card.strongest.measure
    assert households.untouched == pytest.approx(tc.evaluate(data, data, scenario={"known": "numeric columns"}).score)


def test_the_same_seed_gives_the_same_result(found: BenchmarkResult) -> None:
    again = tc.benchmark(["households", "businesses"], **FEW)
    assert json.dumps(again.as_plain()) == json.dumps(found.as_plain())


def test_recipes_of_ones_own_are_ranked_with_the_masks() -> None:
    own = tc.Recipe.from_toml('[[step]]\nmask = "rank_swap"\ncolumns = "numeric columns"\np = 12\n')
    result = tc.benchmark(["businesses"], masks=["mdav"], recipes={"ours": own}, size=60, seeds=1, processes=1)
    assert {entry.candidate for entry in result["businesses"].entries} > {"ours"}
    alone = tc.benchmark(["businesses"], masks=[], recipes={"ours": own}, size=60, seeds=1, processes=1)
    assert [entry.candidate for entry in alone["businesses"].entries] == ["ours"]
    assert alone["businesses"].entries[0].figures["score"].sd is None, "one seed has no spread"


def test_a_recipe_that_does_not_fit_fails_with_its_reason() -> None:
    own = tc.Recipe([tc.mask.Mdav(columns=["turnover", "wages"], k=3)])
    result = tc.benchmark(["households", "businesses"], masks=[], recipes={"ours": own}, size=60, seeds=1, processes=1)
    assert "turnover" in result["households"].failed["ours"]
    assert len(result["businesses"].entries) == 1


def test_sets_that_lack_a_column_of_the_scenario_are_left_out() -> None:
    result = tc.benchmark(
        ["households", "businesses"], scenario={"known": ["turnover"]}, masks=["mdav"], size=60, seeds=1, processes=1
    )
    assert [entry.name for entry in result.sets] == ["businesses"]
    assert "The scenario does not fit" in result.absent["households"]
    assert "linkage by turnover" in result["businesses"].scenario


def test_the_time_limit_leaves_trials_and_a_journal_goes_on(tmp_path: Path) -> None:
    short = tc.benchmark(["households"], **FEW, time_limit=1e-6, resume=tmp_path)
    assert short["households"].left >= 8
    whole = tc.benchmark(["households"], **FEW, resume=tmp_path)
    assert whole["households"].left == 0
    size = (tmp_path / "households.jsonl").stat().st_size
    again = tc.benchmark(["households"], **FEW, resume=tmp_path)
    assert (tmp_path / "households.jsonl").stat().st_size == size, "nothing was made anew"
    assert again.as_plain() == whole.as_plain()


def test_bad_input_is_refused_before_anything_is_tried() -> None:
    with pytest.raises(ParameterError, match="nothing to try"):
        tc.benchmark(["households"], masks=[])
    with pytest.raises(ParameterError, match="'size'"):
        tc.benchmark(["households"], size=5)
    with pytest.raises(ParameterError, match="no set to run on: The scenario does not fit"):
        tc.benchmark(["households"], scenario={"keys": ["nothing"]})
    with pytest.raises(UnknownMethodError, match="no_such_mask"):
        tc.benchmark(["households"], masks=["no_such_mask"], size=20)
