"""Adding a method is adding a class: this file has a mask of its own, and nothing else anywhere knows of it.

The mask is taken out of the registry again when the file has been imported; the fixture enters it for a test.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated, Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pytest

import tacita as tc
from tacita.core import registry
from tacita.core.attacks import Attack
from tacita.core.errors import DataError, TacitaError, UnknownMethodError
from tacita.core.method import Method
from tacita.core.parameters import Interval
from tacita.core.streams import Streams
from tacita.core.traits import Traits
from tacita.data.microdata import Microdata
from tacita.mask.base import Mask
from tacita.mask.numeric_mask import ColumnwiseMask
from tests.conformance import numeric_mask_checks  # noqa: F401 - enters its checks
from tests.conformance.examples import examples
from tests.conformance.mask_checks import MASK_CHECKS, MaskCheck, result_is_sound, sound
from tests.conformance.method_checks import METHOD_CHECKS
from tests.conformance.property_checks import PROPERTY_CHECKS

FloatArray = npt.NDArray[np.float64]


@dataclass(frozen=True, kw_only=True)
class ToySteps(ColumnwiseMask):
    """Round each value down to a multiple of a step.

    Parameters
    ----------
    step
        The distance between two values that can come out.
    """

    name = "toy_steps"
    attacks = (Attack(measure="rank_order_linkage", knows="order was kept in steps of {step:g}", takes=("by",)),)
    traits = Traits(scales={"numeric"}, preserves=("ranks",))
    step: Annotated[float, Interval(0, closed="neither")] = 10.0

    def mask_column(self, values: FloatArray, rng: np.random.Generator) -> FloatArray:  # noqa: ARG002
        """Round one column down."""
        with np.errstate(over="ignore", invalid="ignore"):
            rounded = np.floor(values / self.step) * self.step
        return np.where(np.isfinite(rounded), rounded, values)


ENTERED_BY_SUBCLASSING = registry.find("mask", "toy_steps") is ToySteps
registry.unregister(ToySteps)


@pytest.fixture
def toy() -> Iterator[type[ToySteps]]:
    registry.register(ToySteps)
    yield ToySteps
    registry.unregister(ToySteps)


def test_subclassing_registers() -> None:
    assert ENTERED_BY_SUBCLASSING


def test_unregistered_method_is_gone() -> None:
    with pytest.raises(UnknownMethodError):
        registry.find("mask", "toy_steps")


def test_registry_lists_it(toy: type[ToySteps]) -> None:
    assert toy in set(registry.methods())
    assert toy in set(registry.methods("mask"))
    assert toy not in set(registry.methods("risk"))


def test_description(toy: type[ToySteps]) -> None:
    shown = toy.describe()
    assert shown["summary"] == "Round each value down to a multiple of a step."
    assert shown["traits"]["preserves"] == ["ranks"]
    step = next(p for p in shown["parameters"] if p["name"] == "step")
    assert step == {
        "name": "step",
        "help": "The distance between two values that can come out.",
        "must_be": "above 0",
        "required": False,
        "type": "number",
        "exclusiveMinimum": 0,
        "default": 10.0,
    }
    inherited = {p["name"]: p["help"] for p in shown["parameters"]}
    assert inherited["keep_zeros"].startswith("Zeros stay zeros")


def test_recipe_file(toy: type[ToySteps]) -> None:
    recipe = tc.Recipe.from_toml('[[step]]\nmask = "toy_steps"\ncolumns = ["age"]\nstep = 5\n')
    assert recipe.steps == (toy(columns=("age",), step=5.0),)
    data = tc.samples.household_survey(50, seed=1)
    released = recipe.apply(data, seed=1).data
    assert np.array_equal(released.float("age"), data.float("age") // 5 * 5)


@pytest.mark.filterwarnings("ignore:ToySteps. many values")  # some files have multiples of the step already
@pytest.mark.parametrize("check", MASK_CHECKS, ids=lambda check: check.name)
def test_conformance(toy: type[ToySteps], check: MaskCheck) -> None:
    (made,) = examples(toy)
    if check.when(made):
        check.body(made)
    else:
        assert check.name in {
            "other_seed_other_result",
            "chance_needs_a_seed",
            "records_are_nobodys",
            "a_private_mask_says_what_it_spends",
        }, "only what speaks of chance, of drawn records or of a proof is left out"


@pytest.mark.parametrize("check", METHOD_CHECKS, ids=lambda check: check.__name__)
def test_method_checks(toy: type[ToySteps], check: Callable[[Method], None]) -> None:
    check(toy())


# --- the command line ------------------------------------------------------------------------------------------------


def _invoke(*words: str) -> Any:
    from typer.testing import CliRunner

    from tacita.cli.main import app

    return CliRunner().invoke(app, list(words))


def test_command_line_lists_it(toy: type[ToySteps]) -> None:
    result = _invoke("methods", "--json")
    assert result.exit_code == 0, result.output
    listed = {(m["kind"], m["name"]): m for m in json.loads(result.stdout)}
    assert listed["mask", "toy_steps"] == toy.describe()
    assert {(m.kind, m.name) for m in registry.methods()} == set(listed)


def test_command_line_uses_it(toy: type[ToySteps], tmp_path: Path) -> None:
    (tmp_path / "file.csv").write_text(
        "age,income\n" + "".join(f"{18 + i},{1000 + (37 * i) % 101}\n" for i in range(40))
    )
    roles = "".join(f'[columns.{name}]\nrole = "confidential"\n' for name in ("age", "income"))
    (tmp_path / "file.toml").write_text(roles)
    result = _invoke(
        "mask", str(tmp_path / "file.csv"), "-s", str(tmp_path / "file.toml"), "-o", str(tmp_path / "out"),
        "--mask", "toy_steps", "--set", "columns=age", "--set", "step=20", "--seed", "1", "--no-report",
    )  # fmt: skip
    assert result.exit_code == 4, (result.output, result.exception)  # written, and not judged
    ages = [line.split(",")[0] for line in (tmp_path / "out/public/data.csv").read_text().splitlines()[1:]]
    assert {float(age) for age in ages} == {0.0, 20.0, 40.0}


def test_command_line_forgets_it(tmp_path: Path) -> None:
    result = _invoke("mask", str(tmp_path / "file.csv"), "-o", str(tmp_path / "out"), "--mask", "toy_steps")
    assert isinstance(result.exception, TacitaError)
    assert "There is no mask named 'toy_steps'" in str(result.exception)


# --- the checks can fail ---------------------------------------------------------------------------------------------


@dataclass(frozen=True, kw_only=True)
class _Lie(Mask):
    """A mask that does what a test tells it; it has no name, so it is not registered."""

    traits = Traits(scales={"numeric"})
    columns = ("income",)
    k = 3
    act: Any = None

    def transform(self, data: Microdata, streams: Streams) -> Microdata:  # noqa: ARG002
        return self.act(data)


def _with(data: Microdata, name: str, change: Callable[[FloatArray], FloatArray]) -> Microdata:
    return data.with_numbers({name: change(data.float(name).copy())})


def _fill_gaps(data: Microdata) -> Microdata:
    return _with(data, "income", lambda x: np.nan_to_num(x, nan=5.0))


def _forget_link(data: Microdata) -> Microdata:
    return Microdata(data.to_arrow(), data.schema)


def _infinite(data: Microdata) -> Microdata:
    return data.with_column("income", pa.array(np.full(len(data), np.inf)))


LIES: dict[str, Callable[[Microdata], Microdata]] = {
    "changes_something": lambda data: data,
    "result_is_sound": _forget_link,
    "other_columns_are_untouched": lambda data: _with(data, "age", lambda x: x + 1),
    "design_columns_are_untouched": lambda data: _with(data, "weight", lambda x: x + 1),
    "same_seed_same_result": lambda data: _with(data, "income", lambda x: x + np.random.default_rng().random()),
    "edge_sizes": lambda data: _with(data, "income", lambda x: x / x[0]),
}


@pytest.mark.parametrize("name", LIES)
def test_checks_find_a_lie(name: str) -> None:
    body = next(check.body for check in MASK_CHECKS if check.name == name)
    with pytest.raises((AssertionError, IndexError)):
        body(_Lie(act=LIES[name]))


@pytest.mark.parametrize("act", [_fill_gaps, _infinite], ids=lambda act: act.__name__)
def test_soundness_finds_a_lie(act: Callable[[Microdata], Microdata]) -> None:
    with pytest.raises((AssertionError, DataError)):  # the look after every mask refuses infinite values itself
        result_is_sound(replace(_Lie(), act=act))


FALSE_CLAIMS: dict[str, Callable[[FloatArray], FloatArray]] = {
    "marginals": lambda x: x + 1,
    "means": lambda x: x * 1.5,
    "ranks": lambda x: -x,
    "rows": lambda x: x + 1,
    "k-anonymity": lambda x: x,
    "zeros": lambda x: x - x[0],
    "coefficients": lambda x: x + 1,
    "covariances": lambda x: x * 1.5,
    "group moments": lambda x: x * 1.5,
}


def test_every_claim_has_a_lie() -> None:
    assert set(FALSE_CLAIMS) == set(PROPERTY_CHECKS)


@pytest.mark.parametrize("claim", FALSE_CLAIMS)
def test_checks_find_a_false_claim(claim: str) -> None:
    data = Microdata.from_frame(pa.table({"a": np.arange(10.0)}))
    other = np.array([3.0, 5.0, 7.0, 9.0, 11.0, 13.0, 15.0, 17.0, 19.0, 0.0])
    data = data.with_numbers({"a": other})
    masked = _with(data, "a", FALSE_CLAIMS[claim])
    with pytest.raises(AssertionError):
        PROPERTY_CHECKS[claim](_Lie(), data, masked, ("a",))


def test_true_claims_pass() -> None:
    data = Microdata.from_frame(pa.table({"a": np.repeat([1.0, 0.0, 2.0], 3)}))
    for claim in PROPERTY_CHECKS:
        PROPERTY_CHECKS[claim](_Lie(), data, data, ("a",))
    sound(_Lie(), data, data)
