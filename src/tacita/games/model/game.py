"""A finite game in normal form: named players and strategies, and one dense tensor of utilities for each player."""

from __future__ import annotations

import itertools
import math
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np

from tacita.core.arrays import BoolArray, FloatArray
from tacita.core.errors import ParameterError, did_you_mean

__all__ = ["MOST_PLAYERS", "MOST_UTILITIES", "Game", "Profile", "check_profiles", "checked_names"]

Profile: TypeAlias = tuple[str, ...]
"""One strategy for each player, by name, in the order of the players."""

MOST_UTILITIES = 2**25
"""Numbers that a game may hold: 256 megabytes. Profiles multiply, so that one player more is often one too many."""
MOST_PLAYERS = 60
"""An array has at most 64 dimensions."""
LARGEST = 1e100
"""Utilities must be between minus this and this: their ranges and products are then numbers too."""
ROUNDING = 1e-9
"""Two utilities that differ by less than this share of their player's range are equal."""


@dataclass(frozen=True, eq=False, repr=False)
class Game:
    """A finite game: u_i(s_1, ..., s_n) for each player i and each profile s.

    Parameters
    ----------
    players
        Their names.
    strategies
        For each player the names of the strategies, at least one.
    utilities
        (n, m_1, ..., m_n): the utility of player i at [i, s_1, ..., s_n]; finite numbers.
    name
        What the game is called in words and reports.

    Raises
    ------
    ParameterError
        When names repeat, a player has no strategy, a utility is no finite number, or there are too many profiles.

    References
    ----------
    Domingo-Ferrer, J. (2011), Coprivacy: an introduction to the theory and applications of co-operative privacy, SORT special
    issue: Privacy in statistical databases, section 2.

    Examples
    --------
    >>> game = Game.from_matrices([[3, 0], [5, 1]], [[3, 5], [0, 1]], strategies=[["silent", "talks"]] * 2)
    >>> game
    Game of 2 players, 4 profiles
    >>> game.utility("player 1", ("talks", "silent"))
    5.0
    """

    players: tuple[str, ...]
    strategies: tuple[tuple[str, ...], ...]
    utilities: FloatArray
    name: str = ""

    def __post_init__(self) -> None:
        players = checked_names(self.players, "players")
        if len(self.strategies) != len(players):
            raise ParameterError(
                f"Game: 'strategies' must have a list for each of {len(players)} players, got {len(self.strategies)}."
            )
        strategies = tuple(
            checked_names(own, f"strategies of {player!r}")
            for player, own in zip(players, self.strategies, strict=True)
        )
        shape = tuple(map(len, strategies))
        check_profiles(shape)
        values = _numbers(self.utilities, (len(players), *shape), players)
        values.flags.writeable = False
        object.__setattr__(self, "players", players)
        object.__setattr__(self, "strategies", strategies)
        object.__setattr__(self, "utilities", values)

    # --- making ---------------------------------------------------------------------------------------------------------

    @classmethod
    def from_matrices(
        cls,
        *utilities: Any,
        players: Sequence[str] | None = None,
        strategies: Sequence[Sequence[str]] | None = None,
        name: str = "",
    ) -> Game:
        """Make a game of one matrix or tensor for each player; of a single matrix, the game in which the second player pays.

        Parameters
        ----------
        utilities
            For each player an array (m_1, ..., m_n); the first player chooses the row, the second the column.
        players, strategies
            Names; without them ``player 1``, and ``1``, ``2``, ...
        name
            Of the game.
        """
        tensors = [_array(values, f"utilities of player {i + 1}") for i, values in enumerate(utilities)]
        if len(tensors) == 1 and tensors[0].ndim == 2:
            tensors.append(-tensors[0])
        if not tensors:
            raise ParameterError("Game: 'utilities' must have an array for each player, got none.")
        for i, tensor in enumerate(tensors):
            if tensor.shape != tensors[0].shape or tensor.ndim != len(tensors):
                raise ParameterError(
                    f"Game: 'utilities' must be arrays of one shape with {len(tensors)} dimensions, one for each player, "
                    f"got {tensors[0].shape} for the first and {tensor.shape} for player {i + 1}."
                )
        chosen = [f"player {i + 1}" for i in range(len(tensors))] if players is None else players
        if strategies is None:
            strategies = [[str(s + 1) for s in range(size)] for size in tensors[0].shape]
        return cls(tuple(chosen), tuple(tuple(own) for own in strategies), np.stack(tensors), name)

    @classmethod
    def from_function(
        cls,
        strategies: Mapping[str, Sequence[str]],
        utility: Callable[[Profile], Iterable[float]],
        *,
        name: str = "",
    ) -> Game:
        """Make a game of a function that returns, for a profile, what it is worth to each player.

        Parameters
        ----------
        strategies
            For each player, by name, the names of the strategies.
        utility
            Called once for each profile; returns as many numbers as there are players.
        name
            Of the game.

        Examples
        --------
        >>> own = {"Ann": ["a", "b"], "Ben": ["a", "b"]}
        >>> Game.from_function(own, lambda s: [1, 1] if s[0] == s[1] else [0, 0]).utilities[0].tolist()
        [[1.0, 0.0], [0.0, 1.0]]
        """
        players = tuple(strategies)
        named = tuple(checked_names(strategies[player], f"strategies of {player!r}") for player in players)
        shape = tuple(map(len, named))
        check_profiles(shape)
        values = np.empty((len(players), *shape), np.float64)
        for place, profile in zip(np.ndindex(*shape), itertools.product(*named), strict=True):
            given = list(utility(profile))
            if len(given) != len(players):
                raise ParameterError(
                    f"Game: 'utility' must return {len(players)} numbers for a profile, got {len(given)} for {profile}."
                )
            for i, value in enumerate(given):
                values[(i, *place)] = _number(value, players[i], profile)
        return cls(players, named, values, name)

    # --- looking --------------------------------------------------------------------------------------------------------

    def __repr__(self) -> str:
        return f"Game{f' {self.name!r}' if self.name else ''} of {self.size} players, {self.profiles} profiles"

    @property
    def size(self) -> int:
        """How many players there are."""
        return len(self.players)

    @property
    def shape(self) -> tuple[int, ...]:
        """How many strategies each player has."""
        return tuple(map(len, self.strategies))

    @property
    def profiles(self) -> int:
        """How many profiles there are."""
        return math.prod(self.shape)

    def player(self, name: str) -> int:
        """Return the place of a player; an unknown one is refused, and a near miss suggested."""
        if name not in self.players:
            raise ParameterError(f"Game: there is no player {name!r}.{did_you_mean(name, self.players)}")
        return self.players.index(name)

    def strategy(self, player: str, name: str) -> int:
        """Return the place of a strategy of a player."""
        own = self.strategies[self.player(player)]
        if name not in own:
            raise ParameterError(f"Game: {player!r} has no strategy {name!r}.{did_you_mean(name, own)}")
        return own.index(name)

    def place(self, profile: Sequence[str]) -> tuple[int, ...]:
        """Return the place of a profile in the tensors."""
        if len(profile) != self.size:
            raise ParameterError(f"Game: a profile must have {self.size} strategies, got {len(profile)}.")
        return tuple(self.strategy(player, name) for player, name in zip(self.players, profile, strict=True))

    def named(self, place: Iterable[Any]) -> Profile:
        """Return the names of a profile."""
        return tuple(own[int(s)] for own, s in zip(self.strategies, place, strict=True))

    def named_where(self, chosen: BoolArray) -> list[Profile]:
        """Return the profiles where a tensor of booleans is true, in the order of the tensors."""
        return [self.named(place) for place in np.argwhere(chosen)]

    def utility(self, player: str, profile: Sequence[str]) -> float:
        """Return what a profile is worth to a player."""
        return float(self.utilities[self.player(player)][self.place(profile)])

    def own_rows(self, player: int) -> FloatArray:
        """Return (m_i, profiles of the others): the utilities of a player, one row for each strategy of hers."""
        return np.asarray(np.moveaxis(self.utilities[player], player, 0).reshape(self.shape[player], -1), np.float64)

    @property
    def roundings(self) -> FloatArray:
        """For each player the difference of utilities below which they count as equal: 1e-9 of her range."""
        flat = self.utilities.reshape(self.size, -1)
        return np.asarray(ROUNDING * np.maximum(np.ptp(flat, axis=1), np.abs(flat).max(axis=1) * 1e-3), np.float64)

    # --- deviations -----------------------------------------------------------------------------------------------------

    def gains(self, player: int) -> FloatArray:
        """Return (m_1, ..., m_n): what a player gains at most by another strategy, all others staying where they are."""
        own = self.utilities[player]
        return np.asarray(own.max(axis=player, keepdims=True) - own, np.float64)

    def best_responses(self, player: int) -> BoolArray:
        """Return (m_1, ..., m_n): whether the strategy of a player is a best one against those of the others."""
        return np.asarray(self.gains(player) <= self.roundings[player], np.bool_)

    def deviations(self, profile: Sequence[str]) -> Iterator[tuple[str, str, float]]:
        """Give every deviation of one player from a profile: who, to what, and what it brings."""
        place = self.place(profile)
        for i, (player, own) in enumerate(zip(self.players, self.strategies, strict=True)):
            for s, name in enumerate(own):
                if s != place[i]:
                    there = self.utilities[(i, *place[:i], s, *place[i + 1 :])]
                    yield player, name, float(there - self.utilities[(i, *place)])

    def restricted(self, kept: Sequence[Sequence[int]]) -> Game:
        """Return the game in which each player has some of the strategies alone, by their places."""
        values = self.utilities[np.ix_(range(self.size), *kept)]
        names = tuple(tuple(own[s] for s in places) for own, places in zip(self.strategies, kept, strict=True))
        return Game(self.players, names, values, self.name)


def check_profiles(shape: Sequence[int]) -> None:
    """Refuse a game that does not fit into memory, before anything is made of it."""
    if len(shape) > MOST_PLAYERS:
        raise ParameterError(f"Game: there must be at most {MOST_PLAYERS} players, got {len(shape)}.")
    numbers = len(shape) * math.prod(shape)
    if numbers > MOST_UTILITIES:
        raise ParameterError(
            f"Game: {len(shape)} players with {math.prod(shape):,} profiles need {numbers:,} utilities; at most "
            f"{MOST_UTILITIES:,} fit. Take fewer players or strategies."
        )


def checked_names(given: Any, what: str) -> tuple[str, ...]:
    """Return names as a tuple: at least one, each a text, none twice."""
    if isinstance(given, str) or not isinstance(given, Iterable):
        raise ParameterError(f"Game: {what} must be a list of names, got {type(given).__name__}.")
    names = tuple(given)
    if not names:
        raise ParameterError(f"Game: {what} must have at least one name, got none.")
    for name in names:
        if not isinstance(name, str) or not name:
            raise ParameterError(f"Game: {what} must be names, got {type(name).__name__} or an empty text.")
        if not name.isprintable():
            raise ParameterError(f"Game: {what} must be printable names, got control characters or line breaks in one.")
    twice = sorted({name for name in names if names.count(name) > 1}) if len(set(names)) < len(names) else []
    if twice:
        raise ParameterError(f"Game: {what} must be different, got {', '.join(map(repr, twice))} twice.")
    return names


def _array(values: Any, what: str) -> FloatArray:
    try:
        made = np.asarray(values)
    except ValueError:
        raise ParameterError(f"Game: {what} must have rows of one length, got an array with holes.") from None
    if made.dtype.kind not in "iuf":
        raise ParameterError(f"Game: {what} must be numbers, got something else among them.")
    return made.astype(np.float64)


def _numbers(values: Any, shape: tuple[int, ...], players: tuple[str, ...]) -> FloatArray:
    made = _array(values, "utilities")
    if made.shape != shape:
        raise ParameterError(
            f"Game: 'utilities' must have the shape {shape}, a tensor for each player, got {made.shape}."
        )
    finite = [bool(np.isfinite(own).all()) for own in made]
    if not all(finite):
        named = ", ".join(repr(player) for player, is_finite in zip(players, finite, strict=True) if not is_finite)
        raise ParameterError(f"Game: utilities must be finite numbers, got infinite or missing ones for {named}.")
    if (np.abs(made) > LARGEST).any():
        raise ParameterError(
            f"Game: utilities must be between -{LARGEST:g} and {LARGEST:g}; divide all of a player's by one number."
        )
    return made


def _number(value: Any, player: str, profile: Profile) -> float:
    number: Any = value if isinstance(value, (int, float, np.integer, np.floating)) else None
    if isinstance(value, bool) or number is None or not abs(number) <= sys.float_info.max:
        raise ParameterError(
            f"Game: the utility of {player!r} for the profile ({', '.join(profile)}) must be a finite number, "
            f"got {type(value).__name__}."
        )
    return float(number)
