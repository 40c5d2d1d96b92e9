"""Combination rules by going through tables, records and values one by one."""

from __future__ import annotations

import itertools
from typing import Any


def allowed(levels: list[int], table: tuple[int, ...]) -> bool:
    """Whether some order of the table's keys has level 1 in the first place, at most 2 in the second, and so on."""
    return any(
        all(1 <= levels[j] <= place for place, j in enumerate(order, start=1))
        for order in itertools.permutations(table)
    )


def combinations_oracle(
    records: list[tuple[int, ...]], levels: list[int], dimension: int, thresholds: list[int]
) -> dict[str, Any]:
    """Unsafe combinations per record, per column, per dimension; -1 is missing."""
    d = len(levels)
    per_record, per_column, per_dimension, tables = [0] * len(records), [0] * d, [0] * d, 0
    for size in range(1, min(dimension, d) + 1):
        for table in itertools.combinations(range(d), size):
            if not allowed(levels, table):
                continue
            tables += 1
            seen = [tuple(record[j] for j in table) for record in records]
            rare = {
                cell
                for cell in seen
                if -1 not in cell and seen.count(cell) < thresholds[min(size, len(thresholds)) - 1]
            }
            for i, cell in enumerate(seen):
                per_record[i] += cell in rare
            for j in table:
                per_column[j] += len(rare)
            per_dimension[size - 1] += len(rare)
    return {"record": per_record, "column": per_column, "dimension": per_dimension, "tables": tables}
