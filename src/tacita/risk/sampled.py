"""Risks that look at a sample of the masked records when there are very many."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Annotated, Any, Self

import numpy as np

from tacita.core.arrays import FloatArray, IntArray
from tacita.core.errors import MeasureError
from tacita.core.parameters import Interval
from tacita.core.selectors import Selector
from tacita.core.streams import Streams
from tacita.data.measure import Measured
from tacita.data.pairing import Pair
from tacita.numeric.statistics.shares import interval_of_share
from tacita.risk.base import Risk

__all__ = ["FEWEST", "MANY", "SampledRisk", "refuse_circles"]


MANY = 100_000
"""Paired records above which a sample of them is looked at."""
FEWEST = 500
"""Records that a sample has at least when it is taken to save time: its 95 % interval is then at most 9 points wide."""


@dataclass(frozen=True, kw_only=True)
class SampledRisk(Risk):
    """Base of risks whose cost is a search through the other file for every record.

    Parameters
    ----------
    exact
        Whether every masked record is looked at, however many there are.
    sample
        How many masked records are looked at when there are more than ``many``; each still meets the whole other file.
    many
        Number of records above which a sample of them is looked at; 100 000 where it is not given.
    seed
        Seed of what is drawn at random; the same seed gives the same number.
    """

    looks_at = "known"
    exact: bool = False
    sample: Annotated[int, Interval(1)] = 10_000
    many: Annotated[int, Interval(1)] | None = None
    seed: Annotated[int, Interval(0)] = 0

    def chosen(self, pair: Pair) -> IntArray:
        """Return which of the paired records are looked at: all, or a sorted sample without replacement."""
        n = len(pair.rows)
        if self.exact or n <= max(MANY if self.many is None else self.many, self.sample):
            return np.arange(n, dtype=np.int64)
        rng = Streams(self.seed).stream(self.name, "records")
        return np.sort(rng.choice(n, self.sample, replace=False, shuffle=False))

    def of_shares(self, pair: Pair, shares: FloatArray, parts: Mapping[str, float], note: str) -> Measured:
        """Return the percentage for chances of single records, with its interval where they are a sample."""
        value = float(shares.mean())
        if len(shares) == len(pair.rows):
            return Measured(100 * value, per_record=shares, parts=parts, note=note)
        low, high = (100 * end for end in interval_of_share(value, len(shares)))
        shown = {**parts, "95 % interval from": low, "95 % interval to": high}
        return Measured(100 * value, parts=shown, note=f"{note}; {self.sample_note(pair, low, high)}", upper=high)

    def on_sample(self, most: int, pair: Pair, **changes: Any) -> Self:
        """Return the measure with a sample of at most so many records, where the file has more; at least ``FEWEST``."""
        size = max(FEWEST, most)
        limited: dict[str, Any] = {"sample": size, "many": size} if len(pair.rows) > size else {}
        return replace(self, **limited, **changes)

    def sample_note(self, pair: Pair, low: float, high: float) -> str:
        """Say that a sample was taken and how sure its result is."""
        return (
            f"a sample of {self.sample} out of {len(pair.rows)} records, 95 % interval {low:.2f} to {high:.2f}; "
            "'exact' looks at all"
        )


def _varies(values: FloatArray) -> bool:
    known = values[~np.isnan(values)]
    return bool(known.size) and bool(known.min() < known.max())


def refuse_circles(owner: str, pair: Pair, known: Iterable[str]) -> None:
    """Refuse linkage by the columns that records without a link were paired by: every link would be right.

    A column that is constant in the original is equally far from all of them, so it took no part in the pairing.
    """
    if pair.is_true_pairing:
        return
    paired_by = pair.resolve(Selector("numeric columns"), owner=owner, scales=frozenset({"numeric"}))
    linking = set(known)
    further = [name for name in paired_by if name not in linking]
    if not any(_varies(pair.original.float(name)) for name in further):
        raise MeasureError(
            f"{owner}: records are paired by nearness in all numeric columns, so linking by the same columns is right by "
            "definition; let the intruder know fewer columns, or pair by link or row order."
        )
