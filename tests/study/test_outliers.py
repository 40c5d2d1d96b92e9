"""The outlier study: small runs on samples, files that it writes, and the whole run on the reference data.

It tests ``tacita.study.outlier_pages`` through the only door that they have.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

import tacita as tc
from tacita.core.errors import DataError, FileError, ParameterError
from tacita.study import StudyResult, datasets, find_study
from tacita.study import outliers as module
from tacita.study.datasets import StudyData, study_data
from tacita.study.outliers import FAMILIES, MEASURES, outlier_figures


@pytest.fixture(scope="module")
def few() -> StudyData:
    data = tc.samples.business_survey(150, seed=3)
    return StudyData("few", data, ("turnover", "wages", "profit"))


@pytest.fixture
def short(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two parameters a family: the path is the same and the run is short."""
    kept = tuple(
        module.Family(f.letter, f.name, (f.parameters[0], f.parameters[-1]), f.made, f.is_random) for f in FAMILIES
    )
    monkeypatch.setattr(module, "FAMILIES", kept)


def test_parameters_are_those_of_the_paper() -> None:
    """Section 2: JPEG 10 to 100 by 5, swapping 1 to 20, noise 0.02 to 0.2 by 0.02, resampling 1 to 3, k = 3 to 20."""
    tried = {f.letter: f.parameters for f in FAMILIES}
    assert list(tried) == ["J", "R", "N", "RS", "M"]
    assert [len(p) for p in tried.values()] == [19, 20, 10, 3, 18]
    assert (tried["J"][0], tried["J"][1], tried["J"][-1]) == (10, 15, 100)
    assert tried["N"] == (0.02, 0.04, 0.06, 0.08, 0.1, 0.12, 0.14, 0.16, 0.18, 0.2)
    assert FAMILIES[2].labels()[0] == "N0.02"
    assert FAMILIES[3].labels() == ("RS1", "RS2", "RS3")


def test_figures_are_what_evaluate_measures(few: StudyData, short: None) -> None:
    figures = outlier_figures([few], replicates=1, seed=1)
    masked = tc.mask.Mdav(columns=few.columns, k=20, decimals="any").apply(few.data)
    from tacita.compare.outliers import evaluate_outliers

    cards = evaluate_outliers(
        few.data, masked, measures=list(MEASURES), columns=few.columns, scenario={"known": few.columns}
    )
    for measure in MEASURES:
        line = figures["few", measure]["M"]
        assert line.parameters.tolist() == [3, 20]
        assert line.whole[1] == pytest.approx(cards.whole[measure])
        assert line.outliers[1] == pytest.approx(cards.outliers[measure])


def test_random_methods_are_averaged_and_repeatable(few: StudyData, short: None) -> None:
    one, again = (outlier_figures([few], replicates=2, seed=5) for _ in range(2))
    other = outlier_figures([few], replicates=2, seed=6)
    for key in one:
        for letter in one[key]:
            assert np.array_equal(one[key][letter].whole, again[key][letter].whole)
            assert np.array_equal(one[key][letter].outliers, again[key][letter].outliers)
    assert not np.array_equal(one["few", "il1s"]["N"].whole, other["few", "il1s"]["N"].whole)
    assert np.array_equal(one["few", "il1s"]["M"].whole, other["few", "il1s"]["M"].whole)


def run(data: list[str], **options: object) -> StudyResult:
    return find_study("outliers").run(replicates=1, data=data, **options)  # type: ignore[arg-type]


def test_other_data_get_figures_and_no_verdict(short: None, tmp_path: Path) -> None:
    result = run(["sample"], output=tmp_path / "a" / "b")
    assert result.kept_promises
    assert result.tables == ()
    assert any("no statement is judged" in note for note in result.notes)
    assert {f.setting for f in result.findings} == {f"sample, {family.name}" for family in FAMILIES}
    names = {path.name for path in (tmp_path / "a" / "b").iterdir()}
    assert names == {f"sample-{m}.{ending}" for m in MEASURES for ending in ("svg", "png")} | {"outliers.html"}
    assert {path.name for path in result.files} == names
    page = (tmp_path / "a" / "b" / "outliers.html").read_text(encoding="utf-8")
    assert page.count("<figure") == 5
    assert "Black is the whole file, grey its outliers" in page
    assert "http" not in page.replace("http://www.w3.org/", "")


def test_written_files_are_replaced_and_others_stay(short: None, tmp_path: Path) -> None:
    (tmp_path / "mine.txt").write_text("keep", encoding="utf-8")
    first = run(["sample"], output=tmp_path)
    before = {path: path.read_bytes() for path in first.files}
    run(["sample"], output=tmp_path)
    assert {path: path.read_bytes() for path in first.files} == before
    assert (tmp_path / "mine.txt").read_text(encoding="utf-8") == "keep"


def test_own_file_with_chosen_columns(short: None, tmp_path: Path) -> None:
    path = tc.write(tc.samples.business_survey(120, seed=1), tmp_path / "firms.csv")
    result = run([str(path)], columns=["turnover", "wages"])
    assert result.files == ()
    assert "firms: 120 records, 2 columns, 6 outliers" in result.notes[0]


def test_statements_are_judged_for_data_named_like_the_papers(short: None, tmp_path: Path) -> None:
    """Not the real files: what is counted and printed, not whether it holds."""
    for name, seed in (("census", 1), ("eia", 2)):
        tc.write(tc.samples.business_survey(120, seed=seed), tmp_path / f"{name}.csv")
    data = [str(tmp_path / "census.csv"), str(tmp_path / "eia.csv")]
    result = run(data, columns=["turnover", "wages", "profit"])
    total = next(f for f in result.findings if f.required)
    assert total.setting.startswith("census and eia: ")
    failed = result.tables[0]
    assert len(failed.rows) + int(total.setting.split()[-3]) == int(total.setting.split()[-1])
    alone = run(data[:1], columns=["turnover", "wages", "profit"])
    assert any("only when census and eia are run together" in note for note in alone.notes)


# --- finding data --------------------------------------------------------------------------------------------------------


def test_without_reference_data_the_sample_is_used(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("TACITA_REFERENCE_DATA", str(tmp_path / "nowhere"))
    assert datasets.reference_directory() is None
    assert [entry.name for entry in study_data([], default=("census", "eia"))] == ["sample"]
    with pytest.raises(FileError, match="Set TACITA_REFERENCE_DATA"):
        study_data(["census"])


def test_only_what_is_there_is_taken_by_default(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    tc.write(tc.samples.business_survey(120, seed=1), tmp_path / "census.csv")
    monkeypatch.setenv("TACITA_REFERENCE_DATA", str(tmp_path))
    with pytest.raises(DataError, match="values are missing in investments"):
        study_data([], default=("census", "eia"))
    (found,) = study_data([], ["turnover"], default=("census", "eia"))
    assert (found.name, found.columns) == ("census", ("turnover",))


def test_eia_has_its_ten_columns(reference: Callable[[str], Path]) -> None:
    reference("eia.csv")
    (found,) = study_data(["eia"])
    assert len(found.columns) == 10
    assert "UTILITYID" not in found.columns
    assert "OTHRSALES" in found.columns


def test_senseless_data_are_refused(tmp_path: Path) -> None:
    with pytest.raises(ParameterError, match="named twice"):
        study_data(["sample", "sample"])
    with pytest.raises(FileError):
        study_data([str(tmp_path / "missing.csv")])
    path = tc.write(tc.samples.business_survey(50, seed=1), tmp_path / "short.csv")
    with pytest.raises(DataError, match="at least 100 records"):
        study_data([str(path)], ["turnover"])
    (tmp_path / "other").mkdir()
    pair = [
        str(tc.write(tc.samples.business_survey(100, seed=1), tmp_path / where / "same.csv"))
        for where in (".", "other")
    ]
    with pytest.raises(ParameterError, match="two files have the same name"):
        study_data(pair, ["turnover"])


def test_studies_refuse_what_they_cannot_use(tmp_path: Path) -> None:
    noise = find_study("multiplicative-noise")
    with pytest.raises(ParameterError, match="makes its own data"):
        noise.run(data=["sample"])
    with pytest.raises(ParameterError, match="writes no files"):
        noise.run(output=tmp_path)
    with pytest.raises(ParameterError, match="'columns' needs 'data'"):
        find_study("outliers").run(columns=["a"])
    (tmp_path / "taken").write_text("a file", encoding="utf-8")
    assert noise.directory is None
    assert find_study("outliers").directory == Path("outliers-study")


def test_a_directory_that_cannot_be_made_is_an_error_of_ours(short: None, tmp_path: Path) -> None:
    (tmp_path / "taken").write_text("a file", encoding="utf-8")
    with pytest.raises(FileError, match="'taken' cannot be made"):
        run(["sample"], output=tmp_path / "taken")


# --- the whole study --------------------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_the_papers_statements_hold_on_the_reference_files(reference: Callable[[str], Path], tmp_path: Path) -> None:
    """Both data sets, all parameters: at least 85 % of the statements, and ten figures."""
    reference("census.csv")
    reference("eia.csv")
    result = find_study("outliers").run(data=["census", "eia"], output=tmp_path)
    assert result.kept_promises, result.findings
    assert len(list(tmp_path.glob("*.svg"))) == len(list(tmp_path.glob("*.png"))) == 10
