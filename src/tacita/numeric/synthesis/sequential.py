"""Sequential synthesis: one column after another is drawn given those before it, by models fitted to the old records.

Column j of the visit order is fitted on the old columns before it, ``f(y_j | y_1, ..., y_j-1)``, and drawn given the *new* ones.
Columns may also be given beforehand, for new records of which they are known. A column is drawn in two steps:

1. its **state**: an ordinary value, a gap of some kind, or a *spike* (a number that many records have, such as 0);
2. its value, where the state is ordinary, by a model that was fitted to ordinary values only.

Conditions under which old records are always in one state are found and kept (``found_rules.py``); rules that are given hold in
every new record (``rules.py``); totals are added up from their parts.

References
----------
Reiter, J. P. (2005), Using CART to generate partially synthetic public use microdata, Journal of Official Statistics 21,
441-462; Drechsler, J., Reiter, J. P. (2011), An empirical evaluation of easily implemented, nonparametric methods for generating
synthetic datasets, Computational Statistics and Data Analysis 55, 3232-3243; Nowok, B., Raab, G. M., Dibben, C. (2016), synthpop,
Journal of Statistical Software 74(11).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from tacita.core.arrays import BoolArray, FloatArray, IntArray
from tacita.core.errors import DataError, ParameterError
from tacita.core.streams import Streams
from tacita.numeric.statistics.decimals import rounded
from tacita.numeric.synthesis.column_values import ColumnValues, NumberForm
from tacita.numeric.synthesis.found_rules import FoundRule, find_rules
from tacita.numeric.synthesis.models.constant import ConstantModel
from tacita.numeric.synthesis.models.model import ColumnModel, FittedColumnModel
from tacita.numeric.synthesis.predictors import Predictors
from tacita.numeric.synthesis.rules import ColumnRule
from tacita.numeric.synthesis.states import find_spikes, states_of
from tacita.numeric.synthesis.variables import ModelVariable

__all__ = ["ColumnPlan", "FittedColumns", "SynthesisPlan", "fit_columns", "synthesise_columns"]

_ROUNDS = 10
"""Times that a value that breaks a rule is drawn again, before it is taken from an old record that keeps the rule."""


@dataclass(frozen=True)
class ColumnPlan:
    """How a column is drawn.

    Parameters
    ----------
    model
        The model of its values.
    state_model
        The model of its state, a class; by default that of its values.
    form
        How its numbers are written.
    given
        The columns that it may depend on; by default all that come before it.
    parts
        For a total its parts, each with its sign: then no value is drawn, they are added up.
    """

    model: ColumnModel
    state_model: ColumnModel | None = None
    form: NumberForm = NumberForm()
    given: tuple[str, ...] | None = None
    parts: tuple[tuple[float, str], ...] = ()


@dataclass(frozen=True)
class SynthesisPlan:
    """What is drawn, in which order, by which models.

    Parameters
    ----------
    order
        The columns that are drawn, first to last.
    columns
        How each of them is drawn.
    given
        Columns that are known of every new record beforehand.
    rules
        What must hold in every new record. All columns of a rule but the one that it is about must come before that one.
    finds_rules
        Whether conditions that determine a state are looked for.
    """

    order: tuple[str, ...]
    columns: Mapping[str, ColumnPlan]
    given: tuple[str, ...] = ()
    rules: tuple[ColumnRule, ...] = ()
    finds_rules: bool = True

    def before(self, name: str) -> tuple[str, ...]:
        """Return the columns that one may depend on."""
        earlier = (*self.given, *self.order[: self.order.index(name)])
        chosen = self.columns[name].given
        return earlier if chosen is None else tuple(other for other in earlier if other in chosen)

    def check(self) -> None:
        """Refuse a plan in which something depends on what comes later."""
        for name in self.order:
            earlier = (*self.given, *self.order[: self.order.index(name)])
            needed = [(part, "a total needs its parts") for _, part in self.columns[name].parts]
            needed += [
                (n, "a rule needs its columns") for rule in self.rules if rule.then.column == name for n in rule.given
            ]
            for other, why in needed:
                if other not in earlier:
                    raise ParameterError(f"Column '{other}' must come before '{name}' in the visit order: {why}.")


def synthesise_columns(
    learn: Mapping[str, ColumnValues],
    plan: SynthesisPlan,
    *,
    n: int,
    streams: Streams,
    given: Mapping[str, ColumnValues] | None = None,
    weights: FloatArray | None = None,
) -> dict[str, ColumnValues]:
    """Learn from some records and draw columns for others: :func:`fit_columns`, then ``draw``.

    Parameters
    ----------
    learn
        The old records: every column of ``plan.order`` and of ``plan.given``.
    plan
        What is drawn and how.
    n
        Number of new records.
    streams
        Where the random numbers come from: a stream for each column, to fit and to draw.
    given
        The columns of ``plan.given`` of the new records, with the classes and kinds of gaps that they have in ``learn``.
    weights
        How much each old record counts; by default all the same.

    Returns
    -------
    dict
        The drawn columns, by name, in the order of the plan.

    Raises
    ------
    DataError
        When there is no record to learn from, or no old record keeps a rule that new ones must keep.
    ParameterError
        When a column depends on one that comes later.

    Complexity
    ----------
    That of the models; O(n d) memory for d columns, old and new.

    Examples
    --------
    Whole records:

    >>> from tacita.numeric.synthesis.models.nested import NestedModel
    >>> rng = np.random.default_rng(1)
    >>> sex = ColumnValues.of_classes(rng.integers(0, 2, 1000), 2)
    >>> pay = ColumnValues.of_numbers(np.round(1000 * rng.lognormal(sex.values)))
    >>> nested = ColumnPlan(NestedModel(), form=NumberForm(decimals=0))
    >>> plan = SynthesisPlan(("sex", "pay"), {"sex": nested, "pay": nested})
    >>> made = synthesise_columns({"sex": sex, "pay": pay}, plan, n=500, streams=Streams(7))
    >>> len(made["pay"]), bool(made["pay"].values[made["sex"].values == 1].mean() > 2000)
    (500, True)

    Some columns of new records whose others are known:

    >>> known = {"sex": ColumnValues.of_classes(np.zeros(10, np.int64), 2)}
    >>> plan = SynthesisPlan(("pay",), {"pay": nested}, given=("sex",))
    >>> list(synthesise_columns({"sex": sex, "pay": pay}, plan, n=10, streams=Streams(7), given=known))
    ['pay']
    """
    return fit_columns(learn, plan, streams=streams, weights=weights).draw(n, streams, given)


def fit_columns(
    learn: Mapping[str, ColumnValues], plan: SynthesisPlan, *, streams: Streams, weights: FloatArray | None = None
) -> FittedColumns:
    """Fit every column of a plan; what comes back draws as many new records as one likes, as often as one likes.

    The parameters are those of :func:`synthesise_columns`. Fitting draws random numbers only where models are proper, or forests.
    """
    plan.check()
    names = (*plan.given, *plan.order)
    if not len(learn[names[0]]):
        raise DataError("There is no record to learn from.")
    board = _Board.of(learn, names, has_bins=any(column.model.uses_bins for column in plan.columns.values()))
    fitted = {}
    for name in plan.order:
        fitted[name] = _fit_column(name, learn, plan, board, streams.stream(name, "fit"), weights)
    return FittedColumns(plan, board, fitted, learn)


# --- what models are given --------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Board:
    """All columns as models see them, and which of these variables belong to which column."""

    places: Mapping[str, tuple[int, ...]]
    filled: Mapping[str, float]
    known: Predictors = field(repr=False)

    @classmethod
    def of(cls, columns: Mapping[str, ColumnValues], names: Sequence[str], *, has_bins: bool) -> _Board:
        variables: list[ModelVariable] = []
        places, filled = {}, {}
        for name in names:
            filled[name] = columns[name].typical()
            own = columns[name].variables(filled[name])
            places[name] = tuple(range(len(variables), len(variables) + len(own)))
            variables.extend(own)
        known = Predictors(variables)
        if has_bins:
            known.features()
        return cls(places, filled, known)

    def chosen(self, names: Sequence[str]) -> list[int]:
        """Return the places of some columns' variables."""
        return [place for name in names for place in self.places[name]]


class _DrawnColumns:
    """The variables of new records, column after column, cut into bins where the old ones were."""

    def __init__(self, board: _Board) -> None:
        self._board, self._parts = board, dict[str, Predictors]()

    def add(self, name: str, column: ColumnValues) -> None:
        made = Predictors(column.variables(self._board.filled[name]))
        if self._board.known.has_features:
            made = made.cut_like(self._board.known.features().some(self._board.places[name]))
        self._parts[name] = made

    def of(self, names: Sequence[str]) -> Predictors:
        return Predictors.beside([self._parts[name] for name in names])


# --- one column ---------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class _FittedColumn:
    """What was learned of a column."""

    name: str
    plan: ColumnPlan
    before: tuple[str, ...]
    spikes: FloatArray
    found: tuple[FoundRule, ...]
    only_state: int
    states: FittedColumnModel | None
    values: FittedColumnModel | None
    usual_gap: int

    def draw(
        self, columns: Mapping[str, ColumnValues], x: Predictors, like: ColumnValues, rng: np.random.Generator, n: int
    ) -> ColumnValues:
        """Draw the column for records whose earlier columns are known."""
        state = np.full(n, -1, np.int64)
        for rule in self.found:
            state[(state < 0) & rule.holds(columns)] = rule.state
        rest = np.flatnonzero(state < 0)
        if len(rest):
            state[rest] = self.only_state if self.states is None else self._drawn(self.states, x, rest, n, rng)
        gaps = np.where((state > 0) & (state <= like.kinds), state, 0).astype(np.int16)
        values = np.zeros(n)
        ordinary = np.flatnonzero(state == 0)
        if self.plan.parts:
            return self._added_up(columns, like, gaps)
        if len(ordinary) and self.values is not None:
            drawn = self._drawn(self.values, x, ordinary, n, rng)
            values[ordinary] = drawn if like.classes else self.plan.form.written(drawn)
        spiked = np.flatnonzero(state > like.kinds)
        values[spiked] = self.spikes[state[spiked] - like.kinds - 1]
        return like.like(values, gaps)

    def _drawn(
        self, model: FittedColumnModel, x: Predictors, rows: IntArray, n: int, rng: np.random.Generator
    ) -> FloatArray:
        return model.draw(x if len(rows) == n else x.of(rows), len(rows), rng)

    def _added_up(self, columns: Mapping[str, ColumnValues], like: ColumnValues, gaps: np.ndarray) -> ColumnValues:
        total = np.zeros(len(gaps))
        for sign, part in self.plan.parts:
            total += sign * columns[part].values
            gaps = np.where((gaps == 0) & ~columns[part].there, self.usual_gap, gaps)
        decimals = self.plan.form.decimals
        written = total if decimals is None else rounded(total, decimals)
        kinds = max(like.kinds, int(gaps.max(initial=0)))
        return ColumnValues(np.where(gaps > 0, 0.0, written), gaps.astype(np.int16), 0, kinds)


def _fit_column(
    name: str,
    learn: Mapping[str, ColumnValues],
    plan: SynthesisPlan,
    board: _Board,
    rng: np.random.Generator,
    weights: FloatArray | None,
) -> _FittedColumn:
    """Fit state and values of a column on the old records that keep its rules."""
    column, own, before = learn[name], plan.columns[name], plan.before(name)
    rows = _teaching(name, learn, plan)
    x = board.known.some(board.chosen(before))
    spikes = np.empty(0) if column.classes or own.parts else find_spikes(column.values[column.there])
    state = states_of(column, spikes)
    gaps = column.gaps[column.gaps > 0]
    usual = int(np.bincount(gaps).argmax()) if len(gaps) else 1
    found: tuple[FoundRule, ...] = ()
    rest = rows
    if plan.finds_rules and len(rows) and (state[rows] != state[rows[0]]).any():
        found = find_rules(state[rows], {other: learn[other].of(rows) for other in before})
        for rule in found:
            rest = rest[~rule.holds({other: learn[other].of(rest) for other in before})]
    only = int(np.bincount(state[rest]).argmax()) if len(rest) else 0 if not len(rows) else found[-1].state
    states = None
    if len(rest) and (state[rest] != only).any():
        y = ModelVariable(state[rest].astype(np.float64), 1 + column.kinds + len(spikes))
        model = own.model if own.state_model is None else own.state_model
        states = _fit(model, y, x, rest, rng, weights)
    ordinary = rows[state[rows] == 0]
    values = None
    if len(ordinary) and not own.parts:
        y = ModelVariable(column.values[ordinary], column.classes)
        is_constant = bool((y.values == y.values[0]).all())
        values = _fit(ConstantModel() if is_constant else own.model, y, x, ordinary, rng, weights)
    return _FittedColumn(name, own, before, spikes, found, only, states, values, usual)


def _fit(
    model: ColumnModel,
    y: ModelVariable,
    x: Predictors,
    rows: IntArray,
    rng: np.random.Generator,
    weights: FloatArray | None,
) -> FittedColumnModel:
    some = x if not len(x) or len(rows) == len(x[0]) else x.of(rows)
    return model.fit(y, some, rng, weights=None if weights is None else weights[rows])


def _teaching(name: str, learn: Mapping[str, ColumnValues], plan: SynthesisPlan) -> IntArray:
    """Return the old records to learn a column from: those in which no rule decides it, and none is broken."""
    n = len(learn[name])
    teaches = np.ones(n, np.bool_)
    for rule in plan.rules:
        if rule.then.column != name:
            continue
        if rule.then.fixed is not None:
            teaches &= ~rule.concerns(learn)
            continue
        broken = rule.broken(learn)
        if broken.any() and not (rule.concerns(learn) & rule.then.holds(learn)).any():
            raise _nothing_keeps(name)
        teaches &= ~broken
    return np.flatnonzero(teaches)


def _nothing_keeps(name: str) -> DataError:
    return DataError(
        f"A rule for '{name}' cannot be kept: no record that it concerns has a value of '{name}' that it allows. "
        "Correct the rule, or leave it out."
    )


# --- all columns --------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class FittedColumns:
    """What was learned of all columns.

    Parameters
    ----------
    plan
        What was asked for.
    """

    plan: SynthesisPlan
    _board: _Board = field(repr=False)
    _fitted: Mapping[str, _FittedColumn] = field(repr=False)
    _learn: Mapping[str, ColumnValues] = field(repr=False)

    @property
    def found_rules(self) -> dict[str, tuple[FoundRule, ...]]:
        """For each column the conditions that were found to determine its state, where there are any."""
        return {name: column.found for name, column in self._fitted.items() if column.found}

    def draw(
        self,
        n: int,
        streams: Streams,
        given: Mapping[str, ColumnValues] | None = None,
        *,
        kept: Mapping[str, ColumnValues] | None = None,
    ) -> dict[str, ColumnValues]:
        """Draw the columns of n new records, of which the columns in ``given`` are known.

        ``kept`` has columns of the plan that stay as they were drawn before. Drawing again from the same streams gives other
        records.
        """
        columns = {name: (given or {})[name] for name in self.plan.given}
        drawn = _DrawnColumns(self._board)
        for name, column in columns.items():
            drawn.add(name, column)
        for name in self.plan.order:
            if kept is not None and name in kept:
                columns[name] = kept[name]
            else:
                fitted = self._fitted[name]
                rng = streams.stream(name, "draw")
                x = drawn.of(fitted.before)
                columns[name] = fitted.draw(columns, x, self._learn[name], rng, n)
                columns[name] = self._kept_to_rules(name, columns, x, rng)
            drawn.add(name, columns[name])
        return {name: columns[name] for name in self.plan.order}

    def _kept_to_rules(
        self, name: str, columns: dict[str, ColumnValues], x: Predictors, rng: np.random.Generator
    ) -> ColumnValues:
        """Return a column with what broke a rule decided by it, drawn again, or taken from an old record."""
        rules = [rule for rule in self.plan.rules if rule.then.column == name]
        fitted, like = self._fitted[name], self._learn[name]
        for _ in range(_ROUNDS if rules else 0):
            for rule in rules:
                columns[name] = _decided(rule, columns, fitted.usual_gap)
            broken = _any_broken(rules, columns)
            if not broken.any():
                return columns[name]
            rows = np.flatnonzero(broken)
            some = {other: columns[other].of(rows) for other in columns}
            again = fitted.draw(some, x.of(rows), like, rng, len(rows))
            columns[name] = columns[name].put(rows, again)
        for rule in rules:
            columns[name] = _decided(rule, columns, fitted.usual_gap)
            rows = np.flatnonzero(rule.broken(columns))
            if len(rows):
                columns[name] = columns[name].put(rows, self._from_keepers(rule, rules, columns, rows, rng))
        return columns[name]

    def _from_keepers(
        self,
        rule: ColumnRule,
        rules: Sequence[ColumnRule],
        columns: Mapping[str, ColumnValues],
        rows: IntArray,
        rng: np.random.Generator,
    ) -> ColumnValues:
        """Return values of old records that keep a rule, or the other column where it is compared with one."""
        name = rule.then.column
        if rule.then.other is not None:
            other = columns[rule.then.other].of(rows)
            return columns[name].of(rows).like(other.values, other.gaps * 0)
        there = self._learn[name].there & ~_any_broken(rules, self._learn) & rule.then.holds(self._learn)
        where = np.flatnonzero(there & rule.concerns(self._learn))
        where = where if len(where) else np.flatnonzero(there)
        if not len(where):
            raise _nothing_keeps(name)
        return self._learn[name].of(rng.choice(where, len(rows)))


def _decided(rule: ColumnRule, columns: Mapping[str, ColumnValues], usual_gap: int) -> ColumnValues:
    """Return the column of a rule with what the rule alone decides."""
    column, fixed = columns[rule.then.column], rule.then.fixed
    if fixed is None:
        return column
    rows = np.flatnonzero(rule.concerns(columns))
    is_gap = np.isnan(fixed)
    values, gaps = column.values.copy(), column.gaps.copy()
    values[rows] = 0.0 if is_gap else fixed
    gaps[rows] = np.where(gaps[rows] > 0, gaps[rows], usual_gap) if is_gap else 0
    return ColumnValues(values, gaps, column.classes, max(column.kinds, usual_gap * is_gap), column.is_ordered)


def _any_broken(rules: Sequence[ColumnRule], columns: Mapping[str, ColumnValues]) -> BoolArray:
    return np.asarray(np.logical_or.reduce([rule.broken(columns) for rule in rules]))
