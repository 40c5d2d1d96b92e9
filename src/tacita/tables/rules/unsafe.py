"""Unsafe cells: which, by which rule, and how far an attacker must be kept from their values."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from tacita.core import registry
from tacita.core.arrays import BoolArray, FloatArray, IntArray
from tacita.core.errors import DataError, UnknownMethodError
from tacita.core.traits import About, RuleTraits
from tacita.tables.rules.inside import Inside

__all__ = ["Unsafe", "about_by_name"]


@dataclass(frozen=True, eq=False)
class Unsafe:
    """The verdict of sensitivity rules on the cells of a table.

    Parameters
    ----------
    cells
        (n,): unsafe cells.
    below, above, sliding
        (n,): protection levels; 0 for safe cells. An attacker's interval must reach this far under and over the value,
        and be at least ``sliding`` wide.
    rules
        The rules that were asked, in words.
    by
        (n, r): which rule found which cell.
    locked
        (n,): cells that must stay published.
    inside
        What is asked of them from contributors' own places; None for the same as from outside.
    about
        For each rule the attack that it is about; dominance where nothing is said, as for the unsafe cells of a file.
    """

    cells: BoolArray = field(repr=False)
    below: FloatArray = field(repr=False)
    above: FloatArray = field(repr=False)
    sliding: FloatArray = field(repr=False)
    rules: tuple[str, ...]
    by: BoolArray = field(repr=False)
    locked: BoolArray = field(repr=False)
    inside: Inside | None = field(default=None, repr=False)
    about: tuple[About, ...] = field(default=(), repr=False)

    def __post_init__(self) -> None:
        if not self.about:
            object.__setattr__(self, "about", ("dominance",) * len(self.rules))

    @property
    def from_inside(self) -> Inside:
        """What is asked from contributors' own places."""
        return Inside.alike(self.below, self.above, self.sliding) if self.inside is None else self.inside

    def __or__(self, other: Unsafe) -> Unsafe:
        """Unsafe by one or the other; the wider level counts."""
        cells = self.cells | other.cells
        return Unsafe(
            cells,
            np.maximum(self.below, other.below),
            np.maximum(self.above, other.above),
            np.maximum(self.sliding, other.sliding),
            (*self.rules, *other.rules),
            np.hstack([self.by, other.by]),
            (self.locked | other.locked) & ~cells,
            None if self.inside is None and other.inside is None else self.from_inside | other.from_inside,
            (*self.about, *other.about),
        )

    def released(self, cells: IntArray) -> Unsafe:
        """Take cells back: they count as safe, because those who are in them agreed or the figures are known."""
        kept = self.cells.copy()
        kept[cells] = False
        return replace(
            self,
            cells=kept,
            below=np.where(kept, self.below, 0.0),
            above=np.where(kept, self.above, 0.0),
            sliding=np.where(kept, self.sliding, 0.0),
            by=self.by & kept[:, None],
        )

    def bounded(self, down: FloatArray, up: FloatArray) -> Unsafe:
        """Ask for no more than what everybody knows beforehand leaves open: (n,) under and over the value."""
        return replace(
            self,
            below=np.minimum(self.below, down),
            above=np.minimum(self.above, up),
            sliding=np.minimum(self.sliding, down + up),
            inside=None if self.inside is None else self.inside.bounded(down, up),
        )

    def lock(self, cells: IntArray) -> Unsafe:
        """Say which cells must be published, such as totals that are known already; an unsafe cell cannot be."""
        locked = self.locked.copy()
        locked[cells] = True
        if bool((locked & self.cells).any()):
            raise DataError(
                f"{int((locked & self.cells).sum())} of the cells to lock are unsafe; release them first if they may be "
                "published."
            )
        return replace(self, locked=locked)

    @classmethod
    def none(cls, size: int) -> Unsafe:
        """No unsafe cell."""
        nothing, zero = np.zeros(size, bool), np.zeros(size)
        return cls(nothing, zero, zero, zero, (), np.zeros((size, 0), bool), nothing)

    @property
    def count(self) -> int:
        """Number of unsafe cells."""
        return int(self.cells.sum())


def about_by_name(rules: Sequence[str]) -> tuple[About, ...]:
    """What rules are about that are known by their words alone, such as those of a file that does not say it."""
    return tuple(_about(words.partition("(")[0]) for words in rules)


def _about(name: str) -> About:
    try:
        traits = registry.find("rule", name).traits
    except UnknownMethodError:
        return "dominance"
    return traits.about if isinstance(traits, RuleTraits) else "dominance"
