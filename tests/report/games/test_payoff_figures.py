"""Pictures of games hold what they show, and draw names that mean to do harm."""

from __future__ import annotations

from tacita.games.classic import chicken
from tacita.games.coprivacy.request_game import request_game
from tacita.games.equilibria.payoff_region import correlated_payoffs, feasible_payoffs
from tacita.games.model.game import Game
from tacita.games.solved import solve_game
from tacita.report.games.payoff_figures import payoff_plane, payoff_table, worth_lines
from tacita.report.render import svg_bytes
from tests.games.material import drawn_game


def text_of(chart: object) -> str:
    return svg_bytes(chart).decode("utf-8")


def test_the_table_has_all_utilities_and_marks_equilibria() -> None:
    game = chicken()
    text = text_of(payoff_table(game, solve_game(game).equilibria))
    for shown in (">swerves<", ">goes on<", ">7<", ">6<", ">0<", "p = 0.5", "p = 0.25"):
        assert shown in text
    assert text.count('fill="#a9c8e4"') == 2  # the two pure equilibria


def test_players_without_a_choice_leave_a_table_of_two() -> None:
    game = request_game([[3, -1]], [[1, 0]], alone=0)
    text = text_of(payoff_table(game, solve_game(game).equilibria))
    assert ">ask P2<" in text
    assert ">process<" in text


def test_the_plane_has_both_polygons_and_each_kind() -> None:
    game = chicken()
    players = game.players[0], game.players[1]
    chart = payoff_plane(
        game, solve_game(game).equilibria, feasible_payoffs(game, players), correlated_payoffs(game, players), players
    )
    text = text_of(chart)
    for shown in ("pure equilibrium", "mixed equilibrium", "correlated equilibrium", "utility of driver 1"):
        assert shown in text
    assert "#eceeef" in text
    assert "#a9c8e4" in text


def test_three_players_have_rows() -> None:
    found = solve_game(drawn_game(4, (2, 2, 2)))
    text = text_of(worth_lines([(str(i), one) for i, one in enumerate(found.equilibria)]))
    assert all(f">player {i}<" in text for i in (1, 2, 3))


def test_names_that_mean_harm_are_drawn_as_text() -> None:
    bad = ["<script>alert(1)</script>", "x" * 500, "x" * 499 + "y", "a.b[0]:Q"]
    game = Game.from_matrices([[1, 2], [3, 4]], players=bad[:2], strategies=[bad[2:], bad[1:3]])
    found = solve_game(game)
    players = game.players[0], game.players[1]
    polygons = feasible_payoffs(game, players), correlated_payoffs(game, players)
    for chart in (payoff_table(game, found.equilibria), payoff_plane(game, found.equilibria, *polygons, players)):
        text = text_of(chart)
        assert "<script>" not in text
        assert "x" * 100 not in text
