"""Games with loops over profiles and dictionaries: what every definition says, word by word."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping

import numpy as np
from scipy.optimize import linprog

from tacita.games.model.game import Game

__all__ = [
    "advice_gain",
    "best_correlated",
    "coprivate_pairs",
    "dominated_by_one",
    "equal_support_equilibria",
    "expected",
    "pareto",
    "profiles",
    "pure_nash",
]

Place = tuple[int, ...]


def profiles(game: Game) -> list[Place]:
    return list(itertools.product(*(range(m) for m in game.shape)))


def u(game: Game, i: int, s: Place) -> float:
    return float(game.utilities[(i, *s)])


def changed(s: Place, i: int, t: int) -> Place:
    return (*s[:i], t, *s[i + 1 :])


def is_best(game: Game, i: int, s: Place) -> bool:
    return all(u(game, i, s) >= u(game, i, changed(s, i, t)) for t in range(game.shape[i]))


def pure_nash(game: Game) -> set[Place]:
    return {s for s in profiles(game) if all(is_best(game, i, s) for i in range(game.size))}


def pareto(game: Game) -> set[Place]:
    def beats(s: Place, t: Place) -> bool:
        pairs = [(u(game, i, s), u(game, i, t)) for i in range(game.size)]
        return all(a >= b for a, b in pairs) and any(a > b for a, b in pairs)

    return {t for t in profiles(game) if not any(beats(s, t) for s in profiles(game))}


def dominated_by_one(game: Game, i: int, a: int, b: int, *, strict: bool) -> bool:
    """Whether strategy a of player i dominates b."""
    pairs = [(u(game, i, changed(s, i, a)), u(game, i, changed(s, i, b))) for s in profiles(game)]
    if strict:
        return all(x > y for x, y in pairs)
    return all(x >= y for x, y in pairs) and any(x > y for x, y in pairs)


def expected(game: Game, i: int, p: Mapping[Place, float]) -> float:
    return sum(share * u(game, i, s) for s, share in p.items())


def advice_gain(game: Game, i: int, p: Mapping[Place, float]) -> float:
    """The best of all functions that rewrite advice, tried one by one."""
    stays = expected(game, i, p)
    m = game.shape[i]
    rewritings = itertools.product(range(m), repeat=m)
    return max(sum(share * u(game, i, changed(s, i, f[s[i]])) for s, share in p.items()) - stays for f in rewritings)


def best_correlated(game: Game, wish: np.ndarray, epsilon: float = 0.0) -> float:
    """The largest mean of a wish, with one row for every function that rewrites a player's advice."""
    rows = []
    for i in range(game.size):
        for f in itertools.product(range(game.shape[i]), repeat=game.shape[i]):
            rows.append([u(game, i, changed(s, i, f[s[i]])) - u(game, i, s) for s in profiles(game)])
    n = game.profiles
    found = linprog(-wish.reshape(-1), A_ub=rows, b_ub=[epsilon] * len(rows), A_eq=np.ones((1, n)), b_eq=[1.0])
    return -float(found.fun)


def coprivate_pairs(game: Game, askers: Mapping[int, int], helpers: Mapping[int, int], asker: int) -> Iterator[int]:
    """Helpers k of an equilibrium in which the asker plays askers[k] and k plays helpers[k]."""
    for k in helpers:
        if any(s[asker] == askers[k] and s[k] == helpers[k] for s in pure_nash(game)):
            yield k


def equal_support_equilibria(game: Game) -> set[tuple[float, ...]]:
    """All equilibria of two players in a game without ties: both mix over as many strategies."""
    a, b = game.utilities
    m, n = a.shape
    found = set()
    for k in range(1, min(m, n) + 1):
        for rows in itertools.combinations(range(m), k):
            for columns in itertools.combinations(range(n), k):
                x, y = np.zeros(m), np.zeros(n)
                for mixture, own, worth in (
                    (y, columns, a[np.ix_(rows, columns)]),
                    (x, rows, b[np.ix_(rows, columns)].T),
                ):
                    system = np.block([[worth, -np.ones((k, 1))], [np.ones((1, k)), np.zeros((1, 1))]])
                    try:
                        mixture[list(own)] = np.linalg.solve(system, np.append(np.zeros(k), 1.0))[:k]
                    except np.linalg.LinAlgError:
                        mixture[:] = -1.0
                is_inside = (x >= 0).all() and (y >= 0).all()
                if is_inside and (a @ y).max() <= x @ a @ y + 1e-9 and (x @ b).max() <= x @ b @ y + 1e-9:
                    found.add((*x.round(6).tolist(), *y.round(6).tolist()))
    return {tuple(value + 0.0 for value in one) for one in found}
