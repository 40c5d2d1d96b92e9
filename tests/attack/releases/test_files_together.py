"""Files together: a chain of files that share columns leads to people whom one file alone does not show."""

from __future__ import annotations

import numpy as np

import tacita as tc
from tacita.attack import FilesTogether, FileTarget, attack_once
from tacita.attack.judge.answers import Answers
from tacita.attack.judge.stage_file import as_it_leaves


def chain(seed: int, noise: float = 0.0) -> tuple[FileTarget, Answers]:
    """Return three files that share one column with the next; the shared columns may carry noise."""
    data = tc.samples.business_survey(300, seed=seed)
    if noise:
        mask = tc.mask.RankSwap(columns=["wages", "energy"], p=noise)
        data, true = mask.apply(data, seed=seed), data
    else:
        true = data
    order = np.random.default_rng(seed).permutation(300)
    target = FileTarget(
        released=as_it_leaves(data.select(["energy", "profit"]).take(order)),
        known=as_it_leaves(true.select(["employees", "founded"])),
        wanted=("profit",),
        earlier=(
            as_it_leaves(true.select(["wages", "energy"])),
            as_it_leaves(data.select(["employees", "founded", "wages"])),
        ),
    )
    place = np.empty(300, np.int64)
    place[order] = np.arange(300)
    truth = {"identity": place, "profit": true.numbers("profit")}
    return target, Answers(truth=truth, baseline={"identity": 1 / 300})


def test_a_chain_of_files_breaks_what_one_file_holds() -> None:
    target, answers = chain(1)
    found = attack_once(FilesTogether(), target, answers, seed=1)
    assert found.standing == "broken"
    assert found.success > 0.4
    assert found.figures["found_by_more"] == 1.0


def test_masked_columns_between_the_files_hold_better() -> None:
    open_, masked = (attack_once(FilesTogether(), *chain(1, noise), seed=1) for noise in (0.0, 90.0))
    assert masked.success < 0.1 < open_.success


def test_what_it_declines_and_the_same_again() -> None:
    target, _ = chain(2)
    assert "no other file" in FilesTogether().declined(FileTarget(released=target.released, known=target.known))
    lost = FileTarget(released=target.released, known=target.known, earlier=(target.earlier[0],))
    assert "No chain" in FilesTogether().declined(lost)
    one, two = (FilesTogether().run(target, np.random.default_rng(3))[0].said for _ in range(2))
    np.testing.assert_array_equal(one, two)
    assert FilesTogether().cost(target) > 0
    nobody = target.among(np.zeros(0, np.int64))
    assert (
        attack_once(FilesTogether(), nobody, Answers(truth={"identity": np.zeros(0, int)}), seed=1).standing
        == "not run"
    )
