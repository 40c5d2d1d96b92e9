"""Engines of suppression: looked up by name, built from the options that they have, replaced by the fast search where told."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import pytest

from tacita.core.errors import ParameterError, TacitaError
from tacita.tables.model.table import Table
from tacita.tables.protect.infeasible import InfeasibleError
from tacita.tables.protect.pattern import Pattern
from tacita.tables.protect.protector import make_problem
from tacita.tables.rules.minimum_frequency import MinimumFrequency
from tacita.tables.suppression import Exact, Fast, Hypercube, Modular
from tacita.tables.suppression.engine import Asked, Engine, engines, find_engine, unregister_engine
from tacita.tables.suppression.hypercube import hypercube
from tacita.tables.suppression.suppress import QUICK, Suppress
from tests.tables.tables_by_hand import row_of


@pytest.fixture
def row() -> Table:
    return row_of([[10.0], [20.0, 20.0, 20.0], [30.0, 30.0, 30.0]])


@pytest.fixture
def taken() -> Iterator[list[str]]:
    """Engines that a test registers are taken out again."""
    before = set(engines())
    yield []
    for engine in set(engines()) - before:
        unregister_engine(engine)


def test_engines_are_found_by_their_names() -> None:
    assert [find_engine(name) for name in ("exact", "fast", "hypercube", "modular")] == [
        Exact,
        Fast,
        Hypercube,
        Modular,
    ]
    with pytest.raises(ParameterError, match=r"no suppression engine named 'fats'. Did you mean 'fast'"):
        find_engine("fats")


@pytest.mark.parametrize("engine", engines(), ids=lambda engine: engine.name)
def test_every_engine_answers_the_same_question(engine: type[Engine], row: Table) -> None:
    problem = make_problem(row, MinimumFrequency(at_least=2).judge(row), cost="unity")
    found = engine().find(Asked(row, problem, time_limit=5.0))
    assert found.hidden[problem.unsafe].all()
    assert found.cost == problem.cost[found.hidden].sum()
    assert engine.summary().endswith(".")


@pytest.mark.parametrize("engine", engines(), ids=lambda engine: engine.name)
def test_options_of_engines_are_parameters_of_suppress(engine: type[Engine]) -> None:
    known = {parameter.name: parameter.default for parameter in Suppress.parameters()}
    for name in engine.options():
        assert known[name] == getattr(engine(), name), "an option has one default, whoever is asked"


@pytest.mark.parametrize(
    ("method", "option", "owner"),
    [("fast", {"gap": 0.1}, "exact"), ("exact", {"effort": "quality"}, "fast"), ("modular", {"gap": 0.1}, "exact")],
)
def test_an_option_of_another_engine_is_refused(method: str, option: dict[str, object], owner: str) -> None:
    (name,) = option
    with pytest.raises(ParameterError, match=f"'{name}' is an option of the method '{owner}'; '{method}' does not"):
        Suppress(method=method, **option)  # type: ignore[arg-type]


def test_an_unknown_engine_is_refused_with_those_that_there_are() -> None:
    with pytest.raises(ParameterError, match=r"'method' must be one of .*'exact', 'fast', 'hypercube', 'modular'"):
        Suppress(method="simplex")


def test_two_engines_of_one_name_are_an_error() -> None:
    with pytest.raises(TacitaError, match="Two suppression engines are named 'fast'"):

        class Other(Engine, name="fast"):
            """Takes the name of another."""

    assert find_engine("fast") is Fast


def test_the_fast_search_takes_over_where_an_engine_gives_up(row: Table, taken: list[str]) -> None:
    @dataclass(frozen=True, kw_only=True)
    class Timid(Engine, name="timid"):
        """Gives up at once."""

        def find(self, asked: Asked) -> Pattern:
            taken.append(f"{asked.accepts_leaks}")
            raise InfeasibleError("Too hard.", cells=(1,))

    unsafe = MinimumFrequency(at_least=2).judge(row)
    with pytest.raises(InfeasibleError, match="no pattern can protect"):
        Suppress(method="timid").protect(row, unsafe)
    made = Suppress(method="timid", accepts_leaks=True).protect(row, unsafe)
    assert made.is_safe
    assert taken == ["False", "True"]


def test_what_an_engine_forgets_is_added_by_the_audit(row: Table, taken: list[str]) -> None:
    @dataclass(frozen=True, kw_only=True)
    class Lazy(Engine, name="lazy"):
        """Hides the unsafe cells and nothing else."""

        def find(self, asked: Asked) -> Pattern:
            return Pattern.of(asked.problem, asked.problem.unsafe.copy(), seconds=0.0)

    made = Suppress(method="lazy").protect(row, MinimumFrequency(at_least=2).judge(row))
    assert made.is_safe
    assert any("The audit asked for 1 cells more" in note for note in made.notes)
    assert taken == []


def test_cubes_end_with_the_time(row: Table) -> None:
    problem = make_problem(row, MinimumFrequency(at_least=2).judge(row), cost="unity")
    assert np.array_equal(hypercube(row, problem, time_limit=0.0).hidden, problem.unsafe)
    assert hypercube(row, problem).hidden.sum() == 2
    with pytest.raises(ParameterError, match="'time_limit' must not be negative"):
        hypercube(row, problem, time_limit=-1.0)


# --- the engine that is chosen where nobody names one ---------------------------------------------------------------------


def wide_row(cells: int) -> Table:
    """A row with one unsafe cell."""
    return row_of([[10.0], *([[20.0 + i] * 3 for i in range(cells - 1)])])


@pytest.mark.parametrize(("cells", "engine"), [(30, "exact"), (QUICK - 1, "exact"), (QUICK, "fast")])
def test_auto_chooses_by_the_size_of_the_problem(cells: int, engine: str) -> None:
    table = wide_row(cells)  # one more cell is the total
    problem = make_problem(table, MinimumFrequency(at_least=2).judge(table))
    assert Suppress()._engine(problem).name == engine


def test_auto_gives_the_pattern_of_the_engine_that_it_names(row: Table) -> None:
    unsafe = MinimumFrequency(at_least=2).judge(row)
    auto, exact = Suppress().protect(row, unsafe), Suppress(method="exact").protect(row, unsafe)
    assert np.array_equal(auto.hidden, exact.hidden)
    assert auto.method == exact.method == "suppress(method=exact)"
    assert auto.has_proof
    assert auto.to_plain()["gap"] == 0


def test_options_of_both_engines_go_with_auto(row: Table) -> None:
    problem = make_problem(row, MinimumFrequency(at_least=2).judge(row))
    assert Suppress(gap=0.1, effort="quality")._engine(problem) == Exact(gap=0.1)


def test_a_gap_that_nobody_looked_for_is_not_told(row: Table) -> None:
    """The bound of the fast search is what the unsafe cells cost: the pattern can be the cheapest, and the gap large."""
    unsafe = MinimumFrequency(at_least=2).judge(row)
    fast, exact = (Suppress(method=name, cost="unity").protect(row, unsafe) for name in ("fast", "exact"))
    assert np.array_equal(fast.hidden, exact.hidden)
    assert fast.gap == 0.5
    assert (fast.has_proof, exact.has_proof) == (False, True)
    assert fast.to_plain()["gap"] is None
    assert exact.to_plain()["gap"] == 0


def test_a_pattern_without_secondary_cells_is_proven_by_itself(row: Table) -> None:
    made = Suppress(method="fast").protect(row, MinimumFrequency(at_least=1).judge(row))
    assert made.has_proof
    assert made.gap == 0
