"""Traffic: cars that drive on a ring or a grid of roads, dangers that appear and vanish, and which car sees which when."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Literal

import numpy as np

from tacita.core.arrays import BoolArray, FloatArray, IntArray
from tacita.core.constraints import Interval
from tacita.core.errors import ParameterError
from tacita.core.parameterised import Parameterised
from tacita.core.progress import task
from tacita.core.streams import Seed, Streams, check_seed

__all__ = ["Sightings", "Traffic", "drive"]

_MOST_LOOKS = 2**30
"""Steps times cars; more would take half an hour."""
_MOST_PAIRS = 2**29
"""Cars times dangers, each a byte of memory."""


@dataclass(frozen=True, kw_only=True)
class Traffic(Parameterised):
    """Roads, the cars on them, and dangers: some real, some that attackers invent.

    Parameters
    ----------
    roads
        ring: one road in a circle. grid: streets that cross at right angles, on a torus, so that no car drives out of the city.
    length
        Kilometres of road in all.
    density
        Cars for each kilometre.
    streets
        Of a grid: how many run in each direction.
    speed
        Mean speed in kilometres per hour; cars keep speeds with a standard deviation of a fifth of it, in both directions.
    minutes
        How long is watched.
    step
        Seconds between two looks.
    hazards
        Real dangers for each kilometre and hour.
    lasts
        Minutes that a danger stays in the mean, at least one step.
    invented
        False dangers that attackers announce, for each kilometre and hour.
    sight
        Metres within which a driver sees a danger, and within which endorsers count as near it.

    Raises
    ------
    ParameterError
        When there would be no car, no danger, or more than a machine can drive.

    Examples
    --------
    >>> Traffic(length=10, streets=4, density=4).cars
    40
    """

    roads: Literal["ring", "grid"] = "grid"
    length: Annotated[float, Interval(0.5, 10_000)] = 40.0
    density: Annotated[float, Interval(0.01, 1000)] = 8.0
    streets: Annotated[int, Interval(1, 200)] = 8
    speed: Annotated[float, Interval(1, 300)] = 50.0
    minutes: Annotated[float, Interval(1, 10_000)] = 60.0
    step: Annotated[float, Interval(0.5, 60)] = 5.0
    hazards: Annotated[float, Interval(0, 1000, "right")] = 4.0
    lasts: Annotated[float, Interval(0.1, 10_000)] = 10.0
    invented: Annotated[float, Interval(0, 1000)] = 4.0
    sight: Annotated[float, Interval(5, 5000)] = 150.0

    def check(self) -> None:
        """Refuse what is empty, and what does not end in a reasonable time."""
        if self.cars < 2:
            raise ParameterError("Traffic: 'length' times 'density' must give at least 2 cars.")
        if self.speed / 3.6 * self.step * 1.6 > 2 * self.sight:
            raise ParameterError(
                "Traffic: 'step' must be shorter: in one step a fast car would drive past a danger without seeing it."
            )
        if self.roads == "grid" and self.block < self.speed / 3.6 * self.step * 1.6:
            raise ParameterError(
                "Traffic: 'streets' must be fewer, 'length' larger or 'step' shorter: in one step a fast car would cross two "
                "streets."
            )
        dangers = (self.hazards + self.invented) * self.length * self.minutes / 60
        if self.steps * self.cars > _MOST_LOOKS or self.cars * dangers > _MOST_PAIRS:
            raise ParameterError(
                "Traffic: there is too much of it; take a shorter time, a longer 'step', fewer cars or fewer dangers."
            )

    @property
    def cars(self) -> int:
        """How many cars there are."""
        return round(self.length * self.density)

    @property
    def steps(self) -> int:
        """How many looks are taken."""
        return max(int(self.minutes * 60 / self.step), 1)

    @property
    def side(self) -> float:
        """Metres around the ring, or along one side of the city: each street is as long."""
        return self.length * 1000 if self.roads == "ring" else self.length * 1000 / (2 * self.streets)

    @property
    def block(self) -> float:
        """Metres between two parallel streets."""
        return self.side / self.streets


@dataclass(frozen=True, eq=False, repr=False)
class Sightings:
    """Which car first came within sight of which danger, and when; sorted by danger, then time, then car.

    Parameters
    ----------
    traffic, seed
        What drove.
    appears, vanishes
        (dangers,): the steps from which, and before which, a danger is there.
    is_real
        (dangers,): whether it is a real one; the others are places of which attackers lie.
    danger, car, step
        (sightings,): the danger, the car, and the step of the first sight.
    """

    traffic: Traffic
    seed: Seed
    appears: IntArray
    vanishes: IntArray
    is_real: BoolArray
    danger: IntArray
    car: IntArray
    step: IntArray

    def __repr__(self) -> str:
        return f"Sightings: {len(self.step)} of {len(self.is_real)} dangers by {self.traffic.cars} cars"


def drive(traffic: Traffic, seed: Seed) -> Sightings:
    """Let the cars drive, and note when each first comes within sight of each danger.

    Cars and dangers are places in the plane; on the ring the distance is along the road, on the grid as the crow flies.

    Parameters
    ----------
    traffic
        Roads, cars and dangers.
    seed
        The same seed gives the same traffic.

    Complexity
    ----------
    O(steps x cars x log cars + sightings) time, O(cars x dangers) bytes of memory: each step builds a tree of the cars, in which
    those near each danger are found.

    Examples
    --------
    >>> seen = drive(Traffic(roads="ring", length=5, density=10, minutes=10), seed=1)
    >>> bool((seen.step >= seen.appears[seen.danger]).all())
    True
    """
    from scipy.spatial import cKDTree  # loads when used

    streams = Streams(check_seed(seed, owner="drive")).within("vehicles", "traffic")
    appears, vanishes, is_real, where = _dangers(traffic, streams)
    road = _Ring(traffic, streams) if traffic.roads == "ring" else _Grid(traffic, streams)
    points = road.places(*where)
    seen = np.zeros((len(appears), traffic.cars), np.bool_)
    found: list[tuple[IntArray, IntArray, IntArray]] = []
    with task("Driving", traffic.steps) as running:
        for step in range(traffic.steps):
            there = np.flatnonzero((appears <= step) & (step < vanishes))
            if len(there):
                tree = cKDTree(road.now(), boxsize=traffic.side)
                near = tree.query_ball_point(points[there], traffic.sight, return_sorted=True)
                rows = np.repeat(there, [len(cars) for cars in near])
                columns = np.asarray(np.concatenate(near), np.int64)
                new = ~seen[rows, columns]
                seen[rows[new], columns[new]] = True
                found.append((rows[new], columns[new], np.full(int(new.sum()), step, np.int64)))
            road.advance()
            running.advance()
    danger, car, at = (np.concatenate([np.empty(0, np.int64), *(one[i] for one in found)]) for i in range(3))
    order = np.lexsort((car, at, danger))
    return Sightings(traffic, int(seed), appears, vanishes, is_real, danger[order], car[order], at[order])


def _dangers(traffic: Traffic, streams: Streams) -> tuple[IntArray, IntArray, BoolArray, tuple[FloatArray, FloatArray]]:
    """Draw dangers: Poisson in time and place; a real one is there at least, so that shares of them have a meaning."""
    kinds = []
    for name, rate in (("hazards", traffic.hazards), ("invented", traffic.invented)):
        rng = streams.stream(name)
        count = int(rng.poisson(rate * traffic.length * traffic.minutes / 60))
        count = max(count, 1) if name == "hazards" else count
        appears = rng.integers(0, traffic.steps, count)
        stays = np.maximum(rng.exponential(traffic.lasts * 60 / traffic.step, count).astype(np.int64), 1)
        kinds.append(
            (appears, appears + stays, np.full(count, name == "hazards"), rng.random(count), rng.random(count))
        )
    appears, vanishes, real, along, street = (np.concatenate([kind[i] for kind in kinds]) for i in range(5))
    return appears, np.minimum(vanishes, traffic.steps), real, (along, street)


class _Ring:
    """Cars on a circle, each at its own speed, half of them in either direction."""

    def __init__(self, traffic: Traffic, streams: Streams) -> None:
        rng = streams.stream("cars")
        self._side = traffic.side
        self._at = rng.random(traffic.cars) * traffic.side
        self._move = _moves(traffic, rng)

    def places(self, along: FloatArray, street: FloatArray) -> FloatArray:
        del street
        return _inside(along * self._side, self._side)[:, None]

    def now(self) -> FloatArray:
        return self._at[:, None]

    def advance(self) -> None:
        self._at = _inside(self._at + self._move, self._side)


class _Grid:
    """Cars on streets of a torus; at a crossing one in two turns, left or right."""

    def __init__(self, traffic: Traffic, streams: Streams) -> None:
        rng = streams.stream("cars")
        self._side, self._block, self._streets = traffic.side, traffic.block, traffic.streets
        self._along = rng.random(traffic.cars) * traffic.side
        self._street = rng.integers(0, traffic.streets, traffic.cars)
        self._is_across = rng.random(traffic.cars) < 0.5
        self._move = _moves(traffic, rng)
        self._turns = streams.stream("turns")

    def places(self, along: FloatArray, street: FloatArray) -> FloatArray:
        number = np.floor(street * 2 * self._streets)
        return self._points(_inside(along * self._side, self._side), number // 2, number % 2 == 1)

    def _points(self, along: FloatArray, street: FloatArray | IntArray, is_across: BoolArray) -> FloatArray:
        fixed = street * self._block
        return np.stack([np.where(is_across, fixed, along), np.where(is_across, along, fixed)], axis=1)

    def now(self) -> FloatArray:
        return self._points(self._along, self._street, self._is_across)

    def advance(self) -> None:
        new = self._along + self._move
        crossed = np.floor(new / self._block) != np.floor(self._along / self._block)
        drawn = self._turns.random((2, len(new)))
        turns = np.flatnonzero(crossed & (drawn[0] < 0.5))
        passed = np.where(self._move > 0, np.floor(new / self._block), np.floor(self._along / self._block))[turns]
        left_over = np.abs(new[turns] - passed * self._block)
        self._move[turns] = np.abs(self._move[turns]) * np.where(drawn[1, turns] < 0.5, 1.0, -1.0)
        new[turns] = self._street[turns] * self._block + np.sign(self._move[turns]) * left_over
        self._street[turns] = passed.astype(np.int64) % self._streets
        self._is_across[turns] = ~self._is_across[turns]
        self._along = _inside(new, self._side)


def _moves(traffic: Traffic, rng: np.random.Generator) -> FloatArray:
    """Metres a step for each car: normal within three fifths of the mean, in either direction."""
    speed = traffic.speed / 3.6 * traffic.step
    drawn = np.clip(1 + 0.2 * rng.standard_normal(traffic.cars), 0.4, 1.6)
    return np.asarray(speed * drawn * np.where(rng.random(traffic.cars) < 0.5, 1.0, -1.0), np.float64)


def _inside(at: FloatArray, side: float) -> FloatArray:
    """Wrap places around; what rounding leaves at the end itself is the beginning."""
    wrapped = at % side
    return np.where(wrapped >= side, 0.0, wrapped)
