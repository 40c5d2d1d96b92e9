"""The study ``delta-coprivacy``: how likely help is in the helper's own interest, by what peers, leaks and costs are like."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from statistics import NormalDist
from typing import Any

import numpy as np

from tacita.core.progress import track
from tacita.core.streams import Seed, Streams
from tacita.games.coprivacy.correlated import correlated_coprivacy
from tacita.games.coprivacy.mixed import mixed_coprivacy
from tacita.games.coprivacy.pure import pure_coprivacy
from tacita.games.coprivacy.request_game import request_helps
from tacita.numeric.statistics.shares import intervals_of_shares
from tacita.study.base import StudyFinding, StudyOptions, StudyResult, StudyTable, study
from tacita.study.games.free_games import FreeRow, free_rows
from tacita.study.games.pages import write_delta_coprivacy
from tacita.study.games.request_model import Reading, RequestModel

__all__ = ["CURVES", "Curve", "CurvePoint", "agreeing_answers", "curve_points", "study_of_delta_coprivacy"]

FARTHEST = 4.5
"""Standard errors that none of the drawn shares may be away from its closed form: of 200 points, once in 700 runs."""
_AGREEING = 40
_LEVEL_95 = NormalDist().inv_cdf(0.975)


@dataclass(frozen=True, kw_only=True)
class Curve:
    """One picture of the study: a parameter that changes, and the series beside each other.

    Parameters
    ----------
    name, title, caption
        Of the picture, of its abscissa, and what it shows.
    field, values
        Which parameter of the model changes, and through what.
    series
        For each line its name, its model and its reading.
    """

    name: str
    title: str
    caption: str
    field: str
    values: tuple[float, ...]
    series: tuple[tuple[str, RequestModel, Reading], ...]


@dataclass(frozen=True, kw_only=True)
class CurvePoint:
    """A drawn share with its interval, beside the closed form."""

    curve: str
    series: str
    x: float
    exact: float
    share: float
    low: float
    high: float
    errors: float


def _of_peers(**given: float) -> tuple[tuple[str, RequestModel, Reading], ...]:
    return tuple((f"N = {n}", RequestModel(peers=n, **given), "best") for n in (2, 5, 20))


_READINGS: tuple[tuple[str, Reading], ...] = (("others may reject", "best"), ("whatever others do", "every"))
CURVES = (
    Curve(
        name="peers", title="peers N", field="peers", values=(2, 3, 5, 8, 12, 20, 50),
        caption="With more peers coprivacy becomes certain where one peer alone is no loss to both.",
        series=tuple((f"correlation {r:g}", RequestModel(correlation=r), "best") for r in (-0.8, -0.4, 0.0, 0.6)),
    ),
    Curve(
        name="correlation", title="correlation of the asker's and the helper's utility", field="correlation",
        values=(-1, -0.8, -0.5, -0.2, 0, 0.2, 0.5, 0.8, 1),
        caption="Five peers. Whoever is of most use must also be the one who gains by helping.",
        series=tuple((name, RequestModel(), reading) for name, reading in _READINGS),
    ),
    Curve(
        name="cost", title="cost of helping", field="cost", values=(-1, -0.5, 0, 0.5, 1, 1.5, 2, 3),
        caption="A cost is paid by the peers with the largest gain; among many there is one.", series=_of_peers(),
    ),
    Curve(
        name="outside", title="worth of asking the system alone", field="outside", values=(-2, -1, 0, 0.5, 1, 1.5, 2, 3),
        caption="A good outside option ends coprivacy: P1 needs nobody.", series=_of_peers(),
    ),
    Curve(
        name="spread", title="spread of what was leaked before", field="spread", values=(0, 0.5, 1, 1.5, 2, 3, 4),
        caption="Five peers, help costs 1, and the system is worth 1: unequal leaks make pairs who need each other.",
        series=tuple((f"correlation {r:g}", RequestModel(correlation=r, cost=1, outside=1), "best") for r in (-0.6, 0.0, 0.6)),
    ),
    Curve(
        name="willing", title="largest probability of processing (boundary condition)", field="willing",
        values=(0.2, 0.3, 0.4, 0.5, 0.6, 0.8, 1),
        caption="Mixed coprivacy within boundaries: who may be rejected by chance asks the system sooner.", series=_of_peers(),
    ),
)  # fmt: skip


def curve_points(draws: int, seed: Seed) -> list[CurvePoint]:
    """Return a point of each curve: games drawn by the thousand, judged by their inequalities."""
    streams = Streams(seed)
    points = []
    for curve in track(CURVES, "drawing games"):
        for name, model, reading in curve.series:
            for value in curve.values:
                given: dict[str, Any] = {curve.field: int(value) if curve.field == "peers" else float(value)}
                changed = replace(model, **given)
                rng = streams.stream("delta_coprivacy_study", curve.name, name, f"{value:g}")
                share = float(changed.is_coprivate(*changed.draw(draws, rng), reading).mean())
                exact = changed.probability(reading)
                low, high = intervals_of_shares(np.array([share]), draws, _LEVEL_95)
                spread = math.sqrt(max(exact * (1 - exact), 0.0) / draws)
                errors = (
                    abs(share - exact) / spread if spread > 1e-9 else (0.0 if abs(share - exact) < 1e-6 else math.inf)
                )
                points.append(
                    CurvePoint(
                        curve=curve.name, series=name, x=float(value), exact=exact, share=share, low=float(low[0]),
                        high=float(high[0]), errors=errors,
                    )
                )  # fmt: skip
    return points


def agreeing_answers(games: int, seed: Seed) -> tuple[int, int]:
    """Return how many answers were asked of the predicates about whole games, and how many agree with the inequalities."""
    rng = Streams(seed).stream("delta_coprivacy_study", "agreement")
    asked = agreeing = 0
    for number in range(games):
        model = RequestModel(
            peers=2 + number % 3,
            correlation=float(rng.uniform(-1, 1)),
            cost=float(rng.normal()),
            spread=float(rng.exponential()),
            outside=float(rng.normal()),
            willing=float(rng.choice([1.0, 0.6])),
        )
        gain, helps = model.draw(1, rng)
        free = replace(model, willing=1.0)
        game = free.game(gain[0], helps[0])
        listed = request_helps(game)
        limits = {h.helper: {h.helps: (0.0, model.willing)} for h in listed} if model.willing < 1 else None
        expected = bool(free.is_coprivate(gain, helps)[0])
        answers = (
            (pure_coprivacy(game, listed).holds, expected),
            (pure_coprivacy(game, listed, others="every").holds, bool(free.is_coprivate(gain, helps, "every")[0])),
            (correlated_coprivacy(game, listed).holds, expected),
            (mixed_coprivacy(game, listed, boundaries=limits).holds, bool(model.is_coprivate(gain, helps)[0])),
        )
        asked += len(answers)
        agreeing += sum(found is right for found, right in answers)
    return asked, agreeing


@study(
    "delta-coprivacy",
    summary="Delta-coprivacy over random games: how likely help is in the helper's own interest, and under which conditions.",
    reference="Domingo-Ferrer (2011), Definition 2 and section 8",
    replicates=10_000,
    writes=True,
)
def study_of_delta_coprivacy(options: StudyOptions) -> StudyResult:
    """Draw games along each curve, judge some of them by the predicates, and draw games with free utilities."""
    points = curve_points(options.replicates, options.seed)
    asked, agreeing = agreeing_answers(_AGREEING, options.seed)
    rows = free_rows(max(options.replicates // 50, 6), options.seed)
    findings = (*_checks(points, asked, agreeing, rows), *_conditions())
    tables = (_peers_table(), _free_table(rows))
    notes = (
        "A game of Definition 1 whose utilities depend on what the asked peer does alone: what help is worth to P1 and what the "
        "helper gains are normal, with mean 0 and variance 1 + s^2 each, independent between peers.",
        "A peer is a pair with probability q = P(worth to P1 >= outside option, gain of the helper >= 0). The game is coprivate "
        "with probability 1 - (1 - q)^(N - 1), so it is delta-coprivate when N >= 1 + ln(1 - delta) / ln(1 - q): any delta below "
        "1 is reached where q is above 0, and none where it is 0.",
        "In these games mixed strategies and advice add nothing: who is asked with a positive probability plays a best response "
        "of his own, and nobody else's strategy changes it. They add where what a helper gains depends on other players too; the "
        "last picture has games whose utilities are free in every profile.",
        f"Points are shares of {options.replicates} drawn games, with intervals of 95 %; lines are the closed forms.",
    )
    files = (
        ()
        if options.output is None
        else write_delta_coprivacy(options.output, CURVES, points, rows, findings, tables, notes)
    )
    return StudyResult(tuple(findings), notes, tables, files)


def _checks(points: list[CurvePoint], asked: int, agreeing: int, rows: list[FreeRow]) -> list[StudyFinding]:
    farthest = max(point.errors for point in points)
    found = [
        StudyFinding(
            quantity="largest distance of a drawn share from its closed form, in standard errors",
            setting=f"{len(points)} points of {len(CURVES)} curves", ours=(farthest,), required=f"below {FARTHEST:g}",
            met=farthest < FARTHEST,
        ),
        StudyFinding(
            quantity="answers of the predicates that agree with the inequalities",
            setting=f"{asked} answers: pure in two readings, correlated, mixed within boundaries",
            ours=(100 * agreeing / asked,), required="100 %", met=agreeing == asked, unit="%",
        ),
    ]  # fmt: skip
    for row in rows:
        if row.exact is not None:
            errors = abs(row.found.share - row.exact) / math.sqrt(row.exact * (1 - row.exact) / row.found.draws)
            found.append(
                StudyFinding(
                    quantity="probability of coprivacy with free utilities, drawn and exact",
                    setting=f"N = {row.peers}, {row.way}", ours=(row.found.share, row.exact),
                    required="within 4.5 standard errors", met=errors < FARTHEST, is_range=False,
                )
            )  # fmt: skip
    return found


def _conditions() -> list[StudyFinding]:
    """What the closed forms say, in the terms of the open question."""
    plain = RequestModel()
    every = RequestModel(correlation=0.0, peers=50)
    return [
        StudyFinding(
            quantity="probability of coprivacy",
            setting="N = 5, independent utilities, no cost, nothing outside: 1 - (3/4)^4", ours=(plain.probability(),),
        ),
        StudyFinding(
            quantity="peers for delta = 0.9", setting="the same: 1 + ln(0.1) / ln(3/4), rounded up",
            ours=(plain.peers_for(0.9),), unit="count",
        ),
        StudyFinding(
            quantity="probability of coprivacy however many peers",
            ours=(RequestModel(correlation=-1.0, peers=50).probability(),),
            setting="opposite utilities (correlation -1): what help is worth, the helper loses",
        ),
        StudyFinding(
            quantity="probability that the best helper helps, N = 50",
            setting="independent utilities, whatever others do: 1/2 and no more", ours=(every.probability("every"),),
        ),
    ]  # fmt: skip


def _peers_table() -> StudyTable:
    deltas = (0.5, 0.9, 0.99)
    cases = (
        ("independent, no cost", RequestModel()),
        ("correlation 0.6", RequestModel(correlation=0.6)),
        ("correlation -0.6", RequestModel(correlation=-0.6)),
        ("correlation -1", RequestModel(correlation=-1.0)),
        ("cost 1", RequestModel(cost=1.0)),
        ("cost 2", RequestModel(cost=2.0)),
        ("outside option 1", RequestModel(outside=1.0)),
        ("outside option 2", RequestModel(outside=2.0)),
        ("cost 1, outside option 1", RequestModel(cost=1.0, outside=1.0)),
        ("the same, leaks with spread 2", RequestModel(cost=1.0, outside=1.0, spread=2.0)),
        ("no more than half of the requests processed", RequestModel(willing=0.5)),
    )
    heads = ("conditions", "q", *(f"N for delta = {delta:g}" for delta in deltas))
    rows = tuple(
        (words, f"{model.pair:.4f}", *(_whole(model.peers_for(delta)) for delta in deltas)) for words, model in cases
    )
    return StudyTable("How many peers make the game delta-coprivate", heads, rows, heads[1:])


def _whole(number: float) -> str:
    return f"{number:,.0f}" if math.isfinite(number) else "never"


def _free_table(rows: list[FreeRow]) -> StudyTable:
    heads = ("N", "concept", "probability", "low", "high", "not decided", "exact")
    cells = tuple(
        (
            str(row.peers), row.way, f"{row.found.share:.3f}", f"{row.found.low:.3f}", f"{row.found.high:.3f}",
            str(row.found.undecided), "" if row.exact is None else f"{row.exact:.4f}",
        )
        for row in rows
    )  # fmt: skip
    title = "Utilities drawn anew for every profile: how often there is help in an equilibrium"
    return StudyTable(title, heads, cells, ("N", *heads[2:]))
