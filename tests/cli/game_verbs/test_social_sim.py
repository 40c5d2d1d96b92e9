"""``tacita games social-sim`` as a user calls it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from tacita.cli.main import app
from tacita.core.errors import TacitaError

runner = CliRunner()


def run(*words: str) -> tuple[int, str, str]:
    done = runner.invoke(app, ["games", "social-sim", "--rounds", "8", "--users", "60", *words])
    if isinstance(done.exception, TacitaError):
        return 2, "", str(done.exception)
    if done.exception is not None and not isinstance(done.exception, SystemExit):
        raise done.exception
    return done.exit_code, done.stdout, done.stderr


def test_a_page_and_json_the_same_from_the_same_seed(tmp_path: Path) -> None:
    status, shown, said = run("--output", str(tmp_path / "a"))
    assert status == 0, said
    assert "Selfish play" in shown
    assert "free riders 50 %" in shown
    assert "Under the protocol" in said
    assert run("--output", str(tmp_path / "b"), "--seed", "1")[0] == 0
    pages = [(tmp_path / name / "social.html").read_bytes() for name in "ab"]
    assert pages[0] == pages[1]
    found = json.loads((tmp_path / "a" / "social.json").read_text())
    assert found["run"] != json.loads(run("--seed", "2", "--json")[1])["run"]
    assert found["users"] == 60
    assert found["selfish"]["hide"]["disclosing"][-1] == 0


@pytest.mark.parametrize("protocol", ["selfish", "reputation"])
def test_other_protocols_as_json(protocol: str) -> None:
    status, shown, _ = run("--protocol", protocol, "--json", "--distance", "2", "--graph", "small-world")
    assert status == 0
    found = json.loads(shown)
    assert (found["run"] is None) == (protocol == "selfish")
    assert len(found["sensitivities"][0]) == 2


def test_a_file_of_edges(tmp_path: Path) -> None:
    path = tmp_path / "edges.csv"
    path.write_text("a,b\nAnn,Ben\nBen,Cem\nCem,Ann\nBen,Ann\n")
    status, shown, _ = run(str(path), "--attributes", "1", "--json")
    assert status == 0
    found = json.loads(shown)
    assert (found["users"], found["links"], found["merged"]) == (3, 3, 1)
    assert found["advice"]["user"] in ("Ann", "Ben", "Cem")


def test_what_does_not_fit_is_refused_and_nothing_is_written(tmp_path: Path) -> None:
    loops = tmp_path / "loops.csv"
    loops.write_text("a,b\nSecret,Secret\nBen,Cem\n")
    for words, said in (
        (("--protocol", "grim"), "one of selfish, tit-for-tat, reputation"),
        (("--graph", "tree"), "'--graph' must be one of"),
        (("--slips", "2"), "'slips' must be a share"),
        (("--continuation", "0.1"), "no penance makes it pay"),
        ((str(loops),), "1 edge leads from a user to himself"),
        ((str(tmp_path / "none.csv"),), "none.csv"),
    ):
        status, _, error = run(*words, "--output", str(tmp_path / "out"))
        assert status == 2
        assert said in error
        assert "Secret" not in error
        assert not (tmp_path / "out").exists()


def test_what_stands_there_is_not_lost(tmp_path: Path) -> None:
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "mine.txt").write_text("mine")
    for more in ((), ("--overwrite",)):
        assert run("--output", str(tmp_path / "out"), *more)[0] == 2
    assert (tmp_path / "out" / "mine.txt").read_text() == "mine"
