"""Records that come too near: released records nearer to a person than other people are to each other, or than strangers are."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Self

import numpy as np

from tacita.core.arrays import FloatArray, IntArray
from tacita.core.errors import MeasureError
from tacita.core.parameters import ColumnName, Columns, Interval
from tacita.core.selectors import all_columns
from tacita.core.streams import Streams
from tacita.core.traits import MeasureTraits
from tacita.core.vocabulary import SCALES
from tacita.data.measure import Measured
from tacita.data.microdata import Microdata
from tacita.data.pairing import Pair
from tacita.data.side_by_side.groups import comparable_columns
from tacita.data.side_by_side.person_space import PersonSpace
from tacita.numeric.nearest.mixed_points import Points, few_nearest, nearer_share
from tacita.numeric.statistics.shares import beyond_chance, interval_of_share
from tacita.risk.sampled import SampledRisk

__all__ = ["NearestPerson", "nearer_than_neighbours"]

_WORK = 1e9
"""Comparisons of values that are made when nobody asked for the measure by name: some seconds."""


def nearer_than_neighbours(points: Points, people: Points, own: IntArray | None = None) -> FloatArray:
    """Return for each point whether it is nearer to its nearest person than that person's nearest neighbour is. O(m n d).

    A tie counts one half. ``own`` names points that are people themselves, by their rows: as if each had never been there.

    Examples
    --------
    >>> people = Points(np.array([[0.0], [10.0], [14.0]]), np.empty((3, 0), np.int64))
    >>> nearer_than_neighbours(people.rows(np.array([0])), people, np.array([0])).tolist()
    [0.0]
    """
    itself = np.full(len(points), -1) if own is None else own
    nearest, near = _first_but(*few_nearest(points, people, 2), itself[:, None])
    _, far = _first_but(*few_nearest(people.rows(nearest), people, 3), np.column_stack([itself, nearest]))
    return np.asarray((near < far) + 0.5 * (near == far), np.float64)


def _first_but(rows: IntArray, away: FloatArray, others: IntArray) -> tuple[IntArray, FloatArray]:
    """Return of each row's candidates the first that is none of the others, and how far it is; the last where all are."""
    allowed = (rows[:, :, None] != others[:, None, :]).all(axis=2)
    place = np.where(allowed.any(axis=1), allowed.argmax(axis=1), rows.shape[1] - 1)
    every = np.arange(len(rows))
    return rows[every, place], away[every, place]


@dataclass(frozen=True, kw_only=True)
class NearestPerson(SampledRisk):
    """Share of released records that are nearer to a person than chance would bring them.

    Without a holdout: a record is too near where its distance to the nearest original is smaller than the distance of that
    original to its own nearest neighbour. The same is asked of people, each as if he were not in the file: what they reach is
    what fresh people reach. With a ``holdout`` of people who were not used in the making: a record is too near where it is nearer
    to one of those who were than to one of as many who were not, and a half is what chance gives. With g the share that is too
    near and c that of chance the value is ``100 max(0, g - c) / (1 - c)``.

    Protects nothing by itself; it finds copies, records that were moved a little, and generators that learned by heart.

    Parameters
    ----------
    columns
        The columns that records are compared in; by default all that describe the respondent.
    holdout
        A column of the original that is true, or not 0, for people who were not used in the making.
    sample
        How many records are looked at when there are more than ``many``; each still meets the whole other file.
    many
        Number of records above which a sample of them is looked at; 2000 where it is not given.

    Returns
    -------
    Measured
        Percent of the released records, beyond chance. Parts in percent: ``too near`` = g; ``too near from`` and ``too near to``,
        its 95 % interval; ``by chance`` = c.

    Raises
    ------
    MeasureError
        When fewer than three people are there, or nobody or everybody is in the holdout.

    Complexity
    ----------
    O(m n d) for m records that are looked at and n originals, O(n d) memory.

    Notes
    -----
    The distance is that of the attack ``closest_record``: numbers by their spread, classes by whether they differ, a missing
    value as a class of its own. Several people who are alike in everything have a neighbour at distance 0, so that a record of
    their kind is not called near. The attack asks the other way round: who of the people is betrayed.

    References
    ----------
    Platzer, M. and Reutterer, T. (2021), Holdout-based empirical assessment of mixed-type synthetic data, Frontiers in Big
    Data 4, 679939, for the share with a holdout.

    Examples
    --------
    >>> import tacita as tc
    >>> data, fresh = (tc.samples.household_survey(300, seed=seed) for seed in (1, 2))
    >>> near = NearestPerson(columns=["age", "earnings", "savings", "region", "education"])
    >>> near(data, data).value > 80, near(data, fresh).value < 25
    (True, True)
    """

    name = "nearest_person"
    title = "Records nearer to a person than chance"
    looks_at = "measured"
    traits = MeasureTraits(scales=SCALES, unit="%", upper=100.0, by_default=False)
    columns: Columns = all_columns()
    holdout: ColumnName | None = None
    sample: Annotated[int, Interval(1)] = 2000
    many: Annotated[int, Interval(1)] | None = 2000

    def measure(self, pair: Pair, names: tuple[str, ...]) -> Measured:
        """Return the percentage that is too near beyond chance."""
        seen = pair.seen_by(frozenset({"numeric"}))
        kept = tuple(name for name in comparable_columns(pair, names) if name != self.holdout)
        if not kept:
            raise MeasureError(f"{type(self).__name__}: no column can be compared; name others in 'columns'.")
        if len(pair.original) < 3:
            raise MeasureError(f"{type(self).__name__}: three people are needed at least.")
        space = PersonSpace.of(kept, seen.original, seen.masked)
        people, released = space.points(seen.original), space.points(seen.masked)
        chosen = self._looked_at(pair.masked_rows)
        looked = released.rows(chosen)
        if self.holdout is None:
            share = float(nearer_than_neighbours(looked, people).mean())
            own = self._looked_at(np.arange(len(people), dtype=np.int64))
            chance = float(nearer_than_neighbours(people.rows(own), people, own).mean())
        else:
            share, chance = self._beside_holdout(looked, people, self._held(pair.original)), 0.5
        low, high = interval_of_share(share, len(chosen))
        parts = {
            "too near": 100 * share,
            "too near from": 100 * low,
            "too near to": 100 * high,
            "by chance": 100 * chance,
        }
        note = f"{len(kept)} columns" + ("" if self.holdout is None else ", against people who were held out")
        if len(chosen) < len(pair.masked_rows):
            note += f"; {len(chosen)} of {len(pair.masked_rows)} records looked at"
            return Measured(
                100 * beyond_chance(share, chance), parts=parts, note=note, upper=100 * beyond_chance(high, chance)
            )
        return Measured(100 * beyond_chance(share, chance), parts=parts, note=note)

    def fitted(self, pair: Pair, *, share: float = 1.0) -> Self:
        """Look at fewer records, where all would take long."""
        width = len(pair.original.names) + 4
        return self.on_sample(min(self.sample, int(share * _WORK / max(1, 4 * len(pair.original) * width))), pair)

    def _looked_at(self, rows: IntArray) -> IntArray:
        if self.exact or len(rows) <= max(self.many or 0, self.sample):
            return rows
        rng = Streams(self.seed).stream(self.name, "records")
        return np.sort(rng.choice(rows, self.sample, replace=False, shuffle=False))

    def _held(self, original: Microdata) -> IntArray:
        name = str(self.holdout)
        if original.schema[name].scale == "numeric":
            return np.flatnonzero(np.nan_to_num(original.float(name)) != 0)
        codes = original.codes(name)
        words = [str(category).strip().lower() for category in codes.categories]
        is_true = np.array([*(word in ("true", "yes", "1") for word in words), False])
        return np.flatnonzero(is_true[codes.values])

    def _beside_holdout(self, looked: Points, people: Points, held: IntArray) -> float:
        used = np.setdiff1d(np.arange(len(people)), held)
        if not len(held) or not len(used):
            raise MeasureError(
                f"{type(self).__name__}: 'holdout' must be true for some people of the original and not for others."
            )
        few, rng = min(len(held), len(used)), Streams(self.seed).stream(self.name, "people")
        drawn = [people.rows(np.sort(rng.choice(some, few, replace=False, shuffle=False))) for some in (used, held)]
        return nearer_share(looked, *drawn)[0]
