"""Linked tables: shared cells are one."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pytest

import tacita as tc
from tacita.core.errors import DataError, ParameterError
from tacita.data.microdata import Microdata
from tacita.tables.model.dimension import Dimension
from tacita.tables.model.from_cells import table_from_cells
from tacita.tables.model.link import link, stacked
from tacita.tables.model.relations import Relations
from tacita.tables.model.table import Table
from tacita.tables.model.tabulate import tabulate
from tests.tables.examples import REGION, SIZE

RNG = np.random.default_rng(3)
N = 60
DATA = Microdata.from_frame(
    pa.table(
        {
            "region": RNG.choice(["n1", "n2", "s1"], N),
            "size": RNG.choice(["small", "large"], N),
            "kind": RNG.choice(["k", "l", "m"], N),
            "x": RNG.integers(1, 50, N).astype(float),
            "y": RNG.integers(1, 50, N).astype(float),
            "h": RNG.integers(0, 9, N),
        }
    ),
    scales={"h": "nominal"},
)
KIND = Dimension.flat("kind", ["k", "l", "m"], total="every kind")


def rows(relations: Relations) -> list[tuple[tuple[int, float], ...]]:
    found = [relations.row(r) for r in range(len(relations))]
    return [tuple(sorted(zip(c.tolist(), s.tolist(), strict=True))) for c, s in found]


def test_two_tables_with_one_dimension_in_common() -> None:
    one, other = tabulate(DATA, [REGION, SIZE], "x", holding="h"), tabulate(DATA, [REGION, KIND], "x", holding="h")
    both = link([one, other])
    shared = len(REGION.codes)
    assert len(both) == len(one) + len(other) - shared
    assert [d.name for d in both.dimensions] == ["region", "size", "kind"]
    assert both.labels(0) == ("Total", "Total", "every kind")
    assert both.values[: len(one)].tolist() == one.values.tolist()
    both.check_additive()
    # the three sums over regions at the totals of size and kind stand in both tables
    assert len(both.relations) == len(one.relations) + len(other.relations) - 3
    assert len(set(rows(both.relations))) == len(both.relations)
    assert both.holdings is not None
    at = both.find({"region": "n1", "size": "Total", "kind": "k"})[0]
    where = other.find({"region": "n1", "kind": "k"})[0]
    assert both.holdings.amounts[at].tolist() == other.holdings.amounts[where].tolist()  # type: ignore[union-attr]
    assert both.counts is not None


def test_other_breakdowns_of_one_variable() -> None:
    """The coast is the south under another name; the total has another name too; N is a leaf of the coarse table."""
    coast = Dimension(
        "region", ("All", "coast", "n1", "n2", "s1"), (("All", ("coast", "n1", "n2")), ("coast", ("s1",)))
    )
    coarse = table_from_cells(
        {"region": ["N", "S"], "value": [tabulate(DATA, [REGION]).values[i] for i in (1, 2)]}, ["region"]
    )
    one, two = tabulate(DATA, [REGION], weight=False), tabulate(DATA, [coast], weight=False)
    both = link([one, two])
    assert len(both) == len(one)
    assert both.dimensions[0].codes[0] == "Total"
    both.check_additive()
    assert len(both.relations) == len(one.relations) + 1  # the sum of the coast is that of S
    three = link([coarse, one])
    assert len(three) == len(one)
    assert three.units is None  # one of the tables does not know them
    three.check_additive()


def test_groups_of_one_member_stay_two_cells() -> None:
    one = tabulate(DATA, [REGION, SIZE])
    both = link([one, tabulate(DATA, [REGION])])
    assert len(both) == len(one)
    assert {tuple(both.labels(c)) for c in range(len(both))} == {tuple(one.labels(c)) for c in range(len(one))}


def test_responses_do_not_mix() -> None:
    both = link([tabulate(DATA, [SIZE], "x"), tabulate(DATA, [SIZE, KIND], "y"), tabulate(DATA, [KIND], "x")])
    assert both.responses == ("x", "y")
    assert both.parts is not None
    assert (both.parts == 0).sum() == 3 + 4 - 1
    assert (both.parts == 1).sum() == 12
    both.check_additive()


def test_bounds_costs_and_structure() -> None:
    one = table_from_cells(
        {"size": ["s", "l"], "value": [1, 2], "lower": [0, 1], "upper": [5, 9]}, ["size"], lower="lower", upper="upper"
    )
    other = table_from_cells(
        {"size": ["s", "l"], "value": [1, 2], "lower": [1, 0], "upper": [7, 7]}, ["size"], lower="lower", upper="upper"
    )
    both = link([one, other])
    assert both.bounds[0].tolist() == [-np.inf, 1, 1]
    assert both.bounds[1].tolist() == [np.inf, 5, 7]
    priced = table_from_cells({"size": ["s", "l"], "value": [1, 2], "cost": [1, 2]}, ["size"], cost="cost")
    with pytest.raises(ParameterError, match="give them to all or none"):
        link([one, priced])
    apart = tabulate(DATA, [SIZE, KIND]), tabulate(DATA, [KIND], structural=[])
    assert link(apart).structural is None
    nobody = [{"region": "s1", "size": "huge"}]
    wide = Dimension.flat("size", ["small", "large", "huge"])
    marked = link([tabulate(DATA, [REGION, wide], structural=nobody), tabulate(DATA, [REGION])])
    assert {marked.labels(c) for c in np.flatnonzero(marked.is_structural).tolist()} == {("S", "huge"), ("s1", "huge")}


def test_disagreement_is_named() -> None:
    one = table_from_cells({"size": ["small", "large"], "value": [73517351, 2]}, ["size"])
    other = table_from_cells({"size": ["small", "large"], "value": [73517352, 1]}, ["size"])
    with pytest.raises(DataError, match=r"2 shared cell\(s\) have different values") as caught:
        link([one, other], tolerance=1e-12)
    assert "size=small" in str(caught.value)
    assert "size=large" in str(caught.value)
    assert "7351" not in str(caught.value)


def test_contributors_of_other_data_are_refused() -> None:
    shuffled = DATA.take(np.arange(N)[::-1].copy())
    with pytest.raises(DataError, match="contributors with different numbers"):
        link([tabulate(DATA, [SIZE], "x"), tabulate(shuffled, [SIZE], "x")])


def test_a_total_is_needed() -> None:
    open_ended = Dimension("kind", ("k", "l", "m"))
    with pytest.raises(ParameterError, match="dimension 'kind' has no total"):
        link([tabulate(DATA, [SIZE]), tabulate(DATA, [SIZE, open_ended])])
    with pytest.raises(ParameterError, match="at least one table"):
        link([])
    with pytest.raises(ParameterError, match="a response of its own"):
        stacked([tabulate(DATA, [SIZE], "x"), tabulate(DATA, [KIND], "x")])


def test_the_shallowest_table_counts() -> None:
    both = link([tabulate(DATA, [SIZE], "x", depth=4), tabulate(DATA, [KIND], "x", depth=2)])
    assert both.units is not None
    assert both.units.depth == 2


def test_business_sample() -> None:
    data = tc.samples.business_survey(500, seed=2)
    tables: list[Table] = [
        tabulate(data, by, "turnover") for by in (["region", "size_class"], ["activity", "size_class"], ["region"])
    ]
    both = link(tables)
    both.check_additive()
    assert len(both) == len(tables[0]) + len(tables[1]) - 5
