"""``tacita logs`` as a user calls it: index, anonymise, measure."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

import tacita as tc
from tacita.cli.main import app
from tacita.core.errors import TacitaError
from tacita.data.query_log.write import write_log

runner = CliRunner()


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A log of 60 users, and the index of the small directory."""
    made = tmp_path_factory.mktemp("logs")
    write_log(tc.samples.query_log(60, seed=3).log, made / "log.tsv")
    status, _, said = _run("index", "sample", "-o", str(made / "topics"))
    assert status == 0, said
    return made


def _run(*words: str) -> tuple[int, str, str]:
    done = runner.invoke(app, ["logs", *words])
    if isinstance(done.exception, TacitaError):
        return 2, "", str(done.exception)
    if done.exception is not None and not isinstance(done.exception, SystemExit):
        raise done.exception
    return done.exit_code, done.stdout, done.stderr


def _anonymise(place: Path, out: Path, *words: str) -> tuple[int, str, str]:
    return _run("anonymise", str(place / "log.tsv"), "-d", str(place / "topics"), "-k", "4", "-o", str(out), *words)


def test_a_release_without_limits_is_not_judged(place: Path, tmp_path: Path) -> None:
    status, shown, said = _anonymise(place, tmp_path / "out", "--seed", "1")
    assert status == 4, said
    assert "semantic_remain" in shown
    assert "Verdict: NOT JUDGED" in said
    assert "The promises hold" in said
    assert "The seed was given and is short" in said
    assert {path.name for path in (tmp_path / "out" / "public").iterdir()} == {"log.tsv", "about.json", "report.html"}


def test_limits_decide_and_the_same_seed_gives_the_same_bytes(place: Path, tmp_path: Path) -> None:
    keeps = ("--seed", "1", "--limit", "profile_linkage <= 100")
    assert _anonymise(place, tmp_path / "a", *keeps)[0] == 0
    status, shown, _ = _anonymise(place, tmp_path / "b", *keeps, "--json", "--set", "mode=safe")
    assert status == 0
    assert json.loads(shown)["verdict"]["state"] == "passed"
    for name in ("public/log.tsv", "public/report.html", "internal/provenance.json"):
        assert (tmp_path / "a" / name).read_bytes() == (tmp_path / "b" / name).read_bytes(), name
    status, _, said = _anonymise(place, tmp_path / "c", "--seed", "1", "--limit", "profile_linkage <= 0")
    assert status == 3
    assert "Nothing was written" in said
    assert not (tmp_path / "c").exists()


def test_without_a_seed_two_releases_differ(place: Path, tmp_path: Path) -> None:
    for name in ("a", "b"):  # not beside each other, where the second one would be warned of
        (tmp_path / name).mkdir()
    made = [_anonymise(place, tmp_path / name / "out", "--no-report") for name in ("a", "b")]
    assert [status for status, _, _ in made] == [4, 4]
    logs = [(tmp_path / name / "out" / "public" / "log.tsv").read_bytes() for name in ("a", "b")]
    assert logs[0] != logs[1]


def test_measure_finds_what_anonymise_said(place: Path, tmp_path: Path) -> None:
    _, shown, _ = _anonymise(place, tmp_path / "out", "--seed", "1", "--json")
    before = json.loads(shown)["card"]["measures"]
    words = ("measure", str(place / "log.tsv"), str(tmp_path / "out"), "-d", str(place / "topics"))
    status, shown, said = _run(*words, "--json")
    assert status == 0, said
    after = json.loads(shown)["card"]["measures"]
    for name in ("semantic_remain", "lines_kept", "lonely_queries"):
        assert after[name]["value"] == pytest.approx(before[name]["value"]), name
    assert _run(*words, "--limit", "profile_linkage <= 0")[0] == 3
    assert _run(*words, "--limit", "profile_linkage <= 100", "--measure", "profile_linkage")[0] == 0


def test_another_directory_than_an_index(place: Path, tmp_path: Path) -> None:
    """The directory itself in the place of its index gives the same release."""
    words = ("-k", "4", "--seed", "1", "--no-report", "--format", "csv")
    for name in ("a", "b"):
        (tmp_path / name).mkdir()
    one = _run("anonymise", str(place / "log.tsv"), "-d", "sample", "-o", str(tmp_path / "a" / "out"), *words)
    assert one[0] == 4, one[2]
    two = _anonymise(place, tmp_path / "b" / "out", *words[2:])
    assert two[0] == 4
    logs = [(tmp_path / name / "out" / "public" / "log.csv").read_bytes() for name in ("a", "b")]
    assert logs[0] == logs[1]


def test_columns_of_ones_own(place: Path, tmp_path: Path) -> None:
    (tmp_path / "mine.csv").write_text("who,what\n" + "".join(f"u{n % 9},tea {n % 3}\n" for n in range(60)))
    named = ("--user", "who", "--query", "what", "-d", str(place / "topics"), "-k", "3", "-o", str(tmp_path / "out"))
    status, _, said = _run("anonymise", str(tmp_path / "mine.csv"), *named)
    assert status == 4, said
    status, _, said = _run("anonymise", str(tmp_path / "mine.csv"), *named[2:])
    assert status == 2


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("-o", "out"), "--directory"),
        (("-o", "out", "-d", "sample", "-k", "61"), "at least k = 61"),
        (("-o", "out", "-d", "nowhere"), "nowhere"),
        (("-o", "out", "-d", "sample", "--limit", "linkage <= 3"), "linkage"),
        (("-o", "out", "-d", "sample", "--method", "semantic_micro"), "semantic_microaggregation"),
        (("-o", "out", "-d", "sample", "--format", "xlsx"), "--format"),
        (("-o", "out", "-d", "sample", "--insist"), "--because"),
        (("-o", "out", "-d", "sample", "--set", "ask=3"), "ask"),
        (("-o", "out", "-d", "sample", "--by", "letters"), "'by'"),
    ],
)
def test_what_is_wrong_is_said_and_nothing_is_written(
    place: Path, tmp_path: Path, words: tuple[str, ...], said: str
) -> None:
    named = [str(tmp_path / "out") if word == "out" else word for word in words]
    status, _, message = _run("anonymise", str(place / "log.tsv"), *named)
    assert status == 2
    assert said in message
    assert not (tmp_path / "out").exists()


def test_files_that_are_there_are_not_replaced(place: Path, tmp_path: Path) -> None:
    status, _, said = _run("index", "sample", "-o", str(place / "topics"))
    assert (status, "--overwrite" in said) == (2, True)
    assert _anonymise(place, tmp_path / "out", "--no-report")[0] == 4
    assert _anonymise(place, tmp_path / "out", "--no-report")[0] == 2
    assert _run("measure", str(place / "log.tsv"), str(tmp_path))[0] == 2


def test_the_published_mode_is_broken_and_the_page_stays_inside(place: Path, tmp_path: Path) -> None:
    paper = ("--set", "mode=paper", "--no-report", "--seed", "1", "--insist", "--because", "a trial")
    assert _anonymise(place, tmp_path / "out", *paper)[0] in (3, 4)
    words = ("attack", str(place / "log.tsv"), str(tmp_path / "out"), "-d", str(place / "topics"))
    status, shown, said = _run(*words, "-a", "own_queries", "-o", str(tmp_path / "page"))
    assert status == 3, said
    assert "own_queries" in shown
    assert list((tmp_path / "page").rglob("*.html"))
    status, shown, _ = _run(*words, "-a", "own_queries", "--json")
    assert (status, json.loads(shown)["state"]) == (3, "failed")
