"""The matrix: no empty cell without a reason, and promises that can fail."""

from __future__ import annotations

import numpy as np
import pytest

from tacita.attack.judge.answers import Answers
from tacita.core import registry
from tacita.core.errors import ParameterError
from tacita.study.red_team.matrix import FAMILY_WORDS, every_scene, matrix_tables, play
from tacita.study.red_team.scene import Scene, Staged
from tests.attack.toys import Toy, ToyTarget


def make(seed: int) -> Staged:
    del seed
    wages = np.linspace(100, 10_000, 300)
    return ToyTarget(shown=wages), Answers(truth={"wage": wages})


def scene(weak: bool, defence: str, off: float = 0.0) -> Scene:
    return Scene(attack=Toy(off=off), defence=defence, weak=weak, make=make)


class Other(Toy):
    """Say what is seen, with much noise."""

    name = "other_toy"


registry.unregister(Other)


def other(weak: bool, defence: str) -> Scene:
    return Scene(attack=Other(off=1e6), defence=defence, weak=weak, make=make)


def test_what_ends_otherwise_than_it_is_known_is_seen() -> None:
    scenes = [scene(True, "none"), scene(False, "noise", 1e6), scene(False, "silk")]
    found = play({"files": scenes})
    assert [one.is_as_known for one in found] == [True, True, False]
    assert found[0].cell() == "broken 100 % (10 %)"
    assert found[1].cell().startswith("held 0 % (")
    assert found[2].as_plain()["as_known"] is False


def test_a_matrix_has_a_reason_in_every_cell() -> None:
    found = play({"files": [scene(True, "none"), scene(False, "noise", 1e6)]})
    (table,) = matrix_tables(found)
    assert table.heads == ("attack", "none", "noise")
    assert all(cell for row in table.rows for cell in row)


def test_attacks_with_targets_of_their_own_are_listed() -> None:
    found = play(
        {"files": [scene(True, f"weak {i}") for i in range(2)] + [other(False, f"strong {i}") for i in range(4)]}
    )
    (table,) = matrix_tables(found)
    assert table.heads == ("attack", "where it succeeds", "where it is held")
    assert table.rows[0][1] == "weak 0: broken 100 % (10 %); weak 1: broken 100 % (10 %)"
    assert table.rows[1][1] == "no such setting is known"


@pytest.mark.parametrize("family", FAMILY_WORDS)
def test_every_family_has_scenes_of_both_kinds(family: str) -> None:
    (scenes,) = every_scene([family]).values()
    assert {one.weak for one in scenes} == {True, False}
    assert len({(one.attack.name, one.defence) for one in scenes}) == len(scenes)


def test_an_unknown_family_is_refused() -> None:
    with pytest.raises(ParameterError, match="no family of attacks 'file'"):
        every_scene(["file"])
