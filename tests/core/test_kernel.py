"""Kernels: signatures from annotations, the border that checks every array, and running as written."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import pytest

from tacita.core.arrays import ArrayForm, Float1, Float2, FrozenFloat1, Int1, Single1
from tacita.core.errors import ParameterError
from tacita.core.kernel import Entry, KernelOptions, entries, entry, kernel, signatures
from tacita.numeric.statistics.distributions import largest_gap
from tacita.numeric.statistics.order import in_order, sorting_order
from tests.oracles.numeric.as_python import run_as_python


class State(NamedTuple):
    """What a toy kernel changes."""

    x: Float2
    count: int


def toy(state: State, pair: tuple[State, State], rows: Int1, k: int, share: float, rng: np.random.Generator) -> None:
    """A kernel with every kind of parameter."""


def choice(x: Float1 | Single1, y: Float1 | Single1) -> None:
    """A kernel with two parameters that have a choice."""


FLOAT2, INT1 = ArrayForm("float64", 2), ArrayForm("int64", 1)


def test_annotations_are_the_signature() -> None:
    state = (State, FLOAT2, int)
    assert signatures(toy) == [(state, (tuple, state, state), INT1, int, float, np.random.Generator)]


def test_a_choice_makes_several_signatures() -> None:
    kinds = [tuple(form.dtype for form in found) for found in signatures(choice)]
    assert kinds == [("float64", "float64"), ("float64", "float32"), ("float32", "float64"), ("float32", "float32")]


def test_an_entry_knows_its_place() -> None:
    known = next(found for found in entries() if found.function.__name__ == "largest_gap")
    assert (known.group, known.symbol) == ("statistics", "distributions__largest_gap")
    assert known.options == KernelOptions()
    assert isinstance(known, Entry)


def test_a_kernel_is_the_function_that_is_written() -> None:
    def written(x: float) -> float:
        return 2 * x

    assert kernel(written) is written
    assert kernel(inline=True)(written) is written


X = np.array([1.0, 2.0, 4.0])


@pytest.mark.parametrize(
    ("x", "wanted"),
    [
        (X.astype(np.float32), "'x' must be float64 in 1 dimension, in C order and open to be written"),
        (X[:, None], "'x' must be float64 in 1 dimension"),
        (np.repeat(X, 2)[::2], "'x' must be float64 in 1 dimension"),
        ([1.0, 2.0], "'x' must be float64 in 1 dimension"),
    ],
    ids=["single", "two dimensions", "every second", "a list"],
)
def test_the_border_refuses_what_machine_code_would_misread(x: object, wanted: str) -> None:
    with pytest.raises(ParameterError, match=wanted):
        largest_gap(x, X)  # type: ignore[arg-type]


def test_the_border_keeps_what_must_not_be_written() -> None:
    closed = X.copy()
    closed.flags.writeable = False
    with pytest.raises(ParameterError, match="open to be written"):
        largest_gap(closed, X)


def test_a_frozen_parameter_takes_what_must_not_be_written() -> None:
    closed = np.array([3.0, 1.0, 2.0])
    closed.flags.writeable = False
    order, ranked = sorting_order(closed), np.empty(3)
    in_order(closed, order, ranked)
    assert ranked.tolist() == [1.0, 2.0, 3.0]
    assert str(FrozenFloat1.__metadata__[0]) == "float64 in 1 dimension"


def test_the_border_counts_arguments_and_takes_names() -> None:
    with pytest.raises(ParameterError, match="takes 2 values, got 1"):
        largest_gap(X)  # type: ignore[call-arg]
    assert largest_gap(y=X + 1.0, x=X) == largest_gap(X, X + 1.0)


def test_a_state_is_checked_field_by_field() -> None:
    @entry
    def uses(state: State) -> int:
        return state.count

    from tacita.core.kernel import _refusal

    refusal = _refusal(["state"], signatures(uses)[0])
    assert refusal((State(np.zeros((2, 2)), 3),)) == ""
    assert "'state.x' must be float64 in 2 dimensions" in refusal((State(np.zeros(2), 3),))
    assert "'state' must be State" in refusal(((np.zeros((2, 2)), 3),))


def test_kernels_run_as_they_are_written() -> None:
    code = """
        import numpy as np
        from tacita.numeric.statistics.distributions import largest_gap
        print(largest_gap(np.array([1.0, 2.0, 4.0]), np.array([2.0, 3.0, 5.0])))
    """
    assert float(run_as_python(code)) == largest_gap(X, X + 1.0)


@pytest.mark.parametrize(
    "mask", ["RankSwap(columns=MONEY, p=10)", "Mdav(columns=MONEY, k=3)", "LocalSuppression(k=2, effort='fast')"]
)
def test_masks_give_the_same_without_machine_code(mask: str) -> None:
    code = f"""
        import warnings
        import tacita as tc
        warnings.simplefilter("ignore")
        MONEY = ["earnings", "tax"]
        masked = tc.mask.{mask}.apply(tc.samples.household_survey(60, seed=1), seed=7)
        print(masked.to_frame().to_csv() if hasattr(masked.to_frame(), "to_csv") else masked.to_frame().to_pydict())
    """
    assert run_as_python(code) == run_as_python(code, compiled=True)
