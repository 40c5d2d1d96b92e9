"""The task of post-masking optimisation on arrays: which values may move, what they are compared with, where they start."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Literal, NamedTuple

import numpy as np

from tacita.compare.optimise.masked_rules import MaskedRules
from tacita.compare.optimise.optimise_settings import Reading
from tacita.core.arrays import BoolArray, FloatArray, IntArray
from tacita.core.errors import DataError
from tacita.numeric.statistics.moments import column_mean, column_sd
from tacita.numeric.statistics.relative import relative_differences

__all__ = ["PostMasked", "PostMaskingTask", "Stop", "StopLimits", "chosen_cells"]


Stop = Literal["target reached", "no further improvement", "step limit", "time limit"]


class StopLimits(NamedTuple):
    """When to stop: the wanted E, the number of steps and the seconds; None where there is none."""

    target_e: float | None
    max_steps: int
    time_limit: float | None


class PostMasked(NamedTuple):
    """What a search returns: the values, how many steps it took and why it stopped."""

    values: FloatArray
    steps: int
    stopped: Stop


@dataclass(frozen=True, eq=False)
class PostMaskingTask:
    """Both files as arrays, and what may change.

    Parameters
    ----------
    x
        The original, the columns that an intruder knows first.
    y
        The masked file, in the same columns.
    rules
        What must hold in the result.
    known
        How many columns an intruder knows.
    nearest
        c(i): for each masked record the nearest original in all columns.
    reading
        Whether relative errors are taken of raw or of standardised values.
    movable
        Which values may change.
    """

    x: FloatArray
    y: FloatArray
    rules: MaskedRules
    known: int
    nearest: IntArray
    reading: Reading
    movable: BoolArray

    @classmethod
    def of(cls, x: FloatArray, y: FloatArray, rules: MaskedRules, *, known: int, reading: Reading) -> PostMaskingTask:
        """Find the nearest originals; nothing is chosen to change yet."""
        task = cls(x, y, rules, known, np.empty(0, np.int64), reading, np.zeros(y.shape, dtype=np.bool_))
        return replace(task, nearest=task.nearest_of(y))

    def nearest_of(self, values: FloatArray) -> IntArray:
        """Return for each masked record the nearest original in all columns."""
        from tacita.numeric.nearest.neighbours import nearest_records

        return nearest_records(self.standard(self.x), self.standard(values))

    @cached_property
    def mean(self) -> FloatArray:
        """Means of the original."""
        return column_mean(self.x)

    @cached_property
    def sd(self) -> FloatArray:
        """Standard deviations of the original, 1 for a constant column."""
        sd = column_sd(self.x)
        return np.asarray(np.where(sd > 0, sd, 1.0))

    def standard(self, values: FloatArray) -> FloatArray:
        """Return values standardised by the original; a missing one lies at the mean."""
        return np.ascontiguousarray(np.nan_to_num((values - self.mean) / self.sd))

    def base(self) -> FloatArray:
        """Return the original in the values that relative errors are taken of."""
        return np.ascontiguousarray(self.x if self.reading == "raw" else (self.x - self.mean) / self.sd)

    def losses(self, values: FloatArray, nearest: IntArray) -> FloatArray:
        """Return the relative error of every value, NaN where it has none: the terms of expression (5.2)."""
        compared = values if self.reading == "raw" else (values - self.mean) / self.sd
        return relative_differences(self.base()[nearest], compared)


def chosen_cells(task: PostMaskingTask, *, share: float, of: Literal["records", "values"]) -> BoolArray:
    """Return which values belong to the set M: those of the records, or the values, that contribute most to IL1'."""
    losses = np.nan_to_num(task.losses(task.y, task.nearest))
    free = task.rules.is_free & (column_sd(task.x) > 0)
    allowed = ~np.isnan(task.y) & free
    if task.rules.keep_zeros:
        allowed &= task.y != 0
    if of == "records":
        count = max(1, round(share * len(task.y)))
        chosen = np.zeros(len(task.y), dtype=np.bool_)
        chosen[np.argsort(-losses.sum(axis=1), kind="stable")[:count]] = True
        movable = allowed & chosen[:, None]
    else:
        flat = np.flatnonzero(allowed.ravel())
        count = max(1, round(share * task.y.size))
        movable = np.zeros(task.y.size, dtype=np.bool_)
        movable[flat[np.argsort(-losses.ravel()[flat], kind="stable")[:count]]] = True
        movable = movable.reshape(task.y.shape)
    if not movable.any():
        raise DataError(
            "optimise: no value may change. Zeros and totals stay, and so do missing values and constant columns; "
            "name more 'columns', or raise 'share'."
        )
    return movable
