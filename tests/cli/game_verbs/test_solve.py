"""``tacita games solve`` as a user calls it, and what meets whoever brings no game."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from tacita.cli.main import app
from tacita.core.errors import TacitaError

runner = CliRunner()

CHICKEN = """
name = "chicken"
[strategies]
"driver 1" = ["swerves", "goes on"]
"driver 2" = ["swerves", "goes on"]
[utilities]
"driver 1" = [[6, 2], [7, 0]]
"driver 2" = [[6, 7], [2, 0]]
[[help]]
asker = "driver 1"
asks = "swerves"
helper = "driver 2"
helps = "swerves"
"""


@pytest.fixture
def game(tmp_path: Path) -> Path:
    path = tmp_path / "chicken.toml"
    path.write_text(CHICKEN, encoding="utf-8")
    return path


def run(*words: str) -> tuple[int, str, str]:
    done = runner.invoke(app, ["games", "solve", *words])
    if isinstance(done.exception, TacitaError):
        return 2, "", str(done.exception)
    if done.exception is not None and not isinstance(done.exception, SystemExit):
        raise done.exception
    return done.exit_code, done.stdout, done.stderr


def test_a_person_sees_equilibria_and_who_helps(game: Path) -> None:
    status, shown, said = run(str(game))
    assert status == 0
    for name in ("pure 1", "pure 2", "mixed 1", "correlated", "5.25"):
        assert name in shown
    assert "Coprivacy: none. No equilibrium has help." in said
    assert "'driver 1' gains 1 by 'goes on'" in said
    assert "Correlated coprivacy: 'driver 1' plays 'swerves'" in said


def test_a_program_gets_json_of_what_it_asked_for(game: Path) -> None:
    status, shown, _ = run(str(game), "--json", "-c", "correlated", "--welfare", "driver 1")
    found = json.loads(shown)
    assert status == 0
    assert found["correlated"]["utilities"]["driver 1"] == pytest.approx(7)
    assert found["pure"] is None
    assert found["mixed"] is None
    assert list(found["coprivacy"]) == ["correlated"]


def test_epsilon_lets_a_gain_go(game: Path) -> None:
    fine, loose = (json.loads(run(str(game), "--json", "--epsilon", e)[1])["correlated"] for e in ("0", "0.5"))
    assert sum(loose["utilities"].values()) > sum(fine["utilities"].values()) + 0.1
    assert loose["gain"] == pytest.approx(0.5, abs=1e-6)


def test_the_page_is_whole_and_the_same_twice(game: Path, tmp_path: Path) -> None:
    for name in ("a", "b"):
        assert run(str(game), "-o", str(tmp_path / name))[0] == 0
    assert sorted(path.name for path in (tmp_path / "a").iterdir()) == [".tacita.json", "game.html", "game.json"]
    for name in ("game.html", "game.json"):
        assert (tmp_path / "a" / name).read_bytes() == (tmp_path / "b" / name).read_bytes()
    assert "exists already" in run(str(game), "-o", str(tmp_path / "a"))[2]
    assert run(str(game), "-o", str(tmp_path / "a"), "--overwrite")[0] == 0


def test_a_directory_that_holds_the_game_is_not_replaced(game: Path, tmp_path: Path) -> None:
    status, _, said = run(str(game), "-o", str(tmp_path), "--overwrite")
    assert status == 2
    assert "not replaced" in said
    assert game.exists()


def test_a_file_without_help_says_so(tmp_path: Path) -> None:
    path = tmp_path / "plain.json"
    path.write_text('{"strategies": {"A": ["a", "b"], "B": ["c"]}, "utilities": {"A": [[1], [2]], "B": [[0], [0]]}}')
    status, _, said = run(str(path))
    assert status == 0
    assert "does not say what counts as help" in said


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("[[6, 2], [7, 0]]", '[[6, "secret"], [7, 0]]', "the utilities of 'driver 1' must be numbers"),
        ("[[6, 2], [7, 0]]", "[[6, nan], [7, 0]]", "utilities must be finite numbers"),
        ("[[6, 2], [7, 0]]", "[[6, 2]]", "2 entries at depth 1"),
        (
            '"driver 1" = ["swerves", "goes on"]',
            '"driver 1" = []',
            "strategies of 'driver 1' must have at least one name",
        ),
        ('helps = "swerves"', 'helps = "swerve"', "'driver 2' has no strategy 'swerve'. Did you mean 'swerves'"),
        ('helper = "driver 2"', 'helper = "driver 1"', "must be helped by somebody else"),
        ("[utilities]", "[utilites]", "Did you mean 'utilities'"),
        ("[strategies]", "[strategies", "must be TOML"),
    ],
)
def test_what_is_no_game_is_told(game: Path, tmp_path: Path, old: str, new: str, said: str) -> None:
    assert old in CHICKEN
    game.write_text(CHICKEN.replace(old, new, 1), encoding="utf-8")
    status, _, error = run(str(game), "-o", str(tmp_path / "out"))
    assert status == 2
    assert said in error
    assert "secret" not in error
    assert not (tmp_path / "out").exists()


def test_a_missing_profile_and_a_huge_game_are_told(tmp_path: Path) -> None:
    path = tmp_path / "game.json"
    path.write_text(json.dumps({"strategies": {"A": ["a", "b"]}, "outcomes": [{"profile": ["a"], "utilities": [1]}]}))
    assert "must have utilities for the profile (b)" in run(str(path))[2]
    many = {f"player {i}": ["a", "b"] for i in range(40)}
    path.write_text(json.dumps({"strategies": many, "outcomes": []}))
    assert "at most 33,554,432 fit" in run(str(path))[2]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--concept", "impure"], "'--concept' must be one of pure, mixed, correlated"),
        (["--welfare", "nobody"], "'by' must be 'utilitarian', 'egalitarian' or the name of a player"),
        (["--epsilon", "-1"], "'epsilon' must be a finite number"),
        (["--epsilon", "nan"], "'epsilon' must be a finite number"),
    ],
)
def test_wrong_options_are_told(game: Path, words: list[str], said: str) -> None:
    status, _, error = run(str(game), *words)
    assert status == 2
    assert said in error


def test_a_file_that_is_not_there_is_named(tmp_path: Path) -> None:
    status, _, error = run(str(tmp_path / "gone.toml"))
    assert status == 2
    assert "gone.toml" in error
