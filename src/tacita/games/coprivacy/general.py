"""Coprivacy by any concept, and general coprivacy: of utilities that weigh privacy with functionality and security."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from tacita.core.errors import ParameterError
from tacita.games.coprivacy.correlated import correlated_coprivacy
from tacita.games.coprivacy.finding import Concept, Coprivacy
from tacita.games.coprivacy.help import Help
from tacita.games.coprivacy.mixed import mixed_coprivacy
from tacita.games.coprivacy.pure import pure_coprivacy
from tacita.games.model.game import Game
from tacita.games.model.outcomes import combined_utility

__all__ = ["coprivacy", "general_coprivacy"]


def coprivacy(game: Game, helps: Iterable[Help], concept: Concept = "pure") -> Coprivacy:
    """Return whether a game is coprivate by a concept, with its defaults.

    Parameters
    ----------
    game, helps
        The game, and what counts as help.
    concept
        ``pure`` (Definition 1), ``mixed`` or ``correlated``.

    Examples
    --------
    >>> from tacita.games.classic import social_network
    >>> game, helps = social_network()
    >>> [coprivacy(game, helps, concept).holds for concept in ("pure", "mixed", "correlated")]
    [False, False, False]
    """
    if concept == "pure":
        return pure_coprivacy(game, helps)
    if concept == "mixed":
        return mixed_coprivacy(game, helps)
    if concept == "correlated":
        return correlated_coprivacy(game, helps)
    raise ParameterError(f"coprivacy: 'concept' must be 'pure', 'mixed' or 'correlated', got {concept!r}.")


def general_coprivacy(
    parts: Mapping[str, Game], weights: Mapping[str, float], helps: Iterable[Help], concept: Concept = "pure"
) -> Coprivacy:
    """Return whether players who weigh privacy with other things help each other.

    Parameters
    ----------
    parts
        Games of the same players and strategies: what profiles are worth as privacy, functionality, security.
    weights
        How much each part counts.
    helps, concept
        As in :func:`coprivacy`; mixed and correlated general coprivacy are the combinations of the paper.

    References
    ----------
    Domingo-Ferrer (2011), section 3, general coprivacy and its combinations.

    Examples
    --------
    >>> from tacita.games.coprivacy.request_game import request_game, request_helps
    >>> privacy = request_game([[3, -1]], [[1, 0]], alone=0)
    >>> load = request_game([[0, 0]], [[-1, 0]], alone=0)
    >>> parts = {"privacy": privacy, "functionality": load}
    >>> [general_coprivacy(parts, {"privacy": 1, "functionality": w}, request_helps(privacy)).holds for w in (0.5, 2)]
    [True, False]
    """
    return coprivacy(combined_utility(parts, weights), helps, concept)
