"""Methods: parameters from fields, help from docstrings, plain form, registration."""

from __future__ import annotations

import json
from dataclasses import dataclass, field, fields
from typing import Annotated, Any, ClassVar

import pytest

from tacita.core import registry
from tacita.core.errors import ParameterError, TacitaError, UnknownMethodError
from tacita.core.method import REQUIRED, Method
from tacita.core.parameters import Columns, Interval
from tacita.core.selectors import numeric_keys
from tacita.core.traits import (
    PROPERTIES,
    AttackTraits,
    MeasureTraits,
    MethodTraits,
    ProtectorTraits,
    RestrictionTraits,
    RuleTraits,
    Traits,
)
from tacita.core.vocabulary import Kind

pytestmark = pytest.mark.usefixtures("clean_registry")


@dataclass(frozen=True, kw_only=True)
class Base(Method):
    """A base.

    Parameters
    ----------
    columns
        The columns
        to change.
    """

    kind: ClassVar[Kind] = "mask"
    traits = Traits()
    columns: Columns = numeric_keys()


@dataclass(frozen=True, kw_only=True)
class Toy(Base):
    """Do something
    to a file.

    More about it.

    Parameters
    ----------
    p
        How much, in percent.

        With a second paragraph.
    must : int
        Has no default.

    Notes
    -----
    p
        is not explained here.
    """

    must: int
    p: Annotated[float, Interval(0, 100)] = 5.0
    parts: tuple[str, ...] = field(default_factory=tuple)

    def check(self) -> None:
        if self.must == 13:
            raise ParameterError("Toy: 'must' must not be 13.")


def test_parameters_in_order_with_help() -> None:
    shown = {p.name: p for p in Toy.parameters()}
    assert list(shown) == ["columns", "must", "p", "parts"]
    assert shown["columns"].help == "The columns to change."
    assert shown["p"].help == "How much, in percent. With a second paragraph."
    assert shown["must"].help == "Has no default."
    assert shown["must"].required
    assert shown["must"].default is REQUIRED
    assert repr(REQUIRED) == "(required)"
    assert not shown["parts"].required
    assert shown["parts"].default == ()
    assert shown["p"].requirement == "in [0, 100]"


def test_parameter_ready_for_json() -> None:
    shown = {p.name: p.as_plain() for p in Toy.parameters()}
    assert "default" not in shown["must"]
    assert shown["columns"]["default"] == "numeric keys"
    assert shown["columns"]["format"] == "columns"


def test_summary_is_the_first_sentence_on_one_line() -> None:
    assert Toy.summary() == "Do something to a file."


def test_values_are_brought_into_form() -> None:
    toy = Toy(must=1, p=7, columns=["a"], parts=["x", "y"])  # type: ignore[arg-type]
    assert (toy.p, toy.columns, toy.parts) == (7.0, ("a",), ("x", "y"))
    assert type(toy.p) is float


def test_parameters_are_checked_together_after_each_alone() -> None:
    with pytest.raises(ParameterError, match="must not be 13"):
        Toy(must=13)


def test_plain_form_leaves_defaults_out() -> None:
    assert Toy(must=1).to_plain() == {"must": 1}
    assert Toy(must=1, p=5).to_plain() == {"must": 1}
    assert Toy(must=1, p=6, columns=("a",)).to_plain() == {"columns": ["a"], "must": 1, "p": 6.0}


def test_from_plain() -> None:
    assert Toy.from_plain({"must": 2, "columns": "numeric keys"}) == Toy(must=2)


@pytest.mark.parametrize(
    ("values", "sentence"),
    [
        ({"must": 1, "q": 2}, r"Toy: there is no parameter 'q'\. It has: columns, must, p, parts\."),
        ({"must": 1, "column": []}, r"Toy: there is no parameter 'column'\. Did you mean 'columns'\? It has"),
        ({}, r"Toy: 'must' must be given\."),
        ({"must": "x"}, r"Toy: 'must' must be a whole number, got 'x'\."),
    ],
)
def test_from_plain_says_what_is_wrong(values: dict[str, Any], sentence: str) -> None:
    with pytest.raises(ParameterError, match=sentence):
        Toy.from_plain(values)


# --- registry --------------------------------------------------------------------------------------------------------


def test_a_class_with_a_name_is_registered() -> None:
    @dataclass(frozen=True, kw_only=True)
    class Named(Base):
        """Do it."""

        name = "core_test_named"

    assert registry.find("mask", "core_test_named") is Named
    assert Named in list(registry.methods("mask"))
    registry.unregister(Named)
    with pytest.raises(UnknownMethodError, match="There is no mask named 'core_test_named'"):
        registry.find("mask", "core_test_named")


def test_a_base_without_a_name_is_not_registered() -> None:
    assert Base not in set(registry.methods())


def test_a_subclass_does_not_inherit_the_registration() -> None:
    @dataclass(frozen=True, kw_only=True)
    class First(Base):
        """Do it."""

        name = "core_test_first"

    class Second(First):
        """Do it otherwise."""

    assert registry.find("mask", "core_test_first") is First
    assert Second not in set(registry.methods())


def test_two_methods_cannot_share_a_name() -> None:
    @dataclass(frozen=True, kw_only=True)
    class One(Base):
        """Do it."""

        name = "core_test_twice"

    with pytest.raises(TacitaError, match=r"Two methods of kind 'mask' are named 'core_test_twice': .*One and .*Other"):

        class Other(Base):
            """Do it."""

            name = "core_test_twice"

    assert registry.find("mask", "core_test_twice") is One


def test_a_class_of_the_same_name_in_another_module_is_another_method() -> None:
    def make(module: str) -> type:
        return type("Same", (Base,), {"name": "core_test_same", "__module__": module, "__qualname__": "Same"})

    first = make("somewhere.a")
    assert registry.find("mask", "core_test_same") is first
    assert make("somewhere.a") is registry.find("mask", "core_test_same"), "reloading a module is no clash"
    with pytest.raises(TacitaError, match=r"somewhere\.a\.Same and somewhere\.b\.Same"):
        make("somewhere.b")


def test_near_misses_are_suggested() -> None:
    with pytest.raises(UnknownMethodError, match=r"There is no mask named 'rank_swp'\. Did you mean 'rank_swap'\?"):
        registry.find("mask", "rank_swp")


def test_methods_come_by_kind_and_name() -> None:
    kinds = [m.kind for m in registry.methods()]
    order = ["mask", "loss", "risk", "rule", "protector", "restriction", "attack", "anonymiser", "log_measure"]
    assert kinds == sorted(kinds, key=order.index)
    names = [m.name for m in registry.methods("mask")]
    assert names == sorted(names)


# --- traits ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("claims", "sentence"),
    [
        ({"scales": {"metric"}}, "'scales' must be out of numeric, ordinal, nominal, date, got 'metric'"),
        ({"preserves": ("margins",)}, "'preserves' must be out of .*, got 'margins'"),
    ],
)
def test_traits_know_their_words(claims: dict[str, Any], sentence: str) -> None:
    with pytest.raises(ParameterError, match=sentence):
        Traits(**claims)


@pytest.mark.parametrize(
    ("claims", "own", "foreign"),
    [
        (Traits(scales={"nominal", "numeric"}, preserves=tuple(PROPERTIES)), "preserves", "upper"),
        (MeasureTraits(scales={"nominal", "numeric"}, upper=100.0), "upper", "stochastic"),
    ],
)
def test_traits_of_masks_and_of_measures_are_two_types(claims: MethodTraits, own: str, foreign: str) -> None:
    shown = claims.as_plain()
    assert shown["scales"] == ["numeric", "nominal"]
    assert shown[own] in (list(PROPERTIES), 100.0)
    assert foreign not in shown
    with pytest.raises(TypeError, match=foreign):
        type(claims)(**{foreign: True})


def test_traits_are_ready_for_json() -> None:
    for method in registry.methods():
        shown = method.traits.as_plain()
        assert json.loads(json.dumps(shown)) == shown
        assert list(shown) == [entry.name for entry in fields(method.traits)]


def test_a_method_cannot_claim_what_another_kind_claims() -> None:
    with pytest.raises(
        TacitaError, match=r"Wrong: 'traits' must be Traits of tacita\.core\.traits, got MeasureTraits\."
    ):

        class Wrong(Base):
            """Do it."""

            traits = MeasureTraits()


@pytest.mark.parametrize(
    ("kind", "claims"),
    [
        ("mask", Traits),
        ("loss", MeasureTraits),
        ("risk", MeasureTraits),
        ("rule", RuleTraits),
        ("protector", ProtectorTraits),
        ("restriction", RestrictionTraits),
        ("attack", AttackTraits),
    ],
)
def test_every_kind_has_claims_of_its_own(kind: Kind, claims: type[MethodTraits]) -> None:
    found = list(registry.methods(kind))
    assert found
    assert all(type(method.traits) is claims for method in found)


def test_a_title_is_written_from_the_name_unless_it_is_given() -> None:
    @dataclass(frozen=True, kw_only=True)
    class Plain(Base):
        """Plain."""

        name = "two_words"

    @dataclass(frozen=True, kw_only=True)
    class Titled(Plain):
        """Titled."""

        name = "sdx"
        title = "Something said"

    assert (Plain.title, Titled.title, Titled.titled()) == ("Two words", "Something said", "Something said (sdx)")
    assert Titled.describe()["title"] == "Something said"


def test_help_for_screens_and_forms_has_no_marks() -> None:
    registry.load_all()
    for method in registry.methods():
        described = method.describe()
        for text in (described["summary"], *(p["help"] for p in described["parameters"])):
            assert "`" not in text, (method.name, text)
