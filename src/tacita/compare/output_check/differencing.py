"""Linked outputs: what an intruder gets by taking one output off another.

Every figure is a total over a set of records. Outputs of the same data are put together by what they are totals of: counts
with counts, sums and means of a column with those of the same column, models with models of the same dependent column. In each
of these spaces the sets are compared, and a group below the limits that follows from them is a finding.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from tacita.compare.output_check.contraction import atoms_in_doubt
from tacita.compare.output_check.output_limits import OutputLimits
from tacita.compare.output_check.small_sets import find_small_sets, rows_on_small
from tacita.compare.output_check.spaces import Space
from tacita.core.arrays import IntArray

__all__ = ["Difference", "find_differences"]

MOST_ENTRIES = 20_000_000
MOST_PAIRS = 200_000_000


@dataclass(frozen=True)
class Difference:
    """A small group that follows from figures of several outputs, or from totals and cells of one.

    Parameters
    ----------
    space
        What the figures are totals of.
    figures
        Output and name of the figures that are added and taken off, with their signs.
    records
        The records of the group; no report shows them.
    """

    space: str
    figures: tuple[tuple[int, str, int], ...]
    records: IntArray = field(repr=False, compare=False)

    @property
    def outputs(self) -> tuple[int, ...]:
        """Numbers of the outputs that take part."""
        return tuple(dict.fromkeys(number for number, _, _ in self.figures))


def find_differences(
    space: Space, limits: OutputLimits, *, new: frozenset[int] | None = None
) -> tuple[tuple[Difference, ...], bool]:
    """Return the small groups that follow from the figures of a space, and whether everything was searched.

    With ``new``, only those count that need an output of these numbers.

    Notes
    -----
    First figures are taken off one another in pairs, where one is about some of the records of the other. Then atoms are put
    aside that cannot be in a small group. Where some are left, all sums and differences are searched. Groups that are
    published figures themselves are not looked for: the checks of single outputs find them.

    Complexity: O(e) for pairs, with e the number of pairs of figures that share an atom; the search eliminates a matrix of
    figures times atoms.
    """
    if not len(space.facts[0]) or not space.n_atoms:
        return (), True
    pairs = _pairs(space, limits, new)
    if pairs:
        return pairs, True
    every = np.arange(space.n_atoms, dtype=np.int64)
    small = ~space.are_large(every, every, space.n_atoms, limits)
    if small.any():
        codes = space.atom_codes
        small &= atoms_in_doubt(codes, space.moves, lambda atoms, labels, n: space.are_large(atoms, labels, n, limits))
    if not small.any():
        return (), True
    if len(space.facts[0]) * space.n_atoms > MOST_ENTRIES:
        return (), False
    matrix = _matrix(space)
    rows = rows_on_small(matrix[_needed(space)], small, space.sizes)
    if rows is None:
        return (), False
    known = {row.tobytes() for row in (np.flatnonzero(line) for line in matrix)}
    found = find_small_sets(
        rows,
        lambda atoms: space.is_small(atoms, limits),
        effort=limits.effort,
        known=lambda atoms: atoms.tobytes() in known,
    )
    shown = tuple(_explained(space, matrix, atoms) for atoms in found.sets)
    shown = tuple(one for one in shown if new is None or new & set(one.outputs))
    return shown, bool(shown) or found.complete


def _matrix(space: Space) -> IntArray:
    facts, atoms = space.entries
    matrix = np.zeros((len(space.facts[0]), space.n_atoms), np.int64)
    matrix[facts, atoms] = 1
    return matrix


def _needed(space: Space) -> IntArray:
    """The facts without totals whose parts are all published: these follow from the parts."""
    needed = []
    for j, (basis, published) in enumerate(zip(space.bases, space.published, strict=True)):
        parts = np.diff(basis.starts)
        alone = np.zeros(max(basis.n_inner, 1), bool)
        alone[basis.parts[basis.starts[:-1][published & (parts == 1)]]] = True
        hidden = (
            np.add.reduceat(np.append(~alone[basis.parts], False), basis.starts[:-1]) if len(basis.parts) else parts
        )
        first = int(sum(mask.sum() for mask in space.published[:j]))
        needed.append(first + np.flatnonzero(((parts == 1) | ((hidden > 0) & (parts > 1)))[published]))
    return np.concatenate(needed)


def _pairs(space: Space, limits: OutputLimits, new: frozenset[int] | None, most: int = 5) -> tuple[Difference, ...]:
    """Figures that differ from another one by a small group."""
    from scipy.sparse import csr_array

    facts, atoms = space.entries
    size = len(space.facts[0])
    per_atom = np.bincount(atoms, minlength=space.n_atoms)
    if float((per_atom.astype(np.float64) ** 2).sum()) > MOST_PAIRS:
        return ()
    ones: Any = csr_array((np.ones(len(facts), np.int64), (facts, atoms)), shape=(size, space.n_atoms))
    counts = np.bincount(facts, minlength=size)
    shared = (ones @ ones.T).tocoo()
    inside = (shared.data == counts[shared.col]) & (counts[shared.row] > counts[shared.col])
    found: list[Difference] = []
    dense = ones.tolil().rows
    whole, part = shared.row[inside], shared.col[inside]
    records = np.bincount(facts, np.bincount(space.atoms[space.atoms >= 0], minlength=space.n_atoms)[atoms], size)
    near = records[whole] - records[part] <= _most_records(space, limits)
    if new is not None:
        fresh = np.isin(np.array(space.numbers), list(new))[space.facts[0]]
        near &= fresh[whole] | fresh[part]
    whole, part = whole[near], part[near]
    published = {tuple(row) for row in dense}
    for place in np.argsort(counts[whole] - counts[part], kind="stable").tolist():
        left = np.setdiff1d(dense[whole[place]], dense[part[place]])
        if space.is_small(left, limits) and tuple(left.tolist()) not in published:
            figures = ((*space.title(int(whole[place])), 1), (*space.title(int(part[place])), -1))
            found.append(Difference(space.name, figures, space.records_of(left)))
            if len(found) >= most:
                break
    return tuple(found)


def _most_records(space: Space, limits: OutputLimits) -> int:
    """Records that a small group can have at most, by what a contributor or a holding has at most."""
    rows = space.atoms >= 0
    found = (limits.at_least - 1) * int(np.bincount(space.owners.units[rows]).max(initial=0))
    if space.owners.holdings is not None:
        found = max(
            found, (limits.holdings_at_least - 1) * int(np.bincount(space.owners.holdings[rows]).max(initial=0))
        )
    return found


def _explained(space: Space, matrix: IntArray, atoms: IntArray) -> Difference:
    """Say which figures give a group, with few of them where that can be seen."""
    target = np.zeros(matrix.shape[1])
    target[atoms] = 1.0
    weights, *_ = np.linalg.lstsq(matrix.T.astype(np.float64), target, rcond=None)
    chosen = np.flatnonzero(np.abs(weights) > 1e-6)
    for fact in chosen[np.argsort(np.abs(weights[chosen]))].tolist():
        rest = chosen[chosen != fact]
        if not len(rest) or len(chosen) > 200:
            break
        tried, *_ = np.linalg.lstsq(matrix[rest].T.astype(np.float64), target, rcond=None)
        if np.allclose(matrix[rest].T @ tried, target, atol=1e-7):
            chosen = rest
    tried, *_ = np.linalg.lstsq(matrix[chosen].T.astype(np.float64), target, rcond=None)
    figures = tuple(
        (*space.title(fact), 1 if weight > 0 else -1)
        for fact, weight in zip(chosen.tolist(), tried.tolist(), strict=True)
    )
    return Difference(space.name, figures, space.records_of(atoms))
