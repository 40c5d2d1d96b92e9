"""Files of games: both forms, and what hostile ones meet."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from tacita.core.errors import FileError, ParameterError, TacitaError
from tacita.games.classic import social_network
from tacita.games.coprivacy.help import read_helps
from tacita.games.model import game_file
from tacita.games.model.game_file import read_game

TOML = """
name = "Two users of a social network"

[strategies]
"User 1" = ["H", "P"]
"User 2" = ["H", "P"]

[utilities]
"User 1" = [[0, 1], [0, 0.5]]
"User 2" = [[0, 0], [1, 0.5]]

[[help]]
asker = "User 1"
asks = "P"
helper = "User 2"
helps = "P"
"""


def written(folder: Path, text: str, name: str = "game.toml") -> Path:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


def test_the_example_of_the_paper_is_read(tmp_path: Path) -> None:
    path = written(tmp_path, TOML)
    game, (expected, helps) = read_game(path), social_network()
    assert game.name == "Two users of a social network"
    assert game.players == expected.players
    assert np.array_equal(game.utilities, expected.utilities)
    assert read_helps(path) == helps[:1]


def test_json_with_outcomes_is_read(tmp_path: Path) -> None:
    game, _ = social_network()
    outcomes = [
        {"profile": list(game.named(place)), "utilities": game.utilities[(slice(None), *place)].tolist()}
        for place in np.ndindex(*game.shape)
    ]
    strategies = dict(zip(game.players, map(list, game.strategies), strict=True))
    path = written(tmp_path, json.dumps({"strategies": strategies, "outcomes": outcomes}), "game.json")
    assert np.array_equal(read_game(path).utilities, game.utilities)
    assert read_helps(path) == ()


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("[[0, 1], [0, 0.5]]", '[[0, "secret"], [0, 0.5]]', "utilities of 'User 1' must be numbers"),
        ("[[0, 1], [0, 0.5]]", "[[0, true], [0, 0.5]]", "utilities of 'User 1' must be numbers"),
        ("[[0, 1], [0, 0.5]]", "[[0, nan], [0, 0.5]]", "finite numbers, got infinite or missing ones for 'User 1'"),
        ("[[0, 1], [0, 0.5]]", "[[0, 1], [0]]", "2 entries at depth 2"),
        ("[[0, 1], [0, 0.5]]", "3", "2 entries at depth 1"),
        ('"User 1" = ["H", "P"]', '"User 1" = []', "strategies of 'User 1' must have at least one name"),
        ('"User 1" = ["H", "P"]', '"User 1" = ["H", "H"]', "got 'H' twice"),
        ('"User 1" = ["H", "P"]', '"User 1" = "HP"', "strategies of 'User 1' must be a list"),
        ('"User 1" = ["H", "P"]', '"User 3" = ["H", "P"]', "'utilities' must have nested lists for each player"),
        ("[utilities]", "[utility]", "nothing named 'utility' in a game. Did you mean 'utilities'"),
        ("[strategies]", "[outcomes]", "'strategies' must have"),
        ('asks = "P"', 'ask = "P"', "must have the texts asker, asks, helper, helps"),
        ('name = "Two users of a social network"', "name = 3", "'name' must be a text"),
    ],
)
def test_what_is_no_game_is_refused(tmp_path: Path, old: str, new: str, said: str) -> None:
    assert old in TOML
    path = written(tmp_path, TOML.replace(old, new, 1))
    reader = read_helps if "asks" in old else read_game
    with pytest.raises(ParameterError) as error:
        reader(path)
    assert said in str(error.value)
    assert "secret" not in str(error.value)


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("strategies = [", "game.toml"),
        ("{", "game.json"),
        ("[" * 100_000, "game.json"),
        ("a = " + "[" * 100_000, "game.toml"),
        ("[1, 2]", "game.json"),
        ("3", "game.json"),
        ("", "game.json"),
        ("", "game.toml"),
        ('{"strategies": {"A": ["a"]}, "outcomes": [{"profile": "a", "utilities": [1]}]}', "game.json"),
        ('{"strategies": {"A": ["a"]}, "outcomes": [{"profile": ["a"], "utilities": 1}]}', "game.json"),
        ('{"strategies": {"A": ["a"]}, "outcomes": []}', "game.json"),
        ('{"strategies": {"A": ["a"]}, "outcomes": 7}', "game.json"),
        ('{"strategies": {"A": ["a"]}, "outcomes": [{"profile": ["a"], "utilities": [1]}], "utilities": {}}', "game.json"),
        ('{"strategies": {"A": ["a"]}, "outcomes": [{"profile": ["a"], "utilities": [1]}, '
         '{"profile": ["b"], "utilities": [1]}]}', "game.json"),
        ('{"strategies": {"A": ["a"]}, "utilities": {"A": [' + "9" * 5000 + "]}}", "game.json"),
        ('{"strategies": {"A": ["a"]}, "utilities": {"A": [' + "9" * 400 + "]}}", "game.json"),
        ('{"strategies": {"A": ["a"]}, "outcomes": [{"profile": ["a"], "utilities": [' + "9" * 400 + "]}]}", "game.json"),
        ('{"strategies": {"A": ["a"]}, "utilities": {"A": [1e999]}}', "game.json"),
        ('{"strategies": {"A": [["a"]]}, "utilities": {"A": [1]}}', "game.json"),
    ],
)  # fmt: skip
def test_a_hostile_file_is_an_error_of_ours(tmp_path: Path, text: str, name: str) -> None:
    with pytest.raises(TacitaError):
        read_game(written(tmp_path, text, name))


def test_a_file_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(FileError, match=r"'gone\.toml' cannot be read"):
        read_game(tmp_path / "gone.toml")
    with pytest.raises(FileError, match="cannot be read"):
        read_game(tmp_path)
    (tmp_path / "bytes.toml").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(FileError, match="UTF-8"):
        read_game(tmp_path / "bytes.toml")


def test_a_large_file_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(game_file, "MOST_BYTES", 20)
    with pytest.raises(FileError, match="at most 20 bytes"):
        read_game(written(tmp_path, TOML))


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('name = "Two users of a social network"', 'name = "a\\u001b[2J"'),
        ('name = "Two users of a social network"', 'name = "' + "a" * 300 + '"'),
    ],
)
def test_a_name_that_fills_or_moves_a_terminal_is_refused(tmp_path: Path, old: str, new: str) -> None:
    with pytest.raises(ParameterError, match="a text of one line, with at most 200 letters"):
        read_game(written(tmp_path, TOML.replace(old, new, 1)))


def test_long_names_of_strategies_are_refused(tmp_path: Path) -> None:
    with pytest.raises(ParameterError, match="names must have at most 200 letters"):
        read_game(written(tmp_path, TOML.replace('["H", "P"]', '["H", "' + "P" * 300 + '"]')))
