"""From nobody's place the p % condition is broken: every contributor and every holding attacks, by an independent programme."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pyarrow as pa
import pytest

import tacita as tc
from tacita.data.microdata import Microdata
from tacita.tables.model.dimension import Dimension
from tacita.tables.model.table import Table
from tests.oracles.tables.contributors import Contributors, Records

METHODS = ("fast", "exact", "modular", "hypercube")
P = 10.0


def contributors(firms: Microdata, table: Table, response: str) -> Contributors:
    frame, n = firms.to_arrow(), len(firms)
    labels = [frame.column(d.name).cast(pa.string()).to_pylist() for d in table.dimensions]
    names = frame.column("holding").to_pylist() if "holding" in firms.names else [None] * n
    place: dict[object, int] = {}
    holdings = [
        place.setdefault(("alone", row) if name is None else name, len(place)) for row, name in enumerate(names)
    ]
    weights = firms.float("weight") if "weight" in firms.names else np.ones(n)
    found = Contributors(
        Records(labels, firms.float(response), weights, np.arange(n), np.array(holdings)), table.dimensions, table.codes
    )
    assert np.allclose(found.values, table.values)
    return found


def firms_of(cells: dict[str, list[float]]) -> Microdata:
    code = [name for name, amounts in cells.items() for _ in amounts]
    return Microdata.from_frame(pa.table({"code": code, "x": [x for amounts in cells.values() for x in amounts]}))


THREE = {"A": [100.0, 1.0], "B": [90.0, 1.0], "C": [80.0, 80.0, 70.0, 70.0]}


def test_the_oracle_finds_whom_nobody_counted() -> None:
    """Firm 100 knows A >= 100 and A + B = 192, so B <= 92: the 90 is known to 2.2 %."""
    firms = firms_of(THREE)
    table = tc.tabulate(firms, ["code"], "x")
    hidden = np.isin(table.column("code"), ["A", "B"])
    found = contributors(firms, table, "x").breaches(hidden, np.flatnonzero(hidden), p=P, level="unit")
    by_firm = {breach.attacker: breach for breach in found}
    assert by_firm[("unit", 0)].known_to == pytest.approx(92 / 90 - 1)
    assert by_firm[("unit", 2)].known_to == pytest.approx(102 / 100 - 1)


def test_the_oracle_is_content_where_everything_is_hidden() -> None:
    firms = firms_of(THREE)
    table = tc.tabulate(firms, ["code"], "x")
    everything = np.array([code != "Total" for code in table.column("code")])
    assert not contributors(firms, table, "x").breaches(everything, np.array([1, 2]), p=P, level="unit")


@pytest.mark.parametrize("method", METHODS)
def test_three_cells(method: str) -> None:
    firms = firms_of(THREE)
    table = tc.tabulate(firms, ["code"], "x")
    rule = tc.tables.PPercent(p=P)
    protected = tc.tables.Suppress(method=method).protect(table, rule.judge(table))  # type: ignore[arg-type]
    assert protected.is_safe
    targets = np.flatnonzero(rule.judge(table).cells)
    assert not contributors(firms, table, "x").breaches(protected.hidden, targets, p=P, level="unit")


# --- the business sample ---------------------------------------------------------------------------------------------------


def check(seed: int, with_frequency: bool, method: str, *, weighted: bool, level: str = "holding") -> None:
    firms = tc.samples.business_survey(2000, seed=seed)
    firms = tc.mask.GlobalRecode(levels={"activity": 3, "region": 1}).apply(firms)
    table = tc.tabulate(firms, ["region", "activity"], "turnover", weight=None if weighted else False)
    firms = firms if weighted else firms.drop(["weight"])
    p_percent = tc.tables.PPercent(p=P, level=level)  # type: ignore[arg-type]
    frequency = tc.tables.MinimumFrequency(at_least=3, level=level)  # type: ignore[arg-type]
    unsafe = (p_percent | frequency if with_frequency else p_percent).judge(table)
    protected = tc.tables.Suppress(method=method, time_limit=20.0).protect(table, unsafe)  # type: ignore[arg-type]
    assert protected.is_safe
    targets = np.flatnonzero(p_percent.judge(table).cells)
    found = contributors(firms, table, "turnover").breaches(protected.hidden, targets, p=P, level=level)
    assert not found, Counter(breach.attacker[0] for breach in found)


@pytest.mark.parametrize(
    ("method", "weighted", "with_frequency"),
    [
        pytest.param(
            "fast", False, False, marks=pytest.mark.slow
        ),  # the dearest of the three, and one of the twenty below
        ("fast", True, True),
        ("hypercube", True, False),
    ],
)
def test_the_business_sample(method: str, weighted: bool, with_frequency: bool) -> None:
    check(3, with_frequency, method, weighted=weighted)


@pytest.mark.slow
@pytest.mark.parametrize("with_frequency", [False, True])
@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("seed", range(1, 21))
def test_twenty_business_samples(seed: int, method: str, weighted: bool, with_frequency: bool) -> None:
    check(seed, with_frequency, method, weighted=weighted)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(200))
def test_small_tables_of_dominated_cells(seed: int) -> None:
    """Few firms a cell, a nested dimension, firms that stand in several cells: where dominating floors meet."""
    rng = np.random.default_rng(seed)
    n = int(rng.integers(10, 60))
    region = Dimension.flat("region", ["north", "south", "west"]).with_sums({"coast": ["north", "west"]})
    firms = Microdata.from_frame(
        pa.table(
            {
                "region": rng.choice(["north", "south", "west"], n),
                "size": rng.choice(["s", "m", "l"], n),
                "x": np.round(rng.lognormal(3, 1.7, n), 1),
                "holding": rng.choice([f"h{i}" for i in range(max(4, int(0.7 * n)))], n),
            }
        ),
        household="holding",
    )
    table = tc.tabulate(firms, [region, "size"], "x")
    rule = tc.tables.PPercent(p=P, level="holding")
    try:
        protected = tc.tables.Suppress(method=METHODS[seed % 4], cost="unity", time_limit=10.0).protect(  # type: ignore[arg-type]
            table, rule.judge(table)
        )
    except tc.TacitaError:
        return  # no pattern at all; tests of infeasible tables look at that
    targets = np.flatnonzero(rule.judge(table).cells)
    assert not contributors(firms, table, "x").breaches(protected.hidden, targets, p=P, level="holding")
