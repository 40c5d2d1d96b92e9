"""What a release carries beside its masked values is named before anything is written."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest

import tacita as tc
from tacita.release.traces import find_traces, weight_trace

SECRET = 76543210


def survey(n: int = 300) -> tc.Microdata:
    rng = np.random.default_rng(2)
    rows = np.arange(n)
    return tc.Microdata.from_frame(
        pa.table(
            {
                "house": rows // 3,
                "member": rows % 3 + 1,
                "phone": SECRET + rng.permutation(n) * 13,
                "serial": np.sort(rng.integers(0, 10 * n, n)),
                "half": np.where(rows % 5 < 2, 0, SECRET + rows),
                "few": rows // 100,
                "age": rng.integers(0, 80, n),
                "income": rng.normal(0, 1, n),
                "w": np.round(rng.uniform(10, 20, n), 3),
            }
        ),
        keys=["age"],
        household="house",
        weight="w",
    )


def test_columns_without_a_role_are_named() -> None:
    data = survey()
    found = {(trace.column, trace.kind) for trace in find_traces(data, data)}
    assert found == {
        ("member", "member"),
        ("phone", "unique"),
        ("serial", "unique"),
        ("serial", "order"),
        ("half", "unique"),
        ("income", "unique"),
    }


def test_masked_values_and_columns_with_a_role_are_not() -> None:
    data = survey()
    masked = tc.mask.AdditiveNoise(columns=["income", "phone"], sd_ratio=0.3).apply(data, seed=1)
    assert {t.column for t in find_traces(data, masked) if t.kind == "unique"} == {"serial", "half"}
    declared = data.with_schema(data.schema.change("phone", roles=("confidential",)))
    assert "phone" not in {t.column for t in find_traces(declared, declared)}


def test_what_nearly_means_is_said_and_counted() -> None:
    n = 100
    for shared, named in ((51, False), (50, True), (49, True)):
        values = np.r_[np.zeros(shared), np.arange(1, n - shared + 1)].astype(int)
        data = tc.Microdata.from_frame(pa.table({"x": np.random.default_rng(1).permutation(values)}))
        found = find_traces(data, data)
        assert bool(found) == named, shared
        assert all("named from 50 % on" in str(trace) for trace in found)


def test_a_release_warns_before_it_writes_and_names_no_value(tmp_path: Path) -> None:
    release = tc.Recipe([tc.mask.AdditiveNoise(columns=["income"], sd_ratio=0.3)]).apply(survey(), seed=1)
    with pytest.warns(tc.TacitaWarning) as told:
        release.write(tmp_path / "out")
    text = " ".join(str(warning.message) for warning in told)
    assert "'phone'" in text
    assert "'serial'" in text
    assert "'member' numbers the members" in text
    assert str(SECRET)[:5] not in text
    import warnings

    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with pytest.raises(tc.TacitaWarning):
            release.write(tmp_path / "never")
    assert not (tmp_path / "never").exists()


def test_a_release_with_such_a_column_is_never_passed() -> None:
    release = tc.Recipe([tc.mask.AdditiveNoise(columns=["income"], sd_ratio=0.3)]).apply(survey(), seed=1)
    verdict = tc.judge(release, {"k_anonymity": 100})
    assert verdict.state == "not judged"
    assert any("'phone'" in reason for reason in verdict.reasons)
    clean = release.original.select(["house", "few", "age", "w"])
    assert tc.judge(
        tc.Recipe([tc.mask.RankSwap(columns=["age"])]).apply(clean, seed=1), {"k_anonymity": 100}
    ).has_passed


def test_odd_columns_do_not_stop_a_release(tmp_path: Path) -> None:
    """Infinite numbers, bytes and values outside their categories could always be written; looking at them must not fail."""
    n = 60
    table = pa.table(
        {
            "x": [float("inf")] * n,
            "raw": pa.array([b"\xff\xfe"] * n),
            "level": ["high"] * n,
            "day": pa.array([0] * n, pa.date32()),
            "flag": [True] * n,
            "house": [i // 2 for i in range(n)],
            "income": [float(i) for i in range(n)],
        }
    )
    data = tc.Microdata.from_frame(table, confidential=["income"], household="house")
    data = data.with_schema(data.schema.change("level", scale="ordinal", categories=("low",)))
    release = tc.Recipe([tc.mask.AdditiveNoise(columns=["income"], sd_ratio=0.1)]).apply(data, seed=1)
    assert release.traces == ()
    release.write(tmp_path / "out", format="parquet")


def test_files_without_records() -> None:
    empty = survey().take(np.zeros(0, dtype=int))
    assert find_traces(empty, empty) == ()
    assert weight_trace(empty, empty) is None


# --- weights ---------------------------------------------------------------------------------------------------------------


def alone(*columns: list[object]) -> float:
    rows = list(zip(*columns, strict=True))
    return 100 * sum(rows.count(row) == 1 for row in rows) / len(rows)


def test_the_weight_is_measured() -> None:
    data = survey()
    w, age = (data.to_arrow().column(name).to_pylist() for name in ("w", "age"))
    found = weight_trace(data, data)
    assert found is not None
    assert (found.unique, found.unique_with_keys, found.kept) == (
        pytest.approx(alone(w)),
        pytest.approx(alone(w, age)),
        100.0,
    )
    assert weight_trace(data.drop(["w"]), data.drop(["w"])) is None


def test_the_card_says_what_the_weight_gives_away() -> None:
    data = survey()
    card = tc.evaluate(data, data, measures=["il1s"])
    assert "linked by it" in card.remarks[0]
    assert card.as_plain()["remarks"] == list(card.remarks)
    masked = tc.mask.WeightNoise(variation=0.2).apply(data, seed=1)
    assert "No record has its original weight" in tc.evaluate(data, masked, measures=["il1s"]).remarks[0]


def linked_by_weight(first: tc.Microdata, second: tc.Microdata) -> float:
    """Share of records of two releases of one file that an intruder puts together by weight and key."""
    rows = [
        {
            record: row
            for row, record in enumerate(zip(*(d.to_arrow().column(c).to_pylist() for c in ("w", "age")), strict=True))
        }
        for d in (first, second)
    ]
    home = [d.origin_rows() for d in (first, second)]
    both = set(rows[0]) & set(rows[1])
    return (
        float(np.mean([home[0][rows[0][r]] == home[1][rows[1][r]] for r in both]) * len(both) / len(first))
        if both
        else 0.0
    )


@pytest.mark.parametrize(
    ("mask", "least", "most"),
    [
        (None, 0.9, 1.0),
        (tc.mask.WeightNoise(variation=0.1), 0.0, 0.05),
        (tc.mask.WeightRounding(base=10), 0.0, 0.05),
    ],
)
def test_two_releases_are_linked_by_weights_unless_these_are_masked(
    mask: tc.mask.Mask | None, least: float, most: float
) -> None:
    data = survey(1000).drop(["phone", "serial", "half", "member"])
    steps = [tc.mask.AdditiveNoise(columns=["income"], sd_ratio=0.3), *([mask] if mask else [])]
    first, second = (tc.Recipe(steps).apply(data, seed=seed).public for seed in (1, 2))
    assert least <= linked_by_weight(first, second) <= most
