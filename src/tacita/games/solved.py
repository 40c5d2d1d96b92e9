"""All that is asked of one game at once: dominance, equilibria of each kind, and coprivacy, within limits that always end."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from tacita.core.errors import ParameterError
from tacita.core.progress import task
from tacita.core.streams import Seed
from tacita.games.coprivacy.correlated import correlated_coprivacy
from tacita.games.coprivacy.finding import Concept, Coprivacy
from tacita.games.coprivacy.help import Help, check_helps
from tacita.games.coprivacy.mixed import mixed_coprivacy
from tacita.games.coprivacy.pure import pure_coprivacy
from tacita.games.equilibria.correlated import correlated_equilibrium
from tacita.games.equilibria.equilibrium import Equilibrium
from tacita.games.equilibria.many_players import NashEquilibria, mixed_equilibria
from tacita.games.equilibria.pure import pure_equilibria, pure_profiles
from tacita.games.equilibria.regret_matching import regret_matching
from tacita.games.model.dominance import Eliminated, dominant_strategies, eliminate
from tacita.games.model.game import Game
from tacita.games.model.outcomes import Welfare, welfare

__all__ = ["CONCEPTS", "SolvedGame", "solve_game"]

CONCEPTS: tuple[Concept, ...] = ("pure", "mixed", "correlated")
MOST_ENTRIES = 2_000_000
"""Numbers in the linear model of correlated equilibria; beyond, regret matching comes near to one."""
MOST_STRATEGIES = 32
"""Strategies of two players together, up to which a whole model decides mixed coprivacy."""
MOST_SHOWN = 100
"""Pure equilibria of which a distribution is made; all are counted."""
MOST_OF_A_PLAYER = 1000
"""Strategies of one player: dominance compares each with each."""
MOST_HELPS = 1000
_MIXTURES_UP_TO, _FEW_PLAYS = 20_000, 300
_MOST_MODELS = 40_000


@dataclass(frozen=True, eq=False, kw_only=True)
class SolvedGame:
    """A game with what rational players may end at.

    Parameters
    ----------
    game, helps
        The game, and what counts as help in it.
    best, epsilon
        By which welfare the correlated equilibrium is best, and how much a player may gain by deviating from it.
    eliminated
        What fell by strict dominance, by one strategy or a mixture of several, and what is left.
    dominant
        For each player the strategies that are best whatever the others do.
    pure, pure_count
        Pure equilibria, at most a hundred of them, and how many there are; None where nobody asked.
    mixed
        Nash equilibria in mixed strategies; None where nobody asked, or the game is too large.
    correlated, correlated_is_best
        A correlated equilibrium, and whether it is the best one; what regret matching finds in a large game need not be.
        None where nobody asked.
    coprivacy
        An answer for each concept; empty where nothing counts as help.
    notes
        What was left out and why, one sentence each.
    """

    game: Game
    helps: tuple[Help, ...]
    best: Welfare
    epsilon: float
    eliminated: Eliminated
    dominant: Mapping[str, tuple[str, ...]]
    pure: tuple[Equilibrium, ...] | None
    pure_count: int | None
    mixed: NashEquilibria | None
    correlated: Equilibrium | None
    coprivacy: tuple[Coprivacy, ...]
    correlated_is_best: bool = True
    notes: tuple[str, ...] = ()

    @property
    def equilibria(self) -> tuple[Equilibrium, ...]:
        """All that were found: pure ones, mixed ones that are not pure, and the correlated one."""
        drawn = () if self.mixed is None else tuple(one for one in self.mixed.found if one.kind != "pure")
        last = () if self.correlated is None else (self.correlated,)
        return (*(self.pure or ()), *drawn, *last)

    def as_plain(self) -> dict[str, Any]:
        """Return it ready for JSON."""
        game, fallen = self.game, self.eliminated.fallen
        return {
            "name": game.name,
            "players": list(game.players),
            "strategies": {player: list(own) for player, own in zip(game.players, game.strategies, strict=True)},
            "profiles": game.profiles,
            "dominance": {
                "dominant": {player: list(own) for player, own in self.dominant.items()},
                "fallen": [
                    {"round": one.round, "player": one.player, "strategy": one.strategy, "by": dict(one.by)}
                    for one in fallen
                ],
                "left": {p: list(own) for p, own in zip(game.players, self.eliminated.game.strategies, strict=True)},
            },
            "pure": None
            if self.pure is None
            else {"count": self.pure_count, "found": [one.as_plain() for one in self.pure]},
            "mixed": None
            if self.mixed is None
            else {"is_complete": self.mixed.is_complete, "found": [one.as_plain() for one in self.mixed.found]},
            "correlated": None
            if self.correlated is None
            else {
                "best": self.best,
                "is_best": self.correlated_is_best,
                "epsilon": self.epsilon,
                **self.correlated.as_plain(),
            },
            "coprivacy": {one.concept: one.as_plain() for one in self.coprivacy},
            "notes": list(self.notes),
        }


def solve_game(
    game: Game,
    helps: Iterable[Help] = (),
    *,
    concepts: Sequence[Concept] = CONCEPTS,
    best: Welfare = "utilitarian",
    epsilon: float = 0.0,
    seed: Seed = 1,
) -> SolvedGame:
    """Return dominance, equilibria and coprivacy of a game.

    Parameters
    ----------
    game
        The game.
    helps
        Pairs of strategies that count as help; without them coprivacy is not asked.
    concepts
        Which equilibria are looked for, and for which of them coprivacy is judged.
    best
        The welfare of the correlated equilibrium: ``utilitarian``, ``egalitarian`` or the name of a player.
    epsilon
        How much each player may gain by deviating from correlated advice; also for correlated coprivacy.
    seed
        Repeats the searches that draw.

    Notes
    -----
    Where a game is too large for an exact answer, a note says so and the rest is still there: mixed equilibria are left out, and
    a correlated one is come near to by regret matching.

    Examples
    --------
    >>> from tacita.games.classic import social_network
    >>> found = solve_game(*social_network())
    >>> found.pure_count, found.dominant["User 1"], [one.holds for one in found.coprivacy]
    (3, ('H',), [False, False, False])
    """
    unknown = [concept for concept in concepts if concept not in CONCEPTS]
    if unknown or not concepts:
        raise ParameterError(f"solve_game: 'concepts' must be some of {', '.join(CONCEPTS)}.")
    listed = tuple(dict.fromkeys(helps))
    if listed:
        check_helps(game, listed)
    if len(listed) > MOST_HELPS or max(game.shape) > MOST_OF_A_PLAYER:
        raise ParameterError(
            f"solve_game: there must be at most {MOST_OF_A_PLAYER} strategies of a player and {MOST_HELPS} pairs that count as "
            f"help, got {max(game.shape):,} and {len(listed):,}."
        )
    welfare(game, best)  # an unknown one is refused before anything is computed
    notes: list[str] = []
    with task("solving", 2 + 2 * len(concepts)) as running:
        eliminated = eliminate(game, by_mixtures=game.profiles <= _MIXTURES_UP_TO)
        dominant = {player: dominant_strategies(game, player) for player in game.players}
        running.advance(2)
        pure, count = _pure(game, notes) if "pure" in concepts else (None, None)
        mixed = _mixed(game, seed, notes) if "mixed" in concepts else None
        correlated = _correlated(game, best, epsilon, seed, notes) if "correlated" in concepts else None
        running.advance(len(concepts))
        judged = []
        for concept in CONCEPTS:
            if concept in concepts:
                one = _coprivacy(game, listed, concept, epsilon, seed, notes) if listed else None
                judged += [] if one is None else [one]
                running.advance()
    return SolvedGame(
        game=game,
        helps=listed,
        best=best,
        epsilon=epsilon,
        eliminated=eliminated,
        dominant=dominant,
        pure=pure,
        pure_count=count,
        mixed=mixed,
        correlated=correlated,
        coprivacy=tuple(judged),
        correlated_is_best=_entries(game) <= MOST_ENTRIES,
        notes=tuple(notes),
    )


def _pure(game: Game, notes: list[str]) -> tuple[tuple[Equilibrium, ...], int]:
    count = int(pure_profiles(game).sum())
    found = pure_equilibria(game, most=MOST_SHOWN)
    if len(found) < count:
        notes.append(f"Of {count:,} pure equilibria the first {len(found)} are shown.")
    return found, count


def _mixed(game: Game, seed: Seed, notes: list[str]) -> NashEquilibria | None:
    try:
        found = mixed_equilibria(game, seed=seed)
    except ParameterError as error:  # the game is too large; nothing else can be wrong with it here
        notes.append(f"Mixed equilibria were not looked for. {error}")
        return None
    if not found.is_complete:
        notes.append(
            "With three or more players who have a choice, there may be mixed equilibria that the search has not met."
        )
    return found


def _correlated(game: Game, best: Welfare, epsilon: float, seed: Seed, notes: list[str]) -> Equilibrium:
    if _entries(game) <= MOST_ENTRIES:
        return correlated_equilibrium(game, best, epsilon=epsilon)
    found = regret_matching(game, rounds=500, plays=32 if max(game.shape) <= _FEW_PLAYS else 4, seed=seed)
    notes.append(
        f"The linear model of correlated equilibria would have {_entries(game):,} numbers, more than {MOST_ENTRIES:,}: "
        f"regret matching came to a gain of {found.gain:.3g} instead, and no welfare was looked at."
    )
    return found


def _coprivacy(
    game: Game, helps: Sequence[Help], concept: Concept, epsilon: float, seed: Seed, notes: list[str]
) -> Coprivacy | None:
    choosing = [size for size in game.shape if size > 1]
    by_model = concept == "correlated" or (concept == "mixed" and len(choosing) > 2)
    pairs = len(choosing) <= 2 and (sum(choosing) > MOST_STRATEGIES or sum(choosing) ** 2 * len(helps) > _MOST_MODELS)
    if (by_model and _entries(game) * len(helps) > 4 * MOST_ENTRIES) or (concept == "mixed" and pairs):
        notes.append(f"{concept.capitalize()} coprivacy was not judged: the game is too large for its model.")
        return None
    if concept == "pure":
        return pure_coprivacy(game, helps)
    if concept == "mixed":
        return mixed_coprivacy(game, helps, seed=seed)
    return correlated_coprivacy(game, helps, epsilon=epsilon)


def _entries(game: Game) -> int:
    """Numbers in the conditions of a correlated equilibrium: ``sum_i (m_i - 1)`` for each profile."""
    return game.profiles * sum(size - 1 for size in game.shape)
