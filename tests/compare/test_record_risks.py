"""Frequencies and risks of each record, against slow counts and against the measures."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import numpy as np
import pyarrow.parquet as pq
import pytest

import tacita as tc
from tacita.core.errors import ColumnError
from tests.cli.test_verbs import tacita

KEYS = ("sex", "region", "urban", "household_size")


@pytest.fixture(scope="module")
def data() -> tc.Microdata:
    return tc.samples.household_survey(250, seed=5)


def test_by_slow_counts(data: tc.Microdata) -> None:
    found = tc.frequencies(data, KEYS)
    table = data.to_arrow()
    rows = list(zip(*(table[name].to_pylist() for name in KEYS), strict=True))
    counts, weights = Counter(rows), Counter()
    for row, weight in zip(rows, data.weights().tolist(), strict=True):
        weights[row] += weight
    assert found.fk.tolist() == [counts[row] for row in rows]
    assert found.population.tolist() == pytest.approx([weights[row] for row in rows])
    assert found.risk.tolist() == tc.risk.IndividualRisk(columns=KEYS).assess(data).per_record.tolist()  # type: ignore[union-attr]
    assert set(found.suda[found.fk > 1]) == {0.0}
    knowing = tc.frequencies(data, KEYS, knows_sample=True)
    assert knowing.risk.tolist() == pytest.approx([1 / counts[row] for row in rows])


def test_shares_by_value_are_those_of_the_records(data: tc.Microdata) -> None:
    found = tc.frequencies(data, KEYS)
    values, total = data.to_arrow()["region"].to_pylist(), found.suda.sum()
    j = KEYS.index("region")
    for one in found.by_value:
        if one.key == "region":
            here = np.array([value == one.value for value in values])
            assert one.records == here.sum()
            assert one.share == pytest.approx(100 * found.contributions[here, j].sum() / total)
    assert [one.share for one in found.by_value] == sorted((one.share for one in found.by_value), reverse=True)
    assert "North" not in repr(found.by_value[0])


def test_written_by_the_command_line(data: tc.Microdata, tmp_path: Path) -> None:
    tc.write(data, tmp_path / "survey.csv")
    data.schema.write(tmp_path / "survey.toml")
    words = ["assess", tmp_path / "survey.csv", "--schema", tmp_path / "survey.toml"]
    for name in KEYS:
        words += ["--key", name]
    done = tacita(*words, "--records", tmp_path / "risks.parquet")
    assert done.returncode == 0, done.stderr
    made = pq.read_table(tmp_path / "risks.parquet")
    assert made.column_names[:6] == ["fk", "Fk", "rk", "household_risk", "suda", "dis_suda"]
    assert made["fk"].to_pylist() == tc.frequencies(data, KEYS).fk.tolist()
    assert (tmp_path / "risks.parquet").stat().st_mode & 0o077 == 0
    refused = tacita(*words, "--records", tmp_path / "survey.csv")
    assert refused.returncode == 2
    assert "survey.csv" in refused.stderr


def test_without_keys_it_is_said(data: tc.Microdata) -> None:
    with pytest.raises(ColumnError, match="no column has the role 'key'"):
        tc.frequencies(data.select(["tax"]))
