"""What counts as help must fit the game."""

from __future__ import annotations

import pytest

from tacita.core.errors import ParameterError
from tacita.games.classic import social_network
from tacita.games.coprivacy.help import Help, check_helps


def test_help_that_fits_is_kept() -> None:
    game, helps = social_network()
    assert check_helps(game, helps) == helps
    assert helps[0].played == {"User 1": "P", "User 2": "P"}


@pytest.mark.parametrize(
    ("helps", "said"),
    [
        ([], "at least one pair"),
        ([Help(asker="User 1", asks="P", helper="User 1", helps="H")], "helped by somebody else"),
        ([Help(asker="User 1", asks="p", helper="User 2", helps="H")], "no strategy 'p'"),
        ([Help(asker="User 1", asks="P", helper="User 3", helps="H")], "no player 'User 3'. Did you mean"),
    ],
)
def test_help_that_does_not_fit_is_refused(helps: list[Help], said: str) -> None:
    with pytest.raises(ParameterError, match=said):
        check_helps(social_network()[0], helps)
