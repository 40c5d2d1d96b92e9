"""Pictures of one game: its table of utilities with equilibria marked, what two players can reach, what equilibria are worth."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import altair as alt
import numpy as np

from tacita.core.arrays import FloatArray
from tacita.games.equilibria.equilibrium import Equilibrium
from tacita.games.equilibria.two_players import two_choosers
from tacita.games.model.game import Game
from tacita.report.style import INK, ORIGINAL_EDGE, RELEASE, RELEASE_FILL, axis_labels, styled
from tacita.report.words import plain_text

__all__ = ["payoff_plane", "payoff_table", "worth_lines"]

SECOND = "#c2570c"
"""The player of the columns, far from the blue of the rows in hue and in lightness."""
_LONGEST = 24
_KINDS = ("pure equilibrium", "mixed equilibrium", "correlated equilibrium")
_SHAPES = ("circle", "diamond", "cross")
_COLOURS = (RELEASE, SECOND, INK)
_MOST_POINTS = 400


def payoff_table(game: Game, equilibria: Sequence[Equilibrium]) -> Any:
    """Draw the utilities of the two players with a choice: in each cell those of the rows below left, of the columns above right.

    Best responses are set in bold, pure equilibria have a blue ground, and a correlated equilibrium has its probabilities below.
    """
    first, second = two_choosers(game)
    rows, columns = (_labels(game.strategies[i]) for i in (first, second))
    is_pure = np.zeros((len(rows), len(columns)), np.bool_)
    drawn = np.zeros(is_pure.shape)
    for one in equilibria:
        table = _flat(game, one.distribution, first, second)
        if one.kind == "pure":
            is_pure |= table > 0.5
        elif one.kind in ("correlated", "coarse"):
            drawn = table
    values, best = zip(
        *((_flat(game, game.utilities[i], first, second), _flat(game, game.best_responses(i), first, second))
          for i in (first, second)), strict=True,
    )  # fmt: skip
    cells = [
        {
            "row": rows[r], "column": columns[c], "kind": "equilibrium" if is_pure[r, c] else "other",
            "own": f"{values[0][r, c]:.4g}", "theirs": f"{values[1][r, c]:.4g}",
            "own_weight": "bold" if best[0][r, c] else "normal", "theirs_weight": "bold" if best[1][r, c] else "normal",
            "drawn": f"p = {drawn[r, c]:.3g}" if drawn[r, c] > 5e-4 else "",
        }
        for r in range(len(rows))
        for c in range(len(columns))
    ]  # fmt: skip
    base = alt.Chart(alt.Data(values=cells)).encode(
        x=alt.X("column:N", sort=columns, axis=_heads(game.players[second], "top")),
        y=alt.Y("row:N", sort=rows, axis=_heads(game.players[first], "left")),
    )
    ground = base.mark_rect(stroke="#9aa1a7", strokeWidth=1).encode(
        color=alt.Color(
            "kind:N", scale=alt.Scale(domain=["equilibrium", "other"], range=[RELEASE_FILL, "#ffffff"]), legend=None
        )
    )
    layers = [ground]
    for field, colour, dx, dy in (("own", RELEASE, -26, 14), ("theirs", SECOND, 26, -14)):
        for weight in ("bold", "normal"):
            text = base.transform_filter(f"datum.{field}_weight === '{weight}'").mark_text(
                dx=dx, dy=dy, color=colour, fontSize=14, fontWeight=weight
            )
            layers.append(text.encode(text=f"{field}:N"))
    layers.append(base.mark_text(dx=26, dy=18, fontSize=10, color="#555d64").encode(text="drawn:N"))
    return styled(alt.layer(*layers).properties(width=110 * len(columns), height=76 * len(rows)))


def payoff_plane(
    game: Game,
    equilibria: Sequence[Equilibrium],
    feasible: FloatArray,
    correlated: FloatArray,
    players: tuple[str, str],
) -> Any:
    """Draw what two players can get: all payoffs in grey, those of correlated equilibria in blue, equilibria as points."""
    places = [game.player(player) for player in players]
    spots = [
        {"kind": f"{one.kind} equilibrium", **_spot(one.utilities[players[0]], one.utilities[players[1]])}
        for one in equilibria
    ]
    pairs = np.unique(np.stack([game.utilities[i].reshape(-1) for i in places], axis=1), axis=0)
    profiles = [_spot(*pair) for pair in pairs[:_MOST_POINTS].tolist()]
    layers: list[Any] = []
    for corners, fill, edge in ((feasible, "#eceeef", "#6b7278"), (correlated, RELEASE_FILL, RELEASE)):
        values = [{**_spot(*corner), "order": i} for i, corner in enumerate(corners.tolist())]
        layers.append(
            alt.Chart(alt.Data(values=values))
            .mark_line(interpolate="linear-closed", fill=fill, stroke=edge, strokeWidth=1.4)
            .encode(x=_axis("x", players[0]), y=_axis("y", players[1]), order="order:Q")
        )
    shown = [kind for kind in _KINDS if any(spot["kind"] == kind for spot in spots)]
    which = [_KINDS.index(kind) for kind in shown]
    where = {"x": _axis("x", players[0]), "y": _axis("y", players[1])}
    layers.append(
        alt.Chart(alt.Data(values=profiles)).mark_circle(size=26, color=ORIGINAL_EDGE, opacity=1).encode(**where)
    )
    layers.append(
        alt.Chart(alt.Data(values=spots[::-1]))
        .mark_point(filled=True, opacity=1, size=110, stroke="white", strokeWidth=0.8)
        .encode(
            **where,
            shape=alt.Shape("kind:N", sort=shown, scale=alt.Scale(domain=shown, range=[_SHAPES[i] for i in which]),
                            legend=alt.Legend(title=None, orient="top")),
            color=alt.Color("kind:N", sort=shown, scale=alt.Scale(domain=shown, range=[_COLOURS[i] for i in which]),
                            legend=alt.Legend(title=None, orient="top")),
        )
    )  # fmt: skip
    return styled(alt.layer(*layers).properties(width=380, height=320))


def worth_lines(equilibria: Sequence[tuple[str, Equilibrium]]) -> Any:
    """Draw what equilibria are worth to each player, one row for each player and one point for each equilibrium.

    Parameters
    ----------
    equilibria
        With the names under which they stand on the page.
    """
    names = [name for name, _ in equilibria]
    values = [
        {"equilibrium": name, "kind": f"{one.kind} equilibrium", "player": plain_text(player, _LONGEST), "worth": worth}
        for name, one in equilibria
        for player, worth in one.utilities.items()
    ]
    players = list(dict.fromkeys(entry["player"] for entry in values))
    shown = [kind for kind in _KINDS if any(entry["kind"] == kind for entry in values)]
    which = [_KINDS.index(kind) for kind in shown]
    points = alt.Chart(alt.Data(values=values)).mark_point(filled=True, opacity=0.85, size=80).encode(
        x=alt.X("worth:Q", scale=alt.Scale(zero=False), axis=alt.Axis(title="mean utility", **axis_labels())),
        y=alt.Y("player:N", sort=players, axis=alt.Axis(title=None, labelLimit=200)),
        yOffset=alt.YOffset("equilibrium:N", sort=names),
        shape=alt.Shape("kind:N", sort=shown, scale=alt.Scale(domain=shown, range=[_SHAPES[i] for i in which]),
                        legend=alt.Legend(title=None, orient="top")),
        color=alt.Color("kind:N", sort=shown, scale=alt.Scale(domain=shown, range=[_COLOURS[i] for i in which])),
    )  # fmt: skip
    return styled(points.properties(width=460, height=max(44, 7 * len(names)) * len(players)))


def _spot(x: float, y: float) -> dict[str, float]:
    return {"x": float(x), "y": float(y)}


def _axis(field: str, player: str) -> Any:
    make = alt.X if field == "x" else alt.Y
    title = f"utility of {plain_text(player, _LONGEST)}"
    return make(f"{field}:Q", scale=alt.Scale(zero=False, nice=True), axis=alt.Axis(title=title, **axis_labels()))


def _heads(player: str, orient: Any) -> Any:
    return alt.Axis(
        title=plain_text(player, _LONGEST), orient=orient, labelAngle=0, labelLimit=104, ticks=False, domain=False,
        labelFontSize=12, titleFontWeight="bold", titleColor=RELEASE if orient == "left" else SECOND,
    )  # fmt: skip


def _labels(names: Sequence[str]) -> list[str]:
    """Names short enough for an axis; equal beginnings get their number, so that no two are one."""
    cut = [plain_text(name, _LONGEST) for name in names]
    return [text if cut.count(text) == 1 else f"{i + 1}: {text}" for i, text in enumerate(cut)]


def _flat(game: Game, values: Any, first: int, second: int) -> Any:
    return np.moveaxis(values, (first, second), (0, 1)).reshape(game.shape[first], game.shape[second])
