"""Linkability: two files are put together through the synthetic one."""

from __future__ import annotations

import numpy as np
import pytest

from tacita.attack.synthetic.linkability import Linkability, linked_through
from tacita.core.errors import AttackError, ParameterError
from tacita.numeric.nearest.mixed_points import Points
from tacita.study.red_team.synthetic import copied, fresh_people, independent_people
from tests.attack.synthetic.scenes import attacked, staged
from tests.oracles.attack.synthetic import linked

APART = ("earnings", "other_income", "savings", "health", "education")


def test_a_copy_is_broken_and_fresh_people_are_held() -> None:
    weak = attacked(Linkability(), copied, apart=APART)
    assert weak.standing == "broken"
    assert weak.success > 0.7
    assert weak.sure_right > 0.9 * weak.sure > 300
    for generate in (fresh_people, independent_people):
        strong = attacked(Linkability(), generate, apart=APART)
        assert strong.standing == "held"
        assert strong.success < 0.03


@pytest.mark.parametrize("count", [1, 3, 12])
def test_links_are_those_of_every_pair(count: int) -> None:
    rng = np.random.default_rng(count)

    def made(n: int) -> Points:
        return Points(rng.normal(size=(n, 2)), np.empty((n, 0), np.int64))

    first, second, bridge = made(20), made(15), (made(12), made(12))
    rows, meets = linked_through(first, second, bridge, count)
    to_bridge = np.linalg.norm(first.numbers[:, None] - bridge[0].numbers, axis=2)
    from_bridge = np.linalg.norm(bridge[1].numbers[:, None] - second.numbers, axis=2)
    assert rows.tolist() == linked(to_bridge.tolist(), from_bridge.tolist(), count)
    assert (meets == (from_bridge.argmin(axis=0)[rows] == to_bridge.argmin(axis=1))).all()


def test_it_needs_a_second_file() -> None:
    with pytest.raises(AttackError, match="no second file"):
        Linkability().run(staged(copied, n=100).target, np.random.default_rng(1))
    from dataclasses import replace

    target = staged(copied, n=100, apart=APART).target
    assert "shares no column" in Linkability().declined(replace(target, released=target.released.select(["age"])))
    with pytest.raises(ParameterError, match="'nearest'"):
        Linkability(nearest=0)
