"""The two reports on a protected table: utility in both, secrets in the internal one alone."""

from __future__ import annotations

import re
from dataclasses import replace

import numpy as np
import pytest

import tacita as tc
from tacita.core.errors import ParameterError
from tacita.report.table_page import table_page
from tacita.tables.adjustment.adjust import Adjust
from tacita.tables.model.table import Table
from tacita.tables.protect.protected import Protected
from tacita.tables.rounding.round import Round
from tacita.tables.rules.minimum_frequency import MinimumFrequency
from tacita.tables.suppression.suppress import Suppress
from tests.tables.tables_by_hand import row_of


@pytest.fixture
def table() -> Table:
    return row_of([[77.0], [20.0, 20.0, 21.0], [30.0, 30.0, 31.0]])


def texts(page: str) -> str:
    """The words of a page, without its style sheet."""
    body = re.sub(r"<style.*?</style>", "", page, flags=re.DOTALL)
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", body))


def hide(table: Table) -> Protected:
    return Suppress().protect(table, MinimumFrequency(at_least=2).judge(table))


def test_the_internal_page_has_all_of_utility(table: Table) -> None:
    shown = texts(table_page(hide(table)))
    assert "30.13 % of the sum of all cells" in shown  # 138 of 458
    assert "over 10 up to 100 1 2 0" in shown
    assert "totals kept 1 (100.0 %)" in shown


def test_the_public_page_of_a_suppressed_table_counts_cells_only(table: Table) -> None:
    made = hide(table)
    shown = texts(table_page(made, form="external"))
    assert "published cells 2 (50.0 %)" in shown
    assert "published totals 1 (100.0 %)" in shown
    for secret in ("30.13", "138", "value hidden", "By size", "change", "alone", "77", "61"):
        assert secret not in shown


def test_the_public_page_does_not_depend_on_hidden_values(table: Table) -> None:
    """Two tables that publish the same cells have the same public page, whatever is hidden."""
    made = hide(table)
    first, second = np.flatnonzero(made.hidden).tolist()
    values = table.values.copy()
    values[first], values[second] = values[second] - 1.0, values[first] + 1.0
    other = hide(row_of([[values[1]], [20.0, 20.0, values[2] - 40.0], [30.0, 30.0, 31.0]]))
    assert other.hidden.tolist() == made.hidden.tolist()
    assert not np.array_equal(other.table.values, table.values)
    assert table_page(made, form="external") == table_page(other, form="external")


@pytest.mark.parametrize(
    "protector", [Round(base=5), Adjust(method="heuristic"), Round(base=5, kind_of="conventional")]
)
def test_the_public_page_does_not_tell_changed_values_from_others(protector: Round | Adjust) -> None:
    """Readers see the same page as if the published values were the true ones."""
    firms = tc.samples.business_survey(200, seed=1)
    table = tc.tabulate(firms, ["region", "size_class"])
    made = protector.protect(table, MinimumFrequency(at_least=3).judge(table))
    assert not np.array_equal(made.values, table.values)
    page = table_page(made, form="external")
    assert "each may differ from the true one" in texts(page)
    honest = replace(made, table=replace(table, values=made.values, counts=None))
    assert table_page(honest, form="external") == page


def test_the_public_picture_does_not_tell_true_zeros_from_rounded_ones() -> None:
    firms = tc.samples.business_survey(300, seed=1)
    table = tc.tabulate(firms, ["region", "size_class"])
    made = Round(base=5).protect(table, MinimumFrequency(at_least=3).judge(table))
    zeros = made.values == 0
    assert (table.values[zeros] > 0).any()
    assert (table.values[zeros] == 0).any()
    assert "changed" in texts(table_page(made))
    public = table_page(made, form="external")
    assert ">changed<" not in public


def test_sums_that_do_not_hold_are_said_not_to(table: Table) -> None:
    unsafe = MinimumFrequency(at_least=2).judge(table)
    assert "sums hold" in texts(table_page(Round(base=5).protect(table, unsafe), form="external"))
    broken = Round(base=20, kind_of="conventional").protect(table, unsafe)
    assert broken.values.tolist() == [220, 80, 60, 100]
    assert "sums do not hold" in texts(table_page(broken, form="external"))


def test_each_form_says_whether_it_may_leave(table: Table) -> None:
    protected = hide(table)
    assert 'class="form internal">Internal form.' in table_page(protected)
    assert "must stay inside" in table_page(protected)
    assert 'class="form external">External form.' in table_page(protected, form="external")
    with pytest.raises(ParameterError, match="'form' must be"):
        table_page(protected, form="public")
