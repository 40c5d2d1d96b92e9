"""Tables that the conformance suite holds every rule and every protector against: ordinary ones and those at the edges.

All have the dimensions ``region`` and ``size`` and know their contributors, so that a rule or a protector needs no entry of its
own in ``EXAMPLES`` unless it has a required parameter.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cache

import numpy as np
import pyarrow as pa

import tacita as tc
from tacita.tables.model.table import Table
from tacita.tables.rules.unsafe import Unsafe

__all__ = ["TABLES", "Case", "nobody_asked", "records", "table", "verdict_on", "without"]

REGIONS, SIZES = ("north", "south", "west"), ("small", "large", "missing")
Row = tuple[str, str, float | None]


@dataclass(frozen=True, eq=False)
class Case:
    """A table, and the records that it was made of where it is one of sums."""

    name: str
    table: Table
    data: tc.Microdata | None = None


def records(rows: Sequence[Row]) -> tc.Microdata:
    """Firms with a region, a size, an amount, and whether they asked for protection; every second one did."""
    columns = list(zip(*rows, strict=True))
    return tc.Microdata.from_frame(
        pa.table(
            {
                "region": pa.array(columns[0], pa.string()),
                "size": pa.array(columns[1], pa.string()),
                "x": pa.array(columns[2], pa.float64()),
                "kind": pa.array([f"k{i % 3}" for i in range(len(rows))]),
                "asked": pa.array([i % 2 for i in range(len(rows))]),
            }
        )
    )


def _made(rows: Sequence[Row], by: Sequence[str] = ("region", "size"), **facts: float) -> tuple[Table, tc.Microdata]:
    data = records(rows)
    with warnings.catch_warnings():  # that records without an amount are left out is said, and tested elsewhere
        warnings.filterwarnings("ignore", message=".*without a value of 'x'")
        return tc.tabulate(data, list(by), "x", request="asked", **facts), data  # type: ignore[arg-type]


def _each(amounts: Callable[[int], Sequence[float | None]]) -> list[Row]:
    """The same sort of cell everywhere: ``amounts`` of the number of the cell."""
    codes = [(region, size) for region in REGIONS for size in SIZES]
    return [(*code, amount) for number, code in enumerate(codes) for amount in amounts(number)]


def _ordinary() -> list[Row]:
    rng = np.random.default_rng(11)
    return _each(lambda number: np.round(rng.lognormal(3, 1.2, 1 + number % 5), 1).tolist())


@cache
def table(name: str) -> Case:
    """Build one of the tables."""
    rows: dict[str, Callable[[], list[Row]]] = {
        "ordinary": _ordinary,
        "one code": lambda: [("north", "small", 9.0), ("north", "small", 4.0)],
        "nothing unsafe": lambda: _each(lambda number: [10.0 + number] * 6),
        "everything unsafe": lambda: _each(lambda number: [5.0 + 3 * number]),
        "zeros": lambda: _each(lambda number: [[0.0, 0.0, 0.0], [9.0, 9.0, 8.0], [], [8.0, 7.0]][number % 4]),
        "gaps": lambda: _each(lambda number: [None, 4.0 + number, 3.0, None, 5.0][: 2 + number % 4]),
        "negative": lambda: _each(lambda number: [-20.0 + number, 30.0, 5.0, -1.0][: 1 + number % 4]),
    }
    if name in rows:
        facts = {"lower": -1000.0} if name == "negative" else {}
        return Case(name, *_made(rows[name](), **facts))
    data = records(_ordinary())
    if name == "linked":
        parts = [tc.tabulate(data, by, "x", request="asked") for by in (["region", "size"], ["size", "kind"])]
        return Case(name, tc.tables.link(parts))
    assert name == "counts"
    return Case(name, tc.tabulate(data, ["region", "size"], request="asked"))


TABLES = (
    "ordinary", "one code", "nothing unsafe", "everything unsafe", "zeros", "gaps", "negative", "linked", "counts",
)  # fmt: skip
"""The names of the tables."""


@cache
def verdict_on(name: str) -> Unsafe:
    """The unsafe cells that protectors are given: by the two usual rules."""
    made = table(name).table
    frequency = tc.tables.MinimumFrequency(at_least=3)
    return frequency.judge(made) if made.is_frequency else (frequency | tc.tables.PPercent(p=10)).judge(made)


def without(made: Table, need: str) -> Table:
    """The same table, but it does not know what a rule may need."""
    lacking = {"units": None, "holdings": None, "sources": ()}
    if need == "requests":
        assert made.units is not None
        return replace(made, units=replace(made.units, asks=None), **{"holdings": None})
    return replace(made, **lacking | ({"counts": None} if need == "counts" else {}))  # type: ignore[arg-type]


def nobody_asked(made: Table) -> Table:
    """The same table with codes that nobody named, and nobody who asked for protection."""
    assert made.units is not None
    codes = [
        replace(dimension, codes=tuple(f"{code}*" for code in dimension.codes), sums=_starred(dimension.sums))
        for dimension in made.dimensions
    ]
    units = made.units
    asks = None if units.asks is None else np.zeros_like(units.asks)
    return replace(made, dimensions=tuple(codes), units=replace(units, asks=asks), holdings=None)


def _starred(sums: Sequence[tuple[str, Sequence[str]]]) -> tuple[tuple[str, tuple[str, ...]], ...]:
    return tuple((f"{total}*", tuple(f"{part}*" for part in parts)) for total, parts in sums)
