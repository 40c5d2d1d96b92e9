"""``tacita benchmark``: page and JSON, recipes of one's own, and what changed."""

from __future__ import annotations

import json
from pathlib import Path

from typer.testing import CliRunner

from tacita.cli.main import app

runner = CliRunner()
SMALL = ["--size", "60", "--processes", "1", "--set", "businesses"]


def test_page_json_and_changes(tmp_path: Path) -> None:
    out, own = tmp_path / "out", tmp_path / "ours.toml"
    own.write_text('[[step]]\nmask = "rank_swap"\ncolumns = "numeric columns"\np = 20\n', encoding="utf-8")
    words = ["benchmark", "-o", str(out), *SMALL, "--mask", "mdav", "--recipe", str(own)]
    done = runner.invoke(app, words)
    assert done.exit_code == 0, done.output
    assert "businesses: 60 records, 4 candidates of 2 masks" in done.output
    assert "The data as they are: score" in done.output
    assert {path.name for path in out.iterdir()} == {"benchmark.html", "benchmark.json", "journals"}
    plain = json.loads((out / "benchmark.json").read_text(encoding="utf-8"))
    assert {entry["candidate"] for entry in plain["sets"][0]["entries"]} >= {"ours"}
    for entry in plain["sets"][0]["entries"]:
        if entry["candidate"] == "mdav, k = 3":
            entry["score"]["mean"] += 7
    old = tmp_path / "old.json"
    old.write_text(json.dumps(plain), encoding="utf-8")
    again = runner.invoke(app, [*words, "--against", str(old)])
    assert again.exit_code == 0, again.output
    assert "1 of 16 figures changed beyond noise." in again.output
    assert "better" in again.output
    anew = runner.invoke(app, [*words, "--restart", "--json"])
    assert anew.exit_code == 0, anew.output
    assert json.loads(anew.stdout)["sets"] == json.loads((out / "benchmark.json").read_text(encoding="utf-8"))["sets"]


def test_a_scenario_file_holds_for_all(tmp_path: Path) -> None:
    (tmp_path / "intruder.toml").write_text('[scenario]\nknown = ["wages"]\nknows_sample = true\n', encoding="utf-8")
    words = [
        "benchmark",
        "-o",
        str(tmp_path / "out"),
        *SMALL,
        "-m",
        "mdav",
        "--scenario",
        str(tmp_path / "intruder.toml"),
    ]
    done = runner.invoke(app, [*words, "--set", "households"])
    assert done.exit_code == 0, done.output
    assert "linkage by wages; the intruder knows who is in the file" in done.output
    assert "Left out: households. The scenario does not fit" in done.output


def test_files_of_others_are_not_replaced(tmp_path: Path) -> None:
    (tmp_path / "benchmark.json").write_text("mine", encoding="utf-8")
    done = runner.invoke(app, ["benchmark", "-o", str(tmp_path), *SMALL, "-m", "mdav"])
    assert done.exit_code != 0
    assert "is not replaced" in str(done.exception)
    assert (tmp_path / "benchmark.json").read_text(encoding="utf-8") == "mine"


def test_recipes_alone_need_a_recipe(tmp_path: Path) -> None:
    done = runner.invoke(app, ["benchmark", "-o", str(tmp_path / "out"), "--only-recipes"])
    assert "--only-recipes needs --recipe" in str(done.exception)
    assert not (tmp_path / "out").exists()
