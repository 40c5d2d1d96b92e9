"""``tacita check`` as a user calls it."""

from __future__ import annotations

import json
from pathlib import Path

import pandas as pd
import pytest
from typer.testing import CliRunner

import tacita as tc
from tacita.cli.main import app
from tacita.core.errors import TacitaError

runner = CliRunner()


@pytest.fixture
def place(tmp_path: Path) -> Path:
    """A survey, and a directory with one output: a count by sex."""
    data = tc.samples.household_survey(800, seed=5)
    data.schema.write(tmp_path / "survey.toml")
    tc.write(data, tmp_path / "survey.csv")
    made = tmp_path / "outputs"
    made.mkdir()
    (made / "sex.toml").write_text('rows = ["sex"]\n', encoding="utf-8")
    frame = data.to_arrow(codes=False).to_pandas()
    pd.DataFrame({"count": frame["sex"].value_counts()}).to_csv(made / "sex.csv")
    return tmp_path


def _run(place: Path, *words: str) -> tuple[int, str, str]:
    files = [str(place / "outputs"), "--data", str(place / "survey.csv"), "--schema", str(place / "survey.toml")]
    done = runner.invoke(app, ["check", *files, *words])
    if isinstance(done.exception, TacitaError):
        return 2, "", str(done.exception)
    return done.exit_code, done.stdout, done.stderr


def test_what_passes_has_status_0(place: Path) -> None:
    status, shown, said = _run(place)
    assert status == 0, said
    assert "PASS: 1 pass, 0 review, 0 fail" in shown


def test_what_fails_has_status_3_and_reasons(place: Path) -> None:
    (place / "outputs" / "rare.toml").write_text('rows = ["region"]\ncolumns = ["education"]\n', encoding="utf-8")
    status, shown, said = _run(place)
    assert status == 3
    assert "FAIL: 1 pass, 0 review, 1 fail" in shown
    assert "rare, fail: minimum_frequency" in said
    status, shown, _ = _run(place, "--json")
    found = json.loads(shown)
    assert status == 3
    assert {one["output"]: one["state"] for one in found["outputs"]} == {"rare": "fail", "sex": "pass"}
    assert found["limits"]["at_least"] == 10


def test_limits_and_exceptions_of_the_steward(place: Path) -> None:
    (place / "outputs" / "rare.toml").write_text('rows = ["education"]\n', encoding="utf-8")
    assert _run(place)[0] == 3
    limits = place / "limits.toml"
    text = '[output_limits]\nmissing = "pass"\n'
    limits.write_text(f"{text}at_least = 2\nholdings_at_least = 1\n", encoding="utf-8")
    assert _run(place, "--limits", str(limits))[0] == 0
    reason = '[[exception]]\noutput = "rare"\ncheck = "minimum_frequency"\nbecause = "agreed"\n'
    limits.write_text(f"{text}{reason}", encoding="utf-8")
    status, _, said = _run(place, "--limits", str(limits))
    assert status == 0, said
    assert "Excepted by the steward: agreed" in said


def test_a_file_without_a_description_needs_a_person(place: Path) -> None:
    (place / "outputs" / "plot.png").write_bytes(b"png")
    status, shown, said = _run(place)
    assert status == 4
    assert "REVIEW: 1 pass, 1 review, 0 fail" in shown
    assert "plot.png, review: unknown_basis" in said


def test_the_ledger_remembers(place: Path) -> None:
    ledger = ["--ledger", str(place / "ledger")]
    assert _run(place, *ledger, "--enter")[0] == 0
    (place / "outputs" / "sex.toml").write_text('rows = ["sex"]\n[universe]\nage = {above = 15}\n', encoding="utf-8")
    (place / "outputs" / "sex.csv").unlink()
    data = tc.read(place / "survey.csv", schema=place / "survey.toml")
    youngest = sorted(data.float("age").tolist())[3]
    text = f'rows = ["sex"]\n[universe]\nage = {{at_least = {youngest}}}\n'
    (place / "outputs" / "sex.toml").write_text(text, encoding="utf-8")
    status, _, said = _run(place, *ledger)
    assert status == 3, said
    assert "Compared with 1 output(s) that left earlier." in said
    assert "less 'sex'" in said


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--enter"], "--enter needs --ledger"),
        (["--limits", "no.toml"], "cannot be read"),
        (["--holding", "houshold"], "Did you mean 'household'"),
        (["--contributor", "prson"], "is not in the data"),
    ],
)
def test_bad_input(place: Path, words: list[str], message: str) -> None:
    status, _, said = _run(place, *words)
    assert status == 2
    assert message in said


def test_nothing_to_check(place: Path) -> None:
    (place / "outputs" / "sex.toml").unlink()
    assert "has a description" in _run(place)[2]
    (place / "outputs" / "sex.csv").unlink()
    assert "no output to check" in _run(place)[2]
