"""``tacita search``: the map, the best recipe, and going on after an interruption."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

import tacita as tc
from tacita.cli.main import app
from tests.cli.test_verbs import tacita

runner = CliRunner()

SEARCH = """
columns = ["earnings", "tax", "savings"]
measures = ["il", "il1s"]
seeds = 2
limits = ["rid <= 95"]

[[candidate]]
mask = "rank_swap"
p = [5, 20]

[[candidate]]
mask = "mdav"
k = {from = 3, to = 9, step = 3}
"""


@pytest.fixture
def words(tmp_path: Path) -> list[str]:
    data = tc.samples.household_survey(200, seed=5)
    tc.write(data, tmp_path / "survey.csv")
    data.schema.write(tmp_path / "survey.toml")
    (tmp_path / "search.toml").write_text(SEARCH, encoding="utf-8")
    named = {"": "survey.csv", "--schema": "survey.toml", "--candidates": "search.toml", "--output": "out"}
    return ["search", *(word for name, path in named.items() for word in (name, str(tmp_path / path)) if word)]


def test_search_writes_map_points_and_the_best_recipe(words: list[str], tmp_path: Path) -> None:
    done = runner.invoke(app, [*words, "--goal", "il1s", "--processes", "1"])
    assert done.exit_code == 0, done.output
    out = tmp_path / "out"
    assert {p.name for p in out.iterdir()} == {"map.html", "search.json", "recipe.toml", "journal.jsonl"}
    assert "Frontier: " in done.output
    assert "Best (lowest il1s subject to rid <= 95): " in done.output
    plain = json.loads((out / "search.json").read_text(encoding="utf-8"))
    assert [p["candidate"] for p in plain["points"]] == [
        "rank_swap, p = 5", "rank_swap, p = 20", "mdav, k = 3", "mdav, k = 6", "mdav, k = 9"
    ]  # fmt: skip
    assert plain["best"]["recipe"] == (out / "recipe.toml").read_text(encoding="utf-8")
    assert plain["best"]["measures"]["rid"]["mean"] <= 95
    assert {"il", "il1s", "strongest", "rid"} <= set(plain["best"]["measures"])
    assert "<!DOCTYPE html>" in (out / "map.html").read_text(encoding="utf-8")


def test_json_and_going_on(words: list[str], tmp_path: Path) -> None:
    first = runner.invoke(app, [*words, "--json", "--processes", "1"])
    assert first.exit_code == 0, first.output
    plain = json.loads(first.output)
    lines = (tmp_path / "out" / "journal.jsonl").read_text().splitlines()
    assert len(lines) == 1 + 2 * 2 + 3
    again = runner.invoke(app, [*words, "--json", "--processes", "1"])
    assert json.loads(again.output) == plain
    assert (tmp_path / "out" / "journal.jsonl").read_text().splitlines() == lines
    more = runner.invoke(app, [*words, "--seeds", "3", "--limit", "rid<=100", "--json", "--processes", "1"])
    assert json.loads(more.output)["best"]["constraint"] == "lowest loss subject to rid <= 100"
    assert len((tmp_path / "out" / "journal.jsonl").read_text().splitlines()) == len(lines) + 2


def test_limits_that_nothing_meets_are_an_error_after_the_map_is_written(words: list[str], tmp_path: Path) -> None:
    done = tacita(*words, "--limit", "rid<=0", "--json", "--processes", "1")
    assert done.returncode == 2
    assert json.loads(done.stdout)["best"] is None
    assert "No candidate meets rid <= 0" in json.loads(done.stderr)["message"]
    assert (tmp_path / "out" / "map.html").exists()
    assert not (tmp_path / "out" / "recipe.toml").exists()


def test_another_search_in_the_same_directory_is_refused(words: list[str], tmp_path: Path) -> None:
    assert runner.invoke(app, [*words, "--processes", "1"]).exit_code == 0
    done = tacita(*words, "--measure", "pil", "--processes", "1")
    assert done.returncode == 2
    assert "belongs to a search with other measures" in done.stderr
    assert "--restart" in done.stderr
    assert runner.invoke(app, [*words, "--measure", "pil", "--restart", "--processes", "1"]).exit_code == 0


@pytest.mark.parametrize(
    ("more", "sentence"),
    [
        (["--limit", "dldd<=5"], "There is no measure named 'dldd'"),
        (["--limit", "dld"], "cannot be read"),
        (["--goal", "speed"], "There is no measure named 'speed'"),
        (["--column", "incom"], "Did you mean 'income'"),
        (["--score", "none.toml"], "The score file 'none.toml' cannot be read"),
        (["--candidates", "none.toml"], "The search file 'none.toml' cannot be read"),
    ],
)
def test_errors_are_one_sentence(words: list[str], more: list[str], sentence: str) -> None:
    done = tacita(*words, *more)
    assert done.returncode == 2
    assert sentence in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize(
    "more",
    [
        ["--score", "bad.toml"],
        ["--column", "zz"],
        ["--loss", "dld"],
        ["--time-limit", "0"],
        ["--schema", "none.toml"],
    ],
)
@pytest.mark.parametrize("place", ["new", "new/deep"])
def test_refused_input_leaves_no_directory(words: list[str], tmp_path: Path, more: list[str], place: str) -> None:
    done = runner.invoke(app, [*words, *more, "--output", str(tmp_path / place)])
    assert done.exit_code != 0
    assert not (tmp_path / "new").exists()


def test_a_file_that_is_not_there_leaves_no_directory(tmp_path: Path) -> None:
    done = runner.invoke(app, ["search", str(tmp_path / "nope.csv"), "--output", str(tmp_path / "new")])
    assert done.exit_code != 0
    assert list(tmp_path.iterdir()) == []


def test_refused_input_leaves_what_was_there(words: list[str], tmp_path: Path) -> None:
    out = tmp_path / "out"
    out.mkdir()
    assert runner.invoke(app, [*words, "--loss", "dld"]).exit_code != 0
    assert out.is_dir(), "a directory of the user stays, empty or not"
    (out / "journal.jsonl").write_text("kept", encoding="utf-8")
    assert runner.invoke(app, [*words, "--loss", "dld", "--restart"]).exit_code != 0
    assert [(p.name, p.read_text(encoding="utf-8")) for p in out.iterdir()] == [("journal.jsonl", "kept")]
