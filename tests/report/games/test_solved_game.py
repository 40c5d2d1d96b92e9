"""The page of a solved game: whole, the same every time, and safe against its names."""

from __future__ import annotations

import pytest

from tacita.games import solved
from tacita.games.classic import chicken, pollution_game, social_network
from tacita.games.model.game import Game
from tacita.games.solved import solve_game
from tacita.report.games.solved_game import equilibrium_rows, solved_game_page
from tests.games.material import drawn_game


def test_the_page_says_what_was_found() -> None:
    found = solve_game(*social_network())
    text = solved_game_page(found)
    assert text == solved_game_page(solve_game(*social_network()))
    for shown in ("Dominance", "(H, P)", "Coprivacy", "no Nash equilibrium has both", "pure 3", "<svg"):
        assert shown in text
    assert "http://" not in text.replace("http://www.w3.org/", "")
    assert "<script" not in text


def test_rows_have_every_equilibrium_and_its_worth() -> None:
    heads, rows = equilibrium_rows(solve_game(chicken()))
    assert heads[2:4] == ("worth to driver 1", "worth to driver 2")
    assert [row[0] for row in rows] == ["pure 1", "pure 2", "mixed 1", "correlated"]
    assert rows[2][2:4] == ("4.667", "4.667")


def test_the_share_of_the_area_is_that_of_the_polygons() -> None:
    """Chicken: 35 of corners (0,0), (7,2), (6,6), (2,7); 8.25 of (2,7), (3.6,3.6), (7,2), (5.25,5.25)."""
    text = solved_game_page(solve_game(chicken()))
    feasible = 0.5 * ((7 * 6 - 6 * 2) + (6 * 7 - 2 * 6))
    inner = 0.5 * 50**0.5 * ((5.25 - 3.6) * 2**0.5)
    assert f"{100 * inner / feasible:.0f} % of the area" in text


def test_more_players_and_no_choice_are_drawn() -> None:
    for game in (pollution_game(3, cost=2.0), drawn_game(2, (1, 1)), drawn_game(2, (1,)), drawn_game(2, (12, 2))):
        assert "Dominance" in solved_game_page(solve_game(game))


def test_what_regret_matching_found_is_not_called_the_best(monkeypatch: pytest.MonkeyPatch) -> None:
    assert "is the best by" in solved_game_page(solve_game(chicken()))
    monkeypatch.setattr(solved, "MOST_ENTRIES", 1)
    text = solved_game_page(solve_game(chicken()))
    assert "is the best by" not in text
    assert "regret matching came to a gain" in text


def test_names_that_mean_harm_stay_text() -> None:
    bad = "<img src=x onerror=alert(1)>"
    game = Game.from_matrices(
        [[1, 2], [3, 4]], [[1, 0], [0, 1]], players=[bad, "b"], strategies=[[bad, "c"], ["d", "e"]], name=bad
    )
    assert "<img" not in solved_game_page(solve_game(game))  # fmt: skip
