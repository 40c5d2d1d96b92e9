from __future__ import annotations

import numpy as np
import pytest

from tacita.core.errors import ParameterError
from tacita.core.streams import Streams
from tacita.games.vehicles import traffic as module
from tacita.games.vehicles.traffic import Traffic, drive
from tests.oracles.games import vehicles as oracle

SMALL = {"length": 4.0, "density": 5.0, "streets": 3, "minutes": 6.0, "hazards": 30.0, "invented": 20.0, "step": 5.0}


@pytest.mark.parametrize("roads", ["ring", "grid"])
def test_sightings_are_those_of_a_slow_look(roads: str) -> None:
    """All cars and dangers, step by step, with distances one by one."""
    traffic = Traffic(roads=roads, **SMALL)  # type: ignore[arg-type]
    streams = Streams(3).within("vehicles", "traffic")
    appears, vanishes, is_real, where = module._dangers(traffic, streams)
    road = module._Ring(traffic, streams) if roads == "ring" else module._Grid(traffic, streams)
    points, first = road.places(*where), {}
    for step in range(traffic.steps):
        for car, at in enumerate(road.now()):
            for danger, place in enumerate(points):
                near = oracle.on_the_torus(place, at, traffic.side) <= traffic.sight
                if appears[danger] <= step < vanishes[danger] and near:
                    first.setdefault((danger, car), step)
        road.advance()
    seen = drive(traffic, 3)
    assert len(seen.is_real) == len(is_real)
    assert {
        (d, c): s for d, c, s in zip(*(x.tolist() for x in (seen.danger, seen.car, seen.step)), strict=True)
    } == first
    assert len(first) > 100


def test_cars_of_a_grid_stay_on_its_streets_and_turn() -> None:
    traffic = Traffic(**SMALL)  # type: ignore[arg-type]
    road = module._Grid(traffic, Streams(1))
    turned = road._is_across.copy()
    before = road.now()
    for _ in range(60):
        road.advance()
        at = road.now()
        off = at / traffic.block
        assert (np.abs(off - np.round(off)).min(axis=1) < 1e-6).all()
        assert ((at >= 0) & (at < traffic.side)).all()
        apart = np.abs(at - before)
        moved = np.minimum(apart, traffic.side - apart).sum(axis=1)
        assert moved == pytest.approx(np.abs(road._move))  # around a corner as far as straight on
        before = at
    assert (turned != road._is_across).mean() > 0.2


def test_the_same_seed_drives_the_same() -> None:
    traffic = Traffic(**SMALL)  # type: ignore[arg-type]
    a, b, c = drive(traffic, 7), drive(traffic, 7), drive(traffic, 8)
    assert a.step.tobytes() == b.step.tobytes()
    assert a.car.tobytes() == b.car.tobytes()
    assert a.car.tobytes() != c.car.tobytes()


def test_speeds_and_dangers_are_as_asked() -> None:
    traffic = Traffic(length=200, density=10, streets=20, speed=60, minutes=60, hazards=3, invented=1, lasts=10)
    road = module._Grid(traffic, Streams(1))
    assert np.abs(road._move).mean() == pytest.approx(60 / 3.6 * traffic.step, rel=0.02)
    appears, vanishes, real, _ = module._dangers(traffic, Streams(1))
    assert real.sum() == pytest.approx(600, abs=75)  # three standard deviations
    assert (~real).sum() == pytest.approx(200, abs=43)
    stays = (vanishes - appears)[appears < traffic.steps // 4] * traffic.step / 60
    assert stays.mean() == pytest.approx(10, rel=0.25)


def test_no_lies_and_no_danger_near_are_no_trouble() -> None:
    seen = drive(Traffic(length=50, density=0.05, streets=2, minutes=1, hazards=0.001, invented=0), 1)
    assert seen.is_real.tolist() == [True]
    assert len(seen.step) <= 2


@pytest.mark.parametrize(
    ("changed", "said"),
    [({"density": 0.1, "length": 1.0}, "at least 2 cars"), ({"step": 60.0}, "'step'"), ({"streets": 100}, "'streets'"),
     ({"length": 10000.0, "density": 1000.0, "minutes": 1000.0}, "too much"), ({"roads": "lanes"}, "'roads'"),
     ({"hazards": 0.0}, "'hazards'"), ({"speed": float("nan")}, "'speed'")],
)  # fmt: skip
def test_traffic_that_cannot_be_is_refused(changed: dict[str, float], said: str) -> None:
    with pytest.raises(ParameterError, match=said):
        Traffic(**{**SMALL, **changed})  # type: ignore[arg-type]
