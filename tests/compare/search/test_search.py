"""Search: every point is what evaluate says, however it was run, and nothing is lost on the way."""

from __future__ import annotations

import json
import os
import signal
import sys
import threading
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest

import tacita as tc
from tacita.compare.search import workers
from tacita.compare.search.constraint import parse_constraint
from tacita.compare.search.search_result import SearchResult
from tacita.compare.search.trial import Trial, TrialPlan
from tacita.core import registry
from tacita.core.errors import ColumnError, FileError, MeasureError, ParameterError, UnknownMethodError
from tacita.core.parameters import Interval
from tacita.core.progress import show_progress
from tacita.core.streams import Streams
from tacita.core.traits import Traits
from tacita.data.microdata import Microdata
from tacita.mask import AdditiveNoise, Mdav, RankSwap
from tacita.mask.base import Mask
from tacita.mask.synthetic.new_records import new_records
from tacita.release.recipe import Recipe
from tests.core.test_progress import Recorder

MEASURES = ["il", "il1s", "dld", "rid", "strongest"]
GRID = [tc.grid(RankSwap, columns=("a", "b"), p=[5, 20]), tc.grid(Mdav, columns=("a", "b"), k=[3, 6])]


def file(n: int = 90) -> Microdata:
    rng = np.random.default_rng(4)
    return Microdata.from_frame(
        pa.table({"a": rng.lognormal(5, 1, n), "b": rng.normal(9, 1, n), "s": ["x", "y", "z"] * (n // 3)}),
        keys=["a", "b"],
    )


@pytest.fixture(scope="module")
def data() -> Microdata:
    return file()


@pytest.fixture(scope="module")
def found(data: Microdata) -> SearchResult:
    return tc.search(data, GRID, measures=MEASURES, score="default", seeds=3, processes=1)


# --- the points -----------------------------------------------------------------------------------------------------------


def test_points_are_means_over_seeds_of_what_evaluate_gives(data: Microdata, found: SearchResult) -> None:
    cards = [
        tc.evaluate(data, RankSwap(columns=("a", "b"), p=20).apply(data, seed=s), measures=MEASURES, score="default")
        for s in (1, 2, 3)
    ]
    point = found.points[1]
    assert point.label == "rank_swap, p = 20"
    for name in MEASURES:
        values = [card[name] for card in cards]
        spread = point.spread(name)
        assert spread is not None
        assert point.values(name) == tuple(values)
        assert (spread.mean, spread.low, spread.high) == (pytest.approx(np.mean(values)), min(values), max(values))
        assert spread.sd == pytest.approx(np.std(values, ddof=1))
    scores = [card.score for card in cards if card.score is not None]
    assert point["score"] == pytest.approx(np.mean(scores))
    assert sum(part.points for part in point.score_parts()) == pytest.approx(point["score"])
    assert point["risk"] == pytest.approx((point["strongest"] + point["rid"]) / 2)


def test_a_mask_without_chance_is_tried_once(found: SearchResult) -> None:
    assert [len(point.trials) for point in found] == [3, 3, 1, 1]
    spread = found.points[2].spread("il")
    assert spread is not None
    assert spread.sd == 0
    once = tc.search(file(), GRID, measures=MEASURES, seeds=1, processes=1).points[0].spread("il")
    assert once is not None
    assert once.sd is None


def test_frontier_is_what_nothing_beats(found: SearchResult) -> None:
    assert {p.label for p in found.frontier} == {p.label for p in found if p.is_on_frontier}
    for point in found:
        beaten = any(q["loss"] < point["loss"] and q["risk"] < point["risk"] for q in found)
        assert beaten != point.is_on_frontier
    assert [p["loss"] for p in found.frontier] == sorted(p["loss"] for p in found.frontier)


def test_best_under_a_constraint(found: SearchResult) -> None:
    limit = float(np.median([p["rid"] for p in found]))
    choice = found.best(f"il1s lowest subject to rid <= {limit}")
    good = [p for p in found if p["rid"] <= limit]
    assert choice.point["il1s"] == min(p["il1s"] for p in good)
    assert choice.label == choice.point.label
    assert choice.recipe == choice.point.recipe
    assert "rid" in repr(choice)
    assert found.best({"rid": limit}).point["loss"] == min(p["loss"] for p in good)
    assert found.best("highest il").point["il"] == max(p["il"] for p in found)
    assert found.best().point["score"] == min(p["score"] for p in found)
    with pytest.raises(MeasureError, match=r"No candidate meets rid <= 0; the nearest is '.*' with rid"):
        found.best("rid <= 0")
    with pytest.raises(MeasureError, match=r"No candidate has all of .*sdid"):
        found.best("sdid <= 5")


def test_variability_over_seeds_decides_when_every_seed_must_do(found: SearchResult) -> None:
    swap = found.points[0].spread("rid")
    assert swap is not None
    assert swap.low < swap.mean < swap.high
    only = tc.search(file(), GRID[0][:1], measures=MEASURES, processes=1)
    choice = only.best({"rid": swap.mean})
    assert 0 < choice.share < 1
    assert choice.as_plain()["share_of_seeds"] == choice.share
    with pytest.raises(MeasureError, match="for every seed"):
        only.best({"rid": swap.mean}, every_seed=True)
    assert only.best({"rid": swap.high}, every_seed=True).share == 1


def test_the_constraint_of_the_search_brings_its_measures() -> None:
    made = tc.search(file(), GRID, measures=["il"], constraint="il1s lowest with sdid <= 100", seeds=1, processes=1)
    assert {"il", "il1s", "sdid", "strongest", "rid"} <= set(made.points[0].measures)
    assert made.best().constraint == parse_constraint("il1s lowest with sdid <= 100")


def test_axes_and_score_of_ones_own() -> None:
    made = tc.search(file(), GRID, score=tc.Score({"pil": 0.5, "sdid": 0.5}), measures=["il"], seeds=1, processes=1)
    assert (made.loss.words, made.risk.words) == ("pil", "sdid")
    other = tc.search(file(), GRID, measures=["il"], loss="il1s", risk="rid", seeds=1, processes=1)
    assert (other.loss.words, other.risk.words) == ("il1s", "rid")


def test_names_recipes_and_progress() -> None:
    recorder = Recorder()
    given = {"mine": Recipe([RankSwap(columns="a", p=9), AdditiveNoise(columns="b")]), "other": Mdav(columns="a", k=3)}
    with show_progress(recorder):
        made = tc.search(file(), given, measures=["il", "rid"], seeds=2, processes=1)
    assert [p.label for p in made] == ["mine", "other"]
    assert made.families == ("rank_swap + additive_noise", "mdav")
    assert ("open", "Searching", 3) in recorder.events
    assert not any(event[0] == "open" and event[1] != "Searching" for event in recorder.events)


# --- what goes wrong ------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, kw_only=True)
class Fussy(Mask):
    """Fails when it is told to.

    Parameters
    ----------
    p
        1 fails with an error of ours, 2 with another one that quotes a value, 3 ends the process.
    """

    name = "fussy_of_the_search_tests"
    traits = Traits(stochastic=True)
    p: Annotated[float, Interval(0, 100)] = 0.0

    def transform(self, data: Microdata, streams: Streams) -> Microdata:
        del streams
        if self.p == 1:
            raise ParameterError("Fussy: not today.")
        if self.p == 2:
            raise RuntimeError("the value is 7351")
        if self.p == 3:
            os.kill(os.getpid(), signal.SIGKILL)
        return data


registry.unregister(Fussy)  # no other test should meet it


def test_failures_are_listed_with_their_reasons(data: Microdata) -> None:
    made = tc.search(data, [GRID, tc.grid(Fussy, p=[0, 1, 2])], measures=MEASURES, seeds=2, processes=1)
    assert len(made) == 5
    assert [(f.label, f.seed) for f in made.failed] == [
        (f"fussy_of_the_search_tests, p = {p}", seed) for p in (1, 2) for seed in (1, 2)
    ]
    assert made.failed[0].reason == "Fussy: not today."
    assert "unexpected RuntimeError" in made.failed[2].reason
    assert "7351" not in json.dumps(made.as_plain())
    assert "4 failures" in repr(made)


def test_a_trial_without_memory_is_made_again(data: Microdata, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    masks = [RankSwap(columns=("a",), p=5)]
    options = {"measures": ["il"], "columns": ["a"], "seeds": 1, "processes": 1, "resume": tmp_path / "j.jsonl"}

    def hungry(*_: object) -> None:
        raise MemoryError("the value is 7351")

    with monkeypatch.context() as patched:
        patched.setattr(RankSwap, "transform", hungry)
        first = tc.search(data, masks, **options)  # type: ignore[arg-type]
    assert len(first) == 0
    assert "not enough memory" in first.failed[0].reason
    assert "7351" not in json.dumps(first.as_plain())
    again = tc.search(data, masks, **options)  # type: ignore[arg-type]
    assert (len(again), again.failed) == (1, ())


def test_a_score_that_is_not_finite_is_left_out(data: Microdata) -> None:
    for weight in (1e308, 1e305):  # the sum overflows, or only its spread over seeds does
        score = tc.compare.Score({"il": weight, "dld": weight, "rid": weight})
        made = tc.search(data, [RankSwap(columns=("a", "b"), p=20)], score=score, seeds=3, processes=1)
        assert made.points[0].spread("score") is None
        json.dumps(made.as_plain(), allow_nan=False)


def test_a_candidate_without_a_place_is_listed(data: Microdata) -> None:
    made = tc.search(data, GRID, measures=["il", "rid"], columns=["s"], score="default", seeds=1, processes=1)
    assert len(made) == 0
    assert len(made.failed) == 4
    assert "no place on the map without 'il': IlMoments: works on numeric columns" in made.failed[0].reason
    with pytest.raises(MeasureError, match="No candidate has all"):
        made.best()
    assert made.to_frame().num_rows == 0


@pytest.mark.parametrize(
    ("options", "error", "sentence"),
    [
        ({"seeds": 0}, ParameterError, "'seeds' must be a whole number, at least 1, got 0"),
        ({"seeds": 2.0}, ParameterError, "'seeds' must be a whole number"),
        ({"seed": -1}, ParameterError, "'seed' must be a non-negative integer"),
        ({"processes": 0}, ParameterError, "'processes' must be"),
        ({"time_limit": 0}, ParameterError, "'time_limit' must be above 0 or nothing, got 0"),
        ({"measures": ["ill"]}, UnknownMethodError, "There is no measure named 'ill'"),
        ({"columns": ["c"]}, ColumnError, "'c' is not in the data"),
        ({"constraint": "dld is low"}, ParameterError, "cannot be read"),
        ({"score": "best"}, UnknownMethodError, "There is no score named 'best'"),
        ({"loss": "rid"}, ParameterError, "'loss' must name measures of that kind"),
        ({"candidates": []}, ParameterError, "'candidates' is empty"),
    ],
)
def test_bad_arguments_are_refused_before_anything_is_tried(
    data: Microdata, options: dict[str, object], error: type[Exception], sentence: str
) -> None:
    with pytest.raises(error, match=sentence):
        tc.search(data, **{"candidates": GRID, **options})  # type: ignore[arg-type]


def test_a_frame_is_no_microdata() -> None:
    with pytest.raises(ParameterError, match=r"search: 'data' must be Microdata, got DataFrame; Microdata\.from_frame"):
        tc.search(pd.DataFrame({"a": [1]}), GRID)  # type: ignore[arg-type]


def test_a_time_limit_leaves_the_rest_for_later(data: Microdata, tmp_path: Path, found: SearchResult) -> None:
    made = tc.search(
        data, GRID, measures=MEASURES, score="default", processes=1, time_limit=1e-9, resume=tmp_path / "j"
    )
    assert len(made) == 0
    assert len(made.left) == 8
    assert made.left[0] == ("rank_swap, p = 5", 1)
    assert "8 trials left by the time limit" in repr(made)
    whole = tc.search(data, GRID, measures=MEASURES, score="default", processes=1, resume=tmp_path / "j")
    assert whole.as_plain() == found.as_plain()


# --- resuming -------------------------------------------------------------------------------------------------------------


def test_finished_trials_are_not_made_again(
    data: Microdata, found: SearchResult, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    part = tc.search(data, GRID[0], measures=MEASURES, score="default", seeds=1, processes=1, resume=tmp_path / "j")
    assert len(part) == 2
    made: list[tuple[str, int]] = []
    honest = workers.try_recipe

    def counted(data: Microdata, recipe: Recipe, seed: int, plan: TrialPlan) -> Trial:
        made.append((recipe.to_toml(), seed))
        return honest(data, recipe, seed, plan)

    monkeypatch.setattr(workers, "try_recipe", counted)
    whole = tc.search(data, GRID, measures=MEASURES, score="default", seeds=3, processes=1, resume=tmp_path / "j")
    assert len(made) == 6
    assert whole.as_plain() == found.as_plain()
    again = tc.search(data, GRID, measures=MEASURES, score="default", seeds=3, processes=1, resume=tmp_path / "j")
    assert len(made) == 6
    assert again.as_plain() == found.as_plain()
    with pytest.raises(FileError, match="candidates that this search has not"):
        tc.search(data, GRID[1], measures=MEASURES, score="default", processes=1, resume=tmp_path / "j")
    with pytest.raises(FileError, match="other data"):
        tc.search(file(60), GRID, measures=MEASURES, score="default", processes=1, resume=tmp_path / "j")


# --- processes ------------------------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_processes_give_the_same_result(data: Microdata, found: SearchResult, tmp_path: Path) -> None:
    made = tc.search(data, GRID, measures=MEASURES, score="default", seeds=3, processes=2, resume=tmp_path / "j")
    assert made.as_plain() == found.as_plain()
    assert len((tmp_path / "j").read_text().splitlines()) == 9
    assert threading.active_count() < 10


@pytest.mark.slow
def test_a_process_that_dies_takes_one_trial_with_it(data: Microdata, tmp_path: Path) -> None:
    given = [tc.grid(Fussy, p=[3]), GRID]
    made = tc.search(data, given, measures=MEASURES, seeds=1, processes=2, resume=tmp_path / "j")
    assert [f.label for f in made.failed] == ["fussy_of_the_search_tests, p = 3"]
    assert "ended early (exit code -9); is there enough memory?" in made.failed[0].reason
    assert len(made) == 4
    assert len((tmp_path / "j").read_text().splitlines()) == 5  # it is tried again next time


def test_a_mask_of_this_place_stays_here(data: Microdata, found: SearchResult) -> None:
    @dataclass(frozen=True, kw_only=True)
    class Local(AdditiveNoise):
        """A mask that no other process can know."""

    plan = TrialPlan((), "auto")
    assert workers.can_travel([Recipe([RankSwap()]), *(p.recipe for p in found)], plan)
    assert not workers.can_travel([Recipe([Local()])], plan)


@pytest.mark.slow
def test_a_script_needs_no_main_guard(tmp_path: Path) -> None:
    import subprocess

    script = tmp_path / "script.py"
    script.write_text(
        "import tacita as tc\n"
        "data = tc.samples.household_survey(60, seed=1)\n"
        "found = tc.search(data, tc.grid('rank_swap', columns=['tax', 'savings'], p=[5, 9]), measures=['il', 'rid'],\n"
        "                  columns=['tax', 'savings'], seeds=2, processes=2)\n"
        "print(len(found), len(found.failed))\n"
    )
    done = subprocess.run([sys.executable, str(script)], capture_output=True, text=True, check=False)
    assert done.stdout.split() == ["2", "0"], done.stderr


# --- forms ----------------------------------------------------------------------------------------------------------------


def test_frame_and_json(found: SearchResult) -> None:
    frame = found.to_frame()
    assert frame.column("candidate").to_pylist() == [p.label for p in found]
    assert frame.column("il").to_pylist() == [p["il"] for p in found]
    assert frame.column("on_frontier").to_pylist() == [p.is_on_frontier for p in found]
    assert frame.column_names[:4] == ["candidate", "family", "seeds", "on_frontier"]
    plain = json.loads(json.dumps(found.as_plain(), allow_nan=False))
    assert plain["frontier"] == [p.label for p in found.frontier]
    for point in plain["points"]:
        assert point["score"]["mean"] == pytest.approx(sum(part["points"] for part in point["score_parts"]))
        assert Recipe.from_toml(point["recipe"])
    panda = tc.search(
        Microdata.from_frame(pd.DataFrame({"a": [1.0, 5, 2, 8, 9, 4]})), Mdav(columns="a", k=3), processes=1
    )
    assert isinstance(panda.to_frame(), pd.DataFrame)


def test_a_number_that_is_not_there(found: SearchResult) -> None:
    with pytest.raises(MeasureError, match="'pil' was not computed for 'rank_swap, p = 5'"):
        found.points[0]["pil"]
    assert found.points[0].spread("pil") is None


@dataclass(frozen=True, kw_only=True)
class NobodysRecords(Mask):
    """Draw records with replacement and forget where they came from."""

    name = "nobodys_records"
    traits = Traits(scales={"numeric", "ordinal", "nominal"}, stochastic=True, keeps_rows=False, synthetic=True)

    def transform(self, data: Microdata, streams: Streams) -> Microdata:
        rng = streams.stream("rows")
        return new_records(data.take(rng.integers(0, len(data), len(data))), data)


registry.unregister(NobodysRecords)


def test_synthetic_and_masked_candidates_stand_on_the_same_axes() -> None:
    """A recipe that draws anew is measured by what needs no pairs, and so is every other one."""
    data = tc.samples.household_survey(200, seed=1)
    found = tc.search(data, [tc.mask.RankSwap(columns=["savings"], p=10), NobodysRecords()], processes=1)
    assert len(found) == 2
    assert not found.failed
    axes = ("table_pmse", "citizen_match", "strongest")
    assert all(point.spread(name) is not None for point in found for name in axes)
