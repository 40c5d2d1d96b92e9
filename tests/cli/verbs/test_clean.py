"""``tacita clean``, and what the other verbs replace, leave alone and keep to their owner."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path

import pytest
from typer.testing import CliRunner

import tacita as tc
from tacita.cli.main import app
from tacita.core.errors import FileError
from tacita.data.disk.workplace import NOTE, Owner

runner = CliRunner()
TOKEN = ".tacita-" + "0123456789abcdef" * 2
SEARCH = 'columns = ["savings", "tax"]\nmeasures = ["il1s", "rid"]\n[[candidate]]\nmask = "rank_swap"\np = [5, 20]\n'


def left(folder: Path, **facts: object) -> Path:
    place = folder / TOKEN
    place.mkdir(parents=True)
    owner = {**asdict(Owner.here(TOKEN, "release", locks=True)), **facts}
    (place / NOTE).write_text(json.dumps({"form": "tacita-workplace-1", **owner}))
    (place / "new").write_text("secret")
    return place


def content(folder: Path) -> dict[str, bytes]:
    return {str(p.relative_to(folder)): p.read_bytes() for p in folder.rglob("*") if p.is_file()}


@pytest.fixture(autouse=True)
def temporary(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A temporary directory of our own: others may be at work in the true one."""
    place = tmp_path / "temporary"
    place.mkdir()
    monkeypatch.setattr("tempfile.gettempdir", lambda: str(place))
    return place


@pytest.fixture
def survey(tmp_path: Path) -> Path:
    (tmp_path / "in").mkdir()
    data = tc.samples.household_survey(60, seed=5)
    data.schema.write(tmp_path / "in" / "survey.toml")
    return tc.write(data, tmp_path / "in" / "survey.csv")


def invoke(*words: object) -> str:
    done = runner.invoke(app, list(map(str, words)))
    assert done.exit_code in (0, 4), done.output  # 4: a release that was written and not judged
    return done.output


def refused(match: str, *words: object) -> None:
    done = runner.invoke(app, list(map(str, words)))
    assert isinstance(done.exception, FileError), done.output
    assert match in str(done.exception)


def test_clean_shows_and_removes(tmp_path: Path, temporary: Path) -> None:
    place, scratch = left(tmp_path), left(temporary)
    (tmp_path / ".tacita-mine").mkdir()
    shown = json.loads(invoke("clean", tmp_path, "--dry-run", "--json"))
    assert {(entry["path"], entry["state"], entry["fate"]) for entry in shown} == {
        (str(place), "abandoned", "would be removed"),
        (str(scratch), "abandoned", "would be removed"),
        (str(tmp_path / ".tacita-mine"), "not ours", "left alone"),
    }
    assert place.exists()
    assert "removed" in invoke("clean", tmp_path)
    assert not place.exists()
    assert not scratch.exists()
    assert (tmp_path / ".tacita-mine").exists()
    (tmp_path / ".tacita-mine").rmdir()
    assert "Nothing was left behind" in invoke("clean", tmp_path)


def test_clean_looks_below_and_on_other_machines_only_when_told(tmp_path: Path) -> None:
    deep = left(tmp_path / "a" / "b")
    far = left(tmp_path, boot="other", machine="elsewhere")
    (tmp_path / "link").symlink_to(tmp_path / "a")
    assert "--other-hosts" in invoke("clean", tmp_path)
    assert deep.exists()
    assert far.exists()
    invoke("clean", tmp_path, "--recursive", "--other-hosts")
    assert not deep.exists()
    assert not far.exists()


def test_clean_puts_back_what_was_moved_away(tmp_path: Path) -> None:
    place = left(tmp_path)
    (place / "old").mkdir()
    (place / "old" / "a").write_text("old")
    assert "put back" in invoke("clean", tmp_path)
    assert (tmp_path / "release" / "a").read_text() == "old"


def test_clean_needs_a_directory(tmp_path: Path) -> None:
    refused("must be a directory", "clean", tmp_path / "none")


# --- what is replaced ---------------------------------------------------------------------------------------------------


def test_mask_replaces_a_release_and_nothing_else(survey: Path, tmp_path: Path) -> None:
    schema = ["-s", survey.with_suffix(".toml")]
    words = ["mask", survey, *schema, "-m", "mdav", "--set", "columns=age", "--seed", 1, "--no-report"]
    before = content(tmp_path)
    refused("no release that Tacita wrote", *words, "-o", survey.parent, "--overwrite")
    refused("no release that Tacita wrote", *words, "-o", tmp_path, "--overwrite")
    assert content(tmp_path) == before
    out = tmp_path / "out"
    invoke(*words, "-o", out)
    invoke(*words, "-o", out, "--overwrite")
    before = content(tmp_path)
    inside = ["mask", out / "public" / "data.csv", *words[4:]]
    refused("made from", *inside, "-o", out, "--overwrite")
    refused("made from", *words[:2], *words[4:], "-s", out / "public" / "schema.toml", "-o", out, "--overwrite")
    recipe = ["mask", survey, *schema, "-r", out / "internal" / "recipe.toml", "--seed", 1, "--no-report"]
    refused("made from", *recipe, "-o", out, "--overwrite")
    (out / "notes.txt").write_text("mine")
    refused("'notes.txt' in it is nothing that Tacita wrote", *words, "-o", out, "--overwrite")
    (out / "notes.txt").unlink()
    assert content(tmp_path) == before


def test_table_replaces_a_table_and_nothing_else(survey: Path, tmp_path: Path) -> None:
    words = ["table", survey, "--by", "region", "--rule", "minimum_frequency:at_least=2"]
    refused("no published table", *words, "-o", survey.parent, "--overwrite")
    out = tmp_path / "out"
    invoke(*words, "-o", out)
    invoke(*words, "-o", out, "--overwrite")
    before = content(tmp_path)
    cells = ["table", out / "internal" / "table.csv", "--cells", *words[4:]]
    refused("made from", *cells, "-o", out, "--overwrite")
    mask = ["mask", survey, "-m", "mdav", "--set", "columns=age", "--no-report", "-o", out, "--overwrite"]
    refused("it is a published table, not a release", *mask)
    assert content(tmp_path) == before


def test_demo_replaces_a_demonstration_and_nothing_else(survey: Path, tmp_path: Path) -> None:
    before = content(tmp_path)
    refused("no demonstration that Tacita wrote", "demo", "-o", survey.parent, "--records", 60)
    assert content(tmp_path) == before


def test_files_that_are_read_are_not_written(survey: Path, tmp_path: Path) -> None:
    before = content(tmp_path)
    refused("it is a file that is read", "describe", survey, "-o", survey)
    schema = survey.with_suffix(".toml")
    refused("it is a file that is read", "describe", survey, "-s", schema, "-o", schema)
    refused("it is a file that is read", "evaluate", survey, survey, "--report", survey)
    refused("it is a file that is read", "optimise", survey, survey, "-o", survey, "--overwrite")
    assert content(tmp_path) == before


def test_search_replaces_results_of_a_search_only_and_keeps_them_to_their_owner(survey: Path, tmp_path: Path) -> None:
    (tmp_path / "grid.toml").write_text(SEARCH)
    words = [
        "search",
        survey,
        "--candidates",
        tmp_path / "grid.toml",
        "-c",
        "savings",
        "-c",
        "tax",
        "--seeds",
        1,
        "--processes",
        1,
    ]
    mine = tmp_path / "mine"
    mine.mkdir()
    (mine / "recipe.toml").write_text("mine")
    refused("has a file 'recipe.toml' but no journal", *words, "-o", mine)
    (mine / "journal.jsonl").write_text("mine")
    refused("is no journal of a search", *words, "-o", mine, "--restart")
    assert content(mine) == {"recipe.toml": b"mine", "journal.jsonl": b"mine"}
    out = tmp_path / "out"
    invoke(*words, "-o", out)
    invoke(*words, "-o", out, "--restart")
    assert out.stat().st_mode & 0o777 == 0o700
    assert sorted(p.name for p in out.iterdir()) == ["journal.jsonl", "map.html", "recipe.toml", "search.json"]
    assert {p.stat().st_mode & 0o777 for p in out.iterdir()} == {0o600}


def test_the_internal_report_of_evaluate_is_for_its_owner(survey: Path, tmp_path: Path) -> None:
    report = tmp_path / "report.html"
    invoke(
        "evaluate", survey, survey, "--row-order", "--measure", "dld", "-c", "savings", "-c", "tax", "--report", report
    )
    assert report.stat().st_mode & 0o777 == 0o600
