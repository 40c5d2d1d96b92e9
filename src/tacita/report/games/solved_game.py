"""The page of a solved game: dominance, equilibria, coprivacy and who helps whom, with utilities and payoffs as pictures."""

from __future__ import annotations

from collections.abc import Sequence
from importlib.resources import files

import numpy as np

from tacita._version import __version__
from tacita.games.equilibria.equilibrium import Equilibrium
from tacita.games.equilibria.payoff_region import correlated_payoffs, feasible_payoffs
from tacita.games.model.game import Game
from tacita.games.solved import SolvedGame
from tacita.report.games.payoff_figures import payoff_plane, payoff_table, worth_lines
from tacita.report.markup import Content, Html, html_table, page, tag
from tacita.report.render import svg_inline, unchecked

__all__ = ["equilibrium_rows", "solved_game_page"]

MOST_IN_TABLE = 10
"""Strategies of a player in the picture of utilities, and equilibria in that of more players."""
MOST_PROFILES = 400
"""Profiles of a game for which linear models draw the polygon of correlated equilibria."""
MOST_PLAYERS = 8
"""Players of whom the table of equilibria has a column each."""


def solved_game_page(solved: SolvedGame) -> str:
    """Write a page on a game that opens without a network. The same input gives the same text."""
    css = files("tacita.report").joinpath("report.css").read_text(encoding="utf-8")
    title = solved.game.name or "A game"
    with unchecked():
        chapters = [_dominance(solved), _equilibria(solved), _pictures(solved), _coprivacy(solved), _notes(solved)]
    body = tag(
        "main",
        tag("h1", title),
        tag("p", _about(solved.game)),
        *(tag("section", *parts, class_="chapter") for parts in chapters if parts),
        tag("footer", tag("p", f"Tacita {__version__}. The same input gives the same page, byte for byte.")),
    )
    return page(title, css, body)


def equilibrium_rows(solved: SolvedGame) -> tuple[tuple[str, ...], list[tuple[str, ...]]]:
    """Return heads and rows of the table of equilibria: what is played, its worth to each player, and the largest gain."""
    players = solved.game.players[:MOST_PLAYERS]
    heads = ("equilibrium", "played", *(f"worth to {player}" for player in players), "gain of a deviation")
    rows = []
    for name, one in named_equilibria(solved):
        worth = one.utilities
        rows.append((name, one.words(), *(f"{worth[player]:.4g}" for player in players), f"{one.gain:.1e}"))
    return heads, rows


def named_equilibria(solved: SolvedGame) -> list[tuple[str, Equilibrium]]:
    """Return the equilibria with their names: ``pure 1``, ``mixed 1``, ``correlated``."""
    counts: dict[str, int] = {}
    named = []
    for one in solved.equilibria:
        counts[one.kind] = counts.get(one.kind, 0) + 1
        named.append((one.kind if one.kind == "correlated" else f"{one.kind} {counts[one.kind]}", one))
    return named


def _about(game: Game) -> str:
    sizes = ", ".join(f"{player}: {size}" for player, size in list(zip(game.players, game.shape, strict=True))[:12])
    more = f", and {game.size - 12} more players" if game.size > 12 else ""
    return f"{game.size} players with {game.profiles:,} profiles. Strategies of each: {sizes}{more}."


def _dominance(solved: SolvedGame) -> list[Content]:
    fallen = solved.eliminated.fallen
    rows = [
        (player, ", ".join(own) or "none", ", ".join(left))
        for player, own, left in zip(
            solved.dominant, solved.dominant.values(), solved.eliminated.game.strategies, strict=True
        )
    ]
    said = "One profile alone is left." if solved.eliminated.is_solved else ""
    return [
        tag("h2", "Dominance"),
        html_table("Strategies", ("Player", "Best whatever the others do", "Left by strict dominance"), rows),
        *(tag("p", one.words()) for one in fallen[:50]),
        *([tag("p", f"And {len(fallen) - 50} more.")] if len(fallen) > 50 else []),
        *([tag("p", said)] if said else []),
    ]


def _equilibria(solved: SolvedGame) -> list[Content]:
    heads, rows = equilibrium_rows(solved)
    numbers = list(range(2, len(heads)))
    said = []
    if solved.correlated is not None and solved.correlated_is_best:
        by = "nobody gains" if solved.epsilon == 0 else f"nobody gains more than {solved.epsilon:g}"
        said.append(
            f"The correlated equilibrium is the best by '{solved.best}' welfare in which {by} by leaving the advice."
        )
    if solved.pure_count == 0:
        said.append("There is no pure equilibrium.")
    if solved.mixed is not None and solved.mixed.is_complete:
        said.append("All mixed equilibria are these, or lie between them.")
    return [
        tag("h2", "Equilibria"),
        html_table("Each was checked against every deviation", heads, rows, numbers=numbers),
        *(tag("p", text) for text in said),
    ]


def _pictures(solved: SolvedGame) -> list[Content]:
    game = solved.game
    choosing = [i for i, size in enumerate(game.shape) if size > 1]
    found: list[Content] = []
    if game.size > 1 and len(choosing) <= 2:
        if max(game.shape) <= MOST_IN_TABLE:
            found.append(
                _figure(
                    payoff_table(game, solved.equilibria), "utilities",
                    "Utilities: of the player of the rows below left, of the columns above right. Bold: a best response. Blue "
                    "ground: a pure equilibrium. p: how often the correlated equilibrium draws the profile.",
                )
            )  # fmt: skip
        if game.profiles <= MOST_PROFILES:
            found.append(_plane(solved, choosing))
    elif solved.equilibria:
        shown = [*named_equilibria(solved)[:MOST_IN_TABLE], *named_equilibria(solved)[MOST_IN_TABLE:][-1:]]
        if game.size <= 3 * MOST_PLAYERS:
            found.append(_figure(worth_lines(shown), "worth", "What equilibria are worth to each player."))
    return [tag("h2", "Pictures"), *found] if found else []


def _plane(solved: SolvedGame, choosing: Sequence[int]) -> Html:
    game = solved.game
    rest = [i for i in range(game.size) if i not in choosing]
    first, second = sorted([*choosing, *rest][:2])
    players = game.players[first], game.players[second]
    feasible, reached = feasible_payoffs(game, players), correlated_payoffs(game, players, epsilon=solved.epsilon)
    share = 100 * _area(reached) / _area(feasible) if _area(feasible) > 0 else 0.0
    told = f" (gains up to {solved.epsilon:g} are let go)" if solved.epsilon else ""
    return _figure(
        payoff_plane(game, solved.equilibria, feasible, reached, players), "payoffs",
        f"What the two can get. Grey: all payoffs, with the profiles as small points. Blue: those of correlated "
        f"equilibria{told}, {share:.0f} % of the area.",
    )  # fmt: skip


def _area(corners: np.ndarray) -> float:
    """Of a polygon, by the shoelace formula."""
    x, y = corners.T
    return float(x @ np.roll(y, -1) - y @ np.roll(x, -1)) / 2


def _figure(chart: object, name: str, caption: str) -> Html:
    picture = Html(svg_inline(chart, name=name, describe=caption))
    return tag("figure", picture, tag("figcaption", caption), class_="wide")


def _coprivacy(solved: SolvedGame) -> list[Content]:
    if not solved.coprivacy:
        return []
    answers = {True: "yes", False: "no", None: "not decided"}
    rows = [
        (
            one.concept,
            answers[one.holds],
            "" if one.help is None else one.help.words(),
            "" if one.help is None else f"{one.probability:.3g}",
        )
        for one in solved.coprivacy
    ]
    told: list[Content] = []
    for one in solved.coprivacy:
        lines = one.words().splitlines()
        told += [tag("p", line.strip()) for line in lines[:30]]
    return [
        tag("h2", "Coprivacy"),
        html_table(
            "Is it in the helper's own interest to help?", ("Concept", "Coprivate", "Help", "Probability"), rows, numbers=[3]
        ),
        *told,
    ]  # fmt: skip


def _notes(solved: SolvedGame) -> list[Content]:
    return [tag("h2", "Notes"), *(tag("p", note) for note in solved.notes)] if solved.notes else []
