"""Targeted record swapping: who is swapped, with whom, and what stays."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

from tacita.core.errors import ColumnError, DataError, TacitaWarning
from tacita.data.microdata import Microdata
from tacita.mask.swap.record_swap import RecordSwap


def register(n_households: int = 2000, seed: int = 1) -> Microdata:
    rng = np.random.default_rng(seed)
    size = rng.integers(1, 5, n_households)
    house = np.repeat(np.arange(n_households), size)
    n = len(house)
    commune = rng.integers(0, 40, n_households)
    table = pa.table(
        {
            "house": house,
            "region": pa.array([f"r{c // 10}" for c in commune[house]]),
            "commune": pa.array([f"c{c}" for c in commune[house]]),
            "sex": pa.array(np.where(rng.random(n) < 0.5, "f", "m")),
            "job": pa.array([f"j{j}" for j in rng.geometric(0.5, n)]),
        }
    )
    return Microdata.from_frame(table, keys=["region", "commune", "sex", "job"], household="house")


def columns(data: Microdata, *names: str) -> list[tuple[Any, ...]]:
    return list(zip(*(data.to_arrow().column(name).to_pylist() for name in names), strict=True))


def swapped_houses(data: Microdata, masked: Microdata) -> set[int]:
    pairs = zip(columns(data, "house", "commune"), columns(masked, "house", "commune"), strict=True)
    return {before[0] for before, after in pairs if before != after}


def mask(**options: Any) -> RecordSwap:
    return RecordSwap(**{"geography": ["region", "commune"], "risk": ["sex", "job"], "k": 3, "rate": 0, **options})


@pytest.mark.filterwarnings("ignore::tacita.core.errors.TacitaWarning")
def test_households_at_risk_are_swapped_and_only_they() -> None:
    data = register()
    masked = mask().apply(data, seed=1)
    rare: set[int] = set()
    for places in (("region",), ("region", "commune")):
        rows = columns(data, *places, "sex", "job")
        counts = Counter(rows)
        rare |= {house for (house,), row in zip(columns(data, "house"), rows, strict=True) if counts[row] < 3}
    swapped = swapped_houses(data, masked)
    assert len(rare - swapped) <= 0.02 * len(rare)
    partners = len(swapped - rare)
    assert partners <= len(rare)


def test_what_stays() -> None:
    data = register()
    masked = mask(rate=10).apply(data, seed=1)
    assert Counter(columns(data, "region", "commune")) == Counter(columns(masked, "region", "commune"))
    assert columns(data, "house", "sex", "job") == columns(masked, "house", "sex", "job")
    for house in (data, masked):
        assert len(set(columns(house, "house", "region", "commune"))) == len(set(columns(house, "house")))


def test_rate_is_reached_in_every_area() -> None:
    data = register()
    masked = mask(rate=20, k=1).apply(data, seed=1)
    houses = dict(columns(data, "house", "commune"))
    swapped = Counter(houses[h] for h in swapped_houses(data, masked))
    for commune, total in Counter(houses.values()).items():
        assert 0.2 * total <= swapped[commune] <= 0.4 * total + 2


def test_partners_share_a_profile_and_stay_in_the_region_where_they_can() -> None:
    data = register(4000)
    masked = mask(rate=10, k=1, profiles=(("sex",),)).apply(data, seed=1)
    members: dict[int, list[str]] = {}
    for house, sex in columns(data, "house", "sex"):
        members.setdefault(house, []).append(sex)
    after = dict(columns(masked, "house", "commune"))
    before = dict(columns(data, "house", "commune"))
    moves = Counter((before[h], after[h], tuple(sorted(members[h]))) for h in swapped_houses(data, masked))
    for (here, there, profile), count in moves.items():
        assert moves[there, here, profile] == count
    same_region = sum(c for (a, b, _), c in moves.items() if int(a[1:]) // 10 == int(b[1:]) // 10)
    assert same_region > 0.9 * sum(moves.values())


def test_no_partner_is_said() -> None:
    table = pa.table({"area": ["a", "a", "b"], "sex": ["f", "m", "m"], "house": [1, 1, 2]})
    data = Microdata.from_frame(table, keys=["area", "sex"], household="house")
    with pytest.warns(TacitaWarning, match="2 households at risk found no partner"):
        masked = RecordSwap(geography=["area"], risk=["sex"], k=2, rate=0).apply(data, seed=1)
    assert masked.same_content(data)


def test_what_is_refused() -> None:
    table = pa.table({"area": ["a", "b", "b"], "sex": ["f", "m", "m"], "house": [1, 1, 2]})
    data = Microdata.from_frame(table, keys=["area", "sex"], household="house")
    with pytest.raises(DataError, match="'area' differs between the members of 1 households"):
        RecordSwap(geography=["area"], risk=["sex"]).apply(data, seed=1)
    whole = register(50)
    with pytest.raises(ColumnError, match="'risk' must name a column that is no geography"):
        mask(risk=["region"]).apply(whole, seed=1)
    with pytest.raises(ColumnError, match="'commune' is swapped, so it cannot be in a profile"):
        mask(profiles=(("commune",),)).apply(whole, seed=1)


def grid(n_households: int = 300) -> Microdata:
    """A register with a grid cell and a kind of settlement for every household."""
    data = register(n_households)
    house = data.to_arrow().column("house").to_numpy()
    table = data.to_arrow().append_column("cell", pa.array([f"g{i}" for i in house]))
    commune = table.column("commune").to_pylist()
    table = table.append_column("town", pa.array(["town" if int(c[1:]) % 3 else "village" for c in commune]))
    return Microdata.from_frame(table, keys=["region", "commune", "sex", "job"], household="house")


@pytest.mark.filterwarnings("ignore::tacita.core.errors.TacitaWarning")
def test_carried_columns_go_with_the_place() -> None:
    data = grid()
    masked = mask(rate=20, carry=["cell", "town"]).apply(data, seed=1)
    before = dict(zip(columns(data, "cell"), columns(data, "region", "commune", "town"), strict=True))
    after = list(zip(columns(masked, "cell"), columns(masked, "region", "commune", "town"), strict=True))
    assert all(before[cell] == place for cell, place in after)
    assert columns(data, "cell") != columns(masked, "cell")
    assert columns(data, "house", "sex", "job") == columns(masked, "house", "sex", "job")


@pytest.mark.filterwarnings("ignore::tacita.core.errors.TacitaWarning")
def test_carrying_changes_nothing_about_who_is_swapped() -> None:
    data = grid()
    plain, carried = (mask(rate=20, carry=carry).apply(data, seed=1) for carry in ((), ("cell",)))
    assert columns(plain, "region", "commune") == columns(carried, "region", "commune")


@pytest.mark.filterwarnings("ignore::tacita.core.errors.TacitaWarning")
def test_linked_columns_are_carried() -> None:
    data = grid()
    linked = data.with_schema(data.schema.change("town", roles=("linked",), linked_to="commune"))
    masked = mask(rate=20).apply(linked, seed=1)
    assert Counter(columns(linked, "commune", "town")) == Counter(columns(masked, "commune", "town"))
    assert set(columns(masked, "commune", "town")) == set(columns(linked, "commune", "town"))


def test_a_column_that_tells_the_place_is_warned_of() -> None:
    with pytest.warns(TacitaWarning, match="town has one value in every area"):
        mask(rate=20, carry=["cell"]).apply(grid(), seed=1)


@pytest.mark.filterwarnings("ignore::tacita.core.errors.TacitaWarning")
def test_report_counts_what_was_swapped() -> None:
    """Against sets of households, counted record by record."""
    data = register()
    swap = mask(rate=10)
    masked = swap.apply(data, seed=1)
    found = swap.report(data, masked)
    swapped = swapped_houses(data, masked)
    houses = set(columns(data, "house"))
    assert (found.households, found.swapped) == (len(houses), len(swapped))
    far = {
        h[0]
        for h, a, b in zip(columns(data, "house"), columns(data, "region"), columns(masked, "region"), strict=True)
        if a != b
    }
    assert found.moved == {"region": len(far), "commune": len(swapped - far)}
    rows = columns(data, "region", "commune", "sex", "job")
    counts = Counter(rows)
    rare = {h for (h,), row in zip(columns(data, "house"), rows, strict=True) if counts[row] < 3}
    assert found.at_risk["commune"] == len(rare)
    assert found.at_risk_swapped["commune"] == len(rare & swapped)
    assert found.unmatched >= len(rare - swapped)
    living = Counter(commune for _, commune in set(columns(data, "house", "commune")))
    gone = Counter(commune for house, commune in set(columns(data, "house", "commune")) if house in swapped)
    assert found.least_share == pytest.approx(min(100 * gone[c] / n for c, n in living.items()))
    assert found.least_share >= 9
    assert f"swapped: {len(swapped)}" in str(found)
    assert found.columns == ("region", "commune")


def test_nothing_swapped_is_reported_as_nothing() -> None:
    data = register(50)
    found = mask(k=1).report(data, data)
    assert found.swapped == found.unmatched == 0
    assert found.share == found.least_share == 0


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        ({"carry": ["cell"], "risk": ["cell", "sex"]}, ColumnError, "'cell' goes with the place"),
        ({"carry": ["sex"], "risk": ["job"]}, DataError, "'sex' differs between the members"),
        ({"carry": ["nowhere"]}, ColumnError, "nowhere"),
        ({"carry": ["cell"], "profiles": [["cell"]]}, ColumnError, "cannot be in a profile"),
    ],
)
def test_bad_carried_columns(options: dict[str, Any], error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        mask(**options).apply(grid(), seed=1)


def test_reports_need_the_same_records() -> None:
    data = register(50)
    with pytest.raises(DataError, match="same records"):
        mask().report(data, data.take(np.arange(5)))
