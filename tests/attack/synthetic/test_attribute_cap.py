"""Correct attribution: the secret of those who share what is known."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pytest

from tacita.attack.judge.stage_file import as_it_leaves
from tacita.attack.synthetic.attribute_cap import AttributeCap, classes_of_nearest, values_of_nearest
from tacita.attack.targets import GeneratorTarget
from tacita.core.errors import AttackError
from tacita.data.microdata import Microdata
from tacita.mask import MixedMicroaggregation
from tacita.numeric.nearest.mixed_points import Points
from tacita.study.red_team.synthetic import COLUMNS, by_mask, copied, fresh_people, permuted_columns
from tests.attack.synthetic.scenes import attacked, staged
from tests.oracles.attack.synthetic import attributed, distance


@pytest.mark.parametrize("secret", ["health", "savings"])
def test_a_copy_is_broken_and_fresh_people_are_held(secret: str) -> None:
    weak, strong = (attacked(AttributeCap(), generate, secret=secret) for generate in (copied, fresh_people))
    assert weak.standing == "broken"
    assert weak.success > 0.9
    assert weak.sure_right == weak.sure > 700
    assert weak.figures["share_all_columns"] == 1.0
    assert strong.standing == "held"


def test_large_groups_and_shuffled_columns_hold() -> None:
    grouped = by_mask(MixedMicroaggregation(columns=COLUMNS, k=50))
    assert attacked(AttributeCap(), grouped, secret="health").standing == "held"
    assert attacked(AttributeCap(), permuted_columns, secret="health").standing == "held"


def random_points(n: int, seed: int) -> Points:
    rng = np.random.default_rng(seed)
    return Points(rng.integers(0, 3, (n, 1)).astype(float), rng.integers(0, 2, (n, 2)))


@pytest.mark.parametrize("seed", range(3))
def test_classes_and_numbers_of_the_nearest_are_those_of_every_pair(seed: int) -> None:
    keys, others = random_points(20, seed), random_points(15, seed + 10)
    rng = np.random.default_rng(seed)
    classes, values = rng.integers(-1, 3, 15), rng.normal(size=15)
    values[:3] = np.nan
    chosen, share, far = classes_of_nearest(keys, others, classes, 3)
    low, middle, high = values_of_nearest(keys, others, values)
    for i in range(20):
        away = [distance(keys.numbers[i], others.numbers[j], keys.codes[i], others.codes[j]) for j in range(15)]
        assert (chosen[i], share[i]) == attributed(away, classes.tolist())
        assert far[i] == pytest.approx(min(away) ** 2)
        near = values[[j for j in range(15) if away[j] <= min(away) + 1e-9]]
        near = near[~np.isnan(near)]
        wanted = (near.min(), np.median(near), near.max()) if len(near) else (np.nan,) * 3
        np.testing.assert_array_equal((low[i], middle[i], high[i]), wanted)


def test_it_is_sure_where_all_that_share_the_keys_agree() -> None:
    table = pa.table({"key": ["a", "a", "b", "b", "b"], "secret": ["x", "x", "x", "y", "y"]})
    file = Microdata.from_frame(table)
    people = Microdata.from_frame(pa.table({"key": ["a", "b", "c"]}))
    target = GeneratorTarget(
        released=as_it_leaves(file), generate=copied, candidates=people, reference=file, secret="secret"
    )
    (claims,) = AttributeCap().run(target, np.random.default_rng(1))
    assert claims.said.tolist()[:2] == ["x", "y"]
    assert claims.is_sure is not None
    assert claims.is_sure.tolist() == [True, False, False]


def test_it_asks_for_a_secret() -> None:
    with pytest.raises(AttackError, match="names none"):
        AttributeCap().run(staged(copied, n=100).target, np.random.default_rng(1))
