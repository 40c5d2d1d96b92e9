"""Concepts by name, and utilities that weigh privacy with other things."""

from __future__ import annotations

import pytest

from tacita.core.errors import ParameterError
from tacita.games.classic import anonymous_relays, battle_of_the_sexes
from tacita.games.coprivacy.finding import Coprivacy
from tacita.games.coprivacy.general import coprivacy, general_coprivacy
from tacita.games.coprivacy.help import Help


@pytest.mark.parametrize("concept", ["pure", "mixed", "correlated"])
def test_every_concept_has_its_name(concept: str) -> None:
    found = coprivacy(
        battle_of_the_sexes(), [Help(asker="she", asks="opera", helper="he", helps="opera")], concept  # type: ignore[arg-type]
    )  # fmt: skip
    assert isinstance(found, Coprivacy)
    assert found.concept == concept
    assert found.holds


def test_an_unknown_concept_is_refused() -> None:
    with pytest.raises(ParameterError, match="'concept' must be"):
        coprivacy(*anonymous_relays(), "general")  # type: ignore[arg-type]


@pytest.mark.parametrize("concept", ["pure", "mixed", "correlated"])
def test_a_load_that_weighs_enough_ends_help(concept: str) -> None:
    """One relay with a crowd of one: it gains one bit by helping, and pays the weight of its load."""
    privacy, helps = anonymous_relays((1,))
    with_load, _ = anonymous_relays((1,), cost=1.0)
    load = type(privacy)(privacy.players, privacy.strategies, with_load.utilities - privacy.utilities)
    parts = {"privacy": privacy, "functionality": load}
    for weight, expected in ((0.9, True), (1.1, False)):
        found = general_coprivacy(parts, {"privacy": 1.0, "functionality": weight}, helps, concept)  # type: ignore[arg-type]
        assert found.holds is expected
