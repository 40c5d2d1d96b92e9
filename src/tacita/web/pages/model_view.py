"""A model as a page shows it: coefficients, the table of variance or deviance, and what is said beside them."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal

from tacita.query.camouflage.model_intervals import IntervalModel
from tacita.query.models.correlate import CorrelationOutcome
from tacita.query.models.model_result import FittedModel, TableLine
from tacita.report.words import NOTHING, count, fixed, significant

__all__ = ["ShownLine", "ShownModel", "shown_correlations", "shown_intervals", "shown_model"]

_TABLES = {
    "anova": ("Analysis of variance (sequential)", "Sum of squares", "F"),
    "deviance": ("Analysis of deviance (sequential)", "Deviance", "Chi-square"),
    "wald": ("Wald tests of the terms", "Wald statistic", ""),
}


@dataclass(frozen=True)
class ShownLine:
    """A line of a table of numbers: its name, and its numbers as texts."""

    head: str
    cells: tuple[str, ...]


@dataclass(frozen=True, kw_only=True)
class ShownModel:
    """A regression as a page shows it.

    Parameters
    ----------
    facts
        Names and values of what is said about the whole model.
    coefficient_heads, coefficients
        The table of coefficients.
    table_title, table_heads, table
        The analysis of variance or deviance; empty where there is none.
    """

    facts: tuple[tuple[str, str], ...]
    coefficient_heads: tuple[str, ...]
    coefficients: tuple[ShownLine, ...]
    table_title: str = ""
    table_heads: tuple[str, ...] = ()
    table: tuple[ShownLine, ...] = ()


def shown_model(model: FittedModel) -> ShownModel:
    """Write the numbers of a model as texts.

    Parameters
    ----------
    model
        A model that was answered; its numbers are rounded already, and are shown as they are.
    """
    title, amount, statistic = _TABLES[model.table.kind]
    heads = ("df", amount, statistic, "p") if statistic else ("df", amount, "p")
    rows = [
        ShownLine(c.label, (_number(c.estimate), _number(c.error), _number(c.statistic), _p(c.p_value)))
        for c in model.coefficients
    ]
    return ShownModel(
        facts=tuple(_facts(model)),
        coefficient_heads=("Estimate", "Standard error", model.distribution, "p"),
        coefficients=tuple(rows),
        table_title=title,
        table_heads=heads,
        table=tuple(_table_line(line, has_statistic=bool(statistic)) for line in model.table.lines),
    )


def shown_intervals(model: IntervalModel) -> ShownModel:
    """Write a model whose coefficients are intervals as texts."""
    low, high = map(_number, model.residual_variance)
    return ShownModel(
        facts=(
            ("Method", "least squares, for every candidate of the response"),
            ("Residual variance", f"from {low} to {high}"),
            *_class_facts(model),
        ),
        coefficient_heads=("From", "To"),
        coefficients=tuple(ShownLine(one.label, (_number(one.low), _number(one.high))) for one in model.intervals),
    )


def shown_correlations(found: CorrelationOutcome) -> Sequence[ShownLine]:
    """Write a matrix of correlations as texts."""
    return [
        ShownLine(name, tuple(fixed(value, 3) for value in row))
        for name, row in zip(found.names, found.matrix, strict=True)
    ]


def _table_line(line: TableLine, *, has_statistic: bool) -> ShownLine:
    freedom = NOTHING if line.freedom is None else str(line.freedom)
    tests = (_number(line.statistic), _p(line.p_value)) if has_statistic else (_p(line.p_value),)
    return ShownLine(line.label, (freedom, _number(line.amount), *tests))


def _facts(model: FittedModel) -> Sequence[tuple[str, str]]:
    found = [("Method", model.method)]
    if model.n is not None:
        found.append(("Records analysed", count(model.n)))
    name = "R squared" if model.family == "linear" else "McFadden's R squared"
    found.append((name, _number(model.r_squared)))
    return [*found, *_class_facts(model)]


def _class_facts(model: FittedModel | IntervalModel) -> Sequence[tuple[str, str]]:
    found = []
    if model.references:
        found.append(("Reference classes", "; ".join(f"{name}: {word}" for name, word in model.references)))
    if model.absorbed:
        listed = "; ".join(f"{name}: {', '.join(words)}" for name, words in model.absorbed)
        found.append(("Counted with the reference class", listed))
    return found


def _number(value: float) -> str:
    """Write a number with the digits that it was rounded to."""
    if not math.isfinite(value):
        return NOTHING
    exponent = Decimal(repr(value)).normalize().as_tuple().exponent
    return significant(value) if abs(value) < 1e-4 and value else fixed(value, min(max(-int(exponent), 0), 8))


def _p(value: float) -> str:
    if not math.isfinite(value):
        return NOTHING
    return "< 0.001" if value < 0.001 else fixed(value, 3)
