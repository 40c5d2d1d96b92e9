"""The comparison of ways for a census: what each way promises, and what is refused."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pyarrow as pa
import pytest

import tacita as tc
from tacita.compare.census.census_comparison import CensusComparison
from tacita.core.errors import ColumnError, ParameterError, TacitaError
from tacita.core.keyed import Key

KEY = Key(bytes(range(3, 67, 2)))
TABLES = [["municipality", "sex", "marital"], ["sex", "marital", "education"], ["municipality", "education"]]


@pytest.fixture(scope="module")
def people() -> tc.Microdata:
    return tc.samples.census_register(3000, seed=1, regions=12)


@pytest.fixture(scope="module")
def found(people: tc.Microdata) -> CensusComparison:
    return tc.compare_census(people, TABLES, key=KEY, seed=1)


def test_every_way_can_be_done(found: CensusComparison) -> None:
    assert [row.way for row in found.ways if row.reason] == []
    assert len(found.ways) == 8
    assert found.small_cells > 10
    assert {row.tried for row in found.ways} == {found.small_cells}


def test_suppression_hides_and_does_not_deviate(found: CensusComparison) -> None:
    row = found["suppression"]
    assert row.mean == row.largest == row.small == row.open_small == 0
    assert row.hidden is not None
    assert row.hidden > 0
    assert row.notes[0].startswith("The auditor: passed")
    assert row.notes[0].endswith("to all of them no hidden cell is below 1.")
    assert row.found == 0, "the attacker of the comparison is the one of the certificate"
    assert {other.hidden for other in found.ways if other is not row} == {0.0}


@pytest.mark.parametrize("way", ["rounding", "keys, consistent", "SAFE"])
def test_additive_and_consistent(found: CensusComparison, way: str) -> None:
    row = found[way]
    assert row.is_additive
    assert row.differ == row.averaging == 0
    assert row.mean is not None
    assert row.mean > 0


@pytest.mark.parametrize("way", ["cell keys", "swapping, keys"])
def test_plain_keys_are_consistent_and_do_not_add_up(found: CensusComparison, way: str) -> None:
    row = found[way]
    assert row.differ == 0
    assert row.is_additive is False


def test_who_fits_noise_to_the_sums_comes_nearer(found: CensusComparison) -> None:
    gain = found["cell keys"].fitting
    assert gain is not None
    assert gain > 5


def test_tables_made_additive_one_by_one_differ(found: CensusComparison) -> None:
    row = found["keys, additive"]
    assert row.is_additive
    assert row.differ is not None
    assert row.differ > 0


@pytest.mark.parametrize(
    "way", ["rounding", "cell keys", "keys, additive", "keys, consistent", "SAFE", "swapping, keys"]
)
def test_no_small_counts_are_left(found: CensusComparison, way: str) -> None:
    assert found[way].small == found[way].open_small == 0


def test_no_noise_beyond_its_bound(found: CensusComparison) -> None:
    largest = {row.way: row.largest for row in found.ways}
    assert largest["rounding"] == 2
    assert largest["cell keys"] == largest["keys, additive"] == 3
    assert largest["keys, consistent"] is not None
    assert largest["keys, consistent"] <= 4


def test_swapping_alone_leaves_small_counts(found: CensusComparison) -> None:
    """Tables without places stay as they are, so their small cells are known."""
    row = found["swapping"]
    assert row.is_additive
    assert row.differ == 0
    assert row.small is not None
    assert row.found is not None
    assert row.small > 0
    assert row.found > 0


def test_the_same_seed_and_key_give_the_same_figures(people: tc.Microdata, found: CensusComparison) -> None:
    quick = ["cell keys", "keys, additive", "keys, consistent", "SAFE", "swapping", "swapping, keys"]
    again = tc.compare_census(people, TABLES, key=KEY, seed=1, ways=quick)
    assert again.ways == tuple(found[way] for way in quick)
    other = tc.compare_census(people, TABLES, key=Key(bytes(range(67, 3, -2))), seed=1, ways=["cell keys"])
    assert other["cell keys"] != found["cell keys"]


def test_what_the_clock_ended_says_that_it_may_not_repeat(people: tc.Microdata, found: CensusComparison) -> None:
    hurried = tc.compare_census(people, TABLES, key=KEY, seed=1, ways=["suppression"], time_limit=0.0)
    told = "suppression: 'time_limit' may have ended the search"
    assert any(remark.startswith(told) for remark in hurried.remarks)
    assert not any(remark.startswith(told) for remark in found.remarks)


def test_few_cells_are_drawn_and_it_is_said(people: tc.Microdata) -> None:
    some = tc.compare_census(people, TABLES, key=KEY, seed=1, ways=["swapping"], most_tried=5)
    assert some["swapping"].tried == 5
    assert any(f"5 of the {some.small_cells} small cells" in note for note in some.notes)


def test_what_cannot_be_done_is_a_row_with_its_reason() -> None:
    rng = np.random.default_rng(1)
    frame = pa.table({"colour": rng.choice(["red", "blue", "green"], 60), "size": rng.choice(["s", "m"], 60)})
    some = tc.compare_census(tc.Microdata.from_frame(frame), [["colour", "size"]], key=KEY, seed=1)
    assert "'identity'" in some["cell keys"].reason
    assert "'identity'" in some["swapping, keys"].reason or "'geography'" in some["swapping, keys"].reason
    assert "'geography'" in some["swapping"].reason
    assert some["SAFE"].reason == some["rounding"].reason == ""
    assert "cell keys: not done" in str(some)


@pytest.mark.parametrize(("name", "said"), [("MOST_CELLS", "one after the other"), ("MOST_LISTED", "not tried")])
def test_tables_that_are_too_large_say_so(
    people: tc.Microdata, found: CensusComparison, monkeypatch: pytest.MonkeyPatch, name: str, said: str
) -> None:
    for limit in ("MOST_CELLS", name):
        monkeypatch.setattr(f"tacita.compare.census.compare_census.{limit}", 50)
    some = tc.compare_census(people, TABLES, key=KEY, seed=1, ways=["cell keys"])
    row = some["cell keys"]
    assert any(said in note for note in some.notes)
    assert row.found == (None if name == "MOST_LISTED" else found["cell keys"].found)
    assert row.mean == found["cell keys"].mean
    assert row.fitting == (None if name == "MOST_LISTED" else found["cell keys"].fitting)


def test_forms(found: CensusComparison) -> None:
    frame = found.to_frame()
    assert frame.column("way").to_pylist() == [row.way for row in found.ways]
    plain = found.to_plain()
    assert plain["ways"][2]["way"] == "cell keys"
    assert plain["units"]["mean"] == "records"
    shown = repr(found)
    assert "The attacker is a reader" in shown
    assert all(row.way in shown for row in found.ways)
    assert {len(row.words()) for row in found.ways} == {len(found.heads)}
    assert len(replace(found.ways[0], reason="x").words()) == len(found.heads)


@pytest.mark.parametrize(
    ("changed", "kind", "message"),
    [
        ({"tables": []}, ParameterError, "at least one table"),
        ({"tables": ["sex"]}, ParameterError, "at least one table"),
        ({"tables": [["sex", "maritel"]]}, ColumnError, "maritel"),
        ({"tables": [["sex", "sex"]]}, ParameterError, "twice"),
        ({"key": None}, ParameterError, "'key' must be given"),
        ({"key": b"short"}, ParameterError, "at least 16 bytes"),
        ({"key": bytes(32)}, ParameterError, "guess"),
        ({"identity": "person"}, ColumnError, "person"),
        ({"geography": "grid"}, ParameterError, "must be a column of the tables"),
        ({"geography": "nowhere"}, ColumnError, "nowhere"),
        ({"ways": ["cell key"]}, ParameterError, "Did you mean 'cell keys'"),
        ({"k": 1}, ParameterError, "'k' must be"),
        ({"D": 1}, ParameterError, "'D' must be"),
        ({"V": 0}, ParameterError, "'V' must be"),
        ({"rate": 101}, ParameterError, "'rate' must be"),
        ({"most_tried": -1}, ParameterError, "'most_tried' must be"),
        ({"seed": -1}, ParameterError, "'seed' must be"),
    ],
)
def test_bad_input(people: tc.Microdata, changed: dict[str, object], kind: type[TacitaError], message: str) -> None:
    given = {"tables": TABLES, "key": KEY, "seed": 1, **changed}
    with pytest.raises(kind, match=message):
        tc.compare_census(people, **given)  # type: ignore[arg-type]
