"""Nash equilibria of random and degenerate games: our solvers beside those of nashpy and pygambit, each checked by deviations.

``games`` were asked, ``answered`` within a minute each (two players) or ten seconds. ``known`` are the equilibria that any of
the solvers lists and that are equilibria by the gain of every deviation, below 1e-6 of the range of the utilities; of two
players with ties the extreme ones, as pygambit finds them in exact fractions. ``missed`` of these are not in the list of a
solver (to 1e-4), ``false`` in its list are no equilibria. ``odd`` is the share of games without ties for which the list has
an odd number of entries, as Wilson's theorem asks of almost every game: an even list lacks one for certain. ``ms`` is
processor time for a game.

``random`` games have utilities between 0 and 1; ``ties`` whole ones below 3. With ties and three players there are continua, of
which a list has some points; there isolated equilibria are counted alone: the slopes of their conditions are regular, and no
unplayed strategy is as good as a played one.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from benchmarks.peers.equilibrium_solver import PeerSolvers, weight
from tacita.core.arrays import FloatArray
from tacita.games.equilibria.deviation_gains import mixture_gains
from tacita.games.equilibria.many_players import mixed_equilibria
from tacita.games.model.game import Game

__all__ = ["run"]

Listed = list[list[FloatArray]]
Solver = Callable[[Game], "tuple[float, Listed] | None"]
SETS: tuple[tuple[tuple[int, ...], int | None, int], ...] = (
    ((3, 3), None, 60), ((5, 5), None, 20), ((7, 7), None, 3), ((3, 3), 3, 60), ((4, 4), 3, 30), ((6, 6), 3, 5),
    ((2, 2, 2), None, 60), ((3, 3, 2), None, 30), ((3, 3, 3), None, 10), ((2, 2, 2, 2), None, 30), ((3, 2, 2, 2), None, 10),
    ((2, 2, 2), 3, 30), ((3, 3, 2), 3, 10), ((2, 2, 2, 2), 3, 10),
)  # fmt: skip
"""Strategies of each player, whole utilities below a number or none, and how many games."""
TWO = ("nashpy support_enumeration", "nashpy vertex_enumeration", "gambit enummixed", "gambit enummixed exact")
MORE = ("gambit enumpoly", "gambit gnm")
NEAR = 1e-4


def run(quick: bool) -> list[dict[str, Any]]:
    """Solve every set of games by every solver."""
    try:
        peers = PeerSolvers()
    except FileNotFoundError as error:
        return [{"case": str(error)}]
    rows: list[dict[str, Any]] = []
    try:
        for shape, most, count in SETS:
            solvers: dict[str, Solver] = {"ours": _ours}
            peers.most_seconds = 60.0 if len(shape) == 2 else 10.0
            for name in TWO if len(shape) == 2 else MORE:
                solvers[name] = _peer(peers, name)
            games = [_game(seed, shape, most) for seed in range(max(count // 10, 3) if quick else count)]
            rows += _compared(games, solvers, most is not None)
    finally:
        peers.close()
    sizes = ", ".join(f"{name} {weight(name):.1f} MB" for name in ("nashpy", "pygambit"))
    return [*rows, {"case": f"installed: {sizes}"}]


def _peer(peers: PeerSolvers, name: str) -> Solver:
    return lambda game: peers(name, game)


def _game(seed: int, shape: tuple[int, ...], most: int | None) -> Game:
    rng = np.random.default_rng(seed)
    size = (len(shape), *shape)
    return Game.from_matrices(*(rng.random(size) if most is None else rng.integers(0, most, size)))


def _ours(game: Game) -> tuple[float, Listed]:
    start = time.process_time()
    found = mixed_equilibria(game).found
    return time.process_time() - start, [list(one.mixtures) for one in found]


def _compared(games: Sequence[Game], solvers: dict[str, Solver], has_ties: bool) -> list[dict[str, Any]]:
    totals = {name: {"answered": 0, "missed": 0, "false": 0, "odd": 0, "seconds": 0.0, "known": 0} for name in solvers}
    for game in games:
        answers = {name: solve(game) for name, solve in solvers.items()}
        right = {name: _right(game, answer[1]) for name, answer in answers.items() if answer is not None}
        known = _known(game, right, has_ties)
        for name, answer in answers.items():
            if answer is None:
                continue
            total, listed = totals[name], _different([_flat(one) for one in answer[1]])
            total["answered"] += 1
            total["seconds"] += answer[0]
            total["known"] += len(known)
            total["false"] += len(answer[1]) - len(right[name])
            total["missed"] += sum(not _has(listed, point) for point in known)
            total["odd"] += len(listed) % 2
    shape = " x ".join(map(str, games[0].shape))
    rows = []
    for name, total in totals.items():
        answered = max(total["answered"], 1)
        rows.append(
            {
                "case": f"{shape} {'ties' if has_ties else 'random'}", "solver": name, "games": len(games),
                "answered": total["answered"], "known": total["known"], "missed": total["missed"], "false": total["false"],
                **({} if has_ties else {"odd %": 100 * total["odd"] / answered}), "ms": 1000 * total["seconds"] / answered,
            }
        )  # fmt: skip
    return rows


def _right(game: Game, listed: Listed) -> list[FloatArray]:
    """What is listed and is an equilibrium."""
    scale = np.ptp(game.utilities.reshape(game.size, -1), axis=1)
    return [
        _flat(one)
        for one in listed
        if all(abs(float(x.sum()) - 1) < 1e-6 and float(x.min()) > -1e-9 for x in one)
        and (mixture_gains(game, one) <= 1e-6 * np.maximum(scale, 1e-9)).all()
    ]


def _known(game: Game, right: dict[str, list[FloatArray]], has_ties: bool) -> list[FloatArray]:
    """The equilibria that a list should have."""
    if has_ties and game.size == 2:
        return _different(right.get("gambit enummixed exact", right["ours"]))
    every = _different([point for own in right.values() for point in own])
    return [point for point in every if _is_isolated(game, point)] if has_ties else every


def _is_isolated(game: Game, point: FloatArray) -> bool:
    """Whether the conditions on the support have regular slopes, and unplayed strategies are worse by 1e-6."""
    mixtures = np.split(point, np.cumsum(game.shape)[:-1])
    supports = [np.flatnonzero(x > 1e-7) for x in mixtures]
    ends = np.cumsum([0, *map(len, supports)])
    n, k = game.size, int(ends[-1]) + game.size
    slopes = np.zeros((k, k))
    for i in range(n):
        worth = _mean(game.utilities[i], mixtures, (i,))
        best = worth[supports[i]].max()
        if (np.delete(worth, supports[i]) > best - 1e-6).any():
            return False
        own = slice(ends[i], ends[i + 1])
        slopes[own, ends[-1] + i], slopes[ends[-1] + i, own] = -1.0, 1.0
        for j in range(n):
            if j != i:
                pair = _mean(game.utilities[i], mixtures, (i, j))
                slopes[own, ends[j] : ends[j + 1]] = pair[np.ix_(supports[i], supports[j])]
    return bool(np.linalg.svd(slopes, compute_uv=False)[-1] > 1e-6)


def _mean(tensor: FloatArray, mixtures: Sequence[FloatArray], kept: tuple[int, ...]) -> FloatArray:
    """A tensor in the mean over the players that are not kept; the kept ones in their order."""
    for j in reversed(range(len(mixtures))):
        if j not in kept:
            tensor = np.tensordot(tensor, mixtures[j], axes=(j, 0))
    return tensor if len(kept) == 1 or kept[0] < kept[1] else tensor.T


def _flat(mixtures: Sequence[FloatArray]) -> FloatArray:
    return np.concatenate([np.asarray(x, np.float64) for x in mixtures])


def _different(points: Sequence[FloatArray]) -> list[FloatArray]:
    kept: list[FloatArray] = []
    for point in points:
        if not _has(kept, point):
            kept.append(point)
    return kept


def _has(points: Sequence[FloatArray], point: FloatArray) -> bool:
    return any(float(np.abs(other - point).max()) < NEAR for other in points)
