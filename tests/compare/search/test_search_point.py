"""A point of the map: means, spreads and shares over seeds, as plain Python computes them."""

from __future__ import annotations

import json
import statistics
from dataclasses import replace

import pytest

import tacita as tc
from tacita.compare.score import Score
from tacita.compare.search.candidates import Candidate
from tacita.compare.search.constraint import parse_constraint
from tacita.compare.search.frontier import Axis
from tacita.compare.search.search_point import SearchPoint, Spread, with_frontier
from tacita.compare.search.trial import Trial
from tacita.core.errors import MeasureError

LOSSES, RISKS = [3.0, 5.0, 10.0], [40.0, 20.0, 30.0]


def point(losses: list[float] = LOSSES, risks: list[float] = RISKS, mask: object = None) -> SearchPoint:
    recipe = tc.Recipe([mask or tc.mask.RankSwap(columns=["income"], p=5)])  # type: ignore[list-item]
    trials = tuple(
        Trial(seed, {"il1s": a, "dld": b}, {"pld": "too long"}, ("note",))
        for seed, (a, b) in enumerate(zip(losses, risks, strict=True))
    )
    loss, risk = Axis("loss", (("il1s", 1.0),)), Axis("risk", (("dld", 1.0),))
    return SearchPoint(Candidate(recipe, "swap 5"), trials, Score.named("default"), loss, risk)


def test_spreads_are_those_of_the_seeds() -> None:
    found = point().spread("dld")
    assert found is not None
    assert (found.mean, found.low, found.high) == (30.0, 20.0, 40.0)
    assert found.sd == pytest.approx(statistics.stdev(RISKS))
    assert point()["loss"] == pytest.approx(statistics.mean(LOSSES))


def test_one_seed_has_no_deviation_unless_chance_plays_no_part() -> None:
    assert Spread.of([3.0], is_exact=False).sd is None
    assert Spread.of([3.0], is_exact=True).sd == 0.0
    exact = point([3.0], [40.0], tc.mask.Mdav(columns=["income"])).spread("dld")
    assert exact is not None
    assert exact.sd == 0.0


def test_what_was_not_computed_is_none_or_an_error_with_its_reason() -> None:
    assert point().spread("pld") is None
    assert point().spread("score") is None, "its parts were not measured"
    with pytest.raises(MeasureError, match="'pld' was not computed for 'swap 5': too long"):
        point()["pld"]
    half = replace(point(), trials=(*point().trials, Trial(9, {"il1s": 1.0})))
    assert half.measures == ("il1s",)
    assert half.values("dld") is None


@pytest.mark.parametrize(
    ("limit", "share"), [("dld <= 30", 2 / 3), ("dld <= 30 and il1s <= 5", 1 / 3), ("dld <= 1", 0.0)]
)
def test_the_share_of_seeds_that_meet_a_constraint(limit: str, share: float) -> None:
    constraint = parse_constraint(f"il1s lowest subject to {limit}")
    assert point().share_that_meets(constraint) == pytest.approx(share)


def test_the_frontier_is_marked_by_means() -> None:
    made = with_frontier([point([1.0], [9.0]), point([5.0], [5.0]), point([6.0], [6.0])])
    assert [p.is_on_frontier for p in made] == [True, True, False]


def test_a_point_is_plain() -> None:
    plain = json.loads(json.dumps(point().as_plain(), allow_nan=False))
    assert plain["seeds"] == [0, 1, 2]
    assert plain["score"] is None
    assert plain["measures"]["dld"]["mean"] == 30.0
    assert plain["notes"] == ["note"]
    assert tc.Recipe.from_toml(plain["recipe"]) == point().recipe
