"""PRAM undone by its matrix."""

from __future__ import annotations

import numpy as np
import pytest

import tacita as tc
from tacita.attack.files.pram_inversion import PramInversion, known_matrix
from tacita.attack.judge.stage_file import StagedFile
from tacita.attack.judge.trial import attack_each, attack_once
from tests.attack.files.people import file_of, quietly, rng, staged

N = 600


def people() -> tc.Microdata:
    drawn = np.random.default_rng(1)
    rare = np.where(drawn.random(N) < 0.2, "ill", "well")
    return file_of(
        {"code": [f"c{i:03d}" for i in range(N)], "state": rare.tolist()}, keys=["code"], confidential=["state"]
    )


def scene_of(matrix: dict[str, dict[str, float]] | None, **settings: object) -> StagedFile:
    data = people()
    masked = quietly(tc.mask.Pram(columns=["state"], matrix=matrix, **settings), data)
    return staged(data, masked, ["code"], wanted=["state"])


def test_a_matrix_that_turns_classes_round_is_turned_back() -> None:
    scene = scene_of({"ill": {"ill": 0.05, "well": 0.95}, "well": {"well": 0.05, "ill": 0.95}})
    found = attack_once(PramInversion(), scene.target, scene.answers, seed=1)
    assert (found.about, found.standing) == ("state", "broken")
    assert found.success > 0.9
    released = scene.target.released.codes("state")
    words = np.array(released.categories)[released.values[scene.answers.truth["identity"]]]
    assert (words == scene.answers.truth["state"]).mean() < 0.1


def test_equal_rows_hold() -> None:
    scene = scene_of({"ill": {"ill": 0.3, "well": 0.7}, "well": {"ill": 0.3, "well": 0.7}})
    found = attack_once(PramInversion(), scene.target, scene.answers, seed=1)
    assert found.standing == "held"


def test_a_certain_transition_is_told_for_sure() -> None:
    scene = scene_of({"ill": {"ill": 0.5, "well": 0.5}, "well": {"well": 1.0}})
    (found,) = attack_each(PramInversion(), scene.target, scene.answers, seed=1)
    assert found.sure == found.sure_right > 20


def test_of_a_built_matrix_its_mean_is_known() -> None:
    scene = scene_of(None, pd=0.6, invariant=False)
    known = known_matrix(scene.target, "state")
    assert known.matrix == pytest.approx(np.array([[0.8, 0.2], [0.2, 0.8]]))
    invariant = known_matrix(scene_of(None, pd=0.6, alpha=0.5).target, "state")
    assert invariant.matrix.sum(axis=1) == pytest.approx([1.0, 1.0])
    assert known_matrix(scene.target, "code") is None


def test_known_classes_are_linked_by_how_likely_they_changed() -> None:
    drawn = np.random.default_rng(2)
    columns = {f"c{j}": [f"v{x}" for x in drawn.integers(0, 6, 300)] for j in range(6)}
    data = file_of(columns, keys=list(columns))
    matrix = {f"v{i}": {f"v{(i + 1) % 6}": 0.9, f"v{i}": 0.1} for i in range(6)}
    masked = quietly(tc.mask.Pram(columns=list(columns), matrix=matrix), data)
    scene = staged(data, masked, list(columns), wanted=[])
    assert attack_once(PramInversion(), scene.target, scene.answers, seed=1).success > 0.8


def test_what_it_needs() -> None:
    data = people()
    plain = staged(data, data, ["code"], wanted=["state"])
    assert "Nothing says" in PramInversion().declined(plain.target)
    scene = scene_of(None)
    assert len(PramInversion().run(scene.target.among(np.arange(0)), rng())[0]) == 0
    one, two = (PramInversion().run(scene.target, rng(3))[0].said for _ in range(2))
    assert (one == two).all()
