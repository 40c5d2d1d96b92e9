"""Risks by which people and records meet in their keys: by hand, against every pair, and what attackers of each kind get."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

import tacita as tc
from tacita.core.errors import MeasureError
from tacita.data.microdata import Microdata
from tacita.data.pairing import pair_records
from tacita.data.side_by_side.groups import value_groups
from tacita.risk import CitizenMatch, Dcap, Tcap
from tacita.risk.synthetic.matching_risk import key_cells
from tests.oracles.risk import matching as oracle


def people(rows: list, *, numbers: bool = False) -> Microdata:
    key, value = zip(*rows, strict=True)
    made = pa.array(value, pa.float64() if numbers else pa.string())
    return Microdata.from_frame(
        pa.table({"k": pa.array([str(k) for k in key], pa.string()), "t": made}),
        keys=["k"],
        confidential=["t"],
        scales={"t": "numeric" if numbers else "nominal"},
    )


ORIGINAL = [(1, "x"), (1, "y"), (2, "x"), (3, "z")]


def test_the_citizen_by_hand() -> None:
    """Told: 3 of 4 records, right 1/2, 1 and 0; half of all people have x, a quarter y: g = 1/2, c = 5/12."""
    records = people([(1, "x"), (2, "x"), (2, "y"), (4, "x")])
    found = CitizenMatch()(people(ORIGINAL), records, pairing="order")
    assert found.value == pytest.approx(75 * (1 / 2 - 5 / 12) / (7 / 12))
    assert found.parts["told"] == 75
    assert found.parts["right"] == pytest.approx(75 / 2)
    assert found.parts["by chance"] == pytest.approx(500 / 12)
    assert found.parts["t, from another person"] == 0, "the two with key 1 differ"
    assert found.per_record is not None
    assert found.per_record.tolist() == [0, 1, 0, 0]


def test_certain_attribution_by_hand() -> None:
    """Told of three people, two rightly: g = 2/3, and x, x, z would be right of 1/2, 1/2 and 1/4 of all."""
    found = Tcap()(people(ORIGINAL), people([(1, "x"), (3, "z"), (2, "x"), (2, "y")]), pairing="order")
    assert found.value == pytest.approx(75 * (2 / 3 - 5 / 12) / (7 / 12))
    assert found.parts["right where told"] == pytest.approx(200 / 3), "the TCAP of the literature"
    assert found.parts["right"] == pytest.approx(50), "disclosed and correct"


def test_differential_attribution_by_hand() -> None:
    """CAP is 1, 0 and 1/2 of the first three people; nobody has the key of the fourth."""
    found = Dcap()(people(ORIGINAL), people([(1, "x"), (2, "x"), (2, "y"), (4, "x")]), pairing="order")
    assert found.parts["right where told"] == pytest.approx(50)
    assert found.parts["told"] == 75
    assert found.value == pytest.approx(75 * (1 / 2 - 5 / 12) / (7 / 12))


rows = st.lists(st.tuples(st.integers(0, 2), st.sampled_from("xyz")), min_size=1, max_size=10)


@given(rows, rows)
@pytest.mark.parametrize("kind", [CitizenMatch, Dcap, Tcap])
def test_against_every_pair(kind: type, original: list, released: list) -> None:
    n = min(len(original), len(released))
    original, released = original[:n], released[:n]
    slow = getattr(oracle, kind.name)(original, released)
    assert kind()(people(original), people(released), pairing="order").value == pytest.approx(slow)
    as_numbers = [people([(k, float(ord(v))) for k, v in side], numbers=True) for side in (original, released)]
    assert kind(near_p=0)(*as_numbers, pairing="order").value == pytest.approx(slow)


def test_a_number_is_right_within_its_percentage() -> None:
    data = people([(1, 100.0), (2, 1000.0), (3, 5.0)], numbers=True)
    near = people([(1, 109.0), (2, 1101.0), (3, 5.0)], numbers=True)
    for kind in (CitizenMatch, Dcap, Tcap):
        assert kind(near_p=10)(data, near, pairing="order").parts["right"] == pytest.approx(200 / 3)
        assert kind(near_p=11)(data, near, pairing="order").parts["right"] == pytest.approx(100)


def test_certainty_of_numbers_is_a_narrow_group() -> None:
    data = people([(1, 100.0), (2, 100.0)], numbers=True)
    records = people([(1, 95.0), (1, 105.0), (2, 50.0), (2, 150.0)], numbers=True)
    found = Tcap()(data, Microdata(records.to_arrow(), records.schema).with_origin(data, np.full(4, -1)))
    assert found.parts["told"] == 50


@pytest.mark.parametrize("kind", [CitizenMatch, Dcap, Tcap])
def test_a_file_tells_all_of_itself_and_fresh_people_little(kind: type) -> None:
    data = tc.samples.household_survey(600, seed=1)
    fresh = tc.samples.household_survey(600, seed=2)
    assert kind()(data, data).value > 85
    assert kind()(data, fresh).value < 5


@pytest.mark.parametrize("kind", [CitizenMatch, Dcap, Tcap])
def test_missing_values_tell_nothing(kind: type) -> None:
    data = people([(1, "x"), (2, None), (3, "y")])
    found = kind()(data, people([(1, None), (2, "x"), (3, None)]), pairing="order")
    assert found.value == 0
    with pytest.raises(MeasureError, match="no 'target' can be learned"):
        kind()(people([(1, None)]), people([(1, "x")]), pairing="order")


def test_a_target_is_not_among_its_own_keys() -> None:
    data = people(ORIGINAL)
    with pytest.raises(MeasureError, match="must know another column"):
        CitizenMatch(columns=["t"], target=["t"])(data, data)


def test_many_keys_are_numbered_anew() -> None:
    """Combinations beyond 2^31 are numbered by those that occur, so that a cell and a rank fit together."""
    data = tc.samples.household_survey(200, seed=1)
    pair = pair_records(data, data)
    groups = [value_groups(pair, name, 100) for name in data.schema.with_role("key")]
    a, b = key_cells(groups * 3)
    assert a.max() < 200
    assert np.array_equal(a, b)
