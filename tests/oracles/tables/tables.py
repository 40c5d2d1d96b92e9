"""Tables by loops over records and cells, with nothing shared between cells."""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from typing import Any

from tacita.tables.model.dimension import Dimension

Record = Mapping[str, Any]


def leaves_under(dimension: Dimension, code: str) -> set[str]:
    """All leaves that a code is made of, by going down its first sum."""
    for total, parts in dimension.sums:
        if total == code:
            return set().union(*(leaves_under(dimension, part) for part in parts))
    return {code}


def cells_of(dimensions: Sequence[Dimension]) -> list[tuple[str, ...]]:
    """All combinations of codes, the last dimension running fastest."""
    return list(itertools.product(*(dimension.codes for dimension in dimensions)))


def records_in(records: Sequence[Record], dimensions: Sequence[Dimension], cell: Sequence[str]) -> list[Record]:
    """The records that belong to a cell."""
    wanted = [leaves_under(dimension, code) for dimension, code in zip(dimensions, cell, strict=True)]
    return [r for r in records if all(r[d.name] in w for d, w in zip(dimensions, wanted, strict=True))]


def largest(found: Sequence[Record], owner: str, depth: int) -> tuple[int, list[tuple[Any, float, float]]]:
    """Number of contributors, and the largest of them: who, amount, mean weight by size of amount."""
    by_owner: dict[Any, list[Record]] = {}
    for record in found:
        by_owner.setdefault(record[owner], []).append(record)
    rows = []
    for who, own in by_owner.items():
        size = sum(abs(r["x"]) for r in own)
        mean = sum(r["w"] for r in own) / len(own) if size == 0 else sum(r["w"] * abs(r["x"]) for r in own) / size
        rows.append((who, sum(r["x"] for r in own), mean))
    rows.sort(key=lambda row: (-abs(row[1]), row[0]))
    return len(rows), rows[:depth]


def relations_of(dimensions: Sequence[Dimension]) -> set[tuple[tuple[str, ...], frozenset[tuple[str, ...]]]]:
    """Every sum in every dimension, at every combination of the other codes."""
    found = set()
    for axis, dimension in enumerate(dimensions):
        others = [d.codes for place, d in enumerate(dimensions) if place != axis]
        for rest in itertools.product(*others):
            for total, parts in dimension.sums:

                def at(code: str, rest: tuple[str, ...] = rest, axis: int = axis) -> tuple[str, ...]:
                    return (*rest[:axis], code, *rest[axis:])

                found.add((at(total), frozenset(at(part) for part in parts)))
    return found
