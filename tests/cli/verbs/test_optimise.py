"""``tacita optimise`` as a user calls it."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner

import tacita as tc
from tacita.cli.main import app
from tacita.core.errors import TacitaError

runner = CliRunner()
MONEY = ["earnings", "other_income", "tax", "savings"]
COLUMNS = [word for name in ("income", *MONEY) for word in ("--column", name)]
IDENTITY = "income = earnings + other_income"


@pytest.fixture
def survey(tmp_path: Path) -> Path:
    data = tc.samples.household_survey(300, seed=5)
    masked = tc.mask.RankSwap(columns=MONEY, p=15, identities=[IDENTITY]).apply(data, seed=1)
    tc.write(data, tmp_path / "survey.csv")
    tc.write(masked, tmp_path / "masked.csv")
    data.schema.write(tmp_path / "survey.toml")
    return tmp_path


def words(survey: Path, *more: str) -> list[str]:
    files = [str(survey / name) for name in ("survey.csv", "masked.csv")]
    settings = ["--schema", str(survey / "survey.toml"), "--output", str(survey / "better.csv"), "--share", "0.5"]
    return ["optimise", *files, *settings, *COLUMNS, "--identity", IDENTITY, *more]


def test_a_file_is_improved(survey: Path) -> None:
    done = runner.invoke(app, words(survey, "--row-order", "--bounds", "savings=0:", "--seed", "1"))
    assert done.exit_code == 0, done.output
    assert "paired_dld" in done.output
    public = tc.samples.household_survey(300, seed=5).schema.public()  # a direct identifier never leaves
    better = tc.read(survey / "better.csv", schema=public.write(survey / "public.toml"))
    parts = better.float("earnings") + better.float("other_income")
    assert np.array_equal(better.float("income"), parts, equal_nan=True)


def test_json(survey: Path) -> None:
    done = runner.invoke(
        app, words(survey, "--method", "hill_climbing", "--max-steps", "20000", "--seed", "1", "--json")
    )
    shown = json.loads(done.stdout)
    assert shown["method"] == "hill_climbing"
    assert shown["after"]["e"] < shown["before"]["e"]
    assert shown["before"]["paired_dld"] is None
    assert shown["stopped"] in ("step limit", "no further improvement")


@pytest.mark.parametrize(
    ("more", "message"),
    [
        (["--chain", "income"], "A chain must read 'larger >= smaller'"),
        (["--bounds", "tax=low:high"], "Bounds must read 'column=low:high'"),
        (["--bounds", "tax"], "Bounds must read 'column=low:high'"),
        (["--method", "luck"], "'method' must be one of"),
        (["--row-order", "--internal", "somewhere"], "cannot be read"),
    ],
)
def test_bad_words(survey: Path, more: list[str], message: str) -> None:
    done = runner.invoke(app, words(survey, *more))
    assert isinstance(done.exception, TacitaError)
    assert message in str(done.exception)
    assert not (survey / "better.csv").exists()


def test_files_of_different_length_have_no_row_order(survey: Path) -> None:
    masked = tc.read(survey / "masked.csv", schema=survey / "survey.toml")
    tc.write(masked.take(np.arange(200)), survey / "masked.csv", overwrite=True)
    done = runner.invoke(app, words(survey, "--row-order"))
    assert "--row-order needs files of equal length, got 300 and 200 records" in str(done.exception)
