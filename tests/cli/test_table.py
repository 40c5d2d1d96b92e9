"""``tacita table`` and ``tacita audit``: from records to a publishable table, and back to what it tells."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

import tacita as tc
from tacita.cli.main import app
from tacita.data.write import write

runner = CliRunner()


@pytest.fixture(scope="module")
def survey(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    folder = tmp_path_factory.mktemp("survey")
    data = tc.samples.business_survey(400, seed=3)
    write(data, folder / "firms.csv")
    data.schema.write(folder / "firms.toml")
    return folder / "firms.csv", folder / "firms.toml"


def run(*words: object, code: int = 0) -> str:
    result = runner.invoke(app, [str(word) for word in words], catch_exceptions=False)
    assert result.exit_code == code, result.output
    return result.output


def test_from_records_to_a_safe_table(survey: tuple[Path, Path], tmp_path: Path) -> None:
    file, schema = survey
    out = tmp_path / "out"
    words = ("--by", "region", "--by", "size_class", "--response", "turnover", "--rule", "p_percent:p=15,level=holding")
    shown = run("table", file, "--schema", schema, *words, "--time-limit", 2, "--output", out)
    assert "passed" in shown
    with (out / "public" / "table.csv").open(encoding="utf-8") as lines:
        rows = list(csv.DictReader(lines))
    assert {row["status"] for row in rows} == {"published", "hidden", "empty"}
    assert all((row["value"] == "") == (row["status"] == "hidden") for row in rows)
    assert (out / "internal" / "certificate.json").exists()
    # The public file is audited alone, as anybody could; its sums come from the same hierarchies.
    (tmp_path / "regions.csv").write_text(tc.read(file, schema=schema).schema["region"].hierarchy.to_csv())  # type: ignore[union-attr]
    verdict = run("audit", out / "public" / "table.csv", "--by", "region", "--by", "size_class", "--tree",
                  f"region={tmp_path / 'regions.csv'}", "--json")  # fmt: skip
    plain = json.loads(verdict)
    assert plain["safe"]
    assert plain["disclosed"] == 0
    assert plain["hidden"] == sum(row["status"] == "hidden" for row in rows)
    # A directory that was published has all sums with it.
    assert json.loads(run("audit", out, "--json")) == plain


def test_a_leaky_table_of_any_tool_is_found(tmp_path: Path) -> None:
    path = tmp_path / "leaky.csv"
    path.write_text("size,value,status\nTotal,10,\nsmall,4,\nlarge,,hidden\n", encoding="utf-8")
    shown = run("audit", path, code=1)
    assert "NOT safe" in shown
    assert "size=large" in shown
    path.write_text("size,value,status\nTotal,10,\nsmall,,hidden\nlarge,,hidden\n", encoding="utf-8")
    assert "safe" in run("audit", path)


def test_explain_and_json(survey: tuple[Path, Path]) -> None:
    file, schema = survey
    words = ("table", file, "--schema", schema, "--by", "size_class", "--rule", "minimum_frequency:at_least=3")
    plain = json.loads(run(*words, "--json"))
    assert plain["safe"]
    assert "is published" in run(*words, "--explain", "size_class=Total")


def test_bad_words(survey: tuple[Path, Path]) -> None:
    file, schema = survey
    base = ("table", file, "--schema", schema, "--by", "size_class")
    with pytest.raises(tc.TacitaError, match="--rule"):
        run(*base)
    with pytest.raises(tc.TacitaError, match="Did you mean 'p_percent'"):
        run(*base, "--rule", "p_percnt")
    with pytest.raises(tc.TacitaError, match="'p' must be"):
        run(*base, "--rule", "p_percent:p=300")
    with pytest.raises(tc.TacitaError, match="name=value"):
        run(*base, "--rule", "p_percent:p")


@pytest.fixture
def cells(tmp_path: Path) -> Path:
    path = tmp_path / "cells.csv"
    path.write_text("size,value\nsmall,50\nmiddle,60\nlarge,70\n", encoding="utf-8")
    return path


def test_apriori_files_take_the_place_of_rules(cells: Path, tmp_path: Path) -> None:
    known, costs = tmp_path / "known.hst", tmp_path / "costs.hst"
    known.write_text("small;u\nTotal;p\n", encoding="utf-8")
    costs.write_text("middle,c,500\n", encoding="utf-8")
    words = ("table", cells, "--cells", "--by", "size", "--apriori", known)
    plain = json.loads(run(*words, "--json"))
    assert plain["rules"] == ["named_cells(known.hst, unsafe)"]
    assert (plain["unsafe"], plain["secondary"], plain["safe"]) == (1, 1, True)
    out = tmp_path / "out"
    run(*words, "--output", out)
    assert _hidden(out) == {"small", "middle"}
    run(*words, "--apriori", costs, "--output", out, "--overwrite")
    assert _hidden(out) == {"small", "large"}
    # Adjustment knows no costs, and says so.
    assert "play no part" in run(*words, "--apriori", costs, "--protector", "adjust")


def test_apriori_files_over_rules(survey: tuple[Path, Path], tmp_path: Path) -> None:
    file, schema = survey
    words = (
        "table",
        file,
        "--schema",
        schema,
        "--by",
        "size_class",
        "--rule",
        "minimum_frequency:at_least=3",
        "--json",
    )
    before = json.loads(run(*words))["unsafe"]
    known = tmp_path / "known.hst"
    known.write_text("10-49;u\n", encoding="utf-8")
    assert json.loads(run(*words, "--apriori", known))["unsafe"] == before + 1
    known.write_text("10-94;u\n", encoding="utf-8")
    with pytest.raises(tc.TacitaError, match="line 1: dimension 'size_class' has no code '10-94'"):
        run(*words, "--apriori", known)


def _hidden(out: Path) -> set[str]:
    with (out / "public" / "table.csv").open(encoding="utf-8") as lines:
        return {row["size"] for row in csv.DictReader(lines) if row["status"] == "hidden"}


def test_utility_is_shown(cells: Path, tmp_path: Path) -> None:
    known = tmp_path / "known.hst"
    known.write_text("small;u\n", encoding="utf-8")
    words = ("table", cells, "--cells", "--by", "size", "--apriori", known)
    shown = run(*words)
    assert "2 of 4" in shown
    assert "30.56 %" in shown  # 110 of 360
    assert "1 of 1" in shown
    assert "Changes" not in shown
    found = json.loads(run(*words, "--json"))["utility"]
    assert (found["hidden"], found["hidden_value"], found["keeps_totals"]) == (2, 110, True)
    moved = run(*words, "--protector", "round", "--set", "base=20")
    assert "over 10 up to 100" in moved
    assert "mean change" in moved
