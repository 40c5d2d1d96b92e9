"""The answer: what remains of a question after policy, computation, protection and the journal."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, get_args

from tacita.query.camouflage.model_intervals import IntervalModel
from tacita.query.models.correlate import CorrelationOutcome
from tacita.query.models.model_result import FittedModel
from tacita.query.plain_form import PlainForm
from tacita.query.residuals.shapes import ResidualPlots
from tacita.query.tables.cell_table import CellTable

__all__ = ["Answer", "Status"]

Status = Literal["answered", "refused", "review"]

_RESULTS = ("table", "model", "plots", "interval", "value", "quantiles", "parts")


@dataclass(frozen=True, kw_only=True)
class Answer:
    """An answer as the user gets it.

    Parameters
    ----------
    status
        ``answered``, ``refused``, or ``review``: a person has to look at the question.
    reasons
        Names of the rules that refused it or left it to a person; nothing more is told.
    request
        The question in canonical form.
    id
        A name of the answer: the same question to the same data version has the same.
    table
        The table of a cross-tabulation.
    model
        Coefficients, standard errors and tables of a regression, or correlations.
    interval
        Lower and upper end, where the policy answers with intervals.
    value
        One number.
    quantiles
        Quantiles read from bins.
    plots
        Residual plots as data.
    hint
        For a question that was not understood: what the catalogue has. Made of published metadata only.
    notes
        What the user should know of how the answer was made.
    parts
        Of a table that was asked for part by part: ``each`` (the variable), how many classes were ``answered``, ``of`` how
        many, and ``refused``, the others with the rules that refused them.

    Examples
    --------
    >>> Answer(status="refused", reasons=("universe_gamma",))
    Answer: refused (universe_gamma)
    """

    status: Status
    reasons: tuple[str, ...] = ()
    request: dict[str, Any] = field(default_factory=dict)
    id: str = ""
    table: Any = None
    model: Any = None
    interval: tuple[float, float] | None = None
    value: float | None = None
    quantiles: dict[str, Any] | None = None
    plots: Any = None
    hint: str = ""
    notes: tuple[str, ...] = ()
    parts: dict[str, Any] | None = None

    def __repr__(self) -> str:
        why = f" ({', '.join(self.reasons)})" if self.reasons else ""
        kind = f" {self.request['kind']}" if self.status == "answered" and "kind" in self.request else ""
        return f"Answer:{kind} {self.status}{why}"

    def to_plain(self) -> dict[str, Any]:
        """Return everything that leaves, ready for JSON."""
        found: dict[str, Any] = {"status": self.status, "id": self.id, "request": self.request}
        if self.status != "answered":  # one shape, whatever the reason
            found |= {"reasons": list(self.reasons), "hint": self.hint}
        for name in ("table", "model", "plots"):
            part = getattr(self, name)
            if part is not None:
                found[name] = part.to_plain()
        if self.interval is not None:
            found["interval"] = list(self.interval)
        for name in ("value", "quantiles", "parts"):
            if getattr(self, name) is not None:
                found[name] = getattr(self, name)
        if self.notes:
            found["notes"] = list(self.notes)
        return found

    def to_json(self) -> str:
        """Return everything that leaves as JSON: sorted, on one line."""
        return json.dumps(self.to_plain(), sort_keys=True, ensure_ascii=False, separators=(",", ":"), allow_nan=False)

    @classmethod
    def from_plain(cls, given: Any) -> Answer:
        """Read what :meth:`to_plain` gives, from whomever it comes.

        Parameters
        ----------
        given
            What was parsed from JSON.

        Returns
        -------
        Answer
            With tables, models and plots as objects of the same classes as those of an answer that was computed here.

        Raises
        ------
        ParameterError
            When it is no answer; the message names the part that is wrong.

        Notes
        -----
        Parts that this version of the package does not know are an error: an answer without them would be another one.

        Examples
        --------
        >>> Answer.from_plain({"status": "answered", "id": "7f", "request": {}, "value": 12.0}).value
        12.0
        """
        what, names = "An answer", ("status", "id", "request")
        status = PlainForm.of(what, given, names, given).choice("status", get_args(Status))
        if status != "answered":
            form = PlainForm.of(f"{what} with status '{status}'", given, (*names, "reasons", "hint"), ("notes",))
        else:
            form = PlainForm.of(what, given, names, (*_RESULTS, "notes"))
        return cls(
            status=status,
            reasons=form.sayings("reasons") if "reasons" in form else (),
            request=_request(form),
            id=form.said("id"),
            hint=form.said("hint") if "hint" in form else "",
            notes=form.sayings("notes") if "notes" in form else (),
            **{name: _READ[name](form, name) for name in _RESULTS if name in form},
        )


def _request(form: PlainForm) -> dict[str, Any]:
    """The question, which is kept as it is; its kind is shown."""
    found = form.part("request")
    if "kind" in found:
        PlainForm("The question of an answer", found).said("kind")
    return dict(found)


def _model(form: PlainForm, name: str) -> FittedModel | CorrelationOutcome | IntervalModel:
    found = form.part(name)
    if "intervals" in found:
        return IntervalModel.from_plain(found)
    return CorrelationOutcome.from_plain(found) if "matrix" in found else FittedModel.from_plain(found)


def _interval(form: PlainForm, name: str) -> tuple[float, float]:
    low, high = form.numbers(name, 2).tolist()
    if low > high:
        form.misfit(name, "a lower and an upper end")
    return low, high


def _quantiles(form: PlainForm, name: str) -> dict[str, Any]:
    """Quantiles have no class of their own, so their form is checked and kept."""
    found = PlainForm.of("Quantiles", form.part(name), ("response", "quantiles"))
    rows = [PlainForm.of("A quantile", row, ("level", "bin"), ("value",)) for row in found.listed("quantiles")]
    made = [
        {"level": row.number("level"), "bin": row.text("bin")}
        | ({"value": row.number("value")} if "value" in row else {})
        for row in rows
    ]
    return {"response": found.text("response"), "quantiles": made}


def _parts(form: PlainForm, name: str) -> dict[str, Any]:
    """Which classes of a table in parts were answered; checked and kept as it is."""
    found = PlainForm.of("The parts of a table", form.part(name), ("each", "answered", "of", "refused"))
    rules = PlainForm("The refused parts of a table", found.part("refused"))
    refused = {word: list(rules.sayings(word)) for word in rules.parts}
    answered, of = found.whole("answered"), found.whole("of")
    if not 0 <= answered == of - len(refused):
        found.misfit("answered", "the number of parts that are not refused")
    return {"each": found.text("each"), "answered": answered, "of": of, "refused": refused}


_READ: Mapping[str, Any] = {
    "table": lambda form, name: CellTable.from_plain(form.part(name)),
    "model": _model,
    "plots": lambda form, name: ResidualPlots.from_plain(form.part(name)),
    "interval": _interval,
    "value": PlainForm.number,
    "quantiles": _quantiles,
    "parts": _parts,
}
