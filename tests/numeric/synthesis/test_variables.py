from __future__ import annotations

import numpy as np

from tacita.numeric.synthesis.variables import ModelVariable


def test_a_part_keeps_the_classes_that_do_not_occur() -> None:
    column = ModelVariable(np.array([0.0, 2.0, 1.0, 2.0]), classes=4)
    part = column.of(column.values == 2)
    assert part.values.tolist() == [2.0, 2.0]
    assert part.classes == 4
    assert not part.is_number
    assert ModelVariable(part.values).is_number
