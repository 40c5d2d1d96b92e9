"""What masks share that draw columns anew one after another: models, visit order, rules, totals."""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Annotated

import numpy as np
import pyarrow as pa

from tacita.core.arrays import IntArray
from tacita.core.errors import ColumnError, DataError, ParameterError, TacitaNote
from tacita.core.parameters import Columns, Interval
from tacita.core.selectors import all_columns
from tacita.data.microdata import Microdata
from tacita.mask.base import Mask
from tacita.mask.identities import Identity, parse_identities, verify_identities
from tacita.mask.synthetic.column_models import ModelSettings, SynthesisMethod, column_plan, read_models
from tacita.mask.synthetic.column_source import ColumnSource
from tacita.mask.synthetic.new_records import NewWeights, described_columns, new_records
from tacita.mask.synthetic.rule_language import RuleText, read_rules
from tacita.numeric.synthesis.column_values import ColumnValues
from tacita.numeric.synthesis.sequential import ColumnPlan, FittedColumns, SynthesisPlan
from tacita.numeric.synthesis.smoothing import Smoothing

__all__ = ["MANY_CLASSES", "ColumnSynthesis"]

_MOST_CLASSES = 65_000
_FEW_ALONE = 20
"""Records with a class of their own that may be most of a small file."""

MANY_CLASSES = 20
"""Unordered classes from which on a column comes late in the visit order."""


@dataclass(frozen=True, kw_only=True)
class ColumnSynthesis(Mask):
    """Base of masks that draw columns anew, one after another.

    Parameters
    ----------
    columns
        The columns that are drawn; by default all that describe the respondent.
    method
        The model of columns that ``models`` does not name: ``cart`` (classification and regression trees), ``forest``,
        ``parametric`` (normal_rank for numbers, logistic for classes) or ``sample`` (each column by itself).
    models
        Models of single columns: ``{"savings": "pmm"}``. There are cart, forest, sample, constant, linear, normal_rank, pmm and
        nested for numbers, and cart, forest, sample, constant, logistic and nested for classes. Columns in brackets are the only
        ones that a column depends on; ``nested(region)`` draws it among the records with the same region.
    order
        Visit order: the columns that are drawn first. The others follow as they stand in ``columns``, keys before others, and
        those with more than 20 unordered classes last. What a rule or a total needs is moved before it.
    rules
        What holds in every drawn record: ``"employment is missing where age < 15"``, ``"tax <= income"``,
        ``"never marital = married and age < 16"``. Conditions are joined by ``and`` and ``or``; values are numbers, classes or
        dates, with blanks in quotes; ``in (a, b)``, ``is missing`` and ``is not missing`` are known too.
    identities
        Accounting identities such as ``total = part + part``: the parts are drawn, the total is added up.
    min_leaf
        Smallest number of records in a leaf of a tree.
    chance
        A branch of a tree of ``cart`` stays where its splits say more than noise would with this chance; 1 for trees that are not
        cut back. Splits that noise explains tell of single respondents and of nothing else.
    smoothing
        ``density`` moves a drawn number to anywhere between the neighbours of its donor, in its leaf or else among all values, so
        that it is nobody's own; a value that at least 10 records share stays. ``none`` lets values of respondents come out.
    proper
        Whether the parameters of the models are drawn too, as combining rules for several files ask for.

    Raises
    ------
    ColumnError
        When a column is not there.
    ParameterError
        When a model or a rule cannot be understood, or rules and totals leave no order.
    DataError
        When a rule is one that no record keeps, or an identity does not hold.
    """

    columns: Columns = all_columns()
    method: SynthesisMethod = "cart"
    models: Mapping[str, str] = field(default_factory=dict, hash=False)
    order: Sequence[str] = ()
    rules: tuple[str, ...] = ()
    identities: tuple[str, ...] = ()
    min_leaf: Annotated[int, Interval(1)] = 5
    chance: Annotated[float, Interval(0, 1, "right")] = 0.005
    smoothing: Smoothing = "density"
    proper: bool = False

    def check(self) -> None:
        """Read models and rules."""
        super().check()
        read_models(self.models, type(self).__name__)
        read_rules(self.rules, type(self).__name__)

    def plan_for(
        self, data: Microdata, known: Mapping[str, ColumnSource], drawn: Sequence[str], given: Sequence[str]
    ) -> SynthesisPlan:
        """Return how the columns of a file are drawn.

        Parameters
        ----------
        data
            The file.
        known
            Its columns, taken apart.
        drawn
            The columns to draw.
        given
            The columns that are known beforehand.
        """
        owner = type(self).__name__
        named, rules = read_models(self.models, owner), read_rules(self.rules, owner)
        self._look_at_classes(known, drawn)
        self._look_at_names(data, known, drawn)
        settings = ModelSettings(self.min_leaf, self.smoothing, self.proper, self.chance)
        plans = {name: column_plan(known[name], named.get(name), self.method, settings, owner) for name in drawn}
        for identity in self._identities(data, known):
            if identity.total not in plans:
                raise ColumnError(f"{owner}: 'identities' names the total '{identity.total}', which is not drawn.")
            plans[identity.total] = replace(plans[identity.total], parts=identity.parts)
        order = _ordered(self._wanted(data, known, drawn), _needs(known, drawn, rules, plans), owner)
        found = tuple(rule.rule(known, (*given, *order), owner) for rule in rules)
        for rule in found:
            if rule.then.column not in drawn:
                raise ColumnError(f"{owner}: the rule '{rule.text}' is about '{rule.then.column}', which is not drawn.")
        return SynthesisPlan(order, plans, tuple(given), found)

    def _look_at_classes(self, known: Mapping[str, ColumnSource], drawn: Sequence[str]) -> None:
        """Refuse columns whose classes are nearly those of single records, and say which have a few such."""
        owner, few = type(self).__name__, []
        for name, source in known.items():
            values = source.values
            if values.classes > _MOST_CLASSES:
                raise DataError(
                    f"{owner}: column '{name}' has more than {_MOST_CLASSES:,} classes; drop it, or recode it first."
                )
            if name not in drawn or not values.classes:
                continue
            codes = values.values[values.there].astype(np.int64)
            alone = int((np.bincount(codes) == 1).sum())
            if alone > max(len(codes) / 2, _FEW_ALONE):
                raise DataError(
                    f"{owner}: most records have a value of '{name}' that no other has, and drawn ones would have it too. Drop "
                    "the column, recode it, or give it the role identifier."
                )
            if alone:
                few.append(f"'{name}'")
        if few:
            more = " and others" if len(few) > 8 else ""
            warnings.warn(
                f"{owner}: some values of {', '.join(few[:8])}{more} belong to one record alone and may come out as they are; "
                "recode rare classes first.",
                TacitaNote,
                stacklevel=5,
            )

    def _look_at_names(self, data: Microdata, known: Mapping[str, ColumnSource], drawn: Sequence[str]) -> None:
        """Refuse names of columns that are not there, or have no part in this."""
        owner = type(self).__name__
        models = read_models(self.models, owner)
        rules = [name for rule in read_rules(self.rules, owner) for claim in rule.claims for name in (claim.column,)]
        within = [name for model in models.values() for name in model.given]
        for what, names, there in (
            ("models", models, drawn),
            ("order", self.order, drawn),
            ("models", within, known),
            ("rules", rules, known),
        ):
            for name in names:
                column = data.schema[name]
                if column.name not in there:
                    raise ColumnError(
                        f"{owner}: '{what}' names '{name}', which is not among the columns that are drawn."
                    )
        if len(set(self.order)) < len(self.order):
            raise ColumnError(f"{owner}: 'order' names a column twice.")

    def _identities(self, data: Microdata, known: Mapping[str, ColumnSource]) -> tuple[Identity, ...]:
        """Return the identities of the columns, which must hold in the original."""
        owner = type(self).__name__
        identities = parse_identities(self.identities, data.schema, owner)
        terms = {name for i in identities for name in (i.total, *(part for _, part in i.parts))}
        for name in sorted(terms):
            if name not in known:
                raise ColumnError(
                    f"{owner}: 'identities' names '{name}', which is not among the columns that are drawn."
                )
        single = [name for name in terms if (form := known[name].form) is not None and form.is_single]
        verify_identities({name: data.float(name) for name in terms}, identities, owner, "original", single)
        return identities

    def _wanted(self, data: Microdata, known: Mapping[str, ColumnSource], drawn: Sequence[str]) -> list[str]:
        """Return the visit order as far as nothing must come before something else."""

        def late(name: str) -> tuple[int, int]:
            if name in self.order:
                return 0, tuple(self.order).index(name)
            if data.schema[name].has_role("weight"):
                return 4, 0
            values = known[name].values
            if values.classes > MANY_CLASSES and not values.is_ordered:
                return 3, 0
            return (1 if data.schema[name].has_role("key") else 2), 0

        return sorted(drawn, key=late)

    def made_file(
        self,
        data: Microdata,
        known: Mapping[str, ColumnSource],
        drawn: Mapping[str, ColumnValues],
        weights: NewWeights,
        households: IntArray | None = None,
    ) -> Microdata:
        """Put drawn columns together to a new file; columns that were not to be drawn are empty.

        Parameters
        ----------
        data, known
            The original, and its columns taken apart.
        drawn
            New values of some of these columns.
        weights, households
            As in :func:`new_records`.
        """
        columns = {name: known[name].together(values) for name, values in drawn.items()}
        n = len(next(iter(drawn.values())))
        for name in described_columns(data.schema):
            columns.setdefault(name, pa.nulls(n, data.type_of(name)))
        named = [name for name in data.names if name in columns]
        made = Microdata(pa.table({name: columns[name] for name in named}), data.schema.select(named))
        return new_records(made, data, weights, households=households)

    def tell_found_rules(self, fitted: Sequence[FittedColumns]) -> None:
        """Say which conditions were found: names of columns, no values."""
        found = {
            name: sorted({test.column for rule in rules for test in rule.tests})
            for part in fitted
            for name, rules in part.found_rules.items()
        }
        if found:
            words = "; ".join(f"'{name}' given {', '.join(others)}" for name, others in list(found.items())[:8])
            more = f"; and {len(found) - 8} more columns" if len(found) > 8 else ""
            warnings.warn(
                f"{type(self).__name__}: conditions were found that always decide whether a value is missing or at a spike, and "
                f"are kept: {words}{more}.",
                TacitaNote,
                stacklevel=4,
            )


def _needs(
    known: Mapping[str, ColumnSource], drawn: Sequence[str], rules: Sequence[RuleText], plans: Mapping[str, ColumnPlan]
) -> dict[str, set[str]]:
    """Return for each column those that must be drawn before it."""
    needs: dict[str, set[str]] = {name: set() for name in drawn}
    for name in drawn:
        needs[name].update(part for _, part in plans[name].parts)
        needs[name].update(plans[name].given or ())
    for rule in rules:
        found = rule.needs(known)
        if found is not None and found[0] in needs:
            needs[found[0]].update(found[1])
    return {name: {other for other in others if other in needs and other != name} for name, others in needs.items()}


def _ordered(wanted: Sequence[str], needs: Mapping[str, set[str]], owner: str) -> tuple[str, ...]:
    """Return the columns in the order that is wanted, with what one needs before it."""
    made: list[str] = []
    left = list(wanted)
    while left:
        ready = next((name for name in left if needs[name] <= set(made)), None)
        if ready is None:
            raise ParameterError(
                f"{owner}: no visit order fits 'rules', 'identities' and 'models': {', '.join(sorted(left))} need each other "
                "first."
            )
        made.append(ready)
        left.remove(ready)
    return tuple(made)
