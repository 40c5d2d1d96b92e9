"""The command line of outliers: ``evaluate --outliers`` and ``study outliers``."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

import tacita as tc
from tacita.cli.main import app
from tacita.compare.outliers import evaluate_outliers
from tacita.core.errors import ParameterError
from tacita.study import outliers as module

runner = CliRunner()
COLUMNS = ("turnover", "wages")


@pytest.fixture
def files(tmp_path: Path) -> tuple[Path, Path]:
    data = tc.samples.business_survey(200, seed=1).select(list(COLUMNS))
    masked = tc.mask.AdditiveNoise(columns=COLUMNS, sd_ratio=0.1).apply(data, seed=7)
    return tc.write(data, tmp_path / "a.csv"), tc.write(masked, tmp_path / "b.csv")


def test_evaluate_shows_both_columns(files: tuple[Path, Path]) -> None:
    words = ["evaluate", *map(str, files), "--row-order", "--outliers"]
    shown = runner.invoke(app, words)
    assert shown.exit_code == 0, shown.output
    for text in ("whole file", "outliers", "dld", "the 10 records farthest from the average record, 5 %", "Score"):
        assert text in shown.output
    plain = json.loads(runner.invoke(app, [*words, "--json"]).stdout)
    cards = evaluate_outliers(tc.read(files[0]), tc.read(files[1]), pairing="order")
    assert plain["outliers"]["count"] == 10
    for card, measured in ((cards.whole, plain["measures"]), (cards.outliers, plain["outliers"]["measures"])):
        assert {m["measure"]: m["value"] for m in measured} == pytest.approx(dict(card))
    without = json.loads(runner.invoke(app, [*words[:-1], "--json"]).stdout)
    assert "outliers" not in without


def test_evaluate_writes_the_report_of_the_whole_file(files: tuple[Path, Path], tmp_path: Path) -> None:
    report = tmp_path / "report.html"
    done = runner.invoke(app, ["evaluate", *map(str, files), "--row-order", "--outliers", "--report", str(report)])
    assert done.exit_code == 0, done.output
    assert report.exists()


def test_study_outliers_runs_without_reference_data(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, files: tuple[Path, Path]
) -> None:
    kept = tuple(module.Family(f.letter, f.name, f.parameters[:2], f.made, f.is_random) for f in module.FAMILIES)
    monkeypatch.setattr(module, "FAMILIES", kept)
    monkeypatch.setenv("TACITA_REFERENCE_DATA", str(tmp_path / "nowhere"))
    monkeypatch.chdir(tmp_path)
    shown = runner.invoke(app, ["study", "outliers", "--replicates", "1"])
    assert shown.exit_code == 0, shown.output
    assert "11 files written to outliers-study" in shown.output
    assert (tmp_path / "outliers-study" / "sample-dld.svg").exists()
    words = ["study", "outliers", str(files[0]), "-c", "turnover", "-c", "wages", "--replicates", "1", "-o", "figures"]
    plain = json.loads(runner.invoke(app, [*words, "--json"]).stdout)
    assert plain["study"] == "outliers"
    assert sorted(path.name for path in (tmp_path / "figures").glob("*.html")) == ["outliers.html"]
    assert len(plain["files"]) == 11


def test_study_that_takes_no_data_says_so() -> None:
    done = runner.invoke(app, ["study", "multiplicative-noise", "census"])
    assert isinstance(done.exception, ParameterError)
