"""Links: mixed distances, and what is said of a victim once a record is taken for him."""

from __future__ import annotations

import numpy as np

from tacita.attack.files.compared import compare
from tacita.attack.files.links import Links, claims_of_links, link_by_cost, mixed_factors, values_at
from tacita.attack.targets import KnownStep
from tests.attack.files.people import file_of, rng, target_of


def test_classes_and_numbers_count_alike_and_gaps_half() -> None:
    rows = np.random.default_rng(1)
    data = file_of({"x": rows.normal(size=400), "c": rows.choice(["a", "b", "c"], 400)})
    left, right, unequal = mixed_factors(*compare(data, data, ["x"]))
    assert abs((left @ right.T).mean() - 2) < 0.02
    left, right, unequal = mixed_factors(*compare(data, data, ["c"]))
    assert abs((left @ right.T).mean() - 2) < 0.02
    gone = file_of({"x": [None, 0.0]})
    left, right, unequal = mixed_factors(*compare(gone, data, ["x"]))
    assert (left[0] @ right.T == 1).all()
    assert unequal == ()


def test_many_classes_are_compared_without_a_table_of_them() -> None:
    data = file_of({"id": [f"n{i:04d}" for i in range(300)]})
    target = target_of(data, data.take(np.arange(0, 300, 7)))
    links, found = link_by_cost(target, ["id"], rng())
    assert links.rows.tolist() == list(range(0, 300, 7))
    assert (found.ties == 1).all()


def test_equally_near_records_are_picked_at_random() -> None:
    data = file_of({"x": [1.0] * 10})
    target = target_of(data, data.take(np.arange(1)))
    picked = {int(link_by_cost(target, ["x"], rng(seed))[0].rows[0]) for seed in range(30)}
    assert len(picked) > 4


def test_values_of_nobody_are_none() -> None:
    rows = np.array([1, -1])
    assert values_at(np.array(["a", "b"], object), rows).tolist() == ["b", ""]
    assert np.isnan(values_at(np.array([1.0, 2.0]), rows)[1])


def test_he_is_not_sure_of_a_value_that_a_step_changed() -> None:
    data = file_of({"k": ["a", "b"], "x": [1.0, 2.0], "y": [3.0, 4.0]})
    target = target_of(data, data.select(["k"]), wanted=("x", "y", "gone"), steps=(KnownStep("rounding", ("x",)),))
    claims = claims_of_links(target, Links(rows=np.array([1, 0]), is_sure=np.array([True, True])))
    assert [claim.about for claim in claims] == ["identity", "x", "y"]
    assert claims[1].said.tolist() == [2.0, 1.0]
    assert [claim.is_sure.all() for claim in claims] == [True, False, True]
