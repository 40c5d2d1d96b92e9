"""Optimise: what it promises to keep, what it reports, and bad input."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

import tacita as tc
from tacita.compare.optimise.optimised import Optimised
from tacita.core.errors import ColumnError, DataError, ParameterError, TacitaWarning
from tacita.data.microdata import Microdata
from tacita.numeric.nearest.neighbours import nearest_records
from tacita.numeric.statistics.moments import standardise
from tests.oracles.compare import post_masking as oracle

METHODS = ("gradient", "hill_climbing", "score")
NAMES = ("total", "part", "rest", "tax")
every_method = pytest.mark.parametrize("method", METHODS)


def file(n: int = 150, seed: int = 1) -> Microdata:
    """Whole numbers with an identity (total = part + rest) and a chain (total >= tax); every tenth rest is 0."""
    rng = np.random.default_rng(seed)
    part, rest = np.rint(np.exp(rng.normal(6, 1, n))), np.rint(np.exp(rng.normal(3, 2, n)))
    rest[::10] = 0
    tax = np.rint(0.3 * rng.random(n) * (part + rest))
    columns = {"total": part + rest, "part": part, "rest": rest, "tax": tax}
    return Microdata.from_frame(pa.table({name: values.astype(np.int64) for name, values in columns.items()}))


def masked_file(data: Microdata, seed: int = 2) -> Microdata:
    swap = tc.mask.RankSwap(columns=["part", "rest"], p=15, identities=["total = part + rest"]).apply(data, seed=seed)
    tax = np.minimum(np.rint(1.3 * data.float("tax")), swap.float("total"))
    return swap.with_numbers({"tax": tax})


RULES: dict[str, Any] = {
    "columns": NAMES,
    "identities": ["total = part + rest"],
    "chains": [["total", "tax"]],
    "bounds": {"tax": (0, 900)},
}


def optimised(method: str, data: Microdata, masked: Microdata, **more: Any) -> Optimised:
    settings: dict[str, Any] = {"share": 0.5, "target_ratio": 0.6, "seed": 3, "max_steps": 60_000, **RULES, **more}
    return tc.optimise(data, masked, method=method, **settings)


@pytest.fixture(scope="module")
def pair() -> tuple[Microdata, Microdata]:
    data = file()
    masked = masked_file(data)
    return data, masked.with_numbers({"tax": np.minimum(masked.float("tax"), 900)})


@pytest.fixture(scope="module")
def results(pair: tuple[Microdata, Microdata]) -> dict[str, Optimised]:
    return {method: optimised(method, *pair) for method in METHODS}


# --- what must hold --------------------------------------------------------------------------------------------------


@every_method
def test_rules_hold_in_the_result(
    method: str, pair: tuple[Microdata, Microdata], results: dict[str, Optimised]
) -> None:
    masked, made = pair[1], results[method].data
    assert results[method].changed_values > 0
    values = {name: made.float(name) for name in NAMES}
    assert np.array_equal(values["total"], values["part"] + values["rest"])
    assert (values["total"] >= values["tax"]).all()
    assert ((values["tax"] >= 0) & (values["tax"] <= 900)).all()
    assert all((column >= 0).all() for column in values.values())
    assert np.array_equal(values["rest"] == 0, masked.float("rest") == 0)
    assert all(pa.types.is_integer(field.type) for field in made.to_arrow().schema)


@every_method
def test_data_are_linked_and_nothing_else_changes(
    method: str, pair: tuple[Microdata, Microdata], results: dict[str, Optimised]
) -> None:
    data, masked = pair
    result = results[method]
    assert result.data.source == data.source
    assert np.array_equal(result.data.origin_rows(), masked.origin_rows())
    assert result.data.schema == masked.schema
    changed = np.column_stack([result.data.float(name) != masked.float(name) for name in result.columns])
    assert (int(changed.sum()), int(changed.any(axis=1).sum())) == (result.changed_values, result.changed_records)
    if method != "score":
        assert result.changed_records <= 75


@every_method
def test_numbers_are_those_of_the_files(
    method: str, pair: tuple[Microdata, Microdata], results: dict[str, Optimised]
) -> None:
    """E and IL1' against the double loops; Score' is the sum of its parts."""
    data, result = pair[0], results[method]
    x = data.floats(result.columns)
    for made, parts in ((pair[1], result.before), (result.data, result.after)):
        y = made.floats(result.columns)
        listed = x.tolist(), y.tolist()
        zx, zy = (oracle.standardised(rows, listed[0]) for rows in listed)
        assert parts.e == pytest.approx(oracle.moment_error(zx, zy), rel=1e-6, abs=1e-12)
        near = nearest_records(np.ascontiguousarray(standardise(x)), np.ascontiguousarray(standardise(y, like=x)))
        terms = [t for i, row in enumerate(y.tolist()) for t in oracle.relative_error(x[near[i]], row)]
        assert parts.il1 == pytest.approx(np.mean(terms))
        assert parts.il == pytest.approx(sum(parts.losses.values()) / 5)
        assert parts.score == pytest.approx(0.5 * parts.il + 0.25 * parts.dld + 0.25 * parts.rid)


@pytest.mark.parametrize("method", ["gradient", "hill_climbing"])
def test_moments_come_back_and_il1_comes_to_its_band(method: str, results: dict[str, Optimised]) -> None:
    result = results[method]
    assert result.after.e < 0.5 * result.before.e
    assert result.after.il1 == pytest.approx(0.6 * result.before.il1, rel=0.0101)


def test_score_falls_and_risk_does_not_grow(results: dict[str, Optimised]) -> None:
    before, after = results["score"].before, results["score"].after
    assert after.score < 0.9 * before.score
    assert after.dld <= before.dld + 0.2
    assert after.rid <= before.rid + 0.2


def test_lower_risk_can_be_rewarded(pair: tuple[Microdata, Microdata], results: dict[str, Optimised]) -> None:
    gamed = optimised("score", *pair, rewards_lower_risk=True)
    assert gamed.after.score < results["score"].after.score
    assert gamed.after.rid < results["score"].after.rid - 1


@every_method
def test_same_seed_same_result(method: str, pair: tuple[Microdata, Microdata], results: dict[str, Optimised]) -> None:
    again = optimised(method, *pair)
    assert again.data.same_content(results[method].data)
    if method != "gradient":
        assert not optimised(method, *pair, seed=4).data.same_content(results[method].data)


def test_input_is_not_changed(pair: tuple[Microdata, Microdata]) -> None:
    data, masked = pair
    before = data.fingerprint(), masked.fingerprint()
    optimised("hill_climbing", data, masked)
    assert (data.fingerprint(), masked.fingerprint()) == before


# --- choices ---------------------------------------------------------------------------------------------------------


def plain(n: int = 200, d: int = 4) -> tuple[Microdata, Microdata]:
    rng = np.random.default_rng(5)
    x = np.exp(rng.normal(1, 1.2, (n, 1)) + rng.normal(0, 0.7, (n, d)))
    data = Microdata.from_frame(pa.table({f"v{j}": x[:, j] for j in range(d)}))
    return data, tc.mask.RankSwap(columns=data.names, p=20).apply(data, seed=4)


@pytest.mark.parametrize("method", ["gradient", "hill_climbing"])
def test_values_instead_of_records(method: Any) -> None:
    data, masked = plain()
    result = tc.optimise(data, masked, method=method, of="values", share=0.3, target_ratio=0.7, seed=1)
    assert result.changed_values <= 240
    assert result.changed_records > 70  # 60 records have so many values
    assert result.after.e < result.before.e
    assert result.after.il1 == pytest.approx(0.7 * result.before.il1, rel=0.0101)


@pytest.mark.parametrize("method", ["gradient", "hill_climbing"])
def test_standardised_reading(method: Any) -> None:
    """As printed: IL1' of standardised values comes to its band, so that of raw values goes elsewhere."""
    data, masked = plain()
    result = tc.optimise(
        data, masked, method=method, reading="standardised", share=0.5, seed=1, max_steps=50_000, target_ratio=0.7
    )
    names = result.columns
    ratios = []
    for made in (masked, result.data):
        zx, zy = (standardise(f.floats(names), like=data.floats(names)) for f in (data, made))
        near = nearest_records(np.ascontiguousarray(zx), np.ascontiguousarray(zy))
        ratios.append(np.mean(np.abs(zx[near] - zy) / np.abs(zx[near])))
    assert ratios[1] == pytest.approx(0.7 * ratios[0], rel=0.0101)


@pytest.mark.parametrize("method", ["gradient", "hill_climbing"])
def test_a_target_ends_the_search(method: Any) -> None:
    data, masked = plain()
    result = tc.optimise(data, masked, method=method, share=0.5, target_e=0.05, seed=1)
    assert result.stopped == "target reached"
    assert result.after.e <= 0.05 < result.before.e


def test_a_target_out_of_reach_ends_the_search() -> None:
    data, masked = plain()
    settings: dict[str, Any] = {"share": 0.4, "target_e": 0.0, "seed": 1}
    off = pytest.warns(TacitaWarning, match="outside its band")
    with off:
        climbed = tc.optimise(data, masked, method="hill_climbing", max_steps=5_000_000, **settings)
    assert climbed.stopped == "no further improvement, IL1' outside its band"
    with off:
        short = tc.optimise(data, masked, method="hill_climbing", max_steps=500, **settings)
    assert short.stopped == "step limit, IL1' outside its band"
    with off:
        late = tc.optimise(data, masked, method="hill_climbing", time_limit=0, **settings)
    assert late.stopped == "time limit, IL1' outside its band"
    assert tc.optimise(data, masked, method="score", time_limit=0, seed=1).stopped == "time limit"
    assert tc.optimise(data, masked, method="gradient", time_limit=0, **settings).stopped == "time limit"


def test_strangers_have_no_paired_risk_and_may_differ_in_length() -> None:
    data, masked = plain()
    some = masked.take(np.arange(150))
    stranger = Microdata(some.to_arrow(), some.schema)
    result = tc.optimise(data, stranger, share=0.5)
    assert result.before.paired_dld is None
    assert len(result.data) == 150
    assert {row["measure"] for row in result.rows()} == {"e", "il1", "il", "dld", "rid", "score"}
    linked = tc.optimise(data, some, share=0.5)
    assert linked.before.paired_rid is not None
    assert linked.after.e == result.after.e


@every_method
def test_missing_values_stay_missing(method: Any) -> None:
    data, masked = plain()
    holes = masked.float("v1").copy()
    holes[::7] = np.nan
    result = tc.optimise(data, masked.with_numbers({"v1": holes}), method=method, share=0.6, seed=1, max_steps=20_000)
    assert np.array_equal(np.isnan(result.data.float("v1")), np.isnan(holes))
    assert np.isfinite(result.after.score)


@every_method
def test_zeros_and_constant_columns(method: Any) -> None:
    data, masked = plain()
    zeros = {"v0": np.where(np.arange(200) % 3 == 0, 0.0, data.float("v0")), "v3": np.full(200, 7.0)}
    data = data.with_numbers(zeros)
    masked = masked.with_numbers({"v0": np.where(np.arange(200) % 4 == 0, 0.0, masked.float("v0")), "v3": zeros["v3"]})
    result = tc.optimise(data, masked, method=method, share=0.8, target_ratio=0.8, seed=1, max_steps=20_000)
    assert np.array_equal(result.data.float("v3"), zeros["v3"])
    assert np.array_equal(result.data.float("v0") == 0, masked.float("v0") == 0)
    assert np.isfinite([result.after.e, result.after.score]).all()
    assert result.after.score < result.before.score


def test_columns_that_an_intruder_knows_come_first() -> None:
    data, masked = plain()
    assert tc.optimise(data, masked, share=0.5).columns[:2] == ("v0", "v1")
    result = tc.optimise(data, masked, share=0.5, known=["v3", "v1"])
    assert (result.columns, result.known) == (("v3", "v1", "v0", "v2"), 2)
    keyed = data.with_schema(data.schema.change("v2", roles=("key",)))
    assert tc.optimise(keyed, masked, share=0.5).columns[:1] == ("v2",)


def test_a_release_is_taken_too_and_the_result_can_be_shown() -> None:
    data, _ = plain()
    release = tc.Recipe([tc.mask.RankSwap(columns=data.names, p=20)]).apply(data, seed=1)
    result = tc.optimise(data, release, share=0.5)
    shown = json.loads(json.dumps(result.as_plain(), allow_nan=False))
    assert shown["after"]["score"] == result.after.score
    assert "seed" not in shown
    assert repr(result).startswith("Optimised by gradient (e 1.157 -> ")
    assert result.gain == pytest.approx(100 * (1 - result.after.score / result.before.score))


# --- bad input -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("settings", "error", "message"),
    [
        ({"method": "annealing"}, ParameterError, "'method' must be one of 'gradient', 'hill_climbing', 'score'"),
        ({"share": 0}, ParameterError, r"'share' must be in \(0, 1\] or nothing, got 0"),
        ({"share": 1.5}, ParameterError, r"'share' must be in \(0, 1\] or nothing, got 1.5"),
        ({"target_ratio": 0}, ParameterError, "'target_ratio' must be above 0"),
        ({"target_e": -1}, ParameterError, "'target_e' must be at least 0"),
        ({"step": 0, "method": "hill_climbing"}, ParameterError, "'step' must be above 0"),
        ({"max_steps": 0}, ParameterError, "'max_steps' must be a whole number, at least 1"),
        ({"time_limit": -1}, ParameterError, "'time_limit' must be at least 0"),
        ({"seed": -1}, ParameterError, "'seed' must be a non-negative integer"),
        ({"of": "rows"}, ParameterError, "'of' must be one of 'records', 'values'"),
        ({"method": "score", "reading": "standardised"}, ParameterError, "'reading' must be 'raw' for the method"),
        ({"columns": ["v9"]}, ColumnError, "Column 'v9' is not in the data"),
        ({"known": ["w"]}, ColumnError, "'known' names 'w', which must be in 'columns' too"),
        ({"known": ["v0", "v0"]}, ColumnError, "'known' must name at least one column, and each once"),
        ({"columns": ["v0"], "identities": ["v0 = v1 + v2"]}, ColumnError, "'identities' names 'v1'"),
        (
            {"identities": ["v0 = v1 + v2"]},
            DataError,
            "the identity for 'v0' does not hold in 200 records of the masked",
        ),
        ({"columns": ["v0"], "chains": [["v0", "v1"]]}, ColumnError, "'chains' names 'v1'"),
        ({"chains": [["v0"]]}, ParameterError, "every chain of 'chains' must name at least two columns"),
        ({"chains": [["v0", "v1"]]}, DataError, r"the chain v0 >= v1 does not hold in \d+ records of the masked data"),
        ({"bounds": {"v0": (0, 1)}}, DataError, r"column 'v0' has \d+ values outside its bounds in the masked data"),
        ({"bounds": {"v0": (2, 1)}}, ParameterError, "'bounds' of 'v0' must have the lower one first"),
        ({"bounds": {"w": (0, 1)}}, ColumnError, "'bounds' names 'w', which must be in 'columns' too"),
        ({"share": 0.01}, DataError, "the values that may change make up .* % of IL1'"),
    ],
)
def test_bad_input(settings: dict[str, Any], error: type[Exception], message: str) -> None:
    data, masked = plain()
    with pytest.raises(error, match=message):
        tc.optimise(data, masked, **settings)


def test_bad_files() -> None:
    data, masked = plain()
    with pytest.raises(ParameterError, match="'masked' must be Microdata, got list"):
        tc.optimise(data, [1.0])  # type: ignore[arg-type]
    with pytest.raises(DataError, match="at least 2 records, got 200 and 1"):
        tc.optimise(data, masked.take(np.array([0])))
    empty = masked.with_numbers({"v0": np.full(200, np.nan)})
    with pytest.raises(DataError, match="column 'v0' has no value in one of the files"):
        tc.optimise(data, empty)
    constant = Microdata.from_frame(pa.table({"a": [1.0] * 5, "b": [2.0] * 5}))
    with pytest.raises(DataError, match="no value may change"):
        tc.optimise(constant, constant)
    other = Microdata.from_frame(pa.table({"z": [1.0, 2.0]}))
    with pytest.raises(ColumnError, match="selects no column"):
        tc.optimise(data, other)
