"""Suppression as a whole: every method audited, explained, or refused with its reasons."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import tacita as tc
from tacita.core.errors import DataError, TacitaWarning
from tacita.tables.model.dimension import Dimension
from tacita.tables.model.relations import Relations
from tacita.tables.model.table import Table
from tacita.tables.protect.infeasible import InfeasibleError
from tacita.tables.rules.minimum_frequency import MinimumFrequency
from tacita.tables.rules.named_cells import NamedCells
from tacita.tables.rules.p_percent import PPercent
from tacita.tables.rules.unsafe import Unsafe
from tacita.tables.suppression import hypercube
from tacita.tables.suppression import modular as modular_suppression
from tacita.tables.suppression.suppress import Suppress
from tests.tables.tables_by_hand import row_of

METHODS = ("fast", "exact", "modular", "hypercube")


@pytest.fixture(scope="module")
def firms() -> Table:
    return tc.tabulate(tc.samples.business_survey(600, seed=2), ["region", "size_class"], "turnover")


@pytest.mark.parametrize("method", ["fast", "exact", "modular", "hypercube"])
def test_every_method_gives_a_certified_table(firms: Table, method: str) -> None:
    unsafe = (PPercent(p=10) | MinimumFrequency(at_least=3)).judge(firms)
    protected = Suppress(method=method, cost="unity", time_limit=5).protect(firms, unsafe)  # type: ignore[arg-type]
    assert protected.is_safe
    assert protected.certificate is not None
    assert protected.certificate.seats == firms.seats.count
    assert (protected.hidden >= unsafe.cells).all()
    assert protected.bound <= protected.cost + 1e-9
    assert protected.to_plain()["secondary"] == int(protected.secondary.sum())


def test_exact_is_the_cheapest(firms: Table) -> None:
    unsafe = PPercent(p=10).judge(firms)
    exact = Suppress(method="exact", cost="unity", time_limit=20).protect(firms, unsafe)
    fast = Suppress(cost="unity").protect(firms, unsafe)
    assert exact.cost <= fast.cost
    assert exact.bound <= fast.cost


def test_why_cells_are_hidden() -> None:
    table = row_of([[10.0], [20.0, 20.0, 20.0], [30.0, 30.0, 30.0]])
    unsafe = MinimumFrequency(at_least=2).judge(table)
    protected = Suppress(cost="value").protect(table, unsafe)
    assert protected.status == ["safe", "unsafe", "secondary", "safe"]
    assert "external attack" in protected.explain(1)
    assert "protect others" in protected.explain(2)
    assert "cell=c0 would be too well known to anybody" in protected.explain(2)
    assert "is published" in protected.explain(3)
    assert "10" not in protected.explain(2)


def test_two_singletons_do_not_protect_each_other() -> None:
    """c0 and c1 hidden alone would be enough for outsiders, but each knows itself and computes the other."""
    table = row_of([[10.0], [11.0], [30.0, 30.0, 30.0]])
    unsafe = MinimumFrequency(at_least=2).judge(table)
    assert Suppress(cost="unity").protect(table, unsafe).hidden.sum() == 3
    assert Suppress(cost="unity", seats="none").protect(table, unsafe).hidden.sum() == 2


@pytest.mark.parametrize("method", METHODS)
def test_what_cannot_be_protected_is_explained(method: str) -> None:
    table = row_of([[10.0], [20.0, 20.0, 20.0]])
    unsafe = MinimumFrequency(at_least=2).judge(table).lock(np.array([0, 2]))
    with pytest.raises(
        InfeasibleError, match=r"cell=c0.*What forces it: cell=Total is the sum of cell=c0; cell=c1"
    ) as told:
        Suppress(method=method).protect(table, unsafe)  # type: ignore[arg-type]
    assert told.value.cells == (1,)
    assert told.value.relations == (0,)
    assert "10" not in str(told.value).replace("c1", "")


@pytest.mark.parametrize("method", METHODS)
def test_leaks_are_accepted_when_told(method: str) -> None:
    """c0 cannot be protected; c2 can, and is."""
    table = row_of([[10.0], [20.0, 20.0, 20.0], [30.0], [40.0, 40.0, 40.0]])
    sums = Relations.of([(0, [1, 2, 3, 4]), (5, [1, 2])], 6)
    wider = replace(
        table,
        dimensions=(Dimension("cell", ("Total", "c0", "c1", "c2", "c3", "sub")),),
        codes=np.arange(6)[:, None],
        values=np.append(table.values, 70.0),
        relations=sums,
        counts=None,
        units=None,
        holdings=None,
    )
    unsafe = NamedCells(cells=[{"cell": "c0"}, {"cell": "c2"}]).judge(wider).lock(np.array([2, 5]))
    with pytest.raises(InfeasibleError, match="cell=c0"):
        Suppress(method=method).protect(wider, unsafe)  # type: ignore[arg-type]
    made = Suppress(method=method, accepts_leaks=True).protect(wider, unsafe)  # type: ignore[arg-type]
    assert not made.is_safe
    assert made.certificate is not None
    assert made.certificate.at_risk.tolist() == [1]
    assert made.hidden[[1, 3]].all()
    assert any("cell=c0" in note and "cell=sub is the sum of cell=c0; cell=c1" in note for note in made.notes)


def test_accepting_leaks_changes_nothing_where_there_are_none() -> None:
    table = row_of([[10.0], [20.0, 20.0, 20.0], [30.0, 30.0, 30.0]])
    unsafe = MinimumFrequency(at_least=2).judge(table)
    made = Suppress(accepts_leaks=True).protect(table, unsafe)
    assert made.is_safe
    assert made.hidden.tolist() == Suppress().protect(table, unsafe).hidden.tolist()


@pytest.mark.parametrize("method", ["modular", "hypercube"])
def test_an_interrupt_leaves_a_safe_table(firms: Table, method: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The subtables, or cubes, that are left are skipped; the pattern is completed over the whole table."""
    unsafe = (PPercent(p=10) | MinimumFrequency(at_least=3)).judge(firms)
    calls = []

    def stop(*_: object, **__: object) -> None:
        calls.append(1)
        if len(calls) == 4:
            raise KeyboardInterrupt

    module = modular_suppression if method == "modular" else hypercube
    name, holder = ("_protect", module) if method == "modular" else ("cheapest", module._Corners)
    real = getattr(holder, name)
    monkeypatch.setattr(holder, name, lambda *words: (stop(), real(*words))[1])
    with pytest.warns(TacitaWarning, match="the interrupt left"):
        made = Suppress(method=method, cost="unity").protect(firms, unsafe)  # type: ignore[arg-type]
    assert len(calls) == 4
    assert made.is_safe
    assert made.hidden[unsafe.cells].all()


def test_a_table_that_does_not_add_up_is_named() -> None:
    table = row_of([[10.0], [20.0, 20.0, 20.0]])
    broken = table.with_values(table.values + np.array([5.0, 0.0, 0.0]))
    with pytest.raises(DataError, match="not additive: 1 of 1 relations are off"):
        Suppress().protect(broken, MinimumFrequency().judge(broken))


def test_nothing_unsafe_nothing_hidden() -> None:
    table = row_of([[10.0, 10.0, 10.0], [20.0, 20.0, 20.0]])
    protected = Suppress().protect(table, PPercent(p=10).judge(table))
    assert not protected.hidden.any()
    assert protected.is_safe


def test_a_named_cell_is_hidden_with_a_partner() -> None:
    table = row_of([[10.0, 10.0, 10.0], [20.0, 20.0, 20.0], [5.0, 5.0, 5.0]])
    protected = Suppress().protect(table, NamedCells(cells=[{"cell": "c0"}]).judge(table))
    assert protected.status == ["safe", "unsafe", "safe", "secondary"]


@pytest.fixture(scope="module")
def tutorial() -> Table:
    firms = tc.samples.business_survey(2000, seed=1)
    firms = tc.mask.GlobalRecode(levels={"activity": 3, "region": 1}).apply(firms)
    return tc.tabulate(firms, ["region", "activity"], "turnover")


def wide(table: Table, times: float) -> Unsafe:
    """The unsafe cells of the tutorial, with a width of some times the value in place of their levels."""
    rules = MinimumFrequency(at_least=3, level="holding") | PPercent(p=10, level="holding")
    found = rules.judge(table)
    zero = np.zeros(len(table))
    return replace(found, below=zero, above=zero, sliding=np.where(found.cells, times * table.values, 0.0))


def test_a_width_hides_few_cells(tutorial: Table) -> None:
    """50 cells were hidden to protect others where 22 suffice: the whole width was asked of the upper side."""
    unsafe = wide(tutorial, 1.0)
    assert int(Suppress(cost="unity", seats="singletons").protect(tutorial, unsafe).secondary.sum()) <= 25
    half = replace(unsafe, below=unsafe.sliding / 2, above=unsafe.sliding / 2, sliding=np.zeros(len(tutorial)))
    for cost in ("unity", "value"):
        weaker, stricter = (Suppress(cost=cost).protect(tutorial, each) for each in (unsafe, half))  # type: ignore[arg-type]
        assert weaker.is_safe
        assert weaker.cost <= stricter.cost


def test_empty_cells_that_may_be_hidden_never_cost_more(tutorial: Table) -> None:
    unsafe = wide(tutorial, 2.0)
    with_, without = (Suppress(cost="unity", hide_empty=yes).protect(tutorial, unsafe) for yes in (True, False))
    assert with_.is_safe
    assert with_.cost <= without.cost + 1e-9


def test_empty_cells_never_cost_the_exact_method_more(firms: Table) -> None:
    unsafe = PPercent(p=10).judge(firms)
    with_, without = (
        Suppress(method="exact", cost="unity", hide_empty=yes, time_limit=seconds).protect(firms, unsafe)
        for yes, seconds in ((True, 8), (False, 4))  # half of the time is for a pattern without them
    )
    assert with_.cost <= 1.05 * without.cost  # both end by the clock
    assert with_.bound <= with_.cost
