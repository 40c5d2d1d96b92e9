"""Small files of games, TOML or JSON.

.. code-block:: toml

    name = "Two users of a social network"

    [strategies]
    "User 1" = ["H", "P"]
    "User 2" = ["H", "P"]

    [utilities]                        # nested lists; the first player chooses the outermost
    "User 1" = [[0, 1], [0, 0.5]]
    "User 2" = [[0, 0], [1, 0.5]]

    [[help]]                           # what counts as helping; may be left out
    asker = "User 1"
    asks = "P"
    helper = "User 2"
    helps = "P"

Instead of ``[utilities]`` there may be ``[[outcomes]]``, one for each profile, with ``profile = ["H", "P"]`` and
``utilities = [1, 0]``.
"""

from __future__ import annotations

import json
import sys
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from tacita.core.errors import FileError, ParameterError, did_you_mean
from tacita.games.model.game import Game, check_profiles, checked_names

__all__ = ["MOST_BYTES", "MOST_LETTERS", "read_game", "read_game_file"]

MOST_BYTES = 2**24
"""Larger files are no small files; make such a game by a function."""
MOST_LETTERS = 200
"""Letters of a name: pages and messages repeat them."""
_KNOWN = {"name", "strategies", "utilities", "outcomes", "help"}


def read_game(path: str | Path) -> Game:
    """Read a game from a TOML or JSON file; what a file says of help is left to :func:`tacita.games.read_helps`.

    Raises
    ------
    FileError
        When the file cannot be read, is too large, or is no TOML or JSON.
    ParameterError
        When it does not say a game.
    """
    return game_of(read_game_file(path))


def read_game_file(path: str | Path) -> Mapping[str, Any]:
    """Return what stands in the file of a game, as plain values, with no other name than those that a game has."""
    place = Path(path)
    try:
        if place.stat().st_size > MOST_BYTES:
            raise FileError(f"'{place.name}' must have at most {MOST_BYTES:,} bytes; make a large game by a function.")
        text = place.read_text(encoding="utf-8")
    except OSError as error:
        if isinstance(error, FileError):
            raise
        raise FileError(f"'{place.name}' cannot be read: {error.strerror or 'the system gave no reason'}.") from None
    except UnicodeDecodeError:
        raise FileError(f"'{place.name}' must be text in UTF-8.") from None
    try:
        found = tomllib.loads(text) if place.suffix.lower() == ".toml" else json.loads(text)
    except (ValueError, RecursionError):  # of both readers; a message may quote the file
        kind = "TOML" if place.suffix.lower() == ".toml" else "JSON"
        raise FileError(f"'{place.name}' must be {kind}, and cannot be read as that.") from None
    if not isinstance(found, dict):
        raise ParameterError(f"'{place.name}' must have 'strategies' and 'utilities', got a list or a single value.")
    for name in found:
        if name not in _KNOWN:
            raise ParameterError(
                f"'{place.name}': there is nothing named {name!r} in a game.{did_you_mean(name, _KNOWN)}"
            )
    return found


def game_of(found: Mapping[str, Any]) -> Game:
    """Return the game that a file says."""
    strategies, name = found.get("strategies"), found.get("name", "")
    if not isinstance(strategies, dict) or not strategies:
        raise ParameterError("A game's file: 'strategies' must have a list of names for each player.")
    for player, own in strategies.items():
        if not isinstance(own, list):
            raise ParameterError(f"A game's file: the strategies of {player!r} must be a list of names.")
    if not isinstance(name, str) or len(name) > MOST_LETTERS or not name.isprintable():
        raise ParameterError(f"A game's file: 'name' must be a text of one line, with at most {MOST_LETTERS} letters.")
    if ("utilities" in found) == ("outcomes" in found):
        raise ParameterError("A game's file: there must be either 'utilities' or 'outcomes'.")
    players = tuple(strategies)
    named = tuple(checked_names(own, f"strategies of {player!r}") for player, own in strategies.items())
    if any(len(word) > MOST_LETTERS for word in (*players, *(word for own in named for word in own))):
        raise ParameterError(f"A game's file: names must have at most {MOST_LETTERS} letters.")
    if "outcomes" in found:
        return _of_outcomes(players, named, found["outcomes"], name)
    utilities = found["utilities"]
    if not isinstance(utilities, dict) or set(utilities) != set(players):
        raise ParameterError(
            "A game's file: 'utilities' must have nested lists for each player, and for no other name."
        )
    shape = tuple(map(len, named))
    for player in players:
        _check_nested(utilities[player], shape, player)
    check_profiles(shape)
    tensors = np.array([utilities[player] for player in players], np.float64).reshape(len(players), *shape)
    return Game(players, named, tensors, name)


def _check_nested(values: Any, shape: tuple[int, ...], player: str) -> None:
    """Numbers alone, and as many lists in lists as there are players; text and truth values are no utilities."""
    level = [values]
    for depth, size in enumerate(shape):
        if any(not isinstance(part, list) or len(part) != size for part in level):
            raise ParameterError(
                f"A game's file: the utilities of {player!r} must be lists in lists, with {size} entries at depth {depth + 1}."
            )
        level = [entry for part in level for entry in part]
    most = sys.float_info.max  # whole numbers may be larger than any of these
    if any(
        isinstance(v, bool) or not isinstance(v, (int, float)) or (isinstance(v, int) and abs(v) > most) for v in level
    ):
        raise ParameterError(
            f"A game's file: the utilities of {player!r} must be numbers, got something else among them."
        )


def _of_outcomes(players: tuple[str, ...], strategies: tuple[tuple[str, ...], ...], outcomes: Any, name: str) -> Game:
    if not isinstance(outcomes, list) or not all(
        isinstance(one, dict) and set(one) == {"profile", "utilities"} for one in outcomes
    ):
        raise ParameterError("A game's file: each of 'outcomes' must have 'profile' and 'utilities', and nothing else.")
    told = {tuple(map(str, one["profile"])): one["utilities"] for one in outcomes if isinstance(one["profile"], list)}
    if len(told) < len(outcomes):
        raise ParameterError("A game's file: each of 'outcomes' must have a profile of its own, a list of strategies.")
    check_profiles(tuple(map(len, strategies)))

    def utility(profile: tuple[str, ...]) -> list[float]:
        given = told.pop(profile, None)
        if not isinstance(given, list):
            raise ParameterError(
                f"A game's file: 'outcomes' must have utilities for the profile ({', '.join(profile)})."
            )
        return given

    game = Game.from_function(dict(zip(players, strategies, strict=True)), utility, name=name)
    if told:
        raise ParameterError(f"A game's file: 'outcomes' has {len(told)} profiles with strategies that nobody has.")
    return game
