"""Groups that are all alike, one sum after the other."""

from __future__ import annotations

import numpy as np

from tacita.tables.model.table import Table

__all__ = ["groups_one_by_one"]


def groups_one_by_one(table: Table, published: np.ndarray) -> tuple[int, int, int, int, int]:
    """Groups, shown as alike, truly alike, falsely alike, persons in the true ones."""
    groups = shown = true = false = persons = 0
    assert table.counts is not None
    for relation in range(len(table.relations)):
        cells, signs = table.relations.row(relation)
        parts = [c for c, s in zip(cells.tolist(), signs.tolist(), strict=True) if s > 0 and not table.is_structural[c]]
        people = sum(int(table.counts[c]) for c in parts)
        if len(parts) < 2 or people == 0:
            continue
        groups += 1
        seen = [c for c in parts if published[c] > 0]
        if len(seen) == 1:
            shown += 1
            if int(table.counts[seen[0]]) == people:
                true += 1
                persons += people
            else:
                false += 1
    return groups, shown, true, false, persons
