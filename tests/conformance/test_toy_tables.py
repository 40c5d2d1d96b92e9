"""Adding a rule, a protector or a suppression engine is adding a class: nothing else anywhere knows of those in this file.

They are taken out again when the file has been imported; the fixture enters them for a test.
"""

from __future__ import annotations

import importlib
import json
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated, Any

import numpy as np
import pytest
import typer
from typer.testing import CliRunner

from tacita.core import registry
from tacita.core.errors import DataError, ParameterError, UnknownMethodError
from tacita.core.method import Method
from tacita.core.parameters import Interval
from tacita.core.traits import ABOUT, ProtectorTraits, RuleTraits
from tacita.tables.auditor.audit import audit
from tacita.tables.model.table import Table
from tacita.tables.protect.pattern import Pattern
from tacita.tables.protect.protected import Protected
from tacita.tables.protect.protector import Protector, make_problem
from tacita.tables.rules.rule import Rule, verdict
from tacita.tables.rules.unsafe import Unsafe
from tacita.tables.suppression.engine import Asked, Engine, engines, find_engine, unregister_engine
from tacita.tables.suppression.suppress import Suppress
from tests.conformance.method_checks import METHOD_CHECKS
from tests.conformance.protector_checks import CLAIM_CHECKS, PROTECTOR_CHECKS, ProtectorCheck, protected
from tests.conformance.rule_checks import ABOUT_CHECKS, RULE_CHECKS, RuleCheck, spares_empty
from tests.conformance.rule_checks import needs as check_of_needs
from tests.conformance.table_examples import TABLES, table, verdict_on


@dataclass(frozen=True, kw_only=True)
class ToyLonely(Rule):
    """A cell is unsafe when exactly one contributor is in it.

    Parameters
    ----------
    span
        Protection level in percent of the value.
    """

    name = "toy"
    traits = RuleTraits(about="internal", needs=("counts",))
    span: Annotated[float, Interval(0, 100)] = 20.0

    def judge(self, table: Table) -> Unsafe:
        """Return the cells with one contributor."""
        if table.counts is None:
            raise DataError("ToyLonely: the table must know how many records are in a cell ('counts').")
        reach = self.span / 100 * np.abs(table.values)
        return verdict(self, table, table.counts == 1, reach, reach)


@dataclass(frozen=True, kw_only=True)
class ToyCurtain(Protector):
    """Hide everything that may be hidden, as soon as one cell is unsafe.

    Parameters
    ----------
    hide_empty
        Whether cells without contributors may be hidden.
    """

    name = "toy"
    traits = ProtectorTraits(
        hides=True,
        safe_for_outsiders=True,
        safe_for_seats=True,
        additive=True,
        keeps_zeros=True,
        leaves_safe_tables=True,
    )
    hide_empty: bool = False

    def protect(self, table: Table, unsafe: Unsafe) -> Protected:
        """Return the table with hardly anything in it."""
        problem = make_problem(table, unsafe, cost="unity", hide_empty=self.hide_empty)
        hidden = problem.unsafe | (problem.can_hide & unsafe.cells.any())
        return self.result(
            table,
            unsafe,
            problem,
            begin=0.0,
            hidden=hidden,
            certificate=audit(problem, hidden),
            cost=float(hidden.sum()),
            bound=float(problem.unsafe.sum()),
            has_proof=False,
        )


@dataclass(frozen=True, kw_only=True)
class ToyEngine(Engine, name="toy"):
    """Hides every cell that may be hidden."""

    def find(self, asked: Asked) -> Pattern:
        """Return the pattern that hides the most, where anything has to be hidden."""
        problem = asked.problem
        return Pattern.of(problem, problem.unsafe | (problem.can_hide & problem.unsafe.any()), seconds=0.0)


ENTERED = (registry.find("rule", "toy"), registry.find("protector", "toy"), find_engine("toy"))
registry.unregister(ToyLonely)
registry.unregister(ToyCurtain)
unregister_engine(ToyEngine)


@pytest.fixture
def toys() -> Iterator[None]:
    registry.register(ToyLonely)
    registry.register(ToyCurtain)
    ToyEngine.__init_subclass__(name="toy")
    yield
    registry.unregister(ToyLonely)
    registry.unregister(ToyCurtain)
    unregister_engine(ToyEngine)


def test_subclassing_registers() -> None:
    assert (ToyLonely, ToyCurtain, ToyEngine) == ENTERED


def test_toys_are_gone() -> None:
    for kind in ("rule", "protector"):
        with pytest.raises(UnknownMethodError):
            registry.find(kind, "toy")  # type: ignore[arg-type]
    with pytest.raises(ParameterError, match="'method' must be one of"):
        Suppress(method="toy")


# --- conformance --------------------------------------------------------------------------------------------------------


@pytest.mark.usefixtures("toys")
def test_the_suite_collects_them() -> None:
    """What the test files of the suite run over is the registry, and the methods of every protector."""
    from tests.conformance.examples import all_examples
    from tests.conformance.test_protectors import named, ways

    assert ToyLonely() in all_examples("rule")
    found = {named(made) for kind in registry.methods("protector") for made in ways(kind)}
    assert {"toy", "suppress-toy"} <= found


@pytest.mark.usefixtures("toys")
@pytest.mark.parametrize("name", TABLES)
@pytest.mark.parametrize("check", RULE_CHECKS, ids=lambda check: check.name)
def test_rule_conforms(check: RuleCheck, name: str) -> None:
    assert check.when(ToyLonely())
    check.body(ToyLonely(), table(name))


@pytest.mark.usefixtures("toys")
@pytest.mark.parametrize("name", TABLES)
@pytest.mark.parametrize("check", PROTECTOR_CHECKS, ids=lambda check: check.name)
def test_protector_and_engine_conform(check: ProtectorCheck, name: str) -> None:
    for made in (ToyCurtain(), Suppress(method="toy")):
        if check.when(made):
            check.body(made, table(name))
        else:
            assert check.name == "changes", "only what speaks of changed values is left out"


@pytest.mark.usefixtures("toys")
@pytest.mark.parametrize("check", METHOD_CHECKS, ids=lambda check: check.__name__)
@pytest.mark.parametrize("made", [ToyLonely(), ToyCurtain()], ids=lambda made: made.kind)
def test_method_checks(made: Method, check: Callable[[Method], None]) -> None:
    check(made)


# --- the command line ---------------------------------------------------------------------------------------------------


def _invoke(*words: object) -> str:
    from tacita.cli.main import app

    result = CliRunner().invoke(app, [str(word) for word in words])
    assert result.exit_code == 0, (result.output, result.exception)
    return result.stdout


@pytest.fixture
def firms(tmp_path: Path) -> Path:
    path = tmp_path / "firms.csv"
    rows = [("a", 7), ("b", 5), ("b", 6), ("b", 4), ("c", 9), ("c", 3), ("d", 2), ("d", 8), ("d", 3)]
    path.write_text("code,x\n" + "".join(f"{code},{x}\n" for code, x in rows), encoding="utf-8")
    return path


@pytest.mark.usefixtures("toys")
def test_command_line_uses_them(firms: Path) -> None:
    words = ("table", firms, "--by", "code", "--response", "x", "--rule", "toy:span=50", "--json")
    engine = json.loads(_invoke(*words, "--method", "toy"))
    assert (engine["rules"], engine["unsafe"]) == (["toy(span=50)"], 1)
    assert engine["method"] == "suppress(method=toy)"
    assert engine["secondary"] == 4
    curtain = json.loads(_invoke(*words, "--protector", "toy"))
    assert curtain["method"] == "toy()"
    assert (curtain["safe"], curtain["gap"]) == (True, None)


@pytest.mark.usefixtures("toys")
def test_command_line_lists_them() -> None:
    listed = {(m["kind"], m["name"]): m for m in json.loads(_invoke("methods", "--json"))}
    assert listed["rule", "toy"]["traits"]["about"] == "internal"
    assert listed["protector", "toy"]["traits"]["safe_for_seats"] is True
    method = next(p for p in listed["protector", "suppress"]["parameters"] if p["name"] == "method")
    assert "toy" in method["enum"]
    assert "hides every cell that may be hidden" in method["help"]


@pytest.mark.usefixtures("toys")
def test_help_names_the_engine() -> None:
    """The help is made when the program starts: here the verb is loaded anew."""
    verb = importlib.reload(importlib.import_module("tacita.cli.verbs.table"))
    app = typer.Typer(rich_markup_mode=None)
    app.command()(verb.table)
    told = " ".join(CliRunner().invoke(app, ["--help"]).stdout.split())
    unregister_engine(ToyEngine)
    importlib.reload(verb)
    assert "auto, exact, fast, hypercube, modular, toy;" in told


def test_a_method_is_named_once(firms: Path) -> None:
    from tacita.cli.main import app

    words = ["table", str(firms), "--by", "code", "--rule", "minimum_frequency", "--method", "fast"]
    result = CliRunner().invoke(app, [*words, "--set", "method=exact"])
    assert "--method and --set method=... contradict each other" in str(result.exception)


# --- the reference ------------------------------------------------------------------------------------------------------


@pytest.mark.usefixtures("toys")
def test_reference_has_them(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(Path(__file__).parents[2] / "tools"))
    pages: Any = importlib.import_module("docs_methods")
    try:
        index = pages.methods_index()
        assert "(rule-toy.md)" in index
        assert "(protector-toy.md)" in index
        assert f"**internal**: {ABOUT['internal']}" in pages.method_page(ToyLonely, None)
        assert "nobody who knows the published cells comes closer" in pages.method_page(ToyCurtain, None)
        suppress = pages.method_page(Suppress, None)
        assert "`toy` hides every cell that may be hidden" in suppress
    finally:
        for name in [name for name in sys.modules if name.startswith("docs_")]:
            del sys.modules[name]


# --- the checks can fail ------------------------------------------------------------------------------------------------


@dataclass(frozen=True, kw_only=True)
class _FalseRule(Rule):
    """A rule that finds what a test tells it; it has no name of its own in the registry."""

    traits = RuleTraits(about="named")
    act: Any = None

    def words(self) -> str:
        return "false()"

    def judge(self, table: Table) -> Unsafe:
        cells = self.act(table)
        reach = np.ones(len(table))
        return verdict(self, table, cells, reach, reach)


def _everything(made: Table) -> Any:
    return np.ones(len(made), bool)


def _nothing(made: Table) -> Any:
    return np.zeros(len(made), bool)


FALSE_ABOUT: dict[str, Callable[[Table], Any]] = {
    "dominance": _everything,
    "internal": _nothing,
    "group": _everything,
    "named": _everything,
}


def test_every_attack_has_a_lie() -> None:
    assert set(FALSE_ABOUT) == set(ABOUT_CHECKS)


@pytest.mark.parametrize("about", FALSE_ABOUT)
def test_checks_find_a_rule_about_something_else(about: str) -> None:
    with pytest.raises(AssertionError):
        ABOUT_CHECKS[about](_FalseRule(act=FALSE_ABOUT[about]), table("everything unsafe"))


def test_checks_find_an_unsafe_cell_that_is_empty() -> None:
    with pytest.raises(AssertionError):
        spares_empty(_FalseRule(act=lambda made: made.is_empty), table("zeros"))


def test_checks_find_a_rule_that_needs_less_than_it_says() -> None:
    class Modest(_FalseRule):
        """Claims to need what it does not look at."""

        traits = RuleTraits(about="named", needs=("counts",))

    with pytest.raises(pytest.fail.Exception, match="DID NOT RAISE"):
        check_of_needs(Modest(act=_nothing), table("ordinary"))


@dataclass(frozen=True, kw_only=True)
class _FalseProtector(ToyCurtain):
    """Publishes what a test tells it, whatever its traits claim."""

    name = "false"
    act: Any = None

    def protect(self, table: Table, unsafe: Unsafe) -> Protected:
        return replace(super().protect(table, unsafe), **self.act(table, unsafe))


registry.unregister(_FalseProtector)


def _shows_all(made: Table, unsafe: Unsafe) -> dict[str, Any]:
    return {"hidden": np.zeros(len(made), bool)}


def _hides_unsafe_only(made: Table, unsafe: Unsafe) -> dict[str, Any]:
    return {"hidden": unsafe.cells.copy()}


def _adds_one(made: Table, unsafe: Unsafe) -> dict[str, Any]:
    return {"values": made.values + np.arange(len(made))}


FALSE_CLAIMS: dict[str, Callable[[Table, Unsafe], dict[str, Any]]] = {
    "hides": _shows_all,
    "safe_for_outsiders": _hides_unsafe_only,
    "safe_for_seats": _hides_unsafe_only,
    "additive": _adds_one,
    "keeps_zeros": _adds_one,
    "leaves_safe_tables": _adds_one,
}


def test_every_claim_has_a_lie() -> None:
    assert set(FALSE_CLAIMS) == set(CLAIM_CHECKS)


@pytest.mark.parametrize("claim", FALSE_CLAIMS)
def test_checks_find_a_false_claim(claim: str) -> None:
    liar, case = _FalseProtector(act=FALSE_CLAIMS[claim]), table("zeros" if claim == "keeps_zeros" else "ordinary")
    with pytest.raises(AssertionError):
        CLAIM_CHECKS[claim](liar, case)


def test_checks_find_chance_without_a_seed() -> None:
    def drawn(made: Table, unsafe: Unsafe) -> dict[str, Any]:
        return {"values": made.values + np.random.default_rng().random(len(made))}

    body = next(check.body for check in PROTECTOR_CHECKS if check.name == "same_seed_same_result")
    with pytest.raises(AssertionError):
        body(_FalseProtector(act=drawn), table("ordinary"))


def test_true_claims_pass() -> None:
    honest = _FalseProtector(act=lambda *_: {})
    assert protected(honest, table("ordinary")) is not None
    assert verdict_on("ordinary").cells.any()
    for body in CLAIM_CHECKS.values():
        body(honest, table("ordinary"))
    assert ToyEngine not in engines()
