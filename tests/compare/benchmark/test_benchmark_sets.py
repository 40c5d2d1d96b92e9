"""The sets of the benchmark: always the same records for a seed, and a reason for each that is not there."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

import tacita as tc
from tacita.compare.benchmark.benchmark_sets import BENCHMARK_SETS, find_sets
from tacita.core.errors import ParameterError, UnknownMethodError


def test_sets_are_repeatable_and_of_the_size_asked_for() -> None:
    first, _ = find_sets(["households", "persons"], size=40, seed=3)
    again, _ = find_sets(["households", "persons"], size=40, seed=3)
    other, _ = find_sets(["households", "persons"], size=40, seed=4)
    assert [len(entry.data) for entry in first] == [40, 40]
    assert [entry.data.fingerprint() for entry in first] == [entry.data.fingerprint() for entry in again]
    assert first[0].data.fingerprint() != other[0].data.fingerprint()


def test_absent_files_have_a_reason(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("TACITA_REFERENCE_DATA", str(tmp_path))
    found, absent = find_sets(None, size=20, seed=1)
    assert [entry.name for entry in found] == ["households", "businesses", "persons"]
    assert set(absent) == set(BENCHMARK_SETS) - {"households", "businesses", "persons"}
    assert "set TACITA_REFERENCE_DATA" in absent["census"]


def test_large_files_are_drawn_from(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Every record of the set is one of the file, none twice, in the order of the file."""
    monkeypatch.setenv("TACITA_REFERENCE_DATA", str(tmp_path))
    lines = "\n".join(f"{i},{i * i}" for i in range(500))
    (tmp_path / "census.csv").write_text(f"a,b\n{lines}\n", encoding="utf-8")
    (entry,), _ = find_sets(["census"], size=60, seed=1)
    values = entry.data.floats(["a", "b"])
    assert len(values) == 60
    assert (np.diff(values[:, 0]) > 0).all()
    assert np.array_equal(values[:, 1], values[:, 0] ** 2)
    assert np.array_equal(entry.data.origin_rows(), np.arange(60)), (
        "the set is data of its own, linked to no larger file"
    )


def test_adult_has_its_hierarchies(reference: Callable[[str], Path]) -> None:
    reference("adult/adult.csv")
    (entry,), absent = find_sets(["adult"], size=50, seed=1)
    assert not absent
    schema = entry.data.schema
    assert len(schema.with_role("key")) == 8
    assert all(schema[name].hierarchy is not None for name in schema.with_role("key"))
    assert schema["salary-class"].roles == ("confidential",)


def test_data_of_ones_own() -> None:
    data = tc.samples.business_survey(30, seed=1)
    (entry,), absent = find_sets({"mine": data}, size=100, seed=1)
    assert (entry.name, absent) == ("mine", {})
    assert entry.data is data


def test_unknown_and_repeated_names_are_refused() -> None:
    with pytest.raises(UnknownMethodError, match="no benchmark set named 'censsus'"):
        find_sets(["censsus"], size=20, seed=1)
    with pytest.raises(ParameterError, match="named twice"):
        find_sets(["persons", "persons"], size=20, seed=1)
