"""``tacita key``: secret keys of databases and of cell keys."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from tacita.cli import output

__all__ = ["key"]

key = typer.Typer(
    name="key",
    help="Secret keys: of databases that answer questions, and of the noise of tables.",
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
)


@key.callback()
def keys() -> None:
    """Secret keys: of databases that answer questions, and of the noise of tables."""


@key.command("new")
def new_key(
    file: Annotated[Path, typer.Argument(help="The file to write; there must be none.", show_default=False)],
    as_json: output.Json = False,
) -> None:
    """Draw a fresh key into a new file that only its owner can read."""
    from tacita.core.keyed import Key

    output.settings.as_json = as_json
    Key.draw().write(file)
    if as_json:
        output.print_json({"file": str(file)})
    else:
        output.say(
            f"A new key is in '{file}'. Whoever has it can take the noise out of what was published; without it nobody can go on."
        )
