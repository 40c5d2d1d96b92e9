"""The statistics of a block: classes that there are, how many people, fewer victims."""

from __future__ import annotations

import numpy as np
import pytest

from tacita.attack import BlockStatistic, BlockTarget
from tacita.core.errors import AttackError


def test_people_victims_and_unknown_classes() -> None:
    count = BlockStatistic(statistic="count", value=3)
    block = BlockTarget(number="age", least=0, most=99, classes={"sex": ("f", "m")}, statistics=(count,))
    assert (block.people, block.victims) == (3, 3)
    assert block.among(np.array([2])).victims == 1
    wrong = BlockStatistic(statistic="count", value=1, of={"sex": ("x",)})
    with pytest.raises(AttackError, match="classes of 'sex'"):
        BlockTarget(number="age", least=0, most=99, classes={"sex": ("f", "m")}, statistics=(count, wrong))
    assert BlockTarget(number="age", least=0, most=9, classes={}, statistics=()).people == 0
