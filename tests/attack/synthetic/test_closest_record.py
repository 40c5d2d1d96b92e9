"""Closest records against a holdout."""

from __future__ import annotations

import numpy as np
import pytest

from tacita.attack.synthetic.closest_record import ClosestRecord, best_separation
from tacita.core.errors import AttackError
from tacita.mask import Mdav, RecordResampling
from tacita.numeric.nearest.mixed_points import Points, nearer_share
from tacita.study.red_team.synthetic import by_mask, copied, fresh_people, independent_people
from tests.attack.synthetic.scenes import attacked, staged
from tests.oracles.attack.synthetic import separating, threshold_gains


@pytest.mark.parametrize("nearness", ["relative", "distance", "ratio"])
def test_a_copy_is_broken_and_fresh_people_are_held(nearness: str) -> None:
    attack = ClosestRecord(nearness=nearness)
    weak, strong = attacked(attack, copied), attacked(attack, fresh_people)
    assert weak.standing == "broken"
    assert weak.success > 0.95
    assert weak.sure_right >= 0.95 * weak.sure > 0
    assert (strong.standing, strong.baseline) == ("held", 0.5)


def test_what_a_file_gives_that_knows_nobody_is_a_half() -> None:
    """Half of the candidates are in a copy, so that its records are nearer to them half the time and by chance otherwise."""
    copy, fresh = (attacked(ClosestRecord(), generate).figures for generate in (copied, fresh_people))
    assert copy["nearer_low"] > 0.65
    assert fresh["nearer_low"] < 0.5 < fresh["nearer_high"]


@pytest.mark.parametrize(
    ("generate", "least"), [(by_mask(RecordResampling()), 0.75), (by_mask(Mdav(columns=("age", "savings"))), 0.8)]
)
def test_masks_do_not_hide_who_is_in_the_data(generate, least: float) -> None:  # type: ignore[no-untyped-def]
    assert attacked(ClosestRecord(), generate).success > least


def test_columns_drawn_by_themselves_hold() -> None:
    assert attacked(ClosestRecord(), independent_people).standing == "held"


@pytest.mark.parametrize("seed", range(5))
def test_the_threshold_gains_most(seed: int) -> None:
    rng = np.random.default_rng(seed)
    inside, outside = rng.integers(0, 8, 30) / 8, rng.integers(1, 10, 50) / 8
    found = best_separation(inside, outside)
    gains = threshold_gains(inside.tolist(), outside.tolist())
    assert gains[found] == pytest.approx(max(gains.values()))
    assert found == pytest.approx(separating(inside.tolist(), outside.tolist()))


def test_candidates_who_are_all_far_are_no_members() -> None:
    assert best_separation(np.array([5.0, 6.0]), np.array([1.0, 2.0])) == -np.inf


def test_ties_count_one_half() -> None:
    def line(*values: float) -> Points:
        return Points(np.array(values)[:, None], np.empty((len(values), 0), np.int64))

    share, low, high = nearer_share(line(0, 1, 2, 3), line(0, 3.5), line(2, 2.5))
    assert share == (1 + 0.5 + 0 + 0.5) / 4
    assert low < share < high


def test_a_seed_repeats_it() -> None:
    target = staged(copied, n=500).target
    one, two = (ClosestRecord().run(target, np.random.default_rng(1))[0] for _ in range(2))
    assert (one.said == two.said).all()
    assert one.figures == two.figures


def test_what_it_needs() -> None:
    target = staged(copied, n=100, secret="health").target
    with pytest.raises(AttackError, match="not for a secret"):
        ClosestRecord().run(target, np.random.default_rng(1))
    from dataclasses import replace

    plain = staged(copied, n=100).target
    assert "two other people" in ClosestRecord().declined(replace(plain, reference=plain.reference.take(np.array([0]))))
    assert "share no column" in ClosestRecord().declined(
        replace(plain, candidates=plain.candidates.select(["age"]), released=plain.released.select(["sex"]))
    )
