"""What all microaggregations share: group sizes, means, weights, groups of variables, constraints, dominance, claims."""

from __future__ import annotations

import warnings
from collections import Counter
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tacita.core.errors import ColumnError, DataError, ParameterError, TacitaError, TacitaWarning
from tacita.data.microdata import Microdata
from tacita.mask import (
    FixedSize,
    IndividualRanking,
    KWard,
    Mdav,
    MuApprox,
    OptimalUnivariate,
    Projection,
    RunningCentroid,
    SpanningTree,
    Vmdav,
)
from tacita.mask.microaggregation.microaggregation import Microaggregation
from tacita.numeric.microaggregation import group_values
from tacita.release.recipe import Recipe
from tests.effort import examples

MULTIVARIATE: list[Microaggregation] = [
    Mdav(),
    Mdav(effort="fast"),
    Mdav(effort="quality", moves=2000),
    Vmdav(),
    Vmdav(gamma=1.1),
    RunningCentroid(),
    FixedSize(),
    FixedSize(seeds="diameter"),
    SpanningTree(),
    SpanningTree(divide="diameter"),
    KWard(),
    MuApprox(),
    Projection(),
    Projection(axis="z_scores", cut="fixed"),
]
UNIVARIATE: list[Microaggregation] = [IndividualRanking(), OptimalUnivariate()]


def changed(mask: Any, **values: Any) -> Any:
    return type(mask)(**{**{p.name: getattr(mask, p.name) for p in mask.parameters()}, **values})


def label(mask: Microaggregation) -> str:
    return mask.name + "".join(f"-{v}" for v in mask.to_plain().values())


def file(**columns: Any) -> Microdata:
    return Microdata.from_frame(
        pa.table(columns), keys=[name for name in columns if name not in "sw"], weight="w" * ("w" in columns) or None
    )


def business(n: int = 120, seed: int = 1) -> Microdata:
    """Price times quantity is value; total is part plus part; low is at most high; two strata, weights."""
    rng = np.random.default_rng(seed)
    price, quantity = rng.lognormal(1, 0.5, n), rng.lognormal(3, 1, n)
    part, other = rng.normal(100, 30, n), rng.normal(10, 30, n)
    low = rng.normal(0, 1, n)
    return file(
        price=price,
        quantity=quantity,
        value=price * quantity,
        part=part,
        other=other,
        total=part + other,
        low=low,
        high=low + rng.exponential(1, n),
        s=rng.choice(["x", "y"], n),
        w=rng.uniform(0, 20, n),
    )


def counts(data: Microdata, *names: str) -> list[int]:
    return sorted(Counter(zip(*(data.to_arrow().column(name).to_pylist() for name in names), strict=True)).values())


records = st.integers(2, 5).flatmap(
    lambda k: st.tuples(
        st.just(k),
        st.lists(st.tuples(*[st.one_of(st.integers(-3, 3), st.floats(-1e6, 1e6))] * 2), min_size=k, max_size=30),
    )
)


@pytest.mark.parametrize("mask", MULTIVARIATE, ids=label)
@given(records)
@settings(max_examples=examples(25))
def test_groups_have_k_to_2k_minus_1_records(
    mask: Microaggregation, drawn: tuple[int, list[tuple[float, float]]]
) -> None:
    k, rows = drawn
    x = np.array(rows, dtype=float)
    labels = changed(mask, k=k).partition(x, np.random.default_rng(1))
    sizes = np.bincount(labels)
    assert len(labels) == len(x)
    assert sizes.min() >= k
    assert sizes.max() <= 2 * k - 1


@pytest.mark.parametrize("mask", MULTIVARIATE + UNIVARIATE, ids=label)
@given(records)
@settings(max_examples=examples(25))
def test_means_are_kept(mask: Microaggregation, drawn: tuple[int, list[tuple[float, float]]]) -> None:
    k, rows = drawn
    x = np.array(rows, dtype=float) + 1e6
    data = file(a=x[:, 0], b=x[:, 1])
    masked = changed(mask, k=k, decimals="any", dominance=100).apply(data)
    written = changed(mask, k=k, dominance=100).apply(data)
    for j, name in enumerate("ab"):
        assert masked.float(name).mean() == pytest.approx(x[:, j].mean(), rel=1e-9)
        assert written.float(name).mean() == pytest.approx(x[:, j].mean(), abs=0.5)


@pytest.mark.parametrize("mask", MULTIVARIATE + UNIVARIATE, ids=label)
def test_every_value_of_a_column_occurs_k_times(mask: Microaggregation) -> None:
    masked = changed(mask, k=4, columns=("price", "part", "low")).apply(business())
    assert min(min(counts(masked, name)) for name in ("price", "part", "low")) >= 4


@pytest.mark.parametrize("mask", MULTIVARIATE + UNIVARIATE, ids=label)
def test_weighted_means_are_kept(mask: Microaggregation) -> None:
    data = business()
    w = data.float("w")
    masked = changed(mask, columns=("price", "part"), weights=True, dominance=100).apply(data)
    for name in ("price", "part"):
        x, y = data.float(name), masked.float(name)
        assert w @ y == pytest.approx(w @ x, rel=1e-12)
        assert y.mean() != pytest.approx(x.mean(), rel=1e-9)


def test_weights_need_a_weight() -> None:
    with pytest.raises(ColumnError, match="'weights' needs a column with the role weight"):
        Mdav(weights=True).apply(file(a=np.arange(9.0)))


def test_a_group_without_weight_gets_its_plain_mean() -> None:
    data = file(a=[1.0, 3.0, 10.0, 14.0], w=[0.0, 0.0, 1.0, 3.0])
    assert Mdav(k=2, weights=True).apply(data).float("a").tolist() == [2.0, 2.0, 13.0, 13.0]


@pytest.mark.parametrize("mask", MULTIVARIATE + UNIVARIATE, ids=label)
def test_strata_are_masked_apart(mask: Microaggregation) -> None:
    data = business()
    names = ("price", "part")
    masked = changed(mask, columns=names, by=("s",)).apply(data)
    for stratum in ("x", "y"):
        rows = np.flatnonzero(np.array(data.to_arrow().column("s").to_pylist()) == stratum)
        alone = changed(mask, columns=names).apply(data.take(rows))
        if "quality" not in mask.to_plain().values():  # its random numbers run on from stratum to stratum
            assert np.array_equal(masked.take(rows).floats(names), alone.floats(names))
        assert masked.take(rows).float("part").mean() == pytest.approx(data.take(rows).float("part").mean())


# --- groups of variables ---------------------------------------------------------------------------------------------


@pytest.mark.filterwarnings("ignore:Mdav. 'total'")  # which is not masked here
def test_several_variables_at_a_time() -> None:
    data, names = business(), ("price", "quantity", "part", "other", "low")
    two = Mdav(columns=names, groups=2).apply(data)
    for group in (("price", "quantity"), ("part", "other"), ("low",)):
        alone = Mdav(columns=group).apply(data)
        assert np.array_equal(two.floats(group), alone.floats(group))
    assert min(counts(two, *names)) < 3


@pytest.mark.filterwarnings("ignore:Mdav. 'total'")
def test_groups_of_variables_by_name_are_the_same() -> None:
    data, names = business(), ("price", "quantity", "part", "other")
    listed = Mdav(columns=names, groups=[["part", "price"], ["other", "quantity"]])
    assert listed.groups == (("part", "price"), ("other", "quantity"))
    masked = listed.apply(data)
    alone = Mdav(columns=("part", "price")).apply(data)
    assert np.array_equal(masked.floats(["part", "price"]), alone.floats(["part", "price"]))
    assert Recipe.from_toml(Recipe([listed]).to_toml()) == Recipe([listed])


def test_one_variable_at_a_time_is_univariate() -> None:
    data = business()
    apart = Mdav(columns=("price", "low"), groups=1).apply(data)
    assert np.array_equal(apart.float("low"), Mdav(columns=("low",)).apply(data).float("low"))


def test_missing_values_matter_in_their_own_group_of_variables_only() -> None:
    data = business()
    part = data.float("part").copy()
    part[:2] = np.nan
    gaps = data.with_numbers({"part": part})
    mask = Mdav(columns=("price", "part"), groups=[["price"], ["part"]])
    masked = mask.apply(gaps)
    assert not masked.is_missing("price").any()
    assert np.array_equal(masked.float("price"), mask.apply(data).float("price"))


@pytest.mark.parametrize(
    ("groups", "error", "words"),
    [
        ([["price", "prise"], ["part"]], ColumnError, "'groups' names 'prise', which is not among the columns to mask"),
        ([["price", "part"], ["part"]], ColumnError, "'groups' names 'part' twice"),
        ([["price"]], ColumnError, "column 'part' is in no group of 'groups'"),
        (0, ParameterError, "'groups' must be"),
        (["price"], ParameterError, "'groups' must be"),
    ],
)
def test_groups_that_make_no_sense_are_refused(groups: Any, error: type[TacitaError], words: str) -> None:
    with pytest.raises(error, match=words):
        Mdav(columns=("price", "part"), groups=groups).apply(business())


# --- aggregates and the constraints they keep (Torra 2008) --------------------------------------------------------------


@pytest.mark.parametrize("weights", [False, True])
def test_means_keep_linear_constraints(weights: bool) -> None:
    masked = Mdav(columns=("part", "other", "total"), weights=weights).apply(business())
    assert np.allclose(masked.float("part") + masked.float("other"), masked.float("total"), rtol=1e-12)


@pytest.mark.parametrize("weights", [False, True])
def test_geometric_means_keep_products(weights: bool) -> None:
    masked = Mdav(columns=("price", "quantity", "value"), aggregate="geometric", weights=weights).apply(business())
    assert np.allclose(masked.float("price") * masked.float("quantity"), masked.float("value"), rtol=1e-12)


def test_means_do_not_keep_products() -> None:
    masked = Mdav(columns=("price", "quantity", "value")).apply(business())
    assert not np.allclose(masked.float("price") * masked.float("quantity"), masked.float("value"), rtol=1e-3)


@pytest.mark.parametrize("aggregate", ["mean", "median", "geometric"])
def test_inequalities_and_bounds_are_kept(aggregate: Any) -> None:
    data = business()
    shifted = data.with_numbers({name: data.float(name) + 10 for name in ("low", "high")})
    masked = Mdav(columns=("low", "high"), aggregate=aggregate).apply(shifted)
    assert (masked.float("low") <= masked.float("high")).all()
    for name in ("low", "high"):
        assert shifted.float(name).min() <= masked.float(name).min()
        assert masked.float(name).max() <= shifted.float(name).max()


def test_if_then_constraints_are_kept_by_strata() -> None:
    """If s = x then low >= 0: groups within s never mix the two sides."""
    data = business()
    low = np.where(
        np.array(data.to_arrow().column("s").to_pylist()) == "x", np.abs(data.float("low")), data.float("low")
    )
    masked = Mdav(columns=("low", "part"), by=("s",)).apply(data.with_numbers({"low": low}))
    inside = np.array(data.to_arrow().column("s").to_pylist()) == "x"
    assert (masked.float("low")[inside] >= 0).all()


def test_geometric_means_need_values_of_zero_or_more() -> None:
    with pytest.raises(DataError, match="needs values of 0 or more, but 'a' has 2 negative ones"):
        Mdav(aggregate="geometric").apply(file(a=[-1.0, 2.0, -3.0, 4.0]))
    zero = Mdav(k=2, aggregate="geometric").apply(file(a=[0.0, 1.0, 4.0, 9.0]))
    assert zero.float("a") == pytest.approx([0.0, 0.0, 6.0, 6.0])


def test_medians_resist_outliers() -> None:
    masked = Mdav(k=3, aggregate="median").apply(file(a=[1.0, 2.0, 900.0]))
    assert masked.float("a").tolist() == [2.0, 2.0, 2.0]


@given(st.lists(st.tuples(st.integers(0, 4), st.floats(0.01, 100), st.floats(0.01, 5)), min_size=1, max_size=40))
def test_aggregates_against_the_obvious(rows: list[tuple[int, float, float]]) -> None:
    labels = np.unique([r[0] for r in rows], return_inverse=True)[1]
    x, w = np.array([[r[1]] for r in rows]), np.array([r[2] for r in rows])
    for g in range(labels.max() + 1):
        values, weights = x[labels == g, 0], w[labels == g]
        assert group_values.group_means(x, labels)[g, 0] == pytest.approx(values.mean())
        assert group_values.group_means(x, labels, w)[g, 0] == pytest.approx(np.average(values, weights=weights))
        assert group_values.medians(x, labels)[g, 0] == pytest.approx(np.median(values))
        assert group_values.geometric_means(x, labels)[g, 0] == pytest.approx(np.exp(np.log(values).mean()))
        middle = group_values.medians(x, labels, w)[g, 0]
        assert middle in values
        assert weights[values < middle].sum() <= weights.sum() / 2 * (1 + 1e-9)
        assert weights[values > middle].sum() <= weights.sum() / 2 * (1 + 1e-9)
        lower = group_values.lower_medians(x, labels)[g, 0]
        assert x[lower, 0] == np.sort(values)[(len(values) - 1) // 2]


# --- dominance -----------------------------------------------------------------------------------------------------


def test_dominated_groups_are_reported_with_counts_only() -> None:
    data = file(a=[1.0, 2.0, 3.0, 4.0, 5.0, 7777.0], b=[5.0, 6.0, 5.0, 6.0, 5.0, 6.0])
    with pytest.warns(TacitaWarning) as caught:
        masked = Mdav(dominance=80.0).apply(data)
    (text,) = [str(w.message) for w in caught]
    assert (
        "one of the largest records has more than 80 % of the sum of its group in some groups (1 of 2 for 'a')" in text
    )
    assert "7777" not in text
    assert masked.same_content(Mdav(dominance=100).apply(data))


def test_dominance_is_looked_at_without_being_asked_for() -> None:
    """From the mean of two small amounts and one of 1e9 the large one follows to seven digits."""
    x = np.append(np.random.default_rng(1).uniform(1, 100, 999), 1e9)
    for mask in (Mdav(), IndividualRanking(), *MULTIVARIATE):
        with pytest.warns(
            TacitaWarning, match=r"more than 90 % of the sum of its group in some groups \(1 of \d+ for 'a'"
        ):
            changed(mask, columns=("a",)).apply(file(a=x))
    changed(Mdav(), aggregate="median").apply(file(a=x))  # a median tells nothing of it


def test_a_weight_can_dominate_unseen() -> None:
    a, w = np.random.default_rng(1).uniform(50, 100, 300), np.ones(300)
    w[7] = 1000
    with pytest.warns(TacitaWarning, match=r"1 of 100 for 'a'"):
        Mdav(columns=("a",), weights=True).apply(file(a=a, w=w))
    Mdav(columns=("a",)).apply(file(a=a, w=w))


def test_dominance_is_reported_once_for_all_strata() -> None:
    data = file(a=[1.0, 2.0, 3.0, 4.0, 5.0, 500.0] * 2, s=["x"] * 6 + ["y"] * 6)
    with pytest.warns(TacitaWarning) as caught:
        Mdav(dominance=90.0, by=("s",)).apply(data)
    assert len(caught) == 1


def test_no_dominance_no_warning() -> None:
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        Mdav(dominance=99.0).apply(file(a=np.arange(10.0), b=np.zeros(10)))
    assert not caught


@pytest.mark.parametrize("share", [0.0, 100.5, -1.0])
def test_dominance_is_a_percentage(share: float) -> None:
    with pytest.raises(ParameterError, match="'dominance' must be"):
        Mdav(dominance=share)


# --- claims --------------------------------------------------------------------------------------------------------


def test_a_mask_claims_only_what_its_parameters_keep() -> None:
    assert Mdav().traits.preserves == ("means", "k-anonymity")
    for changes, kept in (
        ({"aggregate": "median"}, ("k-anonymity",)),
        ({"aggregate": "geometric"}, ("k-anonymity",)),
        ({"weights": True}, ("k-anonymity",)),
        ({"decimals": 1}, ("k-anonymity",)),
        ({"groups": 2}, ("means",)),
        ({"keep_zeros": True}, ("means",)),
        ({"identities": ("total = part + other",)}, ()),
        ({"groups": 2, "aggregate": "median"}, ()),
    ):
        assert Mdav(**changes).traits.preserves == kept  # type: ignore[arg-type]
    assert IndividualRanking().traits.preserves == ("means", "ranks")
    assert IndividualRanking(keep_zeros=True).traits.preserves == ("means",)
    assert Mdav.traits.preserves == ("means", "k-anonymity")


def test_a_partition_with_a_small_group_is_never_released(clean_registry: None) -> None:
    class Careless(Mdav):
        name = "careless"

        def partition(self, space: np.ndarray, rng: np.random.Generator) -> np.ndarray:
            del rng
            return np.minimum(np.arange(len(space)), 1)

    with pytest.raises(TacitaError, match="a group has fewer than k = 3 records"):
        Careless().apply(file(a=np.arange(9.0)))
