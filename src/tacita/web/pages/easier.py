"""Easier questions: what a question that was refused becomes when one thing of it is left out, each with its address."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from tacita.web.pages.addresses import address_of
from tacita.web.pages.wording import Labels

__all__ = ["easier_questions"]


def easier_questions(dataset: str, request: Mapping[str, Any], labels: Labels) -> list[tuple[str, str]]:
    """Return what may be left out of a question, in words, with the address of the form that has the rest.

    Parameters
    ----------
    dataset
        Name of the data set.
    request
        The question in its JSON form.
    labels
        What variables are called.

    Notes
    -----
    Only the question itself is looked at, neither the data nor the rule that refused it. The addresses fill the form and ask
    nothing.

    Examples
    --------
    >>> easier_questions("survey", {"kind": "tabulate", "by": ["sex"], "where": {"region": ["north"]}}, Labels([]))
    [('The same about everybody', '/explore/survey/table?by=sex&edit=1')]
    """
    found = []
    for text, changed in _changed(request, labels):
        address = address_of(dataset, changed, edit="1")
        if address is not None:
            found.append((text, address))
    return found


def _changed(request: Mapping[str, Any], labels: Labels) -> Iterator[tuple[str, dict[str, Any]]]:
    if request.get("where"):
        yield "The same about everybody", _without(request, "where")
    by = request.get("by")
    if request.get("kind") == "tabulate" and isinstance(by, list | tuple):
        yield from _tables(request, list(by), labels)
    if request.get("interactions"):
        yield "The same without interactions", _without(request, "interactions")
    if request.get("robust"):
        yield "The same without the robust fit", _without(request, "robust")


def _tables(request: Mapping[str, Any], by: list[str], labels: Labels) -> Iterator[tuple[str, dict[str, Any]]]:
    """A table with a variable less, and class by class."""
    if len(by) > 1:
        for name in dict.fromkeys(by):
            less = [other for other in by if other != name]
            kept = _without(request, "each") if request.get("each") == name else dict(request)
            if less:
                yield f"The same without {labels[name]}", {**kept, "by": less}
    if not request.get("each") and len(by) > 1 and request.get("statistic") in ("mean", "total"):
        yield f"The same class by class of {labels[by[0]]}", {**request, "each": by[0]}


def _without(request: Mapping[str, Any], name: str) -> dict[str, Any]:
    return {key: value for key, value in request.items() if key != name}
