"""Changed categories against an intruder who knows how often each column kept its value."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

import tacita as tc
from tacita.data.microdata import Microdata
from tacita.data.pairing import pair_records
from tacita.mask import DataSwap, Pram, RecordSwap
from tacita.risk import AgreementLinkage
from tests.oracles.risk.known_method import agreement_share

KEYS = ("region", "sex", "marital", "education", "occupation")


def words(values: np.ndarray) -> Microdata:  # type: ignore[type-arg]
    table = {f"c{j}": [f"v{v}" for v in values[:, j]] for j in range(values.shape[1])}
    return Microdata.from_frame(pa.table(table), keys=list(table))


@given(st.integers(0, 10_000))
def test_links_are_those_of_the_oracle(seed: int) -> None:
    rng = np.random.default_rng(seed)
    x = rng.integers(0, 4, (int(rng.integers(2, 16)), 3))
    y = np.where(rng.random(x.shape) < 0.3, rng.integers(0, 5, x.shape), x)
    found = AgreementLinkage()(words(x), words(y), pairing="order").per_record
    assert found == pytest.approx(agreement_share(x, y))


def test_worked_example() -> None:
    """The rare value tells more: record 3 changed in b alone, and its rare a still finds it."""
    x = np.array([[0, 0], [0, 1], [0, 1], [1, 0]])
    y = np.array([[0, 0], [0, 1], [0, 1], [1, 1]])
    found = AgreementLinkage()(words(x), words(y), pairing="order")
    assert found.per_record == pytest.approx([1, 0.5, 0.5, 1])
    assert found.parts == {"c0": 100.0, "c1": 75.0}


def test_weak_settings_are_broken_and_strong_ones_hold() -> None:
    data = tc.samples.household_survey(400, seed=1)
    link = AgreementLinkage(columns=KEYS)
    untouched = link(data, data).value
    weak, strong = (link(data, Pram(columns=KEYS, pd=pd, alpha=1).apply(data, seed=3)).value for pd in (0.95, 0.05))
    assert 0.7 * untouched < weak <= untouched
    assert strong < 0.35 * untouched


@pytest.mark.filterwarnings("ignore:RecordSwap")  # some households find no partner
def test_swapping_leaves_the_other_columns() -> None:
    data = tc.samples.household_survey(400, seed=1)
    swapped = RecordSwap(geography=("region",), risk=("sex", "age", "occupation"), rate=20).apply(data, seed=3)
    found = AgreementLinkage(columns=("region", "sex", "age", "occupation"))(data, swapped)
    assert found.value > 50
    assert found.parts["region"] < 50
    assert found.parts["age"] == 100.0
    pairs = DataSwap(columns=("region",), match=("sex",), p=50).apply(data, seed=3)
    assert AgreementLinkage(columns=("region", "sex"))(data, pairs).parts["sex"] == 100.0


def test_a_large_file_is_sampled_where_nobody_asked_for_it() -> None:
    data = tc.samples.household_survey(3000, seed=1)
    pair = pair_records(data, data)
    fitted = AgreementLinkage(columns=KEYS).fitted(pair, share=0.02)
    assert fitted.sample < 3000
    found = fitted.of_pair(pair)
    assert found.upper is not None
    assert found.value < found.upper
    assert AgreementLinkage(columns=KEYS).fitted(pair) == AgreementLinkage(columns=KEYS)
