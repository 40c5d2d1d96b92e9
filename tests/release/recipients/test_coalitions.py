"""What copies are for, at the size that was asked for: 100 recipients, 5000 records of 8 columns, coalitions of up to four."""

from __future__ import annotations

import pytest
from benchmarks.quality.fingerprints import DEEDS, Scene, loss_changes, scene, trial

import tacita as tc

DONE_WHEN = ("averaged", "mixed cell by cell", "mixed row by row")


def test_four_of_a_hundred_are_found_in_a_small_file() -> None:
    made = Scene(1200)
    for number, words in enumerate(DONE_WHEN):
        found = trial(made, DEEDS[words], 4, number, fresh=500)
        assert found["named"] == 1
        assert found["others"] == found["innocent"] == 0


def test_a_file_whose_ranks_were_swapped_has_room_too() -> None:
    names = [f"amount_{j}" for j in range(8)]
    found = trial(Scene(1200, tc.mask.RankSwap(columns=names, p=10)), DEEDS["averaged"], 3, 1, fresh=200)
    assert found["named"] == 1
    assert found["others"] == found["innocent"] == 0


@pytest.mark.slow
@pytest.mark.parametrize("colluders", [2, 4])
@pytest.mark.parametrize("words", [*DONE_WHEN, "averaged, half of rows and columns"])
def test_a_leaker_is_named_in_95_of_100_trials_and_nobody_innocent_in_10_000(words: str, colluders: int) -> None:
    made = scene()
    found = [trial(made, DEEDS[words], colluders, 100 * colluders + i, fresh=500) for i in range(20)]
    assert sum(one["named"] for one in found) >= 19
    assert sum(one["others"] + one["innocent"] for one in found) == 0  # of 20 x (96 others and 500 drawn afresh)


@pytest.mark.slow
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_the_losses_of_the_masked_file_change_by_less_than_a_hundredth(seed: int) -> None:
    changes = loss_changes(scene(), seed)
    assert len(changes) == 5
    assert all(abs(change) < 1.0 for change in changes.values())
    assert 0 < changes["il1s"] < 0.5


def test_marks_add_little_to_the_loss_of_a_small_file() -> None:
    assert 0 < loss_changes(Scene(800), copies=1, losses=["il1s"])["il1s"] < 1.0
