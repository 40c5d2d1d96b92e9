"""The command line: every verb as a user calls it.

It tests ``tacita.cli.verbs.demo``, ``tacita.cli.verbs.describe``, ``tacita.cli.verbs.mask``, ``tacita.cli.cards`` through the
only door that they have.
"""

import contextlib
import io
import json
import subprocess
import sys
from pathlib import Path

import pyarrow as pa
import pytest
from typer.testing import CliRunner

import tacita as tc
from tacita.cli.main import app, run
from tacita.core import registry

runner = CliRunner()
NOT_JUDGED = 4
"""Exit status of a release for which no limits were stated."""


@pytest.fixture
def survey_file(tmp_path: Path) -> Path:
    data = tc.samples.household_survey(300, seed=5)
    return tc.write(data, tmp_path / "survey.csv")


@pytest.fixture
def schema_file(tmp_path: Path) -> Path:
    from tacita.data.schema_file import schema_to_toml

    path = tmp_path / "survey.toml"
    path.write_text(schema_to_toml(tc.samples.household_survey(300, seed=5).schema), encoding="utf-8")
    return path


@pytest.fixture
def recipe_file(tmp_path: Path) -> Path:
    return tc.Recipe([tc.mask.RankSwap(columns=["income"], p=10)]).write(tmp_path / "recipe.toml")


def tacita(*words: object) -> subprocess.CompletedProcess[str]:
    """Run the program from its first line to its exit status, in this process: starting another takes two seconds."""
    said, told, command = io.StringIO(), io.StringIO(), ["tacita", *map(str, words)]
    with pytest.MonkeyPatch.context() as patch, contextlib.redirect_stdout(said), contextlib.redirect_stderr(told):
        patch.setattr(sys, "argv", command)
        try:
            run()
        except SystemExit as end:
            status = end.code
    assert isinstance(status, int)
    return subprocess.CompletedProcess(command, status, said.getvalue(), told.getvalue())


def tacita_alone(*words: object) -> subprocess.CompletedProcess[str]:
    """Run the program as a user does, in a process of its own."""
    return subprocess.run(
        [sys.executable, "-m", "tacita.cli.main", *map(str, words)], capture_output=True, text=True, check=False
    )


@pytest.mark.parametrize(
    "words",
    [
        ["--version"],
        ["methods", "rank_swap"],
        ["describe", "none.csv"],
        ["mask", "none.csv", "-m", "mdva", "-o", "none"],
    ],
)
def test_in_a_process_of_its_own_the_program_does_the_same(words: list[str]) -> None:
    here, alone = tacita(*words), tacita_alone(*words)
    assert (here.returncode, here.stdout, here.stderr) == (alone.returncode, alone.stdout, alone.stderr)


def test_version_and_help() -> None:
    assert runner.invoke(app, ["--version"]).output.startswith("tacita ")
    shown = runner.invoke(app, ["--help"]).output
    for verb in ("demo", "describe", "mask", "evaluate", "methods"):
        assert verb in shown


def test_methods_json_lists_everything_with_parameters_and_traits() -> None:
    listed = json.loads(runner.invoke(app, ["methods", "--json"]).output)
    assert {(m["kind"], m["name"]) for m in listed} == {(m.kind, m.name) for m in registry.methods()}
    swap = next(m for m in listed if m["name"] == "rank_swap")
    p = next(q for q in swap["parameters"] if q["name"] == "p")
    assert (p["minimum"], p["maximum"], p["default"]) == (0, 100, 5.0)
    assert swap["traits"]["stochastic"] is True
    assert all(q["help"] for m in listed for q in m["parameters"])


def test_methods_shows_one_whole_and_suggests_a_near_miss() -> None:
    shown = runner.invoke(app, ["methods", "mdav"]).output
    assert "microaggregated together" in shown, "what all of its family return is said by the base"
    assert shown.count("Parameters") == 1
    assert shown.count("\ndominance ") == 1
    done = tacita("methods", "mdva")
    assert done.returncode == 2
    assert "Did you mean 'mdav'?" in done.stderr


def test_describe_proposes_a_schema(survey_file: Path, tmp_path: Path) -> None:
    result = runner.invoke(app, ["describe", str(survey_file), "-o", str(tmp_path / "draft.toml"), "--json"])
    assert result.exit_code == 0, result.output
    found = json.loads(result.output)
    assert found["records"] == 300
    assert {c["name"] for c in found["columns"]} == set(tc.read(survey_file).names)
    tc.read(survey_file, schema=tmp_path / "draft.toml")  # the draft is a schema that fits its file
    assert "proposed role" in runner.invoke(app, ["describe", str(survey_file)]).output


def test_mask_writes_a_release_and_evaluate_reads_it(
    survey_file: Path, schema_file: Path, recipe_file: Path, tmp_path: Path
) -> None:
    out = tmp_path / "out"
    words = ["mask", survey_file, "--schema", schema_file, "--recipe", recipe_file, "-o", out, "--seed", "7", "--json"]
    made = runner.invoke(app, list(map(str, words)))
    assert made.exit_code == NOT_JUDGED, made.output
    assert {p.name for p in (out / "public").iterdir()} == {"data.csv", "schema.toml", "report.html"}
    card = json.loads(made.output)["scorecard"]
    again = runner.invoke(app, ["evaluate", str(survey_file), str(out), "--schema", str(schema_file), "--json"])
    assert again.exit_code == 0, again.output
    measured = {m["measure"]: m["value"] for m in json.loads(again.output)["measures"]}
    assert json.loads(again.output)["pairing"] == "link"
    assert measured == pytest.approx({m["measure"]: m["value"] for m in card["measures"]})


def test_command_line_and_python_give_the_same_bytes(
    survey_file: Path, schema_file: Path, recipe_file: Path, tmp_path: Path
) -> None:
    for name, program in (("a", tacita), ("b", tacita_alone)):
        done = program("mask", survey_file, "-s", schema_file, "-r", recipe_file, "-o", tmp_path / name, "--seed", 7)
        assert done.returncode == NOT_JUDGED, done.stderr
    data = tc.read(survey_file, schema=schema_file)
    tc.publish(tc.Recipe.read(recipe_file).apply(data, seed=7), tmp_path / "c")
    contents = [
        {str(p.relative_to(tmp_path / name)): p.read_bytes() for p in (tmp_path / name).rglob("*") if p.is_file()}
        for name in ("a", "b", "c")
    ]
    assert contents[0] == contents[1] == contents[2]
    assert "public/report.html" in contents[0]


def test_a_single_mask_by_name(survey_file: Path, schema_file: Path, tmp_path: Path) -> None:
    words = [
        "mask",
        survey_file,
        "-s",
        schema_file,
        "-m",
        "mdav",
        "--set",
        "k=4",
        "--set",
        "columns=age,savings",
        "-o",
        tmp_path / "o",
    ]
    result = runner.invoke(app, [*map(str, words), "--no-report", "--format", "parquet"])
    assert result.exit_code == NOT_JUDGED, result.output
    assert tc.read(tmp_path / "o" / "public" / "data.parquet").n_rows == 300


def test_evaluate_without_link_uses_primed_measures_and_says_so(
    survey_file: Path, schema_file: Path, tmp_path: Path
) -> None:
    runner.invoke(
        app,
        [
            "mask",
            str(survey_file),
            "-s",
            str(schema_file),
            "-m",
            "rank_swap",
            "--set",
            "columns=income",
            "-o",
            str(tmp_path / "o"),
            "--seed",
            "1",
        ],
    )
    public = tmp_path / "o" / "public" / "data.csv"
    result = runner.invoke(app, ["evaluate", str(survey_file), str(public)])
    assert result.exit_code == 0, result.output
    assert "primed" in result.output
    ordered = runner.invoke(
        app, ["evaluate", str(survey_file), str(public), "--row-order", "--json", "--measure", "il1s", "-c", "income"]
    )
    assert json.loads(ordered.output)["pairing"] == "order"


def test_demo_ends_with_a_scorecard_and_names_the_report(tmp_path: Path) -> None:
    done = tacita("demo", "-o", tmp_path / "demo", "--records", 300)
    assert done.returncode == 0, done.stderr
    assert "Scorecard" in done.stdout
    named = next(line for line in done.stderr.splitlines() if line.startswith("Report"))
    assert Path(named.split(":", 1)[1].strip()).exists()
    assert tacita("demo", "-o", tmp_path / "demo", "--records", 300, "--json").returncode == 0


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["mask", "FILE", "-o", "OUT"], "--recipe FILE or by --mask NAME"),
        (["mask", "FILE", "-m", "rank_swap", "--set", "p=120", "-o", "OUT"], "'p' must be in [0, 100], got 120"),
        (["mask", "FILE", "-m", "rank_swap", "--set", "columns=incom", "-o", "OUT"], "Did you mean 'income'?"),
        (["mask", "FILE", "-m", "rank_swap", "--set", "q=1", "-o", "OUT"], "there is no parameter 'q'"),
        (["mask", "nowhere.csv", "-m", "mdav", "-o", "OUT"], "nowhere.csv"),
        (["evaluate", "FILE", "nowhere.csv"], "nowhere.csv"),
        (["describe", "nowhere.sas"], "nowhere.sas"),
    ],
)
def test_errors_are_one_sentence_and_leave_nothing(
    words: list[str], sentence: str, survey_file: Path, tmp_path: Path
) -> None:
    out = tmp_path / "out"
    done = tacita(*[{"FILE": survey_file, "OUT": out}.get(w, w) for w in words])
    assert done.returncode == 2
    assert sentence in done.stderr
    assert "Traceback" not in done.stderr
    assert not out.exists()


def test_json_errors_have_one_shape(tmp_path: Path) -> None:
    done = tacita("describe", tmp_path / "nowhere.csv", "--json")
    assert done.returncode == 2
    assert set(json.loads(done.stderr)) == {"error", "message"}


def test_no_progress_bar_in_a_pipe(survey_file: Path, tmp_path: Path) -> None:
    done = tacita_alone("mask", survey_file, "-m", "mdav", "--set", "columns=age,savings", "-o", tmp_path / "o")
    assert "\x1b[" not in done.stderr + done.stdout


def test_shell_completion_can_be_installed() -> None:
    assert "--install-completion" in runner.invoke(app, ["--help"]).output


def test_evaluate_names_columns_that_the_masked_file_lacks(tmp_path: Path) -> None:
    data = tc.Microdata.from_frame(pa.table({"a": [1.0, 2.0, 4.0, 7.0], "b": [3.0, 1.0, 2.0, 5.0]}))
    whole, part, other = (tmp_path / name for name in ("whole.csv", "part.csv", "other.csv"))
    tc.write(data, whole)
    tc.write(data.select(["a"]), part)
    other.write_text("q\n1\n2\n4\n9\n", encoding="utf-8")
    words = ["evaluate", str(whole), str(part), "--row-order"]
    sentence = "1 column of the original not in the masked file, so not compared: 'b'."
    assert f"Note: {sentence}" in " ".join(runner.invoke(app, words).output.split())
    assert json.loads(runner.invoke(app, [*words, "--json"]).output)["notes"] == [sentence]
    report = tmp_path / "report.html"
    for order in ([], ["--row-order"]):
        done = tacita("evaluate", str(whole), str(other), *order, "--report", str(report))
        assert done.returncode == 2
        assert "share no column" in done.stderr
        assert not report.exists()
