"""Every registered mask, with every check that its traits and parameters ask for."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np
import pytest

from tacita.core.method import Method
from tacita.mask.base import Mask
from tests.conformance import numeric_mask_checks  # noqa: F401 - enters its checks
from tests.conformance.examples import all_examples, label
from tests.conformance.mask_checks import MASK_CHECKS, MaskCheck
from tests.conformance.method_checks import METHOD_CHECKS

MASKS = all_examples("mask")

pytestmark = [
    pytest.mark.filterwarnings("error"),
    # Every mask runs with its defaults on columns that they may be too weak for: that this is said is tested elsewhere.
    pytest.mark.filterwarnings(
        "ignore:.*(many values came out as they were|has more than 90 % of the sum of its group)"
    ),
    pytest.mark.filterwarnings("ignore::tacita.TacitaNote"),
]


@pytest.fixture(autouse=True)
def strict_arithmetic() -> Iterator[None]:
    """Numbers out of nothing are errors: no division by zero, no overflow, no NaN that nobody asked for."""
    with np.errstate(divide="raise", invalid="raise", over="raise"):
        yield


@pytest.mark.parametrize(
    ("mask", "check"),
    [
        pytest.param(mask, check, id=f"{label(mask)}-{check.name}")
        for mask in MASKS
        for check in MASK_CHECKS
        if check.when(mask)
    ],
)
def test_mask(mask: Mask, check: MaskCheck) -> None:
    check.body(mask)


@pytest.mark.parametrize("check", METHOD_CHECKS, ids=lambda check: check.__name__)
@pytest.mark.parametrize("mask", MASKS, ids=label)
def test_method(mask: Mask, check: Callable[[Method], None]) -> None:
    check(mask)


def test_there_are_masks() -> None:
    assert {"rank_swap", "mdav", "additive_noise"} <= {mask.name for mask in MASKS}
