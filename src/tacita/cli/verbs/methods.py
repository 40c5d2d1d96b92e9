"""``tacita methods``: what is in the box, straight from the registry."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from tacita.cli import output
from tacita.core import registry
from tacita.core.docstrings import doc_parts, plain_words
from tacita.core.errors import UnknownMethodError, did_you_mean
from tacita.core.method import Method

__all__ = ["methods"]


def methods(
    name: Annotated[
        str | None, typer.Argument(help="A method, to see its parameters and its whole description.")
    ] = None,
    kind: Annotated[str | None, typer.Option(help="Only masks, losses or risks: mask, loss, risk.")] = None,
    as_json: output.Json = False,
) -> None:
    """List every mask and measure with its parameters and traits."""
    output.settings.as_json = as_json
    found = [m for m in registry.methods() if kind in (None, m.kind) and name in (None, m.name)]
    if not found:
        names = [m.name for m in registry.methods()]
        raise UnknownMethodError(f"There is no method named '{name or kind}'.{did_you_mean(name or '', names)}")
    if as_json:
        output.print_json([m.describe() for m in found])
    elif name is not None:
        for method in found:
            _show_one(method)
    else:
        rows = [(m.kind, m.name, m.title, ", ".join(p.name for p in m.parameters()), m.summary()) for m in found]
        output.table("Methods", ("kind", "name", "title", "parameters", "what it does"), rows)
        output.say("\n'tacita methods NAME' shows one of them whole.")


def _show_one(method: type[Method]) -> None:
    typer.echo(f"{method.title}: {method.kind} {method.name}, in Python {method.__name__}\n")
    typer.echo(
        plain_words(doc_parts(method.__doc__ or "").without("Parameters").text())
    )  # they stand in the table below
    rows = [(p.name, p.requirement, _default(p), p.words) for p in method.parameters()]
    output.table("Parameters", ("name", "must be", "default", "meaning"), rows)
    traits = [(claim, _words(value)) for claim, value in method.traits.as_plain().items()]
    typer.echo()
    output.table("Traits", ("claim", "value"), traits)


def _default(parameter: Any) -> str:
    return "(required)" if parameter.required else _words(parameter.as_plain()["default"])


def _words(value: Any) -> str:
    if isinstance(value, list):
        return ", ".join(_words(entry) for entry in value) or "none"
    if isinstance(value, bool):
        return "yes" if value else "no"
    return "none" if value is None or value == "" else str(value)
