"""Every registered loss and risk, with every check that its traits ask for."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np
import pytest

from tacita.core.method import Method
from tacita.data.measure import Measure
from tests.conformance.examples import all_examples, label
from tests.conformance.measure_checks import MEASURE_CHECKS, MeasureCheck
from tests.conformance.method_checks import METHOD_CHECKS

MEASURES = all_examples("loss", "risk")

pytestmark = pytest.mark.filterwarnings("error")


@pytest.fixture(autouse=True)
def strict_arithmetic() -> Iterator[None]:
    """Numbers out of nothing are errors: no division by zero, no overflow, no NaN that nobody asked for."""
    with np.errstate(divide="raise", invalid="raise", over="raise"):
        yield


@pytest.mark.parametrize(
    ("measure", "check"),
    [
        pytest.param(measure, check, id=f"{label(measure)}-{check.name}")
        for measure in MEASURES
        for check in MEASURE_CHECKS
        if check.when(measure)
    ],
)
def test_measure(measure: Measure, check: MeasureCheck) -> None:
    check.body(measure)


@pytest.mark.parametrize("check", METHOD_CHECKS, ids=lambda check: check.__name__)
@pytest.mark.parametrize("measure", MEASURES, ids=label)
def test_method(measure: Measure, check: Callable[[Method], None]) -> None:
    check(measure)


def test_there_are_measures() -> None:
    assert {"il1", "il1s", "il", "dld", "rid", "sdid"} <= {measure.name for measure in MEASURES}
