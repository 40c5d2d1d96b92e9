"""Reconstruction of a block: all lists of people whose counts, means and medians are the published ones."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated, Any

import numpy as np
from numpy.random import Generator

from tacita.attack.attacker import Attacker
from tacita.attack.claims import Claims
from tacita.attack.reconstruction.block_target import BlockStatistic, BlockTarget
from tacita.core.arrays import BoolArray, FloatArray, IntArray
from tacita.core.errors import AttackError
from tacita.core.parameters import Interval
from tacita.core.progress import task
from tacita.core.traits import AttackTraits
from tacita.solve import Solver

__all__ = ["BlockReconstruction"]


@dataclass(frozen=True, kw_only=True)
class BlockReconstruction(Attacker):
    """Find every list of people that fits the published statistics of a block, by whole-number programmes.

    Parameters
    ----------
    most_found
        Lists after which the search ends; nothing is sure then.

    Complexity
    ----------
    O(c n) whole-number programmes for c candidates and n people, each in as many variables as there are kinds of people.

    Notes
    -----
    The unknowns are how many people of each kind there are: number (such as age) and classes. Counts and means are linear in
    them, a mean within the rounding that was published. A median of an odd group says how many are below and above; of an
    even group it is the mean of both middle ones, which are chosen by variables of their own. As the number of people is known,
    another list has fewer of some kind that the last one had: what is left is divided by the first such kind, so that every
    list is found once and none needs a cut of its own.

    A victim is a place in the order of the block, by the number and then by the classes; it is sure what all lists have there.

    References
    ----------
    Garfinkel, S., Abowd, J. M. and Martindale, C. (2019), Understanding database reconstruction attacks on public data,
    Communications of the ACM 62(3), 46-53.

    Examples
    --------
    Three men with a median of 30 and a mean of 44 years: 30 lists are possible when ages are 1 to 125.

    >>> men = (BlockStatistic(statistic="count", value=3), BlockStatistic(statistic="median", value=30),
    ...        BlockStatistic(statistic="mean", value=44))
    >>> block = BlockTarget(number="age", least=1, most=125, classes={}, statistics=men)
    >>> BlockReconstruction().run(block, np.random.default_rng(1))[0].figures["candidates"]
    30.0
    """

    name = "block_reconstruction"
    title = "Reconstruction of a block"
    traits = AttackTraits(
        against="table",
        learns="value",
        knows="all published statistics of the block, and which values are possible",
        breaks="exact counts, means and medians of many crossed groups of few people",
        held_by="suppression of statistics of small groups, and noise in all of them",
    )

    most_found: Annotated[int, Interval(1, 10_000)] = 200

    def declined(self, target: Any) -> str:
        if not isinstance(target, BlockTarget):
            return "There are no statistics of the people of a block."
        return "" if target.people else "The count of everybody was not published."

    def cost(self, target: Any) -> float:
        kinds = (target.most - target.least + 1) * float(np.prod([len(c) for c in target.classes.values()] or [1]))
        return float(5e-5 * kinds * self.most_found * target.people / 10 + 1e-4 * target.victims)

    def run(self, target: BlockTarget, rng: Generator) -> tuple[Claims, ...]:
        del rng  # nothing is drawn
        kinds = _kinds(target)
        model = _BlockModel(target, kinds)
        found = list(itertools.islice(model.every(), self.most_found + 1))
        if not found:
            raise AttackError("No list of people has these statistics: they were changed, or rounded in another way.")
        is_whole = len(found) <= self.most_found
        found = found[: self.most_found]
        lists = np.array([np.repeat(np.arange(len(kinds)), counts) for counts in found])
        places = np.arange(target.people) if target.wanted is None else target.wanted
        lists = lists[:, places]
        same = (lists == lists[:1]).all(axis=0)
        records = np.array([_words(kind) for kind in kinds], dtype=object)
        numbers = np.array([kind[0] for kind in kinds], np.float64)[lists]
        sure = same & is_whole
        told = f"{len(found)} lists of people fit" if is_whole else f"More than {len(found)} lists of people fit"
        figures = {"candidates": float(len(found)), "is_whole": float(is_whole), "same": float(same.sum())}
        known = (numbers == numbers[:1]).all(axis=0) & is_whole
        return (
            Claims(
                about="record",
                said=np.where(sure, records[lists[0]], ""),
                is_sure=sure,
                learned=f"{told}.",
                figures=figures,
            ),
            Claims(
                about=target.number,
                said=np.where(known, numbers[0], np.nan),
                is_sure=known,
                low=numbers.min(axis=0),
                high=numbers.max(axis=0),
                learned=f"{told}.",
                figures=figures,
            ),
        )


Kind = tuple[Any, ...]
"""What a person can be: the number, then a class of each variable."""


def _kinds(target: BlockTarget) -> list[Kind]:
    return list(itertools.product(range(target.least, target.most + 1), *target.classes.values()))


def _words(kind: Kind) -> str:
    return ", ".join(str(part) for part in kind)


class _BlockModel:
    """The whole-number programme of a block, whose solutions are given one after the other."""

    def __init__(self, target: BlockTarget, kinds: list[Kind]) -> None:
        self._target, self._kinds = target, kinds
        self._age = np.array([kind[0] for kind in kinds], np.float64)
        self._rows: list[FloatArray] = []
        self._sides: list[tuple[float, float]] = []
        self._choices: list[tuple[BoolArray, float, int]] = []
        self._more = 0
        for one in target.statistics:
            self._add(one)
        width = len(kinds) + self._more
        rows = np.zeros((len(self._rows), width))
        for i, row in enumerate(self._rows):
            rows[i, : len(row)] = row
        import scipy.sparse as sp

        sides = np.array(self._sides).reshape(-1, 2)
        self._top = np.concatenate([np.full(len(kinds), float(target.people)), np.ones(self._more)])
        self._model = Solver(
            np.zeros(width), sp.csr_array(rows), sides[:, 0], sides[:, 1], np.zeros(width), self._top,
            integer=np.ones(width, bool), threads=1,
        )  # fmt: skip

    def _in(self, one: BlockStatistic) -> BoolArray:
        """Return the kinds of people that a statistic is about."""
        names = (self._target.number, *self._target.classes)
        inside = np.ones(len(self._kinds), bool)
        for name, chosen in one.of.items():
            values = [kind[names.index(name)] for kind in self._kinds]
            if name == self._target.number:
                inside &= (np.array(values) >= chosen[0]) & (np.array(values) <= chosen[1])
            else:
                inside &= np.array([value in chosen for value in values])
        return inside

    def _add(self, one: BlockStatistic) -> None:
        inside = self._in(one).astype(np.float64)
        if one.statistic == "count":
            self._row(inside, one.value, one.value)
        elif one.statistic == "mean":
            half = 0.5 * 10.0**-one.digits
            self._row(inside * (self._age - one.value - half), -np.inf, 1e-9)
            self._row(inside * (self._age - one.value + half), -1e-9, np.inf)
        else:
            self._median(one, inside)

    def _row(self, row: FloatArray, low: float, high: float) -> None:
        self._rows.append(row)
        self._sides.append((low, high))

    def _median(self, one: BlockStatistic, inside: FloatArray) -> None:
        size = self._size(one)
        if size % 2:
            self._row(inside * (self._age < one.value), 0, size // 2)
            self._row(inside * (self._age <= one.value), size // 2 + 1, np.inf)
            return
        first = len(self._kinds) + self._more
        pairs = [(a, 2 * one.value - a) for a in range(self._target.least, int(np.floor(one.value)) + 1)]
        pairs = [(a, b) for a, b in pairs if b == round(b) and b <= self._target.most]
        if not pairs:
            raise AttackError("A median of two people can be of no possible values: the statistics were changed.")
        self._more += len(pairs)
        choose = np.zeros(first + len(pairs))
        choose[first:] = 1.0
        self._row(choose, 1, 1)
        for i, (low, high) in enumerate(pairs):
            for end, below in ((low, size // 2 - 1), (high, size // 2)):
                chosen = np.zeros(first + i + 1)
                chosen[: len(inside)] = inside * (self._age < end)
                chosen[-1] = size
                self._row(chosen, 0, size + below)  # where it is chosen at most so many are below
                chosen = np.zeros(first + i + 1)
                chosen[: len(inside)] = inside * (self._age <= end)
                chosen[-1] = -(below + 1)
                self._row(chosen, 0, np.inf)  # and so many at most there

    def _size(self, one: BlockStatistic) -> int:
        """Return how many people the group of a median has."""
        for other in self._target.statistics:
            if other.statistic == "count" and dict(other.of) == dict(one.of):
                return int(other.value)
        raise AttackError("The median of a group needs its count.")

    def every(self) -> Iterator[IntArray]:
        """Give the number of people of each kind, for one list after the other."""
        waiting = [(np.zeros(len(self._top)), self._top)]
        seen: set[bytes] = set()
        cells = np.arange(len(self._top))
        with task("Lists of people", None) as running:
            while waiting:
                lower, upper = waiting.pop()
                self._model.set_bounds(cells, lower, upper)
                found = self._model.run(prices=False)
                running.advance()
                if not found.has_solution:
                    continue
                counts = found.values[: len(self._kinds)].astype(np.int64)
                if counts.tobytes() not in seen:  # other choices of middle people may give the same list
                    seen.add(counts.tobytes())
                    yield counts
                floor = lower.copy()
                for kind in np.flatnonzero(counts).tolist():
                    if counts[kind] > lower[kind]:
                        less = upper.copy()
                        less[kind] = counts[kind] - 1
                        waiting.append((floor.copy(), less))
                    floor[kind] = counts[kind]
