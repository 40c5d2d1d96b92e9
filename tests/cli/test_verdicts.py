"""Verdicts on the command line: on screen, in JSON, and as exit status."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

import tacita as tc
from tacita.cli.main import app
from tests.cli.test_verbs import tacita

runner = CliRunner()
LIMITS = '[[limits.limit]]\nmeasure = "dld"\ncolumns = ["income", "savings"]\nat_most = {most}\n'


@pytest.fixture
def files(tmp_path: Path) -> Path:
    data = tc.samples.household_survey(300, seed=5)
    tc.write(data, tmp_path / "survey.csv")
    data.schema.write(tmp_path / "survey.toml")
    tc.Recipe([tc.mask.RankSwap(columns=["income"], p=10)]).write(tmp_path / "recipe.toml")
    (tmp_path / "loose.toml").write_text(LIMITS.format(most=100))
    (tmp_path / "strict.toml").write_text(LIMITS.format(most=0.1))
    (tmp_path / "lost.toml").write_text(LIMITS.format(most=100).replace("savings", "saving"))
    return tmp_path


def mask(files: Path, *more: str) -> tuple[int, str]:
    words = ["mask", "survey.csv", "-s", "survey.toml", "-r", "recipe.toml", "--seed", "7", "--no-report"]
    named = [str(files / word) if "." in word and not word.startswith("-") else word for word in (*words, *more)]
    done = runner.invoke(app, [*named, "-o", str(files / "out")])
    assert done.exception is None or isinstance(done.exception, (SystemExit, tc.TacitaError)), done.exception
    return done.exit_code, done.output


def test_passed_failed_and_not_judged_are_three_exit_codes(files: Path) -> None:
    code, said = mask(files, "--limits", "strict.toml")
    assert code == 3
    assert "Verdict: FAILED" in said
    assert "may leave" not in said
    assert not (files / "out").exists()
    code, said = mask(files, "--limits", "loose.toml")
    assert code == 0
    assert "Verdict: PASSED" in said
    assert "may leave" in said
    code, said = mask(files, "--overwrite")
    assert code == 4
    assert "Verdict: NOT JUDGED" in said
    assert "may leave" not in said
    code, said = mask(files, "--overwrite", "--limits", "lost.toml")
    assert code == 4
    assert "Not computed" in said
    assert "may leave" not in said


def test_insisting_is_recorded_and_keeps_its_exit_code(files: Path) -> None:
    assert mask(files, "--limits", "strict.toml", "--insist")[0] not in (0, 3, 4)
    assert mask(files, "--limits", "strict.toml", "--because", "no reason")[0] not in (0, 3, 4)
    assert not (files / "out").exists()
    code, said = mask(files, "--limits", "strict.toml", "--insist", "--because", "asked for by the board")
    assert code == 3
    assert "asked for by the board" in said
    assert "may leave" not in said
    facts = json.loads((files / "out/internal/provenance.json").read_text())
    assert facts["verdict"]["because"] == "asked for by the board"


def test_limits_in_the_recipe_and_a_preset_as_option(files: Path) -> None:
    recipe = (files / "recipe.toml").read_text() + "\n" + LIMITS.format(most=0.1)
    (files / "recipe.toml").write_text(recipe)
    assert mask(files)[0] == 3
    assert mask(files, "--limits", "loose.toml")[0] == 3, "an option does not loosen the recipe"
    done = tacita("mask", files / "survey.csv", "-m", "mdav", "-o", files / "out", "--limits", "publicuse")
    assert done.returncode == 2
    assert "Did you mean 'public-use'?" in done.stderr


def test_json_has_the_verdict(files: Path) -> None:
    code, said = mask(files, "--limits", "strict.toml", "--json")
    shown = json.loads(said[said.index("{") :])
    assert (code, shown["verdict"]["state"], shown["directory"]) == (3, "failed", None)


def test_evaluate_judges_where_it_is_asked_to(files: Path) -> None:
    mask(files)
    words = [
        "evaluate",
        str(files / "survey.csv"),
        str(files / "out"),
        "-s",
        str(files / "survey.toml"),
        "--measure",
        "il1s",
    ]
    plain = runner.invoke(app, words)
    assert plain.exit_code == 0
    assert "Verdict" not in plain.output
    strict = runner.invoke(app, [*words, "--limits", str(files / "strict.toml")])
    assert strict.exit_code == 3
    assert "Verdict: FAILED" in strict.output


def test_households_can_keep_their_numbers(files: Path) -> None:
    assert mask(files, "--no-renumber")[0] == 4
    facts = json.loads((files / "out/internal/provenance.json").read_text())
    assert facts["numbers_kept"] == ["household"]


def test_the_demo_is_judged(tmp_path: Path) -> None:
    done = tacita("demo", "-o", tmp_path / "demo", "--records", 300)
    assert done.returncode == 0, done.stderr
    assert "Verdict: " in done.stderr
    assert "may leave" not in done.stderr + done.stdout
    facts = json.loads((tmp_path / "demo/release/internal/provenance.json").read_text())
    assert facts["verdict"]["state"] in ("passed", "failed")
