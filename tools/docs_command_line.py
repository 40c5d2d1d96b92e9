"""The page of the reference about the command line, made from the program itself."""

from __future__ import annotations

import enum
from collections.abc import Iterator
from pathlib import Path
from typing import Any, get_args

import typer
from docs_markdown import code, prose, table

from tacita.cli.main import app

__all__ = ["command_line", "verbs"]


def verbs() -> dict[str, Any]:
    """Return the verbs of the program, in the order of its help."""
    command: Any = typer.main.get_command(app)
    return {name: command.get_command(None, name) for name in command.list_commands(None)}


def command_line() -> str:
    """Return the page."""
    top = typer.main.get_command(app)
    lines = [
        "# Command line",
        "",
        prose(top.help or ""),
        "",
        "Tables go to standard output, sentences to standard error. An error is one sentence and exit code 2. "
        "Progress bars are shown on a terminal, never in a pipe.",
        "",
        "## Options before the verb",
        "",
        _options(top),
        "",
    ]
    for name, command in _with_parts(verbs()):
        arguments = [p for p in command.params if p.param_type_name == "argument"]
        usage = " ".join(["tacita", name, *(_argument_name(p) for p in arguments), "[OPTIONS]"])
        lines += [
            f"{'###' if ' ' in name else '##'} {name}",
            "",
            prose(command.help or ""),
            "",
            f"```text\n{usage}\n```",
            "",
        ]
        if arguments:
            rows = [(code(_metavar(p)), "yes" if p.required else "no", _help(p)) for p in arguments]
            lines += [table(("argument", "required", "meaning"), rows), ""]
        lines += [_options(command), ""]
    return "\n".join(lines)


def _with_parts(commands: dict[str, Any], before: str = "") -> Iterator[tuple[str, Any]]:
    """Give every command with its words; after a group of commands those that are in it."""
    for name, command in commands.items():
        yield f"{before}{name}", command
        yield from _with_parts(getattr(command, "commands", {}), f"{before}{name} ")


def _argument_name(parameter: Any) -> str:
    return _metavar(parameter) if parameter.required else f"[{_metavar(parameter)}]"


def _metavar(parameter: Any) -> str:
    return (parameter.name or "").upper()


def _help(parameter: Any) -> str:
    return getattr(parameter, "help", "") or ""


def _options(command: Any) -> str:
    rows = []
    for parameter in command.params:
        if parameter.param_type_name != "option" or parameter.name in ("install_completion", "show_completion"):
            continue
        names = ", ".join(code(name) for name in (*parameter.opts, *parameter.secondary_opts))
        rows.append((names, _kind(parameter), _default(parameter), _help(parameter)))
    rows.append((code("--help"), "", "", "Show the options and stop."))
    return table(("option", "value", "default", "meaning"), rows)


def _kind(parameter: Any) -> str:
    if getattr(parameter, "is_flag", False):
        return ""
    kind = parameter.type_descriptor.annotation
    kind = next(iter(get_args(kind)), kind)
    words = {Path: "a path", int: "a whole number", float: "a number", str: "a text"}
    named = words.get(kind, str(getattr(kind, "__name__", kind)))
    return f"{named}, may be repeated" if parameter.multiple else named


def _default(parameter: Any) -> str:
    if parameter.required:
        return "must be given"
    value = parameter.default() if callable(parameter.default) else parameter.default
    if value is None or value == [] or isinstance(value, enum.Enum):  # click marks "no default" by a member of an enum
        return ""
    if isinstance(value, bool):
        return "" if not value else f"`{parameter.opts[0]}`"
    return code(str(value))
