"""Checks for rules of tables: what holds for every rule, and one check for each claim of its traits."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
import pytest

from tacita.core.errors import DataError, ParameterError
from tacita.tables.files.json_form import table_from_plain, table_to_plain
from tacita.tables.model.table import Table
from tacita.tables.rules.rule import Rule
from tacita.tables.rules.unsafe import Unsafe
from tests.conformance.table_examples import Case, nobody_asked, table, without

__all__ = ["ABOUT_CHECKS", "RULE_CHECKS", "RuleCheck"]

Body = Callable[[Rule, Case], None]


@dataclass(frozen=True)
class RuleCheck:
    """One check, and the rules that it is for."""

    name: str
    body: Body
    when: Callable[[Rule], bool] = lambda rule: True  # noqa: ARG005


def judged(rule: Rule, made: Table) -> Unsafe:
    """The verdict, or none where the table has not what the rule names: that is refused with its reason."""
    try:
        return rule.judge(made)
    except (ParameterError, DataError):
        return Unsafe.none(len(made))


def verdict_has_its_form(rule: Rule, case: Case) -> None:
    """Every array speaks of all cells; levels are where cells are unsafe and nowhere else."""
    made, found = case.table, rule.judge(case.table)
    n = len(made)
    for array in (found.cells, found.below, found.above, found.sliding, found.locked):
        assert array.shape == (n,)
    assert found.rules == (rule.words(),)
    assert found.about == (rule.traits.about,)
    assert np.array_equal(found.by, found.cells[:, None])
    assert not found.locked.any()
    for level in (found.below, found.above, found.sliding):
        assert np.isfinite(level).all()
        assert (level >= 0).all()
        assert not level[~found.cells].any()
    assert found.from_inside.most.shape == (n, 3)


def table_is_untouched(rule: Rule, case: Case) -> None:
    """A rule looks, and changes nothing."""
    before = case.table.values.copy()
    rule.judge(case.table)
    assert np.array_equal(case.table.values, before)


def same_table_same_verdict(rule: Rule, case: Case) -> None:
    """Nothing in a verdict is left to chance."""
    one, other = rule.judge(case.table), rule.judge(case.table)
    for name in ("cells", "below", "above", "sliding"):
        assert np.array_equal(getattr(one, name), getattr(other, name))


def levels_end_at_what_everybody_knows(rule: Rule, case: Case) -> None:
    """No level asks an attacker to believe what everybody knows to be impossible."""
    found, (low, high) = rule.judge(case.table), case.table.bounds
    values = case.table.values
    assert (values - found.below >= low - 1e-9 * np.maximum(1, np.abs(values)))[found.cells].all()
    assert (values + found.above <= high + 1e-9 * np.maximum(1, np.abs(values)))[found.cells].all()


def no_unsafe_cell_may_be_found(rule: Rule, case: Case) -> None:
    """Every unsafe cell that is not known beforehand has a level that keeps it from being computed."""
    found, (low, high) = rule.judge(case.table), case.table.bounds
    asked = np.maximum(np.maximum(found.below, found.above), found.sliding)
    assert (asked > 0)[found.cells & (low < high)].all()


def known_cells_are_never_unsafe(rule: Rule, case: Case) -> None:
    """A cell that is empty by structure is no secret."""
    empty = case.table.is_empty
    made = replace(case.table, structural=empty)
    assert not (rule.judge(made).cells & empty).any()


def units_of_the_values_do_not_matter(rule: Rule, case: Case) -> None:
    """In thousands the same cells are unsafe."""
    made = case.table
    if made.is_frequency or made.units is None or case.data is None:
        return
    units = replace(made.units, amounts=made.units.amounts * 1000)
    low, high = made.bounds
    larger = replace(
        made, values=made.values * 1000, units=units, lower=low * 1000, upper=high * 1000, holdings=None, sources=()
    )
    plain = replace(made, holdings=None, sources=(), lower=low, upper=high)
    assert np.array_equal(judged(rule, larger).cells, judged(rule, plain).cells)


def rules_combine(rule: Rule, case: Case) -> None:
    """A rule with itself finds the same cells, with the same levels."""
    one, both = rule.judge(case.table), (rule | rule).judge(case.table)
    assert np.array_equal(one.cells, both.cells)
    assert np.array_equal(one.above, both.above)
    assert both.about == one.about * 2


def verdict_comes_back_from_a_file(rule: Rule, case: Case) -> None:
    """What a secret file keeps of a verdict is the verdict."""
    found = rule.judge(case.table)
    plain = json.loads(json.dumps(table_to_plain(case.table, unsafe=found, secret=True)))
    again = table_from_plain(plain).unsafe
    assert again is not None
    assert (again.rules, again.about) == (found.rules, found.about)
    for name in ("cells", "below", "above", "sliding", "by"):
        assert np.array_equal(getattr(again, name), getattr(found, name))


# --- one check for each claim ------------------------------------------------------------------------------------------


def spares_empty(rule: Rule, case: Case) -> None:
    """A cell without contributors is never unsafe."""
    assert not (rule.judge(case.table).cells & case.table.is_empty).any()


def needs(rule: Rule, case: Case) -> None:
    """Without what it needs the rule is refused by its name; without the rest it works."""
    for need in ("contributors", "counts", "requests"):
        poor = without(case.table, need)
        if need in rule.traits.needs or ("contributors" in rule.traits.needs and need == "counts"):
            with pytest.raises(DataError, match=type(rule).__name__):
                rule.judge(poor)
        else:
            rule.judge(poor)


def _finds_nothing(rule: Rule, made: Table) -> None:
    assert not judged(rule, made).cells.any()


def group(rule: Rule, case: Case) -> None:
    """Only zeros tell about everybody in the cell."""
    assert not case.table.values[rule.judge(case.table).cells].any()


def dominance(rule: Rule, case: Case) -> None:
    """Where many have the same, nobody dominates; where one has nearly all, it does."""
    _finds_nothing(rule, table("nothing unsafe").table)
    alone = case.table.units is not None and case.table.units.counts == 1
    if not case.table.is_frequency:
        assert rule.judge(case.table).cells[alone & (case.table.values > 0)].all()


def internal(rule: Rule, case: Case) -> None:
    """A cell with many is safe, and one with a single contributor is not."""
    _finds_nothing(rule, table("nothing unsafe").table)
    assert case.table.counts is not None
    assert rule.judge(case.table).cells[case.table.counts == 1].all()


def named(rule: Rule, case: Case) -> None:
    """Where nobody asked, nothing is unsafe."""
    if case.table.units is not None:
        _finds_nothing(rule, nobody_asked(case.table))


ABOUT_CHECKS: dict[str, Body] = {"dominance": dominance, "internal": internal, "group": group, "named": named}


def _about(rule: Rule, case: Case) -> None:
    ABOUT_CHECKS[rule.traits.about](rule, case)


RULE_CHECKS = (
    RuleCheck("verdict_has_its_form", verdict_has_its_form),
    RuleCheck("table_is_untouched", table_is_untouched),
    RuleCheck("same_table_same_verdict", same_table_same_verdict),
    RuleCheck("levels_end_at_what_everybody_knows", levels_end_at_what_everybody_knows),
    RuleCheck("no_unsafe_cell_may_be_found", no_unsafe_cell_may_be_found),
    RuleCheck("known_cells_are_never_unsafe", known_cells_are_never_unsafe),
    RuleCheck("units_of_the_values_do_not_matter", units_of_the_values_do_not_matter),
    RuleCheck("rules_combine", rules_combine),
    RuleCheck("verdict_comes_back_from_a_file", verdict_comes_back_from_a_file),
    RuleCheck("about", _about),
    RuleCheck("needs", needs),
    RuleCheck("spares_empty", spares_empty, lambda rule: rule.traits.spares_empty),
)
