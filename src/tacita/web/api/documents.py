"""The OpenAPI document: schemas and examples of requests from their dataclasses, one schema of refusals."""

from __future__ import annotations

from typing import Any

from tacita.query.requests import QueryRequest

__all__ = ["ANSWER", "QUEUED", "REFUSAL", "request_document"]

REFUSAL: dict[str, Any] = {
    "type": "object",
    "description": "What is not answered has this shape, whatever the reason.",
    "properties": {
        "status": {"enum": ["refused", "review"]},
        "reasons": {"type": "array", "items": {"type": "string"}, "description": "Names of rules."},
        "hint": {"type": "string", "description": "What one may do; made of published metadata only."},
        "id": {"type": "string"},
        "request": {"type": "object"},
    },
    "required": ["status", "reasons", "hint", "id", "request"],
}

ANSWER: dict[str, Any] = {
    "type": "object",
    "description": "An answer as the library gives it: a table, a model, plots, quantiles, an interval or a value.",
    "properties": {
        "status": {"const": "answered"},
        "id": {"type": "string"},
        "request": {"type": "object"},
        "notes": {"type": "array", "items": {"type": "string"}},
    },
    "required": ["status", "id", "request"],
}

QUEUED: dict[str, Any] = {
    "type": "object",
    "properties": {
        "status": {"enum": ["review", "queued", "running"]},
        "id": {"type": "string"},
        "progress": {"type": "number"},
        "location": {"type": "string"},
    },
    "required": ["status", "id"],
}

_EXAMPLES: dict[str, dict[str, Any]] = {
    "tabulate": {"by": ["region", "sex"], "where": {"sex": ["f"]}},
    "regress": {"response": "income", "predictors": ["age", "sex"]},
    "residuals": {"response": "income", "predictors": ["age", "sex"]},
    "correlate": {"columns": ["age", "income"]},
    "quantiles": {"response": "income"},
    "statistic": {"response": "income", "statistic": "mean"},
}


def request_document(asked: type[QueryRequest]) -> dict[str, Any]:
    """Return the body of a kind of request as OpenAPI describes it; ``kind`` may be left out, since the address says it."""
    schema = asked.json_schema()
    schema = {**schema, "required": [name for name in schema["required"] if name != "kind"]}
    if not schema["required"]:
        del schema["required"]
    content: dict[str, Any] = {"schema": schema}
    if asked.kind in _EXAMPLES:
        content["example"] = _EXAMPLES[asked.kind]
    return {"required": True, "content": {"application/json": content}}
