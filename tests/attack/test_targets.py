"""Targets: an attacker gets what left and nothing of the inside, and can be given fewer victims."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest
import scipy.sparse as sp

import tacita as tc
from tacita.attack import targets
from tacita.attack.judge.stage_file import as_it_leaves
from tacita.attack.targets import (
    AttackTarget,
    FileTarget,
    GeneratorTarget,
    ReleasesTarget,
    ServerTarget,
    ShownCells,
    TableTarget,
)
from tacita.core.errors import AttackError

EVERY = [FileTarget, TableTarget, ServerTarget, GeneratorTarget, ReleasesTarget]


@pytest.mark.parametrize("kind", EVERY)
def test_no_target_has_room_for_the_truth(kind: type[AttackTarget]) -> None:
    names = {field.name for field in dataclasses.fields(kind)}
    assert not names & {"original", "truth", "answers", "seed", "key", "link", "history", "rows"}
    assert kind.__name__ in targets.__all__


def test_a_file_that_knows_its_masks_is_refused() -> None:
    data = tc.samples.household_survey(50, seed=1)
    masked = tc.mask.RankSwap(columns=["earnings"], p=10).apply(data, seed=1)
    with pytest.raises(AttackError, match="'released' must be the file as it left"):
        FileTarget(released=masked, known=data)
    with pytest.raises(AttackError, match="'earlier' must be the file as it left"):
        FileTarget(released=as_it_leaves(masked), known=data, earlier=(masked,))
    with pytest.raises(AttackError, match="'released' must be"):
        GeneratorTarget(released=masked, generate=lambda d, _: d, candidates=data, reference=data)


def test_fewer_victims() -> None:
    data = tc.samples.household_survey(50, seed=1)
    chosen = np.array([3, 5])
    file = FileTarget(released=as_it_leaves(data), known=data.select(["age"]), mates=np.arange(50))
    assert file.among(chosen).victims == 2
    assert file.among(chosen).mates.tolist() == [3, 5]
    table = TableTarget(
        relations=sp.csr_matrix(np.array([[1.0, -1.0, -1.0]])),
        shown=np.array([5.0, np.nan, np.nan]),
        wanted=np.array([1, 2]),
        lower=np.zeros(3),
        upper=np.full(3, np.inf),
    )
    assert table.hidden.tolist() == [False, True, True]
    assert table.among(np.array([1])).wanted.tolist() == [2]
    shows = (ShownCells(cells=np.array([0]), values=np.array([5.0])),)
    whole = ReleasesTarget(names=("a",), tables=table, shows=shows)
    assert (whole.victims, whole.among(np.array([0])).victims) == (2, 1)
    server = ServerTarget(
        ask=lambda request: request,
        catalogue={},
        known=({"sex": "f"}, {"sex": "m"}),
        wanted="wage",
        insiders=({"sex": "f"}, {}),
    )
    assert server.among(np.array([1])).known == ({"sex": "m"},)
    assert server.among(np.array([1])).insiders == ({},)
    made = GeneratorTarget(released=as_it_leaves(data), generate=lambda d, _: d, candidates=data, reference=data)
    assert made.among(chosen).victims == 2


def test_releases_together_have_the_narrowest_bounds() -> None:
    table = TableTarget(
        relations=sp.csr_matrix(np.array([[1.0, -1.0, -1.0]])),
        shown=np.full(3, np.nan),
        wanted=np.array([2]),
        lower=np.zeros(3),
        upper=np.full(3, np.inf),
    )
    exact = ShownCells(cells=np.array([0]), values=np.array([9.0]))
    rough = ShownCells(cells=np.array([0, 1]), values=np.array([8.0, 3.0]), reach=np.array([2.0, 2.0]))
    both = ReleasesTarget(names=("a", "b"), tables=table, shows=(exact, rough))
    assert both.together([1]).lower.tolist() == [6.0, 1.0, 0.0]
    assert both.together([0, 1]).shown[0] == 9.0
    assert both.together([0, 1]).upper.tolist() == [9.0, 5.0, np.inf]
    with pytest.raises(AttackError, match="'shows' must have one entry a release"):
        ReleasesTarget(names=("a",), tables=table, shows=(exact, rough))
