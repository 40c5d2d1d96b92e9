"""``tacita describe`` as a user calls it: reasons on screen, a draft to be edited, what is declared stays."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pyarrow.csv as arrow_csv
import pytest
from typer.testing import CliRunner

import tacita as tc
from tacita.cli.main import app
from tests.data.guess.foreign import FILES

runner = CliRunner()


@pytest.fixture
def file(tmp_path: Path) -> Path:
    table, _ = FILES["testdata"](np.random.default_rng(1))
    arrow_csv.write_csv(table, tmp_path / "testdata.csv")
    return tmp_path / "testdata.csv"


@pytest.mark.parametrize("option", ["--draft", "--draft-schema", "-o"])
def test_a_draft_is_written_and_used(file: Path, tmp_path: Path, option: str) -> None:
    draft = tmp_path / "draft.toml"
    done = runner.invoke(app, ["describe", str(file), option, str(draft)])
    assert done.exit_code == 0, done.output
    data = tc.read(file, schema=draft)
    assert (data.schema.household, data.schema.weight) == ("ori_hid", "sampling_weight")
    assert data.schema["roof"].scale == "nominal"
    assert "# by name, and repeated numbers" in draft.read_text(encoding="utf-8")


def test_reasons_are_on_screen(file: Path) -> None:
    done = runner.invoke(app, ["describe", str(file)])
    assert "by name, and repeated numbers" in " ".join(done.output.split())
    assert "a further weight" in done.output


def test_a_declared_scale_stays(file: Path, tmp_path: Path) -> None:
    schema = tmp_path / "said.toml"
    schema.write_text('[columns.roof]\nscale = "numeric"\n[columns.walls]\nrole = "key"\n', encoding="utf-8")
    runner.invoke(app, ["describe", str(file), "--schema", str(schema), "--draft", str(tmp_path / "draft.toml")])
    drafted = tc.Schema.read(tmp_path / "draft.toml")
    assert (drafted["roof"].scale, drafted["walls"].scale) == ("numeric", "nominal")
