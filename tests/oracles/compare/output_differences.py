"""An intruder with time: every small group of records whose total follows from published totals, by trying all groups."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import combinations, product

import numpy as np

__all__ = ["cells_of", "groups_of_few_owners", "groups_that_follow"]


def groups_that_follow(published: Iterable[frozenset[int]], records: int, below: int) -> set[frozenset[int]]:
    """Return the groups of fewer than ``below`` records whose 0/1 vector is a sum of multiples of published ones."""
    rows = np.array([[float(record in group) for record in range(records)] for group in published]).reshape(-1, records)
    rank = np.linalg.matrix_rank(rows) if len(rows) else 0
    found = set()
    for size in range(1, below):
        for group in combinations(range(records), size):
            vector = np.zeros((1, records))
            vector[0, list(group)] = 1.0
            if len(rows) and np.linalg.matrix_rank(np.vstack([rows, vector])) == rank:
                found.add(frozenset(group))
    return found


def cells_of(
    columns: Sequence[Sequence[str]], inside: Sequence[bool], *, margins: bool
) -> dict[tuple[str, ...], frozenset[int]]:
    """Return the records of every cell of a table, totals under the name ``all``; empty cells are left out."""
    records = [record for record, is_in in enumerate(inside) if is_in]
    found: dict[tuple[str, ...], frozenset[int]] = {}
    for totals in product([False, True] if margins else [False], repeat=len(columns)):
        for record in records:
            label = tuple("all" if total else column[record] for total, column in zip(totals, columns, strict=True))
            found[label] = found.get(label, frozenset()) | {record}
    return found


def groups_of_few_owners(
    published: Sequence[frozenset[int]], owners: Sequence[tuple[Sequence[str], int]], records: int
) -> set[frozenset[int]]:
    """Return the groups that follow and belong to fewer owners than one of the limits, by trying all unions of alike records."""
    alike: dict[tuple[bool, ...], set[int]] = {}
    for record in range(records):
        alike.setdefault(tuple(record in group for group in published), set()).add(record)
    atoms = [(key, group) for key, group in alike.items() if any(key)]
    if not atoms:
        return set()
    rows = np.array([[float(key[place]) for key, _ in atoms] for place in range(len(published))]).reshape(
        -1, len(atoms)
    )
    rank = np.linalg.matrix_rank(rows) if rows.size else 0
    found = set()
    for count in range(1, len(atoms) + 1):
        for chosen in combinations(range(len(atoms)), count):
            group = frozenset().union(*(atoms[place][1] for place in chosen))
            if all(len({names[record] for record in group}) >= least for names, least in owners):
                continue
            vector = np.zeros((1, len(atoms)))
            vector[0, list(chosen)] = 1.0
            if np.linalg.matrix_rank(np.vstack([rows, vector])) == rank:
                found.add(group)
    return found
