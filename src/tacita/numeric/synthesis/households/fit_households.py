"""Learning households: compositions, what members share, who stands beside whom, and everything else (``draw_households.py``)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from tacita.core.arrays import FloatArray, IntArray
from tacita.core.errors import DataError
from tacita.core.streams import Streams
from tacita.numeric.synthesis.column_values import ColumnValues, NumberForm
from tacita.numeric.synthesis.households.beside import (
    COMPOSITION,
    FIRST,
    PLACE,
    SECOND,
    SIZE,
    as_classes,
    as_number,
    beside,
    less_first,
    of_first,
)
from tacita.numeric.synthesis.households.compositions import Compositions, find_compositions
from tacita.numeric.synthesis.households.draw_households import FittedHouseholds
from tacita.numeric.synthesis.households.homes import Homes
from tacita.numeric.synthesis.households.household_plan import HouseholdPlan
from tacita.numeric.synthesis.households.kinship import Kinship, kinds_of_members
from tacita.numeric.synthesis.sequential import FittedColumns, SynthesisPlan, fit_columns

__all__ = ["fit_households"]


def fit_households(
    learn: Mapping[str, ColumnValues],
    households: IntArray,
    plan: HouseholdPlan,
    *,
    streams: Streams,
    weights: FloatArray | None = None,
    proper: bool = False,
) -> FittedHouseholds:
    """Learn from old households.

    Parameters
    ----------
    learn
        All columns of the old persons.
    households
        (n,): which persons live together.
    plan
        Which columns say what of a household, and how they are drawn.
    streams
        Where random numbers come from, where models draw any.
    weights
        How much each old person counts; of a household its first member's.
    proper
        Whether the shares of the compositions are drawn too.

    Raises
    ------
    DataError
        When there is no household to learn from.

    Complexity
    ----------
    That of the models, on one row a household and a person each.
    """
    homes, order = Homes.sorted(households)
    if not len(homes):
        raise DataError("There is no household to learn from.")
    columns = {name: column.of(order) for name, column in learn.items()}
    columns |= {SIZE: as_number(homes.sizes[homes.household])}
    counted = None if weights is None else weights[order]
    classes = [name for name in plan.kinship if columns[name].classes]
    found = find_compositions(columns, classes, homes, often=plan.often)
    chances = np.ones(len(homes)) if counted is None else counted[homes.first]
    if proper:
        chances = chances * streams.stream("composition", "fit").standard_exponential(len(homes))
    shared, homely = _fit_shared(columns, plan, found, streams, counted)
    columns |= {name: homely[name].of(homes.household) for name in plan.shared}
    later = tuple(name for name in plan.kinship if name not in found.names)
    kinds = kinds_of_members(columns, found.names, homes)
    limits = {
        name: Kinship.learn(columns[name].values, columns[name].there, kinds, homes)
        for name in later
        if not columns[name].classes
    }
    members = _fit_members(columns, plan, found, later, homes, streams, counted) if later else {}
    others = _fit_others(columns, plan, homes, streams, counted) if plan.own else {}
    return FittedHouseholds(plan, found, columns, shared, members, limits, others, chances)


def _fit_shared(
    columns: Mapping[str, ColumnValues],
    plan: HouseholdPlan,
    found: Compositions,
    streams: Streams,
    weights: FloatArray | None,
) -> tuple[FittedColumns | None, dict[str, ColumnValues]]:
    """Learn what all members share, one row a household; also return these columns."""
    if not plan.shared:
        return None, {}
    homes = found.homes
    homely = homes.of_households(columns, plan.shared)
    known = {SIZE: as_number(homes.sizes), COMPOSITION: as_classes(found.number, found.count)}
    asked = SynthesisPlan(
        plan.shared,
        plan.columns,
        given=(SIZE, COMPOSITION),
        rules=plan.rules_of(plan.shared),
        finds_rules=plan.finds_rules,
    )
    counted = None if weights is None else weights[homes.first]
    return fit_columns(homely | known, asked, streams=streams, weights=counted), homely


def _fit_members(
    columns: Mapping[str, ColumnValues],
    plan: HouseholdPlan,
    found: Compositions,
    later: tuple[str, ...],
    homes: Homes,
    streams: Streams,
    weights: FloatArray | None,
) -> dict[int, FittedColumns]:
    """Learn who is who: of first members, of second ones, and of all later ones together."""
    fitted = {}
    base = (SIZE, *plan.shared, *found.names)
    for place in range(3):
        rows = homes.at(place) if place < 2 else np.flatnonzero(homes.place >= 2)
        if not len(rows):
            continue
        given = beside(columns, plan.kinship, homes, rows, place)
        if place == 0:
            given = {name: column for name, column in given.items() if name.removeprefix(SECOND) in found.names}
        own = {name: columns[name].of(rows) for name in (*base, *later)}
        plans = {}
        for name in later:
            plans[name] = replace(plan.columns[name], given=None)
            if place and not own[name].classes:
                first = columns[name].of(homes.first[homes.household[rows]])
                own[name] = less_first(own[name], first)
                plans[name] = replace(plans[name], form=NumberForm(decimals=plan.columns[name].form.decimals))
        asked = SynthesisPlan(later, plans, given=(*base, *given), finds_rules=plan.finds_rules)
        fitted[place] = fit_columns(
            own | given, asked, streams=streams, weights=None if weights is None else weights[rows]
        )
    return fitted


def _fit_others(
    columns: Mapping[str, ColumnValues],
    plan: HouseholdPlan,
    homes: Homes,
    streams: Streams,
    weights: FloatArray | None,
) -> dict[int, FittedColumns]:
    """Learn all other columns: of first members, and of the others given the first."""
    fitted = {}
    base = (SIZE, *plan.shared, *plan.kinship)
    for group, rows in ((0, homes.at(0)), (1, np.flatnonzero(homes.place > 0))):
        if not len(rows):
            continue
        own = {name: columns[name].of(rows) for name in (*base, *plan.own)}
        given: dict[str, ColumnValues] = {}
        plans = dict(plan.columns)
        if group:
            given = of_first(columns, (*plan.kinship, *plan.own), homes, rows) | {PLACE: as_number(homes.place[rows])}
            around = (PLACE, *(FIRST + name for name in plan.kinship))
            for place, name in enumerate(plan.own):
                asked = plan.columns[name].given or (*base, *plan.own[:place])
                plans[name] = replace(plan.columns[name], given=(*asked, *around, FIRST + name))
        whole = SynthesisPlan(
            plan.own, plans, given=(*base, *given), rules=plan.rules_of(plan.own), finds_rules=plan.finds_rules
        )
        fitted[group] = fit_columns(
            own | given, whole, streams=streams, weights=None if weights is None else weights[rows]
        )
    return fitted
