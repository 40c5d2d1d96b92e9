"""The answer: what remains of a question after policy, computation, protection and the journal."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import Any, Literal

__all__ = ["Answer", "Status"]

Status = Literal["answered", "refused", "review"]


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
        for name in ("value", "quantiles"):
            if getattr(self, name) is not None:
                found[name] = getattr(self, name)
        if self.notes:
            found["notes"] = list(self.notes)
        return found

    def to_json(self) -> str:
        """Return everything that leaves as JSON: sorted, on one line."""
        return json.dumps(self.to_plain(), sort_keys=True, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
