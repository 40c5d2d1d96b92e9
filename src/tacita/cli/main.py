"""``tacita``: the program, its verbs and its one way of showing errors."""

from __future__ import annotations

import importlib
import sys
import warnings
from typing import Annotated, Any

import typer
import typer.core
import typer.main

from tacita.cli import output
from tacita.core.errors import TacitaError, TacitaNote, TacitaWarning, did_you_mean

__all__ = ["VERBS", "app", "run"]

VERBS = (
    "demo", "describe", "assess", "mask", "evaluate", "search", "optimise", "table", "audit", "study", "methods",
)  # fmt: skip
"""What the program can do, in the order of its help; a verb is the function of its name in the module of its name."""


class _Verbs(typer.core.TyperGroup):
    """Loads a verb when it is asked for, so that the program starts at once."""

    def list_commands(self, ctx: Any) -> list[str]:
        del ctx
        return list(VERBS)

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        if cmd_name not in VERBS:
            ctx.fail(f"There is no command '{cmd_name}'.{did_you_mean(cmd_name, VERBS)}")
        if cmd_name not in self.commands:
            module = importlib.import_module(f"tacita.cli.{cmd_name}")
            single = typer.Typer(add_completion=False, rich_markup_mode=None, pretty_exceptions_enable=False)
            single.command(cmd_name)(getattr(module, cmd_name))
            self.commands[cmd_name] = typer.main.get_command(single)
        return self.commands[cmd_name]


app = typer.Typer(
    name="tacita",
    cls=_Verbs,
    no_args_is_help=True,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    help="Statistical disclosure control: releases that are useful and safe, and the measurements that show it.",
)


def _show_version(wanted: bool) -> None:
    if wanted:
        from tacita._version import __version__

        typer.echo(f"tacita {__version__}")
        raise typer.Exit()


@app.callback()
def options(
    show_values: Annotated[
        bool, typer.Option("--show-values", help="Show data values in error details; keep such output inside.")
    ] = False,
    version: Annotated[
        bool, typer.Option("--version", callback=_show_version, is_eager=True, help="Show the version and stop.")
    ] = False,
) -> None:
    """Statistical disclosure control: releases that are useful and safe, and the measurements that show it."""
    del version  # its callback has done everything
    output.settings.show_values = show_values


def run() -> None:
    """Run the program; an error of ours is one sentence and exit code 2, never a traceback."""
    with warnings.catch_warnings(record=False):
        warnings.simplefilter("default", TacitaWarning)
        warnings.simplefilter("default", TacitaNote)
        warnings.showwarning = output.show_warning
        try:
            app()
        except TacitaError as error:
            output.show_error(error)
            sys.exit(2)
        except KeyboardInterrupt:
            output.say("Interrupted; nothing was written.")
            sys.exit(130)


if __name__ == "__main__":
    run()
