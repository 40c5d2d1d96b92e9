"""Small dimensions and records for the tests of tables."""

from __future__ import annotations

from typing import Any

import pyarrow as pa
from hypothesis import strategies as st

from tacita.data.microdata import Microdata
from tacita.tables.model.dimension import Dimension

REGION = Dimension(
    "region",
    ("Total", "N", "S", "n1", "n2", "s1"),
    (("Total", ("N", "S")), ("N", ("n1", "n2")), ("S", ("s1",))),
)
SIZE = Dimension.flat("size", ["small", "large"])


@st.composite
def dimensions(draw: st.DrawFn, name: str) -> Dimension:
    """A tree of two levels, often ragged, with aggregates that overlap and a second way to the total."""
    leaves = [f"{name}{i}" for i in range(draw(st.integers(1, 5)))]
    group = [draw(st.integers(-1, 2)) for _ in leaves]
    groups = {g: [leaf for leaf, k in zip(leaves, group, strict=True) if k == g] for g in sorted(set(group)) if g >= 0}
    top = [*(f"{name}G{g}" for g in groups), *(leaf for leaf, k in zip(leaves, group, strict=True) if k < 0)]
    sums: list[tuple[str, tuple[str, ...]]] = [("Total", tuple(top))]
    sums += [(f"{name}G{g}", tuple(of)) for g, of in groups.items()]
    codes = ["Total", *(f"{name}G{g}" for g in groups), *leaves]
    for extra in range(draw(st.integers(0, 2))):
        some = draw(st.lists(st.sampled_from(leaves), min_size=1, unique=True))
        codes.append(f"{name}X{extra}")
        sums.append((f"{name}X{extra}", tuple(some)))
    if draw(st.booleans()):
        half = [leaf for i, leaf in enumerate(leaves) if i % 2]
        rest = [leaf for i, leaf in enumerate(leaves) if not i % 2]
        ways = [(f"{name}odd", half), (f"{name}even", rest)] if half else [(f"{name}even", rest)]
        codes += [code for code, _ in ways]
        sums += [(code, tuple(of)) for code, of in ways]
        sums.append(("Total", tuple(code for code, _ in ways)))
    return Dimension(name, tuple(codes), tuple(sums))


@st.composite
def surveys(draw: st.DrawFn) -> tuple[list[Dimension], list[dict[str, Any]]]:
    """One to three dimensions and a few records with amounts, weights, contributors and holdings."""
    dims = [draw(dimensions(name)) for name in "abc"[: draw(st.integers(1, 3))]]
    amount = st.integers(-3, 20) if draw(st.booleans()) else st.integers(0, 20)
    record = st.fixed_dictionaries(
        {
            **{d.name: st.sampled_from(d.leaves) for d in dims},
            "x": amount.map(float),
            "w": st.sampled_from([1.0, 1.5, 3.0, 10.0]),
            "u": st.integers(0, 6),
            "h": st.integers(0, 3),
        }
    )
    records = draw(st.lists(record, max_size=14))
    return dims, [{**r, "rec": i} for i, r in enumerate(records)]


def microdata(dims: list[Dimension], records: list[dict[str, Any]]) -> Microdata:
    """The records as data."""
    kinds = {
        **{d.name: pa.string() for d in dims},
        "x": pa.float64(),
        "w": pa.float64(),
        "u": pa.int64(),
        "h": pa.int64(),
    }
    table = pa.table({name: pa.array([r[name] for r in records], kind) for name, kind in kinds.items()})
    return Microdata.from_frame(table, scales={"u": "nominal", "h": "nominal"})
