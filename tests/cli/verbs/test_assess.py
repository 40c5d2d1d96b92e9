"""``tacita assess`` as a user calls it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

import tacita as tc
from tacita.cli.main import app
from tacita.core.errors import TacitaError

runner = CliRunner()
KEYS = ["--key", "sex", "--key", "region", "--key", "education"]


@pytest.fixture
def survey(tmp_path: Path) -> Path:
    data = tc.samples.household_survey(400, seed=5)
    data.schema.write(tmp_path / "survey.toml")
    return tc.write(data, tmp_path / "survey.csv")


def test_json_is_what_python_gives(survey: Path) -> None:
    schema = survey.with_suffix(".toml")
    done = runner.invoke(app, ["assess", str(survey), "--schema", str(schema), *KEYS, "--json"])
    assert done.exit_code == 0, done.output
    found = tc.assess(tc.read(survey, schema=schema), ["sex", "region", "education"])
    assert json.loads(done.stdout) == json.loads(json.dumps(found.as_plain()))


def test_tables_have_every_part(survey: Path) -> None:
    done = runner.invoke(
        app, ["assess", str(survey), *KEYS, "--weight", "weight", "--household", "household", "--top", "3"]
    )
    assert done.exit_code == 0, done.output
    for words in (
        "records below k = 2", "records below k = 3", "records below k = 5", "expected re-identifications",
        "mean household risk", "Riskiest combinations", "SUDA contributions",
    ):  # fmt: skip
        assert words in done.output


def test_without_weights_the_file_is_the_population(survey: Path) -> None:
    done = runner.invoke(app, ["assess", str(survey), *KEYS])
    assert "taken for the whole population" in done.output


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ([], "No column has the role 'key'"),
        (["--key", "sxe"], "Did you mean 'sex'"),
        (["--key", "sex", "--weight", "sex"], "a weight must be numeric"),
        (["--key", "sex", "--top", "-1"], "'top' must be at least 0"),
    ],
)
def test_bad_input(survey: Path, words: list[str], message: str) -> None:
    done = runner.invoke(app, ["assess", str(survey), *words])
    assert isinstance(done.exception, TacitaError)
    assert message in str(done.exception)


def test_out_of_core_gives_the_same(survey: Path) -> None:
    words = ["assess", str(survey), "--schema", str(survey.with_suffix(".toml")), *KEYS, "--json"]
    inside = json.loads(runner.invoke(app, words).stdout)
    done = runner.invoke(app, [*words, "--out-of-core", "--memory", "500MB"])
    assert done.exit_code == 0, done.output
    outside = json.loads(done.stdout)
    for part in ("records", "below", "patterns", "minimal_sample_uniques"):
        assert outside[part] == inside[part]
    assert outside["expected_reidentifications"] == pytest.approx(inside["expected_reidentifications"])
    assert [one["values"] for one in outside["riskiest"]] == [one["values"] for one in inside["riskiest"]]
    refused = runner.invoke(app, [*words, "--out-of-core", "--household", "household"])
    assert "neither --household nor --table" in str(refused.exception)


# --- value labels -------------------------------------------------------------------------------------------------------

LABELS = {"sex": {1: "male", 2: "female"}, "region": {1: "north", 2: "south", 3: "west"}}


@pytest.mark.parametrize("ending", ["sav", "dta"])
def test_value_labels_stand_for_codes(tmp_path: Path, ending: str) -> None:
    pandas, pyreadstat = pytest.importorskip("pandas"), pytest.importorskip("pyreadstat")
    frame = pandas.DataFrame({"sex": [1.0, 2.0] * 10 + [1.0], "region": [1.0, 2.0] * 10 + [3.0]})
    path = tmp_path / f"survey.{ending}"
    getattr(pyreadstat, f"write_{ending}")(frame, str(path), variable_value_labels=LABELS)
    done = runner.invoke(app, ["assess", str(path), "--key", "sex", "--key", "region", "--top", "2"])
    assert done.exit_code == 0, done.output
    risky = done.output.partition("Riskiest combinations")[2]
    assert "male" in risky
    assert "west" in risky
    assert "1.0" not in risky
    assert "3.0" not in risky


def test_codes_without_labels_are_whole_numbers(tmp_path: Path) -> None:
    (tmp_path / "survey.csv").write_text("sex,region\n" + "1,1\n2,\n" * 9 + "1,7\n")
    done = runner.invoke(app, ["assess", str(tmp_path / "survey.csv"), "--key", "region", "--top", "1"])
    assert "7.0" not in done.output


def test_labels_of_a_schema_count_out_of_core_too(tmp_path: Path) -> None:
    (tmp_path / "survey.csv").write_text("sex,region\n" + "1,1\n2,2\n" * 9 + "1,3\n")
    schema = '[columns.region]\nrole = "key"\nscale = "nominal"\nlabels = [[1, "north"], [3, "west"]]\n'
    (tmp_path / "survey.toml").write_text(schema)
    words = ["assess", tmp_path / "survey.csv", "--schema", tmp_path / "survey.toml", "--out-of-core"]
    done = runner.invoke(app, list(map(str, words)))
    assert done.exit_code == 0, done.output
    assert "west" in done.output
