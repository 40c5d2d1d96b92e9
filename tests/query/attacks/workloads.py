"""Random small data sets and random questions about them, and an oracle that sees everything.

The oracle finds the members of every asked set from the plain columns, record by record, and uses nothing of the product.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pandas as pd
from hypothesis import strategies as st

import tacita as tc

__all__ = ["KEY", "Asked", "SmallData", "asked_sets", "members", "questions", "small_data"]

KEY = b"a key for the attackers' tests"
LETTERS = "abcdefgh"


@dataclass(frozen=True)
class SmallData:
    """A data set of 20 to 200 records: keys with classes, confidential numbers and classes, gaps."""

    columns: dict[str, np.ndarray] = field(repr=False)
    keys: dict[str, tuple[str, ...]]
    numbers: tuple[str, ...]
    classes: tuple[str, ...]
    weight: str | None
    household: str | None

    def __len__(self) -> int:
        return len(next(iter(self.columns.values())))

    def microdata(self) -> tc.Microdata:
        return tc.Microdata.from_frame(
            pd.DataFrame(self.columns),
            keys=list(self.keys),
            confidential=[*self.numbers, *self.classes],
            weight=self.weight,
            household=self.household,
        )

    def open(self, policy: Any) -> tc.query.Database:
        return tc.query.open(self.microdata(), policy=policy, key=KEY)


@st.composite
def small_data(draw: st.DrawFn) -> SmallData:
    """Draw a data set; the shape is drawn by Hypothesis, the values by a seed."""
    n = draw(st.integers(20, 200))
    sizes = draw(st.lists(st.integers(2, 6), min_size=2, max_size=4))
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    keys = {f"k{j}": tuple(LETTERS[:size]) for j, size in enumerate(sizes)}
    columns: dict[str, np.ndarray] = {}
    for name, classes in keys.items():  # from even to very uneven classes
        share = rng.dirichlet(np.full(len(classes), draw(st.sampled_from([0.5, 2.0, 50.0]))))
        columns[name] = rng.choice(np.array(classes, dtype=object), n, p=share)
        columns[name][: len(classes)] = classes  # every class is there, so requests may name it
    numbers = ("income", "debt")[: draw(st.integers(1, 2))]
    gaps = draw(st.sampled_from([0.0, 0.1, 0.5]))
    for name in numbers:
        values = rng.integers(100, 100_000, n).astype(float)
        columns[name] = np.where(rng.random(n) < gaps, np.nan, values)
        columns[name][:2] = values[:2]
    columns["ill"] = rng.choice(np.array(["no", "yes"], dtype=object), n)
    columns["ill"][:2] = ["no", "yes"]
    weight, household = draw(st.sampled_from([None, "w"])), draw(st.sampled_from([None, "hh"]))
    if weight is not None:
        columns["w"] = rng.uniform(50, 300, n)
    if household is not None:
        columns["hh"] = rng.integers(0, n // 2, n)
    return SmallData(columns, keys, numbers, ("ill",), weight, household)


@st.composite
def pieces(draw: st.DrawFn, data: SmallData) -> dict[str, list[str]]:
    names = draw(st.lists(st.sampled_from(sorted(data.keys)), min_size=1, max_size=3, unique=True))
    found = {}
    for name in names:
        some = st.lists(st.sampled_from(data.keys[name]), min_size=1, max_size=len(data.keys[name]), unique=True)
        found[name] = draw(some)
    return found


@st.composite
def questions(draw: st.DrawFn, data: SmallData, most: int = 12) -> list[tc.query.Tabulate | tc.query.Statistic]:
    """Draw a workload: sums, means and totals over simple universes and unions, and near repetitions of them."""
    asked: list[tc.query.Tabulate | tc.query.Statistic] = []
    wheres: list[tc.query.Universe] = [tc.query.Universe()]
    for _ in range(draw(st.integers(2, most))):
        listed = draw(st.lists(pieces(data), min_size=1, max_size=3))
        where = tc.query.Universe(listed[0])
        for piece in listed[1:]:
            where = where | tc.query.Universe(piece)
        if draw(st.booleans()):  # an intruder asks around what he asked before
            where = where | draw(st.sampled_from(wheres))
        where = draw(st.sampled_from([where, where, draw(st.sampled_from(wheres))]))
        wheres.append(where)
        response = draw(st.sampled_from(data.numbers))
        if draw(st.integers(0, 2)) == 0:
            by = draw(st.lists(st.sampled_from(sorted(data.keys)), min_size=1, max_size=2, unique=True))
            kind = draw(st.sampled_from(["mean", "total"]))
            asked.append(tc.query.Tabulate(by=by, where=where, response=response, statistic=kind))
        else:
            kind = draw(st.sampled_from(["sum", "mean"]))
            asked.append(tc.query.Statistic(response=response, statistic=kind, where=where))
    return asked


def members(data: SmallData, where: dict[str, Any]) -> np.ndarray:
    """The records of a universe in its JSON form, found one by one."""
    listed = where["any"] if set(where) == {"any"} else [where]
    found = [
        any(all(data.columns[name][i] in classes for name, classes in piece.items()) for piece in listed)
        for i in range(len(data))
    ]
    return np.array(found, dtype=bool)


@dataclass(frozen=True)
class Asked:
    """One number that left: its set of records, and the sum of the response that it tells."""

    response: str
    inside: np.ndarray
    told: float


def asked_sets(data: SmallData, request: Any, answer: tc.query.Answer) -> Iterator[Asked]:
    """What an answer tells: sets of records with a value, and their sums (a mean times its known number is a sum)."""
    inside = members(data, request.where.to_plain())
    values = data.columns[request.response]
    inside = inside & ~np.isnan(values)
    if isinstance(request, tc.query.Statistic):
        cells, numbers = [inside], [answer.value]
    else:
        names = request.by
        places = np.indices([len(data.keys[name]) for name in names]).reshape(len(names), -1)
        cells, numbers = [], list(answer.table.values.ravel())
        for place in places.T:
            cell = inside.copy()
            for name, number in zip(names, place, strict=True):
                cell &= data.columns[name] == sorted(data.keys[name])[number]
            cells.append(cell)
    for cell, number in zip(cells, numbers, strict=True):
        if cell.any():
            told = float(number) * (int(cell.sum()) if request.statistic == "mean" else 1)
            yield Asked(request.response, cell, told)
