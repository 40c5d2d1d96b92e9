"""Forms of questions: what can be chosen, and what the address of the page has chosen already."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

from starlette.datastructures import QueryParams

from tacita.query.catalogue.variable import Use, Variable
from tacita.query.models.terms import Term
from tacita.web.engine.port import DatasetFacts
from tacita.web.pages.addresses import (
    MOST_PIECES_SHOWN,
    effect_text,
    effects_of,
    interaction_text,
    interactions_of,
    universe_pieces,
)
from tacita.web.pages.wording import STATISTICS, TRANSFORMS

__all__ = ["FormChoice", "UniverseField", "catalogue_of", "question_form", "universe_form"]

_MOST_TERMS = 8
"""Interactions are listed for so many terms; with more the list would be longer than anybody reads."""


_USUAL_BY, _MOST_BY = 3, 8
"""Variables of a table that a form has room for; the address of a program's question may have more."""


@dataclass(frozen=True)
class FormChoice:
    """Something that can be chosen: what the address says, what people read, and whether it is chosen."""

    value: str
    text: str
    is_chosen: bool = False


@dataclass(frozen=True)
class UniverseField:
    """The classes of a variable in one piece of a universe."""

    name: str
    label: str
    choices: tuple[FormChoice, ...]

    @property
    def chosen(self) -> int:
        """How many classes are ticked."""
        return sum(choice.is_chosen for choice in self.choices)


def catalogue_of(facts: DatasetFacts) -> tuple[Variable, ...]:
    """Return the variables of a data set as objects."""
    return tuple(Variable.from_plain(dict(row)) for row in facts.variables)


def universe_form(query: QueryParams, variables: Sequence[Variable]) -> list[list[UniverseField]]:
    """Return the fields of each piece of a universe that the form shows.

    Parameters
    ----------
    query
        What stands behind the ``?``; ``edit=2`` shows two pieces at least.
    variables
        The catalogue.
    """
    pieces = universe_pieces(query)
    wanted = query.get("edit", "")
    least = int(wanted) if wanted.isdecimal() and len(wanted) == 1 else 1
    pieces += [{}] * (min(max(least, 1), MOST_PIECES_SHOWN) - len(pieces))
    return [
        [
            UniverseField(
                v.name, v.label or v.name, tuple(FormChoice(c, c, c in piece.get(v.name, ())) for c in v.all_classes)
            )
            for v in variables
            if "universe" in v.uses
        ]
        for piece in pieces
    ]


def question_form(kind: str, query: QueryParams, facts: DatasetFacts, variables: Sequence[Variable]) -> dict[str, Any]:
    """Return what the form of a kind of question shows.

    Parameters
    ----------
    kind
        Kind of request.
    query
        What stands behind the ``?``.
    facts, variables
        The data set and its catalogue.
    """
    made: dict[str, Any] = _FORMS[kind](query, facts, variables)
    return made


def _listed(variables: Sequence[Variable], use: Use, chosen: str | None = None) -> tuple[FormChoice, ...]:
    return tuple(FormChoice(v.name, _title(v), v.name == chosen) for v in variables if use in v.uses)


def _title(variable: Variable) -> str:
    return (
        f"{variable.label} ({variable.name})" if variable.label and variable.label != variable.name else variable.name
    )


def _options(words: Sequence[str], chosen: str | None) -> tuple[FormChoice, ...]:
    return tuple(FormChoice(word, STATISTICS.get(word, word), word == chosen) for word in words)


def _table_form(query: QueryParams, facts: DatasetFacts, variables: Sequence[Variable]) -> dict[str, Any]:
    by = [name for name in query.getlist("by") if name][:_MOST_BY]
    by += [""] * (_USUAL_BY - len(by))
    words = ["count", "percent", "mean", "total"]
    if facts.has_weights:
        words.insert(1, "weighted_count")
    responses = tuple(
        c for c in _listed(variables, "response", query.get("response")) if _is_number(c.value, variables)
    )
    return {
        "by": [_listed(variables, "table", name) for name in by],
        "statistics": _options(words if responses else words[:-2], query.get("statistic")),
        "responses": responses,
        "has_households": facts.has_households,
        "unit": query.get("unit", "persons"),
        "each": _listed(variables, "table", query.get("each")),
    }


def _is_number(name: str, variables: Sequence[Variable]) -> bool:
    return any(v.name == name and v.is_numeric for v in variables)


def _regression_form(query: QueryParams, facts: DatasetFacts, variables: Sequence[Variable]) -> dict[str, Any]:
    del facts
    effects = effects_of(query.getlist("x"))
    chosen = set(map(effect_text, effects))
    order = list(dict.fromkeys(Term.from_plain(effect).variable for effect in effects))
    listed = sorted(
        variables, key=lambda v: order.index(v.name) if v.name in order else len(order)
    )  # tests are sequential
    return {
        "responses": _listed(variables, "response", query.get("response")),
        "predictors": [_predictor(v, chosen) for v in listed if "predictor" in v.uses],
        "interactions": tuple(_interactions(effects, interactions_of(query.getlist("i")))),
        "families": tuple(FormChoice(word, word, word == query.get("family")) for word in ("linear", "logistic")),
        "robust": bool(query.get("robust")),
    }


def _predictor(variable: Variable, chosen: set[str]) -> dict[str, Any]:
    """A variable and the forms in which it may stand in an equation."""
    ways = ["", *(("square",) if variable.is_numeric else ()), *(("sqrt", "log") if variable.may_log else ())]
    texts = [(way, effect_text({"variable": variable.name, "transform": way})) for way in TRANSFORMS]
    texts = [(way, text) for way, text in texts if way in ways or text in chosen]  # what is refused can be taken off
    choices = tuple(FormChoice(text, TRANSFORMS[way], text in chosen) for way, text in texts)
    return {"name": variable.name, "label": variable.label or variable.name, "choices": choices}


def _interactions(effects: Sequence[str | dict[str, str]], given: Sequence[Sequence[str]]) -> Iterator[FormChoice]:
    """Every pair and every three of the terms; those of the address also where a term has gone."""
    terms = [Term.from_plain(effect) for effect in effects]
    chosen = dict.fromkeys(map(interaction_text, given))
    for size in (2, 3):
        for some in combinations(terms[:_MOST_TERMS], size):
            if len({term.variable for term in some}) == size:
                text = interaction_text([term.label for term in some])
                yield FormChoice(text, " × ".join(term.label for term in some), text in chosen)
                chosen.pop(text, None)
    yield from (
        FormChoice(text, " × ".join(names), True) for text, names in zip(chosen, interactions_of(chosen), strict=True)
    )


def _quantile_form(query: QueryParams, facts: DatasetFacts, variables: Sequence[Variable]) -> dict[str, Any]:
    del facts
    levels = query.getlist("level") or ["0.25", "0.5", "0.75"]
    usual = ("0.1", "0.2", "0.25", "0.3", "0.4", "0.5", "0.6", "0.7", "0.75", "0.8", "0.9")
    listed = tuple(v for v in variables if v.is_cutpoint)
    return {
        "responses": _listed(listed, "table", query.get("response")),
        "levels": tuple(FormChoice(word, word, word in levels) for word in usual),
    }


def _correlation_form(query: QueryParams, facts: DatasetFacts, variables: Sequence[Variable]) -> dict[str, Any]:
    del facts
    chosen = query.getlist("column")
    numbers = [v for v in variables if v.is_numeric and "predictor" in v.uses]
    return {
        "columns": tuple(FormChoice(v.name, _title(v), v.name in chosen) for v in numbers),
        "methods": tuple(
            FormChoice(word, word.capitalize(), word == query.get("method")) for word in ("pearson", "spearman")
        ),
    }


def _number_form(query: QueryParams, facts: DatasetFacts, variables: Sequence[Variable]) -> dict[str, Any]:
    del facts
    words = ("count", "sum", "mean", "variance", "sd", "median", "quantile", "minimum", "maximum", "count_above")
    numbers = [v for v in variables if v.is_numeric]
    return {
        "statistics": _options(words, query.get("statistic")),
        "responses": _listed(numbers, "response", query.get("response")),
        "level": query.get("level", ""),
        "above": query.get("above", ""),
    }


_FORMS = {
    "tabulate": _table_form,
    "regress": _regression_form,
    "quantiles": _quantile_form,
    "correlate": _correlation_form,
    "statistic": _number_form,
}
