"""Outputs that left earlier, and descriptions in files."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import tacita as tc
from tacita.compare.output_check.ledger import Ledger
from tacita.compare.output_check.output_files import read_outputs
from tacita.core.errors import FileError, ParameterError


@pytest.fixture
def survey() -> tc.Microdata:
    return tc.samples.household_survey(1000, seed=1)


def _rows(data: tc.Microdata) -> np.ndarray:
    rows = np.ones(len(data), bool)
    rows[17] = False
    return rows


def test_what_left_is_remembered(survey: tc.Microdata, tmp_path: Path) -> None:
    ledger = Ledger(tmp_path / "ledger")
    first = tc.check_output(tc.Output(name="one", rows=["sex"]), survey, ledger=ledger)
    assert first.has_passed
    assert len(ledger.enter(first)) == 1
    assert len(ledger.enter(first)) == 1
    assert len(ledger.entries()) == 1, "the same output is entered once"
    second = tc.check_output(
        tc.Output(name="two", rows=["sex"], universe=_rows(survey)), survey, ledger=tmp_path / "ledger"
    )
    assert second.state == "fail"
    assert second["two"].reasons[0].with_outputs == ("one (left earlier)",)
    assert second.earlier == 1
    assert tc.check_output(tc.Output(name="one", rows=["sex"]), survey, ledger=ledger).has_passed


def test_records_and_hidden_cells_are_remembered(survey: tc.Microdata, tmp_path: Path) -> None:
    ledger = Ledger(tmp_path)
    counts = pd.DataFrame({"sex": ["female", "male"], "count": ["x", "x"]})
    hidden = tc.Output(name="hidden", rows=["sex"], shown=counts)
    masked = tc.Output(name="masked", values="income", statistic="mean", universe=_rows(survey))
    ledger.enter(tc.check_output([hidden, masked], survey))
    assert len(ledger.entries()) == 2
    kept = dict(ledger.bases(survey)[0])
    assert not kept["hidden (left earlier)"].shown.any()
    assert int((kept["masked (left earlier)"].inner >= 0).sum()) <= len(survey) - 1
    later = tc.check_output(tc.Output(name="all", values="income", statistic="mean"), survey, ledger=ledger)
    assert later.state == "fail"
    path = next(tmp_path.glob("*.json"))
    assert path.stat().st_mode & 0o077 == 0


def test_another_version_of_the_data_is_for_a_person(survey: tc.Microdata, tmp_path: Path) -> None:
    """One record less, and the difference of the two tables is that record: nothing can be recomputed, so nothing passes."""
    ledger = Ledger(tmp_path)
    ledger.enter(tc.check_output(tc.Output(name="one", rows=["sex"]), survey))
    fewer = survey.take(np.arange(1, len(survey)))
    found = tc.check_output(tc.Output(name="again", rows=["sex"]), fewer, ledger=ledger)
    assert found.state == "review"
    assert found["again"].reasons[-1].with_outputs == ("one",)
    assert "1 output(s) of the ledger are of other data" in found.notes[0]
    apart = tc.check_output(tc.Output(name="apart", rows=["urban"]), fewer, ledger=ledger)
    assert apart.has_passed, "it has no column in common with what left"
    assert tc.check_output(tc.Output(name="same", rows=["sex"]), survey, ledger=ledger).has_passed


def test_what_failed_does_not_leave(survey: tc.Microdata, tmp_path: Path) -> None:
    ledger = Ledger(tmp_path)
    found = tc.check_output(tc.Output(name="one", rows=["income"]), survey)
    assert ledger.enter(found) == []
    with pytest.raises(FileError, match="'one' did not pass"):
        ledger.enter(found, ["one"])


@pytest.mark.parametrize("content", ["", "{}", "[1]", '{"version": 2, "output": {}}'])
def test_a_damaged_ledger_stops_the_check(survey: tc.Microdata, tmp_path: Path, content: str) -> None:
    (tmp_path / "a.output.json").write_text(content, encoding="utf-8")
    with pytest.raises(FileError, match="damaged or of another version"):
        tc.check_output(tc.Output(rows=["sex"]), survey, ledger=tmp_path)


def test_an_entry_that_was_tampered_with(survey: tc.Microdata, tmp_path: Path) -> None:
    ledger = Ledger(tmp_path)
    (path,) = ledger.enter(tc.check_output(tc.Output(name="one", rows=["sex"], universe=_rows(survey)), survey))
    entry = json.loads(path.read_text(encoding="utf-8"))
    path.write_text(json.dumps({**entry, "rows": "AAAA"}), encoding="utf-8")
    with pytest.raises(FileError, match="cannot be read"):
        ledger.bases(survey)
    with pytest.raises(FileError, match="must be a directory"):
        Ledger(path).entries()


# --- descriptions ------------------------------------------------------------------------------------------------------------


def test_descriptions_find_their_figures(tmp_path: Path) -> None:
    (tmp_path / "t1.toml").write_text('rows = ["sex"]\n[universe]\nage = {at_least = 18}\n', encoding="utf-8")
    (tmp_path / "t1.csv").write_text("sex,count\nf,20\n", encoding="utf-8")
    (tmp_path / "t2.json").write_text('{"rows": ["sex"], "figures": "other.csv", "name": "second"}', encoding="utf-8")
    (tmp_path / "other.csv").write_text("sex,count\nf,20\n", encoding="utf-8")
    (tmp_path / "picture.png").write_bytes(b"png")
    (tmp_path / ".hidden").write_bytes(b"anything")
    outputs, undescribed = read_outputs([tmp_path])
    assert [one.name for one in outputs] == ["t1", "second"]
    assert [one.shown.name for one in outputs] == ["t1.csv", "other.csv"]
    assert undescribed == [".hidden", "picture.png"]
    assert [one.name for one in read_outputs([tmp_path / "t1.csv"])[0]] == ["t1"]


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("a.toml", "rows = ", "not valid TOML"),
        ("a.json", "[1]", "must be a table of settings"),
        ("a.json", "{", "not valid JSON"),
        ("a.toml", "figures = '../secret.csv'", "without a path"),
        ("a.toml", "figures = 'no.csv'", "are not beside it"),
        ("a.toml", "row = ['sex']", "Did you mean 'rows'"),
    ],
)
def test_bad_descriptions(tmp_path: Path, name: str, content: str, message: str) -> None:
    (tmp_path / name).write_text(content, encoding="utf-8")
    with pytest.raises((FileError, ParameterError), match=message):
        read_outputs([tmp_path])


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(FileError, match=r"'x.toml' is not there"):
        read_outputs([tmp_path / "x.toml"])
