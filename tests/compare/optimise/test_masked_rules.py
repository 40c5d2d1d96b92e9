"""Rules of an optimised release: zeros and whole numbers of totals, records that go back, and parameters that are none."""

from __future__ import annotations

from typing import Any

import numpy as np
import pyarrow as pa
import pytest

import tacita as tc
from tacita.compare.optimise.masked_rules import MaskedRules
from tacita.compare.optimise.optimise_settings import OptimiseSettings
from tacita.core.errors import DataError, ParameterError
from tacita.data.microdata import Microdata

every_method = pytest.mark.parametrize("method", ["gradient", "hill_climbing", "score"])


def file(**columns: Any) -> Microdata:
    return Microdata.from_frame(pa.table(columns))


def nets(kind: type = int) -> tuple[Microdata, Microdata]:
    """Small parts, so that many of their differences are 0."""
    rng = np.random.default_rng(0)
    x, y = rng.integers(1, 6, (2, 80)).astype(kind)
    u, v = (np.clip(part + rng.integers(-2, 3, 80), 1, None).astype(kind) for part in (x, y))
    return file(a=x, b=y, net=x - y), file(a=u, b=v, net=u - v)


def improved(data: Microdata, masked: Microdata, method: Any, **more: Any) -> Any:
    identities = ["net = a - b"]
    return tc.optimise(data, masked, method=method, identities=identities, share=0.6, target_ratio=0.7, seed=1, **more)


def rules_for(masked: Microdata, **changes: Any) -> MaskedRules:
    return MaskedRules.of(masked.names, masked, masked, OptimiseSettings(**changes))


# --- zeros -----------------------------------------------------------------------------------------------------------


@every_method
@pytest.mark.parametrize("kind", [int, float])
def test_totals_keep_their_zeros(method: Any, kind: type) -> None:
    data, masked = nets(kind)
    result = improved(data, masked, method, decimals="keep" if kind is int else "any")
    made = result.data
    assert result.changed_records > 0
    assert np.array_equal(made.float("net") == 0, masked.float("net") == 0)
    assert np.allclose(made.float("net"), made.float("a") - made.float("b"))
    assert result.after.score < result.before.score


@every_method
def test_zeros_of_totals_may_go_when_they_need_not_stay(method: Any) -> None:
    data, masked = nets()
    result = improved(data, masked, method, keep_zeros=False)
    assert not np.array_equal(result.data.float("net") == 0, masked.float("net") == 0)


def test_nothing_may_change_where_every_total_is_zero() -> None:
    rng = np.random.default_rng(1)
    x, y = rng.integers(1, 9, 30), rng.integers(1, 9, 30)
    data, masked = file(a=x, b=y, net=x - y), file(a=x, b=x, net=0 * x)
    with pytest.raises(DataError, match="no value may change, since totals that are 0 stay 0; try 'keep_zeros=False'"):
        tc.optimise(data, masked, identities=["net = a - b"], share=1)


def test_parts_of_a_zero_total_are_frozen_by_hand() -> None:
    masked = file(a=[1.5, 2.0, 3.0], b=[1.5, 1.0, 4.0], net=[0.0, 1.0, -1.0], c=[0.0, 1.0, 2.5])
    rules = rules_for(masked, identities=["net = a - b"])
    columns = [masked.names.index(name) for name in ("a", "b", "c")]
    assert rules.frozen(masked.floats(masked.names))[:, columns].tolist() == [[True, True, False], *[[False] * 3] * 2]
    free = rules_for(masked, identities=["net = a - b"], keep_zeros=False)
    assert not free.frozen(masked.floats(masked.names)).any()


# --- whole numbers ---------------------------------------------------------------------------------------------------


def with_decimal_parts(seed: int, shift: bool) -> Microdata:
    rng = np.random.default_rng(seed)
    a = rng.integers(10, 200, 120) / 4
    if shift:
        a = np.clip(a + np.random.default_rng(seed + 1).integers(-20, 20, 120) / 4, 1, None)
    b = np.ceil(a) - a + 3
    return file(a=a, b=b, t=(a + b).astype(np.int64))


@every_method
def test_a_whole_total_of_decimal_parts_stays_whole(method: Any) -> None:
    data, masked = with_decimal_parts(1, shift=False), with_decimal_parts(1, shift=True)
    result = tc.optimise(
        data, masked, method=method, identities=["t = a + b"], share=0.6, target_ratio=0.7, seed=1, max_steps=100_000
    )
    made = result.data
    assert result.changed_records > 10
    assert pa.types.is_integer(made.to_arrow().schema.field("t").type)
    assert np.array_equal(made.float("t"), made.float("a") + made.float("b"))


def test_rounding_of_decimals_does_not_unmake_a_whole_total() -> None:
    masked = file(a=[0.7, 0.1], b=[0.2, 0.2], c=[0.1, 0.7], t=[1, 1])
    rules = rules_for(masked, identities=["t = a + b + c"])
    values = masked.floats(masked.names)
    assert 0.7 + 0.2 + 0.1 != 1
    assert np.array_equal(rules.with_totals(values)[:, masked.names.index("t")], [1.0, 1.0])


@every_method
def test_whole_numbers_with_a_missing_value_stay_whole(method: Any) -> None:
    rng = np.random.default_rng(1)
    x = rng.integers(10, 200, (120, 2)).astype(float)
    y = np.clip(x + rng.integers(-30, 31, (120, 2)), 1, None)
    y[3, 0] = np.nan
    data, masked = file(w=x[:, 0], v=x[:, 1]), file(w=y[:, 0], v=y[:, 1] + 0.25)
    assert rules_for(masked).whole.tolist() == [True, False]
    assert not rules_for(masked, decimals="any").whole.any()
    result = tc.optimise(data, masked, method=method, share=0.9, target_ratio=0.9, seed=1, max_steps=100_000)
    made = result.data.float("w")
    there = ~np.isnan(y[:, 0])
    assert np.array_equal(np.isnan(made), ~there)
    assert (made[there] != y[there, 0]).any()
    assert np.array_equal(made[there], np.rint(made[there]))
    moved = result.data.float("v")
    assert (moved != np.rint(4 * moved) / 4).any()
    assert np.array_equal(moved, np.round(moved, 2))


# --- whole files -----------------------------------------------------------------------------------------------------


def test_records_that_break_a_rule_go_back() -> None:
    masked = file(a=[5, 5, 5, 5, 5], b=[2, 2, 2, 5, 2], net=[3, 3, 3, 0, 3])
    rules = rules_for(masked, identities=["net = a - b"], bounds={"a": (0, 9)})
    start = masked.floats(masked.names)
    made = start.copy()
    made[0] = [6, 2, 4]  # in order
    made[1] = [2, 2, 0]  # a new zero
    made[2] = [5.5, 2, 3.5]  # no whole numbers
    made[3] = [6, 5, 1]  # a zero lost
    made[4] = [10, 2, 8]  # out of bounds
    back = rules.restored(start, made)
    assert back.tolist() == [made[0].tolist(), *start[1:].tolist()]
    rules.verify(back, "optimised", start)
    for row in (1, 2, 3):
        broken = start.copy()
        broken[row] = made[row]
        with pytest.raises(
            DataError, match=r"has \d values in the optimised data that break 'decimals' or 'keep_zeros'"
        ):
            rules.verify(broken, "optimised", start)


def test_a_record_goes_a_part_of_the_way_rather_than_to_a_zero_total() -> None:
    masked = file(a=[9, 9], b=[1, 1], net=[8, 8])
    rules = rules_for(masked, identities=["net = a - b"])
    start = masked.floats(masked.names)
    held = rules.held(start, np.array([[5.0, 5, 0], [6.0, 2, 4]]))
    assert held.tolist() == [[7, 3, 4], [6, 2, 4]]


# --- parameters ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("given", [5, None, (None,), ("x", None), (0, 1, 2), "ab", {0: 1}, (True, 3), (0, [1])])
def test_bounds_that_are_none(given: Any) -> None:
    data, masked = nets()
    with pytest.raises(ParameterError, match="optimise: 'bounds' of 'a' must be two numbers, the lower one first"):
        tc.optimise(data, masked, bounds={"a": given})


@pytest.mark.parametrize(
    ("name", "given"),
    [
        ("bounds", 5),
        ("bounds", [("a", (0, 1))]),
        ("keep_zeros", None),
        ("keep_zeros", "yes"),
        ("decimals", "no"),
        ("decimals", 1),
        ("identities", 5),
        ("identities", None),
        ("identities", "net = a - b"),
        ("identities", [5]),
        ("chains", 5),
        ("chains", None),
        ("chains", [5]),
        ("chains", ["ab"]),
        ("rewards_lower_risk", "no"),
        ("rewards_lower_risk", None),
    ],
)
def test_parameters_of_another_kind(name: str, given: Any) -> None:
    data, masked = nets()
    with pytest.raises(ParameterError, match=f"optimise: '{name}' must be "):
        tc.optimise(data, masked, **{name: given})


@pytest.mark.parametrize("given", [(1, None), [1, None], (np.int64(1), np.inf), (np.float64(1), None)])
def test_bounds_in_other_forms(given: Any) -> None:
    _, masked = nets()
    rules = rules_for(masked, bounds={"a": given})
    assert (rules.low[0], rules.high[0]) == (1, np.inf)


def test_identities_of_single_precision_hold_to_its_digits() -> None:
    a = np.linspace(0.1, 7.3, 40).astype(np.float32)
    masked = file(a=a, b=a + np.float32(2), net=a + (a + np.float32(2)))
    assert rules_for(masked, identities=["net = a + b"]).single == masked.names
