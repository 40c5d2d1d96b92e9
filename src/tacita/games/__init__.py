"""Co-operative games: whether players who each want their own privacy help each other, and what they end at.

In come finite games, as matrices, a function or a small file; out come equilibria, each checked, and coprivacy with what shows
it; simulations of search among peers, of social networks, of cars and of content; and peers for real. Read ``classic.py`` first,
then ``model/game.py`` and ``coprivacy/help.py``.
"""

from tacita.games import classic, oblivion, search, social, vehicles
from tacita.games.coprivacy.correlated import correlated_coprivacy
from tacita.games.coprivacy.delta import DeltaCoprivacy, delta_coprivacy
from tacita.games.coprivacy.finding import Coprivacy
from tacita.games.coprivacy.general import coprivacy, general_coprivacy
from tacita.games.coprivacy.help import Help, read_helps
from tacita.games.coprivacy.mixed import mixed_coprivacy
from tacita.games.coprivacy.pure import pure_coprivacy
from tacita.games.coprivacy.request_game import request_game, request_helps, request_strategies
from tacita.games.equilibria.best_nash import best_equilibrium, likeliest_equilibrium
from tacita.games.equilibria.correlated import correlated_equilibrium
from tacita.games.equilibria.deviation_gains import advice_gains, coarse_gains, mixture_gains
from tacita.games.equilibria.equilibrium import Equilibrium, of_distribution, of_mixtures
from tacita.games.equilibria.many_players import NashEquilibria, mixed_equilibria
from tacita.games.equilibria.payoff_region import correlated_payoffs, feasible_payoffs
from tacita.games.equilibria.pure import pure_equilibria, pure_profiles
from tacita.games.equilibria.regret_matching import regret_matching
from tacita.games.equilibria.two_players import extreme_equilibria
from tacita.games.model.boundaries import bounded_game
from tacita.games.model.dominance import (
    Eliminated,
    Fallen,
    dominant_strategies,
    dominates,
    eliminate,
    mixed_dominance,
)
from tacita.games.model.game import Game
from tacita.games.model.game_file import read_game
from tacita.games.model.outcomes import combined_utility, pareto_optimal, welfare
from tacita.games.solved import SolvedGame, solve_game

__all__ = [
    "Coprivacy",
    "DeltaCoprivacy",
    "Eliminated",
    "Equilibrium",
    "Fallen",
    "Game",
    "Help",
    "NashEquilibria",
    "SolvedGame",
    "advice_gains",
    "best_equilibrium",
    "bounded_game",
    "classic",
    "coarse_gains",
    "combined_utility",
    "coprivacy",
    "correlated_coprivacy",
    "correlated_equilibrium",
    "correlated_payoffs",
    "delta_coprivacy",
    "dominant_strategies",
    "dominates",
    "eliminate",
    "extreme_equilibria",
    "feasible_payoffs",
    "general_coprivacy",
    "likeliest_equilibrium",
    "mixed_coprivacy",
    "mixed_dominance",
    "mixed_equilibria",
    "mixture_gains",
    "oblivion",
    "of_distribution",
    "of_mixtures",
    "pareto_optimal",
    "pure_coprivacy",
    "pure_equilibria",
    "pure_profiles",
    "read_game",
    "read_helps",
    "regret_matching",
    "request_game",
    "request_helps",
    "request_strategies",
    "search",
    "social",
    "solve_game",
    "vehicles",
    "welfare",
]
