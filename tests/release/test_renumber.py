"""Numbers that only say which records belong together leave with other numbers, and nothing else changes."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest

import tacita as tc
from tacita.core.errors import DataError
from tacita.core.streams import Streams
from tacita.release.renumber import Renumbering, renumber, renumbered_columns

RECIPE = tc.Recipe([tc.mask.AdditiveNoise(columns=["income"], sd_ratio=0.1)])


def families(n: int = 240, **more: object) -> tc.Microdata:
    """Make a file sorted by household, with a reference to another household and a sampling unit."""
    rng = np.random.default_rng(5)
    house = np.arange(n) // 3 + 100
    table = {
        "house": pa.array(house, pa.int32()),
        "parents": pa.array(np.roll(house, 30).astype(float), mask=rng.random(n) < 0.5),
        "psu": pa.array([f"{h // 8:03d}" for h in house]),
        "stratum": pa.array(house // 3),
        "copy": pa.array(house),
        "age": pa.array(rng.integers(0, 90, n)),
        "income": pa.array(rng.normal(1000, 300, n)),
    }
    settings = {
        "keys": ["age"],
        "confidential": ["income"],
        "household": "house",
        "clusters": ["parents", "psu"],
        "strata": ["stratum"],
        **more,
    }
    return tc.Microdata.from_frame(pa.table(table), **settings)  # type: ignore[arg-type]


def values(data: tc.Microdata, name: str) -> list[object]:
    return data.to_arrow(codes=False).column(name).to_pylist()


def partition(numbers: list[object]) -> list[int]:
    place: dict[object, int] = {}
    return [-1 if number is None else place.setdefault(number, len(place)) for number in numbers]


def test_the_columns_that_are_mere_numbers() -> None:
    assert renumbered_columns(families()) == ("house", "parents", "psu", "stratum", "copy")


def test_strata_with_a_meaning_and_columns_of_respondents_stay() -> None:
    few = tc.Microdata.from_frame(pa.table({"s": [1, 2, 3] * 20, "t": [1, 2, 3] * 20}), strata=["s"])
    assert renumbered_columns(few) == ()
    data = families()
    labelled = data.with_schema(data.schema.change("stratum", labels=((40, "Coast"),)))
    assert "stratum" not in renumbered_columns(labelled)
    named = data.with_schema(data.schema.change("stratum", roles=("key", "stratum")))
    assert "stratum" not in renumbered_columns(named)


def test_records_stay_together_types_and_gaps_stay() -> None:
    data = families()
    made, numbers = renumber(data, lambda names: Streams(1).stream(names))
    assert numbers.columns == ("house", "parents", "psu", "stratum", "copy")
    for name in numbers.columns:
        assert partition(values(made, name)) == partition(values(data, name)), name
        assert made.to_arrow().schema.field(name).type == data.to_arrow().schema.field(name).type
    assert values(made, "age") == values(data, "age")


def test_columns_that_share_numbers_stay_consistent() -> None:
    made, _ = renumber(families(), lambda names: Streams(1).stream(names))
    data = families()
    lookup = dict(zip(values(data, "house"), values(made, "house"), strict=True))
    assert values(made, "copy") == values(made, "house")
    for before, after in zip(values(data, "parents"), values(made, "parents"), strict=True):
        assert (before is None) == (after is None)
        assert before is None or lookup[int(before)] == after  # type: ignore[call-overload]


def test_new_numbers_are_one_to_m_and_say_nothing_of_the_order() -> None:
    data = tc.Microdata.from_frame(pa.table({"house": np.arange(900) // 3 + 5000}), household="house")
    drawn = []
    for seed in range(40):
        made, _ = renumber(data, lambda names, seed=seed: Streams(seed).stream(names))  # type: ignore[misc]
        new = np.array(values(made, "house"))
        assert sorted(set(new.tolist())) == list(range(1, 301))
        drawn.append(np.corrcoef(np.arange(900), new)[0, 1])
    # 40 correlations of 300 random ranks: their mean has a standard error of 0.009; five of these are allowed.
    assert abs(np.mean(drawn)) < 0.05


def test_a_new_number_is_never_a_missing_code() -> None:
    table = pa.table({"house": pa.array([1, 2, 3, 4, 999, 50, 60])})
    schema = tc.Schema((tc.Column(name="house", scale="nominal", roles=("household",), missing=(2, (4, 6))),))
    made, _ = renumber(tc.Microdata(table, schema), lambda names: Streams(1).stream(names))
    new = [number for number in values(made, "house") if number is not None]
    assert len(set(new)) == 5
    assert not {2, 4, 5, 6} & set(new)
    assert made.to_arrow().column("house").to_pylist()[1] == 2, "a missing code stays the code"


def test_ranges_without_end_leave_no_numbers() -> None:
    schema = tc.Schema((tc.Column(name="h", scale="nominal", roles=("household",), missing=((0.0, float("inf")),)),))
    data = tc.Microdata(pa.table({"h": [-1, -2]}), schema)
    with pytest.raises(DataError, match="no numbers"):
        renumber(data, lambda names: Streams(1).stream(names))


def test_descriptions_of_old_numbers_go_even_when_public() -> None:
    data = families()
    data = data.with_schema(
        data.schema.change("house", labels=((117, "The Smiths"),), bounds=(100, 180), public=True, scale="nominal")
    )
    made, _ = renumber(data, lambda names: Streams(1).stream(names))
    assert made.schema["house"].labels == ()
    assert made.schema["house"].bounds is None


def test_undo_brings_the_numbers_back_also_from_a_file() -> None:
    data = families()
    made, numbers = renumber(data, lambda names: Streams(1).stream(names))
    again = Renumbering.from_arrow(numbers.to_arrow()).undo(made, data)
    for name in data.names:
        assert values(again, name) == values(data, name)
    assert again.schema == data.schema
    with pytest.raises(DataError, match="does not know"):
        numbers.undo(data, data)


# --- in a release ------------------------------------------------------------------------------------------------------------


def test_household_numbers_no_longer_undo_the_shuffle(tmp_path: Path) -> None:
    data = families(600)
    release = RECIPE.apply(data, seed=3)
    release.write(tmp_path / "out")
    public = tc.read(tmp_path / "out/public/data.csv")
    link = tc.Release.read_link(tmp_path / "out/internal")
    for name in ("house", "psu", "stratum", "copy"):
        order = np.argsort(np.array(values(public, name), dtype=float), kind="stable")
        along = np.corrcoef(link[order], np.arange(len(link)))[0, 1]
        assert abs(along) < 0.3, name  # 200 households: a standard error of 0.07; the original numbers give 1
    assert partition(values(public, "house")) == partition([values(data, "house")[row] for row in link])


def test_evaluation_by_link_still_works_from_files(tmp_path: Path) -> None:
    from tacita.cli.files import read_masked

    data = families()
    release = RECIPE.apply(data, seed=3)
    release.write(tmp_path / "out")
    after, link = read_masked(tmp_path / "out", data, None)
    assert link is not None
    for name in ("house", "parents", "psu", "stratum"):
        assert values(after, name) == [values(data, name)[row] for row in link]
    measures = ["il1s", "dld", "household_risk", "contingency"]
    inside = tc.evaluate(data, release, measures=measures[:3])
    outside = tc.evaluate(data, after.with_origin(data, link), measures=measures[:3])
    assert dict(inside) == pytest.approx(dict(outside))


def test_keeping_the_numbers_is_explicit_and_recorded(tmp_path: Path) -> None:
    import json

    data = families()
    release = RECIPE.apply(data, seed=3)
    release.write(tmp_path / "new")
    release.write(tmp_path / "old", renumber=False)
    facts = [json.loads((tmp_path / name / "internal/provenance.json").read_text()) for name in ("new", "old")]
    assert facts[0]["renumbered"] == ["house", "parents", "psu", "stratum", "copy"]
    assert facts[0]["numbers_kept"] == facts[1]["renumbered"] == []
    assert facts[1]["numbers_kept"] == facts[0]["renumbered"]
    kept = tc.read(tmp_path / "old/public/data.csv")
    assert set(values(kept, "house")) == set(values(data, "house"))
    assert not (tmp_path / "old/internal/numbers.parquet").exists()


def test_two_recipes_with_one_seed_do_not_line_up() -> None:
    data = families()
    other = tc.Recipe([tc.mask.AdditiveNoise(columns=["income"], sd_ratio=0.2)])
    a, b = (recipe.apply(data, seed=3).public for recipe in (RECIPE, other))
    assert not np.array_equal(a.origin_rows(), b.origin_rows())
    order_a, order_b = np.argsort(a.origin_rows()), np.argsort(b.origin_rows())
    assert values(a.take(order_a), "house") != values(b.take(order_b), "house")
    again = RECIPE.apply(data, seed=3).public
    assert np.array_equal(a.origin_rows(), again.origin_rows())
    assert values(a, "house") == values(again, "house")
