"""What a request costs: one question, or as many as a table has parts."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from tacita.web.engine.port import DatasetFacts

__all__ = ["questions_in"]


def questions_in(body: bytes, facts: DatasetFacts) -> int:
    """Return how many questions a request is: a table in parts is as many as it has parts, by the catalogue.

    Parameters
    ----------
    body
        The request as JSON, or whatever somebody sent; what is none costs one question.
    facts
        What is published about the data set.

    Notes
    -----
    A name may be written with escapes, so texts with escapes are parsed. A text that is read in one way here and in another way
    by the engine is refused there: what names something twice, or is not UTF-8.
    """
    if b'"each"' not in body and b"\\" not in body:
        return 1
    try:
        name = json.loads(body).get("each")
    except (ValueError, AttributeError, RecursionError):
        return 1
    for variable in facts.variables:
        if variable["name"] == name:
            return max(_classes(variable), 1)
    return 1


def _classes(variable: Mapping[str, Any]) -> int:
    """How many classes a variable of the catalogue has, the missing one included."""
    bins = variable.get("bins")
    named = len(variable.get("classes", variable.get("groups", ()))) if bins is None else len(bins["cuts"]) + 1
    return named + bool(variable.get("has_missing"))
