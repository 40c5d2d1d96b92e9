"""Sets of tables of the census study: promises of every way, and units of their own."""

from __future__ import annotations

import numpy as np
import pytest

import tacita as tc
from tacita.core.keyed import Key
from tacita.study.census_sets import SETS, SetFigures, set_figures

KEY = Key(bytes(range(3, 67, 2)))


@pytest.fixture(scope="module")
def found() -> dict[tuple[str, str], SetFigures]:
    return {(one.name, one.way): one for one in set_figures(1500, 12, KEY, 1)}


def test_every_way_keeps_its_promises(found: dict[tuple[str, str], SetFigures]) -> None:
    assert len(found) == 3 * len(SETS)
    assert all(one.small == 0 for one in found.values())
    for name in SETS:
        noise, alone, both = (found[name, way] for way in ("noise", "additive, one by one", "additive and consistent"))
        assert noise.differ == both.differ == 0, "keys are the same everywhere, and so is one file"
        assert noise.sums_off > 0
        assert alone.sums_off == both.sums_off == 0
        assert noise.largest <= 3
        assert both.shared == noise.shared > 0
    assert found["persons", "additive, one by one"].differ > 0


def test_households_are_counted_once(found: dict[tuple[str, str], SetFigures]) -> None:
    register = tc.samples.census_register(1500, seed=1, regions=12)
    homes = np.unique(register.codes("household_id").values).size
    one = tc.tabulate(register.take(np.unique(register.codes("household_id").values, return_index=True)[1]), ["tenure"])
    assert one.values[0] == homes < 1500
    assert found["households", "noise"].cells < found["persons", "noise"].cells * 2
