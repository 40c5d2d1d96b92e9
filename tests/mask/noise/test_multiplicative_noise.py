"""Multiplicative noise: the paper's equations, its constraints, the repair of the noise's covariance."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

import tacita as tc
from tacita.core.errors import ColumnError, DataError, ParameterError, TacitaWarning
from tacita.data.microdata import Microdata
from tacita.mask.noise.multiplicative_noise import MultiplicativeNoise
from tests.oracles.mask import multiplicative_noise as oracle

FloatArray = npt.NDArray[np.float64]
K = 0.15
S = np.sqrt(1 + K)


def file(**columns: Any) -> Microdata:
    """Make a file whose numeric columns are keys."""
    made = pa.table({name: pa.array(values, from_pandas=True) for name, values in columns.items()})
    return Microdata.from_frame(made, keys=list(columns), scales=dict.fromkeys(columns, "numeric"))


def skewed(n: int, seed: int = 3, d: int = 3) -> FloatArray:
    rng = np.random.default_rng(seed)
    common = rng.normal(size=(n, 1))
    return np.exp(0.5 * (common + rng.normal(size=(n, d))))


def quiet(mask: MultiplicativeNoise, data: Microdata, seed: int = 7) -> Microdata:
    """Mask data whose noise may need a repair."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", TacitaWarning)
        return mask.apply(data, seed=seed)


def quiet_or_refused(mask: MultiplicativeNoise, data: Microdata, seed: int) -> Microdata | None:
    """Mask data for which there may be no noise: columns along the axes, or never both positive."""
    try:
        return quiet(mask, data, seed)
    except DataError as error:
        if "never both" in str(error) or "along the axes" in str(error):
            return None
        raise


small_tables = st.lists(st.tuples(*[st.integers(0, 50)] * 3), min_size=4, max_size=9)


# --- what must never fail ---------------------------------------------------------------------------------------------

AXES = np.array([[v, 0.1] for v in range(1, 20)] + [[0.1, v] for v in range(1, 20)], dtype=float)
"""Positive values along the axes, as in the paper's Figure 1."""


def test_figure_1_breaks_8_but_not_23() -> None:
    mean, both = AXES.mean(axis=0), (AXES[:, 0] * AXES[:, 1]).mean()
    assert both < K / (1 + K) * mean[0] * mean[1], "the example is not the paper's case (10)"
    data = file(a=AXES[:, 0], b=AXES[:, 1])
    for scheme in ("plain", "z-score"):
        with pytest.raises(DataError, match=r"'a' and 'b' has no covariance.*scheme='safe'"):
            MultiplicativeNoise(scheme=scheme).apply(data, seed=1)
    assert (quiet(MultiplicativeNoise(), data).floats(["a", "b"]) > 0).all()


@given(
    st.lists(st.tuples(st.integers(1, 1000), st.booleans()), min_size=2, max_size=30),
    st.floats(0.001, 0.5),
    st.floats(0.01, 5),
)
def test_safe_scheme_never_fails_along_the_axes(points: list[tuple[int, bool]], off: float, k: float) -> None:
    a = np.array([v if along else off for v, along in points], dtype=float)
    b = np.array([off if along else v for v, along in points], dtype=float)
    masked = quiet(MultiplicativeNoise(inflation=k), file(a=a, b=b)).floats(["a", "b"])
    assert np.isfinite(masked).all()
    assert (masked >= 0).all()


@given(small_tables, st.sampled_from(["safe", "plain", "z-score"]), st.integers(0, 99))
def test_no_column_falls_below_zero(rows: list[tuple[int, ...]], scheme: str, seed: int) -> None:
    x = np.array(rows, dtype=float)
    x[:, 2] -= 25  # mixed signs
    data = file(a=x[:, 0], b=x[:, 1], c=x[:, 2])
    masked = quiet_or_refused(MultiplicativeNoise(scheme=scheme, inflation=0.5), data, seed)
    if masked is None:
        return
    assert (masked.floats(["a", "b"]) >= 0).all()
    assert (masked.float("c") >= min(0, x[:, 2].min())).all()


def test_columns_that_are_never_both_positive() -> None:
    """(23) is the logarithm of zero: an error that says what to do, and the three things it says work."""
    working = np.repeat([1, 0], 30)
    rng = np.random.default_rng(2)
    wage, pension = np.where(working, rng.uniform(1, 9, 60), 0), np.where(working, 0, rng.uniform(1, 9, 60))
    data = file(wage=wage, pension=pension, working=working)
    mask = MultiplicativeNoise(columns=("wage", "pension"))
    with pytest.raises(DataError, match="'wage' and 'pension' are never both above their minimum"):
        mask.apply(data, seed=1)
    for way in ({"zone_column": "working"}, {"keep_zeros": True}):
        masked = MultiplicativeNoise(columns=("wage", "pension"), **way).apply(data, seed=1)
        for name, values in (("wage", wage), ("pension", pension)):
            assert np.array_equal(masked.float(name) == 0, values == 0), "zeros must stay zeros"
            assert not np.array_equal(masked.float(name), values)
    assert tc.Recipe([MultiplicativeNoise(columns=(c,)) for c in ("wage", "pension")]).apply(data, seed=1)


def test_constant_single_and_equal_columns() -> None:
    data = file(a=np.full(9, 0.1), b=np.arange(9.0), c=np.arange(9.0))
    masked = MultiplicativeNoise().apply(data, seed=1)
    assert np.array_equal(masked.float("a"), data.float("a")), "a constant column stays, to the last digit"
    assert np.allclose(masked.float("b"), masked.float("c"), rtol=1e-6), "equal columns get equal noise"
    for n in (0, 1):
        few = data.take(np.arange(n))
        assert MultiplicativeNoise().apply(few, seed=1).same_content(few)
    assert MultiplicativeNoise(inflation=0).apply(data, seed=1).same_content(data)


def test_with_a_further_column_all_noise_is_new() -> None:
    """The numbers of the columns are mixed: with the same ones in two mixtures, two files would give them away."""
    x = skewed(40)
    data = file(a=x[:, 0], b=x[:, 1])
    alone = MultiplicativeNoise(columns=("a",)).apply(data, seed=3).float("a")
    both = MultiplicativeNoise(columns=("a", "b")).apply(data, seed=3).float("a")
    assert abs(np.corrcoef(alone - x[:, 0], both - x[:, 0])[0, 1]) < 0.6


def test_zeros_become_one_number_under_scheme_7_only() -> None:
    """0.0675 times the mean at k = 0.15."""
    data = file(a=np.array([0.0, 0, 0, 4, 8, 12]))
    masked = MultiplicativeNoise(scheme="plain", decimals="any").apply(data, seed=1).float("a")[:3]
    assert np.allclose(masked, (1 - 1 / S) * 4)
    assert round(1 - 1 / S, 4) == 0.0675
    assert len(np.unique(MultiplicativeNoise(decimals="any").apply(data, seed=1).float("a")[:3])) == 3


# --- lag --------------------------------------------------------------------------------------------------------------


def test_lag_out_of_bounds_is_refused_without_a_value() -> None:
    data = file(a=np.array([0.0, 1234.5, 2, 3]))
    for lag, words in ((0.01, "at least"), (9.0, "at most")):
        with pytest.raises(DataError, match=words) as caught:
            MultiplicativeNoise(scheme="z-score", lag=lag).apply(data, seed=1)
        assert set(caught.value.details) == {"column", "smallest", "largest"}
        assert "1234" not in str(caught.value)
    mixed = file(a=np.array([-1.0, 5, 2, 3]))
    assert MultiplicativeNoise(scheme="z-score", lag=9.0).apply(mixed, seed=1), "mixed signs have no upper bound"


def test_lag_must_fit() -> None:
    with pytest.raises(ParameterError, match="'lag' belongs to the scheme 'z-score'"):
        MultiplicativeNoise(lag=1.0)
    with pytest.raises(ParameterError, match="one for each column"):
        MultiplicativeNoise(scheme="z-score", lag=(1.0, 2.0)).apply(file(a=[1.0, 2, 4]), seed=1)


# --- chains -----------------------------------------------------------------------------------------------------------


def test_chain_of_three_against_the_oracle() -> None:
    """(27), whose first term is the smallest variable."""
    rng = np.random.default_rng(8)
    x = np.cumsum(rng.gamma(2, size=(10, 3)), axis=1)[:, ::-1]
    data = file(a=x[:, 0], b=x[:, 1], c=x[:, 2])
    masked = MultiplicativeNoise(chains=(("a", "b", "c"),)).apply(data, seed=5)
    z = np.stack([_normals(name, data) for name in "abc"], axis=-1)
    assert np.allclose(masked.floats("abc"), oracle.equation_27(x.tolist(), K, z.tolist()), rtol=1e-9)


def _normals(name: str, data: Microdata) -> FloatArray:
    from tacita.core.streams import Streams

    own = MultiplicativeNoise(chains=(("a", "b", "c"),)).own(Streams(5), data)
    return own.within("a", "b", "c").stream("multiplicative_noise", name).standard_normal(len(data))


@given(
    rows=st.lists(
        st.tuples(*[st.integers(0, 40)] * 3, st.integers(-60, 20), st.integers(0, 15)), min_size=1, max_size=25
    ),
    options=st.fixed_dictionaries(
        {
            "decimals": st.sampled_from(["keep", "any", 0, 1]),
            "scheme": st.sampled_from(["safe", "plain", "z-score"]),
            "inflation": st.floats(0, 3),
        }
    ),
    seed=st.integers(0, 999),
)
def test_no_chain_is_ever_broken(rows: list[tuple[int, ...]], options: dict[str, Any], seed: int) -> None:
    """Ties, negative values, missing values and rounding included; what was non-negative stays so."""
    steps = np.array(rows, dtype=np.int64)
    low = steps[:, 3]
    columns = {"c": low, "b": low + steps[:, 0], "a": low + steps[:, 0] + steps[:, 1], "other": steps[:, 2]}
    lost = np.stack([steps[:, 4] == j for j in range(1, 4)])
    data = file(**{n: pa.array(v, mask=lost[j % 3] & (n != "other")) for j, (n, v) in enumerate(columns.items())})
    masked = quiet_or_refused(MultiplicativeNoise(chains=(("a", "b", "c"),), **options), data, seed)
    if masked is None:
        return
    before, after = data.floats(columns), masked.floats(columns)
    assert np.array_equal(np.isnan(before), np.isnan(after))
    c, b, a, other = after.T
    for upper, lower in ((a, b), (b, c), (a, c)):
        assert not (upper < lower).any()
    assert (other >= 0).all()
    for j in range(3):
        if not (before[:, j] < 0).any():
            assert not (after[:, j] < 0).any()


def test_chain_keeps_means_and_covariances_in_expectation() -> None:
    rng = np.random.default_rng(8)
    x = np.cumsum(rng.gamma(2, size=(20_000, 3)), axis=1)[:, ::-1]
    data = file(a=x[:, 0], b=x[:, 1], c=x[:, 2])
    y = MultiplicativeNoise(chains=(("a", "b", "c"),)).apply(data, seed=5).floats("abc")
    assert np.allclose(y.mean(axis=0) / x.mean(axis=0), 1, atol=0.01)
    assert np.allclose(np.cov(y.T) / np.cov(x.T), 1, atol=0.04)


def test_chain_over_a_member_with_negative_values_keeps_income_non_negative() -> None:
    rng = np.random.default_rng(9)
    income = rng.gamma(1, 10, size=400)
    profit = income - rng.gamma(2, 8, size=400)
    masked = MultiplicativeNoise(chains=(("income", "profit"),)).apply(file(income=income, profit=profit), seed=3)
    assert (profit < 0).any()
    assert (masked.float("income") >= 0).all()
    assert (masked.float("income") >= masked.float("profit")).all()


@pytest.mark.parametrize("kind", [pa.float32(), pa.int64(), pa.int8()])
def test_chain_holds_between_columns_that_are_stored_differently(kind: pa.DataType) -> None:
    """Rounding only the larger column can put it below the smaller one; it is then raised by one step."""
    rng = np.random.default_rng(1)
    low = rng.integers(1, 90, 500) + 0.0
    high = pa.array([int(v) for v in low + (rng.random(500) < 0.1)]).cast(kind)
    low = low - 0.01 * rng.random(500)
    data = file(high=high, low=low, top=pa.array(low + 10, pa.float32()))
    masked = quiet(MultiplicativeNoise(chains=(("top", "high", "low"),), inflation=0.01), data)
    top, high, low = (masked.float(name) for name in ("top", "high", "low"))
    assert (top >= high).all()
    assert (high >= low).all()
    if pa.types.is_integer(kind):
        assert (high == np.rint(high)).all()
        assert (np.rint(high) < low + 0.5).any(), "no record was near enough for rounding to matter"


def test_broken_chain_is_refused_with_names_and_count_only() -> None:
    data = file(income=[10.0, 20, 31337.5], tax=[1.0, 21, 40000])
    with pytest.raises(DataError, match="income >= tax does not hold in 2 records of the original data") as caught:
        MultiplicativeNoise(chains=(("income", "tax"),)).apply(data, seed=1)
    assert "31337" not in str(caught.value)
    gap = file(a=[1.0, 9], b=[np.nan, 8], c=[5.0, 7])
    with pytest.raises(DataError, match="a >= b >= c does not hold in 1 records"):
        MultiplicativeNoise(chains=(("a", "b", "c"),)).apply(gap, seed=1)


def test_senseless_chains_are_refused() -> None:
    with pytest.raises(ParameterError, match="at least two columns"):
        MultiplicativeNoise(chains=(("a",),))
    with pytest.raises(ParameterError, match="got 'b' 2 times"):
        MultiplicativeNoise(chains=(("a", "b"), ("b", "c")))
    data = file(a=[3.0, 4, 6], b=[1.0, 2, 2], c=[-1.0, 0, 1])
    with pytest.raises(ColumnError, match="'b', which is not masked"):
        MultiplicativeNoise(columns=("a",), chains=(("a", "b"),)).apply(data, seed=1)
    with pytest.raises(ColumnError, match="'bb' is not in the data"):
        MultiplicativeNoise(chains=(("a", "bb"),)).apply(data, seed=1)
    with pytest.raises(DataError, match="'c' is in a chain and has negative values; 'keep_zeros' cannot hold"):
        MultiplicativeNoise(chains=(("b", "c"),), keep_zeros=True).apply(data, seed=1)


def test_kept_zeros_and_strata_in_a_chain() -> None:
    rng = np.random.default_rng(12)
    tax = np.where(rng.random(300) < 0.4, 0, rng.gamma(2, size=300))
    income = tax + np.where(tax > 0, rng.gamma(2, size=300), rng.integers(0, 2, 300))
    data = file(income=income, tax=tax, region=np.arange(300) % 3)
    mask = MultiplicativeNoise(columns=("income", "tax"), chains=(("income", "tax"),), keep_zeros=True, by=("region",))
    masked = mask.apply(data, seed=1)
    for name in ("income", "tax"):
        assert np.array_equal(masked.float(name) == 0, data.float(name) == 0)


# --- zones ------------------------------------------------------------------------------------------------------------


def test_zone_is_told_by_the_largest_value() -> None:
    """Records up to 15 in all columns are in zone 1; with k = 0 a zone stays as it is."""
    x = skewed(500) * 6
    data = file(a=x[:, 0], b=x[:, 1], c=x[:, 2])
    inner = (x <= 15).all(axis=1)
    assert 0.3 < inner.mean() < 0.95
    for zone_inflation, still in (((0.0, K), inner), ((K, 0.0), ~inner)):
        y = quiet(MultiplicativeNoise(zone_bounds=(15,), zone_inflation=zone_inflation), data).floats("abc")
        assert np.array_equal(y[still], x[still])
        assert (y[~still] != x[~still]).all()


def test_zone_by_the_range_of_a_column_that_is_not_masked() -> None:
    data = file(a=np.arange(1.0, 41), size=np.repeat([1.0, 5, np.nan, 9], 10))
    mask = MultiplicativeNoise(
        columns=("a",), zone_column="size", zone_bounds=(2, 6), zone_inflation=(0, 0.1, 0), inflation=0, decimals="any"
    )
    moved = quiet(mask, data).float("a") != data.float("a")
    assert np.array_equal(moved, np.arange(40) // 10 == 1), "a missing value tells no zone: the mask's own k"


def test_zone_by_an_indicator_has_moments_of_its_own() -> None:
    rng = np.random.default_rng(6)
    region = np.repeat([1, 2], 5000)
    a = rng.gamma(4, size=10_000) * np.where(region == 1, 1, 50)
    masked = MultiplicativeNoise(columns=("a",), zone_column="region", zone_inflation=(0.3, 0.01)).apply(
        file(a=a, region=region), seed=2
    )
    y = masked.float("a")
    for part in (region == 1, region == 2):
        assert y[part].mean() / a[part].mean() == pytest.approx(1, abs=0.02)
        assert y[part].var() / a[part].var() == pytest.approx(1, abs=0.06)


def test_senseless_zones_are_refused() -> None:
    for options, words in (
        ({"zone_inflation": (0.1,)}, "needs 'zone_bounds' or 'zone_column'"),
        ({"zone_bounds": (3.0, 3.0)}, "increasing"),
        ({"zone_bounds": (3.0,), "zone_inflation": (0.1,)}, "1 bounds make 2 zones"),
    ):
        with pytest.raises(ParameterError, match=words):
            MultiplicativeNoise(**options)
    data = file(a=np.arange(12.0), house=np.arange(12) // 2, group=np.arange(12) % 2)
    with pytest.raises(DataError, match="'group' has 2 different values, but 'zone_inflation' has 3 entries"):
        MultiplicativeNoise(columns=("a",), zone_column="group", zone_inflation=(0.1, 0.2, 0.3)).apply(data, seed=1)
    same = data.with_numbers({"a": np.repeat(np.arange(6.0), 2)})
    with pytest.raises(DataError, match="in different zones"):
        MultiplicativeNoise(columns=("a",), unit="house", zone_column="group").apply(same, seed=1)
    with pytest.warns(TacitaWarning, match=r"1 zone\(s\) have a single record"):
        MultiplicativeNoise(columns=("a",), zone_bounds=(10.0,), inflation=1.0, decimals="any").apply(data, seed=1)


def test_recipe_file_holds_chains_and_zones() -> None:
    mask = MultiplicativeNoise(
        columns=("a", "b"),
        chains=(("a", "b"),),
        zone_bounds=(15,),
        zone_inflation=(0.15, 0.01),
        scheme="z-score",
        lag=(1.0, 2.0),
    )
    text = tc.Recipe([mask]).to_toml()
    assert 'chains = [["a", "b"]]' in text
    assert tc.Recipe.from_toml(text).steps == (mask,)
