"""Computing an answer: each kind of request to its analysis, protected as the policy says."""

from __future__ import annotations

from typing import Any

from tacita.core.errors import TacitaError
from tacita.query.answer import Answer
from tacita.query.models.analyses import correlations_of, regression_of
from tacita.query.question import Question, RefusalError
from tacita.query.requests.correlate import Correlate
from tacita.query.requests.quantiles import Quantiles
from tacita.query.requests.regress import Regress
from tacita.query.requests.request import QueryRequest
from tacita.query.requests.residuals import Residuals
from tacita.query.requests.statistic import Statistic
from tacita.query.requests.tabulate import Tabulate
from tacita.query.tables.quantiles import quantiles
from tacita.query.tables.statistic import one_number
from tacita.query.tables.tabulate import answer_table

__all__ = ["compute"]

_DROPPED = "Some records were left out at random before the analysis."
_NOISE = "Counts carry random noise; cells need not add up to totals."


def compute(question: Question) -> Answer:
    """Compute and protect the answer to a question that all restrictions have let pass.

    Raises
    ------
    RefusalError
        When the analysis itself refuses: no records are left, a rule on the result of a model fires, the policy's way
        of answering has no such statistic. All have one shape.
    """
    privacy = question.policy.part("privacy")
    if (
        privacy is None and question.size == 0
    ):  # with noise for each answer, that nobody is there is no answer of its own
        raise RefusalError("no_records", "no record is analysed")
    notes = (_DROPPED,) if question.policy.subsample is not None else ()
    try:
        parts = _parts(question, question.request)
    except RefusalError:
        raise
    except TacitaError as error:
        # What failed may have failed because of values: one shape for all of it, the reason for the steward.
        raise RefusalError("not_computable", f"{type(error).__name__}: {error}") from None
    except Exception as error:  # noqa: BLE001 - a message of another library may quote data, so only its kind is kept
        raise RefusalError("not_computable", type(error).__name__) from None
    if "cells" in question.policy.parts and isinstance(question.request, (Tabulate, Quantiles)):
        notes = (*notes, _NOISE)
    return Answer(status="answered", notes=notes, **parts)


def _parts(question: Question, request: QueryRequest) -> dict[str, Any]:
    privacy, camouflage = question.policy.part("privacy"), question.policy.part("camouflage")
    if privacy is not None and not privacy.answers(request):
        raise RefusalError("not_offered", f"{request.kind} under differential privacy")
    if camouflage is not None and type(request) is Regress:
        from tacita.query.camouflage.model_intervals import regression_intervals

        return {"model": regression_intervals(question, request)}
    if camouflage is not None and not isinstance(request, (Tabulate, Statistic)):
        raise RefusalError("not_offered", f"{request.kind} under camouflage, which would be exact")
    if isinstance(request, Tabulate):
        if camouflage is not None and request.response is not None:
            raise RefusalError("not_offered", "tables of means under camouflage")
        return {"table": answer_table(question, request) if privacy is None else privacy.table(question, request)}
    if isinstance(request, Statistic):
        if privacy is not None:
            return {"value": privacy.number(question, request)}
        if question.policy.part("numbers") is not None and request.statistic not in ("count", "sum", "mean"):
            raise RefusalError("not_offered", f"'{request.statistic}' with noise")
        if camouflage is not None and request.response is None:
            raise RefusalError("not_offered", "counts under camouflage")
        return one_number(question, request)
    if isinstance(request, Quantiles):
        return {"quantiles": quantiles(question, request)}
    if isinstance(request, Correlate):
        found = correlations_of(question, request)
        if found.violations:
            raise RefusalError(found.reasons[0], "; ".join(v.detail for v in found.violations))
        return {"model": found}
    if isinstance(request, Regress):
        outcome = regression_of(question, request)
        if outcome.violations or outcome.internal is None:
            raise RefusalError(outcome.reasons[0], "; ".join(f"{v.rule}: {v.detail}" for v in outcome.violations))
        if isinstance(request, Residuals):
            from tacita.query.residuals.plots import residual_plots

            return {"plots": residual_plots(question, request, outcome.internal)}
        return {"model": outcome.model}
    raise RefusalError("not_offered", request.kind)
