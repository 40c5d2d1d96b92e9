"""Where reference files are looked for."""

from __future__ import annotations

from pathlib import Path

import pytest

from tacita.data.samples.reference_files import reference_directory, reference_path


def test_the_directory_that_was_told_is_the_only_one(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("TACITA_REFERENCE_DATA", str(tmp_path))
    assert reference_directory() == tmp_path
    assert reference_path("census.csv") is None
    (tmp_path / "census.csv").write_text("a\n1\n", encoding="utf-8")
    assert reference_path("census.csv") == tmp_path / "census.csv"


def test_a_directory_that_is_not_there_is_no_directory(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("TACITA_REFERENCE_DATA", str(tmp_path / "nowhere"))
    assert reference_directory() is None
    assert reference_path("census.csv") is None
