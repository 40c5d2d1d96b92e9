"""``tacita attack`` as a user calls it."""

from __future__ import annotations

import json
import shutil
import stat
from pathlib import Path

import pytest
from typer.testing import CliRunner

import tacita as tc
from tacita.cli.main import app
from tacita.core.errors import TacitaError

runner = CliRunner()


def _run(*words: object) -> tuple[int, str, str]:
    done = runner.invoke(app, ["attack", *map(str, words)])
    if isinstance(done.exception, TacitaError):
        return 2, "", str(done.exception)
    return done.exit_code, done.stdout, done.stderr


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A survey with a weak release, and a table that is hidden well and one that is rounded too little."""
    made = tmp_path_factory.mktemp("attacked")
    data = tc.samples.household_survey(300, seed=1)
    data.schema.write(made / "survey.toml")
    tc.write(data, made / "survey.csv")
    recipe = tc.Recipe([tc.mask.AdditiveNoise(columns=["earnings", "tax"], sd_ratio=0.01)])
    tc.publish(recipe.apply(data, seed=7), made / "release")
    firms = tc.mask.GlobalRecode(levels={"activity": 3, "region": 1}).apply(tc.samples.business_survey(400, seed=1))
    table = tc.tabulate(firms, ["region", "activity"], "turnover")
    unsafe = tc.tables.MinimumFrequency(at_least=3).judge(table)
    tc.publish_table(tc.tables.Suppress().protect(table, unsafe), made / "table")
    tc.publish_table(tc.tables.Round(base=10.0).protect(table, unsafe), made / "rounded", insist=True)
    return made


def _file(place: Path, *more: object) -> tuple[int, str, str]:
    named = ("--original", place / "survey.csv", "--schema", place / "survey.toml")
    known = ("--known", "earnings", "--known", "tax", "--key", "sex", "--attack", "distance_link", "--seconds", 5)
    return _run(place / "release", *named, *known, *more)


def test_a_weak_release_fails_with_status_3(place: Path) -> None:
    status, shown, said = _file(place)
    assert status == 3, said
    assert "FAILED: the file" in shown
    assert "distance_link" in shown
    assert "The attackers know: keys sex; linkage by earnings, tax" in said


def test_json_is_for_machines(place: Path) -> None:
    status, shown, _ = _file(place, "--json")
    found = json.loads(shown)
    assert (status, found["state"], found["against"]) == (3, "failed", "file")
    assert found["attacks"][0]["attack"] == "distance_link"
    assert found["attacks"][0]["advantage"] > 0.3


def test_tables(place: Path) -> None:
    assert _run(place / "table")[0] == 0
    status, shown, said = _run(place / "rounded")
    assert status == 3
    assert "FAILED: the table" in shown
    assert "follow from what was published" in said


def test_the_page_stays_inside(place: Path, tmp_path: Path) -> None:
    out = tmp_path / "deep" / "attacked"
    status, _, said = _run(place / "table", "--output", out)
    assert status == 0
    assert "attack.html" in said
    assert stat.S_IMODE((out / "internal").stat().st_mode) == 0o700
    assert json.loads((out / "internal" / "attack.json").read_text(encoding="utf-8"))["state"] == "passed"
    assert "Internal:" in (out / "internal" / "attack.html").read_text(encoding="utf-8")
    assert _run(place / "table", "--output", out)[0] == 2
    assert _run(place / "table", "--output", out, "--overwrite")[0] == 0


@pytest.mark.filterwarnings("ignore::tacita.core.errors.TacitaWarning")
def test_a_policy_is_attacked_before_anybody_asks(place: Path) -> None:
    words = ("--policy", "audited", "--victims", 3, "--attack", "individual_tracker", "--schema", place / "survey.toml")
    status, shown, said = _run(place / "survey.csv", *words)
    assert status == 0, said
    assert "PASSED: the database under the policy 'audited'" in shown


def test_releases_are_attacked_together(place: Path, tmp_path: Path) -> None:
    shutil.copytree(place / "table", tmp_path / "ledger" / "first")
    status, shown, said = _run("--ledger", tmp_path / "ledger", "--seconds", 30)
    assert status == 4, said
    assert "There is one release only." in said
    status, shown, said = _run("--ledger", tmp_path / "ledger", "--next", place / "rounded", "--seconds", 30)
    assert status in (0, 3, 4)
    assert "rounded" in shown + said


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--next", "{place}/table"), "--next needs --ledger"),
        (("{place}/table", "--ledger", "{place}"), "--ledger is about releases alone"),
        ((), "Say what to attack"),
        (("{place}/nothing",), "is not there"),
        (("{place}/release",), "--original must name the data as they are"),
        (("{place}/table", "--wanted", "turnover"), "needs neither --original nor a scenario"),
        (("{place}/table", "--attack", "hidden_cell"), "Did you mean 'hidden_cells'"),
        (("{place}/table", "--attack", "distance_link"), "None of the chosen attacks is against published cells"),
        (("--demo", "--original", "{place}/survey.csv"), "--demo brings its own data"),
        (("http://127.0.0.1:9", "--policy", "mas"), "leave out --policy"),
        (("http://127.0.0.1:9",), "--original must name the data behind the server"),
        (("{place}/survey.csv", "--policy", "mas", "--key", "sex"), "leave out the scenario"),
        (("{place}/survey.csv", "--policy", "mas", "-w", "income", "-w", "tax"), "--wanted must be one variable"),
    ],
)
def test_bad_input_is_a_sentence(place: Path, words: tuple[str, ...], said: str) -> None:
    status, _, told = _run(*(word.format(place=place) for word in words))
    assert status == 2
    assert said in told
