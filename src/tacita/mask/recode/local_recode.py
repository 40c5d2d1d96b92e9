"""Local recoding: every record gets the finest labels that it can share with enough others."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from tacita.core.arrays import IntArray
from tacita.core.attacks import Attack
from tacita.core.errors import ParameterError
from tacita.core.streams import Streams
from tacita.core.traits import Traits
from tacita.data.microdata import Microdata
from tacita.data.units import say_units
from tacita.mask.recode.group_model import GroupModelMask, RecodingTask
from tacita.mask.recode.ladders import described, with_labels

if TYPE_CHECKING:
    from tacita.mask.recode.ladders import KeyLadder
    from tacita.numeric.keys.local_recoding import LocalRecoding

__all__ = ["LocalRecode", "RecodedGroups"]


_MOST_NODES = 2**16
"""Combinations of levels up to which records are settled from below."""


@dataclass(frozen=True)
class RecodedGroups:
    """What local recoding did.

    Parameters
    ----------
    granularity
        1 less the mean over all key cells of (values that the cell may stand for - 1) / (values of the hierarchy - 1);
        missing cells count 0.
    groups, smallest
        Groups of equal keys, and the records of the smallest.
    direction
        How they were made.
    seconds
        Time that it took.
    """

    granularity: float
    groups: int
    smallest: int
    direction: str
    seconds: float

    def to_dict(self) -> dict[str, Any]:
        """Return all of it, ready for JSON."""
        return dict(vars(self))


@dataclass(frozen=True, kw_only=True)
class LocalRecode(GroupModelMask):
    """Bring every single key value to the finest level of its hierarchy at which its record has k - 1 companions.

    ``bottom up`` visits the combinations of levels from the least mean loss to the largest and settles the records that form
    groups of k there; the others go on. ``top down`` starts with everything at the coarsest levels and splits parts
    of the file along the hierarchies as long as k records are left on each side (Mondrian).

    Protects against linkage by the keys, with far less loss than one level for the whole file. Does not protect against an
    intruder who knows the others of a group. A value may occur in the file at several levels, which tables have to cope with.

    Parameters
    ----------
    direction
        ``bottom up`` loses less; ``top down`` is for many columns with deep hierarchies, with k and distinct l-diversity
        only. By default bottom up where there are at most 65 536 combinations of levels.

    Returns
    -------
    Microdata
        With the labels of each record's own levels. Columns in which a value was recoded are nominal.

    Raises
    ------
    DataError
        When a hierarchy does not cover a value, or not even one group of all records fulfils the model.
    ParameterError
        When entropy or recursive diversity or closeness is asked for from above.

    Preserves
    ---------
    k-anonymity: every combination of masked values occurs k times or more.

    Complexity
    ----------
    Bottom up O(d) for each record that is left at each node; top down O(n d) a level of splits. O(n d) memory.

    Notes
    -----
    Records that are too few at the end of the way up join the group that loses least by it. Where one label stands at two levels
    of a hierarchy, groups may coincide, which only makes them larger. A missing key is a value of its own until the level
    has one label for all values, which it then gets as well. Both ways are heuristics; no bound is claimed.

    A key that belongs to the household gets one level for the whole file: at different levels the members would tell on each
    other. From below it is the finest that pays, from above the coarsest that was reached.

    References
    ----------
    LeFevre, K., DeWitt, D. and Ramakrishnan, R. (2006), Mondrian multidimensional k-anonymity; Prasser, F. et al. (2020),
    Flexible data anonymization using ARX.

    Examples
    --------
    >>> import pyarrow as pa, tacita as tc
    >>> tree = tc.Hierarchy((("1", "1-2", "*"), ("2", "1-2", "*"), ("3", "3-4", "*"), ("4", "3-4", "*")))
    >>> data = tc.Microdata.from_frame(pa.table({"x": [1, 2, 3, 3, 4, 4]}), keys=["x"], hierarchies={"x": tree})
    >>> LocalRecode(k=2).apply(data).to_arrow().column("x").to_pylist()
    ['1-2', '1-2', '3', '3', '4', '4']
    """

    name = "local_recode"
    title = "Local recoding"
    attacks = (Attack(measure="individual_risk", knows="the coarser categories of everybody"),)
    faces = ("key_match", "minimality", "probabilistic_link")
    traits = Traits(scales={"numeric", "ordinal", "nominal", "date"}, preserves=("k-anonymity",), recodes=True)
    direction: Literal["bottom up", "top down"] | None = None

    def check(self) -> None:
        """Refuse what cannot be done from above."""
        if self.direction == "top down" and not self._fits_splits:
            raise ParameterError(
                "LocalRecode: 'direction' must be 'bottom up' with 't' below 1 or 'form' other than 'distinct'."
            )

    @property
    def _fits_splits(self) -> bool:
        return self.t >= 1 and (self.l <= 1 or self.form == "distinct")

    def find(self, data: Microdata) -> RecodedGroups:
        """Say what recoding would give, without changing the data."""
        return self._recode(data)[2]

    def transform(self, data: Microdata, streams: Streams) -> Microdata:
        """Recode the chosen columns."""
        if not len(data):
            data.schema.resolve(self.columns, owner="LocalRecode", scales=self.traits.scales)
            return data
        task, made, _ = self._recode(data)
        masked = data
        for j, ladder in enumerate(task.ladders):
            level = made.levels[task.pattern, j]
            if level.any():
                codes, labels = _cell_labels(ladder, level)
                column = described(data.schema[ladder.name], None)
                masked = with_labels(masked, ladder.name, codes, labels, column, owner="LocalRecode")
        return masked

    def _recode(self, data: Microdata) -> tuple[RecodingTask, LocalRecoding, RecodedGroups]:
        started = time.monotonic()
        task = self.task(data)
        direction = self.direction or (
            "bottom up" if task.lattice.size <= _MOST_NODES or not self._fits_splits else "top down"
        )
        units, shared = self.shared(data, task)
        made = _from_below(task, shared) if direction == "bottom up" else _from_above(task, shared)
        if made is None:
            raise self.unattainable(task, 0)
        lifted = [task.names[j] for j in shared if made.levels[:, j].any()]
        say_units(units, lifted, owner="LocalRecode", done="there is one level for the whole file")
        sizes = np.bincount(made.group[task.pattern]) if len(data) else np.zeros(0, dtype=np.int64)
        sizes = sizes[sizes > 0]
        report = RecodedGroups(
            granularity=1.0 - _mean_loss(task, made),
            groups=len(sizes),
            smallest=int(sizes.min(initial=len(data))),
            direction=direction,
            seconds=time.monotonic() - started,
        )
        return task, made, report


def _mean_loss(task: RecodingTask, made: LocalRecoding) -> float:
    """Return the mean over all key cells of the share of values that a cell may stand for."""
    lost = [
        ladder.share[made.levels[task.pattern, j], ladder.codes].mean() if len(ladder.codes) else 0.0
        for j, ladder in enumerate(task.ladders)
    ]
    return float(np.mean(lost))


def _from_below(task: RecodingTask, shared: tuple[int, ...]) -> LocalRecoding | None:
    """Recode bottom up; shared keys have one level for the file, the finest that pay, found by descent from the coarsest."""
    from tacita.numeric.keys.local_recoding import recode_bottom_up

    level = {j: task.lattice.top[j] for j in shared}
    best = recode_bottom_up(task.lattice, task.model, level)
    if best is None or not shared:
        return best
    loss, is_better = _mean_loss(task, best), True
    while is_better:  # every turn but the last takes one level off
        is_better, start = False, dict(level)
        for j in shared:
            if start[j] == 0:
                continue
            tried = start | {j: start[j] - 1}
            made = recode_bottom_up(task.lattice, task.model, tried)
            if made is not None and _mean_loss(task, made) < loss - 1e-12:
                best, level, loss, is_better = made, tried, _mean_loss(task, made), True
    return best


def _from_above(task: RecodingTask, shared: tuple[int, ...]) -> LocalRecoding | None:
    """Recode top down, then bring shared keys to the coarsest level that one of their cells has: groups can only merge."""
    from tacita.numeric.keys.mondrian import recode_top_down

    made = recode_top_down(task.lattice, task.model)
    if made is not None and len(made.levels):
        made.levels[:, list(shared)] = made.levels[:, list(shared)].max(axis=0)
    return made


def _cell_labels(ladder: KeyLadder, level: IntArray) -> tuple[IntArray, list[str | None]]:
    """Return codes into one list of the labels of all levels for the cells of a column."""
    starts = np.cumsum([0, *(len(labels) for labels in ladder.labels)])
    codes = starts[level] + ladder.up[level, ladder.codes]
    return np.asarray(codes, dtype=np.int64), [label for labels in ladder.labels for label in labels]
