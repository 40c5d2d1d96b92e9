"""The pages of the reference about methods: one for each, and their index."""

from __future__ import annotations

from typing import Any

from docs_markdown import Docstring, code, prose, table

import tacita as tc
from tacita.core import registry
from tacita.core.method import Method
from tacita.core.parameters import as_plain
from tacita.core.traits import ABOUT, PROPERTIES, STAGES, TABLE_CLAIMS

__all__ = ["method_page", "method_page_name", "methods_index"]

_KIND_WORDS = {
    "mask": "Masks",
    "loss": "Losses",
    "risk": "Risks",
    "rule": "Rules for tables",
    "protector": "Protectors of tables",
    "restriction": "Restrictions of questions",
    "attack": "Attacks",
    "anonymiser": "Anonymisers of query logs",
    "log_measure": "Measures of query logs",
}
_TRAITS_ANCHOR = "claims-of-methods"


def method_page_name(method: type[Method]) -> str:
    """Return the name of a method's page, without ending."""
    return f"{method.kind}-{method.name}".replace("_", "-")


def methods_index() -> str:
    """Return the page that lists all methods."""
    lines = ["# Methods", "", "`tacita methods` prints the same list on the command line.", ""]
    for kind, title in _KIND_WORDS.items():
        rows = [
            (f"[{m.name}]({method_page_name(m)}.md)", code(_public_name(m)), m.summary())
            for m in registry.methods(kind)
        ]
        lines += [f"## {title}", "", table(("name", "class", "what it does"), rows), ""]
    return "\n".join(lines)


def method_page(method: type[Method], picture: str | None) -> str:
    """Return the page of one method; ``picture`` says what its picture shows."""
    doc = Docstring(method)
    lines = [f"# {method.__name__}", "", prose(doc.summary), ""]
    lines += [f"Name in recipes and on the command line: `{method.name}`. In Python: `{_public_name(method)}`.", ""]
    if picture is not None:
        image = f"images/{method_page_name(method)}.svg"
        lines += [f"![Two columns before and after the mask {method.name}]({image})", "", f"*{picture}*", ""]
    if doc.body:
        lines += [prose(doc.body), ""]
    lines += ["## Parameters", "", _parameters(method), ""]
    if method.traits.as_plain():
        lines += ["## Claims", "", _claims(method), ""]
    if method.kind in ("mask", "rule", "protector", "restriction"):
        lines += [
            f"The test suite checks these claims on every change. See [traits](../python.md#{_TRAITS_ANCHOR}).",
            "",
        ]
    doc.body = ""
    return "\n".join([*lines, *doc.markdown(level=2, without=("Parameters",))])


def _public_name(method: type[Method]) -> str:
    place = method.__module__.split(".")[1]
    room = getattr(tc, place, None)
    if getattr(room, method.__name__, None) is method:
        return f"tc.{place}.{method.__name__}"
    return f"{method.__module__}.{method.__name__}"


def _parameters(method: type[Method]) -> str:
    rows = [
        (code(p.name), p.requirement, "must be given" if p.required else _value(as_plain(p.default)), prose(p.help))
        for p in method.parameters()
    ]
    return table(("name", "must be", "default", "meaning"), rows)


def _value(value: Any) -> str:
    if value is None or value in ((), []):
        return "none"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, list):
        return ", ".join(_value(entry) for entry in value)
    return f"{value:g}" if isinstance(value, float) else str(value)


def _claims(method: type[Method]) -> str:
    meaning = {
        "scales": "scales of the columns it works on",
        "stochastic": "the result depends on the seed",
        "preserves": "what stays the same",
        "keeps_rows": "records stay as many as they were and in the same order",
        "suppresses": "values may become missing",
        "recodes": "columns may get another scale, categories and hierarchy",
        "paired": "needs to know which masked record comes from which original",
        "per_record": "also gives a value for each record",
        "better": "which direction is better for the data owner",
        "unit": "unit of the value",
        "upper": "largest possible value",
        **TABLE_CLAIMS,
        "stage": "what it looks at",
        "value_free": "its decisions depend on the sets asked for and on published metadata only, never on values",
    }
    rows = []
    for claim, value in method.traits.as_plain().items():
        if claim == "preserves" and value:
            shown = "; ".join(f"**{word}**: {PROPERTIES[word]}" for word in value)
        elif claim == "about":
            shown = f"**{value}**: {ABOUT[value]}"
        elif claim == "stage":
            shown = f"**{value}**: {STAGES[value]}"
        else:
            shown = {"True": "yes", "False": "no", "": "none"}.get(str(value), _value(value))
        rows.append((claim, meaning.get(claim, ""), shown))
    return table(("claim", "meaning", "value"), rows)
