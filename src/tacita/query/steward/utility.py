"""Utility of a policy on a workload: a denied answer is a suppressed cell, a perturbed answer a perturbed cell."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from tacita.core.arrays import FloatArray
from tacita.core.errors import ParameterError
from tacita.query.answer import Answer
from tacita.query.database import Database
from tacita.query.requests import QueryRequest
from tacita.query.steward.trial import exact_policy, trial_of
from tacita.query.steward.workload import Workload

__all__ = ["PolicyUtility", "cells_of", "policy_utility", "true_answers", "utility_of_answers"]

_SAME = 1e-9
"""Relative difference below which a cell counts as unchanged: rounding of the arithmetic."""


@dataclass(frozen=True, kw_only=True)
class PolicyUtility:
    """What a policy leaves of a workload.

    Parameters
    ----------
    questions
        How many were asked.
    answered, refused, review
        Parts of the workload, by weight; they add up to 1.
    cells
        Cells that were answered and whose true value is known.
    perturbed
        Part of these that are not the true value.
    relative_error
        Mean of ``min(1, |answer - truth| / |truth|)`` over these.
    loss
        Mean over the workload, by weight: 1 for a question that is not answered, the mean relative error of its cells
        for one that is. 0 is everything answered exactly, 1 nothing of use.
    rules
        For each rule the part of the workload, by weight, that it refused or left to a person; a question may name
        several.
    """

    questions: int
    answered: float
    refused: float
    review: float
    cells: int
    perturbed: float
    relative_error: float
    loss: float
    rules: Mapping[str, float] = field(default_factory=dict)

    @property
    def utility(self) -> float:
        """What is left: 1 less the loss."""
        return 1 - self.loss

    def to_plain(self) -> dict[str, Any]:
        """Return all numbers, ready for JSON."""
        return {
            "questions": self.questions,
            "answered": self.answered,
            "refused": self.refused,
            "review": self.review,
            "cells": self.cells,
            "perturbed": self.perturbed,
            "relative_error": self.relative_error,
            "loss": self.loss,
            "rules": dict(self.rules),
        }


def policy_utility(
    db: Database, workload: Workload | Iterable[QueryRequest], *, truth: Sequence[Answer] | None = None
) -> PolicyUtility:
    """Measure what a policy leaves of a workload.

    Queryable databases are looked at as tables: "a denied query answer is equivalent to a cell suppression and a
    perturbed answer is equivalent to a perturbed cell". A question counts the same however many cells it has, so that
    one large table does not outweigh the rest; a cell that is wrong by its whole value counts as much as a suppressed
    one, and no more.

    Parameters
    ----------
    db
        The database. The questions are put to a trial of it, in their order: nothing is entered, spent or remembered.
    workload
        The questions; requests without weights count the same.
    truth
        Exact answers to the same questions, where they are known already (:func:`true_answers`).

    Raises
    ------
    ParameterError
        When the workload is empty, or there are not as many true answers as questions.

    Complexity
    ----------
    That of asking each question twice, once under an exact policy.

    Notes
    -----
    The overview measures tables by the *number* of suppressed cells or their magnitude; a mean over questions is the
    same idea when a question is one cell, and a choice where it is a table. A cell whose true value is 0 has the error
    0 or 1. Of an interval half the width is the error. Coefficients are compared term by term; plots have no cells.
    What is measured is for the steward: errors tell the noise.

    References
    ----------
    Domingo-Ferrer, J. (2007), Statistical databases (overview), section "Measuring data utility".

    Examples
    --------
    >>> import tacita as tc
    >>> db = tc.query.open(tc.samples.household_survey(500, seed=1), policy="tables", key=b"an example's key")
    >>> found = policy_utility(db, [tc.query.Tabulate(by=["sex"]), tc.query.Regress(response="income", predictors=["age"])])
    >>> found.answered, found.refused, dict(found.rules)
    (0.5, 0.5, {'not_offered': 0.5})
    """
    asked = Workload.of(workload)
    known = true_answers(db, asked) if truth is None else truth
    trial = trial_of(db)
    return utility_of_answers(asked, [trial.ask(request) for request, _ in asked], known)


def utility_of_answers(workload: Workload, answers: Sequence[Answer], truth: Sequence[Answer]) -> PolicyUtility:
    """Measure answers to a workload against the true ones, one for one.

    Raises
    ------
    ParameterError
        When the workload is empty, or the numbers of answers differ.
    """
    if not len(workload) or len(answers) != len(workload) or len(truth) != len(workload):
        raise ParameterError("A workload must have a question, and as many answers and true answers as questions.")
    errors = [_errors(answer, exact) for answer, exact in zip(answers, truth, strict=True)]
    every = np.concatenate(errors)
    whole = math.fsum(workload.weights)

    def part(chosen: Iterable[float]) -> float:
        """A part of the workload: what the questions count, each times how much of it is meant."""
        return math.fsum(weight * much for weight, much in zip(workload.weights, chosen, strict=True)) / whole

    losses = [_loss(answer, found) for answer, found in zip(answers, errors, strict=True)]
    rules = sorted({rule for answer in answers for rule in answer.reasons})
    return PolicyUtility(
        questions=len(workload),
        answered=part(answer.status == "answered" for answer in answers),
        refused=part(answer.status == "refused" for answer in answers),
        review=part(answer.status == "review" for answer in answers),
        cells=len(every),
        perturbed=float((every > _SAME).mean()) if len(every) else 0.0,
        relative_error=float(every.mean()) if len(every) else 0.0,
        loss=part(losses),
        rules={rule: part(rule in answer.reasons for answer in answers) for rule in rules},
    )


def true_answers(db: Database, workload: Workload | Iterable[QueryRequest]) -> tuple[Answer, ...]:
    """Return the exact answers to a workload: what a policy is measured against. They never leave.

    Parameters
    ----------
    db
        The database; its policy's limits on models are kept, its protection is not.
    workload
        The questions.
    """
    exact = trial_of(db, exact_policy(db.policy))
    return tuple(exact.ask(request) for request, _ in Workload.of(workload))


def cells_of(answer: Answer) -> dict[tuple[Any, ...], tuple[float, float]]:
    """Return the cells of an answer by name: the value, and half the width of an interval.

    Notes
    -----
    Cells without a value are left out, and so is everything about how far a value can be relied on.
    """
    found: dict[tuple[Any, ...], tuple[float, float]] = {}
    if answer.table is not None:
        values = np.asarray(answer.table.values, dtype=np.float64).ravel()
        found |= {("table", i): (float(v), 0.0) for i, v in enumerate(values.tolist()) if np.isfinite(v)}
    if answer.value is not None:
        found["value",] = (float(answer.value), 0.0)
    if answer.interval is not None:
        low, high = answer.interval
        found["value",] = ((low + high) / 2, (high - low) / 2)
    for row in (answer.quantiles or {}).get("quantiles", ()):
        if row.get("value") is not None:
            found["quantile", row["level"]] = (float(row["value"]), 0.0)
    if answer.model is not None:
        plain = answer.model.to_plain()
        for row in plain.get("coefficients", ()):
            if row.get("estimate") is not None:
                found["coefficient", row["label"]] = (float(row["estimate"]), 0.0)
        for i, line in enumerate(plain.get("matrix", ())):
            found |= {("correlation", i, j): (float(v), 0.0) for j, v in enumerate(line[:i]) if v is not None}
    return found


def _loss(answer: Answer, errors: FloatArray) -> float:
    """What is lost of one question: all of it, or the mean error of its cells."""
    if answer.status != "answered":
        return 1.0
    return float(errors.mean()) if len(errors) else 0.0


def _errors(answer: Answer, exact: Answer) -> FloatArray:
    """The relative error of each cell whose true value is known, at most 1; a refusal has no cells."""
    shown, known = cells_of(answer), cells_of(exact)
    both = [name for name in shown if name in known]
    values = np.array([shown[name][0] for name in both])
    halves = np.array([shown[name][1] for name in both])
    true = np.array([known[name][0] for name in both])
    away = np.where(halves > 0, halves, np.abs(values - true))
    with np.errstate(divide="ignore", invalid="ignore"):
        relative = np.where(true != 0, away / np.abs(true), np.where(away > 0, 1.0, 0.0))
    return np.minimum(relative, 1.0)
