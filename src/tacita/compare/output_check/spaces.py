"""Spaces: the sets of records of several outputs, put together by what their figures are totals of."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from tacita.compare.output_check.basis import OutputBasis, Owners
from tacita.compare.output_check.output import AMOUNTS, COUNTS, Output
from tacita.compare.output_check.output_limits import OutputLimits
from tacita.core.arrays import BoolArray, IntArray
from tacita.numeric.keys.frequencies import find_patterns

__all__ = ["COUNT", "SIZES", "Space", "spaces_of", "together"]

COUNT = "counts"
SIZES = "sizes"
"""The space of the numbers of records behind all outputs, also behind those that show no counts."""


def spaces_of(output: Output) -> tuple[str, ...]:
    """Return what the figures of an output are totals of; all of them are of ``SIZES`` beside.

    Examples
    --------
    >>> spaces_of(Output(rows=["sex"], statistic=["count", "mean"], values="income"))
    ('counts', 'income')
    """
    if output.kind in ("histogram", "survival"):
        return (COUNT,)
    if output.kind == "regression":
        return (f"models of {output.dependent}",)
    if output.kind == "correlation":
        return (f"correlations of {', '.join(sorted(output.variables))}",)
    if output.kind != "crosstab":
        return ()
    found = [COUNT] if set(output.statistic) & set(COUNTS) else []
    if set(output.statistic) & {*AMOUNTS, "std", "variance"}:
        found.append(str(output.values))
    if output.denominator is not None:
        found.append(output.denominator)
    return tuple(found)


def together(
    numbers: Sequence[int], bases: Sequence[OutputBasis], published: Sequence[BoolArray], owners: Owners
) -> list[Space]:
    """Return the spaces of some outputs, the one of all sizes last."""
    names = list(dict.fromkeys(name for basis in bases for name in spaces_of(basis.output)))
    chosen = [(name, [j for j, basis in enumerate(bases) if name in spaces_of(basis.output)]) for name in names]
    if bases:
        chosen.append((SIZES, list(range(len(bases)))))
    return [
        Space(
            name,
            tuple(numbers[j] for j in places),
            tuple(bases[j] for j in places),
            tuple(published[j] & (bases[j].records > 0) for j in places),
            owners,
        )
        for name, places in chosen
    ]


@dataclass(frozen=True, eq=False)
class Space:
    """The sets of records of several outputs, over atoms: records that are in the same sets.

    Parameters
    ----------
    name
        What the figures are totals of.
    numbers
        Number of each output.
    bases
        Their bases.
    published
        For each basis the figures that are published.
    owners
        Whose each record is.
    """

    name: str
    numbers: tuple[int, ...]
    bases: tuple[OutputBasis, ...]
    published: tuple[BoolArray, ...] = field(repr=False)
    owners: Owners = field(repr=False)

    @cached_property
    def facts(self) -> tuple[IntArray, IntArray]:
        """(f,) twice: place of the output among the bases, and figure."""
        cells = [np.flatnonzero(mask) for mask in self.published]
        place = np.repeat(np.arange(len(cells)), [len(one) for one in cells])
        return place.astype(np.int64), np.concatenate(cells).astype(np.int64)

    @cached_property
    def _patterns(self) -> tuple[IntArray, IntArray, list[tuple[IntArray, IntArray]]]:
        """Atom of each record (-1: in no set), the classes that make an atom, and the figures of each class."""
        columns, members = [], []
        for basis, published in zip(self.bases, self.published, strict=True):
            classes, lists = _classes(basis, published)
            columns.append((np.where(basis.inner >= 0, classes[basis.inner], -1), max(len(lists[0]) - 1, 1)))
            members.append(lists)
        found = find_patterns(columns)
        kept = (found.codes >= 0).any(axis=1)
        number = np.where(kept, np.cumsum(kept) - 1, -1)
        return number[found.labels], found.codes[kept], members

    @property
    def atom_codes(self) -> IntArray:
        """(a, k): class of each atom in each output."""
        return self._patterns[1]

    @property
    def n_atoms(self) -> int:
        """Number of atoms."""
        return len(self._patterns[1])

    @cached_property
    def atoms(self) -> IntArray:
        """(n,): atom of each record, -1 where it is in no published figure."""
        return self._patterns[0]

    @cached_property
    def entries(self) -> tuple[IntArray, IntArray]:
        """Facts and the atoms that are in them, one pair each."""
        _, codes, members = self._patterns
        first = np.concatenate([[0], np.cumsum([int(mask.sum()) for mask in self.published])])
        facts, atoms = [], []
        for j, ((starts, cells), published) in enumerate(zip(members, self.published, strict=True)):
            number = np.cumsum(published) - 1 + first[j]
            here = np.flatnonzero(codes[:, j] >= 0)
            lengths = np.diff(starts)[codes[here, j]]
            within = np.arange(int(lengths.sum())) - np.repeat(np.cumsum(lengths) - lengths, lengths)
            facts.append(number[cells[np.repeat(starts[codes[here, j]], lengths) + within]])
            atoms.append(np.repeat(here, lengths))
        return np.concatenate(facts).astype(np.int64), np.concatenate(atoms).astype(np.int64)

    @cached_property
    def _owners_of(self) -> list[tuple[IntArray, IntArray, bool]]:
        """For contributors and for holdings: whose records are in each atom, as starts and owners, and whether all differ."""
        known = [self.owners.units] if self.owners.holdings is None else [self.owners.units, self.owners.holdings]
        rows = np.flatnonzero(self.atoms >= 0)
        found = []
        for owner in known:
            span = int(owner.max(initial=0)) + 1
            words = np.unique(self.atoms[rows] * span + owner[rows])
            starts = np.searchsorted(words, np.arange(self.n_atoms + 1) * span)
            owners = words % span
            found.append((starts.astype(np.int64), owners, bool(np.bincount(owners).max(initial=0) <= 1)))
        return found

    @cached_property
    def sizes(self) -> IntArray:
        """(a,): distinct contributors of each atom."""
        return np.diff(self._owners_of[0][0])

    def count(self, atoms: IntArray, level: int = 0) -> int:
        """Distinct contributors, or holdings, of some atoms together."""
        starts, owners, differ = self._owners_of[level]
        if differ or len(atoms) < 2:
            return int((starts[atoms + 1] - starts[atoms]).sum())
        return len(np.unique(np.concatenate([owners[starts[atom] : starts[atom + 1]] for atom in atoms.tolist()])))

    def is_small(self, atoms: IntArray, limits: OutputLimits) -> bool:
        """Whether some atoms together are below the limits; nobody is, too."""
        if int(self.sizes[atoms].max(initial=0)) < limits.at_least and self.count(atoms) < limits.at_least:
            return True
        return self.owners.holdings is not None and self.count(atoms, 1) < limits.holdings_at_least

    def are_large(self, atoms: IntArray, labels: IntArray, count: int, limits: OutputLimits) -> BoolArray:
        """Return for each label whether its atoms together are no small group; a pair of atom and label stands once."""
        found = np.ones(count, bool)
        for (starts, owners, differ), least in zip(
            self._owners_of, (limits.at_least, limits.holdings_at_least), strict=False
        ):
            lengths = np.diff(starts)[atoms]
            if differ:
                found &= np.bincount(labels, lengths, count) >= least
                continue
            within = np.arange(int(lengths.sum())) - np.repeat(np.cumsum(lengths) - lengths, lengths)
            span = int(owners.max(initial=0)) + 1
            words = np.repeat(labels, lengths) * span + owners[np.repeat(starts[atoms], lengths) + within]
            found &= np.bincount(np.unique(words) // span, minlength=count) >= least
        return found

    @property
    def moves(self) -> list[list[int]]:
        """Sets of outputs that change together when one column does, and each output on its own."""
        columns = dict.fromkeys(name for basis in self.bases for name in basis.dimensions)
        changed = [[j for j, basis in enumerate(self.bases) if name in basis.dimensions] for name in columns]
        alone = [[j] for j in range(len(self.bases))]
        return list({tuple(move): move for move in (*changed, *alone)}.values())

    def records_of(self, atoms: IntArray) -> IntArray:
        """The records of some atoms."""
        return np.flatnonzero(np.isin(self.atoms, atoms)).astype(np.int64)

    def title(self, fact: int) -> tuple[int, str]:
        """Number of the output and name of the figure."""
        place, cell = self.facts[0][fact], self.facts[1][fact]
        return self.numbers[place], self.bases[place].title(int(cell))


def _classes(basis: OutputBasis, published: BoolArray) -> tuple[IntArray, tuple[IntArray, IntArray]]:
    """Return for each inner group its class (-1: in no published figure), and the published figures of each class."""
    cell = np.repeat(np.arange(len(basis)), np.diff(basis.starts))
    kept = published[cell]
    cell, part = cell[kept], basis.parts[kept]
    order = np.lexsort((cell, part))
    cell, part = cell[order], part[order]
    counts = np.bincount(part, minlength=max(basis.n_inner, 1))
    rank = np.arange(len(cell)) - np.repeat(np.cumsum(counts) - counts, counts)
    padded = np.full((len(counts), int(counts.max(initial=0)) + 1), -1, np.int64)
    padded[part, rank] = cell
    rows, classes = np.unique(padded, axis=0, return_inverse=True)
    lengths = (rows >= 0).sum(axis=1)
    nothing = lengths == 0
    number = np.where(nothing, -1, np.cumsum(~nothing) - 1)
    starts = np.concatenate([[0], np.cumsum(lengths[~nothing])])
    return number[classes.reshape(-1)], (starts.astype(np.int64), rows[rows >= 0].astype(np.int64))
