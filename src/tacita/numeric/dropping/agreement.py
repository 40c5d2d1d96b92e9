"""Agreement of two random draws: how likely two multinomial vectors are equal, or differ in one unit that moved.

X counts draws from cells with probabilities p, Y counts draws from the same cells with probabilities r, all
independent. For a group A of cells let F_A(m) be the probability that X = Y there, given that m draws of either fall into
A. For two groups A and B

    F_AB(m) = sum_i Bin(i; m, p_A / p_AB) Bin(i; m, r_A / r_AB) F_A(i) F_B(m - i),

which is the product of the truncated series of (5), with coefficients F(m) / (m!)^2 but for powers of the probabilities,
written with numbers between 0 and 1: nothing grows or vanishes on the way, whatever the number of cells. One cell alone
has F = 1. The same product with one draw more on one side gives the probabilities that a unit moved. With weights v and s
of cells,

    W_A(m) = sum_c v_c P(X = Y + e_c)              m + 1 and m draws,
    S_A(m) = sum_j s_j P(X + e_j = Y)              m and m + 1 draws,
    D_A(m) = sum_{c != j} v_c s_j P(X + e_j = Y + e_c)    m + 1 draws of either,

and D_AB = D_A F_B + F_A D_B + W_A S_B + S_A W_B. Cells are joined pairwise, so O(J k^2) time for J cells and k draws.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from tacita.core.arrays import FloatArray

__all__ = ["MOST_DRAWS", "agreement", "moved_agreement", "uniform_agreement"]

MOST_DRAWS = 1000
"""Above it binomial coefficients leave the range of floating-point numbers."""

_BLOCK = 4096
"""Cells that are joined at a time, so that memory stays small for any number of them."""

_EXTRA = {"F": (0, 0), "W": (1, 0), "S": (0, 1), "D": (1, 1)}
"""Draws of X and of Y beyond m, in each kind of series."""
_PLAIN = {"F": [("F", "F")]}
_MOVED = {
    "F": [("F", "F")],
    "W": [("W", "F"), ("F", "W")],
    "S": [("S", "F"), ("F", "S")],
    "D": [("D", "F"), ("F", "D"), ("W", "S"), ("S", "W")],
}


@dataclass(frozen=True, eq=False)
class _CellGroups:
    """Groups of cells: their probabilities under p and r (none where they are the same), and their series, a row each."""

    p: FloatArray
    r: FloatArray | None
    series: dict[str, FloatArray]

    def __len__(self) -> int:
        return len(self.p)

    def take(self, which: slice) -> _CellGroups:
        r = None if self.r is None else self.r[which]
        return _CellGroups(self.p[which], r, {kind: rows[which] for kind, rows in self.series.items()})


def agreement(first: FloatArray, second: FloatArray, most: int) -> FloatArray:
    """Return P(X = Y) for m = 0, ..., ``most`` draws of either.

    Parameters
    ----------
    first, second
        (J,): probabilities p of the cells for X, and r for Y; each sums to 1.
    most
        Largest number of draws, at most 1000.

    Examples
    --------
    >>> agreement(np.array([0.5, 0.5]), np.array([0.5, 0.5]), 2).tolist()
    [1.0, 0.5, 0.375]
    """
    cells = _cells(first, second, most, {})
    return _joined(cells, _PLAIN, _binomials(most + 2)).series["F"].ravel()


def moved_agreement(
    first: FloatArray, second: FloatArray, out_of: FloatArray, into: FloatArray, most: int
) -> FloatArray:
    """Return sum_{c != j} v_c s_j P(X + e_j = Y + e_c) for m = 0, ..., ``most`` draws of either.

    Parameters
    ----------
    first, second
        (J,): probabilities p of the cells for X, and r for Y; each sums to 1.
    out_of
        (J,): weights v of the cell c in which X has one more.
    into
        (J,): weights s of the cell j in which Y has one more.
    most
        Largest number of draws, at most 1000.

    Examples
    --------
    >>> half, one, other = np.array([0.5, 0.5]), np.array([1.0, 0.0]), np.array([0.0, 1.0])
    >>> moved_agreement(half, half, one, other, 2).tolist()
    [0.0, 0.25, 0.25]
    """
    if most == 0:
        return np.zeros(1)
    cells = _cells(first, second, most - 1, {"W": out_of, "S": into, "D": np.zeros(len(first))})
    series = _joined(cells, _MOVED, _binomials(most + 2)).series
    return np.concatenate([[0.0], series["D"][0]])  # its m counts the draws beyond the one that moved


def uniform_agreement(cells: int, most: int) -> FloatArray:
    """Return P(X = Y) for m = 0, ..., ``most`` draws from cells of equal probability.

    Groups of cells are doubled, so O(k^2 log J) time.

    Examples
    --------
    >>> uniform_agreement(4, 2).round(6).tolist()
    [1.0, 0.25, 0.109375]
    """
    one = _CellGroups(np.ones(1), None, {"F": np.ones((1, most + 1))})
    binomials = _binomials(most + 2)
    group = one
    for bit in bin(cells)[3:]:
        group = _product(group, group, _PLAIN, binomials)
        group = _product(group, one, _PLAIN, binomials) if bit == "1" else group
    return group.series["F"].ravel()


def _cells(first: FloatArray, second: FloatArray, most: int, weights: dict[str, FloatArray]) -> _CellGroups:
    """Return every cell as a group of its own; those that nothing falls into take no part."""
    filled = (first > 0) | (second > 0)
    series = {"F": np.ones((int(filled.sum()), most + 1))}
    series |= {kind: np.repeat(weight[filled][:, None], most + 1, axis=1) for kind, weight in weights.items()}
    return _CellGroups(first[filled], None if np.array_equal(first, second) else second[filled], series)


def _joined(
    groups: _CellGroups, products: Mapping[str, Sequence[tuple[str, str]]], binomials: FloatArray
) -> _CellGroups:
    """Join all groups into one, pairwise and in blocks."""
    if len(groups) > _BLOCK:
        parts = [
            _joined(groups.take(slice(start, start + _BLOCK)), products, binomials)
            for start in range(0, len(groups), _BLOCK)
        ]
        return _joined(_stacked(parts), products, binomials)
    while len(groups) > 1:
        even = len(groups) - len(groups) % 2
        pairs = _product(groups.take(slice(0, even, 2)), groups.take(slice(1, even, 2)), products, binomials)
        groups = _stacked([pairs, groups.take(slice(even, None))]) if even < len(groups) else pairs
    return groups


def _stacked(parts: list[_CellGroups]) -> _CellGroups:
    r = [part.r for part in parts if part.r is not None]
    return _CellGroups(
        np.concatenate([part.p for part in parts]),
        np.concatenate(r) if r else None,
        {kind: np.concatenate([part.series[kind] for part in parts]) for kind in parts[0].series},
    )


def _product(
    left: _CellGroups, right: _CellGroups, products: Mapping[str, Sequence[tuple[str, str]]], binomials: FloatArray
) -> _CellGroups:
    """Join each group of the one side with that of the other."""
    sizes = np.arange(left.series["F"].shape[1] + 1)
    x = _powers(left.p, right.p, sizes)
    y = x if left.r is None or right.r is None else _powers(left.r, right.r, sizes)
    series = {}
    for kind, terms in products.items():
        total = np.zeros_like(left.series["F"])
        for a, b in terms:
            _add_product(total, left.series[a], right.series[b], _EXTRA[a], _EXTRA[b], x, y, binomials)
        series[kind] = total
    r = None if left.r is None or right.r is None else left.r + right.r
    return _CellGroups(left.p + right.p, r, series)


def _powers(left: FloatArray, right: FloatArray, sizes: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return powers of w and of 1 - w, for w the share of the left group; where both are empty no power is needed."""
    total = left + right
    share = np.divide(left, total, out=np.full(len(left), 0.5), where=total > 0)
    rest = np.divide(right, total, out=np.full(len(left), 0.5), where=total > 0)
    return share[:, None] ** sizes, rest[:, None] ** sizes


def _add_product(
    total: FloatArray,
    left: FloatArray,
    right: FloatArray,
    extra_left: tuple[int, int],
    extra_right: tuple[int, int],
    x: tuple[FloatArray, FloatArray],
    y: tuple[FloatArray, FloatArray],
    binomials: FloatArray,
) -> None:
    """Add sum_i Bin(draws of X in the left group) Bin(draws of Y there) left(i) right(m - i) to each m of the total."""
    length = total.shape[1]
    twice = x is y and extra_left[0] == extra_left[1] and extra_right[0] == extra_right[1]
    for i in range(length):
        size = length - i
        factors = []
        for (share, rest), a, b in zip((x, y), extra_left, extra_right, strict=True):
            # the coefficient is large where the powers are small: the product is a probability
            ways = binomials[i + a + b : i + a + b + size, i + a]
            factors.append(ways * share[:, i + a, None] * rest[:, b : b + size])
            if twice:
                factors.append(factors[0])
                break
        total[:, i:] += factors[0] * factors[1] * left[:, i, None] * right[:, :size]


def _binomials(size: int) -> FloatArray:
    """Return Pascal's triangle with so many rows."""
    triangle = np.zeros((size, size))
    triangle[:, 0] = 1.0
    for n in range(1, size):
        triangle[n, 1:] = triangle[n - 1, 1:] + triangle[n - 1, :-1]
    return triangle
