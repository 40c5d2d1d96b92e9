"""Chains of inequalities such as ``income >= taxable >= tax``: differences are masked, so that no record breaks the chain."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from tacita.core.arrays import BoolArray, FloatArray, IntArray
from tacita.core.errors import ColumnError, DataError, ParameterError
from tacita.numeric.statistics.decimals import ceiled, rounded

__all__ = [
    "Grid",
    "Link",
    "check_chains",
    "from_differences",
    "hold_order",
    "labels",
    "linked_patterns",
    "positions",
    "to_differences",
    "verify_chains",
]

Chains = tuple[tuple[str, ...], ...]
Grid = Literal["double", "single"] | int
"""The numbers that a column can hold in the file: any float64, float32 only, or those with so many decimals."""


@dataclass(frozen=True)
class Link:
    """A column is masked through its distance from a neighbour in the chain: above it (sign 1) or below it (-1)."""

    column: int
    neighbour: int
    sign: float


def check_chains(chains: Chains, owner: str) -> None:
    """Raise where a chain is too short, or a column stands in two places."""
    named = [name for chain in chains for name in chain]
    if any(len(chain) < 2 for chain in chains):
        raise ParameterError(f"{owner}: every chain of 'chains' must name at least two columns, largest first.")
    twice = sorted({name for name in named if named.count(name) > 1})
    if twice:
        raise ParameterError(
            f"{owner}: 'chains' must name each column once, got '{twice[0]}' {named.count(twice[0])} times; "
            "join chains that meet, such as a > b and b > c, to one."
        )


def positions(chains: Chains, names: Sequence[str], owner: str) -> tuple[tuple[int, ...], ...]:
    """Return the chains as positions of masked columns."""
    for chain in chains:
        for name in chain:
            if name not in names:
                raise ColumnError(
                    f"{owner}: 'chains' names '{name}', which is not masked; "
                    "all columns of a chain must be in 'columns', and none may be a total of 'identities'."
                )
    return tuple(tuple(names.index(name) for name in chain) for chain in chains)


def verify_chains(columns: Mapping[str, FloatArray], chains: Chains, owner: str, what: str) -> None:
    """Raise where some record breaks a chain; the message has names and counts, never values."""
    for chain in chains:
        broken = int(_breaks([columns[name] for name in chain]).sum())
        if broken:
            raise DataError(
                f"{owner}: the chain {' >= '.join(chain)} does not hold in {broken} records of the {what} data."
            )


def _breaks(values: Sequence[FloatArray]) -> BoolArray:
    """Return the records in which a value is smaller than one after it; missing values are passed over."""
    broken = np.zeros(len(values[0]), dtype=np.bool_)
    floor = np.full(len(values[0]), -np.inf)
    for value in reversed(values):
        broken |= value < floor  # a comparison with NaN is false
        floor = np.fmax(floor, value)
    return broken


def linked_patterns(x: FloatArray, chains: Sequence[Sequence[int]]) -> Iterator[tuple[IntArray, tuple[Link, ...]]]:
    """Split the records by which members of the chains they have, and give the links for each part.

    The anchor of a chain, masked by itself, is its lowest member that has no negative value anywhere, so that it and all
    above it stay non-negative; without such a member it is the lowest one.
    """
    members = [j for chain in chains for j in chain]
    if not members:
        yield np.arange(len(x)), ()
        return
    nonnegative = np.asarray(~(x < 0).any(axis=0))
    patterns, block = np.unique(~np.isnan(x[:, members]), axis=0, return_inverse=True)
    for number, pattern in enumerate(patterns):
        there = {j for j, is_there in zip(members, pattern, strict=True) if is_there}
        links = tuple(link for chain in chains for link in _links([j for j in chain if j in there], nonnegative))
        yield np.flatnonzero(block.ravel() == number), links


def _links(chain: list[int], nonnegative: BoolArray) -> Iterator[Link]:
    """Give the links of one chain, from its anchor outwards."""
    anchor = next((i for i in reversed(range(len(chain))) if nonnegative[chain[i]]), len(chain) - 1)
    for i in range(anchor - 1, -1, -1):
        yield Link(chain[i], chain[i + 1], 1.0)
    for i in range(anchor + 1, len(chain)):
        yield Link(chain[i], chain[i - 1], -1.0)


def to_differences(x: FloatArray, links: Sequence[Link]) -> FloatArray:
    """Replace every linked column by its distance from its neighbour: 0 or more wherever the chain holds."""
    made = x.copy()
    for link in links:
        made[:, link.column] = link.sign * (x[:, link.column] - x[:, link.neighbour])
    return made


def from_differences(differences: FloatArray, links: Sequence[Link]) -> FloatArray:
    """Add the distances up again: equation (27). Rounding keeps the order, because it is monotone."""
    made = differences.copy()
    for link in links:
        made[:, link.column] = made[:, link.neighbour] + link.sign * made[:, link.column]
    return made


def hold_order(x: FloatArray, chain: Sequence[int], grids: Sequence[Grid]) -> FloatArray:
    """Round the members of a chain to what their columns can hold, and raise one that rounding put below the next.

    Rounding all members alike keeps their order by itself; a whole number above a fraction, 10.4 above 10.2, does not.
    """
    made = x.copy()
    floor = np.full(len(x), -np.inf)
    for j in reversed(chain):
        value = _rounded(x[:, j], grids[j])
        made[:, j] = np.where(value < floor, _rounded_up(floor, grids[j]), value)
        floor = np.fmax(floor, made[:, j])
    return made


def _rounded(values: FloatArray, grid: Grid) -> FloatArray:
    if isinstance(grid, int):
        return rounded(values, grid)
    return values.astype(np.float32).astype(np.float64) if grid == "single" else values


def _rounded_up(values: FloatArray, grid: Grid) -> FloatArray:
    if isinstance(grid, int):
        return ceiled(values, grid)
    near = _rounded(values, grid)
    return np.where(near < values, np.nextafter(near.astype(np.float32), np.float32(np.inf)), near)


def labels(names: Sequence[str], links: Sequence[Link]) -> list[str]:
    """Name the columns of differences, for messages."""
    made = [f"'{name}'" for name in names]
    for link in links:
        upper, lower = (link.column, link.neighbour)[:: 1 if link.sign > 0 else -1]
        made[link.column] = f"'{names[upper]}' - '{names[lower]}'"
    return made
