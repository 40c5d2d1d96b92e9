"""SUDA: minimal sample uniques against the search of all sets, scores by hand."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tacita.core.errors import ColumnError, MeasureError, ParameterError
from tacita.data.microdata import Microdata
from tacita.numeric.keys.frequencies import find_patterns
from tacita.numeric.keys.suda import msu_score, odds_scores, special_totals, special_uniques
from tacita.risk.suda import Suda
from tests.effort import examples
from tests.oracles.risk.suda import minimal_uniques_oracle


@st.composite
def key_codes(draw: st.DrawFn) -> np.ndarray:
    n, d = draw(st.integers(1, 15)), draw(st.integers(1, 5))
    return np.array(draw(st.lists(st.integers(-1, 2), min_size=n * d, max_size=n * d)), dtype=np.int64).reshape(n, d)


@given(key_codes(), st.integers(1, 5))
def test_equals_the_search_of_all_sets(codes: np.ndarray, largest: int) -> None:
    d = codes.shape[1]
    patterns = find_patterns([(column.copy(), 3) for column in codes.T])
    found = special_uniques(patterns, largest)
    for row, msus in enumerate(minimal_uniques_oracle(codes, largest)):
        pattern = patterns.labels[row]
        scores = [msu_score(len(msu), d, min(largest, d)) for msu in msus]
        assert found.scores[pattern] == sum(scores)
        assert found.counts[pattern].tolist() == [sum(len(m) == k + 1 for m in msus) for k in range(min(largest, d))]
        per_column = [sum(s for m, s in zip(msus, scores, strict=True) if j in m) for j in range(d)]
        assert found.contributions[pattern].tolist() == per_column


def make() -> Microdata:
    """The third record is unique by region alone; the others share everything in pairs."""
    table = pa.table(
        {"region": ["n", "n", "s", "w", "w"], "sex": ["f", "f", "m", "m", "m"], "age": ["1", "1", "1", "2", "2"]}
    )
    return Microdata.from_frame(table, keys=["region", "sex", "age"])


def test_by_hand() -> None:
    """MSUs of the third record: {region} scores 2, {sex, age} scores 1. U = 1, P = 2, f = 0.5: DIS = 0.5 / 2.5."""
    found = Suda(largest=3, fraction=0.5).assess(make())
    assert found.per_record is not None
    assert found.per_record.tolist() == pytest.approx([0, 0, 0.2, 0, 0])
    assert found.parts["dis"] == pytest.approx(20)
    assert found.parts["msu of size 1"] == found.parts["msu of size 2"] == 1
    assert found.parts["from region"] == pytest.approx(100 * 2 / 3)
    assert found.parts["from sex"] == found.parts["from age"] == pytest.approx(100 / 3)


def test_nobody_is_unique() -> None:
    data = make().take(np.array([0, 1, 3, 4]))
    found = Suda().assess(data)
    assert found.value == 0
    assert found.parts["uniques"] == 0


def test_sampling_fraction_comes_from_the_weights() -> None:
    weighted = Microdata.from_frame(
        make().to_arrow().append_column("w", pa.array([2.0] * 5)), keys=["region", "sex", "age"], weight="w"
    )
    assert Suda().assess(weighted).parts["dis"] == pytest.approx(20)


GUIDE = """
Urban Female Secondary_incomplete Employed
Urban Female Secondary_incomplete Employed
Urban Female Primary_incomplete Non-LF
Urban Male Secondary_complete Employed
Rural Female Secondary_complete Unemployed
Urban Male Secondary_complete Employed
Urban Female Primary_complete Non-LF
Urban Male Post-secondary Unemployed
Urban Female Secondary_incomplete Non-LF
Urban Female Secondary_incomplete Non-LF
"""
"""The ten records of the SDC practice guide, in its table of SUDA scores."""


def guide() -> Microdata:
    rows = [line.split() for line in GUIDE.strip().splitlines()]
    table = pa.table(
        dict(zip(["residence", "sex", "education", "labour"], map(list, zip(*rows, strict=True)), strict=True))
    )
    return Microdata.from_frame(table, keys=table.column_names)


def test_raw_scores_of_the_practice_guide() -> None:
    assert Suda().scores(guide()).raw.tolist() == [0, 0, 6, 0, 12, 0, 6, 10, 0, 0]
    assert Suda(largest=3).scores(guide()).raw.tolist() == [0, 0, 6, 0, 12, 0, 6, 10, 0, 0]


def test_dis_scores_of_the_practice_guide() -> None:
    """Its column DIS-SUDA is made with the older score of a set and 1 percent; largest 0.0107."""
    found = Suda(sharing="odds", scoring="subsets", fraction=0.01).assess(guide())
    assert found.per_record is not None
    assert found.per_record.round(4).tolist() == [0, 0, 0.0051, 0, 0.0107, 0, 0.0051, 0.0088, 0, 0]
    assert found.parts["mean of odds scores"] == pytest.approx(found.value)


def test_contributions_of_a_small_file() -> None:
    """Three records of three keys whose contributions are 50, 37.5 and 37.5 percent."""
    table = pa.table({"a": ["2", "1", "1"], "b": ["0", "3", "0"], "c": ["0", "6", "0"]})
    parts = Suda().assess(Microdata.from_frame(table, keys=["a", "b", "c"])).parts
    assert [parts[f"from {name}"] for name in "abc"] == pytest.approx([50, 37.5, 37.5])


@given(st.lists(st.integers(0, 40), min_size=1, max_size=12), st.integers(1, 12), st.floats(0.001, 1))
def test_odds_scores_equal_their_formula(raw: list[int], d: int, dis: float) -> None:
    scores = np.array(raw, dtype=float)
    found = odds_scores(scores, dis=dis, uniques=len(raw), columns=d)
    q = 1 + (8 - d) / 20
    total = sum(s**-q for s in raw if s)
    for s, score in zip(raw, found, strict=True):
        expected = 1 / (1 + (len(raw) / dis - len(raw)) / (s**q * total)) if s else 0
        assert score == pytest.approx(expected)


def test_equal_scores_get_dis() -> None:
    assert odds_scores(np.array([3.0, 3.0]), dis=0.2, uniques=2, columns=5).tolist() == pytest.approx([0.2, 0.2])


def test_sets_of_all_keys_are_looked_at_by_default() -> None:
    """Seven keys of which only all together single the records out: sets of six would find nobody."""
    codes = np.array(np.meshgrid(*[[0, 1]] * 7)).reshape(7, -1).T
    data = Microdata.from_frame(
        pa.table({f"k{j}": codes[:, j].astype(str) for j in range(7)}), keys=[f"k{j}" for j in range(7)]
    )
    assert Suda(largest=6).assess(data).value == 0
    assert Suda().assess(data).parts["msu of size 7"] == 128


def test_scores_refuse_what_is_no_file() -> None:
    with pytest.raises(ParameterError, match="'data'"):
        Suda().scores([1, 2])  # type: ignore[arg-type]
    with pytest.raises(MeasureError, match="no records"):
        Suda().scores(make().take(np.array([], dtype=np.int64)))
    with pytest.raises(ColumnError, match="nobody"):
        Suda(columns=["nobody"]).scores(make())


@given(st.integers(0, 2**32), st.integers(1, 25), st.integers(1, 4), st.integers(1, 4))
@settings(max_examples=examples(40), deadline=None)
def test_totals_are_the_sums_over_patterns(seed: int, n: int, d: int, largest: int) -> None:
    codes = np.random.default_rng(seed).integers(-1, 4, (n, d))
    columns = [(np.ascontiguousarray(codes[:, j]), 4) for j in range(codes.shape[1])]
    found = special_uniques(find_patterns(columns), largest)
    total, sizes, contributions = special_totals(find_patterns(columns, is_narrow=True), largest)
    assert total == found.scores.sum()
    assert sizes.tolist() == found.counts.sum(axis=0).tolist()
    assert contributions.tolist() == found.contributions.sum(axis=0).tolist()
