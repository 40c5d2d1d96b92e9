"""What counts as help in a game: one player asks by a strategy, another helps by one."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tacita.core.errors import ParameterError
from tacita.games.model.game import Game
from tacita.games.model.game_file import read_game_file

__all__ = ["Help", "check_helps", "read_helps"]

_FIELDS = ("asker", "asks", "helper", "helps")


@dataclass(frozen=True, kw_only=True)
class Help:
    """A pair of strategies by which one player helps another.

    Parameters
    ----------
    asker, asks
        Who is helped, and the strategy by which she asks for it: s_k of P^1 in Definition 1.
    helper, helps
        Who helps, and the strategy by which he does: s_1 of P^k.

    Examples
    --------
    >>> Help(asker="P1", asks="ask P2", helper="P2", helps="process").words()
    "'P1' plays 'ask P2' and 'P2' plays 'process'"
    """

    asker: str
    asks: str
    helper: str
    helps: str

    @property
    def played(self) -> Mapping[str, str]:
        """The two strategies, by the players' names."""
        return {self.asker: self.asks, self.helper: self.helps}

    def words(self) -> str:
        """Return it as words."""
        return f"{self.asker!r} plays {self.asks!r} and {self.helper!r} plays {self.helps!r}"


def check_helps(game: Game, helps: Iterable[Help]) -> tuple[Help, ...]:
    """Return what counts as help, or say what does not fit the game."""
    listed = tuple(helps)
    if not listed:
        raise ParameterError("'helps' must say at least one pair of strategies that counts as help, got none.")
    for one in listed:
        if one.asker == one.helper:
            raise ParameterError(f"'helps': {one.asker!r} must be helped by somebody else.")
        for player, strategy in one.played.items():
            game.strategy(player, strategy)
    return listed


def read_helps(path: str | Path) -> tuple[Help, ...]:
    """Return what a game's file says of help; nothing where it is silent.

    Raises
    ------
    ParameterError
        When an entry has not the four names ``asker``, ``asks``, ``helper`` and ``helps``.
    """
    return helps_of(read_game_file(path))


def helps_of(found: Mapping[str, Any]) -> tuple[Help, ...]:
    """Return what the values of a game's file say of help."""
    listed = found.get("help", [])
    if not isinstance(listed, list):
        raise ParameterError("A game's file: 'help' must be a list of entries.")
    for one in listed:
        if not isinstance(one, dict) or set(one) != set(_FIELDS) or not all(isinstance(v, str) for v in one.values()):
            raise ParameterError(f"A game's file: each entry of 'help' must have the texts {', '.join(_FIELDS)}.")
    return tuple(Help(**one) for one in listed)
