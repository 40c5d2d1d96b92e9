"""The published statistics of a block: counts, means and medians of groups of few people."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal, Self

import numpy as np

from tacita.attack.targets import AttackTarget
from tacita.core.arrays import IntArray
from tacita.core.errors import AttackError

__all__ = ["BlockStatistic", "BlockTarget"]


@dataclass(frozen=True, kw_only=True)
class BlockStatistic:
    """One published number about a group of people of a block.

    Parameters
    ----------
    statistic
        What it is; means and medians are of the block's number, such as age.
    value
        What was published.
    of
        Who is in the group: for each variable the classes that belong to it; empty for everybody. The block's number has a pair
        of ends, such as ``(18, 64)``.
    digits
        To how many digits a mean was rounded.
    """

    statistic: Literal["count", "mean", "median"]
    value: float
    of: Mapping[str, Any] = field(default_factory=dict)
    digits: int = 1


@dataclass(frozen=True, eq=False, kw_only=True)
class BlockTarget(AttackTarget):
    """All statistics that were published about the people of one block.

    Parameters
    ----------
    number
        Name of the block's number, such as age.
    least, most
        Its smallest and largest possible value; whole numbers.
    classes
        The classes of every other variable.
    statistics
        What was published. The count of everybody must be among it.
    wanted
        The victims: places in the order of the block, by the number and then by the classes.
    """

    number: str
    least: int
    most: int
    classes: Mapping[str, Sequence[str]]
    statistics: tuple[BlockStatistic, ...]
    wanted: IntArray | None = None

    def __post_init__(self) -> None:
        for one in self.statistics:
            for name, chosen in one.of.items():
                if name != self.number and not set(chosen) <= set(self.classes.get(name, ())):
                    raise AttackError(f"A block: a statistic is about classes of '{name}' that there are none of.")

    @property
    def people(self) -> int:
        """How many people the block has; 0 where that was not published."""
        whole = [one.value for one in self.statistics if one.statistic == "count" and not one.of]
        return int(whole[0]) if whole else 0

    @property
    def victims(self) -> int:
        return self.people if self.wanted is None else len(self.wanted)

    def among(self, chosen: IntArray) -> Self:
        places = np.arange(self.people) if self.wanted is None else self.wanted
        return replace(self, wanted=np.asarray(places[chosen], np.int64))
