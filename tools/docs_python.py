"""The pages of the reference about Python: the public names, the errors and the warnings."""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from typing import Any

from docs_markdown import Docstring, code, prose, table
from docs_methods import method_page_name

import tacita as tc
from tacita.core import errors
from tacita.core.method import Method
from tacita.core.traits import PROPERTIES, MethodTraits

__all__ = ["errors_page", "names_page"]


def names_page() -> str:
    """Return the page about the names of the package."""
    lines = [
        "# Python names",
        "",
        "`import tacita as tc` gives these names. Nothing heavy loads before it is used.",
        "",
    ]
    rooms = [name for name in tc.__all__ if inspect.ismodule(getattr(tc, name))]
    others = [name for name in tc.__all__ if name not in rooms and not name.startswith("_")]
    for name in rooms:
        room = getattr(tc, name)
        lines += [f"## tc.{name}", "", prose(Docstring(room).summary), "", _names_of_room(name, room), ""]
    for name in others:
        lines += _described(f"tc.{name}", getattr(tc, name), level=2)
    for name in tc.samples.__all__:
        lines += _described(f"tc.samples.{name}", getattr(tc.samples, name), level=2)
    lines += ["## Claims of methods", "", prose(Docstring(MethodTraits).summary), ""]
    lines += [table(("a mask may preserve", "meaning"), [(code(w), text) for w, text in PROPERTIES.items()]), ""]
    return "\n".join(lines)


def _names_of_room(name: str, room: Any) -> str:
    rows = []
    for public in room.__all__:
        thing = getattr(room, public)
        target = ""
        if isinstance(thing, type) and issubclass(thing, Method) and "name" in vars(thing):
            target = f"methods/{method_page_name(thing)}.md"
        elif name == "samples":
            target = f"#tcsamples{public.lower()}"
        rows.append((f"[`{public}`]({target})" if target else code(public), Docstring(thing).summary))
    return table(("name", "what it is"), rows)


def _described(title: str, thing: Any, *, level: int) -> list[str]:
    doc = Docstring(thing)
    lines = [f"{'#' * level} {title}", ""]
    if inspect.isfunction(thing) or (isinstance(thing, type) and not issubclass(thing, (Exception, Warning))):
        lines += [f"```python\n{_signature(title, thing)}\n```", ""]
    lines += [prose(doc.summary), "", *doc.markdown(level=level + 1)]
    if isinstance(thing, type) and not issubclass(thing, BaseException):
        for name, held in vars(thing).items():
            member = held.__func__ if isinstance(held, (classmethod, staticmethod)) else held
            if name.startswith("_") or not (inspect.isfunction(member) or isinstance(member, property)):
                continue
            lines += _member(f"{title}.{name}", member, level + 1)
    return lines


def _member(title: str, member: Any, level: int) -> list[str]:
    if isinstance(member, property):
        return [f"{'#' * level} {title}", "", prose(Docstring(member).summary), ""]
    doc = Docstring(member)
    lines = [f"{'#' * level} {title}", "", f"```python\n{_signature(title, member)}\n```", "", prose(doc.summary), ""]
    return [*lines, *doc.markdown(level=level + 1)]


def _signature(title: str, thing: Any) -> str:
    signature = inspect.signature(thing)
    kept = [p for p in signature.parameters.values() if p.name not in ("self", "cls") and not p.name.startswith("_")]
    shown, named = [], False
    for p in kept:
        if p.kind is p.KEYWORD_ONLY and not named:
            shown.append("*")
            named = True
        shown.append(p.name if p.default is p.empty else f"{p.name}={p.default!r}")
    line = f"{title}({', '.join(shown)})"
    return line if len(line) <= 100 else f"{title}(\n    " + ",\n    ".join(shown) + ",\n)"


def errors_page() -> str:
    """Return the page about errors and warnings."""
    lines = ["# Errors and warnings", "", *Docstring(errors).markdown(level=2), ""]
    lines += ["On the command line an error is one sentence and exit code 2; with `--json` it is an object.", ""]
    for root, title in (
        (errors.TacitaError, "Errors"),
        (errors.TacitaWarning, "Warnings"),
        (errors.TacitaNote, "Notes"),
    ):
        rows = [
            (code(kind.__name__), ", ".join(code(base.__name__) for base in kind.__bases__), Docstring(kind).summary)
            for kind in _tree(root)
        ]
        lines += [f"## {title}", "", table(("name", "is also", "when"), rows), ""]
    return "\n".join([*lines, "They stand in `tacita.core.errors`; `tc.TacitaError` and `tc.TacitaWarning` catch all."])


def _tree(root: type) -> Iterator[type]:
    yield root
    for name in errors.__all__:
        kind = getattr(errors, name)
        if isinstance(kind, type) and issubclass(kind, root) and kind is not root:
            yield kind
