"""Households of a synthetic file: which columns say what of them, and drawing them without repeats."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

import numpy as np

from tacita.core.arrays import BoolArray, FloatArray, IntArray
from tacita.core.errors import ColumnError
from tacita.core.streams import Streams
from tacita.data.guess.names import looks_like, plain_name
from tacita.data.microdata import Microdata
from tacita.data.units import Units
from tacita.mask.synthetic.column_source import ColumnSource
from tacita.mask.synthetic.repeated_draws import RepeatedDraws, repeated_draws
from tacita.numeric.synthesis.column_values import ColumnValues
from tacita.numeric.synthesis.households.draw_households import FittedHouseholds
from tacita.numeric.synthesis.households.fit_households import fit_households
from tacita.numeric.synthesis.households.homes import Homes
from tacita.numeric.synthesis.households.household_plan import HouseholdPlan
from tacita.numeric.synthesis.sequential import SynthesisPlan

__all__ = ["HouseholdColumns", "draw_homes", "kinship_of"]

_ROUNDS = 24
"""Times that a member who is a repeat is drawn again."""
_HOMES_AGAIN = 12
"""Times that a household with a repeat is drawn again, with the same composition and what all share."""
_KINDS = ("relation", "marital", "sex", "age", "birth")
"""What says who is who, the most telling first."""


def kinship_of(data: Microdata, names: Iterable[str]) -> tuple[str, ...]:
    """Return the keys among some columns whose names say that they tell who is who in a household, the most telling first.

    Examples
    --------
    >>> import tacita as tc
    >>> data = tc.samples.household_survey(50, seed=1)
    >>> kinship_of(data, data.names)
    ('marital', 'sex', 'age')
    """
    found: list[str] = []
    keys = [name for name in names if name in data.schema.keys]
    for kind in _KINDS:
        is_number = kind in ("age", "birth")
        for name in keys:
            fits = (data.schema[name].scale == "numeric") == is_number
            if fits and name not in found and looks_like(plain_name(name), kind):
                found.append(name)
    return tuple(found)


class HouseholdColumns:
    """The columns of a file with households, by what they say.

    Parameters
    ----------
    data
        The file.
    units
        Its households.
    plan
        What is drawn, in which order.
    kinship
        The columns that say who is who; those that all members share are none of them.
    """

    def __init__(
        self, data: Microdata, units: Units, plan: SynthesisPlan, kinship: Sequence[str], *, often: int
    ) -> None:
        drawn = plan.order
        self.counted = units.counted(data, drawn)
        together = bool(
            (units.sizes > 1).any()
        )  # of somebody who lives alone, nothing tells what a household has in common
        shared = tuple(name for name in units.shared(data, drawn) if together and name not in self.counted)
        who = tuple(name for name in kinship if name in drawn and name not in (*shared, *self.counted))
        own = tuple(name for name in drawn if name not in (*shared, *self.counted, *who))
        for name in shared:
            for rule in plan.rules:
                late = [other for other in rule.given if rule.then.column == name and other not in shared]
                if late:
                    raise ColumnError(
                        f"A rule about '{name}', which all members share, cannot depend on '{late[0]}' of one member."
                    )
        columns = {name: replace(one, given=self._given(one.given)) for name, one in plan.columns.items()}
        self.plan = HouseholdPlan(shared, who, own, columns, plan.rules, plan.finds_rules, often)

    def _given(self, names: tuple[str, ...] | None) -> tuple[str, ...] | None:
        """Return what a column may depend on; the size of the household is known by another name."""
        return None if names is None else tuple(name for name in names if name not in self.counted)


def draw_homes(
    known: Mapping[str, ColumnSource],
    columns: HouseholdColumns,
    labels: IntArray,
    count: int,
    streams: Streams,
    *,
    repeats: RepeatedDraws,
    aside: Iterable[str] = (),
    weights: FloatArray | None = None,
    proper: bool = False,
) -> tuple[dict[str, ColumnValues], Homes, int, FittedHouseholds]:
    """Learn from the households of a file and draw new ones.

    Parameters
    ----------
    known
        The columns of the file.
    columns
        What they say.
    labels
        (n,): the household of each record.
    count
        Number of new households.
    streams
        Where the random numbers come from.
    repeats
        Which members who are equal to an original one are drawn again; where that does not help, the
        household is, with the same composition and what all share, and at last it is left out.
    aside
        Columns in which records are not compared.
    weights
        How much each original record counts.
    proper
        Whether the parameters are drawn too.

    Returns
    -------
    drawn, homes, left out, fitted
        The columns of the new persons, their households, the number of households that were left out, and what was learned.
    """
    old = {name: known[name].values for name in (*columns.plan.shared, *columns.plan.kinship, *columns.plan.own)}
    fitted = fit_households(old, labels, columns.plan, streams=streams, weights=weights, proper=proper)
    chosen = fitted.drawn_compositions(count, streams)
    drawn, homes = fitted.draw(chosen, streams)
    gone: BoolArray = np.zeros(count, np.bool_)
    if repeats != "keep":
        names = [name for name in old if name not in set(aside)]
        unique_only = repeats == "redraw_unique"
        left = _drawn_again(fitted, drawn, homes, old, names, streams, unique_only=unique_only)
        gone = _homes_with(left, homes)
        for _ in range(_HOMES_AGAIN):
            if not gone.any():
                break
            shared = {name: drawn[name].of(homes.first[gone]) for name in columns.plan.shared}
            others, theirs = fitted.draw(chosen[gone], streams, shared)
            left = _drawn_again(fitted, others, theirs, old, names, streams, unique_only=unique_only)
            rows = np.flatnonzero(gone[homes.household])
            drawn = {name: column.put(rows, others[name]) for name, column in drawn.items()}
            gone[gone] = _homes_with(left, theirs)
    kept = ~gone[homes.household]
    made = {name: column.of(kept) for name, column in drawn.items()}
    homes = Homes(homes.sizes[~gone])
    for name in columns.counted:
        made[name] = _sizes(known[name], homes)
    return made, homes, int(gone.sum()), fitted


def _homes_with(marked: BoolArray, homes: Homes) -> BoolArray:
    """Return the households that have a member with a mark."""
    return np.asarray(np.bincount(homes.household, weights=marked, minlength=len(homes)) > 0)


def _drawn_again(
    fitted: FittedHouseholds,
    drawn: dict[str, ColumnValues],
    homes: Homes,
    old: Mapping[str, ColumnValues],
    names: Sequence[str],
    streams: Streams,
    *,
    unique_only: bool,
) -> BoolArray:
    """Draw members who are repeats again, as far as they can change; return who still is one."""
    rows = np.flatnonzero(repeated_draws(drawn, old, names, unique_only=unique_only))
    for _ in range(_ROUNDS if fitted.plan.own else 0):
        if not len(rows):
            break
        fitted.draw_again(drawn, homes, rows, streams)
        some = {name: column.of(rows) for name, column in drawn.items()}
        rows = rows[repeated_draws(some, old, names, unique_only=unique_only)]
    left = np.zeros(homes.n, np.bool_)
    left[rows] = True
    return left


def _sizes(source: ColumnSource, homes: Homes) -> ColumnValues:
    """Return the number of members of each one's household, as a column has it that counts them."""
    size = homes.sizes[homes.household]
    if source.form is not None:
        return source.values.like(size.astype(np.float64), np.zeros(len(size), np.int16))
    place = {int(float(str(category))): k for k, category in enumerate(source.categories)}
    codes = np.array([place.get(number, -1) for number in range(int(size.max(initial=0)) + 1)], np.int64)[size]
    return source.values.like(np.maximum(codes, 0).astype(np.float64), (codes < 0).astype(np.int16))
